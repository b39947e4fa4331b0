// SPDX-License-Identifier: MIT
#include "glissade/pose/blend.h"

#include "pose/near.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr double kFractions[] = {0.0, 1e-300, 1e-9, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0 - 1e-9, 1.0};

double radians(double degrees) {
    return degrees * kPi / 180.0;
}

glm::quat about_z(double angle_rad) {
    return quat_from_rotation_vector({0.0, 0.0, angle_rad});
}

TEST(SlerpShort, TurnsWithConstantSpeed) {
    const glm::dvec3 axis(0.48, 0.6, 0.64);
    for (const double angle_rad : {1e-4, 1.4e-3, 1.6e-3, 0.1, 1.0, 2.0, 3.0, 3.14}) {
        const glm::quat b = quat_from_rotation_vector(axis * angle_rad);
        for (int i = 0; i <= 20; ++i) {
            const double t = i / 20.0;
            const glm::quat expected = quat_from_rotation_vector(axis * (angle_rad * t));
            // Both are rounded to float, and so is the end of the turn.
            EXPECT_TRUE(is_near(slerp_short(about_z(0.0), b, t), expected, 3.0 * kFloatAngleRad))
                << angle_rad << " rad, t = " << t;
        }
    }
}

TEST(SlerpShort, NegatingEveryOtherSampleChangesNothing) {
    const glm::dvec3 turn(0.3, -0.5, 0.8);
    for (int tick = 0; tick < 50; ++tick) {
        const glm::quat a = quat_from_rotation_vector(turn * static_cast<double>(tick));
        const glm::quat b = quat_from_rotation_vector(turn * (tick + 1.0));
        for (const double t : {0.1, 0.5, 0.9}) {
            const glm::quat plain = slerp_short(a, b, t);
            EXPECT_EQ(slerp_short(a, -b, t), plain);
            EXPECT_EQ(slerp_short(-a, b, t), -plain);
            EXPECT_EQ(slerp_short(-a, -b, t), -plain);
        }
    }
}

TEST(SlerpShort, GoesTheShorterWayUpToHalfATurn) {
    const glm::quat middle = slerp_short(about_z(radians(170.0)), about_z(radians(190.0)), 0.5);
    EXPECT_TRUE(is_near(middle, about_z(radians(180.0)), 3.0 * kFloatAngleRad));
    const glm::quat back = slerp_short(about_z(0.0), about_z(radians(181.0)), 0.5);
    EXPECT_TRUE(is_near(back, about_z(radians(-89.5)), 3.0 * kFloatAngleRad));
}

TEST(SlerpShort, HalfATurnExactlyGoesOneWayWhateverTheSigns) {
    const std::pair<glm::quat, glm::quat> pairs[] = {
        {quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F), quat_xyzw(1.0F, 0.0F, 0.0F, 0.0F)},
        {quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F), quat_xyzw(0.0F, -1.0F, 0.0F, 0.0F)},
        {quat_xyzw(0.0F, 0.6F, 0.0F, 0.8F), quat_xyzw(0.0F, 0.8F, 0.0F, -0.6F)},
        {quat_xyzw(0.5F, 0.5F, 0.5F, 0.5F), quat_xyzw(0.5F, -0.5F, 0.5F, -0.5F)},
    };
    for (const auto& [a, b] : pairs) {
        const glm::quat quarter = slerp_short(a, b, 0.5);
        EXPECT_TRUE(is_unit(quarter));
        EXPECT_NEAR(compute_angle_rad(a, quarter), kPi / 2.0, 2.0 * kFloatAngleRad);
        EXPECT_NEAR(compute_angle_rad(quarter, b), kPi / 2.0, 2.0 * kFloatAngleRad);
        EXPECT_EQ(slerp_short(a, -b, 0.5), quarter);
        EXPECT_EQ(slerp_short(-a, b, 0.5), -quarter);
    }
}

