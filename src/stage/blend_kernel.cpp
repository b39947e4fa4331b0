// SPDX-License-Identifier: MIT
// Blends rows. Neighbouring blocks of one kind are a stretch, and each kind has a loop of its own:
// one pass over all columns where matrices need all of them, else column by column, if that is
// faster on this machine.
//
// No fused multiply-add for positions and scales that are kept: Add(Mul()) rounds alike on every
// target, and as single poses do. For rotations it saves a tenth of a blend that is in the caches.
#include "kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/blend_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/matrix_writer-inl.h"
#include "stage/positions-inl.h"
#include "stage/rotations-inl.h"
#include "stage/stretch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// Rows that follow velocities.
template <bool Stream>
HWY_INLINE void blend_hermite_rows(const BlendBatch& batch, const SlerpVectors& weights,
                                   const Stretch& stretch, Offsets& offsets) {
    const auto blend = [&](const auto& lines, const auto& curve, const auto& writer) {
        blend_rotations<Stream>(batch, weights, stretch, lines, curve, writer);
    };
    const Kind& kind = stretch.kind;
    const BlendedLines before{&offsets, stretch.first};
    blend_curves<Stream>(batch, stretch, offsets);
    if (kind.has_spin && kind.has_matrices) {
        blend(before, make_rotation_curve(batch), make_writer<Stream>(batch, stretch));
    } else if (kind.has_spin) {
        blend(NoLines(), make_rotation_curve(batch), NoMatrices());
    } else if (kind.has_matrices) {
        blend(before, NoCurve(), make_writer<Stream>(batch, stretch));
    } else {
        blend(NoLines(), NoCurve(), NoMatrices());
    }
}

/// Linear rows, positions and rotations in one pass.
template <bool Stream>
HWY_INLINE void blend_together(const BlendBatch& batch, const SlerpVectors& weights,
                               const Stretch& stretch) {
    const auto blend = [&](const auto& lines, const auto& writer) {
        blend_rotations<Stream>(batch, weights, stretch, lines, NoCurve(), writer);
    };
    const Kind& kind = stretch.kind;
    if (!batch.has_pictures && kind.has_matrices && kind.is_plain()) {
        blend(make_lines<Stream, Wanted::OffsetsAlone>(batch), PlainWriter<Stream>{batch.matrices});
    } else if (kind.has_matrices && kind.is_plain()) {
        blend(make_lines<Stream, Wanted::Offsets>(batch), PlainWriter<Stream>{batch.matrices});
    } else if (kind.has_children) {
        blend(make_lines<Stream, Wanted::Placements>(batch), make_writer<Stream>(batch, stretch));
    } else if (kind.has_matrices) {
        blend(make_lines<Stream, Wanted::Offsets>(batch), make_writer<Stream>(batch, stretch));
    } else {
        blend(make_lines<Stream, Wanted::Picture>(batch), NoMatrices());
    }
}

/// The same column by column.
template <bool Stream>
HWY_INLINE void blend_by_columns(const BlendBatch& batch, const SlerpVectors& weights,
                                 const Stretch& stretch, Offsets& offsets) {
    const auto blend = [&](const auto& lines, const auto& writer) {
        blend_rotations<Stream>(batch, weights, stretch, lines, NoCurve(), writer);
    };
    const Kind& kind = stretch.kind;
    const BlendedLines before{&offsets, stretch.first};
    blend_lines<Stream>(batch, stretch, offsets);
    if (kind.has_matrices && kind.is_plain()) {
        blend(before, PlainWriter<Stream>{batch.matrices});
    } else if (kind.has_matrices) {
        blend(before, make_writer<Stream>(batch, stretch));
    } else {
        blend(NoLines(), NoMatrices());
    }
}

// Whether linear rows are blended by blend_together().
template <bool Stream>
HWY_INLINE bool is_together(const BlendBatch& batch, const Stretch& stretch) {
    if (!kBlendsTogether || stretch.kind.has_matrices) {
        return kBlendsTogether;
    }
    if (!kHasManyRegisters) {
        return Stream;
    }
    const bool is_long = stretch.end - stretch.first >= kLongStretchRows;
    return batch.tuning.in_one_pass || (Stream && !is_long);
}

