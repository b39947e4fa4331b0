// SPDX-License-Identifier: MIT
// World matrices of a frame's movers that the blend cannot write: rows that took the slow way, and
// rows below others.
#include "stage/stage_data.h"

#include <algorithm>

namespace glissade {

namespace {

/// Runs of rows shorter than this on average are worth putting the rows in order.
constexpr std::uint32_t kShortRun = 16;
constexpr std::uint32_t kFewRuns = 64;

void store_linear(const WorldTarget& world, std::size_t row, const glm::mat3& linear) noexcept {
    for (glm::length_t line = 0; line < 3; ++line) {
        for (glm::length_t column = 0; column < 3; ++column) {
            const auto first = 3 * static_cast<std::size_t>(line);
            world.basis[first + static_cast<std::size_t>(column)][row] = linear[column][line];
        }
    }
}

void store_rotation(const WorldTarget& world, std::size_t row, const glm::quat& rotation) noexcept {
    world.basis[0][row] = rotation.x;
    world.basis[1][row] = rotation.y;
    world.basis[2][row] = rotation.z;
    world.basis[3][row] = rotation.w;
}

/// Whether a row with a parent or with children has a scale, or had one.
bool has_scales(const MoverTable& movers) noexcept {
    const std::uint64_t* const scaled = movers.words(RowMask::Scaled);
    const std::uint64_t* const below = movers.words(RowMask::Below);
    const std::uint64_t* const above = movers.words(RowMask::Above);
    bool any = false;
    for (std::size_t block = 0; block < movers.block_count() && !any; ++block) {
        any = (scaled[block] & (below[block] | above[block]) & movers.rows_of(block)) != 0;
    }
    return any;
}

void plan_runs(FamilyPlan& plan) noexcept {
    plan.run_count = 0;
    for (std::uint32_t first = 0; first < plan.order_size; first = plan.run_end[first]) {
        const std::uint32_t row = plan.order[first];
        std::uint32_t count = 1;
        // Rows that follow each other, of one generation, all with a place for their parent or all
        // without.
        while (first + count < plan.order_size && plan.order[first + count] == row + count &&
               plan.generation[row + count] == plan.generation[row] &&
               (plan.parent[row + count] == MoverTable::kNone) ==
                   (plan.parent[row] == MoverTable::kNone)) {
            ++count;
        }
        plan.run_end[first] = first + count;
        ++plan.run_count;
    }
}

bool is_scattered(const FamilyPlan& plan, std::uint32_t row_count) noexcept {
    // Sorting is linear and so has to be earned by changes in proportion.
    return plan.run_count > kFewRuns && plan.run_count > plan.order_size / kShortRun &&
           plan.change_count > row_count / 8;
}

} // namespace

void StageData::aim(Track& track) noexcept {
    const std::optional<MatrixTarget>& target = track.frame.target;
    track.batch.stream = is_streamed(track.movers.size());
    track.batch.tuning = find_tuning();
    track.batch.stream_world = is_world_streamed(track.movers.size());
    if (target && !target->matrices.empty()) {
        track.batch.is_rigid = track.family.order_size > 0 && is_rigid(track);
        track.batch.matrices = &target->matrices.data()[0][0][0];
        track.batch.origin = target->origin;
        track.batch.row_count = std::min<std::size_t>(track.movers.size(), target->matrices.size());
    }
}

bool StageData::is_rigid(const Track& track) const noexcept {
    const auto is_unscaled = [this](std::uint32_t guest) noexcept {
        bool unscaled = true;
        for (std::uint32_t index = guest; index != Slot::kNone && unscaled;
             index = slots[index].parent) {
            // Of what moves this will be true at the end of the frame as well.
            unscaled = has_row(index) ? !track_of(index).movers.test(RowMask::Scaled, row_of(index))
                                      : slots[index].rest.scale == glm::vec3(1.0F);
        }
        return unscaled;
    };
    const std::vector<std::uint32_t>& guests = track.family.guests;
    // What found no place among the guests may have any scale.
    return !has_scales(track.movers) && guests.size() < FamilyPlan::kMaxGuests &&
           std::all_of(guests.begin(), guests.end(), is_unscaled);
}

glm::quat StageData::world_rotation(std::uint32_t index) const noexcept {
    glm::quat rotation = visual(index).rotation;
    for (index = slots[index].parent; index != Slot::kNone; index = slots[index].parent) {
        rotation = visual(index).rotation * rotation;
    }
    return rotation;
}

void StageData::store_placement(const Track& track, std::size_t row, std::uint32_t index,
                                const Affine& placed) noexcept {
    const WorldTarget& world = track.movers.world();
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        world.translation[static_cast<std::size_t>(axis)][row] = placed.translation[axis];
    }
    if (track.batch.is_rigid) {
        store_rotation(world, row, world_rotation(index));
    } else {
        store_linear(world, row, placed.linear);
    }
}

void StageData::write_matrix(Track& track, std::uint32_t row) noexcept {
    const MatrixTarget& target = *track.frame.target;
    const std::uint32_t index = SlotTable::index_of(track.movers.id(row));
    const Affine placed = world(index);
    // What left in this frame may have given rows to its children since the target was measured.
    if (row < target.matrices.size()) {
        target.matrices[row] = to_mat3x4(placed, target.origin);
    }
    if (track.movers.test(RowMask::Above, row)) {
        store_placement(track, row, index, placed);
    }
}

