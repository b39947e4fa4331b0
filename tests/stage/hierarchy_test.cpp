// SPDX-License-Identifier: MIT
#include "glissade/stage/stage.h"

#include "pose/near.h"
#include "support/stage_runner.h"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::int64_t kTickNs = 20'000'000;
constexpr double kPi = std::numbers::pi;

// Float matrices: three products of entries that are each off by a few 2^-24 (from the quaternion's
// parts and their products), so about 1e-6 for each metre of distance to the parent.
constexpr double kMatrixError = 1e-6;

glm::quat turn_z(double angle_rad) {
    return quat_from_rotation_vector({0.0, 0.0, angle_rad});
}

/// compose() in double precision, written again as the tests' own reference.
glm::dvec3 place(const Pose& outer, const glm::dvec3& inner) {
    return outer.position + rotate(outer.rotation, glm::dvec3(outer.scale) * inner);
}

/// A body that moves along a line and spins about z, both evenly, so that a linear blend of its
/// ticks is exact at every time.
struct Carrier {
    glm::dvec3 start{0.0};
    glm::dvec3 step{0.0};  ///< Metres a tick.
    double spin_rad = 0.0; ///< A tick.

    [[nodiscard]] Pose at(double ticks) const {
        return {.position = start + ticks * step, .rotation = turn_z(ticks * spin_rad)};
    }
};

double ticks_of(const SampleTime& sample, std::int64_t tick_ns) {
    return static_cast<double>(sample.time_ns) / static_cast<double>(tick_ns);
}

constexpr Carrier kFerry{.start = {0.0, 0.0, 0.0}, .step = {0.1, 0.0, 0.0}, .spin_rad = 0.05};
constexpr Carrier kTrain{.start = {2.0, 1.0, 0.0}, .step = {0.0, 0.1, 0.05}, .spin_rad = -0.04};

// In the space of a carrier that spins with w, a point at distance d with relative speed v and a
// relative acceleration a is accelerated by at most w^2 d + 2 w v + a. Here w = 0.05, d < 6,
// v < 0.25, a < 0.0025: less than 0.043 a tick^2. The chord of one tick is off by an eighth of it
// at most. Blending in the new space instead of the old one errs by that in each, and what is kept
// as a fading difference is no more.
constexpr double kSpaceError = 2.0 * 0.043 / 8.0;
// The same for rotations: evenly spun about one axis, so both spaces blend alike.
constexpr double kTurnError = 10.0 * kFloatAngleRad;

struct Rider {
    /// Rides kFerry until `tick`, then kTrain.
    [[nodiscard]] glm::dvec3 place_at(double ticks) const {
        if (ticks <= change_tick) {
            return place(kFerry.at(ticks), seat);
        }
        const glm::dvec3 world = place(kFerry.at(change_tick), seat);
        const Pose train = kTrain.at(change_tick);
        const glm::dvec3 inside = rotate(glm::conjugate(train.rotation), world - train.position);
        return place(kTrain.at(ticks), inside);
    }
    /// The turn about z.
    [[nodiscard]] glm::quat rotation_at(double ticks) const {
        const double before = std::min(ticks, change_tick);
        return turn_z(before * kFerry.spin_rad + (ticks - before) * kTrain.spin_rad);
    }

    double change_tick = 0.0;
    glm::dvec3 seat{1.0, 0.0, 0.0};
};

glm::quat rotation_of(const Affine& world) {
    return glm::quat_cast(world.linear);
}

