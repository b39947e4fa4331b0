// SPDX-License-Identifier: MIT
#include "lab/literal_table.h"

#include <string_view>

#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

// Computed once: it replays 600 traces.
const std::vector<LiteralRow>& shared_rows() {
    static const std::vector<LiteralRow> kRows = compute_literal_table();
    return kRows;
}

const LiteralRow& find_row(std::string_view name) {
    for (const LiteralRow& row : shared_rows()) {
        if (row.name == name) {
            return row;
        }
    }
    ADD_FAILURE() << "no row " << name;
    return shared_rows().front();
}

TEST(LiteralTable, HasEveryDifferenceByItselfAndAllOfThem) {
    EXPECT_EQ(shared_rows().size(), 7U);
    for (const LiteralRow& row : shared_rows()) {
        EXPECT_EQ(row.case_count, 70U) << row.name; // 10 scenarios that move, 7 conditions.
        EXPECT_EQ(row.scenario == nullptr, row.changed_count == 0) << row.name;
    }
}

TEST(LiteralTable, AddingRootMotionIsTheDifferenceThatIsSeen) {
    const LiteralRow& row = find_row("root_motion");
    EXPECT_GT(row.changed_count, row.case_count / 2);
    EXPECT_GT(row.variant.rate->rate_rms, 2.0 * row.client.rate->rate_rms);
    EXPECT_GT(row.variant.pop_count, row.client.pop_count);
    EXPECT_GE(find_row("literal()").changed_count, row.changed_count);
}

TEST(LiteralTable, SnappingEveryLandingPops) {
    const LiteralRow& row = find_row("landing_chase_m");
    EXPECT_GT(row.changed_count, 0U);
    EXPECT_GT(row.variant.pop_count, row.client.pop_count);
}

} // namespace
} // namespace glissade::lab
