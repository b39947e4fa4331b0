// SPDX-License-Identifier: MIT
// The fields of a parsed line as one of a network's packets.
#pragma once

#include "glissade/trace/trace_packets.h"

#include "trace/line_events.h"
#include "trace/line_keys.h"

namespace glissade::detail {

/// Precondition: `kind` is one of the packets' and the fields are those of such a line.
[[nodiscard]] TracePacket take_packet(LineKind kind, const Fields& fields) noexcept;

/// The key that a move-to line of its kind needs and does not have; null if it has all.
[[nodiscard]] const char* missing_key(const TraceMoveTo& line) noexcept;

} // namespace glissade::detail
