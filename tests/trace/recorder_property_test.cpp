// SPDX-License-Identifier: MIT
#include "glissade/time/tick.h"
#include "glissade/trace/recorder.h"

#include "trace/generators.h"
#include "trace/read_back.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade::testing {
namespace {

/// Below `count`, each as likely in small tests as in large ones.
int pick(int count) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count));
}

/// A game that records whatever comes, takes the texts at any time, and remembers what was taken.
class Session {
public:
    Session() : config_(any_config()), recorder_(config_) {
        add_accepted(TraceLineKind::Header).header = config_.header;
    }

    void act() {
        switch (pick(8)) {
            case 0:
            case 1:
                return tick();
            case 2:
                return frame();
            case 3:
                return truth();
            case 4:
            case 5:
                return drawn();
            case 6:
                return packet();
            default:
                return take();
        }
    }

    void check() {
        take();
        const auto trace = read_trace(trace_text_, 1);
        RC_ASSERT(trace.error.cause == "");
        RC_ASSERT(has_same_lines(trace.lines, accepted_));
        RC_ASSERT(write(trace.lines) == trace_text_);
        const auto drawn = read_drawn(drawn_text_, 1);
        RC_ASSERT(drawn.error.cause == "");
        RC_ASSERT(has_same_lines(drawn.lines, drawn_));
        RC_ASSERT(recorder_.stats().line_count == accepted_.size() + drawn_.size());
        RC_ASSERT(recorder_.stats().dropped_count == dropped_count_);
    }

private:
    /// Filled in place: GCC 12 takes the unused parts of a temporary line for uninitialised.
    TraceLine& add_accepted(TraceLineKind kind) {
        accepted_.emplace_back().kind = kind;
        return accepted_.back();
    }

    static RecorderConfig any_config() {
        const auto source =
            *rc::gen::element(TraceSource::Local, TraceSource::Thread, TraceSource::Network);
        // Mostly so small that lines do not fit.
        const auto bytes = *rc::gen::element<std::size_t>(4096, 5000, 100'000);
        return {.header = {.name = "property", .source = source}, .buffer_bytes = bytes};
    }

    /// Mostly forward, sometimes standing, back or absurd.
    std::int64_t time() {
        switch (pick(12)) {
            case 0:
                return now_ns_ - *rc::gen::inRange<std::int64_t>(0, 3);
            case 1:
                return *rc::gen::element(INT64_MIN, INT64_MAX, kMaxTimeNs + 1, -kMaxTimeNs - 1);
            default:
                now_ns_ += *rc::gen::inRange<std::int64_t>(0, 5);
                return now_ns_;
        }
    }
    std::int64_t next_number() {
        number_ += *rc::gen::inRange<std::int64_t>(-1, 4);
        return number_;
    }

    bool count(RecordStatus status) {
        dropped_count_ += status == RecordStatus::Ok ? 0U : 1U;
        return status == RecordStatus::Ok;
    }

    void tick() {
        TraceTick tick;
        tick.tick = next_number();
        tick.sim_ns = time();
        tick.arrive_ns = time();
        tick.due_ns = make_.maybe([&] { return time(); });
        tick.epoch = make_.maybe([] { return *rc::gen::inRange<std::int64_t>(0, 3); });
        tick.scale = make_.maybe([&] { return number(10); });
        std::vector<TracePose> poses;
        for (const std::int64_t id : make_.ids()) {
            const bool inside = one_in(4) && poses.empty();
            (inside ? tick.poses : poses).push_back(make_.pose(id));
        }
        if (count(recorder_.tick(tick, poses))) {
            tick.poses.insert(tick.poses.end(), poses.begin(), poses.end());
            add_accepted(TraceLineKind::Tick).tick = tick;
        }
    }

    void frame() {
        const TraceFrame frame{.frame = next_number(), .cpu_ns = time()};
        if (count(recorder_.frame(frame))) {
            add_accepted(TraceLineKind::Frame).frame = frame;
        }
    }

    void truth() {
        const TraceTruth truth{.time_ns = time(),
                               .id = *rc::gen::inRange<std::int64_t>(0, 3),
                               .position = make_.vector()};
        if (count(recorder_.truth(truth))) {
            add_accepted(TraceLineKind::Truth).truth = truth;
        }
    }

    void packet() {
        const TracePacket packet = make_.packet(time());
        if (count(recorder_.packet(packet))) {
            add_accepted(TraceLineKind::Packet).packet = packet;
        }
    }

    void drawn() {
        DrawnFrame frame;
        frame.frame = next_number();
        frame.sample_ns = make_.maybe([&] { return time(); });
        std::vector<DrawnPose> poses;
        for (const std::int64_t id : make_.ids()) {
            poses.push_back(make_.drawn_pose(id));
        }
        if (count(recorder_.drawn(frame, poses))) {
            frame.poses = poses;
            drawn_.push_back(frame);
        }
    }

    void take() {
        trace_text_ += recorder_.trace_text();
        recorder_.clear_trace();
        drawn_text_ += recorder_.drawn_text();
        recorder_.clear_drawn();
    }

    LineMaker make_{.bad_one_in = 150};
    RecorderConfig config_;
    Recorder recorder_;
    std::int64_t now_ns_ = 0;
    std::int64_t number_ = 0;
    std::vector<TraceLine> accepted_;
    std::vector<DrawnFrame> drawn_;
    std::uint64_t dropped_count_ = 0;
    std::string trace_text_;
    std::string drawn_text_;
};

RC_GTEST_PROP(RecorderProperty, WhateverIsRecordedReadsBackAsTheAcceptedLines, ()) {
    Session session;
    const int act_count = pick(80);
    for (int i = 0; i < act_count; ++i) {
        session.act();
    }
    session.check();
}

} // namespace
} // namespace glissade::testing
