// SPDX-License-Identifier: MIT
#include "glissade/remote/move_to_rules.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

const RemoteTuning kTuning;
constexpr double kFloatUnlimited = std::numeric_limits<float>::max(); // What the wire says.
// Sines and square roots of the platform: a few units in the last place of numbers below 1000.
constexpr double kTolerance = 1e-9;

Cylinder cylinder(const glm::dvec3& position, double radius_m, double height_m) {
    return {.position = position, .radius_m = radius_m, .height_m = height_m};
}

TEST(CylinderDistance, BesideItIsTheLevelGap) {
    EXPECT_NEAR(compute_cylinder_distance(cylinder({0, 0, 0}, 0.5, 2), cylinder({0, 5, 0}, 0.5, 2)),
                4.0, kTolerance);
}

TEST(CylinderDistance, AboveAndApartItIsTheDiagonal) {
    // Centres 5 apart, radii 1 together; 4.4 - 2.4 above.
    const double distance_m =
        compute_cylinder_distance(cylinder({0, 3, 5.4}, 0.4, 1.8), cylinder({0, 0, 1.0}, 0.6, 2.4));
    EXPECT_NEAR(distance_m, std::hypot(2.0, std::sqrt(9.0 + 4.4 * 4.4) - 1.0), kTolerance);
}

TEST(CylinderDistance, AboveWithOverlappingRadiiItIsTheHeightBetween) {
    EXPECT_NEAR(
        compute_cylinder_distance(cylinder({0, 0, 0}, 1.5, 2), cylinder({0, 0, 2.4}, 1.0, 2)), 0.4,
        kTolerance);
}

TEST(CylinderDistance, OverlapIsNegative) {
    EXPECT_NEAR(
        compute_cylinder_distance(cylinder({0, 0, 0}, 0.5, 2), cylinder({0, 0.6, 0}, 0.5, 2)),
        -std::hypot(2.0, 0.4), kTolerance);
}

TEST(CylinderDistance, TheHeightOfTheLowerOneCountsAndTheSecondIsUpperWhenLevel) {
    const Cylinder low = cylinder({0.3, 0.4, 0}, 0.5, 1.0);
    const Cylinder tall = cylinder({0, 0, 0}, 0.5, 2.5);
    EXPECT_NEAR(compute_cylinder_distance(low, tall), -std::hypot(1.0, 0.5), kTolerance);
    EXPECT_NEAR(compute_cylinder_distance(tall, low), -std::hypot(2.5, 0.5), kTolerance);
}

TEST(MoveToParams, TheDefaultFlagsAreTheDefaults) {
    EXPECT_EQ(make_move_to_params(kDefaultMoveToFlags), MoveToParams{});
}

TEST(MoveToParams, EachFlagSetsItsOwnField) {
    MoveToParams none{.can_walk = false,
                      .can_run = false,
                      .can_sidestep = false,
                      .can_walk_backwards = false,
                      .move_towards = false,
                      .use_spheres = false};
    EXPECT_EQ(make_move_to_params(0), none);
    EXPECT_EQ(make_move_to_params(0xFFFFF820), none); // 0x20 and the higher bits do not matter.
    struct Row {
        std::uint32_t bit;
        bool MoveToParams::*field;
    };
    for (const Row& row :
         {Row{0x1, &MoveToParams::can_walk}, Row{0x2, &MoveToParams::can_run},
          Row{0x4, &MoveToParams::can_sidestep}, Row{0x8, &MoveToParams::can_walk_backwards},
          Row{0x10, &MoveToParams::can_charge}, Row{0x40, &MoveToParams::use_final_heading},
          Row{0x80, &MoveToParams::sticky}, Row{0x100, &MoveToParams::move_away},
          Row{0x200, &MoveToParams::move_towards}, Row{0x400, &MoveToParams::use_spheres}}) {
        MoveToParams one = none;
        one.*row.field = true;
        EXPECT_EQ(make_move_to_params(row.bit), one) << row.bit;
    }
}

