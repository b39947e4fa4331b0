// SPDX-License-Identifier: MIT
// Poses into columns.
#include "kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/store_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/store_group-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

void store_staged_rows(const StagedPose* staged, std::size_t count, const PoseTarget& columns,
                       std::size_t first_row, bool stream) {
    const RowTarget out = find_row(columns, first_row);
    std::size_t i = stream ? stream_staged(staged, count, out, first_row) : 0;
    for (; i + kGroup <= count; i += kGroup) {
        static_cast<void>(store_group<false>(reinterpret_cast<const unsigned char*>(staged + i),
                                             sizeof(StagedPose), out, i));
    }
    for (; i < count; ++i) {
        store_one(staged[i].pose, out, i);
    }
}

/// Columns of poses from some item on; null for a scale of 1.
struct ItemSource {
    const double* position[3];
    const float* rotation[4];
    const float* scale[3];
};

template <class T>
HWY_INLINE const T* find_item(std::span<const T> column, std::size_t item) {
    return column.empty() ? nullptr : column.data() + item;
}

HWY_INLINE ItemSource find_items(const PoseColumns& poses, std::size_t item) {
    return {{find_item(poses.x, item), find_item(poses.y, item), find_item(poses.z, item)},
            {find_item(poses.qx, item), find_item(poses.qy, item), find_item(poses.qz, item),
             find_item(poses.qw, item)},
            {find_item(poses.scale_x, item), find_item(poses.scale_y, item),
             find_item(poses.scale_z, item)}};
}

/// What becomes of items whose columns are gone through.
enum class Pass { Check, Store, Stream };

/// Rows that are gone through together: a cache line of floats, two of doubles. Whole lines are
/// streamed at a time: lines that are filled in turns cost four times as much.
constexpr std::size_t kStep = 16;

template <Pass Way>
HWY_INLINE void put(Doubles values, double* to) {
#if HWY_HAVE_FLOAT64
    if constexpr (Way == Pass::Stream) {
        hn::Stream(values, DoubleTag(), to);
        return;
    }
#endif // Else there is nothing to stream with.
    if constexpr (Way != Pass::Check) {
        store_doubles(values, to);
    }
}

template <Pass Way>
HWY_INLINE void put(const Floats* line, float* to) {
    const FloatTag tag;
    for (std::size_t i = 0; i < kStep / kFloatLanes; ++i) {
        if constexpr (Way == Pass::Stream) {
            hn::Stream(line[i], tag, to + i * kFloatLanes);
        } else if constexpr (Way == Pass::Store) {
            hn::StoreU(line[i], tag, to + i * kFloatLanes);
        }
    }
}

// Of whole steps of one column: true if all are within the limit. They are put in any case: the
// answers are collected and asked for once.
template <Pass Way>
HWY_NOINLINE bool pass_positions(const double* from, double* HWY_RESTRICT to, std::size_t count) {
    const Doubles high = fill_doubles(kMaxPosition);
    const Doubles low = fill_doubles(-kMaxPosition);
    DoubleMask are_within = is_at_most(low, high);
    for (std::size_t row = 0; row < count; row += kStep) {
        for (std::size_t i = row; i < row + kStep; i += kDoubleLanes) {
            const Doubles value = load_doubles(from + i);
            are_within = both(are_within, both(is_at_most(low, value), is_at_most(value, high)));
            put<Way>(value, to + i);
        }
    }
    return double_word(are_within) == (std::uint64_t{1} << kDoubleLanes) - 1;
}

