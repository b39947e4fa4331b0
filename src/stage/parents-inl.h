// SPDX-License-Identifier: MIT
// The placements of parents in the order of their children. Included once for each target.
#if defined(GLISSADE_STAGE_PARENTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_PARENTS_INL_H
#undef GLISSADE_STAGE_PARENTS_INL_H
#else
#define GLISSADE_STAGE_PARENTS_INL_H
#endif

#include "stage/kernel_math-inl.h"
#include "stage/rotation_math-inl.h"
#include "stage/triples-inl.h"

#include <algorithm>

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
    HWY_INLINE Rotations rotation() const {
        return {basis(0), basis(1), basis(2), basis(3)};
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
    HWY_INLINE Rotations rotation() const { return {basis(0), basis(1), basis(2), basis(3)}; }
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

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
