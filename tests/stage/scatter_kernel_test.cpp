// SPDX-License-Identifier: MIT
// Poses to lines of their own, and lines to the order of their rows, on every target of the
// machine.
#include "base/column.h"
#include "stage/column_store.h"
#include "stage/kernel_rows.h"
#include "stage/kernels.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using test::for_each_target;
using test::RandomPoses;

constexpr std::size_t kMostItems = 64;
constexpr std::size_t kFirst = 3; // Not where a vector begins.

bool is_same(const StagedPose& line, const Pose& pose, std::uint32_t row) {
    return line.pose.position == pose.position && line.pose.rotation == pose.rotation &&
           line.row == row;
}

/// Poses in both forms, and lines for them in no order.
struct Items {
    Items() : lines(2 * kMostItems) {
        RandomPoses random(7);
        for (std::size_t item = 0; item < kFirst + kMostItems; ++item) {
            const Pose pose = random.draw_pose();
            poses.push_back(pose);
            store.add(pose);
        }
        std::vector<std::size_t> places(lines.capacity());
        std::iota(places.begin(), places.end(), std::size_t{0});
        std::shuffle(places.begin(), places.end(), std::mt19937(8));
        for (std::size_t item = 0; item < kMostItems; ++item) {
            to.push_back(&lines[places[item]]);
            rows.push_back(static_cast<std::uint32_t>(1000 + 7 * item));
        }
    }

    /// The first `count` lines hold their items, the others nothing.
    void expect_lines(std::size_t count) const {
        for (std::size_t item = 0; item < kMostItems; ++item) {
            const bool told = item < count;
            ASSERT_TRUE(
                is_same(*to[item], told ? poses[kFirst + item] : Pose{}, told ? rows[item] : 0))
                << item << " of " << count;
        }
    }

    void clear() { std::fill_n(lines.data(), lines.capacity(), StagedPose{}); }

    std::vector<Pose> poses;
    testing::ColumnStore store;
    Column<StagedPose> lines;
    std::vector<StagedPose*> to;
    std::vector<std::uint32_t> rows;
};

template <class Poses>
void expect_scattered(Items& items, const Poses& poses, std::size_t count, bool stream) {
    items.clear();
    scatter_lines(poses, kFirst, std::span(items.rows).first(count), items.to.data(), stream);
    flush_streams();
    items.expect_lines(count);
}

TEST(ScatterKernel, EveryItemGoesToItsLineWhateverTheirNumber) {
    Items items;
    const std::span<const Pose> poses = items.poses;
    for_each_target([&] {
        for (std::size_t count = 0; count <= kMostItems; ++count) {
            expect_scattered(items, items.store.columns(false), count, false);
            expect_scattered(items, items.store.columns(false), count, true);
            expect_scattered(items, poses, count, false);
            expect_scattered(items, poses, count, true);
        }
    });
}

TEST(ScatterKernel, LinesAreSortedByRowAndTheLastOneCounts) {
    RandomPoses random(9);
    constexpr std::uint32_t kFirstRow = 4096;
    constexpr std::uint32_t kRowCount = 2 * kBlockRows;
    for_each_target([&random] {
        Column<StagedPose> lines(100);
        Column<StagedPose> sorted(kRowCount);
        std::fill_n(sorted.data(), sorted.capacity(), StagedPose{});
        std::array<std::uint64_t, 2> written{};
        std::array<std::uint64_t, 2> due_bits{};
        std::vector<StagedPose> due(kRowCount);
        for (std::uint32_t item = 0; item < 100; ++item) {
            // Some of them more than once.
            const std::uint32_t at = item * item % kRowCount;
            lines[item] = {.pose = random.draw_pose(), .row = kFirstRow + at};
            due[at] = lines[item];
            due_bits[at / kBlockRows] |= std::uint64_t{1} << (at % kBlockRows);
        }
        sort_lines({lines.data(), 100}, kFirstRow, sorted.data(), written.data());
        EXPECT_EQ(written, due_bits);
        for (std::uint32_t at = 0; at < kRowCount; ++at) {
            ASSERT_TRUE(is_same(sorted[at], due[at].pose, due[at].row)) << at;
        }
    });
}

} // namespace
} // namespace glissade
