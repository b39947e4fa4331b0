// SPDX-License-Identifier: MIT
// chase, chase-add and soft-snap: what they draw of a server's updates.
#include "lab/remote_scenario.h"
#include "lab/replay.h"
#include "lab/score.h"
#include "lab/small_trace.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

using testing::find_pose;
using testing::kMs;
using testing::make_pose;
using testing::make_tick;
using testing::make_tick_at;
using testing::Screen;

Trace make(const char* scenario, const char* condition = "1hz") {
    return make_remote_trace(*find_remote_scenario(scenario), *find_remote_condition(condition));
}

ObjectScore score(const Trace& trace, const char* method) {
    const Drawn drawn = replay(trace, *find_method(method), {.max_objects = 8});
    EXPECT_EQ(drawn.problem, "");
    const Score judged = Scorer(trace).score(drawn.frames);
    EXPECT_EQ(judged.objects.size(), 1U);
    return judged.objects.empty() ? ObjectScore{} : judged.objects.front();
}

double rate_error(const ObjectScore& figures) {
    EXPECT_TRUE(figures.rate);
    return figures.rate.value_or(RateMetrics{.rate_rms = 99.0}).rate_rms;
}

TEST(Chase, ARunnerAtOneUpdateASecondRunsEvenlyAndNeverPops) {
    const ObjectScore figures = score(make("remote-runner"), "chase");
    EXPECT_EQ(figures.pop_count, 0U);
    EXPECT_LT(rate_error(figures), 0.05);
    ASSERT_TRUE(figures.rate);
    EXPECT_GT(figures.rate->scored_count, 590U); // 10 s at 60 Hz: all of it is judged.
    // The picture is one quantum of 33 ms behind the body, and the body at most one behind.
    EXPECT_LT(figures.lag_ms_mean.value_or(1e9), 70.0);
    EXPECT_LT(figures.position_error_m_rms.value_or(1e9), 0.01);
}

TEST(Chase, StraightWaysAreEvenWhateverTheGait) {
    for (const char* const name : {"remote-walker", "remote-backward"}) {
        for (const char* const condition : {"1hz", "5hz"}) {
            const ObjectScore figures = score(make(name, condition), "chase");
            EXPECT_EQ(figures.pop_count, 0U) << name << condition;
            EXPECT_LT(rate_error(figures), 0.05) << name << condition;
        }
    }
}

TEST(Newest, PopsAtEveryUpdate) {
    // Judged from 2 s on: the updates of 2, 3, ... 11 s, each 80 ms later. That of 12 s is drawn in
    // the last frame or not at all.
    const ObjectScore figures = score(make("remote-runner"), "newest");
    EXPECT_GE(figures.pop_count, 10U);
    EXPECT_LE(figures.pop_count, 11U);
    EXPECT_GT(rate_error(figures), 1.0);
}

TEST(Chase, TheSumOfBothStepsIsUneven) {
    const ObjectScore figures = score(make("remote-runner"), "chase-add");
    EXPECT_GT(rate_error(figures), 0.3);
}

TEST(Chase, NothingOfLossOrDuplicatesIsSeenOnAStraightWay) {
    for (const char* const condition : {"5hz-loss", "5hz-duplicates"}) {
        const ObjectScore figures = score(make("remote-runner", condition), "chase");
        EXPECT_EQ(figures.pop_count, 0U) << condition;
        EXPECT_LT(rate_error(figures), 0.05) << condition;
    }
}

TEST(Chase, WhatComesLateNeverPops) {
    // Of two late updates in a row the first is still the newest when it comes: the body walks back
    // to where it was, and on again.
    for (const char* const condition : {"5hz-reordered", "5hz-jitter", "20hz-rough"}) {
        EXPECT_EQ(score(make("remote-runner", condition), "chase").pop_count, 0U) << condition;
    }
}

struct Arc {
    double highest = 0.0;
    double lowest = 0.0;
    std::size_t landing_count = 0; ///< From above half a metre to the ground.
};

Arc measure_arc(const Trace& trace) {
    Arc arc;
    bool up = false;
    for (const DrawnFrame& frame :
         replay(trace, *find_method("chase"), {.max_objects = 8}).frames) {
        const DrawnPose* const pose = find_pose(frame, 1);
        const double z = pose == nullptr ? 0.0 : pose->position.z;
        arc.highest = std::max(arc.highest, z);
        arc.lowest = std::min(arc.lowest, z);
        arc.landing_count += up && z < 0.1 ? 1U : 0U;
        up = up ? z >= 0.1 : z > 0.5;
    }
    return arc;
}