TEST(ChooseLeg, TowardsWalksForwardUntilTheDistance) {
    EXPECT_EQ(choose_leg(kTuning, {}, 0.7).command, MoveCommand::WalkForward);
    EXPECT_FALSE(choose_leg(kTuning, {}, 0.7).moving_away);
    EXPECT_EQ(choose_leg(kTuning, {}, 0.6).command, MoveCommand::None);
    EXPECT_EQ(choose_leg(kTuning, {.move_towards = false}, 0.7).command, MoveCommand::WalkForward);
}

TEST(ChooseLeg, AwayWalksForwardUntilTheMinimum) {
    const MoveToParams params{.move_away = true, .move_towards = false, .min_distance_m = 5.0};
    EXPECT_EQ(choose_leg(kTuning, params, 4.9).command, MoveCommand::WalkForward);
    EXPECT_TRUE(choose_leg(kTuning, params, 4.9).moving_away);
    EXPECT_EQ(choose_leg(kTuning, params, 5.0).command, MoveCommand::None);
    EXPECT_FALSE(choose_leg(kTuning, params, 5.0).moving_away);
}

TEST(ChooseLeg, TowardsAndAwayStaysInTheBandAndBacksOutBelowIt) {
    const MoveToParams params{.move_away = true, .min_distance_m = 0.3};
    EXPECT_EQ(choose_leg(kTuning, params, 0.7).command, MoveCommand::WalkForward);
    EXPECT_FALSE(choose_leg(kTuning, params, 0.7).moving_away);
    EXPECT_EQ(choose_leg(kTuning, params, 0.4).command, MoveCommand::None);
    EXPECT_EQ(choose_leg(kTuning, params, 0.3001).command, MoveCommand::WalkBackwards);
    EXPECT_EQ(choose_leg(kTuning, params, 0.3003).command, MoveCommand::None);
    EXPECT_TRUE(choose_leg(kTuning, params, 0.2).moving_away);
}

TEST(ChooseLeg, RunsIfMoreThanTheThresholdIsLeft) {
    EXPECT_TRUE(choose_leg(kTuning, {}, 15.7).run);
    EXPECT_FALSE(choose_leg(kTuning, {}, 15.5).run);
    EXPECT_FALSE(choose_leg(kTuning, {.can_run = false}, 100.0).run);
    EXPECT_TRUE(choose_leg(kTuning, {.can_walk = false}, 1.0).run);
    EXPECT_FALSE(choose_leg(kTuning, {.can_walk = false, .can_run = false}, 100.0).run);
}

TEST(ChooseLeg, AChargeRunsWhateverTheDistanceAndTheCommand) {
    EXPECT_TRUE(choose_leg(kTuning, {.can_run = false, .can_charge = true}, 2.0).run);
    const LegChoice there = choose_leg(kTuning, {.can_charge = true}, 0.1);
    EXPECT_EQ(there.command, MoveCommand::None);
    EXPECT_TRUE(there.run);
}

TEST(ChooseLeg, UnlimitedDistancesAreNumbersToo) {
    for (const double unlimited : {kUnlimited, kFloatUnlimited}) {
        EXPECT_TRUE(choose_leg(kTuning, {}, unlimited).run);
        const MoveToParams everywhere{.distance_to_object_m = unlimited,
                                      .walk_run_threshold_m = -1.0};
        EXPECT_EQ(choose_leg(kTuning, everywhere, unlimited).command, MoveCommand::None);
        EXPECT_TRUE(choose_leg(kTuning, everywhere, unlimited).run); // 0 is more than -1.
    }
}

TEST(MoveToPlan, ALegIsATurnToTheBearingAndAMove) {
    const MoveToPlan plan = make_move_to_plan(
        kTuning, {}, {.to_object = true, .target_position = {5, 0, 0}, .distance_m = 5.0});
    ASSERT_EQ(plan.size, 2U);
    EXPECT_TRUE(plan.nodes[0].is_turn);
    EXPECT_NEAR(plan.nodes[0].heading_deg, 90.0, kTolerance);
    EXPECT_FALSE(plan.nodes[1].is_turn);
    EXPECT_FALSE(plan.sticks_when_done);
}

