// SPDX-License-Identifier: MIT
#include "glissade/time/tick_pacer.h"

#include "time/frame_series.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;
constexpr std::int64_t kStart = 123'456'789; // Of the caller's clock: T0.

// 10 ms to the nanosecond: most tests need no fractions.
constexpr std::int64_t kPeriod = 10'000'000;
constexpr Rate kHundred = {100, 1};

struct Ran {
    Tick tick;
    std::int64_t due_ns = 0;
};

std::vector<Ran> run(TickPacer& pacer, std::int64_t now_ns) {
    std::vector<Ran> ran;
    for (const Tick& tick : pacer.wake(now_ns)) {
        ran.push_back({tick, pacer.due_ns()});
    }
    return ran;
}

std::size_t count(TickPacer& pacer, std::int64_t now_ns) {
    return run(pacer, now_ns).size();
}

TickPacer started(const TickPacerConfig& config) {
    TickPacer pacer(config);
    static_cast<void>(pacer.wake(kStart));
    return pacer;
}

// ceil(index * period): the exact due time after T0. `index` * parts below 9e18.
std::int64_t exact_ns(Rate rate, std::int64_t index) {
    const std::int64_t whole = index / rate.numerator * rate.denominator * kSecond;
    const std::int64_t rest = index % rate.numerator * rate.denominator * kSecond;
    return whole + (rest + rate.numerator - 1) / rate.numerator;
}

TEST(TickPacer, TheFirstWakeSetsTheScheduleAndRunsNothing) {
    TickPacer pacer({.rate = kHundred, .start_ns = 77});
    EXPECT_EQ(pacer.due_ns(), 0);
    EXPECT_EQ(pacer.next_due_ns(), 0);
    EXPECT_EQ(pacer.newest().index, 0);
    EXPECT_EQ(pacer.newest().time_ns, 77);
    const auto range = pacer.wake(kStart);
    EXPECT_EQ(range.status(), ClockStatus::Started);
    EXPECT_TRUE(range.begin() == range.end());
    EXPECT_EQ(pacer.due_ns(), kStart);
    EXPECT_EQ(pacer.next_due_ns(), kStart + kPeriod);
    EXPECT_EQ(pacer.stats().wake_count, 1);
}

TEST(TickPacer, ATickRunsWhenItIsDueAndNotANanosecondBefore) {
    TickPacer pacer = started({.rate = kHundred, .start_ns = 77});
    EXPECT_EQ(count(pacer, kStart + kPeriod - 1), 0U);
    const std::vector<Ran> ran = run(pacer, kStart + kPeriod);
    ASSERT_EQ(ran.size(), 1U);
    EXPECT_EQ(ran[0].tick, (Tick{1, 77 + kPeriod, kPeriod, 0.01}));
    EXPECT_EQ(ran[0].due_ns, kStart + kPeriod);
    EXPECT_EQ(pacer.newest(), ran[0].tick);
    EXPECT_EQ(pacer.next_due_ns(), kStart + 2 * kPeriod);
}

TEST(TickPacer, LateWakeUpsMoveNeitherTicksNorDueTimes) {
    constexpr Rate kRate = {60'000, 1001};
    TickPacer pacer = started({.rate = kRate});
    testing::Random random(3);
    std::int64_t index = 0;
    std::int64_t latest_ns = 0;
    for (int i = 0; i < 10'000; ++i) {
        // Sleeps until the next one is due, and up to 50 ms more.
        const std::int64_t now_ns = pacer.next_due_ns() + random.between(0, 50'000'000);
        const std::vector<Ran> ran = run(pacer, now_ns);
        ASSERT_GE(ran.size(), 1U);
        for (const Ran& tick : ran) {
            ++index;
            ASSERT_EQ(tick.tick.index, index);
            ASSERT_EQ(tick.tick.time_ns, exact_ns(kRate, index));
            ASSERT_EQ(tick.due_ns, kStart + exact_ns(kRate, index));
            latest_ns = std::max(latest_ns, now_ns - tick.due_ns);
        }
    }
    EXPECT_EQ(pacer.epoch(), 0U);
    EXPECT_EQ(pacer.stats().lost_count, 0);
    EXPECT_EQ(pacer.stats().tick_count, index);
    EXPECT_EQ(pacer.stats().late_ns_max, latest_ns);
}

struct Span {
    Rate rate;
    std::int64_t thousands_of_s = 0;
};

// One wake-up every 1000 s.
void run_for(TickPacer& pacer, std::int64_t thousands_of_s) {
    for (std::int64_t i = 0; i <= thousands_of_s; ++i) {
        for (const Tick& tick : pacer.wake(kStart + i * 1000 * kSecond)) {
            static_cast<void>(tick);
        }
    }
}

TEST(TickPacer, NothingDriftsInAMonth) {
    // Fractions of a nanosecond in every period. A month at 60 Hz would be 155 million ticks to run
    // here, so that is a day; what drifts, drifts by ticks.
    for (const Span& span : {Span{{7, 3}, 2'592}, Span{{60'000, 1001}, 86}, Span{{60, 1}, 86}}) {
        TickPacer pacer = started({.rate = span.rate, .max_ticks = 1'000'000});
        run_for(pacer, span.thousands_of_s);
        EXPECT_EQ(pacer.stats().tick_count,
                  span.thousands_of_s * 1000 * span.rate.numerator / span.rate.denominator);
        EXPECT_EQ(pacer.due_ns(), kStart + exact_ns(span.rate, pacer.newest().index));
        EXPECT_EQ(pacer.stats().lost_count, 0);
    }
}

