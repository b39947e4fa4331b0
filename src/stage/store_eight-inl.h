// SPDX-License-Identifier: MIT
// Eight poses at a time into columns, for targets with vectors of four doubles. Included once for
// each target.
#if defined(GLISSADE_STAGE_STORE_EIGHT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_STORE_EIGHT_INL_H
#undef GLISSADE_STAGE_STORE_EIGHT_INL_H
#else
#define GLISSADE_STAGE_STORE_EIGHT_INL_H
#endif

#include "stage/row_target-inl.h"

#include <algorithm>

// Clang does not like such a region without functions, so that nothing is left on narrow targets.
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE && HWY_MAX_BYTES >= 32

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

constexpr std::size_t kGroup = 8;

using TwoDoubles = hn::FixedTag<double, 2>;
using FourDoubles = hn::FixedTag<double, 4>;
using FourFloats = hn::FixedTag<float, 4>;
using EightFloats = hn::FixedTag<float, 8>;
using Quad = hn::Vec<FourDoubles>;
using Eight = hn::Vec<EightFloats>;

// Two doubles of each of two poses side by side.
HWY_INLINE Quad load_pairs(const unsigned char* low, const unsigned char* high) {
    const TwoDoubles tag;
    return hn::Combine(FourDoubles(), hn::LoadU(tag, reinterpret_cast<const double*>(high)),
                       hn::LoadU(tag, reinterpret_cast<const double*>(low)));
}

// One coordinate of the poses 0 to 3 and of the poses 4 to 7.
struct Coordinates {
    Quad low;
    Quad high;
};

HWY_INLINE hn::Mask<FourDoubles> are_within(const Coordinates& values) {
    const FourDoubles tag;
    const Quad limit = hn::Set(tag, kMaxPosition);
    return hn::And(hn::Le(hn::Abs(values.low), limit), hn::Le(hn::Abs(values.high), limit));
}

HWY_INLINE bool are_unit(Eight x, Eight y, Eight z, Eight w) {
    const EightFloats tag;
    const Eight square = ((x * x + y * y) + z * z) + w * w;
    const Eight deviation = hn::Abs(square - hn::Set(tag, 1.0F));
    return hn::AllTrue(tag, hn::Le(deviation, hn::Set(tag, kUnitTolerance)));
}

// All bits that differ from those of 1; the last word is padding.
HWY_INLINE bool are_unscaled(const unsigned char* poses, std::size_t stride_bytes) {
    const hn::FixedTag<std::uint32_t, 4> tag;
    const auto one = hn::Set(tag, 0x3F800000U);
    auto differing = hn::Zero(tag);
    for (std::size_t i = 0; i < kGroup; ++i) {
        const unsigned char* const scale = poses + i * stride_bytes + 40;
        const auto bits = hn::LoadU(tag, reinterpret_cast<const std::uint32_t*>(scale));
        differing = hn::Or(differing, hn::Xor(bits, one));
    }
    return hn::AllTrue(
        tag, hn::Or(hn::Eq(differing, hn::Zero(tag)), hn::Eq(hn::Iota(tag, 0), hn::Set(tag, 3U))));
}

/// Eight poses, turned round.
struct Group {
    Coordinates position[3];
    Eight rotation[4];
};

HWY_INLINE Group load_group(const unsigned char* poses, std::size_t stride_bytes) {
    const auto load = [poses, stride_bytes](std::size_t low, std::size_t high, std::size_t offset) {
        return load_pairs(poses + low * stride_bytes + offset,
                          poses + high * stride_bytes + offset);
    };
    const FourDoubles quads;
    const Quad xy02 = load(0, 2, 0);
    const Quad xy13 = load(1, 3, 0);
    const Quad xy46 = load(4, 6, 0);
    const Quad xy57 = load(5, 7, 0);
    const EightFloats tag;
    const auto load_rotations = [&load, tag](std::size_t low, std::size_t high) {
        return hn::BitCast(tag, load(low, high, 24));
    };
    // Halves of the poses 0 and 4, 1 and 5, ... first, then pairs of those.
    const Eight q04 = load_rotations(0, 4);
    const Eight q15 = load_rotations(1, 5);
    const Eight q26 = load_rotations(2, 6);
    const Eight q37 = load_rotations(3, 7);
    const Quad xy01 = hn::BitCast(quads, hn::InterleaveLower(tag, q04, q15));
    const Quad xy23 = hn::BitCast(quads, hn::InterleaveLower(tag, q26, q37));
    const Quad zw01 = hn::BitCast(quads, hn::InterleaveUpper(tag, q04, q15));
    const Quad zw23 = hn::BitCast(quads, hn::InterleaveUpper(tag, q26, q37));
    return {{{hn::InterleaveLower(quads, xy02, xy13), hn::InterleaveLower(quads, xy46, xy57)},
             {hn::InterleaveUpper(quads, xy02, xy13), hn::InterleaveUpper(quads, xy46, xy57)},
             {hn::InterleaveLower(quads, load(0, 2, 16), load(1, 3, 16)),
              hn::InterleaveLower(quads, load(4, 6, 16), load(5, 7, 16))}},
            {hn::BitCast(tag, hn::InterleaveLower(quads, xy01, xy23)),
             hn::BitCast(tag, hn::InterleaveUpper(quads, xy01, xy23)),
             hn::BitCast(tag, hn::InterleaveLower(quads, zw01, zw23)),
             hn::BitCast(tag, hn::InterleaveUpper(quads, zw01, zw23))}};
}

