// SPDX-License-Identifier: MIT
// Blends rows. Neighbouring blocks of one kind are a stretch, and a stretch is worked through
// column by column: processors follow a few long streams of memory well and many short ones badly,
// which decides the speed of everything here that does not fit the first-level cache.
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
// As blend_hermite() has it.
constexpr double kMaxSeconds = 1e9;

// Two vectors of floats: their chains of multiply-adds fill each other's gaps, and on targets that
// stream they are whole lines.
constexpr std::size_t kStepRows = 2 * kFloatLanes;
static_assert(kBlockRows % kStepRows == 0, "a block is whole steps");

/// Rows of which positions wait for their matrices, few enough for the first-level cache.
constexpr std::size_t kMatrixRows = 1024;

/// What is done with the rows of a block.
struct Kind {
    bool is_scaled;
    bool is_hermite;
    bool has_matrices;
    bool has_children; // Their placement is wanted as well.
    bool is_cut;       // Some of its rows get no matrix.

    bool operator==(const Kind&) const = default;
};

/// Rows of blocks of one kind.
struct Stretch {
    std::size_t first;
    std::size_t end;
    Kind kind;
};

/// Positions of a stretch relative to the origin of the matrices.
struct alignas(64) Offsets {
    float axis[3][kMatrixRows];
};

// Functions of their own, here and below, with copies of all pointers: inside of a large one, or
// through references, GCC 12 reads pointers from memory in every step, which costs a third.
template <bool Stream>
HWY_NOINLINE void blend_axis(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b,
                             double* HWY_RESTRICT out, std::size_t count, double t) {
    const Doubles fraction = fill_doubles(t);
    for (std::size_t row = 0; row < count; row += kDoubleLanes) {
        store_doubles_part<Stream>(
            lerp_doubles(load_doubles(a + row), load_doubles(b + row), fraction), out + row);
    }
}

template <bool Stream>
HWY_NOINLINE void blend_axis_for_matrices(const double* HWY_RESTRICT a,
                                          const double* HWY_RESTRICT b, double* HWY_RESTRICT out,
                                          std::size_t count, double t, double origin,
                                          float* HWY_RESTRICT offset) {
    const Doubles fraction = fill_doubles(t);
    const Doubles origins = fill_doubles(origin);
    for (std::size_t row = 0; row < count; row += kDoubleLanes) {
        const Doubles blended =
            lerp_doubles(load_doubles(a + row), load_doubles(b + row), fraction);
        store_doubles_part<Stream>(blended, out + row);
        store_demoted(blended - origins, offset + row);
    }
}

template <bool Stream>
HWY_INLINE void blend_lines(const BlendBatch& batch, const Stretch& stretch, Offsets& offsets) {
    const std::size_t first = stretch.first;
    const std::size_t count = stretch.end - first;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double* const a = batch.from.position[axis] + first;
        const double* const b = batch.to.position[axis] + first;
        double* const out = batch.out.position[axis] + first;
        if (stretch.kind.has_matrices) {
            blend_axis_for_matrices<Stream>(a, b, out, count, batch.t,
                                            batch.origin[static_cast<glm::length_t>(axis)],
                                            offsets.axis[axis]);
        } else {
            blend_axis<Stream>(a, b, out, count, batch.t);
        }
    }
}

// Whole lines of each axis in turn.
template <bool Stream>
HWY_INLINE void store_positions(const Triples<Doubles>& first, const Triples<Doubles>& second,
                                const PoseTarget& out, std::size_t row) {
    store_doubles_part<Stream>(first.x, out.position[0] + row);
    store_doubles_part<Stream>(second.x, out.position[0] + row + kDoubleLanes);
    store_doubles_part<Stream>(first.y, out.position[1] + row);
    store_doubles_part<Stream>(second.y, out.position[1] + row + kDoubleLanes);
    store_doubles_part<Stream>(first.z, out.position[2] + row);
    store_doubles_part<Stream>(second.z, out.position[2] + row + kDoubleLanes);
}

