// SPDX-License-Identifier: MIT
#include "lab/score_world.h"

#include <cmath>

#include <gtest/gtest.h>

namespace glissade::lab::testing {

namespace {

double seconds(std::int64_t time_ns) {
    return static_cast<double>(time_ns) * 1e-9;
}

void add_frames(Trace& trace) {
    const std::int64_t end_ns = trace.ticks.back().arrive_ns;
    std::int64_t number = 0;
    for (std::int64_t time_ns = kFirstFrameNs; time_ns <= end_ns; time_ns += kFrameNs) {
        trace.frames.push_back({number, time_ns, {}});
        ++number;
    }
    link_frames(trace);
}

} // namespace

glm::dvec3 line_path(double time_s) {
    return {time_s, 0.0, 0.0};
}

double steady(double frame_s) {
    return frame_s - 0.03;
}

Trace make_world(const Path& path, double length_s) {
    Trace trace{.header = make_header()};
    const std::int64_t count = std::llround(length_s * 1e9) / kTickNs;
    for (std::int64_t number = 0; number <= count; ++number) {
        const glm::dvec3 position = path(seconds(number * kTickNs));
        trace.ticks.push_back(make_tick(number, {{.id = 1, .position = position}}));
    }
    add_frames(trace);
    return trace;
}

Trace make_slow_world(std::int64_t interval_ns) {
    Trace trace = make_world();
    trace.frames.clear();
    for (TraceTick& tick : trace.ticks) {
        tick.arrive_ns = tick.tick * interval_ns;
    }
    add_frames(trace);
    return trace;
}

std::vector<DrawnFrame> draw(const Trace& trace, const Shown& shown, const Path& path) {
    std::vector<DrawnFrame> drawn;
    for (const TraceFrame& line : trace.frames) {
        DrawnFrame frame{.frame = line.frame};
        frame.poses.push_back({1, path(shown(seconds(line.cpu_ns)))});
        drawn.push_back(frame);
    }
    return drawn;
}

ObjectScore score_one(const Trace& trace, const std::vector<DrawnFrame>& drawn, double warmup_s) {
    const Scorer scorer(trace, {.warmup_s = warmup_s});
    const Score score = scorer.score(drawn);
    EXPECT_EQ(score.problem, "");
    EXPECT_EQ(score.objects.size(), 1U);
    return score.objects.empty() ? ObjectScore{} : score.objects.front();
}

RateMetrics rate_of(const Trace& trace, const std::vector<DrawnFrame>& drawn, double warmup_s) {
    const ObjectScore score = score_one(trace, drawn, warmup_s);
    EXPECT_TRUE(score.rate);
    return score.rate.value_or(RateMetrics{});
}

} // namespace glissade::lab::testing
