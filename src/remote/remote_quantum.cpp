// SPDX-License-Identifier: MIT
// One quantum of an entity: the order of its parts is the pipeline.
#include "glissade/pose/pose.h"
#include "glissade/remote/remote_entity.h"

#include "remote/packet_doors.h"

#include <cmath>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace glissade {

namespace {

constexpr double kMaxQuantumS = 1.0;

// A body at the edge of the world stays there, so that the stage never refuses it.
glm::dvec3 keep_inside(const glm::dvec3& position) noexcept {
    return glm::clamp(position, -kMaxPosition, kMaxPosition);
}

// False for NaN too.
bool is_unit(const glm::dvec3& vector) noexcept {
    constexpr double kTolerance = 0.01;
    return std::abs(glm::length(vector) - 1.0) < kTolerance;
}

} // namespace

QuantumReport RemoteEntity::advance(const RemoteTuning& tuning, double quantum_s,
                                    const RemoteScene& scene) noexcept {
    QuantumReport report;
    if (!body_.has_place || !(quantum_s > 0.0 && quantum_s <= kMaxQuantumS)) {
        return report;
    }
    contact_is_tested_ = false;
    const glm::dvec3 from = body_.position;
    const Displacement step = shape_step(tuning, quantum_s, scene, report);
    body_.position += step.move;
    if (step.turn_deg != 0.0) {
        set_heading(body_.heading_deg + step.turn_deg);
    }
    fly(tuning, quantum_s);
    body_.position = keep_inside(body_.position);
    resolve(tuning, from, scene);
    apparent_velocity_ = (body_.position - from) / quantum_s;
    advance_move_to(tuning, quantum_s, scene);
    finish_chase(tuning, scene, report);

    player_distance_m_ =
        scene.player_position ? glm::distance(body_.position, *scene.player_position) : 0.0;
    report.cut = std::exchange(cut_, false);
    report.landed = std::exchange(landed_, false);
    report.left_ground = std::exchange(left_ground_, false);
    report.move_to_end = std::exchange(ended_, MoveToEnd::None);
    return report;
}

// Root motion, chase, sticky and leash, each acting on what the one before it left.
Displacement RemoteEntity::shape_step(const RemoteTuning& tuning, double quantum_s,
                                      const RemoteScene& scene, QuantumReport& report) noexcept {
    const bool contact = body_.ground.walkable;
    Displacement step;
    if (contact) {
        step = compute_root_step(root_velocity(tuning), body_.heading_deg, quantum_s);
    }
    const ChaseStep chase = chase_.adjust(tuning, as_chase_body(tuning), quantum_s);
    report.chase = chase.event;
    if (chase.moves) {
        // A kept heading belongs to a move-to: its turn goes on, as part of the root motion.
        const double turn = chase_.state().keep_heading ? step.turn_deg : chase.turn_deg;
        step = combine_steps(tuning.root_motion, step, Displacement{chase.move, turn});
    }
    step = compute_sticky(tuning, quantum_s, scene).value_or(step);
    const bool indoors = scene.is_indoors && scene.is_indoors(body_.position);
    step.move = leash_.apply(LeashLimits::of(tuning, indoors), step.move, contact);
    return step;
}

std::optional<Displacement> RemoteEntity::compute_sticky(const RemoteTuning& tuning,
                                                         double quantum_s,
                                                         const RemoteScene& scene) noexcept {
    if (!sticky_.target()) {
        return std::nullopt;
    }
    const std::optional<TargetState> target = find_target(scene, *sticky_.target());
    sticky_.advance(quantum_s);
    if (!target) {
        sticky_.release();
        return std::nullopt;
    }
    if (!body_.ground.walkable) {
        return std::nullopt; // A flight is not bent.
    }
    StickyQuery query{.position = body_.position,
                      .heading_deg = body_.heading_deg,
                      .radius_m = config_.radius_m,
                      .target_position = target->position,
                      .target_radius_m = target->radius_m,
                      .quantum_s = quantum_s};
    if (config_.has_speeds) {
        query.max_speed = compute_max_speed(tuning, run_rate_);
    }
    return compute_sticky_step(tuning, query).step;
}

