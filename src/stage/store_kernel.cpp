// SPDX-License-Identifier: MIT
// Poses into columns. Gather instructions would be four times as slow as these interleaves.
#include "kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/store_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// The columns of positions and rotations from some row on.
struct RowTarget {
    double* position[3];
    float* rotation[4];
};

HWY_INLINE RowTarget find_row(const PoseTarget& out, std::size_t row) {
    return {{out.position[0] + row, out.position[1] + row, out.position[2] + row},
            {out.rotation[0] + row, out.rotation[1] + row, out.rotation[2] + row,
             out.rotation[3] + row}};
}

HWY_INLINE void store_one(const Pose& pose, const RowTarget& out, std::size_t row) {
    out.position[0][row] = pose.position.x;
    out.position[1][row] = pose.position.y;
    out.position[2][row] = pose.position.z;
    out.rotation[0][row] = pose.rotation.x;
    out.rotation[1][row] = pose.rotation.y;
    out.rotation[2][row] = pose.rotation.z;
    out.rotation[3][row] = pose.rotation.w;
}

HWY_INLINE bool is_plain_one(const Pose& pose) {
    return check(pose) == PoseStatus::Ok && is_unit(pose.rotation) && pose.scale == glm::vec3(1.0F);
}

// So many poses are read as words of 8 bytes and turned round together.
constexpr std::size_t kGroup = 4;

#if HWY_TARGET == HWY_SCALAR

template <bool Checked>
HWY_INLINE bool store_group(const unsigned char* poses, std::size_t stride_bytes,
                            const RowTarget& out, std::size_t row) {
    for (std::size_t i = 0; i < kGroup; ++i) {
        Pose pose;
        std::memcpy(&pose, poses + i * stride_bytes, sizeof(pose));
        if (Checked && !is_plain_one(pose)) {
            return false;
        }
        store_one(pose, out, row + i);
    }
    return true;
}

#else

using Words = hn::FixedTag<std::uint64_t, 2>;
using WordPair = hn::Vec<Words>;
using FourFloats = hn::FixedTag<float, 4>;
using Four = hn::Vec<FourFloats>;

static_assert(sizeof(Pose) == 56 && offsetof(Pose, rotation) == 24 && offsetof(Pose, scale) == 40);

// The two words at `offset` of two poses, turned round: first the first words of both.
struct WordColumns {
    WordPair first;
    WordPair second;
};

HWY_INLINE WordPair load_words(const unsigned char* from) {
    return hn::BitCast(Words(), hn::LoadU(hn::FixedTag<std::uint8_t, 16>(), from));
}

HWY_INLINE WordColumns load_columns(const unsigned char* pose, const unsigned char* next,
                                    std::size_t offset) {
    const WordPair a = load_words(pose + offset);
    const WordPair b = load_words(next + offset);
    return {hn::InterleaveLower(Words(), a, b), hn::InterleaveUpper(Words(), a, b)};
}

// Magnitudes of doubles are ordered as their bits are; NaN and infinity come last.
HWY_INLINE WordPair exceeds_limit(WordPair position) {
    const hn::RebindToSigned<Words> tag;
    constexpr auto kLimitBits = __builtin_bit_cast(std::int64_t, kMaxPosition);
    constexpr std::int64_t kMagnitude = 0x7FFFFFFFFFFFFFFF;
    const auto magnitude = hn::And(hn::BitCast(tag, position), hn::Set(tag, kMagnitude));
    return hn::BitCast(Words(), hn::VecFromMask(tag, hn::Gt(magnitude, hn::Set(tag, kLimitBits))));
}

HWY_INLINE void store_words(WordPair words, double* to) {
    hn::StoreU(hn::BitCast(hn::FixedTag<std::uint8_t, 16>(), words),
               hn::FixedTag<std::uint8_t, 16>(), reinterpret_cast<std::uint8_t*>(to));
}

HWY_INLINE Four even_floats(WordPair low, WordPair high) {
    const FourFloats tag;
    return hn::ConcatEven(tag, hn::BitCast(tag, high), hn::BitCast(tag, low));
}

HWY_INLINE Four odd_floats(WordPair low, WordPair high) {
    const FourFloats tag;
    return hn::ConcatOdd(tag, hn::BitCast(tag, high), hn::BitCast(tag, low));
}

HWY_INLINE bool are_unit(Four x, Four y, Four z, Four w) {
    const FourFloats tag;
    const Four square = ((x * x + y * y) + z * z) + w * w;
    const Four deviation = hn::Abs(square - hn::Set(tag, 1.0F));
    return hn::AllTrue(tag, hn::Le(deviation, hn::Set(tag, kUnitTolerance)));
}

HWY_INLINE bool are_one(Four x, Four y, Four z) {
    const FourFloats tag;
    const Four one = hn::Set(tag, 1.0F);
    return hn::AllTrue(tag, hn::And(hn::Eq(x, one), hn::And(hn::Eq(y, one), hn::Eq(z, one))));
}

