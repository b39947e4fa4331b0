// SPDX-License-Identifier: MIT
// The methods made with the library: playout and accumulator.
#include "glissade/time/fixed_step.h"

#include "lab/method.h"
#include "lab/random.h"
#include "lab/replay.h"
#include "lab/small_trace.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

using testing::find_pose;
using testing::kMs;
using testing::kTickNs;
using testing::make_header;
using testing::make_pose;
using testing::make_tick;
using testing::make_tick_at;
using testing::Screen;

// The reader's clock is that far ahead of the source's.
constexpr std::int64_t kOriginNs = 1000 * kMs;
// One tick and 8 ms, for tests that want to know it to the nanosecond.
constexpr std::int64_t kDelayNs = 28 * kMs;
constexpr MethodConfig kFixed{.delay_ns = kDelayNs};
constexpr double kSpeed = 2.0;
const glm::dvec3 kUp{0.0, 0.0, 1.0};
// A stage blends by a float of the time between two ticks, 2^-24 of 40 mm, on positions in double.
constexpr double kBlend = 1e-8;

double seconds(std::int64_t time_ns) {
    return static_cast<double>(time_ns) * 1e-9;
}

using Lateness = std::function<std::int64_t(std::int64_t number)>;
using MakePose = std::function<TracePose(std::int64_t number)>;

TracePose on_line(std::int64_t number) {
    return make_pose(1, kSpeed * seconds(number * kTickNs));
}

Lateness on_time() {
    return [](std::int64_t) { return 0; };
}

// Ticks on a schedule, frames of the given length from the origin on.
Trace make_scheduled(std::int64_t tick_count, std::int64_t frame_ns, const MakePose& pose,
                     const Lateness& lateness) {
    Trace trace{.header = make_header()};
    for (std::int64_t number = 0; number < tick_count; ++number) {
        TraceTick tick = make_tick(number, {pose(number)});
        tick.due_ns = kOriginNs + tick.sim_ns;
        tick.arrive_ns = *tick.due_ns + lateness(number);
        trace.ticks.push_back(tick);
    }
    for (std::int64_t frame = 0; frame * frame_ns < (tick_count - 1) * kTickNs; ++frame) {
        const std::int64_t present_ns = kOriginNs + frame * frame_ns;
        trace.frames.push_back({frame, present_ns, present_ns});
    }
    link_frames(trace);
    return trace;
}

Drawn play(const Trace& trace, const MethodConfig& config = {}) {
    Drawn drawn = replay(trace, *find_method("playout"), config);
    EXPECT_EQ(drawn.problem, "");
    EXPECT_EQ(drawn.frames.size(), trace.frames.size());
    return drawn;
}

// The first frames stand at the first state: the delay has to pass.
bool is_settled(const DrawnFrame& frame) {
    return frame.sample_ns.value_or(0) > 0;
}

TEST(PlayoutMethod, ShowsTheSourceThatMuchLate) {
    const Trace trace = make_scheduled(50, 7 * kMs, on_line, on_time());
    const Drawn drawn = play(trace, kFixed);
    for (std::size_t i = 0; i < drawn.frames.size(); ++i) {
        const DrawnFrame& frame = drawn.frames[i];
        // There is nothing to show of the time before the first state.
        const std::int64_t sample_ns =
            std::max<std::int64_t>(*trace.frames[i].present_ns - kOriginNs - kDelayNs, 0);
        ASSERT_EQ(frame.sample_ns, sample_ns);
        ASSERT_EQ(frame.delay_ns, kDelayNs);
        ASSERT_EQ(frame.state, DrawnState::Interpolate);
        ASSERT_NEAR(frame.poses.at(0).position.x, kSpeed * seconds(sample_ns), kBlend);
    }
}

TEST(PlayoutMethod, AGivenDelayCountsInstead) {
    const Trace trace = make_scheduled(50, 7 * kMs, on_line, on_time());
    const Drawn drawn = play(trace, {.delay_ns = 45 * kMs});
    EXPECT_EQ(drawn.frames[100].delay_ns, 45 * kMs);
    EXPECT_EQ(drawn.frames[100].sample_ns, 655 * kMs);
    EXPECT_NEAR(drawn.frames[100].poses[0].position.x, kSpeed * 0.655, kBlend);
}

