// SPDX-License-Identifier: MIT
#include "recording.h"

#include "glissade/trace/recorder.h"

#include "simulation_thread.h"

#include <algorithm>
#include <cmath>
#include <fstream>

namespace physics_thread {

namespace {

void add_tick(const TickEntry& entry, std::int64_t arrive_ns, glissade::Recorder& recorder) {
    std::array<glissade::TracePose, kRecordedCount> poses;
    for (std::size_t i = 0; i < kRecordedCount; ++i) {
        const RecordedBody& body = entry.bodies[i];
        poses[i] = {.id = kCharacterId + static_cast<std::int64_t>(i),
                    .position = body.pose.position,
                    .rotation = glm::dquat(body.pose.rotation),
                    .cut = body.cut_count};
    }
    recorder.tick({.tick = entry.tick.index,
                   .sim_ns = entry.tick.time_ns,
                   .arrive_ns = arrive_ns,
                   .due_ns = entry.due_ns,
                   .epoch = entry.epoch},
                  poses);
}

void add_ticks_between(const FrameEntry& before, const FrameEntry& frame,
                       const std::vector<TickEntry>& ticks, glissade::Recorder& recorder) {
    const std::size_t end = std::min(frame.tick_count, ticks.size());
    for (std::size_t i = before.tick_count; i < end; ++i) {
        // Seen by this frame and not by the one before, whatever the clock said just before.
        const std::int64_t arrive_ns =
            std::clamp(ticks[i].published_ns, before.cpu_ns, frame.cpu_ns);
        if (!ticks[i].skipped) {
            add_tick(ticks[i], arrive_ns, recorder);
        }
    }
}

void add_frame(const FrameEntry& entry, std::int64_t number, glissade::Recorder& recorder) {
    recorder.frame({.frame = number, .cpu_ns = entry.cpu_ns, .present_ns = entry.stamp_ns});
    std::array<glissade::DrawnPose, kRecordedCount> poses;
    for (std::size_t i = 0; i < kRecordedCount; ++i) {
        poses[i] = {.id = kCharacterId + static_cast<std::int64_t>(i),
                    .position = entry.drawn[i].position,
                    .rotation = glm::dquat(entry.drawn[i].rotation)};
    }
    if (entry.sample_ns) {
        recorder.drawn({.frame = number, .sample_ns = entry.sample_ns, .delay_ns = entry.delay_ns},
                       poses);
    }
}

bool write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    return file.good();
}

} // namespace

Recording make_recording(const RunLog& log, const std::string& name) {
    const glissade::TraceHeader header{.name = name,
                                       .source = glissade::TraceSource::Thread,
                                       .tick_ns = std::llround(kTickRate.period_s() * 1e9),
                                       .rate = kTickRate};
    constexpr std::size_t kLineBytes = 1024; // Four bodies: about 700.
    glissade::Recorder recorder(
        {.header = header,
         .buffer_bytes = (log.ticks.size() + log.frames.size() + 8) * kLineBytes});
    FrameEntry before{};
    for (std::size_t i = 0; i < log.frames.size(); ++i) {
        add_ticks_between(before, log.frames[i], log.ticks, recorder);
        add_frame(log.frames[i], static_cast<std::int64_t>(i), recorder);
        before = log.frames[i];
    }
    return {.trace = std::string(recorder.trace_text()),
            .drawn = std::string(recorder.drawn_text()),
            .complete = recorder.stats().dropped_count == 0};
}

bool save(const Recording& recording, const std::string& folder, const std::string& name) {
    const std::string path = folder + "/" + name;
    return write_file(path + ".ndjson", recording.trace) &&
           write_file(path + "-drawn.ndjson", recording.drawn);
}

} // namespace physics_thread
