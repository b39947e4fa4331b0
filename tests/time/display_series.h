// SPDX-License-Identifier: MIT
// Frames of a simulated display, and how even a series of times is against it.
#pragma once

#include "glissade/time/frame_clock.h"
#include "glissade/time/rate.h"

#include "time/frame_series.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glissade::testing {

/// One frame: when it is shown, and when its code ran.
struct DisplayFrame {
    std::int64_t present_ns = 0;
    std::int64_t cpu_ns = 0;
};

/// How a simulated display and its callbacks behave. Times in nanoseconds.
struct DisplayConfig {
    double rate_hz = 60.0;
    std::int64_t frame_count = 1200;
    std::int64_t start_ns = 100'000'000;
    std::int64_t least_late_ns = 300'000; ///< Every callback is this late,
    std::int64_t usual_late_ns = 150'000; ///< and up to this much more;
    int late_percent = 10;                ///< some of them
    double late_periods = 0.8;            ///< up to so many periods more.
    int missed_percent = 0;               ///< Frames after which a refresh is left out.
    int refreshes_per_frame = 1;
    std::int64_t quantum_ns = 1; ///< The clock that the callbacks read shows multiples of it.
    std::uint64_t seed = 1;
};

/// The frames of such a display. A callback never runs before the one of the frame before it.
inline std::vector<DisplayFrame> make_display(const DisplayConfig& config) {
    const double period_ns = 1e9 / config.rate_hz;
    Random random(config.seed);
    std::vector<DisplayFrame> frames;
    std::int64_t refresh = 0;
    std::int64_t previous_ns = config.start_ns;
    for (std::int64_t i = 0; i < config.frame_count; ++i) {
        const std::int64_t present_ns =
            config.start_ns + std::llround(static_cast<double>(refresh) * period_ns);
        std::int64_t late_ns = config.least_late_ns + random.between(0, config.usual_late_ns);
        if (random.between(0, 99) < config.late_percent) {
            late_ns += random.between(0, std::llround(config.late_periods * period_ns));
        }
        previous_ns = std::max(previous_ns, present_ns + late_ns);
        frames.push_back({present_ns, previous_ns / config.quantum_ns * config.quantum_ns});
        refresh += config.refreshes_per_frame;
        refresh += random.between(0, 99) < config.missed_percent ? 1 : 0;
    }
    return frames;
}

/// Frames of a variable refresh: each interval is 1 / fps with fps anywhere within the limits.
inline std::vector<DisplayFrame> make_variable_display(std::int64_t least_fps,
                                                       std::int64_t most_fps,
                                                       std::int64_t frame_count,
                                                       std::int64_t start_ns, std::uint64_t seed) {
    Random random(seed);
    std::vector<DisplayFrame> frames;
    std::int64_t present_ns = start_ns;
    for (std::int64_t i = 0; i < frame_count; ++i) {
        present_ns +=
            kNanosecondsPerSecond * 1000 / random.between(least_fps * 1000, most_fps * 1000);
        frames.push_back({present_ns, present_ns + 300'000 + random.between(0, 150'000)});
    }
    return frames;
}

/// What a FrameClock made of a series of frames, from the CPU times alone.
struct ClockedSeries {
    std::vector<std::int64_t> shown_ns;
    std::vector<FrameTiming> timings;
};

inline ClockedSeries run_clock(FrameClock& clock, const std::vector<DisplayFrame>& frames) {
    ClockedSeries series;
    for (const DisplayFrame& frame : frames) {
        series.shown_ns.push_back(clock.frame(frame.cpu_ns));
        series.timings.push_back(clock.timing());
    }
    return series;
}

/// Rate error (root mean square of the step of `shown_ns` over that of the display, less 1) of the
/// frames from index `first` on.
inline double rate_error(const std::vector<DisplayFrame>& frames,
                         const std::vector<std::int64_t>& shown_ns, std::size_t first) {
    double sum = 0.0;
    for (std::size_t i = first; i < frames.size(); ++i) {
        const auto shown = static_cast<double>(shown_ns[i] - shown_ns[i - 1]);
        const auto real = static_cast<double>(frames[i].present_ns - frames[i - 1].present_ns);
        sum += (shown / real - 1.0) * (shown / real - 1.0);
    }
    return std::sqrt(sum / static_cast<double>(frames.size() - first));
}

/// Largest less smallest distance of `shown_ns` to the display, from index `first` on.
inline std::int64_t offset_range_ns(const std::vector<DisplayFrame>& frames,
                                    const std::vector<std::int64_t>& shown_ns, std::size_t first) {
    std::int64_t least_ns = shown_ns[first] - frames[first].present_ns;
    std::int64_t most_ns = least_ns;
    for (std::size_t i = first; i < frames.size(); ++i) {
        least_ns = std::min(least_ns, shown_ns[i] - frames[i].present_ns);
        most_ns = std::max(most_ns, shown_ns[i] - frames[i].present_ns);
    }
    return most_ns - least_ns;
}

/// The index of the first frame `after_ns` after the first one.
inline std::size_t first_after(const std::vector<DisplayFrame>& frames, std::int64_t after_ns) {
    std::size_t index = 0;
    while (frames[index].cpu_ns < frames.front().cpu_ns + after_ns) {
        ++index;
    }
    return index;
}

} // namespace glissade::testing
