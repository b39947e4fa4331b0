// SPDX-License-Identifier: MIT
// In which order the rows of a track that hang below others are placed in the world.
#pragma once

#include "base/column.h"
#include "stage/kernels.h"

#include <array>
#include <cstdint>
#include <vector>

namespace glissade {

/// Rows below a parent, parents first, in runs of neighbours that kernels place in one go.
///
/// Made when rows or the family change, and then used by every frame until they change again.
struct FamilyPlan {
    explicit FamilyPlan(std::uint32_t capacity)
        : parent(capacity), generation(capacity), order(capacity), run_end(capacity) {
        guests.reserve(kMaxGuests);
    }

    static constexpr std::size_t kMaxGuests = kBlockRows;

    void invalidate() noexcept {
        valid = false;
        ++change_count;
    }

    bool valid = false;
    std::uint32_t change_count = 0; ///< Since the rows were last put in order.
    std::uint32_t order_size = 0;
    std::uint32_t run_count = 0;
    /// By row: the row of its parent, or a row behind all others for one that has no row here.
    Column<std::uint32_t> parent;
    Column<std::uint8_t> generation; ///< By row: how many parents it has among the rows.
    Column<std::uint32_t> order;     ///< The rows below others, generation by generation.
    Column<std::uint32_t> run_end;   ///< By the place in `order` where a run begins: where it ends.
    /// Slots of parents that rest or are on another track; they stand behind the last row.
    std::vector<std::uint32_t> guests;
};

} // namespace glissade
