// SPDX-License-Identifier: MIT
// How a move-to watches, follows and loses its target.
#include "glissade/remote/move_to.h"

#include "remote/walker.h"

#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

TEST(MoveTo, NothingMovesBeforeTheFirstTargetUpdate) {
    Walker walker{.body = {.target = target_at({0, 5, 0})}};
    walker.begin(object_order());
    EXPECT_EQ(walker.move.target(), kTarget);
    walker.body.target.reset(); // Known when it began, not seen since.
    for (int i = 0; i < 100; ++i) {
        const MoveToStep step = walker.step();
        ASSERT_EQ(step.command, MotionCommand{});
        ASSERT_EQ(step.end, MoveToEnd::None);
    }
    walker.body.target = target_at({0, 5, 0});
    EXPECT_EQ(walker.step().command.gait, Gait::WalkForward); // Told at once.
}

TEST(MoveTo, DistancesToAnObjectAreBetweenTheSurfaces) {
    Walker walker{.body = {.radius_m = 0.5, .target = target_at({0, 5, 0})}};
    walker.body.target->radius_m = 1.5;
    walker.begin(object_order());
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    EXPECT_GE(walker.body.position.y, 5.0 - 2.0 - 0.6);
    EXPECT_LE(walker.body.position.y, 5.0 - 2.0 - 0.6 + 3.12 * kQuantum);
}

TEST(MoveTo, HeightsCountForTargetsAboveAndBelow) {
    for (const double above_m : {2.4, -2.4}) { // 0.4 m above the head of the lower one: in range.
        Walker walker{.body = {.radius_m = 2.0, .height_m = above_m > 0.0 ? 2.0 : 0.0}};
        walker.body.target = target_at({0, 0, above_m});
        walker.body.target->radius_m = 2.0;
        walker.body.target->height_m = above_m > 0.0 ? 0.0 : 2.0;
        walker.begin(object_order());
        EXPECT_EQ(walker.step().end, MoveToEnd::Arrived);
    }
}

TEST(MoveTo, SticksToTheTargetWhenDoneAndAsked) {
    for (const bool sticky : {true, false}) {
        Walker walker{.body = {.target = target_at({0, 3, 0})}};
        walker.begin(object_order({.sticky = sticky}));
        const MoveToStep last = walker.run();
        EXPECT_EQ(last.end, MoveToEnd::Arrived);
        EXPECT_EQ(last.stick, sticky);
        EXPECT_FALSE(walker.move.target().has_value()); // Over: it needs to see nobody.
        EXPECT_EQ(walker.move.order().target, kTarget);
    }
}

TEST(MoveTo, WalksBelowTheThresholdAndGoesOnWalkingWhenTheTargetLeaves) {
    Walker walker{.body = {.target = target_at({0, 5, 0})}};
    MoveToOrder order = object_order({.speed = 2.0});
    order.run_rate = 3.0; // Does not matter to one that walks.
    walker.begin(order);
    EXPECT_EQ(walker.step().command,
              (MotionCommand{.gait = Gait::WalkForward, .forward_speed = 2.0}));
    walker.body.target = target_at({0, 60, 0});
    walker.run_while(Gait::WalkForward);
    EXPECT_FALSE(walker.move.running());
    EXPECT_GE(walker.body.position.y, 59.4);
}

TEST(MoveTo, TheGaitIsChosenWhenTheLegBeginsNotWhenItIsPlanned) {
    Walker walker{.body = {.target = target_at({10, 0, 0})}};
    walker.begin(object_order());
    walker.step();
    walker.body.target = target_at({50, 0, 0}); // Told while it turns.
    EXPECT_EQ(walker.run_while(Gait::Ready), 33);
    EXPECT_EQ(walker.command.gait, Gait::RunForward);
}

TEST(MoveTo, ALegThatIsNotNeededAnyMoreIsSkipped) {
    Walker walker{.body = {.target = target_at({10, 0, 0})}};
    walker.begin(object_order());
    walker.step();
    walker.body.target = target_at({0.5, 0, 0});
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    EXPECT_EQ(walker.body.position, glm::dvec3(0.0));
}

