// SPDX-License-Identifier: MIT
#include "glissade/stage/stage.h"

#include "stage/door_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

// Calls that are refused for what the stage holds: full stores, families, and batches in which one
// item is bad.

namespace glissade::testing {
namespace {

constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();

TEST(StageLimits, AFullStageRefusesNewObjectsAndTakesThemAgainAfterARemoval) {
    Scene scene;
    Stage& stage = scene.stage;
    while (stage.size() < stage.capacity()) {
        ASSERT_EQ(stage.add({}).status, StageStatus::Ok);
    }
    expect_refused(scene, StageStatus::Full, [&] { return stage.add({}).status; });
    expect_refused(scene, StageStatus::Full, [&] { return stage.spawn(scene.tick, {}).status; });
    EXPECT_EQ(stage.remove(scene.resting), StageStatus::Ok);
    EXPECT_EQ(stage.spawn(scene.tick, {}).status, StageStatus::Ok);
    EXPECT_EQ(stage.size(), stage.capacity());
}

TEST(StageLimits, AStageOfCapacityZeroRefusesEverything) {
    Stage stage({.capacity = 0, .event_capacity = 0, .shift_capacity = 0});
    EXPECT_EQ(stage.add({}).status, StageStatus::Full);
    EXPECT_EQ(stage.spawn(tick_at(1), {}).status, StageStatus::Full);
    EXPECT_EQ(stage.post({}), StageStatus::Full);
    EXPECT_EQ(stage.present({.time_ns = 0}), StageStatus::Ok);
    EXPECT_TRUE(stage.changed().empty());
}

/// One object moves, and no other can.
struct OneMover {
    explicit OneMover(CutShows cuts = CutShows::AtOnce)
        : stage({.capacity = 4, .track = {.cuts = cuts, .mover_capacity = 1}}) {
        EXPECT_EQ(stage.move(tick_at(1), mover, at_x(1.0)), StageStatus::Ok);
        EXPECT_EQ(stage.present({.time_ns = 10'000'000}), StageStatus::Ok);
    }

    void expect_full(StageStatus status) {
        EXPECT_EQ(status, StageStatus::Full) << to_string(status);
        EXPECT_EQ(stage.logical(resting), at_x(5.0));
        EXPECT_EQ(stage.newest()->index, 1);
        EXPECT_EQ(stage.mover_count(), 1U);
    }

