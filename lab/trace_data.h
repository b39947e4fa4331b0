// SPDX-License-Identifier: MIT
// A whole trace in memory: what scenarios make, and what scoring and the doctor look at.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glissade::lab {

/// A packet and how many ticks and frames stand before it in the file.
struct PacketLine {
    TracePacket packet{};
    std::size_t ticks_before = 0;
    std::size_t frames_before = 0;
};

/// All lines of a trace by kind, each kind in the order of the file.
struct Trace {
    TraceHeader header{};
    std::vector<TraceTick> ticks{};
    std::vector<TraceFrame> frames{};
    /// For each frame, how many ticks stand before it in the file: what it could know.
    std::vector<std::size_t> ticks_before{};
    std::vector<TraceTruth> truths{};
    std::vector<PacketLine> packets{}; ///< Of a network only.
};

/// Fills `ticks_before`, and where packets stand, for a trace that was made and not read: what
/// arrives at the very time of a frame is known to it, and a packet that arrives with a tick stands
/// before it. Ticks, frames and packets must be in order.
void link_frames(Trace& trace);

/// Goes through the lines of a trace in the order of the file, truth left out.
class LineWalk {
public:
    enum class Line : std::uint8_t { Tick, Packet, Frame, End };

    explicit LineWalk(const Trace& trace) : trace_(trace) {}

    /// The kind of the next line, which is then tick(), packet() or frame().
    [[nodiscard]] Line next();
    [[nodiscard]] const TraceTick& tick() const { return trace_.ticks[tick_count_ - 1]; }
    [[nodiscard]] const TracePacket& packet() const {
        return trace_.packets[packet_count_ - 1].packet;
    }
    [[nodiscard]] const TraceFrame& frame() const { return trace_.frames[frame_count_ - 1]; }

private:
    const Trace& trace_;
    std::size_t tick_count_ = 0; // Passed so far.
    std::size_t packet_count_ = 0;
    std::size_t frame_count_ = 0;
};

/// Calls `on_tick`, `on_frame` and `on_packet` for each line in the order of the file.
template <typename OnTick, typename OnFrame, typename OnPacket>
void visit_lines(const Trace& trace, OnTick&& on_tick, OnFrame&& on_frame, OnPacket&& on_packet) {
    LineWalk walk(trace);
    for (LineWalk::Line line = walk.next(); line != LineWalk::Line::End; line = walk.next()) {
        if (line == LineWalk::Line::Tick) {
            on_tick(walk.tick());
        } else if (line == LineWalk::Line::Frame) {
            on_frame(walk.frame());
        } else {
            on_packet(walk.packet());
        }
    }
}

/// The same for who does not ask for packets.
template <typename OnTick, typename OnFrame>
void visit_lines(const Trace& trace, OnTick&& on_tick, OnFrame&& on_frame) {
    visit_lines(trace, on_tick, on_frame, [](const TracePacket&) {});
}

} // namespace glissade::lab
