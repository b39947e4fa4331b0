// SPDX-License-Identifier: MIT
// The lines of a trace as text, for the writer and the Recorder alike.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace glissade::detail {

/// Where a line goes: into a string that grows, or into memory that does not.
///
/// The first thing that goes wrong is remembered and the rest of the line is of no use then; the
/// owner takes back what was written. Allocates: where the string must grow.
class LineSink {
public:
    explicit LineSink(std::string& out) noexcept : out_(&out) {}
    explicit LineSink(std::span<char> room) noexcept : room_(room) {}

    void text(std::string_view text);
    void integer(std::int64_t value);
    /// The fewest digits that read back to the same bits; the JSON parser would read a plain -0 as
    /// the integer 0, so it is written as -0.0.
    void number(double value);
    /// As a JSON string in UTF-8, with its quotes.
    void quoted(std::string_view text);

    [[nodiscard]] bool is_finite() const noexcept { return is_finite_; }
    [[nodiscard]] bool is_full() const noexcept { return is_full_; }
    /// Bytes written into the room.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    std::string* out_ = nullptr;
    std::span<char> room_{};
    std::size_t size_ = 0;
    bool is_finite_ = true;
    bool is_full_ = false;
};

// One line each, with its line end. Keys in the order of docs/trace-format.md, without spaces.
void format_line(LineSink& sink, const TraceHeader& header);
/// The poses of the tick, then `more`.
void format_line(LineSink& sink, const TraceTick& tick, std::span<const TracePose> more = {});
void format_line(LineSink& sink, const TraceFrame& frame);
void format_line(LineSink& sink, const TraceTruth& truth);
void format_line(LineSink& sink, const TracePacket& packet);
/// The poses of the frame, then `more`.
void format_line(LineSink& sink, const DrawnFrame& frame, std::span<const DrawnPose> more = {});

} // namespace glissade::detail
