// SPDX-License-Identifier: MIT
#include "glissade/trace/trace_reader.h"

#include "trace/read_back.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

const std::string kLocal = R"({"trace":1,"name":"test","source":"local","tick_ns":20})"
                           "\n";
const std::string kNetwork = R"({"trace":1,"name":"test","source":"network","tick_ns":20})"
                             "\n";

std::string tick(int number, int sim, int arrive, const std::string& more = "") {
    return R"({"tick":)" + std::to_string(number) + R"(,"sim":)" + std::to_string(sim) +
           R"(,"arrive":)" + std::to_string(arrive) + more + ",\"poses\":[]}\n";
}

std::string frame(int number, int cpu) {
    return R"({"frame":)" + std::to_string(number) + R"(,"cpu":)" + std::to_string(cpu) + "}\n";
}

/// The only line after a header, or a default one with a test failure.
TraceLine line_of(const std::string& text, const std::string& header = kLocal) {
    const auto read = read_trace(header + text);
    EXPECT_EQ(read.error.problem, TraceProblem::None) << read.error.cause;
    EXPECT_EQ(read.lines.size(), 2U);
    return read.lines.empty() ? TraceLine{} : read.lines.back();
}

void expect_reads(const std::string& text, std::size_t line_count) {
    const auto read = read_trace(text);
    EXPECT_EQ(read.error.problem, TraceProblem::None) << read.error.cause << "\n" << text;
    EXPECT_EQ(read.lines.size(), line_count) << text;
}

void expect_out_of_order(const std::string& text, std::int64_t line, const std::string& cause) {
    const auto read = read_trace(text);
    EXPECT_EQ(read.error.problem, TraceProblem::OutOfOrder) << text;
    EXPECT_EQ(read.error.line, line) << text;
    EXPECT_NE(read.error.cause.find(cause), std::string::npos) << read.error.cause;
}

TEST(TraceReader, AHeaderHasAllItsKeys) {
    const auto read = read_trace(
        R"({"trace":1,"name":"caf\u00e9","source":"thread","tick_ns":16666667,"rate":[60,1]})");
    ASSERT_EQ(read.lines.size(), 1U) << read.error.cause;
    EXPECT_EQ(read.lines[0].kind, TraceLineKind::Header);
    const TraceHeader expected{.name = "caf\xC3\xA9",
                               .source = TraceSource::Thread,
                               .tick_ns = 16'666'667,
                               .rate = Rate{60, 1}};
    EXPECT_EQ(read.lines[0].header, expected);
}

TEST(TraceReader, ANullTickLengthIsAVariableOne) {
    const auto read = read_trace(R"({"trace":1,"name":"","source":"network","tick_ns":null})");
    ASSERT_EQ(read.lines.size(), 1U) << read.error.cause;
    EXPECT_EQ(read.lines[0].header, (TraceHeader{.source = TraceSource::Network}));
}

TEST(TraceReader, ATickHasAllItsKeys) {
    const TraceLine line =
        line_of(R"({"tick":7,"sim":100,"arrive":110,"due":105,"stamp":-3,"epoch":2,"scale":0.5,)"
                R"("paused":true,"poses":[],"gone":[4,-9223372036854775808]})");
    ASSERT_EQ(line.kind, TraceLineKind::Tick);
    const TraceTick expected{.tick = 7,
                             .sim_ns = 100,
                             .arrive_ns = 110,
                             .due_ns = 105,
                             .stamp_ns = -3,
                             .epoch = 2,
                             .scale = 0.5,
                             .paused = true,
                             .poses = {},
                             .gone = {4, INT64_MIN}};
    EXPECT_EQ(line.tick, expected);
}

TEST(TraceReader, QuaternionsStandInTheFileWithWLast) {
    const TraceLine line = line_of(
        R"({"tick":1,"sim":0,"arrive":0,"poses":[{"id":3,"p":[1,2,3],"q":[0.1,0.2,0.3,0.4],)"
        R"("shift":{"n":1,"p":[4,5,6],"q":[5,6,7,8]}}]})");
    ASSERT_EQ(line.tick.poses.size(), 1U);
    const TracePose& pose = line.tick.poses[0];
    ASSERT_TRUE(pose.rotation.has_value());
    EXPECT_EQ(pose.rotation->x, 0.1);
    EXPECT_EQ(pose.rotation->y, 0.2);
    EXPECT_EQ(pose.rotation->z, 0.3);
    EXPECT_EQ(pose.rotation->w, 0.4);
    ASSERT_TRUE(pose.shift.has_value());
    EXPECT_EQ(pose.shift->count, 1);
    EXPECT_EQ(pose.shift->translation, glm::dvec3(4, 5, 6));
    EXPECT_EQ(pose.shift->rotation.x, 5.0);
    EXPECT_EQ(pose.shift->rotation.w, 8.0);
}

