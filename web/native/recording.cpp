// SPDX-License-Identifier: MIT
// The last seconds as a trace in memory, so that the lab's own scorer, doctor and writer do the
// rest.
#include "web/native/recording.h"

#include "glissade/trace/trace_writer.h"

#include "lab/lateness.h"
#include "lab/score.h"
#include "lab/trace_text.h"
#include "web/native/method.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace web = glissade::web;
namespace lab = glissade::lab;

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr double kMaxSeconds = 600.0;
constexpr std::uint32_t kMaxSides = 4;
constexpr std::size_t kMaxWatched = 64;
// Frames show the past: so much of it that the first ones have a path to be judged by.
constexpr std::int64_t kLeadNs = 1'000'000'000;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Copies only what is wanted.
template <class Pose, class Wanted>
void copy_poses(const std::vector<Pose>& from, std::vector<Pose>& to, const Wanted& wanted) {
    std::copy_if(from.begin(), from.end(), std::back_inserter(to),
                 [&](const Pose& pose) { return wanted(pose.id); });
}

template <class Wanted>
glissade::TraceTick copy_tick(const glissade::TraceTick& from, const Wanted& wanted) {
    glissade::TraceTick tick{.tick = from.tick,
                             .sim_ns = from.sim_ns,
                             .arrive_ns = from.arrive_ns,
                             .due_ns = from.due_ns,
                             .stamp_ns = from.stamp_ns,
                             .epoch = from.epoch,
                             .scale = from.scale,
                             .paused = from.paused};
    copy_poses(from.poses, tick.poses, wanted);
    std::copy_if(from.gone.begin(), from.gone.end(), std::back_inserter(tick.gone), wanted);
    return tick;
}

template <class Wanted>
glissade::DrawnFrame copy_drawn(const glissade::DrawnFrame& from, const Wanted& wanted) {
    glissade::DrawnFrame frame{.frame = from.frame,
                               .sample_ns = from.sample_ns,
                               .delay_ns = from.delay_ns,
                               .state = from.state};
    copy_poses(from.poses, frame.poses, wanted);
    return frame;
}

// Copies the lines from the first one on that begins a part.
template <class Line, class Begins, class Copy>
void append_from(const std::vector<Line>& lines, const Begins& begins, const Copy& copy,
                 std::vector<Line>& out) {
    std::transform(std::find_if(lines.begin(), lines.end(), begins), lines.end(),
                   std::back_inserter(out), copy);
}

// The first frame of the last `seconds`.
std::size_t first_frame(const lab::Trace& trace, double seconds) {
    if (trace.frames.empty()) {
        return 0;
    }
    const std::int64_t from_ns = trace.frames.back().cpu_ns - std::llround(seconds * kNsPerSecond);
    const auto first =
        std::find_if(trace.frames.begin(), trace.frames.end(),
                     [&](const glissade::TraceFrame& frame) { return frame.cpu_ns >= from_ns; });
    return static_cast<std::size_t>(first - trace.frames.begin());
}

double or_none(const std::optional<double>& value) {
    return value.value_or(kNone);
}

double mean_delay_ms(const std::vector<glissade::DrawnFrame>& drawn) {
    double sum = 0.0;
    std::size_t count = 0;
    for (const glissade::DrawnFrame& frame : drawn) {
        if (frame.delay_ns) {
            sum += web::to_ms(*frame.delay_ns);
            ++count;
        }
    }
    return count == 0 ? kNone : sum / static_cast<double>(count);
}

void fill(glissade_score& out, const lab::ObjectScore& score) {
    out.lag_ms = or_none(score.lag_ms_mean);
    out.frames = static_cast<double>(score.frame_count);
    if (score.underrun_count) {
        out.underruns = static_cast<double>(*score.underrun_count);
    }
    out.streaks = static_cast<double>(score.streak_count);
    if (score.rate) {
        out.rate_error = score.rate->rate_rms;
        out.held = static_cast<double>(score.rate->hold_count);
        out.jumps = static_cast<double>(score.rate->jump_count);
        out.backward = static_cast<double>(score.rate->backward_count);
    }
}

const char* give(glissade_recording& recording, std::string text, size_t* length) {
    recording.text = std::move(text);
    *length = recording.text.size();
    return recording.text.c_str();
}

} // namespace

glissade_recording::Part glissade_recording::cut_out(double last_seconds, std::size_t side,
                                                     std::optional<std::int64_t> id,
                                                     std::int64_t lead_ns) const {
    const auto wanted = [&](std::int64_t one) { return !id || one == *id; };
    Part part;
    part.trace.header = trace.header;
    const std::size_t first = first_frame(trace, last_seconds);
    if (first == trace.frames.size()) {
        return part;
    }
    part.trace.frames.assign(trace.frames.begin() + static_cast<std::ptrdiff_t>(first),
                             trace.frames.end());
    const glissade::TraceFrame& begin = part.trace.frames.front();
    append_from(
        trace.ticks,
        [&](const glissade::TraceTick& tick) { return tick.arrive_ns >= begin.cpu_ns - lead_ns; },
        [&](const glissade::TraceTick& tick) { return copy_tick(tick, wanted); }, part.trace.ticks);
    lab::link_frames(part.trace);
    if (side < drawn.size()) {
        append_from(
            drawn[side],
            [&](const glissade::DrawnFrame& frame) { return frame.frame >= begin.frame; },
            [&](const glissade::DrawnFrame& frame) { return copy_drawn(frame, wanted); },
            part.drawn);
    }
    return part;
}

