// SPDX-License-Identifier: MIT
// A travel budget: how far a body goes by itself when its server is silent.
#pragma once

#include "glissade/remote/remote_tuning.h"

#include <glm/ext/vector_double3.hpp>

namespace glissade {

struct LeashLimits {
    double start_m = 10.0; ///< Travel from which steps shrink,
    double max_m = 50.0;   ///< and at which they are 0.

    [[nodiscard]] static LeashLimits of(const RemoteTuning& tuning, bool indoors) noexcept;
};

/// Counts the way since the last accepted update and shortens steps near its end. Not a radius: a
/// body that runs in circles uses it up too.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class Leash {
public:
    /// Starts anew: `used_m` of the budget are gone already (how far the body is from the point
    /// that it is leashed to).
    void arm(double used_m) noexcept;

    /// The step that the leash allows, and takes it off the budget. Without contact nothing is
    /// shortened, but it counts. A leash that was never armed allows everything.
    [[nodiscard]] glm::dvec3 apply(const LeashLimits& limits, const glm::dvec3& step,
                                   bool contact) noexcept;

    [[nodiscard]] double used_m() const noexcept { return used_m_; }
    [[nodiscard]] bool armed() const noexcept { return armed_; }
    /// More than nine tenths are gone: such a body does not jump.
    [[nodiscard]] bool fully_leashed(const LeashLimits& limits) const noexcept;

private:
    double used_m_ = 0.0;
    bool armed_ = false;
};

} // namespace glissade
