// SPDX-License-Identifier: MIT
// The lines that only a network has, through every door: reader, writer, Recorder.
#include "glissade/trace/trace_packets.h"

#include "glissade/time/tick.h"
#include "glissade/trace/recorder.h"
#include "glissade/trace/trace_reader.h"
#include "glissade/trace/trace_writer.h"

#include "trace/read_back.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

const std::string kNetwork = R"({"trace":1,"name":"test","source":"network","tick_ns":null})"
                             "\n";
const std::string kThread = R"({"trace":1,"name":"test","source":"thread","tick_ns":null})"
                            "\n";
const std::string kMotion = R"({"motion":65535,"id":7,"arrive":9,"gait":"run"})";
const std::string kVector = R"({"vector":0,"id":7,"arrive":9,"v":[1,2,3]})";
const std::string kMoveTo = R"({"moveto":3,"id":7,"arrive":9,"kind":"object","target":8})";
const std::string kPlayer = R"({"player":9,"p":[1,2,3]})";
const std::string kBlocked = R"({"blocked":true,"id":7,"arrive":9})";

TracePacket packet_of(const std::string& line) {
    const auto read = read_trace(kNetwork + line);
    EXPECT_EQ(read.error.problem, TraceProblem::None) << read.error.cause << "\n" << line;
    EXPECT_EQ(read.lines.size(), 2U);
    if (read.lines.size() != 2) {
        return {};
    }
    EXPECT_EQ(read.lines[1].kind, TraceLineKind::Packet);
    return read.lines[1].packet;
}

void expect_refused(const std::string& line, TraceProblem problem, const std::string& cause,
                    const std::string& header = kNetwork) {
    const auto read = read_trace(header + line);
    EXPECT_EQ(read.error.problem, problem) << line << ": " << read.error.cause;
    EXPECT_NE(read.error.cause.find(cause), std::string::npos) << read.error.cause;
    EXPECT_EQ(read.lines.size(), 1U) << line;
}

/// The same line with `from` replaced once.
std::string replaced(std::string line, const std::string& from, const std::string& to) {
    const std::size_t begin = line.find(from);
    EXPECT_NE(begin, std::string::npos) << from << " in " << line;
    return begin == std::string::npos ? line : line.replace(begin, from.size(), to);
}

/// The same line with a key more.
std::string with(std::string line, const std::string& key, const std::string& value) {
    line.pop_back();
    line.append(",\"").append(key).append("\":").append(value).append("}");
    return line;
}

/// Both, one a line.
std::string two_lines(std::string first, const std::string& second) {
    return first.append("\n").append(second);
}

std::string written(const TracePacket& packet) {
    std::string out;
    EXPECT_EQ(append_line(out, packet), TraceWrite::Ok);
    return out;
}

TraceMoveTo full_move_to() {
    return {.stamp = 3,
            .id = 4,
            .arrive_ns = 5,
            .kind = TraceMoveKind::TurnObject,
            .target = 6,
            .position = glm::dvec3(7, 8, 9),
            .flags = 4'294'967'295U,
            .distance_m = 0.5,
            .min_distance_m = 0.25,
            .fail_distance_m = 10,
            .speed = 1.5,
            .threshold_m = 15,
            .heading_deg = -90,
            .run_rate = 2};
}

/// One of each kind with every key, and one with the fewest.
std::vector<TracePacket> all_packets() {
    return {TraceMotion{.stamp = 1,
                        .id = 2,
                        .arrive_ns = 3,
                        .gait = TraceGait::Back,
                        .speed = 1.25,
                        .sidestep = -1,
                        .turn_deg_s = 90},
            TraceMotion{},
            TraceVector{.stamp = 2,
                        .id = -5,
                        .arrive_ns = 6,
                        .velocity = {0, 1, 7.5},
                        .angular_velocity = glm::dvec3(0, 0, -0.0)},
            TraceVector{},
            full_move_to(),
            TraceMoveTo{.position = glm::dvec3(1, 2, 3)},
            TracePlayer{.arrive_ns = -8, .position = {1, 2, 3}},
            TraceBlocked{.blocked = false, .id = 9, .arrive_ns = 10},
            TraceBlocked{}};
}

