// SPDX-License-Identifier: MIT
// The vector kernels that blend, on every target of the machine, against single poses.
#include "stage/kernels.h"

#include "stage/kernel_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <glm/ext/quaternion_common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

using test::BlendRows;
using test::for_each_target;
using test::kMatrixFloats;
using test::PoseRows;
using test::RandomPoses;
using test::same_bits;

constexpr double kDenormal = 4.9406564584124654e-324;

std::vector<double> many_fractions() {
    return {kDenormal, 1e-300, 1e-9, 0.01, 0.1,  0.25,       1.0 / 3.0,
            0.5,       0.6180, 0.75, 0.9,  0.99, 1.0 - 1e-9, std::nextafter(1.0, 0.0)};
}

glm::quat turned_by(const glm::quat& from, const glm::dvec3& axis, double angle_rad) {
    return normalised(quat_from_rotation_vector(glm::normalize(axis) * angle_rad) * from);
}

// Pairs of every kind: any, tiny, near half a turn, equal; every other with the opposite sign.
void fill_rotations(BlendRows& rows) {
    RandomPoses random(7);
    constexpr double kAngles[] = {1e-9, 1e-6, 1e-3, 0.1, 1.0, 2.0, 3.0, 3.14, 3.1415, 0.0};
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        Pose from = random.draw_pose();
        Pose to = random.draw_pose();
        if (row % 4 != 0) {
            const double angle_rad = kAngles[row / 4 % std::size(kAngles)];
            to.rotation =
                angle_rad == 0.0 ? from.rotation : turned_by(from.rotation, to.position, angle_rad);
        }
        if (row % 2 != 0) {
            to.rotation = -to.rotation;
        }
        rows.from.set(row, from);
        rows.to.set(row, to);
    }
}

std::vector<Pose> poses_of(const PoseRows& rows) {
    std::vector<Pose> poses(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        poses[row] = rows.get(row);
    }
    return poses;
}

void clear(PoseRows& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        rows.set(row, Pose{});
    }
}

TEST(KernelTarget, EveryTargetOfTheMachineHasANameAndRuns) {
    std::string names;
    for_each_target([&names] { names += std::string(" ") + kernel_target(); });
    EXPECT_FALSE(names.empty());
    std::printf("targets:%s\n", names.c_str());
}

/// How far blended rotations are off at most.
struct WorstRotation {
    double angle_rad = 0.0;
    double length = 0.0;
};

void compare_with_slerp(const BlendRows& rows, double t, WorstRotation& worst) {
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        const glm::dquat from = test::to_double_unit(rows.from.get(row).rotation);
        const glm::dquat to = test::to_double_unit(rows.to.get(row).rotation);
        const glm::quat blended = rows.out.get(row).rotation;
        ASSERT_FALSE(rows.is_looked_at(row)) << row;
        worst.angle_rad =
            std::max(worst.angle_rad, test::angle_between(glm::slerp(from, to, t), blended));
        worst.length = std::max(worst.length, std::abs(glm::length(glm::dquat(blended)) - 1.0));
    }
}

TEST(BlendKernel, ARotationIsWithinAMicroradianOfSlerp) {
    BlendRows rows(1024);
    fill_rotations(rows);
    for_each_target([&rows] {
        WorstRotation worst;
        for (const double t : many_fractions()) {
            rows.blend(t);
            compare_with_slerp(rows, t, worst);
            ASSERT_FALSE(::testing::Test::HasFatalFailure()) << t;
        }
        // The polynomials are off by 4e-8 each; of float arithmetic, the sum of two products of
        // weights near 1 with four rounded steps behind each is off by 1.2e-7 a part, twice that as
        // an angle. The bar is the library's own promise.
        EXPECT_LE(worst.angle_rad, 1e-6);
        EXPECT_GT(worst.angle_rad, 0.0);
        EXPECT_LE(worst.length, 1e-6);
    });
}

