// SPDX-License-Identifier: MIT
// A camera that goes a fixed part of the way in each frame, however long the frame is.
#include "lab/doctor/examination.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <glm/geometric.hpp>

namespace glissade::lab {

namespace {

constexpr std::size_t kMinSteps = 60;

// How a camera moved in each frame.
struct CameraSteps {
    std::vector<double> gains{};      ///< Part of the way to its goal.
    std::vector<double> elapsed_ms{}; ///< Since the frame before.
};

void collect_cameras(const TraceTick& tick, std::set<std::int64_t>& cameras) {
    for (const TracePose& pose : tick.poses) {
        if (pose.camera) {
            cameras.insert(pose.id);
        }
    }
}

std::set<std::int64_t> find_cameras(const Trace& trace) {
    std::set<std::int64_t> cameras;
    for (const TraceTick& tick : trace.ticks) {
        collect_cameras(tick, cameras);
    }
    return cameras;
}

// Where the camera wants to be when each frame is made: its newest pose.
std::vector<std::optional<glm::dvec3>> collect_goals(const Trace& trace, std::int64_t id) {
    std::vector<std::optional<glm::dvec3>> goals;
    std::optional<glm::dvec3> goal;
    visit_lines(
        trace,
        [&](const TraceTick& tick) {
            for (const TracePose& pose : tick.poses) {
                goal = pose.id == id ? std::optional(pose.position) : goal;
            }
        },
        [&](const TraceFrame& /*frame*/) { goals.push_back(goal); });
    return goals;
}

CameraSteps collect_camera_steps(const Examination& exam, const JudgedObject& camera) {
    const auto goals = collect_goals(exam.trace, camera.id);
    CameraSteps steps;
    for (std::size_t i = 1; i < camera.frames.size(); ++i) {
        const JudgedFrame& from = camera.frames[i - 1];
        const JudgedFrame& to = camera.frames[i];
        const auto& goal = goals[to.frame];
        if (!goal || to.frame != from.frame + 1) {
            continue;
        }
        const double left = glm::distance(*goal, from.drawn.position);
        constexpr double kArrived = 1e-6;
        if (left > kArrived) {
            steps.gains.push_back(glm::distance(to.drawn.position, from.drawn.position) / left);
            steps.elapsed_ms.push_back(
                to_ms(exam.trace.frames[to.frame].cpu_ns - exam.trace.frames[from.frame].cpu_ns));
        }
    }
    return steps;
}

double relative_deviation(const std::vector<double>& values) {
    const double mean = mean_of(values);
    return mean > 0.0 ? deviation_of(values) / mean : 0.0;
}

// Damping per second has the same rate -ln(1 - gain) / elapsed in every frame.
std::vector<double> rates_per_second(const CameraSteps& steps) {
    std::vector<double> rates;
    for (std::size_t i = 0; i < steps.gains.size(); ++i) {
        constexpr double kMost = 0.999;
        rates.push_back(-std::log1p(-std::min(steps.gains[i], kMost)) / steps.elapsed_ms[i]);
    }
    return rates;
}

void examine_camera(const Examination& exam, const JudgedObject& camera, Diagnosis& diagnosis) {
    const CameraSteps steps = collect_camera_steps(exam, camera);
    const double frames_differ = relative_deviation(steps.elapsed_ms);
    constexpr double kSteady = 0.005; // With even frames the two kinds of damping are the same.
    if (steps.gains.size() < kMinSteps || frames_differ < kSteady) {
        diagnosis.notes.push_back(
            fmt::format("Camera {}: frames are too even to tell damping per frame from damping per "
                        "second; record with some load.",
                        camera.id));
        return;
    }
    const double gain = median_of(steps.gains);
    constexpr double kLeastGain = 0.002;
    constexpr double kMostGain = 0.9;
    const double by_frame = relative_deviation(steps.gains);
    const double by_second = relative_deviation(rates_per_second(steps));
    const bool damped = gain > kLeastGain && gain < kMostGain;
    if (!damped || by_frame > by_second / 2.0) {
        return;
    }
    diagnosis.findings.push_back(
        {Disease::CameraDampingPerFrame, frames_differ,
         "The camera is damped per frame instead of per second: it follows differently at every "
         "frame "
         "rate, and jerks when a frame is late.",
         fmt::format(
             "Camera {} goes {:.1f} % of the way in each frame (varying by {:.1f} % of that), "
             "although frames differ in length by {:.1f} %.",
             camera.id, 100.0 * gain, 100.0 * by_frame, 100.0 * frames_differ),
         "Use a half-life: part = 1 - exp2(-elapsed / half_life). FollowCamera does."});
}

} // namespace

void examine_cameras(const Examination& exam, Diagnosis& diagnosis) {
    const std::set<std::int64_t> cameras = find_cameras(exam.trace);
    for (const JudgedObject& object : exam.judged) {
        if (cameras.contains(object.id)) {
            examine_camera(exam, object, diagnosis);
        }
    }
}

} // namespace glissade::lab