TEST(TracePackets, KeysStandInTheOrderOfTheFormat) {
    const std::string full_move_to_line =
        R"({"moveto":3,"id":4,"arrive":5,"kind":"turn-object","target":6,"p":[7,8,9],)"
        R"("flags":4294967295,"distance":0.5,"min":0.25,"fail":10,"speed":1.5,"threshold":15,)"
        R"("heading":-90,"run_rate":2})";
    const std::vector<std::string> expected = {
        R"({"motion":1,"id":2,"arrive":3,"gait":"back","speed":1.25,"sidestep":-1,"turn":90})",
        R"({"motion":0,"id":0,"arrive":0,"gait":"ready"})",
        R"({"vector":2,"id":-5,"arrive":6,"v":[0,1,7.5],"w":[0,0,-0.0]})",
        R"({"vector":0,"id":0,"arrive":0,"v":[0,0,0]})",
        full_move_to_line,
        R"({"moveto":0,"id":0,"arrive":0,"kind":"position","p":[1,2,3]})",
        R"({"player":-8,"p":[1,2,3]})",
        R"({"blocked":false,"id":9,"arrive":10})",
        R"({"blocked":true,"id":0,"arrive":0})",
    };
    const std::vector<TracePacket> packets = all_packets();
    ASSERT_EQ(packets.size(), expected.size());
    for (std::size_t i = 0; i < packets.size(); ++i) {
        EXPECT_EQ(written(packets[i]), expected[i] + "\n");
    }
}

TEST(TracePackets, EachIsReadAsItWasWritten) {
    for (const TracePacket& packet : all_packets()) {
        EXPECT_EQ(packet_of(written(packet)), packet) << written(packet);
    }
}

TEST(TracePackets, NothingOfALineIsLeftInTheNext) {
    const auto read = read_trace(kNetwork + written(full_move_to()) +
                                 R"({"moveto":3,"id":4,"arrive":5,"kind":"object","target":6})");
    ASSERT_EQ(read.lines.size(), 3U) << read.error.cause;
    EXPECT_EQ(
        read.lines[2].packet,
        TracePacket(TraceMoveTo{
            .stamp = 3, .id = 4, .arrive_ns = 5, .kind = TraceMoveKind::Object, .target = 6}));
}

TEST(TracePackets, NamesAreThoseOfTheFiles) {
    EXPECT_STREQ(to_string(TraceGait::Ready), "ready");
    EXPECT_STREQ(to_string(TraceGait::Walk), "walk");
    EXPECT_STREQ(to_string(TraceGait::Back), "back");
    EXPECT_STREQ(to_string(TraceGait::Run), "run");
    EXPECT_STREQ(to_string(TraceMoveKind::Object), "object");
    EXPECT_STREQ(to_string(TraceMoveKind::Position), "position");
    EXPECT_STREQ(to_string(TraceMoveKind::TurnObject), "turn-object");
    EXPECT_STREQ(to_string(TraceMoveKind::TurnHeading), "turn-heading");
}

TEST(TracePackets, ContactOfAPoseIsTrueUnlessItIsFalse) {
    const auto pose_of = [](const std::string& more) {
        const auto read =
            read_trace(kThread + R"({"tick":1,"sim":0,"arrive":0,"poses":[{"id":1,"p":[0,0,0])" +
                       more + "}]}");
        EXPECT_EQ(read.lines.size(), 2U) << read.error.cause;
        return read.lines.size() == 2 ? read.lines[1].tick.poses.at(0) : TracePose{};
    };
    EXPECT_TRUE(pose_of("").contact);
    EXPECT_TRUE(pose_of(R"(,"contact":true)").contact);
    EXPECT_FALSE(pose_of(R"(,"contact":false)").contact);
    std::string out;
    ASSERT_EQ(append_line(out, TraceTick{.poses = {{.camera = true, .contact = false}}}),
              TraceWrite::Ok);
    EXPECT_NE(out.find(R"("role":"camera","contact":false}])"), std::string::npos) << out;
    expect_refused(R"({"tick":1,"sim":0,"arrive":0,"poses":[{"id":1,"p":[0,0,0],"contact":0}]})",
                   TraceProblem::WrongType, R"("contact" of poses[0] must be true or false)");
}

