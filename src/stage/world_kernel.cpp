// SPDX-License-Identifier: MIT
// Places rows below their parents, vector by vector: first brings the placements of the parents
// into the order of the rows, then multiplies.
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
/// Vectors of doubles for a vector of floats.
inline constexpr std::size_t kDoubleVectors = kFloatLanes / kDoubleLanes;

/// The placements of the parents of a vector of rows, in the order of the rows.
struct alignas(64) Parents {
    float basis[9][kFloatLanes];
    double translation[3][kFloatLanes];
};

// Where a window of `length` rows begins that has all parents from `low` to `high`, if it can have
// them. It may not reach beyond the block of the last one, where the columns may end.
HWY_INLINE std::uint32_t find_window(std::uint32_t low, std::uint32_t high, std::size_t length) {
    const std::uint32_t block_end = (high / static_cast<std::uint32_t>(kBlockRows) + 1) *
                                    static_cast<std::uint32_t>(kBlockRows);
    return std::min(low, block_end - static_cast<std::uint32_t>(length));
}

// Whether all rows lie less than a vector, a power of two, behind where their window begins.
template <class Tag>
HWY_INLINE bool is_inside(Tag tag, hn::Vec<Tag> index) {
    const auto beyond = hn::Set(tag, ~static_cast<std::uint32_t>(hn::MaxLanes(tag) - 1));
    return hn::AllTrue(tag, hn::Eq(hn::And(index, beyond), hn::Zero(tag)));
}

// One load and one permutation a column instead of a load for each lane. Returns whether it could.
HWY_INLINE bool gather_bases(const WorldTarget& world, const std::uint32_t* rows,
                             Parents& parents) {
    const FloatTag tag;
    const IndexTag index_tag;
    const hn::RebindToSigned<IndexTag> signed_tag;
    const std::uint32_t window = find_window(rows[0], rows[kFloatLanes - 1], kFloatLanes);
    const auto index = hn::LoadU(index_tag, rows) - hn::Set(index_tag, window);
    if (HWY_UNLIKELY(!is_inside(index_tag, index))) {
        return false;
    }
    const auto table = hn::IndicesFromVec(tag, hn::BitCast(signed_tag, index));
    for (std::size_t i = 0; i < 9; ++i) {
        hn::Store(hn::TableLookupLanes(hn::LoadU(tag, world.basis[i] + window), table), tag,
                  parents.basis[i]);
    }
    return true;
}

#if HWY_HAVE_FLOAT64

// The same for translations, with a window for each vector of doubles.
HWY_INLINE bool gather_translations(const WorldTarget& world, const std::uint32_t* rows,
                                    Parents& parents) {
    const DoubleTag tag;
    const hn::RebindToSigned<DoubleTag> signed_tag;
    const hn::Rebind<std::uint32_t, DoubleTag> index_tag;
    for (std::size_t row = 0; row < kFloatLanes; row += kDoubleLanes) {
        const std::uint32_t window =
            find_window(rows[row], rows[row + kDoubleLanes - 1], kDoubleLanes);
        const auto index = hn::LoadU(index_tag, rows + row) - hn::Set(index_tag, window);
        if (HWY_UNLIKELY(!is_inside(index_tag, index))) {
            return false;
        }
        const hn::RebindToSigned<decltype(index_tag)> narrow_tag;
        const auto table =
            hn::IndicesFromVec(tag, hn::PromoteTo(signed_tag, hn::BitCast(narrow_tag, index)));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Doubles found = hn::LoadU(tag, world.translation[axis] + window);
            hn::Store(hn::TableLookupLanes(found, table), tag, parents.translation[axis] + row);
        }
    }
    return true;
}

#else

HWY_INLINE bool gather_translations(const WorldTarget& world, const std::uint32_t* rows,
                                    Parents& parents) {
    for (std::size_t row = 0; row < kFloatLanes; ++row) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            parents.translation[axis][row] = world.translation[axis][rows[row]];
        }
    }
    return true;
}

#endif

HWY_NOINLINE void gather_one_by_one(const WorldTarget& world, const std::uint32_t* rows,
                                    Parents& parents) {
    for (std::size_t row = 0; row < kFloatLanes; ++row) {
        const std::uint32_t parent = rows[row];
        for (std::size_t i = 0; i < 9; ++i) {
            parents.basis[i][row] = world.basis[i][parent];
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            parents.translation[axis][row] = world.translation[axis][parent];
        }
    }
}