TEST(SlerpShort, BothEndsComeBackBitForBit) {
    const glm::quat a = quat_xyzw(0.1F, 0.2F, 0.3F, 0.927F);
    const glm::quat b = quat_xyzw(-0.5F, 0.501F, -0.5F, -0.5F);
    EXPECT_EQ(slerp_short(a, b, 0.0), a);
    EXPECT_EQ(slerp_short(a, b, 1.0), b);
    EXPECT_EQ(slerp_short(a, b, -7.0), a);
    EXPECT_EQ(slerp_short(a, b, 7.0), b);
    EXPECT_EQ(slerp_short(a, b, kNan), a);
}

TEST(SlerpShort, ARotationThatRestsKeepsItsBits) {
    const glm::quat rotation = quat_xyzw(0.1F, 0.2F, 0.3F, 0.927F);
    for (const double t : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        EXPECT_EQ(slerp_short(rotation, rotation, t), rotation);
    }
    EXPECT_EQ(slerp_short(rotation, -rotation, 0.5), rotation);
}

void expect_unit_between(const glm::quat& a, const glm::quat& b) {
    if (a == b || a == -b) {
        return; // Comes back bit for bit.
    }
    for (const double t : {1e-300, 0.3, 0.5, 1.0 - 1e-16}) {
        EXPECT_TRUE(is_unit(slerp_short(a, b, t)));
    }
}

TEST(SlerpShort, DenormalAndNonUnitInputGivesUnitOutput) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    const glm::quat inputs[] = {
        quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F),           quat_xyzw(kDenormal, 0.0F, 0.0F, 1.0F),
        quat_xyzw(0.0F, kDenormal, 0.0F, 0.0F),      quat_xyzw(0.0F, 0.0F, 3.0F, 4.0F),
        quat_xyzw(0.007F, 0.0F, -0.007F, 0.0F),      quat_xyzw(kLargest, 0.0F, kLargest, 1.0F),
        quat_xyzw(0.0F, 0.0F, 0.0F, -1.0F),          quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F),
        quat_xyzw(0.0F, -kDenormal, kDenormal, 0.0F)};
    for (const glm::quat& a : inputs) {
        for (const glm::quat& b : inputs) {
            expect_unit_between(a, b);
        }
    }
}

// Speed of a normalised linear blend relative to constant speed, at fraction t, between quaternions
// that are half_rad apart. Its angle is atan2(t sin, 1 - t + t cos); this is the derivative.
double compute_nlerp_speed(double half_rad, double t) {
    const double length2 = (1.0 - t) * (1.0 - t) + t * t + 2.0 * t * (1.0 - t) * std::cos(half_rad);
    return std::sin(half_rad) / (length2 * half_rad);
}

double compute_nlerp_speed_error(double angle_rad) {
    double error = 0.0;
    for (int i = 0; i <= 1000; ++i) {
        error = std::max(error, std::abs(compute_nlerp_speed(0.5 * angle_rad, i / 1000.0) - 1.0));
    }
    return error;
}

TEST(SlerpShort, TheSpeedErrorOfALinearBlendGrowsWithTheSquareOfTheAngle) {
    // With h half the angle it is 1 - sin(h) / h <= h^2 / 6 at the ends, and in the middle
    // 2 tan(h/2) / h - 1, about h^2 / 12 and below h^2 / 6 up to half a turn.
    for (int i = 1; i <= 100; ++i) {
        const double angle_rad = kPi * i / 100.0;
        const double bound = angle_rad * angle_rad / 24.0;
        EXPECT_LE(compute_nlerp_speed_error(angle_rad), bound + 1e-15) << angle_rad;
        EXPECT_GE(compute_nlerp_speed_error(angle_rad), 0.6 * bound) << angle_rad;
    }
    EXPECT_LT(compute_nlerp_speed_error(kNlerpAngleRad), 1e-7);
}

TEST(SlerpShort, TheSwitchBetweenItsTwoFormsDoesNotShow) {
    for (const double factor : {0.5, 0.9, 0.999, 1.001, 1.1, 2.0}) {
        const double angle_rad = kNlerpAngleRad * factor;
        const glm::quat b = about_z(angle_rad);
        for (int i = 1; i < 50; ++i) {
            const double t = i / 50.0;
            // Half the angle, from the sine: near the identity a float keeps it to 24 bits.
            const double drawn_rad =
                2.0 * std::asin(static_cast<double>(slerp_short(about_z(0.0), b, t).z));
            EXPECT_NEAR(drawn_rad, t * 2.0 * std::asin(static_cast<double>(b.z)), angle_rad * 2e-7)
                << angle_rad << " rad, t = " << t;
        }
    }
}

