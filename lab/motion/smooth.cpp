// SPDX-License-Identifier: MIT
#include "lab/motion/smooth.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace glissade::lab {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kLineSpeed = 4.0;
constexpr Orbit kWideOrbit = {.centre = {0.0, 10.0, 0.0}, .radius_m = 2.0, .period_s = 3.0};
// Half a round takes three times as long as a shown time may be off, so no point is ambiguous.
constexpr Orbit kTightOrbit = {.centre = {6.0, 10.0, 0.0}, .radius_m = 0.5, .period_s = 1.5};

MovingObject make_orbiting(std::int64_t id, const Orbit& orbit) {
    return {.id = id, .parts = {.rotation = true}, .at = [orbit](std::int64_t time_ns) {
                return compute_orbit(to_seconds(time_ns), orbit);
            }};
}

MovingObject make_line(std::int64_t id) {
    return {.id = id, .at = [](std::int64_t time_ns) {
                return compute_line(to_seconds(time_ns), glm::dvec3(0.0), kLineSpeed);
            }};
}

MotionState compute_sine(double time_s) {
    constexpr double kAmplitudeM = 2.0;
    constexpr double kPeriodS = 3.0;
    const double phase = kTurn * time_s / kPeriodS;
    return {.position = {kAmplitudeM * std::sin(phase), 0.0, 0.0},
            .velocity = {kAmplitudeM * kTurn / kPeriodS * std::cos(phase), 0.0, 0.0}};
}

MotionState compute_wheel(double time_s) {
    constexpr double kSpeed = 350.0 / 360.0 * kTurn * 60.0; // 350 degrees a tick.
    const double half_angle = std::fmod(kSpeed * time_s, 2.0 * kTurn) / 2.0;
    return {.position = {0.0, 0.0, 1.0},
            .rotation = {std::cos(half_angle), 0.0, std::sin(half_angle), 0.0},
            .angular_velocity = {0.0, kSpeed, 0.0}};
}

// The camera is where the body was, so that both are functions of time and it still trails behind.
MotionState compute_camera(double time_s) {
    constexpr double kTrailS = 0.2;
    constexpr double kDistanceM = 5.0;
    constexpr double kHeightM = 2.0;
    MotionState state = compute_serpentine(time_s - kTrailS);
    const glm::dvec3 ahead = glm::normalize(state.velocity);
    const glm::dvec3 turn = glm::cross(state.angular_velocity, ahead);
    state.position += glm::dvec3(0.0, 0.0, kHeightM) - kDistanceM * ahead;
    state.velocity -= kDistanceM * turn;
    return state;
}

} // namespace

glm::dquat make_yaw(double angle_rad) {
    return {std::cos(angle_rad / 2.0), 0.0, 0.0, std::sin(angle_rad / 2.0)};
}

MotionState compute_line(double time_s, const glm::dvec3& offset, double speed) {
    const glm::dvec3 velocity(speed, 0.0, 0.0);
    return {.position = offset + velocity * time_s, .velocity = velocity};
}

MotionState compute_orbit(double time_s, const Orbit& orbit) {
    const double angular_speed = kTurn / orbit.period_s;
    const double angle = angular_speed * time_s;
    const glm::dvec3 outward(std::cos(angle), std::sin(angle), 0.0);
    const glm::dvec3 ahead(-outward.y, outward.x, 0.0);
    return {.position = orbit.centre + orbit.radius_m * outward,
            .velocity = orbit.radius_m * angular_speed * ahead,
            .rotation = make_yaw(angle + kTurn / 4.0),
            .angular_velocity = {0.0, 0.0, angular_speed}};
}

MotionState compute_serpentine(double time_s) {
    constexpr double kSpeedAhead = 3.0;
    constexpr double kAmplitudeM = 1.5;
    constexpr double kFrequency = kTurn / 4.0; // One weave in 4 s, radians per second.
    const double phase = kFrequency * time_s;
    const double speed_aside = kAmplitudeM * kFrequency * std::cos(phase);
    const double acceleration_aside = -kAmplitudeM * kFrequency * kFrequency * std::sin(phase);
    const double speed_squared = kSpeedAhead * kSpeedAhead + speed_aside * speed_aside;
    return {.position = {kSpeedAhead * time_s, kAmplitudeM * std::sin(phase), 0.0},
            .velocity = {kSpeedAhead, speed_aside, 0.0},
            .rotation = make_yaw(std::atan2(speed_aside, kSpeedAhead)),
            .angular_velocity = {0.0, 0.0, kSpeedAhead * acceleration_aside / speed_squared}};
}

std::vector<MovingObject> make_constant_speed(const Timeline& /*timeline*/,
                                              std::uint64_t /*seed*/) {
    const auto turn_in_place = [](std::int64_t time_ns) {
        return MotionState{.position = {0.0, 1.0, 0.0},
                           .rotation = make_yaw(to_seconds(time_ns)),
                           .angular_velocity = {0.0, 0.0, 1.0}};
    };
    return {make_line(1), {.id = 2, .parts = {.rotation = true}, .at = turn_in_place}};
}

std::vector<MovingObject> make_orbit(const Timeline& /*timeline*/, std::uint64_t /*seed*/) {
    return {make_orbiting(1, kWideOrbit), make_orbiting(2, kTightOrbit)};
}

std::vector<MovingObject> make_sine(const Timeline& /*timeline*/, std::uint64_t /*seed*/) {
    return {
        {.id = 1, .at = [](std::int64_t time_ns) { return compute_sine(to_seconds(time_ns)); }}};
}

std::vector<MovingObject> make_wheel(const Timeline& /*timeline*/, std::uint64_t /*seed*/) {
    return {{.id = 1, .parts = {.rotation = true}, .at = [](std::int64_t time_ns) {
                 return compute_wheel(to_seconds(time_ns));
             }}};
}

std::vector<MovingObject> make_followed_body(const Timeline& /*timeline*/, std::uint64_t /*seed*/) {
    const auto body = [](std::int64_t time_ns) { return compute_serpentine(to_seconds(time_ns)); };
    const auto camera = [](std::int64_t time_ns) { return compute_camera(to_seconds(time_ns)); };
    return {{.id = 1, .parts = {.rotation = true}, .at = body},
            {.id = 2, .parts = {.rotation = true, .camera = true}, .at = camera}};
}

std::vector<MovingObject> make_line_and_orbit(const Timeline& /*timeline*/,
                                              std::uint64_t /*seed*/) {
    return {make_line(1), make_orbiting(2, kWideOrbit)};
}

} // namespace glissade::lab
