// SPDX-License-Identifier: MIT
// When is this frame on the screen? Finds the display's refresh in the times of the frames.
#pragma once

#include "glissade/time/refresh_fit.h"

#include <cstdint>
#include <optional>

namespace glissade {

/// Where the time of a frame comes from.
enum class FrameTiming : std::uint8_t {
    Display,  ///< The platform's own stamp was given.
    Fitted,   ///< A steady refresh was found in the CPU times, and frames snap to it.
    Measured, ///< No steady refresh (yet): variable refresh, or a bad fit. CPU times as they are.
};

/// The name of the enumerator, for logs; "unknown" for any other value.
[[nodiscard]] const char* to_string(FrameTiming timing) noexcept;

/// What a FrameClock met.
struct FrameClockStats {
    std::int64_t display_count = 0;  ///< Frames with FrameTiming::Display,
    std::int64_t fitted_count = 0;   ///< Fitted,
    std::int64_t measured_count = 0; ///< and Measured.
    std::int64_t missed_count = 0;   ///< Fitted: refreshes that no frame was made for.
    std::int64_t late_count = 0;     ///< Fitted: frames that began too late to be told by phase.
    std::int64_t repeated_count = 0; ///< Fitted: frames with the same refresh as the one before.
    std::int64_t locked_count = 0;   ///< Times that a refresh was found,
    std::int64_t dropped_count = 0;  ///< and given up: noise, another rate, variable refresh.
    std::int64_t gap_count = 0;      ///< Gaps above 1 s, after which the search starts anew.
    std::int64_t refused_count = 0;  ///< CPU times that were refused (went back, absurd).
    std::int64_t refused_stamp_count = 0; ///< The same for stamps.
};

/// Gives every frame the time at which it is shown, as even as the display is.
///
/// The platform's stamp is best, and passed through. Without it the code of a frame starts late by
/// varying amounts, and its CPU time shakes the picture; then the refresh is fitted: each frame
/// snaps to the refresh that it belongs to. The result is that refresh plus a constant.
/// Thread safety: one thread at a time. Allocates: never. Cost: that of RefreshFit.
class FrameClock {
public:
    /// The time of the frame whose code reads the clock at `cpu_ns`. Never runs backwards.
    ///
    /// `stamp_ns` is the platform's own stamp where there is one (rAF, present timing), on the same
    /// clock. A stamp earlier than the one before, beyond +-kMaxTimeNs or more than 1 s from
    /// `cpu_ns` is refused, and the frame goes on without. A `cpu_ns` earlier than the one before
    /// or beyond +-kMaxTimeNs is refused: the time of the frame before is given again (at first 0).
    std::int64_t frame(std::int64_t cpu_ns, std::optional<std::int64_t> stamp_ns = {}) noexcept;

    /// Of the latest frame.
    [[nodiscard]] FrameTiming timing() const noexcept { return timing_; }
    /// Of the refresh. Nothing while no steady one is known, whatever the stamps say. Where a
    /// program always draws every second refresh, this is that longer period.
    [[nodiscard]] std::optional<double> period_ns() const noexcept;
    [[nodiscard]] const FrameClockStats& stats() const noexcept { return stats_; }

private:
    [[nodiscard]] bool accept_cpu(std::int64_t cpu_ns) noexcept;
    [[nodiscard]] bool accept_stamp(std::int64_t cpu_ns, std::int64_t stamp_ns) noexcept;
    void feed(std::int64_t cpu_ns) noexcept;
    [[nodiscard]] std::int64_t next_ordinal(const RefreshPoint& point) noexcept;
    void learn(std::int64_t ordinal) noexcept;
    void show_refresh(std::int64_t ordinal) noexcept;
    void show_time(FrameTiming timing, std::int64_t time_ns) noexcept;

    RefreshFit fit_;
    FrameTiming timing_ = FrameTiming::Measured;
    std::optional<std::int64_t> cpu_ns_;   // Of the frame before.
    std::optional<std::int64_t> stamp_ns_; // The newest good one.
    std::int64_t shown_ns_ = 0;            // What the frame before was given,
    double shown_part_ = 0.0;              // and the rest of it below a nanosecond.

    std::optional<std::int64_t> ordinal_;  // Locked: the refresh of the frame before.
    std::optional<std::int64_t> doubtful_; // It may have been late for an earlier one: see learn().
    int late_score_ = 0;                   // Above 0: late frames queue; else they miss refreshes.
    std::uint32_t repeats_ = 0;            // A bit per frame, the newest lowest.
    FrameClockStats stats_;
};

} // namespace glissade
