// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <algorithm>
#include <cmath>

namespace glissade::c_test {
namespace {

constexpr double kSeconds = 10.0;
constexpr std::uint32_t kPlayout = 0; // The sides.
constexpr std::uint32_t kNewest = 1;
constexpr int kFramesPerSecond = 143; // Of 7 ms: 1.001 s.

// A page: two methods side by side, and what was recorded of them.
class CRecordingTest : public ::testing::Test {
protected:
    CRecordingTest() {
        EXPECT_NE(recording, nullptr) << glissade_problem();
        EXPECT_EQ(glissade_recording_watch(recording.get(), loop.source.id), 1);
    }
    void run(int frame_count) {
        const auto on_tick = [&](const glissade_tick* state) {
            glissade_recording_tick(recording.get(), state);
            for (const Method& method : sides) {
                glissade_method_tick(method.get(), state);
            }
        };
        loop.run(frame_count, on_tick,
                 [&](double frame, double now_ms) { record_frame(frame, now_ms); });
    }
    void record_frame(double frame, double now_ms) {
        glissade_recording_frame(recording.get(), frame, now_ms, now_ms);
        for (std::uint32_t side = 0; side < 2; ++side) {
            glissade_method_frame(sides[side].get(), frame, now_ms, now_ms);
            glissade_recording_drawn(recording.get(), side, sides[side].get());
        }
    }
    [[nodiscard]] glissade_score score(std::uint32_t side, double seconds = 5.0) const {
        glissade_score score{};
        EXPECT_EQ(glissade_recording_score(recording.get(), side, loop.source.id, seconds, &score),
                  1)
            << glissade_problem();
        return score;
    }
    [[nodiscard]] std::string drawn_text(std::uint32_t side) const {
        std::size_t length = 0;
        const char* const text = glissade_recording_drawn_text(recording.get(), side, &length);
        return {text, length};
    }
    [[nodiscard]] Diagnosis diagnose(std::uint32_t side) const {
        return Diagnosis(glissade_diagnosis_create(recording.get(), side));
    }

