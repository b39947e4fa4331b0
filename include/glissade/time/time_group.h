// SPDX-License-Identifier: MIT
// Time that can be slowed, sped up and paused without losing a nanosecond.
#pragma once

#include <cstdint>

namespace glissade {

/// A timeline that runs at a scale of another one: all of the gameplay, only the enemies, the menu.
///
/// Feed it real time, or the time of another group, and feed clocks from it. The part of a
/// nanosecond that a scale leaves over is carried, so that x0.25 for a year is exactly a quarter of
/// a year.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class TimeGroup {
public:
    static constexpr double kMaxScale = 1000.0;

    /// Group time that passes while `elapsed_ns` of outer time pass; 0 while paused. Negative
    /// counts as 0. Group time stops for good at 2^62 ns (146 years).
    std::int64_t advance_by(std::int64_t elapsed_ns) noexcept;

    /// Outer time until `group_ns` more of group time have passed at this scale, as if not paused:
    /// the least that advance_by() needs for it. Of a negative one how long ago that was, <= 0.
    /// Limited to +-kMaxTimeNs, which is also the answer at a scale of 0.
    [[nodiscard]] std::int64_t outer_time_for(std::int64_t group_ns) const noexcept;

    /// Group time so far, from 0.
    [[nodiscard]] std::int64_t now_ns() const noexcept { return now_ns_; }

    /// Speed from now on: 1 is real time, 0.25 slow motion, 0 stands still. Rounded to a multiple
    /// of 2^-32. False, and nothing changes, if not in [0, kMaxScale] (NaN included).
    bool set_scale(double scale) noexcept;
    [[nodiscard]] double scale() const noexcept;

    /// Freezes group time exactly, remainder included. Pausing twice needs one resume().
    void pause() noexcept { paused_ = true; }
    void resume() noexcept { paused_ = false; }
    [[nodiscard]] bool paused() const noexcept { return paused_; }

private:
    std::int64_t now_ns_ = 0;
    std::uint64_t scale_q32_ = std::uint64_t{1} << 32U; // Fixed point: a float would drift.
    std::uint64_t remainder_q32_ = 0;                   // Below 2^32.
    bool paused_ = false;
};

} // namespace glissade
