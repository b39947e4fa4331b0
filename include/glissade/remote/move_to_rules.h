// SPDX-License-Identifier: MIT
// The rules of a server-controlled move, each a pure function: distance, command, plan, turn,
// steering, progress, arrival. MoveTo joins them.
#pragma once

#include "glissade/remote/remote_tuning.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

/// An upright cylinder that stands at its position.
struct Cylinder {
    glm::dvec3 position{0.0};
    double radius_m = 0.0;
    double height_m = 0.0;
};

/// Between the surfaces of two cylinders; negative if they overlap. At equal height `b` counts as
/// the upper one.
[[nodiscard]] double compute_cylinder_distance(const Cylinder& a, const Cylinder& b) noexcept;

/// What a move-to may do and when it is done. The flags of the wire: make_move_to_params().
struct MoveToParams {
    bool can_walk = true;
    bool can_run = true;
    bool can_sidestep = true;       ///< Of the wire; no rule here asks for this one,
    bool can_walk_backwards = true; ///< nor for this.
    bool can_charge = false;        ///< Runs whatever the distance.
    bool use_final_heading = false;
    bool sticky = false; ///< Sticks to the target when done.
    bool move_away = false;
    bool move_towards = true;
    bool use_spheres = true;             ///< Cylinder distance; else between the positions.
    double distance_to_object_m = 0.6;   ///< Arrived at this distance or less.
    double min_distance_m = 0.0;         ///< Moving away: arrived at this distance or more.
    double fail_distance_m = kUnlimited; ///< Farther than this from its start it gives up.
    double speed = 1.0;                  ///< Factor of the tuning's speeds.
    double walk_run_threshold_m = 15.0;  ///< Runs if more than this is left.
    double desired_heading_deg = 0.0;    ///< Of the final heading; for an object on top of the
                                         ///< bearing to it.
    friend bool operator==(const MoveToParams&, const MoveToParams&) noexcept = default;
};

/// The bits of the wire. Higher bits do not matter here.
inline constexpr std::uint32_t kDefaultMoveToFlags = 0x1EE0F;
/// The defaults with these flags: walk 1, run 2, sidestep 4, backwards 8, charge 0x10, final
/// heading 0x40, sticky 0x80, away 0x100, towards 0x200, spheres 0x400.
[[nodiscard]] MoveToParams make_move_to_params(std::uint32_t flags) noexcept;

enum class MoveCommand : std::uint8_t { None, WalkForward, WalkBackwards };

/// How a leg begins. The gait is chosen once and kept.
struct LegChoice {
    MoveCommand command = MoveCommand::None;
    bool moving_away = false; ///< Of a command.
    bool run = false;         ///< Also answered without a command.
};
[[nodiscard]] LegChoice choose_leg(const RemoteTuning& tuning, const MoveToParams& params,
                                   double distance_m) noexcept;

/// One step of a plan.
struct MoveToNode {
    bool is_turn = false;     ///< Else: move to the position.
    double heading_deg = 0.0; ///< Of a turn.
};

/// What a move-to will do, in order.
struct MoveToPlan {
    std::array<MoveToNode, 3> nodes{};
    std::uint32_t size = 0; ///< 0: finished at once.
    bool sticks_when_done = false;
};

struct PlanQuery {
    bool to_object = false; ///< Else to a position, which is never stuck to.
    glm::dvec3 position{0.0};
    glm::dvec3 target_position{0.0};
    double distance_m = 0.0;
};
[[nodiscard]] MoveToPlan make_move_to_plan(const RemoteTuning& tuning, const MoveToParams& params,
                                           const PlanQuery& query) noexcept;

enum class Turn : std::uint8_t { None, Right, Left };

/// How a turn node turns, and by how much clockwise, [0, 360); within epsilon it does not.
struct TurnChoice {
    Turn turn = Turn::None;
    double difference_deg = 0.0;
};
[[nodiscard]] TurnChoice choose_turn(const RemoteTuning& tuning, double wanted_deg,
                                     double current_deg) noexcept;
/// What is left of a turn in its own direction, [0, 360); 0 for Turn::None.
[[nodiscard]] double compute_remaining_turn_deg(const RemoteTuning& tuning, double wanted_deg,
                                                double current_deg, Turn turn) noexcept;
/// Whether a turn has got to its end. Being exactly on it counts only to the left. Both headings in
/// [0, 360). Turn::None has always.
[[nodiscard]] bool has_turned_past(double current_deg, double wanted_deg, Turn turn) noexcept;

struct SteerQuery {
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;
    glm::dvec3 target_position{0.0};
    MoveCommand command = MoveCommand::WalkForward;
    bool moving_away = false;
    bool motions_pending = false; ///< Animations have yet to begin: no auxiliary turn.
};
struct SteerChoice {
    double wanted_deg = 0.0;
    double difference_deg = 0.0; ///< Clockwise, [0, 360).
    Turn turn = Turn::None;
};
/// The auxiliary turn of a body that moves. Here half a turn goes left.
[[nodiscard]] SteerChoice choose_steering(const RemoteTuning& tuning,
                                          const SteerQuery& query) noexcept;

/// How the distance changed. A reference of kUnlimited is not measured, which counts as progress;
/// moving away that is -kUnlimited.
struct ProgressQuery {
    double since_sample_s = 0.0;
    double sample_distance_m = kUnlimited;
    double since_start_s = 0.0;
    double start_distance_m = kUnlimited;
    double distance_m = 0.0;
    bool moving_away = false;
};
struct Progress {
    bool made = true;
    bool new_sample = false; ///< Measure from here on.
};
[[nodiscard]] Progress check_progress(const RemoteTuning& tuning,
                                      const ProgressQuery& query) noexcept;

struct ArrivalQuery {
    double distance_m = 0.0;
    bool moving_away = false;
    glm::dvec3 start{0.0};
    glm::dvec3 position{0.0};
    bool progress_made = true;
};
enum class ArrivalTest : std::uint8_t { NotTested, UnderWay, Arrived, TooFar };
[[nodiscard]] ArrivalTest test_arrival(const MoveToParams& params,
                                       const ArrivalQuery& query) noexcept;

} // namespace glissade
