// SPDX-License-Identifier: MIT
// The timing of a recording: what is left of a trace without its poses.
#pragma once

#include "glissade/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glissade::lab {

/// When one tick could be read.
struct TickTime {
    std::int64_t arrive_ns = 0;
    std::optional<std::int64_t> due_ns{}; ///< Only on an absolute schedule.

    friend bool operator==(const TickTime&, const TickTime&) noexcept = default;
};

/// A recording as the files in lab/data hold it.
struct RecordedTiming {
    std::string name{};
    TraceSource source = TraceSource::Thread;
    Rate rate{};              ///< Nominal, of the ticks.
    std::int64_t tick_ns = 0; ///< Nominal, > 0.
    std::vector<TickTime> ticks{};
    std::vector<TraceFrame> frames{};
    std::vector<std::size_t> ticks_before{}; ///< As in Trace.
};

/// Reads the text of one file; lab/data/README.md describes it. Nothing if it is not of that form.
[[nodiscard]] std::optional<RecordedTiming> parse_timing(std::string_view text);

/// The built-in recording of this name; nothing if there is none.
[[nodiscard]] std::optional<RecordedTiming> find_timing(std::string_view recording_name);

} // namespace glissade::lab
