// SPDX-License-Identifier: MIT
// Matrices that a present() writes in the same pass, of what hangs below other things.
#include "glissade/stage/stage.h"

#include "pose/near.h"
#include "stage/stage_scene.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::int64_t kFrameNs = 7'000'000;

enum class Order { DepthFirst, BreadthFirst };

/// Families of one object a generation, in the order in which a program might make them.
struct FamilyScene {
    FamilyScene(std::size_t family_count, std::size_t depth, Order order)
        : stage({.capacity = 4096}), generations(depth) {
        const std::size_t count = family_count * depth;
        for (std::size_t number = 0; number < count; ++number) {
            const bool deep = order == Order::DepthFirst;
            const std::size_t generation = deep ? number % depth : number / family_count;
            const std::size_t family = deep ? number / depth : number % family_count;
            const Id parent = generation == 0 ? Id{} : generations[generation - 1][family];
            const Id id = stage.add(draw_scene_pose(random), {.parent = parent});
            generations[generation].push_back(id);
            ids.push_back(id);
        }
    }

    void move(const Tick& tick, std::span<const Id> moving) {
        for (const Id id : moving) {
            ASSERT_EQ(stage.move(tick, id, draw_scene_pose(random)), StageStatus::Ok);
        }
    }

    /// Some ticks in which `moving` move, one tick behind.
    void run(std::int64_t first, std::int64_t last, std::span<const Id> moving) {
        for (std::int64_t index = first; index <= last; ++index) {
            move(tick_at(index), moving);
            present_and_check(stage, (index - 1) * kSceneTickNs);
            present_and_check(stage, (index - 1) * kSceneTickNs + kFrameNs);
        }
    }

    Random random{77};
    Stage stage;
    std::vector<std::vector<Id>> generations;
    std::vector<Id> ids;
};

void place_families(std::size_t family_count, std::size_t depth) {
    for (const Order order : {Order::DepthFirst, Order::BreadthFirst}) {
        SCOPED_TRACE(::testing::Message() << depth << " deep, " << family_count);
        FamilyScene scene(family_count, depth, order);
        scene.run(1, 5, scene.ids);
        EXPECT_EQ(scene.stage.moved().ids.size(), family_count * depth);
    }
}

TEST(StageMatrixFamily, EveryGenerationOfMovingFamiliesIsPlaced) {
    for (const std::size_t depth : {2U, 3U, 6U}) {
        for (const std::size_t family_count : {1U, 21U, 100U}) {
            place_families(family_count, depth);
        }
    }
}

// What hangs below a mover and rests has no row, so it is in changed() and not in moved().
TEST(StageMatrixFamily, WhatRestsBelowAMoverIsNotAmongTheMatrices) {
    FamilyScene scene(70, 3, Order::DepthFirst);
    scene.run(1, 5, scene.generations[0]);
    EXPECT_EQ(scene.stage.moved().ids.size(), 70U);
    EXPECT_EQ(scene.stage.changed().size(), 210U);
}

TEST(StageMatrixFamily, AMoverBelowARestingChildOfAMoverIsPlaced) {
    FamilyScene scene(70, 3, Order::BreadthFirst);
    std::vector<Id> moving = scene.generations[0];
    moving.insert(moving.end(), scene.generations[2].begin(), scene.generations[2].end());
    scene.run(1, 5, moving);
    EXPECT_EQ(scene.stage.moved().ids.size(), 140U);
}

// Up to 64 parents that rest have a place among the rows of the parents; more take another way.
TEST(StageMatrixFamily, MoversBelowAnyNumberOfRestingParentsArePlaced) {
    for (const std::size_t parent_count : {1U, 63U, 64U, 65U, 200U}) {
        SCOPED_TRACE(parent_count);
        FamilyScene scene(parent_count, 2, Order::BreadthFirst);
        const Id guest_parent = scene.generations[0].front();
        std::vector<Id> moving = scene.generations[1];
        for (int number = 0; number < 10; ++number) {
            moving.push_back(
                scene.stage.add(draw_scene_pose(scene.random), {.parent = guest_parent}));
            // Below what is itself below a resting parent, and alone in the world.
            moving.push_back(
                scene.stage.add(draw_scene_pose(scene.random),
                                {.parent = moving[draw_place(scene.random, parent_count)]}));
            moving.push_back(scene.stage.add(draw_scene_pose(scene.random)));
        }
        scene.run(1, 6, moving);
        EXPECT_EQ(scene.stage.moved().ids.size(), parent_count + 30);
    }
}

