// SPDX-License-Identifier: MIT
// The positions and scales of a blend.
//
// No fused multiply-add where positions are kept: Add(Mul()) rounds alike on every target, and as
// single poses do. Included once for each target.
#if defined(GLISSADE_STAGE_POSITIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_POSITIONS_INL_H
#undef GLISSADE_STAGE_POSITIONS_INL_H
#else
#define GLISSADE_STAGE_POSITIONS_INL_H
#endif

#include "stage/hermite-inl.h"
#include "stage/stretch-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// As blend_hermite() has it.
inline constexpr double kMaxSeconds = 1e9;

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

/// What the matrices get of one axis.
struct AxisOffsets {
    double origin;
    float* HWY_RESTRICT offset;
};

inline HWY_NOINLINE void blend_axis_for_matrices(const double* HWY_RESTRICT a,
                                                 const double* HWY_RESTRICT b,
                                                 double* HWY_RESTRICT out, std::size_t count,
                                                 double t, const AxisOffsets& axis) {
    const Doubles fraction = fill_doubles(t);
    const Doubles origins = fill_doubles(axis.origin);
    float* HWY_RESTRICT const offset = axis.offset;
    for (std::size_t row = 0; row < count; row += kDoubleLanes) {
        const Doubles blended =
            lerp_doubles(load_doubles(a + row), load_doubles(b + row), fraction);
        store_doubles(blended, out + row);
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
            blend_axis_for_matrices(
                a, b, out, count, batch.t,
                {batch.origin[static_cast<glm::length_t>(axis)], offsets.axis[axis]});
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
    const double t = batch.t;
    const double span_s = std::min(batch.duration_s, kMaxSeconds);
    const PositionCurve curve{batch.from,
                              batch.to,
                              batch.from_velocity,
                              batch.to_velocity,
                              batch.hermite,
                              fill_doubles(t),
                              fill_doubles(2.0 / span_s),
                              fill_doubles(1.0 - 2.0 * t),
                              fill_doubles(0.5 * t * (1.0 - t) * span_s)};
    const PoseTarget out = batch.out;
    const Triples<Doubles> origin{fill_doubles(batch.origin.x), fill_doubles(batch.origin.y),
                                  fill_doubles(batch.origin.z)};
    const auto set_offsets = [&](const Triples<Doubles>& position, std::size_t row) {
        store_demoted(position.x - origin.x, offsets.axis[0] + row - stretch.first);
        store_demoted(position.y - origin.y, offsets.axis[1] + row - stretch.first);
        store_demoted(position.z - origin.z, offsets.axis[2] + row - stretch.first);
    };
    const bool fetches_ahead = Stream && batch.tuning.fetches_ahead;
    constexpr std::size_t kStep = 2 * kDoubleLanes;
    for (std::size_t row = stretch.first; row < stretch.end; row += kStep) {
        if (fetches_ahead) {
            curve.fetch(std::min(row + kRowsAhead, stretch.end - kStep), kStep);
        }
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
inline HWY_NOINLINE void blend_scales(const BlendBatch& batch, const Stretch& stretch) {
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

/// Positions that were blended before, and are not wanted any more.
struct NoOffsets {};

/// Positions of a stretch that was blended before its rotations.
struct BlendedLines {
    static constexpr bool kHasPicture = true;

    const Offsets* offsets;
    std::size_t first; // The row of the first offset.

    HWY_INLINE Triples<Floats> blend(std::size_t row) const {
        const FloatTag tag;
        return {hn::Load(tag, offsets->axis[0] + (row - first)),
                hn::Load(tag, offsets->axis[1] + (row - first)),
                hn::Load(tag, offsets->axis[2] + (row - first))};
    }
};

struct NoLines {
    static constexpr bool kHasPicture = true;

    HWY_INLINE NoOffsets blend(std::size_t /*row*/) const { return {}; }
};

// The positions of a vector of rows on one axis. Fused, a frame of 10^4 matrices is 2 % faster.
template <bool Fused>
HWY_INLINE WideFloats blend_wide(const double* a, const double* b, Doubles t) {
    WideFloats wide;
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        const Doubles from = load_doubles(a + i * kDoubleLanes);
        const Doubles to = load_doubles(b + i * kDoubleLanes);
        if constexpr (Fused) {
            wide.parts[i] = multiply_add(to - from, t, from);
        } else {
            wide.parts[i] = lerp_doubles(from, to, t);
        }
    }
    return wide;
}

/// What is made of positions: the picture alone, with it what matrices get, with that the
/// translations of placements; or what matrices get and no picture.
enum class Wanted { Picture, Offsets, Placements, OffsetsAlone };

/// Positions that are blended with their rotations, see kBlendsTogether.
template <bool Stream, Wanted What>
struct Lines {
    static constexpr bool kHasPicture = What != Wanted::OffsetsAlone;

    PoseSource from;
    PoseSource to;
    PoseTarget out;
    Doubles t;
    Triples<Doubles> origin;
    std::array<double*, 3> translation;
    bool streams_translation;

    HWY_INLINE auto blend(std::size_t row) const {
        constexpr bool kFused = !kHasPicture; // The float of a matrix hides the last bits.
        const WideFloats x = blend_wide<kFused>(from.position[0] + row, to.position[0] + row, t);
        const WideFloats y = blend_wide<kFused>(from.position[1] + row, to.position[1] + row, t);
        const WideFloats z = blend_wide<kFused>(from.position[2] + row, to.position[2] + row, t);
        if constexpr (kHasPicture) {
            store(x, out.position[0] + row);
            store(y, out.position[1] + row);
            store(z, out.position[2] + row);
        }
        if constexpr (What == Wanted::Placements) {
            store_column(x, translation[0] + row, Stream && streams_translation);
            store_column(y, translation[1] + row, Stream && streams_translation);
            store_column(z, translation[2] + row, Stream && streams_translation);
        }
        if constexpr (What != Wanted::Picture) {
            return Triples<Floats>{find_offset(x, origin.x), find_offset(y, origin.y),
                                   find_offset(z, origin.z)};
        } else {
            return NoOffsets();
        }
    }

    HWY_INLINE static void store(const WideFloats& wide, double* to) {
        for (std::size_t i = 0; i < kDoubleVectors; ++i) {
            store_doubles_part<Stream>(wide.parts[i], to + i * kDoubleLanes);
        }
    }
};

template <bool Stream, Wanted What>
HWY_INLINE Lines<Stream, What> make_lines(const BlendBatch& batch) {
    return {
        batch.from,
        batch.to,
        batch.out,
        fill_doubles(batch.t),
        {fill_doubles(batch.origin.x), fill_doubles(batch.origin.y), fill_doubles(batch.origin.z)},
        batch.world.translation,
        batch.stream_world};
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
