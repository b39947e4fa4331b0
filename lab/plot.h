// SPDX-License-Identifier: MIT
// What the report plots of one replay.
#pragma once

#include "lab/replay.h"
#include "lab/run.h"

namespace glissade::lab {

/// The frame of the plot: times and truth, without methods.
[[nodiscard]] LabPlot make_plot(const Scorer& scorer, const Scenario& scenario,
                                const Condition& condition);
/// Adds what one method drew.
void add_method(LabPlot& plot, const Scorer& scorer, const MethodInfo& method, const Drawn& drawn);

} // namespace glissade::lab
