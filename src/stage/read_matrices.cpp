// SPDX-License-Identifier: MIT
// World matrices by handle: the poses of any objects are put side by side, and kernels do the rest.
#include "glissade/stage/stage.h"

#include "stage/stage_data.h"

#include <algorithm>
#include <array>

namespace glissade {

namespace {

/// Calls with fewer objects are not worth a kernel, which works on a whole block.
constexpr std::size_t kFewest = 8;
/// So many items before its turn the key of an item is asked for.
constexpr std::size_t kKeysAhead = 16;

/// A block of poses in columns, from wherever they come.
class PoseBlock {
public:
    /// Behind `count` poses there is something finite: kernels read whole blocks.
    explicit PoseBlock(std::size_t count) noexcept {
        for (std::size_t item = count; item < kBlockRows; ++item) {
            set(item, {});
        }
    }
    // It refers to itself.
    PoseBlock(const PoseBlock&) = delete;
    PoseBlock(PoseBlock&&) = delete;
    PoseBlock& operator=(const PoseBlock&) = delete;
    PoseBlock& operator=(PoseBlock&&) = delete;
    ~PoseBlock() = default;

    void set(std::size_t item, const Pose& pose) noexcept {
        store_pose(columns_, item, pose);
        if (pose.scale != glm::vec3(1.0F)) {
            scaled_ |= std::uint64_t{1} << item;
        }
    }

    /// The item is a row of `poses` that has no scale.
    void set_row(std::size_t item, const PoseTarget& poses, std::uint32_t row) noexcept {
        copy(poses, [item, row](const auto* from, auto* to) noexcept { to[item] = from[row]; });
    }
    /// The first `count` items are the rows of `poses` from `row` on, which have no scale.
    void set_rows(std::size_t count, const PoseTarget& poses, std::uint32_t row) noexcept {
        copy(poses, [count, row](const auto* from, auto* to) noexcept {
            std::copy_n(from + row, count, to);
        });
    }

    void write_matrices(std::span<glm::mat3x4> out, const glm::dvec3& origin) noexcept {
        for_each_row(0, scaled_ == 0 ? 0 : ~scaled_, [this](std::uint32_t item) noexcept {
            scale_[0][item] = scale_[1][item] = scale_[2][item] = 1.0F;
        });
        std::uint64_t look = 0;
        BlendBatch batch;
        // Both states the same, and t = 0 copies.
        batch.from = batch.to = to_source(columns_);
        batch.out = columns_;
        batch.duration_s = 1.0;
        batch.scaled = &scaled_;
        batch.look = &look;
        batch.matrices = &out[0][0][0];
        batch.row_count = out.size();
        batch.origin = origin;
        blend_blocks(batch, 0, 1);
    }

private:
    template <class T>
    using Values = std::array<T, kBlockRows>;

    /// Calls `copy_column(from, to)` for the columns of positions and rotations.
    template <class CopyColumn>
    void copy(const PoseTarget& poses, const CopyColumn& copy_column) noexcept {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            copy_column(poses.position[axis], columns_.position[axis]);
        }
        for (std::size_t part = 0; part < 4; ++part) {
            copy_column(poses.rotation[part], columns_.rotation[part]);
        }
    }

