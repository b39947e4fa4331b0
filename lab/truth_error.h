// SPDX-License-Identifier: MIT
// How far what was drawn is from the truth, after the best constant lag.
#pragma once

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
    struct Knot {
        std::int64_t time_ns = 0;
        std::int64_t sim_ns = 0;
    };
    void fit_line();

    std::vector<Knot> knots_{};
    std::optional<double> rate_{}; ///< Of the straight line; it goes through the first knot.
};

} // namespace glissade::lab
