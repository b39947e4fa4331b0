// SPDX-License-Identifier: MIT
#include "glissade/remote/speeds.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

const RemoteTuning kTuning;
// Products of small numbers: a few units in the last place.
constexpr double kExact = 1e-12;

TEST(Speeds, TheSkillOfThePlayerGoesBeforeTheRememberedRate) {
    EXPECT_EQ(RunRate{}.value(), 1.0);
    EXPECT_EQ((RunRate{.remembered = 2.5}.value()), 2.5);
    EXPECT_EQ((RunRate{.skill = 3.0, .remembered = 2.5}.value()), 3.0);
}

TEST(Speeds, TheMaximumIsFourTimesTheRate) {
    EXPECT_EQ(compute_max_speed(kTuning, {}), 4.0);
    EXPECT_EQ(compute_max_speed(kTuning, {.remembered = 2.0}), 8.0);
    EXPECT_EQ(compute_max_speed(kTuning, {.remembered = 0.0}), 0.0);
}

TEST(Speeds, OnlyRunningForwardChangesTheAdjustedMaximum) {
    const RunRate rate{.remembered = 2.0};
    for (const Gait gait : {Gait::Ready, Gait::WalkForward, Gait::WalkBackwards}) {
        EXPECT_EQ(compute_adjusted_max_speed(
                      kTuning, {.gait = gait, .forward_speed = 0.1, .sidestep_speed = 1.0}, rate),
                  8.0);
    }
    EXPECT_EQ(
        compute_adjusted_max_speed(kTuning, {.gait = Gait::RunForward, .forward_speed = 1.5}, rate),
        6.0);
}

TEST(Speeds, AChaseIsTwiceAsFastOrTheFallback) {
    EXPECT_EQ(compute_chase_speed(kTuning, 4.0), 8.0);
    EXPECT_EQ(compute_chase_speed(kTuning, 10.0), 20.0);
    EXPECT_EQ(compute_chase_speed(kTuning, std::nullopt), 7.5);
    EXPECT_EQ(compute_chase_speed(kTuning, 0.0), 7.5);
    EXPECT_EQ(compute_chase_speed(kTuning, 0.00009), 7.5);
    EXPECT_EQ(compute_chase_speed(kTuning, 0.0001), 0.0002);
}

TEST(Speeds, StickingIsFiveTimesAsFastOrTheFallback) {
    EXPECT_EQ(compute_sticky_speed(kTuning, 4.0), 20.0);
    EXPECT_EQ(compute_sticky_speed(kTuning, std::nullopt), 15.0);
    EXPECT_EQ(compute_sticky_speed(kTuning, 0.00003), 15.0);
    EXPECT_NEAR(compute_sticky_speed(kTuning, 0.00005), 0.00025, kExact);
}

TEST(Speeds, EachGaitHasItsVelocityInBodySpace) {
    const auto velocity_y = [](Gait gait) {
        return compute_state_velocity(kTuning, {.gait = gait, .forward_speed = 2.0},
                                      {.remembered = 4.0})
            .y;
    };
    EXPECT_EQ(velocity_y(Gait::Ready), 0.0);
    EXPECT_NEAR(velocity_y(Gait::WalkForward), 6.24, kExact);
    EXPECT_NEAR(velocity_y(Gait::WalkBackwards), -4.056, kExact);
    EXPECT_NEAR(velocity_y(Gait::RunForward), 8.0, kExact);
}

TEST(Speeds, SidestepsAreLimitedOnlyWhenRunning) {
    const auto velocity_x = [](Gait gait, double sidestep) {
        return compute_state_velocity(
                   kTuning, {.gait = gait, .forward_speed = 0.0, .sidestep_speed = sidestep},
                   {.remembered = 4.0})
            .x;
    };
    EXPECT_NEAR(velocity_x(Gait::Ready, 5.0), 6.25, kExact);
    EXPECT_NEAR(velocity_x(Gait::RunForward, 5.0), 3.75, kExact);
    EXPECT_NEAR(velocity_x(Gait::RunForward, -5.0), -3.75, kExact);
    EXPECT_NEAR(velocity_x(Gait::RunForward, 3.0), 3.75, kExact);
}

TEST(Speeds, TheStateVelocityIsNeverFasterThanTheMaximum) {
    const glm::dvec3 velocity = compute_state_velocity(
        kTuning, {.gait = Gait::RunForward, .forward_speed = 2.0, .sidestep_speed = 3.0},
        {.remembered = 2.0});
    EXPECT_NEAR(glm::length(velocity), 8.0, kExact);
    EXPECT_NEAR(velocity.x / velocity.y, 3.75 / 8.0, kExact);
    EXPECT_EQ(velocity.z, 0.0);
    EXPECT_EQ(compute_state_velocity(kTuning, {.gait = Gait::RunForward}, {.remembered = 0.0}),
              glm::dvec3(0.0));
}

} // namespace
} // namespace glissade
