// SPDX-License-Identifier: MIT
// Matrices by handle, of objects of every kind and in every order: each is that of world().
#include "glissade/stage/stage.h"

#include "stage/kernel_rows.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

/// Far from the world's, so that a float of a position would show.
const glm::dvec3 kOrigin(1e6, -2e6, 3e6);

Pose draw_far_pose(Random& random) {
    Pose pose = draw_scene_pose(random);
    pose.position += kOrigin;
    return pose;
}

/// `count` objects without parents, all in motion, in the order of their rows.
std::vector<Id> add_movers(Stage& stage, Random& random, std::size_t count) {
    std::vector<Id> ids;
    for (std::size_t number = 0; number < count; ++number) {
        ids.push_back(stage.add(draw_far_pose(random)));
    }
    for (const std::int64_t tick : {1, 2}) {
        for (const Id id : ids) {
            EXPECT_EQ(stage.move(tick_at(tick), id, draw_far_pose(random)), StageStatus::Ok);
        }
    }
    return ids;
}

void present_between(Stage& stage) {
    ASSERT_EQ(stage.present({.time_ns = 3 * kSceneTickNs / 2, .now_ns = 2 * kSceneTickNs}),
              StageStatus::Ok);
}

/// Both forms of the matrices of `ids` are right, and nothing behind them is written.
void expect_written(const Stage& stage, std::span<const Id> ids) {
    constexpr std::size_t kMore = 3;
    std::vector<glm::mat3x4> rows(ids.size() + kMore, kUntouchedMatrix);
    std::vector<glm::mat4> columns(ids.size() + kMore, glm::mat4(-7.0F));
    ASSERT_EQ(stage.write_matrices(ids, rows, kOrigin), StageStatus::Ok);
    ASSERT_EQ(stage.write_matrices(ids, columns, kOrigin), StageStatus::Ok);
    for (std::size_t item = 0; item < ids.size(); ++item) {
        ASSERT_TRUE(is_placed_as(stage, ids[item], rows[item], kOrigin)) << item;
        const glm::mat4& form = columns[item];
        for (glm::length_t line = 0; line < 3; ++line) {
            const glm::vec4 due(form[0][line], form[1][line], form[2][line], form[3][line]);
            ASSERT_EQ(rows[item][line], due) << item << ", line " << line;
        }
        const glm::vec4 last(form[0].w, form[1].w, form[2].w, form[3].w);
        ASSERT_EQ(last, glm::vec4(0.0F, 0.0F, 0.0F, 1.0F)) << item;
    }
    for (std::size_t item = ids.size(); item < rows.size(); ++item) {
        ASSERT_EQ(rows[item], kUntouchedMatrix);
        ASSERT_EQ(columns[item], glm::mat4(-7.0F));
    }
}

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
    for (std::size_t last = items.size(); last > 1; --last) {
        std::swap(items[last - 1], items[draw_place(random, last)]);
    }
}

/// From the first and from within a block; fewer than kernels are for, a block, and several.
void expect_parts_written(const Stage& stage, std::span<const Id> ids) {
    for (const std::size_t first : {0U, 1U, 63U, 64U}) {
        for (const std::size_t count : {0U, 1U, 7U, 8U, 63U, 64U, 65U, 130U}) {
            expect_written(stage, ids.subspan(first, count));
        }
    }
}

TEST(StageReadMatrices, ObjectsInTheOrderOfTheirRowsFromAnyOneOn) {
    test::for_each_target([] {
        Stage stage({.capacity = 256});
        Random random(1);
        const std::vector<Id> ids = add_movers(stage, random, 200);
        present_between(stage);
        expect_parts_written(stage, ids);
    });
}

TEST(StageReadMatrices, ObjectsInNoOrderAndSomeOfThemTwice) {
    Stage stage({.capacity = 256});
    Random random(2);
    std::vector<Id> ids = add_movers(stage, random, 200);
    present_between(stage);
    std::reverse(ids.begin(), ids.end());
    expect_written(stage, ids);
    shuffle(ids, random);
    ids.insert(ids.end(), ids.begin(), ids.begin() + 7);
    ids.push_back(ids.back());
    expect_written(stage, ids);
}

