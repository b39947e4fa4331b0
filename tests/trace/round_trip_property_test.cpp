// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_reader.h"
#include "glissade/trace/trace_writer.h"

#include "fuzz/trace_property.h"
#include "trace/generators.h"
#include "trace/read_back.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade::testing {
namespace {

std::uint64_t bits_of(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

RC_GTEST_PROP(RoundTripProperty, EveryFiniteDoubleKeepsItsBits, ()) {
    std::string text;
    RC_ASSERT(append_line(text, TraceHeader{}) == TraceWrite::Ok);
    std::vector<double> values;
    for (std::int64_t i = 0; i < 50; ++i) {
        values.push_back(finite_double());
        const TraceTruth truth{.time_ns = i, .position = {values.back(), 0.0, 0.0}};
        RC_ASSERT(append_line(text, truth) == TraceWrite::Ok);
    }
    const auto read = read_trace(text);
    RC_ASSERT(read.lines.size() == values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
        RC_ASSERT(bits_of(read.lines[i + 1].truth.position.x) == bits_of(values[i]));
    }
    RC_ASSERT(write(read.lines) == text);
}

RC_GTEST_PROP(RoundTripProperty, EveryTickComesBackEqualAndWritesTheSameBytes, ()) {
    const LineMaker make;
    TraceTick tick;
    tick.tick = *rc::gen::arbitrary<std::int64_t>();
    tick.sim_ns = *rc::gen::inRange<std::int64_t>(-1000, 1000);
    tick.due_ns = make.maybe([] { return std::int64_t{-7}; });
    tick.stamp_ns = make.maybe([] { return std::int64_t{8}; });
    tick.epoch = make.maybe([] { return *rc::gen::arbitrary<std::int64_t>(); });
    tick.scale = make.maybe([] { return std::abs(finite_double()); });
    tick.paused = *rc::gen::arbitrary<bool>();
    tick.gone = *rc::gen::arbitrary<std::vector<std::int64_t>>();
    for (const std::int64_t id : make.ids()) {
        tick.poses.push_back(make.pose(id));
    }
    std::string text;
    RC_ASSERT(append_line(text, TraceHeader{.name = *rc::gen::arbitrary<std::string>()}) ==
              TraceWrite::Ok);
    RC_ASSERT(append_line(text, tick) == TraceWrite::Ok);
    const auto read = read_trace(text, 1);
    RC_ASSERT(read.lines.size() == 2U);
    RC_ASSERT(read.lines[1].tick == tick);
    RC_ASSERT(write(read.lines) == text);
}

RC_GTEST_PROP(RoundTripProperty, EveryPacketComesBackEqualAndWritesTheSameBytes, ()) {
    const LineMaker make;
    const TracePacket packet = make.packet(*rc::gen::inRange<std::int64_t>(-1000, 1000));
    std::string text;
    RC_ASSERT(append_line(text, TraceHeader{.source = TraceSource::Network}) == TraceWrite::Ok);
    RC_ASSERT(append_line(text, packet) == TraceWrite::Ok);
    const auto read = read_trace(text, 1);
    RC_ASSERT(read.lines.size() == 2U);
    RC_ASSERT(read.lines[1].packet == packet);
    RC_ASSERT(write(read.lines) == text);
}

// Valid lines with a few bytes changed come closer to the edges than random bytes do.
RC_GTEST_PROP(RoundTripProperty, DamagedTextHoldsTheFuzzersProperty, ()) {
    const LineMaker make;
    std::string text;
    RC_ASSERT(append_line(text, TraceHeader{.name = "x", .source = TraceSource::Network}) ==
              TraceWrite::Ok);
    RC_ASSERT(append_line(text, TraceTick{.poses = {make.pose(1)}, .gone = {2}}) == TraceWrite::Ok);
    RC_ASSERT(append_line(text, make.packet(0)) == TraceWrite::Ok);
    RC_ASSERT(append_line(text, TraceFrame{}) == TraceWrite::Ok);
    const int change_count = *rc::gen::inRange(0, 4);
    for (int i = 0; i < change_count; ++i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
        text[at] = *rc::gen::elementOf(std::string("0123456789-+.eE{}[]\",:\n ntx\\\xC3"));
    }
    RC_ASSERT(broken_property(text).empty());
}

} // namespace
} // namespace glissade::testing
