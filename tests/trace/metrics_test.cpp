// SPDX-License-Identifier: MIT
#include "glissade/trace/metrics.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kFrameNs = 10'000'000;
// Quotients of whole nanoseconds, and a mean of them: some roundings of 1.1e-16 each.
constexpr double kRounding = 1e-14;

// Frames of 10 ms, and how much shown time each of them advances, in microseconds.
std::vector<ShownFrame> make_frames(const std::vector<std::int64_t>& steps_us) {
    std::vector<ShownFrame> frames{{.present_ns = 5'000'000, .shown_ns = -20'000'000}};
    for (const std::int64_t step_us : steps_us) {
        const ShownFrame& last = frames.back();
        frames.push_back(
            {.present_ns = last.present_ns + kFrameNs, .shown_ns = last.shown_ns + step_us * 1000});
    }
    return frames;
}

RateMetrics measure(const std::vector<std::int64_t>& steps_us) {
    return compute_rate_metrics(make_frames(steps_us));
}

TEST(RateMetrics, WithoutAStepEverythingIsZero) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}}) {
        const RateMetrics metrics = compute_rate_metrics(std::vector<ShownFrame>(count));
        EXPECT_EQ(metrics.scored_count, 0U);
        EXPECT_EQ(metrics.mean_rate, 0.0);
        EXPECT_EQ(metrics.rate_rms, 0.0);
        EXPECT_EQ(metrics.rate_p99, 0.0);
        EXPECT_EQ(metrics.hold_count, 0U);
        EXPECT_EQ(metrics.animation_error_rms_ms, 0.0);
        EXPECT_EQ(metrics.animation_error_p99_ms, 0.0);
    }
}

