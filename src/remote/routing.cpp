// SPDX-License-Identifier: MIT
#include "glissade/remote/routing.h"

#include "glissade/remote/sequence.h"

namespace glissade {

namespace {

constexpr std::uint8_t kAutonomous = 2;

Route route_local_player(UpdateStamps& stored, const UpdateStamps& incoming,
                         const RouteQuery& query) noexcept {
    if (accept_newer(stored.teleport, incoming.teleport)) {
        return {
            .routed = Routed::PlayerTeleported, .leash = LeashTo::Received, .zero_velocity = true};
    }
    const bool chases = query.autonomy != kAutonomous && query.contact;
    return {.routed = chases ? Routed::PlayerQueued : Routed::PlayerLeashed,
            .leash = LeashTo::Received,
            .zero_velocity = query.lands && query.contact};
}

bool is_far(const RouteQuery& query, const RemoteTuning& tuning) noexcept {
    return tuning.far_test == FarTest::Body ? !(query.player_distance_m < tuning.physics_distance_m)
                                            : query.update_to_player_m > tuning.physics_distance_m;
}

Route route_remote(UpdateStamps& stored, const UpdateStamps& incoming, const RouteQuery& query,
                   const RemoteTuning& tuning) noexcept {
    if (accept_newer(stored.teleport, incoming.teleport) || !query.has_place) {
        return {.routed = Routed::Teleported, .leash = LeashTo::OwnPosition};
    }
    if (!query.contact) {
        return {.routed = Routed::IgnoredAirborne};
    }
    const bool lands_away = query.lands && !(query.update_distance_m < tuning.landing_chase_m);
    if (lands_away || is_far(query, tuning)) {
        return {
            .routed = Routed::Snapped, .leash = LeashTo::OwnPosition, .zero_velocity = query.lands};
    }
    return {.routed = Routed::Queued,
            .leash = LeashTo::OwnPosition,
            .keep_heading = query.is_moving_to,
            .zero_velocity = query.lands};
}

} // namespace

const char* to_string(Routed routed) noexcept {
    switch (routed) {
        case Routed::Queued:
            return "queued";
        case Routed::Snapped:
            return "snapped";
        case Routed::Teleported:
            return "teleported";
        case Routed::IgnoredAirborne:
            return "ignored: in the air";
        case Routed::IgnoredStale:
            return "ignored: stale position stamp";
        case Routed::IgnoredTeleport:
            return "ignored: from before the last teleport";
        case Routed::IgnoredInstance:
            return "ignored: of an earlier instance";
        case Routed::Held:
            return "held: of a later instance";
        case Routed::PlayerForced:
            return "player forced";
        case Routed::PlayerTeleported:
            return "player teleported";
        case Routed::PlayerLeashed:
            return "player leashed";
        case Routed::PlayerQueued:
            return "player queued";
        case Routed::BadNumber:
            return "bad number";
        case Routed::NoSuchEntity:
            return "no such entity";
    }
    return "unknown";
}

Route route_update(UpdateStamps& stored, const UpdateStamps& incoming, const RouteQuery& query,
                   const RemoteTuning& tuning) noexcept {
    if (is_newer(incoming.instance, stored.instance)) {
        return {.routed = Routed::Held};
    }
    if (is_older(incoming.instance, stored.instance)) {
        return {.routed = Routed::IgnoredInstance};
    }
    const bool old_teleport = is_older(incoming.teleport, stored.teleport);
    // The force-position stamp is consumed by its own test, also if an old teleport stamp then
    // keeps the packet from placing the player.
    if (query.is_local_player && accept_newer(stored.force_position, incoming.force_position) &&
        !old_teleport) {
        stored.position = incoming.position;
        return {.routed = Routed::PlayerForced};
    }
    if (!is_newer(incoming.position, stored.position)) {
        return {.routed = Routed::IgnoredStale};
    }
    if (old_teleport) {
        return {.routed = Routed::IgnoredTeleport};
    }
    stored.position = incoming.position;
    return query.is_local_player ? route_local_player(stored, incoming, query)
                                 : route_remote(stored, incoming, query, tuning);
}

bool accept_movement(MovementStamps& stored, const MovementStamps& incoming) noexcept {
    if (!is_newer(incoming.movement, stored.movement) ||
        is_older(incoming.server_control, stored.server_control)) {
        return false;
    }
    stored = incoming;
    return true;
}

} // namespace glissade
