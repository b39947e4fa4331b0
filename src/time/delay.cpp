// SPDX-License-Identifier: MIT
#include "glissade/time/delay.h"

#include "glissade/base/hooks.h"

#include <algorithm>
#include <cmath>

namespace glissade {

namespace {

constexpr std::int64_t kMarginNs = 500'000; // The clock that a frame reads is not the last word.
constexpr std::int64_t kStartNs = 500'000'000;
constexpr std::int64_t kStartMarginNs = 4'000'000; // Before anything is known of the source.
constexpr std::int64_t kStallNs = 100'000'000;
constexpr std::int64_t kStallTicks = 6;
constexpr std::int64_t kLongestStallNs = 500'000'000; // What lasts longer is how the source is.
// States that are further apart than a quarter of an hour are not motion.
constexpr std::int64_t kLongestTickNs = 1'000'000'000'000;
constexpr double kLargeNeedNs = 40e6;
constexpr double kLargestGrowth = 0.25;
// Small excess is given up even more slowly: in this time, had the limit not been there.
constexpr double kShrinkingTimeNs = 1e9;
constexpr double kDoneNs = 1e4;

} // namespace

DelayConfig DelayConfig::free_running() noexcept {
    return {.deviations = 3.25,
            .growth = 0.04,
            .shrinking = 0.01,
            .ease_ns = 50'000'000,
            .dead_band_ns = 0};
}

Delay::Delay(const DelayConfig& config) noexcept {
    configure(config);
}

void Delay::configure(const DelayConfig& config) noexcept {
    GLISSADE_ASSERT(config.quantile > 0.0 && config.quantile <= 1.0);
    GLISSADE_ASSERT(config.deviations >= 0.0 && config.growth >= 0.0 && config.shrinking >= 0.0);
    GLISSADE_ASSERT(config.ease_ns > 0 && config.window_ns > 0);
    GLISSADE_ASSERT(config.fixed_ns.value_or(0) >= 0);
    config_ = config;
    config_.quantile = std::clamp(config.quantile, 0.0, 1.0);
    config_.ease_ns = std::max<std::int64_t>(config.ease_ns, 1);
}

void Delay::add(const DelaySample& sample) noexcept {
    if (sample.tick_ns > kLongestTickNs || is_stall(sample)) {
        return;
    }
    started_ns_ = started_ns_.value_or(sample.arrival_ns);
    const std::int64_t oldest_ns = sample.arrival_ns - config_.window_ns;
    while (count_ > 0 && (count_ == kCapacity || needs_[first_].arrival_ns < oldest_ns)) {
        first_ = (first_ + 1) % kCapacity;
        --count_;
    }
    // A state that is early by more than its tick needs no delay at all.
    const double least = -static_cast<double>(sample.tick_ns);
    const std::int64_t late =
        std::llround(std::max(least, static_cast<double>(sample.lateness_ns) * sample.rate));
    needs_[(first_ + count_) % kCapacity] = {
        sample.arrival_ns, sample.lateness_ns,
        sample.tick_ns + (config_.deviations > 0.0 ? 0 : late)};
    ++count_;
    choose_target(sample);
}

bool Delay::is_stall(const DelaySample& sample) noexcept {
    if (sample.lateness_ns > std::max(kStallNs, kStallTicks * sample.tick_ns)) {
        stall_count_ += stalled_ns_ ? 0U : 1U;
        stalled_ns_ = stalled_ns_.value_or(sample.arrival_ns);
    } else if (sample.lateness_ns <= sample.tick_ns) {
        stalled_ns_.reset();
    }
    return stalled_ns_ && sample.arrival_ns - *stalled_ns_ < kLongestStallNs;
}

void Delay::choose_target(const DelaySample& sample) noexcept {
    auto need = static_cast<double>(quantile(config_.quantile, &Need::need_ns));
    need += config_.deviations * sample.deviation_ns * sample.rate;
    const auto tick = static_cast<double>(sample.tick_ns);
    if (sample.arrival_ns - *started_ns_ < kStartNs) {
        const auto latest = static_cast<double>(quantile(1.0, &Need::lateness_ns)) * sample.rate;
        need = tick + std::max(latest, static_cast<double>(kStartMarginNs));
    }
    target_ns_ = std::max(need, tick) + static_cast<double>(kMarginNs);
}

// Rounded down, so that a single value at the top never decides unless all are asked for.
std::int64_t Delay::quantile(double fraction, std::int64_t Need::*field) const noexcept {
    if (count_ == 0) {
        return 0;
    }
    std::array<std::int64_t, kCapacity> values; // NOLINT(*-member-init): only count_ are used.
    for (std::size_t i = 0; i < count_; ++i) {
        values[i] = needs_[(first_ + i) % kCapacity].*field;
    }
    const auto place = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(count_ - 1));
    std::nth_element(values.begin(), values.begin() + place,
                     values.begin() + static_cast<std::ptrdiff_t>(count_));
    return values[static_cast<std::size_t>(place)];
}

void Delay::advance_by(std::int64_t elapsed_ns, double rate) noexcept {
    if (count_ == 0) {
        return;
    }
    if (!shown_) {
        shown_ = true;
        delay_ns_ = target_ns_;
        return;
    }
    const double passed = std::max(0.0, static_cast<double>(elapsed_ns) * rate);
    const double missing = target_ns_ - delay_ns_;
    if (missing >= 0.0) {
        shrinking_ = false;
        const double eased = missing / static_cast<double>(config_.ease_ns);
        const double urgent =
            missing > kLargeNeedNs ? std::min(missing * 1e-9, kLargestGrowth) : 0.0;
        const double growth = std::max(std::min(config_.growth, eased), urgent);
        delay_ns_ += std::min(missing, passed * growth);
        return;
    }
    const double excess = -missing;
    shrinking_ = shrinking_ || excess > static_cast<double>(config_.dead_band_ns);
    if (shrinking_) {
        const double step =
            passed * std::min(config_.shrinking, std::max(excess, kDoneNs) / kShrinkingTimeNs);
        delay_ns_ -= std::min(excess, step);
        shrinking_ = excess > kDoneNs;
    }
}

std::int64_t Delay::delay_ns() const noexcept {
    return config_.fixed_ns ? *config_.fixed_ns : std::llround(delay_ns_);
}

std::int64_t Delay::target_ns() const noexcept {
    return config_.fixed_ns ? *config_.fixed_ns : std::llround(target_ns_);
}

std::int64_t Delay::lateness_quantile_ns(double fraction) const noexcept {
    return quantile(std::clamp(fraction, 0.0, 1.0), &Need::lateness_ns);
}

} // namespace glissade
