// SPDX-License-Identifier: MIT
#include "lab/lateness.h"

#include "lab/truth_error.h"

#include <algorithm>

namespace glissade::lab {

bool has_schedule(const Trace& trace) {
    return !trace.ticks.empty() &&
           std::all_of(trace.ticks.begin(), trace.ticks.end(),
                       [](const TraceTick& tick) { return tick.due_ns.has_value(); });
}

std::vector<double> collect_lateness_ms(const Trace& trace) {
    constexpr double kNsPerMs = 1e6;
    const bool scheduled = has_schedule(trace);
    const SourceMap map(trace);
    std::vector<double> lateness_ms;
    lateness_ms.reserve(trace.ticks.size());
    for (const TraceTick& tick : trace.ticks) {
        const double late_ns =
            scheduled ? static_cast<double>(tick.arrive_ns - *tick.due_ns)
                      : map.source_at(tick.arrive_ns) - static_cast<double>(tick.sim_ns);
        lateness_ms.push_back(late_ns / kNsPerMs);
    }
    if (!scheduled && !lateness_ms.empty()) {
        const double earliest = *std::min_element(lateness_ms.begin(), lateness_ms.end());
        for (double& late_ms : lateness_ms) {
            late_ms -= earliest;
        }
    }
    return lateness_ms;
}

} // namespace glissade::lab
