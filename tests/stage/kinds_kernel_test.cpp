// SPDX-License-Identifier: MIT
// Blocks of another kind between those of the most frequent one, wherever they stand.
#include "stage/kernel_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using test::BlendRows;
using test::for_each_target;
using test::kMatrixFloats;
using test::RandomPoses;
using test::same_bits;

// Blocks are asked eight at a time: several such groups, and some blocks behind the last of them.
constexpr std::size_t kBlocks = 21;
constexpr std::size_t kRows = kBlocks * kBlockRows;

struct Scene {
    Scene() : rows(kRows), matrices(kRows * kMatrixFloats) {
        RandomPoses random(31);
        for (std::size_t row = 0; row < kRows; ++row) {
            Pose pose = random.draw_pose();
            pose.scale = glm::vec3(random.draw_vector(3.0));
            rows.from.set(row, pose);
            // As far as its velocities say, so that they count.
            pose.position += random.draw_vector(0.05);
            pose.rotation = random.draw_rotation();
            pose.scale = glm::vec3(random.draw_vector(3.0));
            rows.to.set(row, pose);
            rows.from_velocity.set(row, {.linear = glm::vec3(random.draw_vector(3.0))});
        }
    }

    /// Range by range: `size` blocks at a time.
    void blend(std::size_t size) {
        for (std::size_t row = 0; row < kRows; ++row) {
            rows.out.set(row, {});
            rows.world.set(row, {});
        }
        std::fill_n(matrices.data(), kRows * kMatrixFloats, 0.0F);
        BlendBatch batch = rows.batch(0.3);
        batch.matrices = matrices.data();
        for (std::size_t block = 0; block < kBlocks; block += size) {
            blend_blocks(batch, block, std::min(size, kBlocks - block));
        }
    }

    BlendRows rows;
    Column<float> matrices;
};

/// One by one the blocks cannot be mistaken for each other.
void expect_same_as_one_by_one(Scene& all, Scene& single) {
    all.blend(kBlocks);
    single.blend(1);
    for (std::size_t row = 0; row < kRows; ++row) {
        ASSERT_TRUE(same_bits(all.rows.out.get(row), single.rows.out.get(row))) << row;
        const Affine placed = all.rows.world.get(row);
        const Affine expected = single.rows.world.get(row);
        ASSERT_TRUE(same_bits(placed.linear, expected.linear)) << row;
        ASSERT_TRUE(same_bits(placed.translation, expected.translation)) << row;
    }
    for (std::size_t i = 0; i < kRows * kMatrixFloats; ++i) {
        ASSERT_TRUE(same_bits(all.matrices[i], single.matrices[i])) << i / kMatrixFloats;
    }
}

void expect_block_is_found(Scene& all, Scene& single, std::size_t block) {
    for (const auto mask :
         {&BlendRows::scaled, &BlendRows::hermite, &BlendRows::below, &BlendRows::above}) {
        (all.rows.*mask)[block] = (single.rows.*mask)[block] = ~std::uint64_t{0};
        expect_same_as_one_by_one(all, single);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << block;
        (all.rows.*mask)[block] = (single.rows.*mask)[block] = 0;
    }
}

TEST(BlendKernelKinds, OneBlockOfAnotherKindIsFoundWhereverItStands) {
    Scene all;
    Scene single;
    for_each_target([&] {
        for (std::size_t block = 0; block < kBlocks; ++block) {
            expect_block_is_found(all, single, block);
        }
    });
}

TEST(BlendKernelKinds, NothingIsWrittenBehindTheLastRowWhateverTheRange) {
    Scene all;
    Scene single;
    for_each_target([&] {
        for (const std::size_t row_count : {kRows - 1, kRows - 5 * kBlockRows - 7}) {
            all.rows.row_count = single.rows.row_count = row_count;
            expect_same_as_one_by_one(all, single);
            EXPECT_NE(all.matrices[(row_count - 1) * kMatrixFloats], 0.0F);
            EXPECT_EQ(all.matrices[row_count * kMatrixFloats], 0.0F);
        }
    });
}

} // namespace
} // namespace glissade
