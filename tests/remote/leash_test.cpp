// SPDX-License-Identifier: MIT
#include "glissade/remote/leash.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr LeashLimits kOutdoors{};
// Sums of numbers up to 50.
constexpr double kExact = 1e-12;

Leash armed_at(double used_m) {
    Leash leash;
    leash.arm(used_m);
    return leash;
}

TEST(Leash, LimitsAreShorterIndoors) {
    const RemoteTuning tuning;
    EXPECT_EQ(LeashLimits::of(tuning, false).start_m, 10.0);
    EXPECT_EQ(LeashLimits::of(tuning, false).max_m, 50.0);
    EXPECT_EQ(LeashLimits::of(tuning, true).start_m, 5.0);
    EXPECT_EQ(LeashLimits::of(tuning, true).max_m, 20.0);
}

TEST(Leash, BeforeItIsArmedItAllowsEverythingAndCountsNothing) {
    Leash leash;
    EXPECT_FALSE(leash.armed());
    EXPECT_EQ(leash.apply(kOutdoors, {0.0, 100.0, 0.0}, true), glm::dvec3(0.0, 100.0, 0.0));
    EXPECT_EQ(leash.used_m(), 0.0);
    EXPECT_FALSE(leash.fully_leashed(kOutdoors));
}

TEST(Leash, ArmingStartsAnew) {
    Leash leash = armed_at(49.0);
    EXPECT_TRUE(leash.armed());
    leash.arm(2.0);
    EXPECT_EQ(leash.used_m(), 2.0);
}

TEST(Leash, UpToItsStartStepsAreWhole) {
    for (const double used : {0.0, 10.0}) {
        Leash leash = armed_at(used);
        EXPECT_EQ(leash.apply(kOutdoors, {0.0, 0.4, 0.0}, true), glm::dvec3(0.0, 0.4, 0.0));
        EXPECT_NEAR(leash.used_m(), used + 0.4, kExact);
    }
}

TEST(Leash, BeyondItsStartStepsShrinkAndTheShortenedOnesCount) {
    Leash leash = armed_at(30.0);
    EXPECT_NEAR(leash.apply(kOutdoors, {0.0, 0.4, 0.0}, true).y, 0.2, kExact);
    EXPECT_NEAR(leash.used_m(), 30.2, kExact);
}

TEST(Leash, AtItsEndNothingMoves) {
    for (const double used : {50.0, 60.0}) {
        Leash leash = armed_at(used);
        EXPECT_EQ(leash.apply(kOutdoors, {1.0, 2.0, 3.0}, true), glm::dvec3(0.0));
        EXPECT_EQ(leash.used_m(), used);
    }
}

TEST(Leash, InTheAirNothingShrinksButItCounts) {
    Leash leash = armed_at(50.0);
    EXPECT_EQ(leash.apply(kOutdoors, {0.0, 0.3, 0.4}, false), glm::dvec3(0.0, 0.3, 0.4));
    EXPECT_NEAR(leash.used_m(), 50.5, kExact);
}

TEST(Leash, IsABudgetAndNoRadius) {
    Leash leash = armed_at(0.0);
    for (int i = 0; i < 1000; ++i) {
        const double there_and_back = i % 2 == 0 ? 1.0 : -1.0;
        static_cast<void>(leash.apply(kOutdoors, {0.0, there_and_back, 0.0}, true));
    }
    // It nears its end without ever getting past it.
    EXPECT_GT(leash.used_m(), 49.9);
    EXPECT_LE(leash.used_m(), 50.0);
}

TEST(Leash, MoreThanNineTenthsIsFullyLeashed) {
    EXPECT_FALSE(armed_at(45.0).fully_leashed(kOutdoors));
    EXPECT_TRUE(armed_at(45.001).fully_leashed(kOutdoors));
}

} // namespace
} // namespace glissade
