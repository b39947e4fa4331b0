// SPDX-License-Identifier: MIT
// Whether moves that come in no order of rows come in the same one tick after tick.
#pragma once

#include "base/column.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace glissade {

/// The objects that were told out of row order, in the order of the calls, in this tick and in the
/// one before.
///
/// Most callers have a list of their own and go through it in every tick. Where it repeats itself,
/// rows can be brought into its order, and are then told as fast as rows can be. Allocates: in the
/// constructor only; memory is not touched before something is told out of order.
class TellingOrder {
public:
    /// An object, named by its slot: it was told and does not follow the row told before it. Or,
    /// marked, the one in the row told before, which was in order.
    using Entry = std::uint32_t;
    static constexpr Entry kInOrder = 1U << 31U;

    explicit TellingOrder(std::uint32_t capacity) noexcept
        : told_{Column<Entry>(capacity), Column<Entry>(capacity)} {}

    void begin_tick() noexcept {
        before_ = {told_[now_].data() + placed_count_, count_ - placed_count_};
        now_ = 1 - now_;
        count_ = placed_count_ = 0;
        last_row_ = kNoRow;
        is_judged_ = false;
    }

    /// The object of `slot`, in `row`, was told.
    void note(std::uint32_t slot, std::uint32_t row) noexcept {
        append(slot);
        last_row_ = row;
    }
    /// The object of `slot` was told before the next one, and is in order.
    void note_before(std::uint32_t slot) noexcept { append(slot | kInOrder); }
    /// The row of the last one that was noted; none at first.
    [[nodiscard]] std::uint32_t last_row() const noexcept { return last_row_; }

    /// What was noted in this tick; nothing if that is little, is not as in the tick before, or was
    /// asked for already. Linear.
    [[nodiscard]] std::span<const Entry> take_repeated() noexcept;
    /// The first `count` of those are in order now, and will not be noted in the next tick.
    void set_placed(std::uint32_t count) noexcept { placed_count_ = count; }

private:
    static constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();

    void append(Entry entry) noexcept {
        Column<Entry>& told = told_[now_];
        if (count_ < told.capacity()) { // Some may be told twice.
            told[count_++] = entry;
        }
    }
    [[nodiscard]] bool is_repeated() const noexcept;

    std::array<Column<Entry>, 2> told_;
    std::span<const Entry> before_{}; ///< Of the tick before, what may be repeated.
    std::size_t now_ = 0;
    std::uint32_t count_ = 0;
    std::uint32_t placed_count_ = 0;
    std::uint32_t last_row_ = kNoRow;
    bool is_judged_ = false;
};

} // namespace glissade
