// SPDX-License-Identifier: MIT
#include "glissade/rig/follow_camera.h"

#include "glissade/base/hooks.h"
#include "glissade/time/tick.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade {

namespace {

constexpr double kAxisTolerance = 1e-6; // Of unit length and of the right angle: float input.

bool is_finite(const glm::dvec3& vector) noexcept {
    return check(Pose{.position = vector}) == PoseStatus::Ok;
}

bool is_unit(const glm::dvec3& vector) noexcept {
    return std::abs(glm::dot(vector, vector) - 1.0) <= kAxisTolerance;
}

bool in_range(const FollowCameraConfig& config) noexcept {
    return config.distance >= 0.0 && config.distance <= kMaxPosition &&
           std::abs(config.height) <= kMaxPosition && is_finite(config.look_at_offset) &&
           std::isfinite(config.damping) && is_unit(config.up) && is_unit(config.forward) &&
           std::abs(glm::dot(config.up, config.forward)) <= kAxisTolerance;
}

FollowCameraConfig checked(const FollowCameraConfig& config) noexcept {
    GLISSADE_ASSERT(in_range(config));
    return in_range(config) ? config : FollowCameraConfig{};
}

/// The solution of x' = damping * (target(t) - x) for a target that goes straight from `from` to
/// `to`: what a plain `x += (to - x) * (1 - exp(-k * dt))` becomes when it is exact, and so the
/// same for any frame rate.
glm::dvec3 damp(const glm::dvec3& value, const glm::dvec3& from, const glm::dvec3& to,
                double exponent) noexcept {
    if (exponent <= 0.0) {
        return value;
    }
    const double kept = std::exp(-exponent);
    const double lag = -std::expm1(-exponent) / exponent; // Share of the motion by which it trails.
    return to - (to - from) * lag + (value - from) * kept;
}

} // namespace

FollowCamera::FollowCamera(const FollowCameraConfig& config) noexcept : config_(checked(config)) {}

CameraView FollowCamera::update(const CameraTarget& target, std::int64_t elapsed_ns) noexcept {
    elapsed_ns = ignored_ns_ + std::clamp(elapsed_ns, std::int64_t{0}, kMaxTimeNs);
    if (!is_finite(target.position) || !std::isfinite(target.yaw_rad)) {
        ignored_ns_ = std::min(elapsed_ns, kMaxTimeNs);
        view_.cut = false;
        return view_;
    }
    ignored_ns_ = 0;
    const bool jump = !started_ || target.cuts != cuts_;
    if (jump || config_.damping <= 0.0) {
        follow_ = target.position;
    } else {
        const double exponent = config_.damping * static_cast<double>(elapsed_ns) * 1e-9;
        follow_ = damp(follow_, target_, target.position, exponent);
    }
    target_ = target.position;
    cuts_ = target.cuts;
    started_ = true;

    const glm::dvec3 turn = config_.up * static_cast<double>(target.yaw_rad);
    const glm::dvec3 forward = rotate(quat_from_rotation_vector(turn), config_.forward);
    right_ = glm::cross(forward, config_.up);
    view_.look_at = follow_ + config_.look_at_offset;
    view_.eye = view_.look_at - forward * config_.distance + config_.up * config_.height;
    view_.rotation = compute_rotation(view_);
    view_.cut = jump;
    return view_;
}

void FollowCamera::move_eye(CameraView& view, const glm::dvec3& eye) const noexcept {
    if (is_finite(eye)) {
        view.eye = eye;
        view.rotation = compute_rotation(view);
    }
}

// Not glm::quatLookAt: within 0.2 degrees of straight up or down it does not return a rotation.
glm::quat FollowCamera::compute_rotation(const CameraView& view) const noexcept {
    const glm::dvec3 sight = view.look_at - view.eye;
    const double length = glm::length(sight);
    if (length < 1e-9) {
        return view_.rotation; // The eye is in the target: no way to look is better than the last.
    }
    const glm::dvec3 back = sight / -length;
    const glm::dvec3 across = glm::cross(config_.up, back);
    const double sine = glm::length(across);
    // Straight up or down the picture's right is the yaw's: what the view comes to on its way
    // there.
    const glm::dvec3 right = sine > 1e-6 ? across / sine : glm::normalize(right_);
    const glm::dquat rotation = glm::quat_cast(glm::dmat3(right, glm::cross(back, right), back));
    return static_cast<glm::quat>(rotation);
}

} // namespace glissade
