// SPDX-License-Identifier: MIT
// What the doctor sees in what was drawn: each disease, and its absence.
#include "glissade/time/quantum_gate.h"

#include "lab/doctor.h"
#include "lab/doctor_checks.h"
#include "lab/random.h"
#include "lab/score.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using glissade::AlphaBasis;
using glissade::DrawnFrame;
using glissade::DrawnPose;
using glissade::QuantumGate;
using glissade::Tick;
using glissade::TraceFrame;
using glissade::lab::Diagnosis;
using glissade::lab::Trace;

constexpr std::int64_t kMs = 1'000'000;

TEST(Doctor, PlayoutOnARecordedScheduleIsHealthy) {
    for (const char* name : {"worker-light-abs-60", "worker-light-abs-144", "until-idle",
                             "two-threads-until-busy1", "worker-timeout-deadline-idle"}) {
        const Trace trace = recorded(name);
        EXPECT_TRUE(glissade::lab::diagnose(trace, drawn_by(trace, "playout")).healthy) << name;
    }
}

TEST(Doctor, TheCpuClockOnASteadyDisplayIsNamed) {
    const Trace trace = made("constant-speed", "jittered-144");
    EXPECT_TRUE(has(diseases(trace, drawn_by(trace, "constant-interval")), "cpu_time_sampling"));
    EXPECT_TRUE(has(diseases(trace, drawn_by(trace, "accumulator")), "cpu_time_sampling"));
    EXPECT_FALSE(has(diseases(trace, drawn_by(trace, "playout")), "cpu_time_sampling"));
}

TEST(Doctor, TheCpuClockIsNoDiseaseWhereCallbacksAreOnTime) {
    const Trace trace = made("constant-speed", "ideal-144");
    EXPECT_EQ(diseases(trace, drawn_by(trace, "constant-interval")), Names{});
}

TEST(Doctor, WithoutTheDisplaysStampItSaysWhatIsMissing) {
    Trace trace = made("constant-speed", "jittered-144");
    for (TraceFrame& frame : trace.frames) {
        frame.present_ns.reset();
    }
    const Diagnosis diagnosis = glissade::lab::diagnose(trace, drawn_by(trace, "playout"));
    ASSERT_FALSE(diagnosis.notes.empty());
    EXPECT_NE(diagnosis.notes[0].find("`present`"), std::string::npos);
}

TEST(Doctor, AnAlphaThatRestartsIsNamedAndNothingElseIs) {
    for (const char* name : {"worker-light-abs-144", "until-idle", "worker-heavy-abs-144"}) {
        const Trace trace = recorded(name);
        EXPECT_EQ(diseases(trace, drawn_by(trace, "chase-target")).front(), "alpha_restart")
            << name;
        for (const char* other : {"constant-interval", "measured-interval", "newest", "playout"}) {
            EXPECT_FALSE(has(diseases(trace, drawn_by(trace, other)), "alpha_restart")) << other;
        }
    }
}

TEST(Doctor, AMeasuredIntervalIsToldFromAConstantOne) {
    for (const char* name :
         {"worker-light-abs-60", "worker-heavy-abs-144", "worker-heavy-free-60"}) {
        const Trace trace = recorded(name);
        EXPECT_TRUE(has(diseases(trace, drawn_by(trace, "measured-interval")), "measured_interval"))
            << name;
        for (const char* other : {"constant-interval", "chase-target", "playout"}) {
            EXPECT_FALSE(has(diseases(trace, drawn_by(trace, other)), "measured_interval"))
                << other;
        }
    }
}

TEST(Doctor, AClampWithoutMarginIsNamedWhereTicksAreLate) {
    const Trace late = made("constant-speed", "late-144");
    EXPECT_TRUE(has(diseases(late, drawn_by(late, "constant-interval")), "clamp_without_margin"));
    EXPECT_FALSE(has(diseases(late, drawn_by(late, "playout")), "clamp_without_margin"));
    const Trace even = made("constant-speed", "ideal-144");
    EXPECT_FALSE(has(diseases(even, drawn_by(even, "constant-interval")), "clamp_without_margin"));
}

