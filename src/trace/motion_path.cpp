// SPDX-License-Identifier: MIT
#include "glissade/trace/motion_path.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade {

namespace {

constexpr double kNsPerSecond = 1e9;
// Two passes of a path are equally near within this: far below what a screen shows, far above
// rounding.
constexpr double kTie = 1e-6;
// A stretch this short is rest: where a path turns round, rounding makes one of it.
constexpr double kRest = 1e-9;
// A smoothed picture turns round before the object does, by its lag; one that guessed wrong snaps
// back for a frame. This tells the two apart where a path runs back along itself.
constexpr std::int64_t kAgainstTheWayNs = 60'000'000;
// A point counts as drawn off the path, and so perhaps between the sides of a cut, from this part
// of the cut's length on.
constexpr double kStreakPart = 0.01;

glm::dquat unit(const glm::dquat& rotation) {
    const double length = glm::length(rotation);
    return length > 0.0 ? rotation / length : glm::dquat{1.0, 0.0, 0.0, 0.0};
}

glm::dvec3 axis_part(const glm::dquat& rotation) {
    return {rotation.x, rotation.y, rotation.z};
}

// The rotation from `from` to `to` in the space of `from`, by the shorter way.
glm::dquat step_between(const glm::dquat& from, const glm::dquat& to) {
    const glm::dquat step = glm::conjugate(from) * to;
    return step.w < 0.0 ? -step : step;
}

double angle_between(const glm::dquat& from, const glm::dquat& to) {
    const glm::dquat step = step_between(from, to);
    return 2.0 * std::atan2(glm::length(axis_part(step)), step.w);
}

glm::dquat turn(const glm::dquat& from, const glm::dquat& to, double t) {
    const glm::dquat step = step_between(from, to);
    const glm::dvec3 axis = axis_part(step);
    const double sine = glm::length(axis);
    if (sine == 0.0) {
        return from;
    }
    const double half = t * std::atan2(sine, step.w);
    const glm::dvec3 part = axis * (std::sin(half) / sine);
    return from * glm::dquat{std::cos(half), part.x, part.y, part.z};
}

PathPoint blend(const PathPoint& from, const PathPoint& to, double t) {
    const auto length = static_cast<double>(to.time_ns - from.time_ns);
    return {from.time_ns + std::llround(t * length),
            from.position + (to.position - from.position) * t, turn(from.rotation, to.rotation, t)};
}

// The part of the way from `a` to `b` at which a line comes nearest to `point`.
double project(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& point) {
    const glm::dvec3 way = b - a;
    const double square = glm::dot(way, way);
    return square > 0.0 ? std::clamp(glm::dot(point - a, way) / square, 0.0, 1.0) : 1.0;
}

// The same for a turn: the twist of `rotation` about the axis of the turn.
double project(const glm::dquat& a, const glm::dquat& b, const glm::dquat& rotation) {
    const glm::dquat step = step_between(a, b);
    const double sine = glm::length(axis_part(step));
    if (sine == 0.0) {
        return 1.0;
    }
    const glm::dvec3 axis = axis_part(step) / sine;
    const glm::dquat to_drawn = step_between(a, rotation);
    const double twist = 2.0 * std::atan2(glm::dot(axis_part(to_drawn), axis), to_drawn.w);
    return std::clamp(twist / (2.0 * std::atan2(sine, step.w)), 0.0, 1.0);
}

PathPoint apply(const PathShift& shift, const PathPoint& point) {
    return {point.time_ns, shift.translation + shift.rotation * point.position,
            shift.rotation * point.rotation};
}

PathShift inverse(const PathShift& shift) {
    const glm::dquat back = glm::conjugate(shift.rotation);
    return {-(back * shift.translation), back};
}

} // namespace

bool MotionPath::accept(const PathPoint& point) const noexcept {
    return points_.empty() || point.time_ns > points_.back().time_ns;
}

void MotionPath::append(const PathPoint& from, const PathPoint& to, bool streak) {
    segments_.push_back({from, to, streak});
}

void MotionPath::add(const PathPoint& point) {
    if (!accept(point)) {
        return;
    }
    PathPoint next = point;
    next.rotation = unit(point.rotation);
    if (!points_.empty()) {
        append(points_.back(), next);
    }
    points_.push_back(next);
}

