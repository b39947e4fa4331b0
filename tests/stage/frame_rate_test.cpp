// SPDX-License-Identifier: MIT
// The picture at every ratio of frames to ticks: where the clock and the stage meet.
#include "glissade/pose/blend.h"
#include "glissade/stage/stage.h"
#include "glissade/time/fixed_step.h"

#include "support/stage_runner.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::at_x;
using testing::kFrameRates;
using testing::Random;
using testing::StageRunner;
using testing::tick_at;
using testing::to_s;

const auto kIgnoreTick = [](const Tick&) {};

// A body at 1 m/s, told to the stage as v * index * period. Until the picture reaches the start of
// the clock it shows the start state.
void expect_exact_path(View view, Rate ticks, Rate frames, std::int64_t frame_count) {
    StageRunner runner({.rate = ticks, .view = view});
    const Id body = runner.stage.add(at_x(0.0));
    const double period_s = ticks.period_s();
    // The promise: a micrometre, plus what a float alpha would lose. A stamp is rounded to the
    // nanosecond, which is 1e-9 m here.
    const double tolerance = 1e-6 + std::ldexp(1.0, -22) * period_s / frames.period_s();
    const std::int64_t lag_ns = view == View::Behind ? ticks.period_ns() : 0;
    runner.run(
        frames, frame_count,
        [&](const Tick& tick) {
            runner.stage.move(tick, body, at_x(static_cast<double>(tick.index) * period_s));
        },
        [&](const SampleTime& sample) {
            ASSERT_EQ(sample.time_ns, runner.present_ns - lag_ns);
            ASSERT_EQ(runner.stage.sample_time(), sample.time_ns);
            const double ideal = std::max(0.0, to_s(sample.time_ns));
            ASSERT_NEAR(runner.stage.visual(body).position.x, ideal, tolerance);
        });
    EXPECT_EQ(runner.stage.track_stats().underrun_count, 0U);
}

constexpr Rate kDisplays[] = {{24, 1}, {30, 1},  {50, 1},  {60000, 1001}, {60, 1},  {75, 1},
                              {90, 1}, {120, 1}, {144, 1}, {165, 1},      {240, 1}, {1000, 1}};
constexpr Rate kTickRates[] = {{10, 1}, {15, 1}, {20, 1}, {30, 1}, {60, 1}, {128, 1}};

void expect_exact_paths(View view) {
    for (const Rate ticks : kTickRates) {
        for (const Rate frames : kDisplays) {
            SCOPED_TRACE(::testing::Message()
                         << ticks.numerator << " Hz ticks, " << frames.numerator << '/'
                         << frames.denominator << " Hz frames");
            // Two seconds: a common period of both grids at nearly all rates.
            expect_exact_path(view, ticks, frames, 2 * frames.numerator / frames.denominator);
        }
    }
}

// Trap 1: a blend that starts at the last drawn pose makes a sawtooth of the alpha.
TEST(FrameRate, ConstantSpeedIsDrawnExactlyAt144FramesOver60Ticks) {
    expect_exact_path(View::Behind, {60, 1}, {144, 1}, 1440);
    expect_exact_path(View::Ahead, {60, 1}, {144, 1}, 1440);
}

TEST(FrameRate, ConstantSpeedIsDrawnExactlyAtEveryDisplayRateBehind) {
    expect_exact_paths(View::Behind);
}

TEST(FrameRate, ConstantSpeedIsDrawnExactlyAtEveryDisplayRateAhead) {
    expect_exact_paths(View::Ahead);
}

// The two views draw the same path, one period apart.
TEST(FrameRate, AheadShowsThePicturesOfBehindOnePeriodEarlier) {
    StageRunner behind({.rate = {50, 1}});
    StageRunner ahead({.rate = {50, 1}, .view = View::Ahead});
    const Id late = behind.stage.add(at_x(0.0));
    const Id early = ahead.stage.add(at_x(0.0));
    const auto path = [](const Tick& tick) { return at_x(std::sin(to_s(tick.time_ns))); };
    std::vector<Pose> early_poses;
    std::vector<Pose> late_poses;
    // 200 Hz: a tick of 20 ms is four whole frames, so the pictures can be compared bit for bit.
    ahead.run(
        {200, 1}, 200, [&](const Tick& tick) { ahead.stage.move(tick, early, path(tick)); },
        [&](const SampleTime&) { early_poses.push_back(ahead.stage.visual(early)); });
    behind.run(
        {200, 1}, 204, [&](const Tick& tick) { behind.stage.move(tick, late, path(tick)); },
        [&](const SampleTime&) { late_poses.push_back(behind.stage.visual(late)); });
    for (std::size_t frame = 0; frame < early_poses.size(); ++frame) {
        ASSERT_EQ(late_poses[frame + 4], early_poses[frame]) << frame;
    }
}

