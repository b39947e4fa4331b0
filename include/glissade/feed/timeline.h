// SPDX-License-Identifier: MIT
// One delayed source as the frames see it: source clock, delay, frame clock and playout in one.
#pragma once

#include "glissade/time/delay.h"
#include "glissade/time/frame_clock.h"
#include "glissade/time/playout.h"
#include "glissade/time/source_clock.h"
#include "glissade/time/tick.h"

#include <cstdint>
#include <optional>

namespace glissade {

/// Settings of a Timeline.
struct TimelineConfig {
    /// Show exactly that far behind the source, nanoseconds of source time, >= 0. Empty: as far as
    /// the lateness of the states asks for.
    std::optional<std::int64_t> fixed_delay_ns{};
};

/// How a source is doing. For a debug overlay, and for finding out why motion stutters.
struct TimelineReport {
    std::int64_t delay_ns = 0;         ///< Behind the source's present, source time.
    std::int64_t tick_ns = 0;          ///< Between the last two states, source time.
    std::int64_t lateness_p50_ns = 0;  ///< Half of the states came at most that late, real time.
    std::int64_t lateness_p995_ns = 0; ///< 99.5 % of them.
    std::int64_t debt_ns = 0;          ///< Behind what it should show; negative: ahead.
    double rate = 1.0;                 ///< Source time per real time.
    bool scheduled = false;            ///< The source says when ticks are due.
    FrameTiming frame_timing = FrameTiming::Measured;
    std::uint64_t state_count = 0;    ///< Taken in.
    std::uint64_t stale_count = 0;    ///< Left out: old, or seen before.
    std::uint64_t absurd_count = 0;   ///< Left out: no time at all.
    std::uint64_t frame_count = 0;    ///< Frames since the picture began to run.
    std::uint64_t underrun_count = 0; ///< Frames that showed a time after the newest state.
    std::uint64_t held_count = 0;     ///< Frames that stood because there was no data.
    std::uint64_t stall_count = 0;    ///< States so late that they do not count for the delay.
    std::uint64_t relock_count = 0;   ///< Times that the source lost or reset its time.
    std::uint64_t jump_count = 0;     ///< Debts that were too large to be paid.
};

/// Makes the sample times of a source whose states come at their own pace.
///
/// add() every state, then frame() once a frame. Knows nothing of poses: a Stage, or your own
/// store, blends by the sample times.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant per frame, linear in the
/// states of 8 s (at most 512) per state.
class Timeline {
public:
    explicit Timeline(const TimelineConfig& config = {}) noexcept;

    /// Takes a state's times in. ArrivalStatus::Restarted: the sample time will run back with the
    /// next frame, so restart the stage's track; Stale and Absurd: leave the state out.
    ArrivalStatus add(const Arrival& arrival) noexcept;

    /// What to show in the frame whose code reads the clock at `cpu_ns`; `stamp_ns` is the
    /// display's own time of the frame, where the platform has one. Same clock as the arrivals.
    /// `newest` is empty; nothing before the first state.
    [[nodiscard]] std::optional<SampleTime> frame(
        std::int64_t cpu_ns, std::optional<std::int64_t> stamp_ns = {}) noexcept;

    [[nodiscard]] TimelineReport report() const noexcept;
    [[nodiscard]] const SourceClock& source_clock() const noexcept { return clock_; }

private:
    SourceClock clock_{};
    Delay delay_;
    FrameClock frame_clock_{};
    Playout playout_{};
    TimelineConfig config_;
    std::optional<std::int64_t> present_ns_{};
    std::int64_t first_ns_ = 0; // Of the first state since the source began its time.
    bool running_ = false;
    std::uint64_t state_count_ = 0;
    std::uint64_t stale_count_ = 0;
    std::uint64_t absurd_count_ = 0;
};

} // namespace glissade
