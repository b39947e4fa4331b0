// SPDX-License-Identifier: MIT
// One step of a simulation, and the moment of it that a frame shows.
#pragma once

#include <cstdint>
#include <optional>

namespace glissade {

/// Times beyond +-2^61 ns (73 years) are refused by every clock, so that no sum can overflow.
inline constexpr std::int64_t kMaxTimeNs = std::int64_t{1} << 61;

/// One whole step of a simulation, stamped on the simulation's own timeline (never "when I woke
/// up").
struct Tick {
    std::int64_t index = 0;       ///< Counts up; a clock's first tick is 1, its start state is 0.
    std::int64_t time_ns = 0;     ///< When the state that this tick produces is true; 0 is a time.
    std::int64_t duration_ns = 0; ///< Since the state before it, > 0. At 60 Hz it varies by 1 ns.
    double step_s = 0.0; ///< For the simulation. FixedStep: the exact period, the same every tick.

    friend bool operator==(const Tick&, const Tick&) noexcept = default;
};

/// What a frame shows of one track: made by a clock, consumed by Stage::present().
struct SampleTime {
    std::int64_t time_ns = 0;     ///< The source time that the frame shows. Never runs backwards.
    std::int64_t now_ns = 0;      ///< The source time of the present moment.
    std::optional<Tick> newest{}; ///< The newest tick that ran, whether or not anything moved.
    std::uint32_t epoch = 0;      ///< Changes when time was discarded: no blend across it.
};

} // namespace glissade
