// SPDX-License-Identifier: MIT
#include "glissade/pose/affine.h"

#include <cmath>
#include <numbers>

#include <glm/vec4.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kPi = std::numbers::pi;

// Entries are products and sums of a few floats of size 1 to 10: some units in the last place
// of 10.
constexpr float kFloatTolerance = 1e-5F;

Pose quarter_turn_about_z(const glm::dvec3& position) {
    return {.position = position, .rotation = quat_from_rotation_vector({0.0, 0.0, kPi / 2})};
}

void expect_near(const glm::dvec3& left, const glm::dvec3& right, double tolerance) {
    EXPECT_NEAR(left.x, right.x, tolerance);
    EXPECT_NEAR(left.y, right.y, tolerance);
    EXPECT_NEAR(left.z, right.z, tolerance);
}

TEST(Affine, APoseTurnsScalesAndMovesInThatOrder) {
    Pose pose = quarter_turn_about_z({10.0, 20.0, 30.0});
    pose.scale = {2.0F, 3.0F, 4.0F};
    const glm::mat4 matrix = to_mat4(to_affine(pose), glm::dvec3(0.0));
    const glm::vec4 point =
        matrix * glm::vec4(1.0F, 0.0F, 0.0F, 1.0F); // Scaled to 2, turned to +Y.
    expect_near(glm::dvec3(point.x, point.y, point.z), {10.0, 22.0, 30.0}, kFloatTolerance);
}

TEST(Affine, TheRowsOf3x4AreTheRowsOf4x4) {
    Pose pose = quarter_turn_about_z({1.0, 2.0, 3.0});
    pose.scale = {2.0F, 3.0F, 4.0F};
    const glm::dvec3 origin{0.5, 0.25, 0.125};
    const glm::mat4 full = to_mat4(to_affine(pose), origin);
    const glm::mat3x4 rows = to_mat3x4(to_affine(pose), origin);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            EXPECT_EQ(rows[row][column], full[column][row]) << row << ", " << column;
        }
    }
}

TEST(Affine, TheOriginIsSubtractedInDoublePrecision) {
    // A float resolves 8 mm at 100 km; the difference of 1 mm must survive.
    const Affine affine = to_affine(Pose{.position = {100'000.001, 0.0, 0.0}});
    EXPECT_NEAR(to_mat3x4(affine, {100'000.0, 0.0, 0.0})[0].w, 0.001F, 1e-9F);
}

TEST(Affine, ComposingKeepsTheShearOfATurnedChildBelowAnUnevenScale) {
    const Affine parent = to_affine(Pose{.scale = {2.0F, 1.0F, 1.0F}});
    const double eighth = kPi / 4;
    const Affine child = to_affine(Pose{.rotation = quat_from_rotation_vector({0.0, 0.0, eighth})});
    const Affine world = compose(parent, child);
    const float root = std::sqrt(0.5F);
    EXPECT_NEAR(world.linear[0].x, 2.0F * root, kFloatTolerance);
    EXPECT_NEAR(world.linear[0].y, root, kFloatTolerance);
    EXPECT_NEAR(world.linear[1].x, -2.0F * root, kFloatTolerance);
    EXPECT_NEAR(world.linear[1].y, root, kFloatTolerance);
}

TEST(Affine, ComposingPosesAndAffinesAgreesBelowAUniformScale) {
    Pose parent = quarter_turn_about_z({5.0, -3.0, 2.0});
    parent.scale = glm::vec3(2.0F);
    const Pose child = quarter_turn_about_z({1.0, 2.0, 3.0});
    const Affine by_pose = to_affine(compose(parent, child));
    const Affine by_affine = compose(to_affine(parent), to_affine(child));
    // The float turn is off by up to 1e-7 rad, over an arm of 2 * 3.7 m.
    expect_near(by_pose.translation, by_affine.translation, 1e-6);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            EXPECT_NEAR(by_pose.linear[column][row], by_affine.linear[column][row],
                        kFloatTolerance);
        }
    }
}

TEST(Affine, RelativeToUndoesCompose) {
    Pose outer = quarter_turn_about_z({5.0, -3.0, 2.0});
    outer.scale = {2.0F, 0.5F, -4.0F};
    Pose inner = quarter_turn_about_z({1.0, 2.0, 3.0});
    inner.scale = {3.0F, 1.0F, 2.0F};
    const Pose back = relative_to(outer, compose(outer, inner));
    // Two turns by float quaternions, 1e-7 rad each, over an arm of 15 m.
    expect_near(back.position, inner.position, 3e-6);
    EXPECT_LT(compute_angle_rad(back.rotation, inner.rotation), 1e-6);
    EXPECT_EQ(back.scale, inner.scale); // Powers of two and their multiples: exact.
}

} // namespace
} // namespace glissade
