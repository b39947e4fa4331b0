// SPDX-License-Identifier: MIT
// Motion in straight legs, each from a tick on.
#pragma once

#include "lab/motion/motion.h"

#include <cstddef>
#include <span>

namespace glissade::lab {

struct Leg {
    std::int64_t begin_ns = 0;
    glm::dvec3 position{0.0}; ///< At its begin.
    glm::dvec3 velocity{0.0};
};

/// The one that holds at `time_ns`; the first before its begin. `legs` are by time, not empty.
[[nodiscard]] std::size_t find_leg(std::span<const Leg> legs, std::int64_t time_ns);
[[nodiscard]] glm::dvec3 compute_position(const Leg& leg, std::int64_t time_ns);
/// In the plane z = 0.
[[nodiscard]] glm::dvec3 make_direction(double heading_rad);

} // namespace glissade::lab
