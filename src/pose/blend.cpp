// SPDX-License-Identifier: MIT
#include "glissade/pose/blend.h"

#include "glissade/base/hooks.h"

#include "interpolate.h"
#include "quaternion_double.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace glissade {
namespace {

// Keeps products of times and velocities far from overflow.
constexpr double kMaxSeconds = 1e9;

// Below this angle the axis of a turn is mostly noise when the body spins fast, see unwrap().
constexpr double kFreeAxisAngleRad = 0.5;

template <class Vector>
Vector lerp_parts(const Vector& a, const Vector& b, double t) noexcept {
    Vector result{};
    for (glm::length_t i = 0; i < Vector::length(); ++i) {
        result[i] = static_cast<typename Vector::value_type>(detail::lerp(a[i], b[i], t));
    }
    return result;
}

template <class Vector>
Vector blend_scale(const Vector& a, const Vector& b, double t) noexcept {
    for (glm::length_t i = 0; i < Vector::length(); ++i) {
        if ((a[i] < 0.0F && b[i] > 0.0F) || (a[i] > 0.0F && b[i] < 0.0F)) {
            return a;
        }
    }
    return lerp_parts(a, b, t);
}

glm::dvec3 clamp_position(const glm::dvec3& position) noexcept {
    return glm::clamp(position, -kMaxPosition, kMaxPosition);
}

// What the cubic Hermite curve adds to the straight line between two states, at fraction t.
//
// Let u0 and u1 be by how much the end velocities, times the duration, deviate from the straight
// step. The cubic is the line plus A u0 + B u1 with A = t (1-t)^2, B = -t^2 (1-t); both vanish at
// the ends, where their slopes are 1 and 0, 0 and 1. The limiter scales it by
//     f = 1 - |u0 + u1|^2 / |u1 - u0|^2, at least 0.
// Constant acceleration: u0 = -u1, so f = 1. An impulse w (velocity change times duration) at
// fraction s: u0 = -(1-s) w, u1 = s w, so f = 1 - (2s-1)^2 = 4 s (1-s). Velocities that fit
// nothing (both deviate the same way): f = 0. With p = 2s-1 and q = 1-2t the addition for an
// impulse is -w (1-p^2)(1-q^2)(1-pq)/8. A bounce with speed V and restitution e at fraction s has
// w = V (1+e) and the straight line V [s (1-t) + (1-s) e t]; the drawn height is linear in e, so
// that e = 0 and e = 1 decide:
//     e = 0: height >= 0 if (1-p)(1-q)(1-pq) <= 2: for q >= 0 the left side falls with p and is
//            2 (1-q^2) at p = -1; for q < 0 its maximum over p is that or, where |q| > 1/3,
//            (1+|q|)^3 / (4|q|), which is 2 at |q| = 1 and less before;
//     e = 1: height >= 0 if 2 (1+pq) >= (1-p^2)(1-q^2)(1-pq); with m = pq the right side is at most
//            (1-|m|)^2 (1-m), which is <= 2 (1+m) for m in [-1, 1].
// So no bounce is drawn below its floor, whatever its phase. The drawn velocity is that before the
// impulse plus g times its change, with g = (1-s) + s (1-s) (3 p q^2 - 2 q - p): from -0.0113 to
// 1.0113, the extremes at s = 0.93 and s = 0.07. The bare cubic peaks at 1.33.
//
// With sum = u0 + u1 and difference = u1 - u0 the addition is f t (1-t) / 2 times
// ((1-2t) sum - difference). Both may come divided by `unit`.
glm::dvec3 compute_curve(const glm::dvec3& sum, const glm::dvec3& difference, double t,
                         double unit) noexcept {
    const double sum2 = glm::dot(sum, sum);
    const double difference2 = glm::dot(difference, difference);
    if (!(sum2 < difference2)) {
        return glm::dvec3(0.0);
    }
    const double half = 0.5 * t * (1.0 - t) * unit;
    return (1.0 - sum2 / difference2) * half * ((1.0 - 2.0 * t) * sum - difference);
}

// The whole turns by which a spinning body's rotation exceeds `shorter`, as a rotation vector.
//
// Of all ways to get from one rotation to the other, the one nearest to `mean`, the turn that the
// angular velocities promise. Whole turns may be put about the axis of `shorter` only, except where
// that turn is small: then its axis is mostly noise, any axis ends at nearly the same rotation, and
// the turns go about the axis of what `shorter` leaves of the spin. As `shorter` tilts that axis on
// the way and the mean stands for the middle, it starts half of that back. A constant spin has one
// axis and gives the same motion either way. Half a turn is decided here as well: a spin against
// the axis of `shorter` takes one whole turn off. With no spin the result is 0, ties included.
glm::dvec3 unwrap(const glm::dvec3& shorter, const glm::dvec3& mean) noexcept {
    const glm::dvec3 rest = mean - shorter;
    const glm::dvec3 direction = glm::length(shorter) < kFreeAxisAngleRad ? rest : shorter;
    const double length = glm::length(direction);
    if (!(length > 0.0)) {
        return glm::dvec3(0.0);
    }
    const glm::dvec3 axis = direction / length;
    const double turn_count = std::floor(glm::dot(rest, axis) / detail::kTurnRad + 0.5);
    return detail::rotate_unit(detail::exp_rotation(-0.5 * shorter),
                               detail::kTurnRad * turn_count * axis);
}

// exp(curve) * exp(t * shorter) * exp(t * turns) * q0: ends exactly on both states, and the curve
// makes the end velocities exact where the limiter lets it. The velocity of the part without the
// curve is shorter + turns at the start; at the end the turns have been carried along by `shorter`
// (a spin axis that tilts), which changes nothing where both have one axis.
glm::quat blend_rotation_hermite(const Motion& a, const Motion& b, double duration_s,
                                 double t) noexcept {
    const glm::dvec3 spin0 = glm::dvec3(a.velocity.angular) * duration_s;
    const glm::dvec3 spin1 = glm::dvec3(b.velocity.angular) * duration_s;
    const glm::dquat from = detail::to_unit(a.pose.rotation);
    const glm::dquat whole = detail::compute_shorter(from, detail::to_unit(b.pose.rotation));
    const glm::dvec3 shorter = detail::log_rotation(whole);
    const glm::dvec3 turns = unwrap(shorter, 0.5 * (spin0 + spin1));
    const glm::dvec3 u0 = spin0 - (shorter + turns);
    const glm::dvec3 u1 = spin1 - (shorter + detail::rotate_unit(whole, turns));
    const glm::dvec3 curve = compute_curve(u0 + u1, u1 - u0, t, 1.0);
    if (turns == glm::dvec3(0.0) && curve == glm::dvec3(0.0)) {
        return slerp_short(a.pose.rotation, b.pose.rotation, t);
    }
    return detail::to_float(detail::exp_rotation(curve) * detail::exp_rotation(t * shorter) *
                            detail::exp_rotation(t * turns) * from);
}

glm::dvec3 blend_position_hermite(const Motion& a, const Motion& b, double span_s,
                                  double t) noexcept {
    const glm::dvec3 step = b.pose.position - a.pose.position;
    const glm::dvec3 v0 = a.velocity.linear;
    const glm::dvec3 v1 = b.velocity.linear;
    const glm::dvec3 curve = compute_curve(v0 + v1 - 2.0 / span_s * step, v1 - v0, t, span_s);
    return clamp_position(lerp_parts(a.pose.position, b.pose.position, t) + curve);
}

} // namespace

