// SPDX-License-Identifier: MIT
// A few poses at a time into columns, in vectors. Gather instructions would be four times as slow
// as these interleaves. Included once for each target.
#if defined(GLISSADE_STAGE_STORE_GROUP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_STORE_GROUP_INL_H
#undef GLISSADE_STAGE_STORE_GROUP_INL_H
#else
#define GLISSADE_STAGE_STORE_GROUP_INL_H
#endif

#include "stage/row_target-inl.h"
#include "stage/store_eight-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

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

#elif HWY_HAVE_SCALABLE || HWY_MAX_BYTES < 32 // Else store_eight-inl.h has them.

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

#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE || HWY_MAX_BYTES < 32

// Narrow targets do not stream: half-filled lines cost four times as much.
HWY_INLINE std::size_t stream_leading(const Pose* /*poses*/, std::size_t /*count*/,
                                      const RowTarget& /*out*/, std::size_t /*first_row*/) {
    return 0;
}

HWY_INLINE std::size_t stream_staged(const StagedPose* /*staged*/, std::size_t /*count*/,
                                     const RowTarget& /*out*/, std::size_t /*first_row*/) {
    return 0;
}

#endif

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