TEST(BlendLinear, BlendsPositionRotationAndScale) {
    const Pose a{{0.0, 10.0, -4.0}, about_z(0.0), {1.0F, 2.0F, 3.0F}};
    const Pose b{{4.0, 10.0, 4.0}, about_z(1.0), {2.0F, 1.0F, 3.0F}};
    const Pose middle = blend_linear(a, b, 0.25);
    EXPECT_EQ(middle.position, glm::dvec3(1.0, 10.0, -2.0));
    EXPECT_TRUE(is_near(middle.rotation, about_z(0.25), 2.0 * kFloatAngleRad));
    EXPECT_EQ(middle.scale, glm::vec3(1.25F, 1.75F, 3.0F));
}

TEST(BlendLinear, BothEndsComeBackBitForBit) {
    const Pose a{{0.1, 1e12, -1e-300}, quat_xyzw(0.1F, 0.2F, 0.3F, 0.927F), {0.1F, -2.0F, 0.0F}};
    const Pose b{{0.7, -1e12, 3.3}, quat_xyzw(-0.5F, 0.5F, 0.5F, -0.5F), {7.0F, 2.0F, 0.3F}};
    for (const double t : {0.0, -1.0, kNan}) {
        EXPECT_EQ(blend_linear(a, b, t), a);
    }
    for (const double t : {1.0, 2.0}) {
        EXPECT_EQ(blend_linear(a, b, t), b);
    }
}

TEST(BlendLinear, APoseThatRestsKeepsItsBits) {
    const Pose pose{{0.1, 1e12, -1e-300}, quat_xyzw(0.1F, 0.2F, 0.3F, 0.927F), {0.1F, -2.0F, 0.0F}};
    for (const double t : kFractions) {
        EXPECT_EQ(blend_linear(pose, pose, t), pose);
    }
}

TEST(BlendLinear, AMillimetreATickIsMonotoneAHundredKilometresOut) {
    constexpr double kStep = 1e-3;
    double previous = -1.0;
    for (int tick = 0; tick < 60; ++tick) {
        const Pose a{.position = {1e5 + kStep * tick, -1e5, 1e5}};
        const Pose b{.position = {1e5 + kStep * (tick + 1), -1e5, 1e5}};
        for (int frame = 0; frame < 24; ++frame) {
            const double t = frame / 24.0;
            const Pose drawn = blend_linear(a, b, t);
            EXPECT_GT(drawn.position.x, previous);
            // Two roundings at 1e5, where the last place is 1.5e-11.
            EXPECT_NEAR(drawn.position.x, 1e5 + kStep * (tick + t), 3e-11);
            EXPECT_EQ(drawn.position.y, -1e5);
            previous = drawn.position.x;
        }
    }
}

TEST(BlendLinear, NeverPassesItsEndByALastBit) {
    // b - a is rounded up here: at t = 1 the sum would land beyond b.
    const Pose a{.position = {-1.0, -kMaxPosition, 0.1}};
    const Pose b{.position = {1.5 * 0x1p-53, kMaxPosition, kMaxPosition}};
    const Pose drawn = blend_linear(a, b, std::nextafter(1.0, 0.0));
    EXPECT_LE(drawn.position.x, b.position.x);
    EXPECT_LE(drawn.position.y, kMaxPosition);
    EXPECT_LE(drawn.position.z, kMaxPosition);
    EXPECT_EQ(check(drawn), PoseStatus::Ok);
}

double compute_fall(double time_s) {
    return 5.0 + 3.0 * time_s - 0.5 * 9.81 * time_s * time_s;
}