/// Who compares matrices with those of the frame before must not see what else was asked for, in
/// lists of any length from 8 on.
TEST(StageReadMatrices, AnObjectHasTheSameBitsWhereverInAListItStands) {
    test::for_each_target([] {
        Stage stage({.capacity = 256});
        Random random(5);
        std::vector<Id> ids = add_movers(stage, random, 131);
        for (const std::size_t scaled : {3U, 90U}) {
            Pose pose = draw_far_pose(random);
            pose.scale = {1.0F, 2.0F, -3.0F};
            ASSERT_EQ(stage.move(tick_at(2), ids[scaled], pose), StageStatus::Ok);
        }
        present_between(stage);
        std::vector<glm::mat3x4> due(ids.size());
        ASSERT_EQ(stage.write_matrices(ids, due, kOrigin), StageStatus::Ok);
        // By so many that each is in a full block, in the last few, and beside a scale in turn.
        for (const std::size_t places : {1U, 8U, 60U, 61U}) {
            std::rotate(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(places), ids.end());
            std::rotate(due.begin(), due.begin() + static_cast<std::ptrdiff_t>(places), due.end());
            std::vector<glm::mat3x4> rows(ids.size());
            ASSERT_EQ(stage.write_matrices(ids, rows, kOrigin), StageStatus::Ok);
            ASSERT_EQ(rows, due);
        }
    });
}

/// Whether one in a block of a run is something else must not count for the others.
TEST(StageReadMatrices, OneThatIsNotAsTheOthersOfItsBlock) {
    for (const std::size_t place : {0U, 1U, 31U, 62U, 63U}) {
        Stage stage({.capacity = 256});
        Random random(3);
        std::vector<Id> ids = add_movers(stage, random, 128);
        present_between(stage);
        const Id other = ids[place];
        ASSERT_EQ(stage.set_parent(other, ids[100]), StageStatus::Ok);
        present_between(stage);
        expect_written(stage, ids);
        ids[place] = ids[place + 64];
        expect_written(stage, ids);
        ids[place] = other;
        ASSERT_EQ(stage.remove(other), StageStatus::Ok);
        expect_written(stage, ids); // The identity, in the place of what is gone.
        ids[place] = Id{};
        expect_written(stage, ids);
    }
}

TEST(StageReadMatrices, OneWithAScaleInARun) {
    for (const std::size_t place : {0U, 1U, 63U}) {
        Stage stage({.capacity = 256});
        Random random(8);
        const std::vector<Id> ids = add_movers(stage, random, 128);
        Pose pose = draw_far_pose(random);
        pose.scale = {0.5F, 2.0F, 1.5F};
        ASSERT_EQ(stage.move(tick_at(2), ids[place], pose), StageStatus::Ok);
        present_between(stage);
        expect_written(stage, ids);
    }
}

/// Rest, motion with and without scale, parents of every kind, bad handles, side by side.
class Mixture {
public:
    Mixture() {
        for (std::size_t number = 0; number < 300; ++number) {
            const Id parent = draw_chance(random_, 3) && !ids_.empty()
                                  ? ids_[draw_place(random_, ids_.size())]
                                  : Id{};
            ids_.push_back(stage_.add(draw_pose(parent.is_null()), {.parent = parent}));
        }
        move(1);
        move(2);
        ids_.insert(ids_.end(), {Id{}, Id{.index1 = 7, .generation = 99}});
        shuffle(ids_, random_);
    }

    [[nodiscard]] Stage& stage() noexcept { return stage_; }
    [[nodiscard]] std::span<const Id> ids() const noexcept { return ids_; }

