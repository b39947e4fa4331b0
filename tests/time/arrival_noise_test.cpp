// SPDX-License-Identifier: MIT
#include "glissade/time/arrival_noise.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kTickNs = 16e6;
constexpr int kCount = 2000;

struct Arrivals {
    double wander_ns = 0.0; // Standard deviation of what stays, per tick,
    double jitter_ns = 0.0; // and of what belongs to one arrival.
    double rate = 1.0;      // Source time per real time.
};

ArrivalNoise learn(const Arrivals& arrivals) {
    ArrivalNoise noise;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    double phase = 0.0;
    for (int k = 1; k <= kCount; ++k) {
        phase += arrivals.wander_ns * normal(random);
        const double late = phase + arrivals.jitter_ns * normal(random);
        noise.add(k * kTickNs, k * kTickNs / arrivals.rate + late, arrivals.rate);
    }
    return noise;
}

TEST(ArrivalNoise, PureWanderIsBelieved) {
    const ArrivalNoise noise = learn({.wander_ns = 1e6});
    EXPECT_GT(noise.gain(), 0.8);
    EXPECT_NEAR(noise.wander_ns(), 1e6, 3e5); // Known to a third.
}

TEST(ArrivalNoise, PureJitterIsNot) {
    const ArrivalNoise noise = learn({.jitter_ns = 1e6});
    EXPECT_LT(noise.gain(), 0.2);
    EXPECT_NEAR(noise.jitter_ns(), 1e6, 1e5); // 240 samples: to 5 %, twice that.
}

TEST(ArrivalNoise, AMixtureLiesBetween) {
    // Wander a third of the jitter: the Kalman gain is (-1 + sqrt(1 + 4 * 9)) / (2 * 9) = 0.28.
    const ArrivalNoise noise = learn({.wander_ns = 1e6, .jitter_ns = 3e6});
    EXPECT_GT(noise.gain(), 0.15);
    EXPECT_LT(noise.gain(), 0.45);
}

TEST(ArrivalNoise, TheRateOfTheSourceIsNoNoise) {
    const ArrivalNoise noise = learn({.jitter_ns = 1e6, .rate = 0.785});
    EXPECT_LT(noise.gain(), 0.2);
}

TEST(ArrivalNoise, AFaultlessSourceHasNone) {
    const ArrivalNoise noise = learn({});
    EXPECT_EQ(noise.wander_ns(), 0.0);
    EXPECT_EQ(noise.jitter_ns(), 0.0);
    EXPECT_EQ(noise.gain(), 1.0);
}

TEST(ArrivalNoise, BelievesEverythingUntilItKnowsBetter) {
    ArrivalNoise noise;
    EXPECT_EQ(noise.gain(), 1.0);
    for (int k = 1; k < 2 * static_cast<int>(ArrivalNoise::kLag); ++k) {
        noise.add(k * kTickNs, k * kTickNs + (k % 2 == 0 ? 1e6 : -1e6), 1.0);
        EXPECT_EQ(noise.gain(), 1.0) << k;
    }
    noise.add(64 * kTickNs, 64 * kTickNs + 1e6, 1.0);
    EXPECT_LT(noise.gain(), 0.1);
}

TEST(ArrivalNoise, AGapIsNotUnevennessIfBrokenOff) {
    ArrivalNoise noise = learn({.jitter_ns = 1e6});
    const double jitter_ns = noise.jitter_ns();
    noise.break_off();
    noise.add(3000 * kTickNs, 9000 * kTickNs, 1.0); // Nothing to compare it with.
    EXPECT_EQ(noise.jitter_ns(), jitter_ns);
    noise.reset();
    EXPECT_EQ(noise.gain(), 1.0);
}

} // namespace
} // namespace glissade
