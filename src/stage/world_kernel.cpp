// SPDX-License-Identifier: MIT
// Places rows below their parents, vector by vector. Rigid families multiply rotations, the others
// 3x3 parts.
#include "kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/world_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/arms-inl.h"
#include "stage/kernel_math-inl.h"
#include "stage/matrix_math-inl.h"
#include "stage/parents-inl.h"
#include "stage/rotation_math-inl.h"
#include "stage/triples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

HWY_INLINE Basis load_local_basis(const WorldBatch& batch, std::size_t row) {
    const FloatTag tag;
    const PoseSource& local = batch.local;
    const Basis basis = to_basis(load_rotations(local, row));
    if (batch.scaled == nullptr || batch.scaled[row / kBlockRows] == 0) {
        return basis;
    }
    return scale_basis(basis, hn::Load(tag, local.scale[0] + row),
                       hn::Load(tag, local.scale[1] + row), hn::Load(tag, local.scale[2] + row));
}

// All lanes of a vector, as bits.
inline constexpr std::uint64_t kAllLanes =
    kFloatLanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << kFloatLanes) - 1;

// Whether a row of a vector has children.
HWY_INLINE bool has_children(const WorldBatch& batch, std::size_t row) {
    return batch.above != nullptr &&
           ((batch.above[row / kBlockRows] >> row % kBlockRows) & kAllLanes) != 0;
}

/// Where a vector of rows goes: memory of the caller, or a place to take parts of it from.
struct PlacedTarget {
    float* matrices;
    const WorldTarget* world; // Null if no row has children.
    std::size_t row;          // In `world`.
    bool streams_world;
};

/// The 3x3 parts of parents, of rotations at hand.
struct TurnedRows {
    Basis basis;

    HWY_INLINE Triples<Floats> get(std::size_t axis) const {
        return {basis.m[3 * axis], basis.m[3 * axis + 1], basis.m[3 * axis + 2]};
    }
};

/// One row of them, where they are looked up row by row.
struct FoundRow {
    Triples<Floats> row;

    HWY_INLINE Triples<Floats> get(std::size_t /*axis*/) const { return row; }
};

// Where arms end on one axis, relative to the origin of the matrices.
template <class Parents, class Arms>
HWY_INLINE Floats place_ends(const WorldBatch& batch, const Parents& parents, const Arms& arms,
                             std::size_t axis, const PlacedTarget& to) {
    const Doubles from = fill_doubles(batch.origin[static_cast<glm::length_t>(axis)]);
    if (to.world == nullptr) {
        return arms.find_end(parents, axis, from);
    }
    const WideFloats placed = arms.place(parents, axis);
    store_column(placed, to.world->translation[axis] + to.row, to.streams_world);
    return find_offset(placed, from);
}

// Below parents that `outer` turns.
template <bool Stream, class Parents, class Arms>
HWY_INLINE void place_turned(const WorldBatch& batch, std::size_t row, const Parents& parents,
                             const Rotations& outer, const Arms& arms, const PlacedTarget& to) {
    const Rotations placed = multiply(outer, load_rotations(batch.local, row));
    if (to.world != nullptr) {
        store_rotation(placed, to.world->basis, to.row, to.streams_world);
    }
    const Basis turned = to_basis(placed);
    // Not a loop: GCC would leave it one where arms are long, with all it needs on the stack.
    const auto place_axis = [&](std::size_t axis) HWY_ATTR {
        const Floats end = place_ends(batch, parents, arms, axis, to);
        const Floats* const m = turned.m + 3 * axis;
        return gather_rows(m[0], m[1], m[2], end);
    };
    const MatrixRows rows[3] = {place_axis(0), place_axis(1), place_axis(2)};
    store_rows<Stream>(rows, to.matrices);
}

