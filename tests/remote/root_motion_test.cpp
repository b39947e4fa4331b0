// SPDX-License-Identifier: MIT
#include "glissade/remote/root_motion.h"

#include "glissade/remote/chase_queue.h"

#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kQuantum = 1.0 / 30.0;
// Sums and sines of numbers up to 4: a few units in the last place.
constexpr double kExact = 1e-12;

void expect_near(const glm::dvec3& actual, const glm::dvec3& expected) {
    EXPECT_NEAR(actual.x, expected.x, kExact);
    EXPECT_NEAR(actual.y, expected.y, kExact);
    EXPECT_NEAR(actual.z, expected.z, kExact);
}

TEST(RootMotion, StandingStillIsNoStep) {
    EXPECT_EQ(compute_root_step({}, 123.0, kQuantum), Displacement{});
    for (const RootMotion mode : {RootMotion::Replace, RootMotion::Add}) {
        EXPECT_EQ(combine_steps(mode, {}, std::nullopt), Displacement{});
        EXPECT_EQ(combine_steps(mode, {}, Displacement{}), Displacement{});
    }
}

TEST(RootMotion, RunsWhereTheBodyLooks) {
    const RootVelocity forward{.linear_m_s = {0.0, 4.0, 0.0}, .turn_deg_s = 30.0};
    expect_near(compute_root_step(forward, 0.0, kQuantum).move, {0.0, 4.0 * kQuantum, 0.0});
    expect_near(compute_root_step(forward, 180.0, kQuantum).move, {0.0, -4.0 * kQuantum, 0.0});
    expect_near(compute_root_step({.linear_m_s = {0.0, 1.0, 0.0}}, 90.0, 1.0).move,
                {1.0, 0.0, 0.0});
    EXPECT_NEAR(compute_root_step(forward, 0.0, kQuantum).turn_deg, 1.0, kExact);
}

TEST(RootMotion, AloneItIsTheStepInBothModes) {
    const Displacement root{{0.1, 0.2, 0.0}, 3.0};
    EXPECT_EQ(combine_steps(RootMotion::Replace, root, std::nullopt), root);
    EXPECT_EQ(combine_steps(RootMotion::Add, root, std::nullopt), root);
}

TEST(RootMotion, AChaseAloneIsTheStepInBothModes) {
    const Displacement chase{{0.1, 0.2, 0.0}, 3.0};
    EXPECT_EQ(combine_steps(RootMotion::Replace, {}, chase), chase);
    EXPECT_EQ(combine_steps(RootMotion::Add, {}, chase), chase);
}

TEST(RootMotion, AChaseReplacesItOrIsAddedAndItsTurnIsExact) {
    const Displacement root{{0.0, 0.5, 0.0}, 7.0};
    const Displacement chase{{0.25, -1.0, 0.0}, 3.0};
    EXPECT_EQ(combine_steps(RootMotion::Replace, root, chase), chase);
    EXPECT_EQ(combine_steps(RootMotion::Add, root, chase), (Displacement{{0.25, -0.5, 0.0}, 3.0}));
}

// Where a runner is after each quantum that is 0.6 m ahead of its sample.
std::vector<double> run_ahead(RootMotion mode, int quantum_count) {
    const RemoteTuning tuning;
    ChaseBody body{.position = {0.0, 4.0, 0.0}, .adjusted_max_speed = 4.0};
    ChaseQueue queue;
    queue.enqueue(tuning, body, {0.0, 3.4, 0.0}, 0.0, false, tuning.far_gap_outdoors_m);
    std::vector<double> places;
    for (int i = 0; i < quantum_count; ++i) {
        const ChaseStep chase = queue.adjust(tuning, body, kQuantum);
        const Displacement root =
            compute_root_step({.linear_m_s = {0.0, 4.0, 0.0}}, body.heading_deg, kQuantum);
        body.position +=
            combine_steps(mode, root,
                          chase.moves ? std::optional(Displacement{chase.move}) : std::nullopt)
                .move;
        places.push_back(body.position.y);
    }
    return places;
}

TEST(RootMotion, ReplacingLetsARunnerReachItsSampleInThreeQuanta) {
    const std::vector<double> places = run_ahead(RootMotion::Replace, 4);
    EXPECT_NEAR(places[2], 3.4, kExact);
    EXPECT_NEAR(places[3], 3.4 + 4.0 * kQuantum, kExact);
}

TEST(RootMotion, AddingLetsARunnerStandOneRootStepShortOfItsSample) {
    const std::vector<double> places = run_ahead(RootMotion::Add, 10);
    for (std::size_t i = 3; i < 9; ++i) {
        EXPECT_NEAR(places[i], 3.4 + 4.0 * kQuantum, kExact) << i;
    }
    EXPECT_NEAR(places[9], 3.4 + 8.0 * kQuantum, kExact);
}

} // namespace
} // namespace glissade
