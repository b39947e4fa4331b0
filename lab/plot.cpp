// SPDX-License-Identifier: MIT
#include "lab/plot.h"

#include "lab/truth_error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/gtc/quaternion.hpp>

namespace glissade::lab {

namespace {

constexpr double kNsPerMs = 1e6;
// After the warm-up, long enough to see every kind of event, short enough for a small file.
constexpr double kStartMs = 3000.0;
constexpr double kLengthMs = 4000.0;
constexpr std::size_t kStripFrameCount = 48;
constexpr std::int64_t kStripDelayNs = 100'000'000; // No method draws further behind.
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// The frames that are plotted: [first, last).
struct Window {
    std::size_t first = 0;
    std::size_t last = 0;
};

double time_ms(const Trace& trace, std::size_t frame) {
    return static_cast<double>(present_of(trace.frames[frame]) - present_of(trace.frames.front())) /
           kNsPerMs;
}

// Slow motion is plotted where it begins.
double find_start_ms(const Trace& trace) {
    constexpr double kBeforeMs = 250.0;
    for (const TraceTick& tick : trace.ticks) {
        if (tick.scale.value_or(1.0) != 1.0) {
            const std::int64_t since_ns = tick.arrive_ns - present_of(trace.frames.front());
            return static_cast<double>(since_ns) / kNsPerMs - kBeforeMs;
        }
    }
    return kStartMs;
}

Window find_window(const Trace& trace) {
    const double start_ms = find_start_ms(trace);
    Window window{0, 0};
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
        const double ms = time_ms(trace, i);
        window.first = ms < start_ms ? i + 1 : window.first;
        window.last = ms < start_ms + kLengthMs ? i + 1 : window.last;
    }
    // A trace too short for that is plotted as a whole.
    return window.first < window.last ? window : Window{0, trace.frames.size()};
}

// The object that is plotted, and along or about which axes it moves most and second most.
struct Subject {
    std::int64_t id = 0;
    const MotionPath* path = nullptr;
    int main_axis = 0;
    int side_axis = 1;
};

constexpr std::int64_t kProbeNs = 10'000'000;

// The first object that is there longest in the window.
Subject find_longest(const Scorer& scorer, const SourceMap& map) {
    const Trace& trace = scorer.trace();
    const Window window = find_window(trace);
    const std::int64_t from_ns =
        std::llround(map.source_at(present_of(trace.frames[window.first])));
    const std::int64_t to_ns =
        std::llround(map.source_at(present_of(trace.frames[window.last - 1])));
    Subject subject;
    std::int64_t longest_ns = -1;
    for (const auto& [id, path] : scorer.paths()) {
        const std::int64_t there_ns =
            std::min(path.last_ns(), to_ns) - std::max(path.first_ns(), from_ns);
        // A little longer is not worth a change: successive objects overlap.
        if (subject.path == nullptr || there_ns > longest_ns + kProbeNs) {
            subject.id = id;
            subject.path = &path;
            longest_ns = there_ns;
        }
    }
    return subject;
}

Subject find_subject(const Scorer& scorer, const SourceMap& map) {
    Subject subject = find_longest(scorer, map);
    const MotionPath& path = *subject.path;
    const auto probe = [&](std::int64_t time_ns) {
        const PathPoint point = path.at(time_ns);
        return path.turns_only() ? glm::dvec3{point.rotation.x, point.rotation.y, point.rotation.z}
                                 : point.position;
    };
    glm::dvec3 low = probe(path.first_ns());
    glm::dvec3 high = low;
    for (std::int64_t t = path.first_ns(); t <= path.last_ns(); t += kProbeNs) {
        low = glm::min(low, probe(t));
        high = glm::max(high, probe(t));
    }
    const glm::dvec3 extent = high - low;
    std::array<int, 3> axes = {0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return extent[a] > extent[b]; });
    subject.main_axis = axes[0];
    subject.side_axis = axes[1];
    return subject;
}

double angle_of(const Subject& subject, const glm::dquat& rotation) {
    const glm::dvec3 axis{rotation.x, rotation.y, rotation.z};
    return 2.0 * std::atan2(axis[subject.main_axis], rotation.w);
}

// Angle about the main axis, or the place along it.
double value_of(const Subject& subject, const glm::dvec3& position, const glm::dquat& rotation) {
    return subject.path->turns_only() ? angle_of(subject, rotation) * 180.0 / std::numbers::pi
                                      : position[subject.main_axis];
}

