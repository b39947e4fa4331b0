// SPDX-License-Identifier: MIT
#include "glissade/pose/blend.h"

#include "pose/generators.h"
#include "pose/near.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

constexpr double kDuration = 1.0 / 60.0;

// Near half a turn a last bit of either rotation decides which way it goes.
void discard_near_half_turn(const glm::quat& a, const glm::quat& b) {
    RC_PRE(compute_angle_rad(a, b) < std::numbers::pi - 1e-3);
}

RC_GTEST_PROP(SlerpShortProperty, EveryFractionLiesOnTheShorterArcAtConstantSpeed, ()) {
    const glm::quat a = draw_rotation();
    const glm::quat b = draw_rotation();
    const double t = draw_number(0.0, 1.0);
    const glm::quat drawn = slerp_short(a, b, t);
    const double angle_rad = compute_angle_rad(a, b);
    RC_ASSERT(is_unit(drawn));
    // One rounding to float each.
    RC_ASSERT(std::abs(compute_angle_rad(a, drawn) - t * angle_rad) <= kFloatAngleRad);
    RC_ASSERT(std::abs(compute_angle_rad(drawn, b) - (1.0 - t) * angle_rad) <= kFloatAngleRad);
}

RC_GTEST_PROP(SlerpShortProperty, SignsDoNotMatterAndTheResultHasThatOfTheStart, ()) {
    const glm::quat a = draw_rotation();
    const glm::quat b = draw_rotation();
    const double t = draw_number(0.001, 0.999);
    RC_ASSERT(slerp_short(a, -b, t) == slerp_short(a, b, t));
    RC_ASSERT(slerp_short(-a, b, t) == -slerp_short(a, b, t));
}

RC_GTEST_PROP(SlerpShortProperty, TheWayBackIsTheSameWay, ()) {
    const glm::quat a = draw_rotation();
    const glm::quat b = draw_rotation();
    const double t = draw_number(0.0, 1.0);
    discard_near_half_turn(a, b);
    RC_ASSERT(is_near(slerp_short(a, b, t), slerp_short(b, a, 1.0 - t), 2.0 * kFloatAngleRad));
}

RC_GTEST_PROP(BlendLinearProperty, EveryPartStaysBetweenItsEnds, ()) {
    const Pose a = draw_pose();
    const Pose b = draw_pose();
    const Pose drawn = blend_linear(a, b, draw_number(-0.1, 1.1));
    RC_ASSERT(check(drawn) == PoseStatus::Ok);
    for (glm::length_t i = 0; i < 3; ++i) {
        RC_ASSERT(drawn.position[i] >= std::min(a.position[i], b.position[i]));
        RC_ASSERT(drawn.position[i] <= std::max(a.position[i], b.position[i]));
        RC_ASSERT(drawn.scale[i] >= std::min(a.scale[i], b.scale[i]));
        RC_ASSERT(drawn.scale[i] <= std::max(a.scale[i], b.scale[i]));
    }
}

RC_GTEST_PROP(BlendLinearProperty, PositionsNeverRunBackwards, ()) {
    const double start = draw_number(-kMaxPosition, kMaxPosition);
    const double end = std::min(start + draw_number(0.0, 1.0), kMaxPosition);
    const double t = draw_number(0.0, 1.0);
    const double later = std::min(t + draw_number(0.0, 0.01), 1.0);
    const Pose a{.position = glm::dvec3(start)};
    const Pose b{.position = glm::dvec3(end)};
    RC_ASSERT(blend_linear(a, b, t).position.x <= blend_linear(a, b, later).position.x);
}

RC_GTEST_PROP(BlendLinearProperty, BlendingAMovedWorldIsMovingABlendedOne, ()) {
    const Rigid rigid = draw_rigid();
    const Pose a = draw_pose();
    const Pose b = draw_pose();
    const double t = draw_number(0.0, 1.0);
    discard_near_half_turn(a.rotation, b.rotation);
    const Pose inside = apply(rigid, blend_linear(a, b, t));
    const Pose outside = blend_linear(apply(rigid, a), apply(rigid, b), t);
    // Double rounding of numbers up to 4000. Rotations: on one side the blend and the product are
    // rounded; on the other the blend and both ends, which it weighs with at most sqrt(2) in sum.
    RC_ASSERT(is_near(outside.position, inside.position, 1e-11));
    RC_ASSERT(is_near(outside.rotation, inside.rotation, 5.0 * kFloatAngleRad));
}

