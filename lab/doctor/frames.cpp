// SPDX-License-Identifier: MIT
// Frames that come too late: no interpolation can cure that.
#include "lab/doctor/examination.h"

#include <algorithm>

#include <fmt/format.h>

namespace glissade::lab {

namespace {

constexpr std::size_t kMinFrames = 60;
constexpr std::size_t kNeighbours =
    4; // On each side: a display with variable refresh moves slowly.

// How many intervals are much longer than those around them.
std::size_t count_long(const std::vector<double>& intervals, double limit) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        const std::size_t from = i > kNeighbours ? i - kNeighbours : 0;
        const std::size_t to = std::min(i + kNeighbours + 1, intervals.size());
        std::vector<double> around(intervals.begin() + static_cast<std::ptrdiff_t>(from),
                                   intervals.begin() + static_cast<std::ptrdiff_t>(to));
        count += intervals[i] > limit * median_of(std::move(around)) ? 1U : 0U;
    }
    return count;
}

} // namespace

void examine_frames(const Examination& exam, Diagnosis& diagnosis) {
    std::vector<double> intervals;
    bool has_present = true;
    for (std::size_t i = 1; i < exam.trace.frames.size(); ++i) {
        const TraceFrame& frame = exam.trace.frames[i];
        has_present = has_present && frame.present_ns;
        if (frame.cpu_ns >= exam.scorer.start_ns()) {
            intervals.push_back(to_ms(present_of(frame) - present_of(exam.trace.frames[i - 1])));
        }
    }
    if (intervals.size() < kMinFrames) {
        return;
    }
    // Without the display's own stamps the callback's latency blurs every interval.
    const double limit = has_present ? 1.5 : 1.75;
    constexpr double kMaxShare = 0.01;
    const std::size_t count = count_long(intervals, limit);
    const double share = static_cast<double>(count) / static_cast<double>(intervals.size());
    if (share < kMaxShare) {
        return;
    }
    const double longest = *std::max_element(intervals.begin(), intervals.end());
    diagnosis.findings.push_back(
        {Disease::FramePacing, 2.0 * share,
         "Frames miss their refresh: no interpolation cures that.",
         fmt::format("{} of {} frames ({:.1f} %) stay on the screen {} times as long as their "
                     "neighbours or longer; the longest takes {:.1f} ms, the usual one {:.1f} ms.",
                     count, intervals.size(), 100.0 * share, limit, longest, median_of(intervals)),
         "Make the frame cheaper, or show fewer of them at an even pace. Profile the long ones: "
         "loading, garbage collection, shader compilation."});
}

} // namespace glissade::lab
