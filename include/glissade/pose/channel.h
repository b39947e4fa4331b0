// SPDX-License-Identifier: MIT
// Values that ride along with a pose: a field of view, a colour, a wheel's angle, an animation
// frame.
#pragma once

#include <cstdint>

namespace glissade {

/// How one float value gets from one tick's state to the next.
enum class Channel : std::uint8_t {
    Linear, ///< Blended: a field of view, each part of a colour.
    Angle,  ///< Radians, blended by the shorter way round; the result lies in [-pi, pi].
    Step,   ///< Shows each value from its time until the next one: an animation frame, a switch.
    Never,  ///< Shows the newest value at once, ahead of the picture: what logic, not eyes, reads.
};

/// The value between `a` (t = 0) and `b` (t = 1). `t` outside [0, 1] counts as the nearer end, NaN
/// as 0. Finite values give a finite result; both ends come back bit for bit (an Angle only if it
/// lies in [-pi, pi]).
[[nodiscard]] float blend_channel(Channel rule, float a, float b, double t) noexcept;

} // namespace glissade