TEST(PlayoutMethod, ThePathIsTheSameHoweverLateTheTicksAre) {
    Random random(7);
    const auto late = [&random](std::int64_t) {
        return static_cast<std::int64_t>(random.between(0.0, 8e6));
    };
    const Drawn prompt = play(make_scheduled(300, 6'944'444, on_line, on_time()), kFixed);
    const Drawn delayed = play(make_scheduled(300, 6'944'444, on_line, late), kFixed);
    ASSERT_EQ(prompt.frames.size(), delayed.frames.size());
    std::size_t compared = 0;
    for (std::size_t i = 0; i < prompt.frames.size(); ++i) {
        if (is_settled(delayed.frames[i])) {
            ASSERT_EQ(prompt.frames[i], delayed.frames[i]) << i; // To the last bit.
            ++compared;
        }
    }
    EXPECT_GT(compared, 800U);
}

TEST(PlayoutMethod, TheDisplaysTimeCountsAndNotWhenTheCallbackRan) {
    const Trace trace = make_scheduled(100, 7 * kMs, on_line, on_time());
    Trace shaken = trace;
    Random random(3);
    for (TraceFrame& frame : shaken.frames) {
        frame.cpu_ns += static_cast<std::int64_t>(random.between(0.0, 3e6));
    }
    link_frames(shaken);
    EXPECT_EQ(play(trace).frames, play(shaken).frames);
}

TEST(PlayoutMethod, WithoutADisplaysTimeTheProcessorsCounts) {
    Screen screen("playout", make_header(), kFixed);
    for (const std::int64_t number : {0, 1}) {
        TraceTick tick = make_tick_at(number, 0.0);
        tick.arrive_ns += kOriginNs;
        tick.due_ns = tick.arrive_ns;
        screen.tick(tick);
    }
    EXPECT_EQ(screen.draw(kOriginNs + 45 * kMs).sample_ns, 17 * kMs);
}

TEST(PlayoutMethod, ATickThatIsTooLateIsBridgedAlongTheMotionForOneTick) {
    // Tick 20 and all after it come 60 ms late: the newest state is that of 380 ms.
    const Trace trace = make_scheduled(23, 4 * kMs, on_line, [](std::int64_t number) {
        return number < 20 ? std::int64_t{0} : 60 * kMs;
    });
    int standing = 0;
    for (const DrawnFrame& frame : play(trace, kFixed).frames) {
        const std::int64_t sample_ns = *frame.sample_ns;
        ASSERT_LE(sample_ns, 400 * kMs);
        const bool beyond = sample_ns > 380 * kMs;
        ASSERT_EQ(frame.state, beyond ? DrawnState::Extrapolate : DrawnState::Interpolate);
        ASSERT_NEAR(frame.poses.at(0).position.x, kSpeed * seconds(sample_ns), kBlend);
        standing += sample_ns == 400 * kMs ? 1 : 0;
    }
    EXPECT_GT(standing, 1);
}

TEST(PlayoutMethod, InAPauseThePictureStandsWithOrWithoutASchedule) {
    for (const bool scheduled : {true, false}) {
        Screen screen("playout", make_header(), kFixed);
        for (std::int64_t number = 0; number <= 10; ++number) {
            TraceTick tick = make_tick_at(number, static_cast<double>(number));
            tick.arrive_ns += kOriginNs;
            tick.due_ns = scheduled ? std::optional(tick.arrive_ns) : std::nullopt;
            tick.paused = number == 10;
            screen.tick(tick);
        }
        screen.draw(kOriginNs + 200 * kMs);
        EXPECT_EQ(screen.last().sample_ns, 172 * kMs);
        const DrawnFrame paused = screen.last();
        screen.draw(kOriginNs + 900 * kMs);
        EXPECT_EQ(screen.last().sample_ns, paused.sample_ns);
        EXPECT_EQ(screen.last().poses, paused.poses);
    }
}

