// SPDX-License-Identifier: MIT
#include "glissade/link/link.h"

#include "link/link_world.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::count_wrong;
using ::testing::ElementsAre;
using testing::fill;
using testing::JoinedLink;
using testing::publish;
using testing::Random;
using testing::take_all;

TEST(Link, ANewLinkHasNothingToRead) {
    JoinedLink link;
    EXPECT_TRUE(link.writer.joined());
    EXPECT_TRUE(link.reader.joined());
    EXPECT_FALSE(link.reader.next());
    EXPECT_EQ(link.reader.config(), link.config);
    EXPECT_EQ(link.writer.config(), link.config);
}

TEST(Link, EverythingInASnapshotArrives) {
    JoinedLink link;
    const LinkWriter::Begun begun = link.writer.begin(3);
    ASSERT_EQ(begun.status, LinkStatus::Ok);
    fill(begun.slot, 77);
    *begun.slot.header = {.sequence = 12345, // Is set by publish().
                          .tick = 77,
                          .time_ns = -5,
                          .duration_ns = 16'666'667,
                          .due_ns = 9'000'000'000,
                          .published_ns = 1, // So is this.
                          .time_scale = 0.25,
                          .epoch = 3,
                          .object_count = 3,
                          .has_due = 1,
                          .paused = 1};
    ASSERT_EQ(link.writer.publish(9'000'100'000), LinkStatus::Ok);

    const auto view = link.reader.next();
    ASSERT_TRUE(view);
    EXPECT_EQ(view->header.sequence, 1U);
    EXPECT_EQ(view->header.time_ns, -5);
    EXPECT_EQ(view->header.duration_ns, 16'666'667);
    EXPECT_EQ(view->header.due_ns, 9'000'000'000);
    EXPECT_EQ(view->header.published_ns, 9'000'100'000);
    EXPECT_EQ(view->header.time_scale, 0.25);
    EXPECT_EQ(view->header.epoch, 3U);
    EXPECT_EQ(view->header.object_count, 3U);
    EXPECT_EQ(view->header.has_due, 1);
    EXPECT_EQ(view->header.paused, 1);
    EXPECT_EQ(count_wrong(*view, 77), 0U);
    EXPECT_FALSE(link.reader.next());
}

TEST(Link, BeginGivesAHeaderOfDefaultsEveryTime) {
    JoinedLink link;
    for (int i = 0; i < 20; ++i) {
        const LinkWriter::Begun begun = link.writer.begin(2);
        EXPECT_EQ(begun.slot.header->object_count, 2U);
        EXPECT_EQ(begun.slot.header->time_scale, 1.0);
        EXPECT_EQ(begun.slot.header->tick, 0);
        EXPECT_EQ(begun.slot.header->paused, 0);
        *begun.slot.header = {.tick = i, .time_scale = 3.0, .object_count = 1, .paused = 1};
        EXPECT_EQ(link.writer.publish(0), LinkStatus::Ok);
    }
}

TEST(Link, ColumnsThatWereNotAskedForAreEmpty) {
    JoinedLink link({.capacity = 7, .columns = LinkColumns::None});
    const LinkWriter::Begun begun = link.writer.begin(7);
    EXPECT_EQ(begun.slot.columns.ids.size(), 7U);
    EXPECT_EQ(begun.slot.columns.qw.size(), 7U);
    EXPECT_EQ(begun.slot.columns.cuts.size(), 7U);
    EXPECT_TRUE(begun.slot.columns.scale_x.empty());
    EXPECT_TRUE(begun.slot.columns.velocity_y.empty());
    EXPECT_TRUE(begun.slot.columns.angular_velocity_z.empty());
    EXPECT_TRUE(begun.slot.columns.shifts.empty());
    EXPECT_TRUE(begun.slot.columns.shift_qw.empty());
    EXPECT_TRUE(begun.slot.columns.channels.empty());
    EXPECT_EQ(begun.slot.columns.channel_count, 0U);
}

TEST(Link, EachOptionalColumnComesAlone) {
    for (const LinkColumns columns : {LinkColumns::Scale, LinkColumns::LinearVelocity,
                                      LinkColumns::AngularVelocity, LinkColumns::Shift}) {
        JoinedLink link({.capacity = 7, .columns = columns});
        ASSERT_EQ(publish(link.writer, 5), LinkStatus::Ok);
        const auto view = link.reader.next();
        ASSERT_TRUE(view);
        EXPECT_EQ(count_wrong(*view, 5), 0U);
        EXPECT_EQ(view->columns.scale_z.size(), has(columns, LinkColumns::Scale) ? 7U : 0U);
        EXPECT_EQ(view->columns.velocity_z.size(),
                  has(columns, LinkColumns::LinearVelocity) ? 7U : 0U);
        EXPECT_EQ(view->columns.angular_velocity_z.size(),
                  has(columns, LinkColumns::AngularVelocity) ? 7U : 0U);
        EXPECT_EQ(view->columns.shift_qw.size(), has(columns, LinkColumns::Shift) ? 7U : 0U);
    }
}

TEST(Link, ChannelsLieOneAfterTheOther) {
    JoinedLink link({.capacity = 17, .channel_count = 8});
    const LinkWriter::Begun begun = link.writer.begin(17);
    const auto& columns = begun.slot.columns;
    ASSERT_EQ(columns.channel_count, 8U);
    EXPECT_EQ(columns.channel_stride, 32U); // 17 floats, filled up to two lines.
    ASSERT_EQ(columns.channels.size(), 8U * 32U);
    columns.channels[7 * columns.channel_stride + 16] = 2.5F;
    ASSERT_EQ(link.writer.publish(0), LinkStatus::Ok);
    const auto view = link.reader.next();
    ASSERT_TRUE(view);
    EXPECT_EQ(view->columns.channels[7 * view->columns.channel_stride + 16], 2.5F);
}

TEST(Link, AReaderThatKeepsUpGetsEverySnapshot) {
    JoinedLink link;
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
        const auto view = link.reader.next();
        ASSERT_TRUE(view);
        ASSERT_EQ(view->header.sequence, number);
        ASSERT_EQ(count_wrong(*view, number), 0U);
        ASSERT_FALSE(link.reader.next());
    }
    EXPECT_EQ(link.writer.stats().snapshot_count, 1000U);
    EXPECT_EQ(link.reader.stats().snapshot_count, 1000U);
    EXPECT_EQ(link.reader.stats().skipped_count, 0U);
}

// The sequences that a reader gets when the newest is `newest` and it is `behind` by that many.
std::vector<std::uint64_t> expected_sequences(std::uint64_t newest, std::uint64_t behind,
                                              std::uint32_t slot_count) {
    std::vector<std::uint64_t> sequences;
    const std::uint64_t count = std::min<std::uint64_t>(behind, slot_count - 2);
    for (std::uint64_t i = 0; i < count; ++i) {
        sequences.push_back(newest - count + 1 + i);
    }
    return sequences;
}

void expect_the_newest_when_behind(std::uint32_t slot_count) {
    JoinedLink link({.capacity = 3, .slot_count = slot_count});
    std::uint64_t newest = 0;
    for (const std::uint64_t behind : {1U, 2U, 3U, 6U, 7U, 62U, 63U, 64U, 65U, 200U}) {
        for (std::uint64_t i = 0; i < behind; ++i) {
            ASSERT_EQ(publish(link.writer, ++newest), LinkStatus::Ok);
        }
        const auto expected = expected_sequences(newest, behind, slot_count);
        const std::uint64_t skipped_before = link.reader.stats().skipped_count;
        EXPECT_EQ(take_all(link.reader), expected);
        EXPECT_EQ(link.reader.stats().skipped_count - skipped_before, behind - expected.size());
    }
}

TEST(Link, AReaderThatFallsBehindGetsTheNewestKMinus2) {
    for (const std::uint32_t slot_count : {4U, 5U, 8U, 64U}) {
        expect_the_newest_when_behind(slot_count);
    }
}

TEST(Link, AReaderThatKeepsUpMakesTwoSlotsGoToAndFro) {
    JoinedLink link({.capacity = 1, .slot_count = 64});
    std::set<const SnapshotHeader*> slots;
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        slots.insert(link.writer.begin(1).slot.header);
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
        ASSERT_EQ(count_wrong(*link.reader.next(), number), 0U);
    }
    EXPECT_EQ(slots.size(), 2U);
}

// Asking once more than there is gives the slot back.
TEST(Link, AReaderThatTakesAllMakesOneSlotGoToAndFro) {
    JoinedLink link({.capacity = 1, .slot_count = 64});
    std::set<const SnapshotHeader*> slots;
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        slots.insert(link.writer.begin(1).slot.header);
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
        ASSERT_THAT(take_all(link.reader), ElementsAre(number));
    }
    EXPECT_EQ(slots.size(), 1U);
}

// The writer has begun before the reader gives its slot back.
TEST(Link, AReaderThatGivesItsSlotBackTooLateKeepsIt) {
    JoinedLink link({.capacity = 1, .slot_count = 4});
    for (std::uint64_t number = 1; number <= 1000; ++number) {
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
        ASSERT_EQ(count_wrong(*link.reader.next(), number), 0U);
        const LinkWriter::Begun begun = link.writer.begin(1);
        fill(begun.slot, ++number);
        ASSERT_FALSE(link.reader.next());
        ASSERT_EQ(link.writer.publish(0), LinkStatus::Ok);
        ASSERT_EQ(count_wrong(*link.reader.next(), number), 0U);
    }
}

TEST(Link, AReaderThatIsOvertakenGetsWhatOvertookIt) {
    JoinedLink link; // 4 entries: the newest two.
    for (std::uint64_t number = 1; number <= 4; ++number) {
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
    }
    ASSERT_EQ(link.reader.next()->header.sequence, 3U);
    for (std::uint64_t number = 5; number <= 9; ++number) {
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
    }
    EXPECT_THAT(take_all(link.reader), ElementsAre(8, 9));
    EXPECT_EQ(link.reader.stats().skipped_count, 2U + 4U);
}

void expect_the_rule_in_any_mixture(std::uint32_t slot_count) {
    Random random(7);
    JoinedLink link({.capacity = 2, .slot_count = slot_count});
    std::uint64_t newest = 0;
    std::uint64_t last = 0;
    for (int i = 0; i < 20'000; ++i) {
        if (random.below(2) == 0) {
            ASSERT_EQ(publish(link.writer, ++newest), LinkStatus::Ok);
            continue;
        }
        const auto view = link.reader.next();
        ASSERT_EQ(view != nullptr, newest > last);
        if (view) {
            const std::uint64_t window = slot_count - 2;
            const std::uint64_t oldest = newest > window ? newest - window + 1 : 1;
            last = std::max(last + 1, oldest);
            ASSERT_EQ(view->header.sequence, last);
            ASSERT_EQ(count_wrong(*view, last), 0U);
        }
    }
    EXPECT_EQ(link.reader.stats().snapshot_count + link.reader.stats().skipped_count, last);
}

TEST(Link, AnyMixtureOfWritingAndReadingFollowsTheRule) {
    for (const std::uint32_t slot_count : {4U, 6U, 9U}) {
        expect_the_rule_in_any_mixture(slot_count);
    }
}

TEST(Link, AFullSnapshotIsRefusedAndCounted) {
    JoinedLink link;
    EXPECT_EQ(publish(link.writer, 1, 5), LinkStatus::Ok);
    const LinkWriter::Begun begun = link.writer.begin(6);
    EXPECT_EQ(begun.status, LinkStatus::Full);
    EXPECT_EQ(begun.slot.header, nullptr);
    EXPECT_TRUE(begun.slot.columns.ids.empty());
    EXPECT_EQ(link.writer.publish(0), LinkStatus::NotBegun);
    EXPECT_EQ(link.writer.stats().full_count, 1U);
    EXPECT_THAT(take_all(link.reader), ElementsAre(1));
}

TEST(Link, AnObjectCountRaisedBeyondTheCapacityIsRefused) {
    JoinedLink link;
    const LinkWriter::Begun begun = link.writer.begin(1);
    begun.slot.header->object_count = 6;
    EXPECT_EQ(link.writer.publish(0), LinkStatus::Full);
    EXPECT_EQ(link.writer.stats().full_count, 1U);
    begun.slot.header->object_count = 5;
    EXPECT_EQ(link.writer.publish(0), LinkStatus::Ok);
    ASSERT_EQ(link.reader.next()->header.object_count, 5U);
}

TEST(Link, AnEmptySceneIsASnapshotToo) {
    JoinedLink link;
    EXPECT_EQ(publish(link.writer, 1, 0), LinkStatus::Ok);
    ASSERT_EQ(link.reader.next()->header.object_count, 0U);
}

TEST(Link, BeginningAgainStartsOverInTheSameSlot) {
    JoinedLink link;
    const LinkWriter::Begun first = link.writer.begin(4);
    fill(first.slot, 1);
    const LinkWriter::Begun second = link.writer.begin(2);
    EXPECT_EQ(second.slot.header, first.slot.header);
    EXPECT_EQ(second.slot.header->object_count, 2U);
    EXPECT_FALSE(link.reader.next());
    fill(second.slot, 2);
    EXPECT_EQ(link.writer.publish(0), LinkStatus::Ok);
    EXPECT_EQ(link.writer.publish(0), LinkStatus::NotBegun);
    const auto view = link.reader.next();
    ASSERT_TRUE(view);
    EXPECT_EQ(view->header.sequence, 1U);
    EXPECT_EQ(count_wrong(*view, 2), 0U);
}

TEST(Link, WithoutJoiningThereIsNothingToDo) {
    LinkWriter writer;
    LinkReader reader;
    EXPECT_FALSE(writer.joined());
    EXPECT_FALSE(reader.joined());
    EXPECT_EQ(writer.begin(0).status, LinkStatus::NotJoined);
    EXPECT_EQ(writer.publish(0), LinkStatus::NotBegun);
    EXPECT_FALSE(reader.next());
    writer.leave();
    reader.leave();
}

// A reader that stands still for as long as it likes.
TEST(Link, AViewStaysIntactWhileTheWriterGoesOn) {
    JoinedLink link;
    ASSERT_EQ(publish(link.writer, 1), LinkStatus::Ok);
    const auto held = link.reader.next();
    ASSERT_TRUE(held);
    for (std::uint64_t number = 2; number <= 10'000; ++number) {
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
        ASSERT_EQ(count_wrong(*held, 1), 0U);
    }
    EXPECT_THAT(take_all(link.reader), ElementsAre(9'999, 10'000));
}

// A writer that stands still in the middle of a snapshot.
TEST(Link, ReadingGoesOnWhileTheWriterIsInTheMiddleOfASnapshot) {
    JoinedLink link;
    for (std::uint64_t number = 1; number <= 6; ++number) {
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
    }
    const LinkWriter::Begun begun = link.writer.begin(5);
    fill(begun.slot, 999);
    for (const std::uint64_t number : {5U, 6U}) {
        const auto view = link.reader.next();
        ASSERT_TRUE(view);
        EXPECT_EQ(count_wrong(*view, number), 0U);
        fill(begun.slot, 1000 + number);
        EXPECT_EQ(count_wrong(*view, number), 0U);
    }
    EXPECT_FALSE(link.reader.next());
    fill(begun.slot, 7);
    EXPECT_EQ(link.writer.publish(0), LinkStatus::Ok);
    EXPECT_EQ(count_wrong(*link.reader.next(), 7), 0U);
}

TEST(Link, TheNextSideGoesOnWhereTheLastOneLeft) {
    JoinedLink link;
    Random random(3);
    std::uint64_t newest = 0;
    std::uint64_t last = 0;
    for (int round = 0; round < 2'000; ++round) {
        if (random.below(3) == 0) {
            link.writer.leave();
            ASSERT_EQ(link.writer.join(link.link.memory()), LinkStatus::Ok);
            EXPECT_EQ(link.writer.stats().snapshot_count, 0U);
        }
        for (std::uint64_t i = random.below(3); i > 0; --i) {
            ASSERT_EQ(publish(link.writer, ++newest), LinkStatus::Ok);
        }
        if (random.below(3) == 0) {
            ASSERT_EQ(link.reader.join(link.link.memory()), LinkStatus::Ok); // Leaves by itself.
        }
        while (const auto view = link.reader.next()) {
            ASSERT_EQ(view->header.sequence, ++last);
            ASSERT_EQ(count_wrong(*view, last), 0U);
        }
        ASSERT_EQ(last, newest);
    }
}

TEST(Link, LeavingInTheMiddleOfASnapshotLosesItAndNothingElse) {
    JoinedLink link;
    ASSERT_EQ(publish(link.writer, 1), LinkStatus::Ok);
    fill(link.writer.begin(1).slot, 999);
    link.writer.leave();
    EXPECT_EQ(link.writer.publish(0), LinkStatus::NotBegun);
    LinkWriter next;
    ASSERT_EQ(next.join(link.link.memory()), LinkStatus::Ok);
    EXPECT_EQ(next.publish(0), LinkStatus::NotBegun);
    ASSERT_EQ(publish(next, 2), LinkStatus::Ok);
    EXPECT_EQ(count_wrong(*link.reader.next(), 1), 0U);
    EXPECT_EQ(count_wrong(*link.reader.next(), 2), 0U);
}

TEST(Link, ALateReaderStartsWithTheNewestKMinus2) {
    Link link({.capacity = 1, .slot_count = 6});
    LinkWriter writer;
    ASSERT_EQ(writer.join(link.memory()), LinkStatus::Ok);
    for (std::uint64_t number = 1; number <= 10; ++number) {
        ASSERT_EQ(publish(writer, number), LinkStatus::Ok);
    }
    writer.leave();
    LinkReader reader;
    ASSERT_EQ(reader.join(link.memory()), LinkStatus::Ok);
    EXPECT_THAT(take_all(reader), ElementsAre(7, 8, 9, 10));
    EXPECT_EQ(reader.stats().skipped_count, 6U);
}

TEST(Link, AMovedSideKeepsItsPlace) {
    JoinedLink link;
    fill(link.writer.begin(1).slot, 1);
    LinkWriter writer = std::move(link.writer);
    EXPECT_EQ(writer.publish(0), LinkStatus::Ok); // Begun before it moved.
    EXPECT_EQ(writer.stats().snapshot_count, 1U);
    LinkReader reader = std::move(link.reader);
    const auto view = reader.next();
    ASSERT_TRUE(view);
    LinkReader third;
    third = std::move(reader);
    EXPECT_EQ(count_wrong(*view, 1), 0U);
    EXPECT_EQ(third.stats().snapshot_count, 1U);

    LinkWriter stranger;
    EXPECT_EQ(stranger.join(link.link.memory()), LinkStatus::Taken);
    writer = LinkWriter(); // Leaves.
    EXPECT_EQ(stranger.join(link.link.memory()), LinkStatus::Ok);
    EXPECT_EQ(publish(stranger, 2), LinkStatus::Ok);
    EXPECT_THAT(take_all(third), ElementsAre(2));
}

TEST(Link, WhatMovedAwayIsNotJoined) {
    JoinedLink link;
    const LinkWriter writer = std::move(link.writer);
    const LinkReader reader = std::move(link.reader);
    // NOLINTBEGIN(bugprone-use-after-move,clang-analyzer-cplusplus.Move): what is left is defined.
    EXPECT_FALSE(link.writer.joined());
    EXPECT_FALSE(link.reader.joined());
    EXPECT_EQ(link.writer.begin(1).status, LinkStatus::NotJoined);
    EXPECT_FALSE(link.reader.next());
    // NOLINTEND(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
}

TEST(Link, TheEndOfASideLeaves) {
    Link link;
    {
        LinkWriter writer;
        LinkReader reader;
        ASSERT_EQ(writer.join(link.memory()), LinkStatus::Ok);
        ASSERT_EQ(reader.join(link.memory()), LinkStatus::Ok);
    }
    LinkWriter writer;
    LinkReader reader;
    EXPECT_EQ(writer.join(link.memory()), LinkStatus::Ok);
    EXPECT_EQ(reader.join(link.memory()), LinkStatus::Ok);
}

// Cuts and shifts are cumulative: whatever is skipped, the reader knows how many there were and
// where they led in all.
TEST(Link, NoTeleportIsLostWithTheSnapshotsThatAreSkipped) {
    JoinedLink link({.capacity = 1, .slot_count = 4, .columns = LinkColumns::Shift});
    Random random(21);
    std::uint32_t cut_count = 0;
    std::uint32_t shift_count = 0;
    double shift_x = 0.0;
    std::uint32_t seen_cut_count = 0;
    double seen_shift_x = 0.0;
    for (int tick = 1; tick <= 20'000; ++tick) {
        cut_count += random.below(5) == 0 ? 1U : 0U;
        if (random.below(5) == 0) {
            ++shift_count;
            shift_x += 0.5;
        }
        const LinkWriter::Begun begun = link.writer.begin(1);
        begun.slot.columns.cuts[0] = cut_count;
        begun.slot.columns.shifts[0] = shift_count;
        begun.slot.columns.shift_x[0] = shift_x;
        ASSERT_EQ(link.writer.publish(tick), LinkStatus::Ok);
        if (random.below(8) != 0) {
            continue; // Falls behind: about half of all snapshots are never seen.
        }
        while (const auto view = link.reader.next()) {
            seen_cut_count += view->columns.cuts[0] - seen_cut_count;
            seen_shift_x += view->columns.shift_x[0] - seen_shift_x;
        }
        ASSERT_EQ(seen_cut_count, cut_count);
        ASSERT_EQ(seen_shift_x, shift_x);
    }
    EXPECT_GT(link.reader.stats().skipped_count, 8'000U);
}

} // namespace
} // namespace glissade
