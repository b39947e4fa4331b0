// SPDX-License-Identifier: MIT
#include "course.h"

#include <algorithm>
#include <cmath>

namespace physics_thread {

namespace {

constexpr double kGravity = 9.81;
constexpr double kJumpSpeed = 3.0;
constexpr double kJumpEvery = 1.5;
constexpr double kHeight = 0.9; // Of the middle of the body.

double jump_height(double time_s) noexcept {
    const double since = std::fmod(time_s, kJumpEvery);
    return std::max(0.0, since * (kJumpSpeed - 0.5 * kGravity * since));
}

} // namespace

glissade::Pose course_pose(double time_s) noexcept {
    const double angle = time_s * kCourseSpeed / kCourseRadius;
    const auto half = static_cast<float>(-0.5 * angle); // It looks where it runs.
    return {.position = {kCourseRadius * std::cos(angle), kHeight + jump_height(time_s),
                         kCourseRadius * std::sin(angle)},
            .rotation = glissade::quat_xyzw(0.0F, std::sin(half), 0.0F, std::cos(half))};
}

double course_angle(const glm::dvec3& position) noexcept {
    return std::atan2(position.z, position.x);
}

} // namespace physics_thread
