// SPDX-License-Identifier: MIT
// The stamps of the last N ticks of a track, and the pair of them that encloses a sample time.
#pragma once

#include "glissade/time/tick.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glissade {

/// Two neighbouring ticks and a place between them. `a == b` at and beyond the ends of the history.
struct Bracket {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    double t = 0.0;               ///< 0 at a, 1 at b.
    std::int64_t duration_ns = 0; ///< From a to b.
    std::int64_t beyond_ns = 0;   ///< How much later than the newest tick the sample time is.
};

/// Ticks are named by a sequence number that counts from 1 without gaps, so 0 can mean "none" and
/// `sequence % history` is the tick's place in every ring of the track.
class TickRing {
public:
    explicit TickRing(std::uint32_t history) : ticks_(history) {}

    [[nodiscard]] bool empty() const noexcept { return newest_ == 0; }
    [[nodiscard]] std::uint64_t newest() const noexcept { return newest_; }
    [[nodiscard]] std::uint64_t oldest() const noexcept {
        return newest_ < ticks_.size() ? 1 : newest_ - ticks_.size() + 1;
    }
    [[nodiscard]] const Tick& operator[](std::uint64_t sequence) const noexcept {
        return ticks_[place(sequence)];
    }
    [[nodiscard]] const Tick& newest_tick() const noexcept { return newest_tick_; }

    void push(const Tick& tick) noexcept {
        ticks_[place(++newest_)] = tick;
        newest_tick_ = tick;
    }
    void clear() noexcept { newest_ = 0; }

    /// The sequence number of a tick that the ring still holds, or 0.
    [[nodiscard]] std::uint64_t find(const Tick& tick) const noexcept;

    /// Precondition: not empty.
    [[nodiscard]] Bracket resolve(std::int64_t time_ns) const noexcept;

private:
    [[nodiscard]] std::size_t place(std::uint64_t sequence) const noexcept {
        return static_cast<std::size_t>(sequence % ticks_.size());
    }

    std::vector<Tick> ticks_;
    Tick
        newest_tick_{}; ///< Once more, because every move asks for it and finding it is a division.
    std::uint64_t newest_ = 0;
};

} // namespace glissade
