// SPDX-License-Identifier: MIT
// Ticks of different lengths, and an alpha that divides by a constant all the same.
#include "lab/doctor/examination.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace glissade::lab {

namespace {

constexpr std::size_t kMinPairs = 30;

// A step of the picture inside one tick, and the length of that tick.
struct InsideStep {
    double quantum_ms = 0.0;
    double rate = 0.0;
};

std::vector<std::int64_t> collect_times(const Trace& trace) {
    std::vector<std::int64_t> times;
    for (const TraceTick& tick : trace.ticks) {
        if (times.empty() || tick.sim_ns > times.back()) {
            times.push_back(tick.sim_ns);
        }
    }
    return times;
}

std::vector<InsideStep> collect_inside(const Examination& exam,
                                       const std::vector<std::int64_t>& times) {
    std::vector<InsideStep> inside;
    for (const PictureStep& step : collect_steps(exam, *exam.subject)) {
        const auto end = std::lower_bound(times.begin(), times.end(), step.to_ns);
        const bool within =
            end != times.begin() && end != times.end() && *(end - 1) <= step.from_ns;
        // A step that reaches the end of its tick may have waited there.
        constexpr std::int64_t kEndNs = 5'000;
        const bool moves = within && step.to_ns > step.from_ns && *end - step.to_ns > kEndNs;
        if (moves && step.present_ms > 0.0) {
            inside.push_back({to_ms(*end - *(end - 1)), step.shown_ms / step.present_ms});
        }
    }
    return inside;
}

// Sum of squares of rate - factor x quantum^power, with the best factor.
double unexplained(const std::vector<InsideStep>& steps, bool by_quantum) {
    double product = 0.0;
    double square = 0.0;
    for (const InsideStep& step : steps) {
        const double x = by_quantum ? step.quantum_ms : 1.0;
        product += x * step.rate;
        square += x * x;
    }
    double rest = 0.0;
    for (const InsideStep& step : steps) {
        const double x = by_quantum ? step.quantum_ms : 1.0;
        const double left = step.rate - product / square * x;
        rest += left * left;
    }
    return rest;
}

} // namespace

void examine_quanta(const Examination& exam, Diagnosis& diagnosis) {
    if (exam.subject == nullptr) {
        return;
    }
    const std::vector<std::int64_t> times = collect_times(exam.trace);
    const std::vector<InsideStep> inside = collect_inside(exam, times);
    if (inside.size() < kMinPairs) {
        return;
    }
    std::vector<double> quanta;
    std::vector<double> rates;
    for (const InsideStep& step : inside) {
        quanta.push_back(step.quantum_ms);
        rates.push_back(step.rate);
    }
    constexpr double kSeen = 0.02; // Relative: of quanta that differ, and of a speed that is off.
    constexpr double kMuchBetter = 0.5;
    const bool quanta_differ = deviation_of(quanta) > kSeen * mean_of(quanta);
    const bool rates_differ = deviation_of(rates) > kSeen * mean_of(rates);
    const bool follows = quanta_differ && rates_differ &&
                         unexplained(inside, true) < kMuchBetter * unexplained(inside, false);
    // All quanta alike but longer than the divisor: too fast inside each, then held at its end.
    const double speed = median_of(rates) / exam.subject_score->rate->mean_rate;
    constexpr double kTooFast = 1.02;
    const bool too_fast = exam.trace.header.source == TraceSource::Local &&
                          !exam.trace.header.tick_ns && speed > kTooFast && !quanta_differ;
    if (!follows && !too_fast) {
        return;
    }
    diagnosis.findings.push_back(
        {Disease::QuantumDivisor, exam.subject_score->rate->rate_rms,
         "Ticks have different lengths, but alpha divides by a constant.",
         fmt::format(
             "Inside a tick the picture runs at {:.2f} to {:.2f} of its mean speed, in proportion "
             "to the tick's length of {:.1f} to {:.1f} ms.",
             *std::min_element(rates.begin(), rates.end()),
             *std::max_element(rates.begin(), rates.end()),
             *std::min_element(quanta.begin(), quanta.end()),
             *std::max_element(quanta.begin(), quanta.end())),
         "Divide by the length of the tick that is shown, or better: play stamped ticks back "
         "behind a "
         "delay (QuantumGate with AlphaBasis::Stamped)."});
}

} // namespace glissade::lab
