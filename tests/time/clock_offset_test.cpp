// SPDX-License-Identifier: MIT
#include "glissade/time/clock_offset.h"

#include "glissade/time/tick.h"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1'000 * kMs;
constexpr std::int64_t kTickNs = 16 * kMs;

// Seen at the next frame of a reader that looks every 7 ms.
std::int64_t seen_at(std::int64_t published_ns) {
    return (published_ns / (7 * kMs) + 1) * 7 * kMs;
}

TEST(ClockOffset, WithoutAnythingSeenTheClocksAreOne) {
    const ClockOffset offset;
    EXPECT_EQ(offset.to_reader(12345), 12345);
}

TEST(ClockOffset, FindsTheOffsetThroughTheWaitOfTheReader) {
    for (const std::int64_t apart_ns : {-50 * kMs, 50 * kMs, 3'600 * kSecond}) {
        ClockOffset offset;
        for (std::int64_t time_ns = 0; time_ns < 20 * kSecond; time_ns += kTickNs) {
            offset.add(time_ns - apart_ns, seen_at(time_ns));
        }
        // 16 ms and 7 ms share every phase in whole milliseconds: the shortest wait is 1 ms.
        EXPECT_EQ(offset.offset_ns(), apart_ns + kMs);
    }
}

TEST(ClockOffset, FollowsADriftOf500PpmWithoutAVisibleStep) {
    ClockOffset offset;
    std::int64_t last_ns = 0;
    for (std::int64_t time_ns = 0; time_ns < 60 * kSecond; time_ns += kTickNs) {
        offset.add(time_ns, seen_at(time_ns) + time_ns / 2000);
        if (time_ns > 0) {
            EXPECT_LE(std::abs(offset.offset_ns() - last_ns), (kTickNs + 7 * kMs) / 500 + 1);
        }
        last_ns = offset.offset_ns();
    }
    // The least of the last 16 s is at most 8 ms old news, and it is followed within the wait.
    EXPECT_NEAR(static_cast<double>(last_ns), 60e9 / 2000, 9e6);
}

TEST(ClockOffset, AClockThatWasSetIsBelievedAtOnce) {
    ClockOffset offset;
    for (std::int64_t time_ns = 0; time_ns < 5 * kSecond; time_ns += kTickNs) {
        offset.add(time_ns, time_ns);
    }
    offset.add(6 * kSecond + 100 * kSecond, 6 * kSecond);
    EXPECT_EQ(offset.offset_ns(), -100 * kSecond);
}

TEST(ClockOffset, IgnoresWhatIsNoTime) {
    ClockOffset offset;
    offset.add(kMaxTimeNs + 1, 0);
    offset.add(0, -kMaxTimeNs - 1);
    EXPECT_EQ(offset.offset_ns(), 0);
    offset.add(0, 5);
    EXPECT_EQ(offset.offset_ns(), 5);
}

} // namespace
} // namespace glissade
