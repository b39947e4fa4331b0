// SPDX-License-Identifier: MIT
// Large batches in no order: as if their items had been told one by one.
#include "glissade/stage/stage.h"

#include "stage/column_store.h"
#include "stage/kernels.h"
#include "stage/scatter_log.h"
#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

enum class Form { Poses, Columns };

/// Items of a batch, also as columns.
struct Items {
    void add(Id id, const Pose& pose) {
        ids.push_back(id);
        poses.push_back(pose);
        store.add(pose);
    }

    [[nodiscard]] BatchResult tell(Stage& stage, const Tick& tick, Form form) const {
        return form == Form::Poses ? stage.move(tick, ids, poses)
                                   : stage.move(tick, ids, store.columns(true));
    }

    std::vector<Id> ids;
    std::vector<Pose> poses;
    ColumnStore store;
};

/// Two stages with the same objects: one is told batches, the other one item after the other.
class Pair {
public:
    Pair(std::uint32_t count, std::uint64_t seed)
        : random(seed), batch({.capacity = count}), single({.capacity = count}) {
        for (std::uint32_t number = 0; number < count; ++number) {
            ids.push_back(batch.add({}));
            EXPECT_EQ(single.add({}).id, ids.back());
        }
    }

    void tell(const Tick& tick, const Items& items, Form form) {
        const BatchResult told = items.tell(batch, tick, form);
        BatchResult due;
        for (std::size_t item = 0; item < items.ids.size(); ++item) {
            const StageStatus status = single.move(tick, items.ids[item], items.poses[item], {});
            if (status == StageStatus::Ok) {
                ++due.accepted_count;
            } else if (due.status == StageStatus::Ok) {
                due.status = status;
                due.first_refused = item;
            }
        }
        EXPECT_EQ(told.accepted_count, due.accepted_count);
        EXPECT_EQ(told.status, due.status);
        EXPECT_EQ(told.first_refused, due.first_refused);
    }

    void expect_same() const {
        ASSERT_EQ(batch.stats().move_count, single.stats().move_count);
        ASSERT_EQ(batch.stats().refused_count, single.stats().refused_count);
        for (const Id id : ids) {
            ASSERT_EQ(batch.logical(id), single.logical(id));
            ASSERT_EQ(batch.visual(id), single.visual(id));
        }
    }

    void present(std::int64_t time_ns) {
        const SampleTime sample{.time_ns = time_ns, .now_ns = time_ns};
        ASSERT_EQ(batch.present(sample), StageStatus::Ok);
        ASSERT_EQ(single.present(sample), StageStatus::Ok);
    }

    /// A tick, and a frame between it and the one before.
    void run_tick(std::int64_t index, const Items& items, Form form) {
        tell(tick_at(index), items, form);
        expect_same();
        present(index * kSceneTickNs - 7'000'000);
        expect_same();
    }

    /// All ids in an order of their own.
    [[nodiscard]] std::vector<Id> draw_order() {
        std::vector<Id> order = ids;
        for (std::size_t number = order.size(); number > 1; --number) {
            std::swap(order[number - 1], order[draw_place(random, number)]);
        }
        return order;
    }

    Random random;
    Stage batch;
    Stage single;
    std::vector<Id> ids;
};

class StageScatter : public ::testing::TestWithParam<Form> {};

// More rows than a group has, and not a whole number of groups or blocks.
constexpr std::uint32_t kSomeGroups = 2 * ScatterLog::kGroupRows + 777;
// So many rows that states go past the caches.
constexpr std::uint32_t kStreamedRows = 70'000;
static_assert(is_streamed(kStreamedRows));

TEST_P(StageScatter, AnotherOrderEveryTickGivesTheSamePicture) {
    Pair pair(kSomeGroups, 1);
    for (std::int64_t index = 1; index <= 5; ++index) {
        Items items;
        for (const Id id : pair.draw_order()) {
            items.add(id, draw_scene_pose(pair.random));
        }
        pair.run_tick(index, items, GetParam());
    }
}

TEST_P(StageScatter, RowsThatAreStreamedAreTheSame) {
    Pair pair(kStreamedRows, 2);
    std::vector<Pose> poses;
    for (std::uint32_t number = 0; number < kStreamedRows; ++number) {
        poses.push_back(draw_scene_pose(pair.random));
    }
    for (std::int64_t index = 1; index <= 3; ++index) {
        Items items;
        for (const Id id : pair.draw_order()) {
            items.add(id, poses[draw_place(pair.random, kStreamedRows)]);
        }
        pair.run_tick(index, items, GetParam());
    }
}

