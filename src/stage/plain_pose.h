// SPDX-License-Identifier: MIT
// What moves need not look at twice. In a header, because every move asks.
#pragma once

#include "glissade/pose/pose.h"

#include "stage/kernels.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace glissade {

using detail::word_at;

/// Needs no further work at the door: what check() accepts, of unit length, without a scale. Few
/// and cheap tests, because every move pays for them, and so a little stricter than store_plain();
/// what fails one of them goes the long way.
[[nodiscard]] inline bool is_plain(const Pose& pose) noexcept {
    const glm::dvec3& p = pose.position;
    const bool is_placed = std::abs(p.x) + std::abs(p.y) + std::abs(p.z) <= kMaxPosition;
    constexpr std::uint32_t kOne = 0x3F800000U; // 1.0F
    constexpr std::uint64_t kTwoOnes = std::uint64_t{kOne} << 32U | kOne;
    const bool is_unscaled = word_at<std::uint64_t>(&pose.scale, 0) == kTwoOnes &&
                             word_at<std::uint32_t>(&pose.scale, 8) == kOne;
    return is_placed && is_unit(pose.rotation) && is_unscaled;
}

/// Zero in every bit, which all that move without a velocity have.
[[nodiscard]] inline bool is_zero(const Velocity& velocity) noexcept {
    static_assert(sizeof velocity == 24);
    return (word_at<std::uint64_t>(&velocity, 0) | word_at<std::uint64_t>(&velocity, 8) |
            word_at<std::uint64_t>(&velocity, 16)) == 0;
}

template <class Vector, class Value>
[[nodiscard]] bool are_within(const Vector& vector, Value limit) noexcept {
    return std::abs(vector.x) <= limit && std::abs(vector.y) <= limit &&
           std::abs(vector.z) <= limit;
}

/// Needs no further work at the door, whatever its scale and velocity: what check() accepts, of
/// unit length.
[[nodiscard]] inline bool is_whole(const Pose& pose, const Velocity& velocity) noexcept {
    return is_unit(pose.rotation) && are_within(pose.position, kMaxPosition) &&
           are_within(pose.scale, kMaxScale) && are_within(velocity.linear, kMaxVelocity) &&
           are_within(velocity.angular, kMaxVelocity);
}

} // namespace glissade