TEST(BlendKernel, HalfATurnAsksForALook) {
    BlendRows rows(64);
    RandomPoses random(11);
    for (std::size_t row = 0; row < 64; ++row) {
        const Pose pose = random.draw_pose();
        const glm::quat& q = pose.rotation;
        // Half a turn about x, y, z exactly: products with the unit quaternions.
        const glm::quat halves[] = {quat_xyzw(q.w, -q.z, q.y, -q.x),
                                    quat_xyzw(q.z, q.w, -q.x, -q.y),
                                    quat_xyzw(-q.y, q.x, q.w, -q.z)};
        rows.from.set(row, pose);
        rows.to.set(row, {pose.position, halves[row % 3], pose.scale});
    }
    for_each_target([&rows] {
        rows.blend(0.3);
        EXPECT_EQ(rows.look[0], ~std::uint64_t{0});
        for (std::size_t row = 0; row < 64; ++row) {
            EXPECT_TRUE(test::is_finite(rows.out.get(row)));
        }
    });
}

void expect_positions_and_scales_of_single_poses(const BlendRows& rows, double t) {
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        const Pose expected = blend_linear(rows.from.get(row), rows.to.get(row), t);
        const Pose blended = rows.out.get(row);
        ASSERT_TRUE(same_bits(blended.position, expected.position)) << row << " " << t;
        ASSERT_TRUE(same_bits(blended.scale, expected.scale)) << row << " " << t;
        ASSERT_TRUE(test::is_finite(blended)) << row << " " << t;
    }
}

TEST(BlendKernel, PositionsAndScalesAreThoseOfSinglePosesToTheLastBit) {
    BlendRows rows(320);
    RandomPoses random(13);
    constexpr double kSizes[] = {1.0, 1e5, kMaxPosition, 1e-300, 4.0 * kDenormal};
    constexpr float kScales[] = {1.0F, kMaxScale, 1e-38F, 1e-44F};
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        Pose from = random.draw_pose();
        Pose to = random.draw_pose();
        from.position = random.draw_vector(kSizes[row % 5]);
        to.position = random.draw_vector(kSizes[row % 5]);
        if (row >= 128) {
            BlendRows::set_bit(rows.scaled, row);
            from.scale = glm::vec3(random.draw_vector(kScales[row % 4]));
            to.scale =
                row % 3 == 0 ? from.scale * 0.5F : glm::vec3(random.draw_vector(kScales[row % 4]));
        }
        rows.from.set(row, from);
        rows.to.set(row, to);
    }
    for_each_target([&rows] {
        for (const double t : many_fractions()) {
            rows.blend(t);
            expect_positions_and_scales_of_single_poses(rows, t);
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
    });
}

TEST(BlendKernel, TheScaleOfABlockWithoutScaleIsNotTouched) {
    BlendRows rows(64);
    const Pose odd{{}, Pose{}.rotation, {2.0F, 3.0F, 4.0F}};
    rows.out.set(5, odd);
    for_each_target([&rows, &odd] {
        rows.blend(0.5);
        rows.blend(1.0);
        EXPECT_EQ(rows.out.get(5).scale, odd.scale);
    });
}

/// Only the row whose states are equal asks for a look.
void expect_states(const BlendRows& rows, const PoseRows& states, std::size_t equal_row) {
    for (std::size_t row = 0; row < states.size(); ++row) {
        ASSERT_TRUE(same_bits(rows.out.get(row), states.get(row))) << row;
        ASSERT_EQ(rows.is_looked_at(row), row == equal_row) << row;
    }
}

TEST(BlendKernel, BothEndsAreTheStatesToTheLastBit) {
    BlendRows rows(256);
    fill_rotations(rows);
    for (std::size_t row = 0; row < rows.from.size(); row += 3) {
        BlendRows::set_bit(rows.hermite, row);
        rows.from_velocity.set(row, {{1.0F, 2.0F, 3.0F}, {100.0F, 200.0F, 300.0F}});
    }
    rows.scaled[1] = 1;
    rows.to.set(10, rows.from.get(10));
    for_each_target([&rows] {
        rows.blend(0.0);
        expect_states(rows, rows.from, 10);
        rows.blend(1.0);
        expect_states(rows, rows.to, 10);
    });
}

bool is_of_other_sign(std::size_t row) {
    return row % 5 == 2;
}

// Both states of a row are the same but for one number, or the sign, in four of five rows.
void fill_nearly_equal(BlendRows& rows) {
    RandomPoses random(17);
    rows.scaled[1] = ~std::uint64_t{0};
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        const Pose pose = random.draw_pose();
        Pose other = pose;
        other.position.y += row % 5 == 1 ? 1e-6 : 0.0;
        other.rotation = is_of_other_sign(row) ? -other.rotation : other.rotation;
        other.rotation.z = row % 5 == 3 ? std::nextafter(other.rotation.z, 2.0F) : other.rotation.z;
        other.scale.x = row % 5 == 4 && row / 64 == 1 ? 1.5F : 1.0F;
        rows.from.set(row, pose);
        rows.to.set(row, other);
    }
}