    Stage stage;
    Id mover = stage.add(at_x(0.0));
    Id resting = stage.add(at_x(5.0));
    Id child = stage.add(at_x(1.0), {.parent = mover});
};

TEST(StageLimits, FullMoverRowsRefuseWhatNeedsOne) {
    OneMover full;
    Stage& stage = full.stage;
    full.expect_full(stage.move(tick_at(2), full.resting, at_x(6.0)));
    full.expect_full(stage.shift(tick_at(2), full.resting, {.translation = {1.0, 0.0, 0.0}}));
    full.expect_full(stage.amend(tick_at(1), full.resting, at_x(6.0)));
    full.expect_full(stage.spawn(tick_at(2), {}).status);
    // Both would have to follow the mover's path with a history of their own.
    full.expect_full(stage.set_parent(full.resting, full.mover));
    full.expect_full(stage.set_parent(full.child, {}));
    EXPECT_EQ(stage.stats().refused_count[static_cast<std::size_t>(StageStatus::Full)], 6U);
    OneMover delayed(CutShows::AtStamp);
    delayed.expect_full(delayed.stage.cut(tick_at(2), delayed.resting, at_x(6.0)));
    delayed.expect_full(delayed.stage.cut(delayed.resting, at_x(6.0)));
}

TEST(StageLimits, FullMoverRowsDoNotRefuseWhatNeedsNone) {
    OneMover full;
    Stage& stage = full.stage;
    EXPECT_EQ(stage.move(tick_at(2), full.resting, at_x(5.0)), StageStatus::Ok);
    EXPECT_EQ(stage.cut(tick_at(2), full.resting, at_x(6.0)), StageStatus::Ok);
    EXPECT_EQ(stage.visual(full.resting), at_x(6.0));
    EXPECT_EQ(stage.cut(full.resting, at_x(7.0)), StageStatus::Ok);
    EXPECT_EQ(stage.hide(full.resting), StageStatus::Ok);
    EXPECT_EQ(stage.move(tick_at(2), full.resting, at_x(8.0)), StageStatus::Ok);
    EXPECT_EQ(stage.show(full.resting), StageStatus::Ok);
    EXPECT_EQ(stage.logical(full.resting), at_x(8.0));
    EXPECT_EQ(stage.move(tick_at(2), full.mover, at_x(2.0)), StageStatus::Ok);
    EXPECT_EQ(stage.mover_count(), 1U);
}

TEST(StageLimits, AChildOfARemovedParentStandsWhereItWasShownIfNoRowIsLeft) {
    OneMover full;
    const glm::dvec3 shown = full.stage.world(full.child).translation;
    EXPECT_EQ(shown.x, 1.5);
    EXPECT_EQ(full.stage.remove(full.mover), StageStatus::Ok);
    EXPECT_EQ(full.stage.world(full.child).translation, shown);
    EXPECT_EQ(full.stage.present({.time_ns = 20'000'000}), StageStatus::Ok);
    EXPECT_EQ(full.stage.world(full.child).translation, shown);
    EXPECT_EQ(full.stage.shown_cuts(full.child), 1U);
}

TEST(StageLimits, FullEventPlacesRefuseAndEmptyAgain) {
    Scene scene;
    for (std::uint64_t value = 0; value < 4; ++value) {
        EXPECT_EQ(scene.stage.post({.time_ns = 55'000'000, .value = value}), StageStatus::Ok);
    }
    expect_refused(scene, StageStatus::Full, [&] { return scene.stage.post({}); });
    EXPECT_EQ(scene.stage.post({.track = scene.track}), StageStatus::Ok);
    EXPECT_EQ(scene.stage.present({.time_ns = 55'000'000}), StageStatus::Ok);
    EXPECT_EQ(scene.stage.events().size(), 5U);
    EXPECT_EQ(scene.stage.post({}), StageStatus::Ok);
}

TEST(StageLimits, FullShiftPlacesRefuse) {
    Stage stage({.capacity = 4, .shift_capacity = 2});
    const Id first = stage.add({});
    const Id second = stage.add({});
    const Id third = stage.add({});
    const Rigid rigid{.translation = {1.0, 0.0, 0.0}};
    EXPECT_EQ(stage.shift(tick_at(1), first, rigid), StageStatus::Ok);
    EXPECT_EQ(stage.shift(tick_at(1), second, rigid), StageStatus::Ok);
    EXPECT_EQ(stage.shift(tick_at(1), third, rigid), StageStatus::Full);
    EXPECT_EQ(stage.logical(third), Pose{});
    // When the picture has left them behind, and they the history, there is room again.
    for (std::int64_t index = 2; index < 6; ++index) {
        EXPECT_EQ(stage.move(tick_at(index), first, {}), StageStatus::Ok);
        EXPECT_EQ(stage.present({.time_ns = tick_at(index).time_ns}), StageStatus::Ok);
    }
    EXPECT_EQ(stage.shift(tick_at(6), third, rigid), StageStatus::Ok);
}

TEST(StageLimits, TooManyDespawnsAreRefused) {
    Stage stage({.capacity = 2});
    const Id id = stage.add({});
    EXPECT_EQ(stage.despawn(tick_at(1), id), StageStatus::Ok);
    EXPECT_EQ(stage.despawn(tick_at(1), id), StageStatus::Ok);
    EXPECT_EQ(stage.despawn(tick_at(1), id), StageStatus::Full);
    EXPECT_EQ(stage.present({.time_ns = 20'000'000}), StageStatus::Ok);
    EXPECT_FALSE(stage.contains(id));
    EXPECT_EQ(stage.stats().remove_count, 1U);
}

void amend_before_a_cut(CutShows cuts) {
    Stage stage({.track = {.history = 8, .cuts = cuts}});
    const Id clock = stage.add({});
    const Id cut = stage.add({});
    const Id shown = stage.add({});
    for (std::int64_t index = 1; index < 8; ++index) {
        ASSERT_EQ(stage.move(tick_at(index), clock, at_x(static_cast<double>(index))),
                  StageStatus::Ok);
        if (index == 3) {
            ASSERT_EQ(stage.cut(tick_at(3), cut, at_x(100.0)), StageStatus::Ok);
            ASSERT_EQ(stage.show(shown, at_x(100.0)), StageStatus::Ok);
        }
        ASSERT_EQ(stage.present({.time_ns = tick_at(index).time_ns}), StageStatus::Ok);
    }
    const Id late = stage.add(at_x(100.0));
    ASSERT_EQ(stage.mover_count(), 1U);
    for (const Id id : {cut, shown, late}) {
        EXPECT_EQ(stage.amend(tick_at(2), id, {}), StageStatus::TooOld);
        EXPECT_EQ(stage.visual(id), at_x(100.0));
    }
    EXPECT_EQ(stage.amend(tick_at(4), cut, at_x(101.0)), StageStatus::Ok);
    // After a restart ticks count anew, and old cuts with them.
    ASSERT_EQ(stage.restart(kDefaultTrack, 0), StageStatus::Ok);
    ASSERT_EQ(stage.move(tick_at(1), clock, {}), StageStatus::Ok);
    EXPECT_EQ(stage.amend(tick_at(1), cut, at_x(102.0)), StageStatus::Ok);
}

// Nothing is blended across a cut, whether or not the object had a history when it was made.
TEST(StageLimits, AStateBeforeACutOfARestingObjectCannotBeAmended) {
    amend_before_a_cut(CutShows::AtOnce);
    amend_before_a_cut(CutShows::AtStamp);
}

TEST(StageLimits, AnObjectIsNeverBelowItself) {
    Scene scene;
    Stage& stage = scene.stage;
    const Id grandchild = stage.add({}, {.parent = scene.child});
    scene.ids.push_back(grandchild);
    expect_refused(scene, StageStatus::WouldCycle,
                   [&] { return stage.set_parent(scene.mover, scene.mover); });
    expect_refused(scene, StageStatus::WouldCycle,
                   [&] { return stage.set_parent(scene.mover, scene.child); });
    expect_refused(scene, StageStatus::WouldCycle,
                   [&] { return stage.set_parent(scene.mover, grandchild); });
    EXPECT_EQ(stage.set_parent(grandchild, scene.mover), StageStatus::Ok);
}

TEST(StageLimits, AFamilyIsAtMostSoManyParentsDeep) {
    Stage stage({.capacity = 2 * kMaxDepth});
    std::vector<Id> chain = {stage.add({})};
    while (chain.size() <= kMaxDepth) {
        chain.push_back(stage.add({}, {.parent = chain.back()}));
        ASSERT_TRUE(stage.contains(chain.back())) << chain.size();
    }
    EXPECT_EQ(stage.add({}, {.parent = chain.back()}).status, StageStatus::TooDeep);
    EXPECT_EQ(stage.spawn(tick_at(1), {}, {.parent = chain.back()}).status, StageStatus::TooDeep);
    EXPECT_FALSE(stage.newest().has_value());
    const Id other = stage.add({});
    EXPECT_EQ(stage.set_parent(other, chain.back()), StageStatus::TooDeep);
    EXPECT_TRUE(stage.parent(other).is_null());
    // What hangs below counts as well.
    EXPECT_EQ(stage.set_parent(chain.front(), other), StageStatus::TooDeep);
    EXPECT_EQ(stage.set_parent(chain[1], other), StageStatus::Ok);
    EXPECT_EQ(stage.stats().refused_count[static_cast<std::size_t>(StageStatus::TooDeep)], 4U);
}

TEST(StageLimits, AParentWithoutAnInsideIsRefused) {
    Scene scene;
    Stage& stage = scene.stage;
    for (const glm::vec3& scale : {glm::vec3(0.0F), glm::vec3(1.0F, 0.0F, 1.0F),
                                   glm::vec3(1.0F, 1.0F, 1e-30F), glm::vec3(-0.0F, 1.0F, 1.0F)}) {
        EXPECT_EQ(stage.cut(scene.resting, {.scale = scale}), StageStatus::Ok);
        expect_refused(scene, StageStatus::SingularParent,
                       [&] { return stage.set_parent(scene.child, scene.resting); });
    }
    // A grandparent counts as well, small and negative scales do not.
    const Id below = stage.add({}, {.parent = scene.resting});
    expect_refused(scene, StageStatus::SingularParent,
                   [&] { return stage.set_parent(scene.child, below); });
    EXPECT_EQ(stage.cut(scene.resting, {.scale = glm::vec3(-1e-6F)}), StageStatus::Ok);
    EXPECT_EQ(stage.set_parent(scene.child, below), StageStatus::Ok);
    EXPECT_TRUE(std::isfinite(stage.logical(scene.child).position.x));
}

TEST(StageLimits, AParentThatHadNoInsideInItsHistoryIsRefused) {
    Stage stage;
    const Id parent = stage.add({.scale = glm::vec3(0.0F)});
    const Id child = stage.add({});
    EXPECT_EQ(stage.move(tick_at(1), parent, {.scale = glm::vec3(1.0F)}), StageStatus::Ok);
    EXPECT_EQ(stage.move(tick_at(1), child, at_x(1.0)), StageStatus::Ok);
    EXPECT_EQ(stage.present({.time_ns = 10'000'000}), StageStatus::Ok);
    EXPECT_EQ(stage.visual(parent).scale.x, 0.5F);
    // Now and at the newest tick it has an inside, but the child's path begins at the tick before.
    EXPECT_EQ(stage.set_parent(child, parent), StageStatus::SingularParent);
    EXPECT_EQ(stage.present({.time_ns = 15'000'000}), StageStatus::Ok);
    EXPECT_EQ(stage.visual(child), at_x(0.75));
    EXPECT_EQ(stage.move(tick_at(2), child, at_x(2.0)), StageStatus::Ok);
    EXPECT_EQ(stage.present({.time_ns = 25'000'000}), StageStatus::Ok);
    EXPECT_EQ(stage.set_parent(child, parent), StageStatus::Ok);
}

TEST(StageLimits, ABatchTakesTheGoodItemsAndNamesTheFirstBadOne) {
    Scene scene;
    const std::array<Id, 5> ids = {scene.resting, scene.gone, scene.mover, scene.child,
                                   scene.other};
    std::array<Pose, 5> poses;
    for (std::size_t item = 0; item < poses.size(); ++item) {
        poses[item] = at_x(100.0 + static_cast<double>(item));
    }
    poses[3].scale.y = kNanF;
    const BatchResult result = scene.stage.move(scene.tick, ids, poses);
    EXPECT_EQ(result.accepted_count, 3U);
    EXPECT_EQ(result.first_refused, 1U);
    EXPECT_EQ(result.status, StageStatus::StaleHandle);
    EXPECT_EQ(scene.stage.logical(scene.resting), at_x(100.0));
    EXPECT_EQ(scene.stage.logical(scene.mover), at_x(102.0));
    EXPECT_EQ(scene.stage.logical(scene.child), at_x(3.0));
    EXPECT_EQ(scene.stage.logical(scene.other), at_x(104.0));
    const auto& refused = scene.stage.stats().refused_count;
    EXPECT_EQ(refused[static_cast<std::size_t>(StageStatus::StaleHandle)], 1U);
    EXPECT_EQ(refused[static_cast<std::size_t>(StageStatus::BadScale)], 1U);
}

TEST(StageLimits, ABatchOfColumnsDoesTheSame) {
    Scene scene;
    const std::array<Id, 3> ids = {scene.resting, scene.mover, scene.child};
    const std::array<double, 3> x = {7.0, 8.0, 9.0};
    const std::array<double, 3> zeros{};
    const std::array<float, 3> none{};
    const std::array<float, 3> qw = {1.0F, 0.0F, 1.0F};
    const PoseColumns columns{
        .x = x, .y = zeros, .z = zeros, .qx = none, .qy = none, .qz = none, .qw = qw};
    const BatchResult result = scene.stage.move(scene.tick, ids, columns);
    EXPECT_EQ(result.accepted_count, 2U);
    EXPECT_EQ(result.first_refused, 1U);
    EXPECT_EQ(result.status, StageStatus::ZeroRotation);
    EXPECT_EQ(scene.stage.logical(scene.resting), at_x(7.0));
    EXPECT_EQ(scene.stage.logical(scene.mover), at_x(3.0));
    EXPECT_EQ(scene.stage.logical(scene.child), at_x(9.0));
}

TEST(StageLimits, AnEmptyBatchIsFineAndDoesNothing) {
    Scene scene;
    const std::uint64_t digest = scene.digest();
    for (const BatchResult& result :
         {scene.stage.move(scene.tick, std::span<const Id>{}, std::span<const Pose>{}),
          scene.stage.move(scene.tick, std::span<const Id>{}, PoseColumns{})}) {
        EXPECT_EQ(result.status, StageStatus::Ok);
        EXPECT_EQ(result.accepted_count, 0U);
    }
    EXPECT_EQ(scene.digest(), digest);
}

TEST(StageLimits, SpansOfDifferentLengthAreRefusedAsAWhole) {
    Scene scene;
    Stage& stage = scene.stage;
    const std::array<Id, 2> ids = {scene.resting, scene.mover};
    const std::array<Pose, 3> poses{};
    const std::array<double, 3> doubles{};
    const std::array<float, 3> floats{};
    expect_refused(scene, StageStatus::SizeMismatch,
                   [&] { return stage.move(scene.tick, ids, poses).status; });
    const std::span<const double> d = std::span(doubles).first(2);
    const std::span<const float> f = std::span(floats).first(2);
    const PoseColumns good{.x = d, .y = d, .z = d, .qx = f, .qy = f, .qz = f, .qw = f};
    for (int column = 0; column < 10; ++column) {
        SCOPED_TRACE(column);
        PoseColumns bad = good;
        const std::array<std::span<const double>*, 3> of_double = {&bad.x, &bad.y, &bad.z};
        const std::array<std::span<const float>*, 7> of_float = {
            &bad.qx, &bad.qy, &bad.qz, &bad.qw, &bad.scale_x, &bad.scale_y, &bad.scale_z};
        if (column < 3) {
            *of_double[static_cast<std::size_t>(column)] = doubles;
        } else {
            *of_float[static_cast<std::size_t>(column - 3)] = floats;
        }
        expect_refused(scene, StageStatus::SizeMismatch,
                       [&] { return stage.move(scene.tick, ids, bad).status; });
    }
    // One column of scales without the other two.
    PoseColumns lone = good;
    lone.scale_y = f;
    expect_refused(scene, StageStatus::SizeMismatch,
                   [&] { return stage.move(scene.tick, ids, lone).status; });
}

TEST(StageLimits, EveryStatusHasAName) {
    std::vector<std::string> names;
    for (std::size_t number = 0; number < kStageStatusCount; ++number) {
        names.emplace_back(to_string(static_cast<StageStatus>(number)));
        EXPECT_NE(names.back(), "unknown");
        EXPECT_EQ(std::count(names.begin(), names.end(), names.back()), 1) << names.back();
    }
    EXPECT_EQ(std::string("unknown"), to_string(static_cast<StageStatus>(kStageStatusCount)));
}

} // namespace
} // namespace glissade::testing
