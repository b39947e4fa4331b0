// SPDX-License-Identifier: MIT
// In which order the rows of a track that hang below others are placed in the world.
#pragma once

#include "base/column.h"

#include <cstdint>
#include <vector>

namespace glissade {

/// Rows below a parent by generation, parents first. Made when the family or the rows change, and
/// then used by every frame until they change again.
struct FamilyPlan {
    explicit FamilyPlan(std::uint32_t capacity) : parent(capacity), order(capacity) {}

    /// Rows that follow each other and can be placed in one go: none is the parent of another.
    struct Run {
        std::uint32_t first_row = 0;
        std::uint32_t count = 0;
    };

    bool valid = false;
    Column<std::uint32_t> parent; ///< By row: the row of its parent, or the guest that stands for it.
    Column<std::uint32_t> order;  ///< All rows, flat ones first, then generation by generation.
    std::vector<Run> runs;        ///< Parents first.
    std::vector<std::uint32_t> guests; ///< Slots of parents without a row here, as further rows.
};

} // namespace glissade
