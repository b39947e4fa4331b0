// SPDX-License-Identifier: MIT
#include "glissade/time/fixed_step.h"

#include "glissade/base/hooks.h"

#include "time/frame_series.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;
constexpr std::int64_t kMillisecond = 1'000'000;

template <class Range>
std::vector<Tick> run(const Range& range) {
    std::vector<Tick> ticks;
    for (const Tick& tick : range) {
        ticks.push_back(tick);
    }
    return ticks;
}

int broken_precondition_count = 0;

// Lets a test break a precondition and see the documented clamp, with asserts on or off.
class ToleratedPreconditions {
public:
    ToleratedPreconditions() {
        set_assert_handler([](const char*, const char*, int) { ++broken_precondition_count; });
    }
    ~ToleratedPreconditions() { set_assert_handler(nullptr); }
    ToleratedPreconditions(const ToleratedPreconditions&) = delete;
    ToleratedPreconditions& operator=(const ToleratedPreconditions&) = delete;
    ToleratedPreconditions(ToleratedPreconditions&&) = delete;
    ToleratedPreconditions& operator=(ToleratedPreconditions&&) = delete;
};

TEST(FixedStep, StartsOnePeriodBehindItsStartState) {
    const FixedStep step({.start_ns = 5 * kSecond});
    EXPECT_EQ(step.newest(), (Tick{0, 5 * kSecond, 16'666'666, 1.0 / 60.0}));
    const SampleTime sample = step.sample();
    EXPECT_EQ(sample.time_ns, 5 * kSecond - 16'666'666);
    EXPECT_EQ(sample.now_ns, 5 * kSecond);
    EXPECT_EQ(sample.newest, step.newest());
    EXPECT_EQ(sample.epoch, 0U);
}

TEST(FixedStep, TheFirstTimeOnlySetsTheOrigin) {
    FixedStep step;
    const auto range = step.advance_to(-7 * kSecond);
    EXPECT_EQ(range.status(), ClockStatus::Started);
    EXPECT_TRUE(run(range).empty());
    const auto next = step.advance_to(-7 * kSecond + 40 * kMillisecond);
    EXPECT_EQ(next.status(), ClockStatus::Ok);
    const std::vector<Tick> ticks = run(next);
    ASSERT_EQ(ticks.size(), 2U);
    EXPECT_EQ(ticks[0], (Tick{1, 16'666'667, 16'666'667, 1.0 / 60.0}));
    EXPECT_EQ(ticks[1], (Tick{2, 33'333'334, 16'666'667, 1.0 / 60.0}));
    EXPECT_EQ(step.sample().time_ns, 40 * kMillisecond - 16'666'666);
}

TEST(FixedStep, EqualTimesAreFramesWithoutTicks) {
    FixedStep step;
    EXPECT_EQ(step.advance_to(3).status(), ClockStatus::Started);
    const auto range = step.advance_to(3);
    EXPECT_EQ(range.status(), ClockStatus::Ok);
    EXPECT_TRUE(run(range).empty());
}

TEST(FixedStep, AheadRunsUntilStrictlyAheadAndShowsThePresent) {
    FixedStep step({.rate = {10, 1}, .view = View::Ahead});
    EXPECT_EQ(run(step.advance_to(0)).size(), 1U); // At elapsed 0 already.
    EXPECT_EQ(step.sample().time_ns, 0);
    EXPECT_EQ(run(step.advance_to(kSecond / 10 - 1)).size(), 0U);
    EXPECT_EQ(run(step.advance_to(kSecond / 10)).size(), 1U);
    EXPECT_EQ(step.newest().time_ns, kSecond / 5);
    EXPECT_EQ(step.sample().time_ns, kSecond / 10);
}

