// SPDX-License-Identifier: MIT
#include "glissade/pose/quaternion.h"

#include "pose/near.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include <glm/ext/quaternion_common.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr float kLargest = std::numeric_limits<float>::max();

TEST(QuatXyzw, PutsEachPartWhereItsNameSays) {
    const glm::quat rotation = quat_xyzw(1.0F, 2.0F, 3.0F, 4.0F);
    EXPECT_EQ(rotation.x, 1.0F);
    EXPECT_EQ(rotation.y, 2.0F);
    EXPECT_EQ(rotation.z, 3.0F);
    EXPECT_EQ(rotation.w, 4.0F);
}

TEST(QuatXyzw, IsStoredInTheOrderXyzw) {
    // Columns, buffers and files copy the four floats as they lie in memory.
    const glm::quat rotation = quat_xyzw(1.0F, 2.0F, 3.0F, 4.0F);
    std::array<float, 4> parts{};
    static_assert(sizeof(parts) == sizeof(rotation));
    std::memcpy(parts.data(), &rotation, sizeof(parts));
    EXPECT_EQ(parts, (std::array<float, 4>{1.0F, 2.0F, 3.0F, 4.0F}));
}

TEST(QuatXyzw, AQuarterTurnAboutZTakesXToY) {
    const auto half = static_cast<float>(std::sqrt(0.5));
    const glm::quat rotation = quat_xyzw(0.0F, 0.0F, half, half);
    EXPECT_TRUE(is_near(rotate(rotation, {1.0, 0.0, 0.0}), {0.0, 1.0, 0.0}, 1e-15));
    EXPECT_TRUE(is_near(rotate(rotation, {0.0, 1.0, 0.0}), {-1.0, 0.0, 0.0}, 1e-15));
    EXPECT_TRUE(is_near(rotate(rotation, {0.0, 0.0, 1.0}), {0.0, 0.0, 1.0}, 1e-15));
}

TEST(QuatFromRotationVector, TheZeroVectorGivesTheIdentity) {
    EXPECT_EQ(quat_from_rotation_vector(glm::dvec3(0.0)), quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F));
}

TEST(QuatFromRotationVector, TurnsByItsLengthAboutItsDirection) {
    const glm::quat third = quat_from_rotation_vector({0.0, kPi / 3.0, 0.0});
    EXPECT_FLOAT_EQ(third.y, 0.5F);
    EXPECT_FLOAT_EQ(third.w, static_cast<float>(std::sqrt(0.75)));
    EXPECT_EQ(third.x, 0.0F);
    EXPECT_EQ(third.z, 0.0F);
}

TEST(QuatFromRotationVector, WholeTurnsChangeNothing) {
    const glm::dvec3 axis(0.6, 0.0, 0.8);
    for (const double turns : {1.0, 2.0, 10.0, 1000.0}) {
        const glm::quat plain = quat_from_rotation_vector(axis * 1.0);
        const glm::quat more = quat_from_rotation_vector(axis * (1.0 + turns * 2.0 * kPi));
        EXPECT_LT(compute_angle_rad(plain, more), kFloatAngleRad) << turns;
    }
}

TEST(QuatFromRotationVector, AnyFiniteVectorGivesAUnitQuaternion) {
    constexpr double kMost = std::numeric_limits<double>::max();
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    for (const double part : {0.0, kLeast, 1e-300, 1e-8, 1.0, 1e6, 1e18, 1e200, kMost}) {
        EXPECT_TRUE(is_unit(quat_from_rotation_vector({part, 0.0, 0.0}))) << part;
        EXPECT_TRUE(is_unit(quat_from_rotation_vector({part, -part, part}))) << part;
    }
}

TEST(ComputeRotationVector, FindsTheTurnThatWasMade) {
    const glm::quat start = quat_from_rotation_vector({0.3, -0.4, 1.1});
    // Tiny ones too: the arithmetic is in double, so the error is that of the two float
    // quaternions, not relative to the turn.
    for (const double angle_rad : {1e-6, 1e-3, 0.5, 2.0, 3.1}) {
        const glm::dvec3 turn = glm::dvec3(0.48, 0.6, 0.64) * angle_rad;
        const glm::quat end = normalised(quat_from_rotation_vector(turn) * start);
        EXPECT_TRUE(is_near(compute_rotation_vector(start, end), turn, 4.0 * kFloatAngleRad))
            << angle_rad;
    }
}

