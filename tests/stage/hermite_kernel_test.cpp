// SPDX-License-Identifier: MIT
// Rows that follow velocities in the vector kernels, against blend_hermite().
#include "stage/kernel_rows.h"
#include "stage/kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

using test::BlendRows;
using test::for_each_target;
using test::RandomPoses;
using test::same_bits;

Motion motion_from(const BlendRows& rows, std::size_t row) {
    return {rows.from.get(row), rows.from_velocity.get(row)};
}

Motion motion_to(const BlendRows& rows, std::size_t row) {
    return {rows.to.get(row), rows.to_velocity.get(row)};
}

Pose blend_single(const BlendRows& rows, std::size_t row, double t) {
    return blend_hermite(motion_from(rows, row), motion_to(rows, row), rows.duration_s, t);
}

// A turn of up to `turn_rad` a tick with velocities that differ from it by up to `noise_rad` a
// tick.
void fill_motions(BlendRows& rows, double turn_rad, double noise_rad) {
    RandomPoses random(29);
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        const Pose from = random.draw_pose();
        const glm::dvec3 turn = glm::normalize(random.draw_vector(1.0)) * random.draw(turn_rad);
        const glm::dvec3 step = random.draw_vector(1.0);
        Pose to = from;
        to.position += step;
        to.rotation = normalised(quat_from_rotation_vector(turn) * from.rotation);
        if (row % 2 != 0) {
            to.rotation = -to.rotation;
        }
        // Every third is an acceleration, deviating by the same to both sides; the rest is noise.
        const glm::dvec3 noise0 = random.draw_vector(noise_rad);
        const glm::dvec3 noise1 = row % 3 == 0 ? -noise0 : random.draw_vector(noise_rad);
        const double rate = 1.0 / rows.duration_s;
        rows.from.set(row, from);
        rows.to.set(row, to);
        rows.from_velocity.set(
            row, {glm::vec3((step + noise0) * rate), glm::vec3((turn + noise0) * rate)});
        rows.to_velocity.set(
            row, {glm::vec3((step + noise1) * rate), glm::vec3((turn + noise1) * rate)});
    }
}

void set_all(std::vector<std::uint64_t>& mask) {
    std::fill(mask.begin(), mask.end(), ~std::uint64_t{0});
}

constexpr double kFractions[] = {1e-12, 0.01, 0.2, 0.4, 0.5, 0.7, 0.93, 1.0 - 1e-12};

void expect_positions_of_single_poses(const BlendRows& rows, double t) {
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        const Pose blended = rows.out.get(row);
        ASSERT_TRUE(same_bits(blended.position, blend_single(rows, row, t).position))
            << row << " " << t << " " << rows.duration_s;
        ASSERT_TRUE(test::is_finite(blended)) << row;
    }
}

void expect_positions_at_all_fractions(BlendRows& rows) {
    for (const double t : kFractions) {
        rows.blend(t);
        expect_positions_of_single_poses(rows, t);
        ASSERT_FALSE(::testing::Test::HasFatalFailure());
    }
}

