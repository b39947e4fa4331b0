// SPDX-License-Identifier: MIT
// The tick loop of a simulation thread: an absolute schedule that late wake-ups cannot bend.
#pragma once

#include "glissade/time/clock_status.h"
#include "glissade/time/rate.h"
#include "glissade/time/tick.h"
#include "glissade/time/tick_range.h"
#include "glissade/time/time_group.h"

#include <cstdint>
#include <optional>

namespace glissade {

/// Settings of a TickPacer. Every default is usable as it is.
struct TickPacerConfig {
    Rate rate = {60, 1}; ///< Ticks per second.
    /// Most ticks that one wake-up runs to catch up; the rest of the time is lost. >= 1.
    int max_ticks = 8;
    /// Source time of the state before the first tick. Within +-kMaxTimeNs.
    std::int64_t start_ns = 0;
};

/// What a TickPacer did.
struct TickPacerStats {
    std::int64_t tick_count = 0;
    std::int64_t wake_count = 0;    ///< Without those that were refused.
    std::int64_t lost_ns = 0;       ///< Given up because max_ticks was not enough; source time.
    std::int64_t lost_count = 0;    ///< How often; the epoch changes each time.
    std::int64_t refused_count = 0; ///< Times that were refused (went back, absurd).
    std::int64_t late_ns_max = 0;   ///< The latest wake-up for a tick after its due time.
};

/// Keeps a simulation thread on schedule: tick k is due at T0 + k * h, whenever the thread wakes.
///
/// wake(now), run the ticks, sleep until next_due_ns(). Sleeping is yours: the library reads no
/// clock. A wake-up that is late delays when a tick appears, never what it says; the arithmetic is
/// on integers, so that a month at 59.94 Hz drifts by nothing. When more than max_ticks are due,
/// the oldest *whole* periods are given up before anything runs: T0 moves on by them, the epoch
/// changes, and the ticks go on where they were, due at the same phase as before.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant per tick.
class TickPacer {
public:
    /// A rate or limit outside its range is a broken precondition; without asserts the default of
    /// that setting is taken.
    explicit TickPacer(const TickPacerConfig& config = {}) noexcept;

    /// The ticks that are due at `now_ns`, oldest first. Any origin: the first call sets T0 = now,
    /// and the first tick is due one period later. None while paused. A refused time (see
    /// ClockStatus) yields an empty range; ticks that an earlier loop left over stay for the next
    /// wake-up, and count against its max_ticks.
    [[nodiscard]] TickRange<TickPacer> wake(std::int64_t now_ns) noexcept;

    /// When the newest tick was due, on the clock of wake(): goes into the snapshot. In the loop
    /// that is the tick being run; before the first one it is T0, before the first wake() 0.
    [[nodiscard]] std::int64_t due_ns() const noexcept { return due_ns_; }

    /// Sleep until then. A wake() at that time has a tick to run, one a nanosecond before it has
    /// none. In the past when the loop is behind: do not sleep. While nothing will ever be due
    /// (paused, time scale 0) one real period after the last wake-up, so that a loop notices the
    /// end of it. Before the first wake() 0.
    [[nodiscard]] std::int64_t next_due_ns() const noexcept;

    /// Changes when time was lost.
    [[nodiscard]] std::uint32_t epoch() const noexcept { return epoch_; }
    /// The newest tick that ran; index 0 at start_ns before the first.
    [[nodiscard]] const Tick& newest() const noexcept { return newest_; }

    /// Slow motion and fast-forward, from the last wake-up on: ticks keep their size and come due
    /// h / scale apart. False, nothing changes: outside [0, TimeGroup::kMaxScale].
    bool set_time_scale(double scale) noexcept { return group_.set_scale(scale); }
    [[nodiscard]] double time_scale() const noexcept { return group_.scale(); }

    /// Stops the schedule at the last wake-up; after resume() it goes on from the next one, with no
    /// burst and nothing lost, even if the thread slept through the whole pause.
    void pause() noexcept;
    void resume() noexcept { group_.resume(); }
    [[nodiscard]] bool paused() const noexcept { return group_.paused(); }

    [[nodiscard]] const TickPacerStats& stats() const noexcept { return stats_; }

private:
    friend class TickRange<TickPacer>::Iterator;

    [[nodiscard]] std::optional<Tick> take() noexcept;
    [[nodiscard]] std::int64_t ticks_on_ns(std::int64_t tick_count) const noexcept;
    void step_on() noexcept;
    void let_time_go() noexcept;

    TickPacerConfig config_;
    TimeGroup group_;
    std::optional<std::int64_t> wake_ns_; // Unset until the first wake().
    std::int64_t now_ns_ = 0;             // The same on the source's timeline.
    bool held_ = false;                   // There was a pause since the last wake-up.

    std::int64_t whole_ns_ = 0; // The period: whole nanoseconds,
    std::int64_t part_ = 0;     // and the rest in 1/numerator ns.
    std::int64_t next_ns_ = 0;  // Source time of the next tick, rounded up,
    std::int64_t carry_ = 0;    // by so much, in 1/numerator ns.
    Tick newest_;
    std::int64_t due_ns_ = 0;
    std::uint32_t epoch_ = 0;
    TickPacerStats stats_;
};

} // namespace glissade
