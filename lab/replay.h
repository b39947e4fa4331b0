// SPDX-License-Identifier: MIT
// Replays a trace in memory through a method.
#pragma once

#include "lab/method.h"
#include "lab/trace_data.h"

#include <string>
#include <vector>

namespace glissade::lab {

/// What a method drew of a trace.
struct Drawn {
    std::vector<DrawnFrame> frames{};
    std::string problem{}; ///< Why it cannot be trusted; empty if all went well.
};

/// What `method` draws, one DrawnFrame for each frame of the trace, knowing only earlier lines.
[[nodiscard]] Drawn replay(const Trace& trace, const MethodInfo& method,
                           const MethodConfig& config = {});

} // namespace glissade::lab