// Trap 15: stamp 0 used as "unset".
TEST(FixedStep, ATickAtTimeZeroIsATickAsAnyOther) {
    FixedStep step({.rate = {10, 1}, .start_ns = -kSecond / 10});
    EXPECT_EQ(step.advance_to(0).status(), ClockStatus::Started);
    const std::vector<Tick> ticks = run(step.advance_to(kSecond / 10));
    ASSERT_EQ(ticks.size(), 1U);
    EXPECT_EQ(ticks[0], (Tick{1, 0, kSecond / 10, 0.1}));
    EXPECT_EQ(step.sample().newest, ticks[0]);
    EXPECT_EQ(step.advance_to(kSecond / 10).status(), ClockStatus::Ok);
}

TEST(FixedStep, TimeThatGoesBackIsRefusedEvenIfTicksAreLeft) {
    FixedStep step({.rate = {10, 1}});
    EXPECT_EQ(step.advance_to(0).status(), ClockStatus::Started);
    EXPECT_EQ(step.advance_to(kSecond / 2).begin()->index, 1); // Leaves four ticks.
    const SampleTime before = step.sample();
    const auto back = step.advance_to(kSecond / 2 - 1);
    EXPECT_EQ(back.status(), ClockStatus::TimeWentBack);
    EXPECT_TRUE(run(back).empty());
    const auto negative = step.advance_by(-1);
    EXPECT_EQ(negative.status(), ClockStatus::TimeWentBack);
    EXPECT_TRUE(run(negative).empty());
    EXPECT_EQ(step.sample().time_ns, before.time_ns);
    EXPECT_EQ(step.newest(), *before.newest);
    EXPECT_EQ(step.stats().refused_count, 2);
    EXPECT_EQ(run(step.advance_to(kSecond / 2)).size(), 4U);
}

TEST(FixedStep, AbsurdTimesAreRefusedAndTheLastGoodOnesAreNot) {
    FixedStep step;
    for (const std::int64_t absurd :
         {kMaxTimeNs + 1, -kMaxTimeNs - 1, std::numeric_limits<std::int64_t>::max(),
          std::numeric_limits<std::int64_t>::min()}) {
        EXPECT_EQ(step.advance_to(absurd).status(), ClockStatus::AbsurdTime);
    }
    EXPECT_EQ(step.advance_by(kMaxTimeNs + 1).status(), ClockStatus::AbsurdTime);
    EXPECT_EQ(step.stats().refused_count, 5);
    EXPECT_EQ(step.advance_to(-kMaxTimeNs).status(), ClockStatus::Started);
    EXPECT_EQ(step.advance_to(kMaxTimeNs).status(), ClockStatus::Discarded);
    EXPECT_EQ(step.stats().discarded_ns, 2 * kMaxTimeNs);
    EXPECT_EQ(step.advance_by(1).status(), ClockStatus::AbsurdTime);
    EXPECT_EQ(step.advance_by(0).status(), ClockStatus::Ok);
}

TEST(FixedStep, DeltasAndAbsoluteTimesMix) {
    FixedStep step({.rate = {10, 1}});
    EXPECT_EQ(run(step.advance_by(kSecond / 10)).size(), 1U); // No origin yet, and none is set.
    EXPECT_EQ(step.advance_to(50 * kSecond).status(), ClockStatus::Started);
    EXPECT_EQ(run(step.advance_by(kSecond / 10)).size(), 1U);
    EXPECT_EQ(step.advance_to(50 * kSecond).status(), ClockStatus::TimeWentBack);
    EXPECT_EQ(run(step.advance_to(50 * kSecond + kSecond / 5)).size(), 1U);
    EXPECT_EQ(step.stats().simulated_ns, 3 * kSecond / 10);
}

TEST(FixedStep, LeavingTheLoopEarlyHoldsThePictureAtTheNewestTick) {
    FixedStep step({.rate = {10, 1}});
    EXPECT_EQ(step.advance_by(kSecond / 2).begin()->index, 1);
    EXPECT_EQ(step.sample().time_ns, kSecond / 10);
    EXPECT_EQ(run(step.advance_by(0)).size(), 4U);
    EXPECT_EQ(step.sample().time_ns, 4 * kSecond / 10);
}

