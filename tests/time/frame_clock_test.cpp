// SPDX-License-Identifier: MIT
#include "glissade/time/frame_clock.h"

#include "glissade/time/tick.h"

#include "time/display_series.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::ClockedSeries;
using testing::DisplayFrame;
using testing::first_after;
using testing::make_display;
using testing::make_variable_display;
using testing::offset_range_ns;
using testing::rate_error;
using testing::run_clock;

constexpr std::int64_t kSecond = kNanosecondsPerSecond;
constexpr std::int64_t kMillisecond = 1'000'000;

// What a line through 4 s of the least late frames can be wrong by: those are late by up to
// usual_late_ns / 8 more or less, about 20 us, of which an edge of eight blocks moves by the half
// from one second to the next, 1e-5 of the time; a frame's own step has no noise at all. 1e-3 is
// what a slew of 1/512 for a quarter of the time would come to: a jump is never below it.
constexpr double kEven = 1e-3;

TEST(FrameClock, AStampIsPassedThrough) {
    FrameClock clock;
    for (const DisplayFrame& frame : make_display({.frame_count = 300})) {
        EXPECT_EQ(clock.frame(frame.cpu_ns, frame.present_ns), frame.present_ns);
        EXPECT_EQ(clock.timing(), FrameTiming::Display);
    }
    EXPECT_EQ(clock.stats().display_count, 300);
    EXPECT_EQ(clock.stats().refused_stamp_count, 0);
}

