// SPDX-License-Identifier: MIT
#include "glissade/time/tick_range.h"

#include "glissade/time/fixed_step.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;

TEST(TickRange, ANullClockMakesAnEmptyRangeWithItsStatus) {
    const TickRange<FixedStep> range(nullptr, ClockStatus::AbsurdTime);
    EXPECT_TRUE(range.begin() == range.end());
    EXPECT_EQ(range.status(), ClockStatus::AbsurdTime);
}

TEST(TickRange, ATickCountsAsRunWhenTheLoopReachesIt) {
    FixedStep step({.rate = {10, 1}});
    const auto range = step.advance_by(kSecond / 2);
    EXPECT_EQ(step.newest().index, 0);
    auto iterator = range.begin();
    EXPECT_EQ(step.newest().index, 1);
    EXPECT_EQ(iterator->index, 1);
    ++iterator;
    EXPECT_EQ((*iterator).time_ns, kSecond / 5);
}

TEST(TickRange, LeavingTheLoopEarlyLeavesTheRest) {
    FixedStep step({.rate = {10, 1}});
    for (const Tick& tick : step.advance_by(kSecond / 2)) {
        if (tick.index == 2) {
            break;
        }
    }
    EXPECT_EQ(step.stats().tick_count, 2);
    std::int64_t expected = 3;
    for (const Tick& tick : step.advance_by(0)) {
        EXPECT_EQ(tick.index, expected++);
    }
    EXPECT_EQ(step.stats().tick_count, 5);
    EXPECT_EQ(step.stats().dropped_ns, 0);
}

TEST(TickRange, ASecondLoopGoesOnWhereTheFirstStopped) {
    FixedStep step({.rate = {10, 1}});
    const auto range = step.advance_by(kSecond / 2);
    EXPECT_EQ(range.begin()->index, 1);
    EXPECT_EQ(range.begin()->index, 2);
}

} // namespace
} // namespace glissade
