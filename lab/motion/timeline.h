// SPDX-License-Identifier: MIT
// When a scenario ticks: on its own timeline, and on the wall if everything were on time.
#pragma once

#include "glissade/time/rate.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace glissade::lab {

inline constexpr Rate kTickRate = {60, 1};

struct Timeline {
    std::optional<std::int64_t> tick_ns{};   ///< For the header; empty where ticks vary.
    std::vector<std::int64_t> sim_ns{};      ///< Source time of each tick.
    std::vector<std::int64_t> schedule_ns{}; ///< Wall time at which each is due.
    /// Source time per real time from each tick on; empty where that is 1 throughout.
    std::vector<double> scales{};
};

/// 60 ticks a second from 0 to `length_s`, inclusive.
[[nodiscard]] Timeline make_steady_timeline(double length_s);
/// The same with a sixth of the ticks, from a third on, spread to four times their length.
[[nodiscard]] Timeline make_slow_motion_timeline(double length_s);
/// 60, 15 and again 60 ticks a second, each for a third.
[[nodiscard]] Timeline make_rate_change_timeline(double length_s);

} // namespace glissade::lab