TEST(ComputeRotationVector, IsZeroBetweenEqualRotationsOfEitherSign) {
    const glm::quat rotation = quat_from_rotation_vector({0.3, -0.4, 1.1});
    EXPECT_EQ(compute_rotation_vector(rotation, rotation), glm::dvec3(0.0));
    // The products of the other three parts cancel to a last bit only.
    EXPECT_TRUE(is_near(compute_rotation_vector(rotation, -rotation), glm::dvec3(0.0), 1e-15));
}

TEST(ComputeRotationVector, HalfATurnGoesTheSameWayWhateverTheSigns) {
    const glm::quat start = quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F);
    const glm::quat end = quat_xyzw(0.0F, -1.0F, 0.0F, 0.0F);
    const glm::dvec3 expected(0.0, kPi, 0.0);
    EXPECT_TRUE(is_near(compute_rotation_vector(start, end), expected, 1e-15));
    EXPECT_TRUE(is_near(compute_rotation_vector(start, -end), expected, 1e-15));
    EXPECT_TRUE(is_near(compute_rotation_vector(-start, end), expected, 1e-15));
    EXPECT_TRUE(is_near(compute_rotation_vector(-start, -end), expected, 1e-15));
}

TEST(Rotate, KeepsDoublePrecisionFarFromTheOrigin) {
    const glm::quat half_turn = quat_xyzw(0.0F, 0.0F, 1.0F, 0.0F);
    EXPECT_EQ(rotate(half_turn, {1e12, 1e-3, 5.0}), glm::dvec3(-1e12, -1e-3, 5.0));
}

TEST(Rotate, TheIdentityChangesNoBit) {
    const glm::dvec3 vector(1.0 / 3.0, -1e12 / 7.0, 1e-300);
    EXPECT_EQ(rotate(quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F), vector), vector);
}

TEST(Rotate, DoesNotScaleByTheLengthOfTheQuaternion) {
    const glm::quat rotation = quat_from_rotation_vector({0.3, -0.4, 1.1});
    const glm::dvec3 vector(1.0, 2.0, 3.0);
    const glm::dvec3 expected = rotate(rotation, vector);
    EXPECT_TRUE(is_near(rotate(rotation * 1.009F, vector), expected, 4.0 * kFloatAngleRad));
    EXPECT_NEAR(glm::length(rotate(rotation * 0.5F, vector)), glm::length(vector), 4e-15);
}

TEST(Normalised, ScalesToUnitLengthAndKeepsTheSign) {
    const glm::quat long_one = quat_xyzw(0.0F, -3.0F, 0.0F, -4.0F);
    const glm::quat unit = normalised(long_one);
    EXPECT_FLOAT_EQ(unit.y, -0.6F);
    EXPECT_FLOAT_EQ(unit.w, -0.8F);
}

TEST(Normalised, WorksAtBothEndsOfTheRange) {
    EXPECT_TRUE(is_unit(normalised(quat_xyzw(kDenormal, 0.0F, 0.0F, 0.0F))));
    EXPECT_TRUE(is_unit(normalised(quat_xyzw(kDenormal, -kDenormal, kDenormal, kDenormal))));
    EXPECT_TRUE(is_unit(normalised(quat_xyzw(kLargest, kLargest, -kLargest, kLargest))));
    EXPECT_TRUE(is_unit(normalised(quat_xyzw(kDenormal, 0.0F, 0.0F, kLargest))));
}

TEST(ComputeAngle, IsTheAngleOfTheTurnBetween) {
    const glm::quat start = quat_from_rotation_vector({0.0, 0.0, 0.25});
    const glm::quat end = quat_from_rotation_vector({0.0, 0.0, -0.5});
    EXPECT_NEAR(compute_angle_rad(start, end), 0.75, 2.0 * kFloatAngleRad);
    EXPECT_NEAR(compute_angle_rad(end, -start), 0.75, 2.0 * kFloatAngleRad);
    EXPECT_EQ(compute_angle_rad(start, start), 0.0);
    EXPECT_DOUBLE_EQ(
        compute_angle_rad(quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F), quat_xyzw(1.0F, 0.0F, 0.0F, 0.0F)),
        kPi);
}

} // namespace
} // namespace glissade
