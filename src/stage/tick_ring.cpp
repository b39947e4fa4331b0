// SPDX-License-Identifier: MIT
#include "stage/tick_ring.h"

namespace glissade {

std::uint64_t TickRing::find(const Tick& tick) const noexcept {
    if (empty()) {
        return 0;
    }
    for (std::uint64_t sequence = newest_; sequence >= oldest(); --sequence) {
        const Tick& held = (*this)[sequence];
        if (held.index == tick.index && held.time_ns == tick.time_ns) {
            return sequence;
        }
    }
    return 0;
}

Bracket TickRing::resolve(std::int64_t time_ns) const noexcept {
    const std::int64_t newest_ns = newest_tick().time_ns;
    if (time_ns >= newest_ns) {
        return {.a = newest_, .b = newest_, .beyond_ns = time_ns - newest_ns};
    }
    // From the newest down: the sample time is nearly always inside the last two or three ticks.
    std::uint64_t a = newest_;
    while (a > oldest() && (*this)[a].time_ns > time_ns) {
        --a;
    }
    const std::int64_t start_ns = (*this)[a].time_ns;
    if (start_ns >= time_ns) {
        return {.a = a, .b = a};
    }
    const std::int64_t duration_ns = (*this)[a + 1].time_ns - start_ns;
    // Both are exact integers far below 2^53 ns, so the quotient is rounded once.
    const double t = static_cast<double>(time_ns - start_ns) / static_cast<double>(duration_ns);
    return {.a = a, .b = a + 1, .t = t, .duration_ns = duration_ns};
}

} // namespace glissade
