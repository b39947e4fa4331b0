// SPDX-License-Identifier: MIT
// The slots of a stage: who lives where, at-rest poses, family links.
#pragma once

#include "glissade/stage/stage_types.h"

#include "base/column.h"
#include "stage/mover_table.h"

namespace glissade {

/// Where the states of what moves are.
struct MoverPlace {
    std::uint32_t row = MoverTable::kNone;
    TrackId track = kDefaultTrack;

    [[nodiscard]] bool exists() const noexcept { return row != MoverTable::kNone; }
    [[nodiscard]] std::size_t track_number() const noexcept {
        return static_cast<std::size_t>(track);
    }
};

/// What every move asks of an object first: small, in a column of its own, because moves in no
/// order find each of them somewhere else in memory.
struct SlotKey {
    static constexpr std::uint32_t kRowBits = 24;
    static constexpr std::uint32_t kRowMask = (1U << kRowBits) - 1;
    static constexpr std::uint32_t kLargeTrack = 0xFF; ///< This or a larger one: the Slot has it.

    std::uint32_t generation = 1;
    std::uint32_t place = kRowMask; ///< The row, none if all bits are set, and above it the track.

    [[nodiscard]] std::uint32_t row() const noexcept {
        const std::uint32_t row = place & kRowMask;
        return row == kRowMask ? MoverTable::kNone : row;
    }
};
static_assert(sizeof(SlotKey) == 8);

/// The rest of one object. What moves has its states in a MoverTable.
struct Slot {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    Pose rest; ///< Logical and visual pose while it has no row.
    std::uint32_t shown_cuts = 0;
    std::uint64_t user = 0;
    std::uint64_t revision = 0;     ///< The present() in which its local picture last changed.
    std::uint64_t changed_mark = 0; ///< The present() that listed it in changed() without a row.
    /// Sequence of the tick at which it was put or last cut to its place: it has no way from states
    /// before it to that one. 0: before the first tick.
    std::uint64_t cut = 0;
    std::uint32_t parent = kNone;
    std::uint32_t first_child = kNone;
    std::uint32_t next = kNone;            ///< Next sibling; next free slot while not alive.
    std::uint32_t prior = kNone;           ///< Sibling before it.
    std::uint32_t resting_child_count = 0; ///< Children without a row.
    TrackId track = kDefaultTrack;         ///< See SlotTable::set_track().
    Blend blend = Blend::Linear;
    bool alive = false;
    bool hidden = false;
    bool fresh = false;   ///< Put or cut to its place since the last present().
    bool touched = false; ///< In the list of what the next present() has to report.
};

/// Gives out slots and checks handles.
class SlotTable {
public:
    SlotTable(std::uint32_t capacity, std::uint8_t tag, std::uint32_t channel_count);

    [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }

    /// A fresh slot. Precondition: not full.
    std::uint32_t take() noexcept;
    /// Precondition: alive, no row, no children, no parent.
    void release(std::uint32_t index) noexcept;

    [[nodiscard]] StageStatus check(Id id) const noexcept;
    /// Precondition: check(id) is Ok.
    [[nodiscard]] static std::uint32_t index_of(Id id) noexcept {
        return (id.index1 & kIndexMask) - 1;
    }
    [[nodiscard]] Id id_of(std::uint32_t index) const noexcept {
        return {(static_cast<std::uint32_t>(tag_) << kIndexBits) | (index + 1),
                keys_[index].generation};
    }
    /// MoverTable::kNone for what rests.
    [[nodiscard]] std::uint32_t row(std::uint32_t index) const noexcept {
        return keys_[index].row();
    }
    void set_row(std::uint32_t index, std::uint32_t row) noexcept;
    /// Precondition: no row.
    void set_track(std::uint32_t index, TrackId track) noexcept;
    /// Where the object that a handle names is in motion; nowhere if it is not, or names none.
    [[nodiscard]] MoverPlace find_mover(Id id) const noexcept {
        // Another tag, null and what was never given out all come out too large.
        const std::uint32_t index = id.index1 - first_index1_;
        if (index >= used_end_ || keys_[index].generation != id.generation) {
            return {};
        }
        const SlotKey key = keys_[index];
        const std::uint32_t track = key.place >> SlotKey::kRowBits;
        return {.row = key.row(),
                .track = track == SlotKey::kLargeTrack ? slots_[index].track
                                                       : static_cast<TrackId>(track)};
    }
    /// Asks the processor for what find_mover() will read. Any handle is fine.
    void prefetch(Id id) const noexcept {
        const std::uint32_t index = id.index1 - first_index1_;
        __builtin_prefetch(keys_.data() + (index < used_end_ ? index : 0));
    }
    [[nodiscard]] Slot& operator[](std::uint32_t index) noexcept { return slots_[index]; }
    [[nodiscard]] const Slot& operator[](std::uint32_t index) const noexcept {
        return slots_[index];
    }
    /// Slots at and above this number were never given out.
    [[nodiscard]] std::uint32_t used_end() const noexcept { return used_end_; }

    /// The channel values at rest.
    [[nodiscard]] std::span<float> channels(std::uint32_t index) noexcept {
        return {channels_.data() + static_cast<std::size_t>(index) * channel_count_,
                channel_count_};
    }
    [[nodiscard]] std::span<const float> channels(std::uint32_t index) const noexcept {
        return {channels_.data() + static_cast<std::size_t>(index) * channel_count_,
                channel_count_};
    }

    void link(std::uint32_t child, std::uint32_t parent) noexcept;
    void unlink(std::uint32_t child) noexcept;
    /// Whether some object has a parent.
    [[nodiscard]] bool has_families() const noexcept { return child_count_ > 0; }
    /// The object after `index` in a walk of the tree below `root`, parents first; kNone at the
    /// end.
    [[nodiscard]] std::uint32_t next_below(std::uint32_t root, std::uint32_t index) const noexcept;
    [[nodiscard]] int depth(std::uint32_t index) const noexcept;
    /// Levels below `index`; 0 for a leaf. Linear in the objects below.
    [[nodiscard]] int height(std::uint32_t index) const noexcept;
    [[nodiscard]] bool is_below(std::uint32_t index, std::uint32_t ancestor) const noexcept;

private:
    static constexpr std::uint32_t kIndexBits = 24;
    static constexpr std::uint32_t kIndexMask = (1U << kIndexBits) - 1;

    std::uint32_t capacity_;
    std::uint32_t channel_count_;
    std::uint32_t size_ = 0;
    std::uint32_t used_end_ = 0;
    std::uint32_t child_count_ = 0;
    std::uint32_t free_ = Slot::kNone;
    std::uint8_t tag_;
    std::uint32_t first_index1_; ///< Id::index1 of slot 0.
    Column<SlotKey> keys_;
    Column<Slot> slots_;
    Column<float> channels_;
};

} // namespace glissade
