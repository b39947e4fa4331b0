// SPDX-License-Identifier: MIT
#include "glissade/pose/pose.h"

#include "pose/near.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr auto kPi = std::numbers::pi_v<float>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr PoseStatus kStatuses[] = {PoseStatus::Ok,          PoseStatus::BadPosition,
                                    PoseStatus::BadRotation, PoseStatus::ZeroRotation,
                                    PoseStatus::BadScale,    PoseStatus::BadVelocity};

static_assert(std::is_trivially_copyable_v<Pose> && std::is_trivially_copyable_v<Pose2>);
static_assert(std::is_trivially_copyable_v<Rigid> && std::is_trivially_copyable_v<Velocity>);

Pose with_rotation(const glm::quat& rotation) {
    return {.rotation = rotation};
}

TEST(Pose, ADefaultMadePoseIsTheIdentity) {
    const Pose pose;
    EXPECT_EQ(pose.position, glm::dvec3(0.0));
    EXPECT_EQ(pose.rotation, quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F));
    EXPECT_EQ(pose.rotation.w, 1.0F);
    EXPECT_EQ(pose.scale, glm::vec3(1.0F));
    EXPECT_EQ(Rigid{}.rotation.w, 1.0F);
    EXPECT_EQ(pose, Pose{});
}

TEST(PoseStatus, EveryStatusHasANameOfItsOwn) {
    std::set<std::string> names;
    for (const PoseStatus status : kStatuses) {
        names.insert(to_string(status));
    }
    EXPECT_EQ(names.size(), std::size(kStatuses));
    EXPECT_STREQ(to_string(PoseStatus::Ok), "ok");
    EXPECT_STRNE(to_string(static_cast<PoseStatus>(200)), nullptr);
}

TEST(Check, AcceptsWhatIsUsual) {
    EXPECT_EQ(check(Pose{}), PoseStatus::Ok);
    EXPECT_EQ(check(Velocity{}), PoseStatus::Ok);
    EXPECT_EQ(check(Rigid{}), PoseStatus::Ok);
    EXPECT_EQ(
        check(Pose{{1.0, -2.0, 3.0}, quat_xyzw(0.0F, 0.6F, 0.0F, -0.8F), {2.0F, 0.0F, -1.0F}}),
        PoseStatus::Ok);
}

TEST(Check, RefusesAPositionThatIsNotANumberOrTooFar) {
    for (const double bad : {kNan, kInfinity, -kInfinity, 1.0001e12, -1.0001e12, 1e300}) {
        for (glm::length_t i = 0; i < 3; ++i) {
            Pose pose;
            pose.position[i] = bad;
            EXPECT_EQ(check(pose), PoseStatus::BadPosition) << bad << " at " << i;
            Rigid rigid;
            rigid.translation[i] = bad;
            EXPECT_EQ(check(rigid), PoseStatus::BadPosition) << bad << " at " << i;
        }
    }
}

TEST(Check, AcceptsEveryRangeUpToItsEnds) {
    const Pose largest{glm::dvec3(kMaxPosition), quat_xyzw(1.0F, 0.0F, 0.0F, 0.0F),
                       glm::vec3(kMaxScale)};
    const Pose smallest{glm::dvec3(-kMaxPosition), quat_xyzw(-1.0F, 0.0F, 0.0F, 0.0F),
                        glm::vec3(-kMaxScale)};
    EXPECT_EQ(check(largest), PoseStatus::Ok);
    EXPECT_EQ(check(smallest), PoseStatus::Ok);
    EXPECT_EQ(check(Velocity{glm::vec3(kMaxVelocity), glm::vec3(-kMaxVelocity)}), PoseStatus::Ok);
    EXPECT_EQ(check(Rigid{.translation = glm::dvec3(-kMaxPosition)}), PoseStatus::Ok);
    EXPECT_EQ(check(Pose{.position = glm::dvec3(std::numeric_limits<double>::denorm_min()),
                         .scale = glm::vec3(kDenormal)}),
              PoseStatus::Ok);
}

TEST(Check, RefusesAQuaternionThatNobodyWrote) {
    EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F))), PoseStatus::ZeroRotation);
    EXPECT_EQ(check(with_rotation(quat_xyzw(-0.0F, 0.0F, -0.0F, 0.0F))), PoseStatus::ZeroRotation);
    EXPECT_EQ(check(Rigid{.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F)}),
              PoseStatus::ZeroRotation);
}

TEST(Check, RefusesAQuaternionThatIsNotANumber) {
    constexpr auto kFloatNan = std::numeric_limits<float>::quiet_NaN();
    constexpr auto kFloatInfinity = std::numeric_limits<float>::infinity();
    constexpr auto kLargest = std::numeric_limits<float>::max();
    for (const float bad : {kFloatNan, kFloatInfinity, -kFloatInfinity, kLargest}) {
        EXPECT_EQ(check(with_rotation(quat_xyzw(bad, 0.0F, 0.0F, 1.0F))), PoseStatus::BadRotation);
        EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, bad, 0.0F, 1.0F))), PoseStatus::BadRotation);
        EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, 0.0F, bad, 1.0F))), PoseStatus::BadRotation);
        EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, 0.0F, 0.0F, bad))), PoseStatus::BadRotation);
    }
    EXPECT_EQ(check(Rigid{.rotation = quat_xyzw(0.0F, kFloatNan, 0.0F, 1.0F)}),
              PoseStatus::BadRotation);
}

