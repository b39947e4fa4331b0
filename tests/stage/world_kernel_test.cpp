// SPDX-License-Identifier: MIT
// Rows below parents in the vector kernels, against compose().
#include "stage/kernel_rows.h"
#include "stage/kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using test::BlendRows;
using test::for_each_target;
using test::kMatrixFloats;
using test::RandomPoses;

constexpr std::size_t kParents = 200;
constexpr std::size_t kRows = 448; // Parents are the first ones.
constexpr std::size_t kFirst = kParents;

/// How the rows find their parents.
enum class Family { Neighbours, Pairs, Uneven, Shuffled, Last };

/// Whether anything has a scale.
enum class Kind { Scaled, Rigid };
constexpr Kind kKinds[] = {Kind::Scaled, Kind::Rigid};

/// Rows below parents, and what they need.
struct Scene {
    Scene(Family family, Kind kind)
        : local(kRows),
          world(kRows),
          parent(kRows),
          above(7),
          scaled(7),
          is_rigid(kind == Kind::Rigid) {
        RandomPoses random(41);
        for (std::size_t row = 0; row < kRows; ++row) {
            Pose pose = random.draw_pose();
            if (row / kBlockRows % 2 == 0 && !is_rigid) {
                pose.scale = glm::vec3(random.draw_vector(3.0));
                BlendRows::set_bit(scaled, row);
            }
            local.set(row, pose);
            parent[row] = choose_parent(family, row, random);
        }
        for (std::size_t row = 0; row < kParents; ++row) {
            set_placed(row, random.draw_pose());
        }
        above[4] = 0x0000FF0000000001;
        above[6] = ~std::uint64_t{0};
    }

    static std::uint32_t choose_parent(Family family, std::size_t row, RandomPoses& random) {
        const std::size_t child = row < kFirst ? 0 : row - kFirst;
        switch (family) {
            case Family::Neighbours:
                return static_cast<std::uint32_t>(child % kParents);
            case Family::Pairs:
                return static_cast<std::uint32_t>(child / 2);
            case Family::Uneven:
                // Close enough for a window of floats, too far apart for one of half as many
                // doubles: of 16 lanes in some vectors, of 8 in the others.
                return static_cast<std::uint32_t>((row / 16 * 4) % (kParents - 8) +
                                                  (row % 4 == 3 ? (row / 16 % 2 == 0 ? 8 : 4) : 0));
            case Family::Shuffled:
                return static_cast<std::uint32_t>(random.rng()() % kParents);
            case Family::Last:
                return static_cast<std::uint32_t>(kParents - 1);
        }
        return 0;
    }

    [[nodiscard]] WorldBatch batch() {
        WorldBatch batch;
        batch.local = local.source();
        batch.scaled = scaled.data();
        batch.above = above.data();
        batch.parent = parent.data();
        batch.world = world.target();
        batch.matrices = matrices;
        batch.origin = {1.0, 2.0, -3.0};
        batch.is_rigid = is_rigid;
        return batch;
    }

    void set_placed(std::size_t row, const Pose& pose) {
        if (is_rigid) {
            world.set_rigid(row, pose);
        } else {
            world.set(row, to_affine(pose));
        }
    }
    [[nodiscard]] Affine placed(std::size_t row) const {
        return is_rigid ? world.get_rigid(row) : world.get(row);
    }

    // Scale columns of blocks without a bit mean nothing.
    [[nodiscard]] Affine expected(std::size_t row) const {
        Pose pose = local.get(row);
        if (scaled[row / kBlockRows] == 0) {
            pose.scale = glm::vec3(1.0F);
        }
        return compose(placed(parent[row]), to_affine(pose));
    }

    test::PoseRows local;
    test::WorldRows world;
    std::vector<std::uint32_t> parent;
    std::vector<std::uint64_t> above;
    std::vector<std::uint64_t> scaled;
    bool is_rigid;
    float* matrices = nullptr;
};

void expect_matrix(const float* matrix, const Affine& expected, const glm::dvec3& origin) {
    const glm::mat3x4 rows = to_mat3x4(expected, origin);
    for (glm::length_t i = 0; i < 12; ++i) {
        // Three products of a part up to 1 with one up to 3, each off by 1e-6 of its size, see
        // BlendKernel. Translations of up to 300 go through float at the end.
        const float tolerance = i % 4 == 3 ? 4e-5F : 1e-5F;
        ASSERT_NEAR(matrix[i], rows[i / 4][i % 4], tolerance) << i;
    }
}

void expect_placed(const Affine& placed, const Affine& expected, bool is_rigid) {
    // With scales three products and three sums of up to 1000, rounded once each here and, where
    // they are fused, every second time there: 9 * 2^-53 * 1000. Without, the 3x3 parts of parents
    // are made from rotations on either way, 5.5 * sqrt(3) * 2^-24 apart on an arm of up to 175 m,
    // and short ones are turned in float: 17 * 2^-24 of them, see StageArms.
    const double tolerance = is_rigid ? 27 * 0x1p-24 * 175.0 : 1e-12;
    for (glm::length_t i = 0; i < 3; ++i) {
        ASSERT_NEAR(placed.translation[i], expected.translation[i], tolerance);
        for (glm::length_t k = 0; k < 3; ++k) {
            ASSERT_NEAR(placed.linear[i][k], expected.linear[i][k], 1e-5F);
        }
    }
}

