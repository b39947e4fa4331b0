// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <array>
#include <cmath>

namespace glissade::c_test {
namespace {

constexpr std::uint32_t kCapacity = 4;

// Both ends of a link.
class CWriterTest : public ::testing::Test {
protected:
    // The state that was handed over last; null if there is none.
    const glissade_tick* take() { return glissade_reader_next(reader.get(), 1000.0); }
    std::vector<glissade_row> publish_and_read() {
        const glissade_times times = times_of(++tick);
        EXPECT_EQ(glissade_writer_publish(writer.get(), &times), 1) << glissade_problem();
        const glissade_tick* const state = take();
        return state != nullptr ? rows_in(state) : std::vector<glissade_row>{};
    }
    glissade_id add(const glissade_row& row) { return glissade_writer_add(writer.get(), &row); }
    std::uint32_t move(const std::vector<glissade_row>& rows) {
        return glissade_writer_move(writer.get(), rows.data(),
                                    static_cast<std::uint32_t>(rows.size()));
    }
    std::int32_t cut(const glissade_row& row) { return glissade_writer_cut(writer.get(), &row); }
    std::int32_t publish(const glissade_times& times) {
        return glissade_writer_publish(writer.get(), &times);
    }

    LinkMemory link{kCapacity};
    Writer writer = link.make_writer();
    Reader reader = link.make_reader();
    double tick = 0.0;
};

TEST(CLink, NeedsMoreMemoryForMoreObjectsInWholeCacheLines) {
    const std::size_t one = glissade_link_bytes(1);
    const std::size_t thousand = glissade_link_bytes(1000);
    EXPECT_GT(one, 0U);
    EXPECT_EQ(one % LinkMemory::kAlignment, 0U);
    // A row of a snapshot has at least a name and a position.
    EXPECT_GT(thousand, one + std::size_t{900} * 4 * sizeof(double));
}

TEST(CLink, ACapacityThatCannotBeIsRefusedWithAReason) {
    EXPECT_EQ(glissade_link_bytes(0), 0U);
    EXPECT_THAT(glissade_problem(), says("glissade_link_bytes: the capacity is 0 or too large"));
    EXPECT_EQ(glissade_link_bytes(0xFFFFFFFF), 0U);
}

TEST(CLink, MemoryThatIsTooSmallOrMisplacedIsRefusedWithAReason) {
    const LinkMemory link(kCapacity);
    EXPECT_EQ(glissade_link_format(link.data(), link.bytes() - 1, kCapacity), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_link_format: "));
    void* const beside = static_cast<std::byte*>(link.data()) + 8;
    EXPECT_EQ(glissade_link_format(beside, link.bytes() - 8, 1), 0);
    EXPECT_NE(link.make_writer(), nullptr) << "what was there is still a link";
}

TEST(CLink, MemoryWithoutALinkIsRefusedByAllThatJoin) {
    alignas(LinkMemory::kAlignment) std::array<std::byte, 4096> nothing{};
    EXPECT_EQ(glissade_writer_create(nothing.data(), nothing.size()), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_writer_create: "));
    EXPECT_EQ(glissade_reader_create(nothing.data(), nothing.size()), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_reader_create: "));
    EXPECT_EQ(glissade_relay_create(nothing.data(), nothing.size()), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_relay_create: "));
    EXPECT_EQ(glissade_playout_create(nothing.data(), nothing.size(), kNone), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_playout_create: "));
}

TEST(CLink, ASecondWriterIsRefusedUntilTheFirstHasLeft) {
    const LinkMemory link(kCapacity);
    Writer first = link.make_writer();
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(link.make_writer(), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_writer_create: taken"));
    first.reset();
    EXPECT_NE(link.make_writer(), nullptr);
}

TEST(CVersion, IsThatOfThePackage) {
    EXPECT_STREQ(glissade_version(), "0.1.0");
}

TEST(CMemory, WhatIsAllocatedCanBeWrittenAndGivenBack) {
    auto* const memory = static_cast<double*>(glissade_alloc(1000 * sizeof(double)));
    ASSERT_NE(memory, nullptr);
    memory[999] = 42.0;
    EXPECT_EQ(memory[999], 42.0);
    glissade_free(memory);
}

TEST_F(CWriterTest, ObjectsArriveWithAllThatTheyHave) {
    glissade_row row{.id = 0.0,
                     .position = {1.5, -2.5, 1e6},
                     .rotation = {0.0, 1.0, 0.0, 0.0},
                     .velocity = {5.0, 6.0, 7.0},
                     .angular_velocity = {8.0, 9.0, 10.0}};
    const glissade_id id = add(row);
    ASSERT_GT(id, 0.0);
    const std::vector<glissade_row> rows = publish_and_read();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].id, id);
    EXPECT_THAT(rows[0].position, ::testing::ElementsAre(1.5, -2.5, 1e6));
    EXPECT_THAT(rows[0].rotation, ::testing::ElementsAre(0.0, 1.0, 0.0, 0.0));
    EXPECT_THAT(rows[0].velocity, ::testing::ElementsAre(5.0, 6.0, 7.0));
    EXPECT_THAT(rows[0].angular_velocity, ::testing::ElementsAre(8.0, 9.0, 10.0));
}

TEST_F(CWriterTest, TheTimesOfATickArrive) {
    ASSERT_EQ(publish({7.0, 70.25, 10.0, 72.0, 75.5, 0.5, 1.0, 3.0}), 1);
    const glissade_tick* const state = take();
    ASSERT_NE(state, nullptr);
    const glissade_times times = times_in(state);
    EXPECT_EQ(times.tick, 7.0);
    EXPECT_EQ(times.time_ms, 70.25);
    EXPECT_EQ(times.duration_ms, 10.0);
    EXPECT_EQ(times.due_ms, 72.0);
    EXPECT_EQ(times.published_ms, 75.5);
    EXPECT_EQ(times.time_scale, 0.5);
    EXPECT_EQ(times.paused, 1.0);
    EXPECT_EQ(times.epoch, 3.0);
}

TEST_F(CWriterTest, WithoutAScheduleThereIsNoDueTime) {
    glissade_times times = times_of(1.0);
    times.due_ms = kNone;
    ASSERT_EQ(publish(times), 1);
    EXPECT_TRUE(std::isnan(times_in(take()).due_ms));
}

TEST_F(CWriterTest, MoveTakesManyRowsByTheirNames) {
    const glissade_id first = add(row_at(1.0));
    const glissade_id second = add(row_at(2.0));
    EXPECT_EQ(move({row_at(20.0, second), row_at(10.0, first)}), 2U);
    const std::vector<glissade_row> rows = publish_and_read();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].position[0], 10.0);
    EXPECT_EQ(rows[1].position[0], 20.0);
}

TEST_F(CWriterTest, MoveStopsAtTheFirstRowThatIsRefused) {
    const glissade_id first = add(row_at(1.0));
    const glissade_id second = add(row_at(2.0));
    EXPECT_EQ(move({row_at(10.0, first), row_at(kNone, second), row_at(11.0, first)}), 1U);
    EXPECT_THAT(glissade_problem(), says("glissade_writer_move: bad value"));
    const std::vector<glissade_row> rows = publish_and_read();
    EXPECT_EQ(rows[0].position[0], 10.0);
    EXPECT_EQ(rows[1].position[0], 2.0);
}

TEST_F(CWriterTest, ARemovedObjectIsGoneAndItsNameNeverComesBack) {
    const glissade_id first = add(row_at(1.0));
    EXPECT_EQ(glissade_writer_remove(writer.get(), first), 1);
    const glissade_id second = add(row_at(2.0));
    EXPECT_NE(second, first);
    EXPECT_EQ(glissade_writer_remove(writer.get(), first), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_writer_remove: bad handle"));
    EXPECT_EQ(move({row_at(9.0, first)}), 0U);
    const std::vector<glissade_row> rows = publish_and_read();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].id, second);
    EXPECT_EQ(rows[0].position[0], 2.0);
}

TEST_F(CWriterTest, HoldsAsManyObjectsAsTheLink) {
    for (std::uint32_t i = 0; i < kCapacity; ++i) {
        EXPECT_GT(add(row_at(i * 1.0)), 0.0);
    }
    EXPECT_EQ(add(row_at(99.0)), 0.0);
    EXPECT_THAT(glissade_problem(), says("glissade_writer_add: full"));
    EXPECT_EQ(publish_and_read().size(), kCapacity);
}

TEST_F(CWriterTest, BadValuesAreRefusedAndChangeNothing) {
    const glissade_id id = add(row_at(1.0));
    glissade_row unturned = row_at(5.0, id);
    unturned.rotation[3] = 0.0;
    for (const glissade_row& bad : {row_at(kNone, id), row_at(1e13, id), unturned}) {
        EXPECT_EQ(add(bad), 0.0);
        EXPECT_EQ(move({bad}), 0U);
        EXPECT_EQ(cut(bad), 0);
    }
    const std::vector<glissade_row> rows = publish_and_read();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].position[0], 1.0);
}

TEST_F(CWriterTest, NumbersThatNameNothingAreRefused) {
    const glissade_id id = add(row_at(1.0));
    for (const glissade_id nobody : {0.0, -1.0, id + 0.5, id + 1.0, kNone, kForever, 1e300}) {
        EXPECT_EQ(move({row_at(2.0, nobody)}), 0U) << nobody;
        EXPECT_EQ(cut(row_at(2.0, nobody)), 0) << nobody;
        EXPECT_EQ(glissade_writer_remove(writer.get(), nobody), 0) << nobody;
        EXPECT_THAT(glissade_problem(), says("bad handle"));
    }
    EXPECT_EQ(publish_and_read()[0].position[0], 1.0);
}

TEST_F(CWriterTest, AShiftThatIsNoneIsRefused) {
    const glissade_id id = add(row_at(1.0));
    const std::array<double, 4> turn{0.0, 0.0, 0.0, 1.0};
    const std::array<double, 4> no_turn{0.0, 0.0, 0.0, 0.0};
    const std::array<double, 3> way{1.0, 2.0, 3.0};
    const std::array<double, 3> no_way{kNone, 0.0, 0.0};
    EXPECT_EQ(glissade_writer_shift(writer.get(), id, turn.data(), way.data()), 1);
    EXPECT_EQ(glissade_writer_shift(writer.get(), id, turn.data(), no_way.data()), 0);
    EXPECT_THAT(glissade_problem(), says("glissade_writer_shift: bad value"));
    EXPECT_EQ(glissade_writer_shift(writer.get(), id, no_turn.data(), way.data()), 0);
    EXPECT_EQ(glissade_writer_shift(writer.get(), 0.0, turn.data(), way.data()), 0);
}

// A field of the times and a value that it cannot have.
struct BadTime {
    double glissade_times::*field;
    double value;
};

TEST_F(CWriterTest, TimesThatNoClockShowsAreRefusedAndNothingIsHandedOver) {
    const std::vector<BadTime> bad_times = {
        {&glissade_times::tick, kNone},          {&glissade_times::time_ms, kNone},
        {&glissade_times::time_ms, kForever},    {&glissade_times::time_ms, 1e300},
        {&glissade_times::duration_ms, 0.0},     {&glissade_times::duration_ms, -1.0},
        {&glissade_times::duration_ms, kNone},   {&glissade_times::published_ms, kNone},
        {&glissade_times::time_scale, -1.0},     {&glissade_times::time_scale, kNone},
        {&glissade_times::time_scale, kForever}, {&glissade_times::epoch, -1.0},
        {&glissade_times::epoch, kNone},         {&glissade_times::epoch, 4294967296.0},
    };
    for (const BadTime& bad : bad_times) {
        glissade_times times = times_of(1.0);
        times.*bad.field = bad.value;
        EXPECT_EQ(publish(times), 0) << (&bad - bad_times.data());
        EXPECT_THAT(glissade_problem(), says("glissade_writer_publish: "));
        EXPECT_EQ(take(), nullptr) << (&bad - bad_times.data());
    }
}

} // namespace
} // namespace glissade::c_test