// With more moves of a few rows than their group has room for: each time the last one counts.
TEST_P(StageScatter, WhatIsToldTwiceIsWhereItWasToldLast) {
    Pair pair(kSomeGroups, 3);
    for (std::int64_t index = 1; index <= 4; ++index) {
        Items items;
        for (std::uint32_t number = 0; number < 2 * ScatterLog::kGroupRows; ++number) {
            const std::size_t most = index % 2 == 0 ? 100 : pair.ids.size();
            items.add(pair.ids[draw_place(pair.random, most)], draw_scene_pose(pair.random));
        }
        pair.run_tick(index, items, GetParam());
    }
}

/// Makes an item what the kernels cannot store, or what is refused, or another one's again.
void spoil(Random& random, std::span<const Id> told, Id& id, Pose& pose) {
    switch (random.between(0, 5)) {
        case 0:
            pose = draw_scaled_pose(random);
            return;
        case 1:
            pose.position.x = std::numeric_limits<double>::quiet_NaN();
            return;
        case 2:
            pose.rotation = pose.rotation * 1.5F;
            return;
        case 3:
            ++id.generation;
            return;
        case 4:
            id = told[draw_place(random, told.size())];
            return;
        default: // Told before, and now with a scale.
            id = told[draw_place(random, told.size())];
            pose = draw_scaled_pose(random);
            return;
    }
}

/// All ids in no order, one item in `one_in` spoilt.
Items draw_spoilt(Pair& pair, std::int64_t one_in) {
    Items items;
    const std::vector<Id> order = pair.draw_order();
    for (std::size_t number = 0; number < order.size(); ++number) {
        Id id = order[number];
        Pose pose = draw_scene_pose(pair.random);
        if (draw_chance(pair.random, one_in)) {
            spoil(pair.random, std::span(order).first(number + 1), id, pose);
        }
        items.add(id, pose);
    }
    return items;
}

// Anywhere among the others, also for objects that the same batch has told before and tells again.
TEST_P(StageScatter, ItemsThatAreNotPlainAreJudgedInTheirTurn) {
    Pair pair(kSomeGroups, 4);
    for (std::int64_t index = 1; index <= 8; ++index) {
        // Long stretches of plain ones in one tick, a mixture in the next.
        pair.run_tick(index, draw_spoilt(pair, index % 2 == 0 ? 2000 : 50), GetParam());
    }
}

// The same where items are put down in smaller steps than their poses are checked in.
TEST_P(StageScatter, ItemsThatAreNotPlainAreJudgedInTheirTurnAmongStreamedOnes) {
    Pair pair(kStreamedRows, 9);
    for (std::int64_t index = 1; index <= 3; ++index) {
        pair.run_tick(index, draw_spoilt(pair, index % 2 == 0 ? 2000 : 50), GetParam());
    }
}

// No order at first, then one, then none: runs are found again, and what was told before is there.
TEST_P(StageScatter, RunsAmongItemsInNoOrderAreNotLost) {
    Pair pair(kSomeGroups, 5);
    for (std::int64_t index = 1; index <= 4; ++index) {
        Items items;
        std::vector<Id> order = pair.draw_order();
        std::copy(pair.ids.begin() + 1000, pair.ids.begin() + 6000, order.begin() + 2000);
        for (const Id id : order) {
            items.add(id, draw_scene_pose(pair.random));
        }
        pair.run_tick(index, items, GetParam());
    }
}

// Nothing is busy when the batch begins; an item of it makes a row so, and a later one finds it.
TEST_P(StageScatter, ARowThatIsScaledAndToldPlainInOneBatchIsPlain) {
    Pair pair(kSomeGroups, 8);
    for (std::int64_t index = 1; index <= 3; ++index) {
        Items items;
        for (const Id id : pair.ids) {
            items.add(id, draw_scene_pose(pair.random));
        }
        pair.tell(tick_at(index), items, GetParam());
        pair.present(index * kSceneTickNs - 7'000'000);
    }
    Items items;
    const std::vector<Id> order = pair.draw_order();
    for (std::size_t number = 0; number < order.size(); ++number) {
        items.add(order[number], number % 200 == 100 ? draw_scaled_pose(pair.random)
                                                     : draw_scene_pose(pair.random));
    }
    for (const Id id : pair.draw_order()) {
        items.add(id, draw_scene_pose(pair.random));
    }
    pair.tell(tick_at(4), items, GetParam());
    for (std::size_t number = 100; number < order.size(); number += 200) {
        EXPECT_EQ(pair.batch.logical(order[number]).scale, glm::vec3(1.0F)) << number;
    }
    pair.expect_same();
}

