// SPDX-License-Identifier: MIT
// An executable of its own, with support/counting_allocator.cpp.
#include "glissade/trace/recorder.h"
#include "glissade/trace/trace_reader.h"
#include "glissade/trace/trace_writer.h"

#include "support/counting_allocator.h"

#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

TEST(RecorderAllocation, OnlyTheConstructorAllocates) {
    std::array<TracePose, 3> poses{};
    std::array<DrawnPose, 3> drawn{};
    const TracePose bad{.position = {std::nan(""), 0.0, 0.0}};
    const std::size_t before_count = allocation_count();
    Recorder recorder({.header = {.name = "allocation"}, .buffer_bytes = 8192});
    const std::size_t after_count = allocation_count();
    EXPECT_GT(after_count, before_count); // Else nothing is counted at all.
    RecorderStats seen;
    for (std::int64_t i = 1; i < 5000; ++i) {
        for (std::size_t k = 0; k < poses.size(); ++k) {
            poses[k].id = static_cast<std::int64_t>((k * 2) % 3); // Not sorted.
            poses[k].position = {std::sin(static_cast<double>(i)), 1e-300 / 3.0, -0.0};
            poses[k].rotation = glm::dquat(0.1, 0.2, 0.3, static_cast<double>(i) / 7.0);
            poses[k].shift = TraceShift{.count = i};
            drawn[k] = {.id = poses[k].id, .position = poses[k].position};
        }
        static_cast<void>(recorder.tick({.tick = i, .sim_ns = i, .arrive_ns = i}, poses));
        static_cast<void>(recorder.tick({.tick = i, .sim_ns = i, .arrive_ns = i}, {&bad, 1}));
        static_cast<void>(recorder.frame({.frame = i, .cpu_ns = i, .present_ns = i}));
        static_cast<void>(recorder.truth({.time_ns = i, .id = i % 5000}));
        static_cast<void>(recorder.drawn({.frame = i, .state = DrawnState::Hold}, drawn));
        if (i % 50 == 0) { // The buffer is full long before.
            recorder.clear_trace();
            recorder.clear_drawn();
        }
        seen = recorder.stats();
    }
    EXPECT_EQ(allocation_count(), after_count);
    EXPECT_GT(seen.line_count, 1000U);
    EXPECT_GT(seen.dropped_count, 5000U); // Refused ones and full buffers were among them.
}

TEST(TraceWriterAllocation, NothingWhereTheTextHasRoom) {
    std::string out;
    out.reserve(1'000'000);
    TraceTick tick{.scale = 0.1, .poses = std::vector<TracePose>(10)};
    const std::size_t before_count = allocation_count();
    for (std::int64_t i = 0; i < 100; ++i) {
        tick.poses[0].position.x = 1.0 / static_cast<double>(i + 1);
        ASSERT_EQ(append_line(out, tick), TraceWrite::Ok);
    }
    EXPECT_EQ(allocation_count(), before_count);
}

// The parser allocates a few times a line; a reader that kept lines would need ever more memory,
// and one that did not reuse vectors would allocate for each pose.
TEST(TraceReaderAllocation, AFewForEachLineHoweverManyPosesItHas) {
    std::string header;
    ASSERT_EQ(append_line(header, TraceHeader{}), TraceWrite::Ok);
    TraceTick tick{.poses = std::vector<TracePose>(500)};
    for (std::size_t i = 0; i < tick.poses.size(); ++i) {
        tick.poses[i].id = static_cast<std::int64_t>(i);
    }
    TraceReader reader;
    TraceLine line;
    reader.push(header);
    ASSERT_EQ(reader.next(line), TraceRead::Line);
    std::size_t most_count = 0;
    for (tick.tick = 1; tick.tick < 20; ++tick.tick) {
        std::string text;
        ASSERT_EQ(append_line(text, tick), TraceWrite::Ok);
        const std::size_t before_count = allocation_count();
        reader.push(text);
        ASSERT_EQ(reader.next(line), TraceRead::Line);
        if (tick.tick > 3) { // After that everything has its size.
            most_count = std::max(most_count, allocation_count() - before_count);
        }
    }
    EXPECT_LT(most_count, 20U);
}

} // namespace
} // namespace glissade::testing
