// SPDX-License-Identifier: MIT
// Rotations as 3x3 parts, and the store of 3x4 matrices. Included once for each target.
#if defined(GLISSADE_STAGE_MATRIX_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_MATRIX_MATH_INL_H
#undef GLISSADE_STAGE_MATRIX_MATH_INL_H
#else
#define GLISSADE_STAGE_MATRIX_MATH_INL_H
#endif

#include "stage/kernel_math-inl.h"
#include "stage/rotation_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// The 3x3 parts of some rows, row by row.
struct Basis {
    Floats m[9];
};

HWY_INLINE Basis to_basis(const Rotations& q) {
    const Floats one = hn::Set(FloatTag(), 1.0F);
    const Floats x2 = q.x + q.x;
    const Floats y2 = q.y + q.y;
    const Floats z2 = q.z + q.z;
    const Floats wx = q.w * x2;
    const Floats wy = q.w * y2;
    const Floats wz = q.w * z2;
    const Floats yy = q.y * y2;
    const Floats zz = q.z * z2;
    return {{hn::NegMulAdd(q.y, y2, one - zz), hn::MulSub(q.x, y2, wz), hn::MulAdd(q.x, z2, wy),
             hn::MulAdd(q.x, y2, wz), hn::NegMulAdd(q.x, x2, one - zz), hn::MulSub(q.y, z2, wx),
             hn::MulSub(q.x, z2, wy), hn::MulAdd(q.y, z2, wx), hn::NegMulAdd(q.x, x2, one - yy)}};
}

/// The scale comes first: it stretches the axes of the object.
HWY_INLINE Basis scale_basis(const Basis& basis, Floats x, Floats y, Floats z) {
    Basis scaled;
    for (std::size_t i = 0; i < 9; i += 3) {
        scaled.m[i] = basis.m[i] * x;
        scaled.m[i + 1] = basis.m[i + 1] * y;
        scaled.m[i + 2] = basis.m[i + 2] * z;
    }
    return scaled;
}

inline constexpr std::size_t kMatrixFloats = 12;

#if HWY_TARGET != HWY_SCALAR

/// One row of each matrix, in fours: of the matrices i, i + 4, i + 8 and so on in parts[i].
struct MatrixRows {
    Floats parts[4];
};

// The four columns of a row become four neighbours.
HWY_INLINE MatrixRows gather_rows(Floats a, Floats b, Floats c, Floats d) {
    const FloatTag tag;
    const hn::RepartitionToWide<hn::RebindToUnsigned<FloatTag>> wide;
    const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(tag, a, b));
    const auto cd_low = hn::BitCast(wide, hn::InterleaveLower(tag, c, d));
    const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(tag, a, b));
    const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(tag, c, d));
    return {{hn::BitCast(tag, hn::InterleaveLower(wide, ab_low, cd_low)),
             hn::BitCast(tag, hn::InterleaveUpper(wide, ab_low, cd_low)),
             hn::BitCast(tag, hn::InterleaveLower(wide, ab_high, cd_high)),
             hn::BitCast(tag, hn::InterleaveUpper(wide, ab_high, cd_high))}};
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Highway 1.0.3 has no name for shuffles of blocks of two vectors. `Picks` has two bits a block.
template <int Picks>
HWY_INLINE Floats pick_blocks(Floats low, Floats high) {
    return Floats{_mm512_shuffle_f32x4(low.raw, high.raw, Picks)};
}

// The first blocks of four vectors to a line, the second ones to the line three lines on, ...
template <bool Stream>
HWY_INLINE void store_blocks(FloatTag tag, Floats a, Floats b, Floats c, Floats d, float* to) {
    constexpr std::size_t kStride = 3 * kFloatLanes;
    const Floats ab_low = pick_blocks<0x44>(a, b);
    const Floats cd_low = pick_blocks<0x44>(c, d);
    const Floats ab_high = pick_blocks<0xEE>(a, b);
    const Floats cd_high = pick_blocks<0xEE>(c, d);
    store_part<Stream>(pick_blocks<0x88>(ab_low, cd_low), tag, to);
    store_part<Stream>(pick_blocks<0xDD>(ab_low, cd_low), tag, to + kStride);
    store_part<Stream>(pick_blocks<0x88>(ab_high, cd_high), tag, to + 2 * kStride);
    store_part<Stream>(pick_blocks<0xDD>(ab_high, cd_high), tag, to + 3 * kStride);
}