void change_carriers(Rate frames) {
    StageRunner runner({.rate = {50, 1}});
    Stage& stage = runner.stage;
    const Id ferry = stage.add(kFerry.at(0.0));
    const Id train = stage.add(kTrain.at(0.0));
    const Rider rider{.change_tick = 20.0};
    const Id id = stage.add({.position = rider.seat}, {.parent = ferry});
    const auto on_tick = [&](const Tick& tick) {
        const auto ticks = static_cast<double>(tick.index);
        EXPECT_EQ(stage.move(tick, ferry, kFerry.at(ticks)), StageStatus::Ok);
        EXPECT_EQ(stage.move(tick, train, kTrain.at(ticks)), StageStatus::Ok);
        if (ticks == rider.change_tick) {
            EXPECT_EQ(stage.set_parent(id, train), StageStatus::Ok);
            EXPECT_EQ(stage.parent(id), train);
        }
    };
    glm::dvec3 last = place(kFerry.at(0.0), rider.seat);
    double last_ticks = 0.0;
    runner.run(frames, frames.numerator, on_tick, [&](const SampleTime& sample) {
        const double ticks = std::max(ticks_of(sample, kTickNs), 0.0);
        const Affine world = stage.world(id);
        EXPECT_TRUE(is_near(world.translation, rider.place_at(ticks), kSpaceError)) << ticks;
        // Every quaternion on the way is rounded to float twice.
        EXPECT_TRUE(is_near(rotation_of(world), rider.rotation_at(ticks), kTurnError + 1e-6));
        // No faster than 0.1 m + 0.05 rad * 6 m a tick, give or take what the blend may err.
        EXPECT_LE(glm::length(world.translation - last),
                  0.41 * (ticks - last_ticks) + 2.0 * kSpaceError);
        last = world.translation;
        last_ticks = ticks;
    });
    EXPECT_GT(last_ticks, 40.0);
}

// Trap 29.
TEST(StageHierarchy, ANewParentAtATickLeavesThePathUnbroken) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        change_carriers(frames);
    }
}

// Trap 29: at a change in the middle of a frame's interval nothing may be seen at all.
TEST(StageHierarchy, ANewParentBetweenTicksDoesNotMoveThePicture) {
    Stage stage;
    const Id ferry = stage.add(kFerry.at(0.0));
    const Id train = stage.add(kTrain.at(0.0));
    const Id id = stage.add({.position = {1.0, 2.0, 3.0}}, {.parent = ferry});
    std::int64_t time_ns = 0;
    for (std::int64_t index = 1; index < 40; ++index) {
        ASSERT_EQ(stage.move(tick_at(index), ferry, kFerry.at(static_cast<double>(index))),
                  StageStatus::Ok);
        ASSERT_EQ(stage.move(tick_at(index), train, kTrain.at(static_cast<double>(index))),
                  StageStatus::Ok);
        time_ns = (index - 1) * kTickNs + index * 400'000;
        ASSERT_EQ(stage.present({.time_ns = time_ns}), StageStatus::Ok);
        const Affine before = stage.world(id);
        const Affine previous = stage.previous_world(id);
        const std::array<Id, 3> parents = {ferry, train, Id{}};
        ASSERT_EQ(stage.set_parent(id, parents[static_cast<std::size_t>(index % 3)]),
                  StageStatus::Ok);
        // The same matrix products in another order, at distances below 10 m.
        EXPECT_TRUE(is_near(stage.world(id).translation, before.translation, 10 * kMatrixError));
        EXPECT_TRUE(
            is_near(stage.previous_world(id).translation, previous.translation, 10 * kMatrixError));
        EXPECT_TRUE(is_near(rotation_of(stage.world(id)), rotation_of(before), 1e-6));
        // And in the next frame, at the same time.
        ASSERT_EQ(stage.present({.time_ns = time_ns}), StageStatus::Ok);
        EXPECT_TRUE(is_near(stage.world(id).translation, before.translation, 10 * kMatrixError))
            << index;
    }
}

void leave_carrier(Rate frames) {
    StageRunner runner({.rate = {50, 1}});
    Stage& stage = runner.stage;
    const Id ferry = stage.add(kFerry.at(0.0));
    const Id id = stage.add(at_x(1.0), {.parent = ferry});
    const double leave = 10.0;
    runner.run(
        frames, frames.numerator,
        [&](const Tick& tick) {
            const auto ticks = static_cast<double>(tick.index);
            EXPECT_EQ(stage.move(tick, ferry, kFerry.at(ticks)), StageStatus::Ok);
            if (ticks == leave) {
                EXPECT_EQ(stage.set_parent(id, {}), StageStatus::Ok);
            }
        },
        [&](const SampleTime& sample) {
            const double ticks = std::clamp(ticks_of(sample, kTickNs), 0.0, leave);
            // A chord instead of an arc of radius 1: 0.05^2 / 8.
            EXPECT_TRUE(is_near(stage.world(id).translation,
                                place(kFerry.at(ticks), {1.0, 0.0, 0.0}), 0.05 * 0.05 / 8.0));
        });
    // It has settled, at exactly its logical pose.
    EXPECT_EQ(stage.visual(id), stage.logical(id));
    EXPECT_EQ(stage.mover_count(), 1U);
    EXPECT_TRUE(is_near(stage.visual(id).position, place(kFerry.at(leave), {1.0, 0.0, 0.0}), 1e-6));
}

