// SPDX-License-Identifier: MIT
#include "glissade/stage/stage.h"

#include "pose/near.h"
#include "stage/stage_digest.h"
#include "support/stage_runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::int64_t kTickNs = 20'000'000;
constexpr double kPi = std::numbers::pi;

/// No two parts alike, so that any mix-up of parts or order shows.
const glm::quat kTurn = quat_xyzw(0.1F, 0.3F, 0.5F, 0.8062258F);

bool contains(const auto& ids, Id id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

std::vector<Id> sorted(const auto& ids) {
    std::vector<Id> result(ids.begin(), ids.end());
    std::sort(result.begin(), result.end());
    return result;
}

/// Ticks 1 to `count` of a body that goes 1 m a tick.
void move_evenly(Stage& stage, Id id, std::int64_t first, std::int64_t last) {
    for (std::int64_t index = first; index <= last; ++index) {
        ASSERT_EQ(stage.move(tick_at(index), id, at_x(static_cast<double>(index))),
                  StageStatus::Ok);
    }
}

void present(Stage& stage, std::int64_t time_ns) {
    ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}), StageStatus::Ok);
}

TEST(StageOutput, ThreePosesOfAMover) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    move_evenly(stage, id, 1, 2);
    present(stage, 24'000'000);
    present(stage, 30'000'000);
    EXPECT_TRUE(is_near(stage.visual(id).position, {1.5, 0.0, 0.0}, 1e-15));
    EXPECT_TRUE(is_near(stage.previous(id).position, {1.2, 0.0, 0.0}, 1e-15));
    EXPECT_EQ(stage.logical(id), at_x(2.0));
    EXPECT_EQ(stage.sample_time(), 30'000'000);
    EXPECT_EQ(stage.newest()->index, 2);
}

// Trap 49.
TEST(StageOutput, ThePreviousPoseIsWhatWasShownLast) {
    StageRunner runner({.rate = {50, 1}});
    Stage& stage = runner.stage;
    const Id id = stage.add(at_x(0.0));
    Pose last = stage.visual(id);
    runner.run(
        {144, 1}, 144,
        [&](const Tick& tick) {
            // Moves, rests and moves again.
            if (tick.index % 20 < 12) {
                move_evenly(stage, id, tick.index, tick.index);
            }
        },
        [&](const SampleTime&) {
            EXPECT_EQ(stage.previous(id), last);
            last = stage.visual(id);
        });
}

// Trap 49: a frame in which the time stands still shows no motion at all.
TEST(StageOutput, ThePreviousPoseOfAFrozenFrameIsTheVisualOne) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    move_evenly(stage, id, 1, 2);
    present(stage, 24'000'000);
    present(stage, 30'000'000);
    present(stage, 30'000'000);
    EXPECT_EQ(stage.previous(id), stage.visual(id));
    const MovedColumns moved = stage.moved();
    ASSERT_EQ(moved.ids.size(), 1U);
    EXPECT_EQ(moved.previous.x[0], moved.visual.x[0]);
    EXPECT_TRUE(stage.changed().empty());
    present(stage, 36'000'000);
    EXPECT_TRUE(is_near(stage.previous(id).position, {1.5, 0.0, 0.0}, 1e-15));
}

Pose pose_from(const PoseColumns& columns, std::size_t row) {
    return {
        .position = {columns.x[row], columns.y[row], columns.z[row]},
        .rotation = quat_xyzw(columns.qx[row], columns.qy[row], columns.qz[row], columns.qw[row]),
        .scale = {columns.scale_x[row], columns.scale_y[row], columns.scale_z[row]}};
}

TEST(StageOutput, TheColumnsHoldWhatTheReadersSay) {
    Stage stage;
    const TrackId second = stage.make_track({}).value();
    std::vector<Id> movers;
    for (int number = 0; number < 40; ++number) {
        const Id id = stage.add(at_x(number));
        if (number % 3 == 0) {
            movers.push_back(id);
        }
    }
    const Id other = stage.add(at_x(100.0), {.track = second});
    ASSERT_EQ(stage.move(tick_at(1), other, at_x(101.0)), StageStatus::Ok);
    for (std::int64_t index = 1; index < 6; ++index) {
        // Every second one rests from tick 3 on.
        for (std::size_t number = 0; number < movers.size(); number += index < 3 ? 1 : 2) {
            const auto part = static_cast<float>(number);
            const Pose pose{.position = {static_cast<double>(index), part, 0.5},
                            .rotation = quat_from_rotation_vector({0.1 * part, 0.0, 0.2}),
                            .scale = glm::vec3(1.0F, 2.0F, 1.0F + part)};
            ASSERT_EQ(stage.move(tick_at(index), movers[number], pose), StageStatus::Ok);
        }
        present(stage, index * kTickNs - 12'000'000);
        const MovedColumns moved = stage.moved();
        ASSERT_EQ(moved.ids.size(), stage.mover_count());
        for (std::size_t row = 0; row < moved.ids.size(); ++row) {
            EXPECT_TRUE(contains(movers, moved.ids[row]));
            EXPECT_EQ(pose_from(moved.visual, row), stage.visual(moved.ids[row]));
            EXPECT_EQ(pose_from(moved.previous, row), stage.previous(moved.ids[row]));
        }
        EXPECT_EQ(moved.ids.size(), index < 4 ? movers.size() : (movers.size() + 1) / 2);
    }
    EXPECT_EQ(stage.moved(second).ids.size(), 1U);
    EXPECT_EQ(stage.moved(second).ids[0], other);
}