// Trap 4: frames without a tick. The picture moves on in every one of them.
TEST(FrameRate, AThousandFramesOverTwentyTicksNeverRepeatAPosition) {
    StageRunner runner({.rate = {20, 1}});
    const Id body = runner.stage.add(at_x(0.0));
    double last = -1.0;
    runner.run(
        {1000, 1}, 1000,
        [&](const Tick& tick) { runner.stage.move(tick, body, at_x(to_s(tick.time_ns))); },
        [&](const SampleTime& sample) {
            const double x = runner.stage.visual(body).position.x;
            if (sample.time_ns > 0) {
                ASSERT_GT(x, last);
                // Each frame moves by 1 mm; the rounding of x <= 1 is 2^-53.
                ASSERT_NEAR(x - last, 1e-3, 1e-12);
            }
            last = x;
        });
}

// Trap 5: several ticks in a frame. The blend spans the last two, which differ.
TEST(FrameRate, SeveralTicksInAFrameBlendTheLastTwo) {
    StageRunner runner({.rate = {120, 1}});
    const Id body = runner.stage.add(at_x(0.0));
    std::vector<Tick> ticks;
    std::vector<Pose> states;
    runner.run(
        {20, 1}, 60,
        [&](const Tick& tick) {
            // Accelerated, so that any other pair of states gives another point.
            const double s = to_s(tick.time_ns);
            ticks.push_back(tick);
            states.push_back(at_x(0.5 * s * s));
            runner.stage.move(tick, body, states.back());
        },
        [&](const SampleTime& sample) {
            if (ticks.size() < 2) {
                return;
            }
            const Tick& older = ticks[ticks.size() - 2];
            const Pose& from = states[states.size() - 2];
            ASSERT_NE(from, states.back());
            ASSERT_GE(sample.time_ns, older.time_ns);
            ASSERT_LE(sample.time_ns, ticks.back().time_ns);
            const double t = static_cast<double>(sample.time_ns - older.time_ns) /
                             static_cast<double>(ticks.back().time_ns - older.time_ns);
            ASSERT_EQ(runner.stage.visual(body), blend_linear(from, states.back(), t));
        });
    EXPECT_GT(ticks.size(), 300U);
}

void expect_even_speed_across_rates(Rate frames) {
    StageRunner runner({.rate = {60, 1}});
    const Id body = runner.stage.add(at_x(0.0));
    double last = 0.0;
    std::int64_t last_ns = -1;
    const auto on_tick = [&](const Tick& tick) {
        runner.stage.move(tick, body, at_x(to_s(tick.time_ns)));
    };
    const auto on_frame = [&](const SampleTime& sample) {
        const double x = runner.stage.visual(body).position.x;
        // On the path, whatever the ticks are: rounding of x below 32 m is 2^-48.
        ASSERT_NEAR(x, std::max(0.0, to_s(sample.time_ns)), 1e-12);
        if (last_ns > 0 && last > 0.0) {
            const double rate = (x - last) / to_s(runner.present_ns - last_ns);
            ASSERT_GE(rate, 0.99) << runner.present_ns;
            ASSERT_LE(rate, 1.01) << runner.present_ns;
        }
        last = x;
        last_ns = runner.present_ns;
    };
    // Odd numbers of frames: the changes fall at all phases. Then long enough for the delay to
    // settle: 50 ms at 1/128 take 6.4 s.
    for (const Rate ticks : {Rate{15, 1}, Rate{60, 1}, Rate{15, 1}, Rate{60, 1}}) {
        runner.run(frames, 2 * frames.numerator + 7, on_tick, on_frame);
        ASSERT_TRUE(runner.step.set_rate(ticks));
    }
    runner.run(frames, 8 * frames.numerator, on_tick, on_frame);
    EXPECT_EQ(runner.step.sample().time_ns, runner.present_ns - runner.step.rate().period_ns());
    EXPECT_EQ(runner.stage.track_stats().underrun_count, 0U);
}

