// SPDX-License-Identifier: MIT
#include "judge.h"

#include "lab/replay.h"
#include "lab/score.h"
#include "lab/trace_text.h"

#include <algorithm>

namespace physics_thread {

namespace {

namespace lab = glissade::lab;

// What most people write first and second.
constexpr const char* kOthers[] = {"constant-interval", "measured-interval"};

void add_figures(const lab::Scorer& scorer, const std::vector<glissade::DrawnFrame>& drawn,
                 const std::string& method, Verdict& verdict) {
    const lab::Score score = scorer.score(drawn);
    const auto object =
        std::find_if(score.objects.begin(), score.objects.end(),
                     [](const lab::ObjectScore& one) { return one.id == kCharacterId; });
    if (object == score.objects.end() || !object->rate) {
        verdict.problem = score.problem.empty() ? "too few frames to judge" : score.problem;
        return;
    }
    verdict.figures.push_back({.method = method,
                               .rate_error = object->rate->rate_rms,
                               .lag_ms = object->lag_ms_mean.value_or(0.0),
                               .frame_count = object->frame_count,
                               .underrun_count = object->underrun_count.value_or(0),
                               .hold_count = object->rate->hold_count,
                               .jump_count = object->rate->jump_count,
                               .backward_count = object->rate->backward_count});
}

} // namespace

Verdict judge(const Recording& recording, double warmup_s) {
    lab::TraceLoader trace;
    lab::DrawnLoader drawn;
    Verdict verdict;
    if (!trace.push(recording.trace) || !trace.finish() || !drawn.push(recording.drawn) ||
        !drawn.finish()) {
        verdict.problem = "the recording cannot be read: " + trace.error().cause;
        return verdict;
    }
    const lab::Scorer scorer(trace.trace(), {.warmup_s = warmup_s});
    add_figures(scorer, drawn.frames(), "glissade", verdict);
    for (const char* name : kOthers) {
        const lab::Drawn other = lab::replay(trace.trace(), *lab::find_method(name));
        add_figures(scorer, other.frames, name, verdict);
    }
    return verdict;
}

} // namespace physics_thread
