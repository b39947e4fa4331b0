// SPDX-License-Identifier: MIT
// What becomes of a position update: the stamps decide first, then where the body is.
#pragma once

#include "glissade/remote/remote_tuning.h"

#include <cstdint>
#include <limits>
#include <optional>

namespace glissade {

/// The stamps of a position update, and those that a body has accepted.
struct UpdateStamps {
    std::uint16_t instance = 0;       ///< Which life of the object: a new one after each respawn.
    std::uint16_t position = 0;       ///< Counts updates.
    std::uint16_t teleport = 0;       ///< Counts teleports.
    std::uint16_t force_position = 0; ///< Counts corrections of the local player.

    friend bool operator==(const UpdateStamps&, const UpdateStamps&) noexcept = default;
};

/// What became of a position update.
enum class Routed : std::uint8_t {
    Queued,          ///< Joined the chase.
    Snapped,         ///< Set at once: too far from the player, or a landing away from the body.
    Teleported,      ///< Set at once: a new teleport, or the body had no place yet.
    IgnoredAirborne, ///< The packet is of a body in the air. Its stamps count.
    IgnoredStale,    ///< A position stamp that is not newer.
    IgnoredTeleport, ///< From before the last teleport.
    IgnoredInstance, ///< Of an earlier life of the object.
    Held,         ///< Of a later life of the object: keep it and offer it again when that exists.
    PlayerForced, ///< Local player: set at once, heading kept.
    PlayerTeleported, ///< Local player: teleported, velocity 0.
    PlayerLeashed,    ///< Local player: only the leash moved.
    PlayerQueued,     ///< Local player under the server's control: leashed, and joined the chase.
    BadNumber,        ///< A number is not finite or out of range. Nothing changed.
    NoSuchEntity,     ///< RemoteWorld: no entity of that name.
};
inline constexpr std::size_t kRoutedCount = 14;

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(Routed routed) noexcept;

/// What an update is leashed to.
enum class LeashTo : std::uint8_t { Nothing, OwnPosition, Received };

/// What routing must know of the body and of the packet.
struct RouteQuery {
    bool is_local_player = false;
    bool has_place = true; ///< Was ever put anywhere.
    bool contact = true;   ///< The packet's: the sender stood on the ground.
    /// From the body to the local player, as of its last quantum; infinite before the first.
    double player_distance_m = std::numeric_limits<double>::infinity();
    /// From the received position to the local player; for FarTest::Update.
    double update_to_player_m = std::numeric_limits<double>::infinity();
    bool is_moving_to = false;    ///< A move-to runs and owns the heading.
    std::uint8_t autonomy = 2;    ///< Of the local player; at 2 it moves itself.
    bool lands = false;           ///< The body is in the air, and nobody tests its contact.
    double update_distance_m = 0; ///< From the body to the received position; for landings.
};

/// The way that a position update takes.
struct Route {
    Routed routed = Routed::Queued;
    LeashTo leash = LeashTo::Nothing;
    std::optional<bool> keep_heading{}; ///< Of Queued: true leaves the heading to the move-to.
    bool zero_velocity = false;
};

/// Judges an update and stores those stamps that it consumes. Pure but for `stored`; constant cost.
[[nodiscard]] Route route_update(UpdateStamps& stored, const UpdateStamps& incoming,
                                 const RouteQuery& query, const RemoteTuning& tuning) noexcept;

/// The stamps of movement packets.
struct MovementStamps {
    std::uint16_t movement = 0;
    std::uint16_t server_control = 0;

    friend bool operator==(const MovementStamps&, const MovementStamps&) noexcept = default;
};

/// Accepts a movement packet whose movement stamp is newer and whose server-control stamp is not
/// older, and stores both; else stores nothing.
[[nodiscard]] bool accept_movement(MovementStamps& stored, const MovementStamps& incoming) noexcept;

} // namespace glissade
