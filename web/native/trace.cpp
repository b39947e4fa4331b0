// SPDX-License-Identifier: MIT
#include "lab/trace_text.h"
#include "web/native/border.h"
#include "web/native/glissade_lab.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace web = glissade::web;
namespace lab = glissade::lab;

struct glissade_trace { // NOLINT(readability-identifier-naming): of the C interface.
    explicit glissade_trace(lab::Trace&& loaded) : trace(std::move(loaded)) { rewind(); }

    void rewind() {
        walk.emplace(trace);
        look();
    }

    /// Finds the next line that is a tick or a frame.
    void look() {
        do {
            next = walk->next();
        } while (next == lab::LineWalk::Line::Packet);
    }
    [[nodiscard]] std::int64_t next_ns() const {
        return next == lab::LineWalk::Line::Tick ? walk->tick().arrive_ns : walk->frame().cpu_ns;
    }

    lab::Trace trace;
    std::optional<lab::LineWalk> walk{};
    lab::LineWalk::Line next = lab::LineWalk::Line::End;
    glissade_tick tick{};
    glissade::TraceFrame frame{};
};

namespace {

std::set<std::int64_t> collect_ids(const lab::Trace& trace) {
    std::set<std::int64_t> ids;
    for (const glissade::TraceTick& tick : trace.ticks) {
        for (const glissade::TracePose& pose : tick.poses) {
            ids.insert(pose.id);
        }
    }
    return ids;
}

} // namespace

glissade_trace* glissade_trace_create(const char* text, size_t length) {
    constexpr const char* kWhere = "the trace";
    lab::TraceLoader loader;
    if (!loader.push({text, length}) || !loader.finish()) {
        const glissade::TraceError& error = loader.error();
        web::fail(kWhere, "line " + std::to_string(error.line) + ": " + error.cause);
        return nullptr;
    }
    if (loader.trace().frames.empty()) {
        web::fail(kWhere, "it has no frames");
        return nullptr;
    }
    return web::make<glissade_trace>(kWhere, std::move(loader.trace()));
}

void glissade_trace_destroy(glissade_trace* trace) {
    delete trace;
}

const char* glissade_trace_name(const glissade_trace* trace) {
    return trace->trace.header.name.c_str();
}

double glissade_trace_tick_ms(const glissade_trace* trace) {
    return web::to_ms(trace->trace.header.tick_ns);
}

double glissade_trace_first_ms(const glissade_trace* trace) {
    const lab::Trace& lines = trace->trace;
    const std::int64_t first_frame_ns = lines.frames.front().cpu_ns;
    return web::to_ms(lines.ticks.empty()
                          ? first_frame_ns
                          : std::min(first_frame_ns, lines.ticks.front().arrive_ns));
}

double glissade_trace_last_ms(const glissade_trace* trace) {
    const lab::Trace& lines = trace->trace;
    const std::int64_t last_frame_ns = lines.frames.back().cpu_ns;
    return web::to_ms(lines.ticks.empty() ? last_frame_ns
                                          : std::max(last_frame_ns, lines.ticks.back().arrive_ns));
}

uint32_t glissade_trace_frame_count(const glissade_trace* trace) {
    return static_cast<uint32_t>(trace->trace.frames.size());
}

uint32_t glissade_trace_ids(const glissade_trace* trace, glissade_id* out, uint32_t room) {
    const std::set<std::int64_t> ids = collect_ids(trace->trace);
    std::uint32_t written = 0;
    for (const std::int64_t id : ids) {
        if (written < room) {
            out[written++] = static_cast<double>(id);
        }
    }
    return static_cast<uint32_t>(ids.size());
}

int32_t glissade_trace_next(glissade_trace* trace, double until_ms) {
    const auto until_ns = web::to_ns(until_ms);
    if (trace->next == lab::LineWalk::Line::End || !until_ns || trace->next_ns() > *until_ns) {
        return 0;
    }
    const bool is_tick = trace->next == lab::LineWalk::Line::Tick;
    if (is_tick) {
        trace->tick.line = &trace->walk->tick();
    } else {
        trace->frame = trace->walk->frame();
    }
    trace->look();
    return is_tick ? 1 : 2;
}

const glissade_tick* glissade_trace_tick(const glissade_trace* trace) {
    return &trace->tick;
}

void glissade_trace_frame(const glissade_trace* trace, double* out) {
    out[0] = static_cast<double>(trace->frame.frame);
    out[1] = web::to_ms(trace->frame.cpu_ns);
    out[2] = web::to_ms(trace->frame.present_ns);
}

void glissade_trace_rewind(glissade_trace* trace) {
    trace->rewind();
}