TEST(TraceReader, APoseHasAllItsKeysAndAZeroRotationStays) {
    const TraceLine line = line_of(
        R"({"tick":1,"sim":0,"arrive":0,"poses":[{"id":3,"p":[1,2,3],"q":[0,0,0,0],"s":[1,2,4],)"
        R"("v":[0,0,9.5],"w":[0,1,0],"cut":6,"role":"camera"},{"id":1,"p":[0,0,0]}]})");
    ASSERT_EQ(line.tick.poses.size(), 2U);
    TracePose expected{.id = 3, .position = {1, 2, 3}};
    expected.rotation = glm::dquat(0, 0, 0, 0);
    expected.scale = glm::dvec3(1, 2, 4);
    expected.velocity = glm::dvec3(0, 0, 9.5);
    expected.angular_velocity = glm::dvec3(0, 1, 0);
    expected.cut = 6;
    expected.camera = true;
    EXPECT_EQ(line.tick.poses[0], expected);
    EXPECT_EQ(line.tick.poses[1], TracePose{.id = 1}); // Nothing of the pose before it.
}

TEST(TraceReader, FramesAndTruthHaveAllTheirKeys) {
    EXPECT_EQ(line_of(R"({"frame":3,"cpu":50,"present":40})").frame,
              (TraceFrame{.frame = 3, .cpu_ns = 50, .present_ns = 40}));
    EXPECT_EQ(line_of(R"({"frame":3,"cpu":50})").frame, (TraceFrame{.frame = 3, .cpu_ns = 50}));
    EXPECT_EQ(
        line_of(R"({"truth":9,"id":2,"p":[1,2,3],"q":[0,0,0,1]})").truth,
        (TraceTruth{
            .time_ns = 9, .id = 2, .position = {1, 2, 3}, .rotation = glm::dquat(1, 0, 0, 0)}));
    EXPECT_EQ(line_of(R"({"truth":9,"id":2,"p":[1,2,3]})").truth,
              (TraceTruth{.time_ns = 9, .id = 2, .position = {1, 2, 3}}));
}

TEST(TraceReader, KeysStandInAnyOrder) {
    const auto read = read_trace(R"({"tick_ns":20,"source":"local","name":"x","trace":1})"
                                 "\n"
                                 R"({"poses":[{"p":[1,2,3],"id":5}],"arrive":3,"sim":2,"tick":1})");
    ASSERT_EQ(read.lines.size(), 2U) << read.error.cause;
    EXPECT_EQ(read.lines[0].header.name, "x");
    EXPECT_EQ(read.lines[1].tick.tick, 1);
    EXPECT_EQ(read.lines[1].tick.poses.at(0).id, 5);
}

TEST(TraceReader, UnknownKeysAreIgnoredWhateverTheyHold) {
    const TraceLine line = line_of(
        R"({"x":{"tick":5,"poses":[1,{"id":"a"}]},"tick":1,"sim":0,"y":[[],[[{}]]],"arrive":0,)"
        R"("poses":[{"x":{"id":7,"p":[1]},"id":3,"p":[1,2,3],"u":[null,[4,5]],)"
        R"("shift":{"n":1,"p":[0,0,0],"q":[0,0,0,1],"t":{"n":"many"}}}],"z":null})");
    ASSERT_EQ(line.tick.poses.size(), 1U);
    EXPECT_EQ(line.tick.poses[0].id, 3);
    EXPECT_EQ(line.tick.poses[0].position, glm::dvec3(1, 2, 3));
    EXPECT_EQ(line.tick.poses[0].shift->count, 1);
}

TEST(TraceReader, AKeyOfAnotherKindIsUnknownInThisOne) {
    const TraceLine line = line_of(
        R"({"frame":1,"scale":"big","poses":[{"id":1},{"id":1}],"name":0,"cpu":2,"id":null})");
    EXPECT_EQ(line.frame, (TraceFrame{.frame = 1, .cpu_ns = 2}));
}

