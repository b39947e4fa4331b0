// SPDX-License-Identifier: MIT
// Frames of which matrices are all that is made: they are those of a frame with poses, and what is
// asked for is worked out.
#include "glissade/stage/stage.h"

#include "stage/kernel_rows.h"
#include "stage/stage_scene.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

/// A stage that is shown in one way or the other.
struct Shown {
    explicit Shown(bool has_poses, const StageConfig& config) : poses(has_poses), stage(config) {}

    void show(std::int64_t time_ns) {
        matrices.assign(stage.mover_count() + 3, kUntouchedMatrix);
        const SampleTime sample{.time_ns = time_ns, .now_ns = time_ns + kSceneTickNs};
        ASSERT_EQ(stage.present(sample, target()), StageStatus::Ok);
    }
    [[nodiscard]] MatrixTarget target() {
        return {.matrices = matrices, .origin = {1.0, 2.0, 3.0}, .poses = poses};
    }

    bool poses;
    Stage stage;
    std::vector<glm::mat3x4> matrices;
};

/// The same scene twice: with poses, and without.
struct Twins {
    explicit Twins(const StageConfig& config = {.capacity = 512})
        : with(true, config), without(false, config) {}

    void add(std::size_t count, const ObjectConfig& config = {}) {
        for (std::size_t number = 0; number < count; ++number) {
            const Pose pose = draw_scene_pose(random);
            ids.push_back(with.stage.add(pose, config));
            ASSERT_EQ(without.stage.add(pose, config).id, ids.back());
        }
    }
    /// `tell(stage)` to both; it draws nothing.
    template <class Tell>
    void tell(const Tell& tell_one) {
        tell_one(with.stage);
        tell_one(without.stage);
    }
    void move(std::int64_t index) {
        for (const Id id : ids) {
            const Pose pose = draw_scene_pose(random);
            const Velocity velocity = draw_velocity(random);
            tell([&](Stage& stage) {
                ASSERT_EQ(stage.move(tick_at(index), id, pose, {.velocity = velocity}),
                          StageStatus::Ok);
            });
        }
    }
    /// Both frames, and whether they are one.
    void show(std::int64_t time_ns) {
        with.show(time_ns);
        without.show(time_ns);
        ASSERT_EQ(with.stage.mover_count(), without.stage.mover_count());
        expect_same_matrices();
        for (const Id id : ids) {
            expect_same_picture(id);
        }
    }
    /// 3x3 parts are the same. Positions, of 20 m at most, are fused where nobody keeps them: they
    /// are off by a rounding to double, which may bring the float beside it.
    static void expect_same_matrix(const glm::mat3x4& due, const glm::mat3x4& found) {
        for (glm::length_t row = 0; row < 3; ++row) {
            ASSERT_EQ(glm::vec3(found[row]), glm::vec3(due[row]));
            ASSERT_NEAR(found[row][3], due[row][3], 0x1p-23 * std::abs(due[row][3]) + 0x1p-52 * 20);
        }
    }
    void expect_same_matrices() const {
        for (std::size_t row = 0; row < with.matrices.size(); ++row) {
            expect_same_matrix(with.matrices[row], without.matrices[row]);
            ASSERT_FALSE(::testing::Test::HasFatalFailure())
                << "row " << row << ", frame " << with.stage.revision();
        }
    }
    void expect_same_picture(Id id) const {
        const Pose due = with.stage.visual(id);
        const Pose found = without.stage.visual(id);
        // Positions are the same sums; rotations of kernels and of single poses differ by less than
        // 4e-7 rad (see kernels.h), Hermite's by what its longer arithmetic rounds off.
        ASSERT_EQ(found.position, due.position);
        ASSERT_LT(compute_angle_rad(found.rotation, due.rotation), 2e-6);
        ASSERT_EQ(found.scale, due.scale);
        ASSERT_EQ(without.stage.world_revision(id), with.stage.world_revision(id));
    }
    void run(std::int64_t first, std::int64_t last) {
        for (std::int64_t index = first; index <= last; ++index) {
            move(index);
            for (const std::int64_t part_ns : {0, 6'700'000, 13'400'000}) {
                show((index - 1) * kSceneTickNs + part_ns);
            }
        }
    }

