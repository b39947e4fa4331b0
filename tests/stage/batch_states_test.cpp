// SPDX-License-Identifier: MIT
// Whole runs whose rows get scales and velocities, or had some: as told one by one, bit for bit.
#include "glissade/stage/stage.h"

#include "stage/column_store.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

/// One scene on two stages: one is told in batches, the other one by one.
class TwoWays {
public:
    static constexpr std::size_t kCount = 200;

    explicit TwoWays(Blend blend = Blend::Linear) {
        for (std::size_t number = 0; number < kCount; ++number) {
            const Pose pose = draw_scene_pose(random_);
            ids_.push_back(batch_.add(pose, {.blend = blend}));
            EXPECT_EQ(single_.add(pose, {.blend = blend}).id, ids_.back());
        }
        // Plain rows in motion, before anything else is said of them.
        for (int tick = 0; tick < 3; ++tick) {
            tell_poses();
        }
    }

    void tell_poses() {
        const std::vector<Pose> poses = draw_poses();
        begin_tick();
        expect_all(batch_.move(tick_, ids_, poses));
        tell_one_by_one(poses, {});
    }
    void tell_columns(bool has_scale) {
        const std::vector<Pose> poses = has_scale ? draw_scaled_poses() : draw_poses();
        begin_tick();
        expect_all(batch_.move(tick_, ids_, ColumnStore(poses).columns(has_scale)));
        tell_one_by_one(poses, {});
    }
    void tell_velocities() {
        const std::vector<Pose> poses = draw_poses();
        const std::vector<Velocity> velocities = draw_velocities();
        begin_tick();
        expect_all(batch_.move(tick_, ids_, poses, velocities));
        tell_one_by_one(poses, velocities);
    }
    void set_blend(Blend blend) {
        for (const Id id : ids_) {
            ASSERT_EQ(batch_.set_blend(id, blend), StageStatus::Ok);
            ASSERT_EQ(single_.set_blend(id, blend), StageStatus::Ok);
        }
    }

    /// In the middle of the last tick both show the same, with the same matrices.
    void expect_same() {
        const SampleTime sample{.time_ns = tick_.time_ns - kSceneTickNs / 2,
                                .now_ns = tick_.time_ns};
        present_and_check(batch_, sample);
        present_and_check(single_, sample);
        for (const Id id : ids_) {
            ASSERT_EQ(batch_.visual(id), single_.visual(id));
            ASSERT_EQ(batch_.logical(id), single_.logical(id));
        }
    }

    [[nodiscard]] std::vector<Pose> draw_poses() {
        std::vector<Pose> poses(kCount);
        std::generate(poses.begin(), poses.end(), [this] { return draw_scene_pose(random_); });
        return poses;
    }
    [[nodiscard]] std::vector<Pose> draw_scaled_poses() {
        std::vector<Pose> poses(kCount);
        std::generate(poses.begin(), poses.end(), [this] { return draw_scaled_pose(random_); });
        return poses;
    }
    [[nodiscard]] std::vector<Velocity> draw_velocities() {
        std::vector<Velocity> velocities(kCount);
        std::generate(velocities.begin(), velocities.end(),
                      [this] { return draw_velocity(random_); });
        return velocities;
    }

    [[nodiscard]] Stage& batch() noexcept { return batch_; }
    [[nodiscard]] std::span<const Id> ids() const noexcept { return ids_; }
    Tick begin_tick() {
        tick_ = tick_at(++number_);
        return tick_;
    }

private:
    static void expect_all(const BatchResult& result) {
        EXPECT_EQ(result.status, StageStatus::Ok);
        EXPECT_EQ(result.accepted_count, kCount);
    }
    void tell_one_by_one(std::span<const Pose> poses, std::span<const Velocity> velocities) {
        for (std::size_t item = 0; item < kCount; ++item) {
            const Velocity velocity = velocities.empty() ? Velocity{} : velocities[item];
            ASSERT_EQ(single_.move(tick_, ids_[item], poses[item], {.velocity = velocity}),
                      StageStatus::Ok);
        }
    }

    Random random_{7};
    Stage batch_{{.capacity = kCount}};
    Stage single_{{.capacity = kCount}};
    std::vector<Id> ids_;
    std::int64_t number_ = 0;
    Tick tick_{};
};

TEST(StageBatchStates, PlainRowsGetScalesAndLoseThemAgain) {
    TwoWays ways;
    ways.expect_same();
    for (const bool has_scale : {true, true, false, true}) {
        ways.tell_columns(has_scale);
        ways.expect_same();
    }
    ways.tell_poses(); // Poses without a scale, for rows that have one.
    ways.expect_same();
    ways.tell_poses();
    ways.expect_same();
}

TEST(StageBatchStates, RowsThatFollowVelocitiesMayBeToldWithoutThem) {
    TwoWays ways(Blend::Hermite);
    ways.expect_same();
    ways.tell_velocities();
    ways.expect_same();
    ways.tell_velocities();
    ways.expect_same();
    ways.tell_poses();
    ways.expect_same();
    ways.tell_columns(false);
    ways.expect_same();
    ways.tell_velocities();
    ways.expect_same();
}

/// Velocities are kept also for those that do not follow them yet, and forgotten with the next
/// state that has none.
TEST(StageBatchStates, VelocitiesOfPlainRowsAreKeptAndForgotten) {
    for (const bool has_another : {false, true}) {
        TwoWays ways;
        ways.expect_same();
        ways.tell_velocities();
        ways.expect_same();
        if (has_another) {
            ways.tell_poses();
        }
        ways.tell_poses();
        ways.set_blend(Blend::Hermite);
        ways.expect_same();
        ways.tell_poses();
        ways.expect_same();
    }
}

/// Of each kind that is refused, one in the middle of a run that is stored by kernels.
TEST(StageBatchStates, ABadScaleInColumnsIsLeftOutAndAllOthersAreRecorded) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float bad : {kNan, kInfinity, -kInfinity, 2.0F * kMaxScale, -2.0F * kMaxScale}) {
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            TwoWays ways;
            ways.tell_columns(true);
            ways.expect_same();
            const std::size_t item = 77;
            const Pose before = ways.batch().logical(ways.ids()[item]);
            std::vector<Pose> poses = ways.draw_scaled_poses();
            poses[item].scale[axis] = bad;
            const BatchResult result =
                ways.batch().move(ways.begin_tick(), ways.ids(), ColumnStore(poses).columns(true));
            EXPECT_EQ(result.status, StageStatus::BadScale);
            EXPECT_EQ(result.first_refused, item);
            EXPECT_EQ(result.accepted_count, TwoWays::kCount - 1);
            for (std::size_t other = 0; other < TwoWays::kCount; ++other) {
                ASSERT_EQ(ways.batch().logical(ways.ids()[other]),
                          other == item ? before : poses[other]);
            }
        }
    }
}

} // namespace
} // namespace glissade::testing
