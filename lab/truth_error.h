// SPDX-License-Identifier: MIT
// How far what was drawn is from the truth, after the best constant lag.
#pragma once

#include "lab/line_fit.h"
#include "lab/score.h"

namespace glissade::lab {

/// Fills best_lag_ms, position_error_m_rms, angle_error_deg_rms and velocity_error_ratio, if the
/// trace has truth for the object.
void score_against_truth(const Trace& trace, const JudgedObject& object, ObjectScore& result);

/// Maps the time of a frame to the source's timeline, knowing the whole trace: through `due` where
/// ticks have it, else by a straight line through all arrivals, or through each arrival where the
/// time scale changes.
class SourceMap {
public:
    explicit SourceMap(const Trace& trace);
    [[nodiscard]] double source_at(std::int64_t time_ns) const;

private:
    std::vector<TimePair> knots_{};
    std::optional<LineFit> line_{};
};

} // namespace glissade::lab
