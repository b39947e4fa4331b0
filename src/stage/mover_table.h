// SPDX-License-Identifier: MIT
// The packed rows of what moves on one track: N stamped states and two visual poses a row.
#pragma once

#include "glissade/stage/stage_types.h"

#include "base/column.h"
#include "stage/bit_columns.h"
#include "stage/mover_columns.h"
#include "stage/mover_row.h"
#include "stage/scatter_log.h"

#include <algorithm>
#include <memory>

namespace glissade {

/// Rows are packed: removing one moves the last into its place. Columns, because a million rows are
/// read front to back every frame; kernels work on them directly.
class MoverTable {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    MoverTable(std::uint32_t capacity, std::uint32_t history, std::uint32_t channel_count);

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }
    [[nodiscard]] std::size_t block_count() const noexcept {
        return (size_ + kBlockRows - 1) / kBlockRows;
    }
    /// The same, or 0 if no row has ever had a parent or children since the table was empty.
    [[nodiscard]] std::size_t family_block_count() const noexcept {
        return has_family_ ? block_count() : 0;
    }
    /// The rows of a block that exist.
    [[nodiscard]] std::uint64_t rows_of(std::size_t block) const noexcept {
        const std::size_t count = std::min<std::size_t>(size_ - block * kBlockRows, kBlockRows);
        return ~std::uint64_t{0} >> (kBlockRows - count);
    }

    /// A new row in which every state and both visual poses are `pose`. Precondition: not full.
    std::uint32_t push(Id id, const Pose& pose, std::span<const float> channels) noexcept;
    /// Takes a row out. The Id of the row that now has this number, or null if it was the last.
    Id remove(std::uint32_t row) noexcept;

    [[nodiscard]] Id id(std::uint32_t row) const noexcept { return ids_[row]; }
    [[nodiscard]] std::span<const Id> ids() const noexcept { return {ids_.data(), size_}; }
    [[nodiscard]] const RowInfo& info(std::uint32_t row) const noexcept { return info_[row]; }
    /// To be changed: the next frame shows the row the slow way and finds out what it is then.
    [[nodiscard]] RowInfo& edit(std::uint32_t row) noexcept;
    /// The row is special if its info says so. Precondition: shown, with its info up to date.
    void judge(std::uint32_t row) noexcept {
        assign(RowMask::Special, row, info_[row].is_special());
    }
    /// The present() in which the row last changed.
    [[nodiscard]] std::uint64_t revision(std::uint32_t row) const noexcept;
    /// All rows that are not special changed in present() number `revision`.
    void set_plain_revision(std::uint64_t revision) noexcept { plain_revision_ = revision; }
    [[nodiscard]] Offset& offset(std::uint32_t row) noexcept { return offsets_[row]; }
    [[nodiscard]] const Offset& offset(std::uint32_t row) const noexcept { return offsets_[row]; }

    [[nodiscard]] bool test(RowMask mask, std::uint32_t row) const noexcept {
        return masks_.test(static_cast<std::size_t>(mask), row);
    }
    void assign(RowMask mask, std::uint32_t row, bool value) noexcept;
    /// Whether a mask is true of some rows of many, and of all.
    struct Share {
        bool some = false;
        bool all = true;
    };
    /// Of the rows [row, row + count).
    [[nodiscard]] Share share_of(RowMask mask, std::uint32_t row, std::size_t count) const noexcept;
    [[nodiscard]] std::uint64_t* words(RowMask mask) noexcept {
        return masks_.words(static_cast<std::size_t>(mask));
    }
    [[nodiscard]] const std::uint64_t* words(RowMask mask) const noexcept {
        return masks_.words(static_cast<std::size_t>(mask));
    }
    void clear_all(RowMask mask) noexcept {
        masks_.clear_column(static_cast<std::size_t>(mask), block_count());
    }
    void set_blend(std::uint32_t row, Blend blend) noexcept;

    // States. `place` is the tick's place in the ring, below `history`.
    [[nodiscard]] State load(std::uint32_t row, std::size_t place) const noexcept;
    void store(std::uint32_t row, std::size_t place, const State& state) noexcept;
    [[nodiscard]] float load_channel(std::uint32_t row, std::size_t place,
                                     std::uint32_t number) const noexcept;
    void store_channels(std::uint32_t row, std::size_t place,
                        std::span<const float> values) noexcept;
    void copy_channels(std::uint32_t row, std::size_t from, std::size_t to) noexcept;
    [[nodiscard]] bool has_equal_channels(std::uint32_t row, std::size_t from,
                                          std::size_t to) const noexcept;

