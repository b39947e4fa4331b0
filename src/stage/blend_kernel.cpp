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

HWY_INLINE WeightVectors fill_weights(const std::array<float, 9>& weight) {
    WeightVectors vectors;
    for (std::size_t k = 0; k < 9; ++k) {
        vectors.terms[k] = hn::Set(FloatTag(), weight[k]);
    }
    return vectors;
}

// Even and odd powers apart: two chains of half the length.
HWY_INLINE Floats evaluate(const WeightVectors& weight, Floats e, Floats e2) {
    const Floats* c = weight.terms;
    const Floats even = (((c[8] * e2 + c[6]) * e2 + c[4]) * e2 + c[2]) * e2 + c[0];
    const Floats odd = ((c[7] * e2 + c[5]) * e2 + c[3]) * e2 + c[1];
    return odd * e + even;
}

// Returns the rows whose position does not change.
HWY_INLINE std::uint64_t blend_positions(const BlockSource& from, const BlockSource& to,
                                         const BlockTarget& out, double t) {
    const Doubles fraction = fill_doubles(t);
    std::uint64_t still = 0;
    for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
        DoubleMask is_still{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Doubles a = load_doubles(from.position[axis] + row);
            const Doubles b = load_doubles(to.position[axis] + row);
            store_doubles(lerp_doubles(a, b, fraction), out.position[axis] + row);
            is_still = axis == 0 ? is_equal(a, b) : both(is_still, is_equal(a, b));
        }
        still |= double_word(is_still) << row;
    }
    return still;
}

/// What blending the rotations of a block finds out about its rows.
struct RotationWords {
    std::uint64_t still;     // The rotation does not change.
    std::uint64_t half_turn; // It changes by about half a turn.
};

HWY_INLINE RotationWords blend_rotations(const BlockSource& from, const BlockSource& to,
                                         const BlockTarget& out, const SlerpWeights& weights) {
    const FloatTag tag;
    const WeightVectors from_weight = fill_weights(weights.from);
    const WeightVectors to_weight = fill_weights(weights.to);
    const Floats one = hn::Set(tag, 1.0F);
    const Floats sign_bit = hn::SignBit(tag);
    const Floats half_turn_dot = hn::Set(tag, kHalfTurnDot);
    RotationWords words{};
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        const Floats ax = hn::Load(tag, from.rotation[0] + row);
        const Floats ay = hn::Load(tag, from.rotation[1] + row);
        const Floats az = hn::Load(tag, from.rotation[2] + row);
        const Floats aw = hn::Load(tag, from.rotation[3] + row);
        Floats bx = hn::Load(tag, to.rotation[0] + row);
        Floats by = hn::Load(tag, to.rotation[1] + row);
        Floats bz = hn::Load(tag, to.rotation[2] + row);
        Floats bw = hn::Load(tag, to.rotation[3] + row);
        const Floats dot = (ax * bx + ay * by) + (az * bz + aw * bw);
        const Floats sign = hn::And(dot, sign_bit);
        const Floats cosine = hn::Xor(dot, sign);
        bx = hn::Xor(bx, sign);
        by = hn::Xor(by, sign);
        bz = hn::Xor(bz, sign);
        bw = hn::Xor(bw, sign);
        const Floats e = one - cosine;
        const Floats e2 = e * e;
        const Floats w0 = evaluate(from_weight, e, e2);
        const Floats w1 = evaluate(to_weight, e, e2);
        // The weights of a rotation to itself add up to 1 within rounding only.
        const FloatMask same = hn::And(hn::And(hn::Eq(ax, bx), hn::Eq(ay, by)),
                                       hn::And(hn::Eq(az, bz), hn::Eq(aw, bw)));
        hn::Store(hn::IfThenElse(same, ax, w0 * ax + w1 * bx), tag, out.rotation[0] + row);
        hn::Store(hn::IfThenElse(same, ay, w0 * ay + w1 * by), tag, out.rotation[1] + row);
        hn::Store(hn::IfThenElse(same, az, w0 * az + w1 * bz), tag, out.rotation[2] + row);
        hn::Store(hn::IfThenElse(same, aw, w0 * aw + w1 * bw), tag, out.rotation[3] + row);
        const FloatMask is_still = hn::And(same, hn::Eq(dot, cosine));
        words.still |= to_word(tag, is_still) << row;
        words.half_turn |= to_word(tag, hn::Lt(cosine, half_turn_dot)) << row;
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

template <class T>
HWY_INLINE std::uint64_t find_equal(const T* a, const T* b) {
    std::uint64_t equal = 0;
    for (std::size_t row = 0; row < kBlockRows; ++row) {
        equal |= static_cast<std::uint64_t>(a[row] == b[row]) << row;
    }
    return equal;
}

// At both ends of the way: the bits of `state`. Returns the rows of which both states are equal.
HWY_INLINE std::uint64_t copy_block(const BlockSource& from, const BlockSource& to,
                                    const BlockSource& state, const BlockTarget& out,
                                    bool is_scaled) {
    std::uint64_t still = ~std::uint64_t{0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::memcpy(out.position[axis], state.position[axis], kBlockRows * sizeof(double));
        still &= find_equal(from.position[axis], to.position[axis]);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        std::memcpy(out.rotation[part], state.rotation[part], kBlockRows * sizeof(float));
        still &= find_equal(from.rotation[part], to.rotation[part]);
    }
    for (std::size_t axis = 0; axis < 3 && is_scaled; ++axis) {
        std::memcpy(out.scale[axis], state.scale[axis], kBlockRows * sizeof(float));
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

HWY_INLINE std::uint64_t blend_poses(const BlendBatch& batch, const BlockSource& from,
                                     const BlockSource& to, const BlockTarget& out,
                                     bool is_scaled) {
    const double t = batch.t;
    if (t == 0.0 || t == 1.0) {
        return copy_block(from, to, t == 0.0 ? from : to, out, is_scaled);
    }
    std::uint64_t still = blend_positions(from, to, out, t);
    const RotationWords turned = blend_rotations(from, to, out, batch.weights);
    still &= turned.still;
    if (is_scaled) {
        still &= blend_scales(from, to, out, t);
    }
    return still | turned.half_turn;
}

void blend_range(const BlendBatch& batch, std::size_t first_block, std::size_t block_count) {
    Scratch scratch;
    for (std::size_t block = first_block; block < first_block + block_count; ++block) {
        const std::size_t row = block * kBlockRows;
        const BlockSource from = find_block(batch.from, row);
        const BlockSource to = find_block(batch.to, row);
        const BlockTarget out = find_block(batch.out, row);
        const BlockTarget built = batch.stream ? find_block(scratch) : out;
        const bool is_scaled = batch.scaled != nullptr && batch.scaled[block] != 0;
        batch.look[block] = blend_poses(batch, from, to, built, is_scaled);
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