TEST(StageOutput, OnlyWhatChangedIsListedAndItsRevisionSaysWhen) {
    Stage stage;
    const Id mover = stage.add(at_x(0.0));
    const Id child = stage.add(at_x(1.0), {.parent = mover});
    const Id leaf = stage.add(at_x(1.0), {.parent = child});
    const Id resting = stage.add(at_x(5.0));
    EXPECT_EQ(stage.revision(), 0U);
    present(stage, 0);
    EXPECT_EQ(sorted(stage.changed()), sorted(std::array{mover, child, leaf, resting}));
    EXPECT_EQ(stage.world_revision(resting), 1U);
    present(stage, 1);
    EXPECT_TRUE(stage.changed().empty());
    move_evenly(stage, mover, 1, 1);
    EXPECT_TRUE(stage.changed().empty());
    for (std::int64_t quarter = 1; quarter <= 4; ++quarter) {
        present(stage, quarter * kTickNs / 4);
        EXPECT_EQ(sorted(stage.changed()), sorted(std::array{mover, child, leaf}));
        for (const Id id : {mover, child, leaf}) {
            EXPECT_EQ(stage.world_revision(id), stage.revision());
        }
        EXPECT_EQ(stage.world_revision(resting), 1U);
    }
    // At its last state: nothing changes any more, and it leaves the movers.
    const std::uint64_t last = stage.revision();
    move_evenly(stage, resting, 2, 2);
    present(stage, 2 * kTickNs);
    present(stage, 3 * kTickNs);
    EXPECT_EQ(stage.world_revision(leaf), last);
    EXPECT_EQ(stage.revision(), last + 2);
    EXPECT_EQ(stage.logical(mover), stage.visual(mover));
}

TEST(StageOutput, ChangesThatAreNotMotionAreListedToo) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    const Id child = stage.add(at_x(1.0), {.parent = id});
    const Id other = stage.add(at_x(9.0));
    std::int64_t time_ns = 0;
    const auto expect_listed = [&](const std::vector<Id>& ids) {
        present(stage, ++time_ns);
        EXPECT_EQ(sorted(stage.changed()), sorted(ids));
        for (const Id listed : ids) {
            EXPECT_EQ(stage.world_revision(listed), stage.contains(listed) ? stage.revision() : 0U);
        }
        present(stage, ++time_ns);
        EXPECT_TRUE(stage.changed().empty());
    };
    expect_listed({id, child, other});
    ASSERT_EQ(stage.cut(id, at_x(2.0)), StageStatus::Ok);
    expect_listed({id, child});
    ASSERT_EQ(stage.hide(id), StageStatus::Ok);
    expect_listed({id, child});
    ASSERT_EQ(stage.show(id), StageStatus::Ok);
    expect_listed({id, child});
    ASSERT_EQ(stage.set_parent(child, other), StageStatus::Ok);
    expect_listed({child});
    ASSERT_EQ(stage.rebase({100.0, 0.0, 0.0}), StageStatus::Ok);
    expect_listed({id, child, other});
    ASSERT_EQ(stage.remove(other), StageStatus::Ok);
    expect_listed({child});
    ASSERT_EQ(stage.set_user(id, 5), StageStatus::Ok);
    expect_listed({});
}

TEST(StageOutput, AppearingAndVanishingInTimeAreListed) {
    Stage stage;
    present(stage, 0);
    const Id id = stage.spawn(tick_at(1), at_x(1.0));
    present(stage, kTickNs / 2);
    EXPECT_FALSE(stage.visible(id));
    present(stage, kTickNs);
    EXPECT_TRUE(stage.visible(id));
    EXPECT_TRUE(contains(stage.changed(), id));
    ASSERT_EQ(stage.despawn(tick_at(3), id), StageStatus::Ok);
    present(stage, 2 * kTickNs);
    EXPECT_FALSE(contains(stage.changed(), id));
    present(stage, 3 * kTickNs);
    EXPECT_TRUE(contains(stage.changed(), id));
    EXPECT_FALSE(stage.contains(id));
    present(stage, 4 * kTickNs);
    EXPECT_TRUE(stage.changed().empty());
}

