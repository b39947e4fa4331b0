// SPDX-License-Identifier: MIT
#include "lab/remote/script.h"

#include "glissade/remote/remote_tuning.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace glissade::lab {

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kRadPerDeg = std::numbers::pi / 180.0;

// In body space: x to the right, y forward.
glm::dvec3 body_velocity(const Leg& leg) {
    const RemoteTuning tuning;
    glm::dvec3 velocity{leg.sidestep * tuning.sidestep_speed_m_s, 0.0, 0.0};
    if (leg.gait == TraceGait::Run) {
        velocity.y = tuning.run_speed_m_s;
    } else if (leg.gait == TraceGait::Walk) {
        velocity.y = tuning.walk_speed_m_s;
    } else if (leg.gait == TraceGait::Back) {
        velocity.y = -tuning.walk_speed_m_s * tuning.backward_factor;
    }
    return velocity;
}

glm::dvec3 to_world(double heading_deg, const glm::dvec3& body) {
    const double sine = std::sin(heading_deg * kRadPerDeg);
    const double cosine = std::cos(heading_deg * kRadPerDeg);
    return {body.x * cosine + body.y * sine, body.y * cosine - body.x * sine, body.z};
}

// The way of a body that walks and turns: its velocity goes round a circle.
glm::dvec3 arc(const glm::dvec3& body, double from_deg, double turn_deg_s, double elapsed_s) {
    if (turn_deg_s == 0.0) {
        return to_world(from_deg, body) * elapsed_s;
    }
    const double to_deg = from_deg + turn_deg_s * elapsed_s;
    const double rate = turn_deg_s * kRadPerDeg;
    const double sines = (std::sin(to_deg * kRadPerDeg) - std::sin(from_deg * kRadPerDeg)) / rate;
    const double cosines = (std::cos(from_deg * kRadPerDeg) - std::cos(to_deg * kRadPerDeg)) / rate;
    return {body.x * sines + body.y * cosines, body.y * sines - body.x * cosines, 0.0};
}

double length_of(const Leg& leg) {
    const double gravity = -RemoteTuning{}.gravity_m_s2;
    return leg.jump_m_s > 0.0 ? 2.0 * leg.jump_m_s / gravity : leg.length_s;
}

bool is_same_gait(const Leg& a, const Leg& b) {
    return a.gait == b.gait && a.sidestep == b.sidestep && a.turn_deg_s == b.turn_deg_s;
}

} // namespace

glm::dquat rotation_of(double heading_deg) {
    const double half = -heading_deg * kRadPerDeg / 2.0;
    return {std::cos(half), 0.0, 0.0, std::sin(half)};
}

Script::Script(std::span<const Leg> legs, std::int64_t end_ns) {
    EntityState state;
    std::int64_t time_ns = 0;
    for (std::size_t i = 0; time_ns <= end_ns; i = (i + 1) % legs.size()) {
        const Leg& leg = legs[i];
        const Leg* const last = events_.empty() ? nullptr : &events_.back().leg;
        state.position += leg.teleport;
        state.cut += leg.teleport == glm::dvec3{0.0} ? 0 : 1;
        events_.push_back({.time_ns = time_ns,
                           .leg = leg,
                           .landed = last != nullptr && last->jump_m_s > 0.0,
                           .new_gait = last == nullptr || !is_same_gait(*last, leg)});
        starts_.push_back(state);
        events_.back().velocity = after(events_.size() - 1, 0.0).velocity;
        state = after(events_.size() - 1, length_of(leg));
        // Exactly on the ground again, not short of it by a rounding.
        state.position.z = starts_.back().position.z;
        time_ns += std::llround(length_of(leg) * kNsPerSecond);
    }
}

EntityState Script::after(std::size_t index, double elapsed_s) const {
    const Leg& leg = events_[index].leg;
    EntityState state = starts_[index];
    const glm::dvec3 body = body_velocity(leg);
    state.position += arc(body, state.heading_deg, leg.turn_deg_s, elapsed_s);
    state.heading_deg += leg.turn_deg_s * elapsed_s;
    state.turn_deg_s = leg.turn_deg_s;
    state.velocity = to_world(state.heading_deg, body);
    state.contact = leg.jump_m_s <= 0.0;
    if (leg.jump_m_s > 0.0) {
        const double gravity = RemoteTuning{}.gravity_m_s2;
        state.position.z += (leg.jump_m_s + gravity * elapsed_s / 2.0) * elapsed_s;
        state.velocity.z = leg.jump_m_s + gravity * elapsed_s;
    }
    return state;
}

EntityState Script::at(std::int64_t time_ns) const {
    const auto next = std::upper_bound(
        events_.begin(), events_.end(), time_ns,
        [](std::int64_t time, const Event& event) { return time < event.time_ns; });
    const auto index = static_cast<std::size_t>(next - events_.begin()) - 1;
    return after(index, static_cast<double>(time_ns - events_[index].time_ns) / kNsPerSecond);
}

} // namespace glissade::lab
