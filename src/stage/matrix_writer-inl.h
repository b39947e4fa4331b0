// SPDX-License-Identifier: MIT
// What becomes of a pose that has just been blended: matrices and placements. Included once for
// each target.
#if defined(GLISSADE_STAGE_MATRIX_WRITER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_MATRIX_WRITER_INL_H
#undef GLISSADE_STAGE_MATRIX_WRITER_INL_H
#else
#define GLISSADE_STAGE_MATRIX_WRITER_INL_H
#endif

#include "stage/matrix_math-inl.h"
#include "stage/positions-inl.h"
#include "stage/stretch-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

/// Rotations that nobody wants matrices of.
struct NoMatrices {
    HWY_INLINE void write(std::size_t /*row*/, const Rotations& /*q*/, NoOffsets /*offset*/) const {
    }
};

/// Matrices of rotations at hand, where nothing else is asked for.
template <bool Stream>
struct PlainWriter {
    float* matrices;

    HWY_INLINE void write(std::size_t row, const Rotations& q,
                          const Triples<Floats>& offset) const {
        store_matrices<Stream>(to_basis(q), offset.x, offset.y, offset.z,
                               matrices + row * kMatrixFloats);
    }
};

/// Matrices of every kind, and placements of rows with children.
template <bool Stream>
struct MatrixWriter {
    float* matrices;
    std::size_t row_count; // Matrices of rows from here on are not written.
    Kind kind;
    std::array<float*, 3> scale;
    std::array<float*, 9> world;
    bool is_rigid;
    bool streams_world;

    HWY_INLINE void write(std::size_t row, const Rotations& q,
                          const Triples<Floats>& offset) const {
        const FloatTag tag;
        Basis basis = to_basis(q);
        if (kind.is_scaled) {
            basis = scale_basis(basis, hn::Load(tag, scale[0] + row), hn::Load(tag, scale[1] + row),
                                hn::Load(tag, scale[2] + row));
        }
        if (kind.has_children) {
            store_placement(row, q, basis);
        }
        if (HWY_LIKELY(row + kFloatLanes <= row_count)) {
            store_matrices<Stream>(basis, offset.x, offset.y, offset.z,
                                   matrices + row * kMatrixFloats);
        } else if (row < row_count) {
            alignas(64) float some[kFloatLanes * kMatrixFloats];
            store_matrices<false>(basis, offset.x, offset.y, offset.z, some);
            std::copy(some, some + (row_count - row) * kMatrixFloats,
                      matrices + row * kMatrixFloats);
        }
    }

    HWY_INLINE void store_placement(std::size_t row, const Rotations& q, const Basis& basis) const {
        const bool past_caches = Stream && streams_world;
        if (is_rigid) {
            store_rotation(q, world, row, past_caches);
            return;
        }
        for (std::size_t i = 0; i < 9; ++i) {
            store_column(basis.m[i], world[i] + row, past_caches);
        }
    }
};

template <bool Stream>
HWY_INLINE MatrixWriter<Stream> make_writer(const BlendBatch& batch, const Stretch& stretch) {
    return {batch.matrices,    batch.row_count, stretch.kind,      batch.out.scale,
            batch.world.basis, batch.is_rigid,  batch.stream_world};
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
