// SPDX-License-Identifier: MIT
#include "lab/doctor.h"

#include "lab/doctor/examination.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace glissade::lab {

const char* to_string(Disease disease) noexcept {
    switch (disease) {
        case Disease::ClockOriginGap:
            return "clock_origin_gap";
        case Disease::FreeRunningSource:
            return "free_running_source";
        case Disease::FramePacing:
            return "frame_pacing";
        case Disease::NeedlessDelay:
            return "needless_delay";
        case Disease::CpuTimeSampling:
            return "cpu_time_sampling";
        case Disease::AlphaRestart:
            return "alpha_restart";
        case Disease::ClampWithoutMargin:
            return "clamp_without_margin";
        case Disease::MeasuredInterval:
            return "measured_interval";
        case Disease::MissedCut:
            return "missed_cut";
        case Disease::QuantumDivisor:
            return "quantum_divisor";
        case Disease::Underruns:
            return "underruns";
        case Disease::CameraDampingPerFrame:
            return "camera_damping_per_frame";
    }
    return "unknown";
}

Diagnosis diagnose(const Trace& trace, std::span<const DrawnFrame> drawn) {
    Diagnosis diagnosis;
    if (trace.ticks.empty() || trace.frames.empty()) {
        diagnosis.notes.emplace_back(
            "There is nothing to examine: a recording has ticks and frames.");
        return diagnosis;
    }
    const Examination exam(trace, drawn);
    diagnosis.problem = exam.score.problem;
    if (!diagnosis.problem.empty()) {
        return diagnosis;
    }
    examine_clocks(exam, diagnosis);
    examine_frames(exam, diagnosis);
    examine_delay(exam, diagnosis);
    examine_sampling(exam, diagnosis);
    examine_method(exam, diagnosis);
    examine_quanta(exam, diagnosis);
    examine_cuts(exam, diagnosis);
    examine_cameras(exam, diagnosis);
    if (drawn.empty()) {
        diagnosis.notes.emplace_back(
            "Only the trace was examined; give what was drawn as well to have the picture judged.");
    } else if (exam.subject == nullptr) {
        diagnosis.notes.emplace_back("No object was drawn in motion after the first 2 s.");
    }
    // Better to say that the cause is unknown than to call an uneven picture healthy.
    constexpr double kUneven = 0.05;
    const bool uneven =
        exam.subject_score != nullptr && exam.subject_score->rate->rate_rms > kUneven;
    if (uneven && diagnosis.findings.empty()) {
        diagnosis.notes.push_back(fmt::format(
            "The picture is uneven (rate error {:.3f}), but none of the known causes explains "
            "it; smoothing that goes part of the way in each frame looks like this.",
            exam.subject_score->rate->rate_rms));
    }
    diagnosis.healthy = diagnosis.findings.empty() && !uneven;
    std::stable_sort(diagnosis.findings.begin(), diagnosis.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return diagnosis;
}

nlohmann::ordered_json to_json(const Diagnosis& diagnosis) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const Finding& finding : diagnosis.findings) {
        findings.push_back({{"name", to_string(finding.disease)},
                            {"severity", finding.severity},
                            {"what", finding.what},
                            {"evidence", finding.evidence},
                            {"cure", finding.cure}});
    }
    return {{"healthy", diagnosis.healthy},
            {"findings", std::move(findings)},
            {"notes", diagnosis.notes}};
}

} // namespace glissade::lab
