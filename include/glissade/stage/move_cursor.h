// SPDX-License-Identifier: MIT
// The short way of Stage::move(): objects that are told in the order in which they are stored. A
// header of its own because that way is inline; nothing in it is for callers.
#pragma once

#include "glissade/base/id.h"
#include "glissade/pose/pose.h"
#include "glissade/time/tick.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace glissade::detail {

/// A part of a value's bits.
template <class Word>
[[nodiscard]] Word word_at(const void* value, std::size_t offset) noexcept {
    Word word{};
    std::memcpy(&word, static_cast<const std::byte*>(value) + offset, sizeof word);
    return word;
}

// Two at a time where that is how numbers are loaded: 4.2 instead of 4.5 ns a move of 10^4.
#ifdef __SSE2__
[[nodiscard]] inline double sum_absolutes(const glm::dvec3& v) noexcept {
    constexpr long long kNotSign = 0x7FFF'FFFF'FFFF'FFFF;
    const __m128d not_sign = _mm_castsi128_pd(_mm_set1_epi64x(kNotSign));
    const __m128d xy = _mm_and_pd(_mm_loadu_pd(&v.x), not_sign);
    const __m128d z = _mm_and_pd(_mm_load_sd(&v.z), not_sign);
    return _mm_cvtsd_f64(_mm_add_sd(_mm_add_sd(xy, _mm_unpackhi_pd(xy, xy)), z));
}
[[nodiscard]] inline float sum_squares(const glm::quat& q) noexcept {
    const __m128 xyzw = _mm_loadu_ps(&q[0]);
    const __m128 squares = _mm_mul_ps(xyzw, xyzw);
    const __m128 pairs = _mm_add_ps(squares, _mm_movehl_ps(squares, squares));
    return _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps(pairs, pairs, 1)));
}
#else
[[nodiscard]] inline double sum_absolutes(const glm::dvec3& v) noexcept {
    return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}
[[nodiscard]] inline float sum_squares(const glm::quat& q) noexcept {
    return (q.x * q.x + q.z * q.z) + (q.y * q.y + q.w * q.w);
}
#endif

/// Whether a pose needs no further work at the door, as the stage itself judges it: within the
/// limits, of unit length, without a scale. Never wrongly so, whatever the flags of the caller's
/// compiler: sums are judged by their bits, because comparisons need not know NaN there, and with
/// half of the stage's tolerance, because fused or reordered ones are off by up to 5e-7. What fails
/// goes the long way.
[[nodiscard]] inline bool is_surely_plain(const Pose& pose) noexcept {
    const double reach = sum_absolutes(pose.position);
    // Of numbers that are not negative the bits are in order; NaN and infinity come last.
    constexpr auto kLimit = __builtin_bit_cast(std::uint64_t, kMaxPosition);
    const bool is_placed = word_at<std::uint64_t>(&reach, 0) <= kLimit;
    const float square = sum_squares(pose.rotation);
    constexpr auto kLeast = __builtin_bit_cast(std::uint32_t, 1.0F - 5e-7F);
    constexpr auto kMost = __builtin_bit_cast(std::uint32_t, 1.0F + 5e-7F);
    const bool is_unit = word_at<std::uint32_t>(&square, 0) - kLeast <= kMost - kLeast;
    constexpr std::uint32_t kOne = 0x3F800000U; // 1.0F
    constexpr std::uint64_t kTwoOnes = std::uint64_t{kOne} << 32U | kOne;
    return is_placed && is_unit && word_at<std::uint64_t>(&pose.scale, 0) == kTwoOnes &&
           word_at<std::uint32_t>(&pose.scale, 8) == kOne;
}

/// A pose in a cache line of its own.
struct alignas(64) StagedPose {
    Pose pose;
    std::uint32_t row;
};
static_assert(sizeof(StagedPose) == 64);

/// Where the next move goes if objects are told in the order of their rows.
///
/// While it is open, the objects [next, end) of one block take poses in the tick `index`: they are
/// in motion, and nothing but a pose makes their state. Whatever changes one of these things closes
/// it, so that a move has to compare the object and the tick only. What was told waits in lines
/// that stay in the caches; a block of them goes to the columns at once.
class MoveCursor {
public:
    static constexpr std::uint32_t kBlockRows = 64;

    /// `ids` are the objects by row, and stay where they are.
    explicit MoveCursor(const Id* ids) noexcept : ids_(ids) { go_to(0); }

    /// False if this move is not the one that fits; nothing has happened then.
    [[nodiscard]] bool try_move(const Tick& tick, Id id, const Pose& pose) noexcept {
        if (next_ == end_ || next_->bits() != id.bits() || tick.index != index_ ||
            tick.time_ns != time_ns_ || tick.duration_ns != duration_ns_ ||
            !is_surely_plain(pose)) {
            return false;
        }
        hold(pose);
        ++*move_count_;
        return true;
    }

    /// The next row is at `pose`. Precondition: open, the pose is plain.
    void hold(const Pose& pose) noexcept {
        // The scale is 1 and nobody reads it here.
        line_->pose.position = pose.position;
        line_->pose.rotation = pose.rotation;
        ++line_;
        ++next_;
    }

    /// Takes moves of the next `count` rows, which are in one block, and counts them.
    void open(const Tick& tick, std::uint32_t count, std::uint64_t& move_count) noexcept {
        end_ = next_ + count;
        move_count_ = &move_count;
        index_ = tick.index;
        time_ns_ = tick.time_ns;
        duration_ns_ = tick.duration_ns;
    }
    void close() noexcept { end_ = next_; }
    /// Closed, at another row. Precondition: no row waits.
    void go_to(std::uint32_t row) noexcept {
        first_ = row;
        next_ = end_ = ids_ + row;
        line_ = &lines_[row % kBlockRows];
    }

    /// The row after the last that was told.
    [[nodiscard]] std::uint32_t row() const noexcept {
        return static_cast<std::uint32_t>(next_ - ids_);
    }
    /// The rows from here to row() have been told and wait in their lines.
    [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
    [[nodiscard]] bool holds(std::uint32_t told) const noexcept {
        return first_ <= told && told < row();
    }
    [[nodiscard]] Pose load(std::uint32_t told) const noexcept {
        const Pose& pose = lines_[told % kBlockRows].pose;
        return {.position = pose.position, .rotation = pose.rotation};
    }
    /// The line of the first row that waits; the others follow.
    [[nodiscard]] const StagedPose* waiting() const noexcept {
        return &lines_[first_ % kBlockRows];
    }

private:
    const Id* next_ = nullptr;
    const Id* end_ = nullptr; ///< Closed if it is `next_`.
    StagedPose* line_ = nullptr;
    std::uint64_t* move_count_ = nullptr;
    std::int64_t index_ = 0;
    std::int64_t time_ns_ = 0;
    std::int64_t duration_ns_ = 0;
    const Id* ids_;
    std::uint32_t first_ = 0;
    std::array<StagedPose, kBlockRows> lines_; ///< By the row's place in its block.
};

} // namespace glissade::detail
