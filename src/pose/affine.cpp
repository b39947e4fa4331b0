// SPDX-License-Identifier: MIT
#include "glissade/pose/affine.h"

#include <glm/gtc/quaternion.hpp>

namespace glissade {

Affine to_affine(const Pose& pose) noexcept {
    glm::mat3 linear = glm::mat3_cast(pose.rotation);
    linear[0] *= pose.scale.x;
    linear[1] *= pose.scale.y;
    linear[2] *= pose.scale.z;
    return {.linear = linear, .translation = pose.position};
}

Affine compose(const Affine& outer, const Affine& inner) noexcept {
    // The offset within the parent may be large too, so it is turned in double precision.
    const glm::dvec3 offset = glm::dvec3(outer.linear[0]) * inner.translation.x +
                              glm::dvec3(outer.linear[1]) * inner.translation.y +
                              glm::dvec3(outer.linear[2]) * inner.translation.z;
    return {.linear = outer.linear * inner.linear, .translation = outer.translation + offset};
}

Pose compose(const Pose& outer, const Pose& inner) noexcept {
    return {.position =
                outer.position + rotate(outer.rotation, glm::dvec3(outer.scale) * inner.position),
            .rotation = normalised(outer.rotation * inner.rotation),
            .scale = outer.scale * inner.scale};
}

Pose relative_to(const Pose& outer, const Pose& world) noexcept {
    const glm::quat back = glm::conjugate(outer.rotation);
    return {.position = rotate(back, world.position - outer.position) / glm::dvec3(outer.scale),
            .rotation = normalised(back * world.rotation),
            .scale = world.scale / outer.scale};
}

glm::mat3x4 to_mat3x4(const Affine& affine, const glm::dvec3& origin) noexcept {
    const glm::vec3 offset(affine.translation - origin);
    const glm::mat3& m = affine.linear;
    return {m[0].x, m[1].x,   m[2].x, offset.x, m[0].y, m[1].y,
            m[2].y, offset.y, m[0].z, m[1].z,   m[2].z, offset.z};
}

glm::mat4 to_mat4(const Affine& affine, const glm::dvec3& origin) noexcept {
    const glm::vec3 offset(affine.translation - origin);
    glm::mat4 matrix(affine.linear);
    matrix[3] = glm::vec4(offset, 1.0F);
    return matrix;
}

} // namespace glissade
