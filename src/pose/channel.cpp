// SPDX-License-Identifier: MIT
#include "glissade/pose/channel.h"

#include "interpolate.h"

#include <cmath>
#include <numbers>

namespace glissade {
namespace {

float wrap(float angle_rad) noexcept {
    // The float next to pi lies a little beyond it and counts as inside.
    if (std::abs(angle_rad) <= std::numbers::pi_v<float>) {
        return angle_rad;
    }
    return static_cast<float>(std::remainder(static_cast<double>(angle_rad), detail::kTurnRad));
}

float blend_angle(float a, float b, double t) noexcept {
    const double angle_rad = detail::lerp_angle(a, b, t);
    return static_cast<float>(std::remainder(angle_rad, detail::kTurnRad));
}

} // namespace

float blend_channel(Channel rule, float a, float b, double t) noexcept {
    const double unit_t = detail::clamp_unit(t);
    const bool is_end = unit_t == 0.0 || unit_t == 1.0 || a == b;
    const float end = unit_t == 1.0 ? b : a;
    switch (rule) {
        case Channel::Linear:
            return is_end ? end : static_cast<float>(detail::lerp(a, b, unit_t));
        case Channel::Angle:
            return is_end ? wrap(end) : blend_angle(a, b, unit_t);
        case Channel::Step:
            return end;
        case Channel::Never:
            break;
    }
    return b;
}

} // namespace glissade
