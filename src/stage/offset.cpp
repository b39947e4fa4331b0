// SPDX-License-Identifier: MIT
#include "stage/offset.h"

#include "glissade/pose/blend.h"

#include <cmath>

#include <glm/gtc/quaternion.hpp>

namespace glissade {

namespace {

constexpr glm::quat kIdentity = quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F);

} // namespace

Offset compute_offset(const Pose& shown, const Pose& truth) noexcept {
    return {.position = glm::vec3(shown.position - truth.position),
            .rotation = normalised(shown.rotation * glm::conjugate(truth.rotation))};
}

Pose apply_offset(const Offset& offset, const Pose& truth) noexcept {
    return {.position = truth.position + glm::dvec3(offset.position),
            .rotation = normalised(offset.rotation * truth.rotation),
            .scale = truth.scale};
}

Offset fade(const Offset& offset, std::int64_t elapsed_ns) noexcept {
    const double rest = std::exp2(-static_cast<double>(elapsed_ns) / kOffsetHalfLifeNs);
    return {.position = offset.position * static_cast<float>(rest),
            .rotation = slerp_short(kIdentity, offset.rotation, rest)};
}

Offset map_offset(const Rigid& rigid, const Offset& offset) noexcept {
    return {
        .position = glm::vec3(rotate(rigid.rotation, glm::dvec3(offset.position))),
        .rotation = normalised(rigid.rotation * offset.rotation * glm::conjugate(rigid.rotation))};
}

bool is_negligible(const Offset& offset) noexcept {
    constexpr float kSmall = 1e-6F;
    const glm::vec3& p = offset.position;
    return std::abs(p.x) < kSmall && std::abs(p.y) < kSmall && std::abs(p.z) < kSmall &&
           compute_angle_rad(kIdentity, offset.rotation) < static_cast<double>(kSmall);
}

} // namespace glissade
