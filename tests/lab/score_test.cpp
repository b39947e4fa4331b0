// SPDX-License-Identifier: MIT
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
using testing::kFirstFrameNs;
using testing::kFrameNs;
using testing::kMs;
using testing::kTickNs;
using testing::make_slow_world;
using testing::make_world;
using testing::Path;
using testing::rate_of;
using testing::score_one;
using testing::steady;

// Shown times are whole nanoseconds: two roundings of half a nanosecond in a frame of 10 ms.
constexpr double kRate = 1e-7;
constexpr double kRateMs = 1e-6;
const glm::dvec3 kUp{0.0, 0.0, 1.0};

double seconds(std::int64_t time_ns) {
    return static_cast<double>(time_ns) * 1e-9;
}

std::int64_t frame_number(double frame_s) {
    return (std::llround(frame_s * 1e9) - kFirstFrameNs) / kFrameNs;
}

// Moves every other frame on by half a frame.
double alternating(double frame_s) {
    return steady(frame_s) + (frame_number(frame_s) % 2 == 0 ? 0.0 : 0.005);
}

TEST(Score, APerfectPictureHasNoError) {
    const Trace trace = make_world();
    const ObjectScore score = score_one(trace, draw(trace));
    EXPECT_EQ(score.id, 1);
    EXPECT_EQ(score.frame_count, 381U);
    ASSERT_TRUE(score.rate);
    EXPECT_EQ(score.rate->scored_count, 380U);
    EXPECT_NEAR(score.rate->mean_rate, 1.0, kRate);
    EXPECT_NEAR(score.rate->rate_rms, 0.0, kRate);
    EXPECT_NEAR(score.rate->rate_p99, 0.0, kRate);
    EXPECT_NEAR(score.rate->animation_error_rms_ms, 0.0, kRateMs);
    EXPECT_EQ(score.rate->hold_count + score.rate->jump_count + score.rate->backward_count, 0U);
    EXPECT_EQ(score.streak_count, 0U);
    EXPECT_NEAR(score.off_path_m_max, 0.0, 1e-12);
}

// A page in a hidden tab: no frames for 700 ms, then the present moment.
TEST(Score, AFrameThatStayedAwayForLongIsAsEvenAsTheOthers) {
    Trace trace = make_world();
    trace.frames.erase(trace.frames.begin() + 250, trace.frames.begin() + 320);
    link_frames(trace);
    const RateMetrics rate = rate_of(trace, draw(trace));
    EXPECT_NEAR(rate.rate_rms, 0.0, kRate);
    EXPECT_EQ(rate.hold_count + rate.jump_count + rate.backward_count, 0U);
}

TEST(Score, TheLagIsThatOfThePictureBehindTheSource) {
    const Trace trace = make_world();
    const ObjectScore score = score_one(trace, draw(trace));
    ASSERT_TRUE(score.lag_ms_mean && score.lag_ms_p99);
    EXPECT_NEAR(*score.lag_ms_mean, 30.0, kRateMs);
    EXPECT_NEAR(*score.lag_ms_p99, 30.0, kRateMs);
}

TEST(Score, TheTailOfTheLagIsThatOfTheLatestFrames) {
    const Trace trace = make_world();
    // 5 % of the frames show 2 ms less.
    const ObjectScore score =
        score_one(trace, draw(trace, [](double frame_s) {
                      return steady(frame_s) - (frame_number(frame_s) % 20 == 7 ? 0.002 : 0.0);
                  }));
    ASSERT_TRUE(score.lag_ms_mean && score.lag_ms_p99);
    EXPECT_NEAR(*score.lag_ms_p99, 32.0, 1e-4);  // The mean rate is right to 1e-6.
    EXPECT_NEAR(*score.lag_ms_mean, 30.1, 0.01); // 19 of 380 frames.
}

TEST(Score, ALateTickCountsInTheLagOnlyUntilItIsThere) {
    // All ticks arrive 7 ms late: the source seems to be 7 ms behind, and the lag is less by that.
    Trace trace = make_world();
    for (TraceTick& tick : trace.ticks) {
        tick.arrive_ns += 7 * kMs;
    }
    link_frames(trace);
    const ObjectScore score = score_one(trace, draw(trace));
    ASSERT_TRUE(score.lag_ms_mean);
    EXPECT_NEAR(*score.lag_ms_mean, 23.0, kRateMs);
}

