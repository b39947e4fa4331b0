// SPDX-License-Identifier: MIT
// Rotations in vectors, and slerp by the polynomials of SlerpWeights. Included once for each
// target.
#if defined(GLISSADE_STAGE_ROTATION_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_ROTATION_MATH_INL_H
#undef GLISSADE_STAGE_ROTATION_MATH_INL_H
#else
#define GLISSADE_STAGE_ROTATION_MATH_INL_H
#endif

#include "stage/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// Some rows' rotations: x, y, z, w.
struct Rotations {
    Floats x, y, z, w;
};

// Of a PoseSource or of a PoseTarget.
template <class Columns>
HWY_INLINE Rotations load_rotations(const Columns& columns, std::size_t row) {
    const FloatTag tag;
    return {hn::Load(tag, columns.rotation[0] + row), hn::Load(tag, columns.rotation[1] + row),
            hn::Load(tag, columns.rotation[2] + row), hn::Load(tag, columns.rotation[3] + row)};
}

/// To the first four columns of placements.
HWY_INLINE void store_rotation(const Rotations& q, const std::array<float*, 9>& columns,
                               std::size_t row, bool past_caches) {
    store_column(q.x, columns[0] + row, past_caches);
    store_column(q.y, columns[1] + row, past_caches);
    store_column(q.z, columns[2] + row, past_caches);
    store_column(q.w, columns[3] + row, past_caches);
}

/// `yes` in the rows of the mask, elsewhere `no`.
HWY_INLINE Rotations choose(FloatMask mask, const Rotations& yes, const Rotations& no) {
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y),
            hn::IfThenElse(mask, yes.z, no.z), hn::IfThenElse(mask, yes.w, no.w)};
}

HWY_INLINE Floats compute_dot(const Rotations& a, const Rotations& b) {
    return hn::MulAdd(a.x, b.x, a.y * b.y) + hn::MulAdd(a.z, b.z, a.w * b.w);
}

/// a * b: `b` first.
HWY_INLINE Rotations multiply(const Rotations& a, const Rotations& b) {
    return {hn::MulAdd(a.w, b.x, b.w * a.x) + hn::MulSub(a.y, b.z, a.z * b.y),
            hn::MulAdd(a.w, b.y, b.w * a.y) + hn::MulSub(a.z, b.x, a.x * b.z),
            hn::MulAdd(a.w, b.z, b.w * a.z) + hn::MulSub(a.x, b.y, a.y * b.x),
            hn::MulSub(a.w, b.w, a.x * b.x) - hn::MulAdd(a.y, b.y, a.z * b.z)};
}

HWY_INLINE FloatMask are_equal(const Rotations& a, const Rotations& b) {
    return hn::And(hn::And(hn::Eq(a.x, b.x), hn::Eq(a.y, b.y)),
                   hn::And(hn::Eq(a.z, b.z), hn::Eq(a.w, b.w)));
}

/// The weights of a slerp, in all lanes.
struct WeightVectors {
    Floats terms[9];
};

/// Both weights of a slerp, in all lanes.
struct SlerpVectors {
    WeightVectors from;
    WeightVectors to;
};

HWY_INLINE WeightVectors fill_weights(const std::array<float, 9>& weight) {
    WeightVectors vectors;
    for (std::size_t k = 0; k < 9; ++k) {
        vectors.terms[k] = hn::Set(FloatTag(), weight[k]);
    }
    return vectors;
}

/// A rotation on its way: how far apart its states are, and on which side of the sphere.
struct Turn {
    Floats sign; // Of the product of both states.
    Floats e;    // 1 - |product|.
};

HWY_INLINE Turn compute_turn(const Rotations& a, const Rotations& b) {
    const FloatTag tag;
    const Floats dot = compute_dot(a, b);
    const Floats sign = hn::And(dot, hn::SignBit(tag));
    const Floats e = hn::Set(tag, 1.0F) - hn::Xor(dot, sign);
    return {sign, e};
}

// Even and odd powers apart: one multiplication more than Horner's scheme, and half of its depth,
// which a processor has to see through to find the work of the next rows.
HWY_INLINE Floats evaluate(const WeightVectors& weight, Floats e, Floats e2) {
    const Floats* const c = weight.terms;
    Floats even = hn::MulAdd(c[8], e2, c[6]);
    Floats odd = hn::MulAdd(c[7], e2, c[5]);
    even = hn::MulAdd(even, e2, c[4]);
    odd = hn::MulAdd(odd, e2, c[3]);
    even = hn::MulAdd(even, e2, c[2]);
    odd = hn::MulAdd(odd, e2, c[1]);
    even = hn::MulAdd(even, e2, c[0]);
    return hn::MulAdd(odd, e, even);
}

HWY_INLINE Floats evaluate(const WeightVectors& weight, const Turn& turn) {
    return evaluate(weight, turn.e, turn.e * turn.e);
}

/// Both weights of some vectors of rows.
template <std::size_t N>
struct WeightPairs {
    Floats from[N];
    Floats to[N];
};

template <std::size_t N>
HWY_INLINE WeightPairs<N> evaluate(const SlerpVectors& weights, const Turn (&turns)[N]) {
    WeightPairs<N> pairs;
    for (std::size_t i = 0; i < N; ++i) {
        const Floats e2 = turns[i].e * turns[i].e;
        pairs.from[i] = evaluate(weights.from, turns[i].e, e2);
        pairs.to[i] = evaluate(weights.to, turns[i].e, e2);
    }
    return pairs;
}

HWY_INLINE Rotations mix(const Rotations& a, const Rotations& b, Floats w0, Floats w1) {
    return {hn::MulAdd(w0, a.x, w1 * b.x), hn::MulAdd(w0, a.y, w1 * b.y),
            hn::MulAdd(w0, a.z, w1 * b.z), hn::MulAdd(w0, a.w, w1 * b.w)};
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
