// SPDX-License-Identifier: MIT
#include "glissade/remote/move_to.h"

#include "remote/walker.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

TEST(MoveTo, WithoutAnOrderNothingHappens) {
    Walker walker;
    EXPECT_FALSE(walker.move.running());
    const MoveToStep step = walker.step();
    EXPECT_EQ(step.command, MotionCommand{});
    EXPECT_EQ(step.end, MoveToEnd::None);
    EXPECT_FALSE(step.heading_deg.has_value());
    EXPECT_FALSE(walker.move.target().has_value());
}

TEST(MoveTo, ToAPositionTurnsFirstExactlyThenWalksThenIsDone) {
    Walker walker;
    walker.begin(position_order({5, 0, 0}));
    EXPECT_FALSE(walker.move.target().has_value());
    EXPECT_EQ(walker.step().command, (MotionCommand{.turn_deg_s = 90.0}));
    MoveToStep step;
    int turning = 1;
    while (!step.heading_deg.has_value() && turning < 100) {
        EXPECT_EQ(walker.body.position, glm::dvec3(0.0));
        step = walker.step();
        ++turning;
    }
    // 90 degrees at 90 a second: being exactly on it does not count to the right.
    EXPECT_EQ(turning, 34);
    EXPECT_EQ(walker.body.heading_deg, 90.0);
    EXPECT_EQ(step.command, (MotionCommand{.gait = Gait::WalkForward})); // In the same call.
    const MoveToStep last = walker.run();
    EXPECT_EQ(last.end, MoveToEnd::Arrived);
    EXPECT_EQ(last.command, MotionCommand{});
    EXPECT_FALSE(last.stick);
    EXPECT_FALSE(walker.move.running());
    EXPECT_LE(walker.body.position.x, 4.4 + 3.12 * kQuantum); // At the first quantum within 0.6 m.
    EXPECT_GE(walker.body.position.x, 4.4);
}

TEST(MoveTo, TurnsLeftWhereThatIsShorterAndEndsOnTheHeading) {
    Walker walker;
    walker.begin(position_order({-5, 0, 0}));
    EXPECT_EQ(walker.step().command.turn_deg_s, -90.0);
    EXPECT_EQ(walker.run_while(Gait::Ready), 32); // Being exactly on it counts to the left.
    EXPECT_EQ(walker.body.heading_deg, 270.0);
}

TEST(MoveTo, ATurnThatIsNotNeededIsSkipped) {
    Walker walker;
    walker.begin(position_order({0, 5, 0}));
    EXPECT_EQ(walker.step().command.gait, Gait::WalkForward);
}

TEST(MoveTo, TheNextNodeBeginsFromTheExactHeadingInTheSameCall) {
    // Half a second turns by 45 degrees: from 45 it overshoots 60 by more than the dead band.
    const double bearing_rad = std::numbers::pi / 3.0;
    Walker walker;
    walker.begin(position_order({5.0 * std::sin(bearing_rad), 5.0 * std::cos(bearing_rad), 0}));
    walker.step(0.5);
    walker.step(0.5);
    const MoveToStep passed = walker.step(0.5);
    ASSERT_TRUE(passed.heading_deg.has_value());
    EXPECT_NEAR(*passed.heading_deg, 60.0, kTolerance);
    EXPECT_EQ(passed.command, (MotionCommand{.gait = Gait::WalkForward}));

    // The leg is not needed, and the final heading is the one just reached: all ends together.
    Walker there{.body = {.radius_m = 0.5}};
    there.begin(
        position_order({0.9, 0, 0}, {.use_final_heading = true, .desired_heading_deg = 90.0}));
    MoveToStep last;
    for (int i = 0; i < 100 && !last.heading_deg.has_value(); ++i) {
        last = there.step();
    }
    EXPECT_EQ(last.heading_deg, 90.0);
    EXPECT_EQ(last.end, MoveToEnd::Arrived);
}

TEST(MoveTo, TheFinalTurnChoosesItsOwnWay) {
    Walker walker;
    walker.begin(position_order({5, 0, 0}, {.use_final_heading = true, .desired_heading_deg = 45}));
    EXPECT_EQ(walker.step().command.turn_deg_s, 90.0);
    walker.run_while(Gait::Ready);
    walker.run_while(Gait::WalkForward);
    EXPECT_EQ(walker.command, (MotionCommand{.turn_deg_s = -90.0}));
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    EXPECT_EQ(walker.body.heading_deg, 45.0);
}

