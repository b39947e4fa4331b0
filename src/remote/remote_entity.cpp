// SPDX-License-Identifier: MIT
// What packets do to an entity. What a quantum does is in remote_quantum.cpp.
#include "glissade/remote/remote_entity.h"

#include "glissade/base/hooks.h"
#include "glissade/remote/sequence.h"

#include "remote/packet_doors.h"

#include <glm/geometric.hpp>

namespace glissade {

namespace {

double compute_far_gap(const RemoteTuning& tuning, bool indoors, bool is_local_player) noexcept {
    if (!indoors) {
        return tuning.far_gap_outdoors_m;
    }
    return is_local_player ? tuning.far_gap_local_player_m : tuning.far_gap_indoors_m;
}

} // namespace

RemoteEntity::RemoteEntity(const RemoteEntityConfig& config) noexcept : config_(config) {
    const bool sound = is_sound(config);
    GLISSADE_ASSERT(sound);
    if (!sound) {
        config_ = {.key = config.key};
    }
    update_stamps_ = config_.update_stamps;
    movement_stamps_ = config_.movement_stamps;
    vector_stamp_ = config_.vector_stamp;
    run_rate_.skill = config_.is_local_player ? config_.run_skill : std::nullopt;
    if (config_.place) {
        body_.position = config_.place->position;
        body_.has_place = true;
        set_heading(config_.place->heading_deg);
    }
}

Routed RemoteEntity::receive(const RemoteTuning& tuning, const PositionPacket& packet,
                             const RemoteScene& scene) noexcept {
    if (!is_sound(packet)) {
        return Routed::BadNumber;
    }
    const Route route =
        route_update(update_stamps_, packet.stamps, make_query(packet, scene), tuning);
    follow(tuning, route, packet, scene);
    return route.routed;
}

RouteQuery RemoteEntity::make_query(const PositionPacket& packet,
                                    const RemoteScene& scene) const noexcept {
    const glm::dvec3 player = scene.player_position.value_or(packet.position);
    return {.is_local_player = config_.is_local_player,
            .has_place = body_.has_place,
            .contact = packet.contact,
            .player_distance_m = player_distance_m_,
            .update_to_player_m = glm::distance(packet.position, player),
            .is_moving_to = move_to_.running(),
            .autonomy = autonomy_,
            .lands = !body_.ground.walkable && !is_contact_tested(scene),
            .update_distance_m = glm::distance(packet.position, body_.position)};
}

void RemoteEntity::follow(const RemoteTuning& tuning, const Route& route,
                          const PositionPacket& packet, const RemoteScene& scene) noexcept {
    if (route.zero_velocity) {
        land();
        chase_.clear(tuning);
    }
    const bool is_remote_update =
        route.routed == Routed::Queued || route.routed == Routed::IgnoredAirborne;
    if (tuning.orientation_always_snaps && is_remote_update) {
        set_heading(packet.heading_deg);
    }
    switch (route.routed) {
        case Routed::Teleported:
        case Routed::PlayerTeleported:
            drop_movement(MoveToEnd::Teleported);
            place(tuning, packet.position, packet.heading_deg);
            body_.ground.walkable =
                is_contact_tested(scene) ? body_.ground.walkable : packet.contact;
            break;
        case Routed::Snapped:
            place(tuning, packet.position, packet.heading_deg);
            break;
        case Routed::PlayerForced:
            place(tuning, packet.position, body_.heading_deg);
            break;
        case Routed::Queued:
            enqueue(tuning, packet, route.keep_heading.value_or(false), scene);
            break;
        case Routed::PlayerQueued:
            enqueue(tuning, packet, config_.echo_keeps_heading, scene);
            break;
        default:
            break;
    }
    if (route.leash != LeashTo::Nothing) {
        const bool own = route.leash == LeashTo::OwnPosition;
        leash_.arm(own ? 0.0 : glm::distance(packet.position, body_.position));
    }
}

void RemoteEntity::enqueue(const RemoteTuning& tuning, const PositionPacket& packet,
                           bool keep_heading, const RemoteScene& scene) noexcept {
    const bool indoors = scene.is_indoors && scene.is_indoors(body_.position);
    const EnqueueResult result = chase_.enqueue(
        tuning, as_chase_body(tuning), packet.position, normalise_heading(packet.heading_deg),
        keep_heading, compute_far_gap(tuning, indoors, config_.is_local_player));
    if (result.heading_deg) {
        set_heading(*result.heading_deg);
    }
}

void RemoteEntity::place(const RemoteTuning& tuning, const glm::dvec3& position,
                         double heading_deg) noexcept {
    body_.position = position;
    body_.has_place = true;
    set_heading(heading_deg);
    chase_.clear(tuning);
    cut_ = true;
}

void RemoteEntity::drop_movement(MoveToEnd end) noexcept {
    sticky_.release();
    if (move_to_.running()) {
        note_end(move_to_.cancel(end));
        command_ = {};
    }
}

Received RemoteEntity::receive(const RemoteTuning& tuning, const MotionPacket& packet) noexcept {
    if (!is_sound(packet)) {
        return Received::BadNumber;
    }
    if (!accept_movement(movement_stamps_, packet.stamps)) {
        return Received::Stale;
    }
    drop_movement(MoveToEnd::Replaced);
    command_ = packet.command;
    autonomy_ = packet.autonomy;
    if (command_.gait == Gait::RunForward) {
        run_rate_.remembered = command_.forward_speed;
    }
    if (packet.stick_to && *packet.stick_to != config_.key) {
        sticky_.stick(tuning, *packet.stick_to);
    }
    return Received::Ok;
}

Received RemoteEntity::receive(const RemoteTuning& tuning, const MoveToPacket& packet,
                               const RemoteScene& scene) noexcept {
    if (!is_sound(packet)) {
        return Received::BadNumber;
    }
    if (!accept_movement(movement_stamps_, packet.stamps)) {
        return Received::Stale;
    }
    drop_movement(MoveToEnd::Replaced);
    command_ = {};
    run_rate_.remembered = packet.order.run_rate;
    autonomy_ = packet.autonomy;
    last_end_ = MoveToEnd::None;
    move_to_.begin(tuning, packet.order, as_mover(scene, packet.order.target),
                   packet.order.target == config_.key);
    return Received::Ok;
}

Received RemoteEntity::receive(const RemoteTuning& tuning, const VectorPacket& packet) noexcept {
    if (!is_sound(packet)) {
        return Received::BadNumber;
    }
    if (!accept_newer(vector_stamp_, packet.stamp)) {
        return Received::Stale;
    }
    body_.velocity = clamp_velocity(tuning, packet.velocity);
    body_.omega_rad_s = packet.omega_rad_s;
    if (body_.ground.walkable && leaves_ground(body_.ground, body_.velocity)) {
        leave_ground();
    }
    return Received::Ok;
}

void RemoteEntity::set_root_velocity(const std::optional<RootVelocity>& root) noexcept {
    if (!root || is_sound(*root)) {
        root_ = root;
    }
}

TargetState RemoteEntity::as_target() const noexcept {
    return {body_.position, apparent_velocity_, config_.radius_m, config_.height_m};
}

void RemoteEntity::set_heading(double heading_deg) noexcept {
    body_.heading_deg = normalise_heading(heading_deg);
    body_.rotation = heading_to_rotation(body_.heading_deg);
}

void RemoteEntity::leave_ground() noexcept {
    body_.ground.walkable = false;
    left_ground_ = true;
}

void RemoteEntity::note_end(MoveToEnd end) noexcept {
    ended_ = end;
    last_end_ = end;
}

bool RemoteEntity::is_contact_tested(const RemoteScene& scene) const noexcept {
    return contact_is_tested_.value_or(static_cast<bool>(scene.resolve));
}

std::optional<TargetState> RemoteEntity::find_target(const RemoteScene& scene,
                                                     std::uint64_t key) noexcept {
    const std::optional<TargetState> found =
        scene.find_target ? scene.find_target(key) : std::nullopt;
    return found && is_sound(*found) ? found : std::nullopt;
}

void RemoteEntity::land() noexcept {
    landed_ = true;
    body_.velocity = glm::dvec3(0.0);
    body_.omega_rad_s = glm::dvec3(0.0);
    body_.ground = {};
    set_heading(body_.heading_deg);
}

ChaseBody RemoteEntity::as_chase_body(const RemoteTuning& tuning) const noexcept {
    ChaseBody body{.position = body_.position,
                   .heading_deg = body_.heading_deg,
                   .contact = body_.ground.walkable,
                   .stuck = sticky_.target().has_value()};
    if (config_.has_speeds) {
        body.adjusted_max_speed = compute_adjusted_max_speed(tuning, command_, run_rate_);
    }
    return body;
}

MoverState RemoteEntity::as_mover(const RemoteScene& scene,
                                  std::optional<std::uint64_t> target) const noexcept {
    MoverState mover{.position = body_.position,
                     .heading_deg = body_.heading_deg,
                     .radius_m = config_.radius_m,
                     .height_m = config_.height_m,
                     .speed_m_s = glm::length(apparent_velocity_),
                     .contact = body_.ground.walkable,
                     .motions_pending = motions_pending_};
    if (target) {
        mover.target = find_target(scene, *target);
    }
    return mover;
}

} // namespace glissade
