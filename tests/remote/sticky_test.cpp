// SPDX-License-Identifier: MIT
#include "glissade/remote/sticky.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

const RemoteTuning kTuning;
// Sums of numbers up to 20.
constexpr double kExact = 1e-12;

StickyQuery towards(const glm::dvec3& target) {
    return {.radius_m = 0.5,
            .target_position = target,
            .target_radius_m = 0.5,
            .max_speed = 4.0,
            .quantum_s = 0.05};
}

TEST(Sticky, ClosesTheGapBetweenTheSurfaces) {
    const StickyStep result = compute_sticky_step(kTuning, towards({0.0, 1.5, 0.0}));
    EXPECT_NEAR(result.gap_m, 0.2, kExact);
    EXPECT_NEAR(result.step.move.y, 0.2, kExact);
}

TEST(Sticky, IsAsFastAsItsBoundAllowsEitherWay) {
    StickyQuery query = towards({0.0, 10.0, 0.0});
    EXPECT_NEAR(compute_sticky_step(kTuning, query).step.move.y, 1.0, kExact);
    query.radius_m = 20.0;
    EXPECT_NEAR(compute_sticky_step(kTuning, query).step.move.y, -1.0, kExact);
    query.max_speed = std::nullopt;
    EXPECT_EQ(compute_sticky_step(kTuning, query).speed_m_s, 15.0);
    EXPECT_NEAR(compute_sticky_step(kTuning, query).step.move.y, -0.75, kExact);
}

TEST(Sticky, BacksAwayIfTooClose) {
    const StickyStep result = compute_sticky_step(kTuning, towards({0.0, 1.0, 0.0}));
    EXPECT_NEAR(result.gap_m, -0.3, kExact);
    EXPECT_NEAR(result.step.move.y, -0.3, kExact);
}

TEST(Sticky, TheGapIsInSpaceAndTheStepIsLevel) {
    const StickyStep result = compute_sticky_step(kTuning, towards({0.0, 3.0, 4.0}));
    EXPECT_NEAR(result.gap_m, 3.7, kExact);
    EXPECT_NEAR(result.step.move.y, 1.0, kExact);
    EXPECT_EQ(result.step.move.z, 0.0);
}

TEST(Sticky, FacesTheTargetAtOnce) {
    StickyQuery query = towards({3.0, 0.0, 0.0});
    query.heading_deg = 350.0;
    EXPECT_NEAR(compute_sticky_step(kTuning, query).step.turn_deg, 100.0, kExact);
}

TEST(Sticky, UnderItsTargetItStandsAndLooksNorth) {
    StickyQuery query = towards({0.0001, 0.0, 2.0});
    query.heading_deg = 40.0;
    const StickyStep result = compute_sticky_step(kTuning, query);
    EXPECT_EQ(result.step.move, glm::dvec3(0.0));
    EXPECT_NEAR(result.step.turn_deg, 320.0, kExact);
}

TEST(Sticky, LetsGoAfterItsTimeout) {
    Sticky sticky;
    EXPECT_EQ(sticky.target(), std::nullopt);
    sticky.stick(kTuning, 7);
    sticky.advance(0.75);
    EXPECT_EQ(sticky.target(), 7U);
    sticky.advance(0.25);
    EXPECT_EQ(sticky.target(), std::nullopt);
}

TEST(Sticky, IsRenewedBySticking) {
    Sticky sticky;
    sticky.stick(kTuning, 7);
    sticky.advance(0.75);
    sticky.stick(kTuning, 8);
    sticky.advance(0.75);
    EXPECT_EQ(sticky.target(), 8U);
}

TEST(Sticky, LetsGoWhenTold) {
    Sticky sticky;
    sticky.stick(kTuning, 7);
    sticky.release();
    EXPECT_EQ(sticky.target(), std::nullopt);
    sticky.advance(0.1);
    EXPECT_EQ(sticky.target(), std::nullopt);
}

} // namespace
} // namespace glissade
