// SPDX-License-Identifier: MIT
#include "glissade/remote/heading.h"

#include "glissade/pose/quaternion.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

// Sines and products of doubles of this size: a few units in the last place of 1.
constexpr double kExact = 1e-12;
// A float quaternion carries 24 bits, 6e-8 of a radian; twice that and the square root near the
// poles of its sine stay below a thousandth of a degree.
constexpr double kQuaternion = 1e-3;

void expect_near(const glm::dvec3& actual, const glm::dvec3& expected, double tolerance = kExact) {
    EXPECT_NEAR(actual.x, expected.x, tolerance);
    EXPECT_NEAR(actual.y, expected.y, tolerance);
    EXPECT_NEAR(actual.z, expected.z, tolerance);
}

TEST(Heading, FoldsIntoOneTurn) {
    EXPECT_EQ(normalise_heading(0.0), 0.0);
    EXPECT_EQ(normalise_heading(360.0), 0.0);
    EXPECT_EQ(normalise_heading(-360.0), 0.0);
    EXPECT_EQ(normalise_heading(-90.0), 270.0);
    EXPECT_EQ(normalise_heading(725.0), 5.0);
    EXPECT_LT(normalise_heading(std::nextafter(360.0, 0.0)), 360.0);
}

TEST(Heading, AFoldNeverReturnsAFullTurn) {
    for (const double tiny : {-1e-300, -1e-17, -1e-14, -0.0}) {
        EXPECT_GE(normalise_heading(tiny), 0.0);
        EXPECT_LT(normalise_heading(tiny), 360.0);
        EXPECT_LT(compute_turn_deg(-tiny, 0.0), 360.0);
    }
}

TEST(Heading, WhatIsNotFiniteStaysSo) {
    EXPECT_FALSE(std::isfinite(normalise_heading(std::numeric_limits<double>::quiet_NaN())));
    EXPECT_FALSE(std::isfinite(normalise_heading(std::numeric_limits<double>::infinity())));
}

TEST(Heading, TurnsAreClockwise) {
    EXPECT_EQ(compute_turn_deg(350.0, 10.0), 20.0);
    EXPECT_EQ(compute_turn_deg(10.0, 350.0), 340.0);
    EXPECT_EQ(compute_turn_deg(90.0, 90.0), 0.0);
    EXPECT_EQ(compute_turn_deg(0.0, 180.0), 180.0);
}

TEST(Heading, BearingsGoFromNorthOverEast) {
    const glm::dvec3 origin(5.0, -3.0, 1.0);
    EXPECT_NEAR(compute_bearing_deg(origin, origin + glm::dvec3(0.0, 2.0, 0.0)), 0.0, kExact);
    EXPECT_NEAR(compute_bearing_deg(origin, origin + glm::dvec3(2.0, 0.0, 9.0)), 90.0, kExact);
    EXPECT_NEAR(compute_bearing_deg(origin, origin + glm::dvec3(0.0, -2.0, 0.0)), 180.0, kExact);
    EXPECT_NEAR(compute_bearing_deg(origin, origin + glm::dvec3(-2.0, 0.0, 0.0)), 270.0, kExact);
}

TEST(Heading, TheBearingOfNearlyEqualPointsIsNorth) {
    const glm::dvec3 origin(0.0);
    EXPECT_EQ(compute_bearing_deg(origin, {0.00019, 0.0, 5.0}), 0.0);
    EXPECT_NEAR(compute_bearing_deg(origin, {0.00021, 0.0, 5.0}), 90.0, kExact);
    EXPECT_EQ(compute_bearing_deg(origin, {0.9, 0.0, 0.0}, 1.0), 0.0);
}

TEST(Heading, BodySpaceHasForwardYAndRightX) {
    expect_near(to_world(0.0, {1.0, 2.0, 3.0}), {1.0, 2.0, 3.0});
    expect_near(to_world(90.0, {0.0, 1.0, 0.0}), {1.0, 0.0, 0.0});
    expect_near(to_world(90.0, {1.0, 0.0, 0.0}), {0.0, -1.0, 0.0});
    expect_near(to_world(180.0, {0.0, 1.0, 4.0}), {0.0, -1.0, 4.0});
    expect_near(to_body(90.0, {0.0, 1.0, 0.0}), {-1.0, 0.0, 0.0});
}

TEST(Heading, ThereAndBackIsTheSameVector) {
    for (double heading = -400.0; heading < 400.0; heading += 37.0) {
        expect_near(to_body(heading, to_world(heading, {1.0, -2.0, 3.0})), {1.0, -2.0, 3.0});
    }
}

TEST(Heading, RotationsComeBackAsTheSameHeading) {
    for (double heading = 0.0; heading < 360.0; heading += 7.5) {
        const double back = compute_heading_deg(heading_to_rotation(heading));
        EXPECT_NEAR(std::remainder(back - heading, 360.0), 0.0, kQuaternion) << heading;
        EXPECT_GE(back, 0.0);
        EXPECT_LT(back, 360.0);
    }
}

TEST(Heading, ARotationTurnsAsTheHeadingDoes) {
    const glm::quat east = heading_to_rotation(90.0);
    // 24 bits of a float.
    expect_near(rotate(east, {0.0, 1.0, 0.0}), {1.0, 0.0, 0.0}, 1e-6);
    expect_near(rotate(east, {1.0, 0.0, 0.0}), {0.0, -1.0, 0.0}, 1e-6);
}

TEST(Heading, ABodyThatLooksStraightUpHasNone) {
    // As straight as floats allow, and turned to the east: its level part, 3e-7, is rounding.
    const float half = std::sqrt(0.5F);
    for (const float pitch : {half + 1e-7F, -half - 1e-7F}) {
        const glm::quat up = heading_to_rotation(90.0) * quat_xyzw(pitch, 0.0F, 0.0F, half);
        EXPECT_EQ(compute_heading_deg(up), 0.0);
    }
}

} // namespace
} // namespace glissade