// False if one of them is not plain; then none is stored.
template <bool Checked>
HWY_INLINE bool store_group(const unsigned char* poses, std::size_t stride_bytes,
                            const RowTarget& out, std::size_t row) {
    const unsigned char* const pose[kGroup] = {poses, poses + stride_bytes,
                                               poses + 2 * stride_bytes, poses + 3 * stride_bytes};
    // Words of a pose: x, y, z, then pairs of floats: rotation xy and zw, scale xy and z.
    const WordColumns xy0 = load_columns(pose[0], pose[1], 0);
    const WordColumns xy2 = load_columns(pose[2], pose[3], 0);
    const WordColumns zq0 = load_columns(pose[0], pose[1], 16);
    const WordColumns zq2 = load_columns(pose[2], pose[3], 16);
    const WordColumns qs0 = load_columns(pose[0], pose[1], 32);
    const WordColumns qs2 = load_columns(pose[2], pose[3], 32);
    const Four qx = even_floats(zq0.second, zq2.second);
    const Four qy = odd_floats(zq0.second, zq2.second);
    const Four qz = even_floats(qs0.first, qs2.first);
    const Four qw = odd_floats(qs0.first, qs2.first);
    if (Checked) {
        // The last word of a pose again has the scale's y before it.
        const WordColumns yz0 = load_columns(pose[0], pose[1], 40);
        const WordColumns yz2 = load_columns(pose[2], pose[3], 40);
        const WordPair too_far =
            hn::Or(hn::Or(exceeds_limit(xy0.first), exceeds_limit(xy2.first)),
                   hn::Or(hn::Or(exceeds_limit(xy0.second), exceeds_limit(xy2.second)),
                          hn::Or(exceeds_limit(zq0.first), exceeds_limit(zq2.first))));
        const bool is_near = hn::AllTrue(Words(), hn::Eq(too_far, hn::Zero(Words())));
        if (!is_near || !are_unit(qx, qy, qz, qw) ||
            !are_one(even_floats(yz0.first, yz2.first), odd_floats(yz0.first, yz2.first),
                     even_floats(yz0.second, yz2.second))) {
            return false;
        }
    }
    store_words(xy0.first, out.position[0] + row);
    store_words(xy2.first, out.position[0] + row + 2);
    store_words(xy0.second, out.position[1] + row);
    store_words(xy2.second, out.position[1] + row + 2);
    store_words(zq0.first, out.position[2] + row);
    store_words(zq2.first, out.position[2] + row + 2);
    hn::StoreU(qx, FourFloats(), out.rotation[0] + row);
    hn::StoreU(qy, FourFloats(), out.rotation[1] + row);
    hn::StoreU(qz, FourFloats(), out.rotation[2] + row);
    hn::StoreU(qw, FourFloats(), out.rotation[3] + row);
    return true;
}

#endif

void store_staged_rows(const StagedPose* staged, std::size_t count, const PoseTarget& columns,
                       std::size_t first_row) {
    const RowTarget out = find_row(columns, first_row);
    std::size_t i = 0;
    for (; i + kGroup <= count; i += kGroup) {
        static_cast<void>(store_group<false>(reinterpret_cast<const unsigned char*>(staged + i),
                                             sizeof(StagedPose), out, i));
    }
    for (; i < count; ++i) {
        store_one(staged[i].pose, out, i);
    }
}

std::size_t store_plain_rows(const Pose* poses, std::size_t count, const PoseTarget& columns,
                             std::size_t first_row) {
    const RowTarget out = find_row(columns, first_row);
    std::size_t i = 0;
    while (i + kGroup <= count &&
           store_group<true>(reinterpret_cast<const unsigned char*>(poses + i), sizeof(Pose), out,
                             i)) {
        i += kGroup;
    }
    for (; i < count && is_plain_one(poses[i]); ++i) {
        store_one(poses[i], out, i);
    }
    return i;
}

/// Columns of poses from some item on; null for a scale of 1.
struct ItemSource {
    const double* position[3];
    const float* rotation[4];
    const float* scale[3];
};

// Of a whole block from `item` on. The answers are collected in vectors and asked for once.
HWY_INLINE bool are_plain_positions(ItemSource from, std::size_t item) {
    const Doubles high = fill_doubles(kMaxPosition);
    const Doubles low = fill_doubles(-kMaxPosition);
    DoubleMask are_within = is_at_most(low, high);
    for (const double* const column : from.position) {
        for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
            const Doubles position = load_doubles(column + item + row);
            are_within =
                both(are_within, both(is_at_most(low, position), is_at_most(position, high)));
        }
    }
    return double_word(are_within) == (std::uint64_t{1} << kDoubleLanes) - 1;
}

