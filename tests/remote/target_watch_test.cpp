// SPDX-License-Identifier: MIT
#include "glissade/remote/target_watch.h"

#include "glissade/remote/move_to_rules.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

const RemoteTuning kTuning;
const std::optional<TargetState> kUnknown;
constexpr double kQuantum = 0.125; // A power of two: four make exactly half a second.

TargetState at(double y, double velocity_y = 0.0) {
    return {.position = {0, y, 0}, .velocity = {0, velocity_y, 0}};
}

// Looks until half a second has passed; nothing may be told before.
std::optional<TargetUpdate> look_next(TargetWatch& watch, const TargetState& target) {
    for (int i = 0; i < 3; ++i) {
        EXPECT_FALSE(watch.look(kTuning, kQuantum, target).has_value());
    }
    return watch.look(kTuning, kQuantum, target);
}

TEST(TargetUpdate, IsTooEarlyBeforeHalfASecond) {
    EXPECT_FALSE(compute_target_update(kTuning, {.since_look_s = 0.49, .position = {0, 5, 0}}));
    EXPECT_TRUE(compute_target_update(kTuning, {.since_look_s = 0.5, .position = {0, 5, 0}}));
}

TEST(TargetUpdate, NeedsMoreThanTheRadius) {
    EXPECT_FALSE(compute_target_update(kTuning, {.since_look_s = 0.5, .position = {0, 0.5, 0}}));
    EXPECT_TRUE(compute_target_update(kTuning, {.since_look_s = 0.5, .position = {0, 0.6, 0}}));
    EXPECT_FALSE(compute_target_update(
        kTuning, {.since_look_s = 0.5, .position = {0, 0.6, 0}, .radius_m = 2.0}));
}

TEST(TargetUpdate, ThePredictedPointIsWhatMustHaveMoved) {
    const WatchQuery query{.since_look_s = 0.5,
                           .position = {0, 1, 0},
                           .velocity = {2, 0, 0},
                           .prediction_s = 1.5,
                           .last_told = {0, 1, 0}};
    const auto update = compute_target_update(kTuning, query);
    ASSERT_TRUE(update.has_value());
    EXPECT_EQ(update->predicted, glm::dvec3(3, 1, 0));
    EXPECT_EQ(update->position, glm::dvec3(0, 1, 0));
}

TEST(TargetWatch, TheFirstSightIsToldAtOnce) {
    TargetWatch watch;
    EXPECT_EQ(watch.state(), WatchState::Waiting);
    const auto update = watch.look(kTuning, 0.001, at(0.0, 3.0));
    ASSERT_TRUE(update.has_value());
    EXPECT_EQ(update->position, glm::dvec3(0.0));
    EXPECT_EQ(update->predicted, glm::dvec3(0.0)); // Nothing is predicted yet.
    EXPECT_EQ(watch.state(), WatchState::Watching);
}

TEST(TargetWatch, LooksEveryHalfSecondAndTellsWhatMovedEnough) {
    TargetWatch watch;
    ASSERT_TRUE(watch.look(kTuning, kQuantum, at(0.0)));
    EXPECT_FALSE(look_next(watch, at(0.5)));
    EXPECT_TRUE(look_next(watch, at(0.75))); // Measured from what was told, not from what was seen.
    EXPECT_FALSE(look_next(watch, at(0.25)));
    EXPECT_TRUE(look_next(watch, at(0.125)));
}

TEST(TargetWatch, TellsWhereTheTargetWillBe) {
    TargetWatch watch;
    ASSERT_TRUE(watch.look(kTuning, kQuantum, at(0.0)));
    watch.predict_for(8.0, 4.0);
    const auto update = look_next(watch, at(1.0, 3.0));
    ASSERT_TRUE(update.has_value());
    EXPECT_EQ(update->predicted, glm::dvec3(0, 7, 0));
    EXPECT_EQ(update->position, glm::dvec3(0, 1, 0));
    EXPECT_FALSE(look_next(watch, at(7.0))); // Standing where it was expected to be.
}

TEST(TargetWatch, ThePredictionChangesOnlyByMoreThanASecond) {
    TargetWatch watch;
    EXPECT_EQ(watch.prediction_s(), 0.0);
    watch.predict_for(4.0, 4.0);
    EXPECT_EQ(watch.prediction_s(), 0.0);
    watch.predict_for(6.0, 4.0);
    EXPECT_EQ(watch.prediction_s(), 1.5);
    watch.predict_for(2.0, 4.0);
    EXPECT_EQ(watch.prediction_s(), 1.5);
    watch.predict_for(1.0, 4.0);
    EXPECT_EQ(watch.prediction_s(), 0.25);
}

TEST(TargetWatch, ASlowMoverPredictsNothing) {
    TargetWatch watch;
    watch.predict_for(10.0, 0.1);
    watch.predict_for(10.0, 0.0);
    EXPECT_EQ(watch.prediction_s(), 0.0);
    watch.predict_for(10.0, 0.125);
    EXPECT_EQ(watch.prediction_s(), 80.0);
}

TEST(TargetWatch, NeitherOverlapNorAnUnlimitedDistanceSpoilsThePrediction) {
    TargetWatch watch;
    watch.predict_for(kUnlimited, 4.0);
    EXPECT_EQ(watch.prediction_s(), 0.0);
    watch.predict_for(8.0, 4.0);
    watch.predict_for(-8.0, 4.0);
    EXPECT_EQ(watch.prediction_s(), 0.0);
}

TEST(TargetWatch, ATargetThatWasSeenIsLostAtOnceAndForGood) {
    TargetWatch watch;
    ASSERT_TRUE(watch.look(kTuning, kQuantum, at(0.0)));
    EXPECT_FALSE(watch.look(kTuning, 0.001, kUnknown));
    EXPECT_EQ(watch.state(), WatchState::Lost);
    EXPECT_FALSE(watch.look(kTuning, kQuantum, at(9.0)));
    EXPECT_EQ(watch.state(), WatchState::Lost);
}

TEST(TargetWatch, ATargetThatIsNeverSeenTimesOutAfterTenSeconds) {
    TargetWatch watch;
    for (int i = 1; i < 80; ++i) {
        EXPECT_FALSE(watch.look(kTuning, kQuantum, kUnknown));
        ASSERT_EQ(watch.state(), WatchState::Waiting) << i;
    }
    EXPECT_FALSE(watch.look(kTuning, kQuantum, kUnknown));
    EXPECT_EQ(watch.state(), WatchState::TimedOut);
    EXPECT_FALSE(watch.look(kTuning, kQuantum, at(0.0)));
    EXPECT_EQ(watch.state(), WatchState::TimedOut);
}

TEST(TargetWatch, ALateFirstSightIsToldToo) {
    TargetWatch watch;
    EXPECT_FALSE(watch.look(kTuning, 9.0, kUnknown));
    EXPECT_TRUE(watch.look(kTuning, kQuantum, at(0.0)));
    EXPECT_FALSE(watch.look(kTuning, kQuantum, at(9.0))); // The wait is not counted as a period.
}

} // namespace
} // namespace glissade
