// SPDX-License-Identifier: MIT
// Series of frame times for the tests of the clocks: the same on every platform.
#pragma once

#include "glissade/time/rate.h"

#include <cstdint>

namespace glissade::testing {

/// splitmix64 (Steele, Lea, Flood 2014): the standard's distributions differ between libraries.
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    /// Uniform in [low, high].
    std::int64_t between(std::int64_t low, std::int64_t high) noexcept {
        const auto width = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<std::int64_t>(next() % width);
    }

private:
    std::uint64_t state_;
};

/// When frame `index` of a display of this rate is shown, rounded down. `index` below 9e9 / parts.
inline std::int64_t frame_time_ns(Rate rate, std::int64_t index) noexcept {
    const std::int64_t periods = index / rate.numerator;
    const std::int64_t rest = index % rate.numerator;
    return periods * rate.denominator * kNanosecondsPerSecond +
           rest * rate.denominator * kNanosecondsPerSecond / rate.numerator;
}

} // namespace glissade::testing