// The same for rotations that are unit.
template <Pass Way>
HWY_NOINLINE bool pass_rotations(const ItemSource& from, const RowTarget& out, std::size_t item,
                                 std::size_t count) {
    const FloatTag tag;
    const float* const source[4] = {from.rotation[0] + item, from.rotation[1] + item,
                                    from.rotation[2] + item, from.rotation[3] + item};
    float* const target[4] = {out.rotation[0] + item, out.rotation[1] + item,
                              out.rotation[2] + item, out.rotation[3] + item};
    constexpr std::size_t kVectors = kStep / kFloatLanes;
    const Floats one = hn::Set(tag, 1.0F);
    FloatMask are_unit = hn::Eq(one, one);
    for (std::size_t row = 0; row < count; row += kStep) {
        Floats line[4][kVectors];
        for (std::size_t i = 0; i < kVectors; ++i) {
            const std::size_t at = row + i * kFloatLanes;
            line[0][i] = hn::LoadU(tag, source[0] + at);
            line[1][i] = hn::LoadU(tag, source[1] + at);
            line[2][i] = hn::LoadU(tag, source[2] + at);
            line[3][i] = hn::LoadU(tag, source[3] + at);
            const Floats square =
                ((line[0][i] * line[0][i] + line[1][i] * line[1][i]) + line[2][i] * line[2][i]) +
                line[3][i] * line[3][i];
            const Floats deviation = hn::Abs(square - one);
            are_unit = hn::And(are_unit, hn::Le(deviation, hn::Set(tag, kUnitTolerance)));
        }
        for (std::size_t part = 0; part < 4; ++part) {
            put<Way>(line[part], target[part] + row);
        }
    }
    return hn::AllTrue(tag, are_unit);
}

HWY_NOINLINE bool are_plain_scales(const float* column, std::size_t count) {
    const FloatTag tag;
    const Floats one = hn::Set(tag, 1.0F);
    FloatMask are_one = hn::Eq(one, one);
    for (std::size_t i = 0; i < count; i += kFloatLanes) {
        are_one = hn::And(are_one, hn::Eq(hn::LoadU(tag, column + i), one));
    }
    return hn::AllTrue(tag, are_one);
}

// Whole steps from `item` on, one column after the other: true if all are plain.
template <Pass Way>
HWY_INLINE bool pass_columns(const ItemSource& from, const RowTarget& out, std::size_t item,
                             std::size_t count) {
    bool are_plain = true;
    for (std::size_t axis = 0; axis < 3 && are_plain; ++axis) {
        const float* const scale = from.scale[axis];
        are_plain =
            (scale == nullptr || are_plain_scales(scale + item, count)) &&
            pass_positions<Way>(from.position[axis] + item, out.position[axis] + item, count);
    }
    return are_plain && pass_rotations<Way>(from, out, item, count);
}

HWY_INLINE Pose load_one(const ItemSource& from, std::size_t item) {
    Pose pose;
    pose.position = {from.position[0][item], from.position[1][item], from.position[2][item]};
    pose.rotation = quat_xyzw(from.rotation[0][item], from.rotation[1][item],
                              from.rotation[2][item], from.rotation[3][item]);
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        const float* const column = from.scale[axis];
        pose.scale[axis] = column == nullptr ? 1.0F : column[item];
    }
    return pose;
}

// One by one, as long as they are plain.
HWY_NOINLINE std::size_t store_leading(const ItemSource& from, const RowTarget& out,
                                       std::size_t item, std::size_t count) {
    std::size_t stored = 0;
    for (; stored < count; ++stored) {
        const Pose pose = load_one(from, item + stored);
        if (!is_plain_one(pose)) {
            break;
        }
        store_one(pose, out, item + stored);
    }
    return stored;
}

// Whole steps from `item` on, of which one is not plain. Which one is found by halves.
HWY_NOINLINE std::size_t store_until_fault(const ItemSource& from, const RowTarget& out,
                                           std::size_t item, std::size_t count) {
    std::size_t stored = 0;
    for (std::size_t part = count / kStep / 2 * kStep; part > 0; part = part / kStep / 2 * kStep) {
        if (pass_columns<Pass::Check>(from, out, item + stored, part)) {
            static_cast<void>(pass_columns<Pass::Store>(from, out, item + stored, part));
            stored += part;
        }
    }
    return stored + store_leading(from, out, item + stored, count - stored);
}

/// So many rows of one column are gone through before those of the next: few and long streams are
/// what the caches are fast at. Past the caches it is a block of each column in turn.
constexpr std::size_t kChunkRows = 4096;