void MotionPath::add_after_cut(const PathPoint& point) {
    if (points_.empty() || !accept(point)) {
        add(point);
        return;
    }
    PathPoint next = point;
    next.rotation = unit(point.rotation);
    const PathPoint last = points_.back();
    PathPoint rest = last;
    rest.time_ns = next.time_ns;
    append(last, rest);
    append(last, next, true);
    breaks_.push_back({last.time_ns, next.time_ns});
    points_.push_back(next);
}

void MotionPath::add_after_shift(const PathPoint& point, const PathShift& shift,
                                 std::int64_t start_ns) {
    if (points_.empty() || !accept(point)) {
        add(point);
        return;
    }
    PathPoint next = point;
    next.rotation = unit(point.rotation);
    const PathShift through{shift.translation, unit(shift.rotation)};
    map_tail(through, start_ns);
    const PathPoint last = points_.back();
    const PathPoint before = apply(inverse(through), next);
    append(last, before);
    append(apply(through, last), next);
    append(last, next, true);
    breaks_.push_back({start_ns, next.time_ns});
    points_.push_back(next);
}

// What was added since `start_ns` may already be seen on the far side.
void MotionPath::map_tail(const PathShift& shift, std::int64_t start_ns) {
    std::vector<Segment> mapped;
    const auto tail = std::lower_bound(
        segments_.begin(), segments_.end(), start_ns,
        [](const Segment& a, std::int64_t time_ns) { return a.from.time_ns < time_ns; });
    std::transform(tail, segments_.end(), std::back_inserter(mapped), [&](const Segment& segment) {
        return Segment{apply(shift, segment.from), apply(shift, segment.to), segment.streak};
    });
    // The search relies on the order of times; both sides of a stretch have the same ones.
    segments_.insert(segments_.end(), mapped.begin(), mapped.end());
    std::stable_sort(
        segments_.end() - 2 * static_cast<std::ptrdiff_t>(mapped.size()), segments_.end(),
        [](const Segment& a, const Segment& b) { return a.from.time_ns < b.from.time_ns; });
}

double MotionPath::way(const PathPoint& from, const PathPoint& to) const {
    return turns_only_ ? angle_between(from.rotation, to.rotation)
                       : glm::distance(from.position, to.position);
}

void MotionPath::finish() {
    turns_only_ = std::all_of(points_.begin(), points_.end(), [&](const PathPoint& point) {
        return point.position == points_.front().position;
    });
    // Weighted by time, or dense truth would outvote sparse states.
    std::vector<std::pair<double, std::int64_t>> moving;
    std::int64_t moving_ns = 0;
    for (Segment& segment : segments_) {
        const std::int64_t length_ns = segment.to.time_ns - segment.from.time_ns;
        segment.way = way(segment.from, segment.to);
        segment.speed = segment.way * kNsPerSecond / static_cast<double>(length_ns);
        if (segment.speed > 0.0 && !segment.streak) {
            moving.emplace_back(segment.speed, length_ns);
            moving_ns += length_ns;
        }
    }
    std::sort(moving.begin(), moving.end());
    std::int64_t passed_ns = 0;
    for (const auto& [speed, length_ns] : moving) {
        passed_ns += length_ns;
        if (2 * passed_ns >= moving_ns) {
            median_speed_ = speed;
            break;
        }
    }
}

// Of a stretch at rest any time will do: the expected one, as far as the rest lasts.
MotionPath::Candidate MotionPath::nearest_on(const Segment& segment,
                                             const Question& question) const {
    const PathPoint& from = segment.from;
    const PathPoint& to = segment.to;
    if (segment.way <= kRest) {
        return {std::clamp(question.expected_ns, from.time_ns, to.time_ns),
                distance_to(from, question), true};
    }
    const auto length = static_cast<double>(to.time_ns - from.time_ns);
    if (turns_only_) {
        const double t = project(from.rotation, to.rotation, question.rotation);
        const glm::dquat nearest = turn(from.rotation, to.rotation, t);
        return {from.time_ns + std::llround(t * length), angle_between(nearest, question.rotation),
                true};
    }
    const glm::dvec3 step = to.position - from.position;
    const double t = project(from.position, to.position, question.position);
    return {from.time_ns + std::llround(t * length),
            glm::distance(from.position + step * t, question.position),
            glm::dot(step, question.step) >= 0.0};
}

// Not more than distance_to(), without trigonometry: the angle of a turn is at least twice the
// distance of its quaternions.
double MotionPath::least_distance(const PathPoint& point, const Question& question) const {
    if (!turns_only_) {
        return glm::distance(point.position, question.position);
    }
    const double cosine = std::abs(glm::dot(point.rotation, unit(question.rotation)));
    return 2.0 * std::sqrt(std::max(2.0 - 2.0 * cosine, 0.0));
}