RC_GTEST_PROP(BlendHermiteProperty, TheResultIsAcceptableAndTheCurveIsBounded, ()) {
    const Motion a = draw_motion();
    const Motion b = draw_motion();
    const double t = draw_number(0.0, 1.0);
    const Pose drawn = blend_hermite(a, b, kDuration, t);
    RC_ASSERT(check(drawn) == PoseStatus::Ok);
    RC_ASSERT(is_unit(drawn.rotation));
    // With S = u0 + u1 and d = u1 - u0 the addition is f t (1-t) (S (1-2t) - d) / 2. Where f > 0,
    // |S| < |d|, so it is at most t (1-t) |d|, and |d| is the change of velocity times the time.
    const glm::vec3 change = b.velocity.linear - a.velocity.linear;
    const double limit = t * (1.0 - t) * glm::length(glm::dvec3(change)) * kDuration;
    const Pose line = blend_linear(a.pose, b.pose, t);
    RC_ASSERT(is_near(drawn.position, line.position, limit * (1.0 + 1e-6) + 1e-12));
    RC_ASSERT(drawn.scale == line.scale);
}

RC_GTEST_PROP(BlendHermiteProperty, ThePathLeavesAndReachesItsEndsWithoutAJump, ()) {
    const Motion a = draw_motion();
    const Motion b = draw_motion();
    const Pose first = blend_hermite(a, b, kDuration, 1e-9);
    const Pose last = blend_hermite(a, b, kDuration, 1.0 - 1e-9);
    // At most 4000 m and a few turns a tick, so 1e-9 of a tick moves by less than 1e-5 m, and turns
    // by less than a rounding.
    RC_ASSERT(is_near(first.position, a.pose.position, 1e-5));
    RC_ASSERT(is_near(last.position, b.pose.position, 1e-5));
    RC_ASSERT(is_near(first.rotation, a.pose.rotation, 2.0 * kFloatAngleRad));
    RC_ASSERT(is_near(last.rotation, b.pose.rotation, 2.0 * kFloatAngleRad));
}

RC_GTEST_PROP(BlendHermiteProperty, SignsOfQuaternionsDoNotMatter, ()) {
    const Motion a = draw_motion();
    const Motion b = draw_motion();
    Motion negated = b;
    negated.pose.rotation = -b.pose.rotation;
    const double t = draw_number(0.001, 0.999);
    RC_ASSERT(blend_hermite(a, negated, kDuration, t) == blend_hermite(a, b, kDuration, t));
}

RC_GTEST_PROP(BlendHermiteProperty, PlayedBackwardsItIsTheSamePath, ()) {
    Motion a = draw_motion();
    Motion b = draw_motion();
    const double t = draw_number(0.0, 1.0);
    const glm::dvec3 forward = blend_hermite(a, b, kDuration, t).position;
    a.velocity.linear = -a.velocity.linear;
    b.velocity.linear = -b.velocity.linear;
    const glm::dvec3 backward = blend_hermite(b, a, kDuration, 1.0 - t).position;
    // Double rounding of numbers up to 1000; the fraction 1 - t is off by 1e-16 of a way of 4000.
    RC_ASSERT(is_near(backward, forward, 4e-12));
}

RC_GTEST_PROP(ExtrapolateProperty, TwoShortStepsAreOneLongOne, ()) {
    const Motion state = draw_motion();
    const double first_s = draw_number(0.0, 0.5);
    const double second_s = draw_number(0.0, 0.5);
    const Pose halfway = extrapolate(state, first_s, 1.0);
    const Pose twice = extrapolate({halfway, state.velocity}, second_s, 1.0);
    const Pose once = extrapolate(state, first_s + second_s, 1.0);
    // Double rounding of numbers up to 1100; one more rounding of a quaternion.
    RC_ASSERT(is_near(twice.position, once.position, 2e-12));
    RC_ASSERT(is_near(twice.rotation, once.rotation, 3.0 * kFloatAngleRad));
}

} // namespace
} // namespace glissade
