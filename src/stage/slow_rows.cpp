// SPDX-License-Identifier: MIT
// The rows of a frame of which more is going on than motion: shown one by one, after the kernels.
#include "stage/offset.h"
#include "stage/stage_data.h"

#include <algorithm>

namespace glissade {

void StageData::show_slow_blocks(Track& track) noexcept {
    MoverTable& movers = track.movers;
    for (std::size_t block = 0; block < movers.block_count(); ++block) {
        const std::uint64_t rows = movers.rows_of(block);
        const std::uint64_t slow = track.frame.guesses
                                       ? rows
                                       : rows & (movers.words(RowMask::Special)[block] |
                                                 movers.words(RowMask::Look)[block]);
        if (slow != 0) {
            movers.words(RowMask::Changed)[block] &= ~slow;
            show_slow_rows(track, block, slow);
        }
        movers.words(RowMask::Shown)[block] = slow;
    }
}

void StageData::show_slow_rows(Track& track, std::size_t block, std::uint64_t slow) noexcept {
    for_each_row(block, slow, [&](std::uint32_t row) { show_row(track, row); });
    if (track.frame.target) {
        for_each_row(block, slow & ~track.movers.words(RowMask::Below)[block],
                     [&](std::uint32_t row) { write_matrix(track, row); });
    }
}

bool StageData::stands_still(const Track& track, std::uint32_t row) const noexcept {
    const MoverTable& movers = track.movers;
    const std::size_t from = track.place(track.frame.from);
    const State first = movers.load(row, from);
    bool still = track.frame.from < track.ring.newest() && first.velocity == Velocity{};
    for (std::uint64_t sequence = track.frame.from + 1; still && sequence <= track.ring.newest();
         ++sequence) {
        const std::size_t place = track.place(sequence);
        const State state = movers.load(row, place);
        still = state.pose == first.pose && state.velocity == Velocity{} &&
                state.marks == kPlainState && movers.has_equal_channels(row, from, place);
    }
    return still;
}

Pose StageData::show_offset(Track& track, std::uint32_t row, const Pose& pose) noexcept {
    RowInfo& info = track.movers.edit(row);
    Offset& offset = track.movers.offset(row);
    offset = fade(offset, track.frame.elapsed_ns);
    info.offset = !is_negligible(offset);
    return info.offset ? apply_offset(offset, pose) : pose;
}

void StageData::show_row(Track& track, std::uint32_t row) noexcept {
    const Frame& frame = track.frame;
    RowInfo& info = track.movers.edit(row);
    // A shift takes the previous pose along, so comparing the two would not show it.
    bool changed_now = info.shifts != ShiftPool::kNone && cross_shifts(track, row);
    if (info.pending_cut != 0) {
        cross_cuts(track, row);
    }
    Pose pose = evaluate(track, row, frame.bracket, track.sample.now_ns);
    if (info.offset) {
        pose = show_offset(track, row, pose);
    }
    if (info.waiting && track.sample.time_ns >= info.appear_ns) {
        info.waiting = false;
        info.cut_shown = true;
        changed_now = true;
    }
    // A last write that has left the history is in the past for sure.
    const bool arrived = info.resting && (info.written < track.ring.oldest() ||
                                          track.sample.time_ns >= track.ring[info.written].time_ns);
    if ((arrived || stands_still(track, row)) && !info.offset && !info.waiting) {
        info.settled = true;
        track.has_settled = true;
        pose = track.newest_state(row).pose;
    }
    if (info.cut_shown) {
        info.cut_shown = false;
        changed_now = true;
        track.movers.set_previous(row, pose);
    }
    track.movers.set_visual(row, pose);
    const bool has_previous = track.had_pictures || track.movers.test(RowMask::Shown, row);
    if (changed_now || !has_previous || !(pose == track.movers.previous(row))) {
        info.revision = revision;
        track.movers.assign(RowMask::Changed, row, true);
        // What did not change stays special: the revision of all others says that they did.
        track.movers.judge(row);
    }
}

void StageData::cross_cuts(Track& track, std::uint32_t row) noexcept {
    RowInfo& info = track.movers.edit(row);
    const std::uint64_t reached = track.frame.bracket.a;
    if (reached < info.pending_cut) {
        return;
    }
    Slot& slot = slots[SlotTable::index_of(track.movers.id(row))];
    if (info.pending_cut < track.ring.oldest()) {
        ++slot.shown_cuts; // Cuts that left the history while nobody looked count as one.
    }
    std::uint64_t sequence = std::max(info.pending_cut, track.ring.oldest());
    info.pending_cut = 0;
    for (; sequence <= track.ring.newest(); ++sequence) {
        if ((track.state(row, sequence).marks & kCutState) == 0) {
            continue;
        }
        if (sequence > reached) {
            info.pending_cut = sequence;
            break;
        }
        ++slot.shown_cuts;
    }
    // A correction of the path before the cut has nothing to do with the one after it.
    info.offset = false;
    track.movers.offset(row) = {};
    info.cut_shown = true;
}

bool StageData::cross_shifts(Track& track, std::uint32_t row) noexcept {
    const RowInfo& info = track.movers.info(row);
    bool crossed = false;
    // Oldest first: each maps what the one before it left.
    while (ShiftRecord* record = shifts.find_reached(info.shifts, track.frame.bracket.b)) {
        record->shown = true;
        crossed = true;
        track.movers.set_previous(row, apply(record->pending, track.movers.previous(row)));
        Offset& offset = track.movers.offset(row);
        offset = map_offset(record->pending, offset);
    }
    return crossed;
}

} // namespace glissade
