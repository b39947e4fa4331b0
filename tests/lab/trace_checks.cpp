// SPDX-License-Identifier: MIT
#include "lab/trace_checks.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace glissade::lab::testing {
namespace {

bool is_finite(const glm::dvec3& vector) {
    return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

bool is_unit(const glm::dquat& rotation) {
    const double squared = rotation.x * rotation.x + rotation.y * rotation.y +
                           rotation.z * rotation.z + rotation.w * rotation.w;
    return std::abs(squared - 1.0) < 1e-12; // Some products of unit quaternions, 1e-16 each.
}

bool is_valid(const TracePose& pose) {
    const bool turns = pose.rotation.has_value();
    return pose.id >= 1 && is_finite(pose.position) &&
           is_finite(pose.velocity.value_or(glm::dvec3(0.0))) &&
           is_finite(pose.angular_velocity.value_or(glm::dvec3(0.0))) &&
           (!turns || is_unit(*pose.rotation));
}

void expect_ticks(const Trace& trace) {
    ASSERT_FALSE(trace.ticks.empty());
    const bool scheduled = trace.ticks.front().due_ns.has_value();
    std::int64_t previous_sim_ns = -1;
    std::int64_t previous_arrive_ns = -1;
    for (std::size_t i = 0; i < trace.ticks.size(); ++i) {
        const TraceTick& tick = trace.ticks[i];
        ASSERT_EQ(tick.tick, static_cast<std::int64_t>(i));
        ASSERT_GT(tick.sim_ns, previous_sim_ns);
        ASSERT_GE(tick.arrive_ns, previous_arrive_ns);
        ASSERT_EQ(tick.due_ns.has_value(), scheduled);
        ASSERT_GE(tick.arrive_ns, tick.due_ns.value_or(0));
        for (const TracePose& pose : tick.poses) {
            ASSERT_TRUE(is_valid(pose)) << "tick " << i << " id " << pose.id;
        }
        previous_sim_ns = tick.sim_ns;
        previous_arrive_ns = tick.arrive_ns;
    }
}

void expect_frames(const Trace& trace) {
    ASSERT_FALSE(trace.frames.empty());
    ASSERT_EQ(trace.ticks_before.size(), trace.frames.size());
    std::int64_t previous_cpu_ns = -1;
    std::int64_t previous_present_ns = -1;
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
        const TraceFrame& frame = trace.frames[i];
        ASSERT_EQ(frame.frame, static_cast<std::int64_t>(i));
        ASSERT_GT(frame.cpu_ns, previous_cpu_ns);
        ASSERT_TRUE(frame.present_ns);
        ASSERT_GT(*frame.present_ns, previous_present_ns);
        ASSERT_LE(*frame.present_ns, frame.cpu_ns);
        const std::size_t known = trace.ticks_before[i];
        ASSERT_LE(known, trace.ticks.size());
        ASSERT_TRUE(known == 0 || trace.ticks[known - 1].arrive_ns <= frame.cpu_ns);
        ASSERT_TRUE(known == trace.ticks.size() || trace.ticks[known].arrive_ns > frame.cpu_ns);
        previous_cpu_ns = frame.cpu_ns;
        previous_present_ns = *frame.present_ns;
    }
}

void expect_truths(const Trace& trace) {
    std::map<std::int64_t, std::int64_t> last_ns;
    for (const TraceTruth& truth : trace.truths) {
        const auto [entry, first] = last_ns.try_emplace(truth.id, truth.time_ns);
        ASSERT_TRUE(first || truth.time_ns > entry->second);
        entry->second = truth.time_ns;
        ASSERT_GE(truth.time_ns, trace.ticks.front().sim_ns);
        ASSERT_LE(truth.time_ns, trace.ticks.back().sim_ns);
        ASSERT_TRUE(is_finite(truth.position));
        ASSERT_TRUE(!truth.rotation || is_unit(*truth.rotation));
    }
}

} // namespace

void expect_valid(const Trace& trace) {
    expect_ticks(trace);
    expect_frames(trace);
    expect_truths(trace);
}

} // namespace glissade::lab::testing