TEST(Score, ASlowSourceIsMeasuredAtItsOwnRate) {
    const Trace trace = make_slow_world(25 * kMs);
    const ObjectScore score =
        score_one(trace, draw(trace, [](double frame_s) { return 0.8 * frame_s - 0.03; }));
    ASSERT_TRUE(score.rate && score.lag_ms_mean);
    EXPECT_NEAR(score.rate->mean_rate, 0.8, kRate);
    EXPECT_NEAR(score.rate->rate_rms, 0.0, 2.0 * kRate);
    EXPECT_NEAR(*score.lag_ms_mean, 30.0, 1e-5); // 25 ms carried on at a rate right to 1e-7.
    EXPECT_NEAR(score.rate->animation_error_rms_ms, 2.0, kRateMs);
}

TEST(Score, AlternatingStepsOfOneAndAHalfAndHalfErrByHalf) {
    const Trace trace = make_world();
    const RateMetrics rate = rate_of(trace, draw(trace, alternating));
    EXPECT_NEAR(rate.mean_rate, 1.0, kRate);
    EXPECT_NEAR(rate.rate_rms, 0.5, kRate);
    EXPECT_NEAR(rate.rate_p99, 0.5, kRate);
    EXPECT_NEAR(rate.animation_error_rms_ms, 5.0, kRateMs);
    EXPECT_NEAR(rate.animation_error_p99_ms, 5.0, kRateMs);
}

TEST(Score, HoldsJumpsAndStepsBackAreCounted) {
    const Trace trace = make_world();
    const auto with_step = [&trace](double change_s) {
        return rate_of(trace, draw(trace, [change_s](double frame_s) {
                           return steady(frame_s) + (frame_number(frame_s) == 100 ? change_s : 0.0);
                       }));
    };
    // The frame stands, and the next one makes up for it.
    EXPECT_EQ(with_step(-0.01).hold_count, 1U);
    EXPECT_EQ(with_step(-0.01).jump_count, 1U);
    EXPECT_EQ(with_step(-0.01).backward_count, 0U);
    EXPECT_EQ(with_step(-0.015).backward_count, 1U);
    EXPECT_EQ(with_step(-0.004).hold_count, 0U);
    EXPECT_EQ(with_step(-0.004).jump_count, 0U);
    EXPECT_EQ(with_step(0.006).jump_count, 1U);
}

TEST(Score, TheWarmUpIsNotJudged) {
    const Trace trace = make_world();
    std::vector<DrawnFrame> drawn = draw(trace, [](double frame_s) {
        return frame_s < 1.2 ? alternating(frame_s) : steady(frame_s);
    });
    for (DrawnFrame& frame : drawn) {
        frame.sample_ns = frame.frame < 50 ? 5000 * kMs : 0;
        frame.poses[0].position.y = frame.frame < 50 ? 0.01 : 0.0;
    }
    EXPECT_GT(rate_of(trace, drawn, 0.0).rate_rms, 0.2);
    EXPECT_EQ(score_one(trace, drawn, 0.0).underrun_count, 50U);
    // The frames begin at 0.2 s.
    const ObjectScore score = score_one(trace, drawn, 1.1);
    EXPECT_NEAR(score.rate.value().rate_rms, 0.0, kRate);
    EXPECT_EQ(score.frame_count, 271U);
    EXPECT_EQ(score.rate->scored_count, 271U);
    EXPECT_EQ(score.underrun_count, 0U);
    EXPECT_NEAR(score.off_path_m_max, 0.0, 1e-12);
    EXPECT_NEAR(score.lag_ms_mean.value(), 30.0, kRateMs);
}

TEST(Score, TheWarmUpIsTwoSecondsUnlessSaidOtherwise) {
    const Trace trace = make_world();
    const Scorer scorer(trace);
    EXPECT_EQ(scorer.start_ns(), kFirstFrameNs + 2000 * kMs);
    EXPECT_EQ(scorer.score(draw(trace)).objects.at(0).frame_count, 181U);
}

