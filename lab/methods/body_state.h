// SPDX-License-Identifier: MIT
// One state of one object in double precision, and the blends that people write for it.
#pragma once

#include "glissade/trace/trace.h"

#include <cstdint>
#include <optional>

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade::lab {

inline constexpr double kNsPerSecond = 1e9;

/// What the well-known methods keep of a pose. They know neither cuts nor shifts: that is one of
/// their faults, and it is reproduced.
struct BodyState {
    glm::dvec3 position{0.0};
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0}; ///< Unit.
    std::optional<glm::dvec3> velocity{};
    std::optional<glm::dvec3> angular_velocity{};
};

/// A zero rotation, memory that nobody wrote yet, becomes the identity.
[[nodiscard]] BodyState make_state(const TracePose& pose);

/// Linear in position, slerp by the shorter arc in rotation; `alpha` may lie outside [0, 1].
[[nodiscard]] BodyState blend(const BodyState& from, const BodyState& to, double alpha);
/// Cubic in position through both velocities, slerp in rotation, without any limiter. Velocities
/// that are not given are the mean one.
[[nodiscard]] BodyState blend_cubic(const BodyState& from, const BodyState& to, double duration_s,
                                    double alpha);
/// `current` carried on by `elapsed_s` along its velocity, or along the mean one since `previous`,
/// `duration_s` earlier (if that is 0, it stands).
[[nodiscard]] BodyState carry_on(const BodyState& previous, const BodyState& current,
                                 double duration_s, double elapsed_s);

} // namespace glissade::lab
