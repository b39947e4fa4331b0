// SPDX-License-Identifier: MIT
// Endless smooth motions, alone or as parts of others.
#pragma once

#include "lab/motion/motion.h"

namespace glissade::lab {

struct Orbit {
    glm::dvec3 centre{0.0};
    double radius_m = 1.0;
    double period_s = 1.0;
};

/// Along x, at `offset` at time 0.
[[nodiscard]] MotionState compute_line(double time_s, const glm::dvec3& offset, double speed);
/// In the plane z = const; the object's x axis points ahead.
[[nodiscard]] MotionState compute_orbit(double time_s, const Orbit& orbit);
/// Ahead along x and from side to side; the object's x axis points ahead.
[[nodiscard]] MotionState compute_serpentine(double time_s);

} // namespace glissade::lab
