// SPDX-License-Identifier: MIT
// Ways to recover the clock of a source that keeps no schedule, compared on the recordings.
#pragma once

#include <string>
#include <vector>

namespace glissade::lab {

/// One estimator on one recording, after 2 s of warm-up.
struct ClockFigure {
    std::string recording{};
    double rate_rms = 0.0; ///< RMS of rate / mean rate - 1 of the sample times.
    double lag_ms = 0.0;   ///< Source's present (newest state, carried on) less sample time.
    double underrun_percent = 0.0; ///< Frames beyond the newest state.
};

struct ClockRow {
    std::string estimator{};
    std::vector<ClockFigure> figures{};
};

/// The library's own SourceClock with its delay last; before it the well-known ones, each with the
/// delay that covers 99.5 % of the lateness of 4 s: the newest arrival, the minimum of the last 4
/// s, least squares over 2 s, second-order loops of 0.5, 1 and 2 Hz; and the SourceClock with that
/// delay. On the free-running workers. About 0.1 s.
[[nodiscard]] std::vector<ClockRow> compute_clock_table();

} // namespace glissade::lab
