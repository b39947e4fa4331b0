// SPDX-License-Identifier: MIT
// A move that the server ordered and this side carries out: go there, turn that way, stay with it.
#pragma once

#include "glissade/remote/move_to_rules.h"
#include "glissade/remote/speeds.h"
#include "glissade/remote/target_watch.h"

#include <cstdint>
#include <optional>

namespace glissade {

enum class MoveToKind : std::uint8_t { Object, Position, TurnToObject, TurnToHeading };

/// What the server ordered.
struct MoveToOrder {
    MoveToKind kind = MoveToKind::Position;
    std::uint64_t target = 0; ///< Of the object kinds: a name of the caller's.
    /// Where to go; of the object kinds: where to go, or look, if the target is unknown here.
    glm::dvec3 position{0.0};
    MoveToParams params{};
    double run_rate = 1.0; ///< Of the body, from now on.
};

/// How a move-to ended. The numbers are those of the wire.
enum class MoveToEnd : std::uint8_t {
    None = 0,
    Arrived = 1,
    Replaced = 0x36, ///< By a new movement.
    TargetLost = 0x37,
    NeverSeen = 0x38,  ///< The target was lost before the move began.
    Teleported = 0x3C, ///< The body was.
    TooFar = 0x3D,     ///< Beyond the fail distance from where it began.
};

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(MoveToEnd end) noexcept;

/// The body as a move-to sees it at the end of a quantum.
struct MoverState {
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;
    double radius_m = 0.0;
    double height_m = 0.0;
    double speed_m_s = 0.0;              ///< Of the last quantum; for the prediction.
    bool contact = true;                 ///< In the air it waits.
    bool motions_pending = false;        ///< No turn begins, and no auxiliary turn runs.
    std::optional<TargetState> target{}; ///< None: unknown.
};

/// What a move-to wants after a quantum.
struct MoveToStep {
    MotionCommand command{};             ///< For the next quantum.
    std::optional<double> heading_deg{}; ///< Turn the body to it, exactly.
    MoveToEnd end = MoveToEnd::None;     ///< Set in the quantum in which it ended.
    bool stick = false;                  ///< Stick to the target from now on.
};

/// Carries one order out, quantum by quantum. Joins the rules of move_to_rules.h.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class MoveTo {
public:
    /// Begins an order; one that runs must have been cancelled. An object that is not known here
    /// falls back to its position or heading, and order() says so. Itself as target: nothing
    /// begins. An order with nothing to do ends in the next advance().
    void begin(const RemoteTuning& tuning, const MoveToOrder& order, const MoverState& body,
               bool target_is_self = false) noexcept;

    /// One quantum, `quantum_s` > 0. Nothing if none runs.
    [[nodiscard]] MoveToStep advance(const RemoteTuning& tuning, const MoverState& body,
                                     double quantum_s) noexcept;

    /// Ends it. Says `end`, or None if none ran.
    MoveToEnd cancel(MoveToEnd end) noexcept;

    [[nodiscard]] bool running() const noexcept { return running_; }
    [[nodiscard]] const MoveToOrder& order() const noexcept { return order_; }
    [[nodiscard]] const TargetWatch& watch() const noexcept { return watch_; }
    /// Whom it needs to see; none for positions and headings.
    [[nodiscard]] std::optional<std::uint64_t> target() const noexcept;

private:
    [[nodiscard]] bool needs_target() const noexcept;
    [[nodiscard]] MoveToEnd observe(const RemoteTuning& tuning, const MoverState& body,
                                    double quantum_s) noexcept;
    void retarget(const RemoteTuning& tuning, const MoverState& body,
                  const TargetUpdate& update) noexcept;
    void plan_turn(double heading_deg) noexcept;
    void plan_move(const RemoteTuning& tuning, const MoverState& body, const glm::dvec3& towards,
                   double distance_m) noexcept;
    [[nodiscard]] double compute_distance_m(const MoverState& body) const noexcept;
    [[nodiscard]] ArrivalTest advance_turn(const RemoteTuning& tuning, const MoverState& body,
                                           MoveToStep& step) noexcept;
    [[nodiscard]] ArrivalTest advance_leg(const RemoteTuning& tuning, const MoverState& body,
                                          double quantum_s, MoveToStep& step) noexcept;
    void restart_progress(double distance_m) noexcept;
    [[nodiscard]] ArrivalTest test_leg(const RemoteTuning& tuning, const MoverState& body,
                                       double quantum_s, double distance_m) noexcept;
    [[nodiscard]] MotionCommand make_command(const RemoteTuning& tuning, Turn turn) const noexcept;
    [[nodiscard]] double compute_turn_rate(const RemoteTuning& tuning, Turn turn,
                                           bool running) const noexcept;

    MoveToOrder order_{}; // Its kind is what is carried out, after any fallback.
    TargetWatch watch_{};
    MoveToPlan plan_{};
    Cylinder goal_{};       // The target as last told, or the position.
    glm::dvec3 start_{0.0}; // Where the order began, for the fail distance.
    double sample_distance_m_ = kUnlimited;
    double since_sample_s_ = 0.0;
    double start_distance_m_ = kUnlimited; // When the leg began.
    double since_start_s_ = 0.0;
    LegChoice leg_{};        // Command None: the leg has not begun.
    Turn turn_ = Turn::None; // Of a turn node that has begun.
    std::uint8_t head_ = 0;  // The node under way.
    bool running_ = false;
    bool planned_ = false; // An object is planned for when it is first seen.
    bool was_airborne_ = false;
};

} // namespace glissade
