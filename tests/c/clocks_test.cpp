// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <cmath>
#include <span>

namespace glissade::c_test {
namespace {

constexpr double kRateHz = 50.0;
constexpr double kPeriodMs = 20.0;
constexpr std::uint32_t kMaxTicks = 8;

std::span<const glissade_step> advance(const FixedStepClock& clock, double present_ms) {
    const std::uint32_t count = glissade_fixed_step_advance(clock.get(), present_ms);
    return {glissade_fixed_step_steps(clock.get()), count};
}

glissade_sample sample(const FixedStepClock& clock) {
    glissade_sample sample{};
    glissade_fixed_step_sample(clock.get(), &sample);
    return sample;
}

std::span<const glissade_step> wake(const Pacer& pacer, double now_ms) {
    const std::uint32_t count = glissade_pacer_wake(pacer.get(), now_ms);
    return {glissade_pacer_steps(pacer.get()), count};
}

FixedStepClock make_fixed_step() {
    return FixedStepClock(glissade_fixed_step_create(kRateHz, kMaxTicks));
}

Pacer make_pacer(double start_ms = 0.0) {
    return Pacer(glissade_pacer_create(kRateHz, kMaxTicks, start_ms));
}

TEST(CFixedStep, RunsAsManyTicksAsTimeHasPassed) {
    const FixedStepClock clock = make_fixed_step();
    double ticks = 0.0;
    for (int frame = 0; frame <= 1000; ++frame) {
        for (const glissade_step& step : advance(clock, 500.0 + kFrameMs * frame)) {
            EXPECT_EQ(step.tick, ++ticks);
            EXPECT_EQ(step.time_ms, ticks * kPeriodMs);
            EXPECT_EQ(step.duration_ms, kPeriodMs);
            EXPECT_EQ(step.step_s, 1.0 / kRateHz);
            EXPECT_TRUE(std::isnan(step.due_ms));
        }
        EXPECT_EQ(ticks, std::floor(kFrameMs * frame / kPeriodMs)) << frame;
        EXPECT_EQ(sample(clock).newest_tick, ticks);
    }
}

TEST(CFixedStep, AlphaIsThePlaceOfTheFrameBetweenTheLastTwoTicks) {
    const FixedStepClock clock = make_fixed_step();
    EXPECT_EQ(advance(clock, 0.0).size(), 0U);
    EXPECT_EQ(advance(clock, 40.0).size(), 2U);
    // One tick behind, the frame of 40 ms shows the tick before the newest.
    EXPECT_EQ(sample(clock).time_ms, 20.0);
    EXPECT_EQ(sample(clock).alpha, 0.0);
    EXPECT_EQ(advance(clock, 45.0).size(), 0U);
    EXPECT_EQ(sample(clock).alpha, 0.25);
    EXPECT_EQ(advance(clock, 55.0).size(), 0U);
    EXPECT_EQ(sample(clock).alpha, 0.75);
    EXPECT_EQ(sample(clock).time_ms, 35.0);
}

TEST(CFixedStep, RunsNoMoreThanItsMostTicksInAFrame) {
    const FixedStepClock clock(glissade_fixed_step_create(kRateHz, 3));
    EXPECT_EQ(advance(clock, 0.0).size(), 0U);
    EXPECT_EQ(advance(clock, 1000.0).size(), 3U);
}

TEST(CFixedStep, InSlowMotionTicksKeepTheirSizeAndComeLessOften) {
    const FixedStepClock clock = make_fixed_step();
    EXPECT_EQ(glissade_fixed_step_set_time_scale(clock.get(), 0.5), 1);
    EXPECT_EQ(advance(clock, 0.0).size(), 0U);
    const auto steps = advance(clock, 100.0);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[1].time_ms, 40.0);
}

TEST(CFixedStep, APauseHoldsThePictureAndItsEndHasNoJump) {
    const FixedStepClock clock = make_fixed_step();
    advance(clock, 0.0);
    advance(clock, 50.0);
    const double shown_ms = sample(clock).time_ms;
    glissade_fixed_step_set_paused(clock.get(), 1);
    EXPECT_EQ(advance(clock, 500.0).size(), 0U);
    EXPECT_EQ(sample(clock).time_ms, shown_ms);
    glissade_fixed_step_set_paused(clock.get(), 0);
    EXPECT_EQ(advance(clock, 507.0).size(), 0U);
    EXPECT_EQ(sample(clock).time_ms, shown_ms + 7.0);
}

TEST(CFixedStep, ATimeThatNoClockShowsRunsNothing) {
    const FixedStepClock clock = make_fixed_step();
    advance(clock, 0.0);
    advance(clock, 50.0);
    const double shown_ms = sample(clock).time_ms;
    EXPECT_EQ(advance(clock, kNone).size(), 0U);
    EXPECT_THAT(glissade_problem(),
                says("glissade_fixed_step_advance: a time that no clock shows"));
    EXPECT_EQ(sample(clock).time_ms, shown_ms);
    EXPECT_EQ(advance(clock, 60.0).size(), 1U);
}

TEST(CPacer, TicksAreDueOnAnAbsoluteScheduleHoweverLateItWakes) {
    const Pacer pacer = make_pacer();
    constexpr double kBegin = 1000.0;
    EXPECT_EQ(wake(pacer, kBegin).size(), 0U);
    double ticks = 0.0;
    for (int i = 0; i < 500; ++i) {
        const double late_ms = i % 7 == 0 ? 3.0 * kPeriodMs : 0.25;
        for (const glissade_step& step :
             wake(pacer, glissade_pacer_next_due(pacer.get()) + late_ms)) {
            EXPECT_EQ(step.tick, ++ticks);
            EXPECT_EQ(step.time_ms, ticks * kPeriodMs);
            EXPECT_EQ(step.due_ms, kBegin + ticks * kPeriodMs);
        }
        EXPECT_EQ(glissade_pacer_next_due(pacer.get()), kBegin + (ticks + 1.0) * kPeriodMs);
    }
    EXPECT_GT(ticks, 500.0);
    EXPECT_EQ(glissade_pacer_epoch(pacer.get()), 0.0);
}

TEST(CPacer, BeforeItsDueTimeThereIsNoTick) {
    const Pacer pacer = make_pacer();
    wake(pacer, 0.0);
    const double due_ms = glissade_pacer_next_due(pacer.get());
    EXPECT_EQ(due_ms, kPeriodMs);
    EXPECT_EQ(wake(pacer, due_ms - 1e-6).size(), 0U) << "a nanosecond before";
    EXPECT_EQ(wake(pacer, due_ms).size(), 1U);
}

TEST(CPacer, TheEpochChangesWhenTimeWasGivenUp) {
    const Pacer pacer = make_pacer();
    wake(pacer, 0.0);
    EXPECT_EQ(wake(pacer, 100.0 * kPeriodMs).size(), kMaxTicks);
    EXPECT_EQ(glissade_pacer_epoch(pacer.get()), 1.0);
}

TEST(CPacer, SourceTimeBeginsWhereItIsTold) {
    const Pacer pacer = make_pacer(5000.0);
    wake(pacer, 0.0);
    const auto steps = wake(pacer, kPeriodMs);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].time_ms, 5000.0 + kPeriodMs);
    EXPECT_EQ(steps[0].due_ms, kPeriodMs);
}

