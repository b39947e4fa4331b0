// SPDX-License-Identifier: MIT
// Which rows a blend works through together, and how many at a time. Included once for each target.
#if defined(GLISSADE_STAGE_STRETCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_STRETCH_INL_H
#undef GLISSADE_STAGE_STRETCH_INL_H
#else
#define GLISSADE_STAGE_STRETCH_INL_H
#endif

#include "stage/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// AVX-512: with 32 registers all weights of a slerp stay in them.
inline constexpr bool kHasManyRegisters = kFloatLanes >= 16;
// Positions of rows with matrices are blended with their rotations: their additions fill the gaps
// that the multiply-adds of those leave. Narrow targets are bound by arithmetic, and take column by
// column.
inline constexpr bool kBlendsTogether = kCanStream;
// Whole lines, for the targets that stream. Two vectors of floats where one is half a line or less:
// their chains of multiply-adds fill each other's gaps. With 16 lanes the next step fills those
// gaps.
inline constexpr std::size_t kStepVectors = kHasManyRegisters ? 1 : 2;
inline constexpr std::size_t kStepRows = kStepVectors * kFloatLanes;
static_assert(kBlockRows % kStepRows == 0, "a block is whole steps");

/// Rows of which positions wait for their matrices, few enough for the first-level cache.
inline constexpr std::size_t kMatrixRows = 1024;

/// What is done with the rows of a block.
struct Kind {
    bool is_scaled;
    bool is_hermite;
    bool has_spin; // Some of those follow angular velocities as well.
    bool has_matrices;
    bool has_children; // Their placement is wanted as well.
    bool is_cut;       // Some of its rows get no matrix.

    /// Its matrices need nothing but the pose.
    [[nodiscard]] bool is_plain() const { return !is_scaled && !has_children && !is_cut; }

    bool operator==(const Kind&) const = default;
};

/// Rows of blocks of one kind.
struct Stretch {
    std::size_t first;
    std::size_t end;
    Kind kind;
};

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
