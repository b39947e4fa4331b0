// SPDX-License-Identifier: MIT
// Where an object is: position, rotation, scale; its 2D sibling; and what may enter the library.
#pragma once

#include "glissade/pose/quaternion.h"

#include <cstdint>

#include <glm/ext/vector_double2.hpp>
#include <glm/ext/vector_double3.hpp>
#include <glm/ext/vector_float2.hpp>
#include <glm/ext/vector_float3.hpp>

namespace glissade {

inline constexpr double kMaxPosition = 1e12; ///< Metres. A double resolves 0.1 mm there.
inline constexpr float kMaxScale = 1e9F;
inline constexpr float kMaxVelocity = 1e9F; ///< Metres or radians per second.

/// Position, rotation and scale of an object in the space of its parent (or of the world).
struct Pose {
    /// Metres. Each part within +-kMaxPosition.
    glm::dvec3 position{0.0};
    /// Unit; use quat_xyzw() to build one from parts.
    glm::quat rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F);
    /// Each part within +-kMaxScale; may be 0 or negative.
    glm::vec3 scale{1.0F};

    friend bool operator==(const Pose&, const Pose&) noexcept = default;
};

/// The pose of a flat world. Goes through a stage as a Pose by to_pose(); its angle then takes the
/// shorter way round, so +179 to -179 degrees moves by 2.
struct Pose2 {
    glm::dvec2 position{0.0}; ///< Metres. Each part within +-kMaxPosition.
    float angle_rad = 0.0F;   ///< Counter-clockwise; any finite value, wraps at full turns.
    glm::vec2 scale{1.0F};    ///< Each part within +-kMaxScale; may be 0 or negative.

    friend bool operator==(const Pose2&, const Pose2&) noexcept = default;
};

/// A rotation about the origin followed by a displacement: what a portal or a lift does to an
/// object.
struct Rigid {
    glm::dvec3 translation{0.0}; ///< Metres. Each part within +-kMaxPosition.
    glm::quat rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F); ///< Unit.

    friend bool operator==(const Rigid&, const Rigid&) noexcept = default;
};

/// Linear and angular velocity in the space of the pose they belong to.
struct Velocity {
    /// Metres per second. Each part within +-kMaxVelocity.
    glm::vec3 linear{0.0F};
    /// Radians per second about the vector's direction; may be many turns a tick. Each part within
    /// +-kMaxVelocity.
    glm::vec3 angular{0.0F};

    friend bool operator==(const Velocity&, const Velocity&) noexcept = default;
};

/// Why a pose, velocity or transform is refused.
enum class PoseStatus : std::uint8_t {
    Ok,
    BadPosition,  ///< NaN, infinite, or beyond kMaxPosition.
    BadRotation,  ///< NaN, infinite, or more than 1 % off unit length: not a rotation.
    ZeroRotation, ///< All four parts zero: memory that nobody wrote yet.
    BadScale,     ///< NaN, infinite, or beyond kMaxScale.
    BadVelocity,  ///< NaN, infinite, or beyond kMaxVelocity.
};

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(PoseStatus status) noexcept;

/// Whether a value may enter the library; of several faults the first in the order of the fields.
/// Constant cost, no side effects.
[[nodiscard]] PoseStatus check(const Pose& pose) noexcept;
[[nodiscard]] PoseStatus check(const Velocity& velocity) noexcept;
[[nodiscard]] PoseStatus check(const Rigid& rigid) noexcept;

/// The same place in the plane z = 0, turned about +Z, with a scale of 1 along Z.
[[nodiscard]] Pose to_pose(const Pose2& pose) noexcept;
/// The flat part of a pose: the angle is the rotation about +Z, in (-pi, pi].
[[nodiscard]] Pose2 to_pose2(const Pose& pose) noexcept;

/// `rigid` applied to a point, to a pose (scale is kept) or to velocities (turned, not moved).
/// A rotation that is exactly the identity changes no bit of what it turns.
[[nodiscard]] glm::dvec3 apply(const Rigid& rigid, const glm::dvec3& point) noexcept;
[[nodiscard]] Pose apply(const Rigid& rigid, const Pose& pose) noexcept;
[[nodiscard]] Velocity apply(const Rigid& rigid, const Velocity& velocity) noexcept;
/// The one transform that does what `inner` and then `outer` do.
[[nodiscard]] Rigid compose(const Rigid& outer, const Rigid& inner) noexcept;
/// The transform that undoes `rigid`.
[[nodiscard]] Rigid inverse(const Rigid& rigid) noexcept;

} // namespace glissade