TEST(PlayoutMethod, ASourceThatBeginsItsTimeAnewIsFollowed) {
    for (const char* const name : {"playout", "accumulator"}) {
        SCOPED_TRACE(name);
        Screen screen(name);
        for (std::int64_t number = 0; number < 70; ++number) {
            const bool again = number >= 50;
            TraceTick tick = make_tick_at(number % 50, static_cast<double>(number));
            tick.arrive_ns = number * kTickNs;
            tick.due_ns = tick.arrive_ns;
            tick.epoch = again ? 1 : 0;
            screen.tick(tick);
            screen.draw(tick.arrive_ns);
        }
        // Of the second run, 380 ms long, all but the delay has been shown.
        EXPECT_EQ(*screen.last().sample_ns, 380 * kMs - *screen.last().delay_ns);
        ASSERT_NE(find_pose(screen.last(), 1), nullptr);
        EXPECT_GT(find_pose(screen.last(), 1)->position.x, 66.0);
    }
}

// A cut of 1000 m in every seventh tick.
std::int64_t cuts_until(std::int64_t number) {
    return number / 7;
}

TracePose with_cuts(std::int64_t number) {
    const std::int64_t cut = cuts_until(number);
    TracePose pose = on_line(number);
    pose.cut = cut;
    pose.position.x += 1000.0 * static_cast<double>(cut);
    return pose;
}

// On its side of the cut; in the tick before one it may stand, for 20 ms at the most.
bool is_on_its_side(const DrawnFrame& frame) {
    const std::int64_t cut = cuts_until(*frame.sample_ns / kTickNs);
    const double x = frame.poses.at(0).position.x - 1000.0 * static_cast<double>(cut);
    const double ideal = kSpeed * seconds(*frame.sample_ns);
    // Positions reach 28 km here: 4e-12 m in double.
    return x <= ideal + kBlend && x >= ideal - kSpeed * 0.02 - kBlend;
}

TEST(PlayoutMethod, ACutIsNeverDrawnAcross) {
    // 0.3, 1, 2.4 and 4 frames a tick.
    for (const std::int64_t frame_ns : {66'666'667, 20'000'000, 8'333'333, 5'000'000}) {
        SCOPED_TRACE(frame_ns);
        std::vector<DrawnFrame> frames =
            play(make_scheduled(200, frame_ns, with_cuts, on_time())).frames;
        std::erase_if(frames, [](const DrawnFrame& frame) { return !is_settled(frame); });
        EXPECT_GT(frames.size(), 55U);
        EXPECT_TRUE(std::all_of(frames.begin(), frames.end(), is_on_its_side));
    }
}

TEST(PlayoutMethod, AShiftKeepsTheSpeedAndTurnsTheWay) {
    // A portal in tick 25: a quarter turn about z, and away by 300 m.
    const TraceShift portal{1, {300.0, 0.0, 0.0}, glm::angleAxis(std::numbers::pi / 2.0, kUp)};
    const auto through = [&portal](double way) {
        return portal.translation + portal.rotation * glm::dvec3(way, 0.0, 0.0);
    };
    const auto pose = [&](std::int64_t number) {
        TracePose result = on_line(number);
        result.velocity = glm::dvec3(kSpeed, 0.0, 0.0);
        if (number >= 25) {
            result.shift = portal;
            result.position = through(result.position.x);
            result.velocity = portal.rotation * *result.velocity;
        }
        return result;
    };
    bool beyond = false;
    for (const DrawnFrame& frame : play(make_scheduled(60, 3 * kMs, pose, on_time())).frames) {
        if (!is_settled(frame)) {
            continue;
        }
        const glm::dvec3 drawn = frame.poses.at(0).position;
        const double way = kSpeed * seconds(*frame.sample_ns);
        ASSERT_TRUE(!beyond || drawn.x > 200.0);
        beyond = drawn.x > 200.0;
        ASSERT_EQ(beyond, *frame.sample_ns > 24 * kTickNs);
        // The stage turns by a float quaternion: 1.2e-7 of a few metres.
        ASSERT_LT(glm::distance(drawn, beyond ? through(way) : glm::dvec3(way, 0.0, 0.0)), 1e-6);
    }
    EXPECT_TRUE(beyond);
}

