// SPDX-License-Identifier: MIT
#include "lab/scenario.h"

#include "lab/trace_checks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>

#include <glm/ext/quaternion_common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

Trace make(const char* scenario, const char* condition = "late-144",
           const TraceConfig& config = {}) {
    return make_trace(*find_scenario(scenario), *find_condition(condition), config);
}

const TracePose* find_pose(const TraceTick& tick, std::int64_t id) {
    const auto found =
        std::find_if(tick.poses.begin(), tick.poses.end(),
                     [id](const TracePose& candidate) { return candidate.id == id; });
    return found == tick.poses.end() ? nullptr : &*found;
}

std::vector<TraceTruth> select_truths(const Trace& trace, std::int64_t id) {
    std::vector<TraceTruth> selected;
    std::copy_if(trace.truths.begin(), trace.truths.end(), std::back_inserter(selected),
                 [id](const TraceTruth& truth) { return truth.id == id; });
    return selected;
}

// The newest truth up to a time.
const TraceTruth& truth_at(const std::vector<TraceTruth>& truths, std::int64_t time_ns) {
    const auto next = std::upper_bound(
        truths.begin(), truths.end(), time_ns,
        [](std::int64_t time, const TraceTruth& truth) { return time < truth.time_ns; });
    return *(next - 1);
}

template <typename OnPose>
void visit_poses(const Trace& trace, OnPose&& on_pose) {
    for (const TraceTick& tick : trace.ticks) {
        for (const TracePose& pose : tick.poses) {
            on_pose(tick, pose);
        }
    }
}

// An object in two ticks, one after the other, in the same space.
struct PosePair {
    TracePose before;
    TracePose pose;
    double step_s;
};

template <typename OnPair>
void visit_pairs(const Trace& trace, OnPair&& on_pair) {
    visit_poses(trace, [&trace, &on_pair](const TraceTick& tick, const TracePose& pose) {
        const TraceTick& last =
            trace.ticks[static_cast<std::size_t>(std::max<std::int64_t>(tick.tick - 1, 0))];
        const TracePose* const before = find_pose(last, pose.id);
        if (tick.tick > 0 && before != nullptr && before->shift == pose.shift) {
            on_pair(PosePair{*before, pose, static_cast<double>(tick.sim_ns - last.sim_ns) * 1e-9});
        }
    });
}

double angle_between_deg(const glm::dquat& from, const glm::dquat& to) {
    const double dot = from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w;
    return 2.0 * std::acos(std::min(1.0, std::abs(dot))) * 180.0 / std::numbers::pi;
}

TEST(Scenario, NamesAreUniqueAndFound) {
    std::set<std::string> names;
    for (const Scenario& scenario : scenarios()) {
        EXPECT_TRUE(names.insert(scenario.name).second) << scenario.name;
        EXPECT_EQ(find_scenario(scenario.name), &scenario);
        EXPECT_EQ(std::string(scenario.what).back(), '.');
    }
    EXPECT_EQ(names.size(), 12U);
    EXPECT_EQ(find_scenario("wheels"), nullptr);
}

TEST(Scenario, EveryTraceIsValidUnderEveryCondition) {
    for (const Scenario& scenario : scenarios()) {
        for (const Condition& condition : conditions()) {
            SCOPED_TRACE(std::string(scenario.name) + " / " + condition.name);
            testing::expect_valid(make_trace(scenario, condition, {.length_s = 3.0}));
        }
    }
}

TEST(Scenario, AShortLengthIsEnoughForATrace) {
    for (const Scenario& scenario : scenarios()) {
        SCOPED_TRACE(scenario.name);
        const Trace trace = make_trace(scenario, *find_condition("ideal-60"), {.length_s = 0.001});
        EXPECT_EQ(trace.ticks.size(), 1U);
        EXPECT_EQ(trace.ticks.front().sim_ns, 0);
    }
}

TEST(Scenario, AScenarioOfSomebodyElseHasNoTrace) {
    const Trace trace = make_trace(Scenario{.name = "own"}, *find_condition("ideal-60"));
    EXPECT_TRUE(trace.ticks.empty());
    EXPECT_TRUE(trace.frames.empty());
}

