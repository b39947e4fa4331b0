// SPDX-License-Identifier: MIT
// Batches with bad items, and what happens to objects in a tick in which they have been moved.
#include "glissade/stage/stage.h"

#include "pose/near.h"
#include "stage/column_store.h"
#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr float kNanFloat = std::numeric_limits<float>::quiet_NaN();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Objects that move already, so that batches of them go the short way. Rows are in the order of
/// the ids.
struct Runners {
    explicit Runners(std::size_t count = 100, const StageConfig& config = {.tag = 3})
        : stage(config) {
        for (std::size_t number = 0; number < count; ++number) {
            ids.push_back(stage.add({}));
        }
        for (newest = 1; newest <= 2; ++newest) {
            move_all(newest);
            show(newest * kSceneTickNs - 10'000'000);
        }
        newest = 2;
    }

    [[nodiscard]] static Pose place_of(std::size_t number, std::int64_t index) {
        return {.position = {static_cast<double>(number), static_cast<double>(index), 0.5}};
    }
    [[nodiscard]] std::vector<Pose> poses_of(std::int64_t index) const {
        std::vector<Pose> poses;
        for (std::size_t number = 0; number < ids.size(); ++number) {
            poses.push_back(place_of(number, index));
        }
        return poses;
    }
    void move_all(std::int64_t index) {
        const BatchResult result = stage.move(tick_at(index), ids, poses_of(index));
        ASSERT_EQ(result.status, StageStatus::Ok);
        ASSERT_EQ(result.accepted_count, ids.size());
    }
    void show(std::int64_t time_ns) {
        ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}), StageStatus::Ok);
    }
    /// Opens the next tick with the last object, so that all others can go the short way.
    Tick open_tick() {
        ++newest;
        const Tick tick = tick_at(newest);
        EXPECT_EQ(stage.move(tick, ids.back(), place_of(ids.size() - 1, newest)), StageStatus::Ok);
        return tick;
    }

    Stage stage;
    std::vector<Id> ids;
    std::int64_t newest = 0;
};

/// One bad item of a batch, and what is to be said about it.
struct Fault {
    StageStatus status = StageStatus::Ok;
    std::function<void(Id&, Pose&)> spoil;
};

std::vector<Fault> make_faults() {
    return {
        {StageStatus::BadPosition, [](Id&, Pose& pose) { pose.position.y = kNan; }},
        {StageStatus::BadPosition, [](Id&, Pose& pose) { pose.position.z = -1.1e12; }},
        {StageStatus::BadRotation, [](Id&, Pose& pose) { pose.rotation.z = kNanFloat; }},
        {StageStatus::BadRotation, [](Id&, Pose& pose) { pose.rotation.w = 1.1F; }},
        {StageStatus::ZeroRotation, [](Id&, Pose& pose) { pose.rotation.w = 0.0F; }},
        {StageStatus::BadScale, [](Id&, Pose& pose) { pose.scale.z = kNanFloat; }},
        {StageStatus::NullHandle, [](Id& id, Pose&) { id = {}; }},
        {StageStatus::ForeignHandle, [](Id& id, Pose&) { id.index1 ^= 1U << 24U; }},
        {StageStatus::StaleHandle, [](Id& id, Pose&) { ++id.generation; }},
    };
}

/// Spoils one item of a batch of all: it is refused and all others are recorded.
void expect_refusal(const Fault& fault, std::size_t place, Form form) {
    Runners runners;
    std::vector<Id> ids = runners.ids;
    std::vector<Pose> poses = runners.poses_of(3);
    fault.spoil(ids[place], poses[place]);
    const BatchResult result = move_as(form, runners.stage, tick_at(3), ids, poses);
    EXPECT_EQ(result.status, fault.status);
    EXPECT_EQ(result.first_refused, place);
    EXPECT_EQ(result.accepted_count, ids.size() - 1);
    const StageStats& stats = runners.stage.stats();
    EXPECT_EQ(stats.refused_count[static_cast<std::size_t>(fault.status)], 1U);
    EXPECT_EQ(stats.move_count, 2 * ids.size() + ids.size() - 1);
    for (std::size_t number = 0; number < ids.size(); ++number) {
        const std::int64_t index = number == place ? 2 : 3;
        ASSERT_EQ(runners.stage.logical(runners.ids[number]), Runners::place_of(number, index))
            << number;
    }
}

void expect_refusals(const Fault& fault, std::size_t place) {
    for (const Form form : kAllForms) {
        expect_refusal(fault, place, form);
    }
}

