// SPDX-License-Identifier: MIT
// blend_hermite(): curves, the limiter, and rotations of more than half a turn a tick.
#include "glissade/pose/blend.h"

#include "pose/near.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A body on a line: height and speed along Y.
Motion on_line(double height, double speed) {
    return {{.position = {0.0, height, 0.0}}, {.linear = {0.0F, static_cast<float>(speed), 0.0F}}};
}

double height_at(const Motion& a, const Motion& b, double duration_s, double t) {
    return blend_hermite(a, b, duration_s, t).position.y;
}

// The cubic without a limiter.
double compute_cubic(double y0, double v0, double y1, double v1, double t) {
    const double step = y1 - y0;
    return y0 + step * t + t * (1.0 - t) * ((1.0 - t) * (v0 - step) - t * (v1 - step));
}

// A body that has made `angle_rad` about `axis` and spins with `speed` (rad/s).
Motion spinning(const glm::dvec3& axis, double angle_rad, double speed) {
    return {{.rotation = quat_from_rotation_vector(axis * angle_rad)},
            {.angular = glm::vec3(axis * speed)}};
}

double compute_throw(double time_s) {
    return 2.0 + 12.0 * time_s - 0.5 * 9.81 * time_s * time_s;
}

void expect_parabola(double start_s, double duration_s) {
    const double end_s = start_s + duration_s;
    const Motion a = on_line(compute_throw(start_s), 12.0 - 9.81 * start_s);
    const Motion b = on_line(compute_throw(end_s), 12.0 - 9.81 * end_s);
    for (int i = 0; i <= 16; ++i) {
        const double t = i / 16.0;
        // Float speeds below 16 are off by 4.8e-7; times 0.1 s and the weight 4/27, twice.
        EXPECT_NEAR(height_at(a, b, duration_s, t), compute_throw(start_s + t * duration_s), 2e-8);
    }
}

TEST(BlendHermite, UnderConstantAccelerationItIsExact) {
    for (const double duration_s : {0.1, 1.0 / 30.0, 1.0 / 60.0}) {
        for (int tick = 0; tick < 20; ++tick) {
            expect_parabola(tick * duration_s, duration_s);
        }
    }
}

TEST(BlendHermite, AConstantVelocityIsTheStraightLine) {
    const Motion a = on_line(1.0, 8.0);
    const Motion b = on_line(2.0, 8.0);
    for (int i = 0; i <= 10; ++i) {
        EXPECT_DOUBLE_EQ(height_at(a, b, 0.125, i / 10.0), 1.0 + i / 10.0);
    }
}

TEST(BlendHermite, FollowsACircleThroughAQuarterTurnATick) {
    const double speed = std::numbers::pi / 2.0;
    const Motion a{{.position = {1.0, 0.0, 0.0}}, {.linear = {0.0F, speed, 0.0F}}};
    const Motion b{{.position = {0.0, 1.0, 0.0}}, {.linear = {-speed, 0.0F, 0.0F}}};
    // u0 = (1, pi/2 - 1), u1 = (1 - pi/2, -1): |u0 + u1| = sqrt(2) (2 - pi/2) and
    // |u1 - u0| = sqrt(2) pi/2, so f = 0.925. The middle is off the chord by f |u1 - u0| / 8: it is
    // drawn at 0.964 of the radius, where the chord is at 0.707 and the bare cubic at 0.985.
    const double misfit = (2.0 - speed) / speed;
    const double factor = 1.0 - misfit * misfit;
    const double expected = std::sqrt(0.5) + factor * std::sqrt(2.0) * speed / 8.0;
    const Pose middle = blend_hermite(a, b, 1.0, 0.5);
    // The float speed is off by up to 6e-8.
    EXPECT_NEAR(glm::length(middle.position), expected, 1e-7);
    EXPECT_NEAR(middle.position.x, middle.position.y, 1e-7);
}

TEST(BlendHermite, OfAnImpulseAtFractionSItKeepsFourSTimesOneMinusS) {
    constexpr double kSpeed = 8.0; // Exact in float, and so is its half.
    for (int i = 1; i < 32; ++i) {
        const double s = i / 32.0;
        const double v0 = -kSpeed;
        const double v1 = 0.5 * kSpeed;
        const double y1 = s * v0 + (1.0 - s) * v1;
        const Motion a = on_line(0.0, v0);
        const Motion b = on_line(y1, v1);
        for (const double t : {0.25, 0.5, 0.8}) {
            const double line = y1 * t;
            const double whole = compute_cubic(0.0, v0, y1, v1, t) - line;
            const double kept = height_at(a, b, 1.0, t) - line;
            EXPECT_NEAR(kept, 4.0 * s * (1.0 - s) * whole, 1e-14) << s << ' ' << t;
        }
    }
}

