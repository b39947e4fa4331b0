// SPDX-License-Identifier: MIT
// Velocity, gravity and friction of a body: jumps rise and land.
#pragma once

#include "glissade/remote/remote_tuning.h"
#include "glissade/remote/speeds.h"

#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// What a body stands on, or not.
struct Ground {
    bool walkable = true;             ///< It stands on ground that it can walk on.
    glm::dvec3 normal{0.0, 0.0, 1.0}; ///< Of that ground, unit.

    friend bool operator==(const Ground&, const Ground&) noexcept = default;
};

struct FlightState {
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0}; ///< Metres per second, world space.
};

/// `velocity`, or the vector of the same direction and the longest length allowed.
[[nodiscard]] glm::dvec3 clamp_velocity(const RemoteTuning& tuning,
                                        const glm::dvec3& velocity) noexcept;

/// Whether a velocity takes a body off its ground: a quarter of a metre per second away from it.
[[nodiscard]] bool leaves_ground(const Ground& ground, const glm::dvec3& velocity) noexcept;

/// One quantum: friction on walkable ground, the stop below the stop speed, then
/// position += v q + a q^2 / 2 if it moved at all, then v += a q. So a fall from rest moves only in
/// its second quantum. Pure.
[[nodiscard]] FlightState integrate_flight(const RemoteTuning& tuning, const FlightState& state,
                                           const glm::dvec3& acceleration, const Ground& ground,
                                           double quantum_s) noexcept;

struct Leap {
    glm::dvec3 body_velocity{0.0};  ///< Metres per second, body space.
    glm::dvec3 world_velocity{0.0}; ///< The same in the world.
    bool kept_velocity = false;     ///< There was nothing to leap with: the body keeps what it had.
};

/// The velocity with which a body leaves the ground: what its animation does, and upwards its
/// charged jump (0 for a remote body). Over a vector update that points up it must not be used: a
/// running remote would lose its rise. Pure.
[[nodiscard]] Leap compute_leap(const RemoteTuning& tuning, const MotionCommand& command,
                                const RunRate& rate, double jump_speed_m_s,
                                const glm::dvec3& velocity_before, double heading_deg) noexcept;

} // namespace glissade