HWY_INLINE bool are_plain_rotations(ItemSource from, std::size_t item) {
    const FloatTag tag;
    const Floats zero = hn::Zero(tag);
    FloatMask are_unit = hn::Eq(zero, zero);
    for (std::size_t row = item; row < item + kBlockRows; row += kFloatLanes) {
        const Floats x = hn::LoadU(tag, from.rotation[0] + row);
        const Floats y = hn::LoadU(tag, from.rotation[1] + row);
        const Floats z = hn::LoadU(tag, from.rotation[2] + row);
        const Floats w = hn::LoadU(tag, from.rotation[3] + row);
        const Floats square = ((x * x + y * y) + z * z) + w * w;
        const Floats deviation = hn::Abs(square - hn::Set(tag, 1.0F));
        are_unit = hn::And(are_unit, hn::Le(deviation, hn::Set(tag, kUnitTolerance)));
    }
    return hn::AllTrue(tag, are_unit);
}

HWY_INLINE bool are_plain_scales(ItemSource from, std::size_t item) {
    const FloatTag tag;
    const Floats one = hn::Set(tag, 1.0F);
    FloatMask are_one = hn::Eq(one, one);
    for (const float* const column : from.scale) {
        for (std::size_t row = 0; column != nullptr && row < kBlockRows; row += kFloatLanes) {
            are_one = hn::And(are_one, hn::Eq(hn::LoadU(tag, column + item + row), one));
        }
    }
    return hn::AllTrue(tag, are_one);
}

HWY_INLINE bool is_plain_block(const ItemSource& from, std::size_t item) {
    return are_plain_positions(from, item) && are_plain_rotations(from, item) &&
           are_plain_scales(from, item);
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

// From `item` on, at most a block; stops at the first that is not plain.
HWY_INLINE std::size_t count_plain(const ItemSource& from, std::size_t item, std::size_t count) {
    if (count == kBlockRows && is_plain_block(from, item)) {
        return kBlockRows;
    }
    std::size_t plain = 0;
    while (plain < count && is_plain_one(load_one(from, item + plain))) {
        ++plain;
    }
    return plain;
}

template <class T>
HWY_INLINE const T* find_item(std::span<const T> column, std::size_t item) {
    return column.empty() ? nullptr : column.data() + item;
}

// Whole blocks in vectors: a call of memcpy() for half a kilobyte costs as much as the copy.
HWY_INLINE void copy_items(const double* from, double* to, std::size_t count) {
    std::size_t i = 0;
    for (; i + kDoubleLanes <= count; i += kDoubleLanes) {
        store_doubles(load_doubles(from + i), to + i);
    }
    std::copy(from + i, from + count, to + i);
}

HWY_INLINE void copy_items(const float* from, float* to, std::size_t count) {
    const FloatTag tag;
    std::size_t i = 0;
    for (; i + kFloatLanes <= count; i += kFloatLanes) {
        hn::StoreU(hn::LoadU(tag, from + i), tag, to + i);
    }
    std::copy(from + i, from + count, to + i);
}

std::size_t store_plain_columns(const PoseColumns& poses, std::size_t first_item, std::size_t count,
                                const PoseTarget& columns, std::size_t first_row) {
    const ItemSource from{
        {find_item(poses.x, first_item), find_item(poses.y, first_item),
         find_item(poses.z, first_item)},
        {find_item(poses.qx, first_item), find_item(poses.qy, first_item),
         find_item(poses.qz, first_item), find_item(poses.qw, first_item)},
        {find_item(poses.scale_x, first_item), find_item(poses.scale_y, first_item),
         find_item(poses.scale_z, first_item)}};
    const RowTarget out = find_row(columns, first_row);
    std::size_t stored = 0;
    std::size_t plain = 0;
    // Copied while the checked values are still in the first-level cache.
    do {
        const std::size_t wanted = std::min(count - stored, kBlockRows);
        plain = wanted == 0 ? 0 : count_plain(from, stored, wanted);
        for (std::size_t axis = 0; axis < 3 && plain > 0; ++axis) {
            copy_items(from.position[axis] + stored, out.position[axis] + stored, plain);
        }
        for (std::size_t part = 0; part < 4 && plain > 0; ++part) {
            copy_items(from.rotation[part] + stored, out.rotation[part] + stored, plain);
        }
        stored += plain;
    } while (plain == kBlockRows);
    return stored;
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glissade {

HWY_EXPORT(store_staged_rows);
HWY_EXPORT(store_plain_rows);
HWY_EXPORT(store_plain_columns);

void store_staged(const StagedPose* staged, std::size_t count, const PoseTarget& out,
                  std::size_t first_row) noexcept {
    HWY_DYNAMIC_DISPATCH(store_staged_rows)(staged, count, out, first_row);
}

std::size_t store_plain(std::span<const Pose> poses, const PoseTarget& out,
                        std::size_t first_row) noexcept {
    return HWY_DYNAMIC_DISPATCH(store_plain_rows)(poses.data(), poses.size(), out, first_row);
}

std::size_t store_plain(const PoseColumns& poses, std::size_t first_item, std::size_t count,
                        const PoseTarget& out, std::size_t first_row) noexcept {
    return HWY_DYNAMIC_DISPATCH(store_plain_columns)(poses, first_item, count, out, first_row);
}

} // namespace glissade
#endif