    // The open tick: where moves go that need nothing but a pose.
    /// From now on the states at `place` are written; none of them is yet.
    void open(std::size_t place) noexcept;
    /// It has a state of its own in the open tick.
    [[nodiscard]] bool is_written(std::uint32_t row) const noexcept {
        return (gates_[row / kBlockRows].written & BitColumns::bit_of(row)) != 0 ||
               cursor_->holds(row);
    }
    /// Rows of a block that have none. Precondition: the cursor is closed, as for
    /// is_any_written() and mark_written().
    [[nodiscard]] std::uint64_t unwritten_of(std::size_t block) const noexcept {
        return rows_of(block) & ~gates_[block].written;
    }
    /// The short way of moves in row order, see open_cursor(). Its address stays.
    [[nodiscard]] detail::MoveCursor& cursor() noexcept { return *cursor_; }
    /// The row is the one after the last that was told.
    [[nodiscard]] bool is_next(std::uint32_t row) const noexcept { return row == cursor_->row(); }
    /// The cursor takes moves of the open tick `tick` from the next row on, to the end of a block
    /// at most, and counts them in `move_count`. Returns whether it can. Precondition: the next row
    /// exists and is_plain().
    bool open_cursor(const Tick& tick, std::uint64_t& move_count) noexcept;
    /// Brings what the cursor holds to its columns; it takes no more moves.
    void close_cursor() noexcept {
        if (cursor_->first() != cursor_->row()) {
            flush_cursor();
        }
        cursor_->close();
    }
    /// The row takes part in put() and in runs.
    [[nodiscard]] bool is_plain(std::uint32_t row) const noexcept {
        return (gates_[row / kBlockRows].busy & BitColumns::bit_of(row)) == 0;
    }
    /// One row out of order. Precondition: is_plain(), the pose is plain (see store_plain()).
    void put(std::uint32_t row, const Pose& pose) noexcept;
    /// The same for a row that may have had a scale or velocities, and a pose with a scale.
    void put(std::uint32_t row, const Pose& pose, const Velocity& velocity) noexcept;
    /// Brings the state that put() left for a row, or for all rows, to its columns.
    void unstage(std::uint32_t row) noexcept;
    void unstage_all() noexcept;
    /// Most rows of one scatter().
    static constexpr std::size_t kScatterItems = 64;
    /// put() for many rows in no order: for the items of `poses` from `first` on. No row is written
    /// before it is gathered, and nothing may be asked of it until then. Precondition: as put(),
    /// and nothing is staged. Large tables go past the caches, see flush_streams().
    template <class Poses>
    void scatter(std::span<const std::uint32_t> rows, const Poses& poses,
                 std::size_t first) noexcept;
    /// Writes the rows of a group that were scattered, and all of them.
    void gather(std::uint32_t group) noexcept;
    void gather_all() noexcept;
    /// Whether some row is not is_plain().
    [[nodiscard]] bool is_any_busy() const noexcept;
    /// How many rows from `row` on are those of `ids`, in order, and is_plain().
    [[nodiscard]] std::size_t count_plain_run(std::uint32_t row,
                                              std::span<const Id> ids) const noexcept;
    /// The same of rows that are not special.
    [[nodiscard]] std::size_t count_run(std::uint32_t row, std::span<const Id> ids) const noexcept;
    /// One of `count` rows from `row` on is_written().
    [[nodiscard]] bool is_any_written(std::uint32_t row, std::size_t count) const noexcept;
    /// Columns of the open tick, for kernels, which call close_cursor() before and mark_written()
    /// afterwards.
    [[nodiscard]] const PoseTarget& open_columns() const noexcept { return open_; }
    [[nodiscard]] const StateColumns& open_state() const noexcept {
        return columns_.state(open_place_);
    }
    /// Remembers that a row has a scale or a velocity. Returns whether it has had velocities.
    bool widen(std::uint32_t row, const Pose& pose, const Velocity& velocity) noexcept {
        set_scaled(row, pose.scale);
        set_moving(row, velocity);
        return test(RowMask::Velocity, row);
    }
    /// The two parts of it.
    void set_moving(std::uint32_t row, const Velocity& velocity) noexcept {
        if (!test(RowMask::Velocity, row) && !(velocity == Velocity{})) {
            assign(RowMask::Velocity, row, true);
        }
    }
    void set_scaled(std::uint32_t row, const glm::vec3& scale) noexcept {
        if (!test(RowMask::Scaled, row) && scale != glm::vec3(1.0F)) {
            assign(RowMask::Scaled, row, true);
        }
    }
    void mark_written(std::uint32_t row, std::size_t count) noexcept;
    /// Asks the processor for what put() will touch.
    void prefetch(std::uint32_t row) const noexcept;

    // Pictures.
    [[nodiscard]] Pose visual(std::uint32_t row) const noexcept {
        return load_pose(columns_.visual(now_), row);
    }
    [[nodiscard]] Pose previous(std::uint32_t row) const noexcept {
        return load_pose(columns_.visual(1 - now_), row);
    }
    [[nodiscard]] const PoseTarget& visual_columns() const noexcept {
        return columns_.visual(now_);
    }
    /// The row has no scale and no parent: its place in the world is its visual position and
    /// rotation.
    [[nodiscard]] bool is_simple(std::uint32_t row) const noexcept {
        return !test(RowMask::Scaled, row) && !test(RowMask::Below, row);
    }
    /// How many rows from `row` on are those of `ids`, in order, and is_simple().
    [[nodiscard]] std::size_t count_simple_run(std::uint32_t row,
                                               std::span<const Id> ids) const noexcept;
    /// Asks the processor for a row's visual position and rotation, if the table is larger than
    /// the caches.
    void prefetch_visual(std::uint32_t row) const noexcept;
    void set_visual(std::uint32_t row, const Pose& pose) noexcept;
    void set_previous(std::uint32_t row, const Pose& pose) noexcept;
    [[nodiscard]] float visual_channel(std::uint32_t row, std::uint32_t number) const noexcept;
    void set_visual_channel(std::uint32_t row, std::uint32_t number, float value) noexcept;
    /// What was visual is previous from now on; the new visual poses are yet to be written.
    void swap_visual() noexcept { now_ = 1 - now_; }
    /// Visual poses as columns; without a previous frame of their own those are the same.
    [[nodiscard]] MovedColumns columns(bool has_previous) const noexcept;

