// SPDX-License-Identifier: MIT
// Records a running game into a trace: a few lines in the game, no allocation per frame.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace glissade {

/// Settings of a Recorder.
struct RecorderConfig {
    /// A tick_ns or rate out of its range is a broken precondition; without asserts it is left out.
    TraceHeader header{};
    /// Text kept until it is taken, for the trace and for the drawn frames each. All memory is
    /// taken at construction. A pose takes about 150 bytes a tick and 90 a frame. >= 4096; always
    /// enough for the header.
    std::size_t buffer_bytes = std::size_t{8} << 20U;
};

/// Why a line was not recorded. The line is left out as a whole, and counted.
enum class RecordStatus : std::uint8_t {
    Ok,
    Full,        ///< No room: take the text more often, or give a larger buffer. Also for the truth
                 ///< of more than kMaxTruthIds objects.
    NotFinite,   ///< NaN or infinity.
    OutOfOrder,  ///< Earlier than the line before it, or a number that did not grow.
    OutOfRange,  ///< A time beyond +-kMaxTimeNs, a negative count or scale, an id twice in a line.
    WrongSource, ///< A packet, and the header's source is not a network.
};

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(RecordStatus status) noexcept;

struct RecorderStats {
    std::uint64_t line_count = 0;    ///< Recorded, both texts, the header included.
    std::uint64_t dropped_count = 0; ///< Left out, for any reason.
};

/// Writes ticks, frames and what was drawn as text that `glissade doctor` reads.
///
///     recorder.tick({.tick = k, .sim_ns = sim, .arrive_ns = now}, poses);    // when you read it
///     recorder.frame({.frame = n, .cpu_ns = now, .present_ns = vsync});      // in each frame
///     recorder.drawn({.frame = n}, drawn_poses);                            // what you drew
///     write(file, recorder.trace_text()); recorder.clear_trace();           // now and then
///
/// Record a tick on the thread that draws, when it first sees the tick; then all calls are on one
/// thread, and in order. What is recorded is always a valid trace, even when lines were dropped.
///
/// Thread safety: one thread at a time. Allocates: the constructor only. Cost: about as much as
/// printing the numbers, below a microsecond a pose.
class Recorder {
public:
    /// How many objects can have truth lines.
    static constexpr std::size_t kMaxTruthIds = 4096;

    explicit Recorder(const RecorderConfig& config);
    ~Recorder();
    Recorder(Recorder&&) noexcept;
    Recorder& operator=(Recorder&&) noexcept;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// `tick.poses` and `tick.gone` are written as well, before `poses`: leave them empty, and
    /// nothing allocates.
    RecordStatus tick(const TraceTick& tick, std::span<const TracePose> poses = {}) noexcept;
    RecordStatus frame(const TraceFrame& frame) noexcept;
    RecordStatus truth(const TraceTruth& truth) noexcept;
    /// What a server said besides positions, when it came.
    RecordStatus packet(const TracePacket& packet) noexcept;
    RecordStatus drawn(const DrawnFrame& frame, std::span<const DrawnPose> poses = {}) noexcept;

    /// What was recorded since the last clear_trace(): whole lines. Valid until the next call.
    [[nodiscard]] std::string_view trace_text() const noexcept;
    /// The text was saved: its room is free again. Order is still checked against it.
    void clear_trace() noexcept;
    [[nodiscard]] std::string_view drawn_text() const noexcept;
    void clear_drawn() noexcept;

    [[nodiscard]] const RecorderStats& stats() const noexcept;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace glissade