TEST(TraceReader, DeepNestingIsSkippedWithoutAStack) {
    const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
    EXPECT_EQ(line_of(R"({"x":)" + deep + R"(,"frame":1,"cpu":2})").frame.frame, 1);
}

TEST(TraceReader, IntegersServeAsNumbersAndMinusZeroKeepsItsSign) {
    const glm::dvec3 position =
        line_of(R"({"truth":1,"id":1,"p":[-0,18446744073709551615,-7]})").truth.position;
    EXPECT_TRUE(std::signbit(position.x));
    EXPECT_EQ(position, glm::dvec3(0.0, 18446744073709551616.0, -7.0));
}

TEST(TraceReader, LineEndsOfBothKindsAndALastLineWithoutOneAreRead) {
    expect_reads(R"({"trace":1,"name":"","source":"local","tick_ns":1})"
                 "\r\n" +
                     frame(1, 1),
                 2);
    expect_reads(kLocal + R"({"frame":1,"cpu":1})", 2);
    expect_reads(kLocal + R"({"frame":1,"cpu":1})" + "\r", 2);
    expect_reads(kLocal + frame(1, 1) + "\n\r\n \t\n", 2);
}

TEST(TraceReader, TextIsNeededUntilALineIsWhole) {
    TraceReader reader;
    TraceLine line;
    EXPECT_EQ(reader.next(line), TraceRead::NeedText);
    reader.push(kLocal.substr(0, 10));
    EXPECT_EQ(reader.next(line), TraceRead::NeedText);
    EXPECT_EQ(reader.line_number(), 0);
    reader.push(kLocal.substr(10) + R"({"frame":1,)");
    EXPECT_EQ(reader.next(line), TraceRead::Line);
    EXPECT_EQ(reader.line_number(), 1);
    EXPECT_EQ(reader.next(line), TraceRead::NeedText);
    reader.push(R"("cpu":1})");
    EXPECT_EQ(reader.next(line), TraceRead::NeedText);
    reader.finish();
    EXPECT_EQ(reader.next(line), TraceRead::Line);
    EXPECT_EQ(line.frame.frame, 1);
    EXPECT_EQ(reader.line_number(), 2);
    EXPECT_EQ(reader.next(line), TraceRead::End);
    reader.push(frame(2, 2)); // Too late.
    EXPECT_EQ(reader.next(line), TraceRead::End);
    EXPECT_EQ(reader.error().problem, TraceProblem::None);
}

TEST(TraceReader, AMovedReaderGoesOn) {
    TraceReader first;
    first.push(kLocal + frame(1, 1));
    TraceLine line;
    ASSERT_EQ(first.next(line), TraceRead::Line);
    TraceReader second(std::move(first));
    ASSERT_EQ(second.next(line), TraceRead::Line);
    EXPECT_EQ(line.kind, TraceLineKind::Frame);
}

TEST(TraceReader, NothingIsReadAfterAnError) {
    TraceReader reader;
    TraceLine line;
    reader.push(kLocal + "nonsense\n" + frame(1, 1));
    EXPECT_EQ(reader.next(line), TraceRead::Line);
    EXPECT_EQ(reader.next(line), TraceRead::Error);
    reader.push(frame(2, 2));
    EXPECT_EQ(reader.next(line), TraceRead::Error);
    EXPECT_EQ(reader.error().line, 2);
}

TEST(TraceReader, TimesOfTicksAndFramesRunForwardTogether) {
    expect_reads(kLocal + tick(1, 0, 10) + frame(1, 10) + tick(2, 20, 10) + frame(2, 30), 5);
    expect_out_of_order(kLocal + tick(1, 0, 10) + tick(2, 20, 9), 3, "\"arrive\" is 9");
    expect_out_of_order(kLocal + tick(1, 0, 10) + frame(1, 9), 3, "\"cpu\" is 9");
    expect_out_of_order(kLocal + frame(1, 10) + tick(1, 0, 9), 3, "\"arrive\" is 9");
    expect_out_of_order(kNetwork + tick(2, 0, 10) + tick(1, 0, 9), 3, "\"arrive\" is 9");
}

TEST(TraceReader, FrameNumbersGrow) {
    expect_reads(kLocal + frame(-5, 1) + frame(3, 1), 3);
    expect_out_of_order(kLocal + frame(3, 1) + frame(3, 2), 3, "\"frame\" is 3 after 3");
    expect_out_of_order(kNetwork + frame(3, 1) + frame(2, 2), 3, "\"frame\" is 2 after 3");
}