TEST(StageMatrixFamily, AParentThatBeginsAndCeasesToMoveTakesItsChildrenAlong) {
    FamilyScene scene(80, 2, Order::DepthFirst);
    for (std::int64_t index = 1; index <= 30; ++index) {
        const Tick tick = tick_at(index);
        scene.move(tick, scene.generations[1]);
        if (index / 5 % 2 == 0) {
            scene.move(tick, std::span(scene.generations[0]).subspan(10, 40));
        }
        present_and_check(scene.stage, (index - 1) * kSceneTickNs + kFrameNs);
    }
    EXPECT_GT(scene.stage.stats().settle_count, 80U);
}

TEST(StageMatrixFamily, ScalesOfParentsReachTheirChildren) {
    FamilyScene scene(40, 3, Order::DepthFirst);
    for (std::int64_t index = 1; index <= 6; ++index) {
        const Tick tick = tick_at(index);
        for (std::size_t number = 0; number < scene.ids.size(); ++number) {
            const Pose pose =
                number % 4 == 0 ? draw_scene_pose(scene.random) : draw_scaled_pose(scene.random);
            ASSERT_EQ(scene.stage.move(tick, scene.ids[number], pose), StageStatus::Ok);
        }
        present_and_check(scene.stage, (index - 1) * kSceneTickNs + kFrameNs);
    }
}

TEST(StageMatrixFamily, AScaleOfTheLastGenerationAloneIsShown) {
    FamilyScene scene(21, 2, Order::BreadthFirst);
    for (std::int64_t index = 1; index <= 3; ++index) {
        scene.move(tick_at(index), scene.generations[0]);
        for (const Id id : scene.generations[1]) {
            const Pose pose = draw_scaled_pose(scene.random);
            ASSERT_EQ(scene.stage.move(tick_at(index), id, pose), StageStatus::Ok);
        }
        present_and_check(scene.stage, (index - 1) * kSceneTickNs + kFrameNs);
    }
}

TEST(StageMatrixFamily, ParentsFarFromTheWorldsOriginKeepTheirChildrenPrecise) {
    const glm::dvec3 far(1e7, 2e6, -1e7);
    FamilyScene scene(70, 3, Order::DepthFirst);
    for (std::int64_t index = 1; index <= 5; ++index) {
        const Tick tick = tick_at(index);
        scene.move(tick, scene.ids);
        for (const Id root : scene.generations[0]) {
            Pose pose = draw_scene_pose(scene.random);
            pose.position += far;
            ASSERT_EQ(scene.stage.move(tick, root, pose), StageStatus::Ok);
        }
        // From 1e7 m away floats are a metre apart; compute_tolerance() allows micrometres.
        present_and_check(scene.stage, (index - 1) * kSceneTickNs + kFrameNs,
                          index == 1 ? glm::dvec3(0.0) : far);
    }
}

void cut_amend_and_shift_some(FamilyScene& scene, const Tick& tick) {
    const auto draw_id = [&scene] { return scene.ids[draw_place(scene.random, scene.ids.size())]; };
    for (int number = 0; number < 6; ++number) {
        scene.stage.cut(tick, draw_id(), draw_scene_pose(scene.random));
        scene.stage.amend(tick, draw_id(), draw_scene_pose(scene.random));
        scene.stage.shift(tick, draw_id(), {.translation = {1.0, 2.0, 3.0}});
    }
}

TEST(StageMatrixFamily, BlendsCutsAndCorrectionsOfParentsReachTheirChildren) {
    FamilyScene scene(60, 3, Order::BreadthFirst);
    for (std::size_t number = 0; number < scene.ids.size(); ++number) {
        ASSERT_EQ(scene.stage.set_blend(scene.ids[number], static_cast<Blend>(number % 4)),
                  StageStatus::Ok);
    }
    for (std::int64_t index = 1; index <= 12; ++index) {
        const Tick tick = tick_at(index);
        scene.move(tick, scene.ids);
        cut_amend_and_shift_some(scene, tick);
        present_and_check(scene.stage, (index - 1) * kSceneTickNs + kFrameNs);
        present_and_check(scene.stage, (index - 1) * kSceneTickNs + kFrameNs);
    }
}

