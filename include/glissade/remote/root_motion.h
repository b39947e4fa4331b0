// SPDX-License-Identifier: MIT
// The step of an animation, and how it joins the step of a chase.
#pragma once

#include "glissade/remote/remote_tuning.h"

#include <optional>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// What an animation does to the body that plays it.
struct RootVelocity {
    glm::dvec3 linear_m_s{0.0}; ///< Body space: +Y forward, +X right.
    double turn_deg_s = 0.0;    ///< Clockwise.

    friend bool operator==(const RootVelocity&, const RootVelocity&) noexcept = default;
};

/// One step of a body.
struct Displacement {
    glm::dvec3 move{0.0};  ///< Metres, world space.
    double turn_deg = 0.0; ///< Clockwise.

    friend bool operator==(const Displacement&, const Displacement&) noexcept = default;
};

/// What `root` comes to in `quantum_s` for a body of this heading.
[[nodiscard]] Displacement compute_root_step(const RootVelocity& root, double heading_deg,
                                             double quantum_s) noexcept;

/// The step of the body: the chase's where there is one, or, with RootMotion::Add, the sum. The
/// turn is always the chase's where there is one, which is exact.
[[nodiscard]] Displacement combine_steps(RootMotion mode, const Displacement& root,
                                         const std::optional<Displacement>& chase) noexcept;

} // namespace glissade