TEST(FrameClock, TwoFramesMayShareAStamp) {
    FrameClock clock;
    EXPECT_EQ(clock.frame(1'000, 500), 500);
    EXPECT_EQ(clock.frame(2'000, 500), 500);
    EXPECT_EQ(clock.timing(), FrameTiming::Display);
}

TEST(FrameClock, AStampMayBeLaterThanTheCode) {
    FrameClock clock;
    EXPECT_EQ(clock.frame(1'000, 16'000'000), 16'000'000);
    EXPECT_EQ(clock.frame(16'000'000, 32'000'000), 32'000'000);
}

TEST(FrameClock, ABadStampIsRefusedAndTheFrameGoesOnWithout) {
    const std::int64_t bad[] = {99 * kMillisecond,            // Went back.
                                102 * kMillisecond + kSecond, // More than 1 s from the CPU time,
                                101 * kMillisecond - 2 * kSecond, // to either side.
                                kMaxTimeNs + 1,
                                -kMaxTimeNs - 1,
                                std::numeric_limits<std::int64_t>::max(),
                                std::numeric_limits<std::int64_t>::min()};
    for (const std::int64_t stamp_ns : bad) {
        SCOPED_TRACE(stamp_ns);
        FrameClock clock;
        EXPECT_EQ(clock.frame(100 * kMillisecond, 100 * kMillisecond), 100 * kMillisecond);
        EXPECT_EQ(clock.frame(101 * kMillisecond, stamp_ns), 101 * kMillisecond);
        EXPECT_EQ(clock.timing(), FrameTiming::Measured);
        EXPECT_EQ(clock.stats().refused_stamp_count, 1);
        EXPECT_EQ(clock.frame(103 * kMillisecond, 102 * kMillisecond), 102 * kMillisecond);
        EXPECT_EQ(clock.timing(), FrameTiming::Display);
    }
}

TEST(FrameClock, AStampBehindWhatWasShownDoesNotTakeThePictureBack) {
    FrameClock clock;
    EXPECT_EQ(clock.frame(100 * kMillisecond, 100 * kMillisecond), 100 * kMillisecond);
    EXPECT_EQ(clock.frame(120 * kMillisecond), 120 * kMillisecond);
    EXPECT_EQ(clock.frame(121 * kMillisecond, 116 * kMillisecond), 120 * kMillisecond);
    EXPECT_EQ(clock.timing(), FrameTiming::Display);
}

TEST(FrameClock, FramesWithoutAStampGoOnInTheRefreshOfTheStamps) {
    FrameClock clock;
    const std::vector<DisplayFrame> frames = make_display({.frame_count = 600});
    std::vector<std::int64_t> shown_ns;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const bool stamped = i < 300;
        shown_ns.push_back(stamped ? clock.frame(frames[i].cpu_ns, frames[i].present_ns)
                                   : clock.frame(frames[i].cpu_ns));
        EXPECT_EQ(clock.timing(), stamped ? FrameTiming::Display : FrameTiming::Fitted);
    }
    // The fitted line is some 0.3 ms later than the stamps: 0.3 / 16.7 / (1 / 512) = 9 frames of
    // slew, each 1/512 off.
    EXPECT_LT(rate_error(frames, shown_ns, 300), kEven);
}

TEST(FrameClock, ACpuTimeThatWentBackOrIsAbsurdIsRefused) {
    FrameClock clock;
    EXPECT_EQ(clock.frame(kMaxTimeNs + 1), 0);
    EXPECT_EQ(clock.frame(-kMaxTimeNs - 1), 0);
    EXPECT_EQ(clock.stats().measured_count, 0);
    EXPECT_EQ(clock.frame(-5'000), -5'000);
    EXPECT_EQ(clock.frame(-5'001), -5'000);
    EXPECT_EQ(clock.frame(-5'001, -4'000), -5'000);
    EXPECT_EQ(clock.frame(kMaxTimeNs + 1), -5'000);
    EXPECT_EQ(clock.stats().refused_count, 5);
    EXPECT_EQ(clock.frame(-5'000), -5'000);
    EXPECT_EQ(clock.frame(7), 7);
    EXPECT_EQ(clock.stats().measured_count, 3);
}

TEST(FrameClock, BeforeARefreshIsKnownTheTimesAreTheCpus) {
    FrameClock clock;
    const std::vector<DisplayFrame> frames = make_display({.frame_count = 31});
    for (const DisplayFrame& frame : frames) {
        EXPECT_EQ(clock.frame(frame.cpu_ns), frame.cpu_ns);
        EXPECT_EQ(clock.timing(), FrameTiming::Measured);
        EXPECT_EQ(clock.period_ns(), std::nullopt);
    }
}

TEST(FrameClock, LateCallbacksDoNotShakeThePicture) {
    for (const double rate_hz : {24.0, 59.94, 60.0, 75.0, 120.0, 144.0, 165.0, 240.0}) {
        SCOPED_TRACE(rate_hz);
        FrameClock clock;
        const std::vector<DisplayFrame> frames = make_display(
            {.rate_hz = rate_hz, .frame_count = std::llround(10.0 * rate_hz), .missed_percent = 2});
        const ClockedSeries series = run_clock(clock, frames);
        const std::size_t settled = first_after(frames, 2 * kSecond);
        EXPECT_EQ(clock.timing(), FrameTiming::Fitted);
        EXPECT_EQ(clock.stats().locked_count, 1);
        EXPECT_EQ(clock.stats().dropped_count, 0);
        EXPECT_LT(rate_error(frames, series.shown_ns, settled), kEven);
        // All within what callbacks usually differ by: no refresh was lost or won.
        EXPECT_LT(offset_range_ns(frames, series.shown_ns, settled), 150'000);
        EXPECT_NEAR(clock.period_ns().value_or(0.0), 1e9 / rate_hz, 1e-4 * 1e9 / rate_hz);
    }
}

TEST(FrameClock, TheTimeIsThatOfTheRefreshNotLaterThanTheCode) {
    FrameClock clock;
    const std::vector<DisplayFrame> frames = make_display({});
    const ClockedSeries series = run_clock(clock, frames);
    for (std::size_t i = 120; i < frames.size(); ++i) {
        // The refresh, and the lateness that all callbacks share, with half of the usual one.
        EXPECT_NEAR(static_cast<double>(series.shown_ns[i] - frames[i].present_ns),
                    300'000.0 + 37'500.0, 37'500.0);
    }
}

TEST(FrameClock, ItStepsByWholePeriodsAndAFivehundredthOfThem) {
    FrameClock clock;
    std::int64_t previous_ns = 0;
    std::optional<double> period_ns;
    for (const DisplayFrame& frame : make_display({.frame_count = 3000, .missed_percent = 5})) {
        const std::int64_t shown_ns = clock.frame(frame.cpu_ns);
        if (period_ns && clock.timing() == FrameTiming::Fitted) {
            const auto step = static_cast<double>(shown_ns - previous_ns);
            const double whole = std::round(step / *clock.period_ns()) * *clock.period_ns();
            EXPECT_NEAR(step, whole, whole / 512.0 + 1.0); // 1 ns: rounding at both ends.
        }
        previous_ns = shown_ns;
        period_ns = clock.period_ns();
    }
}

TEST(FrameClock, MissedRefreshesAreCountedAndKeptInTheTime) {
    FrameClock clock;
    const std::vector<DisplayFrame> frames =
        make_display({.rate_hz = 144.0, .frame_count = 2880, .missed_percent = 20});
    const ClockedSeries series = run_clock(clock, frames);
    std::int64_t missed_count = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        const std::int64_t step_ns = frames[i].present_ns - frames[i - 1].present_ns;
        missed_count += series.timings[i - 1] == FrameTiming::Fitted && step_ns > 10 * kMillisecond;
    }
    EXPECT_GT(missed_count, 400);
    EXPECT_EQ(clock.stats().missed_count, missed_count);
    EXPECT_EQ(clock.stats().repeated_count, 0);
    EXPECT_LT(offset_range_ns(frames, series.shown_ns, 288), 150'000);
}

TEST(FrameClock, TheFirstHalfSecondIsNotWorseThanTheCpuTimes) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        FrameClock clock;
        const std::vector<DisplayFrame> frames =
            make_display({.rate_hz = 144.0, .frame_count = 72, .late_percent = 20, .seed = seed});
        const ClockedSeries series = run_clock(clock, frames);
        std::vector<std::int64_t> cpu_ns;
        cpu_ns.reserve(frames.size());
        for (const DisplayFrame& frame : frames) {
            cpu_ns.push_back(frame.cpu_ns);
        }
        // The step onto the grid is as uneven as any of the CPU times: one of 71.
        EXPECT_LT(rate_error(frames, series.shown_ns, 1), 1.02 * rate_error(frames, cpu_ns, 1));
    }
}

TEST(FrameClock, DriftBetweenTheClocksIsFollowed) {
    FrameClock clock;
    // The display's clock runs 100 ppm fast for a minute: 6 ms, a third of a period.
    const std::vector<DisplayFrame> frames =
        make_display({.rate_hz = 60.0 * 1.0001, .frame_count = 3600, .late_percent = 20});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_LT(offset_range_ns(frames, series.shown_ns, 120), 150'000);
    EXPECT_LT(rate_error(frames, series.shown_ns, 120), kEven);
}

TEST(FrameClock, EverySecondRefreshIsEvenAsWell) {
    FrameClock clock;
    const std::vector<DisplayFrame> frames =
        make_display({.frame_count = 600, .late_periods = 0.5, .refreshes_per_frame = 2});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_LT(rate_error(frames, series.shown_ns, 60), kEven);
    EXPECT_NEAR(clock.period_ns().value_or(0.0), 1e9 / 30.0, 1e5);
}

TEST(FrameClock, FramesThatTakeOneRefreshOrTwoAreFoundByTheRefresh) {
    FrameClock clock;
    const std::vector<DisplayFrame> frames = make_display({.missed_percent = 65});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_LT(rate_error(frames, series.shown_ns, 400), kEven);
    EXPECT_NEAR(clock.period_ns().value_or(0.0), 1e9 / 60.0, 1e5); // Not of two of them.
}

TEST(FrameClock, APeriodOfTwoRefreshesIsSplitWhenFramesComeInBetween) {
    FrameClock clock;
    const std::vector<DisplayFrame> frames = make_display(
        {.late_percent = 5, .late_periods = 0.3, .missed_percent = 4, .refreshes_per_frame = 2});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_NEAR(clock.period_ns().value_or(0.0), 1e9 / 60.0, 1e5);
    EXPECT_LT(rate_error(frames, series.shown_ns, 600), kEven);
}

TEST(FrameClock, TheSecondFrameInBetweenSplitsThePeriodWithoutANewSearch) {
    std::vector<DisplayFrame> frames =
        make_display({.frame_count = 600, .late_percent = 0, .refreshes_per_frame = 2});
    for (std::size_t i = 100; i < frames.size(); ++i) { // Frames 100 and 300 take three refreshes.
        const std::int64_t more_ns = i < 300 ? 16'666'667 : 33'333'333;
        frames[i].present_ns += more_ns;
        frames[i].cpu_ns += more_ns;
    }
    FrameClock clock;
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_NEAR(clock.period_ns().value_or(0.0), 1e9 / 60.0, 1e4);
    EXPECT_EQ(std::count(series.timings.begin() + 300, series.timings.end(), FrameTiming::Fitted),
              300);
}

TEST(FrameClock, AnotherPhaseOfTheSameRateIsNoOtherRate) {
    FrameClock clock;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 600});
    run_clock(clock, frames);
    // Half a period on: the window went to another screen.
    frames = make_display({.start_ns = frames.back().present_ns + 25'000'000});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_NEAR(clock.period_ns().value_or(0.0), 1e9 / 60.0, 1e5);
    EXPECT_LT(rate_error(frames, series.shown_ns, 180), kEven);
}

TEST(FrameClock, CoarseClocksAreSmoothedOut) {
    for (const std::int64_t quantum_ns : {100'000, 1'000'000}) {
        for (const double rate_hz : {60.0, 75.0, 120.0, 144.0}) {
            SCOPED_TRACE(rate_hz);
            FrameClock clock;
            const std::vector<DisplayFrame> frames =
                make_display({.rate_hz = rate_hz,
                              .frame_count = std::llround(10.0 * rate_hz),
                              .late_periods = 0.6,
                              .quantum_ns = quantum_ns});
            const ClockedSeries series = run_clock(clock, frames);
            const std::size_t settled = first_after(frames, 3 * kSecond);
            EXPECT_LT(rate_error(frames, series.shown_ns, settled), 2.0 * kEven);
            EXPECT_LT(offset_range_ns(frames, series.shown_ns, settled), quantum_ns);
        }
    }
}

TEST(FrameClock, AFrameThatIsLateByMoreThanAPeriodIsLearned) {
    // Every 50th callback comes 1.4 periods late, and the next one at its own time: at first taken
    // for a missed refresh, from then on for what it is.
    std::vector<DisplayFrame> frames = make_display({.frame_count = 3000, .late_percent = 0});
    for (std::size_t i = 99; i + 1 < frames.size(); i += 50) {
        frames[i].cpu_ns += 23 * kMillisecond;
        frames[i + 1].cpu_ns = std::max(frames[i].cpu_ns, frames[i + 1].cpu_ns);
    }
    FrameClock clock;
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_EQ(clock.stats().late_count, 58);
    EXPECT_EQ(clock.stats().repeated_count, 1);
    EXPECT_LT(rate_error(frames, series.shown_ns, 120), kEven);
}

TEST(FrameClock, AFrameThatMissesARefreshAndIsLateIsLearnedToo) {
    // The same lateness, but the refresh that was slept through has no frame.
    std::vector<DisplayFrame> frames = make_display({.frame_count = 3000, .late_percent = 0});
    std::vector<DisplayFrame> kept;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (i >= 99 && i % 50 == 0) {
            continue;
        }
        kept.push_back(frames[i]);
        kept.back().cpu_ns += i >= 99 && i % 50 == 1 ? 7 * kMillisecond : 0;
    }
    FrameClock clock;
    const ClockedSeries series = run_clock(clock, kept);
    EXPECT_EQ(clock.stats().missed_count, 58);
    EXPECT_EQ(clock.stats().late_count, 58);
    EXPECT_EQ(clock.stats().repeated_count, 0);
    EXPECT_LT(rate_error(kept, series.shown_ns, 120), kEven);
}

TEST(FrameClock, VariableRefreshIsLeftAsItIs) {
    std::int64_t fitted_count = 0;
    std::int64_t locked_count = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        FrameClock clock;
        run_clock(clock, make_variable_display(40, 70, 3000, 0, seed));
        fitted_count += clock.stats().fitted_count;
        locked_count += clock.stats().locked_count;
    }
    // A search may be deceived, in one of 25 such series, but not for longer than a few checks.
    EXPECT_LE(locked_count, 2);
    EXPECT_LE(fitted_count, 100);
}

TEST(FrameClock, AFitTurnsItselfOffForVariableRefreshAndOnAgain) {
    FrameClock clock;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 600});
    run_clock(clock, frames);
    ASSERT_EQ(clock.timing(), FrameTiming::Fitted);

    frames = make_variable_display(40, 70, 120, frames.back().present_ns, 3);
    run_clock(clock, frames);
    EXPECT_EQ(clock.timing(), FrameTiming::Measured);
    EXPECT_EQ(clock.period_ns(), std::nullopt);
    EXPECT_EQ(clock.stats().dropped_count, 1);

    frames = make_display({.start_ns = frames.back().present_ns + 16 * kMillisecond});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_EQ(clock.timing(), FrameTiming::Fitted);
    EXPECT_EQ(clock.stats().locked_count, 2);
    EXPECT_LT(rate_error(frames, series.shown_ns, 240), kEven);
}

struct RateChange {
    double from_hz = 0.0;
    double to_hz = 0.0;
};

TEST(FrameClock, AnotherRefreshRateIsFoundWithinThreeSeconds) {
    for (const RateChange change : {RateChange{60.0, 144.0}, RateChange{144.0, 60.0},
                                    RateChange{60.0, 120.0}, RateChange{60.0, 75.0}}) {
        SCOPED_TRACE(change.to_hz);
        FrameClock clock;
        std::vector<DisplayFrame> frames =
            make_display({.rate_hz = change.from_hz, .frame_count = 1000});
        run_clock(clock, frames);
        ASSERT_EQ(clock.timing(), FrameTiming::Fitted);
        frames = make_display(
            {.rate_hz = change.to_hz, .start_ns = frames.back().present_ns + 16 * kMillisecond});
        const ClockedSeries series = run_clock(clock, frames);
        EXPECT_EQ(clock.stats().dropped_count, 1);
        // At 60 Hz: 64 frames until it is noticed, 72 until the new one is believed.
        const std::size_t settled = first_after(frames, 3 * kSecond);
        EXPECT_LT(rate_error(frames, series.shown_ns, settled), kEven);
        EXPECT_NEAR(clock.period_ns().value_or(0.0), 1e9 / change.to_hz, 1e4);
    }
}

TEST(FrameClock, ATwiceAsFastDisplayIsNoticedInAFewFrames) {
    FrameClock clock;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 600, .late_percent = 0});
    run_clock(clock, frames);
    frames = make_display({.rate_hz = 120.0,
                           .frame_count = 16,
                           .start_ns = frames.back().present_ns + 16 * kMillisecond,
                           .late_percent = 0});
    run_clock(clock, frames);
    EXPECT_EQ(clock.timing(), FrameTiming::Measured);
}

TEST(FrameClock, ANearbyRateIsFollowedWithoutLosingARefresh) {
    FrameClock clock;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 600});
    run_clock(clock, frames);
    frames = make_display({.rate_hz = 60.06, .start_ns = frames.back().present_ns + 16'666'667});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_EQ(clock.stats().dropped_count, 0);
    EXPECT_EQ(clock.stats().repeated_count + clock.stats().missed_count, 0);
    // The line is 0.1 % wrong for 2 s, and the edge, of the latest second, by half of that.
    EXPECT_LT(offset_range_ns(frames, series.shown_ns, 0), kMillisecond);
}

TEST(FrameClock, AfterALongGapTheSearchStartsAnew) {
    FrameClock clock;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 600});
    run_clock(clock, frames);
    const std::int64_t gap_ns = 5 * kSecond + 7 * kMillisecond;
    frames = make_display({.start_ns = frames.back().present_ns + gap_ns});
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_EQ(clock.stats().gap_count, 1);
    EXPECT_EQ(clock.stats().dropped_count, 0);
    EXPECT_EQ(clock.stats().locked_count, 2);
    EXPECT_EQ(clock.stats().missed_count, 0);
    EXPECT_EQ(series.timings.front(), FrameTiming::Measured);
    EXPECT_EQ(series.shown_ns.front(), frames.front().cpu_ns);
    EXPECT_LT(rate_error(frames, series.shown_ns, 120), kEven);
}