TEST(BlendHermite, AFallThatBouncesInsideTheTickStaysAboveBothStates) {
    // Falls at 10 m/s, is 20 mm above the floor, bounces with 0.8; 30 ticks a second.
    constexpr double kDuration = 1.0 / 30.0;
    const double y0 = 0.020;
    const double y1 = 8.0 * (kDuration - y0 / 10.0);
    double lowest = y0;
    double lowest_cubic = y0;
    for (int i = 0; i <= 1000; ++i) {
        const double t = i / 1000.0;
        const double drawn = height_at(on_line(y0, -10.0), on_line(y1, 8.0), kDuration, t);
        lowest = std::min(lowest, drawn);
        lowest_cubic =
            std::min(lowest_cubic, compute_cubic(y0, -10.0 * kDuration, y1, 8.0 * kDuration, t));
    }
    EXPECT_GE(lowest, std::min(y0, y1));
    EXPECT_NEAR(lowest_cubic, -0.0077, 5e-5); // What the limiter is there for.
}

// The lowest drawn point of a bounce at fraction s of the tick, on a floor at 0. Unit of length:
// the way of one tick at the speed of the impact.
double compute_lowest(double gravity, double restitution, double s) {
    const double rest = 1.0 - s;
    const double y0 = s - 0.5 * gravity * s * s;
    const double y1 = restitution * rest - 0.5 * gravity * rest * rest;
    if (y1 < 0.0) {
        return 0.0; // Bounces a second time.
    }
    const Motion a = on_line(y0, -1.0 + gravity * s);
    const Motion b = on_line(y1, restitution - gravity * rest);
    double lowest = std::min(y0, y1);
    for (int i = 0; i <= 50; ++i) {
        lowest = std::min(lowest, height_at(a, b, 1.0, i / 50.0));
    }
    return lowest;
}

TEST(BlendHermite, NoBounceIsDrawnBelowTheFloor) {
    for (const double gravity : {0.0, 0.1, 0.5, 1.0, 1.9}) {
        for (int i = 0; i < 21 * 99; ++i) {
            const double restitution = (i % 21) / 20.0;
            const int percent = 1 + i / 21;
            const double s = percent / 100.0;
            // Float speeds up to 2 are off by 6e-8.
            EXPECT_GE(compute_lowest(gravity, restitution, s), -6e-8)
                << gravity << ' ' << restitution << ' ' << s;
        }
    }
}

// The greatest drawn speed of a body that rests and gets speed 1 at fraction s of the tick.
double compute_peak_speed(double s) {
    constexpr int kCount = 2000;
    const Motion a = on_line(0.0, 0.0);
    const Motion b = on_line(1.0 - s, 1.0);
    double peak = 0.0;
    for (int i = 0; i < kCount; ++i) {
        const double here = height_at(a, b, 1.0, i / double{kCount});
        const double next = height_at(a, b, 1.0, (i + 1) / double{kCount});
        peak = std::max(peak, (next - here) * kCount);
    }
    return peak;
}

TEST(BlendHermite, AnImpulseBetweenTicksDoesNotOvershootTheSpeed) {
    // At the start of the tick the bare cubic peaks at 1.33; the limiter leaves the straight line.
    EXPECT_NEAR(compute_peak_speed(0.0), 1.0, 1e-12);
    // Inside the tick: at most 1.0113, at s = 0.07.
    double worst = 0.0;
    for (int i = 0; i <= 100; ++i) {
        worst = std::max(worst, compute_peak_speed(i / 100.0));
    }
    EXPECT_LE(worst, 1.012);
    EXPECT_GE(worst, 1.011);
}

TEST(BlendHermite, VelocitiesThatFitNothingAreLeftAside) {
    // Both point away from the way made, or there are none: exactly the linear blend.
    const Pose p0{{1.0, 2.0, 3.0}, quat_from_rotation_vector({0.1, 0.2, 0.3}), glm::vec3(1.0F)};
    const Pose p1{{2.0, 2.0, 2.0}, quat_from_rotation_vector({0.3, 0.2, 0.6}), glm::vec3(2.0F)};
    for (const float speed : {0.0F, -50.0F}) {
        const Velocity velocity{glm::vec3(speed, 0.0F, -speed), glm::vec3(0.0F)};
        for (const double t : {0.0, 0.3, 0.5, 0.9, 1.0}) {
            EXPECT_EQ(blend_hermite({p0, velocity}, {p1, velocity}, 0.1, t),
                      blend_linear(p0, p1, t));
        }
    }
}

