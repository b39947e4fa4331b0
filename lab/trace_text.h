// SPDX-License-Identifier: MIT
// Whole traces and drawn frames from text, and back.
#pragma once

#include "glissade/trace/trace_reader.h"

#include "lab/trace_data.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glissade::lab {

/// Builds a Trace from text that arrives in pieces.
class TraceLoader {
public:
    /// False at the first bad line: see error().
    bool push(std::string_view text);
    /// The text is complete. False if its last line is bad.
    bool finish();
    [[nodiscard]] const TraceError& error() const noexcept { return reader_.error(); }
    [[nodiscard]] Trace& trace() noexcept { return trace_; }

private:
    bool read_lines();

    TraceReader reader_{};
    TraceLine line_{};
    Trace trace_{};
};

/// The same for what was drawn.
class DrawnLoader {
public:
    bool push(std::string_view text);
    bool finish();
    [[nodiscard]] const TraceError& error() const noexcept { return reader_.error(); }
    [[nodiscard]] std::vector<DrawnFrame>& frames() noexcept { return frames_; }

private:
    bool read_lines();

    DrawnReader reader_{};
    std::vector<DrawnFrame> frames_{};
};

/// The text of a trace: truth right behind the header, then ticks, packets and frames in order.
[[nodiscard]] std::string to_text(const Trace& trace);

} // namespace glissade::lab
