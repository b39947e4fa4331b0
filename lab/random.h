// SPDX-License-Identifier: MIT
// Random numbers that are the same on every compiler: the standard's distributions are not.
#pragma once

#include <cstdint>

namespace glissade::lab {

/// splitmix64 (Steele, Lea, Flood 2014).
///
/// Draw each number in a statement of its own: compilers differ in the order of arguments.
class Random {
public:
    /// `stream` tells apart the series of one seed, so that none of them moves another.
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0) noexcept
        : state_(seed ^ (stream * 0xD1B54A32D192ED03U)) {
        // Seeds 1 and 2 begin alike otherwise.
        state_ = next();
    }

    std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

    /// Uniform in [low, high): multiples of 2^-53 of the width.
    double between(double low, double high) noexcept {
        return low + (high - low) * static_cast<double>(next() >> 11U) * 0x1p-53;
    }

    /// True with this probability.
    bool chance(double probability) noexcept { return between(0.0, 1.0) < probability; }

private:
    std::uint64_t state_;
};

} // namespace glissade::lab
