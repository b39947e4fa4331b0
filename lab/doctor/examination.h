// SPDX-License-Identifier: MIT
// What the examinations of the doctor share: the recording, its judged frames, small statistics.
#pragma once

#include "lab/doctor.h"
#include "lab/score.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glissade::lab {

/// How late ticks are, against the schedule, or against a straight line whose earliest tick is in
/// time.
struct Lateness {
    double p1_ms = 0.0;
    double mean_ms = 0.0;
    double p995_ms = 0.0;
    bool has_schedule = false;
};

/// A recording with everything that is worked out of it once.
struct Examination {
    Examination(const Trace& trace_in, std::span<const DrawnFrame> drawn_in);

    const Trace& trace;
    std::span<const DrawnFrame> drawn;
    Scorer scorer;
    Score score{};
    std::vector<JudgedObject> judged{};
    const JudgedObject* subject = nullptr; ///< The worst object that can be judged, if any.
    const ObjectScore* subject_score = nullptr;
    double tick_ms = 0.0; ///< Nominal, or the median; 0 without ticks.
    Lateness lateness{};
};

// Each adds what it finds.

void examine_clocks(const Examination& exam, Diagnosis& diagnosis);   ///< Gap, free running.
void examine_frames(const Examination& exam, Diagnosis& diagnosis);   ///< Pacing.
void examine_delay(const Examination& exam, Diagnosis& diagnosis);    ///< Needless, underruns.
void examine_sampling(const Examination& exam, Diagnosis& diagnosis); ///< CPU time.
void examine_method(const Examination& exam, Diagnosis& diagnosis);   ///< Alpha, clamp, interval.
void examine_quanta(const Examination& exam, Diagnosis& diagnosis);   ///< Constant divisor.
void examine_cuts(const Examination& exam, Diagnosis& diagnosis);     ///< Missed cuts.
void examine_cameras(const Examination& exam, Diagnosis& diagnosis);  ///< Damping per frame.

/// One judged step from a frame to the next: how far the picture went, and how far it should have.
struct PictureStep {
    std::size_t frame = 0;    ///< Index of the later frame in the trace.
    double shown_ms = 0.0;    ///< Change of shown time.
    double present_ms = 0.0;  ///< Change of present time.
    double error_ms = 0.0;    ///< Shown step minus present step at the mean rate.
    bool at_newest = false;   ///< The later frame shows the newest state that it could know.
    std::int64_t from_ns = 0; ///< Shown time of the earlier frame.
    std::int64_t to_ns = 0;   ///< Shown time of the later one.
};
[[nodiscard]] std::vector<PictureStep> collect_steps(const Examination& exam,
                                                     const JudgedObject& object);

/// Part of the steps that end at the newest state.
[[nodiscard]] double share_at_newest(std::span<const PictureStep> steps);

[[nodiscard]] double mean_of(std::span<const double> values);
/// Standard deviation.
[[nodiscard]] double deviation_of(std::span<const double> values);
[[nodiscard]] double median_of(std::vector<double> values);

inline constexpr double kNsPerMs = 1e6;
[[nodiscard]] inline double to_ms(std::int64_t ns) {
    return static_cast<double>(ns) / kNsPerMs;
}

} // namespace glissade::lab