    /// The parts of a blend that are in this table: from one place of the ring to another.
    [[nodiscard]] BlendBatch make_batch(std::size_t from, std::size_t to) noexcept;
    /// Shows again what is shown, for its matrices.
    [[nodiscard]] BlendBatch make_still_batch() noexcept;
    [[nodiscard]] PoseSource visual_source() const noexcept {
        return to_source(columns_.visual(now_));
    }
    [[nodiscard]] const WorldTarget& world() const noexcept { return columns_.world(); }
    /// The first of FamilyPlan::kMaxGuests rows of world() that belong to no row of the table.
    [[nodiscard]] std::uint32_t guest_row() const noexcept {
        return static_cast<std::uint32_t>((capacity_ + kBlockRows - 1) / kBlockRows * kBlockRows);
    }

    /// Puts the rows into another order: row n becomes what row `order[n]` was. Linear.
    /// Precondition: the tick is closed, nothing is staged.
    void reorder(std::span<const std::uint32_t> order) noexcept;
    /// Two rows change places. Precondition: as reorder().
    void swap_rows(std::uint32_t a, std::uint32_t b) noexcept;

private:
    [[nodiscard]] Pose load_staged(std::uint32_t row) const noexcept {
        const Pose& staged = columns_.staged()[row].pose;
        return {.position = staged.position, .rotation = staged.rotation};
    }
    [[nodiscard]] bool is_staged(std::uint32_t row) const noexcept {
        return (gates_[row / kBlockRows].staged & BitColumns::bit_of(row)) != 0;
    }
    void flush_cursor() noexcept;
    void store_sorted(std::size_t block, std::uint64_t rows, const StagedPose* sorted) noexcept;
    void copy_row(std::uint32_t from, std::uint32_t to) noexcept;
    void reorder_bits(BitColumns& bits, std::size_t column_count,
                      std::span<const std::uint32_t> order) noexcept;
    void copy_gate(std::uint32_t from, std::uint32_t to) noexcept;
    void swap_gates(std::uint32_t a, std::uint32_t b) noexcept;
    /// `busy_of(block)` are the rows of a block that end a run.
    template <class Busy>
    [[nodiscard]] std::size_t count_rows(std::uint32_t row, std::span<const Id> ids,
                                         const Busy& busy_of) const noexcept;

    /// How many rows from `row` on are those of `ids`, in order.
    [[nodiscard]] std::size_t count_same(std::uint32_t row, std::span<const Id> ids) const noexcept;

    std::uint32_t capacity_;
    std::uint32_t history_;
    std::uint32_t channel_count_;
    std::uint32_t size_ = 0;
    bool has_family_ = false;
    std::size_t now_ = 0;
    std::size_t open_place_ = 0;
    PoseTarget open_{}; ///< The columns of that place, once more: every move asks for them.
    std::uint64_t plain_revision_ = 0;
    MoverColumns columns_;
    ScatterLog log_; ///< Empty between calls of the stage. Its memory is that of staged().
    bool has_staged_ = false;
    BitColumns masks_;
    Column<BlockGate> gates_;
    BitColumns cuts_;        ///< kCutState of each place.
    BitColumns shifts_;      ///< kShiftState of each place.
    Column<float> channels_; ///< Of each place, channel_count values a row.
    Column<float> visual_channels_;
    Column<Id> ids_;
    /// Closed by what takes a row away, makes one special, or closes the tick. Not in place: a
    /// Stage knows its address.
    std::unique_ptr<detail::MoveCursor> cursor_;
    Column<RowInfo> info_;
    Column<Offset> offsets_;
};

// In the header, because every move out of order goes through it.
inline void MoverTable::put(std::uint32_t row, const Pose& pose) noexcept {
    close_cursor(); // It may hold an older pose of this row.
    BlockGate& gate = gates_[row / kBlockRows];
    const std::uint64_t bit = BitColumns::bit_of(row);
    gate.written |= bit;
    gate.staged |= bit;
    has_staged_ = true;
    // Each of seven columns would miss the caches for each row, and a line of its own misses once.
    // Part by part: as a whole GCC 12 copies a Pose by a string instruction, which takes longer
    // than all the rest. The scale is 1 and nobody reads it here.
    StagedPose& staged = columns_.staged()[row];
    staged.pose.position = pose.position;
    staged.pose.rotation = pose.rotation;
    cursor_->go_to(row + 1);
}

} // namespace glissade
