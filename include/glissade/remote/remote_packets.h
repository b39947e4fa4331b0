// SPDX-License-Identifier: MIT
// What a server says about an entity, one struct for each kind of packet.
#pragma once

#include "glissade/remote/move_to.h"
#include "glissade/remote/routing.h"
#include "glissade/remote/speeds.h"

#include <cstdint>
#include <optional>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

// Packets carry what the wire carried: hostile numbers are refused where they come in
// (RemoteEntity::receive), with nothing changed. Positions are within +-kMaxPosition.

/// Of speeds, rates and factors; those that are not a sidestep are also >= 0.
inline constexpr double kMaxPacketSpeed = 1000.0;
/// Of headings (degrees), turns (degrees per second) and omega (radians per second).
inline constexpr double kMaxPacketAngle = 1e6;

/// The entity is here.
struct PositionPacket {
    UpdateStamps stamps{};
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;
    bool contact = true; ///< It stands on the ground there.
};

/// The entity's animation does this from now on.
struct MotionPacket {
    MovementStamps stamps{};
    MotionCommand command{};
    std::optional<std::uint64_t> stick_to{}; ///< And it sticks to this target.
    std::uint8_t autonomy = 2;               ///< Local player: who moves it; 2: itself.
};

/// The entity goes there by itself. Distances of the order are >= 0 and may be unlimited.
struct MoveToPacket {
    MovementStamps stamps{};
    MoveToOrder order{};
    std::uint8_t autonomy = 0; ///< As of MotionPacket: an order, so the server moves it.
};

/// The entity flies: a jump, a throw.
struct VectorPacket {
    std::uint16_t stamp = 0;
    /// Metres per second, world space. Within +-kMaxVelocity, then clamped by the tuning.
    glm::dvec3 velocity{0.0};
    glm::dvec3 omega_rad_s{0.0}; ///< About the world's axes; acts only in the air.
};

/// What became of a packet that is not a position.
enum class Received : std::uint8_t {
    Ok,
    Stale,        ///< Its stamp is not newer. Nothing changed.
    BadNumber,    ///< A number is not finite or out of range. Nothing changed.
    NoSuchEntity, ///< RemoteWorld: no entity of that name.
};

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(Received received) noexcept;

} // namespace glissade
