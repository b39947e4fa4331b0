// SPDX-License-Identifier: MIT
// The last seconds of a page as a trace in memory.
#pragma once

#include "lab/trace_data.h"
#include "web/native/border.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

struct glissade_recording { // NOLINT(readability-identifier-naming): of the C interface.
    /// A stretch of the recording.
    struct Part {
        glissade::lab::Trace trace{};
        std::vector<glissade::DrawnFrame> drawn{};
    };

    [[nodiscard]] bool watches(std::int64_t id) const {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    }
    /// The last `seconds`, of one object or (empty) of all; ticks begin `lead_ns` before the first
    /// frame.
    [[nodiscard]] Part cut_out(double seconds, std::size_t side, std::optional<std::int64_t> id,
                               std::int64_t lead_ns) const;
    void forget_old();

    glissade::lab::Trace trace{};
    std::vector<std::vector<glissade::DrawnFrame>> drawn{}; // By side.
    std::vector<std::int64_t> ids{};
    double seconds = 0.0;
    std::string text{}; // What was asked for last.
};