template <bool Stream>
HWY_NOINLINE void blend_curves(const BlendBatch& batch, const Stretch& stretch, Offsets& offsets) {
    const PositionCurve curve{batch.from,
                              batch.to,
                              batch.from_velocity,
                              batch.to_velocity,
                              batch.hermite,
                              fill_doubles(batch.t),
                              fill_doubles(1.0 - batch.t),
                              fill_doubles(std::min(batch.duration_s, kMaxSeconds))};
    const PoseTarget out = batch.out;
    const Triples<Doubles> origin{fill_doubles(batch.origin.x), fill_doubles(batch.origin.y),
                                  fill_doubles(batch.origin.z)};
    const auto set_offsets = [&](const Triples<Doubles>& position, std::size_t row) {
        store_demoted(position.x - origin.x, offsets.axis[0] + row - stretch.first);
        store_demoted(position.y - origin.y, offsets.axis[1] + row - stretch.first);
        store_demoted(position.z - origin.z, offsets.axis[2] + row - stretch.first);
    };
    for (std::size_t row = stretch.first; row < stretch.end; row += 2 * kDoubleLanes) {
        const Triples<Doubles> first = curve.blend(row);
        const Triples<Doubles> second = curve.blend(row + kDoubleLanes);
        store_positions<Stream>(first, second, out, row);
        if (stretch.kind.has_matrices) {
            set_offsets(first, row);
            set_offsets(second, row + kDoubleLanes);
        }
    }
}

// As blend_scale() of single poses: in double, and a scale of which any part changes its sign
// stays.
HWY_NOINLINE void blend_scales(const BlendBatch& batch, const Stretch& stretch) {
    const PoseSource from = batch.from;
    const PoseSource to = batch.to;
    const PoseTarget out = batch.out;
    const Doubles zero = fill_doubles(0.0);
    const Doubles fraction = fill_doubles(batch.t);
    for (std::size_t row = stretch.first; row < stretch.end; row += kDoubleLanes) {
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
    }
}

// Whether there is hardly a turn somewhere, or about half of one.
HWY_INLINE bool has_unusual(const Turn& turn, const Turn& next_turn) {
    const FloatTag tag;
    const Floats least = hn::Min(turn.e, next_turn.e);
    const Floats most = hn::Max(turn.e, next_turn.e);
    return !hn::AllFalse(tag, hn::Or(hn::Lt(least, hn::Set(tag, kUsualDot)),
                                     hn::Gt(most, hn::Set(tag, 1.0F - kUsualDot))));
}

// Rows of a vector of floats of which the position does not change.
HWY_INLINE std::uint64_t find_still_positions(const PoseSource& from, const PoseSource& to,
                                              std::size_t first) {
    std::uint64_t still = 0;
    for (std::size_t row = 0; row < kFloatLanes; row += kDoubleLanes) {
        DoubleMask equal[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            equal[axis] = is_equal(load_doubles(from.position[axis] + first + row),
                                   load_doubles(to.position[axis] + first + row));
        }
        still |= double_word(both(equal[0], both(equal[1], equal[2]))) << row;
    }
    return still;
}

HWY_INLINE std::uint64_t find_equal(const float* a, const float* b) {
    const FloatTag tag;
    return to_word(tag, hn::Eq(hn::Load(tag, a), hn::Load(tag, b)));
}

// Rows of which nothing changes, given those whose rotation does not.
HWY_INLINE std::uint64_t find_still(const BlendBatch& batch, bool is_scaled, std::size_t row,
                                    std::uint64_t unturned) {
    if (unturned == 0) {
        return 0;
    }
    std::uint64_t still = unturned & find_still_positions(batch.from, batch.to, row);
    for (std::size_t axis = 0; axis < 3 && is_scaled; ++axis) {
        still &= find_equal(batch.from.scale[axis] + row, batch.to.scale[axis] + row);
    }
    return still;
}

// Rows of which some hardly turn, or by about half a turn. The weights of a rotation to itself add
// up to 1 within rounding only, and a body that does not turn must not tremble: its rotation is
// kept, whichever sign the newer one came with.
HWY_INLINE Rotations blend_carefully(const BlendBatch& batch, const SlerpVectors& weights,
                                     bool is_scaled, std::size_t row) {
    const FloatTag tag;
    const Rotations a = load_rotations(batch.from, row);
    const Rotations b = load_rotations(batch.to, row);
    const Rotations minus_b{hn::Neg(b.x), hn::Neg(b.y), hn::Neg(b.z), hn::Neg(b.w)};
    const Turn turn = compute_turn(a, b);
    const Floats cosine = hn::Set(tag, 1.0F) - turn.e;
    const FloatMask equal = are_equal(a, b);
    const FloatMask half_turn = hn::Lt(cosine, hn::Set(tag, kHalfTurnDot));
    const std::uint64_t word =
        find_still(batch, is_scaled, row, to_word(tag, equal)) | to_word(tag, half_turn);
    batch.look[row / kBlockRows] |= word << row % kBlockRows;
    const Rotations blended =
        mix(a, b, evaluate(weights.from, turn), hn::Xor(evaluate(weights.to, turn), turn.sign));
    return choose(hn::Or(equal, are_equal(a, minus_b)), a, blended);
}

