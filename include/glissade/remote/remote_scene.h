// SPDX-License-Identifier: MIT
// What the pipeline asks of the caller's world.
#pragma once

#include "glissade/base/function_ref.h"
#include "glissade/remote/flight.h"
#include "glissade/remote/target_watch.h"

#include <cstdint>
#include <optional>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// Where a body ended up when it moved, and what it stands on there.
struct Footing {
    glm::dvec3 position{0.0}; ///< Not finite or beyond +-kMaxPosition: the whole answer is ignored.
    /// None: contact is not tested here. A body then stays on the ground, or in the air, as its
    /// packets say.
    std::optional<Ground> ground{};
};

/// The caller's world for the length of one call. Every part may be left out. The callables must
/// have names and outlive the call; they take the key of the entity that is asked about.
struct RemoteScene {
    /// Where the local player is; none: nobody is ever far. (Before its first quantum a body counts
    /// as infinitely far either way: its first update is set and not chased.)
    std::optional<glm::dvec3> player_position{};
    /// Whether a place is indoors; left out: nothing is.
    FunctionRef<bool(const glm::dvec3& place)> is_indoors{};
    /// Whether a body may be put there by a blip; left out: always.
    FunctionRef<bool(std::uint64_t key, const glm::dvec3& place)> can_place{};
    /// Collision: where a step really ends and on what. Left out: steps go where they want, a body
    /// flies after a vector update that points up and lands by the next update with contact.
    FunctionRef<Footing(std::uint64_t key, const glm::dvec3& from, const glm::dvec3& to)> resolve{};
    /// The target of a move-to or of sticking; none, or numbers that are not finite or out of
    /// range: unknown. Left out: all are unknown.
    FunctionRef<std::optional<TargetState>(std::uint64_t key)> find_target{};
};

} // namespace glissade
