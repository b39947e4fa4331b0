// SPDX-License-Identifier: MIT
#include "lab/trace_data.h"

namespace glissade::lab {

void link_frames(Trace& trace) {
    trace.ticks_before.clear();
    trace.ticks_before.reserve(trace.frames.size());
    std::size_t tick = 0;
    for (const TraceFrame& frame : trace.frames) {
        while (tick < trace.ticks.size() && trace.ticks[tick].arrive_ns <= frame.cpu_ns) {
            ++tick;
        }
        trace.ticks_before.push_back(tick);
    }
}

} // namespace glissade::lab
