// SPDX-License-Identifier: MIT
#include "glissade/remote/sticky.h"

#include "glissade/remote/heading.h"
#include "glissade/remote/speeds.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace glissade {

StickyStep compute_sticky_step(const RemoteTuning& tuning, const StickyQuery& query) noexcept {
    const glm::dvec3 away = query.target_position - query.position;
    const double level = std::hypot(away.x, away.y);
    const glm::dvec3 direction =
        level < tuning.epsilon ? glm::dvec3(0.0) : glm::dvec3(away.x, away.y, 0.0) / level;

    StickyStep result;
    result.gap_m = glm::length(away) - query.radius_m - query.target_radius_m - tuning.sticky_gap_m;
    result.speed_m_s = compute_sticky_speed(tuning, query.max_speed);
    const double reach = result.speed_m_s * query.quantum_s;
    const double bearing =
        compute_bearing_deg(query.position, query.target_position, tuning.epsilon);
    result.step = {direction * std::clamp(result.gap_m, -reach, reach),
                   compute_turn_deg(query.heading_deg, bearing)};
    return result;
}

void Sticky::stick(const RemoteTuning& tuning, std::uint64_t target) noexcept {
    target_ = target;
    left_s_ = tuning.sticky_timeout_s;
}

void Sticky::advance(double quantum_s) noexcept {
    left_s_ -= quantum_s;
    if (left_s_ <= 0.0) {
        target_.reset();
    }
}

} // namespace glissade
