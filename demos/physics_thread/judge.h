// SPDX-License-Identifier: MIT
// How smooth the character was: as drawn, and as two well-known methods draw the same recording.
#pragma once

#include "recording.h"

#include <cstddef>
#include <string>
#include <vector>

namespace physics_thread {

/// What one way to draw made of a recording.
struct Figures {
    std::string method{};
    double rate_error = 0.0; ///< RMS; 0 is perfect.
    double lag_ms = 0.0;     ///< Behind the newest state carried on to the frame, mean.
    std::size_t frame_count = 0;
    std::size_t underrun_count = 0;
    std::size_t hold_count = 0;
    std::size_t jump_count = 0;
    std::size_t backward_count = 0;
};

/// Glissade first. `problem` says why there are no figures.
struct Verdict {
    std::vector<Figures> figures{};
    std::string problem{};
};

/// Judges the frames after the first `warmup_s` seconds.
[[nodiscard]] Verdict judge(const Recording& recording, double warmup_s);

} // namespace physics_thread
