// SPDX-License-Identifier: MIT
// Rotation arithmetic in double precision, shared by the sources of this folder.
#pragma once

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/quaternion_float.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade::detail {

/// The double sibling of quat_xyzw().
[[nodiscard]] constexpr glm::dquat dquat_xyzw(double x, double y, double z, double w) noexcept {
    return {w, x, y, z};
}

/// The same direction with unit length; zero gives the identity. Squares of finite floats neither
/// overflow nor vanish in double, so every other finite quaternion is normalised properly.
[[nodiscard]] glm::dquat to_unit(const glm::quat& rotation) noexcept;

/// Normalises and rounds. Precondition: not zero.
[[nodiscard]] glm::quat to_float(const glm::dquat& rotation) noexcept;

/// exp() of half the vector: the rotation by |v| radians about its direction.
[[nodiscard]] glm::dquat exp_rotation(const glm::dvec3& rotation_vector) noexcept;

/// The rotation that takes unit `from` to unit `to`, of the two signs the one with w >= 0. At half
/// a turn (w = 0) both signs are equally short: the first part of x, y, z that is not 0 is positive
/// then, so that the choice depends on the rotations only and not on the signs they came with.
[[nodiscard]] glm::dquat compute_shorter(const glm::dquat& from, const glm::dquat& to) noexcept;

/// log() of a unit quaternion with w >= 0, as a rotation vector of at most half a turn.
[[nodiscard]] glm::dvec3 log_rotation(const glm::dquat& rotation) noexcept;

/// `rotation * vector` for a unit quaternion.
[[nodiscard]] glm::dvec3 rotate_unit(const glm::dquat& rotation, const glm::dvec3& vector) noexcept;

} // namespace glissade::detail
