// SPDX-License-Identifier: MIT
// How states get into rows, and how objects get and lose a row.
#include "stage/stage_data.h"

#include <algorithm>

namespace glissade {

void StageData::wake(std::uint32_t index) noexcept {
    const Slot& slot = slots[index];
    Track& track = track_of(index);
    const std::uint32_t row =
        track.movers.push(slots.id_of(index), slot.rest, slots.channels(index));
    slots.set_row(index, row);
    track.movers.set_blend(row, slot.blend);
    RowInfo& info = track.movers.edit(row);
    info.cut_shown = slot.fresh;
    info.revision = slot.revision;
    // Every state of the new row is at rest, so none is missing even if the newest tick is open.
    track.mark_written(row);
    count_resting_child(slot.parent, -1);
    mark_family(index);
    ++stats.wake_count;
}

void StageData::drop_row(std::uint32_t index) noexcept {
    if (!has_row(index)) {
        return;
    }
    Slot& slot = slots[index];
    const std::uint32_t row = row_of(index);
    Track& track = track_of(index);
    slot.rest = track.newest_state(row).pose;
    slot.revision = std::max(slot.revision, track.movers.revision(row));
    std::span<float> channels = slots.channels(index);
    for (std::uint32_t number = 0; number < channels.size(); ++number) {
        channels[number] = track.newest_channel(row, number);
    }
    if (track.movers.info(row).shifts != ShiftPool::kNone) {
        shifts.clear(track.movers.edit(row).shifts);
    }
    const Id moved = track.movers.remove(row);
    if (!moved.is_null()) {
        slots.set_row(SlotTable::index_of(moved), row);
    }
    slots.set_row(index, MoverTable::kNone);
    track.family.invalidate();
    count_resting_child(slot.parent, 1);
}

void StageData::write_rest(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept {
    slots[index].rest = pose;
    std::copy(extra.channels.begin(), extra.channels.end(), slots.channels(index).begin());
}

void StageData::write_hidden(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept {
    // Nobody sees it, but what hangs below it may be seen.
    if (!(slots[index].rest == pose)) {
        touch(index);
    }
    write_rest(index, pose, extra);
}

void StageData::write_state(std::uint32_t index, const Pose& pose, const Extra& extra,
                            std::uint8_t marks) noexcept {
    Track& track = track_of(index);
    const std::uint32_t row = row_of(index);
    track.seal_row(row);
    const std::size_t place = track.place(track.ring.newest());
    track.movers.store(row, place, {.pose = pose, .velocity = extra.velocity, .marks = marks});
    track.movers.store_channels(row, place, extra.channels);
    track.mark_written(row);
}

bool StageData::rests_at(std::uint32_t index, const Pose& pose, const Extra& extra) const noexcept {
    const std::span<const float> channels = slots.channels(index);
    return !has_row(index) && slots[index].rest == pose &&
           (extra.channels.empty() ||
            std::equal(channels.begin(), channels.end(), extra.channels.begin()));
}

bool StageData::stays_at(std::uint32_t index, const Pose& pose, const Extra& extra) const noexcept {
    const Track& track = track_of(index);
    const std::uint32_t row = row_of(index);
    if (!has_row(index) || !track.is_open(row, track.ring.newest()) ||
        !(track.newest_state(row).pose == pose) || !(extra.velocity == Velocity{})) {
        return false;
    }
    for (std::uint32_t number = 0; number < extra.channels.size(); ++number) {
        if (track.newest_channel(row, number) != extra.channels[number]) {
            return false;
        }
    }
    return true;
}

void StageData::record_move(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept {
    ++stats.move_count;
    if (slots[index].hidden) {
        write_hidden(index, pose, extra);
        return;
    }
    // Engines that report every body every tick must not wake those that stand still, nor keep
    // those that came to a stop from resting.
    if (rests_at(index, pose, extra) || stays_at(index, pose, extra)) {
        return;
    }
    if (!has_row(index)) {
        wake(index);
    }
    const Track& track = track_of(index);
    // A cut or shift earlier in this tick stays what it is: the move only says where it ended.
    const std::uint8_t marks = track.newest_state(row_of(index)).marks;
    write_state(index, pose, extra, marks);
}

void StageData::record_cut(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(index);
    ++stats.cut_count;
    const bool at_once = cuts_at_once(index);
    if (slot.hidden || (at_once && !has_row(index))) {
        write_rest(index, pose, extra);
        show_cut(index);
        return;
    }
    if (!has_row(index)) {
        wake(index);
    }
    const std::uint32_t row = row_of(index);
    write_state(index, pose, extra, at_once ? kPlainState : kCutState);
    slot.cut = track.ring.newest();
    if (at_once) {
        snap_row(track, row);
        track.movers.set_visual(row, pose);
        track.movers.set_previous(row, pose);
        show_cut(index);
        return;
    }
    RowInfo& info = track.movers.edit(row);
    shifts.forget(info.shifts, slot.cut);
    info.pending_cut = info.pending_cut == 0 ? slot.cut : info.pending_cut;
}

void StageData::record_shift(std::uint32_t index, const Rigid& rigid) noexcept {
    ++stats.shift_count;
    if (slots[index].hidden) {
        write_hidden(index, apply(rigid, slots[index].rest), {});
        return;
    }
    if (!has_row(index)) {
        wake(index);
    }
    Track& track = track_of(index);
    const std::uint32_t row = row_of(index);
    const State state = track.newest_state(row);
    // After a cut in the same tick there is no way to this state that could be mapped.
    const bool after_cut = (state.marks & kCutState) != 0;
    write_state(index, apply(rigid, state.pose), {.velocity = apply(rigid, state.velocity)},
                after_cut ? kCutState : kShiftState);
    if (!after_cut) {
        shifts.add(track.movers.edit(row).shifts, track.ring.newest(), rigid);
    }
}

void StageData::show_cut(std::uint32_t index) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(index);
    ++slot.shown_cuts;
    slot.fresh = true;
    slot.cut = track.ring.newest();
    if (has_row(index)) {
        track.movers.edit(row_of(index)).cut_shown = true;
    }
    touch(index);
}

void StageData::snap_row(Track& track, std::uint32_t row) noexcept {
    const std::uint64_t newest = track.ring.newest();
    track.seal_row(row);
    State state = track.movers.load(row, track.place(newest));
    state.marks = kPlainState;
    for (std::uint64_t sequence = track.ring.oldest(); sequence <= newest; ++sequence) {
        track.movers.store(row, track.place(sequence), state);
        if (sequence != newest) {
            track.movers.copy_channels(row, track.place(newest), track.place(sequence));
        }
    }
    RowInfo& info = track.movers.edit(row);
    shifts.clear(info.shifts);
    info.pending_cut = 0;
    info.offset = false;
    track.movers.offset(row) = {};
}

void StageData::remove_object(std::uint32_t index) noexcept {
    while (slots[index].first_child != Slot::kNone) {
        const std::uint32_t child = slots[index].first_child;
        if (can_move_below(child, Slot::kNone) != StageStatus::Ok) {
            // No row left for its path: it stands where it was last shown.
            drop_row(child);
            slots[child].rest = world_pose(child, &StageData::visual);
            unlink(child);
            show_cut(child);
            continue;
        }
        move_below(child, Slot::kNone);
    }
    drop_row(index);
    unlink(index);
    slots.release(index);
    ++stats.remove_count;
}

} // namespace glissade
