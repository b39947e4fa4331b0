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
    Gait,       ///< The name of a TraceGait.
    MoveKind,   ///< The name of a TraceMoveKind.
    TickLength, ///< Nanoseconds > 0, or null.
    Time,       ///< Nanoseconds within +-kMaxTimeNs.
    Integer,    ///< Any 64-bit integer.
    Count,      ///< An integer >= 0.
    Stamp,      ///< An integer of 16 bits, >= 0.
    Flags,      ///< An integer of 32 bits, >= 0.
    Factor,     ///< A number >= 0.
    Number,     ///< A number.
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

/// The kinds of lines of a trace, in the order of the schema. Those up to Truth are the elders.
enum class LineKind : std::uint8_t {
    Header,
    Tick,
    Frame,
    Truth,
    Motion,
    Vector,
    MoveTo,
    Player,
    Blocked,
};
inline constexpr std::size_t kMaxKinds = 9;

/// A bit for each kind of line.
using KindSet = std::uint16_t;

/// One key. It means the same in every kind of line that has it, and is unknown in the others.
struct KeyRow {
    std::string_view name;
    ValueType type = ValueType::Integer;
    KindSet required{}; ///< In these kinds; of a pose or a shift: not 0 if it is.
    KindSet optional{}; ///< In these it may be absent.
    bool tells = false; ///< It tells that a line is of the one kind that it is required in.

    [[nodiscard]] constexpr bool is_of(std::size_t kind) const noexcept {
        return ((required | optional) >> kind & 1U) != 0;
    }
    /// The kind that it tells, or the first that has it.
    [[nodiscard]] std::size_t first_kind() const noexcept;
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
    Motion,
    Gait,
    Speed,
    Sidestep,
    Turn,
    Vector,
    Velocity,
    AngularVelocity,
    MoveTo,
    Kind,
    Target,
    Flags,
    Distance,
    MinDistance,
    FailDistance,
    Threshold,
    Heading,
    RunRate,
    Player,
    Blocked,
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
    Contact,
};
enum class ShiftKey : std::uint8_t { Count, Translation, Rotation };

/// The most keys that one table has.
inline constexpr std::size_t kMaxKeys = 42;

/// A language of lines.
struct LineSchema {
    std::span<const KeyRow> line;
    std::span<const KeyRow> pose;
    std::span<const KeyRow> shift;
    std::span<const char* const> kinds; ///< With article: "a tick".
    /// So many of the kinds come first: a line with a key that tells one of them is of that kind,
    /// whatever keys of younger kinds it has. They were unknown keys once, and still are there.
    std::size_t elder_count = 1;
};

/// Header, tick, frame, truth and the packets, in the order of LineKind.
[[nodiscard]] const LineSchema& trace_schema() noexcept;
/// What was drawn: one kind.
[[nodiscard]] const LineSchema& drawn_schema() noexcept;

} // namespace glissade::detail
