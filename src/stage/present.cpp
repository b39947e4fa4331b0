// SPDX-License-Identifier: MIT
// One frame: every mover of every track gets its visual pose, and what is due comes out.
#include "stage/offset.h"
#include "stage/stage_data.h"

#include <algorithm>

namespace glissade {

void StageData::touch(std::uint32_t index) noexcept {
    worlds_fresh = false;
    Slot& slot = slots[index];
    if (!slot.touched) {
        slot.touched = true;
        touched.push_back(index);
    }
}

void StageData::accept_sample(Track& track, const SampleTime& sample) noexcept {
    if (sample.newest && check_tick(track, *sample.newest) == StageStatus::Ok) {
        enter_tick(track, *sample.newest);
    }
    if (track.shown && sample.epoch != track.sample.epoch) {
        snap_all(track);
    }
    if (!track.ring.empty() && sample.time_ns > track.ring.newest_tick().time_ns) {
        ++track.stats.underrun_count;
    }
}

void StageData::snap_all(Track& track) noexcept {
    for (std::uint32_t row = 0; row < track.movers.size(); ++row) {
        if (track.movers.info(row).pending_cut != 0) {
            show_cut(SlotTable::index_of(track.movers.id(row)));
        }
        snap_row(track, row);
    }
    track.dirty = true;
    ++track.stats.snap_count;
}

void StageData::retire_settled(Track& track) noexcept {
    for (std::uint32_t row = track.movers.size(); row > 0; --row) {
        if (track.movers.info(row - 1).settled) {
            drop_row(SlotTable::index_of(track.movers.id(row - 1)));
            ++stats.settle_count;
        }
    }
}

void StageData::present_track(Track& track, const SampleTime* sample) noexcept {
    if (sample != nullptr) {
        accept_sample(track, *sample);
    }
    track.seal(shifts);
    retire_settled(track);
    rejoin(track);
    const bool moves =
        sample != nullptr && (!track.shown || sample->time_ns != track.sample.time_ns ||
                              sample->now_ns != track.sample.now_ns);
    const std::int64_t elapsed_ns =
        moves && track.shown ? sample->time_ns - track.sample.time_ns : 0;
    if (sample != nullptr) {
        track.sample = *sample;
        track.shown = true;
    }
    track.still = !track.shown || (!moves && !track.dirty);
    if (track.still || track.ring.empty()) {
        return;
    }
    track.dirty = false;
    track.movers.swap_visual();
    const Frame frame{.bracket = track.ring.resolve(track.sample.time_ns),
                      .sample = track.sample,
                      .elapsed_ns = elapsed_ns};
    const bool guesses = frame.bracket.beyond_ns > 0 && track.config.underrun_extrapolation_ns > 0;
    track.guessed = guesses ? track.ring.newest() : 0;
    for (std::uint32_t row = 0; row < track.movers.size(); ++row) {
        present_row(track, row, frame);
    }
}

void StageData::present_row(Track& track, std::uint32_t row, const Frame& frame) noexcept {
    RowInfo& info = track.movers.info(row);
    const std::uint32_t index = SlotTable::index_of(track.movers.id(row));
    // A shift takes the previous pose along, so comparing the two would not show it.
    bool changed_now = info.shifts != ShiftPool::kNone && cross_shifts(track, row, frame);
    if (info.pending_cut != 0) {
        cross_cuts(track, row, frame);
    }
    Pose pose = evaluate(track, row, frame.bracket, frame.sample.now_ns);
    if (info.offset) {
        Offset& offset = track.movers.offset(row);
        offset = fade(offset, frame.elapsed_ns);
        info.offset = !is_negligible(offset);
        pose = info.offset ? apply_offset(offset, pose) : pose;
    }
    // A last write that has left the history is in the past for sure.
    const bool arrived = info.written < track.ring.oldest() ||
                         frame.sample.time_ns >= track.ring[info.written].time_ns;
    if (info.waiting && frame.sample.time_ns >= info.appear_ns) {
        info.waiting = false;
        info.cut_shown = true;
        changed_now = true;
    }
    if (arrived && info.written < track.ring.newest() && !info.offset && !info.waiting) {
        info.settled = true;
        pose = track.newest_state(row).pose;
    }
    if (info.cut_shown) {
        info.cut_shown = false;
        changed_now = true;
        track.movers.set_previous(row, pose);
    }
    track.movers.set_visual(row, pose);
    changed_now = present_channels(track, row, frame.bracket) || changed_now;
    if (changed_now || !(pose == track.movers.previous(row))) {
        info.revision = revision;
        list_changed(index);
    }
}

bool StageData::present_channels(Track& track, std::uint32_t row, const Bracket& bracket) noexcept {
    bool changed_now = false;
    const bool cut = (track.state(row, bracket.b).marks & kCutState) != 0;
    for (std::uint32_t number = 0; number < channel_rules.size(); ++number) {
        const float from = track.movers.load_channel(row, track.place(bracket.a), number);
        const float to = track.movers.load_channel(row, track.place(bracket.b), number);
        const Channel rule = channel_rules[number];
        const float value = rule == Channel::Never ? track.newest_channel(row, number)
                            : cut                  ? from
                                                   : blend_channel(rule, from, to, bracket.t);
        changed_now = changed_now || value != track.movers.visual_channel(row, number);
        track.movers.set_visual_channel(row, number, value);
    }
    return changed_now;
}

void StageData::cross_cuts(Track& track, std::uint32_t row, const Frame& frame) noexcept {
    RowInfo& info = track.movers.info(row);
    if (frame.bracket.a < info.pending_cut) {
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
        if (sequence > frame.bracket.a) {
            info.pending_cut = sequence;
            break;
        }
        ++slot.shown_cuts;
    }
    // A correction of the path before the cut has nothing to do with the one after it.
    info.offset = false;
    track.movers.offset(row) = {};
    info.cut_shown = true;
    info.revision = revision;
    list_changed(SlotTable::index_of(track.movers.id(row)));
}

bool StageData::cross_shifts(Track& track, std::uint32_t row, const Frame& frame) noexcept {
    const RowInfo& info = track.movers.info(row);
    bool crossed = false;
    // Oldest first: each maps what the one before it left.
    while (ShiftRecord* record = shifts.find_reached(info.shifts, frame.bracket.b)) {
        record->shown = true;
        crossed = true;
        track.movers.set_previous(row, apply(record->pending, track.movers.previous(row)));
        Offset& offset = track.movers.offset(row);
        offset = map_offset(record->pending, offset);
    }
    return crossed;
}

void StageData::vanish(Id gone) noexcept {
    if (slots.check(gone) != StageStatus::Ok) {
        return;
    }
    const std::uint32_t index = SlotTable::index_of(gone);
    if (slots[index].changed_mark != revision) {
        changed.push_back(gone);
    }
    remove_object(index);
}

void StageData::release_due(Track& track, TrackId id) noexcept {
    if (!track.shown) {
        return;
    }
    while (const DueQueue::Item* item = track.vanishing.find_due(track.sample.time_ns)) {
        const Id gone = Id::from_bits(item->value);
        track.vanishing.pop();
        vanish(gone);
    }
    while (const DueQueue::Item* item = track.events.find_due(track.sample.time_ns)) {
        due_events.push_back({.track = id, .time_ns = item->time_ns, .value = item->value});
        track.events.pop();
        ++stats.event_count;
    }
}

StageStatus Stage::present(std::span<const TrackSample> samples) noexcept {
    StageData& data = *data_;
    for (const TrackSample& sample : samples) {
        if (const StageStatus status = data.check_sample(sample); status != StageStatus::Ok) {
            return data.refuse(status);
        }
    }
    ++data.revision;
    ++data.stats.present_count;
    data.changed.clear();
    data.due_events.clear();
    for (std::size_t number = 0; number < data.tracks.size(); ++number) {
        const TrackId id{static_cast<std::uint16_t>(number)};
        const SampleTime* time = nullptr;
        for (const TrackSample& sample : samples) {
            time = sample.track == id ? &sample.time : time;
        }
        data.present_track(data.tracks[number], time);
        data.release_due(data.tracks[number], id);
    }
    data.list_touched();
    data.refresh_worlds();
    return StageStatus::Ok;
}

StageStatus Stage::present(const SampleTime& sample) noexcept {
    const TrackSample only{.track = kDefaultTrack, .time = sample};
    return present({&only, 1});
}

} // namespace glissade
