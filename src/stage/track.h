// SPDX-License-Identifier: MIT
// One timeline of a stage: its ticks, what moves on it, and the frame that shows it.
#pragma once

#include "stage/due_queue.h"
#include "stage/family_plan.h"
#include "stage/kernels.h"
#include "stage/mover_table.h"
#include "stage/shift_pool.h"
#include "stage/slot_table.h"
#include "stage/telling_order.h"
#include "stage/tick_ring.h"

#include <optional>

namespace glissade {

/// Blocks of a track that one present_range() shows.
struct PresentRange {
    std::uint16_t track = 0;
    std::uint32_t first_block = 0;
    std::uint32_t block_count = 0;
};

/// What the rows of a track depend on in one frame, the same for all of them.
struct Frame {
    Bracket bracket{};
    std::int64_t elapsed_ns = 0; ///< Since the sample time before it.
    std::uint64_t from = 0;      ///< The two ticks that the kernel blends, also where the picture
    std::uint64_t to = 0;        ///< is exactly on one of them.
    bool shows = false;          ///< Visual poses are made anew.
    bool guesses = false;        ///< Beyond the newest tick: every row is carried on by itself.
    bool moves = false;          ///< The picture is at another place of the ring than before.
    std::optional<MatrixTarget> target{};
};

/// One timeline with everything that moves on it.
struct Track {
    Track(const TrackConfig& settings, std::uint32_t mover_capacity, std::uint32_t channel_count,
          std::uint32_t event_capacity, std::uint32_t vanish_capacity)
        : config(settings),
          ring(settings.history),
          movers(mover_capacity, settings.history, channel_count),
          family(mover_capacity),
          order(mover_capacity),
          has_channels(channel_count > 0),
          events(event_capacity),
          vanishing(vanish_capacity) {}

    /// The place of a tick in the rings of the track.
    [[nodiscard]] std::size_t place(std::uint64_t sequence) const noexcept {
        return static_cast<std::size_t>(sequence % config.history);
    }
    /// The state of a row at a tick. A row that was not written in the newest tick is where it was
    /// before.
    [[nodiscard]] State state(std::uint32_t row, std::uint64_t sequence) const noexcept;
    [[nodiscard]] State newest_state(std::uint32_t row) const noexcept {
        return state(row, ring.newest());
    }
    [[nodiscard]] float newest_channel(std::uint32_t row, std::uint32_t number) const noexcept;
    /// True if `row` has no state of its own at the newest tick yet.
    [[nodiscard]] bool is_open(std::uint32_t row, std::uint64_t sequence) const noexcept {
        return sequence == ring.newest() && sealed < sequence && !movers.is_written(row);
    }
    /// Gives a row that was not written in the newest tick a copy of its state, at rest.
    void seal_row(std::uint32_t row) noexcept;
    /// The same for all rows, which rest from now on; and brings all states to their columns.
    void seal(ShiftPool& shifts) noexcept;
    /// The row has a state of its own in the newest tick.
    void mark_written(std::uint32_t row) noexcept;
    /// The tick is the newest and not closed, and poses are all that a state consists of: moves
    /// may go to the open columns.
    [[nodiscard]] bool accepts(const Tick& tick) const noexcept {
        const Tick& newest = ring.newest_tick();
        return takes_moves && tick.index == newest.index && tick.time_ns == newest.time_ns &&
               tick.duration_ns == newest.duration_ns;
    }
    /// Remembers that the object in `row` was told, unless it follows the one told before.
    void note_order(Id id, std::uint32_t row) noexcept;
    /// What the frame before showed is in its columns, and is not what this one shows.
    [[nodiscard]] bool has_previous() const noexcept {
        return !still && has_pictures && had_pictures;
    }
    /// Begins a tick that is newer than the newest.
    void open(const Tick& tick, ShiftPool& shifts) noexcept;

    TrackConfig config;
    TickRing ring;
    MoverTable movers;
    FamilyPlan family;  ///< In which order rows below others are placed.
    TellingOrder order; ///< In which order rows are told.
    bool has_channels;
    DueQueue events;
    DueQueue vanishing;       ///< Objects to remove; the value is the Id.
    bool takes_moves = false; ///< The newest tick is open, see accepts().
    std::uint64_t sealed = 0; ///< Sequence of the last tick in which every row has a state.
    bool shown = false;       ///< Has been presented; `sample` is valid.
    bool dirty = false;       ///< Written since the last present().
    bool still = true;        ///< The last present() changed nothing on it.
    bool has_pictures = true; ///< Visual poses are in their columns; else they are worked out.
    bool had_pictures = true; ///< The same of those of the frame before.
    bool has_settled = false; ///< Rows wait to leave.
    /// Newest tick of a present() that went beyond it and guessed; 0 if the last one did not.
    std::uint64_t guessed = 0;
    SampleTime sample; ///< Of the last present().
    Frame frame;       ///< Of the last present().
    BlendBatch batch;  ///< Of a frame that has rows to show, or a target for their matrices.
    TrackStats stats;
};

// In the header, because every move out of order goes through it.
inline void Track::note_order(Id id, std::uint32_t row) noexcept {
    const std::uint32_t next = movers.cursor().row();
    if (row == next) {
        return;
    }
    if (next > 0 && next <= movers.size() && next - 1 != order.last_row()) {
        order.note_before(SlotTable::index_of(movers.id(next - 1)));
    }
    order.note(SlotTable::index_of(id), row);
}

} // namespace glissade
