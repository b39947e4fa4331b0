// SPDX-License-Identifier: MIT
// The built-in motions, and traces of them under a condition. Seeded: the same every time.
#pragma once

#include "lab/condition.h"
#include "lab/trace_data.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace glissade::lab {

/// One built-in motion, as `glissade lab` lists it.
struct Scenario {
    const char* name = "";  ///< For the command line: "constant-speed".
    const char* title = ""; ///< For people: "Constant speed".
    const char* what = "";  ///< One sentence: what moves, and what it is there to show.
};

/// All of them, in the order of the report.
[[nodiscard]] std::span<const Scenario> scenarios() noexcept;
/// By name; null if there is none.
[[nodiscard]] const Scenario* find_scenario(std::string_view name) noexcept;

/// Settings of make_trace().
struct TraceConfig {
    std::uint64_t seed = 1;
    double length_s = 12.0; ///< In (0, 3600].
};

/// The trace of a scenario under a condition, with truth lines.
[[nodiscard]] Trace make_trace(const Scenario& scenario, const Condition& condition,
                               const TraceConfig& config = {});

} // namespace glissade::lab
