// SPDX-License-Identifier: MIT
// How moves get into the rows of the open tick: one by one, in runs, in no order.
#include "stage/mover_table.h"

#include <array>
#include <bit>
#include <cstring>

namespace glissade {

namespace {

/// Calls `visit(block, bits)` for the part of rows [row, row + count) in each block.
template <class Visit>
void for_each_part(std::size_t row, std::size_t count, const Visit& visit) noexcept {
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    const std::size_t end = row + count;
    std::size_t first = row;
    if (first % kBlockRows != 0 && first < end) {
        const std::size_t in_block = std::min(kBlockRows - first % kBlockRows, end - first);
        visit(first / kBlockRows, kAll >> (kBlockRows - in_block) << (first % kBlockRows));
        first += in_block;
    }
    // Whole blocks in a loop of their own: there is next to nothing to compute.
    for (; first + kBlockRows <= end; first += kBlockRows) {
        visit(first / kBlockRows, kAll);
    }
    if (first < end) {
        visit(first / kBlockRows, kAll >> (kBlockRows - (end - first)));
    }
}

} // namespace

void MoverTable::open(std::size_t place) noexcept {
    cursor_->go_to(0);
    open_place_ = place;
    open_ = columns_.state(place).pose;
    for (std::size_t block = 0; block < block_count(); ++block) {
        gates_[block].written = 0;
    }
    cuts_.clear_column(place, block_count());
    shifts_.clear_column(place, block_count());
}

void MoverTable::put(std::uint32_t row, const Pose& pose, const Velocity& velocity) noexcept {
    close_cursor();
    mark_written(row, 1);
    store_pose(open_columns(), row, pose);
    if (widen(row, pose, velocity)) {
        store_velocity(open_state(), row, velocity);
    }
}

void MoverTable::unstage(std::uint32_t row) noexcept {
    close_cursor();
    if (is_staged(row)) {
        gates_[row / kBlockRows].staged &= ~BitColumns::bit_of(row);
        store_pose(open_columns(), row, load_staged(row));
    }
}

bool MoverTable::open_cursor(const Tick& tick, std::uint64_t& move_count) noexcept {
    close_cursor();
    const std::uint32_t row = cursor_->row();
    const BlockGate& gate = gates_[row / kBlockRows];
    // A row that is staged needs more than its columns written.
    const std::uint64_t others =
        (gate.busy | gate.staged | ~rows_of(row / kBlockRows)) >> (row % kBlockRows);
    const auto count =
        std::min<std::uint32_t>(static_cast<std::uint32_t>(std::countr_zero(others)),
                                static_cast<std::uint32_t>(kBlockRows - row % kBlockRows));
    cursor_->open(tick, count, move_count);
    return count > 0;
}

void MoverTable::flush_cursor() noexcept {
    const std::uint32_t first = cursor_->first();
    const std::uint32_t count = cursor_->row() - first;
    // Not past the caches, whatever the size: a block at a time gains nothing by it (7.1 ns a move
    // of a million either way), and would have to wait for the memory before others may read.
    store_staged(cursor_->waiting(), count, open_, first);
    for_each_part(first, count, [this](std::size_t block, std::uint64_t bits) noexcept {
        gates_[block].written |= bits;
    });
    cursor_->go_to(first + count);
}

void MoverTable::unstage_all() noexcept {
    close_cursor();
    if (!has_staged_) {
        return;
    }
    has_staged_ = false;
    for (std::size_t block = 0; block < block_count(); ++block) {
        std::uint64_t& staged = gates_[block].staged;
        if (staged == ~std::uint64_t{0}) {
            const std::size_t row = block * kBlockRows;
            store_staged(columns_.staged() + row, kBlockRows, open_columns(), row);
            staged = 0;
        }
        for_each_row(block, staged, [this](std::uint32_t row) { unstage(row); });
    }
}

template <class Poses>
void MoverTable::scatter(std::span<const std::uint32_t> rows, const Poses& poses,
                         std::size_t first) noexcept {
    const bool stream = is_streamed(size_);
    std::array<StagedPose*, kScatterItems> to;
    std::size_t done = 0;
    const auto put_until = [&](std::size_t end) {
        scatter_lines(poses, first + done, rows.subspan(done, end - done), to.data() + done,
                      stream);
        done = end;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (log_.is_full(rows[i])) {
            put_until(i);
            gather(ScatterLog::group_of(rows[i]));
        }
        to[i] = log_.take(rows[i]);
    }
    put_until(rows.size());
}

template void MoverTable::scatter(std::span<const std::uint32_t>, const PoseColumns&,
                                  std::size_t) noexcept;
template void MoverTable::scatter(std::span<const std::uint32_t>, const std::span<const Pose>&,
                                  std::size_t) noexcept;

void MoverTable::gather(std::uint32_t group) noexcept {
    if (log_.items(group).empty()) {
        return;
    }
    const std::uint32_t first_row = group * ScatterLog::kGroupRows;
    StagedPose* const sorted = log_.sorted();
    std::array<std::uint64_t, ScatterLog::kGroupRows / kBlockRows> written{};
    sort_lines(log_.items(group), first_row, sorted, written.data());
    log_.clear(group);
    for (std::size_t block = 0; block < written.size(); ++block) {
        store_sorted(first_row / kBlockRows + block, written[block], sorted + block * kBlockRows);
    }
}

void MoverTable::store_sorted(std::size_t block, std::uint64_t rows,
                              const StagedPose* sorted) noexcept {
    if (rows == 0) {
        return;
    }
    const std::size_t first_row = block * kBlockRows;
    gates_[block].written |= rows;
    if (rows == ~std::uint64_t{0}) {
        store_staged(sorted, kBlockRows, open_, first_row, is_streamed(size_));
        return;
    }
    for_each_row(block, rows, [&](std::uint32_t row) {
        const Pose& pose = sorted[row - first_row].pose;
        store_pose(open_, row, {.position = pose.position, .rotation = pose.rotation});
    });
}

void MoverTable::gather_all() noexcept {
    for (std::uint32_t group = 0; group < log_.group_count(); ++group) {
        gather(group);
    }
}

bool MoverTable::is_any_busy() const noexcept {
    std::uint64_t busy = 0;
    for (std::size_t block = 0; block < block_count(); ++block) {
        busy |= gates_[block].busy & rows_of(block);
    }
    return busy != 0;
}

template <class Busy>
std::size_t MoverTable::count_rows(std::uint32_t row, std::span<const Id> ids,
                                   const Busy& busy_of) const noexcept {
    const std::size_t limit = std::min<std::size_t>(ids.size(), size_ - row);
    std::size_t count = 0;
    while (count < limit) {
        const std::size_t first = row + count;
        const std::uint64_t other = busy_of(first / kBlockRows) >> (first % kBlockRows);
        const std::size_t in_block = kBlockRows - first % kBlockRows;
        if (other == 0) {
            count += in_block;
            continue;
        }
        const auto free_count = static_cast<std::size_t>(std::countr_zero(other));
        count += std::min(free_count, in_block);
        if (free_count < in_block) {
            break;
        }
    }
    return count_same(row, ids.first(std::min(count, limit)));
}

std::size_t MoverTable::count_same(std::uint32_t row, std::span<const Id> ids) const noexcept {
    const Id* const own = ids_.data() + row;
    // All at once: nearly always they are.
    if (std::memcmp(own, ids.data(), ids.size_bytes()) == 0) {
        return ids.size();
    }
    return static_cast<std::size_t>(std::mismatch(ids.begin(), ids.end(), own).first - ids.begin());
}

std::size_t MoverTable::count_plain_run(std::uint32_t row, std::span<const Id> ids) const noexcept {
    return count_rows(row, ids, [this](std::size_t block) { return gates_[block].busy; });
}

std::size_t MoverTable::count_run(std::uint32_t row, std::span<const Id> ids) const noexcept {
    return count_rows(row, ids, [special = words(RowMask::Special)](std::size_t block) {
        return special[block];
    });
}

std::size_t MoverTable::count_simple_run(std::uint32_t row,
                                         std::span<const Id> ids) const noexcept {
    return count_rows(row, ids,
                      [scaled = words(RowMask::Scaled), below = words(RowMask::Below)](
                          std::size_t block) { return scaled[block] | below[block]; });
}

void MoverTable::mark_written(std::uint32_t row, std::size_t count) noexcept {
    for_each_part(row, count, [this](std::size_t block, std::uint64_t bits) noexcept {
        gates_[block].written |= bits;
        gates_[block].staged &= ~bits;
    });
    cursor_->go_to(row + static_cast<std::uint32_t>(count));
}

bool MoverTable::is_any_written(std::uint32_t row, std::size_t count) const noexcept {
    std::uint64_t written = 0;
    for_each_part(row, count, [this, &written](std::size_t block, std::uint64_t bits) noexcept {
        written |= gates_[block].written & bits;
    });
    return written != 0;
}

MoverTable::Share MoverTable::share_of(RowMask mask, std::uint32_t row,
                                       std::size_t count) const noexcept {
    const std::uint64_t* const mask_words = words(mask);
    Share share;
    for_each_part(row, count, [mask_words, &share](std::size_t block, std::uint64_t bits) noexcept {
        share.some = share.some || (mask_words[block] & bits) != 0;
        share.all = share.all && (mask_words[block] & bits) == bits;
    });
    return share;
}

void MoverTable::prefetch(std::uint32_t row) const noexcept {
    __builtin_prefetch(columns_.staged() + row, 1);
}

} // namespace glissade