TEST(MoveTo, ANewOrderForgetsTheOneBefore) {
    Walker walker{.body = {.target = target_at({0, 20, 0})}};
    walker.begin(object_order({.can_charge = true, .sticky = true, .use_spheres = false}));
    walker.step();
    walker.step();
    EXPECT_EQ(walker.move.cancel(MoveToEnd::Replaced), MoveToEnd::Replaced);
    walker.begin(object_order());
    EXPECT_EQ(walker.move.watch().state(), WatchState::Waiting);
    EXPECT_EQ(walker.move.watch().prediction_s(), 0.0);
    walker.move.cancel(MoveToEnd::Replaced);
    walker.command = {};
    walker.body.heading_deg = 0.0;
    walker.begin(position_order(walker.body.position + glm::dvec3(5, 0, 0)));
    EXPECT_EQ(walker.step().command, (MotionCommand{.turn_deg_s = 90.0}));
    walker.run_while(Gait::Ready);
    EXPECT_EQ(walker.command.gait, Gait::WalkForward);
}

TEST(MoveTo, TheFinalHeadingOfAPositionIsTurnedToAtTheEnd) {
    Walker walker;
    walker.begin(position_order({0, 3, 0}, {.use_final_heading = true, .desired_heading_deg = 45}));
    const MoveToStep last = walker.run();
    EXPECT_EQ(last.end, MoveToEnd::Arrived);
    ASSERT_TRUE(last.heading_deg.has_value());
    EXPECT_EQ(walker.body.heading_deg, 45.0);
}

TEST(MoveTo, TheFinalHeadingOfAnObjectIsOnTopOfTheBearing) {
    Walker walker{.body = {.heading_deg = 90.0, .target = target_at({3, 0, 0})}};
    walker.begin(object_order({.use_final_heading = true, .desired_heading_deg = 45}));
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    EXPECT_NEAR(walker.body.heading_deg, 135.0, kTolerance);
}

TEST(MoveTo, APlanWithoutNodesEndsAtOnceEvenInTheAir) {
    for (const bool contact : {true, false}) {
        Walker walker{.body = {.contact = contact}};
        walker.begin(position_order({0, 0.5, 0}, {.sticky = true}));
        EXPECT_TRUE(walker.move.running());
        const MoveToStep step = walker.step();
        EXPECT_EQ(step.end, MoveToEnd::Arrived);
        EXPECT_FALSE(step.stick); // Nobody sticks to a position.
    }
}

TEST(MoveTo, TheFirstDistanceToAPositionIsPlainButTheLegSubtractsItsRadius) {
    // 0.9 m away it plans to go; 0.4 m from its skin it has no need to: turned, it is there.
    Walker walker{.body = {.radius_m = 0.5}};
    walker.begin(position_order({0.9, 0, 0}));
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    EXPECT_EQ(walker.body.position, glm::dvec3(0.0));
    EXPECT_EQ(walker.body.heading_deg, 90.0);

    Walker plain{.body = {.radius_m = 0.5}};
    plain.begin(position_order({0.9, 0, 0}, {.use_spheres = false}));
    EXPECT_EQ(plain.run().end, MoveToEnd::Arrived);
    EXPECT_GE(plain.body.position.x, 0.3);
}

TEST(MoveTo, TheGaitIsChosenOnceAndKept) {
    Walker walker;
    MoveToOrder order = position_order({0, 20, 0}, {.speed = 0.5});
    order.run_rate = 3.0;
    walker.begin(order);
    EXPECT_EQ(walker.step().command,
              (MotionCommand{.gait = Gait::RunForward, .forward_speed = 1.5}));
    walker.run_while(Gait::RunForward);
    EXPECT_FALSE(walker.move.running()); // It ran to the end, far below the threshold too.
}

TEST(MoveTo, AChargeRunsHoweverNear) {
    Walker walker;
    walker.begin(position_order({0, 2, 0}, {.can_charge = true}));
    EXPECT_EQ(walker.step().command.gait, Gait::RunForward);
}

TEST(MoveTo, ATurnWaitsForPendingMotionsToBeginButNotToGoOn) {
    Walker walker{.body = {.motions_pending = true}};
    walker.begin(position_order({5, 0, 0}));
    EXPECT_EQ(walker.step().command, MotionCommand{});
    EXPECT_EQ(walker.step().command, MotionCommand{});
    walker.body.motions_pending = false;
    EXPECT_EQ(walker.step().command.turn_deg_s, 90.0);
    walker.body.motions_pending = true; // The turn's own, perhaps.
    EXPECT_EQ(walker.step().command.turn_deg_s, 90.0);
}

