// SPDX-License-Identifier: MIT
// Scorer with truth lines: what happens between the ticks, and the best constant lag.
#include "lab/score_world.h"
#include "lab/truth_error.h"

#include <cmath>
#include <numbers>

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/quaternion_trigonometric.hpp>
#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

using testing::draw;
using testing::kMs;
using testing::line_path;
using testing::make_slow_world;
using testing::make_world;
using testing::Path;
using testing::score_one;
using testing::steady;

// The search ends within 10 us around the best lag: its middle is at most 5 us off.
constexpr double kLagMs = 0.005;
constexpr double kLagS = kLagMs * 1e-3;
const glm::dvec3 kUp{0.0, 0.0, 1.0};

double seconds(std::int64_t time_ns) {
    return static_cast<double>(time_ns) * 1e-9;
}

// A circle of 2 m once in two seconds: 2 pi m/s.
glm::dvec3 circle_path(double time_s) {
    const double angle = std::numbers::pi * time_s;
    return {2.0 * std::cos(angle), 2.0 * std::sin(angle), 0.0};
}
constexpr double kCircleSpeed = 2.0 * std::numbers::pi;
// A chord of 1 ms is v^2 / r * t^2 / 8 inside its circle.
constexpr double kCircleChord = kCircleSpeed * kCircleSpeed / 2.0 * 1e-6 / 8.0;

void add_truth(Trace& trace, const Path& path) {
    for (std::int64_t time_ns = 0; time_ns <= trace.ticks.back().sim_ns; time_ns += kMs) {
        trace.truths.push_back({.time_ns = time_ns, .id = 1, .position = path(seconds(time_ns))});
    }
}

Trace make_true_world(const Path& path) {
    Trace trace = make_world(path);
    add_truth(trace, path);
    return trace;
}

double by_37_ms(double frame_s) {
    return frame_s - 0.0373;
}

TEST(TruthError, TheBestLagIsFoundAndNothingIsLeftAfterIt) {
    const Trace trace = make_true_world(circle_path);
    const ObjectScore score = score_one(trace, draw(trace, by_37_ms, circle_path));
    ASSERT_TRUE(score.best_lag_ms && score.position_error_m_rms && score.velocity_error_ratio);
    EXPECT_NEAR(*score.best_lag_ms, 37.3, kLagMs + 1e-4);
    EXPECT_LT(*score.position_error_m_rms, kCircleSpeed * kLagS + kCircleChord);
    EXPECT_NEAR(*score.angle_error_deg_rms, 0.0, 1e-9);
    // Velocities off by the turn of the chord in 10 ms, and two chords.
    EXPECT_LT(*score.velocity_error_ratio, 1e-3);
}

TEST(TruthError, AConstantErrorIsThatError) {
    const Trace trace = make_true_world(line_path);
    std::vector<DrawnFrame> drawn = draw(trace, by_37_ms);
    for (DrawnFrame& frame : drawn) {
        frame.poses[0].position.y = 0.25;
        frame.poses[0].rotation = glm::angleAxis(0.5, kUp);
    }
    const ObjectScore score = score_one(trace, drawn);
    ASSERT_TRUE(score.best_lag_ms && score.position_error_m_rms && score.angle_error_deg_rms);
    EXPECT_NEAR(*score.best_lag_ms, 37.3, kLagMs + 1e-4);
    EXPECT_NEAR(*score.position_error_m_rms, 0.25, 1e-9); // Along the line only 5e-6, squared.
    EXPECT_NEAR(*score.angle_error_deg_rms, 0.5 * 180.0 / std::numbers::pi, 1e-9);
    EXPECT_NEAR(score.velocity_error_ratio.value(), 0.0, 1e-6); // Nanoseconds in 10 ms.
}

TEST(TruthError, UnevenStepsAreVelocityErrors) {
    const Trace trace = make_true_world(line_path);
    // Steps of 12 and 8 ms: 0.2 of the speed too much or too little, 1 ms around the mean.
    const auto shown = [](double frame_s) {
        const auto frame = std::llround(frame_s * 100.0);
        return frame_s - 0.03 + (frame % 2 == 0 ? 0.001 : -0.001);
    };
    const ObjectScore score = score_one(trace, draw(trace, shown));
    EXPECT_NEAR(score.velocity_error_ratio.value(), 0.2, 1e-6);
    EXPECT_NEAR(score.position_error_m_rms.value(), 0.001, 1e-6);
    EXPECT_NEAR(score.best_lag_ms.value(), 30.0,
                0.02); // Odd frame count: 1 ms / 381 off, and 5 us.
}

TEST(TruthError, WhatOnlyTurnsIsComparedByAngle) {
    const auto still = [](double) { return glm::dvec3(0.0); };
    Trace trace = make_true_world(still);
    for (TraceTruth& truth : trace.truths) {
        truth.rotation = glm::angleAxis(2.0 * seconds(truth.time_ns), kUp);
    }
    std::vector<DrawnFrame> drawn = draw(trace, steady, still);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const double shown_s = by_37_ms(seconds(trace.frames[i].cpu_ns));
        drawn[i].poses[0].rotation = glm::angleAxis(2.0 * shown_s, kUp);
    }
    const ObjectScore score = score_one(trace, drawn);
    EXPECT_NEAR(score.best_lag_ms.value(), 37.3, kLagMs + 1e-4);
    EXPECT_LT(score.angle_error_deg_rms.value(), 2.0 * kLagS * 180.0 / std::numbers::pi + 1e-6);
    EXPECT_NEAR(score.velocity_error_ratio.value(), 0.0, 1e-6);
}

