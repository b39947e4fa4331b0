// SPDX-License-Identifier: MIT
#include "glissade/pose/channel.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr auto kPi = std::numbers::pi_v<float>;
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Channel kAll[] = {Channel::Linear, Channel::Angle, Channel::Step, Channel::Never};

float degrees(double angle) {
    return static_cast<float>(angle * std::numbers::pi / 180.0);
}

TEST(Channel, LinearIsBlended) {
    EXPECT_EQ(blend_channel(Channel::Linear, 60.0F, 90.0F, 0.5), 75.0F);
    EXPECT_EQ(blend_channel(Channel::Linear, 1.0F, -1.0F, 0.25), 0.5F);
}

TEST(Channel, LinearEndsAreExactAndOutsideCountsAsTheNearerEnd) {
    constexpr float kA = 0.1F;
    constexpr float kB = 123456.7F;
    for (const double t : {0.0, -0.0, -1.0, -1e300, kNan}) {
        EXPECT_EQ(blend_channel(Channel::Linear, kA, kB, t), kA) << t;
    }
    for (const double t : {1.0, 1.5, 1e300}) {
        EXPECT_EQ(blend_channel(Channel::Linear, kA, kB, t), kB) << t;
    }
}

TEST(Channel, LinearStaysBetweenItsEndsUpToTheEndsOfTheRange) {
    EXPECT_EQ(blend_channel(Channel::Linear, -kLargest, kLargest, 0.5), 0.0F);
    EXPECT_EQ(blend_channel(Channel::Linear, kLargest, kLargest, 0.3), kLargest);
    const float between = blend_channel(Channel::Linear, kDenormal, 3.0F * kDenormal, 0.5);
    EXPECT_EQ(between, 2.0F * kDenormal);
}

TEST(Channel, AnAngleTakesTheShorterWayAcrossTheWrap) {
    const float a = degrees(179.0);
    const float b = degrees(-179.0);
    // The two floats are each off by up to 1.2e-7, half a last place of numbers below 4.
    const float middle = blend_channel(Channel::Angle, a, b, 0.5);
    EXPECT_NEAR(std::abs(middle), kPi, 3e-7);
    EXPECT_NEAR(blend_channel(Channel::Angle, a, b, 0.25), degrees(179.5), 3e-7);
    EXPECT_NEAR(blend_channel(Channel::Angle, a, b, 0.75), degrees(-179.5), 3e-7);
}

void expect_within_half_turn(float a, float b) {
    for (const double t : {0.0, 0.3, 0.5, 0.9, 1.0}) {
        const float angle = blend_channel(Channel::Angle, a, b, t);
        EXPECT_LE(std::abs(angle), kPi) << a << ' ' << b << ' ' << t;
    }
}

TEST(Channel, AnAngleComesBackWithinHalfATurn) {
    for (const float a : {0.0F, 3.0F, -3.0F, kPi, -kPi, 100.0F, -1e6F, 1e30F, kLargest}) {
        for (const float b : {0.0F, 3.0F, -3.0F, kPi, -kPi, 7.0F, 1e5F, -kLargest}) {
            expect_within_half_turn(a, b);
        }
    }
}

TEST(Channel, AnAngleInsideTheRangeIsExactAtItsEnds) {
    EXPECT_EQ(blend_channel(Channel::Angle, kPi, -3.0F, 0.0), kPi);
    EXPECT_EQ(blend_channel(Channel::Angle, 0.1F, -kPi, 1.0), -kPi);
    EXPECT_EQ(blend_channel(Channel::Angle, 0.1F, 0.1F, 0.7), 0.1F);
}

TEST(Channel, AStepNeverShowsAValueInBetween) {
    // The last animation frame before a loop wraps, and the first one after it.
    for (const double t : {0.0, 1e-300, 0.25, 0.5, 0.999999, std::nextafter(1.0, 0.0)}) {
        EXPECT_EQ(blend_channel(Channel::Step, 59.0F, 0.0F, t), 59.0F) << t;
    }
    EXPECT_EQ(blend_channel(Channel::Step, 59.0F, 0.0F, 1.0), 0.0F);
}

TEST(Channel, NeverShowsTheNewestValueAtOnce) {
    for (const double t : {0.0, 0.5, 1.0, kNan}) {
        EXPECT_EQ(blend_channel(Channel::Never, 1.0F, 2.0F, t), 2.0F) << t;
    }
}

TEST(Channel, EqualEndsGiveThatValueUnderEveryRule) {
    for (const Channel rule : kAll) {
        EXPECT_EQ(blend_channel(rule, 0.7F, 0.7F, 0.3), 0.7F);
    }
}

void expect_finite(float a, float b, double t) {
    for (const Channel rule : kAll) {
        EXPECT_TRUE(std::isfinite(blend_channel(rule, a, b, t))) << a << ' ' << b << ' ' << t;
    }
}

TEST(Channel, FiniteInputGivesFiniteOutputUnderEveryRule) {
    for (const float a : {0.0F, kDenormal, -kLargest, kLargest}) {
        for (const float b : {-0.0F, -kDenormal, -kLargest, kLargest}) {
            expect_finite(a, b, 1e-300);
            expect_finite(a, b, 0.5);
            expect_finite(a, b, 1.0);
        }
    }
}

} // namespace
} // namespace glissade