double MotionPath::distance_to(const PathPoint& point, const Question& question) const {
    return turns_only_ ? angle_between(point.rotation, question.rotation)
                       : glm::distance(point.position, question.position);
}

// Of equally near passes the one nearest to the time expected, the later one of two; a pass against
// the way of the picture counts as further off.
bool MotionPath::is_better(const Candidate& point, const Candidate& best,
                           std::int64_t expected_ns) {
    if (std::abs(point.distance - best.distance) > kTie) {
        return point.distance < best.distance;
    }
    const auto off_by = [&](const Candidate& candidate) {
        return std::abs(candidate.time_ns - expected_ns) +
               (candidate.same_way ? 0 : kAgainstTheWayNs);
    };
    return off_by(point) <= off_by(best);
}

// How near the drawn point is to what joins the two sides of a cut; infinitely far at the sides
// themselves, which are on the path.
double MotionPath::bridge_distance(const Segment& bridge, const Question& question) const {
    const double side = kStreakPart * bridge.way;
    const bool between =
        distance_to(bridge.from, question) > side && distance_to(bridge.to, question) > side;
    return between ? nearest_on(bridge, question).distance
                   : std::numeric_limits<double>::infinity();
}

std::vector<MotionPath::Segment>::const_iterator MotionPath::first_until(
    std::int64_t time_ns) const {
    return std::lower_bound(
        segments_.begin(), segments_.end(), time_ns,
        [](const Segment& a, std::int64_t time) { return a.to.time_ns < time; });
}

std::optional<NearestPoint> MotionPath::find_nearest(const Question& question) const {
    const std::int64_t to_ns = question.centre_ns + question.window_ns;
    auto segment = first_until(question.centre_ns - question.window_ns);
    std::optional<Candidate> best;
    const Segment* best_segment = nullptr;
    double nearest_bridge = std::numeric_limits<double>::infinity();
    // Most frames show about the time expected. Known first, it makes nearly all other segments too
    // far away to look closer: there are hundreds for each frame.
    double enough = std::numeric_limits<double>::infinity();
    const auto expected = first_until(question.expected_ns);
    if (expected != segments_.end() && expected >= segment && expected->from.time_ns <= to_ns &&
        !expected->streak) {
        enough = nearest_on(*expected, question).distance + kTie;
    }
    for (; segment != segments_.end() && segment->from.time_ns <= to_ns; ++segment) {
        if (segment->streak) {
            nearest_bridge = std::min(nearest_bridge, bridge_distance(*segment, question));
            continue;
        }
        if (least_distance(segment->from, question) - segment->way > enough) {
            continue;
        }
        const Candidate point = nearest_on(*segment, question);
        if (!best || is_better(point, *best, question.expected_ns)) {
            best = point;
            best_segment = &*segment;
            enough = std::min(enough, point.distance + kTie);
        }
    }
    if (!best) {
        return std::nullopt;
    }
    const bool streak = best->distance > kTie && nearest_bridge < best->distance / 2.0;
    return NearestPoint{best->time_ns, best->distance, best_segment->speed, streak};
}

PathPoint MotionPath::at(std::int64_t time_ns) const {
    const auto after = std::upper_bound(
        points_.begin(), points_.end(), time_ns,
        [](std::int64_t time, const PathPoint& point) { return time < point.time_ns; });
    if (after == points_.begin()) {
        return points_.front();
    }
    if (after == points_.end()) {
        return points_.back();
    }
    const PathPoint& from = *(after - 1);
    // Only the stretch that a break ends is broken, though the break may have begun before it.
    const auto gap =
        std::lower_bound(breaks_.begin(), breaks_.end(), after->time_ns,
                         [](const Break& a, std::int64_t time) { return a.to_ns < time; });
    if (gap != breaks_.end() && gap->to_ns == after->time_ns) {
        return {time_ns, from.position, from.rotation};
    }
    const auto length = static_cast<double>(after->time_ns - from.time_ns);
    return blend(from, *after, static_cast<double>(time_ns - from.time_ns) / length);
}

bool MotionPath::is_broken(std::int64_t from_ns, std::int64_t to_ns) const {
    const auto after =
        std::upper_bound(breaks_.begin(), breaks_.end(), from_ns,
                         [](std::int64_t time, const Break& gap) { return time < gap.to_ns; });
    return after != breaks_.end() && after->from_ns < to_ns;
}

} // namespace glissade
