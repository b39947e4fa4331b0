// SPDX-License-Identifier: MIT
// Where rows are that hang below parents: the position within the parent is an arm that turns with
// it. Included once for each target.
#if defined(GLISSADE_STAGE_ARMS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_ARMS_INL_H
#undef GLISSADE_STAGE_ARMS_INL_H
#else
#define GLISSADE_STAGE_ARMS_INL_H
#endif

#include "stage/kernel_math-inl.h"
#include "stage/rotation_math-inl.h"
#include "stage/triples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// Positions within parents.
HWY_INLINE Triples<WideFloats> load_arms(const PoseSource& local, std::size_t row) {
    return {load_wide(local.position[0] + row), load_wide(local.position[1] + row),
            load_wide(local.position[2] + row)};
}

/// Arms of any length, in double. `Rows` gives a row of the parents' 3x3 parts.
template <class Rows>
struct LongArms {
    Triples<WideFloats> arm;
    Rows rows;

    /// Where they end in the world, on one axis.
    template <class Parents>
    HWY_INLINE WideFloats place(const Parents& parents, std::size_t axis) const {
        const Triples<Floats> row = rows.get(axis);
        const WideFloats x = promote(row.x);
        const WideFloats y = promote(row.y);
        const WideFloats z = promote(row.z);
        WideFloats placed = parents.translation(axis);
        for (std::size_t i = 0; i < kDoubleVectors; ++i) {
            placed.parts[i] = multiply_add(
                x.parts[i], arm.x.parts[i],
                multiply_add(y.parts[i], arm.y.parts[i],
                             multiply_add(z.parts[i], arm.z.parts[i], placed.parts[i])));
        }
        return placed;
    }
    /// Where they end relative to the origin of the matrices.
    template <class Parents>
    HWY_INLINE Floats find_end(const Parents& parents, std::size_t axis, Doubles origin) const {
        return find_offset(place(parents, axis), origin);
    }
};

/// Whether the arms of some lanes, one bit each, are short. Positions are finite.
HWY_INLINE bool are_short(const Triples<Floats>& arm, std::uint64_t lanes) {
    const FloatTag tag;
    const Floats longest = hn::Max(hn::Max(hn::Abs(arm.x), hn::Abs(arm.y)), hn::Abs(arm.z));
    return (lanes & to_word(tag, hn::Gt(longest, hn::Set(tag, kShortArmM)))) == 0;
}

/// Arms of at most kShortArmM below parents without a scale, turned with those in float. Where they
/// begin is in double, or for rows without children relative to the origin of the matrices.
struct ShortArms {
    Floats turned[3];

    HWY_INLINE ShortArms(const Triples<Floats>& arm, const Rotations& parent) {
        const Triples<Floats> v = rotate(parent, arm);
        turned[0] = v.x;
        turned[1] = v.y;
        turned[2] = v.z;
    }

    template <class Parents>
    HWY_INLINE WideFloats place(const Parents& parents, std::size_t axis) const {
        const WideFloats wide = promote(turned[axis]);
        WideFloats placed = parents.translation(axis);
        for (std::size_t i = 0; i < kDoubleVectors; ++i) {
            placed.parts[i] = placed.parts[i] + wide.parts[i];
        }
        return placed;
    }
    template <class Parents>
    HWY_INLINE Floats find_end(const Parents& parents, std::size_t axis, Doubles origin) const {
        return turned[axis] + parents.offset(axis, origin);
    }

private:
    // v + 2 u x (u x v + w v) for u, the vector part.
    HWY_INLINE static Triples<Floats> rotate(const Rotations& q, const Triples<Floats>& v) {
        const Triples<Floats> half{hn::MulSub(q.y, v.z, q.z * v.y), hn::MulSub(q.z, v.x, q.x * v.z),
                                   hn::MulSub(q.x, v.y, q.y * v.x)};
        const Triples<Floats> t = half + half;
        return {hn::MulAdd(q.w, t.x, v.x) + hn::MulSub(q.y, t.z, q.z * t.y),
                hn::MulAdd(q.w, t.y, v.y) + hn::MulSub(q.z, t.x, q.x * t.z),
                hn::MulAdd(q.w, t.z, v.z) + hn::MulSub(q.x, t.y, q.y * t.x)};
    }
};

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