std::uint32_t StageData::find_parent_row(Track& track, std::uint32_t row) noexcept {
    const std::uint32_t index = SlotTable::index_of(track.movers.id(row));
    const std::uint32_t above = slots[index].parent;
    if (has_row(above) && slots[above].track == slots[index].track) {
        return row_of(above);
    }
    std::vector<std::uint32_t>& guests = track.family.guests;
    auto found = std::find(guests.begin(), guests.end(), above);
    if (found == guests.end() && guests.size() == FamilyPlan::kMaxGuests) {
        return MoverTable::kNone;
    }
    if (found == guests.end()) {
        found = guests.insert(guests.end(), above);
    }
    return track.movers.guest_row() + static_cast<std::uint32_t>(found - guests.begin());
}

void StageData::plan_family(Track& track) noexcept {
    FamilyPlan& plan = track.family;
    MoverTable& movers = track.movers;
    const auto for_each_below = [&movers](const auto& visit) {
        for (std::size_t block = 0; block < movers.block_count(); ++block) {
            for_each_row(block, movers.rows_of(block) & movers.words(RowMask::Below)[block], visit);
        }
    };
    plan.valid = true;
    plan.guests.clear();
    for_each_below([&](std::uint32_t row) { plan.parent[row] = find_parent_row(track, row); });
    std::array<std::uint32_t, kMaxDepth + 2> counts{};
    for_each_below([&](std::uint32_t row) {
        std::uint8_t generation = 0;
        for (std::uint32_t above = plan.parent[row];
             above < movers.size() && movers.test(RowMask::Below, above);
             above = plan.parent[above]) {
            ++generation;
        }
        plan.generation[row] = generation;
        ++counts[generation + 1U];
    });
    for (std::size_t generation = 1; generation < counts.size(); ++generation) {
        counts[generation] += counts[generation - 1];
    }
    plan.order_size = counts.back();
    for_each_below([&](std::uint32_t row) { plan.order[counts[plan.generation[row]]++] = row; });
    plan_runs(plan);
}

void StageData::append_children(Track& track, std::uint32_t index, std::uint32_t& size) noexcept {
    Column<std::uint32_t>& order = track.family.order;
    const std::uint32_t first = size;
    for (std::uint32_t child = slots[index].first_child; child != Slot::kNone;
         child = slots[child].next) {
        if (has_row(child) && &track_of(child) == &track) {
            order[size++] = row_of(child);
        }
    }
    // Children are linked newest first.
    std::reverse(order.data() + first, order.data() + size);
}

void StageData::sort_family(Track& track) noexcept {
    FamilyPlan& plan = track.family;
    MoverTable& movers = track.movers;
    std::uint32_t size = 0;
    // Rows without a parent here first, in the order they have; then below each row what hangs
    // there.
    for (std::uint32_t row = 0; row < movers.size(); ++row) {
        if (!movers.test(RowMask::Below, row) || plan.parent[row] == MoverTable::kNone) {
            plan.order[size++] = row;
        }
    }
    for (const std::uint32_t guest : plan.guests) {
        append_children(track, guest, size);
    }
    for (std::uint32_t next = 0; next < size; ++next) {
        append_children(track, SlotTable::index_of(movers.id(plan.order[next])), size);
    }
    movers.reorder({plan.order.data(), movers.size()});
    for (std::uint32_t row = 0; row < movers.size(); ++row) {
        slots.set_row(SlotTable::index_of(movers.id(row)), row);
    }
    plan.change_count = 0;
}

void StageData::prepare_family(Track& track) noexcept {
    if (track.family.valid) {
        return;
    }
    plan_family(track);
    if (is_scattered(track.family, track.movers.size())) {
        sort_family(track);
        plan_family(track);
    }
}

void StageData::write_family_matrices(Track& track) noexcept {
    const FamilyPlan& plan = track.family;
    MoverTable& movers = track.movers;
    if (!track.frame.target || plan.order_size == 0) {
        return;
    }
    for (std::size_t guest = 0; guest < plan.guests.size(); ++guest) {
        const std::uint32_t index = plan.guests[guest];
        store_placement(track, movers.guest_row() + guest, index, world(index));
    }
    const WorldBatch batch{.local = movers.visual_source(),
                           .scaled = movers.words(RowMask::Scaled),
                           .above = movers.words(RowMask::Above),
                           .parent = plan.parent.data(),
                           .world = movers.world(),
                           .matrices = track.batch.matrices,
                           .origin = track.frame.target->origin,
                           .stream = track.batch.stream,
                           .stream_world = track.batch.stream_world,
                           .is_rigid = track.batch.is_rigid};
    for (std::uint32_t first = 0; first < plan.order_size; first = plan.run_end[first]) {
        place_run(track, batch, first);
    }
}

void StageData::place_run(Track& track, const WorldBatch& batch, std::uint32_t first) noexcept {
    const FamilyPlan& plan = track.family;
    const std::uint32_t row = plan.order[first];
    const std::uint32_t count = plan.run_end[first] - first;
    const bool fits = row + count <= track.frame.target->matrices.size();
    if (plan.parent[row] != MoverTable::kNone && fits) {
        place_rows(batch, row, count);
        return;
    }
    for (std::uint32_t item = 0; item < count; ++item) {
        write_matrix(track, row + item);
    }
}

} // namespace glissade
