// SPDX-License-Identifier: MIT
#include "glissade/pose/quaternion.h"

#include "glissade/base/hooks.h"

#include "quaternion_double.h"

#include <cmath>

#include <glm/ext/quaternion_common.hpp>
#include <glm/geometric.hpp>

namespace glissade {

// GLM has configuration macros for its argument and storage orders; a build that sets one
// differently from what quat_xyzw() assumes stops here.
static_assert(quat_xyzw(1.0F, 2.0F, 3.0F, 4.0F).x == 1.0F);
static_assert(quat_xyzw(1.0F, 2.0F, 3.0F, 4.0F).y == 2.0F);
static_assert(quat_xyzw(1.0F, 2.0F, 3.0F, 4.0F).z == 3.0F);
static_assert(quat_xyzw(1.0F, 2.0F, 3.0F, 4.0F).w == 4.0F);

namespace detail {
namespace {

bool is_negative_half_turn(const glm::dquat& rotation) noexcept {
    if (rotation.x != 0.0) {
        return rotation.x < 0.0;
    }
    if (rotation.y != 0.0) {
        return rotation.y < 0.0;
    }
    return rotation.z < 0.0;
}

} // namespace

glm::dquat to_unit(const glm::quat& rotation) noexcept {
    const double x = rotation.x;
    const double y = rotation.y;
    const double z = rotation.z;
    const double w = rotation.w;
    const double length = std::sqrt(x * x + y * y + z * z + w * w);
    if (!(length > 0.0)) {
        return dquat_xyzw(0.0, 0.0, 0.0, 1.0);
    }
    return dquat_xyzw(x / length, y / length, z / length, w / length);
}

glm::quat to_float(const glm::dquat& rotation) noexcept {
    const double length = std::sqrt(rotation.x * rotation.x + rotation.y * rotation.y +
                                    rotation.z * rotation.z + rotation.w * rotation.w);
    return quat_xyzw(
        static_cast<float>(rotation.x / length), static_cast<float>(rotation.y / length),
        static_cast<float>(rotation.z / length), static_cast<float>(rotation.w / length));
}

glm::dquat exp_rotation(const glm::dvec3& rotation_vector) noexcept {
    const double angle_rad = std::hypot(rotation_vector.x, rotation_vector.y, rotation_vector.z);
    // A length that overflows has lost its angle long ago.
    if (!(angle_rad > 0.0) || !std::isfinite(angle_rad)) {
        return dquat_xyzw(0.0, 0.0, 0.0, 1.0);
    }
    const double half_rad = 0.5 * angle_rad;
    const glm::dvec3 part = (rotation_vector / angle_rad) * std::sin(half_rad);
    return dquat_xyzw(part.x, part.y, part.z, std::cos(half_rad));
}

glm::dquat compute_shorter(const glm::dquat& from, const glm::dquat& to) noexcept {
    const glm::dquat turn = to * glm::conjugate(from);
    const bool is_other_sign = turn.w < 0.0 || (turn.w == 0.0 && is_negative_half_turn(turn));
    return is_other_sign ? -turn : turn;
}

glm::dvec3 log_rotation(const glm::dquat& rotation) noexcept {
    const glm::dvec3 part(rotation.x, rotation.y, rotation.z);
    const double sine = glm::length(part);
    if (!(sine > 0.0)) {
        return glm::dvec3(0.0);
    }
    // atan2 keeps full precision at both ends, where acos(w) and asin(sine) each lose half of it.
    return part * (2.0 * std::atan2(sine, rotation.w) / sine);
}

glm::dvec3 rotate_unit(const glm::dquat& rotation, const glm::dvec3& vector) noexcept {
    const glm::dvec3 part(rotation.x, rotation.y, rotation.z);
    const glm::dvec3 twice = 2.0 * glm::cross(part, vector);
    return vector + rotation.w * twice + glm::cross(part, twice);
}

} // namespace detail

glm::quat quat_from_rotation_vector(const glm::dvec3& rotation_vector) noexcept {
    return detail::to_float(detail::exp_rotation(rotation_vector));
}

glm::dvec3 compute_rotation_vector(const glm::quat& from, const glm::quat& to) noexcept {
    return detail::log_rotation(
        detail::compute_shorter(detail::to_unit(from), detail::to_unit(to)));
}

glm::dvec3 rotate(const glm::quat& rotation, const glm::dvec3& vector) noexcept {
    return detail::rotate_unit(detail::to_unit(rotation), vector);
}

glm::quat normalised(const glm::quat& rotation) noexcept {
    const glm::dquat unit = detail::to_unit(rotation);
    const bool is_finite_and_not_zero = std::isfinite(unit.x + unit.y + unit.z + unit.w) &&
                                        rotation != quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F);
    GLISSADE_ASSERT(is_finite_and_not_zero);
    return is_finite_and_not_zero ? detail::to_float(unit) : quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F);
}

double compute_angle_rad(const glm::quat& from, const glm::quat& to) noexcept {
    return glm::length(compute_rotation_vector(from, to));
}

} // namespace glissade