TEST(Score, FramesAreJudgedByTheDisplaysTime) {
    Trace trace = make_world();
    const std::vector<DrawnFrame> drawn = draw(trace);
    for (TraceFrame& frame : trace.frames) {
        frame.present_ns = frame.cpu_ns;
        frame.cpu_ns += frame.frame % 2 == 0 ? 0 : 5 * kMs;
    }
    EXPECT_NEAR(rate_of(trace, drawn).rate_rms, 0.0, kRate);
    for (TraceFrame& frame : trace.frames) {
        frame.present_ns.reset();
    }
    // Frames of 15 and 5 ms for steps of 10 ms: rates of 2/3 and 2.
    const double error = std::sqrt((1.0 / 9.0 + 1.0) / 2.0);
    EXPECT_NEAR(rate_of(trace, drawn).rate_rms, error, 1e-3);
    EXPECT_EQ(present_of({0, 5, 3}), 3);
    EXPECT_EQ(present_of({0, 5, {}}), 5);
}

TEST(Score, HowFarFromThePathItWasDrawnIsMeasured) {
    const Trace trace = make_world();
    std::vector<DrawnFrame> drawn = draw(trace);
    drawn[50].poses[0].position.z = 0.4;
    drawn[51].poses[0].position.y = -0.3;
    EXPECT_NEAR(score_one(trace, drawn).off_path_m_max, 0.4, 1e-12);
    EXPECT_NEAR(rate_of(trace, drawn).rate_rms, 0.0, kRate);
}

// Object 1 turns in place by 1 rad/s.
Trace make_turning() {
    Trace trace = make_world([](double) { return glm::dvec3(1.0, 2.0, 3.0); });
    for (TraceTick& tick : trace.ticks) {
        tick.poses[0].rotation = glm::angleAxis(seconds(tick.sim_ns), kUp);
    }
    return trace;
}

TEST(Score, WhatOnlyTurnsIsJudgedByAngle) {
    const Trace trace = make_turning();
    std::vector<DrawnFrame> even = draw(trace, steady, [](double) { return glm::dvec3(1, 2, 3); });
    std::vector<DrawnFrame> uneven = even;
    for (std::size_t i = 0; i < even.size(); ++i) {
        const double frame_s = seconds(trace.frames[i].cpu_ns);
        even[i].poses[0].rotation = glm::angleAxis(steady(frame_s), kUp);
        uneven[i].poses[0].rotation = glm::angleAxis(alternating(frame_s), kUp) * -2.0;
    }
    EXPECT_NEAR(rate_of(trace, even).rate_rms, 0.0, kRate);
    EXPECT_NEAR(score_one(trace, even).lag_ms_mean.value(), 30.0, kRateMs);
    EXPECT_NEAR(rate_of(trace, uneven).rate_rms, 0.5, kRate);
    EXPECT_TRUE(Scorer(trace).paths().at(1).turns_only());
}

TEST(Score, TheWorstObjectIsTheOneWithTheLargestRateError) {
    Trace trace = make_world();
    for (TraceTick& tick : trace.ticks) {
        tick.poses.push_back(tick.poses[0]);
        tick.poses[1].id = 9;
        tick.poses.push_back(tick.poses[0]);
        tick.poses[2].id = -4;
    }
    std::vector<DrawnFrame> drawn = draw(trace);
    const std::vector<DrawnFrame> uneven = draw(trace, alternating);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        drawn[i].poses.push_back({9, uneven[i].poses[0].position});
        drawn[i].poses.push_back({77, {0.0, 0.0, 0.0}}); // Of nobody that the trace knows.
    }
    const Score score = Scorer(trace, {.warmup_s = 0.0}).score(drawn);
    ASSERT_EQ(score.objects.size(), 2U); // Object -4 was never drawn.
    EXPECT_EQ(score.objects[0].id, 1);
    EXPECT_EQ(score.objects[1].id, 9);
    EXPECT_EQ(score.worst, 1U);
    EXPECT_NEAR(score.objects[0].rate.value().rate_rms, 0.0, kRate);
    EXPECT_NEAR(score.objects[1].rate.value().rate_rms, 0.5, kRate);
}

