// SPDX-License-Identifier: MIT
// The ticks of one frame, for a range-for.
#pragma once

#include "glissade/time/clock_status.h"
#include "glissade/time/tick.h"

#include <optional>

namespace glissade {

/// The ticks that are due in one frame, oldest first. The clock counts a tick as run when the loop
/// reaches it, so leaving the loop early leaves the rest for the next frame.
///
/// One pass: a second loop over the same range goes on where the first one stopped. Valid until the
/// clock is advanced again or destroyed. Allocates: never. Cost: that of the clock, per tick.
template <class Clock>
class TickRange {
public:
    struct End {};

    class Iterator {
    public:
        explicit Iterator(Clock* clock) noexcept : clock_(clock) { ++*this; }
        [[nodiscard]] const Tick& operator*() const noexcept { return *tick_; }
        [[nodiscard]] const Tick* operator->() const noexcept { return &*tick_; }
        Iterator& operator++() noexcept {
            tick_ = clock_ != nullptr ? clock_->take() : std::nullopt;
            return *this;
        }
        friend bool operator==(const Iterator& iterator, End) noexcept {
            return !iterator.tick_.has_value();
        }

    private:
        Clock* clock_;
        std::optional<Tick> tick_;
    };

    /// A null clock makes an empty range: the advance was refused or discarded.
    TickRange(Clock* clock, ClockStatus status) noexcept : clock_(clock), status_(status) {}

    [[nodiscard]] Iterator begin() const noexcept { return Iterator(clock_); }
    [[nodiscard]] static End end() noexcept { return {}; }
    [[nodiscard]] ClockStatus status() const noexcept { return status_; }

private:
    Clock* clock_;
    ClockStatus status_;
};

} // namespace glissade