TEST(HermiteKernel, PositionsAreThoseOfSinglePosesToTheLastBit) {
    BlendRows rows(512);
    fill_motions(rows, 1.0, 1.0);
    set_all(rows.hermite);
    // Zero motion; no way made with opposite velocities; velocities that throw far out.
    rows.to.set(0, rows.from.get(0));
    rows.from_velocity.set(0, {});
    rows.to_velocity.set(0, {});
    rows.to.set(1, rows.from.get(1));
    rows.from_velocity.set(1, {glm::vec3(5.0F), glm::vec3(1.0F)});
    rows.to_velocity.set(1, {glm::vec3(-5.0F), glm::vec3(-1.0F)});
    rows.from_velocity.set(2, {glm::vec3(kMaxVelocity), glm::vec3(kMaxVelocity)});
    rows.to_velocity.set(2, {glm::vec3(-kMaxVelocity), glm::vec3(-kMaxVelocity)});
    for_each_target([&rows] {
        for (const double duration_s : {1.0 / 60.0, 1e-9, 1e5, 1e10}) {
            rows.duration_s = duration_s;
            expect_positions_at_all_fractions(rows);
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
    });
}

struct Worst {
    double angle_rad = 0.0;
    std::size_t looked_at = 0;
};

void compare_rotations(const BlendRows& rows, double t, Worst& worst) {
    for (std::size_t row = 0; row < rows.from.size(); ++row) {
        if (rows.is_looked_at(row)) {
            ++worst.looked_at;
            continue;
        }
        const glm::dquat expected = test::to_double_unit(blend_single(rows, row, t).rotation);
        const double angle_rad = test::angle_between(expected, rows.out.get(row).rotation);
        worst.angle_rad = std::max(worst.angle_rad, angle_rad);
    }
}

Worst compare_rotations(BlendRows& rows) {
    Worst worst;
    for (const double t : kFractions) {
        rows.blend(t);
        compare_rotations(rows, t, worst);
    }
    return worst;
}

// The slerp below is off by 3.5e-7, see BlendKernel; both deviations of the velocities from the
// step by 4e-7 (a step of up to pi from float products, a sum of spins that is rounded), of which
// the curve takes a quarter and, through the limiter, at most as much again.
constexpr double kToleranceRad = 1e-6;

void expect_rotations_of_single_poses(BlendRows& rows, double noise_rad) {
    for (const double turn_rad : {1e-6, 0.1, 1.0, 2.5}) {
        fill_motions(rows, turn_rad, noise_rad);
        const Worst worst = compare_rotations(rows);
        EXPECT_LE(worst.angle_rad, kToleranceRad) << noise_rad << " " << turn_rad;
        EXPECT_EQ(worst.looked_at, 0U);
    }
}

TEST(HermiteKernel, RotationsAreWithinAMicroradianOfSinglePoses) {
    BlendRows rows(768);
    set_all(rows.hermite);
    for_each_target([&rows] {
        for (const double noise_rad : {0.0, 1e-6, 0.01, 0.3, 1.0}) {
            expect_rotations_of_single_poses(rows, noise_rad);
        }
    });
}

TEST(HermiteKernel, RotationsDoNotDependOnHowLongAStepTakes) {
    BlendRows rows(256);
    set_all(rows.hermite);
    for_each_target([&rows] {
        for (const double duration_s : {1e-9, 1e-3, 1.0, 1e4, 1e9}) {
            rows.duration_s = duration_s;
            expect_rotations_of_single_poses(rows, 1.0);
        }
    });
}

TEST(HermiteKernel, FastTurnsAskForALookAndTheOthersAreRight) {
    BlendRows rows(1024);
    set_all(rows.hermite);
    for_each_target([&rows] {
        for (const double noise_rad : {3.0, 5.0, 10.0, 100.0}) {
            fill_motions(rows, 3.14, noise_rad);
            const Worst worst = compare_rotations(rows);
            EXPECT_LE(worst.angle_rad, kToleranceRad) << noise_rad;
            EXPECT_GT(worst.looked_at, 0U);
        }
    });
}

TEST(HermiteKernel, AConstantSpinIsTheSlerp) {
    BlendRows rows(64);
    fill_motions(rows, 1.0, 0.0);
    for_each_target([&rows] {
        rows.hermite[0] = 0;
        rows.blend(0.3);
        std::vector<Pose> linear;
        for (std::size_t row = 0; row < 64; ++row) {
            linear.push_back(rows.out.get(row));
        }
        rows.hermite[0] = ~std::uint64_t{0};
        rows.blend(0.3);
        for (std::size_t row = 0; row < 64; ++row) {
            EXPECT_TRUE(same_bits(linear[row].rotation, rows.out.get(row).rotation)) << row;
        }
    });
}

TEST(HermiteKernel, RowsOfOneBlockMayBlendDifferently) {
    BlendRows rows(128);
    fill_motions(rows, 1.0, 0.5);
    for_each_target([&rows] {
        rows.hermite[0] = 0;
        rows.blend(0.6);
        std::vector<Pose> linear;
        for (std::size_t row = 0; row < 64; ++row) {
            linear.push_back(rows.out.get(row));
        }
        rows.hermite[0] = 0xF0F0F0F012345678;
        rows.blend(0.6);
        for (std::size_t row = 0; row < 64; ++row) {
            const Pose blended = rows.out.get(row);
            const bool is_right =
                BlendRows::is_set(rows.hermite, row)
                    ? same_bits(blended.position, blend_single(rows, row, 0.6).position)
                    : same_bits(blended, linear[row]);
            EXPECT_TRUE(is_right) << row;
        }
    });
}

TEST(HermiteKernel, WithoutSpinPositionsBendAndRotationsAreThoseOfTheLinearBlend) {
    BlendRows rows(192);
    fill_motions(rows, 1.0, 0.5);
    rows.to.set(5, rows.from.get(5)); // One that stands still, and one that does not turn.
    Pose straight = rows.to.get(6);
    straight.rotation = rows.from.get(6).rotation;
    rows.to.set(6, straight);
    for_each_target([&rows] {
        std::fill(rows.hermite.begin(), rows.hermite.end(), 0);
        rows.has_spin = true;
        rows.blend(0.6);
        std::vector<Pose> linear;
        for (std::size_t row = 0; row < 192; ++row) {
            linear.push_back(rows.out.get(row));
        }
        set_all(rows.hermite);
        rows.hermite[1] = 0x5555555555555555;
        rows.has_spin = false;
        rows.blend(0.6);
        for (std::size_t row = 0; row < 192; ++row) {
            const Motion from = motion_from(rows, row);
            const Motion to = motion_to(rows, row);
            const Pose single = BlendRows::is_set(rows.hermite, row)
                                    ? blend_hermite_path(from, to, rows.duration_s, 0.6)
                                    : linear[row];
            EXPECT_TRUE(same_bits(rows.out.get(row).position, single.position)) << row;
            EXPECT_EQ(rows.out.get(row).rotation, linear[row].rotation) << row;
        }
    });
}

TEST(HermiteKernel, APositionStopsAtItsLimit) {
    BlendRows rows(64);
    set_all(rows.hermite);
    rows.duration_s = 100.0;
    for (std::size_t row = 0; row < 64; ++row) {
        const Pose pose{{kMaxPosition, -kMaxPosition, 0.0}, Pose{}.rotation, glm::vec3(1.0F)};
        rows.from.set(row, pose);
        rows.to.set(row, pose);
        rows.from_velocity.set(row, {{kMaxVelocity, -kMaxVelocity, 1.0F}, {}});
        rows.to_velocity.set(row, {{-kMaxVelocity, kMaxVelocity, -1.0F}, {}});
    }
    for_each_target([&rows] {
        rows.blend(0.5);
        EXPECT_EQ(rows.out.get(7).position.x, kMaxPosition);
        EXPECT_EQ(rows.out.get(7).position.y, -kMaxPosition);
        EXPECT_GT(rows.out.get(7).position.z, 0.0);
    });
}

} // namespace
} // namespace glissade
