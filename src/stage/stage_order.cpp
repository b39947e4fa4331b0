// SPDX-License-Identifier: MIT
// Rows follow the order in which they are told.
#include "stage/stage_data.h"

#include <algorithm>

namespace glissade {

namespace {

/// So large a part of what was told out of order finds its place in one frame: a million rows take
/// 35 to 45 ns each then instead of 28, and most are in order after some tens of ticks.
constexpr std::size_t kShareOfFrame = 32;
/// Small tables are put in order at once.
constexpr std::size_t kLeastSwaps = 64;

} // namespace

void StageData::swap_rows(Track& track, std::uint32_t a, std::uint32_t b) noexcept {
    track.movers.swap_rows(a, b);
    slots.set_row(SlotTable::index_of(track.movers.id(a)), a);
    slots.set_row(SlotTable::index_of(track.movers.id(b)), b);
}

void StageData::follow_order(Track& track) noexcept {
    const MoverTable& movers = track.movers;
    // Families have an order of their own, see sort_family().
    if (movers.family_block_count() != 0) {
        return;
    }
    const std::span<const TellingOrder::Entry> told = track.order.take_repeated();
    std::size_t left = std::max(kLeastSwaps, told.size() / kShareOfFrame);
    std::uint32_t next = 0;
    std::uint32_t done = 0;
    for (; done < told.size() && left > 0; ++done) {
        const std::uint32_t slot = told[done] & ~TellingOrder::kInOrder;
        const std::uint32_t row = slots.row(slot);
        // It may have left since, even for another object in its slot.
        if (row >= movers.size() || SlotTable::index_of(movers.id(row)) != slot) {
            continue;
        }
        const bool moves = slot == told[done] && row != next && next < movers.size();
        if (moves) {
            swap_rows(track, next, row);
            --left;
        }
        next = (moves ? next : row) + 1;
    }
    if (done > 0) {
        track.order.set_placed(done);
    }
}

} // namespace glissade
