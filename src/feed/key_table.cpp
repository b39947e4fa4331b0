// SPDX-License-Identifier: MIT
#include "feed/key_table.h"

#include <bit>

namespace glissade {

KeyTable::KeyTable(std::size_t capacity) noexcept
    : mask_(std::bit_ceil(capacity * 2 + 1) - 1), entries_(mask_ + 1) {
    for (std::size_t i = 0; i <= mask_; ++i) {
        entries_[i] = {};
    }
}

std::optional<std::uint32_t> KeyTable::find(std::uint64_t key) const noexcept {
    const Entry& entry = entries_[place_of(key)];
    return entry.row1 != 0 ? std::optional(entry.row1 - 1) : std::nullopt;
}

void KeyTable::set(std::uint64_t key, std::uint32_t row) noexcept {
    entries_[place_of(key)] = {key, row + 1};
}

void KeyTable::remove(std::uint64_t key) noexcept {
    std::size_t hole = place_of(key);
    if (entries_[hole].row1 == 0) {
        return;
    }
    entries_[hole] = {};
    for (std::size_t next = (hole + 1) & mask_; entries_[next].row1 != 0;
         next = (next + 1) & mask_) {
        // It may fill the hole unless its home lies between the hole and itself.
        const std::size_t home = home_of(entries_[next].key);
        if (((next - home) & mask_) >= ((next - hole) & mask_)) {
            entries_[hole] = entries_[next];
            entries_[next] = {};
            hole = next;
        }
    }
}

std::size_t KeyTable::home_of(std::uint64_t key) const noexcept {
    // The finaliser of splitmix64: keys of servers are often multiples of a power of two.
    std::uint64_t mixed = (key ^ (key >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>(mixed ^ (mixed >> 31U)) & mask_;
}

std::size_t KeyTable::place_of(std::uint64_t key) const noexcept {
    std::size_t place = home_of(key);
    while (entries_[place].row1 != 0 && entries_[place].key != key) {
        place = (place + 1) & mask_;
    }
    return place;
}

} // namespace glissade
