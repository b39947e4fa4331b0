// SPDX-License-Identifier: MIT
// Stays at arm's length from a target and faces it.
#pragma once

#include "glissade/remote/remote_tuning.h"
#include "glissade/remote/root_motion.h"

#include <cstdint>
#include <optional>

namespace glissade {

struct StickyQuery {
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;
    double radius_m = 0.0;
    glm::dvec3 target_position{0.0};
    double target_radius_m = 0.0;
    std::optional<double> max_speed{}; ///< Metres per second; none: a body without animations.
    double quantum_s = 0.0;
};

struct StickyStep {
    double gap_m = 0.0;     ///< Between the surfaces, less what is kept. Negative: too close.
    double speed_m_s = 0.0; ///< The bound of this step.
    Displacement step{};    ///< Level; towards the target, or away from it if too close.
};

/// The step of this quantum: the whole gap, as far as the speed allows. Pure.
[[nodiscard]] StickyStep compute_sticky_step(const RemoteTuning& tuning,
                                             const StickyQuery& query) noexcept;

/// Whom a body sticks to, and for how long still.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class Sticky {
public:
    /// Sticks to `target` (a name of the caller's) for the timeout; again: renews it.
    void stick(const RemoteTuning& tuning, std::uint64_t target) noexcept;
    void release() noexcept { target_.reset(); }
    /// Lets time pass; lets go at the end of the timeout.
    void advance(double quantum_s) noexcept;
    /// None: not stuck.
    [[nodiscard]] const std::optional<std::uint64_t>& target() const noexcept { return target_; }

private:
    std::optional<std::uint64_t> target_{};
    double left_s_ = 0.0;
};

} // namespace glissade
