// SPDX-License-Identifier: MIT
// Blends blocks of rows. Works through one block column by column, so that every column is read and
// written in whole cache lines, and what the next step needs is still in the first-level cache.
//
// No fused multiply-add for positions and scales: Add(Mul()) rounds alike on every target, and as
// single poses do. For rotations it saves a tenth of a blend that is in the caches.
#include "kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/blend_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/hermite-inl.h"
#include "stage/kernel_math-inl.h"
#include "stage/matrix_math-inl.h"
#include "stage/rotation_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// Below this |dot|, 4e-6 rad from half a turn, rounding decides which way round is shorter.
constexpr float kHalfTurnDot = 2e-6F;
// At least as far from a |dot| of 0 or 1, rounding included, rotations need no second look: a unit
// rotation times itself is off 1 by less, see kUnitTolerance.
constexpr float kUsualDot = 3e-6F;

// Streaming stores leave the loads of the next block little room to run ahead by themselves: asking
// for them one block before, line by line, takes 5 % off a blend of 10^6 rows. Two blocks before,
// or all of them at once, or with ordinary stores, it only costs.
template <bool Ahead, class T>
HWY_INLINE void prefetch_ahead(const T* column, std::size_t row) {
    if (Ahead && row % (64 / sizeof(T)) == 0) {
        hwy::Prefetch(column + row + kBlockRows);
    }
}

// Functions of their own, here and below: inside of a large one GCC 12 runs out of registers and
// reads pointers from memory in every step, which costs a third of the blend.
template <bool Ahead>
HWY_NOINLINE void blend_axis(const double* a, const double* b, double* out, double t) {
    const Doubles fraction = fill_doubles(t);
    for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
        prefetch_ahead<Ahead>(a, row);
        prefetch_ahead<Ahead>(b, row);
        store_doubles(lerp_doubles(load_doubles(a + row), load_doubles(b + row), fraction),
                      out + row);
    }
}

template <bool Ahead>
HWY_INLINE void blend_positions(const BlockSource& from, const BlockSource& to,
                                const BlockTarget& out, double t) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        blend_axis<Ahead>(from.position[axis] + from.first, to.position[axis] + to.first,
                          out.position[axis] + out.first, t);
    }
}

// As blend_hermite() has it.
constexpr double kMaxSeconds = 1e9;

/// What blending the rotations of a block finds out about its rows.
struct RotationWords {
    std::uint64_t still;     // The rotation does not change.
    std::uint64_t half_turn; // It changes by about half a turn.
};

// The weights of a rotation to itself add up to 1 within rounding only, and a body that does not
// turn must not tremble: its rotation is kept, whichever sign the newer one came with.
HWY_NOINLINE void keep_still_rotations(const BlockSource& from, const BlockSource& to,
                                       const BlockTarget& out, RotationWords& words) {
    const FloatTag tag;
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        const Rotations a = load_rotations(from, row);
        const Rotations b = load_rotations(to, row);
        const Rotations minus_b{hn::Neg(b.x), hn::Neg(b.y), hn::Neg(b.z), hn::Neg(b.w)};
        const FloatMask equal = are_equal(a, b);
        const FloatMask same = hn::Or(equal, are_equal(a, minus_b));
        store_rotations(choose(same, a, load_rotations(out, row)), out, row);
        const Floats cosine = hn::Abs(compute_dot(a, b));
        words.still |= to_word(tag, equal) << row;
        words.half_turn |= to_word(tag, hn::Lt(cosine, hn::Set(tag, kHalfTurnDot))) << row;
    }
}

/// How far apart the rotations of a block's rows are, all together.
struct TurnBounds {
    Floats least; // Of Turn::e.
    Floats most;
};

HWY_INLINE bool has_unusual(const TurnBounds& bounds) {
    const FloatTag tag;
    const FloatMask none = hn::Lt(bounds.least, hn::Set(tag, kUsualDot));
    const FloatMask half = hn::Gt(bounds.most, hn::Set(tag, 1.0F - kUsualDot));
    return !hn::AllFalse(tag, hn::Or(none, half));
}

