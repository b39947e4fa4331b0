// SPDX-License-Identifier: MIT
#include "lab/clock_table.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

// The most lag that is allowed on the recordings, in their order.
constexpr double kLagMs[] = {26.0, 26.0, 33.0, 33.0};
constexpr double kUnderrunPercent = 0.5;

bool is_allowed(const ClockFigure& figure, std::size_t recording) {
    return figure.lag_ms <= kLagMs[recording] && figure.underrun_percent <= kUnderrunPercent;
}

TEST(ClockTable, OfAllThatKeepWithinTheLagTheLibrarysIsTheSmoothest) {
    const std::vector<ClockRow> rows = compute_clock_table();
    const ClockRow& ours = rows.back();
    ASSERT_EQ(ours.estimator, "playout");
    ASSERT_EQ(ours.figures.size(), std::size(kLagMs));
    for (std::size_t recording = 0; recording < ours.figures.size(); ++recording) {
        EXPECT_TRUE(is_allowed(ours.figures[recording], recording));
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
            const ClockFigure& other = rows[i].figures[recording];
            if (is_allowed(other, recording)) {
                EXPECT_LT(ours.figures[recording].rate_rms, other.rate_rms)
                    << rows[i].estimator << " on " << other.recording;
            }
        }
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
