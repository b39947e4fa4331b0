// SPDX-License-Identifier: MIT
#include "lab/clock_table.h"

#include <iterator>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

// The most lag that is allowed on the recordings, in their order.
constexpr double kLagMs[] = {26.0, 26.0, 33.0, 33.0};
constexpr double kUnderrunPercent = 0.5;

bool is_allowed(const ClockFigure& figure, std::size_t recording) {
    return figure.lag_ms <= kLagMs[recording] && figure.underrun_percent <= kUnderrunPercent;
}

void expect_smoothest(const std::vector<ClockRow>& rows, std::size_t recording) {
    const ClockFigure& ours = rows.back().figures.at(recording);
    EXPECT_TRUE(is_allowed(ours, recording)) << ours.recording;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const ClockFigure& other = rows[i].figures.at(recording);
        const bool smoother = other.rate_rms <= ours.rate_rms;
        EXPECT_FALSE(smoother && is_allowed(other, recording))
            << rows[i].estimator << " on " << ours.recording;
    }
}

TEST(ClockTable, OfAllThatKeepWithinTheLagTheLibrarysIsTheSmoothest) {
    const std::vector<ClockRow> rows = compute_clock_table();
    ASSERT_EQ(rows.back().estimator, "playout");
    for (std::size_t recording = 0; recording < std::size(kLagMs); ++recording) {
        expect_smoothest(rows, recording);
    }
}

TEST(ClockTable, WhoFollowsEveryArrivalShakes) {
    const std::vector<ClockRow> rows = compute_clock_table();
    for (std::size_t recording = 0; recording < rows.front().figures.size(); ++recording) {
        EXPECT_GT(rows.front().figures[recording].rate_rms,
                  2.0 * rows.back().figures[recording].rate_rms);
    }
}

} // namespace
} // namespace glissade::lab
