// SPDX-License-Identifier: MIT
// The time that each frame shows of a delayed source: even, never backwards, whatever arrives.
#pragma once

#include <cstdint>
#include <optional>

namespace glissade {

/// What a frame could show. Nanoseconds; all but the first on the source's timeline.
struct PlayoutFrame {
    std::int64_t present_ns = 0; ///< When the frame is on the screen.
    std::int64_t wanted_ns = 0;  ///< The source's present less the delay.
    std::int64_t newest_ns = 0;  ///< The newest state there is.
    std::int64_t tick_ns = 0;    ///< Between the last two states, > 0.
    double rate = 1.0;           ///< Source time per real time, as the source declares or runs it.
};

/// What a Playout has done.
struct PlayoutStats {
    std::uint64_t frame_count = 0;
    std::uint64_t underrun_count = 0; ///< Frames that showed a time after the newest state.
    std::uint64_t held_count = 0;     ///< Frames that stood still because there was no data.
    std::uint64_t jump_count = 0;     ///< Debts above 250 ms that were forgiven at once.
};

/// Turns the time that a frame should show into the one that it does show.
///
/// As long as there are states the two are the same. Beyond the newest state the picture goes on
/// for one tick, at most 50 ms, then it stands. What it then owes is paid back without a step: a
/// debt of up to 40 ms at a rate of at most 1.04; up to 250 ms at a constant rate that clears it in
/// 1 s, at most 1.25; more is forgiven in one jump, counted. A picture that is ahead slows down by
/// the same rules.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class Playout {
public:
    /// The furthest that a picture goes beyond the newest state.
    static constexpr std::int64_t kMaxExtrapolationNs = 50'000'000;

    /// The source time that this frame shows. A present time that does not advance repeats the last
    /// one.
    std::int64_t frame(const PlayoutFrame& frame) noexcept;

    /// The wanted time jumped by `step_ns` for no reason that is to be seen (a re-lock, the end of
    /// a pause): the picture goes on from where it is and owes the difference.
    void absorb(std::int64_t step_ns) noexcept;
    /// Starts over with the next frame: after a source began its time anew.
    void restart() noexcept;

    /// How far the picture is behind the wanted time; negative: ahead.
    [[nodiscard]] std::int64_t debt_ns() const noexcept;
    [[nodiscard]] const PlayoutStats& stats() const noexcept { return stats_; }

private:
    void pay(double passed_ns) noexcept;

    std::optional<std::int64_t> present_ns_{};
    std::int64_t shown_ns_ = 0;
    double behind_ns_ = 0.0;
    double pay_rate_ = 0.0; // Of the debt that is being paid; 0: none.
    PlayoutStats stats_{};
};

} // namespace glissade