TEST(Doctor, LatenessThatDoesNotReachTheClampIsNamedToo) {
    // At 60 Hz frames hardly ever land on the clamp, but each lateness moves one.
    const Trace trace = recorded("worker-heavy-abs-60");
    EXPECT_TRUE(has(diseases(trace, drawn_by(trace, "constant-interval")), "clamp_without_margin"));
}

TEST(Doctor, DrawingTheNewestStateIsAClampToo) {
    const Trace trace = made("constant-speed", "ideal-144");
    EXPECT_EQ(diseases(trace, drawn_by(trace, "newest")), Names{"clamp_without_margin"});
}

TEST(Doctor, AStreakAcrossATeleportIsTheWorst) {
    const Trace trace = made("teleports", "late-144");
    EXPECT_EQ(diseases(trace, drawn_by(trace, "constant-interval")).front(), "missed_cut");
    EXPECT_FALSE(has(diseases(trace, drawn_by(trace, "playout")), "missed_cut"));
}

TEST(Doctor, AStreakThroughAPortalIsAMissedCut) {
    const Trace trace = made("portals", "late-144");
    EXPECT_TRUE(has(diseases(trace, drawn_by(trace, "constant-interval")), "missed_cut"));
    EXPECT_FALSE(has(diseases(trace, drawn_by(trace, "playout")), "missed_cut"));
}

TEST(Doctor, ADelayBelowTheLatenessUnderruns) {
    const Trace trace = made("constant-speed", "late-144");
    // Ticks are up to 8 ms late: with 2 ms beyond a tick three quarters of them come too late.
    const auto drawn = drawn_by(trace, "playout", 18'666'667);
    EXPECT_EQ(diseases(trace, drawn), Names{"underruns"});
    EXPECT_EQ(diseases(trace, drawn_by(trace, "playout")), Names{});
}

TEST(Doctor, UnderrunsAreSeenWithoutSampleTimes) {
    const Trace trace = made("constant-speed", "late-144");
    std::vector<DrawnFrame> drawn = drawn_by(trace, "predict");
    for (DrawnFrame& frame : drawn) {
        frame.sample_ns.reset();
    }
    EXPECT_TRUE(has(diseases(trace, drawn), "underruns"));
}

TEST(Doctor, ADelayFarBeyondTheLatenessIsNeedless) {
    const Trace trace = made("constant-speed", "late-144");
    EXPECT_EQ(diseases(trace, drawn_by(trace, "playout", 120 * kMs)), Names{"needless_delay"});
}

// As of a source that was late before the recording began.
TEST(Doctor, ADelayThatComesDownIsNotNeedless) {
    const Trace trace = made("constant-speed", "late-144");
    std::vector<DrawnFrame> drawn = drawn_by(trace, "playout", 120 * kMs);
    const std::vector<DrawnFrame> later = drawn_by(trace, "playout");
    const auto from = static_cast<std::ptrdiff_t>(drawn.size() * 3 / 4);
    std::copy(later.begin() + from, later.end(), drawn.begin() + from);
    EXPECT_FALSE(has(diseases(trace, drawn), "needless_delay"));
}

TEST(Doctor, ACameraDampedPerFrameIsNamed) {
    const Trace trace = made("follow-camera", "jittered-144");
    EXPECT_TRUE(has(diseases(trace, drawn_by(trace, "camera-only")), "camera_damping_per_frame"));
    EXPECT_FALSE(has(diseases(trace, drawn_by(trace, "playout")), "camera_damping_per_frame"));
}

