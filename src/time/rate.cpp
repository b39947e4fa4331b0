// SPDX-License-Identifier: MIT
#include "glissade/time/rate.h"

namespace glissade {

namespace {
constexpr std::int64_t kMaxPart = 1'000'000'000;
constexpr std::int64_t kMaxNumeratorPerDenominator = 1'000'000; // 1 microsecond.
constexpr std::int64_t kMaxDenominatorPerNumerator = 1000;      // 1000 seconds.
} // namespace

bool Rate::is_valid() const noexcept {
    return numerator >= 1 && numerator <= kMaxPart && denominator >= 1 && denominator <= kMaxPart &&
           numerator <= denominator * kMaxNumeratorPerDenominator &&
           denominator <= numerator * kMaxDenominatorPerNumerator;
}

double Rate::period_s() const noexcept {
    return is_valid() ? static_cast<double>(denominator) / static_cast<double>(numerator) : 0.0;
}

std::int64_t Rate::period_ns() const noexcept {
    return is_valid() ? denominator * kNanosecondsPerSecond / numerator : 0;
}

} // namespace glissade
