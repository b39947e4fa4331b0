// SPDX-License-Identifier: MIT
// The life of objects and tracks: construction, add, remove, hide, show, parents, rebase, restart.
#include "glissade/stage/stage.h"

#include "glissade/base/hooks.h"

#include "stage/stage_data.h"

#include <algorithm>
#include <utility>

namespace glissade {

namespace {

constexpr std::uint32_t kMaxCapacity = (1U << 24U) - 2;

bool is_valid(const TrackConfig& config) noexcept {
    return config.history >= 2 && config.history <= 64 && config.underrun_extrapolation_ns >= 0 &&
           config.extrapolation_cap_ns >= 0 && !is_absurd(config.underrun_extrapolation_ns) &&
           !is_absurd(config.extrapolation_cap_ns);
}

StageConfig clamped(const StageConfig& config) noexcept {
    GLISSADE_ASSERT(config.capacity <= kMaxCapacity);
    GLISSADE_ASSERT(config.channels.size() <= kMaxChannels);
    GLISSADE_ASSERT(is_valid(config.track));
    StageConfig result = config;
    result.capacity = std::min(config.capacity, kMaxCapacity);
    result.channels = config.channels.first(std::min(config.channels.size(), kMaxChannels));
    result.track = is_valid(config.track) ? config.track : TrackConfig{};
    return result;
}

} // namespace

StageData::StageData(const StageConfig& config)
    : slots(config.capacity, config.tag, static_cast<std::uint32_t>(config.channels.size())),
      shifts(config.shift_capacity),
      channel_rules(config.channels.begin(), config.channels.end()),
      event_capacity(config.event_capacity) {
    touched.reserve(config.capacity);
    changed.reserve(config.capacity);
    add_track(config.track);
}

void StageData::add_track(const TrackConfig& config) {
    const std::uint32_t movers = config.mover_capacity == 0
                                     ? slots.capacity()
                                     : std::min(config.mover_capacity, slots.capacity());
    tracks.emplace_back(config, movers, static_cast<std::uint32_t>(channel_rules.size()),
                        event_capacity, slots.capacity());
    due_events.reserve(tracks.size() * event_capacity);
    changed_parts.reserve(tracks.size() + 1);
    reserve_ranges();
}

Track* StageData::find_track(TrackId track) noexcept {
    const auto number = static_cast<std::size_t>(track);
    return number < tracks.size() ? &tracks[number] : nullptr;
}

const Track* StageData::find_track(TrackId track) const noexcept {
    const auto number = static_cast<std::size_t>(track);
    return number < tracks.size() ? &tracks[number] : nullptr;
}

Stage::Stage(const StageConfig& config) noexcept
    : data_(std::make_unique<StageData>(clamped(config))), cursor_(&data_->cursor()) {}
Stage::~Stage() = default;
Stage::Stage(Stage&& other) noexcept
    : data_(std::move(other.data_)), cursor_(std::exchange(other.cursor_, nullptr)) {}
Stage& Stage::operator=(Stage&& other) noexcept {
    data_ = std::move(other.data_);
    cursor_ = std::exchange(other.cursor_, nullptr);
    return *this;
}

StageStatus StageData::check_add(Pose& pose, const ObjectConfig& config,
                                 const Extra& extra) const noexcept {
    if (slots.full()) {
        return StageStatus::Full;
    }
    if (find_track(config.track) == nullptr) {
        return StageStatus::NoSuchTrack;
    }
    if (!config.parent.is_null()) {
        if (const StageStatus status = slots.check(config.parent); status != StageStatus::Ok) {
            return status;
        }
        if (slots.depth(SlotTable::index_of(config.parent)) + 1 > kMaxDepth) {
            return StageStatus::TooDeep;
        }
    }
    const StageStatus status = check_state(pose, extra);
    return status == StageStatus::Ok ? check_state(pose, {.channels = config.channels}) : status;
}

std::uint32_t StageData::add(const Pose& pose, const ObjectConfig& config) noexcept {
    const std::uint32_t index = slots.take();
    Slot& slot = slots[index];
    slots.set_track(index, config.track);
    slot.blend = config.blend;
    slot.user = config.user;
    write_rest(index, pose, {.channels = config.channels});
    if (!config.parent.is_null()) {
        link(index, SlotTable::index_of(config.parent));
    }
    slot.fresh = true;
    slot.cut = track_of(index).ring.newest();
    touch(index);
    ++stats.add_count;
    return index;
}

AddResult Stage::add(const Pose& pose, const ObjectConfig& config) noexcept {
    Pose unit = pose;
    if (const StageStatus status = data_->check_add(unit, config, {}); status != StageStatus::Ok) {
        return {.id = {}, .status = data_->refuse(status)};
    }
    return {.id = data_->slots.id_of(data_->add(unit, config))};
}

AddResult Stage::spawn(const Tick& tick, const Pose& pose, const ObjectConfig& config,
                       const Extra& extra) noexcept {
    StageData& data = *data_;
    Pose unit = pose;
    StageStatus status = data.check_add(unit, config, extra);
    if (status == StageStatus::Ok) {
        const Track& track = *data.find_track(config.track);
        status = StageData::check_tick(track, tick);
        status = status == StageStatus::Ok && track.movers.full() ? StageStatus::Full : status;
    }
    if (status != StageStatus::Ok) {
        return {.id = {}, .status = data.refuse(status)};
    }
    Track& track = *data.find_track(config.track);
    data.enter_tick(track, tick);
    const std::uint32_t index = data.add(unit, config);
    data.wake(index);
    data.write_state(index, unit, extra, kPlainState);
    RowInfo& info = track.movers.edit(data.row_of(index));
    info.waiting = true;
    info.appear_ns = tick.time_ns;
    return {.id = data.slots.id_of(index)};
}

StageStatus Stage::remove(Id id) noexcept {
    if (const StageStatus status = check(id); status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    data_->remove_object(SlotTable::index_of(id));
    return StageStatus::Ok;
}

StageStatus Stage::despawn(const Tick& tick, Id id) noexcept {
    StageData& data = *data_;
    if (const StageStatus status = check(id); status != StageStatus::Ok) {
        return data.refuse(status);
    }
    Track& track = data.track_of(SlotTable::index_of(id));
    StageStatus status = StageData::check_tick(track, tick);
    status = status == StageStatus::Ok && track.vanishing.full() ? StageStatus::Full : status;
    if (status != StageStatus::Ok) {
        return data.refuse(status);
    }
    data.enter_tick(track, tick);
    track.vanishing.push({.time_ns = tick.time_ns, .value = id.bits()});
    return StageStatus::Ok;
}

StageStatus Stage::hide(Id id) noexcept {
    if (const StageStatus status = check(id); status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    data_->drop_row(index);
    data_->slots[index].hidden = true;
    data_->touch(index);
    return StageStatus::Ok;
}

StageStatus Stage::show(Id id) noexcept {
    // Showing what is shown already must not end its motion.
    if (contains(id) && !data_->slots[SlotTable::index_of(id)].hidden) {
        return StageStatus::Ok;
    }
    return show(id, logical(id));
}

StageStatus Stage::show(Id id, const Pose& pose) noexcept {
    Pose unit = pose;
    StageStatus status = check(id);
    status = status == StageStatus::Ok ? data_->check_state(unit, {}) : status;
    if (status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    data_->drop_row(index);
    data_->slots[index].hidden = false;
    data_->write_rest(index, unit, {});
    data_->show_cut(index);
    return StageStatus::Ok;
}

StageStatus Stage::set_parent(Id id, Id parent) noexcept {
    StageStatus status = check(id);
    if (status == StageStatus::Ok && !parent.is_null()) {
        status = check(parent);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    const std::uint32_t below = parent.is_null() ? Slot::kNone : SlotTable::index_of(parent);
    if (status == StageStatus::Ok) {
        status = data_->can_move_below(index, below);
    }
    if (status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    if (data_->slots[index].parent != below) {
        data_->move_below(index, below);
    }
    return StageStatus::Ok;
}

StageStatus Stage::set_blend(Id id, Blend blend) noexcept {
    if (const StageStatus status = check(id); status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    const std::uint32_t index = SlotTable::index_of(id);
    data_->slots[index].blend = blend;
    if (data_->has_row(index)) {
        Track& track = data_->track_of(index);
        track.movers.set_blend(data_->row_of(index), blend);
        track.dirty = true;
    }
    return StageStatus::Ok;
}

StageStatus Stage::set_user(Id id, std::uint64_t user) noexcept {
    if (const StageStatus status = check(id); status != StageStatus::Ok) {
        return data_->refuse(status);
    }
    data_->slots[SlotTable::index_of(id)].user = user;
    return StageStatus::Ok;
}

std::optional<TrackId> Stage::make_track(const TrackConfig& config) noexcept {
    if (!is_valid(config) || data_->tracks.size() >= 0xFFFFU) {
        return std::nullopt;
    }
    data_->add_track(config);
    return TrackId{static_cast<std::uint16_t>(data_->tracks.size() - 1)};
}

StageStatus Stage::rebase(const glm::dvec3& offset) noexcept {
    return data_->rebase_roots(nullptr, offset);
}

StageStatus Stage::rebase(TrackId track, const glm::dvec3& offset) noexcept {
    return data_->find_track(track) == nullptr ? data_->refuse(StageStatus::NoSuchTrack)
                                               : data_->rebase_roots(&track, offset);
}

StageStatus StageData::rebase_roots(const TrackId* only, const glm::dvec3& offset) noexcept {
    if (glissade::check(Pose{.position = offset}) != PoseStatus::Ok) {
        return refuse(StageStatus::BadPosition);
    }
    for (std::uint32_t index = 0; index < slots.used_end(); ++index) {
        const Slot& slot = slots[index];
        if (slot.alive && slot.parent == Slot::kNone && (only == nullptr || slot.track == *only)) {
            rebase(index, offset);
        }
    }
    all_changed = true;
    return StageStatus::Ok;
}

StageStatus Stage::restart(TrackId track, std::int64_t time_ns) noexcept {
    Track* found = data_->find_track(track);
    if (found == nullptr) {
        return data_->refuse(StageStatus::NoSuchTrack);
    }
    if (is_absurd(time_ns)) {
        return data_->refuse(StageStatus::AbsurdTime);
    }
    while (found->movers.size() > 0) {
        const std::uint32_t index = SlotTable::index_of(found->movers.id(found->movers.size() - 1));
        data_->drop_row(index);
        data_->show_cut(index);
    }
    data_->stats.dropped_event_count += found->events.size();
    found->events.clear();
    found->vanishing.clear();
    found->ring.clear();
    for (std::uint32_t index = 0; index < data_->slots.used_end(); ++index) {
        Slot& slot = data_->slots[index];
        slot.cut = data_->slots[index].track == track ? 0 : slot.cut;
    }
    found->sealed = 0;
    found->takes_moves = false;
    found->guessed = 0;
    found->has_pictures = found->had_pictures = true;
    found->sample = {.time_ns = time_ns, .now_ns = time_ns, .epoch = found->sample.epoch};
    found->shown = true;
    return StageStatus::Ok;
}

} // namespace glissade