TEST(Score, WithoutADrawingThereIsNoWorstObject) {
    const Trace trace = make_world();
    const Score score = Scorer(trace).score({});
    EXPECT_TRUE(score.objects.empty());
    EXPECT_FALSE(score.worst);
    EXPECT_EQ(score.problem, "");
}

TEST(Score, AFrameThatTheTraceDoesNotHaveIsAProblem) {
    const Trace trace = make_world();
    std::vector<DrawnFrame> drawn = draw(trace);
    drawn[17].frame = 4711;
    const Scorer scorer(trace);
    const Score score = scorer.score(drawn);
    EXPECT_NE(score.problem.find("4711"), std::string::npos) << score.problem;
    EXPECT_TRUE(score.objects.empty());
    EXPECT_EQ(scorer.judge(drawn).at(0).frames.size(), drawn.size() - 1);
}

TEST(Score, UnderrunsAreFramesAimedBeyondTheNewestTick) {
    const Trace trace = make_world();
    std::vector<DrawnFrame> drawn = draw(trace);
    EXPECT_FALSE(score_one(trace, drawn).underrun_count);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const std::int64_t newest_ns = trace.frames[i].cpu_ns / kTickNs * kTickNs;
        drawn[i].sample_ns = newest_ns + (i % 100 == 3 ? 1 : 0);
    }
    EXPECT_EQ(score_one(trace, drawn).underrun_count, 4U);
}

TEST(Score, ALatePacketDoesNotTurnTheNewestTimeBack) {
    Trace trace = make_world();
    trace.header.source = TraceSource::Network;
    for (TraceTick& tick : trace.ticks) {
        tick.epoch = 5;
    }
    std::swap(trace.ticks[50], trace.ticks[51]);
    std::swap(trace.ticks[50].arrive_ns, trace.ticks[51].arrive_ns);
    link_frames(trace);
    const Scorer scorer(trace);
    for (std::size_t i = 1; i < trace.frames.size(); ++i) {
        ASSERT_GE(scorer.newest_known()[i].sim_ns, scorer.newest_known()[i - 1].sim_ns);
    }
    EXPECT_NEAR(rate_of(trace, draw(trace)).rate_rms, 0.0, kRate);
}

// Moves for a second, rests for a second, moves on.
glm::dvec3 resting_path(double time_s) {
    return {time_s < 1.0 ? time_s : std::max(time_s - 1.0, 1.0), 0.0, 0.0};
}

TEST(Score, RestIsNotScored) {
    const Trace trace = make_world(resting_path);
    const RateMetrics rate = rate_of(trace, draw(trace, steady, resting_path));
    EXPECT_NEAR(rate.rate_rms, 0.0, kRate);
    EXPECT_EQ(rate.hold_count, 0U);
    // About 100 of the 380 steps are rest.
    EXPECT_NEAR(static_cast<double>(rate.scored_count), 280.0, 3.0);
}

TEST(Score, MotionBelowATwentiethOfTheMedianSpeedIsNotScored) {
    const auto creeping = [](double speed) {
        return [speed](double time_s) {
            const double slow_s = std::clamp(time_s - 1.0, 0.0, 1.0);
            return glm::dvec3(time_s - slow_s + speed * slow_s, 0.0, 0.0);
        };
    };
    const auto scored = [&creeping](double speed) {
        const Trace trace = make_world(creeping(speed));
        return rate_of(trace, draw(trace, steady, creeping(speed))).scored_count;
    };
    EXPECT_NEAR(static_cast<double>(scored(0.04)), 280.0, 3.0);
    EXPECT_EQ(scored(0.06), 380U);
}

TEST(Score, AnObjectThatNeverMovesHasNoRate) {
    const auto still = [](double) { return glm::dvec3(1.0, 0.0, 0.0); };
    const Trace trace = make_world(still);
    const ObjectScore score = score_one(trace, draw(trace, steady, still));
    EXPECT_EQ(score.frame_count, 381U);
    EXPECT_FALSE(score.rate);
    EXPECT_FALSE(score.lag_ms_mean);
}