// Trap 29: what rests on a deck follows the deck's path to the tick at which it leaves, and rests.
TEST(StageHierarchy, ARestingChildThatLeavesAMovingParentFollowsItsPathToTheEnd) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        leave_carrier(frames);
    }
}

// Trap 29: nothing moves, so nothing may change, not even by a rounding that could be seen.
TEST(StageHierarchy, ANewParentAtRestKeepsTheWorldPlace) {
    Stage stage;
    const Id a = stage.add({.position = {1.0, 2.0, 3.0}, .rotation = turn_z(0.7)});
    const Id b = stage.add({.position = {-4.0, 5.0, 6.0}, .scale = glm::vec3(2.0F)});
    const Id id = stage.add({.position = {0.5, 0.0, 0.0}, .rotation = turn_z(0.3)}, {.parent = a});
    ASSERT_EQ(stage.present({.time_ns = 0}), StageStatus::Ok);
    const glm::dvec3 world = place(stage.visual(a), {0.5, 0.0, 0.0});
    for (const Id parent : {b, Id{}, a, a, b}) {
        ASSERT_EQ(stage.set_parent(id, parent), StageStatus::Ok);
        EXPECT_EQ(stage.parent(id), parent);
        EXPECT_TRUE(is_near(stage.world(id).translation, world, 10 * kMatrixError));
        EXPECT_NEAR(stage.visual(id).scale.x, parent == b ? 0.5F : 1.0F, 1e-6F);
        EXPECT_EQ(stage.logical(id), stage.visual(id));
        EXPECT_EQ(stage.mover_count(), 0U);
    }
}

// Trap 29: the child has a history, but the tick of the change does not move it.
TEST(StageHierarchy, ANewParentInATickThatDoesNotMoveTheChildKeepsItsPath) {
    Stage stage;
    const Id parent = stage.add({.position = {0.0, 5.0, 0.0}, .rotation = turn_z(kPi / 2.0)});
    const Id id = stage.add(at_x(0.0));
    ASSERT_EQ(stage.move(tick_at(1), id, at_x(1.0)), StageStatus::Ok);
    ASSERT_EQ(stage.move(tick_at(2), parent, stage.logical(parent)), StageStatus::Ok);
    ASSERT_EQ(stage.set_parent(id, parent), StageStatus::Ok);
    // (1, -5, 0) from the parent's place, turned back by a quarter.
    EXPECT_TRUE(is_near(stage.logical(id).position, {-5.0, -1.0, 0.0}, 1e-6));
    ASSERT_EQ(stage.present({.time_ns = 2 * kTickNs}), StageStatus::Ok);
    EXPECT_TRUE(is_near(stage.world(id).translation, {1.0, 0.0, 0.0}, 10 * kMatrixError));
}

TEST(StageHierarchy, AHiddenChildKeepsItsTruePlaceBelowANewParent) {
    Stage stage;
    const Id ferry = stage.add({});
    const Id id = stage.add(at_x(1.0), {.parent = ferry});
    ASSERT_EQ(stage.hide(id), StageStatus::Ok);
    ASSERT_EQ(stage.move(tick_at(1), ferry, at_x(10.0)), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = kTickNs / 2}), StageStatus::Ok);
    ASSERT_EQ(stage.set_parent(id, {}), StageStatus::Ok);
    EXPECT_EQ(stage.logical(id), at_x(11.0));
}

TEST(StageHierarchy, ANewParentThatExtrapolatesDoesNotMoveThePicture) {
    Stage stage;
    const Id leader = stage.add({}, {.blend = Blend::Extrapolate});
    const Id id = stage.add(at_x(3.0));
    for (std::int64_t index = 1; index < 4; ++index) {
        const Pose pose = at_x(static_cast<double>(index));
        ASSERT_EQ(stage.move(tick_at(index), leader, pose, {.velocity = {.linear = {50, 0, 0}}}),
                  StageStatus::Ok);
    }
    ASSERT_EQ(stage.present({.time_ns = 55'000'000, .now_ns = 70'000'000}), StageStatus::Ok);
    ASSERT_EQ(stage.visual(leader), at_x(3.5));
    for (const Id parent : {leader, Id{}, leader}) {
        ASSERT_EQ(stage.set_parent(id, parent), StageStatus::Ok);
        EXPECT_TRUE(is_near(stage.world(id).translation, {3.0, 0.0, 0.0}, 1e-6));
        ASSERT_EQ(stage.present({.time_ns = 55'000'000, .now_ns = 70'000'000}), StageStatus::Ok);
        EXPECT_TRUE(is_near(stage.world(id).translation, {3.0, 0.0, 0.0}, 1e-6));
    }
}

