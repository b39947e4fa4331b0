// SPDX-License-Identifier: MIT
// Poses of a batch in no order: to a cache line each, and from there to the order of their rows.
#include "kernels.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stage/scatter_kernel.cpp" // NOLINT(readability-identifier-naming)
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file again.
#include "stage/kernel_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glissade::HWY_NAMESPACE {

// A whole line: half-filled ones cost four times as much if they are streamed.
template <bool Stream>
HWY_INLINE void copy_line(const StagedPose& from, StagedPose* to) {
#if HWY_TARGET == HWY_SCALAR
    std::memcpy(to, &from, sizeof(from));
#else
    constexpr std::size_t kLineFloats = sizeof(StagedPose) / sizeof(float);
    const hn::CappedTag<float, kLineFloats> tag;
    const auto* const source = reinterpret_cast<const float*>(&from);
    auto* const target = reinterpret_cast<float*>(to);
    for (std::size_t i = 0; i < kLineFloats; i += hn::MaxLanes(tag)) {
        store_part<Stream>(hn::Load(tag, source + i), tag, target + i);
    }
#endif
}

// Items [first, rows.size()): `fill(i, pose)` gives their poses. Some lines are filled before the
// first is copied: what has just been stored in parts cannot be loaded as a whole yet.
template <bool Stream, class Fill>
HWY_INLINE void put_items(std::size_t first, std::span<const std::uint32_t> rows,
                          StagedPose* const* to, const Fill& fill) {
    constexpr std::size_t kLines = 16;
    StagedPose lines[kLines] = {};
    while (first < rows.size()) {
        const std::size_t count = std::min(kLines, rows.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            fill(first + i, lines[i].pose);
            lines[i].row = rows[first + i];
        }
        for (std::size_t i = 0; i < count; ++i) {
            copy_line<Stream>(lines[i], to[first + i]);
        }
        first += count;
    }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3

// Words of 8 bytes: those of a and b in turn, of the even items first, then of the odd ones.
struct WordPairs {
    __m512d even;
    __m512d odd;
};

HWY_INLINE WordPairs pair_words(__m512d a, __m512d b) {
    return {_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b)};
}

HWY_INLINE __m512d interleave_floats(const float* a, const float* b) {
    const __m512i order = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return _mm512_castps_pd(_mm512_permutex2var_ps(_mm512_castps256_ps512(_mm256_loadu_ps(a)),
                                                   order,
                                                   _mm512_castps256_ps512(_mm256_loadu_ps(b))));
}

template <bool Stream>
HWY_INLINE void put_line(__m512d line, StagedPose* to) {
    if constexpr (Stream) {
        _mm512_stream_pd(reinterpret_cast<double*>(to), line);
    } else {
        _mm512_store_pd(to, line);
    }
}

// Each vector has a quarter of the lines of four items, two apart.
template <bool Stream>
HWY_INLINE void put_four(__m512d a, __m512d b, __m512d c, __m512d d, StagedPose* const* to) {
    const __m512d ab_low = _mm512_shuffle_f64x2(a, b, 0x44);
    const __m512d ab_high = _mm512_shuffle_f64x2(a, b, 0xEE);
    const __m512d cd_low = _mm512_shuffle_f64x2(c, d, 0x44);
    const __m512d cd_high = _mm512_shuffle_f64x2(c, d, 0xEE);
    put_line<Stream>(_mm512_shuffle_f64x2(ab_low, cd_low, 0x88), to[0]);
    put_line<Stream>(_mm512_shuffle_f64x2(ab_low, cd_low, 0xDD), to[2]);
    put_line<Stream>(_mm512_shuffle_f64x2(ab_high, cd_high, 0x88), to[4]);
    put_line<Stream>(_mm512_shuffle_f64x2(ab_high, cd_high, 0xDD), to[6]);
}

// Eight items at a time as a square of 8 words each; the scale's place holds anything.
template <bool Stream>
HWY_INLINE std::size_t put_eights(const PoseColumns& poses, std::size_t first,
                                  const std::uint32_t* rows, std::size_t count,
                                  StagedPose* const* to) {
    static_assert(offsetof(StagedPose, row) == 56 && offsetof(Pose, rotation) == 24);
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const std::size_t item = first + i;
        const WordPairs xy = pair_words(_mm512_loadu_pd(poses.x.data() + item),
                                        _mm512_loadu_pd(poses.y.data() + item));
        const WordPairs zq =
            pair_words(_mm512_loadu_pd(poses.z.data() + item),
                       interleave_floats(poses.qx.data() + item, poses.qy.data() + item));
        const __m512d q = interleave_floats(poses.qz.data() + item, poses.qw.data() + item);
        const __m512d row = _mm512_castsi512_pd(
            _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows + i))));
        const WordPairs end = pair_words(q, q);
        const WordPairs last = pair_words(row, row);
        put_four<Stream>(xy.even, zq.even, end.even, last.even, to + i);
        put_four<Stream>(xy.odd, zq.odd, end.odd, last.odd, to + i + 1);
    }
    return i;
}