    Random random{7};
    Shown with;
    Shown without;
    std::vector<Id> ids;
};

TEST(StageMatricesAlone, AreThoseOfAFrameWithPoses) {
    for (const std::size_t count : {1U, 64U, 200U}) {
        SCOPED_TRACE(count);
        Twins twins;
        twins.add(count);
        twins.run(1, 5);
    }
}

TEST(StageMatricesAlone, OfEveryBlendAndBelowParents) {
    Twins twins;
    twins.add(130);
    twins.add(70, {.parent = twins.ids[3]});
    twins.add(70, {.parent = twins.ids[140]});
    twins.add(40, {.blend = Blend::HermitePath});
    twins.add(40, {.blend = Blend::Hold});
    twins.run(1, 5);
}

TEST(StageMatricesAlone, OfWhatIsCutShiftedAmendedAndAtRest) {
    Twins twins({.capacity = 512, .track = {.history = 4, .cuts = CutShows::AtStamp}});
    twins.add(150);
    for (std::int64_t index = 1; index <= 8; ++index) {
        twins.move(index);
        const Pose pose = draw_scene_pose(twins.random);
        const Rigid way{.translation = draw_position(twins.random),
                        .rotation = draw_turn(twins.random)};
        const auto number = static_cast<std::size_t>(index);
        twins.tell([&](Stage& stage) {
            ASSERT_EQ(stage.cut(tick_at(index), twins.ids[number], pose), StageStatus::Ok);
            ASSERT_EQ(stage.shift(tick_at(index), twins.ids[20 + number], way), StageStatus::Ok);
            ASSERT_EQ(stage.amend(tick_at(index), twins.ids[40 + number], pose), StageStatus::Ok);
        });
        twins.show((index - 1) * kSceneTickNs);
        twins.show((index - 1) * kSceneTickNs + 9'000'000);
    }
    // Nothing is moved any more: all comes to rest at its exact last pose.
    for (std::int64_t index = 9; index <= 11; ++index) {
        twins.tell([&](Stage& stage) {
            ASSERT_EQ(stage.move(tick_at(index), twins.ids[0], at_x(static_cast<double>(index))),
                      StageStatus::Ok);
        });
        twins.show((index - 1) * kSceneTickNs + 9'000'000);
    }
    EXPECT_EQ(twins.without.stage.mover_count(), 1U);
    EXPECT_EQ(twins.without.stage.visual(twins.ids[5]), twins.without.stage.logical(twins.ids[5]));
}

/// One body that goes 1 m a tick, shown at 24 and 30 ms; the second frame as `second` has it.
struct OneBody {
    explicit OneBody(bool second) {
        id = stage.add(at_x(0.0));
        for (std::int64_t index = 1; index <= 2; ++index) {
            EXPECT_EQ(stage.move(tick_at(index), id, at_x(static_cast<double>(index))),
                      StageStatus::Ok);
        }
        show(24'000'000, true);
        show(30'000'000, second);
    }
    void show(std::int64_t time_ns, bool poses) {
        const MatrixTarget target{.matrices = {&matrix, 1}, .poses = poses};
        EXPECT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}, target), StageStatus::Ok);
    }
    [[nodiscard]] double x() const { return stage.visual(id).position.x; }

    Stage stage;
    Id id;
    glm::mat3x4 matrix{0.0F};
};

TEST(StageMatricesAlone, MovedHasIdsAndNoColumns) {
    const OneBody body(false);
    const MovedColumns moved = body.stage.moved();
    ASSERT_EQ(moved.ids.size(), 1U);
    EXPECT_EQ(moved.ids[0], body.id);
    EXPECT_TRUE(moved.visual.x.empty());
    EXPECT_TRUE(moved.previous.x.empty());
    EXPECT_FALSE(body.stage.changed().empty());
    EXPECT_EQ(body.stage.previous(body.id), body.stage.visual(body.id));
}

