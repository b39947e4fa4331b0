// SPDX-License-Identifier: MIT
#include "glissade/trace/recorder.h"

#include "glissade/time/tick.h"
#include "glissade/trace/trace_writer.h"

#include "trace/read_back.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::size_t kSmall = 4096;

RecorderConfig small_config(TraceSource source = TraceSource::Local) {
    return {.header = {.name = "test", .source = source, .tick_ns = 20}, .buffer_bytes = kSmall};
}

TEST(Recorder, BeginsWithTheHeader) {
    const Recorder recorder(small_config());
    EXPECT_EQ(recorder.trace_text(),
              "{\"trace\":1,\"name\":\"test\",\"source\":\"local\",\"tick_ns\":20}\n");
    EXPECT_EQ(recorder.drawn_text(), "");
    EXPECT_EQ(recorder.stats().line_count, 1U);
    EXPECT_EQ(recorder.stats().dropped_count, 0U);
}

TEST(Recorder, WritesWhatTheWriterWrites) {
    Recorder recorder(small_config());
    const std::vector<TracePose> poses{{.id = 2, .position = {1, 2, 3}}, {.id = 1}};
    const TraceTick tick{.tick = 1, .sim_ns = 20, .arrive_ns = 21, .gone = {7}};
    const TraceFrame frame{.frame = 1, .cpu_ns = 22, .present_ns = 30};
    const TraceTruth truth{.time_ns = 5, .id = 1};
    const std::vector<DrawnPose> drawn_poses{{.id = 2}};
    EXPECT_EQ(recorder.tick(tick, poses), RecordStatus::Ok);
    EXPECT_EQ(recorder.frame(frame), RecordStatus::Ok);
    EXPECT_EQ(recorder.truth(truth), RecordStatus::Ok);
    EXPECT_EQ(recorder.drawn({.frame = 1}, drawn_poses), RecordStatus::Ok);
    EXPECT_EQ(recorder.stats().line_count, 5U);

    std::string expected;
    TraceTick whole = tick;
    whole.poses = poses;
    ASSERT_EQ(append_line(expected, small_config().header), TraceWrite::Ok);
    ASSERT_EQ(append_line(expected, whole), TraceWrite::Ok);
    ASSERT_EQ(append_line(expected, frame), TraceWrite::Ok);
    ASSERT_EQ(append_line(expected, truth), TraceWrite::Ok);
    EXPECT_EQ(recorder.trace_text(), expected);
    EXPECT_EQ(recorder.drawn_text(), "{\"frame\":1,\"poses\":[{\"id\":2,\"p\":[0,0,0]}]}\n");
}

TEST(Recorder, PosesOfTheTickComeBeforeThoseOfTheCall) {
    Recorder recorder(small_config());
    const std::vector<TracePose> more{{.id = 3}};
    EXPECT_EQ(recorder.tick({.poses = {{.id = 9}}}, more), RecordStatus::Ok);
    const auto read = read_trace(recorder.trace_text());
    ASSERT_EQ(read.lines.size(), 2U) << read.error.cause;
    ASSERT_EQ(read.lines[1].tick.poses.size(), 2U);
    EXPECT_EQ(read.lines[1].tick.poses[0].id, 9);
    EXPECT_EQ(read.lines[1].tick.poses[1].id, 3);
}

TEST(Recorder, AClearedTextGoesOnWithoutAHeaderAndKeepsTheOrder) {
    Recorder recorder(small_config());
    EXPECT_EQ(recorder.frame({.frame = 5, .cpu_ns = 10}), RecordStatus::Ok);
    EXPECT_EQ(recorder.drawn({.frame = 5}), RecordStatus::Ok);
    recorder.clear_trace();
    EXPECT_EQ(recorder.trace_text(), "");
    EXPECT_NE(recorder.drawn_text(), "");
    recorder.clear_drawn();
    EXPECT_EQ(recorder.drawn_text(), "");
    EXPECT_EQ(recorder.frame({.frame = 5, .cpu_ns = 11}), RecordStatus::OutOfOrder);
    EXPECT_EQ(recorder.frame({.frame = 6, .cpu_ns = 9}), RecordStatus::OutOfOrder);
    EXPECT_EQ(recorder.drawn({.frame = 5}), RecordStatus::OutOfOrder);
    EXPECT_EQ(recorder.frame({.frame = 6, .cpu_ns = 10}), RecordStatus::Ok);
    EXPECT_EQ(recorder.trace_text(), "{\"frame\":6,\"cpu\":10}\n");
    EXPECT_EQ(recorder.stats().dropped_count, 3U);
}