    alignas(kColumnAlignmentBytes) std::array<Values<double>, 3> position_;
    std::array<Values<float>, 4> rotation_;
    std::array<Values<float>, 3> scale_; ///< Indeterminate where nobody has set one.
    std::uint64_t scaled_ = 0;
    PoseTarget columns_{.position = {position_[0].data(), position_[1].data(), position_[2].data()},
                        .rotation = {rotation_[0].data(), rotation_[1].data(), rotation_[2].data(),
                                     rotation_[3].data()},
                        .scale = {scale_[0].data(), scale_[1].data(), scale_[2].data()}};
};

/// Whether there is a picture that is all the matrix depends on.
bool is_simple(const StageData& data, const MoverPlace& place) noexcept {
    return place.exists() && data.tracks[place.track_number()].has_pictures &&
           data.tracks[place.track_number()].movers.is_simple(place.row);
}

/// The place of the first of `ids`, if they are rows in a row with pictures that are all their
/// matrices depend on; else nowhere.
MoverPlace find_simple_run(const StageData& data, std::span<const Id> ids) noexcept {
    const MoverPlace place = data.find_run(ids, 0, ids.size());
    if (!place.exists()) {
        return {};
    }
    const Track& track = data.tracks[place.track_number()];
    const bool is_run = track.movers.count_simple_run(place.row, ids) == ids.size();
    return is_run && track.has_pictures ? place : MoverPlace{};
}

/// The places of all items, whose pictures are asked for: where there is no order each of them is
/// somewhere else in memory.
std::array<MoverPlace, kBlockRows> find_places(const StageData& data,
                                               std::span<const Id> ids) noexcept {
    std::array<MoverPlace, kBlockRows> places;
    for (std::size_t item = 0; item < ids.size(); ++item) {
        data.slots.prefetch(ids[std::min(item + kKeysAhead, ids.size() - 1)]);
        const MoverPlace place = data.slots.find_mover(ids[item]);
        if (place.exists()) {
            data.tracks[place.track_number()].movers.prefetch_visual(place.row);
        }
        places[item] = place;
    }
    return places;
}

/// Puts the poses of `ids` into a block, each by itself. Returns the items, a bit each, that are
/// below a parent.
std::uint64_t gather(const StageData& data, std::span<const Id> ids, PoseBlock& block) noexcept {
    const std::array<MoverPlace, kBlockRows> places = find_places(data, ids);
    std::uint64_t below = 0;
    for (std::size_t item = 0; item < ids.size(); ++item) {
        const MoverPlace place = places[item];
        if (is_simple(data, place)) {
            block.set_row(item, data.tracks[place.track_number()].movers.visual_columns(),
                          place.row);
        } else if (data.slots.check(ids[item]) == StageStatus::Ok) {
            const std::uint32_t index = SlotTable::index_of(ids[item]);
            block.set(item, data.visual(index));
            below |= std::uint64_t{data.slots[index].parent != Slot::kNone} << item;
        } else {
            block.set(item, {});
        }
    }
    return below;
}

glm::mat3x4 make_matrix(const StageData& data, Id id, const glm::dvec3& origin) noexcept {
    const bool exists = data.slots.check(id) == StageStatus::Ok;
    return to_mat3x4(exists ? data.world(SlotTable::index_of(id)) : Affine{}, origin);
}

/// Matrices of at most kBlockRows objects, one by one.
void write_few(const StageData& data, std::span<const Id> ids, glm::mat3x4* out,
               const glm::dvec3& origin) noexcept {
    std::transform(ids.begin(), ids.end(), out,
                   [&](Id id) noexcept { return make_matrix(data, id, origin); });
}

/// The same by kernels.
void write_block(const StageData& data, std::span<const Id> ids, glm::mat3x4* out,
                 const glm::dvec3& origin) noexcept {
    PoseBlock block(ids.size());
    std::uint64_t below = 0;
    if (const MoverPlace place = find_simple_run(data, ids); place.exists()) {
        block.set_rows(ids.size(), data.tracks[place.track_number()].movers.visual_columns(),
                       place.row);
    } else {
        below = gather(data, ids, block);
    }
    block.write_matrices({out, ids.size()}, origin);
    for_each_row(0, below, [&](std::uint32_t item) noexcept {
        out[item] = make_matrix(data, ids[item], origin);
    });
}

/// Calls `visit(first, ids, write)` for each block of them. How they are written depends on the
/// whole call, so that an object has the same matrix wherever in a list it stands, if that has
/// kFewest or more.
template <class Visit>
void for_each_block(std::span<const Id> ids, const Visit& visit) noexcept {
    const auto write = ids.size() < kFewest ? write_few : write_block;
    for (std::size_t first = 0; first < ids.size(); first += kBlockRows) {
        visit(first, ids.subspan(first, std::min(kBlockRows, ids.size() - first)), write);
    }
}

glm::mat4 to_mat4(const glm::mat3x4& rows) noexcept {
    const glm::vec4& x = rows[0];
    const glm::vec4& y = rows[1];
    const glm::vec4& z = rows[2];
    return {x[0], y[0], z[0], 0.0F, x[1], y[1], z[1], 0.0F,
            x[2], y[2], z[2], 0.0F, x[3], y[3], z[3], 1.0F};
}

} // namespace

StageStatus Stage::write_matrices(std::span<const Id> ids, std::span<glm::mat3x4> out,
                                  const glm::dvec3& origin) const noexcept {
    if (out.size() < ids.size()) {
        return StageStatus::SizeMismatch;
    }
    for_each_block(ids, [&](std::size_t first, std::span<const Id> some, auto write) noexcept {
        write(*data_, some, out.data() + first, origin);
    });
    return StageStatus::Ok;
}

StageStatus Stage::write_matrices(std::span<const Id> ids, std::span<glm::mat4> out,
                                  const glm::dvec3& origin) const noexcept {
    if (out.size() < ids.size()) {
        return StageStatus::SizeMismatch;
    }
    for_each_block(ids, [&](std::size_t first, std::span<const Id> some, auto write) noexcept {
        std::array<glm::mat3x4, kBlockRows> rows;
        write(*data_, some, rows.data(), origin);
        for (std::size_t item = 0; item < some.size(); ++item) {
            out[first + item] = to_mat4(rows[item]);
        }
    });
    return StageStatus::Ok;
}

} // namespace glissade
