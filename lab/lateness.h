// SPDX-License-Identifier: MIT
// How late the ticks of a trace are.
#pragma once

#include "lab/trace_data.h"

#include <vector>

namespace glissade::lab {

/// Every tick says when it was due. False without ticks.
[[nodiscard]] bool has_schedule(const Trace& trace);

/// Of each tick, milliseconds: against its schedule, else against the straight line through all
/// arrivals, of which the earliest counts as in time.
[[nodiscard]] std::vector<double> collect_lateness_ms(const Trace& trace);

} // namespace glissade::lab
