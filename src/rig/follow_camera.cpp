// SPDX-License-Identifier: MIT
#include "glissade/rig/follow_camera.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade {

namespace {

/// The solution of x' = damping (target(t) - x) for a target that goes straight from `from` to
/// `to`: what a plain `x += (to - x) (1 - exp(-k dt))` becomes when it is exact, and so the same
/// for any frame rate.
glm::dvec3 damp(const glm::dvec3& value, const glm::dvec3& from, const glm::dvec3& to,
                double damping, double elapsed_s) noexcept {
    const double x = damping * elapsed_s;
    if (x <= 0.0) {
        return value;
    }
    const double kept = std::exp(-x);
    const double lag = -std::expm1(-x) / x; // Share of the frame's motion by which it trails.
    return to - (to - from) * lag + (value - from) * kept;
}

} // namespace

FollowCamera::FollowCamera(const FollowCameraConfig& config) noexcept : config_(config) {}

CameraView FollowCamera::update(const CameraTarget& target, std::int64_t elapsed_ns) noexcept {
    if (check(Pose{.position = target.position}) != PoseStatus::Ok ||
        !std::isfinite(target.yaw_rad)) {
        view_.cut = false;
        return view_;
    }
    const bool jump = !started_ || target.cuts != cuts_;
    const double elapsed_s = static_cast<double>(std::max(elapsed_ns, std::int64_t{0})) * 1e-9;
    if (jump || config_.damping <= 0.0) {
        follow_ = target.position;
    } else {
        follow_ = damp(follow_, target_, target.position, config_.damping, elapsed_s);
    }
    target_ = target.position;
    cuts_ = target.cuts;
    started_ = true;

    const glm::dvec3 turn = config_.up * static_cast<double>(target.yaw_rad);
    const glm::dvec3 forward = rotate(quat_from_rotation_vector(turn), config_.forward);
    view_.look_at = follow_ + config_.look_at_offset;
    view_.eye = view_.look_at - forward * config_.distance + config_.up * config_.height;
    view_.rotation = compute_rotation(view_);
    view_.cut = jump;
    return view_;
}

glm::quat FollowCamera::compute_rotation(const CameraView& view) const noexcept {
    const glm::dvec3 sight = view.look_at - view.eye;
    const glm::dvec3 right = glm::cross(sight, config_.up);
    // Straight up or down, or inside the target: no way to look is better than the last one.
    if (glm::dot(right, right) < 1e-18) {
        return view_.rotation;
    }
    return glm::quat(glm::quatLookAt(glm::normalize(sight), config_.up));
}

} // namespace glissade