TEST(BlendHermite, BothEndsComeBackBitForBit) {
    const Motion a{{{0.1, 1e12, -1e-300}, quat_xyzw(0.1F, 0.2F, 0.3F, 0.927F), {0.1F, -2.0F, 0.0F}},
                   {{1.0F, 2.0F, 3.0F}, {4.0F, 5.0F, 600.0F}}};
    const Motion b{{{0.7, -1e12, 3.3}, quat_xyzw(-0.5F, 0.5F, 0.5F, -0.5F), {7.0F, 2.0F, 0.3F}},
                   {{-1.0F, 2.0F, 3.0F}, {4.0F, -5.0F, 6.0F}}};
    for (const double t : {0.0, -1.0, kNan}) {
        EXPECT_EQ(blend_hermite(a, b, 0.1, t), a.pose);
    }
    for (const double t : {1.0, 2.0}) {
        EXPECT_EQ(blend_hermite(a, b, 0.1, t), b.pose);
    }
}

TEST(BlendHermite, APoseThatRestsKeepsItsBits) {
    const Motion state{{{0.1, 1e12, 0.3}, quat_xyzw(0.1F, 0.2F, 0.3F, 0.927F), glm::vec3(2.0F)},
                       {}};
    for (const double t : {0.1, 0.5, 0.9}) {
        EXPECT_EQ(blend_hermite(state, state, 0.1, t), state.pose);
    }
}

TEST(BlendHermite, TheScaleFollowsTheRuleOfTheLinearBlend) {
    Motion a;
    Motion b{.pose = {.scale = {3.0F, 1.0F, 1.0F}}};
    EXPECT_EQ(blend_hermite(a, b, 0.1, 0.5).scale, glm::vec3(2.0F, 1.0F, 1.0F));
    b.pose.scale.y = -1.0F;
    EXPECT_EQ(blend_hermite(a, b, 0.1, 0.5).scale, a.pose.scale);
}

// Blends a constant spin of `turn_rad` a tick and expects it everywhere on the way.
void expect_constant_spin(const glm::dvec3& axis, double turn_rad, double start_rad) {
    constexpr double kDuration = 1.0 / 60.0;
    const double speed = turn_rad / kDuration;
    const Motion a = spinning(axis, start_rad, speed);
    Motion b = spinning(axis, start_rad + turn_rad, speed);
    for (const double sign : {1.0, -1.0}) {
        b.pose.rotation = b.pose.rotation * static_cast<float>(sign);
        for (int i = 0; i <= 40; ++i) {
            const double t = i / 40.0;
            const glm::quat expected = quat_from_rotation_vector(axis * (start_rad + turn_rad * t));
            // Three roundings of quaternions; the curve from the velocities, which are off by 2^-24
            // of themselves, is at most a quarter of that.
            EXPECT_TRUE(is_near(blend_hermite(a, b, kDuration, t).rotation, expected,
                                3.0 * kFloatAngleRad + std::abs(turn_rad) * 3e-8))
                << turn_rad << " rad a tick, t = " << t;
        }
    }
}

TEST(BlendHermite, ThreeHundredAndFiftyDegreesATickGoForward) {
    expect_constant_spin({0.0, 0.0, 1.0}, kTurn * 350.0 / 360.0, 0.0);
    expect_constant_spin({0.0, 0.0, 1.0}, -kTurn * 350.0 / 360.0, 0.4);
    expect_constant_spin({0.48, 0.6, 0.64}, kTurn * 350.0 / 360.0, 1.0);
}

TEST(BlendHermite, TenTurnsATickGoForward) {
    expect_constant_spin({0.0, 0.0, 1.0}, 10.0 * kTurn, 0.0);
    expect_constant_spin({0.48, 0.6, -0.64}, -10.0 * kTurn, 2.0);
    for (const double more : {0.01, 0.3, 0.5, 0.7, 0.99}) {
        expect_constant_spin({0.48, 0.6, 0.64}, (10.0 + more) * kTurn, 1.0);
    }
}

TEST(BlendHermite, ASpinOfAnySpeedIsDrawnAtThatSpeed) {
    for (int degrees = -1080; degrees <= 1080; degrees += 15) {
        expect_constant_spin({0.36, -0.48, 0.8}, kTurn * degrees / 360.0, 0.7);
    }
}

