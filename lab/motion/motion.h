// SPDX-License-Identifier: MIT
// What moves in a scenario, as functions of source time: ticks and truth ask the same one.
#pragma once

#include "glissade/trace/trace.h"

#include "lab/motion/timeline.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace glissade::lab {

inline constexpr glm::dquat kNoRotation{1.0, 0.0, 0.0, 0.0};

/// An object at one time. At the very time of a cut, shift, bounce or turn: after it.
struct MotionState {
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0}; ///< Metres per second.
    glm::dquat rotation = kNoRotation;
    glm::dvec3 angular_velocity{0.0}; ///< Radians per second.
    std::int64_t cut = 0;
    TraceShift shift{};
};

/// What of a MotionState is written into ticks beside position and velocity.
struct MotionParts {
    bool rotation = false; ///< With angular velocity; also in the truth.
    bool cut = false;
    bool shift = false;
    bool camera = false;
};

/// One object.
struct MovingObject {
    std::int64_t id = 0;
    MotionParts parts{};
    std::function<MotionState(std::int64_t time_ns)> at{}; ///< Pure; any time.
    /// First and last tick. The last one that lies within the scenario names the object `gone`.
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> kinks_ns{};  ///< The velocity jumps: the truth has these times too.
    std::vector<std::int64_t> breaks_ns{}; ///< The position jumps: and the nanosecond before.
};

[[nodiscard]] inline double to_seconds(std::int64_t time_ns) {
    return static_cast<double>(time_ns) * 1e-9;
}

/// The rotation by this angle about z.
[[nodiscard]] glm::dquat make_yaw(double angle_rad);

// The motions, one or two objects each.

[[nodiscard]] std::vector<MovingObject> make_constant_speed(const Timeline& timeline,
                                                            std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_ballistic(const Timeline& timeline,
                                                       std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_orbit(const Timeline& timeline, std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_sine(const Timeline& timeline, std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_random_walk(const Timeline& timeline,
                                                         std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_teleports(const Timeline& timeline,
                                                       std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_portals(const Timeline& timeline, std::uint64_t seed);
/// More than two objects, one after another.
[[nodiscard]] std::vector<MovingObject> make_spawns(const Timeline& timeline, std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_wheel(const Timeline& timeline, std::uint64_t seed);
[[nodiscard]] std::vector<MovingObject> make_followed_body(const Timeline& timeline,
                                                           std::uint64_t seed);
/// One straight and one round motion, for the scenarios that are about time.
[[nodiscard]] std::vector<MovingObject> make_line_and_orbit(const Timeline& timeline,
                                                            std::uint64_t seed);

} // namespace glissade::lab
