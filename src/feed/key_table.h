// SPDX-License-Identifier: MIT
// Finds the row of a key: a hash table of fixed capacity that never allocates after it was made.
#pragma once

#include "base/column.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace glissade {

/// Maps 64-bit keys to rows. Open addressing, at most half full, no tombstones: what follows a
/// removed key moves up.
///
/// Thread safety: one thread at a time. Cost: constant on average.
class KeyTable {
public:
    explicit KeyTable(std::size_t capacity) noexcept;

    [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t key) const noexcept;
    /// The key's row from now on. At most `capacity` keys.
    void set(std::uint64_t key, std::uint32_t row) noexcept;
    void remove(std::uint64_t key) noexcept;

private:
    struct Entry {
        std::uint64_t key;
        std::uint32_t row1; // Row + 1; 0: free.
    };

    [[nodiscard]] std::size_t home_of(std::uint64_t key) const noexcept;
    // The place of the key, or the free place where it would go.
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const noexcept;

    std::size_t mask_;
    Column<Entry> entries_;
};

} // namespace glissade