TEST(StageBatchFaults, ABadItemIsLeftOutAndAllOthersAreRecorded) {
    const std::vector<Fault> faults = make_faults();
    for (std::size_t number = 0; number < faults.size(); ++number) {
        for (const std::size_t place : {0U, 1U, 7U, 30U, 63U, 64U, 98U, 99U}) {
            SCOPED_TRACE(::testing::Message() << "fault " << number << " at " << place);
            expect_refusals(faults[number], place);
        }
    }
}

TEST(StageBatchFaults, OfManyBadItemsTheFirstIsNamedAndTheOthersAreCounted) {
    const std::vector<Fault> faults = make_faults();
    Runners runners;
    std::vector<Id> ids = runners.ids;
    std::vector<Pose> poses = runners.poses_of(3);
    std::size_t bad_count = 0;
    for (std::size_t place = 5; place < ids.size(); place += 11, ++bad_count) {
        faults[bad_count % faults.size()].spoil(ids[place], poses[place]);
    }
    const BatchResult result = runners.stage.move(tick_at(3), ids, poses);
    EXPECT_EQ(result.accepted_count, ids.size() - bad_count);
    EXPECT_EQ(result.first_refused, 5U);
    EXPECT_EQ(result.status, faults[0].status);
    for (std::size_t number = 0; number < ids.size(); ++number) {
        const std::int64_t index = number % 11 == 5 ? 2 : 3;
        EXPECT_EQ(runners.stage.logical(runners.ids[number]), Runners::place_of(number, index));
    }
}

