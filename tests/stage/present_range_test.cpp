// SPDX-License-Identifier: MIT
// A frame in parts, on any threads and in any order, is the frame in one go.
#include "glissade/stage/stage.h"

#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <array>
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

/// How the ranges of a frame are run.
using RunRanges = std::function<void(Stage&)>;

void run_in_reverse(Stage& stage) {
    for (std::size_t number = stage.range_count(); number > 0; --number) {
        stage.present_range(number - 1);
    }
}

void run_interleaved(Stage& stage) {
    constexpr std::size_t kStride = 3;
    for (std::size_t first = 0; first < kStride; ++first) {
        for (std::size_t number = first; number < stage.range_count(); number += kStride) {
            stage.present_range(number);
        }
    }
}

// The tests in WebAssembly have one thread.
#ifndef __EMSCRIPTEN__
void run_on_two_threads(Stage& stage) {
    const auto run_every_second = [&stage](std::size_t first) {
        for (std::size_t number = first; number < stage.range_count(); number += 2) {
            stage.present_range(number);
        }
    };
    std::thread other(run_every_second, 1);
    run_every_second(0);
    other.join();
}
#endif

/// What the families of a scene are like: with scales and parents on either track, or rigid, with
/// parents on their own.
enum class Families { Mixed, Rigid };

/// About 20,000 objects on two tracks: families, every blend, some at rest.
class LargeScene {
public:
    explicit LargeScene(Families families = Families::Mixed)
        : is_mixed_(families == Families::Mixed) {
        for (std::size_t number = 0; number < kCount; ++number) {
            const bool has_parent = number > 100 && number % 16 == 0;
            const bool has_blend = draw_chance(random_, 20);
            const ObjectConfig config{
                .track = number % 4 == 3 ? second : kDefaultTrack,
                .parent = has_parent ? draw_parent(number) : Id{},
                .blend = has_blend ? static_cast<Blend>(random_.between(0, 3)) : Blend::Linear};
            ids.push_back(stage.add(draw_scene_pose(random_), config));
            if (number % 7 == 0) {
                watched_.push_back(ids.back());
            }
        }
    }

    void run_tick(const Tick& tick) {
        for (const Id id : ids) {
            if (!draw_chance(random_, 10)) {
                stage.move(tick, id, draw_scene_pose(random_));
            }
        }
        for (int number = 0; number < 50; ++number) {
            const Id id = ids[draw_place(random_, kCount)];
            stage.move(tick, id, is_mixed_ ? draw_scaled_pose(random_) : draw_scene_pose(random_));
            stage.cut(tick, ids[draw_place(random_, kCount)], draw_scene_pose(random_));
            stage.amend(tick, ids[draw_place(random_, kCount)], draw_scene_pose(random_));
        }
    }

    /// One frame of both tracks, in one go if there is no way to run ranges.
    void show(std::int64_t time_ns, const RunRanges& run) {
        const SampleTime late{.time_ns = time_ns - 9'000'000, .now_ns = time_ns};
        const std::array<TrackSample, 2> samples = {
            {{.time = {.time_ns = time_ns, .now_ns = time_ns}}, {.track = second, .time = late}}};
        const std::array<MatrixTarget, 2> targets = {
            {{.matrices = matrices}, {.track = second, .matrices = second_matrices}}};
        if (!run) {
            ASSERT_EQ(stage.present(samples, targets), StageStatus::Ok);
            return;
        }
        ASSERT_EQ(stage.begin_present(samples, targets), StageStatus::Ok);
        EXPECT_GE(stage.range_count(), 5U);
        run(stage);
        stage.end_present();
    }

    [[nodiscard]] std::uint64_t compute_picture() const {
        Digest digest;
        // All movers are in the columns; every seventh object is asked for all it has.
        digest.add(compute_digest(stage, watched_));
        for (const auto* column : {&matrices, &second_matrices}) {
            const auto* const floats = reinterpret_cast<const float*>(column->data());
            digest.add_all(std::span(floats, 12 * column->size()));
        }
        return digest.value();
    }

