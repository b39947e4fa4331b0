// SPDX-License-Identifier: MIT
#include "glissade/time/time_group.h"

#include "glissade/time/fixed_step.h"
#include "glissade/time/tick.h"

#include "time/frame_series.h"

#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;

TEST(TimeGroup, RunsAtRealTimeByDefault) {
    TimeGroup group;
    EXPECT_EQ(group.scale(), 1.0);
    EXPECT_EQ(group.advance_by(16'666'667), 16'666'667);
    EXPECT_EQ(group.advance_by(0), 0);
    EXPECT_EQ(group.now_ns(), 16'666'667);
}

TEST(TimeGroup, AQuarterOfAYearTakesAYearToTheNanosecond) {
    TimeGroup group;
    ASSERT_TRUE(group.set_scale(0.25));
    testing::Random random(1);
    std::int64_t outer_ns = 0;
    while (outer_ns < std::int64_t{365} * 86'400 * kSecond) {
        const std::int64_t elapsed_ns = random.between(0, 1'000 * kSecond);
        outer_ns += elapsed_ns;
        group.advance_by(elapsed_ns);
        ASSERT_EQ(group.now_ns(), outer_ns / 4);
    }
}

TEST(TimeGroup, SingleNanosecondsAddUp) {
    TimeGroup group;
    ASSERT_TRUE(group.set_scale(0.3));
    for (int i = 0; i < 1'000'000; ++i) {
        group.advance_by(1);
    }
    // 0.3 is kept to 2^-33, so a million of them are off by less than 0.001 ns before rounding
    // down.
    EXPECT_NEAR(static_cast<double>(group.now_ns()), 300'000.0, 1.0);
}

TEST(TimeGroup, ALargeScaleAndALongTimeMultiplyExactly) {
    TimeGroup group;
    ASSERT_TRUE(group.set_scale(999.5));
    const std::int64_t month_ns = std::int64_t{30} * 86'400 * kSecond;
    EXPECT_EQ(group.advance_by(month_ns + 1), 999 * (month_ns + 1) + month_ns / 2);
    EXPECT_EQ(group.advance_by(1), 1000); // The half nanosecond of before is not lost.
}

TEST(TimeGroup, BothEndsOfTheScaleAreTakenAndWhatLiesBeyondIsRefused) {
    TimeGroup group;
    EXPECT_TRUE(group.set_scale(TimeGroup::kMaxScale));
    EXPECT_EQ(group.scale(), 1000.0);
    for (const double bad :
         {-1e-9, 1000.001, std::numeric_limits<double>::infinity(),
          -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_FALSE(group.set_scale(bad));
        EXPECT_EQ(group.scale(), 1000.0);
    }
    EXPECT_TRUE(group.set_scale(0.0));
    EXPECT_EQ(group.advance_by(kSecond), 0);
    EXPECT_TRUE(group.set_scale(1e-300));
    EXPECT_EQ(group.scale(), 0.0);
}

TEST(TimeGroup, NegativeTimeCountsAsNone) {
    TimeGroup group;
    EXPECT_EQ(group.advance_by(-1), 0);
    EXPECT_EQ(group.advance_by(std::numeric_limits<std::int64_t>::min()), 0);
    EXPECT_EQ(group.now_ns(), 0);
}

TEST(TimeGroup, StopsAtItsEndInsteadOfOverflowing) {
    constexpr std::int64_t kEnd = 2 * kMaxTimeNs;
    TimeGroup group;
    ASSERT_TRUE(group.set_scale(1000.0));
    EXPECT_EQ(group.advance_by(std::numeric_limits<std::int64_t>::max()), kEnd);
    EXPECT_EQ(group.advance_by(1), 0);
    EXPECT_EQ(group.now_ns(), kEnd);

    TimeGroup slow;
    ASSERT_TRUE(slow.set_scale(0.999));
    EXPECT_EQ(slow.advance_by(std::numeric_limits<std::int64_t>::max()), kEnd);
}

TEST(TimeGroup, PauseKeepsTheRemainderToo) {
    TimeGroup group;
    ASSERT_TRUE(group.set_scale(0.5));
    EXPECT_EQ(group.advance_by(1), 0);
    group.pause();
    group.pause();
    EXPECT_TRUE(group.paused());
    EXPECT_EQ(group.advance_by(kSecond), 0);
    group.resume();
    EXPECT_FALSE(group.paused());
    EXPECT_EQ(group.advance_by(1), 1);
}

TEST(TimeGroup, AScaleChangeKeepsTheRemainder) {
    TimeGroup group;
    ASSERT_TRUE(group.set_scale(0.5));
    EXPECT_EQ(group.advance_by(1), 0);
    ASSERT_TRUE(group.set_scale(1.5));
    EXPECT_EQ(group.advance_by(1), 2);
}

TEST(TimeGroup, GroupsNest) {
    TimeGroup world;
    TimeGroup enemies;
    ASSERT_TRUE(world.set_scale(0.5));
    ASSERT_TRUE(enemies.set_scale(0.5));
    for (int i = 0; i < 1000; ++i) {
        enemies.advance_by(world.advance_by(7));
    }
    EXPECT_EQ(world.now_ns(), 3500);
    EXPECT_EQ(enemies.now_ns(), 1750);
}

// Trap 13: partial pause.
TEST(TimeGroup, PausingOneGroupMidTickFreezesItsClockAndLeavesTheOtherAlone) {
    TimeGroup world;
    TimeGroup enemies;
    FixedStep world_step({.rate = {30, 1}});
    FixedStep enemy_step({.rate = {30, 1}});
    testing::Random random(13);
    std::int64_t elapsed_sum_ns = 0;
    const auto run_frame = [&] {
        const std::int64_t elapsed_ns = random.between(1'000'000, 9'000'000);
        elapsed_sum_ns += elapsed_ns;
        for (const Tick& tick : world_step.advance_by(world.advance_by(elapsed_ns))) {
            EXPECT_EQ(tick.index, world_step.newest().index);
        }
        for (const Tick& tick : enemy_step.advance_by(enemies.advance_by(elapsed_ns))) {
            EXPECT_EQ(tick.index, enemy_step.newest().index);
        }
    };
    for (int frame = 0; frame < 101; ++frame) {
        run_frame();
    }
    enemies.pause();
    const SampleTime frozen = enemy_step.sample();
    ASSERT_NE(frozen.time_ns, frozen.newest->time_ns); // Mid-tick.
    for (int frame = 0; frame < 100; ++frame) {
        run_frame();
        ASSERT_EQ(enemy_step.sample().time_ns, frozen.time_ns);
        ASSERT_EQ(enemy_step.newest(), *frozen.newest);
        ASSERT_EQ(world_step.sample().time_ns, elapsed_sum_ns - 33'333'333);
    }
    enemies.resume();
    run_frame();
    EXPECT_LE(enemy_step.sample().time_ns - frozen.time_ns, 9'000'000);
    EXPECT_GT(enemy_step.sample().time_ns, frozen.time_ns);
}

TEST(TimeGroup, OuterTimeForIsTheLeastThatPassesIt) {
    testing::Random random(5);
    for (const double scale : {1e-6, 0.25, 0.3, 1.0, 3.7, TimeGroup::kMaxScale}) {
        TimeGroup group;
        ASSERT_TRUE(group.set_scale(scale));
        for (int i = 0; i < 1000; ++i) {
            group.advance_by(random.between(0, kSecond)); // Leaves a remainder.
            const std::int64_t wanted_ns = random.between(1, kSecond);
            const std::int64_t outer_ns = group.outer_time_for(wanted_ns);
            TimeGroup enough = group;
            EXPECT_GE(enough.advance_by(outer_ns), wanted_ns);
            TimeGroup too_little = group;
            EXPECT_LT(too_little.advance_by(outer_ns - 1), wanted_ns);
        }
    }
}

TEST(TimeGroup, OuterTimeForANegativeTimeIsHowLongAgoItWas) {
    testing::Random random(6);
    for (const double scale : {0.25, 0.3, 1.0, 3.7}) {
        TimeGroup group;
        ASSERT_TRUE(group.set_scale(scale));
        for (int i = 0; i < 1000; ++i) {
            const TimeGroup before = group;
            const std::int64_t elapsed_ns = random.between(1, kSecond);
            const std::int64_t passed_ns = group.advance_by(elapsed_ns);
            const std::int64_t wanted_ns = random.between(0, passed_ns);
            // The same moment, seen from its two sides.
            EXPECT_EQ(group.outer_time_for(wanted_ns - passed_ns),
                      wanted_ns == 0 ? group.outer_time_for(-passed_ns)
                                     : before.outer_time_for(wanted_ns) - elapsed_ns);
        }
    }
}

TEST(TimeGroup, OuterTimeForHasLimits) {
    TimeGroup group;
    EXPECT_EQ(group.outer_time_for(0), 0);
    EXPECT_EQ(group.outer_time_for(kMaxTimeNs), kMaxTimeNs);
    EXPECT_EQ(group.outer_time_for(2 * kMaxTimeNs), kMaxTimeNs);
    EXPECT_EQ(group.outer_time_for(-kMaxTimeNs), -kMaxTimeNs);
    EXPECT_EQ(group.outer_time_for(std::numeric_limits<std::int64_t>::min()), -kMaxTimeNs);
    ASSERT_TRUE(group.set_scale(0.0));
    EXPECT_EQ(group.outer_time_for(1), kMaxTimeNs);
    EXPECT_EQ(group.outer_time_for(-1), -kMaxTimeNs);
    ASSERT_TRUE(group.set_scale(1e-9));
    EXPECT_EQ(group.outer_time_for(kMaxTimeNs / 2), kMaxTimeNs);
}

} // namespace
} // namespace glissade
