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
        told_ = ids_;
        // Plain rows in motion, before anything else is said of them.
        for (int tick = 0; tick < 3; ++tick) {
            tell_poses();
        }
    }

    void tell_poses() {
        const std::vector<Pose> poses = draw_poses();
        begin_tick();
        expect_all(batch_.move(tick_, told_, poses));
        tell_one_by_one(poses, {});
    }
    /// Every `stride`th item, from `first` on, has a scale; none if that is 0.
    void tell_columns(std::size_t stride, std::size_t first = 0) {
        std::vector<Pose> poses = draw_poses();
        for (std::size_t item = first; item < poses.size() && stride > 0; item += stride) {
            poses[item] = draw_scaled_pose(random_);
        }
        begin_tick();
        expect_all(batch_.move(tick_, told_, ColumnStore(poses).columns(stride > 0)));
        tell_one_by_one(poses, {});
    }
    /// The same with velocities.
    void tell_velocities(std::size_t stride, std::size_t first = 0) {
        const std::vector<Pose> poses = draw_poses();
        std::vector<Velocity> velocities(told_.size());
        for (std::size_t item = first; item < velocities.size(); item += stride) {
            velocities[item] = draw_fitting_velocity();
        }
        begin_tick();
        expect_all(batch_.move(tick_, told_, poses, velocities));
        tell_one_by_one(poses, velocities);
    }
    /// From now on the first ones are left out: what is told begins within a block.
    void leave_out(std::size_t count) { told_ = std::span(ids_).subspan(count); }
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
        std::vector<glm::mat3x4> matrices(ids_.size());
        ASSERT_EQ(batch_.write_matrices(ids_, matrices), StageStatus::Ok);
        for (std::size_t item = 0; item < ids_.size(); ++item) {
            const Id id = ids_[item];
            ASSERT_EQ(batch_.visual(id), single_.visual(id));
            ASSERT_EQ(batch_.logical(id), single_.logical(id));
            ASSERT_TRUE(is_placed_as(batch_, id, matrices[item], glm::dvec3(0.0))) << item;
        }
    }

    [[nodiscard]] std::vector<Pose> draw_poses() {
        std::vector<Pose> poses(told_.size());
        std::generate(poses.begin(), poses.end(), [this] { return draw_scene_pose(random_); });
        return poses;
    }
    [[nodiscard]] std::vector<Pose> draw_scaled_poses() {
        std::vector<Pose> poses(told_.size());
        std::generate(poses.begin(), poses.end(), [this] { return draw_scaled_pose(random_); });
        return poses;
    }
    [[nodiscard]] std::vector<Velocity> draw_velocities() {
        std::vector<Velocity> velocities(told_.size());
        std::generate(velocities.begin(), velocities.end(),
                      [this] { return draw_fitting_velocity(); });
        return velocities;
    }

    [[nodiscard]] Stage& batch() noexcept { return batch_; }
    [[nodiscard]] const Stage& batch() const noexcept { return batch_; }
    [[nodiscard]] std::span<const Id> ids() const noexcept { return ids_; }
    Tick begin_tick() {
        tick_ = tick_at(++number_);
        return tick_;
    }

private:
    /// About as fast as poses are apart, 10 m and a radian a tick: what does not fit the way at all
    /// is not followed.
    [[nodiscard]] Velocity draw_fitting_velocity() {
        Velocity velocity = draw_velocity(random_);
        velocity.linear *= 200.0F;
        velocity.angular *= 30.0F;
        return velocity;
    }
    void expect_all(const BatchResult& result) const {
        EXPECT_EQ(result.status, StageStatus::Ok);
        EXPECT_EQ(result.accepted_count, told_.size());
    }
    void tell_one_by_one(std::span<const Pose> poses, std::span<const Velocity> velocities) {
        for (std::size_t item = 0; item < told_.size(); ++item) {
            const Velocity velocity = velocities.empty() ? Velocity{} : velocities[item];
            ASSERT_EQ(single_.move(tick_, told_[item], poses[item], {.velocity = velocity}),
                      StageStatus::Ok);
        }
    }

    Random random_{7};
    Stage batch_{{.capacity = kCount}};
    Stage single_{{.capacity = kCount}};
    std::vector<Id> ids_;
    std::span<const Id> told_;
    std::int64_t number_ = 0;
    Tick tick_{};
};

TEST(StageBatchStates, PlainRowsGetScalesAndLoseThemAgain) {
    TwoWays ways;
    ways.expect_same();
    for (const std::size_t stride : {1U, 1U, 0U, 1U}) {
        ways.tell_columns(stride);
        ways.expect_same();
    }
    ways.tell_poses(); // Poses without a scale, for rows that have one.
    ways.expect_same();
    ways.tell_poses();
    ways.expect_same();
}

TEST(StageBatchStates, SomeRowsGetScalesBesideOthersThatHaveThem) {
    TwoWays ways;
    ways.expect_same();
    for (const std::size_t left_out : {0U, 5U}) {
        ways.leave_out(left_out);
        for (const std::size_t first : {0U, 1U}) {
            ways.tell_columns(3, first);
            ways.expect_same();
        }
        ways.tell_columns(0);
        ways.expect_same();
    }
}