template <bool Stream>
HWY_INLINE void store_rotations(const Rotations& first, const Rotations& second,
                                const PoseTarget& out, std::size_t row) {
    const FloatTag tag;
    store_part<Stream>(first.x, tag, out.rotation[0] + row);
    store_part<Stream>(second.x, tag, out.rotation[0] + row + kFloatLanes);
    store_part<Stream>(first.y, tag, out.rotation[1] + row);
    store_part<Stream>(second.y, tag, out.rotation[1] + row + kFloatLanes);
    store_part<Stream>(first.z, tag, out.rotation[2] + row);
    store_part<Stream>(second.z, tag, out.rotation[2] + row + kFloatLanes);
    store_part<Stream>(first.w, tag, out.rotation[3] + row);
    store_part<Stream>(second.w, tag, out.rotation[3] + row + kFloatLanes);
}

/// Rotations that nothing bends.
struct NoCurve {
    HWY_INLINE Rotations bend(std::size_t /*row*/, const Turn& /*turn*/, const Rotations& q) const {
        return q;
    }
};

HWY_INLINE RotationCurve make_rotation_curve(const BlendBatch& batch) {
    const FloatTag tag;
    const double t = batch.t;
    const double rest = 1.0 - t;
    const double span_s = std::min(batch.duration_s, kMaxSeconds);
    return {batch.from,
            batch.to,
            batch.from_velocity,
            batch.to_velocity,
            batch.hermite,
            batch.look,
            fill_weights(kAnglePerSine),
            hn::Set(tag, static_cast<float>(span_s)),
            hn::Set(tag, static_cast<float>(0.5 * t * rest * rest)),
            hn::Set(tag, static_cast<float>(0.5 * t * t * rest))};
}

/// Rotations that nobody wants matrices of.
struct NoMatrices {
    HWY_INLINE void write(std::size_t /*row*/, const Rotations& /*q*/) const {}
};

/// Matrices of rotations at hand, where nothing else is asked for.
template <bool Stream>
struct PlainWriter {
    float* matrices;
    const Offsets* offsets;
    std::size_t first; // The row of the first offset.

    HWY_INLINE void write(std::size_t row, const Rotations& q) const {
        const FloatTag tag;
        store_matrices<Stream>(to_basis(q), hn::Load(tag, offsets->axis[0] + (row - first)),
                               hn::Load(tag, offsets->axis[1] + (row - first)),
                               hn::Load(tag, offsets->axis[2] + (row - first)),
                               matrices + row * kMatrixFloats);
    }
};

/// Matrices of every kind, and placements of rows with children.
template <bool Stream>
struct MatrixWriter {
    float* matrices;
    const Offsets* offsets;
    std::size_t first;
    std::size_t row_count; // Matrices of rows from here on are not written.
    Kind kind;
    std::array<float*, 3> scale;
    std::array<float*, 9> world;

    HWY_INLINE void write(std::size_t row, const Rotations& q) const {
        const FloatTag tag;
        Basis basis = to_basis(q);
        if (kind.is_scaled) {
            basis = scale_basis(basis, hn::Load(tag, scale[0] + row), hn::Load(tag, scale[1] + row),
                                hn::Load(tag, scale[2] + row));
        }
        for (std::size_t i = 0; i < 9 && kind.has_children; ++i) {
            hn::Store(basis.m[i], tag, world[i] + row);
        }
        const Floats x = hn::Load(tag, offsets->axis[0] + (row - first));
        const Floats y = hn::Load(tag, offsets->axis[1] + (row - first));
        const Floats z = hn::Load(tag, offsets->axis[2] + (row - first));
        if (HWY_LIKELY(row + kFloatLanes <= row_count)) {
            store_matrices<Stream>(basis, x, y, z, matrices + row * kMatrixFloats);
        } else if (row < row_count) {
            alignas(64) float some[kFloatLanes * kMatrixFloats];
            store_matrices<false>(basis, x, y, z, some);
            std::copy(some, some + (row_count - row) * kMatrixFloats,
                      matrices + row * kMatrixFloats);
        }
    }
};

template <bool Stream>
HWY_INLINE MatrixWriter<Stream> make_writer(const BlendBatch& batch, const Stretch& stretch,
                                            const Offsets& offsets) {
    return {batch.matrices, &offsets,        stretch.first,    batch.row_count,
            stretch.kind,   batch.out.scale, batch.world.basis};
}

