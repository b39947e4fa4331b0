// SPDX-License-Identifier: MIT
// How near is near enough: tolerances and comparisons that the tests of poses share.
#pragma once

#include "glissade/pose/quaternion.h"

#include <cmath>

#include <glm/ext/vector_double3.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {

/// The largest turn that rounding a unit quaternion to float can add: each part is off by at most
/// 2^-25 (half a last place below 1), the four together by 2^-24, and the angle is twice that.
inline constexpr double kFloatAngleRad = 1.2e-7;

[[nodiscard]] inline ::testing::AssertionResult is_near(const glm::dvec3& actual,
                                                        const glm::dvec3& expected,
                                                        double tolerance) {
    const double distance = glm::length(actual - expected);
    if (distance <= tolerance) {
        return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure()
           << "(" << actual.x << ", " << actual.y << ", " << actual.z << ") is " << distance
           << " away from (" << expected.x << ", " << expected.y << ", " << expected.z << ")";
}

/// Same rotation, whatever the signs of the quaternions.
[[nodiscard]] inline ::testing::AssertionResult is_near(const glm::quat& actual,
                                                        const glm::quat& expected,
                                                        double tolerance_rad) {
    const double angle_rad = compute_angle_rad(actual, expected);
    if (angle_rad <= tolerance_rad) {
        return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure()
           << "(x " << actual.x << ", y " << actual.y << ", z " << actual.z << ", w " << actual.w
           << ") is " << angle_rad << " rad away from (x " << expected.x << ", y " << expected.y
           << ", z " << expected.z << ", w " << expected.w << ")";
}

/// Unit within the 1e-6 that the library promises; false for NaN.
[[nodiscard]] inline bool is_unit(const glm::quat& rotation) {
    const glm::dvec3 part(rotation.x, rotation.y, rotation.z);
    const double w = rotation.w;
    return std::abs(std::sqrt(glm::dot(part, part) + w * w) - 1.0) <= 1e-6;
}

} // namespace glissade