// Trap 41.
TEST(StageHierarchy, AChildOnAFastTurningParentKeepsItsDistance) {
    StageRunner runner({.rate = {50, 1}});
    Stage& stage = runner.stage;
    const Carrier wheel{.step = {0.3, 0.0, 0.0}, .spin_rad = kPi / 2.0};
    const Id parent = stage.add(wheel.at(0.0));
    const Id id = stage.add(at_x(1.0), {.parent = parent});
    runner.run(
        {144, 1}, 288,
        [&](const Tick& tick) {
            const Pose pose = wheel.at(static_cast<double>(tick.index));
            EXPECT_EQ(stage.move(tick, parent, pose), StageStatus::Ok);
        },
        [&](const SampleTime& sample) {
            const Pose pose = wheel.at(std::max(ticks_of(sample, kTickNs), 0.0));
            const glm::dvec3 centre = stage.world(parent).translation;
            EXPECT_NEAR(glm::length(stage.world(id).translation - centre), 1.0, 1e-5);
            // Turns evenly as well: a rotation's float is 1e-7 rad off, its matrix no more than
            // 1e-6.
            EXPECT_TRUE(is_near(stage.world(id).translation, place(pose, {1.0, 0.0, 0.0}), 2e-6));
        });
}

Pose parent_pose(std::int64_t tick) {
    const auto ticks = static_cast<double>(tick);
    return {.position = {ticks, 0.5 * ticks * ticks, 0.0},
            .rotation = turn_z(0.4 * ticks),
            .scale = glm::vec3(1.0F + 0.1F * static_cast<float>(tick % 3))};
}

Pose child_pose(std::int64_t tick) {
    const auto ticks = static_cast<double>(tick);
    return {.position = {1.0 + 0.1 * ticks, -0.2 * ticks, 0.3},
            .rotation = quat_from_rotation_vector({0.2 * ticks, 0.0, 0.1})};
}

/// What an object shows between two ticks; held ones stay at the earlier.
Pose shown(Blend blend, const Pose& from, const Pose& to, double t) {
    return blend == Blend::Hold ? from : blend_linear(from, to, t);
}

void compare_with_reference(Blend outer, Blend inner) {
    Stage stage;
    const Id parent = stage.add(parent_pose(0), {.blend = outer});
    const Id child = stage.add(child_pose(0), {.parent = parent, .blend = inner});
    for (std::int64_t tick = 1; tick < 10; ++tick) {
        ASSERT_EQ(stage.move(tick_at(tick), parent, parent_pose(tick)), StageStatus::Ok);
        ASSERT_EQ(stage.move(tick_at(tick), child, child_pose(tick)), StageStatus::Ok);
        for (const double t : {0.0, 0.25, 0.6, 0.99}) {
            const auto part_ns = static_cast<std::int64_t>(t * kTickNs);
            ASSERT_EQ(stage.present({.time_ns = (tick - 1) * kTickNs + part_ns}), StageStatus::Ok);
            const Pose p = shown(outer, parent_pose(tick - 1), parent_pose(tick), t);
            const Pose c = shown(inner, child_pose(tick - 1), child_pose(tick), t);
            // The child is below 2.5 m from its parent, scale included.
            EXPECT_TRUE(
                is_near(stage.world(child).translation, place(p, c.position), 3.0 * kMatrixError));
            const glm::dvec3 axis = glm::dvec3(stage.world(child).linear[0]);
            const glm::dvec3 due = rotate(
                p.rotation, glm::dvec3(p.scale) * rotate(c.rotation, glm::dvec3(1.0, 0.0, 0.0)));
            EXPECT_TRUE(is_near(axis, due, 3.0 * kMatrixError));
        }
    }
}

// Trap 42.
TEST(StageHierarchy, HeldAndBlendedParentsAndChildrenGoTogetherInAllFourWays) {
    for (const Blend outer : {Blend::Linear, Blend::Hold}) {
        for (const Blend inner : {Blend::Linear, Blend::Hold}) {
            SCOPED_TRACE(static_cast<int>(outer) * 10 + static_cast<int>(inner));
            compare_with_reference(outer, inner);
        }
    }
}

