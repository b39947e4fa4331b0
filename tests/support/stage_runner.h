// SPDX-License-Identifier: MIT
// A clock and a stage run frame by frame, for tests of what the picture shows.
#pragma once

#include "glissade/stage/stage.h"
#include "glissade/time/fixed_step.h"

#include "time/frame_series.h"

#include <array>
#include <cstdint>
#include <ostream>

#include <gtest/gtest.h>

namespace glissade {

/// GoogleTest finds this by its name and prints poses with it.
// NOLINTNEXTLINE(readability-identifier-naming): the name is GoogleTest's.
inline void PrintTo(const Pose& pose, std::ostream* out) {
    *out << "(" << pose.position.x << ", " << pose.position.y << ", " << pose.position.z << "; x "
         << pose.rotation.x << ", y " << pose.rotation.y << ", z " << pose.rotation.z << ", w "
         << pose.rotation.w << "; " << pose.scale.x << ", " << pose.scale.y << ", " << pose.scale.z
         << ")";
}

// NOLINTNEXTLINE(readability-identifier-naming): the name is GoogleTest's.
inline void PrintTo(StageStatus status, std::ostream* out) {
    *out << to_string(status);
}

} // namespace glissade

namespace glissade::testing {

/// Display rates that give 0.3, 1, 2.4 and 4 frames for each tick of 60 Hz: fewer frames than
/// ticks, lockstep, and more frames than ticks with and without a common grid.
inline constexpr std::array<Rate, 4> kFrameRates = {{{18, 1}, {60, 1}, {144, 1}, {240, 1}}};

/// An upright pose on the x axis.
[[nodiscard]] inline Pose at_x(double x_m) noexcept {
    return {.position = {x_m, 0.0, 0.0}};
}

/// Seconds of a time on the nanosecond grid.
[[nodiscard]] inline double to_s(std::int64_t time_ns) noexcept {
    return static_cast<double>(time_ns) * 1e-9;
}

/// Tick `index` of an even grid that starts at 0, for tests that need no clock.
[[nodiscard]] inline Tick tick_at(std::int64_t index,
                                  std::int64_t period_ns = 20'000'000) noexcept {
    return {.index = index,
            .time_ns = index * period_ns,
            .duration_ns = period_ns,
            .step_s = to_s(period_ns)};
}

/// The loop of every program that uses a stage, with an ideal display:
///
///     StageRunner runner({.rate = {60, 1}});
///     const Id box = runner.stage.add(at_x(0.0));
///     runner.run({144, 1}, 288,
///         [&](const Tick& tick) { runner.stage.move(tick, box, at_x(to_s(tick.time_ns))); },
///         [&](const SampleTime& sample) { EXPECT_EQ(runner.stage.visual(box), ...); });
///
/// The first frame is at present time 0, where the clock starts; later runs go on from the last
/// frame, at any other rate.
struct StageRunner {
    explicit StageRunner(const FixedStepConfig& step_config = {},
                         const StageConfig& stage_config = {})
        : step(step_config), stage(stage_config) {}

    /// One frame: on_tick(tick) for each tick that is due, then present().
    template <class OnTick>
    SampleTime frame_at(std::int64_t frame_ns, const OnTick& on_tick) {
        present_ns = frame_ns;
        started = true;
        for (const Tick& tick : step.advance_to(frame_ns)) {
            on_tick(tick);
        }
        SampleTime sample = step.sample();
        sample.time_ns -= extra_delay_ns;
        EXPECT_EQ(stage.present(sample), StageStatus::Ok);
        return sample;
    }

    /// `frame_count` frames of an ideal display; on_frame(sample) sees the stage after each.
    template <class OnTick, class OnFrame>
    void run(Rate frames, std::int64_t frame_count, const OnTick& on_tick,
             const OnFrame& on_frame) {
        const std::int64_t start_ns = present_ns;
        const std::int64_t first = started ? 1 : 0;
        for (std::int64_t frame = first; frame < first + frame_count; ++frame) {
            on_frame(frame_at(start_ns + frame_time_ns(frames, frame), on_tick));
        }
    }

    FixedStep step;
    Stage stage;
    std::int64_t extra_delay_ns = 0; ///< How much older the picture is than the clock asks for.
    std::int64_t present_ns = 0;     ///< Of the last frame.
    bool started = false;            ///< Had a frame.
};

} // namespace glissade::testing
