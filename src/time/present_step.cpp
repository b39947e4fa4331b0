// SPDX-License-Identifier: MIT
#include "time/present_step.h"

#include "glissade/time/tick.h"

namespace glissade::detail {

PresentStep step_to(std::optional<std::int64_t> previous_ns, std::int64_t present_ns) noexcept {
    if (present_ns > kMaxTimeNs || present_ns < -kMaxTimeNs) {
        return {.status = ClockStatus::AbsurdTime};
    }
    if (!previous_ns) {
        return {.status = ClockStatus::Started, .present_ns = present_ns};
    }
    if (present_ns < *previous_ns) {
        return {.status = ClockStatus::TimeWentBack};
    }
    return {.elapsed_ns = present_ns - *previous_ns, .present_ns = present_ns};
}

PresentStep step_by(std::optional<std::int64_t> previous_ns, std::int64_t elapsed_ns) noexcept {
    if (elapsed_ns < 0) {
        return {.status = ClockStatus::TimeWentBack};
    }
    if (elapsed_ns > kMaxTimeNs || (previous_ns && *previous_ns > kMaxTimeNs - elapsed_ns)) {
        return {.status = ClockStatus::AbsurdTime};
    }
    if (!previous_ns) {
        return {.elapsed_ns = elapsed_ns};
    }
    return {.elapsed_ns = elapsed_ns, .present_ns = *previous_ns + elapsed_ns};
}

} // namespace glissade::detail
