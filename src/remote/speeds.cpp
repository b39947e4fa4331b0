// SPDX-License-Identifier: MIT
#include "glissade/remote/speeds.h"

#include <algorithm>

#include <glm/geometric.hpp>

namespace glissade {

namespace {

// A multiple of a speed, or the fallback where that comes to nothing.
double bound_of(const RemoteTuning& tuning, double factor, std::optional<double> speed,
                double fallback) noexcept {
    const double bound = factor * speed.value_or(0.0);
    return bound < tuning.epsilon ? fallback : bound;
}

double forward_velocity(const RemoteTuning& tuning, const MotionCommand& command) noexcept {
    switch (command.gait) {
        case Gait::RunForward:
            return tuning.run_speed_m_s * command.forward_speed;
        case Gait::WalkForward:
            return tuning.walk_speed_m_s * command.forward_speed;
        case Gait::WalkBackwards:
            return -tuning.backward_factor * tuning.walk_speed_m_s * command.forward_speed;
        case Gait::Ready:
            break;
    }
    return 0.0;
}

} // namespace

double compute_max_speed(const RemoteTuning& tuning, const RunRate& rate) noexcept {
    return tuning.run_speed_m_s * rate.value();
}

double compute_adjusted_max_speed(const RemoteTuning& tuning, const MotionCommand& command,
                                  const RunRate& rate) noexcept {
    return command.gait == Gait::RunForward ? tuning.run_speed_m_s * command.forward_speed
                                            : compute_max_speed(tuning, rate);
}

double compute_chase_speed(const RemoteTuning& tuning,
                           std::optional<double> adjusted_max_speed) noexcept {
    return bound_of(tuning, tuning.catch_up_factor, adjusted_max_speed, tuning.fallback_speed_m_s);
}

double compute_sticky_speed(const RemoteTuning& tuning, std::optional<double> max_speed) noexcept {
    return bound_of(tuning, tuning.sticky_factor, max_speed, tuning.sticky_fallback_speed_m_s);
}

glm::dvec3 compute_state_velocity(const RemoteTuning& tuning, const MotionCommand& command,
                                  const RunRate& rate) noexcept {
    const double limit = tuning.max_running_sidestep;
    const double sidestep = command.gait == Gait::RunForward
                                ? std::clamp(command.sidestep_speed, -limit, limit)
                                : command.sidestep_speed;
    const glm::dvec3 velocity(tuning.sidestep_speed_m_s * sidestep,
                              forward_velocity(tuning, command), 0.0);
    const double speed = glm::length(velocity);
    const double max_speed = compute_max_speed(tuning, rate);
    return speed > max_speed ? velocity * (max_speed / speed) : velocity;
}

} // namespace glissade
