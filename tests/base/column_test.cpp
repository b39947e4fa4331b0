// SPDX-License-Identifier: MIT
#include "base/column.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace glissade {
namespace {

struct Triple {
    float x, y, z;
};

static_assert(!std::is_copy_constructible_v<Column<float>>);
static_assert(!std::is_copy_assignable_v<Column<float>>);
static_assert(std::is_nothrow_move_constructible_v<Column<float>>);
static_assert(std::is_nothrow_move_assignable_v<Column<float>>);

bool is_aligned(const void* address) {
    return reinterpret_cast<std::uintptr_t>(address) % kColumnAlignmentBytes == 0;
}

TEST(Column, StartsOnACacheLineAndKeepsWhatIsWritten) {
    for (const std::size_t capacity : {1U, 15U, 16U, 17U, 1000U}) {
        Column<float> column(capacity);
        ASSERT_EQ(column.capacity(), capacity);
        EXPECT_TRUE(is_aligned(column.data()));
        for (std::size_t i = 0; i < capacity; ++i) {
            column[i] = static_cast<float>(i);
        }
        for (std::size_t i = 0; i < capacity; ++i) {
            EXPECT_EQ(std::as_const(column)[i], static_cast<float>(i));
        }
    }
}

TEST(Column, ThePaddingUpToTheNextCacheLineIsItsOwn) {
    // The address sanitizer sees a write beyond the block.
    Column<float> column(17);
    EXPECT_EQ(column.padded_capacity(), 32U);
    column[31] = 1.0F;
    EXPECT_EQ(column.data()[31], 1.0F);
    EXPECT_EQ(Column<Triple>(5).padded_capacity(), 5U);
    EXPECT_EQ(Column<Triple>(6).padded_capacity(), 10U);
    EXPECT_EQ(Column<double>(8).padded_capacity(), 8U);
}

TEST(Column, ZeroCapacityHoldsNoMemory) {
    const Column<double> by_default;
    const Column<double> by_zero(0);
    EXPECT_EQ(by_default.data(), nullptr);
    EXPECT_EQ(by_zero.data(), nullptr);
    EXPECT_EQ(by_zero.capacity(), 0U);
    EXPECT_EQ(by_zero.padded_capacity(), 0U);
}

TEST(Column, MovingHandsTheMemoryOverAndLeavesAnEmptyColumn) {
    Column<int> first(4);
    first[3] = 7;
    const int* const memory = first.data();
    Column<int> second(std::move(first));
    EXPECT_EQ(second.data(), memory);
    EXPECT_EQ(second.capacity(), 4U);
    // Both checks are wrong here: the empty state after a move is documented.
    // NOLINTNEXTLINE(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
    EXPECT_EQ(first.data(), nullptr);
    EXPECT_EQ(first.capacity(), 0U);

    Column<int> third(100);
    third = std::move(second);
    EXPECT_EQ(third.data(), memory);
    EXPECT_EQ(third[3], 7);
}

TEST(Column, MovingOntoItselfChangesNothing) {
    Column<int> column(4);
    column[0] = 5;
    Column<int>& same = column;
    column = std::move(same);
    ASSERT_EQ(column.capacity(), 4U);
    EXPECT_EQ(column[0], 5);
}

#if GTEST_HAS_DEATH_TEST
TEST(ColumnDeathTest, ASizeThatOverflowsGoesToTheOutOfMemoryHook) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    EXPECT_DEATH(Column<double>{kMost}, "out of memory");
    EXPECT_DEATH(Column<double>{kMost / sizeof(double)}, "out of memory");
    EXPECT_DEATH(Column<char>{kMost - 1}, "out of memory");
}

TEST(ColumnDeathTest, AnAllocationThatFailsGoesToTheOutOfMemoryHook) {
    // The address sanitizer ends the program by itself, before the allocation can fail.
    constexpr std::size_t kFarTooMuch = std::numeric_limits<std::size_t>::max() / 16;
    EXPECT_DEATH(Column<char>{kFarTooMuch}, "out of memory|allocation-size-too-big");
}
#endif

} // namespace
} // namespace glissade
