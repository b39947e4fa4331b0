// SPDX-License-Identifier: MIT
#include "lab/motion/legs.h"

#include <algorithm>
#include <cmath>

namespace glissade::lab {

std::size_t find_leg(std::span<const Leg> legs, std::int64_t time_ns) {
    const auto next =
        std::upper_bound(legs.begin(), legs.end(), time_ns,
                         [](std::int64_t time, const Leg& leg) { return time < leg.begin_ns; });
    return next == legs.begin() ? 0 : static_cast<std::size_t>(next - legs.begin()) - 1;
}

glm::dvec3 compute_position(const Leg& leg, std::int64_t time_ns) {
    return leg.position + leg.velocity * to_seconds(time_ns - leg.begin_ns);
}

glm::dvec3 make_direction(double heading_rad) {
    return {std::cos(heading_rad), std::sin(heading_rad), 0.0};
}

} // namespace glissade::lab