    static constexpr std::size_t kCount = 20'000;
    Stage stage{{.capacity = kCount}};
    TrackId second = stage.make_track({.history = 3}).value();
    std::vector<Id> ids;
    std::vector<glm::mat3x4> matrices = std::vector<glm::mat3x4>(kCount, kUntouchedMatrix);
    std::vector<glm::mat3x4> second_matrices = matrices;

private:
    // Rigid: on the default track, as everything is that has a parent. From the second tick on too
    // few of them rest to matter.
    [[nodiscard]] Id draw_parent(std::size_t number) {
        const std::size_t place = draw_place(random_, number);
        return ids[is_mixed_ ? place : place / 4 * 4];
    }

    bool is_mixed_;
    Random random_{31};
    std::vector<Id> watched_;
};

/// What each frame of a short play looks like.
std::vector<std::uint64_t> play(const RunRanges& run, Families families) {
    LargeScene scene(families);
    std::vector<std::uint64_t> pictures;
    for (std::int64_t index = 1; index <= 3; ++index) {
        scene.run_tick(tick_at(index));
        scene.show(index * kSceneTickNs - 12'000'000, run);
        pictures.push_back(scene.compute_picture());
    }
    // The same time again: a frame that only writes matrices.
    scene.show(3 * kSceneTickNs - 12'000'000, run);
    pictures.push_back(scene.compute_picture());
    return pictures;
}

TEST(StageRanges, InAnyOrderTheyGiveThePictureOfPresent) {
    for (const Families families : {Families::Mixed, Families::Rigid}) {
        const std::vector<std::uint64_t> due = play({}, families);
        EXPECT_EQ(play(run_in_reverse, families), due);
        EXPECT_EQ(play(run_interleaved, families), due);
    }
}

#ifndef __EMSCRIPTEN__
TEST(StageRanges, OnTwoThreadsTheyGiveThePictureOfPresent) {
    for (const Families families : {Families::Mixed, Families::Rigid}) {
        EXPECT_EQ(play(run_on_two_threads, families), play({}, families));
    }
}
#endif

TEST(StageRanges, EveryTrackWithMoversHasRangesOfItsOwn) {
    LargeScene scene;
    const std::array<TrackSample, 1> one = {{{.time = {.time_ns = 1}}}};
    ASSERT_EQ(scene.stage.begin_present(one), StageStatus::Ok);
    EXPECT_EQ(scene.stage.range_count(), 0U);
    scene.stage.end_present();
    scene.run_tick(tick_at(1));
    const std::array<TrackSample, 2> both = {
        {{.time = {.time_ns = 2}}, {.track = scene.second, .time = {.time_ns = 2}}}};
    ASSERT_EQ(scene.stage.begin_present(both), StageStatus::Ok);
    const std::size_t both_count = scene.stage.range_count();
    run_in_reverse(scene.stage);
    scene.stage.end_present();
    EXPECT_EQ(scene.stage.range_count(), 0U);
    const std::array<TrackSample, 1> next = {{{.time = {.time_ns = 3}}}};
    ASSERT_EQ(scene.stage.begin_present(next), StageStatus::Ok);
    EXPECT_GT(scene.stage.range_count(), 0U);
    EXPECT_GT(both_count, scene.stage.range_count());
    run_in_reverse(scene.stage);
    scene.stage.end_present();
}

/// A small stage with one mover.
struct Small {
    Small() {
        id = stage.add(at_x(0.0));
        stage.move(tick_at(1), id, at_x(1.0));
        stage.present({.time_ns = 5'000'000});
    }

    StageStatus begin(const TrackSample& sample, const MatrixTarget& target) {
        return stage.begin_present({&sample, 1}, {&target, 1});
    }

    Stage stage;
    Id id;
    std::array<glm::mat3x4, 1> matrices = {kUntouchedMatrix};
};