TEST(StageMatrixFamily, AnUnderrunCarriesFamiliesOn) {
    Random random(5);
    Stage stage({.track = {.underrun_extrapolation_ns = 50'000'000}});
    std::vector<Id> ids;
    for (std::size_t number = 0; number < 150; ++number) {
        const Id parent = number % 3 == 0 ? Id{} : ids.back();
        ids.push_back(stage.add(draw_scene_pose(random), {.parent = parent}));
    }
    for (std::int64_t index = 1; index <= 8; ++index) {
        for (const Id id : ids) {
            ASSERT_EQ(stage.move(tick_at(index), id, draw_scene_pose(random)), StageStatus::Ok);
        }
        present_and_check(stage, index * kSceneTickNs - 1'000'000);
        present_and_check(stage, index * kSceneTickNs + 5'000'000);
        present_and_check(stage, index * kSceneTickNs + 9'000'000);
    }
}

/// Two tracks: parents on one and their children on the other, both ways.
struct TwoTracks {
    TwoTracks() {
        for (std::size_t number = 0; number < 200; ++number) {
            const TrackId track = number % 2 == 0 ? kDefaultTrack : second;
            const Id parent = number < 20 ? Id{} : ids[draw_place(random, number)];
            ids.push_back(stage.add(draw_scene_pose(random), {.track = track, .parent = parent}));
        }
    }

    void show(std::int64_t time_ns) {
        const SampleTime late{.time_ns = time_ns / 2, .now_ns = time_ns};
        const std::array<TrackSample, 2> samples = {
            {{.time = {.time_ns = time_ns, .now_ns = time_ns}}, {.track = second, .time = late}}};
        std::vector<glm::mat3x4> first_matrices(stage.mover_count() + 2, kUntouchedMatrix);
        std::vector<glm::mat3x4> second_matrices(stage.mover_count(second) + 2, kUntouchedMatrix);
        const glm::dvec3 origin(3.0, -4.0, 5.0);
        const std::array<MatrixTarget, 2> targets = {
            {{.track = second, .matrices = second_matrices, .origin = origin},
             {.matrices = first_matrices}}};
        ASSERT_EQ(stage.present(samples, targets), StageStatus::Ok);
        expect_matrices(stage, first_matrices);
        expect_matrices(stage, second_matrices, origin, second);
    }

    Random random{9};
    Stage stage{{.capacity = 256, .track = {.history = 8}}};
    TrackId second = stage.make_track({.history = 8}).value();
    std::vector<Id> ids;
};

// Some rest now and then.
void move_most(TwoTracks& scene, const Tick& tick) {
    for (const Id id : scene.ids) {
        if (!draw_chance(scene.random, 8)) {
            ASSERT_EQ(scene.stage.move(tick, id, draw_scene_pose(scene.random)), StageStatus::Ok);
        }
    }
}

TEST(StageMatrixFamily, ParentsOnAnotherTrackCountAsTheyAreShown) {
    TwoTracks scene;
    for (std::int64_t index = 1; index <= 16; ++index) {
        move_most(scene, tick_at(index));
        if (index > 8) {                  // Until then no placement needs more than a rotation.
            const Id root = scene.ids[1]; // On the second track, with children on both.
            const Pose pose = draw_scaled_pose(scene.random);
            ASSERT_EQ(scene.stage.move(tick_at(index), root, pose), StageStatus::Ok);
        }
        scene.show((index - 1) * kSceneTickNs + kFrameNs);
        scene.show((index - 1) * kSceneTickNs + 2 * kFrameNs);
    }
    EXPECT_GT(scene.stage.moved(scene.second).ids.size(), 50U);
}

/// Families that change all the time, so that rows are given up, taken and put in order.
class RestlessFamily {
public:
    explicit RestlessFamily(std::uint64_t seed) : random_(seed) {
        for (std::size_t number = 0; number < 400; ++number) {
            add();
        }
    }