TEST(FixedStep, ABrokenSettingTakesItsDefault) {
    const ToleratedPreconditions tolerated;
    FixedStep step({.rate = {0, 1},
                    .max_ticks = 0,
                    .budget_ns = 0,
                    .discard_after_ns = -1,
                    .start_ns = kMaxTimeNs + 1});
    EXPECT_EQ(step.rate(), (Rate{60, 1}));
    EXPECT_EQ(step.newest().time_ns, 0);
    EXPECT_EQ(run(step.advance_by(kSecond)).size(), 8U);
    EXPECT_EQ(step.advance_by(2 * kSecond).status(), ClockStatus::Ok);
    EXPECT_EQ(step.advance_by(2 * kSecond + 1).status(), ClockStatus::Discarded);
#if GLISSADE_ENABLE_ASSERT
    EXPECT_EQ(broken_precondition_count, 5);
#endif
}

TEST(FixedStep, StartsAtBothEndsOfTime) {
    FixedStep late({.rate = {1, 1000}, .view = View::Ahead, .start_ns = kMaxTimeNs});
    EXPECT_EQ(run(late.advance_by(kSecond)).size(), 1U);
    EXPECT_EQ(late.newest().time_ns, kMaxTimeNs + 1000 * kSecond);
    FixedStep early({.rate = {1'000'000, 1}, .start_ns = -kMaxTimeNs});
    EXPECT_EQ(run(early.advance_by(1000)).size(), 1U);
    EXPECT_EQ(early.newest().time_ns, -kMaxTimeNs + 1000);
}

// Traps 10 and 11: the limit acts after scaling, and lost time is not silent.
TEST(FixedStep, AHitchAtTenfoldSpeedRunsNoMoreThanMaxTicksAndCountsTheRest) {
    FixedStep step({.rate = {60, 1}, .max_ticks = 8});
    ASSERT_TRUE(step.set_time_scale(10.0));
    EXPECT_EQ(step.time_scale(), 10.0);
    const auto range = step.advance_by(kSecond);
    EXPECT_EQ(range.status(), ClockStatus::Ok);
    EXPECT_EQ(run(range).size(), 8U);
    EXPECT_EQ(step.sample().now_ns, 149'999'999); // One nanosecond before the ninth tick.
    EXPECT_EQ(step.stats().dropped_ns, 10 * kSecond - 149'999'999);
    EXPECT_EQ(step.stats().dropped_count, 1);
    EXPECT_EQ(run(step.advance_by(1)).size(), 1U); // x10: the ninth is due at once.
}

TEST(FixedStep, DroppedTimeEqualsWallMinusSimulationAfterOverload) {
    for (const View view : {View::Behind, View::Ahead}) {
        FixedStep step({.rate = {60, 1}, .view = view, .max_ticks = 2});
        testing::Random random(11);
        std::int64_t wall_ns = 0;
        for (int frame = 0; frame < 2000; ++frame) {
            const std::int64_t elapsed_ns = random.between(0, 100 * kMillisecond);
            wall_ns += elapsed_ns;
            ASSERT_LE(run(step.advance_by(elapsed_ns)).size(), 2U);
            ASSERT_EQ(step.stats().dropped_ns, wall_ns - step.sample().now_ns);
        }
        EXPECT_GT(step.stats().dropped_count, 100);
        EXPECT_EQ(step.stats().stretched_count, 0);
    }
}

TEST(FixedStep, SlowStopsWhenTheBudgetIsSpent) {
    FixedStep step({.rate = {60, 1}, .overload = Overload::Slow, .budget_ns = 12 * kMillisecond});
    int ticks = 0;
    for (const Tick& tick : step.advance_by(100 * kMillisecond)) {
        EXPECT_EQ(tick.index, ++ticks);
        step.report_cost(5 * kMillisecond);
    }
    EXPECT_EQ(ticks, 3);
    EXPECT_EQ(step.sample().now_ns, 66'666'666); // One nanosecond before the fourth tick.
    EXPECT_EQ(step.stats().stretched_ns, 100 * kMillisecond - 66'666'666);
    EXPECT_EQ(step.stats().stretched_count, 1);
    EXPECT_EQ(step.stats().dropped_count, 0);
}

