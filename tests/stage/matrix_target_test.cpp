// SPDX-License-Identifier: MIT
// Matrices that a present() writes in the same pass: flat scenes, refusals, and the memory around.
#include "glissade/stage/stage.h"

#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

/// Objects without parents, all moved in every tick.
struct FlatScene {
    explicit FlatScene(std::size_t count, const StageConfig& config = {.capacity = 512})
        : stage(config) {
        for (std::size_t number = 0; number < count; ++number) {
            ids.push_back(stage.add(draw_scene_pose(random)));
        }
    }

    void run_tick(std::int64_t index) {
        for (const Id id : ids) {
            ASSERT_EQ(stage.move(tick_at(index), id, draw_scene_pose(random)), StageStatus::Ok);
        }
    }

    /// Three frames in each of some ticks, one of them on a tick, one tick behind.
    void run(std::int64_t first, std::int64_t last) {
        for (std::int64_t index = first; index <= last; ++index) {
            run_tick(index);
            show(index);
        }
    }

    void show(std::int64_t index) {
        for (const std::int64_t part_ns : {0, 6'700'000, 13'400'000}) {
            present_and_check(stage, (index - 1) * kSceneTickNs + part_ns);
        }
    }

    Random random{2024};
    Stage stage;
    std::vector<Id> ids;
};

TEST(StageMatrixTarget, AFlatSceneOfAnySizeGetsTheMatricesOfItsMovers) {
    for (const std::size_t count : {1U, 63U, 64U, 65U, 200U}) {
        SCOPED_TRACE(count);
        FlatScene scene(count);
        scene.run(1, 6);
        EXPECT_EQ(scene.stage.mover_count(), count);
    }
}

TEST(StageMatrixTarget, ScalesStretchTheAxesOfTheObject) {
    FlatScene scene(130);
    for (std::int64_t index = 1; index <= 8; ++index) {
        scene.run_tick(index);
        // Some of the rows, so that blocks are mixed; zero and mirrored scales are among them.
        for (std::size_t number = 0; number < scene.ids.size(); number += 5) {
            Pose pose = draw_scaled_pose(scene.random);
            pose.scale.y = number % 2 == 0 ? 0.0F : pose.scale.y;
            ASSERT_EQ(scene.stage.move(tick_at(index), scene.ids[number], pose), StageStatus::Ok);
        }
        scene.show(index);
    }
}

TEST(StageMatrixTarget, EveryBlendIsPlacedWhereItIsShown) {
    FlatScene scene(150);
    for (std::size_t number = 0; number < scene.ids.size(); ++number) {
        const auto blend = static_cast<Blend>(number % 4);
        ASSERT_EQ(scene.stage.set_blend(scene.ids[number], blend), StageStatus::Ok);
    }
    for (std::int64_t index = 1; index <= 6; ++index) {
        for (const Id id : scene.ids) {
            const Pose pose = draw_scene_pose(scene.random);
            ASSERT_EQ(scene.stage.move(tick_at(index), id, pose,
                                       {.velocity = draw_velocity(scene.random)}),
                      StageStatus::Ok);
        }
        scene.show(index);
    }
}

/// Something else than a move to some of the objects of a tick.
void disturb(FlatScene& scene, const Tick& tick) {
    Stage& stage = scene.stage;
    const auto draw_id = [&scene] { return scene.ids[draw_place(scene.random, scene.ids.size())]; };
    for (int number = 0; number < 4; ++number) {
        stage.cut(tick, draw_id(), draw_scene_pose(scene.random));
        const glm::dvec3 way = draw_position(scene.random);
        stage.shift(tick, draw_id(), {.translation = way, .rotation = draw_turn(scene.random)});
        stage.amend(tick, draw_id(), draw_scene_pose(scene.random));
        stage.hide(draw_id());
        stage.show(draw_id());
        scene.ids.push_back(stage.spawn(tick, draw_scene_pose(scene.random)));
    }
}

