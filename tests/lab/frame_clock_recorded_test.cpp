// SPDX-License-Identifier: MIT
// What a FrameClock makes of the callbacks of real browsers, against the stamps that those had.
#include "glissade/time/frame_clock.h"

#include "lab/recording.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

constexpr std::int64_t kWarmUpNs = 2'000'000'000;

struct Evenness {
    double fitted_rms = 0.0;
    double cpu_rms = 0.0;
    std::int64_t offset_range_ns = 0; ///< Of the fitted times against the stamps.
};

// From the CPU times alone, after the warm-up.
Evenness measure(const Trace& trace, FrameClock& clock) {
    double fitted_sum = 0.0;
    double cpu_sum = 0.0;
    int count = 0;
    std::int64_t least_ns = 0;
    std::int64_t most_ns = 0;
    std::int64_t previous_ns = 0;
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
        const TraceFrame& frame = trace.frames[i];
        const std::int64_t shown_ns = clock.frame(frame.cpu_ns);
        if (frame.cpu_ns >= trace.frames.front().cpu_ns + kWarmUpNs) {
            const TraceFrame& before = trace.frames[i - 1];
            const auto real = static_cast<double>(*frame.present_ns - *before.present_ns);
            const double fitted = static_cast<double>(shown_ns - previous_ns) / real - 1.0;
            const double cpu = static_cast<double>(frame.cpu_ns - before.cpu_ns) / real - 1.0;
            const std::int64_t offset_ns = shown_ns - *frame.present_ns;
            least_ns = count == 0 ? offset_ns : std::min(least_ns, offset_ns);
            most_ns = count == 0 ? offset_ns : std::max(most_ns, offset_ns);
            fitted_sum += fitted * fitted;
            cpu_sum += cpu * cpu;
            ++count;
        }
        previous_ns = shown_ns;
    }
    return {std::sqrt(fitted_sum / count), std::sqrt(cpu_sum / count), most_ns - least_ns};
}

bool is_worker(const Recording& recording) {
    return std::string(recording.name).starts_with("worker-");
}

TEST(FrameClockRecorded, FindsTheRefreshOfEveryRecordedBrowser) {
    int recording_count = 0;
    for (const Recording& recording : recordings()) {
        if (!is_worker(recording)) {
            continue;
        }
        SCOPED_TRACE(recording.name);
        const Trace trace = make_recorded_trace(recording.name).value_or(Trace{});
        FrameClock clock;
        const Evenness evenness = measure(trace, clock);
        std::printf("%-24s rate error: CPU times %.4f, fitted %.5f; offset within %.2f ms\n",
                    recording.name, evenness.cpu_rms, evenness.fitted_rms,
                    static_cast<double>(evenness.offset_range_ns) / 1e6);
        // The stamps themselves are whole multiples of 5 us: at 60 Hz that alone is 0.0003.
        EXPECT_LT(evenness.fitted_rms, 0.002);
        EXPECT_GT(evenness.cpu_rms, 0.01);
        // Below any period: no refresh was lost or won.
        EXPECT_LT(evenness.offset_range_ns, 1'000'000);
        EXPECT_EQ(clock.timing(), FrameTiming::Fitted);
        EXPECT_EQ(clock.stats().locked_count, 1);
        // One callback, within the warm-up, is late by 1.8 periods: only the next one can tell.
        EXPECT_LE(clock.stats().repeated_count, 1);
        ++recording_count;
    }
    EXPECT_GT(recording_count, 0);
}

TEST(FrameClockRecorded, StampsAreGivenBackAsTheyAre) {
    for (const Recording& recording : recordings()) {
        SCOPED_TRACE(recording.name);
        const Trace trace = make_recorded_trace(recording.name).value_or(Trace{});
        FrameClock clock;
        for (const TraceFrame& frame : trace.frames) {
            ASSERT_EQ(clock.frame(frame.cpu_ns, frame.present_ns), *frame.present_ns);
        }
        EXPECT_EQ(clock.stats().refused_stamp_count, 0);
    }
}

} // namespace
} // namespace glissade::lab
