// SPDX-License-Identifier: MIT
#include "glissade/remote/flight.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

const RemoteTuning kTuning;
constexpr Ground kAir{.walkable = false};
constexpr glm::dvec3 kGravity{0.0, 0.0, -9.8};
// Sums and products of numbers up to 50.
constexpr double kExact = 1e-12;

void expect_near(const glm::dvec3& actual, const glm::dvec3& expected) {
    EXPECT_NEAR(actual.x, expected.x, kExact);
    EXPECT_NEAR(actual.y, expected.y, kExact);
    EXPECT_NEAR(actual.z, expected.z, kExact);
}

FlightState integrate(const glm::dvec3& velocity, const glm::dvec3& acceleration,
                      const Ground& ground) {
    return integrate_flight(kTuning, {.velocity = velocity}, acceleration, ground, 0.1);
}

TEST(Flight, VelocitiesAreClampedInTheirDirection) {
    EXPECT_EQ(clamp_velocity(kTuning, glm::dvec3(0.0)), glm::dvec3(0.0));
    EXPECT_EQ(clamp_velocity(kTuning, {30.0, 40.0, 0.0}), glm::dvec3(30.0, 40.0, 0.0));
    expect_near(clamp_velocity(kTuning, {60.0, 80.0, 0.0}), {30.0, 40.0, 0.0});
}

TEST(Flight, AQuarterMetrePerSecondLeavesTheGround) {
    EXPECT_TRUE(leaves_ground({}, {9.0, 0.0, 0.25}));
    EXPECT_FALSE(leaves_ground({}, {9.0, 0.0, 0.249}));
    EXPECT_FALSE(leaves_ground({}, {0.0, 0.0, -5.0}));
    EXPECT_TRUE(leaves_ground({.normal = {1.0, 0.0, 0.0}}, {0.25, 0.0, -9.0}));
}

TEST(Flight, AJumpMovesWithItsVelocityAndHalfOfItsAcceleration) {
    const FlightState next = integrate({0.0, 4.0, 7.0}, kGravity, kAir);
    expect_near(next.position, {0.0, 0.4, 0.651});
    expect_near(next.velocity, {0.0, 4.0, 6.02});
}

TEST(Flight, AFallFromRestMovesOnlyInItsSecondQuantum) {
    FlightState state = integrate(glm::dvec3(0.0), kGravity, kAir);
    expect_near(state.position, glm::dvec3(0.0));
    expect_near(state.velocity, {0.0, 0.0, -0.98});
    state = integrate_flight(kTuning, state, kGravity, kAir, 0.1);
    expect_near(state.position, {0.0, 0.0, -0.098 - 0.049});
}

TEST(Flight, AnArcRisesAndComesDownAgain) {
    FlightState state{.velocity = {0.0, 4.0, 7.0}};
    double highest = 0.0;
    int quantum_count = 0;
    for (; state.position.z >= 0.0 && quantum_count < 1000; ++quantum_count) {
        state = integrate_flight(kTuning, state, kGravity, kAir, 1.0 / 30.0);
        highest = std::max(highest, state.position.z);
    }
    // v^2 / 2g is 2.5 m after 0.714 s, and as long again to come down: 43 quanta. The steps are
    // exact for a parabola, but its top may lie between two of them: 9.8 / 8 / 30^2 m.
    EXPECT_NEAR(highest, 2.5, 0.0014);
    EXPECT_EQ(quantum_count, 43);
}

TEST(Flight, SlowBodiesStopBeforeTheyMove) {
    const FlightState slow = integrate({0.2, 0.0, 0.0}, glm::dvec3(0.0), kAir);
    EXPECT_EQ(slow.position, glm::dvec3(0.0));
    EXPECT_EQ(slow.velocity, glm::dvec3(0.0));
    // The square of the stop speed and epsilon make 0.2504 m/s.
    EXPECT_EQ(integrate({0.2503, 0.0, 0.0}, glm::dvec3(0.0), kAir).velocity, glm::dvec3(0.0));
    EXPECT_NEAR(integrate({0.2505, 0.0, 0.0}, glm::dvec3(0.0), kAir).position.x, 0.02505, kExact);
}