TEST(PlayoutMethod, AWheelAtThreeHundredAndFiftyDegreesATickTurnsForward) {
    const double turn = 350.0 / 180.0 * std::numbers::pi;
    const auto pose = [turn](std::int64_t number) {
        TracePose result = make_pose(1, 0.0);
        result.rotation = glm::angleAxis(turn * static_cast<double>(number), kUp);
        result.angular_velocity = kUp * (turn / 0.02);
        return result;
    };
    for (const DrawnFrame& frame : play(make_scheduled(50, 3 * kMs, pose, on_time())).frames) {
        if (is_settled(frame)) {
            const double angle = turn * seconds(*frame.sample_ns) / 0.02;
            const glm::dquat ideal = glm::angleAxis(angle, kUp);
            // Float angular velocity, blend factor and rotation: 6.1 rad a tick times a few 6e-8,
            // of which half counts in the quaternion, squared in the cosine. Backwards it would be
            // 0.04 at 175 degrees.
            ASSERT_NEAR(std::abs(glm::dot(ideal, *frame.poses.at(0).rotation)), 1.0, 1e-6);
        }
    }
}

TEST(PlayoutMethod, AnAbsentObjectRestsWhereItWasLeft) {
    Trace trace = make_scheduled(60, 6 * kMs, on_line, on_time());
    for (TraceTick& tick : trace.ticks) {
        if (tick.tick > 10) {
            tick.poses = {make_pose(2, 0.0)};
        }
    }
    for (const DrawnFrame& frame : play(trace).frames) {
        if (is_settled(frame)) {
            const double way = kSpeed * seconds(std::min(*frame.sample_ns, 10 * kTickNs));
            ASSERT_NE(find_pose(frame, 1), nullptr);
            ASSERT_NEAR(find_pose(frame, 1)->position.x, way, kBlend);
        }
    }
}

TEST(PlayoutMethod, AnObjectEndsWhenThePictureReachesItsEnd) {
    Trace trace = make_scheduled(60, 6 * kMs, on_line, on_time());
    for (TraceTick& tick : trace.ticks) {
        tick.poses.push_back(make_pose(2, 0.0));
        if (tick.tick >= 10) {
            tick.poses.erase(tick.poses.begin());
        }
    }
    trace.ticks[10].gone = {1, 77};
    for (const DrawnFrame& frame : play(trace).frames) {
        if (is_settled(frame)) {
            ASSERT_EQ(find_pose(frame, 1) != nullptr, *frame.sample_ns < 10 * kTickNs)
                << *frame.sample_ns;
        }
    }
}

TEST(PlayoutMethod, ASpawnedObjectIsUnderWayWhenThePictureReachesIt) {
    Trace trace = make_scheduled(60, 6 * kMs, on_line, on_time());
    for (TraceTick& tick : trace.ticks) {
        if (tick.tick < 10) {
            tick.poses = {make_pose(2, 0.0)};
        }
    }
    for (const DrawnFrame& frame : play(trace).frames) {
        const std::int64_t sample_ns = *frame.sample_ns;
        const DrawnPose* const pose = find_pose(frame, 1);
        ASSERT_EQ(pose != nullptr, sample_ns >= 10 * kTickNs) << sample_ns;
        if (pose != nullptr) {
            ASSERT_NEAR(pose->position.x, kSpeed * seconds(sample_ns), kBlend);
        }
    }
}

TEST(PlayoutMethod, MoreObjectsThanItHoldsAreAProblemThatIsSaid) {
    Screen screen("playout", make_header(), {.max_objects = 1});
    screen.tick(make_tick(0, {make_pose(1, 0.0), make_pose(2, 0.0)}));
    screen.draw(50 * kMs);
    EXPECT_NE(screen.problem().find("object 2"), std::string::npos) << screen.problem();
}

// A game's own loop: ticks by FixedStep, states by its own formula, and a plain blend.
struct OwnLoop {
    FixedStep step{{.rate = {50, 1}}};
    double previous = 0.0;
    double current = 0.0;