HWY_INLINE bool is_plain_group(const Group& group, const unsigned char* poses,
                               std::size_t stride_bytes) {
    const auto are_near =
        hn::And(are_within(group.position[0]),
                hn::And(are_within(group.position[1]), are_within(group.position[2])));
    return hn::AllTrue(FourDoubles(), are_near) &&
           are_unit(group.rotation[0], group.rotation[1], group.rotation[2], group.rotation[3]) &&
           are_unscaled(poses, stride_bytes);
}

// False if one of them is not plain; then none is stored.
template <bool Checked>
HWY_INLINE bool store_group(const unsigned char* poses, std::size_t stride_bytes,
                            const RowTarget& out, std::size_t row) {
    const Group group = load_group(poses, stride_bytes);
    if (Checked && !is_plain_group(group, poses, stride_bytes)) {
        return false;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        hn::StoreU(group.position[axis].low, FourDoubles(), out.position[axis] + row);
        hn::StoreU(group.position[axis].high, FourDoubles(), out.position[axis] + row + 4);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        hn::StoreU(group.rotation[part], EightFloats(), out.rotation[part] + row);
    }
    return true;
}

// The same for two groups, past the caches: whole lines, one after the other.
template <bool Checked, std::size_t Stride>
HWY_INLINE bool stream_groups(const unsigned char* poses, const RowTarget& out, std::size_t row) {
    const unsigned char* const others = poses + kGroup * Stride;
    const Group first = load_group(poses, Stride);
    const Group second = load_group(others, Stride);
    if (Checked &&
        (!is_plain_group(first, poses, Stride) || !is_plain_group(second, others, Stride))) {
        return false;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double* const to = out.position[axis] + row;
        hn::Stream(first.position[axis].low, FourDoubles(), to);
        hn::Stream(first.position[axis].high, FourDoubles(), to + 4);
        hn::Stream(second.position[axis].low, FourDoubles(), to + 8);
        hn::Stream(second.position[axis].high, FourDoubles(), to + 12);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        hn::Stream(first.rotation[part], EightFloats(), out.rotation[part] + row);
        hn::Stream(second.rotation[part], EightFloats(), out.rotation[part] + row + kGroup);
    }
    return true;
}

// Leading poses past the caches, as long as whole lines of them are plain. Returns how many.
HWY_INLINE std::size_t stream_leading(const Pose* poses, std::size_t count, const RowTarget& out,
                                      std::size_t first_row) {
    // Up to the start of a line one by one, so that all that follows is whole lines.
    constexpr std::size_t kLine = 2 * kGroup;
    const std::size_t before = std::min(count, (kLine - first_row % kLine) % kLine);
    std::size_t i = 0;
    while (i < before && is_plain_one(poses[i])) {
        store_one(poses[i], out, i);
        ++i;
    }
    while (i >= before && i + kLine <= count &&
           stream_groups<true, sizeof(Pose)>(reinterpret_cast<const unsigned char*>(poses + i), out,
                                             i)) {
        i += kLine;
    }
    return i;
}

// The same for staged poses, which are known to be plain. None if their rows begin inside a line.
HWY_INLINE std::size_t stream_staged(const StagedPose* staged, std::size_t count,
                                     const RowTarget& out, std::size_t first_row) {
    constexpr std::size_t kLine = 2 * kGroup;
    std::size_t i = 0;
    for (; first_row % kLine == 0 && i + kLine <= count; i += kLine) {
        static_cast<void>(stream_groups<false, sizeof(StagedPose)>(
            reinterpret_cast<const unsigned char*>(staged + i), out, i));
    }
    return i;
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#endif
