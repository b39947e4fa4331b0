// SPDX-License-Identifier: MIT
#include "lab/trace_data.h"

#include "lab/replay.h"
#include "lab/small_trace.h"
#include "lab/trace_text.h"

#include <string>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

using testing::kMs;
using testing::make_tick_at;

/// The lines as letters: tick, frame, packet with the milliseconds of its arrival.
std::string order_of(const Trace& trace) {
    std::string order;
    visit_lines(
        trace, [&](const TraceTick&) { order += "t "; }, [&](const TraceFrame&) { order += "f "; },
        [&](const TracePacket& packet) {
            // Piece by piece: GCC 12 takes a sum of strings for an overlap here.
            order += "p";
            order += std::to_string(arrive_of(packet) / kMs);
            order += " ";
        });
    return order;
}

PacketLine packet_at(std::int64_t arrive_ms) {
    return {.packet = TracePlayer{.arrive_ns = arrive_ms * kMs}};
}

/// Ticks at 0, 20, 40, 60 ms; frames at 0, 20 and 39 ms.
Trace make_small() {
    Trace trace{.header = {.name = "small", .source = TraceSource::Network}};
    for (std::int64_t number = 0; number < 4; ++number) {
        trace.ticks.push_back(make_tick_at(number, static_cast<double>(number)));
    }
    trace.frames = {{10, 0, {}}, {12, 20 * kMs, {}}, {13, 39 * kMs, {}}};
    return trace;
}

TEST(TraceData, APacketStandsBeforeTicksAndFramesOfItsTime) {
    Trace trace = make_small();
    trace.packets = {packet_at(0), packet_at(20), packet_at(30), packet_at(39), packet_at(70)};
    link_frames(trace);
    EXPECT_EQ(order_of(trace), "p0 t f p20 t f p30 p39 f t t p70 ");
}

TEST(TraceData, WithoutPacketsTheOrderIsThatOfTicksAndFrames) {
    Trace trace = make_small();
    link_frames(trace);
    EXPECT_EQ(order_of(trace), "t f t f f t t ");
    EXPECT_EQ(order_of(Trace{}), "");
}

TEST(TraceData, WhoDoesNotAskForPacketsSeesTheOtherLines) {
    Trace trace = make_small();
    trace.packets = {packet_at(5)};
    link_frames(trace);
    std::string order;
    visit_lines(
        trace, [&](const TraceTick&) { order += "t"; }, [&](const TraceFrame&) { order += "f"; });
    EXPECT_EQ(order, "tftfftt");
}

TEST(TraceData, TheOrderOfTheFileIsKept) {
    Trace trace = make_small();
    trace.packets = {packet_at(20), packet_at(20), packet_at(39)};
    link_frames(trace);
    // As a file may have it: behind the tick and behind the frame of the same time.
    trace.packets[1].ticks_before = 2;
    trace.packets[2].ticks_before = 2;
    trace.packets[2].frames_before = 3;
    EXPECT_EQ(order_of(trace), "t f p20 t p20 f f p39 t t ");
    TraceLoader loader;
    ASSERT_TRUE(loader.push(to_text(trace)) && loader.finish()) << loader.error().cause;
    EXPECT_EQ(order_of(loader.trace()), order_of(trace));
    EXPECT_EQ(to_text(loader.trace()), to_text(trace));
}

class Listener final : public Method {
public:
    void tick(const TraceTick& /*tick*/) override { ++heard_; }
    void packet(const TracePacket& /*packet*/) override { heard_ += 100; }
    void frame(const TraceFrame& frame, DrawnFrame& out) override {
        begin_drawing(frame, out);
        out.sample_ns = heard_;
    }

private:
    std::int64_t heard_ = 0;
};

TEST(Replay, AMethodIsToldThePacketsInOrder) {
    Trace trace = make_small();
    trace.packets = {packet_at(20), packet_at(30)};
    link_frames(trace);
    const MethodInfo listener{.name = "listener",
                              .make = [](const TraceHeader&, const MethodConfig&) {
                                  return std::unique_ptr<Method>(std::make_unique<Listener>());
                              }};
    const Drawn drawn = replay(trace, listener);
    ASSERT_EQ(drawn.frames.size(), 3U);
    EXPECT_EQ(drawn.frames[0].sample_ns, 1);
    EXPECT_EQ(drawn.frames[1].sample_ns, 102);
    EXPECT_EQ(drawn.frames[2].sample_ns, 202);
}

TEST(Replay, PacketsAreNothingToTheOtherMethods) {
    Trace with = make_small();
    with.packets = {packet_at(20), packet_at(30)};
    Trace without = make_small();
    link_frames(with);
    link_frames(without);
    for (const char* const name : {"playout", "newest", "predict"}) {
        EXPECT_EQ(replay(with, *find_method(name)).frames,
                  replay(without, *find_method(name)).frames)
            << name;
    }
}

} // namespace
} // namespace glissade::lab
