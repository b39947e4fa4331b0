// SPDX-License-Identifier: MIT
#include "glissade/time/delay.h"

#include <cmath>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kTickNs = 16 * kMs;
constexpr std::int64_t kFrameNs = 8 * kMs;
constexpr std::int64_t kMarginNs = 500'000;

// States 16 ms apart, each late by what the test says, with two frames in between.
class DelayRun {
public:
    explicit DelayRun(const DelayConfig& config = {}) : delay(config) {}

    void states(int count, std::int64_t lateness_ns, std::int64_t tick_ns = kTickNs) {
        for (int i = 0; i < count; ++i) {
            now_ns_ += tick_ns;
            delay.add({.arrival_ns = now_ns_,
                       .lateness_ns = lateness_ns,
                       .tick_ns = tick_ns,
                       .deviation_ns = deviation_ns});
            for (std::int64_t passed = 0; passed < tick_ns; passed += kFrameNs) {
                const std::int64_t before = delay.delay_ns();
                delay.advance_by(kFrameNs, 1.0);
                note(before);
            }
        }
    }

    Delay delay;
    double deviation_ns = 0.0;
    double fastest_growth = 0.0;
    double fastest_shrinking = 0.0;

private:
    void note(std::int64_t before) {
        const double step = static_cast<double>(delay.delay_ns() - before) / kFrameNs;
        if (before > 0) {
            fastest_growth = std::max(fastest_growth, step);
            fastest_shrinking = std::max(fastest_shrinking, -step);
        }
    }

    std::int64_t now_ns_ = 0;
};

TEST(Delay, StartsAtTheLargestNeedAtLeastATickAnd4Ms) {
    DelayRun calm;
    EXPECT_EQ(calm.delay.delay_ns(), 0);
    calm.states(1, 0);
    EXPECT_EQ(calm.delay.delay_ns(), kTickNs + 4 * kMs + kMarginNs);

    DelayRun late;
    late.states(1, 9 * kMs);
    EXPECT_EQ(late.delay.delay_ns(), kTickNs + 9 * kMs + kMarginNs);
}

TEST(Delay, ComesToTheQuantileOfWhatIsNeeded) {
    DelayRun run;
    for (int i = 0; i < 150; ++i) {
        run.states(1, 6 * kMs);
        run.states(3, 1 * kMs);
    }
    EXPECT_EQ(run.delay.target_ns(), kTickNs + 6 * kMs + kMarginNs);
    EXPECT_NEAR(static_cast<double>(run.delay.delay_ns()),
                static_cast<double>(run.delay.target_ns()), 1e5);
    EXPECT_EQ(run.delay.lateness_quantile_ns(0.5), 1 * kMs);
    EXPECT_EQ(run.delay.lateness_quantile_ns(0.995), 6 * kMs);
}

TEST(Delay, GrowsAndShrinksTooSlowlyToBeSeen) {
    DelayRun run;
    run.states(100, 2 * kMs);
    run.states(600, 30 * kMs);
    EXPECT_NEAR(static_cast<double>(run.delay.delay_ns()),
                static_cast<double>(kTickNs + 30 * kMs + kMarginNs), 1e5);
    EXPECT_LE(run.fastest_growth, 0.02 + 1e-9);
    run.states(1200, 0);
    EXPECT_NEAR(static_cast<double>(run.delay.delay_ns()), static_cast<double>(kTickNs + kMarginNs),
                1e5);
    EXPECT_LE(run.fastest_shrinking, 0.005 + 1e-9);
    EXPECT_GT(run.fastest_shrinking, 0.004);
}

TEST(Delay, ALittleTooMuchIsKept) {
    DelayRun run;
    run.states(600, 5 * kMs);
    const std::int64_t before = run.delay.delay_ns();
    run.states(600, 4 * kMs); // Within the dead band of 1.5 ms.
    EXPECT_EQ(run.delay.delay_ns(), before);
    run.states(1200, 0);
    EXPECT_LT(run.delay.delay_ns(), before - 2 * kMs);
}