void expect_equal_states_stay(const BlendRows& rows) {
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        const bool is_equal = rows.from.get(row) == rows.to.get(row);
        ASSERT_EQ(rows.is_looked_at(row), is_equal) << row;
        if (is_equal) {
            ASSERT_TRUE(same_bits(rows.out.get(row), rows.from.get(row))) << row;
        }
        if (is_of_other_sign(row)) {
            ASSERT_TRUE(same_bits(rows.out.get(row).rotation, rows.from.get(row).rotation)) << row;
        }
    }
}

TEST(BlendKernel, EqualStatesAskForALookAndStayToTheLastBit) {
    BlendRows rows(192);
    fill_nearly_equal(rows);
    for_each_target([&rows] {
        for (const double t : many_fractions()) {
            rows.blend(t);
            expect_equal_states_stay(rows);
            ASSERT_FALSE(::testing::Test::HasFatalFailure()) << t;
        }
    });
}

TEST(BlendKernel, EveryTargetGivesTheSamePositionsAndNearlyTheSameRotations) {
    BlendRows rows(512);
    fill_rotations(rows);
    RandomPoses random(19);
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        rows.from_velocity.set(row, {random.draw_vector(9.0), random.draw_vector(90.0)});
        rows.to_velocity.set(row, {random.draw_vector(9.0), random.draw_vector(90.0)});
    }
    rows.hermite[3] = rows.hermite[4] = 0x123456789ABCDEF0;
    rows.scaled[2] = 1;
    std::vector<Pose> expected;
    std::vector<std::uint64_t> expected_look;
    for_each_target([&] {
        std::vector<Pose> blended;
        std::vector<std::uint64_t> look;
        for (const double t : many_fractions()) {
            rows.blend(t);
            look.insert(look.end(), rows.look.begin(), rows.look.end());
            const std::vector<Pose> poses = poses_of(rows.out);
            blended.insert(blended.end(), poses.begin(), poses.end());
        }
        if (expected.empty()) {
            expected = blended;
            expected_look = look;
        }
        EXPECT_EQ(look, expected_look);
        ASSERT_EQ(blended.size(), expected.size());
        for (std::size_t i = 0; i < blended.size(); ++i) {
            ASSERT_TRUE(same_bits(blended[i].position, expected[i].position)) << i;
            ASSERT_TRUE(same_bits(blended[i].scale, expected[i].scale)) << i;
            // Two roundings less in each of about ten steps, of numbers up to 1.
            ASSERT_LT(compute_angle_rad(blended[i].rotation, expected[i].rotation), 1.2e-6) << i;
        }
    });
}

void expect_matrix(const float* matrix, const Pose& pose, const glm::dvec3& origin) {
    const glm::mat3x4 expected = to_mat3x4(to_affine(pose), origin);
    const float largest =
        std::max({std::abs(pose.scale.x), std::abs(pose.scale.y), std::abs(pose.scale.z)});
    for (glm::length_t i = 0; i < 12; ++i) {
        // Two products of parts up to 1, a sum and a factor of 2: four roundings of half a unit in
        // the last place of 2 on either side, then the scale.
        const float tolerance = i % 4 == 3 ? 0.0F : largest * 1e-6F;
        EXPECT_NEAR(matrix[i], expected[i / 4][i % 4], tolerance) << i;
    }
}

/// Matrices from `offset` floats on in memory that has room on both sides, where nothing is
/// written.
void expect_matrices(BlendRows& rows, Column<float>& memory, std::size_t offset, bool stream) {
    constexpr float kUntouched = -7.0F;
    std::fill_n(memory.data(), memory.capacity(), kUntouched);
    BlendBatch batch = rows.batch(0.4);
    batch.matrices = memory.data() + offset;
    batch.origin = {10.0, -20.0, 30.0};
    batch.stream = stream;
    rows.run(batch);
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        expect_matrix(batch.matrices + row * kMatrixFloats, rows.out.get(row), batch.origin);
    }
    EXPECT_EQ(batch.matrices[-1], kUntouched);
    EXPECT_EQ(batch.matrices[rows.row_count * kMatrixFloats], kUntouched);
}