// The largest distance of the drawn height from the true one within a tick.
double compute_chord_error(double start_s, double end_s) {
    const Pose a{.position = {0.0, compute_fall(start_s), 0.0}};
    const Pose b{.position = {0.0, compute_fall(end_s), 0.0}};
    double worst = 0.0;
    for (int i = 0; i <= 16; ++i) {
        const double t = i / 16.0;
        const double truth = compute_fall(start_s + (end_s - start_s) * t);
        worst = std::max(worst, std::abs(blend_linear(a, b, t).position.y - truth));
    }
    return worst;
}

TEST(BlendLinear, OnABallisticPathItIsOffByTheChordOnly) {
    // The chord of a parabola is a h^2 / 8 away from it in the middle: 1.4 mm for gravity at 30 Hz,
    // 12 mm at 10 Hz.
    for (const double rate_hz : {10.0, 30.0, 60.0}) {
        const double bound = 9.81 / (rate_hz * rate_hz * 8.0);
        for (int tick = 0; tick < 10; ++tick) {
            // Rounding of heights below 8 adds less than 1e-14.
            EXPECT_NEAR(compute_chord_error(tick / rate_hz, (tick + 1) / rate_hz), bound, 1e-14);
        }
    }
}

TEST(BlendLinear, AScaleFromTwoToOnePassesOneAndAHalf) {
    const Pose a{.scale = {2.0F, 2.0F, 1.0F}};
    EXPECT_EQ(blend_linear(a, Pose{}, 0.5).scale, glm::vec3(1.5F, 1.5F, 1.0F));
}

TEST(BlendLinear, AScaleThatFlipsWaitsAndNeverShowsASingularMatrix) {
    const Pose a{.scale = {1.0F, 4.0F, 1.0F}};
    const Pose b{.scale = {-1.0F, 2.0F, 1.0F}};
    for (const double t : kFractions) {
        const glm::vec3 expected = t < 1.0 ? a.scale : b.scale;
        EXPECT_EQ(blend_linear(a, b, t).scale, expected) << t;
        EXPECT_EQ(blend_linear(b, a, t).scale, t < 1.0 ? b.scale : a.scale) << t;
    }
    const Pose tiny{.scale = {kDenormal, 1.0F, 1.0F}};
    const Pose tiny_flip{.scale = {-kDenormal, 1.0F, 1.0F}};
    EXPECT_EQ(blend_linear(tiny, tiny_flip, 0.5).scale, tiny.scale);
}

TEST(BlendLinear, AScaleOfTheSameSignNeverPassesZero) {
    const Pose a{.scale = {kDenormal, -1e-30F, 1.0F}};
    const Pose b{.scale = {1.0F, -kDenormal, 1e-20F}};
    for (const double t : kFractions) {
        const glm::vec3 scale = blend_linear(a, b, t).scale;
        EXPECT_GT(scale.x, 0.0F);
        EXPECT_LT(scale.y, 0.0F);
        EXPECT_GT(scale.z, 0.0F);
    }
}

TEST(BlendLinear, AScaleOfZeroIsTheCallersOwnAndIsBlended) {
    const Pose a{.scale = glm::vec3(0.0F)};
    EXPECT_EQ(blend_linear(a, Pose{}, 0.25).scale, glm::vec3(0.25F));
    EXPECT_EQ(blend_linear(Pose{}, a, 0.25).scale, glm::vec3(0.75F));
    const Pose mirrored{.scale = glm::vec3(-1.0F)};
    EXPECT_EQ(blend_linear(mirrored, a, 0.5).scale, glm::vec3(-0.5F));
    EXPECT_EQ(blend_linear(a, a, 0.5).scale, glm::vec3(0.0F));
}

TEST(BlendLinear, AFlatAngleFrom179ToMinus179DegreesMovesByTwo) {
    const Pose2 a{.angle_rad = static_cast<float>(radians(179.0))};
    const Pose2 b{.angle_rad = static_cast<float>(radians(-179.0))};
    for (const double t : {0.25, 0.5, 0.75}) {
        const double forward = blend_linear(a, b, t).angle_rad;
        EXPECT_NEAR(forward, radians(179.0 + 2.0 * t), 4e-7) << t;
        const double backward = blend_linear(b, a, t).angle_rad;
        EXPECT_NEAR(backward, radians(-179.0 - 2.0 * t), 4e-7) << t;
        // By way of the solid poses too.
        const Pose2 solid = to_pose2(blend_linear(to_pose(a), to_pose(b), t));
        EXPECT_NEAR(std::remainder(solid.angle_rad - forward, 2.0 * kPi), 0.0, 1e-6) << t;
    }
}

