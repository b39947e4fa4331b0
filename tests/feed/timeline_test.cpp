// SPDX-License-Identifier: MIT
// A Timeline in ordinary use: lateness is not seen, and the display's stamp is used.
#include "feed/timeline_world.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::int64_t kRun = 10 * kSecond;
constexpr std::int64_t kWarm = 2 * kSecond;

TEST(Timeline, LatenessWithinAFixedDelayIsNotSeenAtAll) {
    const TimelineConfig config{.fixed_delay_ns = kTick60Ns + 8 * kMs};
    const std::vector<FrameTimes> frames = make_frames(kRun, 144.0);
    const Picture calm = play(make_scheduled(kRun, kTick60Ns, on_time()), frames, config);
    const Picture late =
        play(make_scheduled(kRun, kTick60Ns, uniform_lateness(8 * kMs, 7)), frames, config);

    EXPECT_EQ(late.report.underrun_count, 0U);
    const auto sample_at = [](const Picture& picture, std::int64_t present_ns) {
        const auto found =
            std::find_if(picture.frames.begin(), picture.frames.end(),
                         [&](const Shown& shown) { return shown.present_ns == present_ns; });
        return found == picture.frames.end() ? -1 : found->sample_ns;
    };
    // Both have begun after 100 ms; from then on they are the same to the nanosecond.
    for (const FrameTimes& frame : frames) {
        if (frame.present_ns > 100 * kMs) {
            EXPECT_EQ(sample_at(calm, frame.present_ns), sample_at(late, frame.present_ns));
        }
    }
}

TEST(Timeline, TheDelayCoversTheLatenessThatComes) {
    const Picture picture = play(make_scheduled(kRun, kTick60Ns, uniform_lateness(10 * kMs, 3)),
                                 make_frames(kRun, 144.0));

    // 99.5 % of an even spread over 10 ms is 9.95 ms; 480 samples know it to 0.2 ms.
    const auto expected = kTick60Ns + 9'950'000 + 500'000;
    EXPECT_NEAR(static_cast<double>(picture.report.delay_ns), static_cast<double>(expected), 5e5);
    EXPECT_NEAR(static_cast<double>(picture.report.lateness_p50_ns), 5e6, 1e6);
    EXPECT_LE(picture.underrun_count(kWarm, kRun), 1U) << "0.1 % of 1152 frames";
    EXPECT_LT(picture.rate_error(kWarm, kRun), 0.002);
    EXPECT_TRUE(picture.report.scheduled);
}

TEST(Timeline, TheDisplaysStampIsUsedAndTheCallbacksLatencyNotSeen) {
    const std::vector<FrameTimes> frames = make_frames(kRun, 60.0, uniform_lateness(4 * kMs, 11));
    const std::vector<Arrival> arrivals = make_scheduled(kRun, kTick60Ns, on_time());
    const Picture picture = play(arrivals, frames);

    EXPECT_LT(picture.rate_error(kWarm, kRun), 0.001);
    EXPECT_EQ(picture.report.frame_timing, FrameTiming::Display);
}

TEST(Timeline, WithoutStampsTheRefreshIsFound) {
    for (const double refresh_hz : {59.94, 60.0, 144.0}) {
        const std::vector<FrameTimes> frames =
            make_frames(kRun, refresh_hz, uniform_lateness(2 * kMs, 12));
        const std::vector<Arrival> arrivals =
            make_scheduled(kRun, kTick60Ns, uniform_lateness(3 * kMs, 4));
        const Picture picture = play(arrivals, frames, {}, false);

        // By the CPU times alone the step error would be 2 ms * sqrt(1/6) of 16.67 ms or 6.94 ms:
        // 0.049 or 0.12.
        EXPECT_LT(picture.rate_error(kWarm, kRun), 0.005) << refresh_hz;
        EXPECT_EQ(picture.report.frame_timing, FrameTiming::Fitted) << refresh_hz;
    }
}

TEST(Timeline, TicksAndFramesNeedNotBeRelated) {
    for (const double tick_hz : {20.0, 30.0, 59.94, 60.0, 120.0}) {
        for (const double refresh_hz : {59.94, 60.0, 75.0, 144.0}) {
            const auto tick_ns = static_cast<std::int64_t>(1e9 / tick_hz);
            const Picture picture =
                play(make_scheduled(kRun, tick_ns, uniform_lateness(3 * kMs, 5)),
                     make_frames(kRun, refresh_hz));
            EXPECT_LT(picture.rate_error(kWarm, kRun), 0.0035) << tick_hz << " " << refresh_hz;
            EXPECT_EQ(picture.backward_count(), 0U);
            EXPECT_EQ(picture.held_count(kWarm, kRun), 0U);
        }
    }
}

TEST(Timeline, AChangeOfTheDelayStaysBelowWhatIsSeen) {
    // From 5 s on every state is 8 ms later.
    const Lateness base = uniform_lateness(kMs, 6);
    const auto later = [base](std::int64_t k) {
        return base(k) + (k * kTick60Ns > 5 * kSecond ? 8 * kMs : 0);
    };
    const Picture picture = play(make_scheduled(kRun, kTick60Ns, later), make_frames(kRun, 144.0));
    EXPECT_GE(picture.lowest_rate(kWarm, kRun), 0.96);
    EXPECT_LE(picture.highest_rate(kWarm, kRun), 1.04);
    EXPECT_LT(picture.rate_error(7 * kSecond, kRun), 0.002) << "and returns";
    EXPECT_GT(picture.report.delay_ns, kTick60Ns + 8 * kMs);
}

TEST(Timeline, ShowsTheFirstStateUntilTheDelayHasPassed) {
    constexpr std::int64_t kFirst = 5 * kSecond;
    Timeline timeline;
    timeline.add({.source_ns = kFirst, .arrival_ns = 0});
    EXPECT_EQ(timeline.frame(kMs)->time_ns, kFirst);
    EXPECT_EQ(timeline.frame(2 * kMs)->time_ns, kFirst);
    timeline.add({.source_ns = kFirst + kTick60Ns, .arrival_ns = kTick60Ns});
    EXPECT_EQ(timeline.frame(kTick60Ns)->time_ns, kFirst) << "it is a tick and 4.5 ms behind";
    EXPECT_GT(timeline.frame(kTick60Ns + 6 * kMs)->time_ns, kFirst);
}

} // namespace
} // namespace glissade::testing