glm::quat slerp_short(const glm::quat& a, const glm::quat& b, double t) noexcept {
    const double unit_t = detail::clamp_unit(t);
    if (unit_t == 0.0 || a == b) {
        return a;
    }
    if (unit_t == 1.0) {
        return b;
    }
    if (a == -b) {
        return a;
    }
    const glm::dquat from = detail::to_unit(a);
    // `whole * from` is `b` or `-b`, whichever is nearer.
    const glm::dquat whole = detail::compute_shorter(from, detail::to_unit(b));
    const glm::dquat to = whole * from;
    const double sine = std::hypot(whole.x, whole.y, whole.z);
    const double half_rad = std::atan2(sine, whole.w);
    if (2.0 * half_rad < kNlerpAngleRad) {
        return detail::to_float(from * (1.0 - unit_t) + to * unit_t);
    }
    // half_rad is in (0, pi/2], so the common divisor sin(half_rad) is not small; normalising
    // takes it out.
    return detail::to_float(from * std::sin((1.0 - unit_t) * half_rad) +
                            to * std::sin(unit_t * half_rad));
}

Pose blend_linear(const Pose& a, const Pose& b, double t) noexcept {
    const double unit_t = detail::clamp_unit(t);
    if (unit_t == 0.0) {
        return a;
    }
    if (unit_t == 1.0) {
        return b;
    }
    return {lerp_parts(a.position, b.position, unit_t), slerp_short(a.rotation, b.rotation, unit_t),
            blend_scale(a.scale, b.scale, unit_t)};
}