TEST(Recorder, ALineThatDoesNotFitIsLeftOutAsAWhole) {
    Recorder recorder(small_config());
    std::int64_t frame = 0;
    while (recorder.frame({.frame = frame, .cpu_ns = frame}) == RecordStatus::Ok) {
        ++frame;
    }
    EXPECT_GT(frame, 100);
    EXPECT_LE(recorder.trace_text().size(), kSmall);
    EXPECT_EQ(recorder.trace_text().back(), '\n');
    EXPECT_EQ(recorder.frame({.frame = frame, .cpu_ns = frame}), RecordStatus::Full);
    EXPECT_EQ(recorder.stats().dropped_count, 2U);
    recorder.clear_trace();
    EXPECT_EQ(recorder.frame({.frame = frame, .cpu_ns = frame}), RecordStatus::Ok);
    // More poses than the buffer could ever hold.
    const std::vector<TracePose> many(10'000);
    EXPECT_EQ(recorder.tick({.arrive_ns = frame}, many), RecordStatus::Full);
    const std::vector<DrawnPose> many_drawn(10'000);
    EXPECT_EQ(recorder.drawn({}, many_drawn), RecordStatus::Full);
    EXPECT_EQ(recorder.drawn_text(), "");
}

TEST(Recorder, NumbersThatAreNotFiniteAreRefused) {
    Recorder recorder(small_config());
    const glm::dvec3 bad(std::nan(""), 0.0, 0.0);
    const glm::dquat bad_rotation(std::numeric_limits<double>::infinity(), 0.0, 0.0, 0.0);
    const auto tick = [&](const TracePose& pose) { return recorder.tick({}, {&pose, 1}); };
    const std::string before(recorder.trace_text());
    EXPECT_EQ(recorder.tick({.scale = std::nan("")}), RecordStatus::NotFinite);
    EXPECT_EQ(tick({.position = bad}), RecordStatus::NotFinite);
    EXPECT_EQ(tick({.rotation = bad_rotation}), RecordStatus::NotFinite);
    EXPECT_EQ(tick({.scale = bad}), RecordStatus::NotFinite);
    EXPECT_EQ(tick({.velocity = bad}), RecordStatus::NotFinite);
    EXPECT_EQ(tick({.angular_velocity = bad}), RecordStatus::NotFinite);
    EXPECT_EQ(tick({.shift = TraceShift{.translation = bad}}), RecordStatus::NotFinite);
    EXPECT_EQ(recorder.truth({.position = bad}), RecordStatus::NotFinite);
    const DrawnPose drawn{.position = bad};
    EXPECT_EQ(recorder.drawn({}, {&drawn, 1}), RecordStatus::NotFinite);
    EXPECT_EQ(recorder.trace_text(), before);
    EXPECT_EQ(recorder.drawn_text(), "");
    EXPECT_EQ(recorder.stats().dropped_count, 9U);
    EXPECT_EQ(recorder.tick({}), RecordStatus::Ok); // What was refused does not count for order.
}

TEST(Recorder, ValuesThatTheReaderWouldRefuseAreRefused) {
    Recorder recorder(small_config());
    constexpr std::int64_t kTooLate = kMaxTimeNs + 1;
    constexpr auto kRefused = RecordStatus::OutOfRange;
    EXPECT_EQ(recorder.tick({.sim_ns = kTooLate}), kRefused);
    EXPECT_EQ(recorder.tick({.arrive_ns = -kTooLate}), kRefused);
    EXPECT_EQ(recorder.tick({.due_ns = kTooLate}), kRefused);
    EXPECT_EQ(recorder.tick({.stamp_ns = INT64_MIN}), kRefused);
    EXPECT_EQ(recorder.tick({.scale = -0.5}), kRefused);
    const TracePose cut{.cut = -1};
    EXPECT_EQ(recorder.tick({}, {&cut, 1}), kRefused);
    const TracePose shift{.shift = TraceShift{.count = -1}};
    EXPECT_EQ(recorder.tick({}, {&shift, 1}), kRefused);
    const std::vector<TracePose> twice{{.id = 2}, {.id = 1}, {.id = 2}};
    EXPECT_EQ(recorder.tick({}, twice), kRefused);
    EXPECT_EQ(recorder.tick({.poses = {{.id = 1}}}, {twice.data(), 2}), kRefused);
    EXPECT_EQ(recorder.frame({.cpu_ns = kTooLate}), kRefused);
    EXPECT_EQ(recorder.frame({.present_ns = kTooLate}), kRefused);
    EXPECT_EQ(recorder.truth({.time_ns = kTooLate}), kRefused);
    EXPECT_EQ(recorder.drawn({.sample_ns = kTooLate}), kRefused);
    EXPECT_EQ(recorder.drawn({.delay_ns = kTooLate}), kRefused);
    const std::vector<DrawnPose> drawn_twice{{.id = 5}, {.id = 5}};
    EXPECT_EQ(recorder.drawn({}, drawn_twice), kRefused);
    EXPECT_EQ(recorder.stats().line_count, 1U);
    EXPECT_EQ(recorder.stats().dropped_count, 15U);
}

TEST(Recorder, OrderIsThatOfTheReader) {
    Recorder local(small_config());
    EXPECT_EQ(local.tick({.tick = 2, .sim_ns = 40, .arrive_ns = 50}), RecordStatus::Ok);
    EXPECT_EQ(local.tick({.tick = 2, .sim_ns = 40, .arrive_ns = 51}), RecordStatus::OutOfOrder);
    EXPECT_EQ(local.tick({.tick = 3, .sim_ns = 39, .arrive_ns = 51}), RecordStatus::OutOfOrder);
    EXPECT_EQ(local.tick({.tick = 3, .sim_ns = 40, .arrive_ns = 49}), RecordStatus::OutOfOrder);
    EXPECT_EQ(local.frame({.frame = 1, .cpu_ns = 49}), RecordStatus::OutOfOrder);
    EXPECT_EQ(local.tick({.tick = 1, .sim_ns = 0, .arrive_ns = 52, .epoch = 1}), RecordStatus::Ok);
    Recorder network(small_config(TraceSource::Network));
    EXPECT_EQ(network.tick({.tick = 2, .sim_ns = 40, .arrive_ns = 50}), RecordStatus::Ok);
    EXPECT_EQ(network.tick({.tick = 2, .sim_ns = 40, .arrive_ns = 50}), RecordStatus::Ok);
    EXPECT_EQ(network.tick({.tick = 1, .sim_ns = 20, .arrive_ns = 50}), RecordStatus::Ok);
    EXPECT_EQ(network.tick({.tick = 3, .sim_ns = 60, .arrive_ns = 49}), RecordStatus::OutOfOrder);
}

TEST(Recorder, TruthGrowsForEachIdAndHasRoomForAFixedNumberOfThem) {
    Recorder recorder(small_config());
    for (std::size_t i = 0; i < Recorder::kMaxTruthIds; ++i) {
        recorder.clear_trace();
        ASSERT_EQ(recorder.truth({.time_ns = 5, .id = static_cast<std::int64_t>(i) * 4096}),
                  RecordStatus::Ok);
    }
    recorder.clear_trace();
    EXPECT_EQ(recorder.truth({.time_ns = 5, .id = -1}), RecordStatus::Full);
    EXPECT_EQ(recorder.truth({.time_ns = 5, .id = 4096}), RecordStatus::OutOfOrder);
    EXPECT_EQ(recorder.truth({.time_ns = 6, .id = 4096}), RecordStatus::Ok);
}

TEST(Recorder, ALongNameStillGivesAWholeHeader) {
    const std::string name(20'000, '\x01'); // Six bytes each as text.
    const Recorder recorder({.header = {.name = name}, .buffer_bytes = kSmall});
    const auto read = read_trace(recorder.trace_text());
    ASSERT_EQ(read.lines.size(), 1U) << read.error.cause;
    EXPECT_EQ(read.lines[0].header.name, name);
}

TEST(Recorder, AMovedRecorderGoesOn) {
    Recorder first(small_config());
    EXPECT_EQ(first.frame({.frame = 1}), RecordStatus::Ok);
    Recorder second(std::move(first));
    EXPECT_EQ(second.frame({.frame = 1}), RecordStatus::OutOfOrder);
    EXPECT_EQ(second.frame({.frame = 2}), RecordStatus::Ok);
    EXPECT_EQ(second.stats().line_count, 3U);
}

TEST(RecordStatus, EachHasAName) {
    EXPECT_STREQ(to_string(RecordStatus::Ok), "ok");
    EXPECT_STREQ(to_string(RecordStatus::Full), "full");
    EXPECT_STREQ(to_string(RecordStatus::NotFinite), "not finite");
    EXPECT_STREQ(to_string(RecordStatus::OutOfOrder), "out of order");
    EXPECT_STREQ(to_string(RecordStatus::OutOfRange), "out of range");
}

} // namespace
} // namespace glissade::testing
