// SPDX-License-Identifier: MIT
// How precisely what hangs below a parent is placed: near ones in float, far ones in double, and
// ones below a scale in double, however near.
#include "glissade/stage/stage.h"

#include "stage/kernel_rows.h"
#include "stage/kernels.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using test::for_each_target;
using test::kMatrixFloats;
using test::RandomPoses;
using testing::kSceneTickNs;
using testing::tick_at;

constexpr std::size_t kParents = 128;
constexpr std::size_t kRows = 384; // Parents are the first ones.
constexpr double kArmM = kShortArmM;

double max_part(const glm::dvec3& parts) {
    return std::max({parts.x, parts.y, parts.z});
}

/// Parents without a scale and what hangs below them, in two ways to look for the parents.
struct ArmRows {
    explicit ArmRows(bool are_parents_near)
        : local(kRows), world(kRows), parent(kRows), above(kRows / kBlockRows) {
        RandomPoses random(51);
        for (std::size_t row = 0; row < kRows; ++row) {
            Pose pose = random.draw_pose();
            pose.position = random.draw_vector(kArmM);
            local.set(row, pose);
            world.set_rigid(row, random.draw_pose());
            const std::size_t child = row < kParents ? 0 : row - kParents;
            parent[row] =
                static_cast<std::uint32_t>(are_parents_near ? child / 2 : child * 37 % kParents);
        }
        above[3] = ~std::uint64_t{0};
        above[5] = 0x10001;
    }

    [[nodiscard]] WorldBatch batch() {
        WorldBatch batch;
        batch.local = local.source();
        batch.above = above.data();
        batch.parent = parent.data();
        batch.world = world.target();
        batch.matrices = matrices.data();
        batch.origin = {3.0, -5.0, 7.0};
        batch.is_rigid = true;
        return batch;
    }
    void place() { place_rows(batch(), kParents, kRows - kParents); }

    [[nodiscard]] bool has_children(std::size_t row) const {
        return test::BlendRows::is_set(above, row);
    }
    [[nodiscard]] glm::dvec3 expected(std::size_t row) const {
        return compose(world.get_rigid(parent[row]), to_affine(local.get(row))).translation;
    }
    /// How far a row's matrix is off, on the axis where it is off most.
    [[nodiscard]] double find_error(std::size_t row) {
        const glm::dvec3 due = expected(row) - batch().origin;
        const float* const matrix = matrices.data() + row * kMatrixFloats;
        return std::max({std::abs(matrix[3] - due.x), std::abs(matrix[7] - due.y),
                         std::abs(matrix[11] - due.z)});
    }

    test::PoseRows local;
    test::WorldRows world;
    std::vector<std::uint32_t> parent;
    std::vector<std::uint64_t> above;
    std::vector<float> matrices = std::vector<float>(kRows * kMatrixFloats);
};

// In units of 2^-24 of an arm's length, with u and w for the parts of the rotation, and where the
// target has no fused multiply-add: the arm itself is rounded (1); so is t = 2 u x v, two products
// and their difference (6, carried on by w and u x, which together turn); v + w t (3); u x t (6);
// and their sum (1).
const double kArmError = 17 * 0x1p-24 * std::sqrt(3.0) * kArmM;
// Each part of what it is compared with is off by 3.5, see compute_tolerance(), and there are
// three.
const double kExpectedError = 3.5 * 0x1p-24 * 3 * kArmM;
// Where the parent is relative to the origin, 110 m away at most, and the sum of both, 310.
constexpr double kOffsetError = 0x1p-24 * (110.0 + 310.0);

/// Rotations whose 3x3 parts are exact, so that nothing but the arms themselves can be off.
void turn_parents_exactly(ArmRows& rows) {
    const auto half = [](std::size_t bits, std::size_t bit) {
        return (bits >> bit) % 2 == 0 ? 0.5F : -0.5F;
    };
    for (std::size_t row = 0; row < kParents; ++row) {
        const glm::quat turn(half(row, 0), half(row, 1), half(row, 2), half(row, 3));
        rows.world.set_rigid(row,
                             {.position = rows.world.get_rigid(row).translation, .rotation = turn});
    }
}

void expect_short_arms_placed(bool are_parents_near) {
    ArmRows rows(are_parents_near);
    rows.place();
    for (std::size_t row = kParents; row < kRows; ++row) {
        ASSERT_LE(rows.find_error(row), kArmError + kExpectedError + kOffsetError) << row;
        const glm::dvec3 apart = rows.world.get_rigid(row).translation - rows.expected(row);
        if (rows.has_children(row)) {
            ASSERT_LE(max_part(glm::abs(apart)), kArmError + kExpectedError) << row;
        }
    }
}