// Two vectors of rows at a time: their chains of multiply-adds fill each other's gaps.
template <bool Ahead>
HWY_NOINLINE TurnBounds blend_rotations(const BlockSource& from_block, const BlockSource& to_block,
                                        const BlockTarget& out_block, const SlerpVectors& weights) {
    const BlockSource from = from_block;
    const BlockSource to = to_block;
    const BlockTarget out = out_block;
    const FloatTag tag;
    TurnBounds bounds{hn::Set(tag, 1.0F), hn::Zero(tag)};
    for (std::size_t row = 0; row < kBlockRows; row += 2 * kFloatLanes) {
        const std::size_t next = row + kFloatLanes;
        for (std::size_t part = 0; part < 4; ++part) {
            prefetch_ahead<Ahead>(from.rotation[part] + from.first, row);
            prefetch_ahead<Ahead>(to.rotation[part] + to.first, row);
            prefetch_ahead<Ahead>(from.rotation[part] + from.first, next);
            prefetch_ahead<Ahead>(to.rotation[part] + to.first, next);
        }
        const Turn turn = compute_turn(load_rotations(from, row), load_rotations(to, row));
        const Turn next_turn = compute_turn(load_rotations(from, next), load_rotations(to, next));
        bounds.least = hn::Min(bounds.least, hn::Min(turn.e, next_turn.e));
        bounds.most = hn::Max(bounds.most, hn::Max(turn.e, next_turn.e));
        const WeightPairs pairs = evaluate(weights, turn, next_turn);
        store_rotations(mix(load_rotations(from, row), load_rotations(to, row), pairs.from,
                            hn::Xor(pairs.to, turn.sign)),
                        out, row);
        store_rotations(mix(load_rotations(from, next), load_rotations(to, next), pairs.next_from,
                            hn::Xor(pairs.next_to, next_turn.sign)),
                        out, next);
    }
    return bounds;
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
            a[axis] = load_promoted(from.scale[axis] + from.first + row);
            b[axis] = load_promoted(to.scale[axis] + to.first + row);
        }
        // Products of floats neither overflow nor vanish in double.
        const DoubleMask flips =
            either(is_less(a[0] * b[0], zero),
                   either(is_less(a[1] * b[1], zero), is_less(a[2] * b[2], zero)));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Doubles blended = lerp_doubles(a[axis], b[axis], fraction);
            store_demoted(select(flips, a[axis], blended), out.scale[axis] + out.first + row);
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
            equal[axis] = is_equal(load_doubles(from.position[axis] + from.first + row),
                                   load_doubles(to.position[axis] + to.first + row));
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
    // A frame that only writes matrices shows again what is there.
    if (to != from) {
        std::memcpy(to, from, kBlockRows * sizeof(T));
    }
}

// At both ends of the way: the bits of `state`. Returns the rows of which both states are equal.
HWY_INLINE std::uint64_t copy_block(const BlockSource& from, const BlockSource& to,
                                    const BlockSource& state, const BlockTarget& out,
                                    bool is_scaled) {
    std::uint64_t still = find_still_positions(from, to);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        copy_column(state.position[axis] + state.first, out.position[axis] + out.first);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        copy_column(state.rotation[part] + state.first, out.rotation[part] + out.first);
        still &= find_equal(from.rotation[part] + from.first, to.rotation[part] + to.first);
    }
    for (std::size_t axis = 0; axis < 3 && is_scaled; ++axis) {
        copy_column(state.scale[axis] + state.first, out.scale[axis] + out.first);
        still &= find_equal(from.scale[axis] + from.first, to.scale[axis] + to.first);
    }
    return still;
}

/// Where a block is put together before it is streamed out.
struct alignas(64) Scratch {
    double position[3][kBlockRows];
    float rotation[4][kBlockRows];
    float scale[3][kBlockRows];
    float offset[3][kBlockRows]; // Positions relative to the origin of the matrices.
    float matrices[kBlockRows * kMatrixFloats];
};

HWY_INLINE bool has_scale(const BlendBatch& batch, std::size_t block) {
    return batch.scaled != nullptr && batch.scaled[block] != 0;
}

