// SPDX-License-Identifier: MIT
// The chase: waypoints that a body runs after at a bounded speed, and the snap that ends a failure.
#pragma once

#include "glissade/remote/remote_tuning.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// Nodes that a queue can hold: the usual cap of 20, and room for far ones, which ignore the cap.
inline constexpr std::size_t kChaseCapacity = 32;

enum class NodeKind : std::uint8_t {
    Position, ///< The only kind that updates make.
    Jump,     ///< These two wait at the head until finish() consumes the queue.
    Velocity,
};

/// One waypoint.
struct ChaseNode {
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;
    NodeKind kind = NodeKind::Position;

    friend bool operator==(const ChaseNode&, const ChaseNode&) noexcept = default;
};

/// Everything of a queue but its nodes.
struct ChaseState {
    bool keep_heading = false;             ///< Steps do not turn the body.
    std::uint32_t quantum_count = 0;       ///< In this stall window.
    double window_s = 0.0;                 ///< Length of this stall window so far.
    double original_distance_m = 999999.0; ///< To the head when the window began.
    std::uint32_t failure_count = 0;       ///< Only clearing resets it.
    std::optional<ChaseNode> blip_node{};  ///< Where to snap if the queue is empty.

    friend bool operator==(const ChaseState&, const ChaseState&) noexcept = default;
};

/// The body as the chase sees it.
struct ChaseBody {
    glm::dvec3 position{0.0};
    double heading_deg = 0.0;
    bool contact = true;                        ///< Its own, not a packet's.
    bool stuck = false;                         ///< To a target: never stalls.
    std::optional<double> adjusted_max_speed{}; ///< Metres per second; none: no animations.
};

enum class Enqueued : std::uint8_t {
    Appended,     ///< After pruning duplicates and dropping what is too old.
    FarAppended,  ///< Too far to be chased: finish() will snap.
    AlreadyClose, ///< Within reach of the body: the chase is over.
    Dropped,      ///< DuplicateTail::Drop: repeats the tail.
};

struct EnqueueResult {
    Enqueued branch = Enqueued::Appended;
    std::uint32_t pruned_count = 0;      ///< Duplicates at the tail.
    std::uint32_t dropped_count = 0;     ///< Old nodes at the head.
    std::optional<double> heading_deg{}; ///< Turn the body to it, at once.
};

enum class ChaseEvent : std::uint8_t {
    None,      ///< Nothing to chase, or no contact.
    Completed, ///< The head was reached; root motion moves the body in this quantum.
    Step,
    StepWindowPass, ///< A step, after a window of good progress.
    StallNear,      ///< No progress, but near enough: the head counts as reached.
    StallFail,      ///< No progress: the head was given up.
};

/// What the chase does in one quantum.
struct ChaseStep {
    ChaseEvent event = ChaseEvent::None;
    bool moves = false;     ///< The rest counts; otherwise root motion does.
    glm::dvec3 move{0.0};   ///< Metres, world space.
    double turn_deg = 0.0;  ///< Clockwise, [0, 360).
    double speed_m_s = 0.0; ///< The bound of this step.
};

/// A first-in, first-out queue of places where a body was, according to its server.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: constant, but enqueue() may drop
/// many. Numbers must be finite (RemoteEntity sees to that).
class ChaseQueue {
public:
    /// Adds a place. `far_gap_m`: a larger gap to the tail (or the body) is not chased. `keep`: the
    /// body's heading belongs to someone else.
    EnqueueResult enqueue(const RemoteTuning& tuning, const ChaseBody& body,
                          const glm::dvec3& target, double heading_deg, bool keep,
                          double far_gap_m) noexcept;

    /// The step of this quantum, `quantum_s` > 0.
    [[nodiscard]] ChaseStep adjust(const RemoteTuning& tuning, const ChaseBody& body,
                                   double quantum_s) noexcept;

    /// The end of a quantum: where the body must snap to, if the chase has failed. clear() if it
    /// could be put there, else it is asked for again next quantum. Consumes a head of another kind
    /// than Position.
    [[nodiscard]] std::optional<ChaseNode> finish(const RemoteTuning& tuning,
                                                  const ChaseBody& body) noexcept;

    /// Empties the queue and resets the counters; keep_heading and blip_node stay.
    void clear(const RemoteTuning& tuning) noexcept;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// 0 is the head, the oldest. `index` < size().
    [[nodiscard]] const ChaseNode& node(std::size_t index) const noexcept;
    [[nodiscard]] const ChaseState& state() const noexcept { return state_; }
    /// Replaces everything (a saved game, a hand-over). Nodes beyond kChaseCapacity: the oldest are
    /// left out.
    void restore(std::span<const ChaseNode> nodes, const ChaseState& state) noexcept;

private:
    // Nodes of other kinds have no place that anything could repeat.
    [[nodiscard]] bool has_place_at_tail() const noexcept;
    EnqueueResult append_near(const RemoteTuning& tuning, const ChaseNode& added,
                              bool keep) noexcept;
    [[nodiscard]] bool progresses(const RemoteTuning& tuning, const ChaseBody& body,
                                  double distance_m, double speed_m_s) const noexcept;
    ChaseStep stall(const RemoteTuning& tuning, const ChaseBody& body, double distance_m) noexcept;
    void complete(const RemoteTuning& tuning, const ChaseBody& body, bool success) noexcept;
    void begin_window(double distance_m) noexcept;
    void push_back(const ChaseNode& added) noexcept;
    void pop_front() noexcept;

    ChaseState state_{};
    std::uint32_t first_ = 0;
    std::uint32_t size_ = 0;
    std::array<ChaseNode, kChaseCapacity> nodes_{};
};

} // namespace glissade