TEST(Score, APathThatRunsBackAlongItselfIsFollowed) {
    // A metre to and fro once a second, along the chords that the ticks join.
    const auto swing = [](double time_s) {
        const double before_s = std::floor(time_s / 0.02 + 1e-9) * 0.02;
        const auto at = [](double t) { return std::sin(2.0 * std::numbers::pi * t); };
        const double part = (time_s - before_s) / 0.02;
        return glm::dvec3(at(before_s) + part * (at(before_s + 0.02) - at(before_s)), 0.0, 0.0);
    };
    const Trace trace = make_world(swing);
    const ObjectScore score = score_one(trace, draw(trace, steady, swing));
    ASSERT_TRUE(score.rate);
    EXPECT_EQ(score.rate->backward_count, 0U);
    EXPECT_EQ(score.rate->hold_count + score.rate->jump_count, 0U);
    // At 5 % of the speed 1e-15 m are 1e-14 s: the rounding to nanoseconds is the larger one.
    EXPECT_NEAR(score.rate->rate_rms, 0.0, kRate);
    EXPECT_NEAR(score.lag_ms_mean.value(), 30.0, kRateMs);
    EXPECT_GT(score.rate->scored_count, 350U);
}

TEST(Score, ASpawnedAndEndedObjectIsJudgedWhileItLives) {
    Trace trace = make_world();
    std::vector<DrawnFrame> drawn = draw(trace);
    for (TraceTick& tick : trace.ticks) {
        if (tick.sim_ns < 1000 * kMs || tick.sim_ns > 2000 * kMs) {
            tick.poses.clear();
        }
    }
    trace.ticks[100].gone = {1};
    for (DrawnFrame& frame : drawn) {
        const double x = frame.poses[0].position.x;
        if (x < 1.0 - 1e-9 || x > 2.0 + 1e-9) {
            frame.poses.clear();
        }
    }
    const ObjectScore score = score_one(trace, drawn);
    EXPECT_EQ(score.frame_count, 101U);
    EXPECT_NEAR(score.rate.value().rate_rms, 0.0, kRate);
    EXPECT_NEAR(score.off_path_m_max, 0.0, 1e-12);
    const Scorer scorer(trace);
    EXPECT_EQ(scorer.paths().at(1).first_ns(), 1000 * kMs);
    EXPECT_EQ(scorer.paths().at(1).last_ns(), 2000 * kMs);
}

TEST(Score, AnObjectThatComesBackHasAPathAgain) {
    Trace trace = make_world();
    trace.ticks[50].gone = {1};
    for (std::size_t i = 51; i < 60; ++i) {
        trace.ticks[i].poses.clear();
    }
    EXPECT_EQ(Scorer(trace).paths().at(1).last_ns(), 4000 * kMs);
    EXPECT_NEAR(score_one(trace, draw(trace)).off_path_m_max, 0.0, 1e-9);
}

TEST(Score, FramesThatDoNotDrawAnObjectAreNoErrorOfIt) {
    const Trace trace = make_world();
    std::vector<DrawnFrame> drawn = draw(trace);
    for (std::size_t i = 100; i < 110; ++i) {
        drawn[i].poses.clear();
    }
    const RateMetrics rate = rate_of(trace, drawn);
    EXPECT_NEAR(rate.rate_rms, 0.0, kRate);
    EXPECT_EQ(rate.hold_count + rate.jump_count, 0U);
    EXPECT_EQ(score_one(trace, drawn).frame_count, 371U);
}

TEST(Score, AnAbsentObjectRests) {
    Trace trace = make_world(resting_path);
    for (TraceTick& tick : trace.ticks) {
        if (tick.sim_ns > 1000 * kMs && tick.sim_ns <= 2000 * kMs) {
            tick.poses.clear();
        }
    }
    const RateMetrics rate = rate_of(trace, draw(trace, steady, resting_path));
    EXPECT_NEAR(rate.rate_rms, 0.0, kRate);
    EXPECT_NEAR(static_cast<double>(rate.scored_count), 280.0, 3.0);
}

} // namespace
} // namespace glissade::lab