TEST(TickPacer, AllDueTicksRunUpToTheBudget) {
    TickPacer pacer = started({.rate = kHundred, .max_ticks = 5});
    EXPECT_EQ(count(pacer, kStart + 6 * kPeriod - 1), 5U);
    EXPECT_EQ(pacer.stats().lost_ns, 0);
    EXPECT_EQ(pacer.epoch(), 0U);
    EXPECT_EQ(pacer.stats().late_ns_max, 5 * kPeriod - 1);
}

TEST(TickPacer, WhatIsBeyondTheBudgetIsLostInWholePeriods) {
    TickPacer pacer = started({.rate = kHundred, .max_ticks = 5});
    const std::int64_t now_ns = kStart + 100 * kPeriod + 1234;
    const std::vector<Ran> ran = run(pacer, now_ns);
    ASSERT_EQ(ran.size(), 5U);
    EXPECT_EQ(pacer.stats().lost_ns, 95 * kPeriod);
    EXPECT_EQ(pacer.stats().lost_count, 1);
    EXPECT_EQ(pacer.epoch(), 1U);
    for (std::size_t i = 0; i < ran.size(); ++i) {
        // The source's time goes on; the due times are those next to now, at their old phase.
        const auto index = static_cast<std::int64_t>(i) + 1;
        EXPECT_EQ(ran[i].tick.index, index);
        EXPECT_EQ(ran[i].tick.time_ns, index * kPeriod);
        EXPECT_EQ(ran[i].due_ns, kStart + (95 + index) * kPeriod);
    }
    EXPECT_EQ(pacer.next_due_ns(), kStart + 101 * kPeriod);
    EXPECT_EQ(pacer.stats().late_ns_max, 4 * kPeriod + 1234);
    EXPECT_EQ(count(pacer, kStart + 101 * kPeriod), 1U);
    EXPECT_EQ(pacer.epoch(), 1U);
}

TEST(TickPacer, TheEpochHasChangedBeforeTheFirstTickAfterTheLoss) {
    TickPacer pacer = started({.rate = kHundred, .max_ticks = 1});
    for (const Tick& tick : pacer.wake(kStart + 2 * kPeriod)) {
        EXPECT_EQ(tick.index, 1);
        EXPECT_EQ(pacer.epoch(), 1U);
    }
}

TEST(TickPacer, AThreadThatIsAlwaysTooSlowKeepsRunningAndLosesTheRest) {
    TickPacer pacer = started({.rate = kHundred, .max_ticks = 2});
    std::int64_t now_ns = kStart;
    for (int i = 0; i < 100; ++i) {
        now_ns = std::max(now_ns, pacer.next_due_ns());
        for (const Tick& tick : pacer.wake(now_ns)) {
            static_cast<void>(tick);
            now_ns += 15'000'000; // Costs one and a half periods.
        }
    }
    // Two ticks a wake-up, once it is that far behind; and all time is accounted for.
    EXPECT_EQ(pacer.stats().tick_count, 2 * 100 - 2);
    EXPECT_GE(pacer.stats().lost_count, 50);
    const std::int64_t last_wake_ns = now_ns - 30'000'000;
    const std::int64_t behind_ns =
        last_wake_ns - kStart - pacer.stats().lost_ns - pacer.newest().time_ns;
    EXPECT_GE(behind_ns, 0);
    EXPECT_LT(behind_ns, kPeriod);
}

