// SPDX-License-Identifier: MIT
#include "lab/recording.h"

#include "lab/recorded_timing.h"
#include "lab/trace_checks.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

// What the recorded files hold, read off them with a script.
struct Expected {
    const char* name;
    std::size_t tick_count;
    std::size_t frame_count;
    std::int64_t first_arrive_ns;
    std::int64_t last_arrive_ns;
    double source_rate; // Source time over arrival time, first to last tick.
    bool scheduled;
};

constexpr Expected kExpected[] = {
    {"for-idle", 1200, 2892, 17'370'125, 20'201'115'848, 0.99007, false},
    {"two-threads-until-busy1", 1200, 2880, 18'739'859, 20'002'737'684, 0.99997, true},
    {"until-busy2", 1200, 2863, 17'288'491, 20'000'573'042, 1.00000, true},
    {"until-idle", 1200, 2863, 17'293'005, 20'000'628'609, 1.00000, true},
    {"worker-atomics-wait-busy2", 1200, 1198, 50'500'000, 20'033'795'000, 1.00000, true},
    {"worker-heavy-abs-144", 1151, 2745, 54'568'285, 19'221'789'745, 0.99997, true},
    {"worker-heavy-abs-60", 1151, 1142, 54'568'285, 19'221'789'745, 0.99997, true},
    {"worker-heavy-free-144", 900, 2745, 54'865'000, 19'231'480'000, 0.78133, false},
    {"worker-heavy-free-60", 900, 1142, 54'865'000, 19'231'480'000, 0.78133, false},
    {"worker-light-abs-144", 915, 2179, 50'894'515, 15'284'684'645, 0.99997, true},
    {"worker-light-abs-60", 915, 909, 50'894'515, 15'284'684'645, 0.99997, true},
    {"worker-light-free-144", 900, 2179, 63'995'000, 15'302'330'000, 0.98327, false},
    {"worker-light-free-60", 900, 909, 63'995'000, 15'302'330'000, 0.98327, false},
    {"worker-timeout-deadline-idle", 1201, 1199, 50'500'000, 20'050'465'000, 1.00000, true},
    {"worker-timeout-fixed-busy2", 1234, 1198, 56'195'000, 20'052'165'000, 1.02771, false},
    {"worker-timeout-fixed-idle", 1233, 1198, 57'919'900, 20'055'189'900, 1.02681, false},
};

Trace make(const char* name) {
    return make_recorded_trace(name).value_or(Trace{});
}

TEST(Recording, TheListIsByNameAndSaysWhatEachIs) {
    ASSERT_EQ(recordings().size(), std::size(kExpected));
    for (std::size_t i = 0; i < recordings().size(); ++i) {
        EXPECT_STREQ(recordings()[i].name, kExpected[i].name);
        const std::string what = recordings()[i].what;
        EXPECT_GT(what.size(), 20U);
        EXPECT_EQ(what.find('\n'), std::string::npos);
    }
}

TEST(Recording, EveryRecordingIsAValidTrace) {
    for (const Recording& recording : recordings()) {
        SCOPED_TRACE(recording.name);
        testing::expect_valid(make(recording.name));
    }
}

TEST(Recording, CountsAndEndsAreThoseOfTheFiles) {
    for (const Expected& expected : kExpected) {
        SCOPED_TRACE(expected.name);
        const Trace trace = make(expected.name);
        ASSERT_EQ(trace.ticks.size(), expected.tick_count);
        EXPECT_EQ(trace.frames.size(), expected.frame_count);
        EXPECT_EQ(trace.ticks.front().arrive_ns, expected.first_arrive_ns);
        EXPECT_EQ(trace.ticks.back().arrive_ns, expected.last_arrive_ns);
        EXPECT_EQ(trace.ticks.front().due_ns.has_value(), expected.scheduled);
    }
}

TEST(Recording, AScheduledSourceKeepsTimeAndAFreeRunningOneDoesNot) {
    for (const Expected& expected : kExpected) {
        const Trace trace = make(expected.name);
        const TraceTick& first = trace.ticks.front();
        const TraceTick& last = trace.ticks.back();
        const double rate = static_cast<double>(last.sim_ns - first.sim_ns) /
                            static_cast<double>(last.arrive_ns - first.arrive_ns);
        EXPECT_NEAR(rate, expected.source_rate, 1e-5) << expected.name;
        EXPECT_EQ(std::abs(rate - 1.0) < 1e-4, expected.scheduled) << expected.name;
    }
}

TEST(Recording, ATraceHasTheNameSourceAndStepOfTheFile) {
    const Trace trace = make("worker-heavy-abs-144");
    EXPECT_EQ(trace.header.name, "worker heavy: absolute schedule, 144 Hz display");
    EXPECT_EQ(trace.header.source, TraceSource::Thread);
    EXPECT_EQ(trace.header.tick_ns, 16'666'667);
    EXPECT_TRUE(trace.truths.empty());
}

TEST(Recording, SingleLinesAreThoseOfTheFile) {
    const Trace trace = make("worker-heavy-abs-144");
    EXPECT_EQ(trace.ticks[2].sim_ns, 33'333'333);
    EXPECT_EQ(trace.ticks[2].arrive_ns, 95'444'202);
    EXPECT_EQ(trace.ticks[2].due_ns, 83'333'333);
    EXPECT_EQ(trace.frames[2744].cpu_ns, 19'213'851'243);
    EXPECT_EQ(trace.frames[2744].present_ns, 19'213'411'243);
    // The last tick stands behind the last frame.
    EXPECT_EQ(trace.ticks_before.back(), trace.ticks.size() - 1);
}

TEST(Recording, ThePositionOfObjectOneIsTheSourceTime) {
    const Trace trace = make("worker-timeout-deadline-idle");
    for (const TraceTick& tick : trace.ticks) {
        ASSERT_EQ(tick.poses.size(), 2U);
        // sim is rounded to whole nanoseconds.
        ASSERT_NEAR(tick.poses[0].position.x, static_cast<double>(tick.sim_ns) * 1e-9, 0.6e-9);
        ASSERT_EQ(tick.poses[0].velocity, glm::dvec3(1.0, 0.0, 0.0));
    }
    // The recording programs count in milliseconds, which decides the last bit.
    EXPECT_EQ(trace.ticks[15].poses[0].position.x, 0.25000000000000006);
}

TEST(Recording, TheAngleOfObjectTwoIsTheSourceTime) {
    const Trace trace = make("worker-timeout-deadline-idle");
    const TracePose& pose = trace.ticks[1200].poses[1];
    ASSERT_TRUE(pose.rotation);
    EXPECT_EQ(pose.position, glm::dvec3(0.0, 1.0, 0.0));
    // Half of 20 rad. Sine and cosine may differ in the last bits between platforms.
    EXPECT_NEAR(pose.rotation->z, -0.5440211108893698, 1e-15);
    EXPECT_NEAR(pose.rotation->w, -0.8390715290764524, 1e-15);
    EXPECT_EQ(pose.angular_velocity, glm::dvec3(0.0, 0.0, 1.0));
}

TEST(Recording, AnUnknownNameYieldsNothing) {
    EXPECT_FALSE(make_recorded_trace("worker"));
    EXPECT_FALSE(make_recorded_trace(""));
}

TEST(RecordedTiming, StepsAreRelativeToTheNominalOnes) {
    const std::optional<RecordedTiming> timing = parse_timing(
        "# what\nname a b\nsource local\nrate 60 1\nsteps 100 10\nf 5 2\nt 50 7\nt -1 0\nf 0 1\n");
    ASSERT_TRUE(timing);
    EXPECT_EQ(timing->name, "a b");
    EXPECT_EQ(timing->source, TraceSource::Local);
    ASSERT_EQ(timing->ticks.size(), 2U);
    EXPECT_EQ(timing->ticks[0], (TickTime{157, 150}));
    EXPECT_EQ(timing->ticks[1], (TickTime{249, 249}));
    ASSERT_EQ(timing->frames.size(), 2U);
    EXPECT_EQ(timing->frames[0], (TraceFrame{.frame = 0, .cpu_ns = 17, .present_ns = 15}));
    EXPECT_EQ(timing->frames[1], (TraceFrame{.frame = 1, .cpu_ns = 26, .present_ns = 25}));
    EXPECT_EQ(timing->ticks_before, (std::vector<std::size_t>{0, 2}));
}

TEST(RecordedTiming, WithoutASecondNumberThereIsNoStamp) {
    const std::optional<RecordedTiming> timing = parse_timing("steps 100 10\nt 0\nt 5\nf 1\n");
    ASSERT_TRUE(timing);
    EXPECT_EQ(timing->ticks[1], (TickTime{205, std::nullopt}));
    EXPECT_EQ(timing->frames[0], (TraceFrame{.frame = 0, .cpu_ns = 11}));
}

TEST(RecordedTiming, TextOfAnotherFormIsRefused) {
    for (const char* text :
         {"", "t 1\n", "steps 100\n", "steps 100 10\nx 1\n", "steps 100 10\nt\n",
          "steps 100 10\nt 1.5\n", "steps 100 10\nt 1 2 3\n", "steps 0 10\nt 1\n",
          "source network\nsteps 100 10\n", "rate 0 1\nsteps 100 10\n"}) {
        EXPECT_FALSE(parse_timing(text)) << text;
    }
}

} // namespace
} // namespace glissade::lab
