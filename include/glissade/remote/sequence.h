// SPDX-License-Identifier: MIT
// 16-bit packet stamps that wrap: which of two is newer.
#pragma once

#include <cstdint>

namespace glissade {

/// Whether `incoming` comes after `stored`. Equal is not newer. Across more than half of the circle
/// the smaller number is the newer one; at exactly half (a gap of 0x8000) it is so both ways.
[[nodiscard]] constexpr bool is_newer(std::uint16_t incoming, std::uint16_t stored) noexcept {
    const int gap = static_cast<int>(incoming) - static_cast<int>(stored);
    const bool wrapped = gap > 0x7FFF || gap < -0x7FFF;
    return wrapped ? gap < 0 : gap > 0;
}

/// The same test with the two swapped, so equal is neither.
[[nodiscard]] constexpr bool is_older(std::uint16_t incoming, std::uint16_t stored) noexcept {
    return is_newer(stored, incoming);
}

/// Stores `incoming` if it is newer, and says whether it was.
constexpr bool accept_newer(std::uint16_t& stored, std::uint16_t incoming) noexcept {
    const bool newer = is_newer(incoming, stored);
    stored = newer ? incoming : stored;
    return newer;
}

} // namespace glissade
