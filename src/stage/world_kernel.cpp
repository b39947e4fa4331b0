// SPDX-License-Identifier: MIT
// Places rows below their parents, vector by vector: first brings the placements of the parents
// into the order of the rows, then multiplies.
#include "kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/world_kernel.cpp" // NOLINT(readability-identifier-naming): theirs
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/arms-inl.h"
#include "stage/kernel_math-inl.h"
#include "stage/matrix_math-inl.h"
#include "stage/rotation_math-inl.h"
#include "stage/triples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

using IndexTag = hn::Rebind<std::uint32_t, FloatTag>;

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

using FloatTable =
    decltype(hn::IndicesFromVec(FloatTag(), hn::Zero(hn::RebindToSigned<IndexTag>())));
#if HWY_HAVE_FLOAT64
using DoubleTable =
    decltype(hn::IndicesFromVec(DoubleTag(), hn::Zero(hn::RebindToSigned<DoubleTag>())));
#endif

/// The placements of parents that lie close together, in the order of their children: one load and
/// one permutation a column instead of a load for each lane. Of doubles the window is two vectors
/// where one permutation takes both, else each vector of rows has a window of its own.
struct NearParents {
    const WorldTarget* world;
    const std::uint32_t* rows;
    std::uint32_t window;
    FloatTable table;
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    __m512i tables[2];
#elif HWY_HAVE_FLOAT64
    std::uint32_t windows[kDoubleVectors];
    DoubleTable tables[kDoubleVectors];
#endif

    // False if they lie too far apart.
    HWY_INLINE bool find(const WorldTarget& all, const std::uint32_t* of_rows) {
        const IndexTag tag;
        const hn::RebindToSigned<IndexTag> signed_tag;
        world = &all;
        rows = of_rows;
        window = find_window(rows[0], rows[kFloatLanes - 1], kFloatLanes);
        const auto index = hn::LoadU(tag, rows) - hn::Set(tag, window);
        if (HWY_UNLIKELY(!is_inside(tag, index))) {
            return false;
        }
        table = hn::IndicesFromVec(FloatTag(), hn::BitCast(signed_tag, index));
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
        tables[0] = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(index.raw));
        tables[1] = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(index.raw, 1));
#elif HWY_HAVE_FLOAT64
        for (std::size_t part = 0; part < kDoubleVectors; ++part) {
            if (HWY_UNLIKELY(!find_doubles(part))) {
                return false;
            }
        }
#endif
        return true;
    }

    HWY_INLINE Floats basis(std::size_t i) const {
        return hn::TableLookupLanes(hn::LoadU(FloatTag(), world->basis[i] + window), table);
    }
    // The translation relative to the origin of the matrices.
    HWY_INLINE Floats offset(std::size_t axis, Doubles origin) const {
        const WideFloats all = load_wide(world->translation[axis] + window);
        return hn::TableLookupLanes(find_offset(all, origin), table);
    }

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    HWY_INLINE WideFloats translation(std::size_t axis) const {
        const double* const column = world->translation[axis] + window;
        const __m512d low = _mm512_loadu_pd(column);
        const __m512d high = _mm512_loadu_pd(column + kDoubleLanes);
        return {{Doubles{_mm512_permutex2var_pd(low, tables[0], high)},
                 Doubles{_mm512_permutex2var_pd(low, tables[1], high)}}};
    }
#elif HWY_HAVE_FLOAT64
    HWY_INLINE bool find_doubles(std::size_t part) {
        const hn::Rebind<std::uint32_t, DoubleTag> tag;
        const hn::RebindToSigned<hn::Rebind<std::uint32_t, DoubleTag>> narrow_tag;
        const hn::RebindToSigned<DoubleTag> signed_tag;
        const std::uint32_t* const some = rows + part * kDoubleLanes;
        windows[part] = find_window(some[0], some[kDoubleLanes - 1], kDoubleLanes);
        const auto index = hn::LoadU(tag, some) - hn::Set(tag, windows[part]);
        if (HWY_UNLIKELY(!is_inside(tag, index))) {
            return false; // Before it becomes a table: Highway asserts what is in one.
        }
        tables[part] = hn::IndicesFromVec(
            DoubleTag(), hn::PromoteTo(signed_tag, hn::BitCast(narrow_tag, index)));
        return true;
    }

    HWY_INLINE WideFloats translation(std::size_t axis) const {
        WideFloats wide;
        for (std::size_t part = 0; part < kDoubleVectors; ++part) {
            const Doubles found = hn::LoadU(DoubleTag(), world->translation[axis] + windows[part]);
            wide.parts[part] = hn::TableLookupLanes(found, tables[part]);
        }
        return wide;
    }
#else
    HWY_INLINE WideFloats translation(std::size_t axis) const {
        alignas(64) double values[kFloatLanes];
        for (std::size_t row = 0; row < kFloatLanes; ++row) {
            values[row] = world->translation[axis][rows[row]];
        }
        return load_wide(values);
    }
#endif
};

/// The placements of parents that lie anywhere, lane by lane.
struct FarParents {
    const WorldTarget* world;
    const std::uint32_t* rows;

    HWY_INLINE Floats basis(std::size_t i) const {
        alignas(64) float values[kFloatLanes];
        for (std::size_t row = 0; row < kFloatLanes; ++row) {
            values[row] = world->basis[i][rows[row]];
        }
        return hn::Load(FloatTag(), values);
    }
    HWY_INLINE Floats offset(std::size_t axis, Doubles origin) const {
        return find_offset(translation(axis), origin);
    }
    HWY_INLINE WideFloats translation(std::size_t axis) const {
        alignas(64) double values[kFloatLanes];
        for (std::size_t row = 0; row < kFloatLanes; ++row) {
            values[row] = world->translation[axis][rows[row]];
        }
        return load_wide(values);
    }
};

