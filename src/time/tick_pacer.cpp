// SPDX-License-Identifier: MIT
#include "glissade/time/tick_pacer.h"

#include "glissade/base/hooks.h"

#include "time/present_step.h"

#include <algorithm>

// With period P = denominator * 1e9 / numerator ns, tick k is stamped start + ceil(k * P), as by a
// FixedStep. The source's clock now_ns_ runs beside the caller's at the time scale, and loses the
// time that is given up; a tick is due when it reaches the tick's stamp. T0 is not kept: it is
// where the two clocks, the scale and the stamps say.

namespace glissade {

namespace {

TickPacerConfig checked(TickPacerConfig config) noexcept {
    const TickPacerConfig defaults;
    GLISSADE_ASSERT(config.rate.is_valid());
    if (!config.rate.is_valid()) {
        config.rate = defaults.rate;
    }
    GLISSADE_ASSERT(config.max_ticks >= 1);
    if (config.max_ticks < 1) {
        config.max_ticks = defaults.max_ticks;
    }
    GLISSADE_ASSERT(config.start_ns >= -kMaxTimeNs && config.start_ns <= kMaxTimeNs);
    if (config.start_ns < -kMaxTimeNs || config.start_ns > kMaxTimeNs) {
        config.start_ns = defaults.start_ns;
    }
    return config;
}

} // namespace

TickPacer::TickPacer(const TickPacerConfig& config) noexcept
    : config_(checked(config)), now_ns_(config_.start_ns), next_ns_(config_.start_ns) {
    const Rate rate = config_.rate;
    whole_ns_ = rate.denominator * kNanosecondsPerSecond / rate.numerator;
    part_ = rate.denominator * kNanosecondsPerSecond % rate.numerator;
    // No sum of stamps overflows; a million ticks of the longest period are left.
    config_.max_ticks =
        static_cast<int>(std::min(std::int64_t{config_.max_ticks}, kMaxTimeNs / 2 / whole_ns_));
    newest_ = {.index = 0,
               .time_ns = config_.start_ns,
               .duration_ns = whole_ns_,
               .step_s = rate.period_s()};
    step_on();
}

TickRange<TickPacer> TickPacer::wake(std::int64_t now_ns) noexcept {
    const detail::PresentStep step = detail::step_to(wake_ns_, now_ns);
    if (step.is_refused()) {
        ++stats_.refused_count;
        return {nullptr, step.status};
    }
    if (!wake_ns_) {
        due_ns_ = now_ns;
    }
    wake_ns_ = now_ns;
    ++stats_.wake_count;
    if (group_.paused()) {
        return {nullptr, step.status};
    }
    now_ns_ += held_ ? 0 : group_.advance_by(step.elapsed_ns);
    held_ = false;
    let_time_go();
    return {this, step.status};
}

// More than max_ticks are due exactly when the tick after that many is. Its stamp less a period is
// not before that of the last one to run, so that max_ticks are still due afterwards.
void TickPacer::let_time_go() noexcept {
    const std::int64_t excess_ns = now_ns_ - ticks_on_ns(config_.max_ticks);
    if (excess_ns < 0) {
        return;
    }
    const std::int64_t lost_ns = (excess_ns / whole_ns_ + 1) * whole_ns_;
    now_ns_ -= lost_ns;
    stats_.lost_ns += lost_ns;
    ++stats_.lost_count;
    ++epoch_;
}

std::optional<Tick> TickPacer::take() noexcept {
    if (next_ns_ > now_ns_) {
        return std::nullopt;
    }
    // Not before the tick before it: the scale may have changed within the loop.
    due_ns_ = std::max(due_ns_, *wake_ns_ + group_.outer_time_for(next_ns_ - now_ns_));
    stats_.late_ns_max = std::max(stats_.late_ns_max, *wake_ns_ - due_ns_);
    newest_ = {.index = newest_.index + 1,
               .time_ns = next_ns_,
               .duration_ns = next_ns_ - newest_.time_ns,
               .step_s = newest_.step_s};
    step_on();
    ++stats_.tick_count;
    return newest_;
}

// The stamp `tick_count` ticks after the next one. The product is below 2^31 * 1e9 < 2^61.
std::int64_t TickPacer::ticks_on_ns(std::int64_t tick_count) const noexcept {
    const std::int64_t uncovered = tick_count * part_ - carry_;
    const std::int64_t numerator = config_.rate.numerator;
    const std::int64_t extra_ns = uncovered > 0 ? (uncovered - 1) / numerator + 1 : 0;
    return next_ns_ + tick_count * whole_ns_ + extra_ns;
}

void TickPacer::step_on() noexcept {
    const std::int64_t next_ns = ticks_on_ns(1);
    carry_ += (next_ns - next_ns_ - whole_ns_) * config_.rate.numerator - part_;
    next_ns_ = next_ns;
}

std::int64_t TickPacer::next_due_ns() const noexcept {
    if (!wake_ns_) {
        return 0;
    }
    if (group_.paused() || group_.scale() == 0.0) {
        return *wake_ns_ + whole_ns_;
    }
    if (held_) {
        return *wake_ns_; // The schedule goes on from the next wake-up: have it soon.
    }
    return *wake_ns_ + group_.outer_time_for(next_ns_ - now_ns_);
}

void TickPacer::pause() noexcept {
    group_.pause();
    held_ = true;
}

} // namespace glissade
