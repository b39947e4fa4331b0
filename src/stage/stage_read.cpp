// SPDX-License-Identifier: MIT
// Everything that can be asked of a stage.
#include "glissade/stage/stage.h"

#include "stage/offset.h"
#include "stage/stage_data.h"

#include <algorithm>

namespace glissade {

const char* to_string(StageStatus status) noexcept {
    static constexpr std::array<const char*, kStageStatusCount> kNames = {"ok",
                                                                          "null handle",
                                                                          "stale handle",
                                                                          "foreign handle",
                                                                          "bad position",
                                                                          "bad rotation",
                                                                          "zero rotation",
                                                                          "bad scale",
                                                                          "bad velocity",
                                                                          "bad channel",
                                                                          "bad tick",
                                                                          "stale tick",
                                                                          "tick too old",
                                                                          "full",
                                                                          "no such track",
                                                                          "time went back",
                                                                          "absurd time",
                                                                          "would be below itself",
                                                                          "too deep",
                                                                          "parent has zero scale",
                                                                          "sizes differ"};
    const auto number = static_cast<std::size_t>(status);
    return number < kNames.size() ? kNames[number] : "unknown";
}

StageStatus Stage::check(Id id) const noexcept {
    return data_->slots.check(id);
}

bool Stage::contains(Id id) const noexcept {
    return check(id) == StageStatus::Ok;
}

Pose Stage::visual(Id id) const noexcept {
    return contains(id) ? data_->visual(SlotTable::index_of(id)) : Pose{};
}

Pose Stage::previous(Id id) const noexcept {
    return contains(id) ? data_->previous(SlotTable::index_of(id)) : Pose{};
}

Pose Stage::logical(Id id) const noexcept {
    return contains(id) ? data_->logical(SlotTable::index_of(id)) : Pose{};
}

float Stage::channel(Id id, std::size_t number) const noexcept {
    if (!contains(id) || number >= data_->channel_rules.size()) {
        return 0.0F;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    return data_->has_row(index) ? data_->track_of(index).movers.visual_channel(
                                       data_->row_of(index), static_cast<std::uint32_t>(number))
                                 : data_->slots.channels(index)[number];
}

Pose Stage::sample(Id id, std::int64_t time_ns) const noexcept {
    if (!contains(id)) {
        return {};
    }
    const std::uint32_t index = SlotTable::index_of(id);
    if (!data_->has_row(index)) {
        return data_->slots[index].rest;
    }
    const Track& track = data_->track_of(index);
    const std::uint32_t row = data_->row_of(index);
    time_ns = std::clamp(time_ns, -kMaxTimeNs, kMaxTimeNs);
    // The present moment is as far ahead of this time as it is of the picture.
    const std::int64_t ahead_ns = track.shown ? track.sample.now_ns - track.sample.time_ns : 0;
    const Pose pose = data_->evaluate(track, row, track.ring.resolve(time_ns), time_ns + ahead_ns);
    if (!track.movers.info(row).offset) {
        return pose;
    }
    const std::int64_t later_ns = std::max(time_ns - track.sample.time_ns, std::int64_t{0});
    return apply_offset(fade(track.movers.offset(row), later_ns), pose);
}

Affine Stage::world(Id id) const noexcept {
    return contains(id) ? data_->world(SlotTable::index_of(id)) : Affine{};
}

Affine Stage::previous_world(Id id) const noexcept {
    return contains(id) ? data_->previous_world(SlotTable::index_of(id)) : Affine{};
}

ChangedIds Stage::changed() const noexcept {
    return ChangedIds(data_->changed_parts);
}

MovedColumns Stage::moved(TrackId track) const noexcept {
    const Track* found = data_->find_track(track);
    if (found == nullptr) {
        return {};
    }
    return found->has_pictures ? found->movers.columns(found->has_previous())
                               : MovedColumns{.ids = found->movers.ids()};
}

std::uint64_t Stage::world_revision(Id id) const noexcept {
    return contains(id) ? data_->world_revision(SlotTable::index_of(id)) : 0;
}

std::uint64_t Stage::revision() const noexcept {
    return data_->revision;
}

std::uint32_t Stage::shown_cuts(Id id) const noexcept {
    return contains(id) ? data_->slots[SlotTable::index_of(id)].shown_cuts : 0;
}

bool Stage::visible(Id id) const noexcept {
    if (!contains(id)) {
        return false;
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const bool waiting =
        data_->has_row(index) && data_->track_of(index).movers.info(data_->row_of(index)).waiting;
    return !data_->slots[index].hidden && !waiting;
}

Id Stage::parent(Id id) const noexcept {
    if (!contains(id)) {
        return {};
    }
    const std::uint32_t parent = data_->slots[SlotTable::index_of(id)].parent;
    return parent == Slot::kNone ? Id{} : data_->slots.id_of(parent);
}

std::uint64_t Stage::user(Id id) const noexcept {
    return contains(id) ? data_->slots[SlotTable::index_of(id)].user : 0;
}

std::optional<std::int64_t> Stage::sample_time(TrackId track) const noexcept {
    const Track* found = data_->find_track(track);
    return found != nullptr && found->shown ? std::optional(found->sample.time_ns) : std::nullopt;
}

std::optional<Tick> Stage::newest(TrackId track) const noexcept {
    const Track* found = data_->find_track(track);
    return found != nullptr && !found->ring.empty() ? std::optional(found->ring.newest_tick())
                                                    : std::nullopt;
}

std::span<const Event> Stage::events() const noexcept {
    return data_->due_events;
}

std::size_t Stage::size() const noexcept {
    return data_->slots.size();
}

std::size_t Stage::capacity() const noexcept {
    return data_->slots.capacity();
}

std::size_t Stage::mover_count(TrackId track) const noexcept {
    const Track* found = data_->find_track(track);
    return found == nullptr ? 0 : found->movers.size();
}

const StageStats& Stage::stats() const noexcept {
    return data_->stats;
}

TrackStats Stage::track_stats(TrackId track) const noexcept {
    const Track* found = data_->find_track(track);
    return found == nullptr ? TrackStats{} : found->stats;
}

} // namespace glissade