// A step once more, with care. Of every kind: it is rare, and apart from the loops of the kinds, so
// that they have nothing to keep for it.
template <bool Stream>
HWY_NOINLINE void redo_step(const BlendBatch& batch, const SlerpVectors& weights,
                            const Stretch& stretch, const Offsets& offsets, std::size_t row) {
    const Kind& kind = stretch.kind;
    Rotations pair[2];
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t at = row + i * kFloatLanes;
        pair[i] = blend_carefully(batch, weights, kind.is_scaled, at);
        if (kind.is_hermite) {
            const Turn turn =
                compute_turn(load_rotations(batch.from, at), load_rotations(batch.to, at));
            pair[i] = make_rotation_curve(batch).bend(at, turn, pair[i]);
        }
    }
    store_rotations<Stream>(pair[0], pair[1], batch.out, row);
    if (kind.has_matrices) {
        const auto writer = make_writer<Stream>(batch, stretch, offsets);
        writer.write(row, pair[0]);
        writer.write(row + kFloatLanes, pair[1]);
    }
}

template <bool Stream, class Curve, class Writer>
HWY_NOINLINE void blend_rotations(const BlendBatch& batch, const SlerpVectors& weights,
                                  const Stretch& stretch, const Offsets& offsets,
                                  const Curve& all_curves, const Writer& all_matrices) {
    const PoseSource from = batch.from;
    const PoseSource to = batch.to;
    const PoseTarget out = batch.out;
    const Curve curve = all_curves;
    const Writer writer = all_matrices;
    const std::size_t end = stretch.end;
    for (std::size_t row = stretch.first; row < end; row += kStepRows) {
        const std::size_t next = row + kFloatLanes;
        const Turn turn = compute_turn(load_rotations(from, row), load_rotations(to, row));
        const Turn next_turn = compute_turn(load_rotations(from, next), load_rotations(to, next));
        const bool is_unusual = has_unusual(turn, next_turn);
        const WeightPairs pairs = evaluate(weights, turn, next_turn);
        const Rotations q = curve.bend(row, turn,
                                       mix(load_rotations(from, row), load_rotations(to, row),
                                           pairs.from, hn::Xor(pairs.to, turn.sign)));
        const Rotations next_q =
            curve.bend(next, next_turn,
                       mix(load_rotations(from, next), load_rotations(to, next), pairs.next_from,
                           hn::Xor(pairs.next_to, next_turn.sign)));
        store_rotations<Stream>(q, next_q, out, row);
        writer.write(row, q);
        writer.write(next, next_q);
        if (HWY_UNLIKELY(is_unusual)) {
            redo_step<Stream>(batch, weights, stretch, offsets, row);
        }
    }
}

// Between the states.
template <bool Stream>
HWY_NOINLINE void blend_stretch(const BlendBatch& batch, const SlerpVectors& weights,
                                const Stretch& stretch, Offsets& offsets) {
    const Kind& kind = stretch.kind;
    std::fill(batch.look + stretch.first / kBlockRows, batch.look + stretch.end / kBlockRows, 0);
    if (kind.is_scaled) {
        blend_scales(batch, stretch);
    }
    if (kind.is_hermite) {
        blend_curves<Stream>(batch, stretch, offsets);
    } else {
        blend_lines<Stream>(batch, stretch, offsets);
    }
    const auto blend = [&](const auto& curve, const auto& writer) {
        blend_rotations<Stream>(batch, weights, stretch, offsets, curve, writer);
    };
    const bool is_plain = !kind.is_scaled && !kind.has_children && !kind.is_cut;
    if (kind.is_hermite && kind.has_matrices) {
        blend(make_rotation_curve(batch), make_writer<Stream>(batch, stretch, offsets));
    } else if (kind.is_hermite) {
        blend(make_rotation_curve(batch), NoMatrices());
    } else if (kind.has_matrices && is_plain) {
        blend(NoCurve(), PlainWriter<Stream>{batch.matrices, &offsets, stretch.first});
    } else if (kind.has_matrices) {
        blend(NoCurve(), make_writer<Stream>(batch, stretch, offsets));
    } else {
        blend(NoCurve(), NoMatrices());
    }
}

template <class T>
HWY_INLINE void copy_rows(const T* from, T* to, const Stretch& stretch) {
    // A frame that only writes matrices shows again what is there.
    if (to != from) {
        std::copy(from + stretch.first, from + stretch.end, to + stretch.first);
    }
}

