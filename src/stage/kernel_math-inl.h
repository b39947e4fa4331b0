// SPDX-License-Identifier: MIT
// What the vector kernels share: the vectors of a target, doubles also where Highway has none,
// masks as words. Included once for each target.
#if defined(GLISSADE_STAGE_KERNEL_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef GLISSADE_STAGE_KERNEL_MATH_INL_H
#undef GLISSADE_STAGE_KERNEL_MATH_INL_H
#else
#define GLISSADE_STAGE_KERNEL_MATH_INL_H
#endif

#include "stage/kernels.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using Floats = hn::Vec<FloatTag>;
using FloatMask = hn::Mask<FloatTag>;
inline constexpr std::size_t kFloatLanes = HWY_LANES(float);

static_assert(kBlockRows % kFloatLanes == 0, "a block is whole vectors");

/// The bits of a mask, first lane lowest.
template <class Tag, class Mask>
HWY_INLINE std::uint64_t to_word(Tag tag, Mask mask) {
    std::uint8_t bytes[8] = {}; // Highway wants room for 8.
    hn::StoreMaskBits(tag, mask, bytes);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
}

/// The mask of the lowest bits of a word.
template <class Tag>
HWY_INLINE hn::Mask<Tag> from_word(Tag tag, std::uint64_t word) {
    std::uint8_t bytes[8];
    std::memcpy(bytes, &word, sizeof(word));
    return hn::LoadMaskBits(tag, bytes);
}

#if HWY_HAVE_FLOAT64

using DoubleTag = hn::ScalableTag<double>;
using Doubles = hn::Vec<DoubleTag>;
using DoubleMask = hn::Mask<DoubleTag>;
inline constexpr std::size_t kDoubleLanes = HWY_LANES(double);
using NarrowTag = hn::Rebind<float, DoubleTag>; // As many floats.

HWY_INLINE Doubles load_doubles(const double* from) {
    return hn::LoadU(DoubleTag(), from);
}
HWY_INLINE void store_doubles(Doubles values, double* to) {
    hn::StoreU(values, DoubleTag(), to);
}
HWY_INLINE Doubles load_promoted(const float* from) {
    return hn::PromoteTo(DoubleTag(), hn::LoadU(NarrowTag(), from));
}
HWY_INLINE void store_demoted(Doubles values, float* to) {
    hn::StoreU(hn::DemoteTo(NarrowTag(), values), NarrowTag(), to);
}
HWY_INLINE Doubles fill_doubles(double value) {
    return hn::Set(DoubleTag(), value);
}
/// a * b + c, fused where the target can.
HWY_INLINE Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
    return hn::MulAdd(a, b, c);
}
HWY_INLINE Doubles min_doubles(Doubles a, Doubles b) {
    return hn::Min(a, b);
}
HWY_INLINE Doubles max_doubles(Doubles a, Doubles b) {
    return hn::Max(a, b);
}
HWY_INLINE DoubleMask is_less(Doubles a, Doubles b) {
    return hn::Lt(a, b);
}
HWY_INLINE DoubleMask is_at_most(Doubles a, Doubles b) {
    return hn::Le(a, b);
}
HWY_INLINE DoubleMask is_equal(Doubles a, Doubles b) {
    return hn::Eq(a, b);
}
HWY_INLINE DoubleMask both(DoubleMask a, DoubleMask b) {
    return hn::And(a, b);
}
HWY_INLINE DoubleMask either(DoubleMask a, DoubleMask b) {
    return hn::Or(a, b);
}
HWY_INLINE Doubles select(DoubleMask mask, Doubles yes, Doubles no) {
    return hn::IfThenElse(mask, yes, no);
}
HWY_INLINE std::uint64_t double_word(DoubleMask mask) {
    return to_word(DoubleTag(), mask);
}
HWY_INLINE DoubleMask double_mask(std::uint64_t word) {
    return from_word(DoubleTag(), word);
}

#else // Highway 1.0.3 has no doubles for WebAssembly; the vectors of the compiler have.

using Doubles = double __attribute__((vector_size(16)));
using DoubleMask = std::int64_t __attribute__((vector_size(16)));
using NarrowFloats = float __attribute__((vector_size(8)));
inline constexpr std::size_t kDoubleLanes = 2;

