// SPDX-License-Identifier: MIT
#include "trace/read_back.h"

#include "glissade/trace/trace_writer.h"

#include <algorithm>

namespace glissade::testing {
namespace {

constexpr std::size_t kMaxPieceBytes = 97;

/// Reads what there is. True when the reader wants more.
template <class Reader, class Line>
bool drain(Reader& reader, ReadBack<Line>& result) {
    Line line; // One object for all lines, as the readers want it: what is left over shows.
    for (;;) {
        const TraceRead read = reader.next(line);
        if (read != TraceRead::Line) {
            return read == TraceRead::NeedText;
        }
        result.lines.push_back(line);
    }
}

template <class Reader, class Line>
ReadBack<Line> read_all(std::string_view text, PieceSeed seed, const TraceReaderConfig& config) {
    Reader reader(config);
    ReadBack<Line> result;
    std::uint32_t state = seed;
    bool wants_more = true;
    while (!text.empty() && wants_more) {
        state = state * 1664525U + 1013904223U; // Numerical Recipes, chapter 7.1.
        const std::size_t piece = seed == 0 ? text.size() : 1 + (state >> 8U) % kMaxPieceBytes;
        reader.push(text.substr(0, piece));
        text.remove_prefix(std::min(piece, text.size()));
        wants_more = drain(reader, result);
    }
    reader.finish();
    static_cast<void>(drain(reader, result));
    result.error = reader.error();
    return result;
}

TraceWrite append(std::string& out, const TraceLine& line) {
    switch (line.kind) {
        case TraceLineKind::Header:
            return append_line(out, line.header);
        case TraceLineKind::Tick:
            return append_line(out, line.tick);
        case TraceLineKind::Frame:
            return append_line(out, line.frame);
        case TraceLineKind::Truth:
            return append_line(out, line.truth);
        case TraceLineKind::Packet:
            return append_line(out, line.packet);
    }
    return TraceWrite::NotFinite;
}

TraceWrite append(std::string& out, const DrawnFrame& frame) {
    return append_line(out, frame);
}

template <class Line>
std::string write_all(const std::vector<Line>& lines) {
    std::string out;
    for (const Line& line : lines) {
        if (append(out, line) != TraceWrite::Ok) {
            return {};
        }
    }
    return out;
}

} // namespace

ReadBack<TraceLine> read_trace(std::string_view text, PieceSeed seed,
                               const TraceReaderConfig& config) {
    return read_all<TraceReader, TraceLine>(text, seed, config);
}

ReadBack<DrawnFrame> read_drawn(std::string_view text, PieceSeed seed,
                                const TraceReaderConfig& config) {
    return read_all<DrawnReader, DrawnFrame>(text, seed, config);
}

std::string write(const std::vector<TraceLine>& lines) {
    return write_all(lines);
}

std::string write(const std::vector<DrawnFrame>& lines) {
    return write_all(lines);
}

bool is_same(const TraceLine& a, const TraceLine& b) {
    if (a.kind != b.kind) {
        return false;
    }
    switch (a.kind) {
        case TraceLineKind::Header:
            return a.header == b.header;
        case TraceLineKind::Tick:
            return a.tick == b.tick;
        case TraceLineKind::Frame:
            return a.frame == b.frame;
        case TraceLineKind::Truth:
            return a.truth == b.truth;
        case TraceLineKind::Packet:
            return a.packet == b.packet;
    }
    return false;
}

bool is_same(const DrawnFrame& a, const DrawnFrame& b) {
    return a == b;
}

} // namespace glissade::testing
