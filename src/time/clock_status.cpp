// SPDX-License-Identifier: MIT
#include "glissade/time/clock_status.h"

namespace glissade {

const char* to_string(ClockStatus status) noexcept {
    switch (status) {
        case ClockStatus::Ok:
            return "Ok";
        case ClockStatus::Started:
            return "Started";
        case ClockStatus::TimeWentBack:
            return "TimeWentBack";
        case ClockStatus::AbsurdTime:
            return "AbsurdTime";
        case ClockStatus::Discarded:
            return "Discarded";
    }
    return "unknown";
}

} // namespace glissade
