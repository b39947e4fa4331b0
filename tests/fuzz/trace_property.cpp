// SPDX-License-Identifier: MIT
#include "fuzz/trace_property.h"

#include "trace/read_back.h"

namespace glissade::testing {
namespace {

/// Seed of the pieces: a hash (FNV-1a), so that equal bytes are always cut alike. Never 0.
PieceSeed seed_of(std::string_view bytes) {
    std::uint32_t hash = 2166136261U;
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619U;
    }
    return hash | 1U;
}

bool is_same_error(const TraceError& a, const TraceError& b) {
    return a.problem == b.problem && a.line == b.line && a.cause == b.cause;
}

template <class Line, class Read>
std::string broken_by(std::string_view bytes, const Read& read) {
    const ReadBack<Line> whole = read(bytes, PieceSeed{0});
    const ReadBack<Line> pieces = read(bytes, seed_of(bytes));
    if (!has_same_lines(whole.lines, pieces.lines) || !is_same_error(whole.error, pieces.error)) {
        return "in pieces the text reads differently";
    }
    const bool is_error = whole.error.problem != TraceProblem::None;
    if (is_error && (whole.error.line < 1 || whole.error.cause.empty())) {
        return "an error without line or cause";
    }
    if (whole.lines.empty()) {
        return {};
    }
    const std::string written = write(whole.lines);
    if (written.empty()) {
        return "a number that was accepted is not finite";
    }
    const ReadBack<Line> again = read(written, seed_of(written));
    if (again.error.problem != TraceProblem::None) {
        return "what was written is refused: " + again.error.cause;
    }
    if (!has_same_lines(whole.lines, again.lines)) {
        return "what was written reads differently";
    }
    if (write(again.lines) != written) {
        return "the second writing differs";
    }
    return {};
}

} // namespace

std::string broken_property(std::string_view bytes) {
    const std::string as_trace = broken_by<TraceLine>(
        bytes, [](std::string_view text, PieceSeed seed) { return read_trace(text, seed); });
    if (!as_trace.empty()) {
        return "as a trace: " + as_trace;
    }
    const std::string as_drawn = broken_by<DrawnFrame>(
        bytes, [](std::string_view text, PieceSeed seed) { return read_drawn(text, seed); });
    return as_drawn.empty() ? as_drawn : "as drawn frames: " + as_drawn;
}

} // namespace glissade::testing
