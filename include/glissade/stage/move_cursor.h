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

namespace glissade::detail {

/// A part of a value's bits.
template <class Word>
[[nodiscard]] Word word_at(const void* value, std::size_t offset) noexcept {
    Word word{};
    std::memcpy(&word, static_cast<const std::byte*>(value) + offset, sizeof word);
    return word;
}

/// Whether a pose needs no further work at the door, as the stage itself judges it: within the
/// limits, of unit length, without a scale. Never wrongly so, whatever the flags of the caller's
/// compiler: sums are judged by their bits, because comparisons need not know NaN there, and with
/// half of the stage's tolerance, because fused or reordered ones are off by up to 5e-7. What fails
/// goes the long way.
[[nodiscard]] inline bool is_surely_plain(const Pose& pose) noexcept {
    const glm::dvec3& p = pose.position;
    const double reach = std::abs(p.x) + std::abs(p.y) + std::abs(p.z);
    // Of numbers that are not negative the bits are in order; NaN and infinity come last.
    constexpr auto kLimit = __builtin_bit_cast(std::uint64_t, kMaxPosition);
    const bool is_placed = word_at<std::uint64_t>(&reach, 0) <= kLimit;
    const glm::quat& q = pose.rotation;
    const float square = ((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w;
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
/// While it is open, the rows [row, end) of one block take poses in the tick `index`: they are in
/// motion, and nothing but a pose makes their state. Whatever changes one of these things closes
/// it, so that a move has to compare the object and the tick only. What was told waits in lines
/// that stay in the caches; a block of them goes to the columns at once.
struct MoveCursor {
    static constexpr std::uint32_t kBlockRows = 64;

    std::uint32_t first = 0; ///< Rows [first, row) have been told and wait in their lines.
    std::uint32_t row = 0;   ///< The one after the last that was told.
    std::uint32_t end = 0;   ///< Closed if it is `row`.
    std::uint64_t* move_count = nullptr;
    const Id* ids = nullptr; ///< By row.
    std::int64_t index = 0;
    std::int64_t time_ns = 0;
    std::int64_t duration_ns = 0;
    std::array<StagedPose, kBlockRows> lines; ///< By the row's place in its block.

    /// Closed, at another row. Precondition: no row waits.
    void go_to(std::uint32_t next) noexcept { first = row = end = next; }
    [[nodiscard]] bool holds(std::uint32_t told) const noexcept {
        return first <= told && told < row;
    }
    [[nodiscard]] Pose load(std::uint32_t told) const noexcept {
        const Pose& pose = lines[told % kBlockRows].pose;
        return {.position = pose.position, .rotation = pose.rotation};
    }

    /// False if this move is not the one that fits; nothing has happened then.
    [[nodiscard]] bool try_move(const Tick& tick, Id id, const Pose& pose) noexcept {
        if (row == end || ids[row].bits() != id.bits() || tick.index != index ||
            tick.time_ns != time_ns || tick.duration_ns != duration_ns || !is_surely_plain(pose)) {
            return false;
        }
        hold(pose);
        ++*move_count;
        return true;
    }

    /// The next row is at `pose`. Precondition: open, the pose is plain.
    void hold(const Pose& pose) noexcept {
        // The scale is 1 and nobody reads it here.
        Pose& line = lines[row % kBlockRows].pose;
        line.position = pose.position;
        line.rotation = pose.rotation;
        ++row;
    }
};

} // namespace glissade::detail