HWY_INLINE BlockSource find_block(const PoseSource& columns) {
    BlockSource block{};
    std::copy(columns.position.begin(), columns.position.end(), block.position);
    std::copy(columns.rotation.begin(), columns.rotation.end(), block.rotation);
    std::copy(columns.scale.begin(), columns.scale.end(), block.scale);
    return block;
}

HWY_INLINE BlockTarget find_block(const PoseTarget& columns) {
    BlockTarget block{};
    std::copy(columns.position.begin(), columns.position.end(), block.position);
    std::copy(columns.rotation.begin(), columns.rotation.end(), block.rotation);
    std::copy(columns.scale.begin(), columns.scale.end(), block.scale);
    return block;
}

HWY_INLINE BlockTarget find_block(Scratch& scratch) {
    return {{scratch.position[0], scratch.position[1], scratch.position[2]},
            {scratch.rotation[0], scratch.rotation[1], scratch.rotation[2], scratch.rotation[3]},
            {scratch.scale[0], scratch.scale[1], scratch.scale[2]},
            0};
}

HWY_INLINE void stream_block(const Scratch& scratch, const BlockTarget& out, bool is_scaled) {
    keep_in_memory();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        stream_lines(scratch.position[axis], out.position[axis] + out.first, kBlockRows);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        stream_lines(scratch.rotation[part], out.rotation[part] + out.first, kBlockRows);
    }
    for (std::size_t axis = 0; axis < 3 && is_scaled; ++axis) {
        stream_lines(scratch.scale[axis], out.scale[axis] + out.first, kBlockRows);
    }
}

HWY_INLINE BlockVelocity find_block(const VelocitySource& columns) {
    BlockVelocity block{};
    std::copy(columns.linear.begin(), columns.linear.end(), block.linear);
    std::copy(columns.angular.begin(), columns.angular.end(), block.angular);
    return block;
}

// Returns the rows that turn too fast. Apart from the linear blend, whose loops it would crowd.
HWY_NOINLINE std::uint64_t add_curves(const BlendBatch& batch, const BlockSource& from,
                                      const BlockSource& to, const BlockTarget& out) {
    const HermiteBlock hermite{from,
                               to,
                               find_block(batch.from_velocity),
                               find_block(batch.to_velocity),
                               batch.t,
                               std::min(batch.duration_s, kMaxSeconds)};
    const std::uint64_t rows = batch.hermite[from.first / kBlockRows];
    const BlockTarget curved = out;
    curve_positions(hermite, rows, curved);
    return curve_rotations(hermite, rows, curved);
}

// Returns the rows that need a closer look.
HWY_INLINE std::uint64_t blend_poses(const BlendBatch& batch, const SlerpVectors& weights,
                                     const BlockSource& from, const BlockSource& to,
                                     const BlockTarget& out) {
    const std::size_t block = from.first / kBlockRows;
    const bool is_scaled = has_scale(batch, block);
    const double t = batch.t;
    if (t == 0.0 || t == 1.0) {
        return copy_block(from, to, t == 0.0 ? from : to, out, is_scaled);
    }
    const TurnBounds bounds = batch.stream ? blend_rotations<true>(from, to, out, weights)
                                           : blend_rotations<false>(from, to, out, weights);
    RotationWords turned{};
    // Somewhere in the block there is hardly a turn, or half of one.
    if (HWY_UNLIKELY(has_unusual(bounds))) {
        keep_still_rotations(from, to, out, turned);
    }
    std::uint64_t still = turned.still;
    if (still != 0) {
        still &= find_still_positions(from, to);
    }
    if (is_scaled) {
        still &= blend_scales(from, to, out, t);
    }
    if (batch.hermite != nullptr && batch.hermite[block] != 0) {
        return still | turned.half_turn | add_curves(batch, from, to, out);
    }
    if (batch.stream) {
        blend_positions<true>(from, to, out, t);
    } else {
        blend_positions<false>(from, to, out, t);
    }
    return still | turned.half_turn;
}

