// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <array>
#include <cmath>

namespace glissade::c_test {
namespace {

// A tick before the first frame, one between the two, and one behind the last. Objects 7 and 3.
constexpr const char* kText =
    R"({"trace":1,"name":"small","source":"thread","tick_ns":16000000}
{"tick":0,"sim":0,"arrive":1000000,"due":500000,"poses":[{"id":7,"p":[1,2,3],"q":[0,0,0,1],"v":[4,5,6]}]}
{"frame":10,"cpu":2000000,"present":1500000}
{"tick":1,"sim":16000000,"arrive":17000000,"poses":[{"id":7,"p":[2,2,3]},{"id":3,"p":[0,0,0]}]}
{"frame":11,"cpu":18000000}
{"tick":2,"sim":32000000,"arrive":33000000,"poses":[]}
)";
constexpr double kAllMs = 1e6; // After every line.

TraceReplay load(const std::string& text) {
    return TraceReplay(glissade_trace_create(text.data(), text.size()));
}

// The next lines up to `until_ms`: "tick 1", "frame 11" and so on.
std::vector<std::string> walk(const TraceReplay& trace, double until_ms) {
    std::vector<std::string> lines;
    std::array<double, 3> frame{};
    for (int kind = glissade_trace_next(trace.get(), until_ms); kind != 0;
         kind = glissade_trace_next(trace.get(), until_ms)) {
        glissade_trace_frame(trace.get(), frame.data());
        const double number =
            kind == 1 ? times_in(glissade_trace_tick(trace.get())).tick : frame[0];
        lines.push_back((kind == 1 ? "tick " : "frame ") + std::to_string(std::llround(number)));
    }
    return lines;
}

TEST(CTrace, TellsWhatIsInIt) {
    const TraceReplay trace = load(kText);
    ASSERT_NE(trace, nullptr) << glissade_problem();
    EXPECT_STREQ(glissade_trace_name(trace.get()), "small");
    EXPECT_EQ(glissade_trace_tick_ms(trace.get()), 16.0);
    EXPECT_EQ(glissade_trace_frame_count(trace.get()), 2U);
}

TEST(CTrace, BeginsAndEndsWithItsFirstAndLastLine) {
    const TraceReplay trace = load(kText);
    EXPECT_EQ(glissade_trace_first_ms(trace.get()), 1.0);
    EXPECT_EQ(glissade_trace_last_ms(trace.get()), 33.0) << "the tick behind the last frame";
    EXPECT_EQ(walk(trace, glissade_trace_last_ms(trace.get())).size(), 5U);
}

TEST(CTrace, IsReplayedInTheOrderOfItsLinesAsFarAsTheyHaveHappened) {
    const TraceReplay trace = load(kText);
    EXPECT_THAT(walk(trace, 0.9), ::testing::IsEmpty());
    EXPECT_THAT(walk(trace, 2.0), ::testing::ElementsAre("tick 0", "frame 10"));
    EXPECT_THAT(walk(trace, 2.0), ::testing::IsEmpty());
    EXPECT_THAT(walk(trace, kNone), ::testing::IsEmpty());
    EXPECT_THAT(walk(trace, kAllMs), ::testing::ElementsAre("tick 1", "frame 11", "tick 2"));
    EXPECT_THAT(walk(trace, kAllMs), ::testing::IsEmpty());
}

TEST(CTrace, BeginsAgainAfterARewind) {
    const TraceReplay trace = load(kText);
    const std::vector<std::string> all = walk(trace, kAllMs);
    EXPECT_EQ(all.size(), 5U);
    glissade_trace_rewind(trace.get());
    EXPECT_EQ(walk(trace, kAllMs), all);
}

TEST(CTrace, AStateHasWhatItsLineHas) {
    const TraceReplay trace = load(kText);
    ASSERT_EQ(glissade_trace_next(trace.get(), kAllMs), 1);
    const glissade_tick* const state = glissade_trace_tick(trace.get());
    const glissade_times times = times_in(state);
    EXPECT_EQ(times.time_ms, 0.0);
    EXPECT_EQ(times.due_ms, 0.5);
    EXPECT_EQ(times.published_ms, 1.0);
    EXPECT_EQ(times.time_scale, 1.0);
    EXPECT_TRUE(std::isnan(times.duration_ms)) << "a trace does not tell";
    const std::vector<glissade_row> rows = rows_in(state);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].id, 7.0);
    EXPECT_THAT(rows[0].position, ::testing::ElementsAre(1.0, 2.0, 3.0));
    EXPECT_THAT(rows[0].rotation, ::testing::ElementsAre(0.0, 0.0, 0.0, 1.0));
    EXPECT_THAT(rows[0].velocity, ::testing::ElementsAre(4.0, 5.0, 6.0));
}

TEST(CTrace, AFrameHasItsTimesAndNoPresentWhereThereIsNone) {
    const TraceReplay trace = load(kText);
    std::array<double, 3> frame{};
    walk(trace, 2.0);
    glissade_trace_frame(trace.get(), frame.data());
    EXPECT_THAT(frame, ::testing::ElementsAre(10.0, 2.0, 1.5));
    walk(trace, 18.0);
    glissade_trace_frame(trace.get(), frame.data());
    EXPECT_EQ(frame[1], 18.0);
    EXPECT_TRUE(std::isnan(frame[2]));
}