    LinkMemory link{100};
    FrameLoop loop{link};
    std::vector<Method> sides = make_sides();
    Recording recording{glissade_recording_create("a page", kTickMs, kSeconds, 2)};

private:
    static std::vector<Method> make_sides() {
        std::vector<Method> made;
        made.emplace_back(glissade_method_create("playout", kTickMs, 100));
        made.emplace_back(glissade_method_create("newest", kTickMs, 100));
        return made;
    }
};

// The times of the frames of a recording, milliseconds.
std::vector<double> frame_times(const std::string& text) {
    std::vector<double> times;
    for (const nlohmann::json& line : parse_lines(text)) {
        if (line.contains("frame") && line.contains("cpu")) {
            times.push_back(line.at("cpu").get<double>() * 1e-6);
        }
    }
    return times;
}

TEST_F(CRecordingTest, AnEvenMotionHasNoRateErrorAndTheNewestStateALargeOne) {
    run(8 * kFramesPerSecond);
    // The rate of playout is within [0.98, 1.005]; at rest it is 1 but for blending by floats.
    EXPECT_LT(score(kPlayout).rate_error, 0.02);
    // Rates of 0 in 9 of 16 frames and of 16/7 in the others: sqrt(9/16 + 7/16 (9/7)^2) = 1.134,
    // and 5 s are 312 ticks, so that the shares are off by 1 of 312 at most.
    EXPECT_NEAR(score(kNewest).rate_error, 1.134, 0.01);
}

TEST_F(CRecordingTest, TheScoreTellsOfHoldsAndJumpsAndDelay) {
    run(8 * kFramesPerSecond);
    const glissade_score playout = score(kPlayout);
    const glissade_score newest = score(kNewest);
    EXPECT_EQ(playout.held, 0.0);
    EXPECT_EQ(playout.jumps, 0.0);
    EXPECT_EQ(playout.backward, 0.0);
    EXPECT_EQ(playout.streaks, 0.0);
    EXPECT_GT(playout.delay_ms, kTickMs) << "a tick and a margin";
    EXPECT_LT(playout.delay_ms, 2.0 * kTickMs);
    // Frames of 5 s; an end of the stretch falls on a frame or between two.
    EXPECT_NEAR(playout.frames, 5000.0 / kFrameMs, 2.0);
    EXPECT_GT(newest.held, 0.5 * newest.frames);
    EXPECT_GT(newest.jumps, 0.4 * newest.frames);
    // All ticks came with the frame after their due time, by less than a frame.
    EXPECT_GE(newest.lateness_p50_ms, 0.0);
    EXPECT_LT(newest.lateness_p99_ms, kFrameMs);
}

TEST_F(CRecordingTest, TheLagOfPlayoutIsItsDelay) {
    run(8 * kFramesPerSecond);
    // Both are means over the frames; the newest state is carried on exactly.
    EXPECT_NEAR(score(kPlayout).lag_ms, score(kPlayout).delay_ms, 0.1);
}

TEST_F(CRecordingTest, WhatWasNeverDrawnHasNoScore) {
    const glissade_score empty = score(kPlayout);
    EXPECT_TRUE(std::isnan(empty.rate_error));
    EXPECT_TRUE(std::isnan(empty.lag_ms));
    EXPECT_TRUE(std::isnan(empty.delay_ms));
    EXPECT_EQ(empty.frames, 0.0);
    run(kFramesPerSecond);
    glissade_score other{};
    EXPECT_EQ(glissade_recording_score(recording.get(), kPlayout, 12345.0, 1.0, &other), 1);
    EXPECT_TRUE(std::isnan(other.rate_error));
    EXPECT_EQ(other.frames, 0.0);
}

TEST_F(CRecordingTest, ASideOrATimeThatIsNoneIsRefusedWithAReason) {
    glissade_score score{};
    EXPECT_EQ(glissade_recording_score(recording.get(), 2, loop.source.id, 1.0, &score), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_recording_score: there is no such side"));
    EXPECT_EQ(glissade_recording_score(recording.get(), 0, loop.source.id, 0.0, &score), 0);
    EXPECT_EQ(glissade_recording_score(recording.get(), 0, loop.source.id, kNone, &score), 0);
}

TEST_F(CRecordingTest, ItsTextIsATraceWithAllThatHappened) {
    run(2 * kFramesPerSecond);
    const std::string text = trace_text(recording.get());
    const TraceReplay trace(glissade_trace_create(text.data(), text.size()));
    ASSERT_NE(trace, nullptr) << glissade_problem();
    EXPECT_STREQ(glissade_trace_name(trace.get()), "a page");
    EXPECT_EQ(glissade_trace_tick_ms(trace.get()), kTickMs);
    EXPECT_EQ(glissade_trace_frame_count(trace.get()), 2U * kFramesPerSecond);
    EXPECT_EQ(glissade_trace_last_ms(trace.get()), loop.now_ms);
    glissade_id id = 0.0;
    ASSERT_EQ(glissade_trace_ids(trace.get(), &id, 1), 1U);
    EXPECT_EQ(id, loop.source.id);
}

TEST_F(CRecordingTest, ANameWithAnySignsIsOneLineOfItsText) {
    const char* const name = "a \"page\" \\ with\na line, a tab\t and \xC3\xA4";
    const Recording named(glissade_recording_create(name, kTickMs, 1.0, 1));
    glissade_recording_frame(named.get(), 1.0, 10.0, kNone);
    const std::string text = trace_text(named.get());
    const TraceReplay trace(glissade_trace_create(text.data(), text.size()));
    ASSERT_NE(trace, nullptr) << glissade_problem() << text;
    EXPECT_STREQ(glissade_trace_name(trace.get()), name);
}

TEST_F(CRecordingTest, TheTextOfASideHasALineForEachFrame) {
    run(2 * kFramesPerSecond);
    const std::vector<nlohmann::json> lines = parse_lines(drawn_text(kNewest));
    ASSERT_EQ(lines.size(), 2U * kFramesPerSecond);
    const nlohmann::json& last = lines.back();
    EXPECT_EQ(last.at("frame").get<double>(), loop.frame);
    EXPECT_EQ(last.at("poses").at(0).at("p").at(0).get<double>(),
              glissade_method_poses(sides[kNewest].get())->position[0]);
    EXPECT_EQ(drawn_text(7), "") << "a side that is none";
}

TEST_F(CRecordingTest, WhatIsOlderThanItsLengthIsForgotten) {
    run(30 * kFramesPerSecond);
    const std::vector<double> times = frame_times(trace_text(recording.get()));
    ASSERT_FALSE(times.empty());
    EXPECT_EQ(times.back(), loop.now_ms);
    EXPECT_GE(times.front(), loop.now_ms - kSeconds * 1e3);
    EXPECT_LT(times.front(), loop.now_ms - kSeconds * 1e3 + kFrameMs);
    EXPECT_EQ(parse_lines(drawn_text(kPlayout)).size(), times.size());
    EXPECT_NEAR(score(kPlayout, 1000.0).frames, static_cast<double>(times.size()),
                0.25 * static_cast<double>(times.size()) + 1.0)
        << "a quarter more is kept, so that it forgets in large steps";
}

TEST_F(CRecordingTest, ClearForgetsAllButWhatItWatches) {
    run(2 * kFramesPerSecond);
    glissade_recording_clear(recording.get());
    EXPECT_TRUE(frame_times(trace_text(recording.get())).empty());
    EXPECT_EQ(drawn_text(kPlayout), "");
    EXPECT_EQ(score(kPlayout).frames, 0.0);
    run(kFramesPerSecond);
    // A frame has no rate before the second one, and no more than that is left out.
    EXPECT_NEAR(score(kPlayout).frames, kFramesPerSecond, 1.0);
}

TEST_F(CRecordingTest, OnlyWatchedObjectsAreRecorded) {
    const glissade_row row = row_at(5.0);
    const glissade_id other = glissade_writer_add(loop.source.writer.get(), &row);
    ASSERT_NE(other, 0.0);
    run(kFramesPerSecond);
    const std::string text = trace_text(recording.get());
    const TraceReplay trace(glissade_trace_create(text.data(), text.size()));
    EXPECT_EQ(glissade_trace_ids(trace.get(), nullptr, 0), 1U);
    EXPECT_EQ(parse_lines(drawn_text(kNewest)).back().at("poses").size(), 1U);
}

TEST_F(CRecordingTest, WatchesNoMoreThan64Objects) {
    for (int i = 1; i < 64; ++i) {
        EXPECT_EQ(glissade_recording_watch(recording.get(), 1e6 + i), 1) << i;
    }
    EXPECT_EQ(glissade_recording_watch(recording.get(), 2e6), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_recording_watch: 64 objects are watched"));
    EXPECT_EQ(glissade_recording_watch(recording.get(), loop.source.id), 1) << "it is one of them";
}

TEST_F(CRecordingTest, AFrameAtNoTimeIsRefusedWithAReason) {
    run(10);
    const std::string before = trace_text(recording.get());
    glissade_recording_frame(recording.get(), 11.0, kNone, kNone);
    EXPECT_THAT(glissade_problem(), says("glissade_recording_frame: a time that no clock shows"));
    EXPECT_EQ(trace_text(recording.get()), before);
}

TEST_F(CRecordingTest, TheDoctorCallsPlayoutHealthyAndNotTheNewestState) {
    run(9 * kFramesPerSecond);
    const Diagnosis playout = diagnose(kPlayout);
    EXPECT_EQ(glissade_diagnosis_healthy(playout.get()), 1);
    EXPECT_EQ(glissade_diagnosis_count(playout.get()), 0U);
    EXPECT_EQ(glissade_diagnosis_healthy(diagnose(kNewest).get()), 0);
}

TEST_F(CRecordingTest, TheDoctorNamesAFreeRunningSource) {
    // A timer that is set anew after each tick: its period is the timer's and the work's.
    double published_ms = 0.0;
    for (double tick = 1.0; tick < 500.0; ++tick) {
        published_ms += kTickMs + 1.0 + 0.5 * std::sin(tick);
        glissade_times times = times_of(tick);
        times.due_ms = kNone;
        times.published_ms = published_ms;
        const glissade_row row = row_at(position_at(times.time_ms), loop.source.id);
        glissade_writer_move(loop.source.writer.get(), &row, 1);
        glissade_writer_publish(loop.source.writer.get(), &times);
        while (const glissade_tick* state =
                   glissade_reader_next(loop.reader.get(), published_ms + 1.0)) {
            glissade_recording_tick(recording.get(), state);
        }
        glissade_recording_frame(recording.get(), tick, published_ms + 1.0, published_ms + 1.0);
    }
    const Diagnosis diagnosis = diagnose(99); // Of the trace alone.
    ASSERT_GT(glissade_diagnosis_count(diagnosis.get()), 0U);
    EXPECT_EQ(glissade_diagnosis_healthy(diagnosis.get()), 0);
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < glissade_diagnosis_count(diagnosis.get()); ++i) {
        names.emplace_back(glissade_diagnosis_name(diagnosis.get(), i));
        EXPECT_STRNE(glissade_diagnosis_what(diagnosis.get(), i), "");
        EXPECT_STRNE(glissade_diagnosis_evidence(diagnosis.get(), i), "");
        EXPECT_STRNE(glissade_diagnosis_cure(diagnosis.get(), i), "");
        EXPECT_GT(glissade_diagnosis_severity(diagnosis.get(), i), 0.0);
    }
    EXPECT_THAT(names, ::testing::Contains("free_running_source"));
    EXPECT_GT(glissade_diagnosis_note_count(diagnosis.get()), 0U) << "nothing was drawn";
}

TEST_F(CRecordingTest, TheDoctorSaysWhenThereIsNothingToExamine) {
    const Diagnosis diagnosis = diagnose(kPlayout);
    EXPECT_EQ(glissade_diagnosis_healthy(diagnosis.get()), 0);
    EXPECT_EQ(glissade_diagnosis_count(diagnosis.get()), 0U);
    ASSERT_EQ(glissade_diagnosis_note_count(diagnosis.get()), 1U);
    EXPECT_THAT(glissade_diagnosis_note(diagnosis.get(), 0), says("nothing to examine"));
    EXPECT_EQ(glissade_diagnosis_note(diagnosis.get(), 1), nullptr);
    EXPECT_EQ(glissade_diagnosis_name(diagnosis.get(), 0), nullptr);
    EXPECT_EQ(glissade_diagnosis_what(diagnosis.get(), 0), nullptr);
    EXPECT_EQ(glissade_diagnosis_evidence(diagnosis.get(), 0), nullptr);
    EXPECT_EQ(glissade_diagnosis_cure(diagnosis.get(), 0), nullptr);
}

TEST(CRecording, SettingsOutOfRangeAreRefusedWithAReason) {
    for (const double seconds : {0.0, -1.0, 601.0, kNone}) {
        EXPECT_EQ(glissade_recording_create("", kTickMs, seconds, 1), nullptr) << seconds;
        EXPECT_THAT(glissade_problem(), says("glissade_recording_create: seconds must be above 0"));
    }
    EXPECT_EQ(glissade_recording_create("", kTickMs, 1.0, 0), nullptr);
    EXPECT_EQ(glissade_recording_create("", kTickMs, 1.0, 5), nullptr);
    EXPECT_NE(Recording(glissade_recording_create("", kNone, 600.0, 4)), nullptr);
}

} // namespace
} // namespace glissade::c_test
