// SPDX-License-Identifier: MIT
// The moves of a tick, collected and handed over: what is told, what is refused, and when.
#include "glissade/stage/tick_writer.h"

#include "stage/stage_scene.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A stage with objects at rest.
struct Objects {
    explicit Objects(std::uint32_t count) : stage({.capacity = count}) {
        for (std::uint32_t number = 0; number < count; ++number) {
            ids.push_back(stage.add(at_x(0.0)));
        }
    }

    /// Where object `number` is told to be after tick `index`.
    static double place(std::size_t number, std::int64_t index) {
        return static_cast<double>(number) + 0.25 * static_cast<double>(index);
    }

    BatchResult write(std::int64_t index) {
        TickWriter writer(stage, tick_at(index));
        for (std::size_t number = 0; number < ids.size(); ++number) {
            writer.move(ids[number], at_x(place(number, index)));
        }
        return writer.finish();
    }

    void expect_places(std::int64_t index) const {
        for (std::size_t number = 0; number < ids.size(); ++number) {
            ASSERT_EQ(stage.logical(ids[number]), at_x(place(number, index))) << number;
        }
    }

    Stage stage;
    std::vector<Id> ids;
};

TEST(TickWriter, EveryMoveIsToldWhateverTheirNumber) {
    for (const std::uint32_t count : {1U, 63U, 64U, 65U, 300U}) {
        Objects objects(count);
        const BatchResult result = objects.write(1);
        EXPECT_EQ(result.status, StageStatus::Ok);
        EXPECT_EQ(result.accepted_count, count);
        EXPECT_EQ(objects.stage.mover_count(), count);
        EXPECT_EQ(objects.stage.stats().move_count, count);
        objects.expect_places(1);
    }
}

TEST(TickWriter, NothingToldIsFineAndOpensNoTick) {
    Objects objects(1);
    TickWriter writer(objects.stage, tick_at(1));
    const BatchResult result = writer.finish();
    EXPECT_EQ(result.status, StageStatus::Ok);
    EXPECT_EQ(result.accepted_count, 0U);
    EXPECT_FALSE(objects.stage.newest());
}

TEST(TickWriter, TheFirstRefusedIsNamedByItsNumberAmongAllMoves) {
    for (const std::size_t bad : {0U, 5U, 63U, 64U, 200U, 299U}) {
        Objects objects(300);
        TickWriter writer(objects.stage, tick_at(1));
        for (std::size_t number = 0; number < 300; ++number) {
            const bool is_bad = number == bad || number == bad + 60;
            writer.move(objects.ids[number], at_x(is_bad ? kNan : 1.0));
        }
        const BatchResult result = writer.finish();
        const std::size_t refused_count = bad + 60 < 300 ? 2 : 1;
        EXPECT_EQ(result.status, StageStatus::BadPosition);
        EXPECT_EQ(result.first_refused, bad);
        EXPECT_EQ(result.accepted_count, 300U - refused_count);
        EXPECT_EQ(objects.stage.logical(objects.ids[bad]), at_x(0.0));
    }
}

TEST(TickWriter, MovesAfterFinishGoOnCounting) {
    Objects objects(10);
    TickWriter writer(objects.stage, tick_at(1));
    writer.move(objects.ids[0], at_x(1.0));
    EXPECT_EQ(writer.finish().accepted_count, 1U);
    writer.move(objects.ids[1], at_x(1.0));
    writer.move(Id{}, at_x(1.0));
    const BatchResult result = writer.finish();
    EXPECT_EQ(result.accepted_count, 2U);
    EXPECT_EQ(result.status, StageStatus::NullHandle);
    EXPECT_EQ(result.first_refused, 2U);
}

TEST(TickWriter, ItsEndHandsOverWhatWaits) {
    Objects objects(3);
    {
        TickWriter writer(objects.stage, tick_at(1));
        writer.move(objects.ids[2], at_x(7.0));
        EXPECT_EQ(objects.stage.logical(objects.ids[2]), at_x(0.0));
    }
    EXPECT_EQ(objects.stage.logical(objects.ids[2]), at_x(7.0));
}

TEST(TickWriter, OfTwoMovesOfOneObjectTheLastCounts) {
    Objects objects(200);
    TickWriter writer(objects.stage, tick_at(1));
    for (std::size_t number = 0; number < 200; ++number) {
        writer.move(objects.ids[number], at_x(1.0));
    }
    writer.move(objects.ids[3], at_x(2.0));
    EXPECT_EQ(writer.finish().accepted_count, 201U);
    EXPECT_EQ(objects.stage.logical(objects.ids[3]), at_x(2.0));
    EXPECT_EQ(objects.stage.logical(objects.ids[4]), at_x(1.0));
}

TEST(TickWriter, AnOldTickIsRefusedForEveryMove) {
    Objects objects(2);
    EXPECT_EQ(objects.write(5).status, StageStatus::Ok);
    const BatchResult result = objects.write(4);
    EXPECT_EQ(result.status, StageStatus::StaleTick);
    EXPECT_EQ(result.accepted_count, 0U);
    objects.expect_places(5);
}

// So many that their states are written past the caches.
TEST(TickWriter, LargeStagesGetTheSameFromWritersBatchesAndSingleMoves) {
    constexpr std::uint32_t kMany = 70'100;
    Objects written(kMany);
    Objects batched(kMany);
    Objects single(kMany);
    for (std::int64_t index = 1; index <= 3; ++index) {
        EXPECT_EQ(written.write(index).accepted_count, kMany);
        std::vector<Pose> poses;
        for (std::size_t number = 0; number < kMany; ++number) {
            poses.push_back(at_x(Objects::place(number, index)));
            ASSERT_EQ(single.stage.move(tick_at(index), single.ids[number], poses.back()),
                      StageStatus::Ok);
        }
        EXPECT_EQ(batched.stage.move(tick_at(index), batched.ids, poses).accepted_count, kMany);
        ASSERT_NO_FATAL_FAILURE(written.expect_places(index));
        ASSERT_NO_FATAL_FAILURE(batched.expect_places(index));
        const SampleTime sample{.time_ns = tick_at(index).time_ns - 5'000'000};
        for (Objects* objects : {&written, &batched, &single}) {
            ASSERT_EQ(objects->stage.present(sample), StageStatus::Ok);
        }
        for (std::size_t number = 0; number < kMany; ++number) {
            const Pose due = single.stage.visual(single.ids[number]);
            ASSERT_EQ(written.stage.visual(written.ids[number]), due) << number;
            ASSERT_EQ(batched.stage.visual(batched.ids[number]), due) << number;
        }
    }
}

} // namespace
} // namespace glissade::testing
