// SPDX-License-Identifier: MIT
// The value handle by which a stage names its objects.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace glissade {

/// Names one object of one stage. A plain value: copy it, store it, compare it, send it.
///
/// A default-made Id is null and never names anything. When an object is removed its slot gets a
/// new generation, so an old Id is detected as stale and never followed to the slot's next owner.
struct Id {
    /// Slot number plus one in the low 24 bits, the tag of the stage above them. 0 is null.
    std::uint32_t index1 = 0;
    /// How often the slot had been given away when this Id was made.
    std::uint32_t generation = 0;

    [[nodiscard]] constexpr bool is_null() const noexcept { return index1 == 0; }
    [[nodiscard]] constexpr explicit operator bool() const noexcept { return index1 != 0; }
    /// The same 64 bits as one number, for maps, logs and the wire.
    [[nodiscard]] constexpr std::uint64_t bits() const noexcept {
        return (static_cast<std::uint64_t>(generation) << 32U) | index1;
    }
    /// The Id whose bits() are `bits`. Any value is accepted: a stage detects one it never gave.
    [[nodiscard]] static constexpr Id from_bits(std::uint64_t bits) noexcept {
        return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U)};
    }
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a<=>b < 0 for a pointer.
    friend constexpr auto operator<=>(const Id&, const Id&) noexcept = default;
};

} // namespace glissade

/// So that an Id can be the key of an unordered map.
template <>
struct std::hash<glissade::Id> {
    [[nodiscard]] std::size_t operator()(const glissade::Id& id) const noexcept {
        return std::hash<std::uint64_t>{}(id.bits());
    }
};
