// SPDX-License-Identifier: MIT
// A few poses at a time into columns, in vectors. Gather instructions would be four times as slow
// as these interleaves. Included once for each target.
#if defined(GLISSADE_STAGE_STORE_GROUP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_STORE_GROUP_INL_H
#undef GLISSADE_STAGE_STORE_GROUP_INL_H
#else
#define GLISSADE_STAGE_STORE_GROUP_INL_H
#endif

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

// What is_unit() is finite and not zero.
HWY_INLINE bool is_plain_one(const Pose& pose) {
    const auto is_within = [](double value) {
        return -kMaxPosition <= value && value <= kMaxPosition;
    };
    return is_within(pose.position.x) && is_within(pose.position.y) && is_within(pose.position.z) &&
           is_unit(pose.rotation) && pose.scale == glm::vec3(1.0F);
}

static_assert(sizeof(Pose) == 56 && offsetof(Pose, rotation) == 24 && offsetof(Pose, scale) == 40);

// kGroup poses are turned round together.
#if HWY_TARGET == HWY_SCALAR

constexpr std::size_t kGroup = 4;

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

#elif !HWY_HAVE_SCALABLE && HWY_MAX_BYTES >= 32 // Vectors of four doubles.

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

HWY_INLINE void store_both(const Coordinates& values, double* to) {
    hn::StoreU(values.low, FourDoubles(), to);
    hn::StoreU(values.high, FourDoubles(), to + 4);
}

// False if one of them is not plain; then none is stored.
template <bool Checked>
HWY_INLINE bool store_group(const unsigned char* poses, std::size_t stride_bytes,
                            const RowTarget& out, std::size_t row) {
    const auto load = [poses, stride_bytes](std::size_t low, std::size_t high, std::size_t offset) {
        return load_pairs(poses + low * stride_bytes + offset,
                          poses + high * stride_bytes + offset);
    };
    const FourDoubles quads;
    const Quad xy02 = load(0, 2, 0);
    const Quad xy13 = load(1, 3, 0);
    const Quad xy46 = load(4, 6, 0);
    const Quad xy57 = load(5, 7, 0);
    const Coordinates x{hn::InterleaveLower(quads, xy02, xy13),
                        hn::InterleaveLower(quads, xy46, xy57)};
    const Coordinates y{hn::InterleaveUpper(quads, xy02, xy13),
                        hn::InterleaveUpper(quads, xy46, xy57)};
    const Coordinates z{hn::InterleaveLower(quads, load(0, 2, 16), load(1, 3, 16)),
                        hn::InterleaveLower(quads, load(4, 6, 16), load(5, 7, 16))};
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
    const Eight qx = hn::BitCast(tag, hn::InterleaveLower(quads, xy01, xy23));
    const Eight qy = hn::BitCast(tag, hn::InterleaveUpper(quads, xy01, xy23));
    const Eight qz = hn::BitCast(tag, hn::InterleaveLower(quads, zw01, zw23));
    const Eight qw = hn::BitCast(tag, hn::InterleaveUpper(quads, zw01, zw23));
    if (Checked) {
        const auto are_near = hn::And(are_within(x), hn::And(are_within(y), are_within(z)));
        if (!hn::AllTrue(quads, are_near) || !are_unit(qx, qy, qz, qw) ||
            !are_unscaled(poses, stride_bytes)) {
            return false;
        }
    }
    store_both(x, out.position[0] + row);
    store_both(y, out.position[1] + row);
    store_both(z, out.position[2] + row);
    hn::StoreU(qx, tag, out.rotation[0] + row);
    hn::StoreU(qy, tag, out.rotation[1] + row);
    hn::StoreU(qz, tag, out.rotation[2] + row);
    hn::StoreU(qw, tag, out.rotation[3] + row);
    return true;
}

#else

constexpr std::size_t kGroup = 4;

using Words = hn::FixedTag<std::uint64_t, 2>;
using WordPair = hn::Vec<Words>;
using FourFloats = hn::FixedTag<float, 4>;
using Four = hn::Vec<FourFloats>;

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

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