TEST(TruthError, WithoutTruthOfTheObjectThereAreNoFigures) {
    Trace trace = make_true_world(line_path);
    for (TraceTruth& truth : trace.truths) {
        truth.id = 2;
    }
    const ObjectScore score = score_one(trace, draw(trace));
    EXPECT_TRUE(score.rate);
    EXPECT_FALSE(score.best_lag_ms);
    EXPECT_FALSE(score.position_error_m_rms);
    EXPECT_FALSE(score.angle_error_deg_rms);
    EXPECT_FALSE(score.velocity_error_ratio);
}

TEST(TruthError, TheTruePathIsThatOfTheTruthLinesAndNotOfTheTicks) {
    const Trace trace = make_true_world(circle_path);
    const std::vector<DrawnFrame> drawn = draw(trace, by_37_ms, circle_path);
    EXPECT_LT(score_one(trace, drawn).off_path_m_max, kCircleChord * 1.01);
    Trace ticks_only = trace;
    ticks_only.truths.clear();
    // A chord of 20 ms is 400 times as far inside.
    EXPECT_GT(score_one(ticks_only, drawn).off_path_m_max, 100.0 * kCircleChord);
}

TEST(TruthError, ACutBreaksTheTruthAsWell) {
    const auto jump = [](double time_s) {
        return glm::dvec3(time_s, time_s < 2.0 - 1e-9 ? 0.0 : 50.0, 0.0);
    };
    Trace trace = make_true_world(jump);
    for (TraceTick& tick : trace.ticks) {
        tick.poses[0].cut = tick.sim_ns < 2000 * kMs ? 0 : 1;
    }
    std::vector<DrawnFrame> drawn = draw(trace, steady, jump);
    const ObjectScore score = score_one(trace, drawn);
    EXPECT_EQ(score.streak_count, 0U);
    EXPECT_NEAR(score.rate.value().rate_rms, 0.0, 1e-7);
    EXPECT_LT(score.position_error_m_rms.value(), 1e-4);
    drawn[183].poses[0].position.y = 25.0; // Shows 2.0 s.
    EXPECT_EQ(score_one(trace, drawn).streak_count, 1U);
}

TEST(TruthError, SlowMotionHasAConstantLagOnTheSourcesTime) {
    Trace trace = make_true_world(line_path);
    for (TraceTick& tick : trace.ticks) {
        tick.due_ns = tick.sim_ns + 3 * std::max<std::int64_t>(tick.sim_ns - 1000 * kMs, 0);
        tick.arrive_ns = *tick.due_ns;
        tick.scale = tick.sim_ns >= 1000 * kMs ? 0.25 : 1.0;
    }
    link_frames(trace);
    const auto shown = [](double frame_s) {
        return std::min(frame_s, 1.0 + (frame_s - 1.0) / 4.0) - 0.03;
    };
    const ObjectScore score = score_one(trace, draw(trace, shown));
    EXPECT_NEAR(score.best_lag_ms.value(), 30.0, kLagMs + 1e-4);
    EXPECT_LT(score.position_error_m_rms.value(), 1.1 * kLagS);
}

TEST(SourceMap, GoesThroughTheScheduleWhereThereIsOne) {
    Trace trace = make_world();
    for (TraceTick& tick : trace.ticks) {
        tick.due_ns = tick.arrive_ns + 1000 * kMs;
        tick.arrive_ns += tick.tick % 3 * kMs + 1000 * kMs;
    }
    const SourceMap map(trace);
    // One division and one product of 4e9 ns in double: 1e-6 ns.
    EXPECT_NEAR(map.source_at(1500 * kMs), 500e6, 1e-3);
    EXPECT_NEAR(map.source_at(1507 * kMs), 507e6, 1e-3);
    EXPECT_NEAR(map.source_at(900 * kMs), -100e6, 1e-3);
    EXPECT_NEAR(map.source_at(6000 * kMs), 5000e6, 1e-3);
}

TEST(SourceMap, IsTheStraightLineThroughTheArrivalsWhereThereIsNoSchedule) {
    Trace trace = make_slow_world(25 * kMs);
    // Late by 0 and 2 ms in turns, in pairs that cancel out: 1 ms late in the mean.
    for (TraceTick& tick : trace.ticks) {
        const std::int64_t phase = tick.tick % 4;
        tick.arrive_ns += phase == 1 || phase == 2 ? 2 * kMs : 0;
    }
    trace.ticks.resize(200);
    const SourceMap map(trace);
    for (const std::int64_t time_ms : {0, 1000, 2500, 7000}) {
        const double expected = 0.8 * static_cast<double>((time_ms - 1) * kMs);
        // The ends of the run tilt the line by less than a millionth.
        EXPECT_NEAR(map.source_at(time_ms * kMs), expected, 3e3) << time_ms;
    }
}

TEST(SourceMap, GoesThroughTheArrivalsWhereTheTimeScaleChanges) {
    Trace trace = make_world();
    for (TraceTick& tick : trace.ticks) {
        tick.arrive_ns += 3 * std::max<std::int64_t>(tick.sim_ns - 1000 * kMs, 0);
        tick.scale = tick.sim_ns >= 1000 * kMs ? 0.25 : 1.0;
    }
    const SourceMap map(trace);
    EXPECT_NEAR(map.source_at(500 * kMs), 500e6, 1e-3);
    EXPECT_NEAR(map.source_at(1400 * kMs), 1100e6, 1e-3);
    EXPECT_NEAR(map.source_at(1444 * kMs), 1111e6, 1e-3);
}

TEST(SourceMap, OneTickGoesOnAtFullSpeed) {
    Trace trace = make_world();
    trace.ticks.resize(1);
    trace.ticks[0].arrive_ns = 70 * kMs;
    EXPECT_NEAR(SourceMap(trace).source_at(100 * kMs), 30e6, 1e-3);
}

} // namespace
} // namespace glissade::lab