TEST(Check, AQuaternionMayBeOnePercentOffUnitLength) {
    // The rule is |length^2 - 1| <= 0.02: lengths from sqrt(0.98) = 0.98995 to sqrt(1.02)
    // = 1.00995.
    EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, 0.0F, 0.0F, 1.0099F))), PoseStatus::Ok);
    EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, 0.9900F, 0.0F, 0.0F))), PoseStatus::Ok);
    EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, 0.0F, 0.0F, 1.0101F))), PoseStatus::BadRotation);
    EXPECT_EQ(check(with_rotation(quat_xyzw(0.0F, 0.9899F, 0.0F, 0.0F))), PoseStatus::BadRotation);
    EXPECT_EQ(check(with_rotation(quat_xyzw(kDenormal, 0.0F, 0.0F, 0.0F))),
              PoseStatus::BadRotation);
}

TEST(Check, RefusesAScaleThatIsNotANumberOrTooLarge) {
    for (const double bad : {kNan, kInfinity, -kInfinity, 1.001e9, -1.001e9}) {
        for (glm::length_t i = 0; i < 3; ++i) {
            Pose pose;
            pose.scale[i] = static_cast<float>(bad);
            EXPECT_EQ(check(pose), PoseStatus::BadScale) << bad << " at " << i;
        }
    }
}

TEST(Check, RefusesAVelocityThatIsNotANumberOrTooLarge) {
    for (const double bad : {kNan, kInfinity, -kInfinity, 1.001e9, -1.001e9}) {
        for (glm::length_t i = 0; i < 3; ++i) {
            Velocity linear;
            linear.linear[i] = static_cast<float>(bad);
            EXPECT_EQ(check(linear), PoseStatus::BadVelocity) << bad << " at " << i;
            Velocity angular;
            angular.angular[i] = static_cast<float>(bad);
            EXPECT_EQ(check(angular), PoseStatus::BadVelocity) << bad << " at " << i;
        }
    }
}

TEST(Check, OfSeveralFaultsItNamesTheFirst) {
    Pose pose{glm::dvec3(kNan), quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F),
              glm::vec3(static_cast<float>(kNan))};
    EXPECT_EQ(check(pose), PoseStatus::BadPosition);
    pose.position = glm::dvec3(0.0);
    EXPECT_EQ(check(pose), PoseStatus::ZeroRotation);
    pose.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F);
    EXPECT_EQ(check(pose), PoseStatus::BadScale);
}

TEST(ToPose, PutsAFlatPoseIntoThePlane) {
    const Pose pose = to_pose({{3.0, -4.0}, kPi / 2.0F, {2.0F, -3.0F}});
    EXPECT_EQ(pose.position, glm::dvec3(3.0, -4.0, 0.0));
    EXPECT_EQ(pose.scale, glm::vec3(2.0F, -3.0F, 1.0F));
    // The angle itself is a float, off by up to 6e-8.
    EXPECT_TRUE(is_near(rotate(pose.rotation, {1.0, 0.0, 0.0}), {0.0, 1.0, 0.0}, 2e-7));
    EXPECT_EQ(check(pose), PoseStatus::Ok);
}

TEST(ToPose2, ComesBackFromTheRoundTrip) {
    for (const float angle : {0.0F, 0.1F, -0.1F, 1.5F, -3.0F, 3.1415F, kPi}) {
        const Pose2 flat{{1.0, 2.0}, angle, {3.0F, 4.0F}};
        const Pose2 back = to_pose2(to_pose(flat));
        EXPECT_EQ(back.position, flat.position);
        EXPECT_EQ(back.scale, flat.scale);
        // The quaternion adds its rounding to that of the angle, half a last place of 3.14.
        EXPECT_NEAR(std::remainder(back.angle_rad - angle, 2.0 * std::numbers::pi), 0.0,
                    kFloatAngleRad + 2.4e-7);
    }
}

TEST(ToPose2, ItsAngleLiesInTheHalfOpenTurnAndIgnoresTheSign) {
    for (int degrees = -720; degrees <= 720; ++degrees) {
        const double angle_rad = degrees * std::numbers::pi / 180.0;
        Pose pose{.rotation = quat_from_rotation_vector({0.0, 0.0, angle_rad})};
        const float angle = to_pose2(pose).angle_rad;
        EXPECT_GT(angle, -kPi) << degrees;
        EXPECT_LE(angle, kPi) << degrees;
        EXPECT_NEAR(std::remainder(angle - angle_rad, 2.0 * std::numbers::pi), 0.0, 4e-7);
        pose.rotation = -pose.rotation;
        EXPECT_EQ(to_pose2(pose).angle_rad, angle) << degrees;
    }
}

