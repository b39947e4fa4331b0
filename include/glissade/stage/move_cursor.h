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

/// By how much the square of a rotation's length may be off 1 to be kept bit for bit.
inline constexpr float kUnitTolerance = 1e-6F;

/// Whether a rotation is kept bit for bit. In float and in this order, as the kernels compute it,
/// so that every door decides alike.
[[nodiscard]] inline bool is_unit(const glm::quat& rotation) noexcept {
    const float square =
        ((rotation.x * rotation.x + rotation.y * rotation.y) + rotation.z * rotation.z) +
        rotation.w * rotation.w;
    return std::abs(square - 1.0F) <= kUnitTolerance;
}

/// A part of a value's bits, to compare several floats at once.
template <class Word>
[[nodiscard]] Word word_at(const void* value, std::size_t offset) noexcept {
    Word word{};
    std::memcpy(&word, static_cast<const std::byte*>(value) + offset, sizeof word);
    return word;
}

/// Finite and within the limit, and a little stricter than that, for one comparison only.
[[nodiscard]] inline bool is_placed(const glm::dvec3& position) noexcept {
    return std::abs(position.x) + std::abs(position.y) + std::abs(position.z) <= kMaxPosition;
}

[[nodiscard]] inline bool is_unscaled(const glm::vec3& scale) noexcept {
    constexpr std::uint32_t kOne = 0x3F800000U; // 1.0F
    constexpr std::uint64_t kTwoOnes = std::uint64_t{kOne} << 32U | kOne;
    return word_at<std::uint64_t>(&scale, 0) == kTwoOnes &&
           word_at<std::uint32_t>(&scale, 8) == kOne;
}

/// Needs no further work at the door: what check() accepts, of unit length, without a scale. Few
/// and cheap tests, because every move pays for them; what fails one of them goes the long way.
[[nodiscard]] inline bool is_plain(const Pose& pose) noexcept {
    return is_placed(pose.position) && is_unit(pose.rotation) && is_unscaled(pose.scale);
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
        const std::uint32_t at = row;
        // Copies: the compiler would load them again after each store.
        const glm::dvec3 position = pose.position;
        const glm::quat rotation = pose.rotation;
        if (at == end || ids[at].bits() != id.bits() || tick.index != index ||
            tick.time_ns != time_ns || tick.duration_ns != duration_ns || !is_placed(position) ||
            !is_unit(rotation) || !is_unscaled(pose.scale)) {
            return false;
        }
        // The scale is 1 and nobody reads it here.
        Pose& line = lines[at % kBlockRows].pose;
        line.position = position;
        line.rotation = rotation;
        row = at + 1;
        ++*move_count;
        return true;
    }
};

} // namespace glissade::detail
