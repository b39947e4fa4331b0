// SPDX-License-Identifier: MIT
// Whole texts through the readers and writers, for tests.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_reader.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glissade::testing {

/// What a reader made of a text: the lines before its end or its first error.
template <class Line>
struct ReadBack {
    std::vector<Line> lines{};
    TraceError error{};
};

/// How a text is cut: seed 0 pushes it whole, any other one in pieces of 1 to 97 bytes.
using PieceSeed = std::uint32_t;

[[nodiscard]] ReadBack<TraceLine> read_trace(std::string_view text, PieceSeed seed = 0,
                                             const TraceReaderConfig& config = {});
[[nodiscard]] ReadBack<DrawnFrame> read_drawn(std::string_view text, PieceSeed seed = 0,
                                              const TraceReaderConfig& config = {});

/// The lines as text again. Empty if a number in them is not finite.
[[nodiscard]] std::string write(const std::vector<TraceLine>& lines);
[[nodiscard]] std::string write(const std::vector<DrawnFrame>& lines);

/// Equal in the part that their kind names.
[[nodiscard]] bool is_same(const TraceLine& a, const TraceLine& b);
[[nodiscard]] bool is_same(const DrawnFrame& a, const DrawnFrame& b);

/// Whether two readings have the same lines.
template <class Line>
[[nodiscard]] bool has_same_lines(const std::vector<Line>& a, const std::vector<Line>& b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!is_same(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

} // namespace glissade::testing