TEST(Chase, JumpsRiseAndLand) {
    for (const char* const name : {"remote-jump", "remote-backward-jump"}) {
        for (const char* const condition : {"1hz", "5hz", "5hz-loss", "20hz-rough"}) {
            SCOPED_TRACE(std::string(name) + " / " + condition);
            const Arc arc = measure_arc(make(name, condition));
            EXPECT_GT(arc.highest, 0.5);
            // Integration is exact at the ends of quanta: 5^2 / 9.8 / 2.
            EXPECT_LT(arc.highest, 1.2756);
            // It falls on until it hears of its landing: two quanta of 33 ms and 30 ms of jitter
            // at 5 m/s, and what gravity adds.
            EXPECT_GT(arc.lowest, -0.55);
            EXPECT_GE(arc.landing_count, 2U);
        }
    }
}

TEST(Chase, ATeleportIsACut) {
    const Trace trace = make("remote-teleport");
    const ObjectScore figures = score(trace, "chase");
    EXPECT_EQ(figures.streak_count, 0U);
    EXPECT_EQ(figures.pop_count, 0U);
}

TEST(Chase, ABlockedBodyStandsThenCatchesUp) {
    const Trace trace = make("remote-blocked", "5hz");
    const Drawn drawn = replay(trace, *find_method("chase"), {.max_objects = 8});
    const auto y_at = [&](std::int64_t time_ms) {
        const auto after =
            std::find_if(trace.frames.begin(), trace.frames.end(),
                         [&](const TraceFrame& frame) { return frame.cpu_ns >= time_ms * kMs; });
        const auto index = static_cast<std::size_t>(after - trace.frames.begin());
        return drawn.frames.at(index).poses.at(0).position.y;
    };
    // Blocked from 4.0 s on; drawn so two quanta later.
    EXPECT_NEAR(y_at(4'250), y_at(4'100), 1e-6);
    // Let go at 5.5 s: by 7 s it is where its updates are, some 0.12 s behind the truth.
    EXPECT_NEAR(y_at(7'000), 4.0 * (7.0 - 0.12), 0.3);
    // A runner that nobody blocks is there all the time.
    const Drawn free = replay(make("remote-runner", "5hz"), *find_method("chase"));
    EXPECT_GT(free.frames.at(255).poses.at(0).position.y - y_at(4'250), 0.4);
}

TEST(Chase, StandingStillIsStandingStill) {
    const Drawn drawn = replay(make("remote-standing", "20hz-rough"), *find_method("chase"));
    for (const DrawnFrame& frame : drawn.frames) {
        const DrawnPose* const pose = find_pose(frame, 1);
        ASSERT_TRUE(pose == nullptr || pose->position == glm::dvec3(0.0));
    }
}

TEST(Chase, TakesItsRootMotionFromTheVelocitiesWhereNobodySaysWhatTheAnimationDoes) {
    Trace trace = make("remote-runner");
    trace.packets.clear();
    const ObjectScore figures = score(trace, "chase");
    EXPECT_EQ(figures.pop_count, 0U);
    EXPECT_LT(rate_error(figures), 0.05);
    // And from the way between two updates where there are no velocities either.
    Trace bare = make("remote-runner", "5hz");
    bare.packets.clear();
    for (TraceTick& tick : bare.ticks) {
        tick.poses[0].velocity.reset();
    }
    const ObjectScore without = score(bare, "chase");
    EXPECT_EQ(without.pop_count, 0U);
    EXPECT_LT(rate_error(without), 0.05);
}

TEST(Chase, AFarPlayerMakesUpdatesSnap) {
    Trace trace = make("remote-runner");
    for (PacketLine& line : trace.packets) {
        if (auto* const player = std::get_if<TracePlayer>(&line.packet)) {
            player->position.x += 200.0;
        }
    }
    // Without a command it would stand between updates; far away they are set and not walked to.
    std::erase_if(trace.packets, [](const PacketLine& line) {
        return std::holds_alternative<TraceMotion>(line.packet);
    });
    trace.packets.insert(trace.packets.begin(),
                         {TraceMotion{.stamp = 1, .id = 1, .arrive_ns = 80 * kMs}});
    std::stable_sort(trace.packets.begin(), trace.packets.end(),
                     [](const PacketLine& a, const PacketLine& b) {
                         return arrive_of(a.packet) < arrive_of(b.packet);
                     });
    link_frames(trace);
    // Walked to, each update would be a dozen long steps.
    EXPECT_GE(score(trace, "chase").pop_count, 9U);
    EXPECT_LE(score(trace, "chase").pop_count, 12U);
}

TEST(Chase, AMoveToLineMovesTheEntity) {
    Screen screen("chase", {.name = "x", .source = TraceSource::Network});
    screen.tick(make_tick_at(1, 0.0));
    screen.draw(0);
    screen.packet(TraceMoveTo{.stamp = 700,
                              .id = 1,
                              .kind = TraceMoveKind::Position,
                              .position = glm::dvec3(0.0, 3.0, 0.0),
                              .distance_m = 0.5});
    for (std::int64_t time_ms = 20; time_ms <= 2'000; time_ms += 20) {
        screen.draw(time_ms * kMs);
    }
    const DrawnPose* const pose = find_pose(screen.last(), 1);
    ASSERT_NE(pose, nullptr);
    // Arrived at 0.5 m or less; quanta of two frames, 40 ms, are 12.5 cm of walking each.
    EXPECT_NEAR(pose->position.y, 2.5625, 0.0625);
}

TEST(Chase, AnOldStampOfAMovementIsIgnored) {
    Screen screen("chase", {.name = "x", .source = TraceSource::Network});
    screen.tick(make_tick_at(1, 0.0));
    screen.draw(0);
    screen.packet(TraceMotion{.stamp = 65'535, .id = 1, .gait = TraceGait::Run});
    screen.packet(TraceMotion{.stamp = 0, .id = 1, .gait = TraceGait::Ready}); // Newer: it wraps.
    screen.packet(TraceMotion{.stamp = 65'535, .id = 1, .gait = TraceGait::Run});
    for (std::int64_t time_ms = 20; time_ms <= 500; time_ms += 20) {
        screen.draw(time_ms * kMs);
    }
    EXPECT_EQ(find_pose(screen.last(), 1)->position.y, 0.0);
}

TEST(Chase, AnEpochBeginsAnewAndGoneEnds) {
    Screen screen("chase");
    screen.tick(make_tick_at(50, 8.0));
    screen.draw(0);
    TraceTick restart = make_tick_at(0, 3.0);
    restart.epoch = 1;
    screen.tick(restart);
    screen.draw(100 * kMs);
    EXPECT_EQ(screen.draw_x(200), 3.0);
    TraceTick last = make_tick(1, {make_pose(2, 0.0)});
    last.epoch = 1;
    last.gone = {1, 77};
    screen.tick(last);
    EXPECT_EQ(find_pose(screen.draw(300 * kMs), 1), nullptr);
    EXPECT_EQ(screen.problem(), "");
}

TEST(Chase, ANumberOutOfRangeOrTooManyObjectsIsAProblem) {
    Screen screen("chase", {.name = "x", .source = TraceSource::Network}, {.max_objects = 1});
    screen.tick(make_tick(1, {make_pose(1, 0.0)}));
    EXPECT_EQ(screen.problem(), "");
    screen.packet(TraceMotion{.stamp = 1, .id = 1, .speed = 1e9});
    EXPECT_NE(screen.problem().find("object 1"), std::string::npos) << screen.problem();
    Screen full("chase", {.name = "x", .source = TraceSource::Network}, {.max_objects = 1});
    full.tick(make_tick(1, {make_pose(1, 0.0), make_pose(2, 0.0)}));
    EXPECT_TRUE(full.problem().ends_with("full")) << full.problem();
    Screen far("chase");
    far.tick(make_tick_at(1, 1e300));
    EXPECT_NE(far.problem(), "");
}

TEST(SoftSnap, AWrongGuessFadesOutWithAHalfLifeOfATenthOfASecond) {
    const auto pose = [](double x, double velocity) {
        TracePose made = make_pose(1, x);
        made.velocity = glm::dvec3(velocity, 0.0, 0.0);
        return made;
    };
    Screen screen("soft-snap");
    screen.tick(make_tick(0, {pose(0.0, 10.0)}));
    EXPECT_NEAR(screen.draw_x(10), 0.1, 1e-12);
    // At 20 ms the guess is 0.2 m; the update says 1.2 m, and that it stands.
    screen.tick(make_tick(1, {pose(1.2, 0.0)}));
    EXPECT_NEAR(screen.draw_x(20), 0.2, 1e-12);
    EXPECT_NEAR(screen.draw_x(120), 0.7, 1e-12);
    EXPECT_NEAR(screen.draw_x(220), 0.95, 1e-12);
    // What is left of it is part of the next guess: nothing jumps.
    TraceTick next = make_tick(11, {pose(1.2, 0.0)});
    screen.tick(next);
    EXPECT_NEAR(screen.draw_x(220), 0.95, 1e-12);
    EXPECT_NEAR(screen.draw_x(320), 1.075, 1e-12);
}

TEST(Chase, ABlockedStrangerDoesNotKeepAJumperInTheAir) {
    Trace trace = make("remote-jump", "5hz");
    trace.packets.insert(trace.packets.begin(),
                         {TraceBlocked{.blocked = true, .id = 99, .arrive_ns = 0}});
    link_frames(trace);
    const ObjectScore alone = score(make("remote-jump", "5hz"), "chase");
    const ObjectScore beside = score(trace, "chase");
    EXPECT_EQ(rate_error(beside), rate_error(alone));
    EXPECT_EQ(beside.position_error_m_rms, alone.position_error_m_rms);
}

TEST(Chase, APoseWithoutACutHasNoNewOne) {
    Screen screen("chase", {.name = "x", .source = TraceSource::Network});
    TraceTick cut = make_tick_at(2, 0.0);
    cut.poses.front().cut = 1;
    screen.tick(make_tick_at(1, 0.0));
    screen.draw(0);
    screen.tick(cut);
    for (std::int64_t number = 10; number <= 100; number += 10) { // Five a second.
        screen.tick(make_tick_at(number, 5.0));
        screen.draw(number * 20 * kMs);
        screen.draw((number + 5) * 20 * kMs);
    }
    const DrawnPose* const pose = find_pose(screen.draw(std::int64_t{2200} * kMs), 1);
    ASSERT_NE(pose, nullptr);
    EXPECT_NEAR(pose->position.x, 5.0, 0.1);
}

TEST(Chase, LateNewsOfWhatIsGoneDoNotBringItBack) {
    Screen screen("chase", {.name = "x", .source = TraceSource::Network});
    screen.tick(make_tick_at(1, 0.0));
    TraceTick last = make_tick_at(3, 0.0);
    last.poses.clear();
    last.gone = {1};
    screen.tick(last);
    screen.tick(make_tick_at(2, 0.0));
    screen.draw(100 * kMs);
    EXPECT_EQ(find_pose(screen.draw(200 * kMs), 1), nullptr);
}

TEST(Chase, AnyTickNumbersAreTaken) {
    Screen screen("chase", {.name = "x", .source = TraceSource::Network});
    TraceTick tick = make_tick_at(1, 0.0);
    for (const std::int64_t number : {std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), std::int64_t{0}}) {
        tick.tick = number;
        screen.tick(tick);
    }
    EXPECT_EQ(screen.problem(), "");
}

TEST(SoftSnap, StampsOfAnotherClockDoNotBlowUpWhatIsLeft) {
    Screen screen("soft-snap", {.name = "x", .source = TraceSource::Network});
    for (std::int64_t number = 1; number < 5; ++number) {
        TraceTick tick = make_tick_at(number, static_cast<double>(number));
        tick.stamp_ns = tick.arrive_ns + 900'000 * kMs;
        screen.tick(tick);
        const DrawnPose* const pose = find_pose(screen.draw(tick.arrive_ns + kMs), 1);
        ASSERT_NE(pose, nullptr);
        EXPECT_TRUE(std::isfinite(pose->position.x));
    }
}

TEST(SoftSnap, IsMoreEvenWherePredictSnaps) {
    const Trace trace = make("remote-turn");
    const ObjectScore hard = score(trace, "predict");
    const ObjectScore soft = score(trace, "soft-snap");
    EXPECT_GE(hard.pop_count, 5U);
    EXPECT_LT(rate_error(soft), rate_error(hard) / 2.0);
}

} // namespace
} // namespace glissade::lab
