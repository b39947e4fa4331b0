// SPDX-License-Identifier: MIT
// Blends blocks of rows. Works through one block column by column, so that every column is read and
// written in whole cache lines, and what the next step needs is still in the first-level cache.
//
// No fused multiply-add for poses: Add(Mul()) rounds alike on every target.
#include "kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/blend_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// Below this |dot|, 4e-6 rad from half a turn, rounding decides which way round is shorter.
constexpr float kHalfTurnDot = 2e-6F;
// At least as far from a |dot| of 0 or 1, rounding included, rotations need no second look: a unit
// rotation times itself is off 1 by less, see kUnitTolerance.
constexpr float kUsualDot = 3e-6F;

/// The columns of one block.
struct BlockSource {
    const double* position[3];
    const float* rotation[4];
    const float* scale[3];
};
struct BlockTarget {
    double* position[3];
    float* rotation[4];
    float* scale[3];
};

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

HWY_INLINE void blend_positions(const BlockSource& from, const BlockSource& to,
                                const BlockTarget& out, double t) {
    const Doubles fraction = fill_doubles(t);
    for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Doubles a = load_doubles(from.position[axis] + row);
            const Doubles b = load_doubles(to.position[axis] + row);
            store_doubles(lerp_doubles(a, b, fraction), out.position[axis] + row);
        }
    }
}

/// Some rows' rotations: x, y, z, w.
struct Rotations {
    Floats x, y, z, w;
};

HWY_INLINE Rotations load_rotations(const float* const (&columns)[4], std::size_t row) {
    const FloatTag tag;
    return {hn::Load(tag, columns[0] + row), hn::Load(tag, columns[1] + row),
            hn::Load(tag, columns[2] + row), hn::Load(tag, columns[3] + row)};
}

HWY_INLINE void store_rotations(const Rotations& rotations, float* const (&columns)[4],
                                std::size_t row) {
    const FloatTag tag;
    hn::Store(rotations.x, tag, columns[0] + row);
    hn::Store(rotations.y, tag, columns[1] + row);
    hn::Store(rotations.z, tag, columns[2] + row);
    hn::Store(rotations.w, tag, columns[3] + row);
}

HWY_INLINE Floats compute_dot(const Rotations& a, const Rotations& b) {
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

HWY_INLINE FloatMask are_equal(const Rotations& a, const Rotations& b) {
    return hn::And(hn::And(hn::Eq(a.x, b.x), hn::Eq(a.y, b.y)),
                   hn::And(hn::Eq(a.z, b.z), hn::Eq(a.w, b.w)));
}

/// What blending the rotations of a block finds out about its rows.
struct RotationWords {
    std::uint64_t still;     // The rotation does not change.
    std::uint64_t half_turn; // It changes by about half a turn.
};

// The weights of a rotation to itself add up to 1 within rounding only, and a body that does not
// turn must not tremble: its rotation is kept, whichever sign the newer one came with.
HWY_NOINLINE void keep_still_rotations(const BlockSource& from, const BlockSource& to,
                                       const BlockTarget& out, std::size_t row,
                                       RotationWords& words) {
    const FloatTag tag;
    const Rotations a = load_rotations(from.rotation, row);
    const Rotations b = load_rotations(to.rotation, row);
    const Rotations minus_b{hn::Neg(b.x), hn::Neg(b.y), hn::Neg(b.z), hn::Neg(b.w)};
    const FloatMask equal = are_equal(a, b);
    const FloatMask same = hn::Or(equal, are_equal(a, minus_b));
    const Rotations r{hn::Load(tag, out.rotation[0] + row), hn::Load(tag, out.rotation[1] + row),
                      hn::Load(tag, out.rotation[2] + row), hn::Load(tag, out.rotation[3] + row)};
    store_rotations({hn::IfThenElse(same, a.x, r.x), hn::IfThenElse(same, a.y, r.y),
                     hn::IfThenElse(same, a.z, r.z), hn::IfThenElse(same, a.w, r.w)},
                    out.rotation, row);
    const Floats cosine = hn::Abs(compute_dot(a, b));
    words.still |= to_word(tag, equal) << row;
    words.half_turn |= to_word(tag, hn::Lt(cosine, hn::Set(tag, kHalfTurnDot))) << row;
}

/// A rotation on its way: how far apart its states are, and on which side of the sphere.
struct Turn {
    Floats sign; // Of the product of both states.
    Floats e;    // 1 - |product|.
    Floats e2;
    Floats e4;
};

HWY_INLINE Turn compute_turn(const Rotations& a, const Rotations& b) {
    const FloatTag tag;
    const Floats dot = compute_dot(a, b);
    const Floats sign = hn::And(dot, hn::SignBit(tag));
    const Floats e = hn::Set(tag, 1.0F) - hn::Xor(dot, sign);
    const Floats e2 = e * e;
    return {sign, e, e2, e2 * e2};
}

// Estrin's scheme: as many operations as Horner's, in a third of its depth.
HWY_INLINE Floats evaluate(const WeightVectors& weight, const Turn& turn) {
    const Floats* c = weight.terms;
    const Floats e = turn.e;
    const Floats low = (c[3] * e + c[2]) * turn.e2 + (c[1] * e + c[0]);
    const Floats high = (c[7] * e + c[6]) * turn.e2 + (c[5] * e + c[4]);
    return (c[8] * turn.e4 + high) * turn.e4 + low;
}

HWY_INLINE FloatMask is_unusual(const Turn& turn) {
    const FloatTag tag;
    const Floats middle = hn::Set(tag, 0.5F);
    return hn::Gt(hn::Abs(turn.e - middle), hn::Set(tag, 0.5F - kUsualDot));
}

HWY_INLINE Rotations mix(const Rotations& a, const Rotations& b, Floats w0, Floats w1) {
    return {w0 * a.x + w1 * b.x, w0 * a.y + w1 * b.y, w0 * a.z + w1 * b.z, w0 * a.w + w1 * b.w};
}

HWY_INLINE RotationWords blend_rotations(const BlockSource& from, const BlockSource& to,
                                         const BlockTarget& out, const SlerpVectors& weights) {
    const FloatTag tag;
    RotationWords words{};
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        const Rotations a = load_rotations(from.rotation, row);
        const Rotations b = load_rotations(to.rotation, row);
        const Turn turn = compute_turn(a, b);
        const Floats from_weight = evaluate(weights.from, turn);
        const Floats to_weight = hn::Xor(evaluate(weights.to, turn), turn.sign);
        store_rotations(mix(a, b, from_weight, to_weight), out.rotation, row);
        // Hardly a turn, or half of one.
        if (HWY_UNLIKELY(!hn::AllFalse(tag, is_unusual(turn)))) {
            keep_still_rotations(from, to, out, row, words);
        }
    }
    return words;
}

