// SPDX-License-Identifier: MIT
// Parents and children: world placement, what changed, and moving an object to another parent.
#include "stage/offset.h"
#include "stage/stage_data.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/quaternion.hpp>

namespace glissade {

Pose StageData::visual(std::uint32_t index) const noexcept {
    const Slot& slot = slots[index];
    return has_row(slot) ? track_of(slot).movers.visual(slot.row) : slot.rest;
}

Pose StageData::visual_now(std::uint32_t index) const noexcept {
    const Slot& slot = slots[index];
    if (!has_row(slot) || !track_of(slot).shown) {
        return visual(index);
    }
    const Track& track = track_of(slot);
    const Pose truth = evaluate_shown(track, slot.row);
    return track.movers.info(slot.row).offset ? apply_offset(track.movers.offset(slot.row), truth)
                                              : truth;
}

Pose StageData::previous(std::uint32_t index) const noexcept {
    const Slot& slot = slots[index];
    const bool has_own = has_row(slot) && !track_of(slot).still;
    return has_own ? track_of(slot).movers.previous(slot.row) : visual(index);
}

Pose StageData::logical(std::uint32_t index) const noexcept {
    const Slot& slot = slots[index];
    return has_row(slot) ? track_of(slot).newest_state(slot.row).pose : slot.rest;
}

Pose StageData::world_pose(std::uint32_t index, LocalPose local) const noexcept {
    Pose world;
    for (; index != Slot::kNone; index = slots[index].parent) {
        world = compose((this->*local)(index), world);
    }
    return world;
}

Pose StageData::world_pose_at(std::uint32_t index, TrackId track,
                              std::uint64_t sequence) const noexcept {
    Pose world;
    for (; index != Slot::kNone; index = slots[index].parent) {
        const Slot& slot = slots[index];
        const bool has_state = has_row(slot) && slot.track == track;
        world = compose(has_state ? track_of(slot).state(slot.row, sequence).pose : visual(index),
                        world);
    }
    return world;
}

Affine StageData::world(std::uint32_t index) const noexcept {
    Affine world = to_affine(visual(index));
    for (index = slots[index].parent; index != Slot::kNone; index = slots[index].parent) {
        if (worlds_fresh) {
            return compose(worlds[index], world);
        }
        world = compose(to_affine(visual(index)), world);
    }
    return world;
}

Affine StageData::previous_world(std::uint32_t index) const noexcept {
    Affine world = to_affine(previous(index));
    for (index = slots[index].parent; index != Slot::kNone; index = slots[index].parent) {
        world = compose(to_affine(previous(index)), world);
    }
    return world;
}

std::uint64_t StageData::world_revision(std::uint32_t index) const noexcept {
    std::uint64_t newest = 0;
    for (; index != Slot::kNone; index = slots[index].parent) {
        const Slot& slot = slots[index];
        newest = std::max(newest, slot.revision);
        if (has_row(slot)) {
            newest = std::max(newest, track_of(slot).movers.info(slot.row).revision);
        }
    }
    return newest;
}

void StageData::list_changed(std::uint32_t index) noexcept {
    if (slots[index].changed_mark == revision) {
        return; // Listed with all below it.
    }
    for (std::uint32_t below = index; below != Slot::kNone;
         below = slots.next_below(index, below)) {
        if (slots[below].changed_mark != revision) {
            slots[below].changed_mark = revision;
            changed.push_back(slots.id_of(below));
        }
    }
}

void StageData::list_touched() noexcept {
    for (const std::uint32_t index : touched) {
        slots[index].touched = false;
        slots[index].fresh = false;
        if (slots[index].alive) {
            slots[index].revision = revision;
            list_changed(index);
        }
    }
    touched.clear();
    for (std::uint32_t index = 0; all_changed && index < slots.used_end(); ++index) {
        if (slots[index].alive) {
            slots[index].revision = revision;
            list_changed(index);
        }
    }
    all_changed = false;
}

void StageData::refresh_worlds() noexcept {
    for (const Id id : changed) {
        if (slots.check(id) == StageStatus::Ok) {
            slots[SlotTable::index_of(id)].world_valid = false;
        }
    }
    // Placements of parents that did not change are still right, so only these have to be made
    // anew.
    for (const Id id : changed) {
        if (slots.check(id) != StageStatus::Ok) {
            continue;
        }
        const Slot& slot = slots[SlotTable::index_of(id)];
        if (slot.first_child != Slot::kNone) {
            refresh_world(SlotTable::index_of(id));
        } else if (slot.parent != Slot::kNone) {
            refresh_world(slot.parent);
        }
    }
    worlds_fresh = true;
}

void StageData::refresh_world(std::uint32_t index) noexcept {
    Slot& slot = slots[index];
    if (slot.world_valid) {
        return;
    }
    worlds[index] = to_affine(visual(index));
    if (slot.parent != Slot::kNone) {
        refresh_world(slot.parent);
        worlds[index] = compose(worlds[slot.parent], worlds[index]);
    }
    slot.world_valid = true;
}

bool StageData::is_singular(std::uint32_t index, TrackId track) const noexcept {
    const auto is_flat = [](const Pose& world) noexcept {
        // So small that dividing by it could leave the range of a float.
        constexpr float kSmall = 1e-18F;
        const glm::vec3& scale = world.scale;
        return std::abs(scale.x) < kSmall || std::abs(scale.y) < kSmall ||
               std::abs(scale.z) < kSmall;
    };
    const TickRing& ring = tracks[static_cast<std::size_t>(track)].ring;
    for (std::uint64_t sequence = ring.oldest(); sequence <= ring.newest(); ++sequence) {
        if (is_flat(world_pose_at(index, track, sequence))) {
            return true;
        }
    }
    return is_flat(world_pose(index, &StageData::logical)) ||
           is_flat(world_pose(index, &StageData::visual)) ||
           is_flat(world_pose(index, &StageData::previous));
}

StageStatus StageData::can_move_below(std::uint32_t index, std::uint32_t parent) const noexcept {
    const Slot& slot = slots[index];
    if (parent != Slot::kNone) {
        if (slots.is_below(parent, index)) {
            return StageStatus::WouldCycle;
        }
        if (slots.depth(parent) + 1 + slots.height(index) > kMaxDepth) {
            return StageStatus::TooDeep;
        }
        if (is_singular(parent, slot.track)) {
            return StageStatus::SingularParent;
        }
    }
    const bool needs_row = !has_row(slot) && (chain_moves(slot.parent) || chain_moves(parent));
    return needs_row && track_of(slot).movers.full() ? StageStatus::Full : StageStatus::Ok;
}

bool StageData::chain_moves(std::uint32_t index) const noexcept {
    for (; index != Slot::kNone; index = slots[index].parent) {
        if (has_row(slots[index])) {
            return true;
        }
    }
    return false;
}

void StageData::move_below(std::uint32_t index, std::uint32_t parent) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(slot);
    const Pose old_world = world_pose(index, &StageData::visual);
    const Pose old_previous = world_pose(index, &StageData::previous);
    // A resting object below a moving parent moves in the world, so it gets a history of its own.
    if (!slot.hidden && !has_row(slot) && !track.ring.empty() &&
        (chain_moves(slot.parent) || chain_moves(parent))) {
        wake(index);
    }
    const Pose new_visual = relative_to(world_pose(parent, &StageData::visual), old_world);
    if (has_row(slot)) {
        move_row_below(index, parent);
        track.movers.set_visual(slot.row, new_visual);
        track.movers.set_previous(
            slot.row, relative_to(world_pose(parent, &StageData::previous), old_previous));
    } else if (slot.hidden) {
        // Nobody sees it, so only its truth counts; the picture must not get into that.
        slot.rest = relative_to(world_pose(parent, &StageData::logical),
                                world_pose(index, &StageData::logical));
    } else {
        slot.rest = new_visual;
    }
    slots.unlink(index);
    slots.link(index, parent);
    touch(index);
}