TEST(StageHierarchy, ChildrenOfARemovedParentStayAndFollowItsPathToTheEnd) {
    Stage stage;
    const Carrier carrier{.step = {1.0, 0.0, 0.0}};
    const Id root = stage.add(at_x(100.0));
    const Id parent = stage.add({}, {.parent = root});
    const Id child = stage.add({.position = {0.0, 1.0, 0.0}}, {.parent = parent});
    const Id sibling = stage.add({.position = {0.0, 2.0, 0.0}}, {.parent = parent});
    const Id grandchild = stage.add({.position = {0.0, 0.0, 1.0}}, {.parent = child});
    ASSERT_EQ(stage.move(tick_at(1), parent, carrier.at(1.0)), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = kTickNs / 4}), StageStatus::Ok);
    ASSERT_EQ(stage.remove(parent), StageStatus::Ok);
    EXPECT_TRUE(stage.parent(child).is_null());
    EXPECT_EQ(stage.parent(grandchild), child);
    EXPECT_EQ(stage.size(), 4U);
    for (const double t : {0.25, 0.5, 1.0, 1.5}) {
        ASSERT_EQ(stage.present({.time_ns = static_cast<std::int64_t>(t * kTickNs)}),
                  StageStatus::Ok);
        const double x = 100.0 + std::min(t, 1.0);
        // Positions without a turn are exact but for one rounding at 100 m, and a float offset.
        EXPECT_TRUE(is_near(stage.world(child).translation, {x, 1.0, 0.0}, 1e-6)) << t;
        EXPECT_TRUE(is_near(stage.world(sibling).translation, {x, 2.0, 0.0}, 1e-6)) << t;
        EXPECT_TRUE(is_near(stage.world(grandchild).translation, {x, 1.0, 1.0}, 1e-6)) << t;
    }
    EXPECT_EQ(stage.logical(child).position, glm::dvec3(101.0, 1.0, 0.0));
}

TEST(StageHierarchy, AParentThatVanishesInTimeLeavesItsChildren) {
    Stage stage;
    const Id parent = stage.add(at_x(10.0));
    const Id child = stage.add(at_x(1.0), {.parent = parent});
    ASSERT_EQ(stage.despawn(tick_at(2), parent), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = 2 * kTickNs - 1}), StageStatus::Ok);
    EXPECT_TRUE(stage.contains(parent));
    ASSERT_EQ(stage.present({.time_ns = 2 * kTickNs}), StageStatus::Ok);
    EXPECT_FALSE(stage.contains(parent));
    EXPECT_TRUE(stage.parent(child).is_null());
    EXPECT_EQ(stage.world(child).translation.x, 11.0);
}

TEST(StageHierarchy, AParentsScaleReachesItsChildren) {
    Stage stage;
    const Id parent = stage.add({.rotation = turn_z(kPi / 2.0), .scale = {2.0F, 3.0F, 1.0F}});
    const Id child =
        stage.add({.position = {1.0, 1.0, 0.0}, .rotation = turn_z(kPi / 4.0)}, {.parent = parent});
    ASSERT_EQ(stage.present({.time_ns = 0}), StageStatus::Ok);
    const Affine world = stage.world(child);
    EXPECT_TRUE(is_near(world.translation, {-3.0, 2.0, 0.0}, 5 * kMatrixError));
    // Scaled along the parent's axes after the child's own turn: the axes are no longer square.
    const double half = std::numbers::sqrt2 / 2.0;
    EXPECT_TRUE(
        is_near(glm::dvec3(world.linear[0]), {-3.0 * half, 2.0 * half, 0.0}, 5 * kMatrixError));
    EXPECT_TRUE(
        is_near(glm::dvec3(world.linear[1]), {-3.0 * half, -2.0 * half, 0.0}, 5 * kMatrixError));
}

TEST(StageHierarchy, AnEvenScaleIsKeptByAChildThatLeaves) {
    Stage stage;
    const Id parent = stage.add({.position = {5.0, 0.0, 0.0}, .scale = glm::vec3(2.0F)});
    const Id child =
        stage.add({.position = {1.0, 0.0, 0.0}, .scale = glm::vec3(3.0F)}, {.parent = parent});
    ASSERT_EQ(stage.set_parent(child, {}), StageStatus::Ok);
    EXPECT_EQ(stage.logical(child).scale, glm::vec3(6.0F));
    EXPECT_EQ(stage.logical(child).position, glm::dvec3(7.0, 0.0, 0.0));
}

