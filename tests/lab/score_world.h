// SPDX-License-Identifier: MIT
// Traces and drawings with known answers, for the tests of Scorer.
#pragma once

#include "lab/score.h"
#include "lab/small_trace.h"

#include <functional>
#include <vector>

namespace glissade::lab::testing {

inline constexpr std::int64_t kFrameNs = 10 * kMs;
/// Frames begin here, so that there is something to show behind a lag.
inline constexpr std::int64_t kFirstFrameNs = 200 * kMs;

/// Where object 1 is at a time of the source, in seconds.
using Path = std::function<glm::dvec3(double time_s)>;
/// The source time that a frame at this time of the reader shows.
using Shown = std::function<double(double frame_s)>;

/// `time_s` metres along x.
[[nodiscard]] glm::dvec3 line_path(double time_s);
/// The frame's time minus 30 ms.
[[nodiscard]] double steady(double frame_s);

/// Ticks of object 1 every 20 ms, arriving at once, and frames every 10 ms.
[[nodiscard]] Trace make_world(const Path& path = line_path, double length_s = 4.0);
/// The same ticks with `tick_ns` between arrivals instead of 20 ms.
[[nodiscard]] Trace make_slow_world(std::int64_t interval_ns);

/// Object 1 in every frame.
[[nodiscard]] std::vector<DrawnFrame> draw(const Trace& trace, const Shown& shown = steady,
                                           const Path& path = line_path);

/// The figures of object 1. A test failure if there are none.
[[nodiscard]] ObjectScore score_one(const Trace& trace, const std::vector<DrawnFrame>& drawn,
                                    double warmup_s = 0.0);
/// The same for its rate.
[[nodiscard]] RateMetrics rate_of(const Trace& trace, const std::vector<DrawnFrame>& drawn,
                                  double warmup_s = 0.0);

} // namespace glissade::lab::testing
