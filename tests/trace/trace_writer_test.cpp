// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_writer.h"

#include "trace/read_back.h"

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Line>
std::string written(const Line& line) {
    std::string out;
    EXPECT_EQ(append_line(out, line), TraceWrite::Ok);
    return out;
}

std::string written_number(double value) {
    const std::string text = written(TraceTruth{.position = {value, 0.0, 0.0}});
    const std::size_t begin = text.find('[') + 1;
    return text.substr(begin, text.find(',', begin) - begin);
}

std::string written_name(const std::string& name) {
    const std::string text = written(TraceHeader{.name = name});
    const std::size_t begin = text.find("\"name\":") + 7;
    return text.substr(begin, text.find(",\"source\"") - begin);
}

TEST(TraceWriter, KeysStandInTheOrderOfTheFormat) {
    EXPECT_EQ(written(TraceHeader{.name = "n",
                                  .source = TraceSource::Thread,
                                  .tick_ns = 16'666'667,
                                  .rate = Rate{60, 1}}),
              R"({"trace":1,"name":"n","source":"thread","tick_ns":16666667,"rate":[60,1]})"
              "\n");
    TracePose pose{.id = 7, .position = {1, 2.5, -3}};
    pose.rotation = glm::dquat(0.4, 0.1, 0.2, 0.3);
    pose.scale = glm::dvec3(1, 1, 1);
    pose.velocity = glm::dvec3(4, 5, 6);
    pose.angular_velocity = glm::dvec3(7, 8, 9);
    pose.cut = 2;
    pose.shift =
        TraceShift{.count = 1, .translation = {1, 0, 0}, .rotation = glm::dquat(1, 0, 0, 0)};
    pose.camera = true;
    const TraceTick tick{.tick = 1,
                         .sim_ns = 2,
                         .arrive_ns = 3,
                         .due_ns = 4,
                         .stamp_ns = 5,
                         .epoch = 6,
                         .scale = 0.5,
                         .paused = true,
                         .poses = {pose, {.id = 8}},
                         .gone = {9, 10}};
    EXPECT_EQ(written(tick),
              R"({"tick":1,"sim":2,"arrive":3,"due":4,"stamp":5,"epoch":6,"scale":0.5,)"
              R"("paused":true,"poses":[{"id":7,"p":[1,2.5,-3],"q":[0.1,0.2,0.3,0.4],)"
              R"("s":[1,1,1],"v":[4,5,6],"w":[7,8,9],"cut":2,)"
              R"("shift":{"n":1,"p":[1,0,0],"q":[0,0,0,1]},"role":"camera"},)"
              R"({"id":8,"p":[0,0,0]}],"gone":[9,10]})"
              "\n");
    EXPECT_EQ(written(TraceFrame{.frame = 1, .cpu_ns = 2, .present_ns = -3}),
              "{\"frame\":1,\"cpu\":2,\"present\":-3}\n");
    EXPECT_EQ(
        written(TraceTruth{
            .time_ns = 1, .id = 2, .position = {3, 4, 5}, .rotation = glm::dquat(9, 6, 7, 8)}),
        "{\"truth\":1,\"id\":2,\"p\":[3,4,5],\"q\":[6,7,8,9]}\n");
    DrawnFrame drawn{.frame = 1, .sample_ns = 2, .delay_ns = 3};
    drawn.state = DrawnState::Hold;
    drawn.poses = {{.id = 4, .rotation = glm::dquat(1, 0, 0, 0)}, {.id = 5}};
    EXPECT_EQ(written(drawn), R"({"frame":1,"sample":2,"delay":3,"state":"hold","poses":[)"
                              R"({"id":4,"p":[0,0,0],"q":[0,0,0,1]},{"id":5,"p":[0,0,0]}]})"
                              "\n");
}

TEST(TraceWriter, AbsentFieldsAreAbsentKeys) {
    EXPECT_EQ(written(TraceHeader{}),
              "{\"trace\":1,\"name\":\"\",\"source\":\"local\",\"tick_ns\":null}\n");
    EXPECT_EQ(written(TraceTick{}), "{\"tick\":0,\"sim\":0,\"arrive\":0,\"poses\":[]}\n");
    EXPECT_EQ(written(TraceFrame{}), "{\"frame\":0,\"cpu\":0}\n");
    EXPECT_EQ(written(TraceTruth{}), "{\"truth\":0,\"id\":0,\"p\":[0,0,0]}\n");
    EXPECT_EQ(written(DrawnFrame{}), "{\"frame\":0,\"poses\":[]}\n");
}

