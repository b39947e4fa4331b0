// SPDX-License-Identifier: MIT
// Places rows below their parents, block by block: first brings the placements of the parents into
// the order of the rows, then multiplies.
#include "kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/world_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/kernel_math-inl.h"
#include "stage/matrix_math-inl.h"
#include "stage/rotation_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

using IndexTag = hn::Rebind<std::uint32_t, FloatTag>;

/// Rows [begin, end) of a block, and the whole vectors that hold them.
struct RowRange {
    std::size_t first_row; // Of the block.
    std::size_t begin;
    std::size_t end;
    std::size_t vector_begin;
    std::size_t vector_end;
};

/// Placements by row of the block: of the parents first, then of the rows themselves.
struct alignas(64) WorldScratch {
    std::uint32_t parent[kBlockRows];
    float basis[9][kBlockRows];
    double translation[3][kBlockRows];
    float offset[3][kBlockRows];
    float matrices[kBlockRows * kMatrixFloats];
};

// Rows outside of the range get a parent as well, so that whole vectors can be computed.
HWY_INLINE void load_parents(const std::uint32_t* parents, const RowRange& range,
                             std::uint32_t (&parent)[kBlockRows]) {
    const std::uint32_t* const column = parents + range.first_row;
    std::fill_n(parent, kBlockRows, column[range.begin]);
    std::copy(column + range.begin, column + range.end, parent + range.begin);
}

// Where a window of rows begins that has all parents from `low` to `high`, less than a vector
// apart. It may not reach beyond the block of the last one, where the columns may end.
HWY_INLINE std::uint32_t find_window(std::uint32_t low, std::uint32_t high) {
    const std::uint32_t block_end = (high / static_cast<std::uint32_t>(kBlockRows) + 1) *
                                    static_cast<std::uint32_t>(kBlockRows);
    return std::min(low, block_end - static_cast<std::uint32_t>(kFloatLanes));
}

// One load and one permutation a column instead of a load for each lane.
HWY_INLINE void gather_window(const WorldTarget& world, WorldScratch& scratch, std::size_t row,
                              std::uint32_t window) {
    const FloatTag tag;
    const IndexTag index_tag;
    const hn::RebindToSigned<IndexTag> signed_tag;
    const auto index = hn::Load(index_tag, scratch.parent + row) - hn::Set(index_tag, window);
    const auto table = hn::IndicesFromVec(tag, hn::BitCast(signed_tag, index));
    for (std::size_t i = 0; i < 9; ++i) {
        const Floats parents = hn::LoadU(tag, world.basis[i] + window);
        hn::Store(hn::TableLookupLanes(parents, table), tag, scratch.basis[i] + row);
    }
}

HWY_INLINE void gather_lanes(const WorldTarget& world, WorldScratch& scratch, std::size_t row) {
    for (std::size_t i = 0; i < 9; ++i) {
        const float* const column = world.basis[i];
        for (std::size_t lane = row; lane < row + kFloatLanes; ++lane) {
            scratch.basis[i][lane] = column[scratch.parent[lane]];
        }
    }
}

HWY_NOINLINE void gather_parents(const WorldTarget& world, const RowRange& range,
                                 WorldScratch& scratch) {
    const IndexTag tag;
    for (std::size_t row = range.vector_begin; row < range.vector_end; row += kFloatLanes) {
        const auto parents = hn::Load(tag, scratch.parent + row);
        const std::uint32_t low = hn::GetLane(hn::MinOfLanes(tag, parents));
        const std::uint32_t high = hn::GetLane(hn::MaxOfLanes(tag, parents));
        if (HWY_LIKELY(high - low < kFloatLanes)) {
            gather_window(world, scratch, row, find_window(low, high));
        } else {
            gather_lanes(world, scratch, row);
        }
    }
    const double* const x = world.translation[0];
    const double* const y = world.translation[1];
    const double* const z = world.translation[2];
    for (std::size_t row = range.begin; row < range.end; ++row) {
        const std::uint32_t parent = scratch.parent[row];
        scratch.translation[0][row] = x[parent];
        scratch.translation[1][row] = y[parent];
        scratch.translation[2][row] = z[parent];
    }
}

// In double, as compose() does it: the offset within the parent may be large too.
HWY_NOINLINE void place_translations(const PoseSource& local, const RowRange& range,
                                     const glm::dvec3& origin, WorldScratch& scratch) {
    const Doubles origins[3] = {fill_doubles(origin.x), fill_doubles(origin.y),
                                fill_doubles(origin.z)};
    for (std::size_t row = range.vector_begin; row < range.vector_end; row += kDoubleLanes) {
        const Doubles x = load_doubles(local.position[0] + range.first_row + row);
        const Doubles y = load_doubles(local.position[1] + range.first_row + row);
        const Doubles z = load_doubles(local.position[2] + range.first_row + row);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Doubles turned = (load_promoted(scratch.basis[3 * axis] + row) * x +
                                    load_promoted(scratch.basis[3 * axis + 1] + row) * y) +
                                   load_promoted(scratch.basis[3 * axis + 2] + row) * z;
            const Doubles placed = load_doubles(scratch.translation[axis] + row) + turned;
            store_doubles(placed, scratch.translation[axis] + row);
            store_demoted(placed - origins[axis], scratch.offset[axis] + row);
        }
    }
}