// Trap 29: a parent's picture may itself be on the way back from a correction.
TEST(StageHierarchy, ANewParentUnderCorrectionDoesNotMoveThePicture) {
    Stage stage;
    const Id parent = stage.add({});
    const Id other = stage.add({.position = {0.0, 5.0, 0.0}});
    const Id id = stage.add(at_x(3.0), {.parent = parent});
    for (std::int64_t index = 1; index < 4; ++index) {
        ASSERT_EQ(stage.move(tick_at(index), parent, at_x(static_cast<double>(index))),
                  StageStatus::Ok);
    }
    ASSERT_EQ(stage.present({.time_ns = 50'000'000}), StageStatus::Ok);
    ASSERT_EQ(stage.amend(tick_at(3), parent, at_x(10.0)), StageStatus::Ok);
    for (const Id below : {other, parent, Id{}}) {
        ASSERT_EQ(stage.set_parent(id, below), StageStatus::Ok);
        ASSERT_EQ(stage.present({.time_ns = 50'000'000}), StageStatus::Ok);
        EXPECT_TRUE(is_near(stage.world(id).translation, {5.5, 0.0, 0.0}, 1e-5));
    }
    // Its truth is that of the corrected parent: 10 + 3.
    EXPECT_TRUE(is_near(stage.logical(id).position, {13.0, 0.0, 0.0}, 1e-12));
}

TEST(StageHierarchy, AChildMayBeOnAnotherTrackThanItsParent) {
    Stage stage;
    const TrackId remote = stage.make_track({.history = 8, .cuts = CutShows::AtStamp}).value();
    const Id parent = stage.add({}, {.track = remote});
    const Id child = stage.add({}, {.parent = parent});
    for (std::int64_t index = 1; index <= 6; ++index) {
        const auto ticks = static_cast<double>(index);
        const Tick slow = tick_at(index, 3 * kTickNs);
        ASSERT_EQ(stage.move(slow, parent, {.position = {0.0, ticks, 0.0}}), StageStatus::Ok);
        ASSERT_EQ(stage.move(tick_at(index), child, at_x(ticks)), StageStatus::Ok);
        const std::array<TrackSample, 2> samples = {
            {{.time = {.time_ns = index * kTickNs - 5'000'000}},
             {.track = remote, .time = {.time_ns = index * 15'000'000}}}};
        ASSERT_EQ(stage.present(samples), StageStatus::Ok);
        // A quarter of a tick back on one track, a quarter of a tick for each frame on the other.
        EXPECT_TRUE(is_near(stage.world(child).translation, {ticks - 0.25, ticks / 4.0, 0.0},
                            10 * kMatrixError));
    }
    // One track alone goes on, and the child with it.
    const TrackSample later{.track = remote, .time = {.time_ns = 150'000'000}};
    ASSERT_EQ(stage.present({&later, 1}), StageStatus::Ok);
    EXPECT_TRUE(is_near(stage.world(child).translation, {5.75, 2.5, 0.0}, 10 * kMatrixError));
    EXPECT_EQ(stage.world_revision(child), stage.revision());
    const Affine before = stage.world(child);
    ASSERT_EQ(stage.set_parent(child, {}), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = 6 * kTickNs - 5'000'000}), StageStatus::Ok);
    EXPECT_TRUE(is_near(stage.world(child).translation, before.translation, 1e-5));
}