TEST(StageMatrixTarget, CutsShiftsCorrectionsAndSpawnsAreInIt) {
    for (const CutShows cuts : {CutShows::AtOnce, CutShows::AtStamp}) {
        FlatScene scene(150, {.capacity = 512, .track = {.history = 4, .cuts = cuts}});
        for (std::int64_t index = 1; index <= 12; ++index) {
            scene.run_tick(index);
            disturb(scene, tick_at(index));
            // Two ticks behind, so that what is spawned waits for the picture.
            scene.show(index - 1);
        }
        const StageStats& stats = scene.stage.stats();
        EXPECT_EQ(stats.cut_count, 48U);
        EXPECT_EQ(stats.shift_count, 48U);
        EXPECT_EQ(stats.amend_count, 48U);
    }
}

TEST(StageMatrixTarget, WhatWaitsForItsSpawnHasAMatrixToo) {
    Stage stage;
    Random random(3);
    const Id id = stage.spawn(tick_at(3), draw_scene_pose(random));
    present_and_check(stage, kSceneTickNs);
    ASSERT_EQ(stage.moved().ids.size(), 1U);
    EXPECT_FALSE(stage.visible(id));
}

TEST(StageMatrixTarget, AStillFrameFillsAFreshTarget) {
    FlatScene scene(130);
    scene.run(1, 3);
    // The same sample again, and again without a sample at all.
    for (int frame = 0; frame < 2; ++frame) {
        present_and_check(scene.stage, 2 * kSceneTickNs + 13'400'000);
        EXPECT_TRUE(scene.stage.changed().empty());
    }
    std::vector<glm::mat3x4> matrices(scene.ids.size(), kUntouchedMatrix);
    const MatrixTarget target{.matrices = matrices};
    ASSERT_EQ(scene.stage.present({}, {&target, 1}), StageStatus::Ok);
    expect_matrices(scene.stage, matrices);
    EXPECT_EQ(scene.stage.moved().ids.size(), scene.ids.size());
}

TEST(StageMatrixTarget, AFrameWithoutATargetBetweenTwoWithOneChangesNothing) {
    FlatScene scene(100);
    scene.run(1, 3);
    scene.run_tick(4);
    ASSERT_EQ(scene.stage.present({.time_ns = 65'000'000, .now_ns = 85'000'000}), StageStatus::Ok);
    present_and_check(scene.stage, 71'000'000);
}

TEST(StageMatrixTarget, AnUnderrunIsPlacedWhereItIsGuessed) {
    FlatScene scene(130, {.capacity = 512, .track = {.underrun_extrapolation_ns = 50'000'000}});
    scene.run(1, 3);
    for (const std::int64_t beyond_ns : {0, 7'000'000, 30'000'000, 90'000'000, 90'000'000}) {
        present_and_check(scene.stage, 3 * kSceneTickNs + beyond_ns);
    }
    const Id first = scene.ids.front();
    EXPECT_FALSE(scene.stage.visual(first) == scene.stage.logical(first));
    // The next ticks come after all: the difference fades.
    for (std::int64_t index = 9; index <= 11; ++index) {
        scene.run_tick(index);
        present_and_check(scene.stage, index * kSceneTickNs - 5'000'000);
    }
}

TEST(StageMatrixTarget, FarFromTheWorldsOriginOnlyTheDistanceToTheGivenOneCounts) {
    const glm::dvec3 far(1e7, -1e7, 5e6);
    Stage stage;
    const Id id = stage.add({.position = far});
    for (std::int64_t index = 1; index <= 4; ++index) {
        const glm::dvec3 place = far + glm::dvec3(0.001 * static_cast<double>(index), 2.0, -3.0);
        ASSERT_EQ(stage.move(tick_at(index), id, {.position = place}), StageStatus::Ok);
        const std::int64_t time_ns = index * kSceneTickNs - 5'000'000;
        std::array<glm::mat3x4, 1> matrices{};
        ASSERT_EQ(stage.present({.time_ns = time_ns}, {.matrices = matrices, .origin = far}),
                  StageStatus::Ok);
        const glm::dvec3 due = stage.visual(id).position - far;
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            // The difference is exact in double; floats below 4 m are within 2^-23 of it.
            EXPECT_NEAR(static_cast<double>(matrices[0][axis].w), due[axis], 0x1p-23);
        }
    }
}

