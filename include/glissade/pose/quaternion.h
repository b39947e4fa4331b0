// SPDX-License-Identifier: MIT
// Quaternions: the one place that knows GLM's argument order, and the library's rotation
// arithmetic.
#pragma once

#include <glm/ext/quaternion_float.hpp>
#include <glm/ext/vector_double3.hpp>
#include <glm/ext/vector_float3.hpp>

namespace glissade {

// All functions below accept quaternions that are off unit length (they use the direction) and of
// either sign, never return NaN for finite input, and treat the zero quaternion as the identity.

/// A quaternion from x, y, z, w. Use it instead of glm's constructor, which takes w first although
/// glm stores x, y, z, w: mixing the two up is the oldest bug of this field.
[[nodiscard]] constexpr glm::quat quat_xyzw(float x, float y, float z, float w) noexcept {
    return {w, x, y, z};
}

/// The rotation by |rotation_vector| radians about its direction. Any length, many turns included;
/// the zero vector gives the identity. Beyond 1e15 radians a double no longer tells angles apart:
/// the result is then some unit quaternion.
[[nodiscard]] glm::quat quat_from_rotation_vector(const glm::dvec3& rotation_vector) noexcept;

/// The shorter rotation (at most half a turn) that takes `from` to `to`, as a vector of radians in
/// the space in which both are given. Exactly half a turn: one of the two ways, always the same.
[[nodiscard]] glm::dvec3 compute_rotation_vector(const glm::quat& from,
                                                 const glm::quat& to) noexcept;

/// `rotation * vector` in double precision: the length of the vector is kept to 1e-15 of itself,
/// however coarsely the quaternion is normalised.
[[nodiscard]] glm::dvec3 rotate(const glm::quat& rotation, const glm::dvec3& vector) noexcept;

/// The unit quaternion of the same direction and sign. Precondition: not zero, all parts finite;
/// otherwise the identity.
[[nodiscard]] glm::quat normalised(const glm::quat& rotation) noexcept;

/// Angle of the rotation between two quaternions, radians in [0, pi].
[[nodiscard]] double compute_angle_rad(const glm::quat& from, const glm::quat& to) noexcept;

} // namespace glissade
