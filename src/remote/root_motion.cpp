// SPDX-License-Identifier: MIT
#include "glissade/remote/root_motion.h"

#include "glissade/remote/heading.h"

namespace glissade {

Displacement compute_root_step(const RootVelocity& root, double heading_deg,
                               double quantum_s) noexcept {
    const bool moves = root.linear_m_s != glm::dvec3(0.0); // Most bodies stand: no sines for them.
    return {moves ? to_world(heading_deg, root.linear_m_s * quantum_s) : glm::dvec3(0.0),
            root.turn_deg_s * quantum_s};
}

Displacement combine_steps(RootMotion mode, const Displacement& root,
                           const std::optional<Displacement>& chase) noexcept {
    if (!chase) {
        return root;
    }
    const glm::dvec3 added = mode == RootMotion::Add ? root.move : glm::dvec3(0.0);
    return {chase->move + added, chase->turn_deg};
}

} // namespace glissade