TEST(BlendHermite, WholeTurnsAreFoundThoughRoundingTiltsWhatIsLeft) {
    // Ten turns exactly about Z, and a last bit of rotation about another axis.
    constexpr double kDuration = 1.0 / 60.0;
    const auto speed = static_cast<float>(10.0 * kTurn / kDuration);
    for (const double noise_rad : {1e-7, 1e-5, 1e-2, 0.2}) {
        const Motion a{{}, {.angular = {0.0F, 0.0F, speed}}};
        const Motion b{{.rotation = quat_from_rotation_vector({noise_rad, 0.0, 0.0})}, a.velocity};
        for (const double t : {0.01, 0.025, 0.26, 0.51}) {
            // The drawn spin tilts toward the end by the noise and no more.
            EXPECT_TRUE(is_near(blend_hermite(a, b, kDuration, t).rotation,
                                quat_from_rotation_vector({0.0, 0.0, 10.0 * kTurn * t}),
                                2.0 * noise_rad + 2e-6 + 4.0 * noise_rad * 10.0 * t * (1.0 - t)))
                << noise_rad << ' ' << t;
        }
    }
}

TEST(BlendHermite, ASpinWhoseAxisTiltsIsFollowed) {
    // A wheel turns about its axis while the axis itself tilts: exp(t tilt) exp(t spin), with the
    // velocities tilt + spin and tilt + spin carried along. `change` is a constant acceleration on
    // top; the path of that is -change t (1-t).
    const glm::dvec3 tilt(0.4, 0.0, 0.0);
    const glm::dvec3 change(0.3, 0.1, -0.2);
    for (const double turns : {1.0, 2.0, -3.0, 10.0}) {
        const glm::dvec3 spin(0.0, 0.0, turns * kTurn);
        const glm::quat tilted = quat_from_rotation_vector(tilt);
        const Motion a{{}, {.angular = glm::vec3(tilt + spin - change)}};
        const Motion b{{.rotation = tilted},
                       {.angular = glm::vec3(tilt + rotate(tilted, spin) + change)}};
        for (int i = 0; i <= 16; ++i) {
            const double t = i / 16.0;
            const glm::quat expected = quat_from_rotation_vector(-change * t * (1.0 - t)) *
                                       quat_from_rotation_vector(tilt * t) *
                                       quat_from_rotation_vector(spin * t);
            // Six roundings of quaternions, and the velocities' own, 2^-24 of themselves, which
            // also tilt the axis of all turns by as much.
            EXPECT_TRUE(is_near(blend_hermite(a, b, 1.0, t).rotation, expected,
                                6.0 * kFloatAngleRad + std::abs(turns) * kTurn * 1.2e-7))
                << turns << " turns, t = " << t;
        }
    }
}

TEST(BlendHermite, HalfATurnGoesAlongTheSpin) {
    for (const double direction : {1.0, -1.0}) {
        const glm::dvec3 axis(direction, 0.0, 0.0);
        const Motion a = spinning(axis, 0.0, 0.5 * kTurn);
        const Motion b = spinning(axis, 0.5 * kTurn, 0.5 * kTurn);
        EXPECT_TRUE(is_near(blend_hermite(a, b, 1.0, 0.5).rotation,
                            quat_from_rotation_vector(axis * (0.25 * kTurn)),
                            4.0 * kFloatAngleRad));
    }
}

TEST(BlendHermite, WithoutSpinHalfATurnGoesTheWayOfTheLinearBlend) {
    const Motion a;
    const Motion b{.pose = {.rotation = quat_xyzw(0.0F, -1.0F, 0.0F, 0.0F)}};
    EXPECT_EQ(blend_hermite(a, b, 1.0, 0.3), blend_linear(a.pose, b.pose, 0.3));
}

TEST(BlendHermite, AConstantAngularAccelerationIsExact) {
    const glm::dvec3 axis(0.48, 0.6, 0.64);
    constexpr double kDuration = 0.125;
    for (const double speed : {-4.0, 1.0, 20.0, 400.0}) {
        const double acceleration = 16.0;
        const auto angle = [&](double time_s) {
            return speed * time_s + 0.5 * acceleration * time_s * time_s;
        };
        const Motion a = spinning(axis, 0.0, speed);
        const Motion b = spinning(axis, angle(kDuration), speed + acceleration * kDuration);
        for (int i = 0; i <= 16; ++i) {
            const double time_s = kDuration * i / 16.0;
            // As for the constant spin: three quaternions, and velocities off by 2^-24.
            EXPECT_TRUE(is_near(blend_hermite(a, b, kDuration, time_s / kDuration).rotation,
                                quat_from_rotation_vector(axis * angle(time_s)),
                                3.0 * kFloatAngleRad + std::abs(speed) * kDuration * 6e-8))
                << speed << ' ' << time_s;
        }
    }
}