TEST(MoveToPlan, TheFirstTurnIsToTheBearingAlsoWhenMovingAway) {
    const MoveToPlan plan =
        make_move_to_plan(kTuning, {.move_away = true, .move_towards = false, .min_distance_m = 8},
                          {.target_position = {5, 0, 0}, .distance_m = 5.0});
    ASSERT_EQ(plan.size, 2U);
    EXPECT_NEAR(plan.nodes[0].heading_deg, 90.0, kTolerance);
}

TEST(MoveToPlan, TheFinalHeadingOfAnObjectIsOnTopOfTheBearing) {
    const MoveToParams params{.use_final_heading = true, .desired_heading_deg = 100.0};
    const PlanQuery query{.to_object = true, .target_position = {-5, 0, 0}, .distance_m = 5.0};
    const MoveToPlan plan = make_move_to_plan(kTuning, params, query);
    ASSERT_EQ(plan.size, 3U);
    EXPECT_TRUE(plan.nodes[2].is_turn);
    EXPECT_NEAR(plan.nodes[2].heading_deg, 10.0, kTolerance); // 270 + 100 - 360.
}

TEST(MoveToPlan, TheFinalHeadingOfAPositionStandsAlone) {
    const MoveToParams params{.use_final_heading = true, .desired_heading_deg = -100.0};
    const MoveToPlan plan =
        make_move_to_plan(kTuning, params, {.target_position = {-5, 0, 0}, .distance_m = 0.1});
    ASSERT_EQ(plan.size, 1U);
    EXPECT_NEAR(plan.nodes[0].heading_deg, 260.0, kTolerance);
}

TEST(MoveToPlan, InRangeThereIsNothingToDoButToStickToObjects) {
    const MoveToParams params{.sticky = true};
    const MoveToPlan object =
        make_move_to_plan(kTuning, params, {.to_object = true, .distance_m = 0.5});
    EXPECT_EQ(object.size, 0U);
    EXPECT_TRUE(object.sticks_when_done);
    EXPECT_FALSE(make_move_to_plan(kTuning, params, {.distance_m = 0.5}).sticks_when_done);
}

TEST(ChooseTurn, TakesTheShorterWayAndHalfATurnGoesRight) {
    EXPECT_EQ(choose_turn(kTuning, 10.0, 350.0).turn, Turn::Right);
    EXPECT_NEAR(choose_turn(kTuning, 10.0, 350.0).difference_deg, 20.0, kTolerance);
    EXPECT_EQ(choose_turn(kTuning, 350.0, 10.0).turn, Turn::Left);
    EXPECT_NEAR(choose_turn(kTuning, 350.0, 10.0).difference_deg, 340.0, kTolerance);
    EXPECT_EQ(choose_turn(kTuning, 180.0, 0.0).turn, Turn::Right);
    EXPECT_EQ(choose_turn(kTuning, 180.001, 0.0).turn, Turn::Left);
}

TEST(ChooseTurn, WithinEpsilonItDoesNotTurn) {
    for (const double current_deg : {90.0, 90.0001, 89.9999}) {
        EXPECT_EQ(choose_turn(kTuning, 90.0, current_deg).turn, Turn::None);
        EXPECT_EQ(choose_turn(kTuning, 90.0, current_deg).difference_deg, 0.0);
    }
    EXPECT_EQ(choose_turn(kTuning, 0.0, 359.9999).difference_deg, 0.0);
    EXPECT_EQ(choose_turn(kTuning, 359.9999, 0.0).difference_deg, 0.0);
    EXPECT_EQ(choose_turn(kTuning, 90.0003, 90.0).turn, Turn::Right);
    EXPECT_EQ(choose_turn(kTuning, 89.9997, 90.0).turn, Turn::Left);
}

TEST(TurnLeft, IsMeasuredInTheDirectionOfTheTurn) {
    EXPECT_NEAR(compute_remaining_turn_deg(kTuning, 90.0, 350.0, Turn::Right), 100.0, kTolerance);
    EXPECT_NEAR(compute_remaining_turn_deg(kTuning, 90.0, 350.0, Turn::Left), 260.0, kTolerance);
    EXPECT_EQ(compute_remaining_turn_deg(kTuning, 90.0, 90.0, Turn::Left), 0.0);
    EXPECT_EQ(compute_remaining_turn_deg(kTuning, 90.0, 90.0, Turn::Right), 0.0);
    EXPECT_EQ(compute_remaining_turn_deg(kTuning, 90.0, 350.0, Turn::None), 0.0);
}