TEST(StageRanges, WhatIsRefusedHasNothingToRun) {
    Small small;
    const std::uint64_t before = compute_digest(small.stage, {&small.id, 1});
    const MatrixTarget target{.matrices = small.matrices};
    const TrackSample good{.time = {.time_ns = 6'000'000}};
    EXPECT_EQ(small.begin({.time = {.time_ns = 1}}, target), StageStatus::TimeWentBack);
    EXPECT_EQ(small.stage.range_count(), 0U);
    small.stage.end_present();
    EXPECT_EQ(small.begin({.track = TrackId{7}}, target), StageStatus::NoSuchTrack);
    EXPECT_EQ(small.stage.range_count(), 0U);
    EXPECT_EQ(small.begin(good, {}), StageStatus::SizeMismatch);
    EXPECT_EQ(small.stage.range_count(), 0U);
    small.stage.end_present();
    EXPECT_EQ(compute_digest(small.stage, {&small.id, 1}), before);
    EXPECT_EQ(small.matrices[0], kUntouchedMatrix);
    ASSERT_EQ(small.begin(good, target), StageStatus::Ok);
    EXPECT_EQ(small.stage.range_count(), 1U);
    small.stage.present_range(0);
    small.stage.end_present();
    expect_matrices(small.stage, small.matrices);
    // Six of twenty milliseconds, in doubles of 1 m: a last place.
    EXPECT_NEAR(small.stage.visual(small.id).position.x, 0.3, 0x1p-52);
}

TEST(StageRanges, AnEndWithoutABeginningChangesNothing) {
    Small small;
    const std::uint64_t before = compute_digest(small.stage, {&small.id, 1});
    small.stage.end_present();
    small.stage.end_present();
    EXPECT_EQ(compute_digest(small.stage, {&small.id, 1}), before);
    EXPECT_EQ(small.stage.range_count(), 0U);
    EXPECT_EQ(small.stage.stats().present_count, 1U);
}

TEST(StageRanges, AGuessedFrameHasNoRangesAndShowsAllTheSame) {
    Stage stage({.track = {.underrun_extrapolation_ns = 50'000'000}});
    const Id id = stage.add(at_x(0.0));
    ASSERT_EQ(stage.move(tick_at(1), id, at_x(1.0)), StageStatus::Ok);
    const TrackSample sample{.time = {.time_ns = 30'000'000}};
    ASSERT_EQ(stage.begin_present({&sample, 1}), StageStatus::Ok);
    EXPECT_EQ(stage.range_count(), 0U);
    stage.end_present();
    // Half a tick beyond 1 m at 1 m a tick; velocities are floats of 50 m/s, 2^-18 m/s apart.
    EXPECT_NEAR(stage.visual(id).position.x, 1.5, 0x1p-18 * 0.01);
}

TEST(StageRanges, VeryManyRowsAreSharedOutInLargerRanges) {
    constexpr std::size_t kMany = 300'000; // 74 times 4096.
    Stage stage({.capacity = kMany});
    std::vector<Id> ids;
    for (std::size_t number = 0; number < kMany; ++number) {
        ids.push_back(stage.add({}));
    }
    for (std::int64_t index = 1; index <= 2; ++index) {
        const std::vector<Pose> poses(kMany, at_x(static_cast<double>(index)));
        ASSERT_EQ(stage.move(tick_at(index), ids, poses).accepted_count, kMany);
        const TrackSample sample{.time = {.time_ns = index * kSceneTickNs - kSceneTickNs / 2}};
        ASSERT_EQ(stage.begin_present({&sample, 1}), StageStatus::Ok);
        run_in_reverse(stage);
        stage.end_present();
    }
    const std::span<const double> x = stage.moved().visual.x;
    ASSERT_EQ(x.size(), kMany);
    EXPECT_EQ(std::count(x.begin(), x.end(), 1.5), static_cast<std::ptrdiff_t>(kMany));
    const TrackSample sample{.time = {.time_ns = 2 * kSceneTickNs}};
    ASSERT_EQ(stage.begin_present({&sample, 1}), StageStatus::Ok);
    EXPECT_GE(stage.range_count(), 64U);
    EXPECT_LE(stage.range_count(), 65U);
    run_interleaved(stage);
    stage.end_present();
}

} // namespace
} // namespace glissade::testing