// Trap 6: the tick rate changes while things move.
TEST(FrameRate, AChangeOfTheTickRateKeepsPositionAndSpeed) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        expect_even_speed_across_rates(frames);
    }
}

constexpr std::int64_t kPeriodNs = 16'666'667;

struct PathCase {
    Blend blend;
    std::uint32_t history;
    std::int64_t delay_ns; // Of the picture behind the newest tick.
};

void expect_states_at_stamps(const PathCase& path) {
    Stage stage({.track = {.history = path.history}});
    const Id body = stage.add({}, {.blend = path.blend});
    Random random(1);
    std::vector<Pose> states = {Pose{}};
    const auto part = [&] { return static_cast<double>(random.between(-999'999, 999'999)) * 1e-5; };
    for (std::int64_t index = 1; index <= 200; ++index) {
        const Tick tick = tick_at(index, kPeriodNs);
        states.push_back({.position = {part(), part(), part()},
                          .rotation = quat_from_rotation_vector({part(), part(), part()}),
                          .scale = glm::vec3(2.5F, 1.0F, 0.1F)});
        const auto velocity = static_cast<float>(part());
        ASSERT_EQ(
            stage.move(tick, body, states.back(), {.velocity = {.linear = {velocity, 0.0F, 0.0F}}}),
            StageStatus::Ok);
        const std::int64_t stamp_ns = tick.time_ns - path.delay_ns;
        if (stamp_ns < 0) {
            continue;
        }
        ASSERT_EQ(stage.present({.time_ns = stamp_ns, .now_ns = tick.time_ns}), StageStatus::Ok);
        ASSERT_EQ(stage.visual(body), states[static_cast<std::size_t>(stamp_ns / kPeriodNs)]);
        const std::int64_t between_ns = stamp_ns + random.between(1, kPeriodNs - 1);
        ASSERT_EQ(stage.present({.time_ns = between_ns, .now_ns = tick.time_ns}), StageStatus::Ok);
    }
}

// The path goes through every state: at a stamp there is nothing to round.
TEST(FrameRate, AtAStampThePoseIsTheStateBitForBit) {
    for (const PathCase& path :
         {PathCase{Blend::Linear, 2, 1 * kPeriodNs}, PathCase{Blend::Hermite, 2, 1 * kPeriodNs},
          PathCase{Blend::Hold, 2, 1 * kPeriodNs}, PathCase{Blend::Linear, 8, 5 * kPeriodNs},
          PathCase{Blend::Hermite, 8, 5 * kPeriodNs}, PathCase{Blend::Hold, 8, 5 * kPeriodNs}}) {
        expect_states_at_stamps(path);
    }
}

void expect_frozen_pauses(Rate frames, Random& random) {
    StageRunner runner({.rate = {60, 1}});
    const Id body = runner.stage.add(at_x(0.0));
    const auto on_tick = [&](const Tick& tick) {
        runner.stage.move(tick, body, at_x(to_s(tick.time_ns)));
    };
    for (int trial = 0; trial < 20; ++trial) {
        runner.run(frames, random.between(20, 60), on_tick, [](const SampleTime&) {});
        const Pose frozen = runner.stage.visual(body);
        const std::int64_t frozen_ns = runner.step.sample().time_ns;
        runner.step.pause();
        runner.run(frames, frames.numerator, kIgnoreTick, [&](const SampleTime&) {
            ASSERT_EQ(runner.stage.visual(body), frozen);
            ASSERT_EQ(runner.stage.previous(body), frozen);
        });
        runner.step.resume();
        const std::int64_t paused_ns = runner.present_ns;
        runner.run(frames, 1, on_tick, [](const SampleTime&) {});
        // Exactly the one frame that passed since: rounding of x below 64 m is 2^-47.
        const std::int64_t ideal_ns = frozen_ns + runner.present_ns - paused_ns;
        ASSERT_NEAR(runner.stage.visual(body).position.x, to_s(ideal_ns), 1e-12);
    }
}

// Trap 12: a pause must not sweep the picture to the newest tick and back.
TEST(FrameRate, APauseFreezesEveryPoseAndResumesWithoutAJump) {
    Random random(12);
    for (const Rate frames : kFrameRates) {
        expect_frozen_pauses(frames, random);
    }
}

} // namespace
} // namespace glissade