TEST(FrameClock, AShortGapKeepsTheRefresh) {
    FrameClock clock;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 1200});
    frames.erase(frames.begin() + 600, frames.begin() + 650); // 0.83 s.
    const ClockedSeries series = run_clock(clock, frames);
    EXPECT_EQ(clock.stats().gap_count, 0);
    EXPECT_EQ(clock.stats().locked_count, 1);
    EXPECT_EQ(clock.stats().missed_count, 50);
    EXPECT_LT(rate_error(frames, series.shown_ns, 120), kEven);
}

TEST(FrameClock, AProgramThatWaitsForNoDisplayIsNotFitted) {
    FrameClock clock;
    testing::Random random(1);
    std::int64_t cpu_ns = 0;
    for (int i = 0; i < 3000; ++i) {
        cpu_ns += random.between(250'000, 350'000);
        EXPECT_EQ(clock.frame(cpu_ns), cpu_ns);
    }
    EXPECT_EQ(clock.stats().locked_count, 0);
    for (int i = 0; i < 3000; ++i) { // As steady as it may be.
        cpu_ns += 300'000;
        EXPECT_EQ(clock.frame(cpu_ns), cpu_ns);
    }
    EXPECT_EQ(clock.stats().locked_count, 0);
}

TEST(FrameClock, FramesAllAtOneTimeAreHarmless) {
    FrameClock clock;
    for (int i = 0; i < 600; ++i) {
        EXPECT_EQ(clock.frame(5), 5);
    }
    EXPECT_EQ(clock.timing(), FrameTiming::Measured);
}

TEST(FrameClock, TimesFarFromZeroAreAsPrecise) {
    for (const std::int64_t start_ns : {-kMaxTimeNs, kMaxTimeNs - 20 * kSecond}) {
        FrameClock clock;
        const std::vector<DisplayFrame> frames =
            make_display({.frame_count = 600, .start_ns = start_ns});
        const ClockedSeries series = run_clock(clock, frames);
        EXPECT_LT(rate_error(frames, series.shown_ns, 120), kEven);
    }
}

TEST(FrameTiming, HasNames) {
    EXPECT_EQ(to_string(FrameTiming::Display), std::string_view("Display"));
    EXPECT_EQ(to_string(FrameTiming::Fitted), std::string_view("Fitted"));
    EXPECT_EQ(to_string(FrameTiming::Measured), std::string_view("Measured"));
    EXPECT_EQ(to_string(static_cast<FrameTiming>(9)), std::string_view("unknown"));
}

} // namespace
} // namespace glissade