TEST(TraceWriter, NumbersHaveTheFewestDigits) {
    EXPECT_EQ(written_number(0.1), "0.1");
    EXPECT_EQ(written_number(0.0), "0");
    EXPECT_EQ(written_number(-0.0), "-0.0");
    EXPECT_EQ(written_number(-2.0), "-2");
    EXPECT_EQ(written_number(1.0 / 3.0), "0.3333333333333333");
    EXPECT_EQ(written_number(5e-324), "5e-324");
    EXPECT_EQ(written_number(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
}

TEST(TraceWriter, NamesAreEscapedAndAlwaysUtf8) {
    EXPECT_EQ(written_name("plain / \x7F"), "\"plain / \x7F\"");
    EXPECT_EQ(written_name("\"\\"), R"("\"\\")");
    EXPECT_EQ(written_name(std::string("\0\n\x1F", 3)), R"("\u0000\u000a\u001f")");
    EXPECT_EQ(written_name("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
              "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"");
    constexpr const char* kReplaced = "\"\xEF\xBF\xBD\"";
    EXPECT_EQ(written_name("\xFF"), kReplaced);
    EXPECT_EQ(written_name("\xC3"), kReplaced); // Cut off.
}

TEST(TraceWriter, EveryNameIsReadBackAsWritten) {
    // Ends of the ranges of Unicode's table 3-7, and bytes just outside them.
    for (const std::string name :
         {"\xC2\x80", "\xDF\xBF", "\xC1\xBF", "\xE0\xA0\x80", "\xE0\x9F\xBF", "\xED\x9F\xBF",
          "\xED\xA0\x80", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF0\x8F\xBF\xBF",
          "\xF4\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xE2\x82",
          "\xF0\x9F"}) {
        const std::string text = written(TraceHeader{.name = name});
        const auto read = read_trace(text);
        ASSERT_EQ(read.lines.size(), 1U) << read.error.cause;
        EXPECT_EQ(write(read.lines), text);
    }
}

TEST(TraceWriter, ANumberThatIsNotFiniteLeavesTheTextAsItWas) {
    const auto expect_refused = [](const auto& line) {
        std::string out = "before";
        EXPECT_EQ(append_line(out, line), TraceWrite::NotFinite);
        EXPECT_EQ(out, "before");
    };
    const glm::dvec3 bad(0.0, std::nan(""), 0.0);
    const glm::dquat bad_rotation(kInfinity, 0.0, 0.0, 0.0);
    const auto in_tick = [&](const TracePose& pose) { expect_refused(TraceTick{.poses = {pose}}); };
    expect_refused(TraceTick{.scale = -kInfinity});
    in_tick({.position = bad});
    in_tick({.rotation = bad_rotation});
    in_tick({.scale = bad});
    in_tick({.velocity = bad});
    in_tick({.angular_velocity = bad});
    in_tick({.shift = TraceShift{.translation = bad}});
    in_tick({.shift = TraceShift{.rotation = bad_rotation}});
    expect_refused(TraceTruth{.position = bad});
    expect_refused(TraceTruth{.rotation = bad_rotation});
    expect_refused(DrawnFrame{.poses = {{.position = bad}}});
    expect_refused(DrawnFrame{.poses = {{.rotation = bad_rotation}}});
}

TEST(TraceNames, AreThoseOfTheFiles) {
    EXPECT_STREQ(to_string(TraceSource::Local), "local");
    EXPECT_STREQ(to_string(TraceSource::Thread), "thread");
    EXPECT_STREQ(to_string(TraceSource::Network), "network");
    EXPECT_STREQ(to_string(DrawnState::Interpolate), "interpolate");
    EXPECT_STREQ(to_string(DrawnState::Extrapolate), "extrapolate");
    EXPECT_STREQ(to_string(DrawnState::Hold), "hold");
    EXPECT_STREQ(to_string(DrawnState::Empty), "empty");
}

} // namespace
} // namespace glissade::testing