TEST(TurnedPast, BeingExactlyOnItCountsOnlyToTheLeft) {
    EXPECT_TRUE(has_turned_past(91.0, 90.0, Turn::Right));
    EXPECT_FALSE(has_turned_past(90.0, 90.0, Turn::Right));
    EXPECT_FALSE(has_turned_past(89.0, 90.0, Turn::Right));
    EXPECT_FALSE(has_turned_past(91.0, 90.0, Turn::Left));
    EXPECT_TRUE(has_turned_past(90.0, 90.0, Turn::Left));
    EXPECT_TRUE(has_turned_past(89.0, 90.0, Turn::Left));
    EXPECT_TRUE(has_turned_past(0.0, 90.0, Turn::None));
}

TEST(TurnedPast, ComparesAcrossNorth) {
    EXPECT_TRUE(has_turned_past(1.0, 359.0, Turn::Right));
    EXPECT_FALSE(has_turned_past(359.0, 1.0, Turn::Right));
    EXPECT_TRUE(has_turned_past(359.0, 1.0, Turn::Left));
    EXPECT_FALSE(has_turned_past(1.0, 359.0, Turn::Left));
    EXPECT_TRUE(has_turned_past(270.0, 90.0, Turn::Right)); // Exactly opposite: not across.
}

SteerChoice steer(double heading_deg, MoveCommand command = MoveCommand::WalkForward,
                  bool moving_away = false, bool pending = false) {
    return choose_steering(kTuning, {.heading_deg = heading_deg,
                                     .target_position = {0, 3, 0},
                                     .command = command,
                                     .moving_away = moving_away,
                                     .motions_pending = pending});
}

TEST(Steering, ErrorsOfTwentyDegreesAndLessAreLeftAlone) {
    EXPECT_EQ(steer(340.0).turn, Turn::None);
    EXPECT_EQ(steer(20.0).turn, Turn::None);
    EXPECT_EQ(steer(339.0).turn, Turn::Right);
    EXPECT_NEAR(steer(339.0).difference_deg, 21.0, kTolerance);
    EXPECT_EQ(steer(21.0).turn, Turn::Left);
    EXPECT_NEAR(steer(21.0).difference_deg, 339.0, kTolerance);
}

TEST(Steering, HalfATurnGoesLeft) {
    EXPECT_EQ(steer(180.0).turn, Turn::Left);
    EXPECT_EQ(steer(180.5).turn, Turn::Right);
}

TEST(Steering, WantsTheBackToTheTargetWhereItWalksThatWay) {
    EXPECT_NEAR(steer(0.0, MoveCommand::WalkForward, true).wanted_deg, 180.0, kTolerance);
    EXPECT_NEAR(steer(0.0, MoveCommand::WalkBackwards, false).wanted_deg, 180.0, kTolerance);
    EXPECT_NEAR(steer(0.0, MoveCommand::WalkBackwards, true).wanted_deg, 0.0, kTolerance);
    EXPECT_NEAR(steer(0.0, MoveCommand::WalkForward, false).wanted_deg, 0.0, kTolerance);
}

TEST(Steering, PendingMotionsEndTheTurnButNotTheAnswer) {
    const SteerChoice choice = steer(90.0, MoveCommand::WalkForward, false, true);
    EXPECT_EQ(choice.turn, Turn::None);
    EXPECT_NEAR(choice.difference_deg, 270.0, kTolerance);
}

ProgressQuery progress_query(double since_sample_s, double sample_m, double distance_m) {
    return {.since_sample_s = since_sample_s,
            .sample_distance_m = sample_m,
            .since_start_s = since_sample_s,
            .start_distance_m = sample_m,
            .distance_m = distance_m};
}

TEST(Progress, AYoungSampleAlwaysPassesAndIsKept) {
    const Progress progress = check_progress(kTuning, progress_query(1.0, 5.0, 5.0));
    EXPECT_TRUE(progress.made);
    EXPECT_FALSE(progress.new_sample);
}

