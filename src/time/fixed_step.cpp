// SPDX-License-Identifier: MIT
#include "glissade/time/fixed_step.h"

#include "glissade/base/hooks.h"

#include "time/present_step.h"

#include <algorithm>
#include <cmath>

// Stamps and the sample time
//
// With period P = denominator * 1e9 / numerator ns, tick k after a (re)start of the grid at S is
// stamped T_k = S + ceil(k * P). For a whole number e, ceil(k * P) <= e exactly when k <= e / P, so
// "T_k <= S + e" counts floor(e * rate) ticks with no error at all. stamp_after() keeps the sum as
// a whole number of nanoseconds and a carry below one, because k * P itself would overflow.
//
// The sample time is s = now - lag, and T_(n-1) <= s <= T_n holds after every frame:
// - Settled behind (lag = floor(P)): ticks run while T_(n+1) <= now. Two stamps are floor(P) or
//   floor(P) + 1 apart. So T_(n+1) > now gives s <= T_(n+1) - 1 - floor(P) <= T_n, and a tick that
//   ran at T_n <= now gives s >= T_n - floor(P) >= T_(n-1).
// - Otherwise (ahead, or while the lag moves to that of a new rate): ticks run while T_n <= s,
//   whatever their length. So T_n > s afterwards, and the last one ran because T_(n-1) <= s.
// A frame without a tick keeps T_(n-1) <= s because s never decreases.

