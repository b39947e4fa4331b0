// SPDX-License-Identifier: MIT
// Poses into columns by the vector kernels, on every target of the machine.
#include "stage/column_store.h"
#include "stage/kernel_rows.h"
#include "stage/kernels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using test::for_each_target;
using test::PoseRows;
using test::RandomPoses;
using test::same_bits;
using testing::ColumnStore;

std::vector<Pose> draw_poses(std::size_t count) {
    RandomPoses random(31);
    std::vector<Pose> poses(count);
    for (Pose& pose : poses) {
        pose = random.draw_pose();
    }
    return poses;
}

// What a pose can have that is not plain.
std::vector<std::function<void(Pose&)>> faults() {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto kNanF = std::numeric_limits<float>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {
        [](Pose& pose) { pose.position.x = kNan; },
        [](Pose& pose) { pose.position.y = -kInfinity; },
        [](Pose& pose) { pose.position.z = std::nextafter(kMaxPosition, 1e13); },
        [](Pose& pose) { pose.position.x = -std::nextafter(kMaxPosition, 1e13); },
        [](Pose& pose) { pose.rotation.x = kNanF; },
        [](Pose& pose) { pose.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F); },
        [](Pose& pose) { pose.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 1.000001F); },
        [](Pose& pose) { pose.rotation = quat_xyzw(0.0F, 0.999999F, 0.0F, 0.0F); },
        [](Pose& pose) { pose.rotation.w = 1e30F; },
        [](Pose& pose) { pose.scale.x = 2.0F; },
        [](Pose& pose) { pose.scale.y = kNanF; },
        [](Pose& pose) { pose.scale.z = std::nextafter(1.0F, 2.0F); },
    };
}

void expect_stored(const PoseRows& rows, const std::vector<Pose>& poses, std::size_t first_row,
                   std::size_t count) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const bool is_stored = row >= first_row && row < first_row + count;
        Pose expected = is_stored ? poses[row - first_row] : Pose{};
        expected.scale = glm::vec3(1.0F);
        ASSERT_TRUE(same_bits(rows.get(row), expected)) << row;
    }
}

/// The first `count`, through the caches and past them.
void expect_staged_are_stored(const std::vector<StagedPose>& staged, const std::vector<Pose>& poses,
                              std::size_t count) {
    for (const std::size_t first_row : {0U, 1U, 7U, 64U}) {
        PoseRows rows(256);
        store_staged(staged.data(), count, rows.target(), first_row);
        expect_stored(rows, poses, first_row, count);
        PoseRows streamed(256);
        store_staged(staged.data(), count, streamed.target(), first_row, true);
        expect_stored(streamed, poses, first_row, count);
    }
}

TEST(StoreKernel, StagedPosesGoToTheirRowsAndNowhereElse) {
    const std::vector<Pose> poses = draw_poses(150);
    std::vector<StagedPose> staged(150);
    for (std::size_t i = 0; i < 150; ++i) {
        staged[i].pose = poses[i];
        staged[i].pose.scale = glm::vec3(3.0F); // Not looked at.
    }
    for_each_target([&] {
        for (const std::size_t count : {0U, 1U, 3U, 4U, 63U, 64U, 150U}) {
            expect_staged_are_stored(staged, poses, count);
        }
    });
}

/// The first `count`, through the caches and past them.
void expect_plain_are_stored(const std::vector<Pose>& poses, std::size_t count) {
    for (const std::size_t first_row : {0U, 3U}) {
        PoseRows rows(256);
        EXPECT_EQ(store_plain({poses.data(), count}, rows.target(), first_row), count);
        expect_stored(rows, poses, first_row, count);
        PoseRows streamed(256);
        EXPECT_EQ(store_plain({poses.data(), count}, streamed.target(), first_row, true), count);
        expect_stored(streamed, poses, first_row, count);
    }
}

TEST(StoreKernel, PlainPosesAreStoredToTheLastBit) {
    std::vector<Pose> poses = draw_poses(150);
    poses[3].position = {kMaxPosition, -kMaxPosition, -0.0};
    poses[4].position = {4.9e-324, -1e-310, 0.0};
    poses[5].rotation = quat_xyzw(-0.0F, 1e-40F, 0.0F, -1.0F);
    const ColumnStore vectors(poses);
    for_each_target([&] {
        for (const std::size_t count : {0U, 1U, 5U, 64U, 65U, 150U}) {
            expect_plain_are_stored(poses, count);
            PoseRows other(256);
            EXPECT_EQ(store_plain(vectors.columns(count % 2 == 0), 0, count, other.target(), 3),
                      count);
            expect_stored(other, poses, 3, count);
        }
        PoseRows rows(256);
        EXPECT_EQ(store_plain(vectors.columns(true), 10, 100, rows.target(), 0), 100U);
        EXPECT_TRUE(same_bits(rows.get(0), poses[10]));
        EXPECT_TRUE(same_bits(rows.get(99), poses[109]));
        EXPECT_EQ(rows.get(100), Pose{});
    });
}

