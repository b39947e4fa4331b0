// SPDX-License-Identifier: MIT
// Says in plain words what is wrong with a recording, with the evidence and the cure.
#pragma once

#include "lab/trace_data.h"

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace glissade::lab {

/// What can be wrong. The names in to_string() are for scripts and stay.
enum class Disease : std::uint8_t {
    // Seen in the trace alone.
    ClockOriginGap,
    FreeRunningSource,
    FramePacing,
    NeedlessDelay,
    // Seen in what was drawn.
    CpuTimeSampling,
    AlphaRestart,
    ClampWithoutMargin,
    MeasuredInterval,
    MissedCut,
    QuantumDivisor,
    Underruns,
    CameraDampingPerFrame,
};

/// "clock_origin_gap" and so on, never null.
[[nodiscard]] const char* to_string(Disease disease) noexcept;

/// One thing that is wrong.
struct Finding {
    Disease disease = Disease::ClockOriginGap;
    /// How much of it is seen, as a rate error: what sorts the list.
    double severity = 0.0;
    std::string what{};     ///< What is wrong, one sentence.
    std::string evidence{}; ///< The figures that say so.
    std::string cure{};     ///< What to change.
};

/// What the doctor found, worst first; nothing for a healthy recording.
struct Diagnosis {
    std::vector<Finding> findings{};
    /// Nothing was found, and what was drawn is even.
    bool healthy = false;
    /// What could not be examined, and what would be needed for it.
    std::vector<std::string> notes{};
    std::string problem{}; ///< Why the two files do not belong together, or empty.
};

/// Examines a recording; `drawn` may be empty. Linear in both.
[[nodiscard]] Diagnosis diagnose(const Trace& trace, std::span<const DrawnFrame> drawn);

[[nodiscard]] nlohmann::ordered_json to_json(const Diagnosis& diagnosis);

} // namespace glissade::lab