TEST(StageArms, ShortOnesAreOffByTheRoundingOfTheirOwnLength) {
    for_each_target([] {
        expect_short_arms_placed(true);
        expect_short_arms_placed(false);
    });
}

TEST(StageArms, ShortOnesArePlacedInFloat) {
    for_each_target([] {
        ArmRows rows(true);
        turn_parents_exactly(rows);
        rows.place();
        double most = 0.0;
        for (std::size_t row = kParents; row < kRows; ++row) {
            const glm::dvec3 apart = rows.world.get_rigid(row).translation - rows.expected(row);
            most = std::max(most, rows.has_children(row) ? max_part(glm::abs(apart)) : 0.0);
        }
        EXPECT_GT(most, 1e-7); // In double it would be 1e-14.
        EXPECT_LE(most, kArmError);
    });
}

TEST(StageArms, ShortOnesArePlacedTheSameOneByOne) {
    for_each_target([] {
        ArmRows all(true);
        ArmRows single(true);
        all.place();
        for (std::size_t row = kParents; row < kRows; ++row) {
            place_rows(single.batch(), row, 1);
        }
        EXPECT_EQ(all.matrices, single.matrices);
        for (std::size_t row = kParents; row < kRows; ++row) {
            EXPECT_EQ(all.world.get_rigid(row).translation, single.world.get_rigid(row).translation)
                << row;
            EXPECT_EQ(all.world.get_rigid(row).linear, single.world.get_rigid(row).linear) << row;
        }
    });
}

TEST(StageArms, ThoseOfRowsOutsideOfTheRangeDoNotMatter) {
    for_each_target([] {
        ArmRows alone(true);
        ArmRows beside(true);
        // The rows of a vector with one, three or fifteen lanes around them.
        beside.local.set(kParents, {.position = {1e6, 0.0, 0.0}});
        beside.local.set(kParents + 3, {.position = {0.0, 1e6, 0.0}});
        place_rows(alone.batch(), kParents + 1, 2);
        place_rows(beside.batch(), kParents + 1, 2);
        EXPECT_EQ(alone.matrices, beside.matrices);
    });
}

constexpr std::size_t kLongStride = 17; // In another lane each time.

/// One arm of every 17 is a little or a lot longer than short ones are, on any axis.
void expect_long_arms_placed(double length_m, glm::length_t axis) {
    ArmRows rows(true);
    turn_parents_exactly(rows);
    std::fill(rows.above.begin(), rows.above.end(), ~std::uint64_t{0});
    for (std::size_t row = kParents; row < kRows; row += kLongStride) {
        Pose pose = rows.local.get(row);
        pose.position[axis] = row % 2 == 0 ? length_m : -length_m;
        rows.local.set(row, pose);
    }
    rows.place();
    for (std::size_t row = kParents; row < kRows; row += kLongStride) {
        // Three products and their sums in double, on either way.
        const glm::dvec3 apart = rows.world.get_rigid(row).translation - rows.expected(row);
        ASSERT_LE(max_part(glm::abs(apart)), 8 * 0x1p-53 * (3 * length_m + 100.0)) << row;
    }
}

TEST(StageArms, LongOnesArePlacedInDouble) {
    for_each_target([] {
        for (const glm::length_t axis : {0, 1, 2}) {
            expect_long_arms_placed(1.01 * kArmM, axis);
            expect_long_arms_placed(1e6, axis);
        }
    });
}

// Below something that makes everything larger a short arm is a long one.
constexpr float kScale = 1e4F;
constexpr double kNearM = 50.123456789;
constexpr double kEndM = kNearM * double{kScale};
constexpr double kBesideM = 0.01; // Not a multiple of what floats are apart at the end.

/// How far children are from where they should be, in a frame relative to a place beside it.
std::vector<double> find_errors(Stage& stage, const std::vector<Id>& children, double end_m) {
    std::vector<glm::mat3x4> matrices(stage.mover_count());
    const SampleTime sample{.time_ns = kSceneTickNs + kSceneTickNs / 2};
    const glm::dvec3 origin(end_m - kBesideM, 0.0, 0.0);
    EXPECT_EQ(stage.present(sample, {.matrices = matrices, .origin = origin}), StageStatus::Ok);
    const std::span<const Id> ids = stage.moved().ids;
    std::vector<double> errors;
    for (const Id child : children) {
        const auto row = std::find(ids.begin(), ids.end(), child) - ids.begin();
        errors.push_back(std::abs(matrices.at(static_cast<std::size_t>(row))[0][3] - kBesideM));
    }
    return errors;
}