TEST(BlendLinear, FlatPosesFollowTheSameRules) {
    const Pose2 a{{0.0, 1e5}, 0.5F, {1.0F, 2.0F}};
    const Pose2 b{{8.0, 1e5}, 1.5F, {3.0F, 1.0F}};
    const Pose2 middle = blend_linear(a, b, 0.5);
    EXPECT_EQ(middle.position, glm::dvec2(4.0, 1e5));
    EXPECT_EQ(middle.angle_rad, 1.0F);
    EXPECT_EQ(middle.scale, glm::vec2(2.0F, 1.5F));
    EXPECT_EQ(blend_linear(a, b, 0.0), a);
    EXPECT_EQ(blend_linear(a, b, 1.0), b);
    EXPECT_EQ(blend_linear(a, b, kNan), a);
    const Pose2 flipped{{8.0, 1e5}, 1.5F, {3.0F, -1.0F}};
    EXPECT_EQ(blend_linear(a, flipped, 0.9).scale, a.scale);
}

class Extrapolate : public testing::Test {
protected:
    Motion state{{{1.0, 2.0, 3.0}, about_z(0.5), {1.0F, 2.0F, 3.0F}},
                 {{10.0F, 0.0F, -1.0F}, {0.0F, 0.0F, 2.0F}}};
};

TEST_F(Extrapolate, CarriesPositionAndRotationOn) {
    const Pose pose = extrapolate(state, 0.25, 1.0);
    EXPECT_EQ(pose.position, glm::dvec3(3.5, 2.0, 2.75));
    EXPECT_TRUE(is_near(pose.rotation, about_z(1.0), 3.0 * kFloatAngleRad));
    EXPECT_EQ(pose.scale, state.pose.scale);
}

TEST_F(Extrapolate, StopsAtTheCap) {
    EXPECT_EQ(extrapolate(state, 5.0, 0.25), extrapolate(state, 0.25, 1.0));
    EXPECT_EQ(extrapolate(state, std::numeric_limits<double>::infinity(), 0.25),
              extrapolate(state, 0.25, 0.25));
}

TEST_F(Extrapolate, NoTimeOrNegativeTimeChangesNoBit) {
    for (const double none : {0.0, -0.0, -1.0, -1e300, kNan}) {
        EXPECT_EQ(extrapolate(state, none, 1.0), state.pose) << none;
        EXPECT_EQ(extrapolate(state, 1.0, none), state.pose) << none;
    }
    EXPECT_EQ(extrapolate({state.pose, {}}, 10.0, 10.0), state.pose);
}

TEST_F(Extrapolate, ManyTurnsAreFine) {
    state.velocity.angular = {0.0F, 0.0F, static_cast<float>(200.0 * kPi)};
    // A hundred turns; the float velocity is off by up to 3e-5 rad a second.
    EXPECT_TRUE(is_near(extrapolate(state, 1.0, 1.0).rotation, about_z(0.5), 4e-5));
}

TEST_F(Extrapolate, StaysAcceptableAtTheEndsOfEveryRange) {
    const Motion fast{{glm::dvec3(kMaxPosition), about_z(3.0), glm::vec3(kMaxScale)},
                      {glm::vec3(kMaxVelocity), glm::vec3(-kMaxVelocity)}};
    for (const double time_s : {1e-300, 1.0, 1e9, 1e300, std::numeric_limits<double>::max()}) {
        EXPECT_EQ(check(extrapolate(fast, time_s, time_s)), PoseStatus::Ok) << time_s;
        EXPECT_TRUE(is_unit(extrapolate(fast, time_s, time_s).rotation)) << time_s;
    }
}

} // namespace
} // namespace glissade
