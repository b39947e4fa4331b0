// SPDX-License-Identifier: MIT
// Scorer across cuts, shifts and changes of the time scale.
#include "lab/score.h"
#include "lab/score_world.h"

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
using testing::make_world;
using testing::rate_of;
using testing::score_one;
using testing::steady;

// Shown times are whole nanoseconds: two roundings of half a nanosecond in a frame of 10 ms.
constexpr double kRate = 1e-7;
constexpr double kCut = 50.0; // Metres.

// Cut in the ticks of 1, 2 and 3 s; before each of them it rests for a tick, for nobody knows
// better.
glm::dvec3 cut_path(double time_s) {
    const double next_s = std::floor(time_s + 1e-9) + 1.0;
    const double held_s = std::min(time_s, next_s - 0.02);
    return {held_s, kCut * (next_s - 1.0), 0.0};
}

Trace make_cut_world() {
    Trace trace = make_world(
        [](double time_s) { return glm::dvec3(time_s, kCut * std::floor(time_s + 1e-9), 0.0); });
    for (TraceTick& tick : trace.ticks) {
        tick.poses[0].cut = tick.sim_ns / (1000 * kMs);
    }
    return trace;
}

TEST(Score, ACutThatIsDrawnOnItsTwoSidesOnlyIsNoError) {
    const Trace trace = make_cut_world();
    const ObjectScore score = score_one(trace, draw(trace, steady, cut_path));
    ASSERT_TRUE(score.rate);
    EXPECT_EQ(score.streak_count, 0U);
    EXPECT_NEAR(score.off_path_m_max, 0.0, 1e-12);
    EXPECT_NEAR(score.rate->rate_rms, 0.0, kRate);
    EXPECT_EQ(score.rate->hold_count + score.rate->jump_count, 0U);
    // At each of the three cuts the tick of rest and the steps into it and out of it are left out.
    EXPECT_NEAR(static_cast<double>(score.rate->scored_count), 380.0 - 3.0 * 3.0, 3.0);
}

TEST(Score, FramesDrawnBetweenTheSidesOfACutAreStreaks) {
    const Trace trace = make_cut_world();
    // Straight across within the tick: one frame of 10 ms is in the middle of each cut.
    const auto across = [](double time_s) {
        glm::dvec3 position = cut_path(time_s);
        const double next_s = std::floor(time_s + 1e-9) + 1.0;
        const double part = std::max(time_s - (next_s - 0.02), 0.0) / 0.02;
        position.y += kCut * part;
        return position;
    };
    const ObjectScore score = score_one(trace, draw(trace, steady, across));
    ASSERT_TRUE(score.rate);
    EXPECT_EQ(score.streak_count, 3U);
    // A streak is no distance from the path and no rate.
    EXPECT_NEAR(score.off_path_m_max, 0.0, 1e-9);
    EXPECT_NEAR(score.rate->rate_rms, 0.0, kRate);
}

TEST(Score, WithoutADeclaredCutThereIsNoStreak) {
    Trace trace = make_cut_world();
    for (TraceTick& tick : trace.ticks) {
        tick.poses[0].cut.reset();
    }
    EXPECT_EQ(score_one(trace, draw(trace, steady, cut_path)).streak_count, 0U);
}

TEST(Score, StreaksOfTheWarmUpAreNotCounted) {
    const Trace trace = make_cut_world();
    std::vector<DrawnFrame> drawn = draw(trace, steady, cut_path);
    for (DrawnFrame& frame : drawn) {
        const bool first_cut = std::abs(frame.poses[0].position.x - 0.98) < 0.001;
        frame.poses[0].position.y += first_cut ? kCut / 2.0 : 0.0;
    }
    EXPECT_GE(score_one(trace, drawn, 0.0).streak_count, 1U);
    EXPECT_EQ(score_one(trace, drawn, 1.5).streak_count, 0U);
}

TEST(Score, AfterACutThePictureIsFollowedOnTheFarSide) {
    const Trace trace = make_cut_world();
    const auto judged = Scorer(trace, {.warmup_s = 0.0}).judge(draw(trace, steady, cut_path));
    ASSERT_EQ(judged.size(), 1U);
    for (const JudgedFrame& frame : judged[0].frames) {
        ASSERT_TRUE(frame.found);
        const std::int64_t cpu_ns = trace.frames[frame.frame].cpu_ns;
        ASSERT_NEAR(static_cast<double>(frame.shown.shown_ns),
                    static_cast<double>(cpu_ns - 30 * kMs), 1.0);
    }
}

// A portal in the tick of 2 s: a quarter turn about z, and away.
const TraceShift kPortal{
    1, {0.0, 300.0, 7.0}, glm::angleAxis(std::numbers::pi / 2.0, glm::dvec3(0.0, 0.0, 1.0))};

glm::dvec3 through(double way) {
    return kPortal.translation + kPortal.rotation * glm::dvec3(way, 0.0, 0.0);
}

