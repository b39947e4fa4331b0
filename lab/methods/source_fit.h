// SPDX-License-Identifier: MIT
// Maps the reader's clock to the source's timeline for a source that does not say when ticks are
// due.
#pragma once

#include "lab/line_fit.h"

#include <cstdint>
#include <deque>

namespace glissade::lab {

/// A straight line through the last arrivals, by least squares: finds a source that runs at its own
/// rate, and averages lateness out instead of following it.
class SourceFit {
public:
    void add(std::int64_t arrive_ns, std::int64_t sim_ns);
    void clear() { points_.clear(); }
    /// The source time at `time_ns`, about as late as the mean tick; at least one point is needed.
    [[nodiscard]] double source_at(std::int64_t time_ns) const;

private:
    std::deque<TimePair> points_{};
};

} // namespace glissade::lab
