// SPDX-License-Identifier: MIT
// RapidCheck generators of poses and their parts. Values are drawn evenly from plain ranges: what
// shrinks is the grid point, toward the lower end of the range.
#pragma once

#include "glissade/pose/blend.h"

#include <glm/ext/vector_double3.hpp>
#include <glm/ext/vector_float3.hpp>
#include <rapidcheck.h>

namespace glissade {

/// A number in [low, high].
[[nodiscard]] inline double draw_number(double low, double high) {
    constexpr int kGridCount = 1 << 20;
    return low + (high - low) * *rc::gen::inRange(0, kGridCount + 1) / kGridCount;
}

/// A vector whose parts lie within +-limit.
[[nodiscard]] inline glm::dvec3 draw_vector(double limit) {
    const double x = draw_number(-limit, limit);
    const double y = draw_number(-limit, limit);
    const double z = draw_number(-limit, limit);
    return {x, y, z};
}

/// A unit quaternion of either sign.
[[nodiscard]] inline glm::quat draw_rotation() {
    const glm::quat rotation = quat_from_rotation_vector(draw_vector(4.0));
    return *rc::gen::arbitrary<bool>() ? rotation : -rotation;
}

/// A pose within 1000 m of the origin, mirrored and flat ones included.
[[nodiscard]] inline Pose draw_pose() {
    const glm::dvec3 position = draw_vector(1000.0);
    const glm::quat rotation = draw_rotation();
    return {position, rotation, glm::vec3(draw_vector(3.0))};
}

/// A pose with velocities of up to 100 m/s and 100 rad/s along each axis.
[[nodiscard]] inline Motion draw_motion() {
    const Pose pose = draw_pose();
    const glm::vec3 linear(draw_vector(100.0));
    return {pose, {linear, glm::vec3(draw_vector(100.0))}};
}

[[nodiscard]] inline Rigid draw_rigid() {
    const glm::dvec3 translation = draw_vector(1000.0);
    return {translation, draw_rotation()};
}

} // namespace glissade
