// SPDX-License-Identifier: MIT
#include "lab/trace_text.h"

#include "glissade/trace/trace_writer.h"

namespace glissade::lab {

namespace {

void take(Trace& trace, const TraceLine& line) {
    switch (line.kind) {
        case TraceLineKind::Header:
            trace.header = line.header;
            break;
        case TraceLineKind::Tick:
            trace.ticks.push_back(line.tick);
            break;
        case TraceLineKind::Frame:
            trace.frames.push_back(line.frame);
            trace.ticks_before.push_back(trace.ticks.size());
            break;
        case TraceLineKind::Truth:
            trace.truths.push_back(line.truth);
            break;
        case TraceLineKind::Packet:
            trace.packets.push_back({line.packet, trace.ticks.size(), trace.frames.size()});
            break;
    }
}

} // namespace

bool TraceLoader::push(std::string_view text) {
    reader_.push(text);
    return read_lines();
}

bool TraceLoader::finish() {
    reader_.finish();
    return read_lines();
}

bool TraceLoader::read_lines() {
    TraceRead read = reader_.next(line_);
    for (; read == TraceRead::Line; read = reader_.next(line_)) {
        take(trace_, line_);
    }
    return read != TraceRead::Error;
}

bool DrawnLoader::push(std::string_view text) {
    reader_.push(text);
    return read_lines();
}

bool DrawnLoader::finish() {
    reader_.finish();
    return read_lines();
}

bool DrawnLoader::read_lines() {
    DrawnFrame frame;
    TraceRead read = reader_.next(frame);
    for (; read == TraceRead::Line; read = reader_.next(frame)) {
        frames_.push_back(frame);
    }
    return read != TraceRead::Error;
}

std::string to_text(const Trace& trace) {
    std::string text;
    // Traces in memory were made or read, and both have finite numbers only.
    (void)append_line(text, trace.header);
    for (const TraceTruth& truth : trace.truths) {
        (void)append_line(text, truth);
    }
    visit_lines(
        trace, [&](const TraceTick& tick) { (void)append_line(text, tick); },
        [&](const TraceFrame& frame) { (void)append_line(text, frame); },
        [&](const TracePacket& packet) { (void)append_line(text, packet); });
    return text;
}

} // namespace glissade::lab
