// SPDX-License-Identifier: MIT
// The lines of a trace that only a network has: what a server says besides positions.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

// A position update of a server is a tick line (TraceTick): it may be lost, repeated or late. What
// else a server says of an object has lines of its own, value for value as those of trace.h. All
// times are nanoseconds by the reader's clock.

/// How an object walks.
enum class TraceGait : std::uint8_t { Ready, Walk, Back, Run };

/// What a move-to goes or turns to.
enum class TraceMoveKind : std::uint8_t { Object, Position, TurnObject, TurnHeading };

/// From now on the object's animation does this. Speeds are factors.
struct TraceMotion {
    std::uint16_t stamp = 0; ///< Counts movements, wraps; shared with TraceMoveTo.
    std::int64_t id = 0;
    std::int64_t arrive_ns = 0;
    TraceGait gait = TraceGait::Ready;
    std::optional<double> speed{};      ///< 1 if absent; positive also for Back.
    std::optional<double> sidestep{};   ///< Positive to the right; 0 if absent.
    std::optional<double> turn_deg_s{}; ///< Positive clockwise; 0 if absent.

    friend bool operator==(const TraceMotion&, const TraceMotion&) noexcept = default;
};

/// The object flies from now on: a jump, a throw.
struct TraceVector {
    std::uint16_t stamp = 0; ///< Counts vector updates, wraps.
    std::int64_t id = 0;
    std::int64_t arrive_ns = 0;
    glm::dvec3 velocity{0.0};                     ///< Metres per second.
    std::optional<glm::dvec3> angular_velocity{}; ///< Radians per second.

    friend bool operator==(const TraceVector&, const TraceVector&) noexcept = default;
};

/// The object goes or turns there by itself. What is absent has its default in
/// docs/trace-format.md.
struct TraceMoveTo {
    std::uint16_t stamp = 0; ///< As of TraceMotion.
    std::int64_t id = 0;
    std::int64_t arrive_ns = 0;
    TraceMoveKind kind = TraceMoveKind::Position;
    std::optional<std::int64_t> target{}; ///< An id, of the object kinds.
    std::optional<glm::dvec3> position{};
    std::optional<std::uint32_t> flags{};
    std::optional<double> distance_m{};
    std::optional<double> min_distance_m{};
    std::optional<double> fail_distance_m{};
    std::optional<double> speed{};
    std::optional<double> threshold_m{};
    std::optional<double> heading_deg{};
    std::optional<double> run_rate{};

    friend bool operator==(const TraceMoveTo&, const TraceMoveTo&) noexcept = default;
};

/// From now on the local player is here.
struct TracePlayer {
    std::int64_t arrive_ns = 0;
    glm::dvec3 position{0.0};

    friend bool operator==(const TracePlayer&, const TracePlayer&) noexcept = default;
};

/// From now on the reader's own world stops this object, or lets it go: what collision did.
struct TraceBlocked {
    bool blocked = true;
    std::int64_t id = 0;
    std::int64_t arrive_ns = 0;

    friend bool operator==(const TraceBlocked&, const TraceBlocked&) noexcept = default;
};

/// One of them.
using TracePacket = std::variant<TraceMotion, TraceVector, TraceMoveTo, TracePlayer, TraceBlocked>;

/// When the reader could know it.
[[nodiscard]] std::int64_t arrive_of(const TracePacket& packet) noexcept;

/// The names that stand in the files: "ready", "walk", ...; "object", "turn-object", ... Never
/// null.
[[nodiscard]] const char* to_string(TraceGait gait) noexcept;
[[nodiscard]] const char* to_string(TraceMoveKind kind) noexcept;

} // namespace glissade
