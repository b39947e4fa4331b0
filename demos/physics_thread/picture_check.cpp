// SPDX-License-Identifier: MIT
#include "picture_check.h"

#include "course.h"
#include "simulation_thread.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace physics_thread {

namespace {

// Channels are floats and the sums are below 64 m: a few units in the last place, 4e-6 m each. A
// body that is one tick off is off by centimetres.
constexpr double kPlaceSlackM = 1e-4;
// Poses go through the link and the stage as doubles.
constexpr double kMisplacedM = 1e-6;
// Nothing changes its speed by more than 20 m/s, and nothing is carried on for more than 50 ms.
constexpr double kWorstGuessM = 1.0;
constexpr double kFadeHalfLifeNs = 50e6;
// A picture that was carried on beyond the newest state lies on the tangent, not on the circle.
constexpr double kBackSlackRad = 1e-3;

// The states around a frame's sample time, of those that it could know.
struct Bracket {
    const TickEntry* from = nullptr;
    const TickEntry* to = nullptr;
};

Bracket find_bracket(const RunLog& log, const FrameEntry& frame) {
    Bracket bracket;
    const std::size_t known_count = std::min(frame.tick_count, log.ticks.size());
    for (std::size_t i = known_count; frame.sample_ns && i-- > 0 && bracket.from == nullptr;) {
        const TickEntry& entry = log.ticks[i];
        if (!entry.skipped) {
            (entry.tick.time_ns > *frame.sample_ns ? bracket.to : bracket.from) = &entry;
        }
    }
    return bracket;
}

glm::dvec3 expected_place(const TickEntry& from, const TickEntry& to, std::size_t body,
                          std::int64_t sample_ns) {
    if (from.bodies[body].cut_count != to.bodies[body].cut_count) {
        return from.bodies[body].pose.position; // Until the picture is there, as before the cut.
    }
    const double t = static_cast<double>(sample_ns - from.tick.time_ns) /
                     static_cast<double>(to.tick.time_ns - from.tick.time_ns);
    const glm::dvec3& a = from.bodies[body].pose.position;
    return a + t * (to.bodies[body].pose.position - a);
}

bool is_misplaced(const FrameEntry& frame, const TickEntry& from, const TickEntry& to,
                  double slack_m) {
    for (std::size_t body = 0; body < kRecordedCount; ++body) {
        const glm::dvec3 expected = expected_place(from, to, body, *frame.sample_ns);
        if (glm::length(frame.drawn[body].position - expected) > slack_m) {
            return true;
        }
    }
    return false;
}

} // namespace

void GuessFade::frame(std::int64_t sample_ns, bool beyond) noexcept {
    const auto passed_ns = static_cast<double>(sample_ns - sample_ns_);
    slack_m_ = beyond ? kWorstGuessM : slack_m_ * std::exp2(-passed_ns / kFadeHalfLifeNs);
    sample_ns_ = sample_ns;
}

bool is_torn(const glissade::Stage& stage, const glissade::LinkFeed& feed,
             std::span<const glissade::Id> ids, GuessFade& fade) {
    const std::optional<glissade::Tick> newest = stage.newest();
    const std::int64_t sample_ns = stage.sample_time().value_or(0);
    fade.frame(sample_ns, newest && sample_ns > newest->time_ns);
    const float common_tick = stage.channel(feed.find(ids.front()), kTickChannel);
    for (const glissade::Id writer_id : ids) {
        const glissade::Id id = feed.find(writer_id);
        const glm::dvec3 p = stage.visual(id).position;
        const double off = std::abs(p.x + p.y + p.z - stage.channel(id, kPlaceChannel));
        // Three coordinates, each as far off as the slack allows.
        const bool mixed = off > kPlaceSlackM + 3.0 * fade.slack_m();
        if (stage.channel(id, kTickChannel) != common_tick || mixed) {
            return true;
        }
    }
    return false;
}

std::size_t count_misplaced(const RunLog& log) {
    std::size_t misplaced_count = 0;
    GuessFade fade;
    for (const FrameEntry& frame : log.frames) {
        const Bracket bracket = find_bracket(log, frame);
        fade.frame(frame.sample_ns.value_or(0), bracket.to == nullptr);
        // Before the first state, or carried on beyond the newest: nothing to compare with.
        if (bracket.from != nullptr && bracket.to != nullptr) {
            const double slack_m = kMisplacedM + fade.slack_m();
            misplaced_count += is_misplaced(frame, *bracket.from, *bracket.to, slack_m) ? 1U : 0U;
        }
    }
    return misplaced_count;
}

std::size_t count_backward(const RunLog& log) {
    std::size_t backward_count = 0;
    const FrameEntry* before = nullptr;
    for (const FrameEntry& frame : log.frames) {
        if (!frame.sample_ns) {
            continue;
        }
        if (before != nullptr) {
            const double turned = std::remainder(
                course_angle(frame.drawn[0].position) - course_angle(before->drawn[0].position),
                2.0 * std::numbers::pi);
            const bool back = *frame.sample_ns < *before->sample_ns || turned < -kBackSlackRad;
            backward_count += back ? 1U : 0U;
        }
        before = &frame;
    }
    return backward_count;
}

std::size_t count_drawn(const RunLog& log) {
    return static_cast<std::size_t>(
        std::count_if(log.frames.begin(), log.frames.end(),
                      [](const FrameEntry& frame) { return frame.sample_ns.has_value(); }));
}

} // namespace physics_thread
