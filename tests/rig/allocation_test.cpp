// SPDX-License-Identifier: MIT
// An executable of its own, with support/counting_allocator.cpp.
#include "glissade/rig/follow_camera.h"
#include "glissade/rig/local_body.h"
#include "glissade/time/fixed_step.h"
#include "glissade/time/quantum_gate.h"

#include "support/counting_allocator.h"
#include "time/frame_series.h"

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

struct Input {
    float yaw_rad = 0.0F;
};

struct Drifter {
    static glm::dvec3 acceleration(const BodyState& /*state*/, const Input& /*input*/) {
        return {1.0, 0.0, 0.0};
    }
    static void integrate(BodyState& state, const glm::dvec3& acceleration, double step_s) {
        state.velocity += acceleration * step_s;
        state.position += state.velocity * step_s;
    }
    static Resolved resolve(const glm::dvec3& /*before*/, const glm::dvec3& after) {
        return {.position = after};
    }
};

template <class Clock>
void expect_no_allocation_per_frame(const Clock& clock) {
    const std::size_t before_count = allocation_count();
    LocalBody<Clock> body(clock);
    FollowCamera camera;
    const std::size_t after_count = allocation_count();
    for (std::int64_t index = 0; index < 500; ++index) {
        const std::int64_t gap_ns = index < 300 ? 0 : 3 * kNanosecondsPerSecond; // A discard.
        const std::int64_t present_ns = gap_ns + frame_time_ns({144, 1}, index);
        const BodyFrame frame = body.update(present_ns, Input{}, Drifter{});
        camera.update({frame.render_position, frame.yaw_rad, body.shown_cuts()}, 7'000'000);
        if (index % 100 == 50) {
            body.set_position(body.previous_position());
        }
    }
    const std::size_t end_count = allocation_count();
    EXPECT_GT(after_count, before_count);
    EXPECT_EQ(end_count, after_count);
    EXPECT_GT(body.state().velocity.x, 2.0);
}

TEST(LocalBody, AllocatesInItsConstructorOnly) {
    expect_no_allocation_per_frame(FixedStep({.rate = {30, 1}}));
    expect_no_allocation_per_frame(QuantumGate());
}

} // namespace
} // namespace glissade::testing
