// SPDX-License-Identifier: MIT
#include "glissade/remote/flight.h"

#include "glissade/remote/heading.h"

#include <cmath>

#include <glm/geometric.hpp>

namespace glissade {

namespace {

constexpr double kLeavingSpeed = 0.25;

glm::dvec3 brake(const RemoteTuning& tuning, const glm::dvec3& velocity, const Ground& ground,
                 double quantum_s) noexcept {
    if (!ground.walkable || leaves_ground(ground, velocity)) {
        return velocity;
    }
    return (velocity - ground.normal * glm::dot(velocity, ground.normal)) *
           std::pow(1.0 - tuning.friction, quantum_s);
}

bool is_small(const glm::dvec3& vector, double limit) noexcept {
    return std::abs(vector.x) < limit && std::abs(vector.y) < limit && std::abs(vector.z) < limit;
}

} // namespace

glm::dvec3 clamp_velocity(const RemoteTuning& tuning, const glm::dvec3& velocity) noexcept {
    const double speed = glm::length(velocity);
    return speed > tuning.max_velocity_m_s ? velocity * (tuning.max_velocity_m_s / speed)
                                           : velocity;
}

bool leaves_ground(const Ground& ground, const glm::dvec3& velocity) noexcept {
    return glm::dot(velocity, ground.normal) >= kLeavingSpeed;
}

FlightState integrate_flight(const RemoteTuning& tuning, const FlightState& state,
                             const glm::dvec3& acceleration, const Ground& ground,
                             double quantum_s) noexcept {
    FlightState next = state;
    if (state.velocity != glm::dvec3(0.0)) {
        const glm::dvec3 clamped = clamp_velocity(tuning, state.velocity);
        next.velocity = brake(tuning, clamped, ground, quantum_s);
        // Judged before the friction: a body that friction has just slowed down still moves once.
        const double stop = tuning.stop_speed_m_s * tuning.stop_speed_m_s + tuning.epsilon;
        if (glm::dot(clamped, clamped) < stop) {
            next.velocity = glm::dvec3(0.0);
        }
        next.position += next.velocity * quantum_s + acceleration * (0.5 * quantum_s * quantum_s);
    }
    next.velocity += acceleration * quantum_s;
    return next;
}

Leap compute_leap(const RemoteTuning& tuning, const MotionCommand& command, const RunRate& rate,
                  double jump_speed_m_s, const glm::dvec3& velocity_before,
                  double heading_deg) noexcept {
    glm::dvec3 body_velocity = compute_state_velocity(tuning, command, rate);
    body_velocity.z = jump_speed_m_s;
    if (is_small(body_velocity, tuning.epsilon)) {
        return {to_body(heading_deg, velocity_before), velocity_before, true};
    }
    return {body_velocity, to_world(heading_deg, body_velocity), false};
}

} // namespace glissade
