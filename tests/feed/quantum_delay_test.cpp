// SPDX-License-Identifier: MIT
#include "feed/quantum_delay.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kMs = 1'000'000;

struct Runner {
    void add(std::int64_t quantum_ns) {
        time_ns += quantum_ns;
        delay.add({.time_ns = time_ns, .duration_ns = quantum_ns});
        delay.advance(quantum_ns);
    }
    QuantumDelay delay{};
    std::int64_t time_ns = 0;
};

TEST(QuantumDelay, IsTheFirstQuantumUnlessThatIsLong) {
    Runner usual;
    EXPECT_EQ(usual.delay.delay_ns(), 0);
    usual.add(33 * kMs);
    EXPECT_EQ(usual.delay.delay_ns(), 33 * kMs);
    Runner loading;
    loading.add(190 * kMs);
    EXPECT_EQ(loading.delay.delay_ns(), 50 * kMs);
}

TEST(QuantumDelay, GrowsToTheLongestRecentQuantumByATwentyFifthOfTime) {
    Runner runner;
    runner.add(33 * kMs);
    runner.add(50 * kMs);
    EXPECT_EQ(runner.delay.delay_ns(), 35 * kMs); // 50 ms / 25.
    for (int i = 0; i < 20; ++i) {
        runner.add(50 * kMs);
    }
    EXPECT_EQ(runner.delay.delay_ns(), 50 * kMs);
}

TEST(QuantumDelay, ForgetsALongQuantumAfterASecond) {
    Runner runner;
    runner.add(33 * kMs);
    runner.add(200 * kMs);
    for (int i = 0; i < 200; ++i) {
        runner.add(33 * kMs);
    }
    EXPECT_EQ(runner.delay.delay_ns(), 33 * kMs);
}

} // namespace
} // namespace glissade
