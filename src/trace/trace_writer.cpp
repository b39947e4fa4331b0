// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_writer.h"

#include "trace/line_format.h"

namespace glissade {
namespace {

template <class Line>
TraceWrite append(std::string& out, const Line& line) {
    const std::size_t size_before = out.size();
    detail::LineSink sink(out);
    detail::format_line(sink, line);
    if (sink.is_finite()) {
        return TraceWrite::Ok;
    }
    out.resize(size_before);
    return TraceWrite::NotFinite;
}

} // namespace

TraceWrite append_line(std::string& out, const TraceHeader& header) {
    return append(out, header);
}

TraceWrite append_line(std::string& out, const TraceTick& tick) {
    return append(out, tick);
}

TraceWrite append_line(std::string& out, const TraceFrame& frame) {
    return append(out, frame);
}

TraceWrite append_line(std::string& out, const TraceTruth& truth) {
    return append(out, truth);
}

TraceWrite append_line(std::string& out, const TracePacket& packet) {
    return append(out, packet);
}

TraceWrite append_line(std::string& out, const DrawnFrame& frame) {
    return append(out, frame);
}

} // namespace glissade
