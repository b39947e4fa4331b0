// SPDX-License-Identifier: MIT
// Columns of bits, one bit a row: what is true of which rows, 64 of them in a word.
#pragma once

#include "base/column.h"
#include "stage/kernels.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace glissade {

/// A fixed number of bit columns over a fixed number of rows. A word is a block of kBlockRows rows,
/// so that whole blocks are asked and changed at once.
///
/// Bits are indeterminate until their block is cleared. Allocates: in the constructor only.
class BitColumns {
public:
    BitColumns(std::size_t column_count, std::size_t block_capacity) noexcept
        : column_count_(column_count),
          block_capacity_(block_capacity),
          words_(column_count * block_capacity) {}

    [[nodiscard]] std::uint64_t* words(std::size_t column) noexcept {
        return words_.data() + column * block_capacity_;
    }
    [[nodiscard]] const std::uint64_t* words(std::size_t column) const noexcept {
        return words_.data() + column * block_capacity_;
    }

    [[nodiscard]] bool test(std::size_t column, std::uint32_t row) const noexcept {
        return (words(column)[row / kBlockRows] >> (row % kBlockRows) & 1U) != 0;
    }
    void set(std::size_t column, std::uint32_t row) noexcept {
        words(column)[row / kBlockRows] |= bit_of(row);
    }
    void clear(std::size_t column, std::uint32_t row) noexcept {
        words(column)[row / kBlockRows] &= ~bit_of(row);
    }
    void assign(std::size_t column, std::uint32_t row, bool value) noexcept {
        value ? set(column, row) : clear(column, row);
    }

    /// Clears one column in the first `block_count` blocks.
    void clear_column(std::size_t column, std::size_t block_count) noexcept {
        std::fill_n(words(column), block_count, std::uint64_t{0});
    }
    /// Clears all columns in one block.
    void clear_block(std::size_t block) noexcept {
        for (std::size_t column = 0; column < column_count_; ++column) {
            words(column)[block] = 0;
        }
    }
    /// Gives row `to` all bits of row `from`.
    void copy_row(std::uint32_t from, std::uint32_t to) noexcept {
        for (std::size_t column = 0; column < column_count_; ++column) {
            assign(column, to, test(column, from));
        }
    }

    /// Both rows have each other's bits.
    void swap_rows(std::uint32_t a, std::uint32_t b) noexcept {
        for (std::size_t column = 0; column < column_count_; ++column) {
            const bool is_set = test(column, a);
            assign(column, a, test(column, b));
            assign(column, b, is_set);
        }
    }

    [[nodiscard]] static std::uint64_t bit_of(std::uint32_t row) noexcept {
        return std::uint64_t{1} << (row % kBlockRows);
    }

private:
    std::size_t column_count_;
    std::size_t block_capacity_;
    Column<std::uint64_t> words_;
};

/// Calls `visit(row)` for every set bit of a block's word, in order.
template <class Visit>
void for_each_row(std::size_t block, std::uint64_t word, const Visit& visit) {
    for (; word != 0; word &= word - 1) {
        visit(static_cast<std::uint32_t>(block * kBlockRows) +
              static_cast<std::uint32_t>(std::countr_zero(word)));
    }
}

} // namespace glissade