Trace make_portal_world() {
    Trace trace = make_world();
    for (TraceTick& tick : trace.ticks) {
        if (tick.sim_ns >= 2000 * kMs) {
            tick.poses[0].shift = kPortal;
            tick.poses[0].position = through(tick.poses[0].position.x);
        }
    }
    return trace;
}

TEST(Score, AShiftIsGoneThroughAnywhereInItsTick) {
    const Trace trace = make_portal_world();
    for (const double portal_s : {1.980, 1.987, 1.9999}) {
        SCOPED_TRACE(portal_s);
        const auto path = [portal_s](double time_s) {
            return time_s <= portal_s ? line_path(time_s) : through(time_s);
        };
        const ObjectScore score = score_one(trace, draw(trace, steady, path));
        ASSERT_TRUE(score.rate);
        EXPECT_EQ(score.streak_count, 0U);
        EXPECT_NEAR(score.off_path_m_max, 0.0, 1e-9);
        EXPECT_NEAR(score.rate->rate_rms, 0.0, 2.0 * kRate); // Positions of 300 m cost a rounding.
        EXPECT_EQ(score.rate->hold_count + score.rate->jump_count, 0U);
        EXPECT_GT(score.rate->scored_count, 375U);
    }
}

TEST(Score, BetweenTheSidesOfAShiftIsAStreak) {
    const Trace trace = make_portal_world();
    std::vector<DrawnFrame> drawn = draw(trace, steady, [](double time_s) {
        return time_s < 2.0 - 1e-9 ? line_path(time_s) : through(time_s);
    });
    for (DrawnFrame& frame : drawn) {
        if (std::abs(frame.poses[0].position.x - 1.99) < 1e-6) {
            frame.poses[0].position = (line_path(1.98) + through(2.0)) / 2.0;
        }
    }
    EXPECT_EQ(score_one(trace, drawn).streak_count, 1U);
}

// A quarter of the speed from 1 s of the source on: its ticks come every 80 ms.
Trace make_slow_motion(bool declared) {
    Trace trace = make_world();
    for (TraceTick& tick : trace.ticks) {
        const std::int64_t slow_ns = std::max<std::int64_t>(tick.sim_ns - 1000 * kMs, 0);
        tick.arrive_ns = tick.sim_ns + 3 * slow_ns;
        if (declared) {
            tick.scale = tick.sim_ns >= 1000 * kMs ? 0.25 : 1.0;
        }
    }
    trace.ticks.resize(101);
    link_frames(trace);
    return trace;
}

double in_slow_motion(double frame_s) {
    const double source_s = frame_s < 1.0 ? frame_s : 1.0 + (frame_s - 1.0) / 4.0;
    return source_s - 0.03;
}

TEST(Score, DeclaredSlowMotionIsNoError) {
    const Trace declared = make_slow_motion(true);
    const RateMetrics rate = rate_of(declared, draw(declared, in_slow_motion));
    EXPECT_NEAR(rate.mean_rate, 1.0, kRate);
    EXPECT_NEAR(rate.rate_rms, 0.0, 4.0 * kRate); // Steps of 2.5 ms.
    const Trace silent = make_slow_motion(false);
    EXPECT_GT(rate_of(silent, draw(silent, in_slow_motion)).rate_rms, 0.3);
}

TEST(Score, SlowMotionMayBeginWhenItsTickIsShown) {
    const Trace trace = make_slow_motion(true);
    // The delay of 30 ms is played out at full speed first.
    const auto shown = [](double frame_s) {
        const double full_s = frame_s - 0.03;
        return full_s < 1.0 ? full_s : 1.0 + (full_s - 1.0) / 4.0;
    };
    EXPECT_NEAR(rate_of(trace, draw(trace, shown)).rate_rms, 0.0, 4.0 * kRate);
}

TEST(Score, AWrongRateInSlowMotionIsAnError) {
    const Trace trace = make_slow_motion(true);
    const auto shown = [](double frame_s) {
        return in_slow_motion(frame_s) + (frame_s > 2.0 ? 0.001 * std::sin(100.0 * frame_s) : 0.0);
    };
    EXPECT_GT(rate_of(trace, draw(trace, shown)).rate_rms, 0.1);
}

TEST(Score, APauseIsNotScored) {
    Trace trace = make_world();
    // The tick of 2 s says that time stands, and the next one comes a second later.
    for (TraceTick& tick : trace.ticks) {
        tick.paused = tick.sim_ns == 2000 * kMs;
        tick.arrive_ns += tick.sim_ns > 2000 * kMs ? 1000 * kMs : 0;
    }
    link_frames(trace);
    const auto shown = [](double frame_s) {
        return std::min(frame_s, std::max(frame_s - 1.0, 2.0)) - 0.03;
    };
    const RateMetrics rate = rate_of(trace, draw(trace, shown));
    EXPECT_EQ(rate.hold_count, 0U);
    EXPECT_NEAR(rate.rate_rms, 0.0, kRate);
    EXPECT_LT(rate.scored_count, 290U);
}

} // namespace
} // namespace glissade::lab
