// SPDX-License-Identifier: MIT
// Parents and children: world placement, and moving an object to another parent.
#include "stage/offset.h"
#include "stage/stage_data.h"

#include <algorithm>
#include <cmath>

#include <glm/gtc/quaternion.hpp>

namespace glissade {

Pose StageData::visual(std::uint32_t index) const noexcept {
    if (!has_row(index)) {
        return slots[index].rest;
    }
    const Track& track = track_of(index);
    return track.has_pictures ? track.movers.visual(row_of(index)) : visual_now(index);
}

Pose StageData::visual_now(std::uint32_t index) const noexcept {
    if (!has_row(index)) {
        return slots[index].rest;
    }
    const Track& track = track_of(index);
    const std::uint32_t row = row_of(index);
    if (!track.shown) {
        return track.movers.visual(row);
    }
    const Pose truth = evaluate_shown(track, row);
    return track.movers.info(row).offset ? apply_offset(track.movers.offset(row), truth) : truth;
}

Pose StageData::previous(std::uint32_t index) const noexcept {
    const bool has_own = has_row(index) && track_of(index).has_previous();
    return has_own ? track_of(index).movers.previous(row_of(index)) : visual(index);
}

Pose StageData::logical(std::uint32_t index) const noexcept {
    return has_row(index) ? track_of(index).newest_state(row_of(index)).pose : slots[index].rest;
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
        const bool has_state = has_row(index) && slots[index].track == track;
        world = compose(
            has_state ? track_of(index).state(row_of(index), sequence).pose : visual(index), world);
    }
    return world;
}

Affine StageData::world(std::uint32_t index) const noexcept {
    Affine world = to_affine(visual(index));
    for (index = slots[index].parent; index != Slot::kNone; index = slots[index].parent) {
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
        newest = std::max(newest, slots[index].revision);
        if (has_row(index)) {
            newest = std::max(newest, track_of(index).movers.revision(row_of(index)));
        }
    }
    return newest;
}

void StageData::mark_family(std::uint32_t index) noexcept {
    if (!has_row(index)) {
        return;
    }
    Track& track = track_of(index);
    const std::uint32_t row = row_of(index);
    const Slot& slot = slots[index];
    track.movers.assign(RowMask::Below, row, slots[index].parent != Slot::kNone);
    track.movers.assign(RowMask::Above, row, slot.first_child != Slot::kNone);
    track.movers.assign(RowMask::Resters, row, slot.resting_child_count > 0);
    track.family.invalidate();
}

void StageData::count_resting_child(std::uint32_t parent, int change) noexcept {
    if (parent != Slot::kNone) {
        slots[parent].resting_child_count += static_cast<std::uint32_t>(change);
        mark_family(parent);
    }
}

void StageData::link(std::uint32_t child, std::uint32_t parent) noexcept {
    slots.link(child, parent);
    count_resting_child(parent, has_row(child) ? 0 : 1);
    mark_family(child);
}

void StageData::unlink(std::uint32_t child) noexcept {
    const std::uint32_t parent = slots[child].parent;
    slots.unlink(child);
    count_resting_child(parent, has_row(child) ? 0 : -1);
    mark_family(child);
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
    if (parent != Slot::kNone) {
        if (slots.is_below(parent, index)) {
            return StageStatus::WouldCycle;
        }
        if (slots.depth(parent) + 1 + slots.height(index) > kMaxDepth) {
            return StageStatus::TooDeep;
        }
        if (is_singular(parent, slots[index].track)) {
            return StageStatus::SingularParent;
        }
    }
    const bool needs_row =
        !has_row(index) && (chain_moves(slots[index].parent) || chain_moves(parent));
    return needs_row && track_of(index).movers.full() ? StageStatus::Full : StageStatus::Ok;
}

bool StageData::chain_moves(std::uint32_t index) const noexcept {
    for (; index != Slot::kNone; index = slots[index].parent) {
        if (has_row(index)) {
            return true;
        }
    }
    return false;
}

void StageData::move_below(std::uint32_t index, std::uint32_t parent) noexcept {
    Slot& slot = slots[index];
    Track& track = track_of(index);
    const Pose old_world = world_pose(index, &StageData::visual);
    const Pose old_previous = world_pose(index, &StageData::previous);
    // A resting object below a moving parent moves in the world, so it gets a history of its own.
    if (!slot.hidden && !has_row(index) && !track.ring.empty() &&
        (chain_moves(slots[index].parent) || chain_moves(parent))) {
        wake(index);
    }
    const Pose new_visual = relative_to(world_pose(parent, &StageData::visual), old_world);
    if (has_row(index)) {
        move_row_below(index, parent);
        track.movers.set_visual(row_of(index), new_visual);
        track.movers.set_previous(
            row_of(index), relative_to(world_pose(parent, &StageData::previous), old_previous));
    } else if (slot.hidden) {
        // Nobody sees it, so only its truth counts; the picture must not get into that.
        slot.rest = relative_to(world_pose(parent, &StageData::logical),
                                world_pose(index, &StageData::logical));
    } else {
        slot.rest = new_visual;
    }
    unlink(index);
    link(index, parent);
    touch(index);
}

void StageData::move_row_below(std::uint32_t index, std::uint32_t parent) noexcept {
    Track& track = track_of(index);
    const TrackId track_id = slots[index].track;
    const std::uint32_t row = row_of(index);
    track.seal_row(row);
    // From here on every state is its own; an open one would follow the state before it.
    track.mark_written(row);
    const Pose shown = relative_to(world_pose(parent, &StageData::visual_now),
                                   world_pose(index, &StageData::visual_now));
    for (std::uint64_t sequence = track.ring.oldest(); sequence <= track.ring.newest();
         ++sequence) {
        State state = track.movers.load(row, track.place(sequence));
        const Pose local = relative_to(world_pose_at(parent, track_id, sequence),
                                       world_pose_at(index, track_id, sequence));
        const glm::quat turn = local.rotation * glm::conjugate(state.pose.rotation);
        state.velocity = apply(Rigid{.rotation = normalised(turn)}, state.velocity);
        state.pose = local;
        track.movers.store(row, track.place(sequence), state);
    }
    // Between two ticks the blend in the old space and in the new one differ a little.
    keep_picture(track, row, shown);
}

void StageData::rebase(std::uint32_t index, const glm::dvec3& offset) noexcept {
    slots[index].rest.position += offset;
    if (!has_row(index)) {
        return;
    }
    Track& track = track_of(index);
    const std::uint32_t row = row_of(index);
    MoverTable& movers = track.movers;
    track.seal_row(row);
    shifts.rebase(movers.info(row).shifts, offset);
    for (std::uint64_t sequence = track.ring.oldest(); sequence <= track.ring.newest();
         ++sequence) {
        State state = movers.load(row, track.place(sequence));
        state.pose.position += offset;
        movers.store(row, track.place(sequence), state);
    }
    Pose visual = movers.visual(row);
    visual.position += offset;
    movers.set_visual(row, visual);
    Pose previous = movers.previous(row);
    previous.position += offset;
    movers.set_previous(row, previous);
    track.dirty = true;
}

} // namespace glissade