#else

template <bool Stream>
HWY_INLINE std::size_t put_eights(const PoseColumns& /*poses*/, std::size_t /*first*/,
                                  const std::uint32_t* /*rows*/, std::size_t /*count*/,
                                  StagedPose* const* /*to*/) {
    return 0;
}

#endif

template <bool Stream>
HWY_INLINE void put_columns(const PoseColumns& poses, std::size_t first,
                            std::span<const std::uint32_t> rows, StagedPose* const* to) {
    const std::size_t done = put_eights<Stream>(poses, first, rows.data(), rows.size(), to);
    if (done == rows.size()) {
        return; // put_items() would clear its lines for nothing.
    }
    put_items<Stream>(done, rows, to, [&poses, first](std::size_t i, Pose& pose) {
        const std::size_t at = first + i;
        pose.position = {poses.x[at], poses.y[at], poses.z[at]};
        pose.rotation = quat_xyzw(poses.qx[at], poses.qy[at], poses.qz[at], poses.qw[at]);
    });
}

void scatter_columns(const PoseColumns& poses, std::size_t first,
                     std::span<const std::uint32_t> rows, StagedPose* const* to, bool stream) {
    if (stream) {
        put_columns<true>(poses, first, rows, to);
    } else {
        put_columns<false>(poses, first, rows, to);
    }
}

// The first 48 bytes of a Pose, which are its place and a part of its scale, and the row behind
// them: in four words, of which the third is the row's. Nobody reads the scale.
template <bool Stream>
HWY_INLINE void put_poses(const Pose* poses, std::span<const std::uint32_t> rows,
                          StagedPose* const* to) {
#if HWY_TARGET == HWY_SCALAR
    for (std::size_t i = 0; i < rows.size(); ++i) {
        // Part by part: as a whole GCC 12 copies a Pose by a string instruction.
        to[i]->pose.position = poses[i].position;
        to[i]->pose.rotation = poses[i].rotation;
        to[i]->row = rows[i];
    }
#else
    static_assert(offsetof(Pose, scale) == 40 && offsetof(StagedPose, row) == 56);
    const hn::FixedTag<std::uint32_t, 4> tag;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto* const from = reinterpret_cast<const std::uint32_t*>(poses + i);
        auto* const line = reinterpret_cast<std::uint32_t*>(to[i]);
        for (std::size_t word = 0; word < 12; word += 4) {
            store_part<Stream>(hn::LoadU(tag, from + word), tag, line + word);
        }
        store_part<Stream>(hn::Set(tag, rows[i]), tag, line + 12);
    }
#endif
}

void scatter_poses(const Pose* poses, std::span<const std::uint32_t> rows, StagedPose* const* to,
                   bool stream) {
    if (stream) {
        put_poses<true>(poses, rows, to);
    } else {
        put_poses<false>(poses, rows, to);
    }
}

// So many are asked for ahead: with 4 or 16 a frame of a million takes 4 % longer, without 8 %.
constexpr std::size_t kLinesAhead = 8;

void sort_staged(std::span<const StagedPose> lines, std::uint32_t first_row, StagedPose* sorted,
                 std::uint64_t* written) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        // Processors follow the list by themselves, but each time to the end of a page only.
        hwy::Prefetch(&lines[std::min(i + kLinesAhead, lines.size() - 1)]);
        const StagedPose& line = lines[i];
        const std::uint32_t at = line.row - first_row;
        copy_line<false>(line, sorted + at);
        written[at / kBlockRows] |= std::uint64_t{1} << (at % kBlockRows);
    }
}

} // namespace glissade::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glissade {

HWY_EXPORT(scatter_columns);
HWY_EXPORT(scatter_poses);
HWY_EXPORT(sort_staged);

void scatter_lines(const PoseColumns& poses, std::size_t first, std::span<const std::uint32_t> rows,
                   StagedPose* const* to, bool stream) noexcept {
    HWY_DYNAMIC_DISPATCH(scatter_columns)(poses, first, rows, to, stream);
}

void scatter_lines(std::span<const Pose> poses, std::size_t first,
                   std::span<const std::uint32_t> rows, StagedPose* const* to,
                   bool stream) noexcept {
    HWY_DYNAMIC_DISPATCH(scatter_poses)(poses.data() + first, rows, to, stream);
}

void sort_lines(std::span<const StagedPose> lines, std::uint32_t first_row, StagedPose* sorted,
                std::uint64_t* written) noexcept {
    HWY_DYNAMIC_DISPATCH(sort_staged)(lines, first_row, sorted, written);
}

} // namespace glissade
#endif
