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
#include "stage/triples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// Positions within parents.
HWY_INLINE Triples<WideFloats> load_arms(const PoseSource& local, std::size_t row) {
    return {load_wide(local.position[0] + row), load_wide(local.position[1] + row),
            load_wide(local.position[2] + row)};
}

/// Arms of any length, in double.
struct LongArms {
    Triples<WideFloats> arm;

    /// Where they end in the world, on one axis; `parent` is that row of the parents' 3x3 parts.
    template <class Parents>
    HWY_INLINE WideFloats place(const Parents& parents, const Triples<Floats>& parent,
                                std::size_t axis) const {
        const WideFloats x = promote(parent.x);
        const WideFloats y = promote(parent.y);
        const WideFloats z = promote(parent.z);
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
    HWY_INLINE Floats find_end(const Parents& parents, const Triples<Floats>& parent,
                               std::size_t axis, Doubles origin) const {
        return find_offset(place(parents, parent, axis), origin);
    }
};

/// Arms of at most kShortArmM below parents that keep them short: they are turned in float. Where
/// they begin is in double, or for rows without children relative to the origin of the matrices.
struct ShortArms {
    Triples<Floats> arm;

    HWY_INLINE explicit ShortArms(const Triples<WideFloats>& wide)
        : arm{demote(wide.x), demote(wide.y), demote(wide.z)} {}

    /// Those of some lanes, one bit each. Positions are finite.
    HWY_INLINE bool are_short(std::uint64_t lanes) const {
        const FloatTag tag;
        const Floats longest = hn::Max(hn::Max(hn::Abs(arm.x), hn::Abs(arm.y)), hn::Abs(arm.z));
        return (lanes & to_word(tag, hn::Gt(longest, hn::Set(tag, kShortArmM)))) == 0;
    }
    template <class Parents>
    HWY_INLINE WideFloats place(const Parents& parents, const Triples<Floats>& parent,
                                std::size_t axis) const {
        const WideFloats turned = promote(turn(parent));
        WideFloats placed = parents.translation(axis);
        for (std::size_t i = 0; i < kDoubleVectors; ++i) {
            placed.parts[i] = placed.parts[i] + turned.parts[i];
        }
        return placed;
    }
    template <class Parents>
    HWY_INLINE Floats find_end(const Parents& parents, const Triples<Floats>& parent,
                               std::size_t axis, Doubles origin) const {
        return turn(parent) + parents.offset(axis, origin);
    }

private:
    HWY_INLINE Floats turn(const Triples<Floats>& parent) const {
        return hn::MulAdd(parent.z, arm.z, hn::MulAdd(parent.y, arm.y, parent.x * arm.x));
    }
};

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
