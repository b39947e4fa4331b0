// SPDX-License-Identifier: MIT
// The family "received-position routing": what becomes of a position update.
#include "glissade/remote/routing.h"

#include "conformance/compare.h"
#include "conformance/families.h"

#include <utility>

namespace glissade::conformance {

namespace {

constexpr Word<Routed> kActions[] = {
    {"defer_until_object_created", Routed::Held},
    {"drop_stale_instance", Routed::IgnoredInstance},
    {"ignore_stale_position", Routed::IgnoredStale},
    {"ignore_old_teleport_epoch", Routed::IgnoredTeleport},
    {"blip_player_keep_current_heading", Routed::PlayerForced},
    {"teleport_player", Routed::PlayerTeleported},
    {"constrain_only", Routed::PlayerLeashed},
    {"constrain_and_interpolate", Routed::PlayerQueued},
    {"teleport_hook_then_hard_set", Routed::Teleported},
    {"no_op", Routed::IgnoredAirborne},
    {"stop_interpolating_then_slide_snap", Routed::Snapped},
    {"interpolate_to", Routed::Queued},
};

constexpr Word<LeashTo> kLeashes[] = {
    {"own_position_after", LeashTo::OwnPosition},
    {"received", LeashTo::Received},
};

struct Stamp {
    const char* name;
    std::uint16_t UpdateStamps::*value;
};
constexpr Stamp kStamps[] = {
    {"position", &UpdateStamps::position},
    {"teleport", &UpdateStamps::teleport},
    {"force_position", &UpdateStamps::force_position},
    {"instance", &UpdateStamps::instance},
};

std::optional<UpdateStamps> read_stamps(Fields& given, const char* name) {
    const Json* object = given.any(name);
    if (object == nullptr) {
        return std::nullopt;
    }
    Fields fields(*object, given.path_of(name), given.report());
    std::optional<UpdateStamps> stamps(std::in_place);
    for (const Stamp& stamp : kStamps) {
        const auto value = fields.whole(stamp.name, 0xFFFF);
        if (!value) {
            return std::nullopt;
        }
        (*stamps).*stamp.value = static_cast<std::uint16_t>(*value);
    }
    return stamps;
}

void compare_stamps(Fields& expect, const char* name, const UpdateStamps& actual) {
    if (const Json* object = expect.any(name)) {
        Fields fields(*object, expect.path_of(name), expect.report());
        for (const Stamp& stamp : kStamps) {
            compare_whole(fields, stamp.name, actual.*stamp.value);
        }
    }
}

// A body in the air that nobody tests for contact: what it receives is a landing.
bool read_landing(Fields& given, RouteQuery& query) {
    const auto airborne = given.has("airborne") ? given.flag("airborne") : std::optional(false);
    const bool measured =
        given.has("update_distance") || (airborne.value_or(false) && query.contact);
    const auto distance = measured ? read_distance(given, "update_distance") : std::optional(0.0);
    query.lands = airborne.value_or(false);
    query.update_distance_m = distance.value_or(0.0);
    return airborne && distance;
}

std::optional<RouteQuery> read_query(Fields& given) {
    const auto is_local_player = given.flag("is_local_player");
    const auto has_place = given.flag("has_cell");
    const auto contact = given.flag("has_contact");
    const auto distance = given.is_null("player_distance")
                              ? std::optional(std::numeric_limits<double>::infinity())
                              : read_distance(given, "player_distance");
    const auto is_moving_to = given.flag("is_moving_to");
    const auto autonomy = given.whole("autonomy_level", 0xFF);
    if (!is_local_player || !has_place || !contact || !distance || !is_moving_to || !autonomy) {
        return std::nullopt;
    }
    RouteQuery query{.is_local_player = *is_local_player,
                     .has_place = *has_place,
                     .contact = *contact,
                     .player_distance_m = *distance,
                     .is_moving_to = *is_moving_to,
                     .autonomy = static_cast<std::uint8_t>(*autonomy)};
    return read_landing(given, query) ? std::optional(query) : std::nullopt;
}

} // namespace

void check_routing_case(CaseFields& fields) {
    auto stored = read_stamps(fields.given, "stored");
    const auto incoming = read_stamps(fields.given, "incoming");
    const auto query = read_query(fields.given);
    if (!stored || !incoming || !query) {
        return;
    }
    const Route route = route_update(*stored, *incoming, *query, RemoteTuning::client());
    Fields& expect = fields.expect;
    compare_word(expect, "action", kActions, route.routed);
    compare_reported(expect, "keep_heading", route.keep_heading, compare_flag);
    const auto leash = route.leash == LeashTo::Nothing ? std::nullopt : std::optional(route.leash);
    compare_reported(expect, "constrain_to", leash,
                     [](Fields& row, const std::string& name, LeashTo actual) {
                         compare_word(row, name, kLeashes, actual);
                     });
    compare_stamps(expect, "stored_after", *stored);
    compare_flag(expect, "velocity_zeroed", route.zero_velocity);
}

} // namespace glissade::conformance