TEST(ToPose2, HalfATurnIsPiFromEitherSide) {
    EXPECT_EQ(to_pose2(with_rotation(quat_xyzw(0.0F, 0.0F, 1.0F, 0.0F))).angle_rad, kPi);
    EXPECT_EQ(to_pose2(with_rotation(quat_xyzw(0.0F, 0.0F, -1.0F, 0.0F))).angle_rad, kPi);
    EXPECT_EQ(to_pose2(with_rotation(quat_xyzw(0.0F, 0.0F, -1.0F, -0.0F))).angle_rad, kPi);
}

TEST(ToPose2, ATurnAboutAnotherAxisHasNoAngle) {
    EXPECT_EQ(to_pose2(with_rotation(quat_xyzw(1.0F, 0.0F, 0.0F, 0.0F))).angle_rad, 0.0F);
    EXPECT_EQ(to_pose2(with_rotation(quat_xyzw(0.0F, 1.0F, -0.0F, -0.0F))).angle_rad, 0.0F);
    EXPECT_EQ(to_pose2(with_rotation(quat_xyzw(0.6F, 0.0F, 0.0F, 0.8F))).angle_rad, 0.0F);
}

class RigidTest : public testing::Test {
protected:
    // A quarter turn about Z, then a step of 10 along X.
    Rigid portal{{10.0, 0.0, 0.0}, quat_from_rotation_vector({0.0, 0.0, std::numbers::pi / 2.0})};
    // Two unit floats multiplied in double: what remains is their own rounding.
    double tolerance = 2.0 * kFloatAngleRad;
};

TEST_F(RigidTest, TurnsAPointAboutTheOriginAndThenMovesIt) {
    EXPECT_TRUE(is_near(apply(portal, glm::dvec3(2.0, 0.0, 5.0)), {10.0, 2.0, 5.0}, tolerance));
}

TEST_F(RigidTest, TurnsAndMovesAPoseAndKeepsItsScale) {
    const Pose pose{
        {2.0, 0.0, 5.0}, quat_from_rotation_vector({0.0, 0.0, 0.5}), {1.0F, 2.0F, 3.0F}};
    const Pose moved = apply(portal, pose);
    EXPECT_TRUE(is_near(moved.position, {10.0, 2.0, 5.0}, tolerance));
    EXPECT_TRUE(is_near(moved.rotation,
                        quat_from_rotation_vector({0.0, 0.0, 0.5 + std::numbers::pi / 2.0}),
                        2.0 * tolerance));
    EXPECT_TRUE(is_unit(moved.rotation));
    EXPECT_EQ(moved.scale, pose.scale);
}

TEST_F(RigidTest, TurnsVelocitiesAndDoesNotMoveThem) {
    const Velocity turned = apply(portal, Velocity{{1.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}});
    EXPECT_TRUE(is_near(glm::dvec3(turned.linear), {0.0, 1.0, 0.0}, tolerance));
    EXPECT_TRUE(is_near(glm::dvec3(turned.angular), {-2.0, 0.0, 0.0}, 2.0 * tolerance));
}

TEST_F(RigidTest, ALiftChangesNoBitOfRotationAndVelocity) {
    const Rigid lift{{0.0, 3.0, 0.0}, quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F)};
    // Not quite unit, as a physics engine hands it over.
    const Pose pose{{1.0, 1.0, 1.0}, quat_xyzw(0.1F, 0.2F, 0.3F, 0.927F), glm::vec3(1.0F)};
    const Velocity velocity{{0.1F, 1e8F, -0.3F}, {kDenormal, 0.0F, -7.0F}};
    EXPECT_EQ(apply(lift, pose).rotation, pose.rotation);
    EXPECT_EQ(apply(lift, pose).position, glm::dvec3(1.0, 4.0, 1.0));
    EXPECT_EQ(apply(lift, velocity), velocity);
}

TEST_F(RigidTest, AComposedTransformDoesTheInnerOneFirst) {
    const Rigid lift{{0.0, 3.0, 0.0}, quat_from_rotation_vector({0.7, 0.0, 0.0})};
    const glm::dvec3 point(1.0, 2.0, 3.0);
    // Turning errors act on distances of up to 10.
    EXPECT_TRUE(is_near(apply(compose(portal, lift), point), apply(portal, apply(lift, point)),
                        10.0 * tolerance));
    EXPECT_TRUE(is_near(apply(compose(lift, portal), point), apply(lift, apply(portal, point)),
                        20.0 * tolerance));
}

TEST_F(RigidTest, TheInverseUndoesIt) {
    const glm::dvec3 point(1.0, 2.0, 3.0);
    // The inverse has the same float parts, so that only double rounding remains.
    EXPECT_TRUE(is_near(apply(inverse(portal), apply(portal, point)), point, 1e-14));
    const Rigid nothing = compose(inverse(portal), portal);
    EXPECT_TRUE(is_near(nothing.translation, glm::dvec3(0.0), 1e-14));
    EXPECT_TRUE(is_near(nothing.rotation, quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F), kFloatAngleRad));
}

} // namespace
} // namespace glissade
