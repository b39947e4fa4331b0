// SPDX-License-Identifier: MIT
#include "lab/trace_data.h"

namespace glissade::lab {

namespace {

// Packets stand before ticks that arrive with them, and before frames at their very time.
void link_packets(Trace& trace) {
    std::size_t tick = 0;
    std::size_t frame = 0;
    for (PacketLine& line : trace.packets) {
        const std::int64_t arrive_ns = arrive_of(line.packet);
        while (tick < trace.ticks.size() && trace.ticks[tick].arrive_ns < arrive_ns) {
            ++tick;
        }
        while (frame < trace.frames.size() && trace.frames[frame].cpu_ns < arrive_ns) {
            ++frame;
        }
        line.ticks_before = tick;
        line.frames_before = frame;
    }
}

} // namespace

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
    link_packets(trace);
}

LineWalk::Line LineWalk::next() {
    const bool has_frame = frame_count_ < trace_.frames.size();
    if (packet_count_ < trace_.packets.size()) {
        const PacketLine& packet = trace_.packets[packet_count_];
        if (packet.frames_before <= frame_count_ && packet.ticks_before <= tick_count_) {
            ++packet_count_;
            return Line::Packet;
        }
    }
    if (tick_count_ < (has_frame ? trace_.ticks_before[frame_count_] : trace_.ticks.size())) {
        ++tick_count_;
        return Line::Tick;
    }
    frame_count_ += has_frame ? 1U : 0U;
    return has_frame ? Line::Frame : Line::End;
}

} // namespace glissade::lab