// A shift takes the previous pose along: comparing poses alone would miss it.
TEST(StageOutput, AShiftOfARestingObjectIsListed) {
    Stage stage;
    const Id id = stage.add(at_x(1.0));
    present(stage, 0);
    ASSERT_EQ(stage.shift(tick_at(1), id, {.translation = {10.0, 0.0, 0.0}}), StageStatus::Ok);
    present(stage, kTickNs / 2);
    EXPECT_EQ(stage.visual(id), at_x(11.0));
    EXPECT_TRUE(contains(stage.changed(), id));
    EXPECT_EQ(stage.world_revision(id), stage.revision());
    present(stage, kTickNs);
    EXPECT_TRUE(stage.changed().empty());
}

// A hidden parent is not seen, its children are.
TEST(StageOutput, WhatHangsBelowAHiddenObjectMovesWithIt) {
    Stage stage;
    const Id parent = stage.add({});
    const Id child = stage.add(at_x(1.0), {.parent = parent});
    ASSERT_EQ(stage.hide(parent), StageStatus::Ok);
    present(stage, 0);
    move_evenly(stage, parent, 1, 1);
    present(stage, kTickNs);
    EXPECT_EQ(stage.world(child).translation.x, 2.0);
    EXPECT_TRUE(contains(stage.changed(), child));
    ASSERT_EQ(stage.shift(tick_at(2), parent, {.translation = {5.0, 0.0, 0.0}}), StageStatus::Ok);
    present(stage, 2 * kTickNs);
    EXPECT_EQ(stage.world(child).translation.x, 7.0);
    ASSERT_EQ(stage.amend(tick_at(2), parent, at_x(20.0)), StageStatus::Ok);
    present(stage, 2 * kTickNs);
    EXPECT_EQ(stage.world(child).translation.x, 21.0);
    EXPECT_TRUE(contains(stage.changed(), child));
}

TEST(StageOutput, EachObjectIsListedOnce) {
    Stage stage;
    const Id parent = stage.add({});
    const Id child = stage.add(at_x(1.0), {.parent = parent});
    present(stage, 0);
    // Moved, below a mover, cut and given a new parent, all in one frame.
    move_evenly(stage, parent, 1, 1);
    move_evenly(stage, child, 1, 1);
    ASSERT_EQ(stage.cut(child, at_x(4.0)), StageStatus::Ok);
    ASSERT_EQ(stage.set_parent(child, {}), StageStatus::Ok);
    ASSERT_EQ(stage.set_parent(child, parent), StageStatus::Ok);
    present(stage, kTickNs / 2);
    EXPECT_EQ(sorted(stage.changed()), sorted(std::array{parent, child}));
}

glm::dvec3 point_of(const glm::mat3x4& rows, const glm::vec3& local) {
    const glm::vec4 point(local, 1.0F);
    return {glm::dot(rows[0], point), glm::dot(rows[1], point), glm::dot(rows[2], point)};
}

TEST(StageOutput, MatricesAreWrittenRelativeToTheOrigin) {
    Stage stage;
    const glm::dvec3 origin(1e6, -2e6, 3e6);
    const Pose pose{.position = origin + glm::dvec3(1.0, 2.0, 3.0),
                    .rotation = kTurn,
                    .scale = {1.0F, 2.0F, 3.0F}};
    const Id root = stage.add(pose);
    const Id child = stage.add({.position = {0.5, 0.25, 0.125}}, {.parent = root});
    present(stage, 0);
    const std::array<Id, 3> ids = {child, Id{}, root};
    // More room than ids: the rest is left alone.
    std::array<glm::mat3x4, 4> rows;
    std::array<glm::mat4, 4> columns;
    rows.fill(glm::mat3x4(-7.0F));
    columns.fill(glm::mat4(-7.0F));
    ASSERT_EQ(stage.write_matrices(ids, rows, origin), StageStatus::Ok);
    ASSERT_EQ(stage.write_matrices(ids, columns, origin), StageStatus::Ok);
    EXPECT_EQ(rows[3], glm::mat3x4(-7.0F));
    EXPECT_EQ(columns[3], glm::mat4(-7.0F));
    const glm::vec3 local(0.3F, -0.4F, 0.6F);
    const auto due = [&](const glm::dvec3& inside) {
        return glm::dvec3(1.0, 2.0, 3.0) + rotate(pose.rotation, glm::dvec3(pose.scale) * inside);
    };
    const std::array<glm::dvec3, 3> expected = {
        due(glm::dvec3(local) + glm::dvec3(0.5, 0.25, 0.125)), glm::dvec3(local) - origin,
        due(glm::dvec3(local))};
    for (const std::size_t item : {0U, 2U}) {
        // Floats of up to 5 m: 2^-22 for each of the four terms.
        EXPECT_TRUE(is_near(point_of(rows[item], local), expected[item], 2e-6)) << item;
        const glm::dvec3 point(columns[item] * glm::vec4(local, 1.0F));
        EXPECT_TRUE(is_near(point, expected[item], 2e-6)) << item;
        EXPECT_EQ(columns[item][3].w, 1.0F);
        EXPECT_EQ(columns[item][0].w, 0.0F);
    }
    // A bad handle gives the identity, at the world's origin: floats of 3e6 m are 0.25 m apart.
    EXPECT_TRUE(is_near(point_of(rows[1], local), expected[1], 0.5));
}

