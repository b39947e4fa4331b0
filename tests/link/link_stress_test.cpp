// SPDX-License-Identifier: MIT
#include "link/stress.h"

#include <cstdint>
#include <cstdio>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::run_stress;
using testing::StressConfig;
using testing::StressResult;

// Sanitizers cost a factor of 5 to 20.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kScale = 10;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
constexpr std::uint64_t kScale = 10;
#else
constexpr std::uint64_t kScale = 1;
#endif
#else
constexpr std::uint64_t kScale = 1;
#endif

StressResult expect_sound(const StressConfig& config) {
    const StressResult result = run_stress(config);
    EXPECT_EQ(result.torn_count, 0U);
    EXPECT_EQ(result.disorder_count, 0U);
    EXPECT_EQ(result.miscount, 0U);
    EXPECT_EQ(result.refused_count, 0U);
    EXPECT_EQ(result.last_sequence, config.publish_count) << "the newest was lost";
    std::printf("    %llu published, %llu read, %llu skipped\n",
                static_cast<unsigned long long>(config.publish_count),
                static_cast<unsigned long long>(result.read_count),
                static_cast<unsigned long long>(result.skipped_count));
    return result;
}

TEST(LinkStress, TwoThreadsAtFullSpeedOverTheSmallestRing) {
    expect_sound({.publish_count = 4'000'000 / kScale, .slot_count = 4});
}

TEST(LinkStress, TwoThreadsAtFullSpeedOverTheDefaultRing) {
    expect_sound({.publish_count = 3'000'000 / kScale, .slot_count = 8, .capacity = 16});
}

TEST(LinkStress, AReaderThatKeepsUpMissesNothing) {
    const StressConfig config{
        .publish_count = 1'500'000 / kScale, .slot_count = 8, .capacity = 4, .max_behind = 6};
    const StressResult result = expect_sound(config);
    EXPECT_EQ(result.skipped_count, 0U);
    EXPECT_EQ(result.read_count, config.publish_count);
}

TEST(LinkStress, AReaderThatIsOftenSuspendedKeepsItsView) {
    expect_sound({.publish_count = 1'000'000 / kScale, .slot_count = 5, .hold_every = 3});
}

TEST(LinkStress, SidesThatLeaveAndJoinAgainLoseNothing) {
    expect_sound({.publish_count = 1'000'000 / kScale, .slot_count = 4, .rejoin_every = 7});
}

} // namespace
} // namespace glissade
