// SPDX-License-Identifier: MIT
#include "lab/condition.h"

#include "lab/scenario.h"
#include "lab/timing.h"
#include "lab/trace_checks.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

Trace make(const char* condition, const TraceConfig& config = {}) {
    return make_trace(*find_scenario("constant-speed"), *find_condition(condition), config);
}

std::int64_t compute_lateness_max_ns(const Trace& trace) {
    std::int64_t lateness_ns = 0;
    for (const TraceTick& tick : trace.ticks) {
        lateness_ns = std::max(lateness_ns, tick.arrive_ns - tick.due_ns.value_or(tick.arrive_ns));
    }
    return lateness_ns;
}

double compute_source_rate(const Trace& trace) {
    const TraceTick& first = trace.ticks.front();
    const TraceTick& last = trace.ticks.back();
    return static_cast<double>(last.sim_ns - first.sim_ns) /
           static_cast<double>(last.arrive_ns - first.arrive_ns);
}

double compute_display_hz(const Trace& trace) {
    const auto length_ns =
        static_cast<double>(*trace.frames.back().present_ns - *trace.frames.front().present_ns);
    return static_cast<double>(trace.frames.size() - 1) * 1e9 / length_ns;
}

TEST(Condition, NamesAreUniqueAndFound) {
    std::set<std::string> names;
    for (const Condition& condition : conditions()) {
        EXPECT_TRUE(names.insert(condition.name).second) << condition.name;
        EXPECT_EQ(find_condition(condition.name), &condition);
        EXPECT_NE(std::string(condition.title), "");
        EXPECT_EQ(std::string(condition.what).back(), '.');
    }
    EXPECT_EQ(find_condition("ideal"), nullptr);
}

TEST(Condition, TheFirstAndOnlyReferenceIsRecorded) {
    EXPECT_STREQ(conditions().front().name, "recorded-heavy-abs-144");
    EXPECT_TRUE(conditions().front().recorded);
    const auto count =
        std::count_if(conditions().begin(), conditions().end(),
                      [](const Condition& condition) { return condition.reference; });
    EXPECT_EQ(count, 1);
    EXPECT_TRUE(conditions().front().reference);
}

TEST(Condition, EveryOneMakesAValidTraceOfItsDisplay) {
    for (const Condition& condition : conditions()) {
        SCOPED_TRACE(condition.name);
        const Trace trace = make(condition.name, {.length_s = 30.0});
        testing::expect_valid(trace);
        // Missed refreshes take a twentieth, the wandering length of frames finds its mean slowly.
        const bool uneven =
            std::string(condition.name) == "missed-60" || std::string(condition.name) == "variable";
        const double tolerance_hz = uneven ? 6.0 : 0.02;
        EXPECT_NEAR(compute_display_hz(trace), condition.display_hz, tolerance_hz);
    }
}

TEST(Condition, OnlyIdealOnesAreOfTheSameThread) {
    for (const Condition& condition : conditions()) {
        const bool ideal = std::string_view(condition.name).starts_with("ideal-");
        EXPECT_EQ(make(condition.name, {.length_s = 1.0}).header.source,
                  ideal ? TraceSource::Local : TraceSource::Thread)
            << condition.name;
    }
}

TEST(Condition, IdealTicksArriveWhenDueAndIdealFramesRunAtOnce) {
    const Trace trace = make("ideal-144");
    EXPECT_EQ(compute_lateness_max_ns(trace), 0);
    for (const TraceFrame& frame : trace.frames) {
        ASSERT_EQ(frame.present_ns, frame.cpu_ns);
        ASSERT_EQ(frame.cpu_ns, std::llround(static_cast<double>(frame.frame) * 1e9 / 144.0));
    }
}

TEST(Condition, ScheduledTicksAreDueAtTheirSourceTime) {
    for (const char* name : {"ideal-60", "late-144", "recorded-heavy-abs-144"}) {
        const Trace trace = make(name);
        for (const TraceTick& tick : trace.ticks) {
            ASSERT_EQ(tick.due_ns, 50'000'000 + tick.sim_ns);
        }
    }
}

TEST(Condition, LateTicksComeUpToEightMillisecondsLate) {
    // Of 721 draws from (0, 8 ms) the largest is above 7.9 ms but in one case of 10^4.
    const std::int64_t lateness_ns = compute_lateness_max_ns(make("late-144"));
    EXPECT_GT(lateness_ns, 7'900'000);
    EXPECT_LE(lateness_ns, 8'000'000);
}

TEST(Condition, JitteredCallbacksLeaveThePresentTimesSteady) {
    const Trace trace = make("jittered-144");
    std::int64_t latency_max_ns = 0;
    for (const TraceFrame& frame : trace.frames) {
        ASSERT_EQ(frame.present_ns, std::llround(static_cast<double>(frame.frame) * 1e9 / 144.0));
        latency_max_ns = std::max(latency_max_ns, frame.cpu_ns - *frame.present_ns);
    }
    EXPECT_GT(latency_max_ns, 2'900'000);
    EXPECT_LE(latency_max_ns, 3'000'000);
}

