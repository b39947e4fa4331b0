// SPDX-License-Identifier: MIT
// How ticks enter a track.
#include "stage/track.h"

namespace glissade {

State Track::state(std::uint32_t row, std::uint64_t sequence) const noexcept {
    if (!is_open(row, sequence)) {
        return movers.load(row, place(sequence));
    }
    State held = movers.load(row, place(sequence - 1));
    held.velocity = {};
    held.marks = kPlainState;
    return held;
}

float Track::newest_channel(std::uint32_t row, std::uint32_t number) const noexcept {
    const std::uint64_t newest = ring.newest();
    return movers.load_channel(row, place(is_open(row, newest) ? newest - 1 : newest), number);
}

void Track::seal_row(std::uint32_t row) noexcept {
    const std::uint64_t newest = ring.newest();
    if (is_open(row, newest)) {
        movers.store(row, place(newest), state(row, newest));
        movers.copy_channels(row, place(newest - 1), place(newest));
    }
    movers.unstage(row);
}

void Track::mark_written(std::uint32_t row) noexcept {
    movers.mark_written(row, 1);
    if (movers.test(RowMask::Special, row)) {
        RowInfo& info = movers.edit(row);
        info.resting = false;
        info.settled = false;
    }
    dirty = true;
}

void Track::seal(ShiftPool& shifts) noexcept {
    if (sealed == ring.newest()) {
        return;
    }
    takes_moves = false;
    movers.unstage_all();
    const auto rest = [this](std::uint32_t row) noexcept {
        seal_row(row);
        RowInfo& info = movers.edit(row);
        info.written = info.resting ? info.written : ring.newest() - 1;
        info.resting = true;
    };
    const auto retire = [this, &shifts](std::uint32_t row) noexcept {
        if (movers.info(row).shifts != ShiftPool::kNone) {
            shifts.retire(movers.edit(row).shifts, ring.oldest());
        }
    };
    const std::uint64_t* const special = movers.words(RowMask::Special);
    for (std::size_t block = 0; block < movers.block_count(); ++block) {
        const std::uint64_t unwritten = movers.unwritten_of(block);
        if (unwritten != 0 || special[block] != 0) {
            for_each_row(block, unwritten, rest);
            for_each_row(block, movers.rows_of(block) & special[block], retire);
        }
    }
    sealed = ring.newest();
}

void Track::open(const Tick& tick, ShiftPool& shifts) noexcept {
    const std::int64_t start_ns = tick.time_ns - tick.duration_ns;
    if (ring.empty() || ring.newest_tick().time_ns < start_ns) {
        // Ticks passed in which nothing moved. What moves now was still where it was when this tick
        // began, so motion starts there and not at the end of the last motion.
        seal(shifts);
        ring.push({.index = tick.index - 1, .time_ns = start_ns, .duration_ns = tick.duration_ns});
        movers.open(place(ring.newest()));
    }
    seal(shifts);
    ring.push(tick);
    movers.open(place(ring.newest()));
    order.begin_tick();
    takes_moves = !has_channels;
    ++stats.tick_count;
    dirty = true;
}

} // namespace glissade
