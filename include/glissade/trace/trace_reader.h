// SPDX-License-Identifier: MIT
// Reads traces and drawn frames from text that arrives in pieces.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace glissade {

/// Why a line was refused.
enum class TraceProblem : std::uint8_t {
    None,
    NotJson,     ///< Broken, cut off, binary, or not one object.
    UnknownKind, ///< No key says what kind of line it is.
    MissingKey,  ///< A key that this kind of line needs is absent.
    WrongType,   ///< A value is not of the type or in the range that its key wants.
    NotFinite,   ///< NaN, infinity, or a number too large for a double.
    OutOfOrder,  ///< Earlier than the line before it, or repeated.
    NoHeader,    ///< The first line is not a header, or a later one is.
    BadVersion,  ///< A trace version that this library does not know.
    LineTooLong, ///< Longer than max_line_bytes.
    WrongSource, ///< A packet in a trace whose source is not a network.
};

/// A short English name for logs, never null.
[[nodiscard]] const char* to_string(TraceProblem problem) noexcept;
/// What to do about it, one sentence, never null.
[[nodiscard]] const char* remedy(TraceProblem problem) noexcept;

/// Where reading stopped and why.
struct TraceError {
    TraceProblem problem = TraceProblem::None;
    std::int64_t line = 0; ///< Counted from 1.
    std::string cause{};   ///< For people: names the key and what was found.
};

enum class TraceRead : std::uint8_t {
    Line,     ///< A line was read.
    NeedText, ///< push() more, or finish().
    End,      ///< Every line was read.
    Error,    ///< See error(). Nothing is read after it.
};

enum class TraceLineKind : std::uint8_t { Header, Tick, Frame, Truth, Packet };

/// One line of a trace. Only the part that `kind` names has a meaning. Use one object for all
/// lines: its memory is reused.
struct TraceLine {
    TraceLineKind kind = TraceLineKind::Header;
    TraceHeader header{};
    TraceTick tick{};
    TraceFrame frame{};
    TraceTruth truth{};
    TracePacket packet{};
};

/// Settings of a reader.
struct TraceReaderConfig {
    /// Longest line taken, so that a file without line ends cannot fill the memory. >= 1.
    std::size_t max_line_bytes = std::size_t{16} << 20U;
};

/// Reads a trace line by line.
///
///     reader.push(text);                       // as it comes, in pieces of any size
///     while (reader.next(line) == TraceRead::Line) { ... }
///
/// Memory: the longest line and the text pushed but not yet read, whatever the length of the trace.
/// Checked: types, finite numbers, and order: `arrive` of ticks and packets and `cpu` of frames,
/// taken together, never run back, frame numbers grow, ticks of a local or threaded source grow
/// within their epoch and so does their `sim` (it may stand), truth grows per id. Unknown keys are
/// ignored, whatever their value; a known key that stands twice in an object, an id twice in a
/// tick, and null where it is not `tick_ns` are WrongType. Empty lines are not allowed except at
/// the end.
///
/// Thread safety: one thread at a time. Allocates: while lines grow. Locale: never matters.
class TraceReader {
public:
    explicit TraceReader(const TraceReaderConfig& config = {});
    ~TraceReader();
    TraceReader(TraceReader&&) noexcept;
    TraceReader& operator=(TraceReader&&) noexcept;
    TraceReader(const TraceReader&) = delete;
    TraceReader& operator=(const TraceReader&) = delete;

    /// More text. Copied. Ignored after finish() or an error.
    void push(std::string_view text);
    /// There is no more text: what is left is the last line.
    void finish();
    /// The next line, into `line`; what was in it is overwritten.
    [[nodiscard]] TraceRead next(TraceLine& line);
    [[nodiscard]] const TraceError& error() const noexcept;
    /// The number of the line that next() read last, from 1.
    [[nodiscard]] std::int64_t line_number() const noexcept;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Reads what `glissade replay` writes, or a game's own record of what it drew, in the same way.
/// Checked: types, finite numbers, frame numbers that grow.
class DrawnReader {
public:
    explicit DrawnReader(const TraceReaderConfig& config = {});
    ~DrawnReader();
    DrawnReader(DrawnReader&&) noexcept;
    DrawnReader& operator=(DrawnReader&&) noexcept;
    DrawnReader(const DrawnReader&) = delete;
    DrawnReader& operator=(const DrawnReader&) = delete;

    void push(std::string_view text);
    void finish();
    [[nodiscard]] TraceRead next(DrawnFrame& frame);
    [[nodiscard]] const TraceError& error() const noexcept;
    [[nodiscard]] std::int64_t line_number() const noexcept;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace glissade
