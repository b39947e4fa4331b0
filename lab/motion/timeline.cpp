// SPDX-License-Identifier: MIT
#include "lab/motion/timeline.h"

#include <algorithm>
#include <cmath>

namespace glissade::lab {
namespace {

constexpr std::int64_t kTickNs = 16'666'667;
// The first tick comes some frames after the first frame, as a thread that has to start up.
constexpr std::int64_t kFirstDueNs = 50'000'000;
constexpr double kLengthMaxS = 3600.0;

// In 60ths of a second.
std::int64_t count_steps(double length_s) {
    const double steps = std::floor(std::clamp(length_s, 0.0, kLengthMaxS) * 60.0);
    return static_cast<std::int64_t>(steps);
}

// k / 60 s to the nearest nanosecond, each by itself so that rounding does not add up.
std::int64_t to_sim_ns(std::int64_t step) {
    return (step * kNanosecondsPerSecond + kTickRate.numerator / 2) / kTickRate.numerator;
}

} // namespace

Timeline make_steady_timeline(double length_s) {
    Timeline timeline{.tick_ns = kTickNs};
    for (std::int64_t step = 0; step <= count_steps(length_s); ++step) {
        timeline.sim_ns.push_back(to_sim_ns(step));
        timeline.schedule_ns.push_back(kFirstDueNs + to_sim_ns(step));
    }
    return timeline;
}

Timeline make_slow_motion_timeline(double length_s) {
    constexpr std::int64_t kSlowdown = 4;
    Timeline timeline = make_steady_timeline(length_s);
    const std::size_t count = timeline.sim_ns.size();
    std::int64_t due_ns = kFirstDueNs;
    for (std::size_t i = 0; i < count; ++i) {
        const bool slow = i >= count / 3 && i < count / 2;
        timeline.scales.push_back(slow ? 1.0 / static_cast<double>(kSlowdown) : 1.0);
        timeline.schedule_ns[i] = due_ns;
        const std::int64_t next_sim_ns = to_sim_ns(static_cast<std::int64_t>(i) + 1);
        due_ns += (next_sim_ns - timeline.sim_ns[i]) * (slow ? kSlowdown : 1);
    }
    return timeline;
}

Timeline make_rate_change_timeline(double length_s) {
    constexpr std::int64_t kLongStep = 4;
    Timeline timeline;
    const std::int64_t step_count = count_steps(length_s);
    std::int64_t step = 0;
    while (step <= step_count) {
        timeline.sim_ns.push_back(to_sim_ns(step));
        timeline.schedule_ns.push_back(kFirstDueNs + to_sim_ns(step));
        const bool is_long = step >= step_count / 3 && step < step_count * 2 / 3;
        step += is_long ? kLongStep : 1;
    }
    return timeline;
}

} // namespace glissade::lab