/// In double they are off by less than 1e-9 m, the float in a matrix by as much; in float it would
/// be centimetres.
void expect_at_end(Stage& stage, const std::vector<Id>& children) {
    for (const double error_m : find_errors(stage, children, kEndM)) {
        EXPECT_LE(error_m, 1e-8);
    }
}

Pose pose_at(double x, std::int64_t tick) {
    return {.position = {x, 0.0, static_cast<double>(tick)}};
}

TEST(StageArms, BelowAScaleThatRestsTheyArePlacedInDouble) {
    Stage stage({.capacity = 16});
    const Id parent = stage.add({.scale = glm::vec3(kScale)});
    const Id child = stage.add({}, {.parent = parent});
    for (std::int64_t tick = 1; tick <= 2; ++tick) {
        ASSERT_EQ(stage.move(tick_at(tick), child, pose_at(kNearM, tick)), StageStatus::Ok);
    }
    expect_at_end(stage, {child});
}

TEST(StageArms, BelowAScaleTwoGenerationsUpTheyArePlacedInDouble) {
    Stage stage({.capacity = 16});
    const Id above = stage.add({.scale = glm::vec3(kScale)});
    const Id parent = stage.add({}, {.parent = above});
    const Id child = stage.add({}, {.parent = parent});
    for (std::int64_t tick = 1; tick <= 2; ++tick) {
        ASSERT_EQ(stage.move(tick_at(tick), child, pose_at(kNearM, tick)), StageStatus::Ok);
    }
    expect_at_end(stage, {child});
}

TEST(StageArms, WithoutAScaleTheyArePlacedInFloat) {
    Stage stage({.capacity = 16});
    const Id parent = stage.add({});
    const Id child = stage.add({}, {.parent = parent});
    const Id loner = stage.add({}); // Its scale is nothing to a family.
    for (std::int64_t tick = 1; tick <= 2; ++tick) {
        const Pose large{.position = {0.0, static_cast<double>(tick), 0.0}, .scale = glm::vec3(2)};
        ASSERT_EQ(stage.move(tick_at(tick), loner, large), StageStatus::Ok);
        ASSERT_EQ(stage.move(tick_at(tick), child, pose_at(kNearM, tick)), StageStatus::Ok);
    }
    const double error_m = find_errors(stage, {child}, kNearM).front();
    EXPECT_GT(error_m, 1e-7); // It is the price of a faster frame; see the guide.
    EXPECT_LE(error_m, kArmError);
}

// Of a length that is kept bit for bit and is not quite 1, which a matrix shows and a rotation
// that was made one again does not.
glm::quat draw_long_rotation(RandomPoses& random) {
    return random.draw_pose().rotation * (1.0F + 4e-7F);
}

// World nodes: what is far from its parent is where that one has it, whoever draws it.
TEST(StageArms, WhatIsFarFromARestingParentIsWhereItsSiblingsAre) {
    RandomPoses random(52);
    Stage stage({.capacity = 16});
    const Pose node{.position = {10.0, 20.0, 30.0}, .rotation = draw_long_rotation(random)};
    const Pose house{.position = {1e6, -5e5, 2e5}, .rotation = draw_long_rotation(random)};
    const Id above = stage.add(node);
    const Id parent = stage.add(house, {.parent = above});
    const Id door = stage.add({}, {.parent = parent});
    for (std::int64_t tick = 1; tick <= 2; ++tick) {
        ASSERT_EQ(stage.move(tick_at(tick), door, pose_at(0.0, tick)), StageStatus::Ok);
    }
    std::vector<glm::mat3x4> matrices(1);
    const glm::dvec3 origin = stage.world(parent).translation;
    const SampleTime sample{.time_ns = kSceneTickNs + kSceneTickNs / 2};
    ASSERT_EQ(stage.present(sample, {.matrices = matrices, .origin = origin}), StageStatus::Ok);
    const glm::dvec3 due = stage.world(door).translation - origin;
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        // The door is less than 2 m from where its house is drawn; see StageArms above and
        // compute_tolerance() for the factor, and kUnitTolerance for lengths.
        EXPECT_NEAR(matrices[0][axis][3], due[axis], 2.0 * (3.2e-6 + 4e-6)) << axis;
    }
}

