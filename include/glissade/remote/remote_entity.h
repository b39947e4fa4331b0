// SPDX-License-Identifier: MIT
// One entity that a server moves: feed it packets, step it by quanta, draw its body.
#pragma once

#include "glissade/remote/chase_queue.h"
#include "glissade/remote/heading.h"
#include "glissade/remote/leash.h"
#include "glissade/remote/move_to.h"
#include "glissade/remote/remote_packets.h"
#include "glissade/remote/remote_scene.h"
#include "glissade/remote/remote_tuning.h"
#include "glissade/remote/root_motion.h"
#include "glissade/remote/sticky.h"

#include <cstdint>
#include <limits>
#include <optional>

#include <glm/ext/quaternion_float.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// Where a body is and which way it looks.
struct RemotePlace {
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;
};

/// Settings of a RemoteEntity.
struct RemoteEntityConfig {
    std::uint64_t key = 0; ///< The caller's name for it, handed to the scene's callables.
    std::optional<RemotePlace> place{}; ///< None: it is nowhere until its first position update.
    double radius_m = 0.0;              ///< >= 0. Of its cylinder, for distances to targets.
    double height_m = 0.0;              ///< >= 0.
    bool is_local_player = false;       ///< Routing has its own rules for it.
    bool has_speeds = true;            ///< False: no animations; the tuning's fallback speeds hold.
    std::optional<double> run_skill{}; ///< Local player only: its own run rate.
    bool echo_keeps_heading = false;   ///< Local player: chasing its own echo does not turn it.
    UpdateStamps update_stamps{};      ///< Of its creation, likewise the next two.
    MovementStamps movement_stamps{};
    std::uint16_t vector_stamp = 0;
};

/// The body itself.
struct RemoteBody {
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;                      ///< [0, 360).
    glm::quat rotation = heading_to_rotation(0.0); ///< Upright, unless omega turned it in the air.
    glm::dvec3 velocity{0.0}; ///< Of flight, not of walking. At most the tuning's clamp.
    glm::dvec3 omega_rad_s{0.0};
    Ground ground{}; ///< Not walkable: it is in the air.
    bool has_place = false;
};

/// What one quantum did, and the packets since the one before it.
struct QuantumReport {
    ChaseEvent chase = ChaseEvent::None;
    bool blipped = false;      ///< Snapped to the end of a failed chase.
    bool blip_refused = false; ///< The scene would not have it there; tried again next quantum.
    bool landed = false;
    bool left_ground = false;
    MoveToEnd move_to_end = MoveToEnd::None; ///< Of several the last.
    /// A hard set since the quantum before (teleport, snap, blip): no blend across it.
    bool cut = false;
};

/// Joins the small types of this layer into the pipeline of one entity.
///
/// A quantum: root motion; chase, sticky and leash shape it; the body moves; velocity, gravity and
/// omega act; the scene resolves contact; move-to; a failed chase blips.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant. Bad input: refused by
/// receive(), nothing changes; whatever packets come, the body stays finite.
class RemoteEntity {
public:
    /// Numbers that are not finite or out of range are a broken precondition; without asserts all
    /// settings but the key take their defaults.
    explicit RemoteEntity(const RemoteEntityConfig& config = {}) noexcept;

    Routed receive(const RemoteTuning& tuning, const PositionPacket& packet,
                   const RemoteScene& scene = {}) noexcept;
    Received receive(const RemoteTuning& tuning, const MotionPacket& packet) noexcept;
    Received receive(const RemoteTuning& tuning, const MoveToPacket& packet,
                     const RemoteScene& scene = {}) noexcept;
    Received receive(const RemoteTuning& tuning, const VectorPacket& packet) noexcept;

    /// One quantum. `quantum_s` in (0, 1]; otherwise nothing happens.
    QuantumReport advance(const RemoteTuning& tuning, double quantum_s,
                          const RemoteScene& scene = {}) noexcept;

    /// What the animation really does, instead of what the motion command says by the tuning's
    /// speeds; none: that again. Not finite: ignored.
    void set_root_velocity(const std::optional<RootVelocity>& root) noexcept;
    /// Animations have yet to begin: turns of a move-to wait.
    void set_motions_pending(bool pending) noexcept { motions_pending_ = pending; }