TEST(TickPacer, TicksThatTheLoopLeftOverComeWithTheNextWake) {
    TickPacer pacer = started({.rate = kHundred, .max_ticks = 4});
    for (const Tick& tick : pacer.wake(kStart + 3 * kPeriod)) {
        EXPECT_EQ(tick.index, 1);
        break;
    }
    EXPECT_EQ(pacer.newest().index, 1);
    EXPECT_EQ(pacer.next_due_ns(), kStart + 2 * kPeriod); // In the past: do not sleep.
    const std::vector<Ran> ran = run(pacer, kStart + 3 * kPeriod);
    ASSERT_EQ(ran.size(), 2U);
    EXPECT_EQ(ran[0].due_ns, kStart + 2 * kPeriod);
    EXPECT_EQ(pacer.stats().lost_count, 0);
}

TEST(TickPacer, AGapOfYearsCostsNoMoreThanAShortOne) {
    TickPacer pacer({.rate = {1'000'000, 1}, .max_ticks = 3});
    static_cast<void>(pacer.wake(-kMaxTimeNs));
    EXPECT_EQ(count(pacer, kMaxTimeNs), 3U);
    EXPECT_EQ(pacer.stats().lost_ns, 2 * kMaxTimeNs / 1000 * 1000 - 3000);
    EXPECT_GT(pacer.next_due_ns(), kMaxTimeNs);
    EXPECT_LE(pacer.next_due_ns(), kMaxTimeNs + 1000);
}

TEST(TickPacer, TheLongestPeriodAndTheLargestBudgetOverflowNothing) {
    TickPacer pacer(
        {.rate = {1, 1000}, .max_ticks = std::numeric_limits<int>::max(), .start_ns = kMaxTimeNs});
    static_cast<void>(pacer.wake(-kMaxTimeNs));
    const auto range = pacer.wake(kMaxTimeNs);
    EXPECT_EQ(range.begin()->index, 1);
    EXPECT_EQ(pacer.stats().lost_count, 1);
    EXPECT_GT(pacer.stats().lost_ns, kMaxTimeNs);
}

TEST(TickPacer, WhilePausedNothingIsDueAndTheLoopKeepsItsPace) {
    TickPacer pacer = started({.rate = kHundred});
    EXPECT_EQ(count(pacer, kStart + kPeriod), 1U);
    pacer.pause();
    EXPECT_TRUE(pacer.paused());
    std::int64_t now_ns = kStart + kPeriod;
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(pacer.next_due_ns(), now_ns + kPeriod);
        now_ns = pacer.next_due_ns() + 1'000;
        EXPECT_EQ(count(pacer, now_ns), 0U);
    }
    pacer.resume();
    EXPECT_FALSE(pacer.paused());
    EXPECT_EQ(pacer.next_due_ns(), now_ns); // At once: the schedule goes on from the next wake-up.
    EXPECT_EQ(count(pacer, now_ns + 500), 0U);
    EXPECT_EQ(pacer.next_due_ns(), now_ns + 500 + kPeriod);
    EXPECT_EQ(count(pacer, now_ns + 500 + kPeriod), 1U);
    EXPECT_EQ(pacer.newest().time_ns, 2 * kPeriod);
    EXPECT_EQ(pacer.due_ns(), now_ns + 500 + kPeriod);
    EXPECT_EQ(pacer.epoch(), 0U);
    EXPECT_EQ(pacer.stats().lost_count, 0);
}

TEST(TickPacer, APauseThatTheThreadSleptThroughIsNoBurst) {
    TickPacer pacer = started({.rate = kHundred});
    EXPECT_EQ(count(pacer, kStart + kPeriod + 4'000'000), 1U);
    pacer.pause();
    pacer.resume();
    const std::int64_t now_ns = kStart + 3600 * kSecond;
    EXPECT_EQ(count(pacer, now_ns), 0U);
    EXPECT_EQ(pacer.stats().lost_count, 0);
    EXPECT_EQ(pacer.next_due_ns(), now_ns + 6'000'000); // 4 of 10 ms had passed before the pause.
}

TEST(TickPacer, ATimeScaleSpreadsTheDueTimesAndKeepsTheTicks) {
    TickPacer pacer = started({.rate = kHundred});
    EXPECT_TRUE(pacer.set_time_scale(0.25));
    EXPECT_EQ(pacer.time_scale(), 0.25);
    for (std::int64_t i = 1; i <= 10; ++i) {
        EXPECT_EQ(pacer.next_due_ns(), kStart + 4 * i * kPeriod);
        EXPECT_EQ(count(pacer, pacer.next_due_ns() - 1), 0U);
        const std::vector<Ran> ran = run(pacer, pacer.next_due_ns());
        ASSERT_EQ(ran.size(), 1U);
        EXPECT_EQ(ran[0].tick, (Tick{i, i * kPeriod, kPeriod, 0.01}));
        EXPECT_EQ(ran[0].due_ns, kStart + 4 * i * kPeriod);
    }
}