TEST(CTrace, NamesAllItsObjectsOnce) {
    const TraceReplay trace = load(kText);
    EXPECT_EQ(glissade_trace_ids(trace.get(), nullptr, 0), 2U);
    std::array<glissade_id, 3> ids{-1.0, -1.0, -1.0};
    EXPECT_EQ(glissade_trace_ids(trace.get(), ids.data(), 1), 2U);
    EXPECT_THAT(ids, ::testing::ElementsAre(3.0, -1.0, -1.0)) << "no more than there is room";
    EXPECT_EQ(glissade_trace_ids(trace.get(), ids.data(), 3), 2U);
    EXPECT_THAT(ids, ::testing::ElementsAre(3.0, 7.0, -1.0));
}

TEST(CTrace, WithoutALengthOfTicksThereIsNone) {
    const TraceReplay trace = load(
        "{\"trace\":1,\"name\":\"\",\"source\":\"thread\",\"tick_ns\":"
        "null}\n{\"frame\":1,\"cpu\":5000000}\n");
    ASSERT_NE(trace, nullptr) << glissade_problem();
    EXPECT_TRUE(std::isnan(glissade_trace_tick_ms(trace.get())));
    EXPECT_EQ(glissade_trace_first_ms(trace.get()), 5.0);
    EXPECT_EQ(glissade_trace_last_ms(trace.get()), 5.0);
    EXPECT_EQ(glissade_trace_ids(trace.get(), nullptr, 0), 0U);
}

TEST(CTrace, ABadLineIsRefusedWithItsNumberAndTheReason) {
    std::string text = kText;
    text.replace(text.find(R"("cpu":18000000)"), 14, R"("cpu":"never" )");
    EXPECT_EQ(load(text), nullptr);
    EXPECT_THAT(glissade_problem(), says("the trace: line 5: "));
    EXPECT_THAT(std::string(glissade_problem()).size(), ::testing::Gt(sizeof "the trace: line 5: "))
        << "and why";
}

TEST(CTrace, ALineThatRunsBackIsRefusedWithItsNumber) {
    std::string text = kText;
    text.replace(text.find("\"cpu\":18000000"), 14, "\"cpu\":16000000");
    EXPECT_EQ(load(text), nullptr);
    EXPECT_THAT(glissade_problem(), says("the trace: line 5: "));
}

TEST(CTrace, WhatIsNoTraceIsRefused) {
    for (const char* const text : {"", "\n", "hello", "{}", "[1,2]", "\xFF\xFE"}) {
        EXPECT_EQ(load(text), nullptr) << text;
        EXPECT_THAT(glissade_problem(), says("the trace: ")) << text;
    }
}

TEST(CTrace, ATraceWithoutFramesIsRefused) {
    EXPECT_EQ(load("{\"trace\":1,\"name\":\"\",\"source\":\"thread\",\"tick_ns\":16000000}\n"),
              nullptr);
    EXPECT_THAT(glissade_problem(), says("the trace: it has no frames"));
}

// Trap: a method that is fed by a trace draws what it draws when it is fed by a link.
TEST(CTrace, AReplayOfARecordingDrawsWhatWasDrawn) {
    const LinkMemory link(4);
    FrameLoop loop(link);
    loop.longest_late_ms = 6.0;
    const Recording recording(glissade_recording_create("live", kTickMs, 60.0, 1));
    glissade_recording_watch(recording.get(), loop.source.id);
    const Method live(glissade_method_create("playout", kTickMs, 4));
    std::vector<double> drawn_live;
    const auto draw = [](const Method& method, double frame, double cpu_ms) {
        const auto count = glissade_method_frame(method.get(), frame, cpu_ms, cpu_ms);
        return count == 0 ? -1.0 : glissade_method_poses(method.get())->position[0];
    };
    loop.run(
        500,
        [&](const glissade_tick* state) {
            glissade_recording_tick(recording.get(), state);
            glissade_method_tick(live.get(), state);
        },
        [&](double frame, double now_ms) {
            glissade_recording_frame(recording.get(), frame, now_ms, now_ms);
            drawn_live.push_back(draw(live, frame, now_ms));
        });
    const TraceReplay trace = load(trace_text(recording.get()));
    ASSERT_NE(trace, nullptr) << glissade_problem();
    const Method replayed(glissade_method_create("playout", kTickMs, 4));
    std::vector<double> drawn_again;
    std::array<double, 3> frame{};
    for (int kind = glissade_trace_next(trace.get(), kAllMs); kind != 0;
         kind = glissade_trace_next(trace.get(), kAllMs)) {
        if (kind == 1) {
            glissade_method_tick(replayed.get(), glissade_trace_tick(trace.get()));
        } else {
            glissade_trace_frame(trace.get(), frame.data());
            drawn_again.push_back(draw(replayed, frame[0], frame[1]));
        }
    }
    EXPECT_EQ(drawn_again, drawn_live);
}

} // namespace
} // namespace glissade::c_test
