// SPDX-License-Identifier: MIT
// Columns that start at different places of their pages.
#pragma once

#include "base/column.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glissade::bench {

/// Owns columns. Large ones from an allocator all start at the same place of a page, and would push
/// each other out of the cache.
class StaggeredMemory {
public:
    /// `count` values of `value`, aligned to a cache line.
    template <class T>
    T* make_column(std::size_t count, T value) {
        memory_.emplace_back(count * sizeof(T) + 2 * kPageBytes);
        const auto start = reinterpret_cast<std::uintptr_t>(memory_.back().data());
        const std::size_t wanted = memory_.size() * kStaggerBytes % kPageBytes;
        const std::size_t skip = (wanted + kPageBytes - start % kPageBytes) % kPageBytes;
        T* const column = reinterpret_cast<T*>(memory_.back().data() + skip);
        std::fill_n(column, count, value);
        return column;
    }

private:
    static constexpr std::size_t kPageBytes = 4096;
    static constexpr std::size_t kStaggerBytes = 5 * kColumnAlignmentBytes;

    std::vector<Column<std::byte>> memory_;
};

} // namespace glissade::bench
