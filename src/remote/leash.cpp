// SPDX-License-Identifier: MIT
#include "glissade/remote/leash.h"

#include <glm/geometric.hpp>

namespace glissade {

namespace {

constexpr double kFullyLeashed = 0.9; // Of the whole budget.

} // namespace

LeashLimits LeashLimits::of(const RemoteTuning& tuning, bool indoors) noexcept {
    return indoors ? LeashLimits{tuning.leash_start_indoors_m, tuning.leash_max_indoors_m}
                   : LeashLimits{tuning.leash_start_outdoors_m, tuning.leash_max_outdoors_m};
}

void Leash::arm(double used_m) noexcept {
    used_m_ = used_m;
    armed_ = true;
}

glm::dvec3 Leash::apply(const LeashLimits& limits, const glm::dvec3& step, bool contact) noexcept {
    if (!armed_) {
        return step;
    }
    double share = 1.0;
    if (contact && used_m_ >= limits.max_m) {
        share = 0.0;
    } else if (contact && used_m_ > limits.start_m) {
        share = (limits.max_m - used_m_) / (limits.max_m - limits.start_m);
    }
    const glm::dvec3 allowed = step * share;
    used_m_ += glm::length(allowed);
    return allowed;
}

bool Leash::fully_leashed(const LeashLimits& limits) const noexcept {
    return armed_ && used_m_ > kFullyLeashed * limits.max_m;
}

} // namespace glissade
