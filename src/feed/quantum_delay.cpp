// SPDX-License-Identifier: MIT
#include "feed/quantum_delay.h"

#include <algorithm>

namespace glissade {

namespace {

constexpr std::int64_t kPeriodNs = 500'000'000;
constexpr std::int64_t kLongestFirstNs = 50'000'000;
constexpr std::int64_t kSlewDivisor = 25; // A rate within [0.96, 1.04].

} // namespace

void QuantumDelay::add(const Tick& tick) noexcept {
    if (delay_ns_ == 0) {
        // The first frame of a program is often a long one and says nothing about the others.
        delay_ns_ = std::min(tick.duration_ns, kLongestFirstNs);
        longest_ns_ = delay_ns_;
        period_begin_ns_ = tick.time_ns;
        return;
    }
    if (tick.time_ns - period_begin_ns_ >= kPeriodNs) {
        longest_before_ns_ = longest_ns_;
        longest_ns_ = 0;
        period_begin_ns_ = tick.time_ns;
    }
    longest_ns_ = std::max(longest_ns_, tick.duration_ns);
}

void QuantumDelay::advance(std::int64_t elapsed_ns) noexcept {
    const std::int64_t wanted_ns = std::max(longest_ns_, longest_before_ns_);
    const std::int64_t most_ns = elapsed_ns / kSlewDivisor;
    delay_ns_ += std::clamp(wanted_ns - delay_ns_, -most_ns, most_ns);
}

} // namespace glissade