HWY_INLINE Basis load_local_basis(const PoseSource& local, bool is_scaled, std::size_t row) {
    const FloatTag tag;
    const Basis basis = to_basis(load_rotations(local, row));
    if (!is_scaled) {
        return basis;
    }
    return scale_basis(basis, hn::Load(tag, local.scale[0] + row),
                       hn::Load(tag, local.scale[1] + row), hn::Load(tag, local.scale[2] + row));
}

// All lanes of a vector, as bits.
inline constexpr std::uint64_t kAllLanes =
    kFloatLanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << kFloatLanes) - 1;

/// What is asked of a vector of rows.
struct PlaceKind {
    bool is_scaled;
    bool has_children;
};

/// Where a vector of rows goes: memory of the caller, or a place to take parts of it from.
struct PlacedTarget {
    float* matrices;
    const WorldTarget* world; // Of rows with children; else not looked at.
    std::size_t row;          // In `world`.
    bool streams_world;
};

// Axis by axis, so that what each needs of the parents is in registers only while it is needed.
template <bool Stream, class Parents, class Arms>
HWY_INLINE void place_vector(const WorldBatch& batch, std::size_t row, PlaceKind kind,
                             const Parents& parents, const Arms& arms, const PlacedTarget& to) {
    const bool streams_world = Stream && to.streams_world;
    const Basis inner = load_local_basis(batch.local, kind.is_scaled, row);
    MatrixRows rows[3];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t i = 3 * axis;
        const Triples<Floats> parent{parents.basis(i), parents.basis(i + 1), parents.basis(i + 2)};
        Floats turned[3];
        for (std::size_t k = 0; k < 3; ++k) {
            turned[k] = hn::MulAdd(parent.z, inner.m[6 + k],
                                   hn::MulAdd(parent.y, inner.m[3 + k], parent.x * inner.m[k]));
        }
        const Doubles from = fill_doubles(batch.origin[static_cast<glm::length_t>(axis)]);
        Floats end;
        if (kind.has_children) {
            const WideFloats placed = arms.place(parents, parent, axis);
            end = find_offset(placed, from);
            store_column(placed, to.world->translation[axis] + to.row, streams_world);
            store_column(turned[0], to.world->basis[i] + to.row, streams_world);
            store_column(turned[1], to.world->basis[i + 1] + to.row, streams_world);
            store_column(turned[2], to.world->basis[i + 2] + to.row, streams_world);
        } else {
            end = arms.find_end(parents, parent, axis, from);
        }
        rows[axis] = gather_rows(turned[0], turned[1], turned[2], end);
    }
    store_rows<Stream>(rows, to.matrices);
}

HWY_INLINE PlaceKind find_kind(const WorldBatch& batch, std::size_t row) {
    const std::size_t block = row / kBlockRows;
    return {.is_scaled = batch.scaled != nullptr && batch.scaled[block] != 0,
            .has_children = batch.above != nullptr &&
                            ((batch.above[block] >> row % kBlockRows) & kAllLanes) != 0};
}

// How many rows ahead placements and poses are asked for: processors do not follow so many columns
// by themselves, and a tree of 10^6 rows takes a tenth longer without.
inline constexpr std::size_t kRowsAhead = 64;

HWY_INLINE void prefetch_rows(const WorldBatch& batch, std::size_t row, std::size_t parent) {
    for (const float* const column : batch.world.basis) {
        hwy::Prefetch(column + parent);
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
HWY_INLINE void place_below(const WorldBatch& batch, std::size_t row, std::uint64_t lanes,
                            const Parents& parents, const PlacedTarget& to) {
    const PlaceKind kind = find_kind(batch, row);
    const Triples<WideFloats> wide = load_arms(batch.local, row);
    const ShortArms arms(wide);
    if (HWY_LIKELY(batch.keeps_short && arms.are_short(lanes))) {
        place_vector<Stream>(batch, row, kind, parents, arms, to);
    } else {
        place_vector<Stream>(batch, row, kind, parents, LongArms{wide}, to);
    }
}

template <bool Stream>
HWY_NOINLINE void place_far(const WorldBatch& batch, std::size_t row, std::uint64_t lanes,
                            const std::uint32_t* rows, const PlacedTarget& to) {
    place_below<Stream>(batch, row, lanes, FarParents{&batch.world, rows}, to);
}

// Whole vectors of rows.
template <bool Stream>
HWY_NOINLINE void place_vectors(const WorldBatch& given, std::size_t first, std::size_t end) {
    const WorldBatch batch = given;
    for (std::size_t row = first; row < end; row += kFloatLanes) {
        if constexpr (Stream) {
            const std::size_t ahead = std::min(row + kRowsAhead, end - 1);
            prefetch_rows(batch, ahead, batch.parent[ahead]);
        }
        const PlacedTarget to{batch.matrices + row * kMatrixFloats, &batch.world, row,
                              batch.stream_world};
        NearParents parents;
        if (HWY_LIKELY(parents.find(batch.world, batch.parent + row))) {
            place_below<Stream>(batch, row, kAllLanes, parents, to);
        } else {
            place_far<Stream>(batch, row, kAllLanes, batch.parent + row, to);
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
    place_far<false>(batch, first, wanted, rows, {some.matrices, &world, 0, false});
    const PlaceKind kind = find_kind(batch, first);
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
