// SPDX-License-Identifier: MIT
// Is the picture what one of the well-known methods would have drawn? They are replayed on the same
// recording and compared step by step, which needs no threshold for each kind of wobble.
#include "lab/doctor/examination.h"
#include "lab/method.h"
#include "lab/replay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace glissade::lab {

namespace {

// A picture is a method's own when what is left is this part of its wobble.
constexpr double kSamePart = 0.3;
constexpr double kSeenMs = 0.05; // A wobble below it is none.
// Holds, or frames at the clamp: this part of all frames is no accident.
constexpr double kClampShare = 0.01;
constexpr double kShaken = 0.05; // A rate error that is seen.

struct Match {
    const char* method = "";
    double part = 1.0; ///< What the method leaves unexplained of the wobble.
};

double compare(const Examination& exam, const std::vector<PictureStep>& steps, const char* name) {
    const Drawn drawn = replay(exam.trace, *find_method(tick_methods(), name));
    const std::vector<JudgedObject> judged = exam.scorer.judge(drawn.frames);
    const JudgedObject* object = find_object(judged, exam.subject->id);
    if (object == nullptr) {
        return 1.0;
    }
    std::map<std::size_t, double> shown_ms;
    for (const PictureStep& step : collect_steps(exam, *object)) {
        shown_ms[step.frame] = step.shown_ms;
    }
    std::vector<double> rest;
    std::vector<double> wobble;
    for (const PictureStep& step : steps) {
        const auto found = shown_ms.find(step.frame);
        if (found != shown_ms.end()) {
            rest.push_back(step.shown_ms - found->second);
            wobble.push_back(step.error_ms);
        }
    }
    // A method that can be judged in other frames only is not the one.
    const bool enough = 2 * rest.size() >= steps.size() && !rest.empty();
    return enough ? compute_rms(rest) / compute_rms(wobble) : 1.0;
}

double wobble_of(const std::vector<PictureStep>& steps) {
    std::vector<double> errors(steps.size());
    std::transform(steps.begin(), steps.end(), errors.begin(),
                   [](const PictureStep& step) { return step.error_ms; });
    return compute_rms(errors);
}

Match find_match(const Examination& exam, const std::vector<PictureStep>& steps) {
    Match best;
    // In this order: where all ticks come evenly, the simpler one is meant.
    for (const char* name : {"newest", "constant-interval", "chase-target", "measured-interval"}) {
        const double part = compare(exam, steps, name);
        constexpr double kClearlyBetter = 0.5;
        if (part < kSamePart && part < kClearlyBetter * best.part) {
            best = {name, part};
        }
    }
    return best;
}

std::string matching_evidence(const Match& match, double rate_rms) {
    return fmt::format(
        "It goes as the method `{}` would draw this recording, frame by frame ({:.0f} % of "
        "its unevenness is explained by it). Rate error {:.3f}.",
        match.method, 100.0 * (1.0 - match.part * match.part), rate_rms);
}

void add_alpha_restart(const Match& match, double rate_rms, Diagnosis& diagnosis) {
    diagnosis.findings.push_back({Disease::AlphaRestart, rate_rms,
                                  "Each tick starts a new blend from whatever is on the screen: "
                                  "alpha restarts, and the speed "
                                  "changes with every tick.",
                                  matching_evidence(match, rate_rms),
                                  "Blend between two states of the simulation, never from the "
                                  "drawn pose: play stamped states "
                                  "back behind a delay."});
}

void add_measured_interval(const Match& match, double rate_rms, Diagnosis& diagnosis) {
    diagnosis.findings.push_back(
        {Disease::MeasuredInterval, rate_rms,
         "Alpha is divided by the interval measured last: a past interval does not predict the "
         "next.",
         matching_evidence(match, rate_rms),
         "Stamp each state with the time that it stands for and blend between stamps; then no "
         "interval has to be guessed."});
}

// How a picture that is led by its newest state goes wrong, by the method that it is most like.
const char* describe_clamp(std::string_view method) {
    if (method == "newest") {
        return "Every frame shows the newest state: nothing is blended, the picture steps.";
    }
    if (method == "constant-interval") {
        return "Blended by the time since the newest state arrived: each lateness shakes the "
               "picture, "
               "a long one holds it at its newest state, then it jumps.";
    }
    return "The picture runs into its newest state and waits there, then it jumps.";
}

void add_clamp(const Examination& exam, const std::vector<PictureStep>& steps, const Match& match,
               Diagnosis& diagnosis) {
    const RateMetrics& rate = *exam.subject_score->rate;
    diagnosis.findings.push_back(
        {Disease::ClampWithoutMargin, rate.rate_rms, describe_clamp(match.method),
         fmt::format(
             "{:.1f} % of the frames stand exactly at the newest state; {} holds and {} jumps in "
             "{} frames. Rate error {:.3f}.",
             100.0 * share_at_newest(steps), rate.hold_count, rate.jump_count, rate.scored_count,
             rate.rate_rms),
         fmt::format(
             "Stamp states with the time that they stand for, and draw behind the newest one "
             "by a tick plus the usual lateness, about {:.0f} ms here: two states and a clamp "
             "leave no margin.",
             exam.tick_ms + exam.lateness.p995_ms + 0.5)});
}

} // namespace

void examine_method(const Examination& exam, Diagnosis& diagnosis) {
    if (exam.subject == nullptr) {
        return;
    }
    const std::vector<PictureStep> steps = collect_steps(exam, *exam.subject);
    if (wobble_of(steps) < kSeenMs) {
        return;
    }
    const Match match = find_match(exam, steps);
    const RateMetrics& rate = *exam.subject_score->rate;
    const std::string_view name = match.method;
    if (name == "chase-target") {
        add_alpha_restart(match, rate.rate_rms, diagnosis);
    } else if (name == "measured-interval") {
        add_measured_interval(match, rate.rate_rms, diagnosis);
    }
    // Whatever the method: a picture at its newest state is at a clamp. Where each frame has its
    // own tick that is no fault; then nothing is held or jumps.
    const bool uneven = rate.hold_count + rate.jump_count > 0;
    const bool clamped = share_at_newest(steps) >= kClampShare && uneven;
    // Lateness that is too short to reach the clamp shakes the picture all the same.
    const bool shaken = name == "constant-interval" && rate.rate_rms > kShaken;
    if ((clamped && name != "chase-target") || shaken) {
        add_clamp(exam, steps, match, diagnosis);
    }
}

} // namespace glissade::lab