// Between the states.
template <bool Stream>
HWY_NOINLINE void blend_stretch(const BlendBatch& batch, const SlerpVectors& weights,
                                const Stretch& stretch, Offsets& offsets) {
    std::fill(batch.look + stretch.first / kBlockRows, batch.look + stretch.end / kBlockRows, 0);
    if (stretch.kind.is_scaled) {
        blend_scales(batch, stretch);
    }
    if (stretch.kind.is_hermite) {
        blend_hermite_rows<Stream>(batch, weights, stretch, offsets);
    } else if (is_together<Stream>(batch, stretch)) {
        blend_together<Stream>(batch, weights, stretch);
    } else {
        blend_by_columns<Stream>(batch, weights, stretch, offsets);
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
    const auto writer = make_writer<false>(batch, stretch);
    const BlendedLines lines{&offsets, stretch.first};
    for (std::size_t row = stretch.first; row < stretch.end; row += kFloatLanes) {
        writer.write(row, load_rotations(batch.out, row), lines.blend(row));
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
            .has_spin = has_bit(batch.spin, block),
            .has_matrices = has_matrices,
            .has_children = has_matrices && has_bit(batch.above, block),
            .is_cut = has_matrices && (block + 1) * kBlockRows > batch.row_count};
}

HWY_INLINE bool is_between(const BlendBatch& batch) {
    return batch.t != 0.0 && batch.t != 1.0;
}

// Of kinds with matrices: whether positions are not at hand when rotations are blended.
HWY_INLINE bool is_in_passes(const BlendBatch& batch, const Kind& kind) {
    return !kBlendsTogether || kind.is_hermite || !is_between(batch);
}

// Whether a block has nothing but linear rows without a family, all of them with matrices if there
// are any. Most are like that, and asking so is shorter than find_kind().
HWY_INLINE bool is_simple(const BlendBatch& batch, std::size_t block) {
    return !has_bit(batch.scaled, block) && !has_bit(batch.hermite, block) &&
           !has_bit(batch.below, block) && !has_bit(batch.above, block) &&
           (block + 1) * kBlockRows <= batch.row_count;
}

// So many blocks are asked at a time.
constexpr std::size_t kBlocksAtOnce = 8;

HWY_INLINE std::uint64_t find_bits(const std::uint64_t* words, std::size_t block) {
    if (words == nullptr) {
        return 0;
    }
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kBlocksAtOnce; ++i) {
        bits |= words[block + i];
    }
    return bits;
}

// The first block from one on that is not simple, at most `limit`.
HWY_INLINE std::size_t find_simple_end(const BlendBatch& batch, std::size_t block,
                                       std::size_t limit) {
    const std::size_t whole = std::min(limit, batch.row_count / kBlockRows);
    while (block + kBlocksAtOnce <= whole &&
           (find_bits(batch.scaled, block) | find_bits(batch.hermite, block) |
            find_bits(batch.below, block) | find_bits(batch.above, block)) == 0) {
        block += kBlocksAtOnce;
    }
    while (block < whole && is_simple(batch, block)) {
        ++block;
    }
    return block;
}

// From a block on, as far as its kind goes: where it begins the weights are loaded anew. Positions
// that wait for their matrices are few.
HWY_INLINE Stretch find_stretch(const BlendBatch& batch, std::size_t block, std::size_t end_block) {
    const Kind kind = find_kind(batch, block);
    const bool has_waiting = kind.has_matrices && is_in_passes(batch, kind);
    const std::size_t most = has_waiting ? kMatrixRows / kBlockRows : end_block;
    const std::size_t limit = std::min(end_block, block + most);
    std::size_t end = std::max(block + 1, find_simple_end(batch, block, limit));
    while (end < limit && find_kind(batch, end) == kind) {
        ++end;
    }
    return {block * kBlockRows, end * kBlockRows, kind};
}

void blend_range(const BlendBatch& batch, std::size_t first_block, std::size_t block_count) {
    const SlerpVectors weights{fill_weights(batch.weights.from), fill_weights(batch.weights.to)};
    const bool can_stream =
        kCanStream && batch.stream && (batch.matrices == nullptr || is_line_start(batch.matrices));
    Offsets offsets;
    const std::size_t end_block = first_block + block_count;
    for (std::size_t block = first_block; block < end_block;) {
        const Stretch stretch = find_stretch(batch, block, end_block);
        // The placements of rows with children have their positions, too. Where those are not at
        // hand they are read back at once.
        const bool reads_back = stretch.kind.has_children && is_in_passes(batch, stretch.kind);
        if (!is_between(batch)) {
            copy_stretch(batch, stretch, offsets);
        } else if (can_stream && !reads_back) {
            blend_stretch<kCanStream>(batch, weights, stretch, offsets);
        } else {
            blend_stretch<false>(batch, weights, stretch, offsets);
        }
        for (std::size_t axis = 0; axis < 3 && reads_back; ++axis) {
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

// The family of a processor stands for how wide its arithmetic is: the 512-bit vectors of Zen 4
// take two turns, those of Zen 5 one. These two were measured, see docs/decisions/0011.
BlendTuning find_tuning() noexcept {
#if HWY_ARCH_X86_64 && defined(__GNUC__)                       // As Clang says of itself, too.
    const bool is_narrow = __builtin_cpu_is("amdfam19h") != 0; // Zen 3 as well, without AVX-512.
#else
    const bool is_narrow = false;
#endif
    return {.in_one_pass = is_narrow, .fetches_ahead = !is_narrow};
}

const char* kernel_target() noexcept {
    return HWY_DYNAMIC_DISPATCH(target_name)();
}

} // namespace glissade
#endif