TEST(FixedStep, SlowGivesEveryFrameOneTickAndTheGameRunsSlower) {
    constexpr std::int64_t kCost = 20 * kMillisecond; // For ticks of 16.7 ms.
    FixedStep step({.rate = {60, 1}, .overload = Overload::Slow});
    for (int frame = 0; frame < 600; ++frame) {
        int ticks = 0;
        for (const Tick& tick : step.advance_by(kCost)) {
            EXPECT_EQ(tick.index, step.newest().index);
            step.report_cost(kCost);
            ++ticks;
        }
        ASSERT_EQ(ticks, 1);
    }
    EXPECT_EQ(step.stats().tick_count, 600);
    EXPECT_EQ(step.stats().simulated_ns + step.stats().stretched_ns, 600 * kCost);
}

TEST(FixedStep, SlowStillHonoursMaxTicks) {
    FixedStep step({.rate = {60, 1}, .overload = Overload::Slow, .max_ticks = 2});
    EXPECT_EQ(run(step.advance_by(kSecond)).size(), 2U);
    EXPECT_EQ(step.stats().dropped_count, 1);
    EXPECT_EQ(step.stats().stretched_count, 0);
}

TEST(FixedStep, CostsThatMakeNoSenseAreBounded) {
    FixedStep step({.overload = Overload::Slow});
    for (const Tick& tick : step.advance_by(100 * kMillisecond)) {
        EXPECT_EQ(tick.index, step.newest().index);
        step.report_cost(std::numeric_limits<std::int64_t>::min());
    }
    EXPECT_EQ(step.stats().tick_count, 6);
    for (const Tick& tick : step.advance_by(100 * kMillisecond)) {
        EXPECT_EQ(tick.index, step.newest().index);
        step.report_cost(std::numeric_limits<std::int64_t>::max());
        step.report_cost(std::numeric_limits<std::int64_t>::max());
    }
    EXPECT_EQ(step.stats().tick_count, 7);
}

// Runs `duration_ns` of 10 ms frames in which every tick costs `cost_ns`.
void run_with_cost(FixedStep& step, std::int64_t duration_ns, std::int64_t cost_ns) {
    for (std::int64_t t = 0; t < duration_ns; t += 10 * kMillisecond) {
        for (const Tick& tick : step.advance_by(10 * kMillisecond)) {
            EXPECT_EQ(tick.index, step.newest().index);
            step.report_cost(cost_ns);
        }
    }
}

TEST(FixedStep, WidenTakesLongerStepsUnderLoadAndReturnsWhenItGoes) {
    FixedStep step({.rate = {60, 1}, .overload = Overload::Widen});
    run_with_cost(step, 3 * kSecond, 20 * kMillisecond);
    EXPECT_EQ(step.rate(), (Rate{30, 1}));
    run_with_cost(step, 3 * kSecond, 40 * kMillisecond);
    EXPECT_EQ(step.rate(), (Rate{15, 1}));
    run_with_cost(step, 3 * kSecond, 200 * kMillisecond); // No wider step exists.
    EXPECT_EQ(step.rate(), (Rate{15, 1}));
    run_with_cost(step, 10 * kSecond, 2 * kMillisecond);
    EXPECT_EQ(step.rate(), (Rate{60, 1}));
    EXPECT_EQ(step.stats().widened_count, 2);
    EXPECT_EQ(step.stats().narrowed_count, 2);
}

TEST(FixedStep, WidenHasHysteresis) {
    FixedStep step({.rate = {60, 1}, .overload = Overload::Widen});
    run_with_cost(step, 10 * kSecond, 12 * kMillisecond); // 0.72 of 1/60 s: between the limits.
    EXPECT_EQ(step.rate(), (Rate{60, 1}));
    run_with_cost(step, 3 * kSecond, 20 * kMillisecond);
    EXPECT_EQ(step.rate(), (Rate{30, 1}));
    run_with_cost(step, 10 * kSecond, 12 * kMillisecond);
    EXPECT_EQ(step.rate(), (Rate{30, 1}));
    EXPECT_EQ(step.stats().widened_count + step.stats().narrowed_count, 1);
}

