// SPDX-License-Identifier: MIT
// Turns irregular frame times into whole ticks plus the time that a frame shows.
#pragma once

#include "glissade/time/clock_status.h"
#include "glissade/time/rate.h"
#include "glissade/time/tick.h"
#include "glissade/time/tick_range.h"
#include "glissade/time/time_group.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace glissade {

namespace detail {
struct PresentStep;
} // namespace detail

/// Two ways to look at the same loop; the pictures are the same, one tick apart.
enum class View : std::uint8_t {
    Behind, ///< Ticks never run ahead of real time; the frame shows the world one tick late.
    Ahead,  ///< Ticks run until strictly ahead of real time; the frame shows the present moment.
};

/// What to do when ticks cost more time than they simulate (the death spiral).
enum class Overload : std::uint8_t {
    Drop,  ///< At most max_ticks a frame; the rest of the time is dropped.
    Widen, ///< As Drop, and take longer steps (wider_rates) while report_cost() asks for them.
    Slow,  ///< As Drop, and end the frame's ticks when report_cost() has used up budget_ns.
};

/// Settings of a FixedStep. Every default is usable as it is.
struct FixedStepConfig {
    Rate rate = {60, 1}; ///< Ticks per second.
    View view = View::Behind;
    Overload overload = Overload::Drop;
    int max_ticks = 8; ///< Most ticks that one frame runs. >= 1.
    /// Widen: the steps to fall back to, in this order. One that is not slower than the one before
    /// it is left out.
    std::array<Rate, 3> wider_rates = {{{30, 1}, {15, 1}, {15, 1}}};
    /// Slow: wall time that the ticks of one frame may cost. > 0. Every frame gets one tick.
    std::int64_t budget_ns = 12'000'000;
    /// The longest believable frame, in real time, before the time scale: an absurd gap is a fact
    /// of the outside (debugger, sleep, hidden tab). > 0.
    std::int64_t discard_after_ns = 2 * kNanosecondsPerSecond;
    /// Source time of the state before the first tick. Within +-kMaxTimeNs.
    std::int64_t start_ns = 0;
};

/// Everything that a FixedStep ever did or left out. Times are simulation time, after the time
/// scale: simulated + dropped + stretched + discarded is exactly the scaled time that went in.
struct StepStats {
    std::int64_t tick_count = 0;
    std::int64_t simulated_ns = 0;    ///< How far the clock has advanced.
    std::int64_t dropped_ns = 0;      ///< Left out because a frame asked for more than max_ticks.
    std::int64_t stretched_ns = 0;    ///< Left out because the budget was spent (Slow).
    std::int64_t discarded_ns = 0;    ///< Left out as absurd gaps.
    std::int64_t dropped_count = 0;   ///< Frames that dropped time.
    std::int64_t stretched_count = 0; ///< Frames that ran out of budget.
    std::int64_t discarded_count = 0; ///< Absurd gaps.
    std::int64_t refused_count = 0;   ///< Times that were refused (went back, absurd, negative).
    std::int64_t widened_count = 0;   ///< Changes to a longer step (Widen).
    std::int64_t narrowed_count = 0;  ///< Changes back to a shorter step (Widen).
};

/// Accumulates frame time and hands it out in whole ticks.
///
/// After any series of frames the number of ticks is exactly floor(elapsed * rate), one more in
/// View::Ahead; all arithmetic is on integers, so a month at 60 Hz drifts by nothing. The sample
/// time always lies between the last two ticks: a history of two states is enough.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant per tick.
class FixedStep {
public:
    /// A rate or limit outside its range is a broken precondition; without asserts the default of
    /// that setting is taken.
    explicit FixedStep(const FixedStepConfig& config = {}) noexcept;

    /// The ticks that are due when the frame of `present_ns` is shown. Any origin: the first call
    /// sets it. None while paused. A refused time (see ClockStatus) and a discarded gap yield an
    /// empty range; ticks that an earlier loop left over stay for the next good frame.
    [[nodiscard]] TickRange<FixedStep> advance_to(std::int64_t present_ns) noexcept;