    /// Three of four, unless they are gone or hidden.
    void move(std::int64_t tick) {
        for (const Id id : ids_) {
            const Pose pose = draw_pose(stage_.parent(id).is_null());
            const bool moves = id.index1 % 4 != 0 && stage_.contains(id);
            EXPECT_TRUE(!moves || stage_.move(tick_at(tick), id, pose) == StageStatus::Ok);
        }
    }

private:
    /// Roots are far away, and children beside their parents.
    [[nodiscard]] Pose draw_pose(bool is_root) {
        Pose pose = is_root ? draw_far_pose(random_) : draw_scene_pose(random_);
        pose.scale = draw_chance(random_, 4) ? glm::vec3(0.5F, 2.0F, 1.5F) : pose.scale;
        return pose;
    }

    Stage stage_{{.capacity = 512}};
    Random random_{4};
    std::vector<Id> ids_;
};

TEST(StageReadMatrices, ObjectsOfEveryKindSideBySide) {
    test::for_each_target([] {
        Mixture mixture;
        expect_written(mixture.stage(), mixture.ids()); // Before the first frame.
        present_between(mixture.stage());
        ASSERT_GT(mixture.stage().mover_count(), 200U);
        expect_written(mixture.stage(), mixture.ids());
    });
}

TEST(StageReadMatrices, InTheMiddleOfATickItIsThePictureThatCounts) {
    Mixture mixture;
    Stage& stage = mixture.stage();
    present_between(stage);
    Random random(9);
    const AddResult waiting = stage.spawn(tick_at(3), draw_far_pose(random));
    ASSERT_EQ(waiting.status, StageStatus::Ok);
    mixture.move(3);
    expect_written(stage, mixture.ids());
    // Hidden, not there yet, and cut away from where it was, among others.
    std::vector<Id> ids(mixture.ids().begin(), mixture.ids().begin() + 64);
    ids[20] = waiting.id;
    for (std::size_t item = 0; item + 1 < ids.size(); item += 3) {
        static_cast<void>(stage.hide(ids[item])); // Bad handles are among them.
        static_cast<void>(stage.cut(ids[item + 1], draw_scene_pose(random)));
    }
    expect_written(stage, ids);
}

TEST(StageReadMatrices, OfAFrameWithoutPosesTheyAreWorkedOut) {
    Stage stage({.capacity = 256});
    Random random(5);
    const std::vector<Id> ids = add_movers(stage, random, 130);
    present_between(stage);
    // In the columns are the poses of the frame before.
    std::vector<glm::mat3x4> matrices(ids.size());
    const SampleTime later{.time_ns = 7 * kSceneTickNs / 4, .now_ns = 2 * kSceneTickNs};
    ASSERT_EQ(stage.present(later, {.matrices = matrices, .poses = false}), StageStatus::Ok);
    expect_written(stage, ids);
}

TEST(StageReadMatrices, TracksAreToldApart) {
    Stage stage({.capacity = 256});
    Random random(6);
    const TrackId other = stage.make_track({}).value();
    std::vector<Id> ids;
    for (std::size_t number = 0; number < 128; ++number) {
        // Rows of both tracks have the same numbers.
        ids.push_back(
            stage.add(draw_far_pose(random), {.track = number < 64 ? kDefaultTrack : other}));
    }
    for (const std::int64_t tick : {1, 2}) {
        for (const Id id : ids) {
            ASSERT_EQ(stage.move(tick_at(tick), id, draw_far_pose(random)), StageStatus::Ok);
        }
    }
    const SampleTime time{.time_ns = 3 * kSceneTickNs / 2, .now_ns = 2 * kSceneTickNs};
    ASSERT_EQ(stage.present(
                  std::array{TrackSample{.time = time}, TrackSample{.track = other, .time = time}}),
              StageStatus::Ok);
    expect_written(stage, ids);
    // The first half of a run here, the second there.
    std::vector<Id> mixed(ids.begin(), ids.begin() + 32);
    mixed.insert(mixed.end(), ids.begin() + 96, ids.end());
    expect_written(stage, mixed);
}

} // namespace
} // namespace glissade::testing