TEST(StageMatricesAlone, StagesWithChildrenMakePosesAllTheSame) {
    OneBody body(false);
    const Id child = body.stage.add(at_x(1.0), {.parent = body.id});
    body.show(34'000'000, false);
    EXPECT_EQ(body.stage.moved().visual.x.size(), 1U);
    // A tick comes in before the parent leaves: its child stays where it was shown.
    ASSERT_EQ(body.stage.move(tick_at(3), body.id, at_x(9.0)), StageStatus::Ok);
    ASSERT_EQ(body.stage.remove(body.id), StageStatus::Ok);
    EXPECT_NEAR(body.stage.world(child).translation.x, 2.7, 1e-15);
    // Without them it is as before.
    ASSERT_EQ(body.stage.remove(child), StageStatus::Ok);
    const Id other = body.stage.add({});
    ASSERT_EQ(body.stage.move(tick_at(4), other, at_x(1.0)), StageStatus::Ok);
    body.show(70'000'000, false);
    EXPECT_TRUE(body.stage.moved().visual.x.empty());
}

TEST(StageMatricesAlone, WhatWasGuessedIsKept) {
    Stage stage({.track = {.history = 3, .underrun_extrapolation_ns = 50'000'000}});
    const Id id = stage.add(at_x(0.0));
    ASSERT_EQ(stage.move(tick_at(1), id, at_x(1.0)), StageStatus::Ok);
    ASSERT_EQ(stage.move(tick_at(2), id, at_x(2.0)), StageStatus::Ok);
    glm::mat3x4 matrix{0.0F};
    const MatrixTarget target{.matrices = {&matrix, 1}, .poses = false};
    ASSERT_EQ(stage.present({.time_ns = 50'000'000, .now_ns = 50'000'000}, target),
              StageStatus::Ok);
    EXPECT_FLOAT_EQ(matrix[0][3], 2.5F);
    // What was beyond the newest tick is not after this one; the picture goes on from the guess.
    ASSERT_EQ(stage.move(tick_at(3), id, at_x(0.0)), StageStatus::Ok);
    EXPECT_NEAR(stage.visual(id).position.x, 2.5, 1e-15);
    ASSERT_EQ(stage.set_parent(id, stage.add(at_x(0.0))), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = 50'000'000, .now_ns = 50'000'000}), StageStatus::Ok);
    EXPECT_NEAR(stage.visual(id).position.x, 2.5, 1e-6); // Offsets are floats.
}

TEST(StageMatricesAlone, ARestartForgetsThatPosesWereLeftOut) {
    OneBody body(false);
    ASSERT_EQ(body.stage.restart(kDefaultTrack, 0), StageStatus::Ok);
    ASSERT_EQ(body.stage.present({.time_ns = 0, .now_ns = 0}), StageStatus::Ok);
    ASSERT_EQ(body.stage.move(tick_at(1), body.id, at_x(5.0)), StageStatus::Ok);
    EXPECT_EQ(body.stage.moved().visual.x.size(), 1U);
}

TEST(StageMatricesAlone, TheFrameBehindThemHasNoPreviousPose) {
    OneBody body(false);
    body.show(34'000'000, true);
    // 24 ms is what the columns still have, and is not the frame before.
    EXPECT_NEAR(body.x(), 1.7, 1e-15);
    EXPECT_EQ(body.stage.previous(body.id), body.stage.visual(body.id));
    EXPECT_EQ(body.stage.moved().previous.x[0], body.stage.moved().visual.x[0]);
    body.show(36'000'000, true);
    EXPECT_NEAR(body.stage.previous(body.id).position.x, 1.7, 1e-15);
}

TEST(StageMatricesAlone, TheSameTimeAgainMakesWhatWasLeftOut) {
    OneBody body(false);
    EXPECT_EQ(body.stage.present({.time_ns = 30'000'000, .now_ns = 30'000'000}), StageStatus::Ok);
    ASSERT_EQ(body.stage.moved().visual.x.size(), 1U);
    EXPECT_NEAR(body.stage.moved().visual.x[0], 1.5, 1e-15);
    EXPECT_TRUE(body.stage.changed().empty());
}