HWY_INLINE void store_world(const WorldTarget& world, std::size_t row, const Basis& basis) {
    for (std::size_t i = 0; i < 9; ++i) {
        hn::Store(basis.m[i], FloatTag(), world.basis[i] + row);
    }
}

HWY_INLINE void compute_offsets(const BlockTarget& pose, const glm::dvec3& origin,
                                float (&offset)[3][kBlockRows]) {
    const Doubles origins[3] = {fill_doubles(origin.x), fill_doubles(origin.y),
                                fill_doubles(origin.z)};
    for (std::size_t row = 0; row < kBlockRows; row += kDoubleLanes) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            store_demoted(load_doubles(pose.position[axis] + pose.first + row) - origins[axis],
                          offset[axis] + row);
        }
    }
}

HWY_INLINE Basis compute_basis(const BlockTarget& pose, bool is_scaled, std::size_t row) {
    const FloatTag tag;
    const Basis basis = to_basis(load_rotations(pose, row));
    if (!is_scaled) {
        return basis;
    }
    const std::size_t scale_row = pose.first + row;
    return scale_basis(basis, hn::Load(tag, pose.scale[0] + scale_row),
                       hn::Load(tag, pose.scale[1] + scale_row),
                       hn::Load(tag, pose.scale[2] + scale_row));
}

// The world placements of a block that has children.
HWY_INLINE void place_parents(const BlendBatch& batch, std::size_t block, const BlockTarget& pose) {
    if (batch.above == nullptr || batch.above[block] == 0) {
        return;
    }
    const bool is_scaled = has_scale(batch, block);
    const WorldTarget& world = batch.world;
    const std::size_t first = block * kBlockRows;
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        store_world(world, first + row, compute_basis(pose, is_scaled, row));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        copy_column<double>(pose.position[axis] + pose.first, world.translation[axis] + first);
    }
}

HWY_INLINE void write_matrices(const BlendBatch& batch, std::size_t block, BlockTarget pose,
                               Scratch& scratch) {
    const bool is_scaled = has_scale(batch, block);
    const std::size_t first = block * kBlockRows;
    if (batch.matrices == nullptr || first >= batch.row_count) {
        return;
    }
    const std::size_t count = std::min(batch.row_count - first, kBlockRows);
    float* const out = batch.matrices + first * kMatrixFloats;
    const bool is_whole = count == kBlockRows;
    const bool is_streamed = batch.stream && is_whole && is_line_start(out);
    float* const built = is_whole && !is_streamed ? out : scratch.matrices;
    compute_offsets(pose, batch.origin, scratch.offset);
    const FloatTag tag;
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        store_matrices(compute_basis(pose, is_scaled, row), hn::Load(tag, scratch.offset[0] + row),
                       hn::Load(tag, scratch.offset[1] + row),
                       hn::Load(tag, scratch.offset[2] + row), built + row * kMatrixFloats);
    }
    if (is_streamed) {
        keep_in_memory();
        stream_lines(built, out, kBlockRows * kMatrixFloats);
    } else if (!is_whole) {
        std::memcpy(out, built, count * kMatrixFloats * sizeof(float));
    }
}

void blend_range(const BlendBatch& batch, std::size_t first_block, std::size_t block_count) {
    const SlerpVectors weights{fill_weights(batch.weights.from), fill_weights(batch.weights.to)};
    Scratch scratch;
    BlockSource from = find_block(batch.from);
    BlockSource to = find_block(batch.to);
    BlockTarget out = find_block(batch.out);
    const BlockTarget buffer = find_block(scratch);
    for (std::size_t block = first_block; block < first_block + block_count; ++block) {
        from.first = to.first = out.first = block * kBlockRows;
        const BlockTarget& built = batch.stream ? buffer : out;
        batch.look[block] = blend_poses(batch, weights, from, to, built);
        if (batch.below == nullptr || batch.below[block] != ~std::uint64_t{0}) {
            place_parents(batch, block, built);
            write_matrices(batch, block, built, scratch);
        }
        if (batch.stream) {
            stream_block(scratch, out, has_scale(batch, block));
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
