// SPDX-License-Identifier: MIT
#include "lab/replay.h"

namespace glissade::lab {

Drawn replay(const Trace& trace, const MethodInfo& method, const MethodConfig& config) {
    const std::unique_ptr<Method> drawing = method.make(trace.header, config);
    Drawn drawn;
    drawn.frames.reserve(trace.frames.size());
    visit_lines(
        trace, [&](const TraceTick& tick) { drawing->tick(tick); },
        [&](const TraceFrame& frame) { drawing->frame(frame, drawn.frames.emplace_back()); },
        [&](const TracePacket& packet) { drawing->packet(packet); });
    drawn.problem = drawing->problem();
    return drawn;
}

} // namespace glissade::lab
