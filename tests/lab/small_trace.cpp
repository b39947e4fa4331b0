// SPDX-License-Identifier: MIT
#include "lab/small_trace.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace glissade::lab::testing {

TraceHeader make_header() {
    return {.name = "small", .source = TraceSource::Thread, .tick_ns = kTickNs};
}

TraceTick make_tick(std::int64_t number, std::vector<TracePose> poses) {
    TraceTick tick{.tick = number, .sim_ns = number * kTickNs, .arrive_ns = number * kTickNs};
    tick.poses = std::move(poses);
    return tick;
}

TraceTick make_tick_at(std::int64_t number, double x) {
    return make_tick(number, {make_pose(1, x)});
}

TracePose make_pose(std::int64_t id, double x) {
    return {.id = id, .position = {x, 0.0, 0.0}};
}

const DrawnPose* find_pose(const DrawnFrame& frame, std::int64_t id) {
    const auto found = std::find_if(frame.poses.begin(), frame.poses.end(),
                                    [id](const DrawnPose& pose) { return pose.id == id; });
    return found == frame.poses.end() ? nullptr : &*found;
}

Screen::Screen(const char* method_name, const TraceHeader& header, const MethodConfig& config)
    : method_(find_method(method_name)->make(header, config)) {}

void Screen::tick_at(double x) {
    method_->tick(make_tick_at(next_tick_, x));
    ++next_tick_;
}

const DrawnFrame& Screen::draw(std::int64_t cpu_ns, std::optional<std::int64_t> present_ns) {
    method_->frame({.frame = next_frame_, .cpu_ns = cpu_ns, .present_ns = present_ns}, frame_);
    ++next_frame_;
    return frame_;
}

double Screen::draw_x(std::int64_t cpu_ms) {
    const DrawnPose* const pose = find_pose(draw(cpu_ms * kMs), 1);
    EXPECT_NE(pose, nullptr);
    return pose == nullptr ? std::numeric_limits<double>::quiet_NaN() : pose->position.x;
}

} // namespace glissade::lab::testing