HWY_INLINE Basis load_local_basis(const PoseSource& local, bool is_scaled, std::size_t row) {
    const FloatTag tag;
    const Basis basis =
        to_basis({hn::Load(tag, local.rotation[0] + row), hn::Load(tag, local.rotation[1] + row),
                  hn::Load(tag, local.rotation[2] + row), hn::Load(tag, local.rotation[3] + row)});
    if (!is_scaled) {
        return basis;
    }
    return scale_basis(basis, hn::Load(tag, local.scale[0] + row),
                       hn::Load(tag, local.scale[1] + row), hn::Load(tag, local.scale[2] + row));
}

HWY_INLINE Basis multiply(const float (&outer)[9][kBlockRows], const Basis& inner,
                          std::size_t row) {
    const FloatTag tag;
    Basis product;
    for (std::size_t i = 0; i < 9; i += 3) {
        const Floats x = hn::Load(tag, outer[i] + row);
        const Floats y = hn::Load(tag, outer[i + 1] + row);
        const Floats z = hn::Load(tag, outer[i + 2] + row);
        for (std::size_t k = 0; k < 3; ++k) {
            product.m[i + k] =
                hn::MulAdd(z, inner.m[6 + k], hn::MulAdd(y, inner.m[3 + k], x * inner.m[k]));
        }
    }
    return product;
}

HWY_INLINE void store_placed(const WorldTarget& world, const RowRange& range, std::size_t begin,
                             std::size_t end, const WorldScratch& scratch) {
    const std::size_t first = range.first_row + begin;
    for (std::size_t i = 0; i < 9; ++i) {
        std::copy(scratch.basis[i] + begin, scratch.basis[i] + end, world.basis[i] + first);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::copy(scratch.translation[axis] + begin, scratch.translation[axis] + end,
                  world.translation[axis] + first);
    }
}

HWY_INLINE void store_vector(const WorldTarget& world, std::size_t first_row, std::size_t row,
                             const WorldScratch& scratch) {
    const FloatTag tag;
    for (std::size_t i = 0; i < 9; ++i) {
        hn::Store(hn::Load(tag, scratch.basis[i] + row), tag, world.basis[i] + first_row + row);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = row; i < row + kFloatLanes; i += kDoubleLanes) {
            store_doubles(load_doubles(scratch.translation[axis] + i),
                          world.translation[axis] + first_row + i);
        }
    }
}

// The rows with children, vector by vector.
HWY_INLINE void store_parents(const WorldTarget& world, const RowRange& range, std::uint64_t above,
                              const WorldScratch& scratch) {
    for (std::size_t row = range.vector_begin; row < range.vector_end; row += kFloatLanes) {
        const std::size_t begin = std::max(row, range.begin);
        const std::size_t end = std::min(row + kFloatLanes, range.end);
        const std::uint64_t bits = (above >> row) & ((std::uint64_t{1} << kFloatLanes) - 1);
        if (bits != 0 && end - begin == kFloatLanes) {
            store_vector(world, range.first_row, row, scratch);
        } else if (bits != 0) {
            store_placed(world, range, begin, end, scratch);
        }
    }
}

HWY_INLINE void place_block(const WorldBatch& batch, const RowRange& range, WorldScratch& scratch) {
    const std::size_t block = range.first_row / kBlockRows;
    const bool is_scaled = batch.scaled != nullptr && batch.scaled[block] != 0;
    const bool is_whole = range.begin == 0 && range.end == kBlockRows;
    const bool has_children = batch.above != nullptr && batch.above[block] != 0;
    float* const out = batch.matrices + range.first_row * kMatrixFloats;
    float* const built = is_whole ? out : scratch.matrices;
    load_parents(batch.parent, range, scratch.parent);
    gather_parents(batch.world, range, scratch);
    place_translations(batch.local, range, batch.origin, scratch);
    const FloatTag tag;
    for (std::size_t row = range.vector_begin; row < range.vector_end; row += kFloatLanes) {
        const Basis local = load_local_basis(batch.local, is_scaled, range.first_row + row);
        const Basis placed = multiply(scratch.basis, local, row);
        for (std::size_t i = 0; i < 9 && has_children; ++i) {
            hn::Store(placed.m[i], tag, scratch.basis[i] + row);
        }
        store_matrices<false>(placed, hn::Load(tag, scratch.offset[0] + row),
                              hn::Load(tag, scratch.offset[1] + row),
                              hn::Load(tag, scratch.offset[2] + row), built + row * kMatrixFloats);
    }
    if (!is_whole) {
        std::copy(built + range.begin * kMatrixFloats, built + range.end * kMatrixFloats,
                  out + range.begin * kMatrixFloats);
    }
    if (has_children) {
        store_parents(batch.world, range, batch.above[block], scratch);
    }
}

HWY_INLINE RowRange make_range(std::size_t first_row, std::size_t begin, std::size_t end) {
    return {first_row, begin, end, begin / kFloatLanes * kFloatLanes,
            (end + kFloatLanes - 1) / kFloatLanes * kFloatLanes};
}

void place_range(const WorldBatch& batch, std::size_t first_row, std::size_t count) {
    WorldScratch scratch{}; // Zero where no row of the range is: nothing indeterminate is computed.
    const std::size_t end = first_row + count;
    std::size_t row = first_row;
    while (row < end) {
        const std::size_t block_row = row / kBlockRows * kBlockRows;
        const std::size_t block_end = std::min(end, block_row + kBlockRows);
        place_block(batch, make_range(block_row, row - block_row, block_end - block_row), scratch);
        row = block_end;
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