TEST(StageOutput, MatricesWithoutRoomAreNotWritten) {
    Stage stage;
    const std::array<Id, 2> ids = {stage.add({}), stage.add({})};
    std::array<glm::mat3x4, 1> rows = {glm::mat3x4(-7.0F)};
    std::array<glm::mat4, 1> columns = {glm::mat4(-7.0F)};
    EXPECT_EQ(stage.write_matrices(ids, rows), StageStatus::SizeMismatch);
    EXPECT_EQ(stage.write_matrices(ids, columns), StageStatus::SizeMismatch);
    EXPECT_EQ(rows[0], glm::mat3x4(-7.0F));
    EXPECT_EQ(columns[0], glm::mat4(-7.0F));
    EXPECT_EQ(stage.write_matrices({}, std::span<glm::mat4>{}), StageStatus::Ok);
}

/// A quaternion that came through the stage in any form.
void expect_turn(const Stage& stage, Id id) {
    EXPECT_EQ(stage.visual(id).rotation, kTurn);
    EXPECT_EQ(stage.previous(id).rotation, kTurn);
    EXPECT_EQ(stage.logical(id).rotation, kTurn);
    EXPECT_EQ(stage.sample(id, 0).rotation, kTurn);
    // The matrix turns a vector as the formula v + 2 w (u x v) + 2 u x (u x v) does.
    const glm::dvec3 v(1.0, 2.0, 3.0);
    const glm::dvec3 u(kTurn.x, kTurn.y, kTurn.z);
    const glm::dvec3 cross = glm::cross(u, v);
    const glm::dvec3 due =
        v + 2.0 * static_cast<double>(kTurn.w) * cross + 2.0 * glm::cross(u, cross);
    EXPECT_TRUE(is_near(glm::dvec3(stage.world(id).linear * glm::vec3(v)), due, 3e-6));
    glm::mat3x4 rows;
    ASSERT_EQ(stage.write_matrices({&id, 1}, {&rows, 1}), StageStatus::Ok);
    EXPECT_TRUE(is_near(point_of(rows, glm::vec3(v)), due, 3e-6));
}

// Trap 56.
TEST(StageOutput, TheOrderOfAQuaternionsPartsIsKeptThroughEveryDoor) {
    Stage stage;
    const Pose pose{.rotation = kTurn};
    const PoseColumns columns{.x = {&pose.position.x, 1},
                              .y = {&pose.position.y, 1},
                              .z = {&pose.position.z, 1},
                              .qx = {&kTurn.x, 1},
                              .qy = {&kTurn.y, 1},
                              .qz = {&kTurn.z, 1},
                              .qw = {&kTurn.w, 1}};
    std::array<Id, 9> ids;
    std::generate(ids.begin(), ids.end(), [&] { return stage.add({}).id; });
    const Tick tick = tick_at(1, 1);
    ids[0] = stage.add(pose);
    ids[1] = stage.spawn(tick, pose);
    EXPECT_EQ(stage.move(tick, ids[2], pose), StageStatus::Ok);
    EXPECT_EQ(stage.move(tick, {&ids[3], 1}, std::span(&pose, 1)).status, StageStatus::Ok);
    EXPECT_EQ(stage.move(tick, {&ids[4], 1}, columns).status, StageStatus::Ok);
    EXPECT_EQ(stage.cut(tick, ids[5], pose), StageStatus::Ok);
    EXPECT_EQ(stage.cut(ids[6], pose), StageStatus::Ok);
    EXPECT_EQ(stage.shift(tick, ids[7], {.rotation = kTurn}), StageStatus::Ok);
    EXPECT_EQ(stage.show(ids[8], pose), StageStatus::Ok);
    present(stage, 1);
    const MovedColumns moved = stage.moved();
    for (std::size_t row = 0; row < moved.ids.size(); ++row) {
        EXPECT_EQ(pose_from(moved.visual, row).rotation, kTurn);
    }
    EXPECT_EQ(moved.ids.size(), 5U);
    // At rest from now on: the same from the slots as from the columns.
    present(stage, kTickNs);
    for (int frame = 2; frame < 5; ++frame) {
        EXPECT_EQ(stage.present({.time_ns = frame * kTickNs, .newest = tick_at(frame)}),
                  StageStatus::Ok);
        for (const Id id : ids) {
            expect_turn(stage, id);
        }
    }
    EXPECT_EQ(stage.mover_count(), 0U);
}

