// SPDX-License-Identifier: MIT
// Blends of single numbers, shared by the sources of this folder.
#pragma once

#include <cmath>
#include <numbers>

namespace glissade::detail {

inline constexpr double kTurnRad = 2.0 * std::numbers::pi;

/// `t` in [0, 1]; NaN counts as 0.
[[nodiscard]] inline double clamp_unit(double t) noexcept {
    if (!(t > 0.0)) {
        return 0.0;
    }
    return t < 1.0 ? t : 1.0;
}

/// Relative to `a`, so that the result never runs backwards in `t`. Nor does it pass `b` while t <
/// 1: the product then rounds to a number nearer to 0 than `b - a` was rounded to, and that is
/// nearer to 0 than the true difference. At t = 1 the last bit is open, so blends return `b` there.
[[nodiscard]] inline double lerp(double a, double b, double t) noexcept {
    return a + (b - a) * t;
}

/// From `a` on by the shorter way round to the angle `b`. The result is not wrapped.
[[nodiscard]] inline double lerp_angle(double a_rad, double b_rad, double t) noexcept {
    return a_rad + std::remainder(b_rad - a_rad, kTurnRad) * t;
}

} // namespace glissade::detail