HWY_INLINE void gather_parents(const WorldTarget& world, const std::uint32_t* rows,
                               Parents& parents) {
    if (HWY_UNLIKELY(!gather_bases(world, rows, parents) ||
                     !gather_translations(world, rows, parents))) {
        gather_one_by_one(world, rows, parents);
    }
}

/// Where a vector of rows goes: memory of the caller, or a place to take parts of it from.
struct PlacedTarget {
    float* matrices;
    float* basis[9]; // Of rows with children; else not looked at.
    double* translation[3];
};

/// A number a row, as doubles.
struct WideFloats {
    Doubles parts[kDoubleVectors];
};

// Through registers: two halves that are stored apart and loaded as one hold up the load.
HWY_INLINE Floats demote(const WideFloats& wide) {
#if HWY_HAVE_FLOAT64 && HWY_TARGET != HWY_SCALAR
    const NarrowTag tag;
    return hn::Combine(FloatTag(), hn::DemoteTo(tag, wide.parts[1]),
                       hn::DemoteTo(tag, wide.parts[0]));
#else
    alignas(64) float narrow[kFloatLanes];
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        store_demoted(wide.parts[i], narrow + i * kDoubleLanes);
    }
    return hn::Load(FloatTag(), narrow);
#endif
}

HWY_INLINE WideFloats load_wide(const double* column) {
    WideFloats wide;
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        wide.parts[i] = load_doubles(column + i * kDoubleLanes);
    }
    return wide;
}

// In double, as compose() does it: the offset within the parent may be large too.
HWY_INLINE WideFloats place_axis(const Parents& parents, std::size_t axis, const WideFloats& x,
                                 const WideFloats& y, const WideFloats& z) {
    WideFloats placed;
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        const std::size_t row = i * kDoubleLanes;
        const Doubles turned = (load_promoted(parents.basis[3 * axis] + row) * x.parts[i] +
                                load_promoted(parents.basis[3 * axis + 1] + row) * y.parts[i]) +
                               load_promoted(parents.basis[3 * axis + 2] + row) * z.parts[i];
        placed.parts[i] = load_doubles(parents.translation[axis] + row) + turned;
    }
    return placed;
}

// What the matrices get.
HWY_INLINE Floats find_offset(const WideFloats& placed, double origin) {
    WideFloats offset;
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        offset.parts[i] = placed.parts[i] - fill_doubles(origin);
    }
    return demote(offset);
}

HWY_INLINE void store_wide(const WideFloats& wide, double* column) {
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        store_doubles(wide.parts[i], column + i * kDoubleLanes);
    }
}

HWY_INLINE Basis load_local_basis(const PoseSource& local, bool is_scaled, std::size_t row) {
    const FloatTag tag;
    const Basis basis = to_basis(load_rotations(local, row));
    if (!is_scaled) {
        return basis;
    }
    return scale_basis(basis, hn::Load(tag, local.scale[0] + row),
                       hn::Load(tag, local.scale[1] + row), hn::Load(tag, local.scale[2] + row));
}

HWY_INLINE Basis multiply(const Parents& parents, const Basis& inner) {
    const FloatTag tag;
    Basis product;
    for (std::size_t i = 0; i < 9; i += 3) {
        const Floats x = hn::Load(tag, parents.basis[i]);
        const Floats y = hn::Load(tag, parents.basis[i + 1]);
        const Floats z = hn::Load(tag, parents.basis[i + 2]);
        for (std::size_t k = 0; k < 3; ++k) {
            product.m[i + k] =
                hn::MulAdd(z, inner.m[6 + k], hn::MulAdd(y, inner.m[3 + k], x * inner.m[k]));
        }
    }
    return product;
}

/// What is asked of a vector of rows.
struct PlaceKind {
    bool is_scaled;
    bool has_children;
};

template <bool Stream>
HWY_INLINE void place_vector(const PoseSource& local, const glm::dvec3& origin, std::size_t row,
                             PlaceKind kind, const Parents& parents, const PlacedTarget& to) {
    const FloatTag tag;
    const WideFloats x = load_wide(local.position[0] + row);
    const WideFloats y = load_wide(local.position[1] + row);
    const WideFloats z = load_wide(local.position[2] + row);
    const WideFloats placed_x = place_axis(parents, 0, x, y, z);
    const WideFloats placed_y = place_axis(parents, 1, x, y, z);
    const WideFloats placed_z = place_axis(parents, 2, x, y, z);
    if (kind.has_children) {
        store_wide(placed_x, to.translation[0]);
        store_wide(placed_y, to.translation[1]);
        store_wide(placed_z, to.translation[2]);
    }
    const Floats offset_x = find_offset(placed_x, origin.x);
    const Floats offset_y = find_offset(placed_y, origin.y);
    const Floats offset_z = find_offset(placed_z, origin.z);
    const Basis placed = multiply(parents, load_local_basis(local, kind.is_scaled, row));
    for (std::size_t i = 0; i < 9 && kind.has_children; ++i) {
        hn::StoreU(placed.m[i], tag, to.basis[i]);
    }
    store_matrices<Stream>(placed, offset_x, offset_y, offset_z, to.matrices);
}

