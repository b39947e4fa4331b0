// SPDX-License-Identifier: MIT
// Three numbers a row, and what matrices get of positions. Included once for each target.
#if defined(GLISSADE_STAGE_TRIPLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_TRIPLES_INL_H
#undef GLISSADE_STAGE_TRIPLES_INL_H
#else
#define GLISSADE_STAGE_TRIPLES_INL_H
#endif

#include "stage/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// Three numbers a row.
template <class Vector>
struct Triples {
    Vector x, y, z;
};

template <class Vector>
HWY_INLINE Triples<Vector> operator+(const Triples<Vector>& a, const Triples<Vector>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class Vector>
HWY_INLINE Triples<Vector> operator-(const Triples<Vector>& a, const Triples<Vector>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class Vector>
HWY_INLINE Triples<Vector> scale_by(Vector factor, const Triples<Vector>& a) {
    return {factor * a.x, factor * a.y, factor * a.z};
}

/// Positions relative to the origin of the matrices, on one axis.
HWY_INLINE Floats find_offset(const WideFloats& position, Doubles origin) {
    WideFloats offset;
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        offset.parts[i] = position.parts[i] - origin;
    }
    return demote(offset);
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