// Up to a chunk from `item` on; its rows begin a block if they are streamed.
HWY_INLINE std::size_t store_chunk(const ItemSource& from, const RowTarget& out, std::size_t item,
                                   std::size_t count, const StoreForm& form) {
    const std::size_t whole = count / kStep * kStep;
    bool are_plain = !form.keeps_rest || pass_columns<Pass::Check>(from, out, item, whole);
    if (are_plain && form.stream) {
        are_plain = pass_columns<Pass::Stream>(from, out, item, whole);
    } else if (are_plain) {
        are_plain = pass_columns<Pass::Store>(from, out, item, whole);
    }
    return are_plain ? whole + store_leading(from, out, item + whole, count - whole)
                     : store_until_fault(from, out, item, whole);
}

std::size_t store_plain_columns(const PoseColumns& poses, std::size_t first_item, std::size_t count,
                                const PoseTarget& columns, std::size_t first_row,
                                const StoreForm& form) {
    const ItemSource from = find_items(poses, first_item);
    const RowTarget out = find_row(columns, first_row);
    // Up to the start of a block first, so that all that follows begins with whole lines.
    const std::size_t before = (kBlockRows - first_row % kBlockRows) % kBlockRows;
    std::size_t wanted = std::min(count, before);
    std::size_t stored = store_chunk(from, out, 0, wanted, {.keeps_rest = form.keeps_rest});
    while (stored == wanted && stored < count) {
        const std::size_t length = std::min(count - stored, form.stream ? kBlockRows : kChunkRows);
        wanted = stored + length;
        stored += store_chunk(from, out, stored, length, form);
    }
    return stored;
}

bool check_plain_columns(const PoseColumns& poses, std::size_t first_item, std::size_t count) {
    return pass_columns<Pass::Check>(find_items(poses, first_item), RowTarget{}, 0, count);
}

std::size_t store_plain_poses(const Pose* poses, std::size_t count, const PoseTarget& columns,
                              std::size_t first_row, bool stream) {
    const RowTarget out = find_row(columns, first_row);
    const auto bytes_of = [poses](std::size_t i) {
        return reinterpret_cast<const unsigned char*>(poses + i);
    };
    std::size_t i = stream ? stream_leading(poses, count, out, first_row) : 0;
    while (i + kGroup <= count && store_group<true>(bytes_of(i), sizeof(Pose), out, i)) {
        i += kGroup;
    }
    for (; i < count && is_plain_one(poses[i]); ++i) {
        store_one(poses[i], out, i);
    }
    return i;
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glissade {

HWY_EXPORT(store_staged_rows);
HWY_EXPORT(store_plain_poses);
HWY_EXPORT(store_plain_columns);
HWY_EXPORT(check_plain_columns);

void flush_streams() noexcept {
    hwy::FlushStream();
}

void store_staged(const StagedPose* staged, std::size_t count, const PoseTarget& out,
                  std::size_t first_row, bool stream) noexcept {
    HWY_DYNAMIC_DISPATCH(store_staged_rows)(staged, count, out, first_row, stream);
}

std::size_t store_plain(std::span<const Pose> poses, const PoseTarget& out, std::size_t first_row,
                        bool stream) noexcept {
    return HWY_DYNAMIC_DISPATCH(store_plain_poses)(poses.data(), poses.size(), out, first_row,
                                                   stream);
}

bool are_plain_columns(const PoseColumns& poses, std::size_t first_item,
                       std::size_t count) noexcept {
    return HWY_DYNAMIC_DISPATCH(check_plain_columns)(poses, first_item, count);
}

std::size_t store_plain(const PoseColumns& poses, std::size_t first_item, std::size_t count,
                        const PoseTarget& out, std::size_t first_row,
                        const StoreForm& form) noexcept {
    return HWY_DYNAMIC_DISPATCH(store_plain_columns)(poses, first_item, count, out, first_row,
                                                     form);
}

} // namespace glissade
#endif