TEST(Scenario, TheSameSeedMakesTheSameTraceAndAnotherOneAnother) {
    for (const Scenario& scenario : scenarios()) {
        SCOPED_TRACE(scenario.name);
        const Trace trace = make(scenario.name, "late-144", {.seed = 5, .length_s = 3.0});
        const Trace same = make(scenario.name, "late-144", {.seed = 5, .length_s = 3.0});
        const Trace other = make(scenario.name, "late-144", {.seed = 6, .length_s = 3.0});
        EXPECT_EQ(trace.header, same.header);
        EXPECT_EQ(trace.ticks, same.ticks);
        EXPECT_EQ(trace.frames, same.frames);
        EXPECT_EQ(trace.truths, same.truths);
        EXPECT_NE(trace.ticks, other.ticks);
    }
}

TEST(Scenario, TheConditionChangesWhenThingsArriveAndNotWhatHappens) {
    for (const Scenario& scenario : scenarios()) {
        SCOPED_TRACE(scenario.name);
        const Trace ideal = make(scenario.name, "ideal-60");
        const Trace recorded = make(scenario.name, "recorded-heavy-free-144");
        EXPECT_EQ(ideal.truths, recorded.truths);
        ASSERT_EQ(ideal.ticks.size(), recorded.ticks.size());
        for (std::size_t i = 0; i < ideal.ticks.size(); ++i) {
            ASSERT_EQ(ideal.ticks[i].poses, recorded.ticks[i].poses);
            ASSERT_EQ(ideal.ticks[i].sim_ns, recorded.ticks[i].sim_ns);
        }
    }
}