// As blend_scale() of single poses: in double, and a scale of which any part changes its sign
// stays. Returns the rows whose scale does not change.
HWY_INLINE std::uint64_t blend_scales(const BlockSource& from, const BlockSource& to,
                                      const BlockTarget& out, double t) {
    const Doubles zero = fill_doubles(0.0);
    const Doubles fraction = fill_doubles(t);
    std::uint64_t still = 0;
    for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
        Doubles a[3];
        Doubles b[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            a[axis] = load_promoted(from.scale[axis] + row);
            b[axis] = load_promoted(to.scale[axis] + row);
        }
        // Products of floats neither overflow nor vanish in double.
        const DoubleMask flips =
            either(is_less(a[0] * b[0], zero),
                   either(is_less(a[1] * b[1], zero), is_less(a[2] * b[2], zero)));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Doubles blended = lerp_doubles(a[axis], b[axis], fraction);
            store_demoted(select(flips, a[axis], blended), out.scale[axis] + row);
        }
        still |= double_word(
                     both(is_equal(a[0], b[0]), both(is_equal(a[1], b[1]), is_equal(a[2], b[2]))))
                 << row;
    }
    return still;
}

HWY_INLINE std::uint64_t find_still_positions(const BlockSource& from, const BlockSource& to) {
    std::uint64_t still = 0;
    for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
        DoubleMask equal[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            equal[axis] = is_equal(load_doubles(from.position[axis] + row),
                                   load_doubles(to.position[axis] + row));
        }
        still |= double_word(both(equal[0], both(equal[1], equal[2]))) << row;
    }
    return still;
}

HWY_INLINE std::uint64_t find_equal(const float* a, const float* b) {
    const FloatTag tag;
    std::uint64_t equal = 0;
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        equal |= to_word(tag, hn::Eq(hn::Load(tag, a + row), hn::Load(tag, b + row))) << row;
    }
    return equal;
}

template <class T>
HWY_INLINE void copy_column(const T* from, T* to) {
    std::memcpy(to, from, kBlockRows * sizeof(T));
}