TEST(BlendHermite, AnAngularImpulseDoesNotOvershootTheSpeed) {
    // At rest, then hit at the start of the tick: constant speed, as for positions.
    const glm::dvec3 axis(0.0, 0.0, 1.0);
    const Motion a = spinning(axis, 0.0, 0.0);
    const Motion b = spinning(axis, 1.0, 1.0);
    for (int i = 0; i <= 10; ++i) {
        const double t = i / 10.0;
        // The float rotation and speed of `b` do not agree to the last bit, so a trace is kept.
        EXPECT_TRUE(is_near(blend_hermite(a, b, 1.0, t).rotation,
                            quat_from_rotation_vector(axis * t), 4.0 * kFloatAngleRad));
    }
}

void expect_acceptable(const Pose& pose) {
    EXPECT_EQ(check(pose), PoseStatus::Ok);
    EXPECT_TRUE(is_unit(pose.rotation));
}

TEST(BlendHermite, APathBendsPositionsAndTurnsAsTheLinearBlendDoes) {
    const Motion a{{.position = {1.0, 2.0, 3.0}, .scale = glm::vec3(2.0F)},
                   {.linear = {4.0F, -9.0F, 0.0F}, .angular = {40.0F, 5.0F, -7.0F}}};
    const Motion b{{.position = {1.5, 1.0, 3.0},
                    .rotation = quat_from_rotation_vector({0.0, 1.0, 0.5}),
                    .scale = glm::vec3(3.0F)},
                   {.linear = {6.0F, -11.0F, 0.0F}, .angular = {-50.0F, 1.0F, 0.0F}}};
    for (const double t : {-1.0, 0.0, 0.1, 0.5, 0.9, 1.0, 2.0}) {
        const Pose path = blend_hermite_path(a, b, 0.1, t);
        const Pose line = blend_linear(a.pose, b.pose, t);
        EXPECT_EQ(path.position, blend_hermite(a, b, 0.1, t).position) << t;
        EXPECT_EQ(path.rotation, line.rotation) << t;
        EXPECT_EQ(path.scale, line.scale) << t;
    }
    EXPECT_NE(blend_hermite_path(a, b, 0.1, 0.5).position,
              blend_linear(a.pose, b.pose, 0.5).position);
}

TEST(BlendHermite, StaysAcceptableAtTheEndsOfEveryRange) {
    const Motion a{
        {glm::dvec3(kMaxPosition), quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F), glm::vec3(kMaxScale)},
        {glm::vec3(kMaxVelocity), glm::vec3(kMaxVelocity)}};
    const Motion b{
        {glm::dvec3(-kMaxPosition), quat_xyzw(0.5F, -0.5F, 0.5F, 0.5F), glm::vec3(-kMaxScale)},
        {glm::vec3(-kMaxVelocity), glm::vec3(-kMaxVelocity, 0.0F, 1.0F)}};
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    constexpr double kMost = std::numeric_limits<double>::max();
    for (const double duration_s : {kLeast, 1e-300, 1e-9, 1.0, 1e9, 1e300, kMost}) {
        for (const double t : {kLeast, 0.25, 0.5, 0.75, 1.0 - 1e-16}) {
            expect_acceptable(blend_hermite(a, b, duration_s, t));
            expect_acceptable(blend_hermite(b, a, duration_s, t));
            expect_acceptable(blend_hermite(a, a, duration_s, t));
        }
    }
}

TEST(BlendHermite, DenormalMotionStaysFinite) {
    constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
    constexpr double kLeast = std::numeric_limits<double>::denorm_min();
    const Motion a{{.rotation = quat_xyzw(kDenormal, 0.0F, 0.0F, 1.0F)},
                   {glm::vec3(kDenormal), glm::vec3(-kDenormal)}};
    const Motion b{{.position = glm::dvec3(kLeast), .rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F)},
                   {glm::vec3(-kDenormal), glm::vec3(kDenormal)}};
    for (const double duration_s : {kLeast, 1e-30, 1.0, 1e9}) {
        expect_acceptable(blend_hermite(a, b, duration_s, 0.5));
    }
}

} // namespace
} // namespace glissade
