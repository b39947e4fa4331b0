// SPDX-License-Identifier: MIT
// The moves of one tick, a call per object, at nearly the price of a batch.
#pragma once

#include "glissade/stage/stage.h"

#include <array>
#include <cstddef>

namespace glissade {

/// Collects the moves of one tick and hands them to a stage many at a time.
///
/// For loops that come by one object after the other: four fifths of the time of a Stage::move()
/// each, because poses are checked many at a time.
/// The price is that a refusal is known at finish(), as with a batch, and that the stage does not
/// know of moves that wait: finish before you ask it, cut or present.
///
/// Thread safety: one thread at a time, the stage included. Allocates: never; it is 4 KiB, at home
/// on the stack. Cost: constant.
class TickWriter {
public:
    /// The stage is borrowed: it must not be moved or destroyed before the writer.
    TickWriter(Stage& stage, const Tick& tick) noexcept : stage_(&stage), tick_(tick) {}
    /// Finishes. What was refused is counted in stats() of the stage.
    ~TickWriter() { finish(); }
    TickWriter(const TickWriter&) = delete;
    TickWriter& operator=(const TickWriter&) = delete;
    TickWriter(TickWriter&&) = delete;
    TickWriter& operator=(TickWriter&&) = delete;

    /// The object is at `pose` after the tick; see Stage::move(). Items are judged one by one, in
    /// order.
    void move(Id id, const Pose& pose) noexcept {
        ids_[waiting_count_] = id;
        // Part by part: as a whole GCC 12 copies a Pose by a string instruction, which takes longer
        // than all the rest.
        Pose& waiting = poses_[waiting_count_];
        waiting.position = pose.position;
        waiting.rotation = pose.rotation;
        waiting.scale = pose.scale;
        if (++waiting_count_ == kMaxWaiting) {
            flush();
        }
    }

    /// Hands over what waits. The result is of all moves so far; `first_refused` is the number of a
    /// move(), from 0. More may follow.
    BatchResult finish() noexcept;

private:
    // A block of rows: with more of them the caller's data is waited for anew after each batch (a
    // million moves take 6.3 ns each with 128 and 5.3 with 64), with fewer no line is whole.
    static constexpr std::size_t kMaxWaiting = 64;

    void flush() noexcept;

    Stage* stage_;
    Tick tick_;
    BatchResult result_{};
    std::size_t handed_count_ = 0;
    std::size_t waiting_count_ = 0;
    std::array<Id, kMaxWaiting> ids_;
    std::array<Pose, kMaxWaiting> poses_;
};

} // namespace glissade
