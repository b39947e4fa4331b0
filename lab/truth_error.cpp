// SPDX-License-Identifier: MIT
#include "lab/truth_error.h"

#include "lab/lateness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade::lab {

namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kNsPerSecond = 1e9;
constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;
// The best lag is looked for this far around the mean one.
constexpr double kSearchNs = 30e6;

struct Sample {
    double source_ns = 0.0; ///< The source's present when the frame was shown.
    std::int64_t present_ns = 0;
    std::size_t place = 0; ///< Of the frame in the object's list: successive or not.
    glm::dvec3 position{0.0};
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
};

double angle_between(const glm::dquat& from, const glm::dquat& to) {
    const glm::dquat step = glm::conjugate(from) * to;
    return 2.0 * std::atan2(glm::length(glm::dvec3{step.x, step.y, step.z}), std::abs(step.w));
}

std::int64_t at_lag(const Sample& sample, double lag_ns) {
    return std::llround(sample.source_ns - lag_ns);
}

// The mean square of the error in metres or radians.
double square_error(const MotionPath& path, const std::vector<Sample>& samples, double lag_ns) {
    double sum = 0.0;
    for (const Sample& sample : samples) {
        const PathPoint truth = path.at(at_lag(sample, lag_ns));
        const double error = path.turns_only() ? angle_between(truth.rotation, sample.rotation)
                                               : glm::distance(truth.position, sample.position);
        sum += error * error;
    }
    return sum / static_cast<double>(samples.size());
}

// Golden section: the error around the best lag is a valley.
double find_best_lag(const MotionPath& path, const std::vector<Sample>& samples, double start_ns) {
    const double part = 1.0 / std::numbers::phi;
    double low = start_ns - kSearchNs;
    double high = start_ns + kSearchNs;
    double left = high - part * (high - low);
    double right = low + part * (high - low);
    double left_error = square_error(path, samples, left);
    double right_error = square_error(path, samples, right);
    constexpr double kPrecisionNs = 1e4;
    while (high - low > kPrecisionNs) {
        if (left_error < right_error) {
            high = right;
            right = left;
            right_error = left_error;
            left = high - part * (high - low);
            left_error = square_error(path, samples, left);
        } else {
            low = left;
            left = right;
            left_error = right_error;
            right = low + part * (high - low);
            right_error = square_error(path, samples, right);
        }
    }
    return (low + high) / 2.0;
}

// RMS of the error of the drawn velocity, over the RMS of the true one. By angle for turns.
std::optional<double> velocity_error(const MotionPath& path, const std::vector<Sample>& samples,
                                     double lag_ns) {
    std::vector<double> errors;
    std::vector<double> speeds;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const Sample& from = samples[i - 1];
        const Sample& to = samples[i];
        const auto elapsed_s = static_cast<double>(to.present_ns - from.present_ns) / kNsPerSecond;
        if (to.place != from.place + 1 || elapsed_s <= 0.0) {
            continue;
        }
        const PathPoint true_from = path.at(at_lag(from, lag_ns));
        const PathPoint true_to = path.at(at_lag(to, lag_ns));
        if (path.turns_only()) {
            const double truth = angle_between(true_from.rotation, true_to.rotation);
            errors.push_back((angle_between(from.rotation, to.rotation) - truth) / elapsed_s);
            speeds.push_back(truth / elapsed_s);
        } else {
            const glm::dvec3 truth = true_to.position - true_from.position;
            errors.push_back(glm::length(to.position - from.position - truth) / elapsed_s);
            speeds.push_back(glm::length(truth) / elapsed_s);
        }
    }
    const double speed = compute_rms(speeds);
    return speed > 0.0 ? std::optional(compute_rms(errors) / speed) : std::nullopt;
}

} // namespace

SourceMap::SourceMap(const Trace& trace) {
    const bool due = has_schedule(trace);
    bool scaled = false;
    for (const TraceTick& tick : trace.ticks) {
        scaled = scaled || tick.paused || tick.scale.value_or(1.0) != 1.0;
    }
    for (const TraceTick& tick : trace.ticks) {
        const std::int64_t time_ns = due ? *tick.due_ns : tick.arrive_ns;
        if (knots_.empty() ||
            (time_ns > knots_.back().time_ns && tick.sim_ns > knots_.back().source_ns)) {
            knots_.push_back({time_ns, tick.sim_ns});
        }
    }
    if (knots_.empty()) {
        knots_.emplace_back(); // Without ticks any timeline will do.
    }
    if ((!due && !scaled) || knots_.size() < 2) {
        line_ = fit_line(knots_);
    }
}

double SourceMap::source_at(std::int64_t time_ns) const {
    if (line_) {
        return line_->source_at(time_ns);
    }
    const auto after = std::upper_bound(
        knots_.begin() + 1, knots_.end() - 1, time_ns,
        [](std::int64_t time, const TimePair& knot) { return time < knot.time_ns; });
    const TimePair& from = *(after - 1);
    const auto elapsed = static_cast<double>(time_ns - from.time_ns);
    const auto length = static_cast<double>(after->time_ns - from.time_ns);
    return static_cast<double>(from.source_ns) +
           elapsed / length * static_cast<double>(after->source_ns - from.source_ns);
}

void score_against_truth(const Trace& trace, const JudgedObject& object, ObjectScore& result) {
    const bool has_truth =
        std::any_of(trace.truths.begin(), trace.truths.end(),
                    [&](const TraceTruth& truth) { return truth.id == object.id; });
    if (!has_truth) {
        return;
    }
    const SourceMap map(trace);
    std::vector<Sample> samples;
    double lag_sum = 0.0;
    for (std::size_t i = 0; i < object.frames.size(); ++i) {
        const JudgedFrame& frame = object.frames[i];
        if (!frame.shown.scored) {
            continue;
        }
        const double source_ns = map.source_at(frame.shown.present_ns);
        samples.push_back({source_ns, frame.shown.present_ns, i, frame.drawn.position,
                           frame.drawn.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0})});
        lag_sum += source_ns - static_cast<double>(frame.shown.shown_ns);
    }
    const MotionPath& path = *object.path;
    const double mean_lag = lag_sum / static_cast<double>(samples.size());
    const double lag_ns = find_best_lag(path, samples, mean_lag);
    std::vector<double> positions;
    std::vector<double> angles;
    for (const Sample& sample : samples) {
        const PathPoint truth = path.at(at_lag(sample, lag_ns));
        positions.push_back(glm::distance(truth.position, sample.position));
        angles.push_back(angle_between(truth.rotation, sample.rotation) * kDegreesPerRadian);
    }
    result.best_lag_ms = lag_ns / kNsPerMs;
    result.position_error_m_rms = compute_rms(positions);
    result.angle_error_deg_rms = compute_rms(angles);
    result.velocity_error_ratio = velocity_error(path, samples, lag_ns);
}

} // namespace glissade::lab
