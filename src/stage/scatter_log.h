// SPDX-License-Identifier: MIT
// Moves of a large batch that come in no order, sorted by where their rows are.
#pragma once

#include "base/column.h"
#include "stage/kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glissade {

/// For each group of neighbouring rows the moves of a batch, in the order in which they came.
///
/// In a table that is larger than the caches every row is far away, and a pose in its columns is
/// far away seven times. So poses are put down at the end of a list of their group first: some
/// hundred places in memory that all go forward. Then one group after the other is put in the order
/// of its rows, in the caches, and goes to its columns from there. Allocates in the constructor
/// only; the lists are in memory of the caller, which is not touched before it is needed.
class ScatterLog {
public:
    /// Rows of a group: 256 KiB of poses.
    static constexpr std::uint32_t kGroupRows = 4096;

    /// `memory` has a StagedPose for each row of the capacity.
    ScatterLog(StagedPose* memory, std::uint32_t row_capacity);

    [[nodiscard]] std::uint32_t group_count() const noexcept {
        return static_cast<std::uint32_t>(lists_.capacity());
    }
    [[nodiscard]] static std::uint32_t group_of(std::uint32_t row) noexcept {
        return row / kGroupRows;
    }
    [[nodiscard]] std::span<const StagedPose> items(std::uint32_t group) const noexcept {
        return {lists_[group].first, lists_[group].next};
    }
    void clear(std::uint32_t group) noexcept { lists_[group].next = lists_[group].first; }

    /// Whether the list of a row's group has no room for one more: then it must be cleared first.
    [[nodiscard]] bool is_full(std::uint32_t row) const noexcept {
        const List& list = lists_[group_of(row)];
        return list.next == list.end;
    }
    /// Where one more pose of a row goes. Precondition: not is_full().
    [[nodiscard]] StagedPose* take(std::uint32_t row) noexcept {
        return lists_[group_of(row)].next++;
    }

    /// Room for the poses of one group in the order of its rows.
    [[nodiscard]] StagedPose* sorted() noexcept { return sorted_.data(); }

private:
    struct List {
        StagedPose* first;
        StagedPose* next;
        StagedPose* end;
    };
    Column<List> lists_;
    Column<StagedPose> sorted_;
};

} // namespace glissade