#endif

// The rows of as many matrices as there are lanes, one matrix after the other. `rows` has twelve
// vectors: the parts of the first row, of the second, of the third.
template <bool Stream, class Tag, class Vector>
HWY_INLINE void store_in_order(Tag tag, const Vector (&rows)[12], float* to) {
    constexpr std::size_t kLanes = hn::MaxLanes(Tag());
    if constexpr (kLanes == 4) {
        for (std::size_t i = 0; i < 12; ++i) {
            store_part<Stream>(rows[i % 3 * 4 + i / 3], tag, to + i * kLanes);
        }
    } else if constexpr (kLanes == 8) {
        // Two rows make a vector, and the matrices from the fifth on are in the upper halves.
        for (std::size_t i = 0; i < 6; ++i) {
            const Vector low = rows[2 * i % 3 * 4 + 2 * i / 3];
            const Vector high = rows[(2 * i + 1) % 3 * 4 + (2 * i + 1) / 3];
            store_part<Stream>(hn::ConcatLowerLower(tag, high, low), tag, to + i * kLanes);
        }
        for (std::size_t i = 0; i < 6; ++i) {
            const Vector low = rows[2 * i % 3 * 4 + 2 * i / 3];
            const Vector high = rows[(2 * i + 1) % 3 * 4 + (2 * i + 1) / 3];
            store_part<Stream>(hn::ConcatUpperUpper(tag, high, low), tag, to + (i + 6) * kLanes);
        }
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    } else if constexpr (kLanes == 16) {
        store_blocks<Stream>(tag, rows[0], rows[4], rows[8], rows[1], to);
        store_blocks<Stream>(tag, rows[5], rows[9], rows[2], rows[6], to + kLanes);
        store_blocks<Stream>(tag, rows[10], rows[3], rows[7], rows[11], to + 2 * kLanes);
#endif
    } else {
        const hn::Half<Tag> half;
        hn::Vec<hn::Half<Tag>> lower[12];
        hn::Vec<hn::Half<Tag>> upper[12];
        for (std::size_t i = 0; i < 12; ++i) {
            lower[i] = hn::LowerHalf(half, rows[i]);
            upper[i] = hn::UpperHalf(half, rows[i]);
        }
        store_in_order<Stream>(half, lower, to);
        store_in_order<Stream>(half, upper, to + kLanes / 2 * kMatrixFloats);
    }
}

/// The matrices of as many rows as there are lanes. `to` begins a cache line if streamed.
template <bool Stream>
HWY_INLINE void store_rows(const MatrixRows (&all)[3], float* to) {
    const Floats rows[12] = {all[0].parts[0], all[0].parts[1], all[0].parts[2], all[0].parts[3],
                             all[1].parts[0], all[1].parts[1], all[1].parts[2], all[1].parts[3],
                             all[2].parts[0], all[2].parts[1], all[2].parts[2], all[2].parts[3]};
    store_in_order<Stream>(FloatTag(), rows, to);
}

#else

/// One row of a matrix.
struct MatrixRows {
    Floats parts[4];
};

HWY_INLINE MatrixRows gather_rows(Floats a, Floats b, Floats c, Floats d) {
    return {{a, b, c, d}};
}

template <bool Stream>
HWY_INLINE void store_rows(const MatrixRows (&all)[3], float* to) {
    for (std::size_t i = 0; i < kMatrixFloats; ++i) {
        hn::StoreU(all[i / 4].parts[i % 4], FloatTag(), to + i);
    }
}

#endif

template <bool Stream>
HWY_INLINE void store_matrices(const Basis& basis, Floats x, Floats y, Floats z, float* to) {
    const Floats* const m = basis.m;
    const MatrixRows rows[3] = {gather_rows(m[0], m[1], m[2], x), gather_rows(m[3], m[4], m[5], y),
                                gather_rows(m[6], m[7], m[8], z)};
    store_rows<Stream>(rows, to);
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