TEST(MoveTo, BeyondTheFailDistanceFromItsStartItGivesUp) {
    Walker walker{.body = {.position = {0, 100, 0}}};
    walker.begin(position_order({0, 150, 0}, {.fail_distance_m = 10.0}));
    const MoveToStep last = walker.run();
    EXPECT_EQ(last.end, MoveToEnd::TooFar);
    EXPECT_EQ(static_cast<int>(last.end), 0x3D);
    EXPECT_EQ(last.command, MotionCommand{});
    EXPECT_GT(walker.body.position.y, 110.0);
    EXPECT_LE(walker.body.position.y, 110.0 + 4.0 * kQuantum);
}

TEST(MoveTo, WithoutProgressNothingIsTestedAndNothingCancelled) {
    Walker walker{.blocked = true};
    walker.begin(position_order({0, 10, 0}, {.fail_distance_m = 5.0}));
    for (int i = 0; i < 64; ++i) { // Two seconds against a wall.
        walker.step();
    }
    EXPECT_EQ(walker.command.gait, Gait::WalkForward);
    walker.body.position.y = -20.0; // Carried off: beyond the fail distance, but no progress.
    EXPECT_EQ(walker.step().end, MoveToEnd::None);
    EXPECT_EQ(walker.command.gait, Gait::WalkForward);
    walker.body.position.y = 7.0; // 3 m closer in two seconds: progress, and too far.
    EXPECT_EQ(walker.step().end, MoveToEnd::TooFar);
}

TEST(MoveTo, ASampleIsTakenEverySecondOfProgress) {
    Walker walker{.blocked = true};
    walker.begin(position_order({0, 20, 0}, {.can_run = false, .fail_distance_m = 5.0}));
    walker.step();
    walker.body.position.y = 4.0;
    walker.step(1.5);  // 4 m in 1.5 s: a new sample.
    walker.step(0.75); // A young sample: progress.
    walker.body.position.y = 5.5;
    EXPECT_EQ(walker.step(0.125).end, MoveToEnd::TooFar);

    Walker stalled{.blocked = true};
    stalled.begin(position_order({0, 20, 0}, {.can_run = false, .fail_distance_m = 5.0}));
    stalled.step();
    stalled.body.position.y = 4.0;
    stalled.step(1.5);
    stalled.body.position = {5.5, 4.0, 0}; // Beside: farther from the target than the sample.
    EXPECT_EQ(stalled.step(1.25).end, MoveToEnd::None);
}

TEST(MoveTo, CancellingSaysTheReasonOnlyIfItRan) {
    Walker walker;
    EXPECT_EQ(walker.move.cancel(MoveToEnd::Replaced), MoveToEnd::None);
    walker.begin(position_order({0, 5, 0}));
    EXPECT_EQ(walker.move.cancel(MoveToEnd::Replaced), MoveToEnd::Replaced);
    EXPECT_EQ(static_cast<int>(MoveToEnd::Replaced), 0x36);
    EXPECT_FALSE(walker.move.running());
    EXPECT_EQ(walker.step().command, MotionCommand{});
    EXPECT_EQ(walker.move.cancel(MoveToEnd::Teleported), MoveToEnd::None);
}

TEST(MoveTo, TurnToHeadingEndsExactlyOnItAndNeverMoves) {
    Walker walker;
    walker.begin({.kind = MoveToKind::TurnToHeading,
                  .params = {.sticky = true, .speed = 2.0, .desired_heading_deg = -77.7}});
    EXPECT_EQ(walker.step().command, (MotionCommand{.turn_deg_s = -180.0}));
    const MoveToStep last = walker.run();
    EXPECT_EQ(last.end, MoveToEnd::Arrived);
    EXPECT_FALSE(last.stick);
    EXPECT_NEAR(walker.body.heading_deg, 282.3, kTolerance);
    EXPECT_EQ(walker.body.position, glm::dvec3(0.0));
}

TEST(MoveTo, AwayTurnsToTheTargetThenRoundAndWalksUntilTheMinimum) {
    Walker walker{.body = {.target = target_at({0, 2, 0})}};
    walker.begin(object_order({.move_away = true, .move_towards = false, .min_distance_m = 6.0}));
    EXPECT_EQ(walker.step().command,
              (MotionCommand{.gait = Gait::WalkForward, .turn_deg_s = -90.0}));
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    const glm::dvec3 away = walker.body.position - glm::dvec3(0, 2, 0);
    EXPECT_GE(glm::length(away), 6.0);
    const double away_deg = std::atan2(away.x, away.y) * 180.0 / std::numbers::pi + 360.0;
    EXPECT_NEAR(walker.body.heading_deg, away_deg, 20.0); // The dead band.
}