TEST(Scenario, TicksAreExactSixtiethsOfASecond) {
    const Trace trace = make("orbit");
    ASSERT_EQ(trace.ticks.size(), 721U);
    EXPECT_EQ(trace.header.name, "orbit / late-144");
    EXPECT_EQ(trace.header.tick_ns, 16'666'667);
    EXPECT_EQ(trace.header.rate, (Rate{60, 1}));
    EXPECT_EQ(trace.ticks[1].sim_ns, 16'666'667);
    EXPECT_EQ(trace.ticks[2].sim_ns, 33'333'333);
    EXPECT_EQ(trace.ticks[720].sim_ns, 12'000'000'000);
}

void expect_on_truth(const TracePose& pose, std::int64_t sim_ns, const TraceTruth& truth) {
    // The truth is at most 2 ms old, and nothing is faster than 8 m/s.
    ASSERT_LT(sim_ns - truth.time_ns, 2'000'000);
    ASSERT_LT(glm::distance(truth.position, pose.position), 0.016);
    ASSERT_LT(glm::length(pose.position), 1000.0);
    ASSERT_EQ(truth.rotation.has_value(), pose.rotation.has_value());
}

TEST(Scenario, TicksLieOnTheTruthAndStayInReach) {
    for (const Scenario& scenario : scenarios()) {
        SCOPED_TRACE(scenario.name);
        const Trace trace = make(scenario.name);
        std::map<std::int64_t, std::vector<TraceTruth>> truths;
        for (const TraceTruth& truth : trace.truths) {
            truths[truth.id].push_back(truth);
        }
        visit_poses(trace, [&truths](const TraceTick& tick, const TracePose& pose) {
            expect_on_truth(pose, tick.sim_ns, truth_at(truths[pose.id], tick.sim_ns));
        });
    }
}

void expect_slope(const PosePair& pair) {
    const glm::dvec3 slope = (pair.pose.position - pair.before.position) / pair.step_s;
    const glm::dvec3 mean = (*pair.pose.velocity + *pair.before.velocity) / 2.0;
    // Third derivative x h^2 / 12: 37 m/s^3 on the tight orbit, 43.5 (from differences of the
    // truth) of the camera on its arm.
    ASSERT_LT(glm::distance(slope, mean), pair.step_s * pair.step_s * 44.0 / 12.0 + 1e-6);
}

// The mean of the velocities at both ends is the way between: where there is no corner and no cut.
TEST(Scenario, VelocitiesAreTheSlopeOfThePath) {
    for (const char* name : {"constant-speed", "orbit", "sine", "portals", "rate-change",
                             "slow-motion", "spawns", "follow-camera"}) {
        SCOPED_TRACE(name);
        visit_pairs(make(name), expect_slope);
    }
}

void expect_turn(const PosePair& pair) {
    if (!pair.pose.rotation) {
        return;
    }
    // dq/dt = w q / 2, in the space of the world.
    const glm::dvec3 mean = (*pair.pose.angular_velocity + *pair.before.angular_velocity) / 2.0;
    const double half_angle = glm::length(mean) * pair.step_s / 2.0;
    const glm::dvec3 axis = glm::normalize(mean) * std::sin(half_angle);
    const glm::dquat turn(std::cos(half_angle), axis.x, axis.y, axis.z);
    // Third derivative x h^3 / 12 of a heading that turns to and fro, at most 10 rad/s^3: 2e-4
    // degrees; and the rounding of an arc cosine near 1, 1e-6 degrees.
    ASSERT_LT(angle_between_deg(turn * *pair.before.rotation, *pair.pose.rotation), 3e-4);
}

TEST(Scenario, AngularVelocitiesAreTheSlopeOfTheRotation) {
    for (const char* name : {"constant-speed", "orbit", "portals", "follow-camera"}) {
        SCOPED_TRACE(name);
        visit_pairs(make(name), expect_turn);
    }
}

TEST(Scenario, TheBallBouncesOffTheFloorLowerEachTime) {
    const std::vector<TraceTruth> truths = select_truths(make("ballistic"), 1);
    std::vector<double> peaks_m;
    for (std::size_t i = 1; i + 1 < truths.size(); ++i) {
        ASSERT_GT(truths[i].position.z, -1e-8); // Bounces are at whole nanoseconds.
        if (truths[i].position.z > truths[i - 1].position.z &&
            truths[i].position.z >= truths[i + 1].position.z) {
            peaks_m.push_back(truths[i].position.z);
        }
    }
    ASSERT_GE(peaks_m.size(), 6U);
    // 6 m/s up: v^2 / 2 g. Truth is 1 ms off the top at most: g t^2 / 2 = 5 um.
    EXPECT_NEAR(peaks_m[0], 1.8349, 1e-4);
    EXPECT_NEAR(peaks_m[1], 1.8349 * 0.64, 1e-4);
    EXPECT_NEAR(peaks_m[5], 1.8349, 1e-4); // Thrown again.
}

int count_still_ticks(const Trace& trace) {
    int count = 0;
    glm::dvec3 heading(0.0);
    for (const TraceTick& tick : trace.ticks) {
        const glm::dvec3 velocity = *tick.poses.front().velocity;
        if (velocity == glm::dvec3(0.0)) {
            ++count;
            continue;
        }
        const glm::dvec3 ahead = glm::normalize(velocity);
        // 1.2 rad at most, and twice that after a stop: cos 2.4 = -0.737.
        EXPECT_GT(glm::dot(ahead, heading), -0.74);
        heading = ahead;
    }
    return count;
}

TEST(Scenario, TheWalkerStandsStillAtTimesAndNeverTurnsBack) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const int count = count_still_ticks(make("random-walk", "ideal-60", {.seed = seed}));
        EXPECT_GT(count, 20) << seed;
        EXPECT_LT(count, 400) << seed;
    }
}

void expect_cut(const std::vector<TraceTruth>& truths, std::int64_t cut_ns, const TracePose& before,
                const TracePose& pose) {
    EXPECT_EQ(truth_at(truths, cut_ns).time_ns, cut_ns);
    EXPECT_EQ(truth_at(truths, cut_ns).position, pose.position);
    // The nanosecond before, the old side has gone on for one tick.
    const TraceTruth& old_side = truth_at(truths, cut_ns - 1);
    EXPECT_EQ(old_side.time_ns, cut_ns - 1);
    EXPECT_NEAR(glm::distance(old_side.position, before.position), 3.0 / 60.0, 1e-8);
    EXPECT_GT(glm::distance(old_side.position, pose.position), 7.9);
}

