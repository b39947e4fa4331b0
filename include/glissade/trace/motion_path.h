// SPDX-License-Identifier: MIT
// The true path of one object, and the time at which it was where somebody drew it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// A place on a path. The rotation need not be of unit length; zero counts as the identity.
struct PathPoint {
    std::int64_t time_ns = 0; ///< On the source's timeline.
    glm::dvec3 position{0.0};
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
};

/// A displacement of a path (a portal): rotation, then translation.
struct PathShift {
    glm::dvec3 translation{0.0};
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
};

/// The point of a path nearest to what was drawn.
struct NearestPoint {
    std::int64_t time_ns = 0;
    double distance = 0.0; ///< Metres, or radians where the path only turns.
    double speed = 0.0;    ///< Of the path there: metres or radians per second of source time.
    /// The drawn point lies between the two sides of a cut or shift and on neither.
    bool streak = false;
};

/// States joined by straight lines and constant turns, broken at cuts, mapped at shifts.
///
/// Between the last state before a cut and the cut the path rests: nothing tells what happened
/// there. A stretch that a shift falls into exists on both sides of it. A path whose position never
/// changes is measured by angle, one radian as one metre.
///
/// Thread safety: one thread at a time; const calls may run side by side. Allocates: add() and
/// finish(). Cost: find_nearest() is linear in the states inside the window.
class MotionPath {
public:
    // In order of time; a point that is not later than the last one is ignored.

    /// The object moved here.
    void add(const PathPoint& point);
    /// It was cut to here.
    void add_after_cut(const PathPoint& point);
    /// It moved here through `shift`, which happened since the last point. `start_ns`: since when
    /// a picture may already show the far side (the tick before); at most the last point's time.
    void add_after_shift(const PathPoint& point, const PathShift& shift, std::int64_t start_ns);
    /// All points are there: works out speeds. Call once, before the questions below.
    void finish();

    [[nodiscard]] bool empty() const noexcept { return points_.empty(); }
    [[nodiscard]] std::int64_t first_ns() const noexcept { return points_.front().time_ns; }
    [[nodiscard]] std::int64_t last_ns() const noexcept { return points_.back().time_ns; }
    /// Measured by angle, because the position never changes.
    [[nodiscard]] bool turns_only() const noexcept { return turns_only_; }
    /// Median speed over the time in which it moves; 0 if it never does.
    [[nodiscard]] double median_speed() const noexcept { return median_speed_; }

    /// Where the object was drawn, and where to look.
    struct Question {
        glm::dvec3 position{0.0};
        glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
        std::int64_t centre_ns = 0;   ///< Look around this time,
        std::int64_t window_ns = 0;   ///< this far either way.
        std::int64_t expected_ns = 0; ///< The time that a perfect frame would show.
        glm::dvec3 step{0.0};         ///< The way made since the frame before; zero if unknown.
    };
    /// The nearest point. Where the path passes the same place more than once, the pass nearest to
    /// the time expected, preferably in the direction of the step; the later one of two. Nothing if
    /// the path does not reach into the window.
    [[nodiscard]] std::optional<NearestPoint> find_nearest(const Question& question) const;

    /// Where the object is at `time_ns`, held at the ends. Not on an empty path.
    [[nodiscard]] PathPoint at(std::int64_t time_ns) const;
    /// Whether a cut or shift lies in (from_ns, to_ns], its stretch of rest included.
    [[nodiscard]] bool is_broken(std::int64_t from_ns, std::int64_t to_ns) const;

private:
    struct Segment {
        PathPoint from{};
        PathPoint to{};
        bool streak = false; ///< Not a way: what joins the two sides of a cut or shift.
        double way = 0.0;    ///< Metres or radians.
        double speed = 0.0;
    };
    struct Break {
        std::int64_t from_ns = 0;
        std::int64_t to_ns = 0;
    };

    void append(const PathPoint& from, const PathPoint& to, bool streak = false);
    void map_tail(const PathShift& shift, std::int64_t start_ns);
    [[nodiscard]] double way(const PathPoint& from, const PathPoint& to) const;
    struct Candidate {
        std::int64_t time_ns = 0;
        double distance = 0.0;
        bool same_way = true; ///< The path goes there as the picture does.
    };

    [[nodiscard]] Candidate nearest_on(const Segment& segment, const Question& question) const;
    [[nodiscard]] std::vector<Segment>::const_iterator first_until(std::int64_t time_ns) const;
    [[nodiscard]] double bridge_distance(const Segment& bridge, const Question& question) const;
    [[nodiscard]] double least_distance(const PathPoint& point, const Question& question) const;
    [[nodiscard]] double distance_to(const PathPoint& point, const Question& question) const;
    [[nodiscard]] static bool is_better(const Candidate& point, const Candidate& best,
                                        std::int64_t expected_ns);
    [[nodiscard]] bool accept(const PathPoint& point) const noexcept;

    std::vector<PathPoint> points_{};
    std::vector<Segment> segments_{}; // By start time, and by end time.
    std::vector<Break> breaks_{};
    bool turns_only_ = false;
    double median_speed_ = 0.0;
};

} // namespace glissade
