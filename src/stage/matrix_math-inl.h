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

// Stores the i-th block of four lanes to row 4 i from `to` on.
template <class Tag, class Vector>
HWY_INLINE void store_fours(Tag tag, Vector vector, float* to) {
    if constexpr (hn::MaxLanes(Tag()) <= 4) {
        hn::StoreU(vector, tag, to);
    } else {
        const hn::Half<Tag> half;
        constexpr std::size_t kHalfLanes = hn::MaxLanes(Tag()) / 2;
        store_fours(half, hn::LowerHalf(half, vector), to);
        store_fours(half, hn::UpperHalf(half, vector), to + kHalfLanes * kMatrixFloats);
    }
}

// One row of each matrix: its four columns become four neighbours.
HWY_INLINE void store_matrix_rows(Floats a, Floats b, Floats c, Floats d, float* to) {
    const FloatTag tag;
    const hn::RepartitionToWide<hn::RebindToUnsigned<FloatTag>> wide;
    const auto ab_low = hn::BitCast(wide, hn::InterleaveLower(tag, a, b));
    const auto cd_low = hn::BitCast(wide, hn::InterleaveLower(tag, c, d));
    const auto ab_high = hn::BitCast(wide, hn::InterleaveUpper(tag, a, b));
    const auto cd_high = hn::BitCast(wide, hn::InterleaveUpper(tag, c, d));
    store_fours(tag, hn::BitCast(tag, hn::InterleaveLower(wide, ab_low, cd_low)), to);
    store_fours(tag, hn::BitCast(tag, hn::InterleaveUpper(wide, ab_low, cd_low)),
                to + kMatrixFloats);
    store_fours(tag, hn::BitCast(tag, hn::InterleaveLower(wide, ab_high, cd_high)),
                to + 2 * kMatrixFloats);
    store_fours(tag, hn::BitCast(tag, hn::InterleaveUpper(wide, ab_high, cd_high)),
                to + 3 * kMatrixFloats);
}

#else

HWY_INLINE void store_matrix_rows(Floats a, Floats b, Floats c, Floats d, float* to) {
    const FloatTag tag;
    hn::StoreU(a, tag, to);
    hn::StoreU(b, tag, to + 1);
    hn::StoreU(c, tag, to + 2);
    hn::StoreU(d, tag, to + 3);
}

#endif

/// The matrices of as many rows as there are lanes.
HWY_INLINE void store_matrices(const Basis& basis, Floats x, Floats y, Floats z, float* to) {
    const Floats* m = basis.m;
    store_matrix_rows(m[0], m[1], m[2], x, to);
    store_matrix_rows(m[3], m[4], m[5], y, to + 4);
    store_matrix_rows(m[6], m[7], m[8], z, to + 8);
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
