// SPDX-License-Identifier: MIT
#include "glissade/pose/pose.h"

#include "quaternion_double.h"

#include <cmath>
#include <numbers>

#include <glm/ext/quaternion_common.hpp>

namespace glissade {
namespace {

// Written so that NaN fails: every comparison with NaN is false.
bool is_within(double value, double limit) noexcept {
    return std::abs(value) <= limit;
}

template <class Vector>
bool are_within(const Vector& vector, double limit) noexcept {
    return is_within(vector.x, limit) && is_within(vector.y, limit) && is_within(vector.z, limit);
}

PoseStatus check_rotation(const glm::quat& rotation) noexcept {
    const double x = rotation.x;
    const double y = rotation.y;
    const double z = rotation.z;
    const double w = rotation.w;
    if (x == 0.0 && y == 0.0 && z == 0.0 && w == 0.0) {
        return PoseStatus::ZeroRotation;
    }
    // 1 % of the length is 2 % of its square.
    constexpr double kTolerance = 0.02;
    const bool is_unit = is_within(x * x + y * y + z * z + w * w - 1.0, kTolerance);
    return is_unit ? PoseStatus::Ok : PoseStatus::BadRotation;
}

bool is_identity(const glm::quat& rotation) noexcept {
    return rotation == quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F);
}

glm::quat multiply(const glm::quat& outer, const glm::quat& inner) noexcept {
    // Normalising again would change last bits of a rotation that nobody turned.
    if (is_identity(outer)) {
        return inner;
    }
    if (is_identity(inner)) {
        return outer;
    }
    return detail::to_float(detail::to_unit(outer) * detail::to_unit(inner));
}

} // namespace

const char* to_string(PoseStatus status) noexcept {
    switch (status) {
        case PoseStatus::Ok:
            return "ok";
        case PoseStatus::BadPosition:
            return "bad position";
        case PoseStatus::BadRotation:
            return "bad rotation";
        case PoseStatus::ZeroRotation:
            return "zero rotation";
        case PoseStatus::BadScale:
            return "bad scale";
        case PoseStatus::BadVelocity:
            return "bad velocity";
    }
    return "unknown pose status";
}

PoseStatus check(const Pose& pose) noexcept {
    if (!are_within(pose.position, kMaxPosition)) {
        return PoseStatus::BadPosition;
    }
    const PoseStatus rotation = check_rotation(pose.rotation);
    if (rotation != PoseStatus::Ok) {
        return rotation;
    }
    return are_within(pose.scale, kMaxScale) ? PoseStatus::Ok : PoseStatus::BadScale;
}

PoseStatus check(const Velocity& velocity) noexcept {
    const bool is_good =
        are_within(velocity.linear, kMaxVelocity) && are_within(velocity.angular, kMaxVelocity);
    return is_good ? PoseStatus::Ok : PoseStatus::BadVelocity;
}

PoseStatus check(const Rigid& rigid) noexcept {
    if (!are_within(rigid.translation, kMaxPosition)) {
        return PoseStatus::BadPosition;
    }
    return check_rotation(rigid.rotation);
}

Pose to_pose(const Pose2& pose) noexcept {
    return {{pose.position, 0.0},
            quat_from_rotation_vector({0.0, 0.0, pose.angle_rad}),
            {pose.scale, 1.0F}};
}

Pose2 to_pose2(const Pose& pose) noexcept {
    const double sign = pose.rotation.w < 0.0F ? -1.0 : 1.0;
    const double half_rad = std::atan2(sign * pose.rotation.z, std::abs(pose.rotation.w));
    // The float next to -pi lies beyond it; it means the same angle as pi.
    constexpr auto kPi = std::numbers::pi_v<float>;
    const auto angle_rad = static_cast<float>(2.0 * half_rad);
    return {glm::dvec2(pose.position), angle_rad <= -kPi ? kPi : angle_rad, glm::vec2(pose.scale)};
}

glm::dvec3 apply(const Rigid& rigid, const glm::dvec3& point) noexcept {
    return rotate(rigid.rotation, point) + rigid.translation;
}

Pose apply(const Rigid& rigid, const Pose& pose) noexcept {
    return {apply(rigid, pose.position), multiply(rigid.rotation, pose.rotation), pose.scale};
}

Velocity apply(const Rigid& rigid, const Velocity& velocity) noexcept {
    return {glm::vec3(rotate(rigid.rotation, glm::dvec3(velocity.linear))),
            glm::vec3(rotate(rigid.rotation, glm::dvec3(velocity.angular)))};
}

Rigid compose(const Rigid& outer, const Rigid& inner) noexcept {
    return {apply(outer, inner.translation), multiply(outer.rotation, inner.rotation)};
}

Rigid inverse(const Rigid& rigid) noexcept {
    const glm::quat back = glm::conjugate(rigid.rotation);
    return {-rotate(back, rigid.translation), back};
}

} // namespace glissade
