// SPDX-License-Identifier: MIT
// The lines of a trace: what arrived from a source, when frames were made, and what was drawn.
#pragma once

#include "glissade/time/rate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/ext/quaternion_double.hpp>
#include <glm/ext/vector_double3.hpp>

namespace glissade {

// A trace is text, one JSON object a line; docs/trace-format.md has every key. These structs hold
// one line each, value for value: what is read and written again keeps every bit. An optional field
// that is empty is a key that is absent. All times are nanoseconds.

/// Where the ticks of a trace come from.
enum class TraceSource : std::uint8_t {
    Local,   ///< The same thread as the frames.
    Thread,  ///< Another thread or a web worker.
    Network, ///< A server: ticks may be lost, repeated or out of order; see trace_packets.h.
};

/// First line: what was recorded.
struct TraceHeader {
    std::string name{};
    TraceSource source = TraceSource::Local;
    std::optional<std::int64_t> tick_ns{}; ///< Length of a tick, > 0; empty for variable ticks.
    std::optional<Rate> rate{};            ///< The exact rate where tick_ns is rounded.

    friend bool operator==(const TraceHeader&, const TraceHeader&) noexcept = default;
};

/// All displacements of an object so far, as one transform (rotation, then translation).
struct TraceShift {
    std::int64_t count = 0; ///< How many there were, >= 0.
    glm::dvec3 translation{0.0};
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};

    friend bool operator==(const TraceShift&, const TraceShift&) noexcept = default;
};

/// One object in a tick. Numbers are finite; rotations are kept as they came, unit or not.
struct TracePose {
    std::int64_t id = 0;
    glm::dvec3 position{0.0};
    std::optional<glm::dquat> rotation{};
    std::optional<glm::dvec3> scale{};
    std::optional<glm::dvec3> velocity{};         ///< Metres per second.
    std::optional<glm::dvec3> angular_velocity{}; ///< Radians per second.
    std::optional<std::int64_t> cut{};            ///< Cuts since the first pose, >= 0.
    std::optional<TraceShift> shift{};            ///< Displacements since the first pose.
    bool camera = false;                          ///< "role":"camera".
    bool contact = true; ///< False: a server says that it was in the air there.

    friend bool operator==(const TracePose&, const TracePose&) noexcept = default;
};

/// A state of the world as it reached the reader. Objects that are not listed are unchanged.
struct TraceTick {
    std::int64_t tick = 0;
    std::int64_t sim_ns = 0;                ///< On the source's own timeline.
    std::int64_t arrive_ns = 0;             ///< When it could first be read, reader's clock.
    std::optional<std::int64_t> due_ns{};   ///< When it was scheduled, reader's clock.
    std::optional<std::int64_t> stamp_ns{}; ///< What the writer wrote down, by its own clock.
    std::optional<std::int64_t> epoch{};    ///< Changes when the source lost time.
    std::optional<double> scale{};          ///< Source time per real time; 1 if absent. >= 0.
    bool paused = false;
    std::vector<TracePose> poses{};
    std::vector<std::int64_t> gone{}; ///< Objects that end with this tick.

    friend bool operator==(const TraceTick&, const TraceTick&) noexcept = default;
};

/// A frame was made.
struct TraceFrame {
    std::int64_t frame = 0;
    std::int64_t cpu_ns = 0;                  ///< When the frame's code read the clock.
    std::optional<std::int64_t> present_ns{}; ///< The display's own stamp; may lie before cpu_ns.

    friend bool operator==(const TraceFrame&, const TraceFrame&) noexcept = default;
};

/// Where an object really was, for judging.
struct TraceTruth {
    std::int64_t time_ns = 0; ///< On the source's timeline.
    std::int64_t id = 0;
    glm::dvec3 position{0.0};
    std::optional<glm::dquat> rotation{};

    friend bool operator==(const TraceTruth&, const TraceTruth&) noexcept = default;
};

/// How a drawn frame came about.
enum class DrawnState : std::uint8_t {
    Interpolate, ///< Between two states.
    Extrapolate, ///< Beyond the newest one.
    Hold,        ///< At the newest one, because nothing newer was there.
    Empty,       ///< Nothing to draw yet.
};

/// Where one object was drawn.
struct DrawnPose {
    std::int64_t id = 0;
    glm::dvec3 position{0.0};
    std::optional<glm::dquat> rotation{};

    friend bool operator==(const DrawnPose&, const DrawnPose&) noexcept = default;
};

/// What one frame showed. A game that does not know the first three leaves them empty.
struct DrawnFrame {
    std::int64_t frame = 0;
    std::optional<std::int64_t> sample_ns{}; ///< The source time that was aimed at.
    std::optional<std::int64_t> delay_ns{};  ///< How far behind the source's present it lies.
    std::optional<DrawnState> state{};
    std::vector<DrawnPose> poses{};

    friend bool operator==(const DrawnFrame&, const DrawnFrame&) noexcept = default;
};

/// The names that stand in the files: "local", "thread", "network"; "interpolate", ... Never null.
[[nodiscard]] const char* to_string(TraceSource source) noexcept;
[[nodiscard]] const char* to_string(DrawnState state) noexcept;

} // namespace glissade