TEST(BlendKernel, MatricesAreThoseOfTheBlendedPoses) {
    // More than are blended before their matrices are made, and the last block is not full.
    constexpr std::size_t kRows = 2200;
    BlendRows rows(kRows);
    fill_rotations(rows);
    RandomPoses random(23);
    rows.scaled[1] = ~std::uint64_t{0};
    rows.hermite[20] = rows.hermite[21] = ~std::uint64_t{0};
    for (std::size_t row = 64; row < 128; ++row) {
        Pose pose = rows.from.get(row);
        pose.scale = glm::vec3(random.draw_vector(10.0));
        rows.from.set(row, pose);
    }
    Column<float> memory(16 + kRows * kMatrixFloats + 16);
    for_each_target([&rows, &memory] {
        for (const std::size_t offset : {16U, 1U, 3U}) {
            expect_matrices(rows, memory, offset, false);
            expect_matrices(rows, memory, offset, true);
        }
    });
}

void expect_the_same_streamed(BlendRows& rows, double t, Column<float>& matrices) {
    const std::size_t float_count = rows.row_count * kMatrixFloats;
    BlendBatch batch = rows.batch(t);
    batch.matrices = matrices.data();
    rows.run(batch);
    const std::vector<Pose> poses = poses_of(rows.out);
    const std::vector<float> expected(matrices.data(), matrices.data() + float_count);
    clear(rows.out);
    std::fill_n(matrices.data(), float_count, 0.0F);
    batch.stream = true;
    rows.run(batch);
    for (std::size_t row = 0; row < rows.out.size(); ++row) {
        ASSERT_TRUE(same_bits(rows.out.get(row), poses[row])) << row;
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), matrices.data()));
}

TEST(BlendKernel, StreamingChangesNoBit) {
    constexpr std::size_t kRows = 1500;
    BlendRows rows(kRows);
    fill_rotations(rows);
    rows.scaled[1] = 1;
    rows.hermite[2] = 0xFF;
    rows.hermite[3] = ~std::uint64_t{0};
    Column<float> matrices(kRows * kMatrixFloats);
    for_each_target([&rows, &matrices] {
        for (const double t : {0.0, 0.3, 1.0}) {
            expect_the_same_streamed(rows, t, matrices);
        }
    });
}

/// What a blend leaves behind.
struct Blended {
    std::vector<Pose> poses;
    std::vector<float> matrices;
    std::vector<std::uint64_t> look;
};

Blended blend_tuned(BlendRows& rows, const BlendTuning& tuning, bool stream, bool has_matrices) {
    clear(rows.out);
    const std::size_t float_count = rows.row_count * kMatrixFloats;
    Column<float> matrices(float_count);
    std::fill_n(matrices.data(), float_count, 0.0F);
    BlendBatch batch = rows.batch(0.3);
    batch.tuning = tuning;
    batch.stream = stream;
    batch.matrices = has_matrices ? matrices.data() : nullptr;
    rows.run(batch);
    return {poses_of(rows.out), {matrices.data(), matrices.data() + float_count}, rows.look};
}

void expect_same_bits(const Blended& blended, const Blended& expected) {
    for (std::size_t row = 0; row < expected.poses.size(); ++row) {
        ASSERT_TRUE(same_bits(blended.poses[row], expected.poses[row])) << row;
    }
    EXPECT_EQ(blended.matrices, expected.matrices);
    EXPECT_EQ(blended.look, expected.look);
}

void expect_tuning_changes_nothing(BlendRows& rows, bool has_matrices) {
    const Blended expected = blend_tuned(rows, {}, false, has_matrices);
    for (const bool stream : {false, true}) {
        expect_same_bits(blend_tuned(rows, {.in_one_pass = true}, stream, has_matrices), expected);
        expect_same_bits(blend_tuned(rows, {.fetches_ahead = true}, stream, has_matrices),
                         expected);
    }
}

TEST(BlendKernel, TuningChangesNoBit) {
    BlendRows rows(1500);
    fill_rotations(rows);
    RandomPoses random(9);
    for (std::size_t row = 0; row < rows.row_count; ++row) {
        const glm::vec3 linear(random.draw_vector(100.0));
        const glm::vec3 angular(random.draw_vector(60.0));
        rows.from_velocity.set(row, {linear, angular});
        rows.to_velocity.set(row, {angular, linear});
    }
    rows.to.set(70, rows.from.get(70));
    rows.scaled[1] = 1;
    rows.hermite[2] = 0xFF;
    std::fill(rows.hermite.begin() + 8, rows.hermite.end(), ~std::uint64_t{0});
    for_each_target([&rows] {
        expect_tuning_changes_nothing(rows, false);
        expect_tuning_changes_nothing(rows, true);
        EXPECT_TRUE(rows.is_looked_at(70));
    });
}

