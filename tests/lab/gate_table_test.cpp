// SPDX-License-Identifier: MIT
#include "lab/gate_table.h"

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

// The table of docs/concepts/quantum-gate.md.
struct Expected {
    double frame_hz;
    double literal_rms;
    double literal_jitter_held_percent;
    double literal_jitter_rms;
    double last_jitter_held_percent;
    double last_jitter_rms;
};

constexpr Expected kExpected[] = {
    {50.0, 0.200, 0.0, 0.200, 0.0, 0.010},  {60.0, 0.0, 22.8, 0.578, 11.3, 0.466},
    {75.0, 0.283, 0.0, 0.283, 0.0, 0.012},  {120.0, 0.0, 12.4, 0.388, 5.3, 0.347},
    {144.0, 0.083, 0.0, 0.084, 0.0, 0.018}, {165.0, 0.203, 0.0, 0.204, 0.0, 0.019},
    {240.0, 0.0, 5.0, 0.268, 1.1, 0.239},
};
constexpr std::size_t kRateCount = std::size(kExpected);

// 20 s are 1200 frames at 60 Hz: three standard deviations of a share of 22.8 % are 3.6 points.
constexpr double kPercentTolerance = 3.6;
constexpr double kRmsTolerance = 0.03;

TEST(GateTable, EvenFramesComeFirstThenJitteryOnes) {
    const std::vector<GateRow> rows = compute_gate_table();
    ASSERT_EQ(rows.size(), 2 * kRateCount);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].frame_hz, kExpected[i % kRateCount].frame_hz);
        EXPECT_EQ(rows[i].jitter_ms, i < kRateCount ? 0.0 : 0.2);
    }
}

TEST(GateTable, AtEvenFramesOnlyTheLiteralFormIsUneven) {
    const std::vector<GateRow> rows = compute_gate_table();
    for (std::size_t i = 0; i < kRateCount; ++i) {
        SCOPED_TRACE(rows[i].frame_hz);
        EXPECT_NEAR(rows[i].literal.rate_rms, kExpected[i].literal_rms, 0.001);
        // Frame times are whole nanoseconds.
        EXPECT_NEAR(rows[i].last_quantum.rate_rms, 0.0, 1e-6);
        EXPECT_NEAR(rows[i].stamped.rate_rms, 0.0, 1e-6);
        EXPECT_EQ(rows[i].literal.held_percent, 0.0);
        EXPECT_EQ(rows[i].last_quantum.held_percent, 0.0);
    }
}

TEST(GateTable, JitterHoldsFramesWhereTheDisplayDividesTheMinimum) {
    const std::vector<GateRow> rows = compute_gate_table();
    for (std::size_t i = 0; i < kRateCount; ++i) {
        const GateRow& row = rows[kRateCount + i];
        const Expected& expected = kExpected[i];
        SCOPED_TRACE(row.frame_hz);
        EXPECT_NEAR(row.literal.held_percent, expected.literal_jitter_held_percent,
                    kPercentTolerance);
        EXPECT_NEAR(row.literal.rate_rms, expected.literal_jitter_rms, kRmsTolerance);
        EXPECT_NEAR(row.last_quantum.held_percent, expected.last_jitter_held_percent,
                    kPercentTolerance);
        EXPECT_NEAR(row.last_quantum.rate_rms, expected.last_jitter_rms, kRmsTolerance);
    }
}

TEST(GateTable, StampedPlaybackHoldsNothingAndLagsByItsDelay) {
    for (const GateRow& row : compute_gate_table()) {
        EXPECT_EQ(row.stamped.held_percent, 0.0);
        EXPECT_NEAR(row.stamped.rate_rms, 0.0, 1e-6);
        EXPECT_NEAR(row.stamped.lag_ms, 55.0, 1e-6);
        EXPECT_LT(row.last_quantum.lag_ms, row.stamped.lag_ms);
    }
    // At 60 Hz LastQuantum lags by a quantum: the price of Stamped is 22 ms.
    EXPECT_NEAR(compute_gate_table()[1].last_quantum.lag_ms, 33.3, 0.1);
}

TEST(GateTable, TheSeedDecidesTheJitter) {
    const auto held = [](std::uint64_t seed) {
        return compute_gate_table(seed)[kRateCount + 1].literal.held_percent;
    };
    EXPECT_EQ(held(1), held(1));
    EXPECT_NE(held(1), held(2));
}

} // namespace
} // namespace glissade::lab