TEST(Delay, OneLateStateMovesNothing) {
    DelayRun run;
    run.states(600, 2 * kMs);
    const std::int64_t before = run.delay.target_ns();
    run.states(1, 60 * kMs);
    run.states(1, 2 * kMs);
    EXPECT_EQ(run.delay.target_ns(), before);
}

TEST(Delay, AStallAndItsWakeDoNotCount) {
    DelayRun run;
    run.states(600, 2 * kMs);
    const std::int64_t before = run.delay.delay_ns();
    for (const std::int64_t late_ms : {180, 164, 148, 132, 116, 100, 84, 68, 52, 36, 20}) {
        run.states(1, late_ms * kMs);
    }
    run.states(10, 2 * kMs);
    EXPECT_EQ(run.delay.delay_ns(), before);
    EXPECT_EQ(run.delay.stall_count(), 1U);
    EXPECT_EQ(run.delay.lateness_quantile_ns(1.0), 2 * kMs);
}

TEST(Delay, WhatLastsIsNoStall) {
    DelayRun run;
    run.states(600, 2 * kMs);
    run.states(31, 150 * kMs); // 496 ms.
    EXPECT_EQ(run.delay.target_ns(), kTickNs + 2 * kMs + kMarginNs);
    run.states(400, 150 * kMs);
    EXPECT_NEAR(static_cast<double>(run.delay.delay_ns()),
                static_cast<double>(kTickNs + 150 * kMs + kMarginNs), 1e5);
    EXPECT_EQ(run.delay.stall_count(), 1U);
    EXPECT_LE(run.fastest_growth, 0.15) << "148 ms in a second";
    EXPECT_GT(run.fastest_growth, 0.12);
}

TEST(Delay, LongerTicksNeedMore) {
    DelayRun run;
    run.states(300, 2 * kMs);
    run.states(60, 2 * kMs, 2 * kTickNs);
    EXPECT_NEAR(static_cast<double>(run.delay.delay_ns()),
                static_cast<double>(2 * kTickNs + 2 * kMs + kMarginNs), 2e5);
}

TEST(Delay, ForgetsWhatIsOlderThanItsWindow) {
    DelayConfig config;
    config.window_ns = 1000 * kMs;
    DelayRun run(config);
    run.states(100, 20 * kMs);
    run.states(40, 1 * kMs);
    EXPECT_EQ(run.delay.target_ns(), kTickNs + 20 * kMs + kMarginNs);
    run.states(24, 1 * kMs); // 64 states of 16 ms are 1.02 s.
    EXPECT_EQ(run.delay.target_ns(), kTickNs + 1 * kMs + kMarginNs);
}

TEST(Delay, AFreeRunningSourceIsCoveredByDeviations) {
    DelayRun run(DelayConfig::free_running());
    run.deviation_ns = 4e6;
    run.states(600, 1 * kMs);
    EXPECT_EQ(run.delay.target_ns(), kTickNs + 13 * kMs + kMarginNs) << "3.25 deviations";
    EXPECT_LE(run.fastest_growth, 0.04 + 1e-9);
    EXPECT_LE(run.fastest_shrinking, 0.01 + 1e-9);
}

TEST(Delay, AFixedOneIsFixed) {
    DelayConfig config;
    config.fixed_ns = 42 * kMs;
    DelayRun run(config);
    EXPECT_EQ(run.delay.delay_ns(), 42 * kMs);
    run.states(100, 90 * kMs);
    EXPECT_EQ(run.delay.delay_ns(), 42 * kMs);
    EXPECT_EQ(run.delay.target_ns(), 42 * kMs);
}

TEST(Delay, LatenessInSlowMotionCostsLessSourceTime) {
    Delay delay;
    delay.add({.arrival_ns = 0, .lateness_ns = 40 * kMs, .tick_ns = kTickNs, .rate = 0.25});
    EXPECT_EQ(delay.target_ns(), kTickNs + 10 * kMs + kMarginNs);
}

TEST(Delay, GoesOnFromWhereItIsWithAnotherConfiguration) {
    DelayRun run;
    run.states(600, 2 * kMs);
    const std::int64_t before = run.delay.delay_ns();
    run.delay.configure(DelayConfig::free_running());
    EXPECT_EQ(run.delay.delay_ns(), before);
}

} // namespace
} // namespace glissade