TEST(TraceReader, TicksOfALocalSourceGrowWithinTheirEpoch) {
    const std::string epoch = ",\"epoch\":1";
    expect_reads(kLocal + tick(1, 5, 1) + tick(4, 5, 2), 3); // `sim` may stand.
    expect_out_of_order(kLocal + tick(4, 5, 1) + tick(4, 6, 2), 3, "\"tick\" is 4 after 4");
    expect_out_of_order(kLocal + tick(4, 5, 1) + tick(5, 4, 2), 3, "\"sim\" is 4 after 5");
    expect_reads(kLocal + tick(4, 5, 1) + tick(1, 0, 2, epoch), 3);
    expect_out_of_order(kLocal + tick(4, 5, 1, epoch) + tick(4, 5, 2, epoch), 3, "\"tick\"");
}

TEST(TraceReader, TicksOfANetworkRepeatAndComeInAnyOrder) {
    expect_reads(kNetwork + tick(4, 80, 1) + tick(4, 80, 2) + tick(2, 40, 3), 4);
}

TEST(TraceReader, TruthGrowsForEachIdAndStandsAnywhere) {
    const auto truth = [](int time, int id) {
        return R"({"truth":)" + std::to_string(time) + R"(,"id":)" + std::to_string(id) +
               ",\"p\":[0,0,0]}\n";
    };
    expect_reads(kLocal + truth(50, 1) + truth(10, 2) + frame(1, 5) + truth(51, 1), 5);
    expect_out_of_order(kLocal + truth(50, 1) + truth(60, 2) + truth(50, 1), 4, "\"truth\" is 50");
    std::string many = kLocal;
    for (int i = 0; i < 3000; ++i) {
        many += truth(i, i * 1024);
    }
    expect_reads(many + truth(3000, 0), 3002);
    expect_out_of_order(many + truth(7, 7 * 1024), 3002, "\"truth\" is 7 after 7");
}

TEST(TraceReader, MemoryOfALineIsReused) {
    TraceReader reader;
    TraceLine line;
    reader.push(kLocal +
                R"({"tick":1,"sim":0,"arrive":0,"poses":[{"id":1,"p":[0,0,0]}],"gone":[1]})"
                "\n" +
                tick(2, 20, 20));
    ASSERT_EQ(reader.next(line), TraceRead::Line);
    ASSERT_EQ(reader.next(line), TraceRead::Line);
    const TracePose* const poses = line.tick.poses.data();
    ASSERT_EQ(reader.next(line), TraceRead::Line);
    EXPECT_TRUE(line.tick.poses.empty());
    EXPECT_TRUE(line.tick.gone.empty());
    EXPECT_EQ(line.tick.poses.data(), poses);
}

TEST(DrawnReader, AFrameHasAllItsKeysOrTheNeededOnes) {
    const auto read = read_drawn(
        R"({"frame":1,"sample":5,"delay":-3,"state":"extrapolate",)"
        R"("poses":[{"id":2,"p":[1,2,3],"q":[0.5,0,0,1],"v":"unknown here"},{"id":1,"p":[0,0,0]}]})"
        "\n"
        R"({"frame":2,"poses":[]})");
    ASSERT_EQ(read.lines.size(), 2U) << read.error.cause;
    DrawnFrame expected{.frame = 1, .sample_ns = 5, .delay_ns = -3};
    expected.state = DrawnState::Extrapolate;
    expected.poses = {
        {.id = 2, .position = {1, 2, 3}, .rotation = glm::dquat(1, 0.5, 0, 0)},
        {.id = 1},
    };
    EXPECT_EQ(read.lines[0], expected);
    EXPECT_EQ(read.lines[1], DrawnFrame{.frame = 2});
}

TEST(DrawnReader, EveryStateHasItsName) {
    for (const DrawnState state :
         {DrawnState::Interpolate, DrawnState::Extrapolate, DrawnState::Hold, DrawnState::Empty}) {
        const auto read = read_drawn(R"({"frame":1,"state":")" + std::string(to_string(state)) +
                                     R"(","poses":[]})");
        ASSERT_EQ(read.lines.size(), 1U) << read.error.cause;
        EXPECT_EQ(read.lines[0].state, state);
    }
}

TEST(DrawnReader, NoTextAtAllIsNoFrame) {
    const auto read = read_drawn("");
    EXPECT_EQ(read.error.problem, TraceProblem::None);
    EXPECT_TRUE(read.lines.empty());
}

} // namespace
} // namespace glissade::testing