    void run_tick(const Tick& tick) {
        for (const Id id : ids_) {
            if (!draw_chance(random_, 12)) {
                const bool scales = has_scales && draw_chance(random_, 12);
                stage.move(tick, id, scales ? draw_scaled_pose(random_) : draw_scene_pose(random_));
            }
        }
        for (std::int64_t number = random_.between(0, 40); number > 0; --number) {
            disturb(tick);
        }
    }

    Stage stage{{.capacity = 700, .track = {.history = 3}}};
    std::array<std::size_t, 3> done{}; ///< Accepted: new parents, removals, new objects.
    bool has_scales = false;           ///< From now on.

private:
    [[nodiscard]] std::size_t draw() { return draw_place(random_, ids_.size()); }

    void add() {
        const bool is_root = ids_.empty() || draw_chance(random_, 4);
        const Id parent = is_root ? Id{} : ids_[draw()];
        const Id id = stage.add(draw_scene_pose(random_), {.parent = parent});
        if (!id.is_null()) {
            ids_.push_back(id);
            ++done[2];
        }
    }

    void remove() {
        const std::size_t place = draw();
        ASSERT_EQ(stage.remove(ids_[place]), StageStatus::Ok);
        ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(place));
        ++done[1];
    }

    void disturb(const Tick& tick) {
        const Id id = ids_[draw()];
        switch (random_.between(0, 7)) {
            case 0:
                return remove();
            case 1:
            case 2:
                return add();
            case 3:
                stage.cut(tick, id, draw_scene_pose(random_));
                return;
            case 4:
                stage.hide(id);
                stage.show(ids_[draw()]);
                return;
            case 5:
                stage.set_blend(id, static_cast<Blend>(random_.between(0, 3)));
                return;
            default:
                // Below itself is refused, which is as good.
                const Id parent = draw_chance(random_, 4) ? Id{} : ids_[draw()];
                done[0] += stage.set_parent(id, parent) == StageStatus::Ok ? 1U : 0U;
                return;
        }
    }

    Random random_;
    std::vector<Id> ids_;
};

void run_restless(RestlessFamily& family) {
    for (std::int64_t index = 1; index <= 60; ++index) {
        family.has_scales = index > 40;
        family.run_tick(tick_at(index));
        present_and_check(family.stage, (index - 1) * kSceneTickNs + kFrameNs);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "tick " << index;
    }
}

TEST(StageMatrixFamily, WhateverHappensToFamiliesTheirMatricesAreRight) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(seed);
        RestlessFamily family(seed);
        run_restless(family);
        EXPECT_GT(family.done[0], 150U);
        EXPECT_GT(family.done[1], 80U);
        EXPECT_GT(family.stage.mover_count(), 300U);
    }
}

// Changes between the ticks and the frame, too, when moves of the tick wait to be sorted in.
TEST(StageMatrixFamily, RowsThatArePutInOrderKeepWhatTheyAre) {
    FamilyScene scene(200, 4, Order::DepthFirst);
    for (std::int64_t index = 1; index <= 8; ++index) {
        scene.move(tick_at(index), scene.ids);
        // With a target first in the fifth tick: 800 rows in no order by then.
        const std::int64_t time_ns = (index - 1) * kSceneTickNs + kFrameNs;
        if (index < 5) {
            ASSERT_EQ(scene.stage.present({.time_ns = time_ns}), StageStatus::Ok);
        } else {
            present_and_check(scene.stage, time_ns);
        }
        for (const Id id : scene.ids) {
            const Pose due = scene.stage.sample(id, time_ns);
            ASSERT_EQ(scene.stage.visual(id).position, due.position);
            // Two ways to the weights of a turn, each within 1e-6 rad of the exact one.
            ASSERT_TRUE(is_near(scene.stage.visual(id).rotation, due.rotation, 2e-6));
        }
    }
    // Roots stand first, then their children, generation by generation.
    const std::span<const Id> rows = scene.stage.moved().ids;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        EXPECT_EQ(scene.stage.parent(rows[row]).is_null(), row < 200) << row;
    }
}

} // namespace
} // namespace glissade::testing
