// SPDX-License-Identifier: MIT
#include "lab/methods/two_states.h"

#include <algorithm>
#include <cmath>

namespace glissade::lab {

void TwoStates::tick(const TraceTick& tick) {
    const TickTimes times{tick.sim_ns, tick.stamp_ns.value_or(tick.arrive_ns)};
    const std::int64_t epoch = tick.epoch.value_or(epoch_);
    // A late packet must not make time run back, nor a repeated one count as another tick.
    const bool stale = any_tick_ && epoch == epoch_ &&
                       (times.sim_ns < current_.sim_ns || tick.tick == newest_tick_);
    if (stale) {
        return;
    }
    epoch_ = epoch;
    newest_tick_ = tick.tick;
    previous_ = any_tick_ ? current_ : times;
    current_ = times;
    any_tick_ = true;
    for (auto& [id, body] : bodies_) {
        body.previous = body.current;
    }
    for (const TracePose& pose : tick.poses) {
        const BodyState state = make_state(pose);
        const auto [place, is_new] =
            bodies_.try_emplace(pose.id, Body{state, state, {}, pose.camera});
        place->second.current = state;
    }
    for (const std::int64_t id : tick.gone) {
        bodies_.erase(id);
    }
    on_tick();
}

void TwoStates::frame(const TraceFrame& frame, DrawnFrame& out) {
    begin_drawing(frame, out);
    if (!any_tick_) {
        return;
    }
    const double sample = begin_frame(frame.cpu_ns);
    for (auto& [id, body] : bodies_) {
        const BodyState state = draw(body);
        body.drawn = state;
        out.poses.push_back({id, state.position, state.rotation});
    }
    const auto newest = static_cast<double>(current_.sim_ns);
    out.sample_ns = std::llround(sample);
    out.delay_ns = std::llround(newest + since_stamp_ns(frame.cpu_ns) - sample);
    const bool beyond = sample > newest;
    out.state = sample < newest ? DrawnState::Interpolate
                                : (beyond ? DrawnState::Extrapolate : DrawnState::Hold);
}

double TwoStates::step_ns() const {
    if (header_.tick_ns) {
        return header_.rate ? header_.rate->period_s() * kNsPerSecond
                            : static_cast<double>(*header_.tick_ns);
    }
    constexpr double kFirstStepNs = 1e9 / 60.0; // Nothing is known before the second tick.
    return duration_ns() > 0.0 ? duration_ns() : kFirstStepNs;
}

double TwoStates::duration_ns() const {
    return static_cast<double>(current_.sim_ns - previous_.sim_ns);
}

double TwoStates::source_time(double alpha) const {
    return static_cast<double>(previous_.sim_ns) + alpha * duration_ns();
}

double TwoStates::since_stamp_ns(std::int64_t cpu_ns) const {
    return static_cast<double>(cpu_ns - current_.stamp_ns);
}

double TwoStates::constant_alpha(std::int64_t cpu_ns) const {
    return std::clamp(since_stamp_ns(cpu_ns) / step_ns(), 0.0, 1.0);
}

} // namespace glissade::lab