// In large steps: each moves what is left.
void glissade_recording::forget_old() {
    constexpr double kSlack = 1.25;
    if (trace.frames.empty() || first_frame(trace, seconds * kSlack) == 0) {
        return;
    }
    const std::size_t first = first_frame(trace, seconds);
    const std::int64_t frame_number = trace.frames[first].frame;
    const std::int64_t from_ns = trace.frames[first].cpu_ns - kLeadNs;
    const auto erase_until = [](auto& lines, const auto& is_old) {
        lines.erase(lines.begin(), std::find_if_not(lines.begin(), lines.end(), is_old));
    };
    erase_until(trace.frames,
                [&](const glissade::TraceFrame& frame) { return frame.frame < frame_number; });
    erase_until(trace.ticks,
                [&](const glissade::TraceTick& tick) { return tick.arrive_ns < from_ns; });
    for (std::vector<glissade::DrawnFrame>& side : drawn) {
        erase_until(side,
                    [&](const glissade::DrawnFrame& frame) { return frame.frame < frame_number; });
    }
}

glissade_recording* glissade_recording_create(const char* name, double tick_ms, double seconds,
                                              uint32_t sides) {
    constexpr const char* kWhere = "glissade_recording_create";
    if (!(seconds > 0.0 && seconds <= kMaxSeconds) || sides < 1 || sides > kMaxSides) {
        web::fail(kWhere, "seconds must be above 0 and up to 600, sides 1 to 4");
        return nullptr;
    }
    auto* const recording = web::make<glissade_recording>(kWhere);
    if (recording != nullptr) {
        recording->trace.header = web::make_header(name, tick_ms);
        recording->drawn.resize(sides);
        recording->seconds = seconds;
    }
    return recording;
}

void glissade_recording_destroy(glissade_recording* recording) {
    delete recording;
}

int32_t glissade_recording_watch(glissade_recording* recording, glissade_id id) {
    const std::int64_t number = web::to_trace_id(id);
    if (recording->watches(number)) {
        return 1;
    }
    if (recording->ids.size() == kMaxWatched) {
        return web::fail("glissade_recording_watch", "64 objects are watched already");
    }
    recording->ids.push_back(number);
    return 1;
}

void glissade_recording_tick(glissade_recording* recording, const glissade_tick* tick) {
    recording->trace.ticks.push_back(
        copy_tick(*tick->line, [&](std::int64_t id) { return recording->watches(id); }));
}

void glissade_recording_frame(glissade_recording* recording, double frame, double cpu_ms,
                              double present_ms) {
    const auto line = web::make_frame("glissade_recording_frame", frame, cpu_ms, present_ms);
    if (line) {
        recording->trace.frames.push_back(*line);
        recording->forget_old();
    }
}

void glissade_recording_drawn(glissade_recording* recording, uint32_t side,
                              const glissade_method* method) {
    if (side < recording->drawn.size()) {
        recording->drawn[side].push_back(
            copy_drawn(method->drawn, [&](std::int64_t id) { return recording->watches(id); }));
    }
}

void glissade_recording_clear(glissade_recording* recording) {
    recording->trace.ticks.clear();
    recording->trace.frames.clear();
    for (std::vector<glissade::DrawnFrame>& side : recording->drawn) {
        side.clear();
    }
}

int32_t glissade_recording_score(const glissade_recording* recording, uint32_t side, glissade_id id,
                                 double seconds, glissade_score* out) {
    constexpr const char* kWhere = "glissade_recording_score";
    if (side >= recording->drawn.size() || !(seconds > 0.0)) {
        return web::fail(kWhere, "there is no such side, or no such time");
    }
    const auto part = recording->cut_out(seconds, side, web::to_trace_id(id), kLeadNs);
    *out = glissade_score{};
    out->rate_error = out->lag_ms = kNone;
    out->underruns = out->held = out->jumps = out->backward = kNone;
    out->delay_ms = mean_delay_ms(part.drawn);
    const std::vector<double> lateness = lab::collect_lateness_ms(part.trace);
    out->lateness_p50_ms = glissade::compute_quantile(lateness, 0.5);
    out->lateness_p99_ms = glissade::compute_quantile(lateness, 0.99);
    const lab::Scorer scorer(part.trace, {.warmup_s = 0.0});
    const lab::Score score = scorer.score(part.drawn);
    if (!score.objects.empty()) {
        fill(*out, score.objects.front());
    }
    return 1;
}

const char* glissade_recording_trace_text(glissade_recording* recording, size_t* length) {
    const auto part =
        recording->cut_out(recording->seconds, recording->drawn.size(), std::nullopt, 0);
    return give(*recording, lab::to_text(part.trace), length);
}

const char* glissade_recording_drawn_text(glissade_recording* recording, uint32_t side,
                                          size_t* length) {
    std::string text;
    for (const glissade::DrawnFrame& frame :
         recording->cut_out(recording->seconds, side, std::nullopt, 0).drawn) {
        // A number that is not finite leaves its frame out: what is left is a valid file.
        [[maybe_unused]] const glissade::TraceWrite written = glissade::append_line(text, frame);
    }
    return give(*recording, std::move(text), length);
}
