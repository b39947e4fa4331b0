// SPDX-License-Identifier: MIT
// Writes traces and drawn frames as text.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

#include <cstdint>
#include <string>

namespace glissade {

enum class TraceWrite : std::uint8_t {
    Ok,
    NotFinite, ///< A number is NaN or infinite. Nothing was appended.
};

// One line with its line end, appended to `out`. Numbers have the fewest digits that read back to
// the same bits, in every locale; -0.0 keeps its sign. A control character in a name is escaped,
// and bytes that are not UTF-8 become U+FFFD. Order and ranges are the caller's duty: see
// TraceReader.
//
// Allocates: only where `out` must grow. Cost: linear in the length of the line.
[[nodiscard]] TraceWrite append_line(std::string& out, const TraceHeader& header);
[[nodiscard]] TraceWrite append_line(std::string& out, const TraceTick& tick);
[[nodiscard]] TraceWrite append_line(std::string& out, const TraceFrame& frame);
[[nodiscard]] TraceWrite append_line(std::string& out, const TraceTruth& truth);
[[nodiscard]] TraceWrite append_line(std::string& out, const TracePacket& packet);
[[nodiscard]] TraceWrite append_line(std::string& out, const DrawnFrame& frame);

} // namespace glissade