// Follows the newest pose of the camera with a time constant, by the CPU clock.
std::vector<DrawnFrame> damp_per_second(const Trace& trace, double time_constant_s) {
    std::vector<DrawnFrame> drawn;
    std::optional<glm::dvec3> goal;
    std::optional<glm::dvec3> shown;
    std::int64_t id = 0;
    std::int64_t last_ns = 0;
    visit_lines(
        trace,
        [&](const glissade::TraceTick& tick) {
            for (const glissade::TracePose& pose : tick.poses) {
                goal = pose.camera ? std::optional(pose.position) : goal;
                id = pose.camera ? pose.id : id;
            }
        },
        [&](const TraceFrame& frame) {
            if (!goal) {
                return;
            }
            const double elapsed_s = static_cast<double>(frame.cpu_ns - last_ns) * 1e-9;
            const double part = 1.0 - std::exp(-elapsed_s / time_constant_s);
            shown = shown ? *shown + part * (*goal - *shown) : *goal;
            last_ns = frame.cpu_ns;
            drawn.push_back({.frame = frame.frame, .poses = {DrawnPose{id, *shown, {}}}});
        });
    return drawn;
}

TEST(Doctor, ACameraDampedPerSecondIsHealthy) {
    const Trace trace = made("follow-camera", "jittered-144");
    EXPECT_FALSE(has(diseases(trace, damp_per_second(trace, 0.14)), "camera_damping_per_frame"));
}

TEST(Doctor, EvenFramesDoNotTellHowACameraIsDamped) {
    const Trace trace = made("follow-camera", "ideal-144");
    const Diagnosis diagnosis = glissade::lab::diagnose(trace, drawn_by(trace, "camera-only"));
    EXPECT_FALSE(has(diseases(trace, drawn_by(trace, "camera-only")), "camera_damping_per_frame"));
    ASSERT_FALSE(diagnosis.notes.empty());
    EXPECT_NE(diagnosis.notes[0].find("too even"), std::string::npos);
}

struct GateRun {
    Trace trace{};
    std::vector<DrawnFrame> drawn{};
};

// A body at 4 m/s behind a quantum gate, drawn by the gate's own sample time.
GateRun run_gate(AlphaBasis basis, double frame_hz, double jitter_ms) {
    constexpr double kSpeed = 4.0;
    GateRun run;
    run.trace.header.name = "gate";
    QuantumGate gate({.alpha_basis = basis});
    glissade::lab::Random random(1);
    const auto frame_count = static_cast<std::int64_t>(12.0 * frame_hz);
    const auto add_tick = [&](std::int64_t index, std::int64_t sim_ns, std::int64_t now_ns) {
        const double x = kSpeed * static_cast<double>(sim_ns) * 1e-9;
        glissade::TraceTick tick{.tick = index, .sim_ns = sim_ns, .arrive_ns = now_ns};
        tick.poses.push_back({.id = 1, .position = {x, 0.0, 0.0}});
        run.trace.ticks.push_back(tick);
    };
    add_tick(0, 0, 0);
    for (std::int64_t i = 0; i < frame_count; ++i) {
        const double jitter = i == 0 ? 0.0 : random.between(-jitter_ms, jitter_ms);
        const auto now_ns =
            std::llround(std::floor(static_cast<double>(i) * 1e9 / frame_hz) + jitter * 1e6);
        for (const Tick& tick : gate.advance_to(now_ns)) {
            add_tick(tick.index, tick.time_ns, now_ns);
        }
        const double x = kSpeed * static_cast<double>(gate.sample().time_ns) * 1e-9;
        run.trace.frames.push_back({.frame = i, .cpu_ns = now_ns});
        run.drawn.push_back({.frame = i, .poses = {DrawnPose{1, {x, 0.0, 0.0}, {}}}});
    }
    glissade::lab::link_frames(run.trace);
    return run;
}

