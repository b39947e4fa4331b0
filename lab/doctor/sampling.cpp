// SPDX-License-Identifier: MIT
// A picture that follows the CPU clock of the callback although the display is steady.
#include "lab/doctor/examination.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glissade::lab {

namespace {

// One step of the picture against what may have moved it.
struct Row {
    double error_ms = 0.0;    ///< Of the picture.
    double callback_ms = 0.0; ///< CPU step minus display step.
    double lateness_ms = 0.0; ///< Change of the newest tick's lateness: moves stamps of arrival.
};

double lateness_of(const Examination& exam, std::size_t frame) {
    const NewestKnown& newest = exam.scorer.newest_known()[frame];
    return to_ms(newest.arrive_ns - newest.sim_ns);
}

std::vector<Row> collect_rows(const Examination& exam) {
    std::vector<Row> rows;
    for (const PictureStep& step : collect_steps(exam, *exam.subject)) {
        const TraceFrame& to = exam.trace.frames[step.frame];
        const TraceFrame& from = exam.trace.frames[step.frame - 1];
        // A clamped frame follows no clock at all.
        if (to.present_ns && !step.at_newest) {
            rows.push_back({step.error_ms, to_ms(to.cpu_ns - from.cpu_ns) - step.present_ms,
                            lateness_of(exam, step.frame) - lateness_of(exam, step.frame - 1)});
        }
    }
    return rows;
}

// error = callback x slope + lateness x other + rest, by least squares.
struct Fit {
    double slope = 0.0;
    double slope_error = 0.0; ///< Standard error of the slope.
    double callback_rms = 0.0;
};

Fit fit_rows(const std::vector<Row>& rows) {
    double cc = 0.0;
    double cl = 0.0;
    double ll = 0.0;
    double ce = 0.0;
    double le = 0.0;
    for (const Row& row : rows) {
        cc += row.callback_ms * row.callback_ms;
        cl += row.callback_ms * row.lateness_ms;
        ll += row.lateness_ms * row.lateness_ms;
        ce += row.callback_ms * row.error_ms;
        le += row.lateness_ms * row.error_ms;
    }
    constexpr double kNearlyNothing = 1e-12;
    const double determinant = cc * ll - cl * cl;
    const bool both = determinant > kNearlyNothing * cc * ll;
    Fit fit;
    fit.slope = both ? (ce * ll - le * cl) / determinant : ce / cc;
    const double other = both ? (le * cc - ce * cl) / determinant : 0.0;
    double rest = 0.0;
    for (const Row& row : rows) {
        const double left = row.error_ms - fit.slope * row.callback_ms - other * row.lateness_ms;
        rest += left * left;
    }
    const auto count = static_cast<double>(rows.size());
    fit.slope_error = std::sqrt(rest / count * (both ? ll / determinant : 1.0 / cc));
    fit.callback_rms = std::sqrt(cc / count);
    return fit;
}

} // namespace

void examine_sampling(const Examination& exam, Diagnosis& diagnosis) {
    if (exam.subject == nullptr) {
        return;
    }
    const std::vector<Row> rows = collect_rows(exam);
    const bool has_present = std::any_of(exam.trace.frames.begin(), exam.trace.frames.end(),
                                         [](const TraceFrame& frame) { return frame.present_ns; });
    if (!has_present) {
        diagnosis.notes.emplace_back(
            "Sampling by CPU time could not be examined: frames need `present`, the display's "
            "stamp.");
    }
    constexpr std::size_t kMinRows = 60;
    if (rows.size() < kMinRows) {
        return;
    }
    const Fit fit = fit_rows(rows);
    constexpr double kSeenMs = 0.1; // Below it the latency is too steady to do harm.
    constexpr double kLeastSlope = 0.5;
    constexpr double kMostSlope = 1.5;
    constexpr double kSureness = 6.0; // Standard errors.
    const bool follows = fit.slope > kLeastSlope && fit.slope < kMostSlope &&
                         fit.slope > kSureness * fit.slope_error;
    if (fit.callback_rms < kSeenMs || !follows) {
        return;
    }
    const double frame_ms =
        to_ms(present_of(exam.trace.frames.back()) - present_of(exam.trace.frames.front())) /
        static_cast<double>(exam.trace.frames.size() - 1);
    diagnosis.findings.push_back(
        {Disease::CpuTimeSampling, fit.slope * fit.callback_rms / frame_ms,
         "The picture follows the clock that the callback reads, not the display.",
         fmt::format(
             "The display is steady, but the callback starts {:.2f} ms (RMS) more or less late "
             "from frame to frame, and the picture follows it by {:.2f} +- {:.2f} ms a ms.",
             fit.callback_rms, fit.slope, fit.slope_error),
         "Use the display's own time stamp for the frame: the argument of requestAnimationFrame, "
         "the "
         "present timing of the swap chain, or a clock fitted to the refresh."});
}

} // namespace glissade::lab
