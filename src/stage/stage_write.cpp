// SPDX-License-Identifier: MIT
// The calls of a tick: move, cut, shift, amend; and events.
#include "stage/offset.h"
#include "stage/stage_data.h"

namespace glissade {

namespace {

void count(BatchResult& result, std::size_t item, StageStatus status) noexcept {
    if (status == StageStatus::Ok) {
        ++result.accepted_count;
    } else if (result.status == StageStatus::Ok) {
        result.status = status;
        result.first_refused = item;
    }
}

bool has_length(const PoseColumns& poses, std::size_t size, bool has_scale) noexcept {
    const bool scale_fits = poses.scale_x.size() == size && poses.scale_y.size() == size &&
                            poses.scale_z.size() == size;
    return poses.x.size() == size && poses.y.size() == size && poses.z.size() == size &&
           poses.qx.size() == size && poses.qy.size() == size && poses.qz.size() == size &&
           poses.qw.size() == size && (!has_scale || scale_fits);
}

} // namespace

StageStatus StageData::check_write(Id id, const Tick& tick, Pose& pose,
                                   const Extra& extra) const noexcept {
    if (const StageStatus status = slots.check(id); status != StageStatus::Ok) {
        return status;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const Track& track = track_of(slots[index]);
    if (const StageStatus status = check_tick(track, tick); status != StageStatus::Ok) {
        return status;
    }
    return check_state(pose, extra);
}

bool StageData::has_room(std::uint32_t index) const noexcept {
    const Slot& slot = slots[index];
    return slot.hidden || has_row(slot) || !track_of(slot).movers.full();
}

bool StageData::cuts_at_once(std::uint32_t index) const noexcept {
    const Track& track = track_of(slots[index]);
    return track.config.cuts == CutShows::AtOnce || track.ring.empty();
}

StageStatus Stage::move(const Tick& tick, Id id, const Pose& pose, const Extra& extra) noexcept {
    Pose unit = pose;
    if (const StageStatus status = data_->check_write(id, tick, unit, extra);
        status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    if (!data_->has_room(index) && !data_->rests_at(index, unit, extra)) {
        return data_->refuse(StageStatus::Full);
    }
    data_->enter_tick(data_->track_of(data_->slots[index]), tick);
    data_->record_move(index, unit, extra);
    return StageStatus::Ok;
}

BatchResult Stage::move(const Tick& tick, std::span<const Id> ids,
                        std::span<const Pose> poses) noexcept {
    if (ids.size() != poses.size()) {
        return {.status = data_->refuse(StageStatus::SizeMismatch)};
    }
    BatchResult result;
    for (std::size_t item = 0; item < ids.size(); ++item) {
        count(result, item, move(tick, ids[item], poses[item]));
    }
    return result;
}

BatchResult Stage::move(const Tick& tick, std::span<const Id> ids,
                        const PoseColumns& poses) noexcept {
    const bool has_scale =
        !poses.scale_x.empty() || !poses.scale_y.empty() || !poses.scale_z.empty();
    if (!has_length(poses, ids.size(), has_scale)) {
        return {.status = data_->refuse(StageStatus::SizeMismatch)};
    }
    BatchResult result;
    for (std::size_t item = 0; item < ids.size(); ++item) {
        Pose pose{
            .position = {poses.x[item], poses.y[item], poses.z[item]},
            .rotation = quat_xyzw(poses.qx[item], poses.qy[item], poses.qz[item], poses.qw[item])};
        if (has_scale) {
            pose.scale = {poses.scale_x[item], poses.scale_y[item], poses.scale_z[item]};
        }
        count(result, item, move(tick, ids[item], pose));
    }
    return result;
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
    data_->enter_tick(data_->track_of(data_->slots[index]), tick);
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
        status = StageData::check_tick(data.track_of(data.slots[index]), tick);
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
    data.enter_tick(data.track_of(data.slots[index]), tick);
    data.record_shift(index, unit);
    return StageStatus::Ok;
}

StageStatus StageData::check_amend(Id id, const Tick& tick, Pose& pose,
                                   const Extra& extra) const noexcept {
    if (const StageStatus status = slots.check(id); status != StageStatus::Ok) {
        return status;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const Slot& slot = slots[index];
    const Track& track = track_of(slot);
    const std::uint64_t sequence = track.ring.find(tick);
    if (sequence == 0) {
        const bool older =
            !track.ring.empty() && tick.time_ns < track.ring[track.ring.oldest()].time_ns;
        return older ? StageStatus::TooOld : StageStatus::BadTick;
    }
    // A cut that shows at once has overwritten the states before it, and what rests has none.
    if (sequence < slot.cut && (track.config.cuts == CutShows::AtOnce || !has_row(slot))) {
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
    data_->record_amend(index, data_->track_of(data_->slots[index]).ring.find(tick), unit, extra);
    return StageStatus::Ok;
}

void StageData::record_amend(std::uint32_t index, std::uint64_t sequence, const Pose& pose,
                             const Extra& extra) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(slot);
    ++stats.amend_count;
    if (slot.hidden) {
        if (sequence == track.ring.newest()) {
            write_hidden(index, pose, extra);
        }
        return;
    }
    if (!has_row(slot)) {
        wake(index);
    }
    const std::uint32_t row = slot.row;
    RowInfo& info = track.movers.info(row);
    track.seal_row(row);
    const Pose shown = visual_now(index);
    const std::size_t place = track.place(sequence);
    track.movers.store(
        row, place,
        {.pose = pose, .velocity = extra.velocity, .marks = track.movers.load(row, place).marks});
    track.movers.store_channels(row, place, extra.channels);
    info.written = track.ring.newest();
    info.settled = false;
    track.dirty = true;
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