Pose2 blend_linear(const Pose2& a, const Pose2& b, double t) noexcept {
    const double unit_t = detail::clamp_unit(t);
    if (unit_t == 0.0) {
        return a;
    }
    if (unit_t == 1.0) {
        return b;
    }
    return {lerp_parts(a.position, b.position, unit_t),
            static_cast<float>(detail::lerp_angle(a.angle_rad, b.angle_rad, unit_t)),
            blend_scale(a.scale, b.scale, unit_t)};
}

Pose blend_hermite(const Motion& a, const Motion& b, double duration_s, double t) noexcept {
    GLISSADE_ASSERT(duration_s > 0.0);
    const double unit_t = detail::clamp_unit(t);
    if (unit_t == 0.0 || unit_t == 1.0 || !(duration_s > 0.0)) {
        return blend_linear(a.pose, b.pose, unit_t);
    }
    const double span_s = std::min(duration_s, kMaxSeconds);
    return {blend_position_hermite(a, b, span_s, unit_t),
            blend_rotation_hermite(a, b, span_s, unit_t),
            blend_scale(a.pose.scale, b.pose.scale, unit_t)};
}

Pose blend_hermite_path(const Motion& a, const Motion& b, double duration_s, double t) noexcept {
    GLISSADE_ASSERT(duration_s > 0.0);
    const double unit_t = detail::clamp_unit(t);
    Pose pose = blend_linear(a.pose, b.pose, unit_t);
    if (unit_t > 0.0 && unit_t < 1.0 && duration_s > 0.0) {
        pose.position = blend_position_hermite(a, b, std::min(duration_s, kMaxSeconds), unit_t);
    }
    return pose;
}

Pose extrapolate(const Motion& state, double elapsed_s, double cap_s) noexcept {
    // Negated comparisons: NaN counts as 0.
    const double wanted_s = elapsed_s < cap_s ? elapsed_s : cap_s;
    if (!(elapsed_s > 0.0) || !(wanted_s > 0.0)) {
        return state.pose;
    }
    const double span_s = std::min(wanted_s, kMaxSeconds);
    const glm::dvec3 turn = glm::dvec3(state.velocity.angular) * span_s;
    Pose result = state.pose;
    result.position = clamp_position(result.position + glm::dvec3(state.velocity.linear) * span_s);
    if (turn != glm::dvec3(0.0)) {
        result.rotation =
            detail::to_float(detail::exp_rotation(turn) * detail::to_unit(result.rotation));
    }
    return result;
}

} // namespace glissade
