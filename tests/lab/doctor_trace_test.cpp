// SPDX-License-Identifier: MIT
// What the doctor sees in a trace alone: each disease, and its absence.
#include "lab/doctor.h"
#include "lab/doctor_checks.h"
#include "lab/recording.h"
#include "lab/scenario.h"

#include <gtest/gtest.h>

namespace {

using glissade::TraceTick;
using glissade::lab::Trace;

constexpr std::int64_t kMs = 1'000'000;

// The work of a tick between its stamp and the moment at which it can be read.
constexpr std::int64_t kWorkNs = 400'000;

void stamp_ticks(Trace& trace, std::int64_t origin_gap_ns) {
    for (TraceTick& tick : trace.ticks) {
        tick.stamp_ns = tick.arrive_ns - kWorkNs + origin_gap_ns;
    }
}

TEST(Doctor, StampsAfterTheirArrivalAreOfAnotherClock) {
    Trace trace = recorded("worker-light-abs-60");
    stamp_ticks(trace, 5 * kMs);
    EXPECT_EQ(diseases(trace), Names{"clock_origin_gap"});
}

TEST(Doctor, StampsLongBeforeTheirArrivalAreOfAnotherClock) {
    Trace trace = recorded("worker-light-abs-60");
    stamp_ticks(trace, -8 * kMs);
    EXPECT_EQ(diseases(trace), Names{"clock_origin_gap"});
}

TEST(Doctor, StampsByTheReadersClockAreHealthy) {
    Trace trace = recorded("worker-light-abs-60");
    stamp_ticks(trace, 0);
    EXPECT_TRUE(glissade::lab::diagnose(trace, {}).healthy);
}

TEST(Doctor, ATimerThatIsSetAnewAfterEachTickRunsFree) {
    for (const char* name : {"worker-light-free-60", "worker-heavy-free-144", "for-idle",
                             "worker-timeout-fixed-idle", "worker-timeout-fixed-busy2"}) {
        EXPECT_EQ(diseases(recorded(name)), Names{"free_running_source"}) << name;
    }
}

TEST(Doctor, AnAbsoluteScheduleIsSeenWithoutItsDueTimes) {
    for (const char* name :
         {"worker-light-abs-60", "worker-heavy-abs-144", "until-idle", "until-busy2",
          "two-threads-until-busy1", "worker-timeout-deadline-idle"}) {
        Trace trace = recorded(name);
        for (TraceTick& tick : trace.ticks) {
            tick.due_ns.reset();
        }
        EXPECT_EQ(diseases(trace), Names{}) << name;
    }
}

TEST(Doctor, MissedRefreshesAreNamed) {
    EXPECT_EQ(diseases(made("constant-speed", "missed-60")), Names{"frame_pacing"});
}

TEST(Doctor, MissedRefreshesAreSeenByTheCpuClockToo) {
    Trace trace = made("constant-speed", "missed-60");
    for (glissade::TraceFrame& frame : trace.frames) {
        frame.present_ns.reset();
    }
    EXPECT_EQ(diseases(trace), Names{"frame_pacing"});
}

TEST(Doctor, AVariableRefreshAndLateCallbacksAreNoMissedFrames) {
    EXPECT_EQ(diseases(made("constant-speed", "variable")), Names{});
    EXPECT_EQ(diseases(made("constant-speed", "jittered-144")), Names{});
}

TEST(Doctor, StatesThatAllWaitAreANeedlessDelay) {
    Trace trace = made("constant-speed", "ideal-144");
    for (TraceTick& tick : trace.ticks) {
        tick.arrive_ns += 20 * kMs; // More than a tick between due and readable, every time.
    }
    glissade::lab::link_frames(trace);
    EXPECT_EQ(diseases(trace), Names{"needless_delay"});
}

TEST(Doctor, AHeavyTickIsNoNeedlessDelay) {
    // 2 to 6 ms of work a tick stand between due and readable.
    EXPECT_EQ(diseases(recorded("worker-heavy-abs-60")), Names{});
}

TEST(Doctor, SlowMotionAndItsReturnAreNoFreeRunningSource) {
    EXPECT_EQ(diseases(made("slow-motion", "ideal-144")), Names{});
    Trace trace = made("slow-motion", "late-144");
    for (TraceTick& tick : trace.ticks) {
        tick.due_ns.reset();
    }
    EXPECT_EQ(diseases(trace), Names{});
}

TEST(Doctor, ATraceWithoutTicksOrFramesIsNeitherIllNorHealthy) {
    const auto diagnosis = glissade::lab::diagnose(Trace{}, {});
    EXPECT_TRUE(diagnosis.findings.empty());
    EXPECT_FALSE(diagnosis.healthy);
    ASSERT_EQ(diagnosis.notes.size(), 1U);
    EXPECT_NE(diagnosis.notes[0].find("nothing to examine"), std::string::npos);
}

TEST(Doctor, WithoutWhatWasDrawnItSaysSo) {
    const auto diagnosis = glissade::lab::diagnose(recorded("worker-light-abs-60"), {});
    ASSERT_EQ(diagnosis.notes.size(), 1U);
    EXPECT_NE(diagnosis.notes[0].find("Only the trace"), std::string::npos);
}

} // namespace
