// SPDX-License-Identifier: MIT
// Where a server's entity really is: legs of walking, turning, jumping, one after the other.
#pragma once

#include "glissade/trace/trace_packets.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade::lab {

/// One thing that an entity does.
struct Leg {
    double length_s = 1.0; ///< Of a jump it follows from its speed.
    TraceGait gait = TraceGait::Ready;
    double sidestep = 0.0;    ///< Factor, to the right.
    double turn_deg_s = 0.0;  ///< Clockwise.
    double jump_m_s = 0.0;    ///< Above 0: leaves the ground upward at this speed.
    glm::dvec3 teleport{0.0}; ///< Not zero: first it is put so far away.
};

/// The entity at a time.
struct EntityState {
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0};
    double heading_deg = 0.0;
    double turn_deg_s = 0.0;
    bool contact = true;
    std::int64_t cut = 0;
};

/// A rotation by minus the heading about +Z, as compass headings are.
[[nodiscard]] glm::dquat rotation_of(double heading_deg);

/// Legs over and over until a time, with the speeds of RemoteTuning: what the root motion of the
/// animations does is exactly what the entity does.
class Script {
public:
    Script(std::span<const Leg> legs, std::int64_t end_ns);

    [[nodiscard]] EntityState at(std::int64_t time_ns) const;

    /// A leg and when it begins.
    struct Event {
        std::int64_t time_ns = 0;
        Leg leg{};
        bool landed = false;   ///< The one before was a jump.
        bool new_gait = false; ///< The animation is another one than before.
        glm::dvec3 velocity{0.0};
    };
    [[nodiscard]] const std::vector<Event>& events() const noexcept { return events_; }

private:
    [[nodiscard]] EntityState after(std::size_t leg, double elapsed_s) const;

    std::vector<Event> events_{};
    std::vector<EntityState> starts_{};
};

} // namespace glissade::lab