HWY_INLINE Doubles load_doubles(const double* from) {
    Doubles values;
    std::memcpy(&values, from, sizeof(values));
    return values;
}
HWY_INLINE void store_doubles(Doubles values, double* to) {
    std::memcpy(to, &values, sizeof(values));
}
HWY_INLINE Doubles load_promoted(const float* from) {
    return Doubles{from[0], from[1]};
}
HWY_INLINE void store_demoted(Doubles values, float* to) {
    to[0] = static_cast<float>(values[0]);
    to[1] = static_cast<float>(values[1]);
}
HWY_INLINE Doubles fill_doubles(double value) {
    return Doubles{value, value};
}
HWY_INLINE Doubles multiply_add(Doubles a, Doubles b, Doubles c) {
    return a * b + c;
}
HWY_INLINE DoubleMask is_less(Doubles a, Doubles b) {
    return a < b;
}
HWY_INLINE DoubleMask is_at_most(Doubles a, Doubles b) {
    return a <= b;
}
HWY_INLINE DoubleMask is_equal(Doubles a, Doubles b) {
    return a == b;
}
HWY_INLINE DoubleMask both(DoubleMask a, DoubleMask b) {
    return a & b;
}
HWY_INLINE DoubleMask either(DoubleMask a, DoubleMask b) {
    return a | b;
}
HWY_INLINE Doubles select(DoubleMask mask, Doubles yes, Doubles no) {
    DoubleMask yes_bits;
    DoubleMask no_bits;
    std::memcpy(&yes_bits, &yes, sizeof(yes));
    std::memcpy(&no_bits, &no, sizeof(no));
    const DoubleMask bits = (mask & yes_bits) | (~mask & no_bits);
    Doubles values;
    std::memcpy(&values, &bits, sizeof(values));
    return values;
}
HWY_INLINE Doubles min_doubles(Doubles a, Doubles b) {
    return select(b < a, b, a);
}
HWY_INLINE Doubles max_doubles(Doubles a, Doubles b) {
    return select(a < b, b, a);
}
HWY_INLINE std::uint64_t double_word(DoubleMask mask) {
    return static_cast<std::uint64_t>((mask[0] & 1) | (mask[1] & 2));
}
HWY_INLINE DoubleMask double_mask(std::uint64_t word) {
    return DoubleMask{-static_cast<std::int64_t>(word & 1U),
                      -static_cast<std::int64_t>((word >> 1U) & 1U)};
}

#endif

/// a + (b - a) * t, as detail::lerp() rounds it.
HWY_INLINE Doubles lerp_doubles(Doubles a, Doubles b, Doubles t) {
    return a + (b - a) * t;
}

/// Vectors of doubles for a vector of floats.
inline constexpr std::size_t kDoubleVectors = kFloatLanes / kDoubleLanes;

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

HWY_INLINE WideFloats promote(Floats narrow) {
#if HWY_HAVE_FLOAT64 && HWY_TARGET != HWY_SCALAR
    const NarrowTag tag;
    return {{hn::PromoteTo(DoubleTag(), hn::LowerHalf(tag, narrow)),
             hn::PromoteTo(DoubleTag(), hn::UpperHalf(tag, narrow))}};
#else
    alignas(64) float values[kFloatLanes];
    hn::Store(narrow, FloatTag(), values);
    WideFloats wide;
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        wide.parts[i] = load_promoted(values + i * kDoubleLanes);
    }
    return wide;
#endif
}

HWY_INLINE WideFloats load_wide(const double* column) {
    WideFloats wide;
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        wide.parts[i] = load_doubles(column + i * kDoubleLanes);
    }
    return wide;
}

/// Streaming stores write past the caches, and only whole lines do it fast: half-filled ones cost
/// four times as much. Two vectors of floats must be a line, so narrow targets do not stream.
inline constexpr bool kCanStream = kFloatLanes >= 8;

/// Whether a cache line begins there.
HWY_INLINE bool is_line_start(const float* address) {
    return reinterpret_cast<std::uintptr_t>(address) % 64 == 0;
}

/// One store of several that fill a line one after the other. Aligned if streamed.
template <bool Stream, class Tag, class Vector>
HWY_INLINE void store_part(Vector values, Tag tag, hn::TFromD<Tag>* to) {
    if constexpr (Stream) {
        hn::Stream(values, tag, to);
    } else {
        hn::StoreU(values, tag, to);
    }
}

template <bool Stream>
HWY_INLINE void store_doubles_part(Doubles values, double* to) {
#if HWY_HAVE_FLOAT64
    store_part<Stream>(values, DoubleTag(), to);
#else // Nothing to stream with either.
    store_doubles(values, to);
#endif
}

/// Whether a vector of floats is a whole line, so that columns of them can be streamed one by one.
inline constexpr bool kIsLine = kFloatLanes >= 16;

/// A vector of a column that begins a line.
HWY_INLINE void store_column(Floats values, float* to, bool past_caches) {
    if (kIsLine && past_caches) {
        hn::Stream(values, FloatTag(), to);
    } else {
        hn::StoreU(values, FloatTag(), to);
    }
}

HWY_INLINE void store_column(const WideFloats& wide, double* to, bool past_caches) {
    for (std::size_t i = 0; i < kDoubleVectors; ++i) {
        if (kIsLine && past_caches) {
            store_doubles_part<kIsLine>(wide.parts[i], to + i * kDoubleLanes);
        } else {
            store_doubles(wide.parts[i], to + i * kDoubleLanes);
        }
    }
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
