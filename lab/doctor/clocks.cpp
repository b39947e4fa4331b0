// SPDX-License-Identifier: MIT
// Two clocks that are compared although they do not agree, and a source without a schedule.
#include "lab/doctor/examination.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glissade::lab {

namespace {

constexpr std::size_t kMinTicks = 60; // With fewer, chance looks like a pattern.

// A stamp by the reader's clock lies shortly before the data can be read: by the work of the tick
// at most. One that lies after it cannot be of that clock at all.
constexpr double kEarliestGapMs = -0.1;
constexpr double kLatestGapMs = 1.5;

void examine_origin(const Examination& exam, Diagnosis& diagnosis) {
    std::vector<double> gaps;
    for (const TraceTick& tick : exam.trace.ticks) {
        if (tick.stamp_ns) {
            gaps.push_back(to_ms(tick.arrive_ns - *tick.stamp_ns));
        }
    }
    if (gaps.size() < kMinTicks) {
        return;
    }
    const double nearest = compute_quantile(gaps, 0.01);
    if (nearest >= kEarliestGapMs && nearest <= kLatestGapMs) {
        return;
    }
    const double gap = median_of(gaps);
    diagnosis.findings.push_back(
        {Disease::ClockOriginGap, std::min(std::abs(gap) / std::max(exam.tick_ms, 1.0), 1.0) / 2.0,
         "The ticks are stamped by a clock that is not the one of the frames.",
         fmt::format(
             "Stamps lie {:.2f} ms {} the moment at which the tick could be read (median of {}; "
             "even the nearest 1 % are {:.2f} ms off).",
             std::abs(gap), gap < 0.0 ? "after" : "before", gaps.size(), nearest),
         "Do not compare the two clocks: estimate their offset, or measure time since the tick was "
         "read. In a browser, add performance.timeOrigin on both sides. If it is one clock, the "
         "stamp "
         "is taken long before the data appears: stamp the tick with the time that it stands "
         "for."});
}

// How long a tick should have taken by the source's own account; nothing where it says itself that
// time was lost.
std::optional<double> nominal_interval_ms(const TraceTick& last, const TraceTick& tick) {
    const double scale = last.paused ? 0.0 : last.scale.value_or(1.0);
    if (scale <= 0.0 || tick.epoch != last.epoch || tick.sim_ns <= last.sim_ns) {
        return std::nullopt;
    }
    return to_ms(tick.sim_ns - last.sim_ns) / scale;
}

// How much later than the first tick each one arrives, beyond that. Up to the first lost time.
std::vector<double> collect_drift_ms(const Trace& trace) {
    std::vector<double> drift;
    double drift_ms = 0.0;
    for (std::size_t i = 1; i < trace.ticks.size(); ++i) {
        const TraceTick& last = trace.ticks[i - 1];
        const std::optional<double> nominal_ms = nominal_interval_ms(last, trace.ticks[i]);
        if (!nominal_ms) {
            break;
        }
        drift_ms += to_ms(trace.ticks[i].arrive_ns - last.arrive_ns) - *nominal_ms;
        drift.push_back(drift_ms);
    }
    return drift;
}

// Mean square of the change over `distance` ticks.
double growth(const std::vector<double>& values, std::size_t distance) {
    double sum = 0.0;
    for (std::size_t i = distance; i < values.size(); ++i) {
        const double change = values[i] - values[i - distance];
        sum += change * change;
    }
    return sum / static_cast<double>(values.size() - distance);
}

void examine_schedule(const Examination& exam, Diagnosis& diagnosis) {
    const std::vector<double> drift = collect_drift_ms(exam.trace);
    constexpr std::size_t kLongTicks = 64;
    if (exam.lateness.has_schedule || drift.size() < 2 * kLongTicks) {
        return;
    }
    const double length_ms =
        to_ms(exam.trace.ticks[drift.size()].arrive_ns - exam.trace.ticks.front().arrive_ns);
    const double slope = (median_of({drift.end() - kLongTicks / 2, drift.end()}) -
                          median_of({drift.begin(), drift.begin() + kLongTicks / 2})) /
                         length_ms;
    // On a schedule lateness is forgotten at the next tick; without one it adds up.
    const double far_ms = std::sqrt(growth(drift, kLongTicks));
    const double near_ms = std::sqrt(growth(drift, 1));
    constexpr double kMaxSlope = 0.003; // Clocks are 30 times better than that.
    constexpr double kMaxGrowth = 2.8;  // A random walk grows by 8 over 64 ticks.
    constexpr double kSeenMs = 0.5;
    const bool walks = far_ms > kMaxGrowth * near_ms && far_ms > kSeenMs;
    if (std::abs(slope) <= kMaxSlope && !walks) {
        return;
    }
    diagnosis.findings.push_back(
        {Disease::FreeRunningSource, std::min(near_ms / std::max(exam.tick_ms, 1.0), 1.0) / 2.0,
         "The simulation runs at no stable rate: its timer is set anew after each tick.",
         fmt::format("It runs at {:.4f} of real time, and over {} ticks it wanders by {:.2f} ms "
                     "({:.2f} ms from one tick to the next).",
                     1.0 / (1.0 + slope), kLongTicks, far_ms, near_ms),
         "Keep an absolute schedule: tick k is due at start + k x tick, and the loop sleeps until "
         "then. If the source cannot be changed, recover its rate from the arrivals (playout "
         "does)."});
}

} // namespace

void examine_clocks(const Examination& exam, Diagnosis& diagnosis) {
    examine_origin(exam, diagnosis);
    examine_schedule(exam, diagnosis);
}

} // namespace glissade::lab
