// SPDX-License-Identifier: MIT
// The series behind the conditions: when ticks arrive and when frames are made.
#pragma once

#include "lab/condition.h"
#include "lab/recorded_timing.h"

#include <cstdint>
#include <span>
#include <vector>

namespace glissade::lab {

enum class TickSeries : std::uint8_t {
    Ideal,        ///< Each tick arrives when it is due.
    Late,         ///< Each arrives up to 8 ms after that: a thread that wakes late.
    Free,         ///< No schedule: each interval runs a little long, some by a hiccup.
    RecordedLate, ///< The lateness of a recording on the scenario's schedule, over and over.
    RecordedFree, ///< The intervals of a recording, in proportion, over and over; no schedule.
};

enum class FrameSeries : std::uint8_t {
    Ideal,    ///< Steady, and the callback runs at once.
    Jittered, ///< Steady, and the callback runs up to 3 ms late.
    Missed,   ///< About one frame in 20 takes two refreshes.
    Variable, ///< The length of a frame wanders between 1/144 and 1/60 s.
    Recorded, ///< As recorded, over and over.
};

/// What a condition is made of.
struct TimingPlan {
    TickSeries ticks = TickSeries::Ideal;
    FrameSeries frames = FrameSeries::Ideal;
    double display_hz = 60.0;
    const char* recording = ""; ///< Of the recorded series.
    std::uint64_t seed = 1;
};

/// The plan of a built-in condition. Of any other: ideal ticks and frames at its display_hz.
[[nodiscard]] TimingPlan make_plan(const Condition& condition, std::uint64_t seed);

/// When the ticks arrive that were scheduled at `schedule_ns`, which never goes back. Nor do they.
[[nodiscard]] std::vector<TickTime> make_tick_times(const TimingPlan& plan,
                                                    std::span<const std::int64_t> schedule_ns);

/// The frames from time 0 until `end_ns`, inclusive.
[[nodiscard]] std::vector<TraceFrame> make_frames(const TimingPlan& plan, std::int64_t end_ns);

} // namespace glissade::lab