// When a clock widens if every tick costs 4/3 of its length.
double time_to_widen_s(std::int64_t hertz) {
    FixedStep step({.rate = {hertz, 1},
                    .overload = Overload::Widen,
                    .wider_rates = {{{1, 1}, {1, 1}, {1, 1}}}});
    const std::int64_t cost_ns = step.rate().period_ns() * 4 / 3;
    std::int64_t widened_ns = 0;
    while (step.stats().widened_count == 0) {
        for (const Tick& tick : step.advance_by(step.newest().duration_ns)) {
            widened_ns = step.stats().widened_count == 0 ? tick.time_ns : widened_ns;
            step.report_cost(cost_ns);
        }
    }
    return static_cast<double>(widened_ns) * 1e-9;
}

TEST(FixedStep, WidenAnswersAfterTheSameTimeAtEveryRate) {
    for (const std::int64_t hertz : {30, 60, 240, 1000}) {
        // 4/3 (1 - exp(-t / 0.5 s)) > 0.9 from t = 0.5 s ln(1 / 0.325) on, in whole ticks.
        const double seconds = time_to_widen_s(hertz);
        EXPECT_GE(seconds, 0.56196);
        EXPECT_LE(seconds, 0.56197 + 1.0 / static_cast<double>(hertz));
    }
}

TEST(FixedStep, WiderRatesThatAreNotSlowerAreLeftOut) {
    FixedStep step({.rate = {30, 1},
                    .overload = Overload::Widen,
                    .wider_rates = {{{60, 1}, {0, 0}, {20, 1}}}});
    run_with_cost(step, 3 * kSecond, 40 * kMillisecond);
    EXPECT_EQ(step.rate(), (Rate{20, 1}));
    EXPECT_EQ(step.stats().widened_count, 1);
}

TEST(FixedStep, SetRateUnderWidenBecomesTheRateToReturnTo) {
    FixedStep step({.rate = {60, 1}, .overload = Overload::Widen});
    run_with_cost(step, 3 * kSecond, 20 * kMillisecond);
    ASSERT_EQ(step.rate(), (Rate{30, 1}));
    ASSERT_TRUE(step.set_rate({30, 1}));
    run_with_cost(step, 5 * kSecond, kMillisecond);
    EXPECT_EQ(step.rate(), (Rate{30, 1}));
    EXPECT_EQ(step.stats().narrowed_count, 0);
}

TEST(FixedStep, DropIgnoresCosts) {
    FixedStep step;
    run_with_cost(step, kSecond, kSecond);
    EXPECT_EQ(step.stats().tick_count, 60);
    EXPECT_EQ(step.rate(), (Rate{60, 1}));
}

TEST(FixedStep, AnAbsurdGapIsLeftOutWholeAndReported) {
    FixedStep step({.rate = {10, 1}, .max_ticks = 100});
    EXPECT_EQ(step.advance_to(0).status(), ClockStatus::Started);
    EXPECT_EQ(run(step.advance_to(2 * kSecond)).size(), 20U); // Exactly the limit is believed.
    const SampleTime before = step.sample();
    const auto gap = step.advance_to(4 * kSecond + 1);
    EXPECT_EQ(gap.status(), ClockStatus::Discarded);
    EXPECT_TRUE(run(gap).empty());
    EXPECT_EQ(step.sample().time_ns, before.time_ns);
    EXPECT_EQ(step.sample().epoch, before.epoch + 1);
    EXPECT_EQ(step.stats().discarded_ns, 2 * kSecond + 1);
    EXPECT_EQ(step.stats().discarded_count, 1);
    EXPECT_EQ(run(step.advance_to(4 * kSecond + 1 + kSecond / 10)).size(), 1U);
    EXPECT_EQ(step.sample().time_ns, before.time_ns + kSecond / 10);
}

