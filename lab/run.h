// SPDX-License-Identifier: MIT
// Runs every scenario under every condition through its methods, and collects what came out.
#pragma once

#include "lab/condition.h"
#include "lab/method.h"
#include "lab/scenario.h"
#include "lab/score.h"

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace glissade::lab {

/// Settings of run_lab().
struct LabConfig {
    TraceConfig trace{};
    ScoreConfig score{};
    bool quick = false; ///< The reference conditions only.
};

/// One replay and its figures.
struct LabResult {
    const Scenario* scenario = nullptr;
    const Condition* condition = nullptr;
    const MethodInfo* method = nullptr;
    ObjectScore worst{};   ///< Of the object with the largest rate error.
    std::string problem{}; ///< Why it cannot be trusted, or empty.
};

/// One method in a plot; each list has one entry a frame, NaN where there is nothing.
struct MethodPlot {
    const MethodInfo* method = nullptr;
    std::vector<double> value{};     ///< Along the axis on which the object moves most.
    std::vector<double> rate{};      ///< Rate as in RateMetrics.
    std::vector<double> sample_ms{}; ///< The time shown, on the axis of the frames.
    std::vector<glm::dvec2> strip{}; ///< Where successive frames drew the object.
};

/// A few seconds of a scenario under the reference condition.
struct LabPlot {
    const Scenario* scenario = nullptr;
    const Condition* condition = nullptr;
    bool turns_only = false; ///< Values are degrees, not metres.
    std::vector<double> present_ms{};
    std::vector<double> truth{}; ///< Where the object really is at that moment.
    std::vector<MethodPlot> methods{};
};

/// How late the ticks of a condition are.
struct LatenessFigures {
    const Condition* condition = nullptr;
    double p50_ms = 0.0;
    double p99_ms = 0.0;
    double max_ms = 0.0;
};

/// What came out of one list of scenarios.
struct LabSection {
    std::vector<const Condition*> conditions{};
    std::vector<LatenessFigures> lateness{};
    std::vector<LabResult> results{}; ///< By scenario, condition, method.
    std::vector<LabPlot> plots{};     ///< One per scenario.
};

struct LabReport : LabSection {
    LabConfig config{};
    LabSection remote{}; ///< The entities of a server: remote_scenarios() and what belongs to them.
};

/// Called before each replay with how many are done and how many there are.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

[[nodiscard]] LabReport run_lab(const LabConfig& config, const Progress& progress);

/// What report.json and the page hold.
[[nodiscard]] nlohmann::ordered_json to_json(const LabReport& report, const std::string& command);

} // namespace glissade::lab
