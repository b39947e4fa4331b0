// SPDX-License-Identifier: MIT
// A method of the lab and what it drew last, as recordings see it.
#pragma once

#include "lab/method.h"
#include "web/native/border.h"
#include "web/native/glissade_lab.h"

#include <memory>
#include <vector>

struct glissade_method { // NOLINT(readability-identifier-naming): of the C interface.
    std::unique_ptr<glissade::lab::Method> method{};
    glissade::DrawnFrame drawn{};
    std::vector<glissade_drawn> poses{};
};

namespace glissade::web {

/// The header of a page's trace: a worker's ticks.
[[nodiscard]] TraceHeader make_header(const char* name, double tick_ms);
/// Nothing, with a problem, if a time is none. `present_ms` may be NaN.
[[nodiscard]] std::optional<TraceFrame> make_frame(const char* where, double frame, double cpu_ms,
                                                   double present_ms);

} // namespace glissade::web