TEST(TracePackets, EachMissingKeyIsNamed) {
    const auto expect_missing = [](const std::string& line, const std::string& part,
                                   const std::string& cause) {
        expect_refused(replaced(line, part, ""), TraceProblem::MissingKey, cause);
    };
    expect_missing(kMotion, R"("id":7,)", R"("id" of a motion line is missing)");
    expect_missing(kMotion, R"("arrive":9,)", R"("arrive" of a motion line is missing)");
    expect_missing(kMotion, R"(,"gait":"run")", R"("gait" of a motion line is missing)");
    expect_missing(kVector, R"("id":7,)", R"("id" of a vector line is missing)");
    expect_missing(kVector, R"("arrive":9,)", R"("arrive" of a vector line is missing)");
    expect_missing(kVector, R"(,"v":[1,2,3])", R"("v" of a vector line is missing)");
    expect_missing(kMoveTo, R"("id":7,)", R"("id" of a moveto line is missing)");
    expect_missing(kMoveTo, R"("arrive":9,)", R"("arrive" of a moveto line is missing)");
    expect_missing(kMoveTo, R"(,"kind":"object")", R"("kind" of a moveto line is missing)");
    expect_missing(kMoveTo, R"(,"target":8)",
                   R"("target" of a moveto line of this "kind" is missing)");
    const std::string other = replaced(kMoveTo, R"("kind":"object","target":8)", R"("kind":"#")");
    const auto expect_needed = [&](const char* kind, const std::string& key) {
        expect_refused(replaced(other, "#", kind), TraceProblem::MissingKey,
                       "\"" + key + R"(" of a moveto line of this "kind" is missing)");
    };
    expect_needed("position", "p");
    expect_needed("turn-object", "target");
    expect_needed("turn-heading", "heading");
    expect_missing(kPlayer, R"(,"p":[1,2,3])", R"("p" of a player line is missing)");
    expect_missing(kBlocked, R"("id":7,)", R"("id" of a blocked line is missing)");
    expect_missing(kBlocked, R"(,"arrive":9)", R"("arrive" of a blocked line is missing)");
}

TEST(TracePackets, StampsAndFlagsHaveTheirRange) {
    for (const char* const stamp : {"-1", "65536", "1.5", "null", "\"1\""}) {
        expect_refused(replaced(kMotion, "65535", stamp), TraceProblem::WrongType,
                       R"("motion" of a motion line must be an integer from 0 to 65535)");
        expect_refused(replaced(kVector, "0", stamp), TraceProblem::WrongType,
                       R"("vector" of a vector line must be an integer from 0 to 65535)");
        expect_refused(replaced(kMoveTo, "3", stamp), TraceProblem::WrongType,
                       R"("moveto" of a moveto line must be an integer from 0 to 65535)");
    }
    for (const char* const flags : {"-1", "4294967296", "1.5"}) {
        expect_refused(with(kMoveTo, "flags", flags), TraceProblem::WrongType,
                       R"("flags" of a moveto line must be an integer)");
    }
}

TEST(TracePackets, AWrongTypeIsNamedWithTheKindOfTheLine) {
    // A key that several kinds have is wrong in the one that the line turns out to be.
    const std::string early = R"({"id":"x","arrive":9,"blocked":true})";
    expect_refused(early, TraceProblem::WrongType, R"("id" of a blocked line must be an integer)");
    expect_refused(replaced(kMotion, "\"run\"", "\"fly\""), TraceProblem::WrongType,
                   R"("gait" of a motion line must be "ready", "walk", "back" or "run")");
    expect_refused(replaced(kMoveTo, "\"object\"", "\"turn\""), TraceProblem::WrongType,
                   R"("kind" of a moveto line must be "object", "position", "turn-object")");
    expect_refused(replaced(kMoveTo, "8", R"("x")"), TraceProblem::WrongType,
                   R"("target" of a moveto line must be a)");
    expect_refused(replaced(kBlocked, "true", "1"), TraceProblem::WrongType,
                   R"("blocked" of a blocked line must be true or false, found 1)");
    expect_refused(replaced(kPlayer, "9", "2305843009213693953"), TraceProblem::WrongType,
                   R"("player" of a player line must be an integer of nanoseconds)");
    expect_refused(replaced(kVector, "[1,2,3]", "[1,2]"), TraceProblem::WrongType,
                   R"("v" of a vector line must be an array of 3 numbers, found 2 elements)");
    for (const char* const key : {"speed", "sidestep", "turn"}) {
        expect_refused(with(kMotion, key, "[1]"), TraceProblem::WrongType,
                       std::string(key) + R"(" of a motion line must be a)");
    }
    for (const char* const key :
         {"p", "distance", "min", "fail", "speed", "threshold", "heading", "run_rate"}) {
        expect_refused(with(kMoveTo, key, R"("x")"), TraceProblem::WrongType,
                       std::string(key) + R"(" of a moveto line must be a)");
    }
}

TEST(TracePackets, NumbersThatAreNotFiniteAreRefusedAtEveryDoor) {
    expect_refused(replaced(kMotion, "}", R"(,"speed":1e999})"), TraceProblem::NotFinite,
                   R"("speed" of a motion line)");
    expect_refused(replaced(kVector, "[1,2,3]", "[1,NaN,3]"), TraceProblem::NotFinite,
                   R"("v" of a vector line)");
    expect_refused(replaced(kPlayer, "[1,2,3]", "[1,-inf,3]"), TraceProblem::NotFinite,
                   R"("p" of a player line)");
    const glm::dvec3 bad(0.0, std::nan(""), 0.0);
    Recorder recorder({.header = {.source = TraceSource::Network}, .buffer_bytes = 4096});
    for (const TracePacket& packet : std::vector<TracePacket>{
             TraceMotion{.speed = HUGE_VAL}, TraceMotion{.sidestep = HUGE_VAL},
             TraceMotion{.turn_deg_s = HUGE_VAL}, TraceVector{.velocity = bad},
             TraceVector{.angular_velocity = bad}, TraceMoveTo{.position = bad},
             TraceMoveTo{.fail_distance_m = HUGE_VAL}, TracePlayer{.position = bad}}) {
        std::string out = "before";
        EXPECT_EQ(append_line(out, packet), TraceWrite::NotFinite);
        EXPECT_EQ(out, "before");
        EXPECT_EQ(recorder.packet(packet), RecordStatus::NotFinite);
    }
    EXPECT_EQ(recorder.stats().line_count, 1U);
}

TEST(TracePackets, OnlyTheTraceOfANetworkHasThem) {
    const std::string names[] = {"motion", "vector", "moveto", "player", "blocked"};
    const std::string lines[] = {kMotion, kVector, kMoveTo, kPlayer, kBlocked};
    for (std::size_t i = 0; i < std::size(lines); ++i) {
        expect_refused(lines[i], TraceProblem::WrongSource,
                       "a " + names[i] + R"( line stands in a trace whose source is not "network")",
                       kThread);
    }
    for (const TraceSource source : {TraceSource::Local, TraceSource::Thread}) {
        Recorder recorder({.header = {.source = source}, .buffer_bytes = 4096});
        EXPECT_EQ(recorder.packet(TracePlayer{}), RecordStatus::WrongSource);
    }
    EXPECT_STREQ(to_string(RecordStatus::WrongSource), "wrong source");
}

TEST(TracePackets, TheyAreOrderedAmongTicksAndFrames) {
    const std::string tick = R"({"tick":1,"sim":0,"arrive":10,"poses":[]})";
    for (const std::string& line : {kMotion, kVector, kMoveTo, kBlocked}) {
        const auto late = read_trace(kNetwork + two_lines(tick, line));
        EXPECT_EQ(late.error.problem, TraceProblem::OutOfOrder) << line;
        EXPECT_EQ(late.error.cause, "\"arrive\" is 9, before the 10 of an earlier line");
        const auto late_frame = read_trace(kNetwork + two_lines(line, R"({"frame":1,"cpu":8})"));
        EXPECT_EQ(late_frame.error.problem, TraceProblem::OutOfOrder) << line;
        const auto in_order = read_trace(kNetwork + two_lines(line, tick));
        EXPECT_EQ(in_order.error.problem, TraceProblem::None) << in_order.error.cause;
    }
    const auto player = read_trace(kNetwork + two_lines(tick, kPlayer));
    EXPECT_EQ(player.error.cause, "\"player\" is 9, before the 10 of an earlier line");
}

TEST(TracePackets, AKeyOfTheirsInAnElderLineIsStillUnknown) {
    // Such lines were valid before packets were.
    const auto read = read_trace(
        kThread + R"({"tick":1,"sim":0,"arrive":0,"poses":[],"motion":"fast","player":{},"id":"x"})"
                  "\n"
                  R"({"frame":1,"cpu":2,"blocked":3,"speed":"x","p":0})"
                  "\n"
                  R"({"truth":1,"id":1,"p":[0,0,0],"vector":[1],"v":false,"kind":7})");
    EXPECT_EQ(read.error.problem, TraceProblem::None) << read.error.cause;
    EXPECT_EQ(read.lines.size(), 4U);
    expect_refused(R"({"motion":1,"vector":2,"id":7,"arrive":9})", TraceProblem::UnknownKind,
                   R"("motion", "vector" stand in one line)");
}

TEST(TracePackets, TheRecorderKeepsThemInOrder) {
    Recorder recorder(
        {.header = {.name = "test", .source = TraceSource::Network}, .buffer_bytes = 8192});
    const TracePacket walk = TraceMotion{.stamp = 1, .id = 2, .arrive_ns = 10};
    EXPECT_EQ(recorder.packet(walk), RecordStatus::Ok);
    EXPECT_EQ(recorder.frame({.frame = 1, .cpu_ns = 20}), RecordStatus::Ok);
    EXPECT_EQ(recorder.packet(TraceBlocked{.id = 2, .arrive_ns = 19}), RecordStatus::OutOfOrder);
    EXPECT_EQ(recorder.packet(TracePlayer{.arrive_ns = kMaxTimeNs + 1}), RecordStatus::OutOfRange);
    EXPECT_EQ(recorder.packet(TracePlayer{.arrive_ns = 20}), RecordStatus::Ok);
    EXPECT_EQ(recorder.tick({.tick = 1, .arrive_ns = 19}), RecordStatus::OutOfOrder);
    const auto read = read_trace(recorder.trace_text());
    ASSERT_EQ(read.lines.size(), 4U) << read.error.cause;
    EXPECT_EQ(read.lines[1].packet, walk);
    EXPECT_EQ(read.lines[3].packet, TracePacket(TracePlayer{.arrive_ns = 20}));
    EXPECT_EQ(recorder.stats().dropped_count, 3U);
}

} // namespace
} // namespace glissade::testing
