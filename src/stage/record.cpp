// SPDX-License-Identifier: MIT
// How states get into rows, and how objects get and lose a row.
#include "stage/stage_data.h"

#include <algorithm>

namespace glissade {

void StageData::wake(std::uint32_t index) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(slot);
    slot.row = track.movers.push(slots.id_of(index), slot.rest, slots.channels(index));
    RowInfo& info = track.movers.info(slot.row);
    info.blend = slot.blend;
    info.cut_shown = slot.fresh;
    info.revision = slot.revision;
    // Every state of the new row is at rest, so none is missing even if the newest tick is not
    // sealed.
    info.written = track.ring.newest();
    ++stats.wake_count;
}

void StageData::drop_row(std::uint32_t index) noexcept {
    Slot& slot = slots[index];
    if (!has_row(slot)) {
        return;
    }
    Track& track = track_of(slot);
    RowInfo& info = track.movers.info(slot.row);
    slot.rest = track.newest_state(slot.row).pose;
    slot.revision = std::max(slot.revision, info.revision);
    std::span<float> channels = slots.channels(index);
    for (std::uint32_t number = 0; number < channels.size(); ++number) {
        channels[number] = track.newest_channel(slot.row, number);
    }
    shifts.clear(info.shifts);
    const Id moved = track.movers.remove(slot.row);
    if (!moved.is_null()) {
        slots[SlotTable::index_of(moved)].row = slot.row;
    }
    slot.row = MoverTable::kNone;
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
    Slot& slot = slots[index];
    Track& track = track_of(slot);
    track.seal_row(slot.row);
    const std::size_t place = track.place(track.ring.newest());
    track.movers.store(slot.row, place, {.pose = pose, .velocity = extra.velocity, .marks = marks});
    track.movers.store_channels(slot.row, place, extra.channels);
    RowInfo& info = track.movers.info(slot.row);
    info.written = track.ring.newest();
    info.settled = false;
    track.dirty = true;
}

bool StageData::rests_at(std::uint32_t index, const Pose& pose, const Extra& extra) const noexcept {
    const Slot& slot = slots[index];
    const std::span<const float> channels = slots.channels(index);
    return !has_row(slot) && slot.rest == pose &&
           (extra.channels.empty() ||
            std::equal(channels.begin(), channels.end(), extra.channels.begin()));
}

bool StageData::stays_at(std::uint32_t index, const Pose& pose, const Extra& extra) const noexcept {
    const Slot& slot = slots[index];
    const Track& track = track_of(slot);
    if (!has_row(slot) || !track.is_open(slot.row, track.ring.newest()) ||
        !(track.newest_state(slot.row).pose == pose) || !(extra.velocity == Velocity{})) {
        return false;
    }
    for (std::uint32_t number = 0; number < extra.channels.size(); ++number) {
        if (track.newest_channel(slot.row, number) != extra.channels[number]) {
            return false;
        }
    }
    return true;
}

void StageData::record_move(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(slot);
    ++stats.move_count;
    if (slot.hidden) {
        write_hidden(index, pose, extra);
        return;
    }
    // Engines that report every body every tick must not wake those that stand still, nor keep
    // those that came to a stop from resting.
    if (rests_at(index, pose, extra) || stays_at(index, pose, extra)) {
        return;
    }
    if (!has_row(slot)) {
        wake(index);
    }
    const std::uint64_t newest = track.ring.newest();
    // A cut or shift earlier in this tick stays what it is: the move only says where it ended.
    const std::uint8_t marks = track.state(slot.row, newest).marks;
    write_state(index, pose, extra, marks);
}

void StageData::record_cut(std::uint32_t index, const Pose& pose, const Extra& extra) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(slot);
    ++stats.cut_count;
    const bool at_once = cuts_at_once(index);
    if (slot.hidden || (at_once && !has_row(slot))) {
        write_rest(index, pose, extra);
        show_cut(index);
        return;
    }
    if (!has_row(slot)) {
        wake(index);
    }
    write_state(index, pose, extra, at_once ? kPlainState : kCutState);
    RowInfo& info = track.movers.info(slot.row);
    slot.cut = track.ring.newest();
    if (at_once) {
        snap_row(track, slot.row);
        track.movers.set_visual(slot.row, pose);
        track.movers.set_previous(slot.row, pose);
        show_cut(index);
        return;
    }
    shifts.forget(info.shifts, slot.cut);
    info.pending_cut = info.pending_cut == 0 ? slot.cut : info.pending_cut;
}

void StageData::record_shift(std::uint32_t index, const Rigid& rigid) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(slot);
    ++stats.shift_count;
    if (slot.hidden) {
        write_hidden(index, apply(rigid, slot.rest), {});
        return;
    }
    if (!has_row(slot)) {
        wake(index);
    }
    const std::uint64_t newest = track.ring.newest();
    const State state = track.state(slot.row, newest);
    // After a cut in the same tick there is no way to this state that could be mapped.
    const bool after_cut = (state.marks & kCutState) != 0;
    write_state(index, apply(rigid, state.pose), {.velocity = apply(rigid, state.velocity)},
                after_cut ? kCutState : kShiftState);
    RowInfo& info = track.movers.info(slot.row);
    if (!after_cut) {
        shifts.add(info.shifts, newest, rigid);
    }
}

void StageData::show_cut(std::uint32_t index) noexcept {
    Slot& slot = slots[index];
    ++slot.shown_cuts;
    slot.fresh = true;
    slot.cut = track_of(slot).ring.newest();
    if (has_row(slot)) {
        track_of(slot).movers.info(slot.row).cut_shown = true;
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
    RowInfo& info = track.movers.info(row);
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
            slots.unlink(child);
            show_cut(child);
            continue;
        }
        move_below(child, Slot::kNone);
    }
    drop_row(index);
    slots.unlink(index);
    slots.release(index);
    worlds_fresh = false;
    ++stats.remove_count;
}

} // namespace glissade