    [[nodiscard]] const RemoteBody& body() const noexcept { return body_; }
    [[nodiscard]] const ChaseQueue& chase() const noexcept { return chase_; }
    [[nodiscard]] const MoveTo& move_to() const noexcept { return move_to_; }
    [[nodiscard]] const Sticky& sticky() const noexcept { return sticky_; }
    [[nodiscard]] const Leash& leash() const noexcept { return leash_; }
    [[nodiscard]] const MotionCommand& command() const noexcept { return command_; }
    /// The stamps accepted last.
    [[nodiscard]] const UpdateStamps& update_stamps() const noexcept { return update_stamps_; }
    [[nodiscard]] const MovementStamps& movement_stamps() const noexcept {
        return movement_stamps_;
    }
    [[nodiscard]] std::uint16_t vector_stamp() const noexcept { return vector_stamp_; }
    /// How the last move-to ended; None if none has, or one runs.
    [[nodiscard]] MoveToEnd last_move_to_end() const noexcept { return last_end_; }
    /// As it was given.
    [[nodiscard]] const RemoteEntityConfig& config() const noexcept { return config_; }
    /// As a target for others.
    [[nodiscard]] TargetState as_target() const noexcept;

private:
    // Packets.
    [[nodiscard]] RouteQuery make_query(const PositionPacket& packet,
                                        const RemoteScene& scene) const noexcept;
    void follow(const RemoteTuning& tuning, const Route& route, const PositionPacket& packet,
                const RemoteScene& scene) noexcept;
    void enqueue(const RemoteTuning& tuning, const PositionPacket& packet, bool keep_heading,
                 const RemoteScene& scene) noexcept;
    void place(const RemoteTuning& tuning, const glm::dvec3& position, double heading_deg) noexcept;
    void drop_movement(MoveToEnd end) noexcept;

    // The parts of a quantum, in their order.
    [[nodiscard]] Displacement shape_step(const RemoteTuning& tuning, double quantum_s,
                                          const RemoteScene& scene, QuantumReport& report) noexcept;
    [[nodiscard]] std::optional<Displacement> compute_sticky(const RemoteTuning& tuning,
                                                             double quantum_s,
                                                             const RemoteScene& scene) noexcept;
    void fly(const RemoteTuning& tuning, double quantum_s) noexcept;
    void spin(const RemoteTuning& tuning, double quantum_s) noexcept;
    void resolve(const RemoteTuning& tuning, const glm::dvec3& from,
                 const RemoteScene& scene) noexcept;
    void touch(const RemoteTuning& tuning, const Ground& ground) noexcept;
    void advance_move_to(const RemoteTuning& tuning, double quantum_s,
                         const RemoteScene& scene) noexcept;
    void finish_chase(const RemoteTuning& tuning, const RemoteScene& scene,
                      QuantumReport& report) noexcept;

    void set_heading(double heading_deg) noexcept;
    void leave_ground() noexcept;
    void land() noexcept;
    void note_end(MoveToEnd end) noexcept;
    [[nodiscard]] bool is_contact_tested(const RemoteScene& scene) const noexcept;
    [[nodiscard]] static std::optional<TargetState> find_target(const RemoteScene& scene,
                                                                std::uint64_t key) noexcept;
    [[nodiscard]] ChaseBody as_chase_body(const RemoteTuning& tuning) const noexcept;
    [[nodiscard]] MoverState as_mover(const RemoteScene& scene,
                                      std::optional<std::uint64_t> target) const noexcept;
    [[nodiscard]] RootVelocity root_velocity(const RemoteTuning& tuning) const noexcept;

    RemoteEntityConfig config_;
    UpdateStamps update_stamps_{};
    MovementStamps movement_stamps_{};
    std::uint16_t vector_stamp_ = 0;
    RemoteBody body_{};
    MotionCommand command_{};
    RunRate run_rate_{};
    std::optional<RootVelocity> root_{};
    glm::dvec3 apparent_velocity_{0.0}; // Of the last quantum, by whatever moved it.
    double player_distance_m_ = std::numeric_limits<double>::infinity();
    std::uint8_t autonomy_ = 2;
    bool motions_pending_ = false;
    std::optional<bool> contact_is_tested_{}; // The scene of the last quantum told the ground.
    // Since the last quantum.
    bool cut_ = false;
    bool landed_ = false;
    bool left_ground_ = false;
    MoveToEnd ended_ = MoveToEnd::None;
    MoveToEnd last_end_ = MoveToEnd::None;
    Leash leash_{};
    Sticky sticky_{};
    MoveTo move_to_{};
    ChaseQueue chase_{};
};

} // namespace glissade
