// SPDX-License-Identifier: MIT
// What a step clock says about the time that it was given.
#pragma once

#include <cstdint>

namespace glissade {

/// What one advance of a FixedStep or a QuantumGate met.
enum class ClockStatus : std::uint8_t {
    Ok,
    Started,      ///< The first advance_to(): it sets the origin, no time has passed.
    TimeWentBack, ///< Refused, state unchanged: earlier than the call before, or negative.
    AbsurdTime,   ///< Refused, state unchanged: beyond +-kMaxTimeNs.
    Discarded,    ///< A gap too long to be simulated was left out whole; the epoch changed.
};

/// The name of the enumerator, for logs; "unknown" for any other value.
[[nodiscard]] const char* to_string(ClockStatus status) noexcept;

} // namespace glissade
