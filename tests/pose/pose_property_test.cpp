// SPDX-License-Identifier: MIT
#include "glissade/pose/pose.h"
#include "glissade/pose/quaternion.h"

#include "pose/generators.h"
#include "pose/near.h"

#include <numbers>

#include <glm/ext/quaternion_common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

// Points lie within 1800 m (three parts of 1000), and so do translations; a float quaternion turns
// them by up to kFloatAngleRad too far.
constexpr double kReach = 4000.0;

RC_GTEST_PROP(QuaternionProperty, ARotationVectorLeadsFromOneRotationToTheOther, ()) {
    const glm::quat from = draw_rotation();
    const glm::quat to = draw_rotation();
    const glm::dvec3 turn = compute_rotation_vector(from, to);
    RC_ASSERT(glm::length(turn) <= std::numbers::pi + 1e-15);
    RC_ASSERT(is_near(quat_from_rotation_vector(turn) * from, to, 4.0 * kFloatAngleRad));
}

RC_GTEST_PROP(QuaternionProperty, TheAngleIsTheSameBothWaysAndForEitherSign, ()) {
    const glm::quat from = draw_rotation();
    const glm::quat to = draw_rotation();
    const double angle_rad = compute_angle_rad(from, to);
    RC_ASSERT(std::abs(compute_angle_rad(to, from) - angle_rad) < 1e-14);
    RC_ASSERT(std::abs(compute_angle_rad(-from, to) - angle_rad) < 1e-14);
}

RC_GTEST_PROP(QuaternionProperty, RotateKeepsLengthsAndAngles, ()) {
    const glm::quat rotation = draw_rotation();
    const glm::dvec3 a = draw_vector(1.0);
    const glm::dvec3 b = draw_vector(1.0);
    RC_ASSERT(std::abs(glm::dot(rotate(rotation, a), rotate(rotation, b)) - glm::dot(a, b)) <
              1e-14);
}

RC_GTEST_PROP(QuaternionProperty, RotateFollowsTheProductOfQuaternions, ()) {
    const glm::quat outer = draw_rotation();
    const glm::quat inner = draw_rotation();
    const glm::dvec3 vector = draw_vector(1.0);
    // The product is rounded part by part, without normalising: four times one rounding at most.
    RC_ASSERT(is_near(rotate(outer * inner, vector), rotate(outer, rotate(inner, vector)),
                      4.0 * kFloatAngleRad * 1.8));
}

RC_GTEST_PROP(RigidProperty, AComposedTransformIsTheTwoInTurn, ()) {
    const Rigid outer = draw_rigid();
    const Rigid inner = draw_rigid();
    const glm::dvec3 point = draw_vector(1000.0);
    RC_ASSERT(is_near(apply(compose(outer, inner), point), apply(outer, apply(inner, point)),
                      kReach * kFloatAngleRad));
}

RC_GTEST_PROP(RigidProperty, TheInverseTakesAPoseBack, ()) {
    const Rigid rigid = draw_rigid();
    const Pose pose = draw_pose();
    const Pose back = apply(inverse(rigid), apply(rigid, pose));
    // The same quaternion back and forth: double rounding of numbers up to 4000.
    RC_ASSERT(is_near(back.position, pose.position, 1e-11));
    RC_ASSERT(is_near(back.rotation, pose.rotation, 2.0 * kFloatAngleRad));
    RC_ASSERT(back.scale == pose.scale);
}

RC_GTEST_PROP(RigidProperty, AVelocityIsTheChangeOfAMovedPoint, ()) {
    const Rigid rigid = draw_rigid();
    const glm::dvec3 point = draw_vector(1000.0);
    const glm::vec3 velocity(draw_vector(1.0));
    const glm::dvec3 moved = apply(rigid, point + glm::dvec3(velocity)) - apply(rigid, point);
    // Float rounding of a vector of length 1.8, and cancellation of numbers up to 4000.
    RC_ASSERT(is_near(glm::dvec3(apply(rigid, Velocity{velocity, {}}).linear), moved, 3e-7));
}

} // namespace
} // namespace glissade