    static double state(std::int64_t number) { return static_cast<double>(number * number); }
    double draw(std::int64_t time_ns) {
        for (const Tick& tick : step.advance_to(time_ns)) {
            previous = current;
            current = state(tick.index);
        }
        const std::int64_t sample_ns = step.sample().time_ns;
        const double since_s = seconds(sample_ns - (step.newest().time_ns - kTickNs));
        return previous + (current - previous) * std::max(since_s / 0.02, 0.0);
    }
};

TEST(Accumulator, DrawsWhatALoopOnTheSameThreadDraws) {
    TraceHeader header = make_header();
    header.source = TraceSource::Local;
    Screen screen("accumulator", header);
    OwnLoop loop;
    std::int64_t number = 0;
    for (std::int64_t frame = 0; frame < 500; ++frame) {
        const std::int64_t time_ns = frame * 6'944'444;
        for (; number * kTickNs <= time_ns; ++number) {
            screen.tick(make_tick_at(number, OwnLoop::state(number)));
        }
        const double expected = loop.draw(time_ns);
        ASSERT_EQ(screen.draw(time_ns).sample_ns, loop.step.sample().time_ns);
        // There is no picture of the tick before the first state.
        ASSERT_EQ(screen.last().poses.size(), is_settled(screen.last()) ? 1U : 0U);
        for (const DrawnPose& pose : screen.last().poses) {
            // Up to 347 m a tick, blended by a float: 2^-24 of it.
            ASSERT_NEAR(pose.position.x, expected, 2.1e-5) << frame;
        }
    }
    EXPECT_EQ(screen.last().delay_ns, 173 * kTickNs - *screen.last().sample_ns);
}

TEST(Accumulator, TheExactRateCountsInsteadOfTheRoundedTick) {
    TraceHeader header = make_header();
    header.tick_ns = 16'666'667;
    header.rate = Rate{60, 1};
    Screen screen("accumulator", header);
    FixedStep step({.rate = {60, 1}});
    for (std::int64_t number = 0; number <= 6000; ++number) {
        const std::int64_t time_ns = number * 50'000'000 / 3;
        TraceTick tick = make_tick_at(number, 0.0);
        tick.sim_ns = time_ns;
        screen.tick(tick);
        screen.draw(time_ns);
        for (const Tick& due : step.advance_to(time_ns)) {
            (void)due;
        }
        ASSERT_EQ(screen.last().sample_ns, step.sample().time_ns);
    }
}

TEST(Accumulator, AMissingTickHoldsThePictureAtTheNewest) {
    Screen screen("accumulator");
    screen.tick_at(0.0);
    screen.draw(0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(30), 0.5, 1e-7); // A float alpha of 2^-24.
    EXPECT_EQ(screen.last().state, DrawnState::Interpolate);
    EXPECT_EQ(screen.draw_x(55), 1.0);
    EXPECT_EQ(screen.last().state, DrawnState::Hold);
}

TEST(Accumulator, AfterAQuarterOfASecondOfDriftItStartsAnew) {
    Screen screen("accumulator");
    screen.tick_at(0.0);
    screen.draw(0);
    for (std::int64_t frame = 1; frame <= 26; ++frame) {
        screen.draw(frame * 10 * kMs);
    }
    // 260 ms without a tick: the sample, one tick behind, is 240 ms ahead of the newest.
    EXPECT_EQ(screen.last().sample_ns, 240 * kMs);
    screen.tick(make_tick_at(30, 30.0));
    // 600 ms is more than 250 ms away; the new loop begins one tick before the newest.
    EXPECT_EQ(screen.draw(270 * kMs).sample_ns, 580 * kMs);
}

TEST(Accumulator, ScaleAndPauseGoIntoTheLoop) {
    Screen screen("accumulator");
    TraceTick tick = make_tick_at(0, 0.0);
    tick.scale = 0.5;
    screen.tick(tick);
    screen.draw(0);
    EXPECT_EQ(screen.draw(80 * kMs).sample_ns, 20 * kMs);
    tick = make_tick_at(2, 2.0);
    tick.paused = true;
    screen.tick(tick);
    EXPECT_EQ(screen.draw(160 * kMs).sample_ns, 20 * kMs);
}

} // namespace
} // namespace glissade::lab