/// Matrices of all rows below parents, and the placements of those with rows below them.
void expect_placed_as_composed(Family family, Kind kind, float* matrices) {
    Scene scene(family, kind);
    scene.matrices = matrices;
    const WorldBatch batch = scene.batch();
    place_rows(batch, kFirst, kRows - kFirst);
    for (std::size_t row = kFirst; row < kRows; ++row) {
        SCOPED_TRACE(row);
        expect_matrix(batch.matrices + row * kMatrixFloats, scene.expected(row), batch.origin);
        if (BlendRows::is_set(scene.above, row)) {
            expect_placed(scene.placed(row), scene.expected(row), scene.is_rigid);
        }
    }
}

TEST(WorldKernel, RowsArePlacedAsSinglePosesAreComposed) {
    std::vector<float> memory(kRows * kMatrixFloats + 2);
    for_each_target([&memory] {
        for (const Family family :
             {Family::Neighbours, Family::Pairs, Family::Uneven, Family::Shuffled, Family::Last}) {
            expect_placed_as_composed(family, Kind::Scaled, memory.data() + 1); // Not aligned.
            expect_placed_as_composed(family, Kind::Rigid, memory.data() + 1);
        }
    });
}

/// Takes the placements of the rows below parents away, so that they have to be written again.
std::vector<Affine> take_placements(Scene& scene) {
    std::vector<Affine> placed(kRows);
    for (std::size_t row = kFirst; row < kRows; ++row) {
        placed[row] = scene.placed(row);
        scene.set_placed(row, Pose{});
    }
    return placed;
}

void expect_placements(const Scene& scene, const std::vector<Affine>& placed) {
    for (std::size_t row = kFirst; row < kRows; ++row) {
        if (BlendRows::is_set(scene.above, row)) {
            const Affine again = scene.placed(row);
            EXPECT_EQ(again.translation, placed[row].translation) << row;
            EXPECT_EQ(again.linear, placed[row].linear) << row;
        }
    }
}

void expect_the_same_streamed(Kind kind, Column<float>& memory) {
    constexpr std::size_t kFloats = kRows * kMatrixFloats;
    constexpr std::size_t kFirstFloat = kFirst * kMatrixFloats;
    Scene scene(Family::Pairs, kind);
    scene.matrices = memory.data();
    WorldBatch batch = scene.batch();
    place_rows(batch, kFirst, kRows - kFirst);
    const std::vector<float> expected(memory.data(), memory.data() + kFloats);
    const std::vector<Affine> placed = take_placements(scene);
    std::fill_n(memory.data() + kFirstFloat, kFloats - kFirstFloat, 0.0F);
    batch.stream = true;
    batch.stream_world = true;
    place_rows(batch, kFirst, kRows - kFirst);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.data()));
    expect_placements(scene, placed);
}

TEST(WorldKernel, StreamingChangesNoBit) {
    Column<float> memory(kRows * kMatrixFloats);
    std::fill_n(memory.data(), kRows * kMatrixFloats, 0.0F);
    for_each_target([&memory] {
        for (const Kind kind : kKinds) {
            expect_the_same_streamed(kind, memory);
        }
    });
}

/// Rows [first, first + count) and no others get a matrix and a placement.
void expect_only_the_range(std::size_t first, std::size_t count, Kind kind) {
    constexpr float kUntouched = -7.0F;
    std::vector<float> memory(kRows * kMatrixFloats, kUntouched);
    Scene scene(Family::Pairs, kind);
    std::fill(scene.above.begin(), scene.above.end(), ~std::uint64_t{0});
    scene.matrices = memory.data();
    place_rows(scene.batch(), first, count);
    for (std::size_t row = kFirst; row < kRows; ++row) {
        const bool is_inside = row >= first && row < first + count;
        ASSERT_EQ(memory[row * kMatrixFloats] != kUntouched, is_inside) << row;
        const Affine placed = scene.world.get(row); // As it is, whatever it means.
        ASSERT_EQ(placed.translation.x != 0.0, is_inside) << row;
        ASSERT_EQ(placed.linear[0][0] != 0.0F, is_inside) << row;
    }
}

void expect_only_ranges_from(std::size_t first) {
    for (const std::size_t count : {0U, 1U, 5U, 16U, 64U, 100U}) {
        expect_only_the_range(first, count, Kind::Scaled);
        expect_only_the_range(first, count, Kind::Rigid);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << count << " from " << first;
    }
}

TEST(WorldKernel, NothingOutsideOfTheRangeIsWritten) {
    for_each_target([] {
        for (const std::size_t first : {200U, 203U, 255U, 256U, 260U}) {
            expect_only_ranges_from(first);
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
    });
}

// Some rows below the last rows of the columns. A sanitizer sees the rest.
void expect_placed_below_last(Kind kind) {
    Scene scene(Family::Neighbours, kind);
    std::vector<float> matrices(kRows * kMatrixFloats);
    scene.matrices = matrices.data();
    for (std::size_t row = kRows - 2; row < kRows; ++row) {
        scene.set_placed(row, scene.local.get(row));
    }
    for (std::size_t row = kFirst; row < kFirst + kBlockRows; ++row) {
        scene.parent[row] = static_cast<std::uint32_t>(kRows - 1 - row % 2);
    }
    const WorldBatch batch = scene.batch();
    place_rows(batch, kFirst, kBlockRows);
    for (std::size_t row = kFirst; row < kFirst + kBlockRows; ++row) {
        expect_matrix(matrices.data() + row * kMatrixFloats, scene.expected(row), batch.origin);
    }
}

TEST(WorldKernel, ParentsInTheLastRowsOfTheColumnsAreReadWithinThem) {
    for_each_target([] {
        expect_placed_below_last(Kind::Scaled);
        expect_placed_below_last(Kind::Rigid);
    });
}

} // namespace
} // namespace glissade