TEST(StageHierarchy, TheDeepestChainIsPlacedRight) {
    Stage stage({.capacity = kMaxDepth + 1});
    const Pose link{.position = {1.0, 0.0, 0.0}, .rotation = turn_z(0.01)};
    std::vector<Id> chain = {stage.add(link)};
    while (chain.size() <= kMaxDepth) {
        chain.push_back(stage.add(link, {.parent = chain.back()}));
    }
    for (std::int64_t index = 1; index < 4; ++index) {
        Pose moved = link;
        moved.position.y = static_cast<double>(index);
        ASSERT_EQ(stage.move(tick_at(index), chain.front(), moved), StageStatus::Ok);
        ASSERT_EQ(stage.present({.time_ns = index * kTickNs - kTickNs / 2}), StageStatus::Ok);
        glm::dvec3 due(0.0);
        for (std::size_t depth = chain.size(); depth > 0; --depth) {
            due = place(link, due);
        }
        due.y += static_cast<double>(index) - 0.5;
        // Each of 128 float products turns what hangs below it, up to 128 m, by about 1e-7.
        EXPECT_TRUE(is_near(stage.world(chain.back()).translation, due,
                            kMaxDepth * kMaxDepth / 2.0 * 1.2e-7));
        EXPECT_EQ(stage.world_revision(chain.back()), stage.revision());
        EXPECT_EQ(stage.changed().size(), chain.size());
    }
}

// The placement of a parent is kept for its children; here it had none when it was last placed.
TEST(StageHierarchy, AFirstChildIsPlacedInItsParentsSpace) {
    Stage stage;
    const Id root = stage.add(at_x(100.0));
    const Id parent = stage.add(at_x(10.0), {.parent = root});
    const Id other = stage.add(at_x(1.0));
    ASSERT_EQ(stage.present({.time_ns = 0}), StageStatus::Ok);
    const Id child = stage.add(at_x(1.0), {.parent = parent});
    EXPECT_EQ(stage.world(child).translation.x, 111.0);
    ASSERT_EQ(stage.present({.time_ns = 1}), StageStatus::Ok);
    EXPECT_EQ(stage.world(child).translation.x, 111.0);
    ASSERT_EQ(stage.set_parent(other, child), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = 2}), StageStatus::Ok);
    EXPECT_EQ(stage.world(other).translation.x, 1.0);
    // It loses all children, is moved, and gets one again.
    ASSERT_EQ(stage.remove(child), StageStatus::Ok);
    ASSERT_EQ(stage.cut(parent, at_x(20.0)), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = 3}), StageStatus::Ok);
    const Id late = stage.add(at_x(1.0), {.parent = parent});
    ASSERT_EQ(stage.present({.time_ns = 4}), StageStatus::Ok);
    EXPECT_EQ(stage.world(late).translation.x, 121.0);
}

// Trap 49, below a parent.
TEST(StageHierarchy, ThePreviousWorldIsWhatTheFrameBeforeShowed) {
    StageRunner runner({.rate = {50, 1}});
    Stage& stage = runner.stage;
    const Id parent = stage.add(kFerry.at(0.0));
    const Id child = stage.add(at_x(1.0), {.parent = parent});
    const Id leaf = stage.add(at_x(1.0), {.parent = child});
    Affine last = stage.world(leaf);
    int frame = 0;
    runner.run(
        {144, 1}, 144,
        [&](const Tick& tick) {
            // The parent rests at last, the child begins later and goes on.
            const auto ticks = static_cast<double>(tick.index);
            if (tick.index < 30) {
                EXPECT_EQ(stage.move(tick, parent, kFerry.at(ticks)), StageStatus::Ok);
            }
            if (tick.index > 15) {
                EXPECT_EQ(stage.move(tick, child, at_x(ticks)), StageStatus::Ok);
            }
        },
        [&](const SampleTime&) {
            if (frame++ > 0) {
                // Composed in another order than world(): a few roundings at up to 50 m.
                EXPECT_TRUE(is_near(stage.previous_world(leaf).translation, last.translation,
                                    50 * kMatrixError))
                    << frame;
            }
            last = stage.world(leaf);
        });
}

TEST(StageHierarchy, ACutOfAParentCutsThePreviousWorldOfItsChildren) {
    Stage stage;
    const Id parent = stage.add({});
    const Id child = stage.add(at_x(1.0), {.parent = parent});
    for (std::int64_t index = 1; index < 4; ++index) {
        ASSERT_EQ(stage.move(tick_at(index), parent, at_x(static_cast<double>(index))),
                  StageStatus::Ok);
    }
    ASSERT_EQ(stage.present({.time_ns = 50'000'000}), StageStatus::Ok);
    ASSERT_EQ(stage.cut(tick_at(4), parent, at_x(1000.0)), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = 65'000'000}), StageStatus::Ok);
    EXPECT_EQ(stage.world(child).translation.x, 1001.0);
    EXPECT_EQ(stage.previous_world(child).translation, stage.world(child).translation);
}

} // namespace
} // namespace glissade::testing
