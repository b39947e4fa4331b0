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
    Rigid pending; ///< The part of it that the previous visual pose was not mapped through yet.
    bool shown = false; ///< The picture has passed it: nothing is pending.
    std::uint32_t next = 0;
};

/// A fixed pool of records in singly linked chains. A chain is named by its head; kNone is the
/// empty one. Shifts are rare and chains short, so that states need no room for a transform each.
class ShiftPool {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    explicit ShiftPool(std::uint32_t capacity);

    [[nodiscard]] bool full() const noexcept { return free_ == kNone; }
    /// The record of `sequence` in the chain, or null.
    [[nodiscard]] const ShiftRecord* find(std::uint32_t head,
                                          std::uint64_t sequence) const noexcept;
    /// The oldest record up to `sequence` that no frame has shown yet, or null. Chains are short.
    [[nodiscard]] ShiftRecord* find_reached(std::uint32_t head, std::uint64_t sequence) noexcept;

    /// Displaces the record of `sequence` once more, or begins it. Precondition: not full.
    void add(std::uint32_t& head, std::uint64_t sequence, const Rigid& rigid) noexcept;
    /// The space in which the chain's states live was moved by `offset`.
    void rebase(std::uint32_t head, const glm::dvec3& offset) noexcept;
    /// Frees the record of `sequence`, if there is one.
    void forget(std::uint32_t& head, std::uint64_t sequence) noexcept;
    /// Frees the records of ticks before `oldest`. What no frame has shown yet is kept as one
    /// record, because the previous visual pose still has to go through it.
    void retire(std::uint32_t& head, std::uint64_t oldest) noexcept;
    /// Frees all records of a chain.
    void clear(std::uint32_t& head) noexcept;

private:
    /// Takes the record that `link` points to out of its chain.
    void release(std::uint32_t* link) noexcept;

    std::vector<ShiftRecord> records_;
    std::uint32_t free_ = kNone;
};

} // namespace glissade
