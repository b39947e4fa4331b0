// SPDX-License-Identifier: MIT
// How a clock takes in the time of a frame: what has passed, or why it is refused.
#pragma once

#include "glissade/time/clock_status.h"

#include <cstdint>
#include <optional>

namespace glissade::detail {

/// The outcome of one advance. Refused: TimeWentBack or AbsurdTime, and nothing else is set.
struct PresentStep {
    ClockStatus status = ClockStatus::Ok;
    std::int64_t elapsed_ns = 0;              ///< In [0, 2 * kMaxTimeNs].
    std::optional<std::int64_t> present_ns{}; ///< What the clock keeps for the next advance.

    [[nodiscard]] bool is_refused() const noexcept {
        return status == ClockStatus::TimeWentBack || status == ClockStatus::AbsurdTime;
    }
};

/// From the frame at `previous_ns` (unset: none yet) to the one at `present_ns`.
[[nodiscard]] PresentStep step_to(std::optional<std::int64_t> previous_ns,
                                  std::int64_t present_ns) noexcept;

/// The same for a frame that is `elapsed_ns` long. An origin that is not set yet stays so.
[[nodiscard]] PresentStep step_by(std::optional<std::int64_t> previous_ns,
                                  std::int64_t elapsed_ns) noexcept;

} // namespace glissade::detail