TEST(RateMetrics, ASteadyPictureOfASlowSourceHasNoRateError) {
    const RateMetrics metrics = measure(std::vector<std::int64_t>(100, 8'000));
    EXPECT_EQ(metrics.scored_count, 100U);
    EXPECT_NEAR(metrics.mean_rate, 0.8, kRounding);
    EXPECT_NEAR(metrics.rate_rms, 0.0, kRounding);
    EXPECT_NEAR(metrics.rate_p99, 0.0, kRounding);
    EXPECT_EQ(metrics.hold_count + metrics.jump_count + metrics.backward_count, 0U);
    // Animation error knows no mean: 2 of 10 ms are missing in every frame.
    EXPECT_NEAR(metrics.animation_error_rms_ms, 2.0, kRounding);
    EXPECT_NEAR(metrics.animation_error_p99_ms, 2.0, kRounding);
}

TEST(RateMetrics, AlternatingStepsOfOneAndAHalfAndHalfErrByHalf) {
    const RateMetrics metrics = measure({15'000, 5'000, 15'000, 5'000});
    EXPECT_NEAR(metrics.mean_rate, 1.0, kRounding);
    EXPECT_NEAR(metrics.rate_rms, 0.5, kRounding);
    EXPECT_NEAR(metrics.rate_p99, 0.5, kRounding);
    EXPECT_NEAR(metrics.animation_error_rms_ms, 5.0, kRounding);
}

TEST(RateMetrics, ErrorsAreMeasuredAgainstTheMeanRate) {
    // The same at half the speed: a mean of 0.5, and 7.5 and 2.5 of 10 ms.
    const RateMetrics metrics = measure({7'500, 2'500, 7'500, 2'500});
    EXPECT_NEAR(metrics.mean_rate, 0.5, kRounding);
    EXPECT_NEAR(metrics.rate_rms, 0.5, kRounding);
    // sqrt((2.5^2 + 7.5^2) / 2).
    EXPECT_NEAR(metrics.animation_error_rms_ms, std::sqrt(31.25), kRounding);
    EXPECT_NEAR(metrics.animation_error_p99_ms, 7.5, kRounding);
}

TEST(RateMetrics, AFrameThatStoodIsAHoldAndOneThatMadeUpForItAJump) {
    const RateMetrics metrics = measure({10'000, 0, 20'000, 10'000});
    EXPECT_EQ(metrics.hold_count, 1U);
    EXPECT_EQ(metrics.jump_count, 1U);
    EXPECT_EQ(metrics.backward_count, 0U);
}

TEST(RateMetrics, AHoldIsARateBelowATwentieth) {
    EXPECT_EQ(measure({501, 19'499}).hold_count, 0U);
    EXPECT_EQ(measure({499, 19'501}).hold_count, 1U);
}

TEST(RateMetrics, AJumpIsARateAboveOneAndAHalf) {
    EXPECT_EQ(measure({14'990, 5'010}).jump_count, 0U);
    EXPECT_EQ(measure({15'010, 4'990}).jump_count, 1U);
}

TEST(RateMetrics, ShownTimeThatRunsBackIsCounted) {
    const RateMetrics metrics = measure({10'000, -5'000, 25'000, 10'000});
    EXPECT_EQ(metrics.backward_count, 1U);
    EXPECT_EQ(metrics.hold_count, 1U);
    EXPECT_EQ(metrics.jump_count, 1U);
}

TEST(RateMetrics, APictureThatNeverMovesOnIsAllHolds) {
    const RateMetrics metrics = measure({0, 0, 0});
    EXPECT_EQ(metrics.mean_rate, 0.0);
    EXPECT_EQ(metrics.rate_rms, 1.0);
    EXPECT_EQ(metrics.hold_count, 3U);
    EXPECT_EQ(metrics.backward_count, 0U);
}

TEST(RateMetrics, APictureThatRunsBackOnTheWholeIsNotSmooth) {
    const RateMetrics metrics = measure({-10'000, -10'000});
    EXPECT_NEAR(metrics.mean_rate, -1.0, kRounding);
    EXPECT_EQ(metrics.rate_rms, 1.0);
    EXPECT_EQ(metrics.backward_count, 2U);
}

TEST(RateMetrics, StepsThatAreNotScoredCountNowhere) {
    std::vector<ShownFrame> frames = make_frames({10'000, 900'000, 10'000, -50'000, 10'000});
    frames[0].scored = false; // There is no step to the first frame.
    frames[2].scored = false;
    frames[4].scored = false;
    const RateMetrics metrics = compute_rate_metrics(frames);
    EXPECT_EQ(metrics.scored_count, 3U);
    EXPECT_NEAR(metrics.mean_rate, 1.0, kRounding);
    EXPECT_NEAR(metrics.rate_rms, 0.0, kRounding);
    EXPECT_NEAR(metrics.animation_error_p99_ms, 0.0, kRounding);
    EXPECT_EQ(metrics.jump_count + metrics.backward_count, 0U);
}

TEST(RateMetrics, AStepWithoutElapsedTimeIsLeftOut) {
    std::vector<ShownFrame> frames = make_frames({10'000, 10'000, 10'000});
    frames.insert(frames.begin() + 2, frames[1]);
    frames[2].shown_ns += 1; // No time passed, yet the picture moved: no rate has that.
    frames.push_back(frames.back());
    frames.back().present_ns -= 1;
    const RateMetrics metrics = compute_rate_metrics(frames);
    EXPECT_EQ(metrics.scored_count, 3U);
    EXPECT_TRUE(std::isfinite(metrics.rate_rms));
    EXPECT_EQ(metrics.jump_count, 0U);
}

TEST(RateMetrics, DeclaredSlowMotionIsNoError) {
    // Half of the run at a quarter of the speed, and the source says so.
    std::vector<ShownFrame> frames = make_frames({10'000, 10'000, 2'500, 2'500});
    EXPECT_GT(compute_rate_metrics(frames).rate_rms, 0.5);
    frames[3].scale = 0.25;
    frames[4].scale = 0.25;
    const RateMetrics metrics = compute_rate_metrics(frames);
    EXPECT_NEAR(metrics.mean_rate, 1.0, kRounding);
    EXPECT_NEAR(metrics.rate_rms, 0.0, kRounding);
    EXPECT_NEAR(metrics.animation_error_rms_ms, 0.0, kRounding);
}

TEST(RateMetrics, OneStepInAHundredLiesAboveTheTail) {
    std::vector<std::int64_t> steps(200, 10'000);
    steps[20] = 4'000;
    steps[60] = 16'000;
    // 198 of 200 are 99 %: the two bad ones are the rest.
    EXPECT_NEAR(measure(steps).rate_p99, 0.0, kRounding);
    EXPECT_NEAR(measure(steps).animation_error_p99_ms, 0.0, kRounding);
    steps[100] = 4'000;
    steps[140] = 16'000;
    EXPECT_NEAR(measure(steps).rate_p99, 0.6, kRounding);
    EXPECT_NEAR(measure(steps).animation_error_p99_ms, 6.0, kRounding);
}

TEST(Quantile, IsTheSmallestValueThatEnoughOthersDoNotExceed) {
    std::vector<double> values(100);
    std::iota(values.rbegin(), values.rend(), 1.0); // 100 down to 1.
    EXPECT_EQ(compute_quantile(values, 0.5), 50.0);
    EXPECT_EQ(compute_quantile(values, 0.501), 51.0);
    EXPECT_EQ(compute_quantile(values, 0.99), 99.0);
    EXPECT_EQ(compute_quantile(values, 0.0), 1.0);
    EXPECT_EQ(compute_quantile(values, 1.0), 100.0);
}

TEST(Quantile, AFractionOutsideItsRangeIsTheNearestEnd) {
    EXPECT_EQ(compute_quantile({2.0, 3.0, 1.0}, -1.0), 1.0);
    EXPECT_EQ(compute_quantile({2.0, 3.0, 1.0}, 7.0), 3.0);
}

TEST(Quantile, OfNothingIsZeroAndOfOneValueIsThatValue) {
    EXPECT_EQ(compute_quantile({}, 0.5), 0.0);
    EXPECT_EQ(compute_quantile({-4.0}, 0.01), -4.0);
}

TEST(Rms, IsTheRootOfTheMeanOfSquares) {
    EXPECT_EQ(compute_rms({}), 0.0);
    const std::vector<double> values = {3.0, -4.0};
    EXPECT_DOUBLE_EQ(compute_rms(values), std::sqrt(12.5));
}

} // namespace
} // namespace glissade
