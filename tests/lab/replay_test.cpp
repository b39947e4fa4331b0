// SPDX-License-Identifier: MIT
#include "lab/replay.h"

#include "lab/small_trace.h"

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

using testing::kMs;
using testing::make_header;
using testing::make_pose;
using testing::make_tick;
using testing::make_tick_at;

Trace make_small() {
    Trace trace{.header = make_header()};
    for (std::int64_t number = 0; number < 4; ++number) {
        trace.ticks.push_back(make_tick_at(number, static_cast<double>(number)));
    }
    trace.frames = {{10, 0, {}}, {12, 20 * kMs, {}}, {13, 39 * kMs, {}}};
    link_frames(trace);
    return trace;
}

double drawn_x(const Drawn& drawn, std::size_t frame) {
    return drawn.frames.at(frame).poses.at(0).position.x;
}

TEST(Replay, DrawsEachFrameFromTheTicksBeforeIt) {
    const Drawn drawn = replay(make_small(), *find_method("newest"));
    ASSERT_EQ(drawn.frames.size(), 3U);
    EXPECT_EQ(drawn.frames[0].frame, 10);
    EXPECT_EQ(drawn.frames[1].frame, 12);
    EXPECT_EQ(drawn.frames[2].frame, 13);
    EXPECT_EQ(drawn_x(drawn, 0), 0.0);
    EXPECT_EQ(drawn_x(drawn, 1), 1.0);
    EXPECT_EQ(drawn_x(drawn, 2), 1.0);
    EXPECT_EQ(drawn.problem, "");
}

TEST(Replay, TheOrderOfTheFileCountsAndNotTheTimes) {
    Trace trace = make_small();
    trace.ticks_before = {0, 1, 3};
    const Drawn drawn = replay(trace, *find_method("newest"));
    EXPECT_TRUE(drawn.frames[0].poses.empty());
    EXPECT_EQ(drawn_x(drawn, 1), 0.0);
    EXPECT_EQ(drawn_x(drawn, 2), 2.0);
}

TEST(Replay, PassesTheHeaderAndTheSettingsOn) {
    Trace trace = make_small();
    trace.header.tick_ns = 40 * kMs;
    // 19 ms of 40.
    EXPECT_NEAR(drawn_x(replay(trace, *find_method("constant-interval")), 2), 0.475, 1e-12);
    const Drawn drawn = replay(trace, *find_method("playout"), {.delay_ns = 5 * kMs});
    EXPECT_EQ(drawn.frames[2].delay_ns, 5 * kMs);
}

TEST(Replay, TicksBehindTheLastFrameStillCountForTheProblem) {
    Trace trace = make_small();
    trace.ticks.push_back(make_tick(4, {make_pose(1, 4.0), make_pose(2, 0.0)}));
    link_frames(trace);
    const Drawn drawn = replay(trace, *find_method("playout"), {.max_objects = 1});
    EXPECT_NE(drawn.problem, "");
}

TEST(Replay, ATraceWithoutFramesDrawsNothing) {
    EXPECT_TRUE(replay(Trace{}, *find_method("playout")).frames.empty());
}

} // namespace
} // namespace glissade::lab
