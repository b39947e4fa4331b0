// SPDX-License-Identifier: MIT
#include "glissade/time/frame_clock.h"
#include "glissade/time/tick.h"

#include "time/display_series.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

using testing::ClockedSeries;
using testing::DisplayFrame;

RC_GTEST_PROP(FrameClockProperty, WhateverComesInTimeDoesNotRunBackwards, ()) {
    FrameClock clock;
    std::int64_t cpu_ns = *rc::gen::inRange<std::int64_t>(-kMaxTimeNs, kMaxTimeNs);
    std::int64_t previous_ns = std::numeric_limits<std::int64_t>::min();
    const auto steps = *rc::gen::container<std::vector<std::int64_t>>(
        300, rc::gen::oneOf(rc::gen::inRange<std::int64_t>(0, 20'000'000),
                            rc::gen::element<std::int64_t>(0, 1, 8'333'333, 16'666'667, 40'000'000,
                                                           2'000'000'000, -1'000'000)));
    std::int64_t frame_count = 0;
    for (const std::int64_t step_ns : steps) {
        cpu_ns += step_ns;
        std::optional<std::int64_t> stamp_ns;
        if (step_ns % 7 == 3) {
            stamp_ns = cpu_ns + step_ns % 40'000'000 - 20'000'000;
        }
        const std::int64_t before = clock.stats().refused_count;
        const std::int64_t shown_ns = clock.frame(cpu_ns, stamp_ns);
        ++frame_count;
        if (clock.stats().refused_count == before) {
            RC_ASSERT(shown_ns >= previous_ns);
            previous_ns = shown_ns;
        }
    }
    const FrameClockStats& stats = clock.stats();
    RC_ASSERT(stats.display_count + stats.fitted_count + stats.measured_count +
                  stats.refused_count ==
              frame_count);
}

RC_GTEST_PROP(FrameClockProperty, AnySteadyDisplayIsFoundAndNeverLeft, ()) {
    const auto rate_mhz = *rc::gen::inRange<std::int64_t>(24'000, 300'000);
    const std::vector<DisplayFrame> frames = testing::make_display(
        {.rate_hz = static_cast<double>(rate_mhz) / 1000.0,
         .frame_count = 1000,
         .late_percent = *rc::gen::inRange(0, 20),
         .late_periods = 0.7,
         .missed_percent = *rc::gen::inRange(0, 10),
         .seed = static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000))});
    FrameClock clock;
    const ClockedSeries series = testing::run_clock(clock, frames);
    RC_ASSERT(clock.timing() == FrameTiming::Fitted);
    // Within the usual differences of callbacks: not one refresh was lost or won.
    RC_ASSERT(testing::offset_range_ns(frames, series.shown_ns, 300) < 150'000);
}

} // namespace
} // namespace glissade
