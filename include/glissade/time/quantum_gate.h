// SPDX-License-Identifier: MIT
// A clock of variable quanta behind a gate: time gathers until it is worth integrating.
#pragma once

#include "glissade/time/clock_status.h"
#include "glissade/time/tick.h"
#include "glissade/time/tick_range.h"

#include <cstdint>
#include <optional>

namespace glissade {

namespace detail {
struct PresentStep;
} // namespace detail

/// How gathered time turns into quanta.
enum class GateProfile : std::uint8_t {
    Player, ///< All gathered time in quanta of at most max; what is left below min is carried.
    Single, ///< The same, but at most one quantum a frame.
    Retail, ///< A world gate that opens every min, and a clock per object behind it.
};

/// How the leftover time becomes a place between the last two states.
enum class AlphaBasis : std::uint8_t {
    LastQuantum, ///< Leftover / length of the last quantum. Even steps at even frames.
    MinQuantum,  ///< Leftover / min_quantum: the literal form. A longer quantum hurries, then
                 ///< crawls.
    Stamped,     ///< Plays back by stamps, delay_ns behind. Needs 4 states and costs 22 ms more
                 ///< lag than LastQuantum; holds no frame.
};

/// Settings of a QuantumGate. retail() has that profile's own limits.
struct QuantumGateConfig {
    GateProfile profile = GateProfile::Player;
    AlphaBasis alpha_basis = AlphaBasis::LastQuantum;
    /// Below it time gathers and nothing runs. > 0. 1/30 s rounded down: two 60 Hz frames reach it.
    std::int64_t min_quantum_ns = 33'333'333;
    std::int64_t max_quantum_ns = 100'000'000; ///< The longest single integration. >= min.
    /// Beyond it the whole gap is discarded. >= max, <= kMaxTimeNs.
    std::int64_t huge_quantum_ns = 2'000'000'000;
    /// Stamped: about the longest usual quantum; shorter and the picture waits at the newest state.
    /// Within [0, kMaxTimeNs].
    std::int64_t delay_ns = 55'000'000;
    /// Source time of the state before the first quantum. Within +-kMaxTimeNs.
    std::int64_t start_ns = 0;

    /// GateProfile::Retail with its longest quantum of 0.2 s.
    [[nodiscard]] static QuantumGateConfig retail() noexcept;
    /// GateProfile::Player with quanta that are all of min_quantum: even at any display rate, but a
    /// frame may run two of them.
    [[nodiscard]] static QuantumGateConfig even() noexcept;
};

/// What `elapsed` on one object's clock comes to: `slice_count` quanta of max_quantum, then one of
/// `last_ns` if that is not 0.
struct QuantumPlan {
    std::int64_t slice_count = 0;
    std::int64_t last_ns = 0;
    std::int64_t carried_ns = 0;   ///< Stays on the clock for the next pass.
    std::int64_t discarded_ns = 0; ///< Taken off without running: an absurd gap, Retail's sliver.

    friend bool operator==(const QuantumPlan&, const QuantumPlan&) noexcept = default;
};

/// The rule of one object's clock alone, without Retail's world gate: pure, constant cost.
/// `elapsed_ns` >= 0 (negative counts as 0); the limits of `config` must be in range.
///
/// Every profile: more than huge is discarded. Player: quanta of min(left, max) while at least min
/// is left. Single: one such quantum. Retail: at most 0.2 ms is a sliver and discarded; up to max
/// is one quantum, even below min; else slices of max while more than max is left, and the
/// remainder only if it is more than min.
[[nodiscard]] QuantumPlan compute_quanta(const QuantumGateConfig& config,
                                         std::int64_t elapsed_ns) noexcept;

/// Everything that a QuantumGate ever did or left out: simulated + discarded + leftover is exactly
/// the time that went in. After 146 years of it every further time is ClockStatus::AbsurdTime.
struct GateStats {
    std::int64_t quantum_count = 0;
    std::int64_t simulated_ns = 0;    ///< Sum of all quanta.
    std::int64_t discarded_ns = 0;    ///< Never ran: gaps, Retail's slivers, dropped leftovers.
    std::int64_t discarded_count = 0; ///< Gaps.
    std::int64_t refused_count = 0;   ///< Times that were refused (went back, absurd, negative).
};

/// Integrates *variable* quanta behind a gate, as the Asheron's Call client does. For a new
/// simulation take FixedStep; take this one where collision behaviour must match that client's.
///
/// Quanta come out as ticks of their own length, stamped on a timeline that leaves discarded time
/// out.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant per quantum.
class QuantumGate {
public:
    /// A limit outside its range is a broken precondition; without asserts all limits of the
    /// profile take their defaults.
    explicit QuantumGate(const QuantumGateConfig& config = {}) noexcept;

    /// The quanta that are due at `present_ns`. Any origin: the first call sets it. A refused time
    /// (see ClockStatus) and a discarded gap yield an empty range.
    [[nodiscard]] TickRange<QuantumGate> advance_to(std::int64_t present_ns) noexcept;

    /// The same for callers that know only how long the frame was. May be mixed with advance_to():
    /// it moves the present time on by `elapsed_ns`. Negative: ClockStatus::TimeWentBack.
    [[nodiscard]] TickRange<QuantumGate> advance_by(std::int64_t elapsed_ns) noexcept;

    /// Whether the last advance reached the minimum (Retail: opened the world gate).
    [[nodiscard]] bool opened() const noexcept { return opened_; }

    /// Time gathered and not yet integrated.
    [[nodiscard]] std::int64_t leftover_ns() const noexcept { return leftover_ns_; }

    /// Forgets the leftover: after an authoritative set-position.
    void drop_leftover() noexcept;

    /// Place between the last two states, [0, 1], by LastQuantum (also for Stamped) or MinQuantum.
    [[nodiscard]] double alpha() const noexcept;

    /// What the frame of the last advance shows, by the chosen basis. Never later than the newest
    /// quantum; Stamped starts delay_ns before start_ns.
    [[nodiscard]] SampleTime sample() const noexcept;

    /// The newest quantum that ran; index 0 at start_ns before the first.
    [[nodiscard]] const Tick& newest() const noexcept { return newest_; }

    [[nodiscard]] const GateStats& stats() const noexcept { return stats_; }

private:
    friend class TickRange<QuantumGate>::Iterator;

    [[nodiscard]] std::optional<Tick> take() noexcept;
    [[nodiscard]] TickRange<QuantumGate> advance(const detail::PresentStep& step) noexcept;
    [[nodiscard]] bool open(std::int64_t elapsed_ns) noexcept;
    [[nodiscard]] std::int64_t shown_ns() const noexcept;
    [[nodiscard]] std::int64_t sought_ns() const noexcept;

    QuantumGateConfig config_;
    std::optional<std::int64_t> present_ns_; // Unset until the first advance_to().
    std::int64_t leftover_ns_ = 0;           // Includes the quanta of plan_ that are still to run.
    std::int64_t since_pass_ns_ = 0;         // Retail: time since the world gate opened.
    QuantumPlan plan_;                       // What is still to run in this frame.
    bool opened_ = false;
    Tick newest_;
    std::int64_t floor_ns_ = 0; // No frame shows an earlier time than this again.
    std::uint32_t epoch_ = 0;
    GateStats stats_;
};

} // namespace glissade
