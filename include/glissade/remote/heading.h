// SPDX-License-Identifier: MIT
// Compass headings: the one place that knows which way they turn.
#pragma once

#include <glm/ext/quaternion_float.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade {

// Degrees. 0 is +Y (north), clockwise seen from above, 90 is +X (east); +Z is up. In body space +Y
// is forward and +X right, so a heading is a rotation by *minus* itself about +Z:
// forward = (sin h, cos h, 0), right = (cos h, -sin h, 0). All functions are pure; what is not
// finite gives what is not finite.

/// The same direction in [0, 360).
[[nodiscard]] double normalise_heading(double heading_deg) noexcept;

/// How far to turn clockwise from one heading to another, in [0, 360).
[[nodiscard]] double compute_turn_deg(double from_deg, double to_deg) noexcept;

/// The heading from one point to another. 0 if they are less than `epsilon_m` apart in the plane.
[[nodiscard]] double compute_bearing_deg(const glm::dvec3& from, const glm::dvec3& to,
                                         double epsilon_m = 0.0002) noexcept;

/// A vector of body space in the world, and back.
[[nodiscard]] glm::dvec3 to_world(double heading_deg, const glm::dvec3& body_vector) noexcept;
[[nodiscard]] glm::dvec3 to_body(double heading_deg, const glm::dvec3& world_vector) noexcept;

/// The rotation of an upright body, and the heading of any body: that of its forward direction,
/// 0 if it points straight up or down.
[[nodiscard]] glm::quat heading_to_rotation(double heading_deg) noexcept;
[[nodiscard]] double compute_heading_deg(const glm::quat& rotation) noexcept;

} // namespace glissade
