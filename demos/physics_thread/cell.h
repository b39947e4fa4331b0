// SPDX-License-Identifier: MIT
// One run of the two threads under one condition, and what became of it.
#pragma once

#include "judge.h"
#include "logs.h"
#include "simulation_thread.h"

#include <cstddef>
#include <string>
#include <vector>

namespace physics_thread {

/// Under what a run happens.
struct Condition {
    bool loaded = false; ///< Every core has a thread that spins.
    double rate_hz = 60.0;
    Pacing pacing = Pacing::Absolute;
};

/// How every run is made.
struct RunConfig {
    double seconds = 4.0;
    std::size_t box_count = 500;
    std::size_t load_thread_count = 2;
    std::string folder{}; ///< Where recordings are kept; empty: nowhere.
};

struct CellResult {
    Condition condition{};
    glissade::LinkFeedReport report{};
    Verdict verdict{};
    std::vector<std::string> faults{}; ///< What must never happen, in words.
};

/// "loaded-144-free": the name of its files.
[[nodiscard]] std::string name_of(const Condition& condition);

/// Runs both threads for the time given, then judges what they left.
[[nodiscard]] CellResult run_cell(const Condition& condition, const RunConfig& config);

} // namespace physics_thread