// Of an object that turns in place: a point on its rim.
glm::dvec2 strip_point(const Subject& subject, const DrawnPose& pose) {
    if (subject.path->turns_only()) {
        const double angle =
            angle_of(subject, pose.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0}));
        return {std::cos(angle), std::sin(angle)};
    }
    return {pose.position[subject.main_axis], pose.position[subject.side_axis]};
}

// Angles of successive frames without jumps at half a turn.
void unwrap(std::vector<double>& degrees) {
    double last = kNothing;
    for (double& value : degrees) {
        if (!std::isnan(value) && !std::isnan(last)) {
            value += 360.0 * std::round((last - value) / 360.0);
        }
        last = std::isnan(value) ? last : value;
    }
}

const DrawnPose* find_pose(const DrawnFrame& frame, std::int64_t id) {
    const auto found = std::find_if(frame.poses.begin(), frame.poses.end(),
                                    [&](const DrawnPose& pose) { return pose.id == id; });
    return found == frame.poses.end() ? nullptr : &*found;
}

// Rates of the subject by index of the frame.
std::vector<double> collect_rates(const Scorer& scorer, const Subject& subject,
                                  const Drawn& drawn) {
    std::vector<double> rates(scorer.trace().frames.size(), kNothing);
    const std::vector<JudgedObject> judged = scorer.judge(drawn.frames);
    const JudgedObject* object = find_object(judged, subject.id);
    if (object == nullptr) {
        return rates;
    }
    const std::vector<ShownFrame> shown = collect_shown(*object);
    const double mean = compute_rate_metrics(shown).mean_rate;
    for (std::size_t i = 1; i < shown.size(); ++i) {
        const double elapsed =
            shown[i].scale * static_cast<double>(shown[i].present_ns - shown[i - 1].present_ns);
        if (shown[i].scored && mean > 0.0 && elapsed > 0.0) {
            rates[object->frames[i].frame] =
                static_cast<double>(shown[i].shown_ns - shown[i - 1].shown_ns) / elapsed / mean;
        }
    }
    return rates;
}

} // namespace

LabPlot make_plot(const Scorer& scorer, const Scenario& scenario, const Condition& condition) {
    const Trace& trace = scorer.trace();
    const SourceMap map(trace);
    const Subject subject = find_subject(scorer, map);
    LabPlot plot{
        .scenario = &scenario, .condition = &condition, .turns_only = subject.path->turns_only()};
    const Window window = find_window(trace);
    for (std::size_t i = window.first; i < window.last; ++i) {
        const double now_ns = map.source_at(present_of(trace.frames[i]));
        const PathPoint truth = subject.path->at(std::llround(now_ns));
        plot.present_ms.push_back(time_ms(trace, i));
        plot.truth.push_back(value_of(subject, truth.position, truth.rotation));
    }
    if (plot.turns_only) {
        unwrap(plot.truth);
    }
    return plot;
}

void add_method(LabPlot& plot, const Scorer& scorer, const MethodInfo& method, const Drawn& drawn) {
    const Trace& trace = scorer.trace();
    const SourceMap map(trace);
    const Subject subject = find_subject(scorer, map);
    const Window window = find_window(trace);
    const std::vector<double> rates = collect_rates(scorer, subject, drawn);
    MethodPlot lines{.method = &method};
    // An object that appears in the window is shown from then on, as far as every method draws it.
    const auto strip_from_ns = static_cast<double>(subject.path->first_ns() + kStripDelayNs);
    for (std::size_t i = window.first; i < window.last; ++i) {
        const DrawnFrame& frame = drawn.frames[i];
        const DrawnPose* pose = find_pose(frame, subject.id);
        const glm::dquat rotation = pose != nullptr
                                        ? pose->rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0})
                                        : glm::dquat{};
        lines.value.push_back(pose != nullptr ? value_of(subject, pose->position, rotation)
                                              : kNothing);
        lines.rate.push_back(rates[i]);
        const double now_ns = map.source_at(present_of(trace.frames[i]));
        const double behind_ms = frame.sample_ns
                                     ? (now_ns - static_cast<double>(*frame.sample_ns)) / kNsPerMs
                                     : kNothing;
        lines.sample_ms.push_back(time_ms(trace, i) - behind_ms);
        if (now_ns >= strip_from_ns && lines.strip.size() < kStripFrameCount) {
            lines.strip.push_back(pose != nullptr ? strip_point(subject, *pose)
                                                  : glm::dvec2{kNothing, kNothing});
        }
    }
    if (plot.turns_only) {
        unwrap(lines.value);
    }
    plot.methods.push_back(std::move(lines));
}

} // namespace glissade::lab