TEST(CPacer, InSlowMotionTicksAreDueFartherApart) {
    const Pacer pacer = make_pacer();
    EXPECT_EQ(glissade_pacer_set_time_scale(pacer.get(), 0.5), 1);
    wake(pacer, 0.0);
    EXPECT_EQ(glissade_pacer_next_due(pacer.get()), 2.0 * kPeriodMs);
}

TEST(CPacer, APauseRunsNothingAndItsEndHasNoBurst) {
    const Pacer pacer = make_pacer();
    wake(pacer, 0.0);
    glissade_pacer_set_paused(pacer.get(), 1);
    EXPECT_EQ(wake(pacer, 10.0 * kPeriodMs).size(), 0U);
    glissade_pacer_set_paused(pacer.get(), 0);
    EXPECT_EQ(wake(pacer, 20.0 * kPeriodMs).size(), 0U);
    EXPECT_EQ(wake(pacer, 21.0 * kPeriodMs).size(), 1U);
    EXPECT_EQ(glissade_pacer_epoch(pacer.get()), 0.0);
}

TEST(CPacer, ATimeThatNoClockShowsRunsNothing) {
    const Pacer pacer = make_pacer();
    wake(pacer, 0.0);
    EXPECT_EQ(wake(pacer, kNone).size(), 0U);
    EXPECT_THAT(glissade_problem(), says("glissade_pacer_wake: a time that no clock shows"));
    EXPECT_EQ(wake(pacer, kPeriodMs).size(), 1U);
}

TEST(CClocks, ARateThatNoClockCanHaveIsRefusedWithAReason) {
    for (const double rate_hz : {0.0, -60.0, kNone, kForever, 1e-9, 1e9}) {
        EXPECT_EQ(glissade_fixed_step_create(rate_hz, 1), nullptr) << rate_hz;
        EXPECT_THAT(glissade_problem(),
                    says("glissade_fixed_step_create: a rate that no clock can have"));
        EXPECT_EQ(glissade_pacer_create(rate_hz, 1, 0.0), nullptr) << rate_hz;
        EXPECT_THAT(glissade_problem(),
                    says("glissade_pacer_create: a rate that no clock can have"));
    }
}

TEST(CClocks, MostTicksOutOfRangeAreRefusedWithAReason) {
    for (const std::uint32_t max_ticks : {0U, 1001U, 0xFFFFFFFFU}) {
        EXPECT_EQ(glissade_fixed_step_create(kRateHz, max_ticks), nullptr) << max_ticks;
        EXPECT_THAT(glissade_problem(), says("glissade_fixed_step_create: max_ticks must be 1 to"));
        EXPECT_EQ(glissade_pacer_create(kRateHz, max_ticks, 0.0), nullptr) << max_ticks;
        EXPECT_THAT(glissade_problem(), says("glissade_pacer_create: max_ticks must be 1 to"));
    }
    EXPECT_NE(FixedStepClock(glissade_fixed_step_create(kRateHz, 1000)), nullptr);
}

TEST(CClocks, AStartThatNoClockShowsIsRefusedWithAReason) {
    EXPECT_EQ(glissade_pacer_create(kRateHz, 1, kNone), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_pacer_create: a start that no clock shows"));
}

TEST(CClocks, ATimeScaleOutOfRangeIsRefusedAndChangesNothing) {
    const FixedStepClock clock = make_fixed_step();
    const Pacer pacer = make_pacer();
    for (const double scale : {-1.0, kNone, 1001.0}) {
        EXPECT_EQ(glissade_fixed_step_set_time_scale(clock.get(), scale), 0) << scale;
        EXPECT_THAT(glissade_problem(),
                    says("glissade_fixed_step_set_time_scale: a time scale out of range"));
        EXPECT_EQ(glissade_pacer_set_time_scale(pacer.get(), scale), 0) << scale;
        EXPECT_THAT(glissade_problem(),
                    says("glissade_pacer_set_time_scale: a time scale out of range"));
    }
    wake(pacer, 0.0);
    EXPECT_EQ(glissade_pacer_next_due(pacer.get()), kPeriodMs);
}

} // namespace
} // namespace glissade::c_test
