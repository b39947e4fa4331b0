// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_packets.h"

namespace glissade {

std::int64_t arrive_of(const TracePacket& packet) noexcept {
    return std::visit([](const auto& line) { return line.arrive_ns; }, packet);
}

const char* to_string(TraceGait gait) noexcept {
    switch (gait) {
        case TraceGait::Ready:
            return "ready";
        case TraceGait::Walk:
            return "walk";
        case TraceGait::Back:
            return "back";
        case TraceGait::Run:
            return "run";
    }
    return "unknown";
}

const char* to_string(TraceMoveKind kind) noexcept {
    switch (kind) {
        case TraceMoveKind::Object:
            return "object";
        case TraceMoveKind::Position:
            return "position";
        case TraceMoveKind::TurnObject:
            return "turn-object";
        case TraceMoveKind::TurnHeading:
            return "turn-heading";
    }
    return "unknown";
}

} // namespace glissade
