// SPDX-License-Identifier: MIT
// The rigid transforms of the few states that were shifted, chained per mover row.
#pragma once

#include "glissade/pose/pose.h"

#include <cstdint>
#include <vector>

namespace glissade {

/// One shift inside a mover's history.
struct ShiftRecord {
    std::uint64_t sequence = 0; ///< The tick during which it happened.
    Rigid rigid;
    bool shown = false; ///< The picture has passed it, and the previous visual pose was mapped.
    std::uint32_t next = 0;
};

/// A fixed pool of records in singly linked chains. A chain is named by its head; kNone is the
/// empty one. Shifts are rare and chains short, so that states need no room for a transform each.
class ShiftPool {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    explicit ShiftPool(std::uint32_t capacity);

    [[nodiscard]] bool full() const noexcept { return free_ == kNone; }
    /// Precondition: not full.
    void push(std::uint32_t& head, std::uint64_t sequence, const Rigid& rigid) noexcept;
    /// The record of `sequence` in the chain, or null.
    [[nodiscard]] ShiftRecord* find(std::uint32_t head, std::uint64_t sequence) noexcept;
    [[nodiscard]] const ShiftRecord* find(std::uint32_t head,
                                          std::uint64_t sequence) const noexcept;
    [[nodiscard]] ShiftRecord& operator[](std::uint32_t place) noexcept { return records_[place]; }

    /// Frees the records of ticks before `oldest` (all with the largest number).
    void purge(std::uint32_t& head, std::uint64_t oldest) noexcept;

private:
    std::vector<ShiftRecord> records_;
    std::uint32_t free_ = kNone;
};

} // namespace glissade