TEST(BlendKernel, LongStretchesChangeNoBit) {
    BlendRows rows(kLongStretchRows + 100);
    fill_rotations(rows);
    for_each_target([&rows] {
        const Blended expected = blend_tuned(rows, {}, false, false);
        expect_same_bits(blend_tuned(rows, {}, true, false), expected);
        expect_same_bits(blend_tuned(rows, {.in_one_pass = true}, true, false), expected);
    });
}

TEST(BlendKernel, OnlyTheBlocksOfTheRangeAreWritten) {
    BlendRows rows(256);
    fill_rotations(rows);
    for_each_target([&rows] {
        clear(rows.out);
        blend_blocks(rows.batch(0.5), 1, 2);
        EXPECT_EQ(rows.out.get(63), Pose{});
        EXPECT_NE(rows.out.get(64), Pose{});
        EXPECT_NE(rows.out.get(191), Pose{});
        EXPECT_EQ(rows.out.get(192), Pose{});
    });
}

TEST(BlendKernel, BlocksBelowParentsGetNoMatricesAndParentsArePlacedInTheWorld) {
    BlendRows rows(192);
    fill_rotations(rows);
    rows.below = {0, ~std::uint64_t{0}, 1};
    rows.above = {2, 2, 0};
    rows.scaled[0] = 1;
    Column<float> matrices(192 * kMatrixFloats);
    const auto check = [&rows, &matrices](bool stream) {
        std::fill_n(matrices.data(), 192 * kMatrixFloats, 0.0F);
        rows.world.set(1, Affine{});
        BlendBatch batch = rows.batch(0.5);
        batch.matrices = matrices.data();
        batch.stream = stream;
        batch.stream_world = stream;
        rows.run(batch);
        EXPECT_NE(matrices[63 * kMatrixFloats], 0.0F);
        EXPECT_TRUE(std::all_of(matrices.data() + 64 * kMatrixFloats,
                                matrices.data() + 128 * kMatrixFloats,
                                [](float part) { return part == 0.0F; }));
        EXPECT_NE(matrices[128 * kMatrixFloats], 0.0F);
        const Affine placed = rows.world.get(1);
        const Affine expected = to_affine(rows.out.get(1));
        EXPECT_EQ(placed.translation, expected.translation);
        for (glm::length_t i = 0; i < 9; ++i) { // See expect_matrix().
            EXPECT_NEAR(placed.linear[i / 3][i % 3], expected.linear[i / 3][i % 3], 1e-6F);
        }
    };
    for_each_target([&check] {
        check(false);
        check(true);
    });
}

TEST(BlendKernel, ParentsOfARigidFamilyArePlacedAsTheyAreShown) {
    BlendRows rows(192);
    fill_rotations(rows);
    rows.above = {2, ~std::uint64_t{0}, 0};
    Column<float> matrices(192 * kMatrixFloats);
    constexpr std::size_t kLooked[] = {1, 64, 127};
    const auto check = [&](double t, bool stream) {
        for (const std::size_t row : kLooked) {
            rows.world.set(row, Affine{glm::mat3(7.0F), {}});
        }
        BlendBatch batch = rows.batch(t);
        batch.matrices = matrices.data();
        batch.is_rigid = true;
        batch.stream = stream;
        batch.stream_world = stream;
        rows.run(batch);
        for (const std::size_t row : kLooked) {
            EXPECT_EQ(rows.world.get(row).linear[1][1], 7.0F); // Not touched.
            EXPECT_EQ(rows.world.get(row).linear[2][2], 7.0F);
            const Affine placed = rows.world.get_rigid(row);
            const Affine expected = to_affine(rows.out.get(row));
            EXPECT_EQ(placed.translation, expected.translation);
            EXPECT_EQ(placed.linear, expected.linear);
        }
    };
    for_each_target([&check] {
        check(0.5, false);
        check(0.5, true);
        check(1.0, false);
    });
}

} // namespace
} // namespace glissade