// At both ends of the way: the bits of `state`. Returns the rows of which both states are equal.
HWY_INLINE std::uint64_t copy_block(const BlockSource& from, const BlockSource& to,
                                    const BlockSource& state, const BlockTarget& out,
                                    bool is_scaled) {
    std::uint64_t still = find_still_positions(from, to);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        copy_column(state.position[axis], out.position[axis]);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        copy_column(state.rotation[part], out.rotation[part]);
        still &= find_equal(from.rotation[part], to.rotation[part]);
    }
    for (std::size_t axis = 0; axis < 3 && is_scaled; ++axis) {
        copy_column(state.scale[axis], out.scale[axis]);
        still &= find_equal(from.scale[axis], to.scale[axis]);
    }
    return still;
}

/// Where a block is put together before it is streamed out.
struct alignas(64) Scratch {
    double position[3][kBlockRows];
    float rotation[4][kBlockRows];
    float scale[3][kBlockRows];
};

HWY_INLINE BlockSource find_block(const PoseSource& columns, std::size_t row) {
    BlockSource block{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        block.position[axis] = columns.position[axis] + row;
        block.scale[axis] = columns.scale[axis] + row;
    }
    for (std::size_t part = 0; part < 4; ++part) {
        block.rotation[part] = columns.rotation[part] + row;
    }
    return block;
}

HWY_INLINE BlockTarget find_block(const PoseTarget& columns, std::size_t row) {
    BlockTarget block{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        block.position[axis] = columns.position[axis] + row;
        block.scale[axis] = columns.scale[axis] + row;
    }
    for (std::size_t part = 0; part < 4; ++part) {
        block.rotation[part] = columns.rotation[part] + row;
    }
    return block;
}

HWY_INLINE BlockTarget find_block(Scratch& scratch) {
    return {{scratch.position[0], scratch.position[1], scratch.position[2]},
            {scratch.rotation[0], scratch.rotation[1], scratch.rotation[2], scratch.rotation[3]},
            {scratch.scale[0], scratch.scale[1], scratch.scale[2]}};
}

HWY_INLINE void stream_block(const Scratch& scratch, const BlockTarget& out, bool is_scaled) {
    keep_in_memory();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        stream_lines(scratch.position[axis], out.position[axis], kBlockRows);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        stream_lines(scratch.rotation[part], out.rotation[part], kBlockRows);
    }
    for (std::size_t axis = 0; axis < 3 && is_scaled; ++axis) {
        stream_lines(scratch.scale[axis], out.scale[axis], kBlockRows);
    }
}

HWY_INLINE std::uint64_t blend_poses(const BlendBatch& batch, const SlerpVectors& weights,
                                     const BlockSource& from, const BlockSource& to,
                                     const BlockTarget& out, bool is_scaled) {
    const double t = batch.t;
    if (t == 0.0 || t == 1.0) {
        return copy_block(from, to, t == 0.0 ? from : to, out, is_scaled);
    }
    const RotationWords turned = blend_rotations(from, to, out, weights);
    blend_positions(from, to, out, t);
    std::uint64_t still = turned.still;
    if (still != 0) {
        still &= find_still_positions(from, to);
    }
    if (is_scaled) {
        still &= blend_scales(from, to, out, t);
    }
    return still | turned.half_turn;
}

void blend_range(const BlendBatch& batch, std::size_t first_block, std::size_t block_count) {
    const SlerpVectors weights{fill_weights(batch.weights.from), fill_weights(batch.weights.to)};
    Scratch scratch;
    for (std::size_t block = first_block; block < first_block + block_count; ++block) {
        const std::size_t row = block * kBlockRows;
        const BlockSource from = find_block(batch.from, row);
        const BlockSource to = find_block(batch.to, row);
        const BlockTarget out = find_block(batch.out, row);
        const BlockTarget built = batch.stream ? find_block(scratch) : out;
        const bool is_scaled = batch.scaled != nullptr && batch.scaled[block] != 0;
        batch.look[block] = blend_poses(batch, weights, from, to, built, is_scaled);
        if (batch.stream) {
            stream_block(scratch, out, is_scaled);
        }
    }
    if (batch.stream) {
        hwy::FlushStream();
    }
}

const char* target_name() {
    return hwy::TargetName(HWY_TARGET);
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glissade {

HWY_EXPORT(blend_range);
HWY_EXPORT(target_name);

void blend_blocks(const BlendBatch& batch, std::size_t first_block,
                  std::size_t block_count) noexcept {
    HWY_DYNAMIC_DISPATCH(blend_range)(batch, first_block, block_count);
}

const char* kernel_target() noexcept {
    return HWY_DYNAMIC_DISPATCH(target_name)();
}

} // namespace glissade
#endif