TEST(FixedStep, AGapIsJudgedInRealTimeAndCountedInScaledTime) {
    FixedStep step({.max_ticks = 10'000});
    ASSERT_TRUE(step.set_time_scale(100.0));
    EXPECT_EQ(run(step.advance_by(kSecond / 30)).size(), 199U); // 3.3 s of simulation.
    ASSERT_TRUE(step.set_time_scale(0.25));
    EXPECT_EQ(step.advance_by(4 * kSecond).status(), ClockStatus::Discarded);
    EXPECT_EQ(step.stats().discarded_ns, kSecond);
}

// Trap 12: pause sweeps alpha.
TEST(FixedStep, PauseFreezesTheSampleAtAnyPhaseAndResumingHasNoJump) {
    testing::Random random(12);
    for (int round = 0; round < 200; ++round) {
        FixedStep step({.view = round % 2 == 0 ? View::Behind : View::Ahead});
        std::int64_t present_ns = random.between(-kSecond, kSecond);
        run(step.advance_to(present_ns));
        run(step.advance_to(present_ns += random.between(0, 100 * kMillisecond)));
        const SampleTime frozen = step.sample();
        step.pause();
        EXPECT_TRUE(step.paused());
        for (int frame = 0; frame < 60; ++frame) {
            const auto range = step.advance_to(present_ns += kSecond / 60);
            ASSERT_EQ(range.status(), ClockStatus::Ok);
            ASSERT_TRUE(run(range).empty());
            ASSERT_EQ(step.sample().time_ns, frozen.time_ns);
            ASSERT_EQ(step.newest(), *frozen.newest);
        }
        EXPECT_EQ(step.advance_to(present_ns += 3600 * kSecond).status(), ClockStatus::Ok);
        step.resume();
        run(step.advance_to(present_ns));
        ASSERT_EQ(step.sample().time_ns, frozen.time_ns);
        run(step.advance_to(present_ns + 1234));
        ASSERT_EQ(step.sample().time_ns, frozen.time_ns + 1234);
        EXPECT_EQ(step.sample().epoch, frozen.epoch);
    }
}

TEST(FixedStep, AtScaleZeroNothingMovesAndNothingIsDiscarded) {
    FixedStep step;
    run(step.advance_by(40 * kMillisecond));
    const SampleTime frozen = step.sample();
    ASSERT_TRUE(step.set_time_scale(0.0));
    EXPECT_EQ(step.advance_by(3600 * kSecond).status(), ClockStatus::Ok);
    EXPECT_EQ(step.sample().time_ns, frozen.time_ns);
    EXPECT_EQ(step.sample().epoch, frozen.epoch);
    EXPECT_FALSE(step.set_time_scale(-1.0));
    EXPECT_EQ(step.time_scale(), 0.0);
}

TEST(FixedStep, ATicksStepIsTheSameAtEveryTimeScale) {
    FixedStep step;
    ASSERT_TRUE(step.set_time_scale(0.25));
    for (int frame = 0; frame < 100; ++frame) {
        for (const Tick& tick : step.advance_by(kSecond / 60)) {
            EXPECT_EQ(tick.step_s, 1.0 / 60.0);
        }
    }
    EXPECT_EQ(step.stats().tick_count, 24); // 100 frames less 100 * 2/3 ns: just short of 25 ticks.
}

TEST(FixedStep, AnInvalidRateIsRefusedAndChangesNothing) {
    FixedStep step;
    EXPECT_FALSE(step.set_rate({0, 1}));
    EXPECT_FALSE(step.set_rate({1, 5000}));
    EXPECT_EQ(step.rate(), (Rate{60, 1}));
}

TEST(FixedStep, TheSameRateAgainKeepsTheGrid) {
    FixedStep step({.rate = {60, 1}});
    for (int frame = 0; frame < 600; ++frame) {
        EXPECT_TRUE(step.set_rate({60, 1}));
        run(step.advance_by(10 * kMillisecond));
    }
    EXPECT_EQ(step.stats().tick_count, 360);
    EXPECT_EQ(step.newest().time_ns, 6 * kSecond);
}

} // namespace
} // namespace glissade