HWY_INLINE PlaceKind find_kind(const WorldBatch& batch, std::size_t row) {
    const std::size_t block = row / kBlockRows;
    const std::uint64_t lanes =
        kFloatLanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << kFloatLanes) - 1;
    return {.is_scaled = batch.scaled != nullptr && batch.scaled[block] != 0,
            .has_children =
                batch.above != nullptr && ((batch.above[block] >> row % kBlockRows) & lanes) != 0};
}

HWY_INLINE PlacedTarget find_target(const WorldBatch& batch, std::size_t row) {
    PlacedTarget to{};
    to.matrices = batch.matrices + row * kMatrixFloats;
    for (std::size_t i = 0; i < 9; ++i) {
        to.basis[i] = batch.world.basis[i] + row;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        to.translation[axis] = batch.world.translation[axis] + row;
    }
    return to;
}

// Whole vectors of rows.
template <bool Stream>
HWY_NOINLINE void place_vectors(const WorldBatch& given, std::size_t first, std::size_t end) {
    const WorldBatch batch = given;
    Parents parents;
    for (std::size_t row = first; row < end; row += kFloatLanes) {
        gather_parents(batch.world, batch.parent + row, parents);
        place_vector<Stream>(batch.local, batch.origin, row, find_kind(batch, row), parents,
                             find_target(batch, row));
    }
}

/// A vector of placed rows, of which some are wanted.
struct alignas(64) PlacedSome {
    float matrices[kFloatLanes * kMatrixFloats];
    float basis[9][kFloatLanes];
    double translation[3][kFloatLanes];
};

// The rows [begin, end) of the vector of rows at `first`.
HWY_NOINLINE void place_some(const WorldBatch& batch, std::size_t first, std::size_t begin,
                             std::size_t end) {
    // The other rows get a parent as well, so that the whole vector can be computed.
    std::uint32_t rows[kFloatLanes];
    std::fill_n(rows, kFloatLanes, batch.parent[begin]);
    std::copy(batch.parent + begin, batch.parent + end, rows + (begin - first));
    Parents parents;
    gather_one_by_one(batch.world, rows, parents);
    PlacedSome some;
    PlacedTarget to{};
    to.matrices = some.matrices;
    std::copy_n(std::begin(some.basis), 9, to.basis);
    std::copy_n(std::begin(some.translation), 3, to.translation);
    const PlaceKind kind = find_kind(batch, first);
    place_vector<false>(batch.local, batch.origin, first, kind, parents, to);
    std::copy(some.matrices + (begin - first) * kMatrixFloats,
              some.matrices + (end - first) * kMatrixFloats,
              batch.matrices + begin * kMatrixFloats);
    for (std::size_t i = 0; i < 9 && kind.has_children; ++i) {
        std::copy(some.basis[i] + (begin - first), some.basis[i] + (end - first),
                  batch.world.basis[i] + begin);
    }
    for (std::size_t axis = 0; axis < 3 && kind.has_children; ++axis) {
        std::copy(some.translation[axis] + (begin - first), some.translation[axis] + (end - first),
                  batch.world.translation[axis] + begin);
    }
}

void place_range(const WorldBatch& batch, std::size_t first_row, std::size_t count) {
    const std::size_t end = first_row + count;
    const std::size_t whole_begin =
        std::min(end, (first_row + kFloatLanes - 1) / kFloatLanes * kFloatLanes);
    const std::size_t whole_end = std::max(whole_begin, end / kFloatLanes * kFloatLanes);
    if (first_row < whole_begin) {
        place_some(batch, first_row / kFloatLanes * kFloatLanes, first_row, whole_begin);
    }
    if (kCanStream && batch.stream && is_line_start(batch.matrices)) {
        place_vectors<kCanStream>(batch, whole_begin, whole_end);
        hwy::FlushStream();
    } else {
        place_vectors<false>(batch, whole_begin, whole_end);
    }
    if (whole_end < end) {
        place_some(batch, whole_end, whole_end, end);
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