TEST(Progress, ClosingTooSlowlyIsNoneAndTakesNoSample) {
    const Progress slow = check_progress(kTuning, progress_query(2.0, 5.0, 4.51));
    EXPECT_FALSE(slow.made);
    EXPECT_FALSE(slow.new_sample);
    const Progress enough = check_progress(kTuning, progress_query(2.0, 5.0, 4.5));
    EXPECT_TRUE(enough.made);
    EXPECT_TRUE(enough.new_sample);
}

TEST(Progress, TooSlowSinceTheStartIsNoneButTakesASample) {
    ProgressQuery query = progress_query(1.25, 5.0, 4.6);
    query.since_start_s = 4.0;
    const Progress progress = check_progress(kTuning, query);
    EXPECT_FALSE(progress.made);
    EXPECT_TRUE(progress.new_sample);
}

TEST(Progress, MovingAwayCountsTheOpening) {
    ProgressQuery query = progress_query(1.25, 2.0, 2.6);
    EXPECT_FALSE(check_progress(kTuning, query).made);
    query.moving_away = true;
    EXPECT_TRUE(check_progress(kTuning, query).made);
}

TEST(Progress, AnUnlimitedReferencePasses) {
    for (const double unlimited : {kUnlimited, kFloatUnlimited}) {
        EXPECT_TRUE(check_progress(kTuning, progress_query(1.25, unlimited, 4.6)).made);
        ProgressQuery away = progress_query(1.25, -unlimited, 4.6);
        away.moving_away = true;
        EXPECT_TRUE(check_progress(kTuning, away).made);
        away.sample_distance_m = unlimited; // An opening from there is none.
        EXPECT_FALSE(check_progress(kTuning, away).made);
        // Nothing was gained, which is a number.
        EXPECT_FALSE(check_progress(kTuning, progress_query(1.25, unlimited, unlimited)).made);
    }
}

TEST(Arrival, TowardsArrivesAtTheDistanceOrLess) {
    EXPECT_EQ(test_arrival({}, {.distance_m = 0.6}), ArrivalTest::Arrived);
    EXPECT_EQ(test_arrival({}, {.distance_m = 0.61}), ArrivalTest::UnderWay);
}

TEST(Arrival, AwayArrivesAtTheMinimumOrMore) {
    const MoveToParams params{.min_distance_m = 5.0};
    EXPECT_EQ(test_arrival(params, {.distance_m = 5.0, .moving_away = true}), ArrivalTest::Arrived);
    EXPECT_EQ(test_arrival(params, {.distance_m = 4.9, .moving_away = true}),
              ArrivalTest::UnderWay);
}

TEST(Arrival, FartherThanTheFailDistanceFromTheStartIsTooFarUnlessItArrived) {
    const MoveToParams params{.fail_distance_m = 10.0};
    const glm::dvec3 beyond{0, 10.5, 0};
    EXPECT_EQ(test_arrival(params, {.distance_m = 2.0, .position = beyond}), ArrivalTest::TooFar);
    EXPECT_EQ(test_arrival(params, {.distance_m = 0.5, .position = beyond}), ArrivalTest::Arrived);
    EXPECT_EQ(test_arrival(params, {.distance_m = 2.0, .position = {0, 10, 0}}),
              ArrivalTest::UnderWay);
    for (const double unlimited : {kUnlimited, kFloatUnlimited}) {
        EXPECT_EQ(test_arrival({.fail_distance_m = unlimited},
                               {.distance_m = 2.0, .position = {0, 1e9, 0}}),
                  ArrivalTest::UnderWay);
    }
}

TEST(Arrival, WithoutProgressNothingIsTested) {
    const MoveToParams params{.fail_distance_m = 10.0};
    EXPECT_EQ(test_arrival(params, {.distance_m = 0.5, .progress_made = false}),
              ArrivalTest::NotTested);
    EXPECT_EQ(
        test_arrival(params, {.distance_m = 2.0, .position = {0, 11, 0}, .progress_made = false}),
        ArrivalTest::NotTested);
}

} // namespace
} // namespace glissade
