// SPDX-License-Identifier: MIT
// Between two poses: linear, Hermite, and on beyond the newest one.
#pragma once

#include "glissade/pose/pose.h"

#include <cstdint>

#include <glm/ext/quaternion_float.hpp>

namespace glissade {

// For all blends: `t` is the fraction of the way from `a` to `b`; outside [0, 1] it counts as the
// nearer end, and NaN as 0. Poses and velocities are ones that check() accepts; the result then
// passes check() too. Constant cost, no allocation, no state.

/// How an object gets from one tick's state to the next.
enum class Blend : std::uint8_t {
    Linear,  ///< Straight line, constant turn by the shorter arc. Needs nothing, fits nearly all.
    Hermite, ///< Follows the velocities given with each state: curves, any number of turns.
    Hold,    ///< Never blended: shows each state from its time until the next one.
    Extrapolate, ///< Carries the newest state on along its velocity: no delay, but it guesses.
    HermitePath, ///< Follows linear velocities, turns as Linear: where nobody knows the angular
                 ///< ones.
};

/// Angle between two rotations (radians) below which slerp_short() blends linearly and normalises.
/// Seen per unit of `t`, that turns too slowly by angle^2 / 24 at the ends and too fast by half as
/// much in the middle: less than 1e-7 of the speed at this angle.
inline constexpr double kNlerpAngleRad = 1.5e-3;

/// Rotation from `a` (t = 0) to `b` (t = 1) by the shorter arc with constant speed. Both ends come
/// back bit for bit, and so does `a` if both are the same rotation; in between the result has the
/// sign of `a` and unit length within 1e-6. The sign of `b` does not matter. Half a turn exactly:
/// one of the two ways, always the same. Quaternions off unit length count by their direction, zero
/// as the identity.
[[nodiscard]] glm::quat slerp_short(const glm::quat& a, const glm::quat& b, double t) noexcept;

/// Position and scale linearly, rotation by slerp_short(). 0 and 1 give the ends bit for bit. What
/// is computed relative to `a` in double precision never runs backwards: 1 mm a tick at 100 km is
/// smooth. A scale of which any part changes its sign does not pass through zero: all of it stays
/// at `a` until t = 1.
[[nodiscard]] Pose blend_linear(const Pose& a, const Pose& b, double t) noexcept;
/// The same in the plane. The angle goes on from `a` by the shorter way round and is not wrapped.
[[nodiscard]] Pose2 blend_linear(const Pose2& a, const Pose2& b, double t) noexcept;

/// One state of a moving body, as Hermite needs it.
struct Motion {
    Pose pose{};
    Velocity velocity{};

    friend bool operator==(const Motion&, const Motion&) noexcept = default;
};

/// Cubic through both states with their velocities over `duration_s`; scale as in blend_linear().
///
/// The rotation is unwrapped by the mean angular velocity, so 350 degrees or ten turns a tick go
/// forward. Where the velocities do not fit the way really made (a bounce, an impulse inside the
/// tick) a limiter takes the curve back toward the straight line: it keeps all of the curve under
/// constant acceleration and 4 s (1 - s) of it for an impulse at fraction s of the tick. A bounce
/// inside the tick is never drawn below its floor, and the drawn velocity leaves the span between
/// those before and after an impulse by at most 1.2 % of their difference.
///
/// Precondition: `duration_s` > 0, otherwise the blend is linear. Beyond 1e9 s it counts as 1e9 s.
[[nodiscard]] Pose blend_hermite(const Motion& a, const Motion& b, double duration_s,
                                 double t) noexcept;

/// The same for the position; rotation and scale as in blend_linear(), whatever the angular
/// velocities.
[[nodiscard]] Pose blend_hermite_path(const Motion& a, const Motion& b, double duration_s,
                                      double t) noexcept;

/// `state` carried on along its velocity for `elapsed_s`, at most `cap_s`. Scale is kept, and each
/// part of the position stops at kMaxPosition. Negative times and NaN count as 0, times beyond
/// 1e9 s as 1e9 s.
[[nodiscard]] Pose extrapolate(const Motion& state, double elapsed_s, double cap_s) noexcept;

} // namespace glissade
