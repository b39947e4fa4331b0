// SPDX-License-Identifier: MIT
// This file is compiled once for each target: foreach_target.h includes it again and again.
#undef HWY_TARGET_INCLUDE
// NOLINTNEXTLINE(readability-identifier-naming): the name is Highway's.
#define HWY_TARGET_INCLUDE "storage_kernels.cpp"
// clang-format off: foreach_target.h comes before highway.h.
#include <hwy/foreach_target.h>
// clang-format on
#include "storage_kernels.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glissade::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBlockRows = 64;
/// Floats of one cache line: streaming stores must complete one line before they begin another.
constexpr std::size_t kLineRows = 16;

template <bool Stream, class Vector, class Tag, class T>
HWY_INLINE void put(Vector value, Tag tag, T* HWY_RESTRICT out) {
    if constexpr (Stream) {
        hn::Stream(value, tag, out);
    } else {
        hn::Store(value, tag, out);
    }
}

template <bool Stream, class T>
void blend_column(const T* HWY_RESTRICT from, const T* HWY_RESTRICT to, T* HWY_RESTRICT out, T t) {
    const hn::ScalableTag<T> tag;
    const auto factor = hn::Set(tag, t);
    for (std::size_t row = 0; row < kBlockRows; row += hn::Lanes(tag)) {
        const auto start = hn::Load(tag, from + row);
        const auto way = hn::Sub(hn::Load(tag, to + row), start);
        put<Stream>(hn::Add(start, hn::Mul(factor, way)), tag, out + row);
    }
}

/// One line of each of the four columns, through `line`, which stays in the cache.
template <class Rows>
void blend_rotation_line(const Rows& rows, std::size_t first, float t, float* HWY_RESTRICT line) {
    const hn::CappedTag<float, kLineRows> tag;
    const auto factor = hn::Set(tag, t);
    const auto rest = hn::Set(tag, 1.0F - t);
    for (std::size_t row = 0; row < kLineRows; row += hn::Lanes(tag)) {
        const std::size_t at = first + row;
        const auto ax = hn::Load(tag, rows.from_rotation[0] + at);
        const auto ay = hn::Load(tag, rows.from_rotation[1] + at);
        const auto az = hn::Load(tag, rows.from_rotation[2] + at);
        const auto aw = hn::Load(tag, rows.from_rotation[3] + at);
        const auto bx = hn::Load(tag, rows.to_rotation[0] + at);
        const auto by = hn::Load(tag, rows.to_rotation[1] + at);
        const auto bz = hn::Load(tag, rows.to_rotation[2] + at);
        const auto bw = hn::Load(tag, rows.to_rotation[3] + at);
        const auto dot = hn::Add(hn::Add(hn::Mul(ax, bx), hn::Mul(ay, by)),
                                 hn::Add(hn::Mul(az, bz), hn::Mul(aw, bw)));
        const auto toward = hn::CopySign(factor, dot);
        const auto x = hn::Add(hn::Mul(rest, ax), hn::Mul(toward, bx));
        const auto y = hn::Add(hn::Mul(rest, ay), hn::Mul(toward, by));
        const auto z = hn::Add(hn::Mul(rest, az), hn::Mul(toward, bz));
        const auto w = hn::Add(hn::Mul(rest, aw), hn::Mul(toward, bw));
        const auto square =
            hn::Add(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Add(hn::Mul(z, z), hn::Mul(w, w)));
        const auto scale = hn::Div(hn::Set(tag, 1.0F), hn::Sqrt(square));
        hn::Store(hn::Mul(x, scale), tag, line + row);
        hn::Store(hn::Mul(y, scale), tag, line + kLineRows + row);
        hn::Store(hn::Mul(z, scale), tag, line + 2 * kLineRows + row);
        hn::Store(hn::Mul(w, scale), tag, line + 3 * kLineRows + row);
    }
}

template <bool Stream, class Rows>
void blend_rotations(const Rows& rows, std::size_t first, float t) {
    const hn::CappedTag<float, kLineRows> tag;
    HWY_ALIGN float line[4 * kLineRows];
    for (std::size_t at = first; at < first + kBlockRows; at += kLineRows) {
        blend_rotation_line(rows, at, t, line);
        for (std::size_t part = 0; part < 4 * kLineRows; part += hn::Lanes(tag)) {
            put<Stream>(hn::Load(tag, line + part), tag,
                        rows.rotation[part / kLineRows] + at + part % kLineRows);
        }
    }
}

template <bool Stream, class T>
void blend_rows(const StorageRows<T>& rows, float t) {
    for (std::size_t row = 0; row < rows.row_count; row += kBlockRows) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            blend_column<Stream>(rows.from_position[axis] + row, rows.to_position[axis] + row,
                                 rows.position[axis] + row, static_cast<T>(t));
        }
        blend_rotations<Stream>(rows, row, t);
    }
    if constexpr (Stream) {
        hwy::FlushStream();
    }
}

void blend_doubles(const StorageRows<double>& rows, float t, bool stream) {
    return stream ? blend_rows<true>(rows, t) : blend_rows<false>(rows, t);
}

void blend_floats(const StorageRows<float>& rows, float t, bool stream) {
    return stream ? blend_rows<true>(rows, t) : blend_rows<false>(rows, t);
}

} // namespace glissade::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glissade::bench {

HWY_EXPORT(blend_doubles);
HWY_EXPORT(blend_floats);

void blend_storage(const StorageRows<double>& rows, float t, bool stream) noexcept {
    HWY_DYNAMIC_DISPATCH(blend_doubles)(rows, t, stream);
}

void blend_storage(const StorageRows<float>& rows, float t, bool stream) noexcept {
    HWY_DYNAMIC_DISPATCH(blend_floats)(rows, t, stream);
}

} // namespace glissade::bench
#endif // HWY_ONCE