TEST(Condition, AboutOneFrameInTwentyMissesARefresh) {
    const Trace trace = make("missed-60", {.length_s = 60.0});
    int missed_count = 0;
    for (std::size_t i = 1; i < trace.frames.size(); ++i) {
        const std::int64_t length_ns = trace.frames[i].cpu_ns - trace.frames[i - 1].cpu_ns;
        const auto refreshes = std::llround(static_cast<double>(length_ns) * 60e-9);
        ASSERT_TRUE(refreshes == 1 || refreshes == 2);
        missed_count += refreshes == 2 ? 1 : 0;
    }
    // About 3400 frames: 171 expected, three standard deviations are 38.
    EXPECT_NEAR(missed_count, static_cast<double>(trace.frames.size()) / 20.0, 38.0);
}

TEST(Condition, VariableFramesStayWithinTheirLimits) {
    const Trace trace = make("variable");
    std::int64_t shortest_ns = 1'000'000'000;
    std::int64_t longest_ns = 0;
    for (std::size_t i = 1; i < trace.frames.size(); ++i) {
        const std::int64_t length_ns = trace.frames[i].cpu_ns - trace.frames[i - 1].cpu_ns;
        shortest_ns = std::min(shortest_ns, length_ns);
        longest_ns = std::max(longest_ns, length_ns);
    }
    EXPECT_GE(shortest_ns, 6'944'443); // Both ends of a length are rounded.
    EXPECT_LT(shortest_ns, 8'000'000);
    EXPECT_LE(longest_ns, 16'666'668);
    EXPECT_GT(longest_ns, 15'500'000);
}

TEST(Condition, FreeRunningSourcesRunSlow) {
    // 1.6 % and a hiccup of 6 ms (0.36 intervals) in 50: 1 / 1.0232.
    EXPECT_NEAR(compute_source_rate(make("free-60", {.length_s = 60.0})), 1.0 / 1.0232, 0.002);
    // Over the 899 intervals of the recording: its own rate.
    constexpr TraceConfig kOneRound = {.length_s = 899.0 / 60.0};
    EXPECT_NEAR(compute_source_rate(make("recorded-heavy-free-144", kOneRound)), 0.78133, 1e-5);
    EXPECT_NEAR(compute_source_rate(make("recorded-light-free-60", kOneRound)), 0.98327, 1e-5);
    EXPECT_FALSE(make("free-60").ticks.front().due_ns);
}

TEST(Condition, RecordedLatenessRepeatsWhereTheRecordingEnds) {
    const Trace trace = make("recorded-light-abs-144", {.length_s = 20.0});
    constexpr std::size_t kRecordedTicks = 915;
    const auto lateness_of = [&trace](std::size_t i) {
        return trace.ticks[i].arrive_ns - trace.ticks[i].due_ns.value_or(0);
    };
    EXPECT_EQ(lateness_of(0), 894'515);
    for (std::size_t i = kRecordedTicks; i < trace.ticks.size(); ++i) {
        ASSERT_EQ(lateness_of(i), lateness_of(i - kRecordedTicks));
    }
}

TEST(Condition, RecordedFramesAreThoseOfTheRecording) {
    const Trace trace = make("recorded-two-threads-144", {.length_s = 25.0});
    EXPECT_EQ(trace.frames[2879].cpu_ns, 20'000'156'772);
    EXPECT_EQ(trace.frames[2879].present_ns, 19'999'998'720);
    // Beyond its end it begins again, one frame after the last.
    EXPECT_EQ(*trace.frames[2880].present_ns - *trace.frames[2879].present_ns, 6'944'444);
}

TEST(Condition, AnotherSeedChangesWhatIsDrawnAtRandomOnly) {
    for (const Condition& condition : conditions()) {
        const TimingPlan one = make_plan(condition, 1);
        const TimingPlan two = make_plan(condition, 2);
        const bool random = one.ticks == TickSeries::Late || one.ticks == TickSeries::Free ||
                            one.frames == FrameSeries::Jittered ||
                            one.frames == FrameSeries::Missed ||
                            one.frames == FrameSeries::Variable;
        constexpr std::int64_t kSchedule[] = {0, 16'666'667, 33'333'333, 50'000'000};
        const bool same = make_tick_times(one, kSchedule) == make_tick_times(two, kSchedule) &&
                          make_frames(one, 5'000'000'000) == make_frames(two, 5'000'000'000);
        EXPECT_EQ(same, !random) << condition.name;
        EXPECT_EQ(make_frames(one, 5'000'000'000), make_frames(one, 5'000'000'000));
    }
}

TEST(Condition, ATickNeverArrivesBeforeTheOneBefore) {
    // Due at once, with random lateness: the order of arrival stays that of the ticks.
    const std::vector<std::int64_t> schedule(100, 1'000'000);
    const std::vector<TickTime> times =
        make_tick_times(make_plan(*find_condition("late-144"), 1), schedule);
    EXPECT_TRUE(std::is_sorted(
        times.begin(), times.end(),
        [](const TickTime& a, const TickTime& b) { return a.arrive_ns < b.arrive_ns; }));
}

TEST(Condition, AnUnknownConditionIsIdealAtItsDisplayRate) {
    const Condition own{.name = "own", .display_hz = 100.0};
    const std::vector<TraceFrame> frames = make_frames(make_plan(own, 1), 1'000'000'000);
    ASSERT_EQ(frames.size(), 101U);
    EXPECT_EQ(frames.back(),
              (TraceFrame{.frame = 100, .cpu_ns = 1'000'000'000, .present_ns = 1'000'000'000}));
}

} // namespace
} // namespace glissade::lab