/// One first, in either of two runs, then many beside it.
TEST(StageBatchStates, ScalesOfSomeRowsAreKeptAndForgotten) {
    for (const std::size_t lone : {20U, 127U}) {
        TwoWays ways;
        ways.expect_same();
        ways.tell_columns(TwoWays::kCount, lone);
        ways.expect_same();
        ways.tell_columns(1, 40);
        ways.expect_same();
        // Poses without a scale, in both states that a frame blends.
        ways.tell_poses();
        ways.expect_same();
        ways.tell_poses();
        ways.expect_same();
    }
}

TEST(StageBatchStates, RowsThatFollowVelocitiesMayBeToldWithoutThem) {
    TwoWays ways(Blend::Hermite);
    ways.expect_same();
    ways.tell_velocities(1);
    ways.expect_same();
    ways.tell_velocities(2);
    ways.expect_same();
    ways.tell_poses();
    ways.expect_same();
    ways.tell_columns(0);
    ways.expect_same();
    ways.tell_velocities(1);
    ways.expect_same();
}

/// Velocities are kept also for those that do not follow them yet, and forgotten with the next
/// state that has none.
void expect_velocities_kept(std::size_t lone, int later) {
    TwoWays ways;
    ways.expect_same();
    // One first, then many beside it.
    ways.tell_velocities(TwoWays::kCount, lone);
    ways.expect_same();
    ways.tell_velocities(1, 40);
    ways.expect_same();
    for (int tick = 0; tick < later; ++tick) {
        ways.tell_poses();
    }
    ways.set_blend(Blend::Hermite);
    ways.expect_same();
    ways.tell_poses();
    ways.expect_same();
}

TEST(StageBatchStates, VelocitiesOfPlainRowsAreKeptAndForgotten) {
    for (const int later : {0, 1, 2, 3}) {
        // Behind the many that follow it begins a run of its own; among them it has a part in one.
        expect_velocities_kept(20, later);
        expect_velocities_kept(127, later);
    }
}

constexpr std::size_t kBadItem = 77;

/// All but kBadItem are at `poses` now, and that one is where it was `before`.
void expect_all_but_one(const TwoWays& ways, std::span<const Pose> poses, const Pose& before) {
    for (std::size_t item = 0; item < poses.size(); ++item) {
        ASSERT_EQ(ways.batch().logical(ways.ids()[item]), item == kBadItem ? before : poses[item])
            << item;
    }
}

void expect_one_refused(const BatchResult& result, StageStatus status) {
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.first_refused, kBadItem);
    EXPECT_EQ(result.accepted_count, TwoWays::kCount - 1);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Runs with a bad scale are stored one by one up to it.
TEST(StageBatchStates, ABadScaleInColumnsIsLeftOutAndAllOthersAreRecorded) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float bad : {kNan, kInfinity, -kInfinity, 2.0F * kMaxScale, -2.0F * kMaxScale}) {
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            TwoWays ways;
            ways.tell_columns(1);
            ways.expect_same();
            const Pose before = ways.batch().logical(ways.ids()[kBadItem]);
            std::vector<Pose> poses = ways.draw_scaled_poses();
            poses[kBadItem].scale[axis] = bad;
            expect_one_refused(
                ways.batch().move(ways.begin_tick(), ways.ids(), ColumnStore(poses).columns(true)),
                StageStatus::BadScale);
            expect_all_but_one(ways, poses, before);
        }
    }
}

/// Runs with a bad place are stored by kernels up to it. Nothing of what it came with may stay.
TEST(StageBatchStates, OfABadItemWhatWasSaidBeforeInTheSameTickStays) {
    for (const bool is_turn : {false, true}) {
        TwoWays ways;
        ways.tell_columns(1);
        ways.expect_same();
        const Tick tick = ways.begin_tick();
        const std::vector<Pose> first = ways.draw_scaled_poses();
        ASSERT_EQ(ways.batch().move(tick, ways.ids(), ColumnStore(first).columns(true)).status,
                  StageStatus::Ok);
        std::vector<Pose> second = ways.draw_scaled_poses();
        if (is_turn) {
            second[kBadItem].rotation.y = kNan;
        } else {
            second[kBadItem].position.z = static_cast<double>(kNan);
        }
        expect_one_refused(ways.batch().move(tick, ways.ids(), ColumnStore(second).columns(true)),
                           is_turn ? StageStatus::BadRotation : StageStatus::BadPosition);
        expect_all_but_one(ways, second, first[kBadItem]);
    }
}

TEST(StageBatchStates, OfABadItemTheVelocitySaidBeforeInTheSameTickStays) {
    TwoWays ways(Blend::Hermite);
    ways.tell_velocities(1);
    ways.expect_same();
    const Tick tick = ways.begin_tick();
    const Id bad = ways.ids()[kBadItem];
    const Pose before = ways.batch().logical(bad);
    const std::vector<Pose> first = ways.draw_poses();
    const std::vector<Velocity> velocities = ways.draw_velocities();
    ASSERT_EQ(ways.batch().move(tick, ways.ids(), first, velocities).status, StageStatus::Ok);
    const Pose due = ways.batch().sample(bad, tick.time_ns - kSceneTickNs / 4);
    ASSERT_FALSE(due == before);
    std::vector<Pose> second = ways.draw_poses();
    second[kBadItem].position.x = static_cast<double>(kNan);
    expect_one_refused(ways.batch().move(tick, ways.ids(), second, ways.draw_velocities()),
                       StageStatus::BadPosition);
    EXPECT_EQ(ways.batch().sample(bad, tick.time_ns - kSceneTickNs / 4), due);
}

} // namespace
} // namespace glissade::testing