// Axis by axis, so that what each needs of the parents is in registers only while it is needed.
template <bool Stream, class Parents>
HWY_INLINE void place_scaled(const WorldBatch& batch, std::size_t row, const Parents& parents,
                             const PlacedTarget& to) {
    const Basis inner = load_local_basis(batch, row);
    const Triples<WideFloats> wide = load_arms(batch.local, row);
    MatrixRows rows[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Triples<Floats> parent{parents.basis(3 * axis), parents.basis(3 * axis + 1),
                                     parents.basis(3 * axis + 2)};
        const LongArms<FoundRow> arms{wide, {parent}};
        Floats turned[3];
        for (std::size_t k = 0; k < 3; ++k) {
            turned[k] = hn::MulAdd(parent.z, inner.m[6 + k],
                                   hn::MulAdd(parent.y, inner.m[3 + k], parent.x * inner.m[k]));
        }
        const Floats end = place_ends(batch, parents, arms, axis, to);
        for (std::size_t k = 0; k < 3 && to.world != nullptr; ++k) {
            store_column(turned[k], to.world->basis[3 * axis + k] + to.row, to.streams_world);
        }
        rows[axis] = gather_rows(turned[0], turned[1], turned[2], end);
    }
    store_rows<Stream>(rows, to.matrices);
}

// What placements have beside the translation.
template <bool IsRigid>
inline constexpr std::size_t kColumnCount = IsRigid ? 4 : 9;

// How many rows ahead placements and poses are asked for: processors do not follow so many columns
// by themselves, and a tree of 10^6 rows takes a twentieth longer without.
inline constexpr std::size_t kRowsAhead = 64;

template <std::size_t ColumnCount>
HWY_INLINE void prefetch_rows(const WorldBatch& batch, std::size_t row, std::size_t parent) {
    for (std::size_t i = 0; i < ColumnCount; ++i) {
        hwy::Prefetch(batch.world.basis[i] + parent);
    }
    for (const double* const column : batch.world.translation) {
        hwy::Prefetch(column + parent);
    }
    for (const double* const column : batch.local.position) {
        hwy::Prefetch(column + row);
        hwy::Prefetch(column + row + kFloatLanes / 2);
    }
    for (const float* const column : batch.local.rotation) {
        hwy::Prefetch(column + row);
    }
}

// Only the arms of `lanes` decide how they are placed; the others may be anything.
template <bool Stream, class Parents>
HWY_INLINE void place_rigid(const WorldBatch& batch, std::size_t row, std::uint64_t lanes,
                            const Parents& parents, const PlacedTarget& to) {
    const Rotations outer = parents.rotation();
    const Triples<WideFloats> wide = load_arms(batch.local, row);
    const Triples<Floats> arm{demote(wide.x), demote(wide.y), demote(wide.z)};
    if (HWY_LIKELY(are_short(arm, lanes))) {
        place_turned<Stream>(batch, row, parents, outer, ShortArms(arm, outer), to);
    } else {
        const LongArms<TurnedRows> arms{wide, {to_basis(outer)}};
        place_turned<Stream>(batch, row, parents, outer, arms, to);
    }
}

template <bool Stream, bool IsRigid, class Parents>
HWY_INLINE void place_below(const WorldBatch& batch, std::size_t row, std::uint64_t lanes,
                            const Parents& parents, const PlacedTarget& to) {
    if constexpr (IsRigid) {
        place_rigid<Stream>(batch, row, lanes, parents, to);
    } else {
        place_scaled<Stream>(batch, row, parents, to);
    }
}

template <bool Stream, bool IsRigid>
HWY_NOINLINE void place_far(const WorldBatch& batch, std::size_t row, std::uint64_t lanes,
                            const std::uint32_t* rows, const PlacedTarget& to) {
    place_below<Stream, IsRigid>(batch, row, lanes, FarParents{&batch.world, rows}, to);
}

