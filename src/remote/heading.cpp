// SPDX-License-Identifier: MIT
#include "glissade/remote/heading.h"

#include "glissade/pose/quaternion.h"

#include <cmath>
#include <numbers>

namespace glissade {

namespace {

constexpr double kFullTurn = 360.0;

double to_radians(double degrees) noexcept {
    return degrees * (std::numbers::pi / 180.0);
}

// Below this length (squared) a direction has no bearing.
constexpr double kNoDirection = 1e-12;

double bearing_of(double east, double north) noexcept {
    return normalise_heading(std::atan2(east, north) * (180.0 / std::numbers::pi));
}

} // namespace

double normalise_heading(double heading_deg) noexcept {
    const double folded = std::fmod(heading_deg, kFullTurn);
    const double positive = folded < 0.0 ? folded + kFullTurn : folded;
    // A tiny negative angle rounds up to a full turn.
    return positive >= kFullTurn ? 0.0 : positive;
}

double compute_turn_deg(double from_deg, double to_deg) noexcept {
    return normalise_heading(to_deg - from_deg);
}

double compute_bearing_deg(const glm::dvec3& from, const glm::dvec3& to,
                           double epsilon_m) noexcept {
    const double east = to.x - from.x;
    const double north = to.y - from.y;
    return std::hypot(east, north) < epsilon_m ? 0.0 : bearing_of(east, north);
}

glm::dvec3 to_world(double heading_deg, const glm::dvec3& body_vector) noexcept {
    const double sine = std::sin(to_radians(heading_deg));
    const double cosine = std::cos(to_radians(heading_deg));
    return {body_vector.x * cosine + body_vector.y * sine,
            body_vector.y * cosine - body_vector.x * sine, body_vector.z};
}

glm::dvec3 to_body(double heading_deg, const glm::dvec3& world_vector) noexcept {
    return to_world(-heading_deg, world_vector);
}

glm::quat heading_to_rotation(double heading_deg) noexcept {
    const double half = -0.5 * to_radians(heading_deg);
    return quat_xyzw(0.0F, 0.0F, static_cast<float>(std::sin(half)),
                     static_cast<float>(std::cos(half)));
}

double compute_heading_deg(const glm::quat& rotation) noexcept {
    const glm::dvec3 forward = rotate(rotation, {0.0, 1.0, 0.0});
    const bool level = forward.x * forward.x + forward.y * forward.y > kNoDirection;
    return level ? bearing_of(forward.x, forward.y) : 0.0;
}

} // namespace glissade
