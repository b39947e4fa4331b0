// SPDX-License-Identifier: MIT
// How fast a body goes by what its animation does.
#pragma once

#include "glissade/remote/remote_tuning.h"

#include <cstdint>
#include <optional>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

enum class Gait : std::uint8_t { Ready, WalkForward, WalkBackwards, RunForward };

/// What a body's animation was told to do. Speeds are factors of the tuning's speeds.
struct MotionCommand {
    Gait gait = Gait::Ready;
    double forward_speed = 1.0;  ///< Positive also for WalkBackwards.
    double sidestep_speed = 0.0; ///< Positive to the right.
    double turn_deg_s = 0.0;     ///< Positive clockwise.

    friend bool operator==(const MotionCommand&, const MotionCommand&) noexcept = default;
};

/// How fast a body can run.
struct RunRate {
    std::optional<double> skill{}; ///< Local player only: its own rate.
    double remembered = 1.0;       ///< Of the last run command or move-to, kept after it.

    [[nodiscard]] double value() const noexcept { return skill.value_or(remembered); }
    friend bool operator==(const RunRate&, const RunRate&) noexcept = default;
};

/// Metres per second. What it does now does not lower it: an idle body can still catch up.
[[nodiscard]] double compute_max_speed(const RemoteTuning& tuning, const RunRate& rate) noexcept;

/// The same, but a body that runs forward is as fast as it was told to run.
[[nodiscard]] double compute_adjusted_max_speed(const RemoteTuning& tuning,
                                                const MotionCommand& command,
                                                const RunRate& rate) noexcept;

/// The bound of the chase: a multiple of the adjusted speed, or the fallback for a body without.
[[nodiscard]] double compute_chase_speed(const RemoteTuning& tuning,
                                         std::optional<double> adjusted_max_speed) noexcept;

/// The bound of sticking: a multiple of the max speed, or the fallback for a body without.
[[nodiscard]] double compute_sticky_speed(const RemoteTuning& tuning,
                                          std::optional<double> max_speed) noexcept;

/// Metres per second in body space, never faster than compute_max_speed().
[[nodiscard]] glm::dvec3 compute_state_velocity(const RemoteTuning& tuning,
                                                const MotionCommand& command,
                                                const RunRate& rate) noexcept;

} // namespace glissade
