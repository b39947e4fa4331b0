// SPDX-License-Identifier: MIT
// The keys of every line as tables: what the parser knows of the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace glissade::detail {

/// What a key wants.
enum class ValueType : std::uint8_t {
    Version,    ///< The integer 1.
    Text,       ///< A string.
    Source,     ///< The name of a TraceSource.
    State,      ///< The name of a DrawnState.
    Role,       ///< "camera".
    TickLength, ///< Nanoseconds > 0, or null.
    Time,       ///< Nanoseconds within +-kMaxTimeNs.
    Integer,    ///< Any 64-bit integer.
    Count,      ///< An integer >= 0.
    Factor,     ///< A number >= 0.
    Flag,       ///< true or false.
    RateParts,  ///< Two integers that make a valid Rate.
    Vector,     ///< Three numbers.
    Quaternion, ///< Four numbers, x y z w.
    Ids,        ///< Integers.
    Poses,      ///< Objects with the keys of a pose.
    Shift,      ///< An object with the keys of a shift.
};

/// What a value of that type must be, for messages.
[[nodiscard]] const char* wanted(ValueType type) noexcept;

/// One key. Within an object a key belongs to one kind of line, and is unknown in the others.
struct KeyRow {
    std::string_view name;
    ValueType type = ValueType::Integer;
    bool required = false;
    std::uint8_t kind = 0;
};

// Indices into the tables below.
enum class TraceKey : std::uint8_t {
    Trace,
    Name,
    Source,
    TickLength,
    RateParts,
    Tick,
    Sim,
    Arrive,
    Due,
    Stamp,
    Epoch,
    Scale,
    Paused,
    Poses,
    Gone,
    Frame,
    Cpu,
    Present,
    Truth,
    Id,
    Position,
    Rotation,
};
enum class DrawnKey : std::uint8_t { Frame, Sample, Delay, State, Poses };
enum class PoseKey : std::uint8_t {
    Id,
    Position,
    Rotation,
    Scale,
    Velocity,
    AngularVelocity,
    Cut,
    Shift,
    Role,
};
enum class ShiftKey : std::uint8_t { Count, Translation, Rotation };

/// The most keys that one table has.
inline constexpr std::size_t kMaxKeys = 22;

/// A language of lines. The first row of each kind is the key that tells the kind.
struct LineSchema {
    std::span<const KeyRow> line;
    std::span<const KeyRow> pose;
    std::span<const KeyRow> shift;
    std::span<const char* const> kinds; ///< With article: "a tick".
};

/// Header, tick, frame and truth, in the order of TraceLineKind.
[[nodiscard]] const LineSchema& trace_schema() noexcept;
/// What was drawn: one kind.
[[nodiscard]] const LineSchema& drawn_schema() noexcept;

} // namespace glissade::detail
