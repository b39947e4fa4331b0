// SPDX-License-Identifier: MIT
#include "lab/pops.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade::lab {

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kPopFactor = 3.0;
// Slower is the rounding of a blend between two equal states.
constexpr double kStandsMPerS = 1e-6;
// How far before the time last shown, and beyond the newest known, a picture may be after a pop.
constexpr std::int64_t kMarginNs = 250'000'000;

double step_of(const MotionPath& path, const DrawnPose& from, const DrawnPose& to) {
    if (!path.turns_only()) {
        return glm::distance(from.position, to.position);
    }
    const glm::dquat identity{1.0, 0.0, 0.0, 0.0};
    const glm::dquat step =
        glm::conjugate(from.rotation.value_or(identity)) * to.rotation.value_or(identity);
    return 2.0 * std::atan2(glm::length(glm::dvec3{step.x, step.y, step.z}), std::abs(step.w));
}

// Shown times follow a picture by at most 250 ms a frame, and a pop may go further at once: where
// it went is looked for up to the newest that could be known.
bool crosses_cut(const JudgedObject& object, const JudgedFrame& from, const JudgedFrame& to,
                 std::int64_t newest_ns) {
    const MotionPath& path = *object.path;
    const std::int64_t low = from.shown.shown_ns - kMarginNs;
    const std::int64_t high = std::max(newest_ns, from.shown.shown_ns) + kMarginNs;
    if (from.streak || to.streak || !path.is_broken(low, high)) {
        return from.streak || to.streak;
    }
    const auto reached =
        path.find_nearest({.position = to.drawn.position,
                           .rotation = to.drawn.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0}),
                           .centre_ns = low + (high - low) / 2,
                           .window_ns = (high - low) / 2,
                           .expected_ns = to.shown.shown_ns});
    const std::int64_t to_ns = reached ? reached->time_ns : to.shown.shown_ns;
    // What rests before a cut is shown until the very time of the cut.
    return path.is_broken(std::min(from.shown.shown_ns, to_ns) - 1,
                          std::max(from.shown.shown_ns, to_ns));
}

} // namespace

std::size_t count_pops(std::span<const double> speeds) {
    std::vector<double> sorted(speeds.begin(), speeds.end());
    const double median = compute_quantile(std::move(sorted), 0.5);
    const double limit = median > kStandsMPerS ? kPopFactor * median : kStandsMPerS;
    return static_cast<std::size_t>(
        std::count_if(speeds.begin(), speeds.end(), [&](double speed) { return speed > limit; }));
}

void score_pops(const Scorer& scorer, const JudgedObject& object, ObjectScore& result) {
    std::vector<double> speeds;
    for (std::size_t i = 1; i < object.frames.size(); ++i) {
        const JudgedFrame& from = object.frames[i - 1];
        const JudgedFrame& to = object.frames[i];
        const bool moving = (from.found && from.moving) || (to.found && to.moving);
        const bool warm = scorer.trace().frames[to.frame].cpu_ns >= scorer.start_ns();
        const std::int64_t elapsed_ns = to.shown.present_ns - from.shown.present_ns;
        if (!moving || !warm || to.frame != from.frame + 1 || elapsed_ns <= 0 ||
            crosses_cut(object, from, to, scorer.newest_known()[to.frame].sim_ns)) {
            continue;
        }
        speeds.push_back(step_of(*object.path, from.drawn, to.drawn) * kNsPerSecond /
                         static_cast<double>(elapsed_ns));
    }
    result.pop_count = count_pops(speeds);
}

} // namespace glissade::lab