namespace glissade {

namespace {

constexpr std::int64_t kSlewDivisor = 128; // The shown rate stays within 1 +- 1/128.
constexpr double kCostTimeConstantSeconds = 0.5;
constexpr double kWidenAbove = 0.9;  // Of the current period.
constexpr double kNarrowBelow = 0.6; // Of the period to return to.

bool is_slower(Rate a, Rate b) noexcept {
    return a.numerator * b.denominator < b.numerator * a.denominator;
}

// Rounded to 2^-40: libraries differ in the last bits of exp(), and the choice of a rate must not.
double weight_of(double duration_s) noexcept {
    constexpr double kOneQ40 = 1099511627776.0; // 2^40
    return std::round((1.0 - std::exp(-duration_s / kCostTimeConstantSeconds)) * kOneQ40) / kOneQ40;
}

FixedStepConfig checked(FixedStepConfig config) noexcept {
    const FixedStepConfig defaults;
    GLISSADE_ASSERT(config.rate.is_valid());
    if (!config.rate.is_valid()) {
        config.rate = defaults.rate;
    }
    GLISSADE_ASSERT(config.max_ticks >= 1);
    if (config.max_ticks < 1) {
        config.max_ticks = defaults.max_ticks;
    }
    GLISSADE_ASSERT(config.budget_ns > 0);
    if (config.budget_ns <= 0) {
        config.budget_ns = defaults.budget_ns;
    }
    GLISSADE_ASSERT(config.discard_after_ns > 0);
    if (config.discard_after_ns <= 0) {
        config.discard_after_ns = defaults.discard_after_ns;
    }
    GLISSADE_ASSERT(config.start_ns >= -kMaxTimeNs && config.start_ns <= kMaxTimeNs);
    if (config.start_ns < -kMaxTimeNs || config.start_ns > kMaxTimeNs) {
        config.start_ns = defaults.start_ns;
    }
    return config;
}

} // namespace

FixedStep::FixedStep(const FixedStepConfig& config) noexcept
    : config_(checked(config)), now_ns_(config_.start_ns), rate_{0, 0} {
    newest_ = {.index = 0,
               .time_ns = config_.start_ns,
               .duration_ns = config_.rate.period_ns(),
               .step_s = config_.rate.period_s()};
    fill_levels(config_.rate);
    use_rate(config_.rate);
    lag_ns_ = lag_goal_ns_;
}

TickRange<FixedStep> FixedStep::advance_to(std::int64_t present_ns) noexcept {
    return advance(detail::step_to(present_ns_, present_ns));
}

TickRange<FixedStep> FixedStep::advance_by(std::int64_t elapsed_ns) noexcept {
    return advance(detail::step_by(present_ns_, elapsed_ns));
}

TickRange<FixedStep> FixedStep::advance(const detail::PresentStep& step) noexcept {
    if (step.is_refused()) {
        ++stats_.refused_count;
        return {nullptr, step.status};
    }
    present_ns_ = step.present_ns;
    frame_tick_count_ = 0;
    frame_cost_ns_ = 0;
    if (group_.paused()) {
        return {nullptr, step.status};
    }
    const std::int64_t scaled_ns = group_.advance_by(step.elapsed_ns);
    if (step.elapsed_ns > config_.discard_after_ns && scaled_ns > 0) {
        stats_.discarded_ns += scaled_ns;
        ++stats_.discarded_count;
        ++epoch_;
        return {nullptr, ClockStatus::Discarded};
    }
    now_ns_ += scaled_ns;
    stats_.simulated_ns += scaled_ns;
    slew_lag(scaled_ns);
    return {this, step.status};
}

void FixedStep::slew_lag(std::int64_t scaled_ns) noexcept {
    const std::int64_t distance_ns = lag_goal_ns_ - lag_ns_;
    if (distance_ns == 0) {
        slew_rest_ = 0;
        return;
    }
    const std::int64_t most_ns = scaled_ns / kSlewDivisor;
    slew_rest_ += scaled_ns % kSlewDivisor;
    const std::int64_t limit_ns = most_ns + slew_rest_ / kSlewDivisor;
    slew_rest_ %= kSlewDivisor;
    lag_ns_ += std::clamp(distance_ns, -limit_ns, limit_ns);
}

bool FixedStep::settled_behind() const noexcept {
    return config_.view == View::Behind && lag_ns_ == lag_goal_ns_;
}

bool FixedStep::is_due() const noexcept {
    return settled_behind() ? next_.time_ns <= now_ns_ : newest_.time_ns <= now_ns_ - lag_ns_;
}

bool FixedStep::budget_spent() const noexcept {
    return config_.overload == Overload::Slow && frame_tick_count_ > 0 &&
           frame_cost_ns_ >= config_.budget_ns;
}

std::optional<Tick> FixedStep::take() noexcept {
    if (!is_due()) {
        return std::nullopt;
    }
    if (frame_tick_count_ >= config_.max_ticks || budget_spent()) {
        let_time_go();
        return std::nullopt;
    }
    const Tick tick{.index = newest_.index + 1,
                    .time_ns = next_.time_ns,
                    .duration_ns = next_.time_ns - newest_.time_ns,
                    .step_s = step_s_};
    newest_ = tick;
    next_ = stamp_after(next_);
    ++frame_tick_count_;
    ++stats_.tick_count;
    return tick;
}

// Turns the clock back to the last nanosecond at which no tick is due. This frame ran at least one
// tick, so that moment is not before the frame before it, and the sample time does not run back.
void FixedStep::let_time_go() noexcept {
    const std::int64_t limit_ns =
        (settled_behind() ? next_.time_ns : newest_.time_ns + lag_ns_) - 1;
    const std::int64_t lost_ns = now_ns_ - limit_ns;
    now_ns_ = limit_ns;
    stats_.simulated_ns -= lost_ns;
    if (budget_spent()) {
        stats_.stretched_ns += lost_ns;
        ++stats_.stretched_count;
    } else {
        stats_.dropped_ns += lost_ns;
        ++stats_.dropped_count;
    }
}

void FixedStep::report_cost(std::int64_t cost_ns) noexcept {
    const std::int64_t cost = std::clamp(cost_ns, std::int64_t{0}, kMaxTimeNs);
    frame_cost_ns_ = std::min(frame_cost_ns_ + cost, kMaxTimeNs);
    if (config_.overload != Overload::Widen) {
        return;
    }
    average_cost_ns_ += weight_of(newest_.step_s) * (static_cast<double>(cost) - average_cost_ns_);
    choose_level();
}

void FixedStep::choose_level() noexcept {
    constexpr auto kSecond = static_cast<double>(kNanosecondsPerSecond);
    if (level_ + 1 < level_count_ && average_cost_ns_ > kWidenAbove * step_s_ * kSecond) {
        ++level_;
        ++stats_.widened_count;
        use_rate(levels_[level_]);
    } else if (level_ > 0 &&
               average_cost_ns_ < kNarrowBelow * levels_[level_ - 1].period_s() * kSecond) {
        --level_;
        ++stats_.narrowed_count;
        use_rate(levels_[level_]);
    }
}

SampleTime FixedStep::sample() const noexcept {
    // Later than the newest tick only if the loop was left early.
    return {.time_ns = std::min(now_ns_ - lag_ns_, newest_.time_ns),
            .now_ns = now_ns_,
            .newest = newest_,
            .epoch = epoch_};
}

bool FixedStep::set_rate(Rate rate) noexcept {
    if (!rate.is_valid()) {
        return false;
    }
    fill_levels(rate);
    use_rate(rate);
    return true;
}

void FixedStep::fill_levels(Rate base) noexcept {
    level_ = 0;
    level_count_ = 1;
    levels_[0] = base;
    for (const Rate wider : config_.wider_rates) {
        if (wider.is_valid() && is_slower(wider, levels_[level_count_ - 1])) {
            levels_[level_count_] = wider;
            ++level_count_;
        }
    }
}

// Restarts the grid at the newest stamp. The same rate again keeps the grid as it is.
void FixedStep::use_rate(Rate rate) noexcept {
    if (rate == rate_) {
        return;
    }
    rate_ = rate;
    step_s_ = rate.period_s();
    whole_ns_ = rate.denominator * kNanosecondsPerSecond / rate.numerator;
    part_ = rate.denominator * kNanosecondsPerSecond % rate.numerator;
    next_ = stamp_after({newest_.time_ns, 0});
    lag_goal_ns_ = config_.view == View::Behind ? whole_ns_ : 0;
}

// The exact time of a stamp is time_ns - carry / numerator. Adding whole + part / numerator and
// rounding up moves the stamp by whole, or by one more when the part is not covered by the carry.
FixedStep::Stamp FixedStep::stamp_after(Stamp stamp) const noexcept {
    const std::int64_t uncovered = part_ - stamp.carry;
    if (uncovered > 0) {
        return {stamp.time_ns + whole_ns_ + 1, rate_.numerator - uncovered};
    }
    return {stamp.time_ns + whole_ns_, -uncovered};
}

} // namespace glissade
