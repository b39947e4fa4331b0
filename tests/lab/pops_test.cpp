// SPDX-License-Identifier: MIT
#include "lab/pops.h"

#include "lab/score_world.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

using testing::draw;
using testing::kFrameNs;
using testing::kTickNs;
using testing::line_path;
using testing::make_world;
using testing::score_one;
using testing::steady;

TEST(CountPops, AboveThreeTimesTheMedianIsAPop) {
    EXPECT_EQ(count_pops({}), 0U);
    const std::vector<double> even(9, 4.0);
    EXPECT_EQ(count_pops(even), 0U);
    EXPECT_EQ(count_pops(std::vector<double>{4, 4, 4, 12, 4}), 0U); // Three times, not above.
    EXPECT_EQ(count_pops(std::vector<double>{4, 4, 4, 12.01, 4}), 1U);
    EXPECT_EQ(count_pops(std::vector<double>{4, 0, 40, 4, 13, 0, 4}), 2U);
}

TEST(CountPops, OfAPictureThatMostlyStandsEveryStepIsAPop) {
    EXPECT_EQ(count_pops(std::vector<double>{0, 0, 0, 240, 0, 0, 0, 0.01, 0}), 2U);
    // What is left of a blend between two equal states is no step.
    EXPECT_EQ(count_pops(std::vector<double>{0, 0, 1e-12, 0}), 0U);
}

TEST(ScorePops, ASteadyPictureHasNone) {
    EXPECT_EQ(score_one(make_world(), draw(make_world())).pop_count, 0U);
}

TEST(ScorePops, EachJumpOfASteadyPictureIsOne) {
    const Trace trace = make_world();
    // Every half second 50 ms ahead: a frame of 60 ms of way, six times the usual one.
    const auto hurried = [](double frame_s) {
        return frame_s - 0.5 + 0.05 * std::floor(frame_s * 2.0 + 1e-6);
    };
    // Frames run from 0.2 to 4 s; steps at 0.5, 1.0, ..., 4.0.
    EXPECT_EQ(score_one(trace, draw(trace, hurried)).pop_count, 8U);
    // The warm-up takes those of the first 2 s, up to 2.0 itself: frame 2.2 is the first judged.
    EXPECT_EQ(score_one(trace, draw(trace, hurried), 2.0).pop_count, 4U);
}

TEST(ScorePops, APictureThatSnapsPopsAtEverySnap) {
    const Trace trace = make_world();
    const auto snapping = [](double frame_s) { return std::floor(frame_s * 4.0 + 1e-6) / 4.0; };
    // Stands, and goes 25 cm at 0.25, 0.5, ..., 4.0 s.
    EXPECT_EQ(score_one(trace, draw(trace, snapping)).pop_count, 16U);
}

TEST(ScorePops, AFrameThatTookLongIsNoPop) {
    Trace trace = make_world();
    std::erase_if(trace.frames, [](const TraceFrame& frame) {
        return frame.cpu_ns % (50 * kFrameNs) >= 44 * kFrameNs; // Frames of 70 ms now and then.
    });
    link_frames(trace);
    EXPECT_EQ(score_one(trace, draw(trace)).pop_count, 0U);
}

TEST(ScorePops, StepsWhileTheObjectRestsDoNotCount) {
    // Moves for a second, rests for two, moves again.
    const auto path = [](double time_s) {
        const double moved_s = std::min(time_s, 1.0) + std::max(time_s - 3.0, 0.0);
        return glm::dvec3{moved_s, 0.0, 0.0};
    };
    const Trace trace = make_world(path);
    std::vector<DrawnFrame> drawn = draw(trace, steady, path);
    for (std::size_t i = 120; i < 200; i += 10) { // From 1.4 to 2.2 s.
        drawn[i].poses[0].position.y += 0.5;
    }
    EXPECT_EQ(score_one(trace, drawn).pop_count, 0U);
    drawn[20].poses[0].position.y += 0.5; // While it moves: there and back.
    EXPECT_EQ(score_one(trace, drawn).pop_count, 2U);
}

TEST(ScorePops, ATrueCutIsNoPop) {
    // 10 m to the side at 1 s, 2 s and 3 s.
    const auto path = [](double time_s) {
        return glm::dvec3{time_s, 10.0 * std::floor(time_s + 1e-9), 0.0};
    };
    Trace trace = make_world(path);
    for (TraceTick& tick : trace.ticks) {
        tick.poses[0].cut = tick.sim_ns / (50 * kTickNs);
    }
    EXPECT_EQ(score_one(trace, draw(trace, steady, path)).pop_count, 0U);
    // A second behind its newest state and further: the picture snaps over the cut.
    const auto rare = [](double frame_s) { return std::floor(frame_s / 0.7 + 1e-6) * 0.7; };
    // At 0.7, 1.4, 2.1, 2.8 and 3.5 s; those to 1.4, 2.1 and 3.5 cross a cut.
    EXPECT_EQ(score_one(trace, draw(trace, rare, path)).pop_count, 2U);
}

TEST(ScorePops, AnObjectThatTurnsInPlaceIsJudgedByItsAngle) {
    Trace trace = make_world();
    const auto turned = [](double angle_rad) {
        return glm::dquat(std::cos(angle_rad / 2.0), 0.0, 0.0, std::sin(angle_rad / 2.0));
    };
    for (TraceTick& tick : trace.ticks) {
        tick.poses[0].position = glm::dvec3(0.0);
        tick.poses[0].rotation = turned(static_cast<double>(tick.sim_ns) * 1e-9);
    }
    std::vector<DrawnFrame> drawn = draw(trace, steady, line_path);
    for (DrawnFrame& frame : drawn) {
        DrawnPose& pose = frame.poses[0];
        const double ahead_s = pose.position.x > 2.0 ? 0.1 : 0.0; // One pop of 11 steps.
        pose.rotation = turned(pose.position.x + ahead_s);
        pose.position = glm::dvec3(0.0);
    }
    EXPECT_EQ(score_one(trace, drawn).pop_count, 1U);
}

} // namespace
} // namespace glissade::lab