TEST(Doctor, AVariableQuantumOverAConstantDivisorIsNamed) {
    // Quanta of 48 ms at 62.5 Hz, 40 ms at 75 Hz, 35 ms at 144 Hz; 33 or 42 ms at 120 Hz with
    // jitter.
    for (const double frame_hz : {62.5, 75.0, 144.0}) {
        const GateRun run = run_gate(AlphaBasis::MinQuantum, frame_hz, 0.0);
        EXPECT_TRUE(has(diseases(run.trace, run.drawn), "quantum_divisor")) << frame_hz;
    }
    const GateRun jittered = run_gate(AlphaBasis::MinQuantum, 120.0, 0.2);
    EXPECT_TRUE(has(diseases(jittered.trace, jittered.drawn), "quantum_divisor"));
}

TEST(Doctor, AVariableQuantumOverItselfIsNoConstantDivisor) {
    for (const double frame_hz : {62.5, 75.0, 144.0}) {
        const GateRun run = run_gate(AlphaBasis::LastQuantum, frame_hz, 0.0);
        EXPECT_FALSE(has(diseases(run.trace, run.drawn), "quantum_divisor")) << frame_hz;
    }
    const GateRun stamped = run_gate(AlphaBasis::Stamped, 120.0, 0.2);
    EXPECT_FALSE(has(diseases(stamped.trace, stamped.drawn), "quantum_divisor"));
}

TEST(Doctor, SeveralDiseasesAreAllNamedWorstFirst) {
    Trace trace = recorded("worker-heavy-free-144");
    const auto drawn = drawn_by(trace, "constant-interval");
    const Diagnosis diagnosis = glissade::lab::diagnose(trace, drawn);
    EXPECT_EQ(diseases(trace, drawn),
              (Names{"clamp_without_margin", "cpu_time_sampling", "free_running_source"}));
    for (std::size_t i = 1; i < diagnosis.findings.size(); ++i) {
        EXPECT_GE(diagnosis.findings[i - 1].severity, diagnosis.findings[i].severity);
    }
}

TEST(Doctor, AnUnevenPictureWithoutAKnownCauseIsNotCalledHealthy) {
    const Trace trace = recorded("worker-heavy-abs-144");
    const Diagnosis diagnosis = glissade::lab::diagnose(trace, drawn_by(trace, "exponential"));
    EXPECT_TRUE(diagnosis.findings.empty());
    EXPECT_FALSE(diagnosis.healthy);
    ASSERT_EQ(diagnosis.notes.size(), 1U);
    EXPECT_NE(diagnosis.notes[0].find("uneven"), std::string::npos);
}

TEST(Doctor, EveryFindingHasEvidenceWithFiguresAndACure) {
    const Trace trace = recorded("worker-heavy-free-144");
    const auto findings =
        glissade::lab::diagnose(trace, drawn_by(trace, "measured-interval")).findings;
    for (const glissade::lab::Finding& finding : findings) {
        EXPECT_NE(finding.evidence.find_first_of("0123456789"), std::string::npos) << finding.what;
        EXPECT_FALSE(finding.cure.empty()) << finding.what;
    }
    EXPECT_GE(findings.size(), 3U);
}

TEST(Doctor, AnotherGamesDrawingIsRefused) {
    const Trace trace = recorded("worker-light-abs-60");
    const std::vector<DrawnFrame> foreign = {{.frame = 1'000'000}};
    const Diagnosis diagnosis = glissade::lab::diagnose(trace, foreign);
    EXPECT_NE(diagnosis.problem.find("frame 1000000"), std::string::npos);
    EXPECT_FALSE(diagnosis.healthy);
}

TEST(Doctor, TheJsonHasTheNamesAndTheVerdict) {
    const Trace trace = made("constant-speed", "missed-60");
    const auto json = to_json(glissade::lab::diagnose(trace, {}));
    EXPECT_EQ(json["healthy"], false);
    EXPECT_EQ(json["findings"][0]["name"], "frame_pacing");
    EXPECT_TRUE(json["findings"][0]["evidence"].is_string());
    EXPECT_TRUE(json["findings"][0]["cure"].is_string());
}

} // namespace