// A cut makes its frame a slow one for the parent, and must not move what it carries.
TEST(StageArms, AFrameThatTakesTheSlowWayPlacesChildrenAlike) {
    RandomPoses random(53);
    Stage stage({.capacity = 16});
    const Pose turned{.rotation = draw_long_rotation(random)};
    const Id parent = stage.add(turned);
    const Id child = stage.add({.position = {1e6, 1e6, 1e6}}, {.parent = parent});
    std::vector<glm::vec3> places;
    for (std::int64_t tick = 1; tick <= 6; ++tick) {
        Pose above = turned;
        above.position.z = tick % 2 == 0 ? 0.0 : 1e-3;
        Pose below{.position = {1e6, 1e6, 1e6 + (tick % 2 == 0 ? 0.0 : 1e-3)}};
        if (tick == 4) {
            ASSERT_EQ(stage.cut(tick_at(tick), parent, above), StageStatus::Ok);
        } else {
            ASSERT_EQ(stage.move(tick_at(tick), parent, above), StageStatus::Ok);
        }
        ASSERT_EQ(stage.move(tick_at(tick), child, below), StageStatus::Ok);
        std::vector<glm::mat3x4> matrices(stage.mover_count());
        const SampleTime sample{.time_ns = (tick - 1) * kSceneTickNs + kSceneTickNs / 2};
        const glm::dvec3 origin(0.0, 0.0, 0.0);
        ASSERT_EQ(stage.present(sample, {.matrices = matrices, .origin = origin}), StageStatus::Ok);
        const std::span<const Id> ids = stage.moved().ids;
        const auto row = std::find(ids.begin(), ids.end(), child) - ids.begin();
        const glm::mat3x4& matrix = matrices.at(static_cast<std::size_t>(row));
        places.emplace_back(matrix[0][3], matrix[1][3], matrix[2][3]);
    }
    for (const glm::vec3& place : places) {
        // They go to and fro by a millimetre: at most to the next float on each axis, sqrt(3) / 16
        // m.
        EXPECT_LE(glm::length(place - places.front()), 0.11F);
    }
}

void expect_at_end_below_moving_scale(Stage& stage, TrackId track_of_parent) {
    const Id parent = stage.add({.scale = glm::vec3(kScale)}, {.track = track_of_parent});
    const Id child = stage.add({}, {.parent = parent});
    for (std::int64_t tick = 1; tick <= 2; ++tick) {
        Pose above = pose_at(0.0, tick);
        above.scale = glm::vec3(kScale);
        ASSERT_EQ(stage.move(tick_at(tick), parent, above), StageStatus::Ok);
        ASSERT_EQ(stage.move(tick_at(tick), child, pose_at(kNearM, tick)), StageStatus::Ok);
    }
    expect_at_end(stage, {child});
}

TEST(StageArms, BelowAScaleThatMovesTheyArePlacedInDouble) {
    Stage stage({.capacity = 16});
    expect_at_end_below_moving_scale(stage, kDefaultTrack);
}

TEST(StageArms, BelowAScaleThatMovesOnAnotherTrackTheyArePlacedInDouble) {
    Stage stage({.capacity = 16});
    const std::optional<TrackId> other = stage.make_track({});
    ASSERT_TRUE(other);
    expect_at_end_below_moving_scale(stage, *other);
}

TEST(StageArms, BelowAScaleFarUpTheyArePlacedInDouble) {
    // More resting objects with movers below them than are known one by one; only some that come
    // after those have a scale. Two generations move below each.
    constexpr std::size_t kFamilies = 80;
    Stage stage({.capacity = 1024});
    std::vector<Id> below;
    std::vector<Id> children;
    for (std::size_t family = 0; family < kFamilies; ++family) {
        const float scale = family < 70 ? 1.0F : kScale;
        below.push_back(stage.add({}, {.parent = stage.add({.scale = glm::vec3(scale)})}));
        children.push_back(stage.add({}, {.parent = below.back()}));
    }
    // Generation by generation, so that rows are in order and nothing has to be sorted.
    for (std::int64_t tick = 1; tick <= 2; ++tick) {
        for (const Id id : below) {
            ASSERT_EQ(stage.move(tick_at(tick), id, pose_at(0.0, tick)), StageStatus::Ok);
        }
        for (const Id id : children) {
            ASSERT_EQ(stage.move(tick_at(tick), id, pose_at(kNearM, tick)), StageStatus::Ok);
        }
    }
    expect_at_end(stage, {children.begin() + 70, children.end()});
}

} // namespace
} // namespace glissade