TEST(Flight, GroundBrakesAndTakesTheFall) {
    const FlightState next = integrate({0.0, 4.0, -7.0}, glm::dvec3(0.0), {});
    const double braked = 4.0 * std::pow(0.05, 0.1);
    expect_near(next.velocity, {0.0, braked, 0.0});
    expect_near(next.position, {0.0, braked * 0.1, 0.0});
}

TEST(Flight, WhatFrictionMakesTooSlowStillMovesOnce) {
    const double braked = 0.26 * std::pow(0.05, 0.1);
    ASSERT_LT(braked, kTuning.stop_speed_m_s);
    FlightState state = integrate({0.26, 0.0, 0.0}, glm::dvec3(0.0), {});
    expect_near(state.position, {braked * 0.1, 0.0, 0.0});
    state = integrate_flight(kTuning, state, glm::dvec3(0.0), {}, 0.1);
    expect_near(state.position, {braked * 0.1, 0.0, 0.0});
    EXPECT_EQ(state.velocity, glm::dvec3(0.0));
}

TEST(Flight, FrictionIsTheSameAtEveryRate) {
    FlightState coarse{.velocity = {0.0, 4.0, 0.0}};
    FlightState fine = coarse;
    coarse = integrate_flight(kTuning, coarse, glm::dvec3(0.0), {}, 0.1);
    for (int i = 0; i < 10; ++i) {
        fine = integrate_flight(kTuning, fine, glm::dvec3(0.0), {}, 0.01);
    }
    expect_near(fine.velocity, coarse.velocity);
}

TEST(Flight, WhatLeavesTheGroundIsNotBraked) {
    const FlightState next = integrate({4.0, 0.0, 1.0}, glm::dvec3(0.0), {});
    expect_near(next.velocity, {4.0, 0.0, 1.0});
    expect_near(next.position, {0.4, 0.0, 0.1});
}

TEST(Flight, TooFastIsClampedBeforeItMoves) {
    const FlightState next = integrate({0.0, 100.0, 0.0}, glm::dvec3(0.0), kAir);
    expect_near(next.position, {0.0, 5.0, 0.0});
    expect_near(next.velocity, {0.0, 50.0, 0.0});
}

TEST(Leap, IsTheStateVelocityWithTheChargedJump) {
    const Leap leap = compute_leap(kTuning, {.gait = Gait::RunForward, .forward_speed = 2.0},
                                   {.remembered = 2.0}, 9.0, {1.0, 1.0, 1.0}, 90.0);
    expect_near(leap.body_velocity, {0.0, 8.0, 9.0});
    expect_near(leap.world_velocity, {8.0, 0.0, 9.0});
    EXPECT_FALSE(leap.kept_velocity);
}

TEST(Leap, OfARunningRemoteLosesTheRise) {
    const Leap leap =
        compute_leap(kTuning, {.gait = Gait::RunForward}, {}, 0.0, {0.0, 4.0, 8.0}, 0.0);
    expect_near(leap.world_velocity, {0.0, 4.0, 0.0});
}

TEST(Leap, OfAStandingBodyKeepsTheVelocityItHad) {
    const Leap leap = compute_leap(kTuning, {}, {}, 0.00019, {2.0, 0.0, 8.0}, 90.0);
    EXPECT_TRUE(leap.kept_velocity);
    expect_near(leap.world_velocity, {2.0, 0.0, 8.0});
    expect_near(leap.body_velocity, {0.0, 2.0, 8.0});
    EXPECT_FALSE(compute_leap(kTuning, {}, {}, 0.0002, {2.0, 0.0, 8.0}, 90.0).kept_velocity);
}

} // namespace
} // namespace glissade
