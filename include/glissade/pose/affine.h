// SPDX-License-Identifier: MIT
// The world placement of an object below a chain of parents, and the matrices that a GPU wants.
#pragma once

#include "glissade/pose/pose.h"

#include <glm/ext/matrix_float3x3.hpp>
#include <glm/ext/matrix_float3x4.hpp>
#include <glm/ext/matrix_float4x4.hpp>

namespace glissade {

/// A linear map and a translation. Unlike a Pose it holds the shear that a turned child gets below
/// a parent whose scale differs per axis.
struct Affine {
    glm::mat3 linear{1.0F};
    glm::dvec3 translation{0.0};
};

[[nodiscard]] Affine to_affine(const Pose& pose) noexcept;

/// `inner` placed in the space of `outer`.
[[nodiscard]] Affine compose(const Affine& outer, const Affine& inner) noexcept;

/// `inner` placed in the space of `outer`, as a pose: exact for a uniform scale of `outer`, without
/// the shear otherwise.
[[nodiscard]] Pose compose(const Pose& outer, const Pose& inner) noexcept;

/// The inner pose that compose(outer, inner) turns into `world`. Precondition: no part of
/// outer.scale is 0.
[[nodiscard]] Pose relative_to(const Pose& outer, const Pose& world) noexcept;

/// Three rows of four floats (x axis row first, translation last in each row), relative to
/// `origin`: the form that instance buffers like. The three vec4 of the result are the rows.
[[nodiscard]] glm::mat3x4 to_mat3x4(const Affine& affine, const glm::dvec3& origin) noexcept;

/// The usual column-major 4x4, relative to `origin`.
[[nodiscard]] glm::mat4 to_mat4(const Affine& affine, const glm::dvec3& origin) noexcept;

} // namespace glissade
