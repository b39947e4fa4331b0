// SPDX-License-Identifier: MIT
// A body that obeys a MoveTo, for tests.
#pragma once

#include "glissade/remote/move_to.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace glissade {

inline constexpr double kQuantum = 0.03125; // A power of two: times add up exactly.
inline constexpr std::uint64_t kTarget = 77;
// Sines and square roots of the platform, over a few thousand additions.
inline constexpr double kTolerance = 1e-9;

inline TargetState target_at(const glm::dvec3& position,
                             const glm::dvec3& velocity = glm::dvec3(0.0)) {
    return {.position = position, .velocity = velocity};
}

inline MoveToOrder position_order(const glm::dvec3& position, const MoveToParams& params = {}) {
    return {.kind = MoveToKind::Position, .position = position, .params = params};
}

inline MoveToOrder object_order(const MoveToParams& params = {}) {
    return {.kind = MoveToKind::Object, .target = kTarget, .params = params};
}

// A body that does what the move-to commands, one quantum later.
struct Walker {
    RemoteTuning tuning{};
    MoverState body{};
    MoveTo move{};
    MotionCommand command{};
    bool blocked = false; // Its feet move, the body does not.

    void begin(const MoveToOrder& order) { move.begin(tuning, order, body); }

    [[nodiscard]] double forward_m_s() const {
        const RunRate unlimited{.remembered = 1000.0};
        return compute_state_velocity(tuning, command, unlimited).y;
    }

    MoveToStep step(double quantum_s = kQuantum) {
        const double heading_rad = body.heading_deg * std::numbers::pi / 180.0;
        const double speed_m_s = blocked ? 0.0 : forward_m_s();
        body.position +=
            glm::dvec3(std::sin(heading_rad), std::cos(heading_rad), 0.0) * (speed_m_s * quantum_s);
        body.heading_deg =
            std::fmod(body.heading_deg + command.turn_deg_s * quantum_s + 720.0, 360.0);
        body.speed_m_s = std::abs(speed_m_s);
        const MoveToStep result = move.advance(tuning, body, quantum_s);
        body.heading_deg = result.heading_deg.value_or(body.heading_deg);
        command = result.command;
        return result;
    }

    // Steps until it ends; gives up after `most`.
    MoveToStep run(int most = 4000) {
        MoveToStep result;
        for (int i = 0; i < most && move.running(); ++i) {
            result = step();
        }
        return result;
    }

    // Steps while the command is `gait`; how many steps that were.
    int run_while(Gait gait, int most = 4000) {
        int count = 0;
        while (count < most && move.running() && command.gait == gait) {
            step();
            ++count;
        }
        return count;
    }
};

} // namespace glissade
