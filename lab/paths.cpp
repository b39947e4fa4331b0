// SPDX-License-Identifier: MIT
// The true paths of a trace's objects: ticks say where they are broken, truth lines say what
// happens in between.
#include "lab/score.h"

#include <algorithm>

#include <glm/gtc/quaternion.hpp>

namespace glissade::lab {

namespace {

struct Discontinuity {
    std::int64_t before_ns = 0;       ///< The tick before it.
    std::int64_t time_ns = 0;         ///< The tick that has it.
    std::optional<PathShift> shift{}; ///< Else it is a cut.
};

// What is known of an object while the ticks are read.
struct Follower {
    PathPoint point{};
    std::int64_t cut_count = 0;
    TraceShift shift{};
    std::vector<PathPoint> points{};
    std::vector<Discontinuity> breaks{};
    bool ended = false;
};

glm::dquat unit(const glm::dquat& rotation) {
    const double length = glm::length(rotation);
    return length > 0.0 ? rotation / length : glm::dquat{1.0, 0.0, 0.0, 0.0};
}

// What was added to the composed displacement: new * old^-1.
PathShift added_shift(const TraceShift& older, const TraceShift& newer) {
    const glm::dquat turn = unit(newer.rotation) * glm::conjugate(unit(older.rotation));
    return {newer.translation - turn * older.translation, turn};
}

void take_pose(Follower& follower, const TracePose& pose, std::int64_t sim_ns, bool is_new) {
    const std::int64_t cut_count = pose.cut.value_or(follower.cut_count);
    const TraceShift shift = pose.shift.value_or(follower.shift);
    if (!is_new && cut_count != follower.cut_count) {
        follower.breaks.push_back({follower.points.back().time_ns, sim_ns, {}});
    } else if (!is_new && shift.count != follower.shift.count) {
        follower.breaks.push_back(
            {follower.points.back().time_ns, sim_ns, added_shift(follower.shift, shift)});
    }
    follower.cut_count = cut_count;
    follower.shift = shift;
    follower.point = {sim_ns, pose.position,
                      pose.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0})};
}

// Ticks of a network may come late or twice: the path wants them by time, once.
std::vector<const TraceTick*> ticks_by_time(const Trace& trace) {
    std::vector<const TraceTick*> ticks;
    for (const TraceTick& tick : trace.ticks) {
        ticks.push_back(&tick);
    }
    std::stable_sort(ticks.begin(), ticks.end(),
                     [](const TraceTick* a, const TraceTick* b) { return a->sim_ns < b->sim_ns; });
    return ticks;
}

void take_tick(const TraceTick& tick, std::map<std::int64_t, Follower>& followers) {
    for (const TracePose& pose : tick.poses) {
        const auto [place, is_new] = followers.try_emplace(pose.id);
        take_pose(place->second, pose, tick.sim_ns, is_new);
        place->second.ended = false;
    }
    for (auto& [id, follower] : followers) {
        if (!follower.ended) {
            follower.point.time_ns = tick.sim_ns; // An absent object is unchanged.
            follower.points.push_back(follower.point);
        }
    }
    for (const std::int64_t id : tick.gone) {
        const auto found = followers.find(id);
        if (found != followers.end()) {
            found->second.ended = true;
        }
    }
}

std::map<std::int64_t, Follower> follow(const Trace& trace) {
    std::map<std::int64_t, Follower> followers;
    for (const TraceTick* tick : ticks_by_time(trace)) {
        take_tick(*tick, followers);
    }
    return followers;
}

MotionPath join(const std::vector<PathPoint>& points, const std::vector<Discontinuity>& breaks) {
    MotionPath path;
    auto next = breaks.begin();
    for (const PathPoint& point : points) {
        const bool passed = next != breaks.end() && point.time_ns >= next->time_ns;
        // Nobody who has only the ticks can know what happened between the last state and a cut.
        const bool in_cut =
            next != breaks.end() && !next->shift && !passed && point.time_ns > next->before_ns;
        if (in_cut) {
            continue;
        }
        if (!passed) {
            path.add(point);
        } else if (next->shift) {
            path.add_after_shift(point, *next->shift, next->before_ns);
        } else {
            path.add_after_cut(point);
        }
        while (next != breaks.end() && point.time_ns >= next->time_ns) {
            ++next;
        }
    }
    path.finish();
    return path;
}

} // namespace

std::map<std::int64_t, MotionPath> make_paths(const Trace& trace) {
    std::map<std::int64_t, std::vector<PathPoint>> truths;
    for (const TraceTruth& truth : trace.truths) {
        truths[truth.id].push_back({truth.time_ns, truth.position,
                                    truth.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0})});
    }
    std::map<std::int64_t, MotionPath> paths;
    for (auto& [id, follower] : follow(trace)) {
        const auto truth = truths.find(id);
        const bool has_truth = truth != truths.end();
        paths.emplace(id, join(has_truth ? truth->second : follower.points, follower.breaks));
    }
    return paths;
}

} // namespace glissade::lab