TEST(TickPacer, AFasterTimeScaleRunsMoreTicksAtTheirOwnDueTimes) {
    TickPacer pacer = started({.rate = kHundred});
    EXPECT_TRUE(pacer.set_time_scale(4.0));
    const std::vector<Ran> ran = run(pacer, kStart + kPeriod);
    ASSERT_EQ(ran.size(), 4U);
    for (std::size_t i = 0; i < ran.size(); ++i) {
        EXPECT_EQ(ran[i].due_ns, kStart + static_cast<std::int64_t>(i + 1) * kPeriod / 4);
    }
}

TEST(TickPacer, ATimeScaleChangesFromTheLastWakeUpOn) {
    TickPacer pacer = started({.rate = kHundred});
    EXPECT_EQ(count(pacer, kStart + 5'000'000), 0U);
    EXPECT_TRUE(pacer.set_time_scale(0.5));
    EXPECT_EQ(pacer.next_due_ns(), kStart + 15'000'000); // Half a tick to go, at half the speed.
    EXPECT_EQ(count(pacer, kStart + 15'000'000), 1U);
}

TEST(TickPacer, ATimeScaleOfZeroStandsStillAndBuildsUpNothing) {
    TickPacer pacer = started({.rate = kHundred});
    EXPECT_TRUE(pacer.set_time_scale(0.0));
    EXPECT_EQ(pacer.next_due_ns(), kStart + kPeriod);
    EXPECT_EQ(count(pacer, kStart + 1000 * kSecond), 0U);
    EXPECT_TRUE(pacer.set_time_scale(1.0));
    EXPECT_EQ(pacer.next_due_ns(), kStart + 1000 * kSecond + kPeriod);
    EXPECT_EQ(pacer.stats().lost_count, 0);
}

TEST(TickPacer, AnInvalidTimeScaleChangesNothing) {
    TickPacer pacer;
    for (const double scale : {-0.5, 1000.5, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_FALSE(pacer.set_time_scale(scale));
        EXPECT_EQ(pacer.time_scale(), 1.0);
    }
    EXPECT_TRUE(pacer.set_time_scale(TimeGroup::kMaxScale));
}

TEST(TickPacer, AScaleChangedInTheLoopTakesNoDueTimeBack) {
    for (const double scale : {0.0, 0.01, 100.0}) {
        TickPacer pacer = started({.rate = kHundred});
        std::int64_t previous_ns = 0;
        for (const Tick& tick : pacer.wake(kStart + 4 * kPeriod)) {
            EXPECT_GE(pacer.due_ns(), previous_ns);
            EXPECT_LE(pacer.due_ns(), kStart + 4 * kPeriod);
            previous_ns = pacer.due_ns();
            EXPECT_EQ(pacer.set_time_scale(scale), true);
            EXPECT_LE(tick.index, 4);
        }
        EXPECT_EQ(pacer.newest().index, 4); // What was due when the thread woke, runs.
    }
}

TEST(TickPacer, ATimeThatWentBackOrIsAbsurdIsRefused) {
    TickPacer pacer = started({.rate = kHundred});
    EXPECT_EQ(pacer.wake(kStart - 1).status(), ClockStatus::TimeWentBack);
    EXPECT_EQ(pacer.wake(kMaxTimeNs + 1).status(), ClockStatus::AbsurdTime);
    EXPECT_EQ(pacer.wake(-kMaxTimeNs - 1).status(), ClockStatus::AbsurdTime);
    EXPECT_EQ(pacer.stats().refused_count, 3);
    EXPECT_EQ(pacer.stats().wake_count, 1);
    EXPECT_EQ(pacer.next_due_ns(), kStart + kPeriod);
    EXPECT_EQ(pacer.wake(kStart + kPeriod).status(), ClockStatus::Ok);
}

TEST(TickPacer, ARefusedWakeLeavesWhatIsDueForTheNextOne) {
    TickPacer pacer = started({.rate = kHundred});
    static_cast<void>(pacer.wake(kStart + kPeriod));
    EXPECT_EQ(count(pacer, kStart), 0U);
    EXPECT_EQ(count(pacer, kStart + kPeriod), 1U);
}

} // namespace
} // namespace glissade