// Whole vectors of rows.
template <bool Stream, bool IsRigid>
HWY_NOINLINE void place_vectors(const WorldBatch& given, std::size_t first, std::size_t end) {
    const WorldBatch batch = given;
    for (std::size_t row = first; row < end; row += kFloatLanes) {
        if constexpr (Stream) {
            const std::size_t ahead = std::min(row + kRowsAhead, end - 1);
            prefetch_rows<kColumnCount<IsRigid>>(batch, ahead, batch.parent[ahead]);
        }
        const PlacedTarget to{batch.matrices + row * kMatrixFloats,
                              has_children(batch, row) ? &batch.world : nullptr, row,
                              Stream && batch.stream_world};
        NearParents parents;
        if (HWY_LIKELY(parents.find(batch.world, batch.parent + row))) {
            place_below<Stream, IsRigid>(batch, row, kAllLanes, parents, to);
        } else {
            place_far<Stream, IsRigid>(batch, row, kAllLanes, batch.parent + row, to);
        }
    }
}

/// A vector of placed rows, of which some are wanted.
struct alignas(64) PlacedSome {
    float matrices[kFloatLanes * kMatrixFloats];
    float basis[9][kFloatLanes];
    double translation[3][kFloatLanes];
};

// The rows [begin, end) of the vector of rows at `first`.
template <bool IsRigid>
HWY_NOINLINE void place_some(const WorldBatch& batch, std::size_t first, std::size_t begin,
                             std::size_t end) {
    // The other rows get a parent as well, so that the whole vector can be computed.
    std::uint32_t rows[kFloatLanes];
    std::fill_n(rows, kFloatLanes, batch.parent[begin]);
    std::copy(batch.parent + begin, batch.parent + end, rows + (begin - first));
    PlacedSome some;
    WorldTarget world;
    std::copy_n(std::begin(some.basis), 9, world.basis.begin());
    std::copy_n(std::begin(some.translation), 3, world.translation.begin());
    const std::uint64_t wanted = (kAllLanes >> (kFloatLanes - (end - begin))) << (begin - first);
    const bool is_above = has_children(batch, first);
    place_far<false, IsRigid>(batch, first, wanted, rows,
                              {some.matrices, is_above ? &world : nullptr, 0, false});
    std::copy(some.matrices + (begin - first) * kMatrixFloats,
              some.matrices + (end - first) * kMatrixFloats,
              batch.matrices + begin * kMatrixFloats);
    for (std::size_t i = 0; i < kColumnCount<IsRigid> && is_above; ++i) {
        std::copy(some.basis[i] + (begin - first), some.basis[i] + (end - first),
                  batch.world.basis[i] + begin);
    }
    for (std::size_t axis = 0; axis < 3 && is_above; ++axis) {
        std::copy(some.translation[axis] + (begin - first), some.translation[axis] + (end - first),
                  batch.world.translation[axis] + begin);
    }
}

template <bool IsRigid>
HWY_INLINE void place_all(const WorldBatch& batch, std::size_t first_row, std::size_t count) {
    const std::size_t end = first_row + count;
    const std::size_t whole_begin =
        std::min(end, (first_row + kFloatLanes - 1) / kFloatLanes * kFloatLanes);
    const std::size_t whole_end = std::max(whole_begin, end / kFloatLanes * kFloatLanes);
    if (first_row < whole_begin) {
        place_some<IsRigid>(batch, first_row / kFloatLanes * kFloatLanes, first_row, whole_begin);
    }
    if (kCanStream && batch.stream && is_line_start(batch.matrices)) {
        place_vectors<kCanStream, IsRigid>(batch, whole_begin, whole_end);
        hwy::FlushStream();
    } else {
        place_vectors<false, IsRigid>(batch, whole_begin, whole_end);
    }
    if (whole_end < end) {
        place_some<IsRigid>(batch, whole_end, whole_end, end);
    }
}

void place_range(const WorldBatch& batch, std::size_t first_row, std::size_t count) {
    if (batch.is_rigid) {
        place_all<true>(batch, first_row, count);
    } else {
        place_all<false>(batch, first_row, count);
    }
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glissade {

HWY_EXPORT(place_range);

void place_rows(const WorldBatch& batch, std::size_t first_row, std::size_t count) noexcept {
    HWY_DYNAMIC_DISPATCH(place_range)(batch, first_row, count);
}

} // namespace glissade
#endif
