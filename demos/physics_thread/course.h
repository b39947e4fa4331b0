// SPDX-License-Identifier: MIT
// Where the character runs: a circle at constant speed, with a jump now and then.
#pragma once

#include "glissade/pose/pose.h"

#include <glm/ext/vector_double3.hpp>

namespace physics_thread {

inline constexpr double kCourseRadius = 8.0; ///< Metres.
inline constexpr double kCourseSpeed = 5.0;  ///< Metres per second along the circle.

/// The character after `time_s` of simulated time. A function of time alone, so that what is drawn
/// can be judged.
[[nodiscard]] glissade::Pose course_pose(double time_s) noexcept;

/// How far round the circle a place is, in (-pi, pi].
[[nodiscard]] double course_angle(const glm::dvec3& position) noexcept;

} // namespace physics_thread
