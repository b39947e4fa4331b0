// SPDX-License-Identifier: MIT
// A whole trace in memory: what scenarios make, and what scoring and the doctor look at.
#pragma once

#include "glissade/trace/trace.h"

#include <cstddef>
#include <vector>

namespace glissade::lab {

/// All lines of a trace by kind, each kind in the order of the file.
struct Trace {
    TraceHeader header{};
    std::vector<TraceTick> ticks{};
    std::vector<TraceFrame> frames{};
    /// For each frame, how many ticks stand before it in the file: what it could know.
    std::vector<std::size_t> ticks_before{};
    std::vector<TraceTruth> truths{};
};

/// Fills `ticks_before` for a trace that was made and not read: a tick that arrives at the very
/// time of a frame is known to it. Ticks and frames must be in order.
void link_frames(Trace& trace);

/// Calls `on_tick` and `on_frame` for each line in the order of the file.
template <typename OnTick, typename OnFrame>
void visit_lines(const Trace& trace, OnTick&& on_tick, OnFrame&& on_frame) {
    std::size_t tick = 0;
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
        for (; tick < trace.ticks_before[i]; ++tick) {
            on_tick(trace.ticks[tick]);
        }
        on_frame(trace.frames[i]);
    }
    for (; tick < trace.ticks.size(); ++tick) {
        on_tick(trace.ticks[tick]);
    }
}

} // namespace glissade::lab