/// Some single moves in no order.
void move_some(Pair& pair, const Tick& tick) {
    for (int number = 0; number < 300; ++number) {
        const Id id = pair.ids[draw_place(pair.random, pair.ids.size())];
        const Pose pose = draw_scene_pose(pair.random);
        ASSERT_EQ(pair.batch.move(tick, id, pose), StageStatus::Ok);
        ASSERT_EQ(pair.single.move(tick, id, pose, {}), StageStatus::Ok);
    }
}

// Before and after a batch in the same tick.
TEST_P(StageScatter, MovesThatWaitInTheirLinesAreNotOverwritten) {
    Pair pair(kSomeGroups, 6);
    for (std::int64_t index = 1; index <= 4; ++index) {
        const Tick tick = tick_at(index);
        move_some(pair, tick);
        Items items;
        const std::vector<Id> order = pair.draw_order();
        for (std::size_t number = 0; number < order.size() / 2; ++number) {
            items.add(order[number], draw_scene_pose(pair.random));
        }
        pair.tell(tick, items, GetParam());
        move_some(pair, tick);
        pair.expect_same();
        pair.present(index * kSceneTickNs - 7'000'000);
        pair.expect_same();
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, StageScatter, ::testing::Values(Form::Poses, Form::Columns));

// Two tracks in one batch, one of them with a number that a key has no room for.
TEST(StageScatterTracks, ObjectsOfAnyTrackAreFound) {
    Random random(7);
    Stage stage({.capacity = 4000});
    TrackId last = kDefaultTrack;
    for (int number = 0; number < 300; ++number) {
        const std::optional<TrackId> made = stage.make_track({.mover_capacity = 2000});
        ASSERT_TRUE(made);
        last = *made;
    }
    std::vector<Id> ids;
    ids.reserve(4000);
    for (int number = 0; number < 4000; ++number) {
        ids.push_back(stage.add({}, {.track = number % 2 == 0 ? kDefaultTrack : last}));
    }
    for (std::int64_t index = 1; index <= 3; ++index) {
        for (std::size_t number = ids.size(); number > 1; --number) {
            std::swap(ids[number - 1], ids[draw_place(random, number)]);
        }
        std::vector<Pose> poses(ids.size());
        std::generate(poses.begin(), poses.end(), [&random] { return draw_scene_pose(random); });
        ASSERT_EQ(stage.move(tick_at(index), ids, poses).accepted_count, ids.size());
        for (std::size_t number = 0; number < ids.size(); ++number) {
            ASSERT_EQ(stage.logical(ids[number]), poses[number]);
        }
        EXPECT_EQ(stage.mover_count(), 2000U);
        EXPECT_EQ(stage.mover_count(last), 2000U);
    }
}

// Items of a track whose tick the batch itself opens are staged by single moves at first.
TEST(StageScatterTracks, ATickThatTheBatchOpensInTheMiddleIsToldAsWell) {
    Random random(9);
    Stage stage({.capacity = 4000});
    const std::optional<TrackId> second = stage.make_track({});
    ASSERT_TRUE(second);
    std::vector<Id> ids;
    ids.reserve(4000);
    for (int number = 0; number < 4000; ++number) {
        ids.push_back(stage.add({}, {.track = number < 2000 ? kDefaultTrack : *second}));
    }
    for (std::int64_t index = 1; index <= 6; ++index) {
        // First those of one track alone, so that the batch is scattered when it meets the other.
        std::vector<Id> order = ids;
        for (std::size_t number = 2000; number > 1; --number) {
            std::swap(order[number - 1], order[draw_place(random, number)]);
            std::swap(order[2000 + number - 1], order[2000 + draw_place(random, number)]);
        }
        // Each of the other track twice: what was staged first must not come out last.
        order.insert(order.end(), order.begin() + 2000, order.begin() + 4000);
        std::vector<Pose> poses(order.size());
        std::generate(poses.begin(), poses.end(), [&random] { return draw_scene_pose(random); });
        ASSERT_EQ(stage.move(tick_at(index), order, poses).accepted_count, order.size());
        for (std::size_t number = 0; number < order.size(); ++number) {
            const bool again = number >= 2000 && number < 4000;
            ASSERT_EQ(stage.logical(order[number]), poses[again ? number + 2000 : number]);
        }
        // So that rows are plain in the next tick.
        const SampleTime sample{.time_ns = index * kSceneTickNs - 7'000'000};
        const TrackSample both[] = {{.time = sample}, {.track = *second, .time = sample}};
        ASSERT_EQ(stage.present(both), StageStatus::Ok);
    }
}

} // namespace
} // namespace glissade::testing