/// From item 3000 on one in 1777 is bad.
void expect_refusals(std::size_t count, Form form) {
    Runners runners(count, {.capacity = 75'000});
    std::vector<Pose> poses = runners.poses_of(3);
    for (std::size_t place = 3000; place < count; place += 1777) {
        poses[place].position.x = kNan;
    }
    const BatchResult result = move_as(form, runners.stage, tick_at(3), runners.ids, poses);
    const std::size_t bad_count = (count - 3000 + 1776) / 1777;
    EXPECT_EQ(result.status, StageStatus::BadPosition);
    EXPECT_EQ(result.first_refused, 3000U);
    EXPECT_EQ(result.accepted_count, count - bad_count);
    runners.show(tick_at(3).time_ns);
    for (std::size_t number = 0; number < count; ++number) {
        const bool is_bad = number >= 3000 && (number - 3000) % 1777 == 0;
        const Pose due = Runners::place_of(number, is_bad ? 2 : 3);
        ASSERT_EQ(runners.stage.logical(runners.ids[number]), due) << number;
        ASSERT_EQ(runners.stage.visual(runners.ids[number]), due) << number;
    }
}

// Runs of many lengths, and a batch so large that it is written past the caches.
TEST(StageBatchFaults, BadItemsInLongBatchesAreLeftOut) {
    for (const std::size_t count : {5000U, 75'000U}) {
        expect_refusals(count, Form::Poses);
        expect_refusals(count, Form::Columns);
        expect_refusals(count, Form::Velocities);
    }
}

/// Of the second of two batches of a tick the item at `place` is bad.
void expect_first_batch_stays(std::size_t place, Form form) {
    Runners runners(1000);
    const Tick tick = tick_at(3);
    const std::span<const Id> ids = runners.ids;
    ASSERT_EQ(move_as(form, runners.stage, tick, ids, runners.poses_of(7)).status, StageStatus::Ok);
    std::vector<Pose> poses = runners.poses_of(8);
    poses[place].rotation.w = 0.0F;
    poses[place].rotation.z = kNanFloat;
    ASSERT_EQ(move_as(form, runners.stage, tick, ids, poses).accepted_count, 999U);
    for (std::size_t number = 0; number < ids.size(); ++number) {
        const std::int64_t index = number == place ? 7 : 8;
        ASSERT_EQ(runners.stage.logical(ids[number]), Runners::place_of(number, index)) << number;
    }
}

// What a batch has stored in vain behind a bad item must not be what another batch said before.
TEST(StageBatchFaults, ABadItemLeavesWhatABatchBeforeItSaidInTheSameTick) {
    for (const std::size_t place : {20U, 100U, 700U}) {
        SCOPED_TRACE(place);
        expect_first_batch_stays(place, Form::Poses);
        expect_first_batch_stays(place, Form::Columns);
    }
}

TEST(StageBatchFaults, ScalesAndRotationsThatAreNotQuiteUnitAreTakenInTheMiddleOfARun) {
    for (const Form form : {Form::Poses, Form::Columns, Form::Velocities}) {
        Runners runners;
        std::vector<Pose> poses = runners.poses_of(3);
        poses[20].scale = {1.0F, 2.0F, -3.0F};
        poses[40].rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 1.004F);
        poses[41].rotation = quat_xyzw(0.0F, 0.6F * 0.998F, 0.0F, 0.8F * 0.998F);
        EXPECT_EQ(move_as(form, runners.stage, tick_at(3), runners.ids, poses).accepted_count,
                  100U);
        poses[40].rotation = normalised(poses[40].rotation);
        poses[41].rotation = normalised(poses[41].rotation);
        for (std::size_t number = 0; number < poses.size(); ++number) {
            EXPECT_EQ(runners.stage.logical(runners.ids[number]), poses[number]) << number;
        }
        EXPECT_TRUE(is_near(runners.stage.logical(runners.ids[41]).rotation,
                            quat_xyzw(0.0F, 0.6F, 0.0F, 0.8F), 2 * kFloatAngleRad));
        // Without a scale again.
        EXPECT_EQ(move_as(form, runners.stage, tick_at(4), runners.ids, runners.poses_of(4)).status,
                  StageStatus::Ok);
        EXPECT_EQ(runners.stage.logical(runners.ids[20]), Runners::place_of(20, 4));
    }
}

// In the middle of a run, and at its ends.
TEST(StageBatchFaults, ABadVelocityIsLeftOutAndAllOthersAreRecorded) {
    for (const std::size_t bad : {0U, 7U, 64U, 99U}) {
        Runners runners;
        const std::vector<Pose> poses = runners.poses_of(3);
        std::vector<Velocity> velocities(poses.size(), {.linear = {1.0F, 2.0F, 3.0F}});
        velocities[bad].angular.y = bad % 2 == 0 ? kNanFloat : 2.0F * kMaxVelocity;
        const BatchResult result = runners.stage.move(tick_at(3), runners.ids, poses, velocities);
        EXPECT_EQ(result.status, StageStatus::BadVelocity);
        EXPECT_EQ(result.first_refused, bad);
        EXPECT_EQ(result.accepted_count, 99U);
        for (std::size_t number = 0; number < poses.size(); ++number) {
            EXPECT_EQ(runners.stage.logical(runners.ids[number]),
                      Runners::place_of(number, number == bad ? 2 : 3))
                << number;
        }
    }
}

TEST(StageBatchFaults, OfTwoItemsWithOneIdTheLastCounts) {
    for (const std::size_t place : {1U, 30U, 63U, 64U, 99U}) {
        Runners runners;
        std::vector<Id> ids = runners.ids;
        std::vector<Pose> poses = runners.poses_of(3);
        ids[place] = ids[place - 1];
        const BatchResult result = runners.stage.move(tick_at(3), ids, poses);
        EXPECT_EQ(result.status, StageStatus::Ok);
        EXPECT_EQ(result.accepted_count, 100U);
        EXPECT_EQ(runners.stage.logical(ids[place - 1]), poses[place]);
        EXPECT_EQ(runners.stage.logical(runners.ids[place]), Runners::place_of(place, 2));
        // And shown so.
        runners.show(60'000'000);
        EXPECT_EQ(runners.stage.visual(ids[place - 1]), poses[place]);
    }
}

TEST(StageBatchFaults, ATickThatIsOldIsRefusedForEveryItem) {
    Runners runners;
    const std::uint64_t before = compute_digest(runners.stage, runners.ids);
    for (const Tick& tick : {tick_at(1), Tick{.index = 3, .time_ns = 5, .duration_ns = 5}}) {
        const BatchResult result = runners.stage.move(tick, runners.ids, runners.poses_of(9));
        EXPECT_EQ(result.status, StageStatus::StaleTick);
        EXPECT_EQ(result.accepted_count, 0U);
        EXPECT_EQ(result.first_refused, 0U);
    }
    EXPECT_EQ(
        runners.stage.move({.index = 3, .time_ns = 60'000'000}, runners.ids, runners.poses_of(9))
            .status,
        StageStatus::BadTick);
    EXPECT_EQ(compute_digest(runners.stage, runners.ids), before);
}

TEST(StageBatchFaults, ABatchOfWhichNothingIsAcceptedBeginsNoTick) {
    Runners runners;
    const std::uint64_t before = compute_digest(runners.stage, runners.ids);
    const Tick tick = tick_at(3);
    Pose far_away = Runners::place_of(0, 3);
    far_away.position.y = -kNan;
    Pose turned = Runners::place_of(0, 3);
    turned.rotation.x = kNanFloat;
    Pose stretched = Runners::place_of(0, 3);
    stretched.scale.z = kNanFloat;
    const std::vector<Velocity> still(runners.ids.size());
    for (const Pose& bad : {far_away, turned, stretched}) {
        const std::vector<Pose> poses(runners.ids.size(), bad);
        EXPECT_EQ(runners.stage.move(tick, runners.ids, poses).accepted_count, 0U);
        EXPECT_EQ(runners.stage.move(tick, runners.ids, poses, still).accepted_count, 0U);
    }
    const std::vector<Velocity> wild(runners.ids.size(), {.angular = {0.0F, kNanFloat, 0.0F}});
    EXPECT_EQ(runners.stage.move(tick, runners.ids, runners.poses_of(3), wild).accepted_count, 0U);
    EXPECT_EQ(runners.stage.newest()->index, 2);
    EXPECT_EQ(compute_digest(runners.stage, runners.ids), before);
}

TEST(StageBatchFaults, SpansThatDifferInLengthAreRefusedAsAWhole) {
    Runners runners;
    const std::uint64_t before = compute_digest(runners.stage, runners.ids);
    const std::vector<Pose> poses = runners.poses_of(3);
    const std::vector<Velocity> velocities(poses.size());
    const std::vector<double> numbers(poses.size());
    const std::vector<float> floats(poses.size(), 1.0F);
    const PoseColumns good{.x = numbers,
                           .y = numbers,
                           .z = numbers,
                           .qx = floats,
                           .qy = floats,
                           .qz = floats,
                           .qw = floats};
    const Tick tick = tick_at(3);
    Stage& stage = runners.stage;
    const auto expect_mismatch = [](const BatchResult& result) {
        EXPECT_EQ(result.status, StageStatus::SizeMismatch);
        EXPECT_EQ(result.accepted_count, 0U);
    };
    expect_mismatch(stage.move(tick, runners.ids, std::span(poses).first(99)));
    expect_mismatch(stage.move(tick, runners.ids, std::span(poses).first(99), velocities));
    expect_mismatch(stage.move(tick, runners.ids, poses, std::span(velocities).first(99)));
    PoseColumns short_z = good;
    short_z.z = good.z.first(99);
    expect_mismatch(stage.move(tick, runners.ids, short_z));
    PoseColumns short_qy = good;
    short_qy.qy = {};
    expect_mismatch(stage.move(tick, runners.ids, short_qy));
    PoseColumns half_scale = good;
    half_scale.scale_y = floats;
    expect_mismatch(stage.move(tick, runners.ids, half_scale));
    EXPECT_EQ(stage.stats().refused_count[static_cast<std::size_t>(StageStatus::SizeMismatch)], 6U);
    EXPECT_EQ(compute_digest(stage, runners.ids), before);
}

void move_twice(bool in_order_first, bool in_order_last) {
    const Pose first{.position = {-1.0, -2.0, -3.0}};
    const Pose last{.position = {7.0, 8.0, 9.0},
                    .rotation = quat_from_rotation_vector({0.1, 0.2, 0.3})};
    Runners runners;
    Stage& stage = runners.stage;
    const Tick tick = runners.open_tick();
    const auto move = [&](const Pose& pose, bool in_order) {
        const Id before = runners.ids[in_order ? 49 : 10];
        ASSERT_EQ(stage.move(tick, before, stage.logical(before)), StageStatus::Ok);
        ASSERT_EQ(stage.move(tick, runners.ids[50], pose), StageStatus::Ok);
        EXPECT_EQ(stage.logical(runners.ids[50]), pose);
    };
    move(first, in_order_first);
    move(last, in_order_last);
    runners.show(60'000'000);
    EXPECT_EQ(stage.visual(runners.ids[50]), last);
    EXPECT_EQ(stage.logical(runners.ids[50]), last);
}

// In order a move goes straight to its column, out of order it waits; whichever comes last counts.
TEST(StageBatchFaults, MovingTwiceInATickTheLastOneCounts) {
    move_twice(true, true);
    move_twice(true, false);
    move_twice(false, true);
    move_twice(false, false);
}

// Whole blocks of rows are brought to their columns at once, others row by row.
TEST(StageBatchFaults, MovesFromTheLastToTheFirstAreAllRecorded) {
    for (const std::size_t left_out : {0U, 1U, 70U}) {
        Runners runners(200);
        const Tick tick = runners.open_tick();
        for (std::size_t number = runners.ids.size(); number > left_out; --number) {
            const Pose pose = Runners::place_of(number - 1, 3);
            ASSERT_EQ(runners.stage.move(tick, runners.ids[number - 1], pose), StageStatus::Ok);
        }
        runners.show(tick.time_ns);
        for (std::size_t number = 0; number < runners.ids.size(); ++number) {
            const Pose due = Runners::place_of(number, number < left_out ? 2 : 3);
            ASSERT_EQ(runners.stage.logical(runners.ids[number]), due) << number;
            ASSERT_EQ(runners.stage.visual(runners.ids[number]), due) << number;
        }
    }
}

// After a batch, too, and with velocities.
TEST(StageBatchFaults, ASingleMoveAfterABatchAndABatchAfterASingleMoveCount) {
    Runners runners;
    Stage& stage = runners.stage;
    const Tick tick = runners.open_tick();
    ASSERT_EQ(stage.move(tick, runners.ids[50], at_x(-5.0)), StageStatus::Ok);
    runners.move_all(3);
    EXPECT_EQ(stage.logical(runners.ids[50]), Runners::place_of(50, 3));
    ASSERT_EQ(stage.move(tick, runners.ids[20], at_x(-6.0)), StageStatus::Ok);
    ASSERT_EQ(stage.move(tick, runners.ids[30], at_x(-7.0)), StageStatus::Ok);
    ASSERT_EQ(stage.move(tick, runners.ids[30], at_x(-8.0), {.velocity = {.linear = {1, 2, 3}}}),
              StageStatus::Ok);
    runners.show(60'000'000);
    EXPECT_EQ(stage.visual(runners.ids[50]), Runners::place_of(50, 3));
    EXPECT_EQ(stage.visual(runners.ids[20]), at_x(-6.0));
    EXPECT_EQ(stage.visual(runners.ids[30]), at_x(-8.0));
}

/// Object 50 has been moved out of order in a tick that is open: its move waits.
struct Staged : Runners {
    explicit Staged(const StageConfig& config = {.tag = 3}) : Runners(100, config) {
        tick = open_tick();
        EXPECT_EQ(stage.move(tick, ids[10], place_of(10, 3)), StageStatus::Ok);
        EXPECT_EQ(stage.move(tick, id(), staged), StageStatus::Ok);
    }

    [[nodiscard]] Id id() const { return ids[50]; }

    const Pose staged = {.position = {1.0, 2.0, 3.0},
                         .rotation = quat_from_rotation_vector({0.0, 0.5, 0.0})};
    Tick tick;
};

TEST(StageBatchFaults, AMoveThatWaitsIsLogicalAtOnce) {
    Staged scene;
    EXPECT_EQ(scene.stage.logical(scene.id()), scene.staged);
    EXPECT_EQ(scene.stage.sample(scene.id(), scene.tick.time_ns), scene.staged);
    scene.show(scene.tick.time_ns);
    EXPECT_EQ(scene.stage.visual(scene.id()), scene.staged);
}

TEST(StageBatchFaults, ACutAfterAMoveThatWaitsCounts) {
    for (const CutShows cuts : {CutShows::AtOnce, CutShows::AtStamp}) {
        Staged scene({.tag = 3, .track = {.cuts = cuts}});
        ASSERT_EQ(scene.stage.cut(scene.tick, scene.id(), at_x(77.0)), StageStatus::Ok);
        EXPECT_EQ(scene.stage.logical(scene.id()), at_x(77.0));
        scene.show(scene.tick.time_ns);
        EXPECT_EQ(scene.stage.visual(scene.id()), at_x(77.0));
        EXPECT_EQ(scene.stage.shown_cuts(scene.id()), 1U);
    }
}

TEST(StageBatchFaults, AShiftTakesAMoveThatWaitsAlong) {
    Staged scene;
    const Rigid rigid{.translation = {100.0, 0.0, 0.0}};
    ASSERT_EQ(scene.stage.shift(scene.tick, scene.id(), rigid), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(scene.id()), apply(rigid, scene.staged));
    scene.show(scene.tick.time_ns);
    EXPECT_EQ(scene.stage.visual(scene.id()), apply(rigid, scene.staged));
}

TEST(StageBatchFaults, ACorrectionOfTheTickOrOfTheOneBeforeKeepsTheRest) {
    Staged scene;
    ASSERT_EQ(scene.stage.amend(tick_at(2), scene.id(), at_x(5.0)), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(scene.id()), scene.staged);
    ASSERT_EQ(scene.stage.amend(scene.tick, scene.id(), at_x(6.0)), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(scene.id()), at_x(6.0));
    EXPECT_EQ(scene.stage.logical(scene.ids[10]), Runners::place_of(10, 3));
}

TEST(StageBatchFaults, RemovingAnObjectWhoseMoveWaitsLeavesTheOthersAlone) {
    Staged scene;
    // The last row takes the place of the removed one while its own move waits, too.
    const Id last = scene.ids.back();
    ASSERT_EQ(scene.stage.move(scene.tick, last, at_x(-9.0)), StageStatus::Ok);
    ASSERT_EQ(scene.stage.remove(scene.id()), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(last), at_x(-9.0));
    const Id fresh = scene.stage.add(at_x(4.0));
    ASSERT_EQ(scene.stage.move(scene.tick, fresh, at_x(5.0)), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(fresh), at_x(5.0));
    scene.show(scene.tick.time_ns);
    EXPECT_EQ(scene.stage.visual(last), at_x(-9.0));
    EXPECT_EQ(scene.stage.visual(fresh), at_x(5.0));
    EXPECT_EQ(scene.stage.visual(scene.ids[10]), Runners::place_of(10, 3));
}

TEST(StageBatchFaults, HidingShowingAndNewParentsKeepAMoveThatWaits) {
    Staged scene;
    ASSERT_EQ(scene.stage.hide(scene.id()), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(scene.id()), scene.staged);
    ASSERT_EQ(scene.stage.show(scene.id()), StageStatus::Ok);
    scene.show(scene.tick.time_ns - 4'000'000);
    EXPECT_EQ(scene.stage.visual(scene.id()), scene.staged);

    Staged other;
    const Id parent = other.stage.add({.position = {10.0, 0.0, 0.0}});
    ASSERT_EQ(other.stage.set_parent(other.id(), parent), StageStatus::Ok);
    // From 10 m away, in doubles.
    EXPECT_TRUE(is_near(other.stage.logical(other.id()).position, {-9.0, 2.0, 3.0}, 1e-14));
}

TEST(StageBatchFaults, ARebaseMovesWhatWaits) {
    Staged scene;
    ASSERT_EQ(scene.stage.rebase({1000.0, 0.0, 0.0}), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(scene.id()).position, glm::dvec3(1001.0, 2.0, 3.0));
    EXPECT_EQ(scene.stage.logical(scene.ids[10]).position, glm::dvec3(1010.0, 3.0, 0.5));
}

// A frame closes the tick for the short way only.
TEST(StageBatchFaults, AnAbsurdTickIsRefusedAlsoBetweenTwoTicks) {
    Stage stage;
    const Id id = stage.add({});
    for (const std::int64_t index : {1, 2, 3}) {
        const Pose pose{.position = {static_cast<double>(index), 0.0, 0.0}};
        ASSERT_EQ(stage.move(tick_at(index), id, pose), StageStatus::Ok);
    }
    ASSERT_EQ(stage.present({.time_ns = 2 * kSceneTickNs, .now_ns = 0}), StageStatus::Ok);
    Tick absurd = tick_at(3);
    absurd.index = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(stage.move(absurd, id, {.position = {99.0, 0.0, 0.0}}), StageStatus::BadTick);
    EXPECT_EQ(stage.logical(id).position.x, 3.0);
}

TEST(StageBatchFaults, MovesOfTheSameTickAfterAFrameCount) {
    Staged scene;
    scene.show(scene.tick.time_ns - 10'000'000);
    ASSERT_EQ(scene.stage.move(scene.tick, scene.id(), at_x(30.0)), StageStatus::Ok);
    EXPECT_EQ(scene.stage.logical(scene.id()), at_x(30.0));
    EXPECT_EQ(scene.stage.logical(scene.ids[10]), Runners::place_of(10, 3));
    scene.move_all(3);
    EXPECT_EQ(scene.stage.logical(scene.id()), Runners::place_of(50, 3));
    scene.show(scene.tick.time_ns);
    for (std::size_t number = 0; number < scene.ids.size(); ++number) {
        EXPECT_EQ(scene.stage.visual(scene.ids[number]), Runners::place_of(number, 3));
    }
    EXPECT_EQ(scene.stage.mover_count(), 100U);
}

} // namespace
} // namespace glissade::testing
