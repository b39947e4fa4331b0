// SPDX-License-Identifier: MIT
#include "lab/doctor/examination.h"

#include "lab/lateness.h"

#include <algorithm>
#include <cmath>

namespace glissade::lab {

namespace {

double find_tick_ms(const Trace& trace) {
    if (trace.header.tick_ns) {
        return to_ms(*trace.header.tick_ns);
    }
    std::vector<double> lengths;
    for (std::size_t i = 1; i < trace.ticks.size(); ++i) {
        lengths.push_back(to_ms(trace.ticks[i].sim_ns - trace.ticks[i - 1].sim_ns));
    }
    return median_of(std::move(lengths));
}

Lateness measure_lateness(const Trace& trace) {
    const std::vector<double> lateness_ms = collect_lateness_ms(trace);
    return {.p1_ms = compute_quantile(lateness_ms, 0.01),
            .mean_ms = mean_of(lateness_ms),
            .p995_ms = compute_quantile(lateness_ms, 0.995),
            .has_schedule = has_schedule(trace)};
}

} // namespace

Examination::Examination(const Trace& trace_in, std::span<const DrawnFrame> drawn_in)
    : trace(trace_in),
      drawn(drawn_in),
      scorer(trace_in),
      score(scorer.score(drawn_in)),
      judged(scorer.judge(drawn_in)),
      tick_ms(find_tick_ms(trace_in)),
      lateness(measure_lateness(trace_in)) {
    if (!score.worst || !score.objects[*score.worst].rate) {
        return;
    }
    subject_score = &score.objects[*score.worst];
    subject = find_object(judged, subject_score->id);
}

std::vector<PictureStep> collect_steps(const Examination& exam, const JudgedObject& object) {
    std::vector<PictureStep> steps;
    double shown_sum = 0.0;
    double present_sum = 0.0;
    for (std::size_t i = 1; i < object.frames.size(); ++i) {
        const JudgedFrame& from = object.frames[i - 1];
        const JudgedFrame& to = object.frames[i];
        if (!to.shown.scored) {
            continue;
        }
        PictureStep step{.frame = to.frame,
                         .shown_ms = to_ms(to.shown.shown_ns - from.shown.shown_ns),
                         .present_ms = to_ms(to.shown.present_ns - from.shown.present_ns),
                         .from_ns = from.shown.shown_ns,
                         .to_ns = to.shown.shown_ns};
        // A few microseconds: clamped pictures are at the state to the last bit of a float.
        constexpr std::int64_t kSameNs = 5'000;
        const std::int64_t newest = exam.scorer.newest_known()[to.frame].sim_ns;
        step.at_newest = std::abs(to.shown.shown_ns - newest) <= kSameNs;
        shown_sum += step.shown_ms;
        present_sum += step.present_ms * to.shown.scale;
        steps.push_back(step);
    }
    const double rate = present_sum > 0.0 ? shown_sum / present_sum : 1.0;
    for (PictureStep& step : steps) {
        step.error_ms = step.shown_ms - rate * step.present_ms;
    }
    return steps;
}

double share_at_newest(std::span<const PictureStep> steps) {
    const auto count = std::count_if(steps.begin(), steps.end(),
                                     [](const PictureStep& step) { return step.at_newest; });
    return steps.empty() ? 0.0 : static_cast<double>(count) / static_cast<double>(steps.size());
}

double mean_of(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
    const double mean = mean_of(values);
    double sum = 0.0;
    for (const double value : values) {
        sum += (value - mean) * (value - mean);
    }
    return values.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(values.size()));
}

double median_of(std::vector<double> values) {
    return compute_quantile(std::move(values), 0.5);
}

} // namespace glissade::lab