void StageData::move_row_below(std::uint32_t index, std::uint32_t parent) noexcept {
    const Slot& slot = slots[index];
    Track& track = track_of(slot);
    const std::uint32_t row = slot.row;
    track.seal_row(row);
    RowInfo& info = track.movers.info(row);
    // From here on every state is its own; an open one would follow the state before it.
    info.written = track.ring.newest();
    const Pose shown = relative_to(world_pose(parent, &StageData::visual_now),
                                   world_pose(index, &StageData::visual_now));
    for (std::uint64_t sequence = track.ring.oldest(); sequence <= track.ring.newest();
         ++sequence) {
        State state = track.movers.load(row, track.place(sequence));
        const Pose local = relative_to(world_pose_at(parent, slot.track, sequence),
                                       world_pose_at(index, slot.track, sequence));
        const glm::quat turn = local.rotation * glm::conjugate(state.pose.rotation);
        state.velocity = apply(Rigid{.rotation = normalised(turn)}, state.velocity);
        state.pose = local;
        track.movers.store(row, track.place(sequence), state);
    }
    info.settled = false;
    track.dirty = true;
    // Between two ticks the blend in the old space and in the new one differ a little.
    keep_picture(track, row, shown);
}

void StageData::rebase(std::uint32_t index, const glm::dvec3& offset) noexcept {
    Slot& slot = slots[index];
    slot.rest.position += offset;
    if (!has_row(slot)) {
        return;
    }
    Track& track = track_of(slot);
    MoverTable& movers = track.movers;
    track.seal_row(slot.row);
    shifts.rebase(movers.info(slot.row).shifts, offset);
    for (std::uint64_t sequence = track.ring.oldest(); sequence <= track.ring.newest();
         ++sequence) {
        State state = movers.load(slot.row, track.place(sequence));
        state.pose.position += offset;
        movers.store(slot.row, track.place(sequence), state);
    }
    Pose visual = movers.visual(slot.row);
    visual.position += offset;
    movers.set_visual(slot.row, visual);
    Pose previous = movers.previous(slot.row);
    previous.position += offset;
    movers.set_previous(slot.row, previous);
    track.dirty = true;
}

} // namespace glissade
