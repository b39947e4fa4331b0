// SPDX-License-Identifier: MIT
#include "glissade/trace/metrics.h"

#include <algorithm>
#include <cmath>

namespace glissade {

namespace {

constexpr double kHoldRate = 0.05;
constexpr double kJumpRate = 1.5;
constexpr double kTail = 0.99;
constexpr double kNsPerMs = 1e6;

struct Step {
    double shown_ns = 0.0;
    double present_ns = 0.0;
};

std::vector<Step> collect_steps(std::span<const ShownFrame> frames) {
    std::vector<Step> steps;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        const Step step{
            static_cast<double>(frames[i].shown_ns - frames[i - 1].shown_ns),
            static_cast<double>(frames[i].present_ns - frames[i - 1].present_ns) * frames[i].scale};
        if (frames[i].scored && step.present_ns > 0.0) {
            steps.push_back(step);
        }
    }
    return steps;
}

double mean_rate_of(std::span<const Step> steps) {
    double shown = 0.0;
    double present = 0.0;
    for (const Step& step : steps) {
        shown += step.shown_ns;
        present += step.present_ns;
    }
    return present > 0.0 ? shown / present : 0.0;
}

} // namespace

RateMetrics compute_rate_metrics(std::span<const ShownFrame> frames) {
    const std::vector<Step> steps = collect_steps(frames);
    RateMetrics metrics{.scored_count = steps.size(), .mean_rate = mean_rate_of(steps)};
    std::vector<double> rate_errors;
    std::vector<double> animation_errors;
    for (const Step& step : steps) {
        // A picture that never moved on has no mean rate; every frame of it is a hold.
        const double rate =
            metrics.mean_rate > 0.0 ? step.shown_ns / step.present_ns / metrics.mean_rate : 0.0;
        rate_errors.push_back(std::abs(rate - 1.0));
        animation_errors.push_back(std::abs(step.shown_ns - step.present_ns) / kNsPerMs);
        metrics.hold_count += rate < kHoldRate ? 1U : 0U;
        metrics.jump_count += rate > kJumpRate ? 1U : 0U;
        metrics.backward_count += step.shown_ns < 0.0 ? 1U : 0U;
    }
    metrics.rate_rms = compute_rms(rate_errors);
    metrics.animation_error_rms_ms = compute_rms(animation_errors);
    metrics.rate_p99 = compute_quantile(std::move(rate_errors), kTail);
    metrics.animation_error_p99_ms = compute_quantile(std::move(animation_errors), kTail);
    return metrics;
}

double compute_quantile(std::vector<double> values, double fraction) {
    if (values.empty()) {
        return 0.0;
    }
    std::sort(values.begin(), values.end());
    const double rank =
        std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(values.size()));
    const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
    return values[std::min(index, values.size() - 1)];
}

double compute_rms(std::span<const double> values) noexcept {
    double sum = 0.0;
    for (const double value : values) {
        sum += value * value;
    }
    return values.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(values.size()));
}

} // namespace glissade