TEST(StageMatricesAlone, TheSameTimeAgainWithoutPosesIsTheSameMatrix) {
    OneBody body(false);
    const glm::mat3x4 first = body.matrix;
    body.matrix = kUntouchedMatrix;
    body.show(30'000'000, false);
    EXPECT_EQ(body.matrix, first);
    EXPECT_FLOAT_EQ(first[0][3], 1.5F);
}

TEST(StageMatricesAlone, AFrameOfOtherTracksLeavesThemAlone) {
    OneBody body(false);
    const TrackId other = body.stage.make_track({}).value();
    const TrackSample sample{.track = other, .time = {.time_ns = 1, .now_ns = 1}};
    EXPECT_EQ(body.stage.present({&sample, 1}), StageStatus::Ok);
    EXPECT_TRUE(body.stage.moved().visual.x.empty());
    EXPECT_NEAR(body.x(), 1.5, 1e-15);
}

TEST(StageMatricesAlone, ACorrectionBeginsWhereThePictureIs) {
    OneBody body(false);
    EXPECT_EQ(body.stage.amend(tick_at(2), body.id, at_x(3.0)), StageStatus::Ok);
    EXPECT_NEAR(body.x(), 1.5, 1e-6); // Offsets are floats.
    body.show(30'000'001, false);
    EXPECT_NEAR(body.x(), 1.5, 1e-6);
    EXPECT_NEAR(static_cast<double>(body.matrix[0][3]), 1.5, 1e-6);
}

TEST(StageMatricesAlone, RangesWriteTheSame) {
    Twins twins;
    twins.add(200);
    twins.move(1);
    twins.move(2);
    twins.show(kSceneTickNs + 5'000'000);
    const SampleTime later{.time_ns = kSceneTickNs + 9'000'000, .now_ns = 2 * kSceneTickNs};
    const TrackSample sample{.track = kDefaultTrack, .time = later};
    for (Shown* const shown : {&twins.with, &twins.without}) {
        const MatrixTarget target = shown->target();
        ASSERT_EQ(shown->stage.begin_present({&sample, 1}, {&target, 1}), StageStatus::Ok);
        for (std::size_t number = 0; number < shown->stage.range_count(); ++number) {
            shown->stage.present_range(number);
        }
        shown->stage.end_present();
    }
    twins.expect_same_matrices();
}

// Kernels alone: on every target, with every kind of rows.

struct KernelFrame {
    std::vector<float> matrices;
    std::vector<std::uint64_t> look;
};

KernelFrame run_kernel(test::BlendRows& rows, const BlendBatch& given, bool has_pictures) {
    Column<float> memory(rows.row_count * 12);
    BlendBatch batch = given;
    batch.matrices = memory.data();
    batch.has_pictures = has_pictures;
    rows.run(batch);
    return {.matrices = {memory.data(), memory.data() + memory.capacity()}, .look = rows.look};
}

/// Four blocks: usual turns, some equal states among them, scales.
test::BlendRows make_kernel_rows() {
    test::BlendRows rows(250);
    test::RandomPoses random(11);
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        rows.from.set(row, random.draw_pose());
        rows.to.set(row, row % 50 == 7 ? rows.from.get(row) : random.draw_pose());
    }
    rows.scaled[1] = 1;
    return rows;
}

TEST(BlendKernel, MatricesAloneAreTheSameToTheLastBit) {
    test::BlendRows rows = make_kernel_rows();
    test::for_each_target([&rows] {
        for (const bool stream : {false, true}) {
            BlendBatch batch = rows.batch(0.4);
            batch.stream = stream;
            const KernelFrame with = run_kernel(rows, batch, true);
            const KernelFrame without = run_kernel(rows, batch, false);
            EXPECT_EQ(with.matrices, without.matrices);
            EXPECT_EQ(with.look, without.look);
        }
    });
}

} // namespace
} // namespace glissade::testing