TEST(MoveTo, FollowsATargetByTurningWhileItMovesWithoutANewPlan) {
    Walker walker{.body = {.target = target_at({0, 10, 0})}};
    walker.begin(object_order());
    walker.step();
    walker.body.target = target_at({10, 10, 0});
    for (int i = 0; i < 15; ++i) {
        EXPECT_EQ(walker.step().command.turn_deg_s, 0.0); // Not told yet.
    }
    const MoveToStep told = walker.step();
    EXPECT_EQ(told.command, (MotionCommand{.gait = Gait::WalkForward, .turn_deg_s = 90.0}));
    while (walker.command.turn_deg_s != 0.0) {
        EXPECT_EQ(walker.command.gait, Gait::WalkForward);
        walker.step();
    }
    const glm::dvec3 left = glm::dvec3(10, 10, 0) - walker.body.position;
    const double error_deg =
        std::atan2(left.x, left.y) * 180.0 / std::numbers::pi - walker.body.heading_deg;
    EXPECT_LE(error_deg, 20.0);
    EXPECT_GT(error_deg, 20.0 - 2.0 * 90.0 * kQuantum); // The turn ends at the dead band.
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
    EXPECT_LE(glm::distance(walker.body.position, glm::dvec3(10, 10, 0)), 0.6);
}

TEST(MoveTo, ARunnersAuxiliaryTurnIsFasterAndGoesLeftToo) {
    Walker walker{.body = {.target = target_at({0, 30, 0})}};
    walker.begin(object_order({.speed = 2.0}));
    walker.step();
    walker.body.target = target_at({-30, 0, 0});
    for (int i = 0; i < 16; ++i) {
        walker.step();
    }
    EXPECT_EQ(walker.command.gait, Gait::RunForward);
    EXPECT_EQ(walker.command.turn_deg_s, -90.0 * 1.5 * 2.0);
}

TEST(MoveTo, PendingMotionsEndTheAuxiliaryTurnButNotTheMove) {
    Walker walker{.body = {.target = target_at({0, 10, 0})}};
    walker.begin(object_order());
    walker.step();
    walker.body.target = target_at({10, 0, 0});
    walker.step(0.5);
    EXPECT_EQ(walker.command.turn_deg_s, 90.0);
    walker.body.motions_pending = true;
    EXPECT_EQ(walker.step().command, (MotionCommand{.gait = Gait::WalkForward}));
}

TEST(MoveTo, ATargetUpdateForgivesTheLackOfProgress) {
    Walker walker{.body = {.target = target_at({0, 0.7, 0})}, .blocked = true};
    walker.begin(object_order());
    walker.step();
    walker.body.position.y = 0.11; // 0.59 m away, but 0.11 m in two seconds.
    EXPECT_EQ(walker.step(2.0).end, MoveToEnd::None);
    walker.body.position.x = 1.0;
    walker.body.target = target_at({1.0, 0.7, 0});
    EXPECT_EQ(walker.step(0.5).end, MoveToEnd::Arrived);
}

TEST(MoveTo, ALostTargetCancels) {
    Walker walker{.body = {.target = target_at({0, 10, 0})}};
    walker.begin(object_order({.sticky = true}));
    walker.step();
    walker.step();
    walker.body.target.reset();
    const MoveToStep last = walker.step();
    EXPECT_EQ(last.end, MoveToEnd::TargetLost);
    EXPECT_EQ(static_cast<int>(last.end), 0x37);
    EXPECT_EQ(last.command, MotionCommand{});
    EXPECT_FALSE(last.stick);
    EXPECT_FALSE(walker.move.running());
    EXPECT_EQ(walker.step().end, MoveToEnd::None); // Said once.
}

TEST(MoveTo, ATargetThatIsNeverSeenCancelsAfterTenSeconds) {
    Walker walker{.body = {.target = target_at({0, 10, 0})}};
    walker.begin(object_order());
    walker.body.target.reset();
    for (int i = 1; i < 320; ++i) {
        ASSERT_EQ(walker.step().end, MoveToEnd::None) << i;
    }
    const MoveToStep last = walker.step();
    EXPECT_EQ(last.end, MoveToEnd::NeverSeen);
    EXPECT_EQ(static_cast<int>(last.end), 0x38);
}

TEST(MoveTo, AnUnknownObjectFallsBackToItsPosition) {
    Walker walker;
    MoveToOrder order = object_order({.sticky = true});
    order.position = {0, 3, 0};
    walker.begin(order);
    EXPECT_EQ(walker.move.order().kind, MoveToKind::Position);
    EXPECT_FALSE(walker.move.target().has_value());
    const MoveToStep last = walker.run();
    EXPECT_EQ(last.end, MoveToEnd::Arrived);
    EXPECT_FALSE(last.stick);
    EXPECT_GE(walker.body.position.y, 2.4);
}