void expect_cuts(const Trace& trace, std::int64_t id, std::size_t leg_ticks) {
    const std::vector<TraceTruth> truths = select_truths(trace, id);
    for (std::size_t i = 1; i < trace.ticks.size(); ++i) {
        const TracePose& before = *find_pose(trace.ticks[i - 1], id);
        const TracePose& pose = *find_pose(trace.ticks[i], id);
        ASSERT_EQ(pose.cut, static_cast<std::int64_t>(i / leg_ticks));
        if (pose.cut != before.cut) {
            expect_cut(truths, trace.ticks[i].sim_ns, before, pose);
        }
    }
}

TEST(Scenario, TeleportsCutAtTheirTickAndTheTruthIsOnTheNewSideFromThenOn) {
    const Trace trace = make("teleports");
    expect_cuts(trace, 1, 42);
    expect_cuts(trace, 2, 31);
}

TEST(Scenario, ThePortalsCumulativeShiftMapsTheOldPathOntoTheNew) {
    const Trace trace = make("portals");
    const std::vector<TraceTruth> truths = select_truths(trace, 1);
    std::int64_t shift_count = 0;
    for (const TraceTick& tick : trace.ticks) {
        const TracePose& pose = tick.poses.front();
        const TraceShift& shift = *pose.shift;
        const double time_s = static_cast<double>(tick.sim_ns) * 1e-9;
        // Undone, the shift leaves the serpentine that began at the origin.
        const glm::dvec3 unshifted =
            glm::conjugate(shift.rotation) * (pose.position - shift.translation);
        ASSERT_NEAR(unshifted.x, 3.0 * time_s, 1e-9);
        ASSERT_NEAR(unshifted.y, 1.5 * std::sin(std::numbers::pi / 2.0 * time_s), 1e-9);
        ASSERT_NEAR(
            glm::length(*pose.velocity),
            std::hypot(3.0, 0.75 * std::numbers::pi * std::cos(std::numbers::pi / 2.0 * time_s)),
            1e-9);
        if (shift.count != shift_count) {
            ASSERT_EQ(shift.count, shift_count + 1);
            EXPECT_EQ(truth_at(truths, tick.sim_ns).position, pose.position);
            const TraceTruth& old_side = truth_at(truths, tick.sim_ns - 1);
            EXPECT_GT(glm::distance(old_side.position, pose.position), 5.0);
        }
        shift_count = shift.count;
    }
    EXPECT_EQ(shift_count, 9);
}

TEST(Scenario, SpawnedBodiesAppearInMotionAndEndOnceWithTheirLastPose) {
    const Trace trace = make("spawns");
    std::set<std::int64_t> seen;
    std::set<std::int64_t> gone;
    for (const TraceTick& tick : trace.ticks) {
        for (const TracePose& pose : tick.poses) {
            ASSERT_FALSE(gone.contains(pose.id));
            ASSERT_NEAR(glm::length(*pose.velocity), 5.0, 1e-9);
            seen.insert(pose.id);
        }
        for (const std::int64_t id : tick.gone) {
            ASSERT_NE(find_pose(tick, id), nullptr);
            ASSERT_TRUE(gone.insert(id).second);
            const std::vector<TraceTruth> truths = select_truths(trace, id);
            EXPECT_EQ(truths.back().time_ns, tick.sim_ns);
            EXPECT_EQ(truths.back().position, find_pose(tick, id)->position);
        }
        ASSERT_GE(tick.poses.size(), 1U);
        ASSERT_LE(tick.poses.size(), 3U);
    }
    EXPECT_EQ(seen.size(), 20U);
    EXPECT_EQ(gone.size(), 18U); // 12 s; the last ones outlive the trace.
}

