// SPDX-License-Identifier: MIT
// The calls of a tick on one object: move, cut, shift, amend; and events.
#include "stage/offset.h"
#include "stage/plain_pose.h"
#include "stage/stage_data.h"

namespace glissade {

StageStatus StageData::check_write(Id id, const Tick& tick, Pose& pose,
                                   const Extra& extra) const noexcept {
    if (const StageStatus status = slots.check(id); status != StageStatus::Ok) {
        return status;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const Track& track = track_of(index);
    if (const StageStatus status = check_tick(track, tick); status != StageStatus::Ok) {
        return status;
    }
    return check_state(pose, extra);
}

bool StageData::has_room(std::uint32_t index) const noexcept {
    return slots[index].hidden || has_row(index) || !track_of(index).movers.full();
}

bool StageData::cuts_at_once(std::uint32_t index) const noexcept {
    const Track& track = track_of(index);
    return track.config.cuts == CutShows::AtOnce || track.ring.empty();
}

inline bool StageData::try_move(const Tick& tick, Id id, const Pose& pose) noexcept {
    const MoverPlace place = find_mover(id);
    if (!place.exists()) {
        return false;
    }
    Track& track = tracks[place.track_number()];
    if (!track.accepts(tick) || !track.movers.is_plain(place.row) || !is_plain(pose)) {
        return false;
    }
    ++stats.move_count;
    if (track.movers.is_next(place.row) && track.movers.open_cursor(tick, stats.move_count)) {
        cursor_track = static_cast<std::uint16_t>(place.track);
        cursor().hold(pose);
    } else {
        track.note_order(id, place.row);
        track.movers.put(place.row, pose);
    }
    return true;
}

bool StageData::try_move(const Tick& tick, Id id, const Pose& pose,
                         const Velocity& velocity) noexcept {
    const MoverPlace place = slots.find_mover(id);
    if (!place.exists()) {
        return false;
    }
    Track& track = tracks[place.track_number()];
    if (!track.accepts(tick) || track.movers.test(RowMask::Special, place.row) ||
        !is_whole(pose, velocity)) {
        return false;
    }
    track.note_order(id, place.row);
    track.movers.put(place.row, pose, velocity);
    ++stats.move_count;
    return true;
}

bool StageData::try_move(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    return extra.channels.empty() && ((is_zero(extra.velocity) && try_move(tick, id, pose)) ||
                                      try_move(tick, id, pose, extra.velocity));
}

StageStatus StageData::move(const Tick& tick, Id id, const Pose& pose,
                            const Extra& extra) noexcept {
    if (extra.channels.empty() && try_move(tick, id, pose, extra.velocity)) {
        return StageStatus::Ok;
    }
    Pose unit = pose;
    if (const StageStatus status = check_write(id, tick, unit, extra); status != StageStatus::Ok) {
        return refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    if (!has_room(index) && !rests_at(index, unit, extra)) {
        return refuse(StageStatus::Full);
    }
    const TickRing& ring = track_of(index).ring;
    const std::uint64_t newest = ring.newest();
    enter_tick(track_of(index), tick);
    // What opens a tick then goes the way of all others: which of them is first must not count.
    if (ring.newest() != newest && try_move(tick, id, pose, extra)) {
        return StageStatus::Ok;
    }
    if (has_row(index)) {
        track_of(index).note_order(id, row_of(index));
    }
    record_move(index, unit, extra);
    return StageStatus::Ok;
}

StageStatus Stage::move_any(const Tick& tick, Id id, const Pose& pose) noexcept {
    const bool is_moved = data_->try_move(tick, id, pose);
    cursor_ = &data_->cursor();
    return is_moved ? StageStatus::Ok : data_->move(tick, id, pose, {});
}

StageStatus Stage::move(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    if (is_zero(extra.velocity) && extra.channels.empty() && data_->try_move(tick, id, pose)) {
        return StageStatus::Ok;
    }
    return data_->move(tick, id, pose, extra);
}

StageStatus Stage::cut(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    Pose unit = pose;
    if (const StageStatus status = data_->check_write(id, tick, unit, extra);
        status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    // What rests and is cut at once goes on resting: it needs no row.
    if (!data_->has_room(index) && !data_->cuts_at_once(index)) {
        return data_->refuse(StageStatus::Full);
    }
    data_->enter_tick(data_->track_of(index), tick);
    data_->record_cut(index, unit, extra);
    return StageStatus::Ok;
}

StageStatus Stage::cut(Id id, const Pose& pose, const Extra& extra) noexcept {
    Pose unit = pose;
    StageStatus status = check(id);
    status = status == StageStatus::Ok ? data_->check_state(unit, extra) : status;
    const std::uint32_t index = SlotTable::index_of(id);
    if (status == StageStatus::Ok && !data_->has_room(index) && !data_->cuts_at_once(index)) {
        status = StageStatus::Full;
    }
    if (status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    data_->record_cut(index, unit, extra);
    return StageStatus::Ok;
}

StageStatus Stage::shift(const Tick& tick, Id id, const Rigid& rigid) noexcept {
    StageData& data = *data_;
    Rigid unit = rigid;
    StageStatus status = check(id);
    const std::uint32_t index = SlotTable::index_of(id);
    if (status == StageStatus::Ok) {
        status = StageData::check_tick(data.track_of(index), tick);
    }
    if (status == StageStatus::Ok) {
        status = StageData::check_shift(unit);
    }
    if (status == StageStatus::Ok && glissade::check(apply(unit, logical(id))) != PoseStatus::Ok) {
        status = StageStatus::BadPosition;
    }
    if (status == StageStatus::Ok && (!data.has_room(index) || data.shifts.full())) {
        status = StageStatus::Full;
    }
    if (status != StageStatus::Ok) {
        return data.refuse(status);
    }
    data.enter_tick(data.track_of(index), tick);
    data.record_shift(index, unit);
    return StageStatus::Ok;
}

StageStatus StageData::check_amend(Id id, const Tick& tick, Pose& pose,
                                   const Extra& extra) const noexcept {
    if (const StageStatus status = slots.check(id); status != StageStatus::Ok) {
        return status;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const Track& track = track_of(index);
    const std::uint64_t sequence = track.ring.find(tick);
    if (sequence == 0) {
        const bool older =
            !track.ring.empty() && tick.time_ns < track.ring[track.ring.oldest()].time_ns;
        return older ? StageStatus::TooOld : StageStatus::BadTick;
    }
    // A cut that shows at once has overwritten the states before it, and what rests has none.
    if (sequence < slots[index].cut && (track.config.cuts == CutShows::AtOnce || !has_row(index))) {
        return StageStatus::TooOld;
    }
    const StageStatus status = check_state(pose, extra);
    return status == StageStatus::Ok && !has_room(index) ? StageStatus::Full : status;
}

StageStatus Stage::amend(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    Pose unit = pose;
    if (const StageStatus status = data_->check_amend(id, tick, unit, extra);
        status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    data_->record_amend(index, data_->track_of(index).ring.find(tick), unit, extra);
    return StageStatus::Ok;
}

void StageData::record_amend(std::uint32_t index, std::uint64_t sequence, const Pose& pose,
                             const Extra& extra) noexcept {
    Track& track = track_of(index);
    ++stats.amend_count;
    if (slots[index].hidden) {
        if (sequence == track.ring.newest()) {
            write_hidden(index, pose, extra);
        }
        return;
    }
    if (!has_row(index)) {
        wake(index);
    }
    const std::uint32_t row = row_of(index);
    track.seal_row(row);
    const Pose shown = visual_now(index);
    const std::size_t place = track.place(sequence);
    track.movers.store(
        row, place,
        {.pose = pose, .velocity = extra.velocity, .marks = track.movers.load(row, place).marks});
    track.movers.store_channels(row, place, extra.channels);
    track.mark_written(row);
    keep_picture(track, row, shown);
}

StageStatus Stage::post(const Event& event) noexcept {
    Track* track = data_->find_track(event.track);
    if (track == nullptr) {
        return data_->refuse(StageStatus::NoSuchTrack);
    }
    if (is_absurd(event.time_ns)) {
        return data_->refuse(StageStatus::AbsurdTime);
    }
    if (track->events.full()) {
        return data_->refuse(StageStatus::Full);
    }
    track->events.push({.time_ns = event.time_ns, .value = event.value});
    return StageStatus::Ok;
}

} // namespace glissade
