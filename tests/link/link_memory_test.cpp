// SPDX-License-Identifier: MIT
// The link as bytes: the layout of docs/link-layout.md, what is refused, other addresses.
#include "glissade/link/link.h"

#include "link/link_world.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace glissade {
namespace {

using testing::count_wrong;
using ::testing::ElementsAre;
using testing::JoinedLink;
using testing::publish;
using testing::take_all;

constexpr LinkConfig kSmall{
    .capacity = 5, .slot_count = 4, .columns = LinkColumns::All, .channel_count = 2};

/// Memory of any size at a multiple of 64, or `shift` bytes beside it.
class Memory {
public:
    explicit Memory(std::size_t size_bytes, std::size_t shift = 0)
        : bytes_(size_bytes + 128), size_bytes_(size_bytes) {
        const std::size_t rest = reinterpret_cast<std::uintptr_t>(bytes_.data()) % 64;
        offset_ = 64 - rest + shift;
    }
    [[nodiscard]] std::span<std::byte> span() {
        return std::span(bytes_).subspan(offset_, size_bytes_);
    }

private:
    std::vector<std::byte> bytes_;
    std::size_t size_bytes_;
    std::size_t offset_ = 0;
};

template <class T>
T read_at(std::span<const std::byte> memory, std::size_t offset) {
    T value{};
    std::memcpy(&value, memory.data() + offset, sizeof value);
    return value;
}

template <class T>
void write_at(std::span<std::byte> memory, std::size_t offset, T value) {
    std::memcpy(memory.data() + offset, &value, sizeof value);
}

TEST(LinkLayout, TheHeaderIsAsDocumented) {
    Link link(kSmall);
    const auto memory = link.memory();
    EXPECT_EQ(std::memcmp(memory.data(), "GLISLINK", 8), 0);
    EXPECT_EQ(read_at<std::uint32_t>(memory, 8), 1U);           // Version.
    EXPECT_EQ(read_at<std::uint32_t>(memory, 12), 1024U);       // Header size.
    EXPECT_EQ(read_at<std::uint64_t>(memory, 16), 12'544U);     // Total size.
    EXPECT_EQ(read_at<std::uint32_t>(memory, 24), 5U);          // Capacity.
    EXPECT_EQ(read_at<std::uint32_t>(memory, 28), 4U);          // Entries of the ring.
    EXPECT_EQ(read_at<std::uint32_t>(memory, 32), 15U);         // Columns.
    EXPECT_EQ(read_at<std::uint32_t>(memory, 36), 2U);          // Channels.
    EXPECT_EQ(read_at<std::uint64_t>(memory, 40), 1920U);       // From slot to slot.
    EXPECT_EQ(read_at<std::uint64_t>(memory, 48), 1024U);       // The first slot.
    EXPECT_EQ(read_at<std::uint32_t>(memory, 56), 27U);         // Columns in the table.
    EXPECT_EQ(read_at<std::uint32_t>(memory, 60), 0x253A6A8CU); // Checksum.
    EXPECT_EQ(link_size_bytes(kSmall), 12'544U);
}

TEST(LinkLayout, TheColumnsAreAsDocumented) {
    Link link(kSmall);
    // Five values fit in one line of 64 bytes, whatever their size; channels are two lines.
    for (std::size_t column = 0; column < 27; ++column) {
        EXPECT_EQ(read_at<std::uint64_t>(link.memory(), 64 + 8 * column), 128 + 64 * column);
    }
    for (std::size_t unused = 27; unused < 32; ++unused) {
        EXPECT_EQ(read_at<std::uint64_t>(link.memory(), 64 + 8 * unused), 0U);
    }
    Link bare({.capacity = 9, .columns = LinkColumns::LinearVelocity});
    const std::array<std::uint64_t, 27> expected = {
        128, 256, 384, 512,                       // Ids and positions: 9 * 8, two lines each.
        640, 704, 768, 832, 896,                  // Rotations and cuts: 9 * 4, one line each.
        0,   0,   0,   960, 1024, 1088, 0, 0, 0,  // No scale, velocities, no angular ones.
        0,   0,   0,   0,   0,    0,    0, 0, 0}; // No shift, no channels.
    for (std::size_t column = 0; column < 27; ++column) {
        EXPECT_EQ(read_at<std::uint64_t>(bare.memory(), 64 + 8 * column), expected[column]);
    }
}

TEST(LinkLayout, TheRingIsAsDocumented) {
    Link link(kSmall);
    const auto memory = link.memory();
    EXPECT_EQ(read_at<std::uint64_t>(memory, 448), 0U); // Newest.
    for (const std::size_t side : {320U, 384U}) {
        EXPECT_EQ(read_at<std::uint64_t>(memory, side), 0U);      // Joined.
        EXPECT_EQ(read_at<std::uint64_t>(memory, side + 16), 0U); // Sequence.
    }
    EXPECT_EQ(read_at<std::uint64_t>(memory, 328), 4U); // The writer's slot.
    EXPECT_EQ(read_at<std::uint64_t>(memory, 392), 5U); // The reader's slot.
    for (std::size_t entry = 0; entry < 4; ++entry) {
        EXPECT_EQ(read_at<std::uint64_t>(memory, 456 + 8 * entry), entry);
    }

    LinkWriter writer;
    LinkReader reader;
    ASSERT_EQ(writer.join(memory), LinkStatus::Ok);
    ASSERT_EQ(reader.join(memory), LinkStatus::Ok);
    EXPECT_EQ(read_at<std::uint64_t>(memory, 320), 1U);
    EXPECT_EQ(read_at<std::uint64_t>(memory, 384), 1U);
    ASSERT_EQ(publish(writer, 1), LinkStatus::Ok);
    EXPECT_EQ(read_at<std::uint64_t>(memory, 448), 1U);
    EXPECT_EQ(read_at<std::uint64_t>(memory, 456 + 8), 1U << 8U | 4U);
    ASSERT_TRUE(reader.next());
    EXPECT_EQ(read_at<std::uint64_t>(memory, 456 + 8), 5U); // Empty, with the reader's old slot.
    writer.leave();
    reader.leave();
    EXPECT_EQ(read_at<std::uint64_t>(memory, 328), 1U); // What lay in the entry before.
    EXPECT_EQ(read_at<std::uint64_t>(memory, 336), 1U);
    EXPECT_EQ(read_at<std::uint64_t>(memory, 392), 4U);
    EXPECT_EQ(read_at<std::uint64_t>(memory, 400), 1U);
}

TEST(LinkLayout, ASnapshotIsAsDocumented) {
    JoinedLink link(kSmall);
    const auto memory = link.link.memory();
    const LinkWriter::Begun begun = link.writer.begin(5);
    const std::size_t slot = 1024 + 4 * 1920;
    EXPECT_EQ(reinterpret_cast<std::byte*>(begun.slot.header), memory.data() + slot);
    begun.slot.columns.ids[1] = 11;
    begun.slot.columns.z[2] = 22.0;
    begun.slot.columns.qw[3] = 0.5F;
    begun.slot.columns.shift_qw[4] = 0.25F;
    begun.slot.columns.channels[16 + 4] = 0.125F;
    *begun.slot.header = {.tick = 1,
                          .time_ns = 2,
                          .duration_ns = 3,
                          .due_ns = 4,
                          .time_scale = 0.5,
                          .epoch = 6,
                          .object_count = 5,
                          .has_due = 1,
                          .paused = 1};
    ASSERT_EQ(link.writer.publish(5), LinkStatus::Ok);
    EXPECT_EQ(read_at<std::uint64_t>(memory, slot), 1U);
    for (std::size_t field = 1; field <= 5; ++field) {
        EXPECT_EQ(read_at<std::int64_t>(memory, slot + 8 * field),
                  static_cast<std::int64_t>(field));
    }
    EXPECT_EQ(read_at<double>(memory, slot + 48), 0.5);
    EXPECT_EQ(read_at<std::uint32_t>(memory, slot + 56), 6U);
    EXPECT_EQ(read_at<std::uint32_t>(memory, slot + 60), 5U);
    EXPECT_EQ(read_at<std::uint8_t>(memory, slot + 64), 1U);
    EXPECT_EQ(read_at<std::uint8_t>(memory, slot + 65), 1U);
    constexpr std::size_t line = 64;
    const std::size_t first_column = slot + 128;
    EXPECT_EQ(read_at<std::uint64_t>(memory, first_column + 8), 11U);
    EXPECT_EQ(read_at<double>(memory, first_column + 3 * line + 16), 22.0);
    EXPECT_EQ(read_at<float>(memory, first_column + 7 * line + 12), 0.5F);
    EXPECT_EQ(read_at<float>(memory, first_column + 25 * line + 16), 0.25F);
    EXPECT_EQ(read_at<float>(memory, first_column + 27 * line + 16), 0.125F);
}

TEST(LinkMemory, SettingsOutOfRangeHaveNoSizeAndAreRefused) {
    Memory memory(1 << 20);
    const std::vector<LinkConfig> bad = {{.capacity = 0},
                                         {.capacity = (1U << 24U) + 1},
                                         {.slot_count = 3},
                                         {.slot_count = 65},
                                         {.columns = static_cast<LinkColumns>(16)},
                                         {.channel_count = 9}};
    for (const LinkConfig& config : bad) {
        EXPECT_EQ(link_size_bytes(config), 0U);
        EXPECT_EQ(format_link(memory.span(), config), LinkStatus::BadConfig);
    }
    EXPECT_EQ(inspect_link(memory.span()).status, LinkStatus::WrongMagic); // Untouched.
}

TEST(LinkMemory, BothEndsOfEachSettingWork) {
    const std::vector<LinkConfig> good = {
        {.capacity = 1, .slot_count = 4, .columns = LinkColumns::None, .channel_count = 0},
        {.capacity = 1, .slot_count = 64, .columns = LinkColumns::All, .channel_count = 8}};
    for (const LinkConfig& config : good) {
        Memory memory(link_size_bytes(config));
        EXPECT_EQ(format_link(memory.span(), config), LinkStatus::Ok);
        EXPECT_EQ(inspect_link(memory.span()).config, config);
    }
    const LinkConfig largest{.capacity = 1U << 24U};
    // 76 bytes an object, 10 slots and the header; more than 32 bits can address.
    const std::uint64_t size_bytes = 1024 + 10 * ((std::uint64_t{76} << 24U) + 128);
    const bool fits = size_bytes <= std::numeric_limits<std::size_t>::max() / 2;
    EXPECT_EQ(link_size_bytes(largest), fits ? size_bytes : 0U);
}

TEST(LinkMemory, TooSmallOrMisalignedMemoryIsRefused) {
    const std::size_t size_bytes = link_size_bytes(kSmall);
    Memory small(size_bytes - 1);
    EXPECT_EQ(format_link(small.span(), kSmall), LinkStatus::TooSmall);
    EXPECT_EQ(format_link({}, kSmall), LinkStatus::TooSmall);
    EXPECT_EQ(inspect_link({}).status, LinkStatus::TooSmall);
    for (const std::size_t shift : {1U, 8U, 32U}) {
        Memory beside(size_bytes, shift);
        EXPECT_EQ(format_link(beside.span(), kSmall), LinkStatus::Misaligned);
        EXPECT_EQ(inspect_link(beside.span()).status, LinkStatus::Misaligned);
    }

    Memory memory(size_bytes + 100); // Larger does no harm: mappings come in whole pages.
    ASSERT_EQ(format_link(memory.span(), kSmall), LinkStatus::Ok);
    EXPECT_EQ(inspect_link(memory.span()).status, LinkStatus::Ok);
    EXPECT_EQ(inspect_link(memory.span().first(size_bytes)).status, LinkStatus::Ok);
    LinkWriter writer;
    LinkReader reader;
    for (const std::size_t cut :
         {size_bytes - 1, std::size_t{1024}, std::size_t{1023}, std::size_t{7}, std::size_t{0}}) {
        EXPECT_EQ(inspect_link(memory.span().first(cut)).status, LinkStatus::TooSmall);
        EXPECT_EQ(writer.join(memory.span().first(cut)), LinkStatus::TooSmall);
        EXPECT_EQ(reader.join(memory.span().first(cut)), LinkStatus::TooSmall);
    }
}

TEST(LinkMemory, AWrongMagicVersionOrSizeIsRefused) {
    Memory memory(link_size_bytes(kSmall));
    const auto status = [&memory] {
        LinkWriter writer;
        LinkReader reader;
        const LinkStatus inspected = inspect_link(memory.span()).status;
        EXPECT_EQ(writer.join(memory.span()), inspected);
        EXPECT_EQ(reader.join(memory.span()), inspected);
        return inspected;
    };
    EXPECT_EQ(status(), LinkStatus::WrongMagic); // Zeros.
    const auto format = [&memory] {
        ASSERT_EQ(format_link(memory.span(), kSmall), LinkStatus::Ok);
    };
    format();
    EXPECT_EQ(status(), LinkStatus::Ok);
    write_at<std::uint8_t>(memory.span(), 0, 'g');
    EXPECT_EQ(status(), LinkStatus::WrongMagic);
    format();
    write_at<std::uint32_t>(memory.span(), 8, 2);
    EXPECT_EQ(status(), LinkStatus::WrongVersion);
    format();
    write_at<std::uint64_t>(memory.span(), 16, 12'480);
    EXPECT_EQ(status(), LinkStatus::WrongSize);
    format();
    write_at<std::uint32_t>(memory.span(), 24, 6); // Needs as many bytes, but is not the same.
    EXPECT_EQ(status(), LinkStatus::WrongSize);
    format();
    write_at<std::uint32_t>(memory.span(), 24, 0);
    EXPECT_EQ(status(), LinkStatus::WrongSize);
}

TEST(LinkMemory, OtherSettingsThanExpectedAreRefused) {
    Link link(kSmall);
    LinkWriter writer;
    LinkReader reader;
    LinkConfig other = kSmall;
    other.capacity = 6;
    EXPECT_EQ(writer.join(link.memory(), other), LinkStatus::WrongCapacity);
    EXPECT_EQ(reader.join(link.memory(), other), LinkStatus::WrongCapacity);
    other = kSmall;
    other.columns = LinkColumns::Scale;
    EXPECT_EQ(reader.join(link.memory(), other), LinkStatus::WrongCapacity);
    EXPECT_EQ(writer.join(link.memory(), kSmall), LinkStatus::Ok);
    EXPECT_EQ(reader.join(link.memory(), kSmall), LinkStatus::Ok);
}

TEST(LinkMemory, ATakenSideIsRefusedUntilItIsLeft) {
    JoinedLink link;
    LinkWriter writer;
    LinkReader reader;
    EXPECT_EQ(writer.join(link.link.memory()), LinkStatus::Taken);
    EXPECT_EQ(reader.join(link.link.memory()), LinkStatus::Taken);
    EXPECT_FALSE(writer.joined());
    link.writer.leave();
    EXPECT_EQ(writer.join(link.link.memory()), LinkStatus::Ok);
    EXPECT_EQ(reader.join(link.link.memory()), LinkStatus::Taken);
    link.reader.leave();
    EXPECT_EQ(reader.join(link.link.memory()), LinkStatus::Ok);
}

TEST(LinkMemory, EveryStatusHasItsOwnName) {
    std::vector<std::string_view> names;
    for (int status = 0; status <= static_cast<int>(LinkStatus::Damaged); ++status) {
        names.emplace_back(to_string(static_cast<LinkStatus>(status)));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_NE(names[i], "unknown");
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(names[i], names[j]);
        }
    }
    EXPECT_STREQ(to_string(static_cast<LinkStatus>(200)), "unknown");
}

// Adds up what a reader gets in three calls.
std::uint64_t read_some(LinkReader& reader) {
    std::uint64_t sum = 0;
    for (int i = 0; i < 3; ++i) {
        const auto view = reader.next();
        for (std::size_t row = 0; view && row < view->header.object_count; ++row) {
            sum += view->columns.ids[row] + view->columns.shifts[row];
        }
    }
    return sum;
}

// Runs both sides over whatever is there; the sanitizers see every step outside.
std::uint64_t use(std::span<std::byte> memory) {
    LinkWriter writer;
    LinkReader reader;
    const bool writes = writer.join(memory) == LinkStatus::Ok;
    const bool reads = reader.join(memory) == LinkStatus::Ok;
    std::uint64_t sum = 0;
    for (std::uint64_t number = 1; number <= 20; ++number) {
        if (writes) {
            EXPECT_EQ(publish(writer, number, 5), LinkStatus::Ok);
        }
        sum += reads ? read_some(reader) : 0;
    }
    return sum;
}

// Everything before the first slot: 1024 bytes.
TEST(LinkMemory, AnyFlippedBitOfTheHeaderIsRefusedOrHarmless) {
    const std::size_t size_bytes = link_size_bytes(kSmall);
    Memory memory(size_bytes);
    std::uint64_t sum = 0;
    for (std::size_t bit = 0; bit < 8192; ++bit) {
        ASSERT_EQ(format_link(memory.span(), kSmall), LinkStatus::Ok);
        memory.span()[bit / 8] ^= std::byte{1} << bit % 8;
        const LinkInfo info = inspect_link(memory.span());
        if (info.status == LinkStatus::Ok) {
            ASSERT_EQ(info.config, kSmall) << "bit " << bit;
            ASSERT_GE(bit / 8, 320U) << "everything before the ring is checked";
            sum += use(memory.span());
        }
    }
    EXPECT_GT(sum, 0U);
}

TEST(LinkMemory, ADamagedRingIsRefusedAndCounted) {
    JoinedLink link(kSmall);
    ASSERT_EQ(publish(link.writer, 1), LinkStatus::Ok);
    write_at<std::uint64_t>(link.link.memory(), 456 + 8, 1U << 8U | 200U); // No such slot.
    EXPECT_FALSE(link.reader.next());
    EXPECT_EQ(link.reader.stats().damaged_count, 1U);
    ASSERT_EQ(publish(link.writer, 2), LinkStatus::Ok);
    write_at<std::uint64_t>(link.link.memory(), 456 + 16, 0U); // Announced, but not there.
    EXPECT_FALSE(link.reader.next());
    EXPECT_GE(link.reader.stats().damaged_count, 2U);
    write_at<std::uint64_t>(link.link.memory(), 448, ~std::uint64_t{0}); // Absurdly new.
    EXPECT_FALSE(link.reader.next());

    link.writer.leave();
    write_at<std::uint64_t>(link.link.memory(), 328, 6U); // The writer's slot: there are 0 to 5.
    EXPECT_EQ(link.writer.join(link.link.memory()), LinkStatus::Damaged);
    EXPECT_EQ(link.writer.join(link.link.memory()), LinkStatus::Damaged); // Still not taken.
}

TEST(LinkMemory, ADamagedSnapshotIsRefusedAndTheNextOneComes) {
    JoinedLink link(kSmall);
    const std::size_t slot = 1024 + 4 * 1920; // The first that the writer owns.
    ASSERT_EQ(publish(link.writer, 1), LinkStatus::Ok);
    write_at<std::uint32_t>(link.link.memory(), slot + 60, 6U); // More objects than there can be.
    ASSERT_EQ(publish(link.writer, 2), LinkStatus::Ok);
    EXPECT_FALSE(link.reader.next());
    EXPECT_EQ(link.reader.stats().damaged_count, 1U);
    EXPECT_THAT(take_all(link.reader), ElementsAre(2));
}

TEST(LinkMemory, ACopyAtAnotherAddressIsTheSameLink) {
    JoinedLink link(kSmall);
    for (std::uint64_t number = 1; number <= 5; ++number) {
        ASSERT_EQ(publish(link.writer, number), LinkStatus::Ok);
    }
    ASSERT_EQ(link.reader.next()->header.sequence, 4U);
    link.writer.leave();
    link.reader.leave();
    Memory copy(link.link.memory().size());
    std::memcpy(copy.span().data(), link.link.memory().data(), copy.span().size());
    LinkWriter writer;
    LinkReader reader;
    ASSERT_EQ(writer.join(copy.span(), kSmall), LinkStatus::Ok);
    ASSERT_EQ(reader.join(copy.span(), kSmall), LinkStatus::Ok);
    ASSERT_EQ(publish(writer, 6), LinkStatus::Ok);
    for (const std::uint64_t number : {5U, 6U}) {
        const auto view = reader.next();
        ASSERT_TRUE(view);
        EXPECT_EQ(view->header.sequence, number);
        EXPECT_EQ(count_wrong(*view, number), 0U);
    }
}

#if defined(__linux__)
TEST(LinkMemory, TwoMappingsOfTheSameMemoryAreTheSameLink) {
    const std::size_t size_bytes = link_size_bytes(kSmall);
    const int file = memfd_create("glissade-test", MFD_CLOEXEC);
    ASSERT_GE(file, 0);
    ASSERT_EQ(ftruncate(file, static_cast<off_t>(size_bytes)), 0);
    const auto map = [&] {
        void* at = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        return std::span(static_cast<std::byte*>(at), size_bytes);
    };
    const auto first = map();
    const auto second = map();
    ASSERT_NE(first.data(), second.data());
    ASSERT_EQ(format_link(first, kSmall), LinkStatus::Ok);
    LinkWriter writer;
    LinkReader reader;
    ASSERT_EQ(writer.join(first), LinkStatus::Ok);
    ASSERT_EQ(reader.join(second), LinkStatus::Ok);
    EXPECT_EQ(LinkWriter().join(second), LinkStatus::Taken);
    for (std::uint64_t number = 1; number <= 100; ++number) {
        ASSERT_EQ(publish(writer, number), LinkStatus::Ok);
        const auto view = reader.next();
        ASSERT_TRUE(view);
        ASSERT_EQ(count_wrong(*view, number), 0U);
    }
    writer.leave();
    reader.leave();
    munmap(first.data(), size_bytes);
    munmap(second.data(), size_bytes);
    close(file);
}
#endif

} // namespace
} // namespace glissade