// Trap 36.
TEST(StageOutput, APlaneAngleTakesTheShorterWayRound) {
    Stage stage;
    const auto at_degrees = [](double degrees) {
        return to_pose({.position = {degrees, 2.0},
                        .angle_rad = static_cast<float>(degrees * kPi / 180.0),
                        .scale = {1.0F, 2.0F}});
    };
    const Id id = stage.add(at_degrees(179.0));
    ASSERT_EQ(stage.move(tick_at(1), id, at_degrees(-179.0)), StageStatus::Ok);
    for (int percent = 0; percent <= 100; ++percent) {
        present(stage, percent * kTickNs / 100);
        const Pose2 pose = to_pose2(stage.visual(id));
        const double due_rad = (179.0 + 0.02 * percent) * kPi / 180.0;
        // Angles are the same up to whole turns; half angles are floats near 1, twice 1.2e-7 off.
        EXPECT_NEAR(std::remainder(static_cast<double>(pose.angle_rad) - due_rad, 2.0 * kPi), 0.0,
                    5e-7);
        EXPECT_NEAR(pose.position.x, 179.0 - 3.58 * percent, 1e-12);
        EXPECT_EQ(pose.position.y, 2.0);
        EXPECT_EQ(pose.scale, glm::vec2(1.0F, 2.0F));
        EXPECT_EQ(stage.visual(id).position.z, 0.0);
    }
}

// Reading the picture at another time changes nothing, and at the shown time it is the picture.
TEST(StageOutput, ASampleHasNoSideEffectsAndAgreesWithThePicture) {
    Stage stage;
    const std::array<Id, 4> ids = {
        stage.add({}, {.blend = Blend::Linear}), stage.add({}, {.blend = Blend::Hermite}),
        stage.add({}, {.blend = Blend::Hold}), stage.add({}, {.blend = Blend::Extrapolate})};
    for (std::int64_t index = 1; index < 12; ++index) {
        const auto x = static_cast<double>(index * index);
        const Extra extra{.velocity = {.linear = {100.0F * static_cast<float>(index), 0.0F, 0.0F}}};
        for (const Id id : ids) {
            ASSERT_EQ(stage.move(tick_at(index), id, at_x(x), extra), StageStatus::Ok);
        }
        if (index == 6) {
            ASSERT_EQ(stage.amend(tick_at(5), ids[0], at_x(50.0)), StageStatus::Ok);
        }
        const std::int64_t time_ns = index * kTickNs - 13'000'000;
        ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns + kTickNs}),
                  StageStatus::Ok);
        const std::uint64_t digest = compute_digest(stage, ids);
        for (const Id id : ids) {
            EXPECT_EQ(stage.sample(id, time_ns), stage.visual(id)) << index;
            // Before and after the history its ends hold.
            EXPECT_EQ(stage.sample(id, -kTickNs), stage.sample(id, -2 * kTickNs));
        }
        EXPECT_EQ(stage.sample(ids[2], index * kTickNs), at_x(x));
        EXPECT_EQ(compute_digest(stage, ids), digest);
    }
}

TEST(StageOutput, TheUserValueRidesAlong) {
    Stage stage;
    const Id id = stage.add({}, {.user = 0xFFFFFFFFFFFFFFFFU});
    EXPECT_EQ(stage.user(id), 0xFFFFFFFFFFFFFFFFU);
    move_evenly(stage, id, 1, 1);
    present(stage, kTickNs);
    ASSERT_EQ(stage.set_user(id, 42), StageStatus::Ok);
    EXPECT_EQ(stage.user(id), 42U);
    const Id other = stage.add({});
    EXPECT_EQ(stage.user(other), 0U);
}

} // namespace
} // namespace glissade::testing
