// SPDX-License-Identifier: MIT
// Recorded timing of real machines, built into the library.
#pragma once

#include "lab/trace_data.h"

#include <optional>
#include <span>
#include <string_view>

namespace glissade::lab {

/// One recording: 20 s of a simulation at a nominal 60 Hz and of a display.
struct Recording {
    const char* name = ""; ///< "worker-heavy-free-144".
    const char* what = ""; ///< One sentence: the loop, the load, the display.
};

/// All of them, by name.
[[nodiscard]] std::span<const Recording> recordings() noexcept;

/// The recording as a trace: object 1 moves along x at 1 m/s, object 2 turns about z at 1 rad/s, so
/// that what is drawn tells the time shown. Nothing if there is no such recording.
[[nodiscard]] std::optional<Trace> make_recorded_trace(std::string_view name);

} // namespace glissade::lab
