// SPDX-License-Identifier: MIT
// What each difference between RemoteTuning::literal() and client() does to the remote scenarios.
#pragma once

#include "lab/condition.h"
#include "lab/scenario.h"
#include "lab/score.h"

#include <cstddef>
#include <vector>

namespace glissade::lab {

/// One difference by itself, and the case in which it changes the picture most.
struct LiteralRow {
    const char* name = "";         ///< The field of RemoteTuning, or "literal()" for all of them.
    std::size_t changed_count = 0; ///< Cases with another rate error or angle error.
    std::size_t case_count = 0;
    const Scenario* scenario = nullptr; ///< Null if it changed none.
    const Condition* condition = nullptr;
    ObjectScore client{}; ///< Of that case.
    ObjectScore variant{};
};

/// Every remote scenario in which something moves, under every remote condition, once per row.
/// About 10 s.
[[nodiscard]] std::vector<LiteralRow> compute_literal_table();

} // namespace glissade::lab