TEST(MoveTo, TooCloseItWalksBackwardsFacingTheTarget) {
    Walker walker{.body = {.target = target_at({0, 0.5, 0})}};
    MoveToOrder order = object_order(
        {.can_charge = true, .move_away = true, .distance_to_object_m = 3, .min_distance_m = 2});
    order.run_rate = 1.5;
    walker.begin(order);
    EXPECT_EQ(walker.step().command,
              (MotionCommand{.gait = Gait::WalkBackwards, .forward_speed = 1.5}));
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    EXPECT_LE(walker.body.position.y, -1.5);
    EXPECT_EQ(walker.body.heading_deg, 0.0);
}

TEST(MoveTo, InTheAirItWaitsAndOnLandingATurnChoosesItsWayAnew) {
    Walker walker;
    walker.begin(position_order({5, 0, 0}));
    EXPECT_EQ(walker.step().command.turn_deg_s, 90.0);
    walker.body.contact = false;
    EXPECT_EQ(walker.step().command, MotionCommand{});
    walker.body.heading_deg = 200.0; // Spun in the air.
    EXPECT_EQ(walker.step().command, MotionCommand{});
    EXPECT_TRUE(walker.move.running());
    walker.body.contact = true;
    EXPECT_EQ(walker.step().command.turn_deg_s, -90.0);
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
}

TEST(MoveTo, OnLandingALegGoesOnAndMeasuresItsProgressAnew) {
    Walker walker{.body = {.target = target_at({0, 20, 0})}};
    walker.begin(object_order());
    walker.step(); // Runs.
    walker.body.contact = false;
    for (int i = 0; i < 96; ++i) { // Three seconds in the air, on the spot.
        EXPECT_EQ(walker.step().command, MotionCommand{});
    }
    walker.body.contact = true;
    walker.body.position.y = 14.0; // Below the threshold now; the gait stays.
    EXPECT_EQ(walker.step().command.gait, Gait::RunForward);
    walker.blocked = true;
    walker.step(1.0); // A young sample still: tested.
    walker.body.position.y = 19.5;
    EXPECT_EQ(walker.step(0.0).end, MoveToEnd::Arrived);

    Walker stalled;
    stalled.begin(position_order({0, 20, 0}, {.distance_to_object_m = 1.0}));
    stalled.step();
    stalled.body.contact = false;
    stalled.step();
    stalled.body.contact = true;
    stalled.body.position.y = 18.95; // Flew most of the way: that was not its own progress.
    stalled.blocked = true;
    stalled.step();
    stalled.body.position.y = 19.05;
    EXPECT_EQ(stalled.step(2.0).end, MoveToEnd::None);
}

TEST(MoveTo, OnLandingTheTimesOfItsProgressStartAnewToo) {
    Walker walker{.blocked = true};
    walker.begin(position_order({0, 3, 0}));
    walker.step();
    walker.body.position.y = 0.5;
    walker.step(0.75);
    walker.body.contact = false;
    walker.step();
    walker.body.contact = true;
    walker.step();
    walker.step(0.5); // 1.25 s on this leg, but half a second since it landed.
    walker.body.position.y = 2.5;
    walker.tuning.min_progress_m_s = 100.0; // Nothing but youth passes.
    EXPECT_EQ(walker.step(0.5).end, MoveToEnd::Arrived);

    Walker slow{.blocked = true};
    slow.begin(position_order({0, 3, 0}));
    slow.step();
    slow.step(8.0); // Stands still.
    slow.body.contact = false;
    slow.step();
    slow.body.contact = true;
    slow.body.position.y = 2.0;
    slow.step();
    slow.body.position.y = 2.5; // Half a metre in 1.25 s, but in 9 s on this leg.
    EXPECT_EQ(slow.step(1.25).end, MoveToEnd::Arrived);
}

TEST(MoveTo, EveryEndHasAName) {
    using enum MoveToEnd;
    for (const MoveToEnd end :
         {None, Arrived, Replaced, TargetLost, NeverSeen, Teleported, TooFar}) {
        EXPECT_STRNE(to_string(end), "unknown");
    }
    EXPECT_STREQ(to_string(MoveToEnd::TooFar), "too far");
    EXPECT_STREQ(to_string(static_cast<MoveToEnd>(99)), "unknown");
}

TEST(MoveTo, IsSmallEnoughForEveryEntityToHoldOne) {
    EXPECT_LE(sizeof(MoveTo), 352U);
}

} // namespace
} // namespace glissade