/// Of 70 poses the one at `bad` is not plain.
void expect_stop_at(const std::vector<Pose>& good, const std::function<void(Pose&)>& fault,
                    std::size_t bad) {
    std::vector<Pose> poses = good;
    fault(poses[bad]);
    PoseRows rows(128);
    ASSERT_EQ(store_plain(poses, rows.target(), 5), bad);
    ASSERT_NO_FATAL_FAILURE(expect_stored(rows, good, 5, bad));
    // From the start of a block on, and up to one.
    const std::size_t first_row = bad % 2 == 0 ? 0 : 50;
    PoseRows streamed(128);
    ASSERT_EQ(store_plain(poses, streamed.target(), first_row, true), bad);
    ASSERT_NO_FATAL_FAILURE(expect_stored(streamed, good, first_row, bad));
    const ColumnStore vectors(poses);
    PoseRows other(128);
    ASSERT_EQ(store_plain(vectors.columns(true), 0, 70, other.target(), 5), bad);
    ASSERT_NO_FATAL_FAILURE(expect_stored(other, good, 5, bad));
}

void expect_stops(const std::vector<Pose>& good, const std::function<void(Pose&)>& fault) {
    for (std::size_t bad = 0; bad < good.size(); ++bad) {
        expect_stop_at(good, fault, bad);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << bad;
    }
}

TEST(StoreKernel, StoringStopsBeforeTheFirstPoseThatIsNotPlain) {
    const std::vector<Pose> good = draw_poses(70);
    for_each_target([&good] {
        for (const auto& fault : faults()) {
            expect_stops(good, fault);
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
    });
}

/// The first `count`, through the caches without scales and past them with scales.
void expect_columns_are_stored(const ColumnStore& vectors, const std::vector<Pose>& poses,
                               std::size_t count, std::size_t first_row) {
    for (const bool stream : {false, true}) {
        PoseRows rows(9100);
        ASSERT_EQ(store_plain(vectors.columns(stream), 0, count, rows.target(), first_row,
                              {.stream = stream, .keeps_rest = count % 2 == 0}),
                  count);
        expect_stored(rows, poses, first_row, count);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << count << " from " << first_row;
    }
}

// Ends of chunks, of steps and of blocks, on rows that begin a block and rows that do not.
TEST(StoreKernel, LongColumnsAreStoredInEveryForm) {
    const std::vector<Pose> poses = draw_poses(9000);
    const ColumnStore vectors(poses);
    for_each_target([&] {
        for (const std::size_t count : {17U, 64U, 100U, 4096U, 4100U, 9000U}) {
            expect_columns_are_stored(vectors, poses, count, 0);
            expect_columns_are_stored(vectors, poses, count, 9);
            expect_columns_are_stored(vectors, poses, count, 64);
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
    });
}

/// All before the bad one are stored; the rest of its batch may be anything, if it need not be
/// kept.
void expect_stop(const std::vector<Pose>& good, const std::function<void(Pose&)>& fault,
                 std::size_t bad, const StoreForm& form) {
    std::vector<Pose> poses = good;
    fault(poses[bad]);
    const ColumnStore vectors(poses);
    PoseRows rows(good.size() + 64);
    ASSERT_EQ(store_plain(vectors.columns(true), 0, good.size(), rows.target(), 5, form), bad);
    for (std::size_t row = 5 + bad; row < 5 + good.size(); ++row) {
        if (!form.keeps_rest) {
            rows.set(row, {});
        }
    }
    expect_stored(rows, good, 5, bad);
}

/// A position, a rotation and a scale that are not plain, each in every form.
void expect_stops_in_every_form(const std::vector<Pose>& good, std::size_t bad) {
    for (const auto& fault : {faults()[1], faults()[4], faults()[9]}) {
        for (const int form : {0, 1, 2, 3}) {
            expect_stop(good, fault, bad, {.stream = form % 2 == 1, .keeps_rest = form < 2});
            ASSERT_FALSE(::testing::Test::HasFatalFailure()) << bad << ", form " << form;
        }
    }
}

TEST(StoreKernel, LongColumnsStopBeforeTheFirstPoseThatIsNotPlain) {
    const std::vector<Pose> good = draw_poses(4500);
    for_each_target([&good] {
        for (const std::size_t bad : {0U, 58U, 59U, 74U, 75U, 2100U, 4154U, 4155U, 4490U, 4499U}) {
            expect_stops_in_every_form(good, bad);
            ASSERT_FALSE(::testing::Test::HasFatalFailure());
        }
    });
}

/// How many of the poses in front are of unit length.
std::size_t count_leading_units(std::span<const Pose> poses) {
    const auto end = std::find_if_not(poses.begin(), poses.end(),
                                      [](const Pose& pose) { return is_unit(pose.rotation); });
    return static_cast<std::size_t>(end - poses.begin());
}

TEST(StoreKernel, TheKernelsAndSingleRotationsAgreeOnWhatIsUnit) {
    RandomPoses random(37);
    std::vector<Pose> poses(4000);
    for (Pose& pose : poses) { // Lengths around the tolerance, half of it off 1.
        pose.rotation =
            random.draw_rotation() * (1.0F + 5e-7F + static_cast<float>(random.draw(2e-7)));
    }
    for_each_target([&poses] {
        std::size_t unit_count = 0;
        for (std::size_t i = 0; i + 4 <= poses.size(); ++i) {
            PoseRows rows(64);
            const std::span<const Pose> four{poses.data() + i, 4};
            const std::size_t expected = count_leading_units(four);
            unit_count += expected;
            ASSERT_EQ(store_plain(four, rows.target(), 0), expected);
        }
        EXPECT_GT(unit_count, 400U);
    });
}

} // namespace
} // namespace glissade