TEST(Scenario, TheWheelTurnsInPlaceByThreeHundredFiftyDegreesATick) {
    const Trace trace = make("wheel");
    const TracePose& pose = trace.ticks[1].poses.front();
    EXPECT_NEAR(pose.angular_velocity->y, 350.0 / 180.0 * std::numbers::pi * 60.0, 1e-9);
    for (std::size_t i = 1; i < trace.ticks.size(); ++i) {
        const TracePose& before = trace.ticks[i - 1].poses.front();
        const TracePose& current = trace.ticks[i].poses.front();
        ASSERT_EQ(current.position, before.position);
        // Seen from outside it goes back by 10 degrees. 0.33 ns of rounding are 7e-6 degrees.
        ASSERT_NEAR(angle_between_deg(*before.rotation, *current.rotation), 10.0, 2e-5);
    }
    for (std::size_t i = 1; i < trace.truths.size(); ++i) {
        ASSERT_NEAR(angle_between_deg(*trace.truths[i - 1].rotation, *trace.truths[i].rotation),
                    21.0, 1e-5);
    }
}

TEST(Scenario, SlowMotionSpreadsTicksByTheScale) {
    const Trace trace = make("slow-motion");
    int slow_count = 0;
    for (std::size_t i = 1; i < trace.ticks.size(); ++i) {
        const TraceTick& before = trace.ticks[i - 1];
        ASSERT_TRUE(before.scale == 1.0 || before.scale == 0.25);
        slow_count += before.scale == 0.25 ? 1 : 0;
        const std::int64_t step_ns = trace.ticks[i].sim_ns - before.sim_ns;
        ASSERT_NEAR(static_cast<double>(step_ns), 16'666'667.0, 1.0);
        // The scale holds from its tick on.
        ASSERT_EQ(static_cast<double>(*trace.ticks[i].due_ns - *before.due_ns) * *before.scale,
                  static_cast<double>(step_ns));
    }
    EXPECT_EQ(slow_count, 120);
    EXPECT_EQ(trace.ticks.front().scale, 1.0);
    EXPECT_EQ(trace.ticks.back().scale, 1.0);
}

TEST(Scenario, TheTickRateChangesInMidFlightAndTheMotionDoesNot) {
    const Trace trace = make("rate-change");
    EXPECT_FALSE(trace.header.tick_ns);
    EXPECT_FALSE(trace.header.rate);
    int long_count = 0;
    for (std::size_t i = 1; i < trace.ticks.size(); ++i) {
        const std::int64_t step_ns = trace.ticks[i].sim_ns - trace.ticks[i - 1].sim_ns;
        const bool is_long = step_ns > 20'000'000;
        long_count += is_long ? 1 : 0;
        ASSERT_NEAR(static_cast<double>(step_ns), is_long ? 1e9 / 15.0 : 1e9 / 60.0, 1.0);
        ASSERT_EQ(trace.ticks[i].poses.front().velocity, glm::dvec3(4.0, 0.0, 0.0));
        ASSERT_EQ(*trace.ticks[i].due_ns - *trace.ticks[i - 1].due_ns, step_ns);
    }
    EXPECT_EQ(long_count, 60); // A third of 12 s.
}

TEST(Scenario, OnlyTheFollowCameraIsACamera) {
    for (const Scenario& scenario : scenarios()) {
        const Trace trace = make(scenario.name, "ideal-60", {.length_s = 1.0});
        const bool follows = std::string(scenario.name) == "follow-camera";
        for (const TracePose& pose : trace.ticks.front().poses) {
            EXPECT_EQ(pose.camera, follows && pose.id == 2) << scenario.name;
        }
    }
}

TEST(Scenario, TheFollowCameraStaysBehindItsBody) {
    for (const TraceTick& tick : make("follow-camera").ticks) {
        const TracePose& body = *find_pose(tick, 1);
        const TracePose& camera = *find_pose(tick, 2);
        // 5 m behind where the body was 0.2 s ago, which was at most 0.8 m away; 2 m up.
        const double distance_m = glm::distance(body.position, camera.position);
        ASSERT_GT(distance_m, std::hypot(5.0, 2.0));
        ASSERT_LT(distance_m, std::hypot(5.8, 2.0));
        ASSERT_GT(glm::dot(body.position - camera.position, *camera.velocity), 0.0);
    }
}

} // namespace
} // namespace glissade::lab
