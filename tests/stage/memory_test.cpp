// SPDX-License-Identifier: MIT
// How much memory a stage takes for what it holds, and that batches, matrices and frames in parts
// take none. An executable of its own, with support/counting_allocator.cpp.
#include "glissade/stage/stage.h"

#include "stage/stage_scene.h"
#include "support/counting_allocator.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::uint32_t kCount = 1U << 16U;

/// What the constructor asks for.
std::size_t measure_bytes(std::uint32_t capacity, const TrackConfig& track) {
    const std::size_t before = allocated_bytes();
    const Stage stage({.capacity = capacity, .track = track});
    return allocated_bytes() - before;
}

/// Bytes for each of kCount more, of which `more` and `less` differ.
double compute_each(std::size_t more, std::size_t less, const char* name) {
    const double each = static_cast<double>(more - less) / kCount;
    ::testing::Test::RecordProperty(name, std::to_string(each));
    return each;
}

TEST(StageMemory, AnObjectAtRestTakesAtMost192Bytes) {
    const std::size_t less = measure_bytes(kCount, {.mover_capacity = 1});
    const std::size_t more = measure_bytes(2 * kCount, {.mover_capacity = 1});
    EXPECT_LE(compute_each(more, less, "bytes_at_rest"), 192.0);
}

double compute_mover_bytes(std::uint32_t history, const char* name) {
    const std::size_t less =
        measure_bytes(2 * kCount, {.history = history, .mover_capacity = kCount});
    const std::size_t more =
        measure_bytes(2 * kCount, {.history = history, .mover_capacity = 2 * kCount});
    return compute_each(more, less, name);
}

TEST(StageMemory, AMoverTakesAtMost420BytesMoreWithTwoStates) {
    EXPECT_LE(compute_mover_bytes(2, "bytes_of_mover_2"), 420.0);
}

TEST(StageMemory, AMoverTakesAtMost900BytesMoreWithEightStates) {
    EXPECT_LE(compute_mover_bytes(8, "bytes_of_mover_8"), 900.0);
}

/// Families on two tracks that come and go, told in batches and shown with matrices.
class Traffic {
public:
    Traffic() {
        for (std::size_t number = 0; number < kObjects; ++number) {
            const TrackId track = number % 5 == 4 ? second_ : kDefaultTrack;
            const Id parent = number % 3 == 2 ? ids_[number / 2] : Id{};
            ids_[number] = stage.add(draw_scene_pose(random_), {.track = track, .parent = parent});
        }
    }

    void run_tick(std::int64_t index) {
        for (std::size_t number = 0; number < kObjects; ++number) {
            poses_[number] = draw_scene_pose(random_);
            numbers_[number] = draw_real(random_, -9.0, 9.0);
        }
        poses_[draw_place(random_, kObjects)] = draw_scaled_pose(random_);
        poses_[draw_place(random_, kObjects)].position.x = 1e300;
        const std::size_t first = draw_place(random_, kObjects / 2);
        const std::size_t count = draw_place(random_, kObjects / 2) + 1;
        const std::span<const Id> ids = std::span(ids_).subspan(first, count);
        const std::span<const Pose> poses = std::span(poses_).subspan(first, count);
        accepted_count += stage.move(tick_at(index), ids, poses).accepted_count;
        accepted_count +=
            stage.move(tick_at(index), ids, poses, std::span(velocities_).first(count))
                .accepted_count;
        const std::span<const double> x = std::span(numbers_).first(count);
        const std::span<const float> zero = std::span(zeros_).first(count);
        const PoseColumns columns{.x = x,
                                  .y = x,
                                  .z = x,
                                  .qx = zero,
                                  .qy = zero,
                                  .qz = zero,
                                  .qw = std::span(ones_).first(count)};
        accepted_count += stage.move(tick_at(index), ids, columns).accepted_count;
        stage.set_parent(ids_[draw_place(random_, kObjects)], ids_[draw_place(random_, kObjects)]);
    }

    void show(std::int64_t time_ns) {
        const SampleTime time{.time_ns = time_ns, .now_ns = time_ns};
        const std::array<TrackSample, 2> samples = {
            {{.time = time}, {.track = second_, .time = time}}};
        const std::array<MatrixTarget, 2> targets = {
            {{.matrices = matrices_}, {.track = second_, .matrices = second_matrices_}}};
        if (time_ns % 2 == 0) {
            shown_count += stage.present(samples, targets) == StageStatus::Ok ? 1U : 0U;
        } else if (stage.begin_present(samples, targets) == StageStatus::Ok) {
            for (std::size_t number = stage.range_count(); number > 0; --number) {
                stage.present_range(number - 1);
            }
            stage.end_present();
            ++shown_count;
        }
        for (const Id id : stage.changed()) {
            changed_count += id.is_null() ? 0U : 1U;
        }
    }

    static constexpr std::size_t kObjects = 900;
    Stage stage{{.capacity = kObjects}};
    std::size_t accepted_count = 0;
    std::size_t shown_count = 0;
    std::size_t changed_count = 0;

private:
    Random random_{12};
    TrackId second_ = stage.make_track({.history = 5}).value();
    std::vector<Id> ids_ = std::vector<Id>(kObjects);
    std::vector<Pose> poses_ = std::vector<Pose>(kObjects);
    std::vector<Velocity> velocities_ = std::vector<Velocity>(kObjects);
    std::vector<double> numbers_ = std::vector<double>(kObjects, 2.5);
    std::vector<float> zeros_ = std::vector<float>(kObjects, 0.0F);
    std::vector<float> ones_ = std::vector<float>(kObjects, 1.0F);
    std::vector<glm::mat3x4> matrices_ = std::vector<glm::mat3x4>(kObjects);
    std::vector<glm::mat3x4> second_matrices_ = std::vector<glm::mat3x4>(kObjects);
};

// From the first tick on: nothing is put off until it is needed.
TEST(StageMemory, NeitherBatchesNorMatricesNorFramesInPartsAllocate) {
    Traffic traffic;
    const std::size_t before = allocation_count();
    for (std::int64_t index = 1; index <= 120; ++index) {
        traffic.run_tick(index);
        traffic.show((index - 1) * kSceneTickNs);
        traffic.show((index - 1) * kSceneTickNs + 9'000'001);
    }
    EXPECT_EQ(allocation_count(), before);
    EXPECT_EQ(traffic.shown_count, 240U);
    EXPECT_GT(traffic.accepted_count, 50'000U);
    EXPECT_GT(traffic.changed_count, 50'000U);
    EXPECT_GT(traffic.stage.stats().settle_count, 1000U);
}

} // namespace
} // namespace glissade::testing