void RemoteEntity::fly(const RemoteTuning& tuning, double quantum_s) noexcept {
    // Without this a body that was put on the ground while it rose would rise for ever.
    if (body_.ground.walkable && leaves_ground(body_.ground, body_.velocity)) {
        leave_ground();
    }
    const bool airborne = !body_.ground.walkable;
    const glm::dvec3 acceleration(0.0, 0.0, airborne ? tuning.gravity_m_s2 : 0.0);
    const FlightState next = integrate_flight(tuning, {body_.position, body_.velocity},
                                              acceleration, body_.ground, quantum_s);
    body_.position = next.position;
    body_.velocity = clamp_velocity(tuning, next.velocity);
    body_.omega_rad_s = airborne ? body_.omega_rad_s : glm::dvec3(0.0);
    if (body_.omega_rad_s != glm::dvec3(0.0)) {
        spin(tuning, quantum_s);
    }
}

void RemoteEntity::spin(const RemoteTuning& tuning, double quantum_s) noexcept {
    const glm::dvec3 turn = body_.omega_rad_s * quantum_s;
    body_.rotation = normalised(quat_from_rotation_vector(turn) * body_.rotation);
    body_.heading_deg = compute_heading_deg(body_.rotation);
    if (tuning.omega_bends_flight) {
        // About +Z only: no spin turns speed into height.
        const double sine = std::sin(turn.z);
        const double cosine = std::cos(turn.z);
        const glm::dvec3 velocity = body_.velocity;
        body_.velocity.x = velocity.x * cosine - velocity.y * sine;
        body_.velocity.y = velocity.x * sine + velocity.y * cosine;
    }
}

void RemoteEntity::resolve(const RemoteTuning& tuning, const glm::dvec3& from,
                           const RemoteScene& scene) noexcept {
    if (!scene.resolve) {
        return;
    }
    const Footing footing = scene.resolve(config_.key, from, body_.position);
    if (!is_sound_position(footing.position)) {
        return;
    }
    body_.position = footing.position;
    contact_is_tested_ = footing.ground.has_value();
    if (footing.ground) {
        touch(tuning, *footing.ground);
    }
}

void RemoteEntity::touch(const RemoteTuning& tuning, const Ground& ground) noexcept {
    if (ground.walkable && !body_.ground.walkable && body_.velocity.z <= 0.0) {
        land(); // A body that still rises has not landed, however near the ground is.
    } else if (!ground.walkable && body_.ground.walkable) {
        // It walked off an edge; what a vector update threw upwards has left the ground before.
        const Leap leap =
            compute_leap(tuning, command_, run_rate_, 0.0, body_.velocity, body_.heading_deg);
        body_.velocity = clamp_velocity(tuning, leap.world_velocity);
        leave_ground();
    }
    if (body_.ground.walkable && is_unit(ground.normal)) {
        body_.ground.normal = ground.normal;
    }
}

void RemoteEntity::advance_move_to(const RemoteTuning& tuning, double quantum_s,
                                   const RemoteScene& scene) noexcept {
    if (!move_to_.running()) {
        return;
    }
    const std::optional<std::uint64_t> target = move_to_.target();
    const MoveToStep step = move_to_.advance(tuning, as_mover(scene, target), quantum_s);
    command_ = step.command;
    if (step.heading_deg) {
        set_heading(*step.heading_deg);
    }
    if (step.end != MoveToEnd::None) {
        note_end(step.end);
    }
    if (step.stick && target) {
        sticky_.stick(tuning, *target);
    }
}

void RemoteEntity::finish_chase(const RemoteTuning& tuning, const RemoteScene& scene,
                                QuantumReport& report) noexcept {
    const std::optional<ChaseNode> blip = chase_.finish(tuning, as_chase_body(tuning));
    if (!blip) {
        return;
    }
    if (scene.can_place && !scene.can_place(config_.key, blip->position)) {
        report.blip_refused = true;
        return;
    }
    const bool keeps = chase_.state().keep_heading;
    place(tuning, blip->position, keeps ? body_.heading_deg : blip->heading_deg);
    report.blipped = true;
}

RootVelocity RemoteEntity::root_velocity(const RemoteTuning& tuning) const noexcept {
    if (root_) {
        return *root_;
    }
    return {compute_state_velocity(tuning, command_, run_rate_), command_.turn_deg_s};
}

} // namespace glissade
