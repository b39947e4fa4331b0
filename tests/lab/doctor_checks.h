// SPDX-License-Identifier: MIT
// Recordings and drawings for the tests of the doctor, and its answer as a list of names.
#pragma once

#include "lab/doctor.h"
#include "lab/method.h"
#include "lab/recording.h"
#include "lab/replay.h"
#include "lab/scenario.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using Names = std::vector<std::string>;

inline glissade::lab::Trace recorded(const char* name) {
    return *glissade::lab::make_recorded_trace(name);
}

inline glissade::lab::Trace made(const char* scenario, const char* condition) {
    return glissade::lab::make_trace(*glissade::lab::find_scenario(scenario),
                                     *glissade::lab::find_condition(condition));
}

inline std::vector<glissade::DrawnFrame> drawn_by(const glissade::lab::Trace& trace,
                                                  const char* method,
                                                  std::optional<std::int64_t> delay_ns = {}) {
    return glissade::lab::replay(trace, *glissade::lab::find_method(method), {.delay_ns = delay_ns})
        .frames;
}

/// Worst first.
inline Names diseases(const glissade::lab::Trace& trace,
                      const std::vector<glissade::DrawnFrame>& drawn = {}) {
    Names names;
    for (const glissade::lab::Finding& finding : glissade::lab::diagnose(trace, drawn).findings) {
        names.emplace_back(to_string(finding.disease));
    }
    return names;
}

inline bool has(const Names& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}