TEST(MoveTo, AnUnknownObjectToTurnToFallsBackToTheHeading) {
    Walker walker;
    walker.begin({.kind = MoveToKind::TurnToObject,
                  .target = kTarget,
                  .params = {.sticky = true, .desired_heading_deg = 30.0}});
    EXPECT_EQ(walker.move.order().kind, MoveToKind::TurnToHeading);
    const MoveToStep last = walker.run();
    EXPECT_EQ(last.end, MoveToEnd::Arrived);
    EXPECT_FALSE(last.stick);
    EXPECT_EQ(walker.body.heading_deg, 30.0);
}

TEST(MoveTo, ItselfAsTargetBeginsNothing) {
    for (const MoveToKind kind : {MoveToKind::Object, MoveToKind::TurnToObject}) {
        MoveTo move;
        const MoverState body{.target = target_at({0, 5, 0})};
        move.begin({}, {.kind = kind, .target = kTarget}, body, true);
        EXPECT_FALSE(move.running());
        EXPECT_FALSE(move.target().has_value());
    }
}

TEST(MoveTo, TurnToObjectIsNeverRetracked) {
    Walker walker{.body = {.target = target_at({5, 0, 0})}};
    walker.begin({.kind = MoveToKind::TurnToObject,
                  .target = kTarget,
                  .params = {.sticky = true, .desired_heading_deg = 50.0}});
    walker.step();
    walker.body.target = target_at({-5, 0, 0});
    const MoveToStep last = walker.run();
    EXPECT_EQ(last.end, MoveToEnd::Arrived);
    EXPECT_TRUE(last.stick);
    EXPECT_EQ(walker.body.heading_deg, 90.0);
}

TEST(MoveTo, TurnToObjectNeedsToSeeIt) {
    Walker walker{.body = {.target = target_at({5, 0, 0})}};
    walker.begin({.kind = MoveToKind::TurnToObject, .target = kTarget});
    EXPECT_EQ(walker.move.target(), kTarget);
    walker.step();
    walker.body.target.reset();
    EXPECT_EQ(walker.step().end, MoveToEnd::TargetLost);
}

TEST(MoveTo, AwayFromATargetThatFollowsStillArrives) {
    Walker walker{.body = {.heading_deg = 180.0, .target = target_at({0, 2, 0})}};
    walker.begin(object_order({.move_away = true, .move_towards = false, .min_distance_m = 6.0}));
    for (int i = 0; i < 128; ++i) {
        walker.step();
        walker.body.target->position.y -= 0.5 * kQuantum;
    }
    EXPECT_EQ(walker.run().end, MoveToEnd::Arrived);
}

TEST(MoveTo, InTheAirItStillLosesItsTarget) {
    Walker walker{.body = {.contact = false, .target = target_at({0, 20, 0})}};
    walker.begin(object_order());
    EXPECT_EQ(walker.step().command, MotionCommand{});
    walker.body.target.reset();
    EXPECT_EQ(walker.step().end, MoveToEnd::TargetLost);
}

TEST(MoveTo, ThePredictionIsTheTimeThatTheMoverStillNeeds) {
    Walker walker{.body = {.target = target_at({0, 40, 0}, {1, 0, 0})}};
    walker.begin(object_order());
    walker.step();
    EXPECT_EQ(walker.move.watch().prediction_s(), 0.0); // It stood.
    walker.step();
    const double needed_s = (40.0 - 4.0 * kQuantum) / 4.0;
    EXPECT_NEAR(walker.move.watch().prediction_s(), needed_s, kTolerance);
    for (int i = 0; i < 31; ++i) {
        walker.step();
        EXPECT_NEAR(walker.move.watch().prediction_s(), needed_s, kTolerance); // Within a second.
    }
    walker.step();
    walker.step();
    EXPECT_LT(walker.move.watch().prediction_s(), needed_s - 1.0);
}

TEST(MoveTo, SteersToWhereTheTargetIsNotToWhereItWillBe) {
    // It comes, fast: predicted, it is far behind the mover.
    Walker walker{.body = {.target = target_at({0, 20, 0}, {0, -8, 0})}};
    walker.begin(object_order());
    walker.step();
    for (int i = 0; i < 40 && walker.move.running(); ++i) {
        walker.body.target->position.y -= 8.0 * kQuantum;
        const MoveToStep step = walker.step();
        ASSERT_EQ(step.command.turn_deg_s, 0.0) << i;
    }
}

} // namespace
} // namespace glissade
