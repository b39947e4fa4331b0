// SPDX-License-Identifier: MIT
#include "glissade/feed/timeline.h"

#include <algorithm>

namespace glissade {

namespace {

DelayConfig make_delay(const SourceClock& clock, const TimelineConfig& config) noexcept {
    DelayConfig delay = clock.scheduled() ? DelayConfig::scheduled() : DelayConfig::free_running();
    delay.fixed_ns = config.fixed_delay_ns;
    return delay;
}

} // namespace

Timeline::Timeline(const TimelineConfig& config) noexcept
    : delay_(make_delay(clock_, config)), config_(config) {}

ArrivalStatus Timeline::add(const Arrival& arrival) noexcept {
    const bool was_scheduled = clock_.scheduled();
    const ArrivalResult result = clock_.add(arrival);
    if (result.status == ArrivalStatus::Stale || result.status == ArrivalStatus::Absurd) {
        ++(result.status == ArrivalStatus::Stale ? stale_count_ : absurd_count_);
        return result.status;
    }
    ++state_count_;
    if (clock_.scheduled() != was_scheduled) {
        delay_.configure(make_delay(clock_, config_));
    }
    if (result.status == ArrivalStatus::Started || result.status == ArrivalStatus::Restarted) {
        first_ns_ = arrival.source_ns;
        playout_.restart();
    } else {
        playout_.absorb(result.step_ns);
    }
    if (result.lateness_ns) {
        delay_.add({.arrival_ns = arrival.arrival_ns,
                    .lateness_ns = *result.lateness_ns,
                    .tick_ns = clock_.tick_ns(),
                    .rate = clock_.rate(),
                    .deviation_ns = clock_.lateness_deviation_ns()});
        running_ = true;
    }
    return result.status;
}

std::optional<SampleTime> Timeline::frame(std::int64_t cpu_ns,
                                          std::optional<std::int64_t> stamp_ns) noexcept {
    const std::int64_t present_ns = frame_clock_.frame(cpu_ns, stamp_ns);
    if (!clock_.newest()) {
        return std::nullopt;
    }
    if (!running_) {
        return SampleTime{.time_ns = first_ns_, .now_ns = first_ns_};
    }
    const std::int64_t elapsed_ns = present_ns - present_ns_.value_or(present_ns);
    present_ns_ = present_ns;
    delay_.advance_by(elapsed_ns, clock_.rate());
    const std::int64_t now_ns = clock_.source_at(present_ns);
    const std::int64_t time_ns = playout_.frame({.present_ns = present_ns,
                                                 .wanted_ns = now_ns - delay_.delay_ns(),
                                                 .newest_ns = clock_.newest()->source_ns,
                                                 .tick_ns = clock_.tick_ns(),
                                                 .rate = clock_.rate()});
    // There is nothing before the first state; the picture waits there until the delay has passed.
    const std::int64_t shown_ns = std::max(time_ns, first_ns_);
    return SampleTime{.time_ns = shown_ns, .now_ns = std::max(now_ns, shown_ns)};
}

TimelineReport Timeline::report() const noexcept {
    const PlayoutStats& playout = playout_.stats();
    return {.delay_ns = delay_.delay_ns(),
            .tick_ns = clock_.tick_ns(),
            .lateness_p50_ns = delay_.lateness_quantile_ns(0.5),
            .lateness_p995_ns = delay_.lateness_quantile_ns(0.995),
            .debt_ns = playout_.debt_ns(),
            .rate = clock_.rate(),
            .scheduled = clock_.scheduled(),
            .frame_timing = frame_clock_.timing(),
            .state_count = state_count_,
            .stale_count = stale_count_,
            .absurd_count = absurd_count_,
            .frame_count = playout.frame_count,
            .underrun_count = playout.underrun_count,
            .held_count = playout.held_count,
            .stall_count = delay_.stall_count(),
            .relock_count = clock_.relock_count(),
            .jump_count = playout.jump_count};
}

} // namespace glissade