    /// The same for callers that know only how long the frame was. May be mixed with advance_to():
    /// it moves the present time on by `elapsed_ns`. Negative: ClockStatus::TimeWentBack.
    [[nodiscard]] TickRange<FixedStep> advance_by(std::int64_t elapsed_ns) noexcept;

    /// What the tick just run cost in wall time (negative counts as 0); call it inside the loop.
    ///
    /// Slow adds the costs of a frame up. Widen averages them with a time constant of 0.5 s of
    /// simulation; an average above 0.9 of the current step widens it, one below 0.6 of the next
    /// narrower step narrows it again. Drop ignores them.
    void report_cost(std::int64_t cost_ns) noexcept;

    /// What the frame of the last advance shows. Continuous, also when the rate changes. If the
    /// loop was left early the picture waits at the newest tick.
    [[nodiscard]] SampleTime sample() const noexcept;

    /// The newest tick that ran; index 0 at start_ns before the first.
    [[nodiscard]] const Tick& newest() const noexcept { return newest_; }

    /// Changes the rate from the next tick on. Motion keeps its speed: only the delay of the
    /// picture moves to that of the new rate, by at most 1/128 of the time that passes. With
    /// Widen it also becomes the rate to return to. False, nothing changes: invalid rate.
    bool set_rate(Rate rate) noexcept;
    [[nodiscard]] Rate rate() const noexcept { return rate_; }

    /// Slow motion and fast-forward: ticks keep their size, and all limits but discard_after_ns
    /// apply after scaling. False, nothing changes: outside [0, TimeGroup::kMaxScale].
    bool set_time_scale(double scale) noexcept { return group_.set_scale(scale); }
    [[nodiscard]] double time_scale() const noexcept { return group_.scale(); }

    /// Freezes the sample time exactly; resuming has no jump, however long the pause was.
    void pause() noexcept { group_.pause(); }
    void resume() noexcept { group_.resume(); }
    [[nodiscard]] bool paused() const noexcept { return group_.paused(); }

    [[nodiscard]] const StepStats& stats() const noexcept { return stats_; }

private:
    friend class TickRange<FixedStep>::Iterator;

    // A stamp rounded up to a whole nanosecond, and by how much, in 1/numerator ns.
    struct Stamp {
        std::int64_t time_ns = 0;
        std::int64_t carry = 0;
    };

    [[nodiscard]] std::optional<Tick> take() noexcept;
    [[nodiscard]] TickRange<FixedStep> advance(const detail::PresentStep& step) noexcept;
    [[nodiscard]] bool settled_behind() const noexcept;
    [[nodiscard]] bool is_due() const noexcept;
    [[nodiscard]] bool budget_spent() const noexcept;
    [[nodiscard]] Stamp stamp_after(Stamp stamp) const noexcept;
    void let_time_go() noexcept;
    void slew_lag(std::int64_t scaled_ns) noexcept;
    void fill_levels(Rate base) noexcept;
    void use_rate(Rate rate) noexcept;
    void choose_level() noexcept;

    FixedStepConfig config_;
    TimeGroup group_;
    std::optional<std::int64_t> present_ns_; // Unset until the first advance_to().
    std::int64_t now_ns_ = 0;                // On the source's timeline.

    Rate rate_;
    std::int64_t whole_ns_ = 0; // The period: whole nanoseconds,
    std::int64_t part_ = 0;     // and the rest in 1/numerator ns.
    double step_s_ = 0.0;       // The same, for ticks.
    Stamp next_;                // Of the tick after newest_.
    Tick newest_;
    std::int64_t lag_ns_ = 0; // The sample time is now_ns_ - lag_ns_.
    std::int64_t lag_goal_ns_ = 0;
    std::int64_t slew_rest_ = 0; // Elapsed time not yet worth a nanosecond of slew, in 1/128 ns.

    int frame_tick_count_ = 0;
    std::int64_t frame_cost_ns_ = 0;

    std::array<Rate, 4> levels_{}; // Widen: the base rate, then ever slower ones.
    std::size_t level_count_ = 1;
    std::size_t level_ = 0;
    double average_cost_ns_ = 0.0;

    std::uint32_t epoch_ = 0;
    StepStats stats_;
};

} // namespace glissade
