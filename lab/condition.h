// SPDX-License-Identifier: MIT
// When ticks arrive and frames are made: ideal, disturbed, or as recorded on real machines.
#pragma once

#include <span>
#include <string_view>

namespace glissade::lab {

/// A way in which ticks arrive together with a way in which frames are made.
struct Condition {
    const char* name = "";   ///< For the command line: "late-144".
    const char* title = "";  ///< For people.
    const char* what = "";   ///< One sentence: display, ticks, where it comes from.
    double display_hz = 0.0; ///< Nominal; of a variable display the mean.
    bool recorded = false;   ///< Timing from a real machine.
    bool reference = false;  ///< The one that the report plots; exactly one is.
};

/// All of them, the reference first.
[[nodiscard]] std::span<const Condition> conditions() noexcept;
/// By name; null if there is none.
[[nodiscard]] const Condition* find_condition(std::string_view name) noexcept;

} // namespace glissade::lab