// The rows of a block of which both states are equal.
HWY_INLINE std::uint64_t find_still_rows(const BlendBatch& batch, bool is_scaled,
                                         std::size_t first) {
    std::uint64_t still = 0;
    for (std::size_t row = 0; row < kBlockRows; row += kFloatLanes) {
        const std::uint64_t unturned =
            to_word(FloatTag(), are_equal(load_rotations(batch.from, first + row),
                                          load_rotations(batch.to, first + row)));
        still |= find_still(batch, is_scaled, first + row, unturned) << row;
    }
    return still;
}

// At either end of the way: the bits of that state.
HWY_NOINLINE void copy_stretch(const BlendBatch& batch, const Stretch& stretch, Offsets& offsets) {
    const Kind& kind = stretch.kind;
    const PoseSource& state = batch.t == 0.0 ? batch.from : batch.to;
    for (std::size_t row = stretch.first; row < stretch.end; row += kBlockRows) {
        batch.look[row / kBlockRows] = find_still_rows(batch, kind.is_scaled, row);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        copy_rows(state.position[axis], batch.out.position[axis], stretch);
    }
    for (std::size_t part = 0; part < 4; ++part) {
        copy_rows(state.rotation[part], batch.out.rotation[part], stretch);
    }
    for (std::size_t axis = 0; axis < 3 && kind.is_scaled; ++axis) {
        copy_rows(state.scale[axis], batch.out.scale[axis], stretch);
    }
    if (!kind.has_matrices) {
        return;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Doubles origin = fill_doubles(batch.origin[static_cast<glm::length_t>(axis)]);
        for (std::size_t row = stretch.first; row < stretch.end; row += kDoubleLanes) {
            store_demoted(load_doubles(batch.out.position[axis] + row) - origin,
                          offsets.axis[axis] + row - stretch.first);
        }
    }
    const auto writer = make_writer<false>(batch, stretch, offsets);
    for (std::size_t row = stretch.first; row < stretch.end; row += kFloatLanes) {
        writer.write(row, load_rotations(batch.out, row));
    }
}

HWY_INLINE bool has_bit(const std::uint64_t* words, std::size_t block) {
    return words != nullptr && words[block] != 0;
}

HWY_INLINE Kind find_kind(const BlendBatch& batch, std::size_t block) {
    const bool is_below = batch.below != nullptr && batch.below[block] == ~std::uint64_t{0};
    const bool has_matrices = batch.matrices != nullptr && !is_below;
    return {.is_scaled = has_bit(batch.scaled, block),
            .is_hermite = has_bit(batch.hermite, block),
            .has_matrices = has_matrices,
            .has_children = has_matrices && has_bit(batch.above, block),
            .is_cut = has_matrices && (block + 1) * kBlockRows > batch.row_count};
}

// From a block on, as far as its kind goes.
HWY_INLINE Stretch find_stretch(const BlendBatch& batch, std::size_t block, std::size_t end_block) {
    const Kind kind = find_kind(batch, block);
    const std::size_t most = kind.has_matrices ? kMatrixRows / kBlockRows : end_block;
    const std::size_t limit = std::min(end_block, block + most);
    std::size_t end = block + 1;
    while (end < limit && find_kind(batch, end) == kind) {
        ++end;
    }
    return {block * kBlockRows, end * kBlockRows, kind};
}

void blend_range(const BlendBatch& batch, std::size_t first_block, std::size_t block_count) {
    const SlerpVectors weights{fill_weights(batch.weights.from), fill_weights(batch.weights.to)};
    const bool is_between = batch.t != 0.0 && batch.t != 1.0;
    const bool can_stream =
        kCanStream && batch.stream && (batch.matrices == nullptr || is_line_start(batch.matrices));
    Offsets offsets;
    const std::size_t end_block = first_block + block_count;
    for (std::size_t block = first_block; block < end_block;) {
        const Stretch stretch = find_stretch(batch, block, end_block);
        // Of rows with children the positions are read back at once.
        if (!is_between) {
            copy_stretch(batch, stretch, offsets);
        } else if (can_stream && !stretch.kind.has_children) {
            blend_stretch<kCanStream>(batch, weights, stretch, offsets);
        } else {
            blend_stretch<false>(batch, weights, stretch, offsets);
        }
        for (std::size_t axis = 0; axis < 3 && stretch.kind.has_children; ++axis) {
            copy_rows<double>(batch.out.position[axis], batch.world.translation[axis], stretch);
        }
        block = stretch.end / kBlockRows;
    }
    if (can_stream) {
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