TEST(StageMatrixTarget, AnUnalignedTargetIsFilledAsWell) {
    for (const std::size_t shift : {1U, 2U, 3U, 4U, 15U}) {
        FlatScene scene(130);
        scene.run(1, 2);
        scene.run_tick(3);
        std::vector<float> memory(12 * scene.ids.size() + 32, -7.0F);
        auto* const first = reinterpret_cast<glm::mat3x4*>(memory.data() + shift);
        const std::span<glm::mat3x4> matrices(first, scene.ids.size());
        ASSERT_EQ(scene.stage.present({.time_ns = 51'000'000}, {.matrices = matrices}),
                  StageStatus::Ok);
        expect_matrices(scene.stage, matrices);
        for (std::size_t place = 0; place < shift; ++place) {
            EXPECT_EQ(memory[place], -7.0F);
        }
        for (std::size_t place = shift + 12 * scene.ids.size(); place < memory.size(); ++place) {
            EXPECT_EQ(memory[place], -7.0F);
        }
    }
}

// So large that it is written past the caches.
TEST(StageMatrixTarget, AVeryLargeSceneIsWrittenCompletely) {
    constexpr std::size_t kCount = 150'001;
    FlatScene scene(kCount, {.capacity = 150'001});
    scene.run_tick(1);
    scene.run_tick(2);
    std::vector<glm::mat3x4> memory(kCount + 16, kUntouchedMatrix);
    for (const std::size_t lines : {0U, 1U}) {
        // On the start of a cache line, and 48 bytes behind it.
        const std::size_t misplaced = reinterpret_cast<std::uintptr_t>(memory.data()) / 16 % 4;
        const std::size_t skip = misplaced + lines; // 48 is 3 * 16: each matrix goes back by 16.
        const std::span<glm::mat3x4> matrices(memory.data() + skip, memory.size() - skip);
        const std::int64_t time_ns = 21'000'000 + static_cast<std::int64_t>(lines) * 9'000'000;
        ASSERT_EQ(scene.stage.present({.time_ns = time_ns}, {.matrices = matrices}),
                  StageStatus::Ok);
        expect_matrices(scene.stage, matrices);
        std::fill(memory.begin(), memory.end(), kUntouchedMatrix);
    }
}

/// What `target` is refused with; nothing may have changed.
StageStatus refuse(FlatScene& scene, const MatrixTarget& target) {
    const std::uint64_t digest = compute_digest(scene.stage, scene.ids);
    const StageStatus status = scene.stage.present({.time_ns = 43'000'000}, target);
    EXPECT_EQ(compute_digest(scene.stage, scene.ids), digest);
    EXPECT_EQ(scene.stage.range_count(), 0U);
    for (const glm::mat3x4& matrix : target.matrices) {
        EXPECT_EQ(matrix, kUntouchedMatrix);
    }
    return status;
}

TEST(StageMatrixTarget, ABadTargetIsRefusedAndNothingChanges) {
    FlatScene scene(66);
    scene.run(1, 2);
    scene.run_tick(3);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<glm::mat3x4> matrices(66, kUntouchedMatrix);
    const std::span<glm::mat3x4> all(matrices);
    EXPECT_EQ(refuse(scene, {.matrices = all.first(65)}), StageStatus::SizeMismatch);
    EXPECT_EQ(refuse(scene, {}), StageStatus::SizeMismatch);
    EXPECT_EQ(refuse(scene, {.track = TrackId{1}, .matrices = all}), StageStatus::NoSuchTrack);
    for (const double bad : {kNan, kInfinity, -2e12}) {
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            glm::dvec3 origin(1.0);
            origin[axis] = bad;
            EXPECT_EQ(refuse(scene, {.matrices = all, .origin = origin}), StageStatus::BadPosition);
        }
    }
    const StageStats& stats = scene.stage.stats();
    EXPECT_EQ(stats.refused_count[static_cast<std::size_t>(StageStatus::SizeMismatch)], 2U);
    EXPECT_EQ(stats.refused_count[static_cast<std::size_t>(StageStatus::BadPosition)], 9U);
    // Exactly as long as it must be, and the stage goes on as if nothing had happened.
    ASSERT_EQ(scene.stage.present({.time_ns = 43'000'000}, {.matrices = all}), StageStatus::Ok);
    expect_matrices(scene.stage, matrices);
}

TEST(StageMatrixTarget, ABadSampleLeavesTheTargetAlone) {
    FlatScene scene(70);
    scene.run(1, 3);
    std::vector<glm::mat3x4> matrices(70, kUntouchedMatrix);
    EXPECT_EQ(scene.stage.present({.time_ns = 1}, {.matrices = matrices}),
              StageStatus::TimeWentBack);
    EXPECT_EQ(matrices, std::vector<glm::mat3x4>(70, kUntouchedMatrix));
}

TEST(StageMatrixTarget, AnEmptyStageNeedsNoMatrices) {
    Stage stage;
    EXPECT_EQ(stage.present({.time_ns = 1}, MatrixTarget{}), StageStatus::Ok);
    stage.add(at_x(1.0));
    EXPECT_EQ(stage.present({.time_ns = 2}, MatrixTarget{}), StageStatus::Ok);
    EXPECT_EQ(stage.moved().ids.size(), 0U);
}

TEST(StageMatrixTarget, WhatLeavesMayWakeItsChildrenAndTheTargetIsNotOverrun) {
    Stage stage({.capacity = 256});
    const Id parent = stage.add({});
    for (int child = 0; child < 100; ++child) {
        ASSERT_EQ(stage.add({}, {.parent = parent}).status, StageStatus::Ok);
    }
    for (const std::int64_t index : {1, 2}) {
        const Pose pose{.position = {static_cast<double>(index), 0.0, 0.0}};
        ASSERT_EQ(stage.move(tick_at(index), parent, pose), StageStatus::Ok);
    }
    ASSERT_EQ(stage.despawn(tick_at(2), parent), StageStatus::Ok);
    ASSERT_EQ(stage.mover_count(), 1U);
    constexpr float kUntouched = -77.0F;
    std::vector<glm::mat3x4> memory(256, glm::mat3x4(kUntouched));
    const SampleTime sample{.time_ns = 2 * kSceneTickNs, .now_ns = 2 * kSceneTickNs};
    ASSERT_EQ(stage.present(sample, {.matrices = std::span(memory).first(1)}), StageStatus::Ok);
    EXPECT_EQ(stage.mover_count(), 100U);
    EXPECT_EQ(memory[1], glm::mat3x4(kUntouched));
    EXPECT_EQ(memory[99], glm::mat3x4(kUntouched));
}

TEST(StageMatrixTarget, OfTwoTargetsOfATrackTheLastCounts) {
    FlatScene scene(10);
    scene.run(1, 2);
    std::vector<glm::mat3x4> first(10, kUntouchedMatrix);
    std::vector<glm::mat3x4> last(10, kUntouchedMatrix);
    const std::array<MatrixTarget, 2> targets = {{{.matrices = first}, {.matrices = last}}};
    const TrackSample sample{.time = {.time_ns = 39'000'000}};
    ASSERT_EQ(scene.stage.present({&sample, 1}, targets), StageStatus::Ok);
    EXPECT_EQ(first, std::vector<glm::mat3x4>(10, kUntouchedMatrix));
    expect_matrices(scene.stage, last);
}

} // namespace
} // namespace glissade::testing
