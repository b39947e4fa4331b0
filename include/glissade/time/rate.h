// SPDX-License-Identifier: MIT
// Ticks per second as a fraction, so that 60 Hz and 29.97 Hz are exact.
#pragma once

#include <cstdint>

namespace glissade {

inline constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

/// A frequency as a fraction: {60, 1} or {30000, 1001}.
///
/// Valid: both parts in [1, 1e9], and a period between 1 microsecond and 1000 seconds. The periods
/// of an invalid rate are 0.
struct Rate {
    std::int64_t numerator = 60;
    std::int64_t denominator = 1;

    [[nodiscard]] bool is_valid() const noexcept;
    /// Length of one period, seconds.
    [[nodiscard]] double period_s() const noexcept;
    /// Length of one period in whole nanoseconds, rounded down.
    [[nodiscard]] std::int64_t period_ns() const noexcept;

    friend bool operator==(const Rate&, const Rate&) noexcept = default;
};

} // namespace glissade
