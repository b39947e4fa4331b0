// SPDX-License-Identifier: MIT
// The lab's report as JSON: the input of the page, and a file for scripts.
#include "glissade/version.h"

#include "lab/gate_table.h"
#include "lab/remote_scenario.h"
#include "lab/run.h"
#include "lab/score_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace glissade::lab {

namespace {

using Json = nlohmann::ordered_json;

// Enough for a plot: a tenth of a millimetre, a tenth of a microsecond. Keeps the file small.
Json rounded(double value) {
    constexpr double kPerUnit = 1e4;
    return std::isfinite(value) ? Json(std::round(value * kPerUnit) / kPerUnit) : Json(nullptr);
}

Json rounded(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) {
        list.push_back(rounded(value));
    }
    return list;
}

Json describe(const MethodInfo& method) {
    return {{"name", method.name}, {"line", method.line}, {"ours", method.ours}};
}

Json list_methods() {
    Json list = Json::array();
    for (const MethodInfo& method : tick_methods()) {
        list.push_back(describe(method));
    }
    return list;
}

Json list_remote_methods() {
    Json list = Json::array();
    for (const MethodInfo* method : remote_methods()) {
        list.push_back(describe(*method));
    }
    return list;
}

Json list_scenarios(std::span<const Scenario> scenarios) {
    Json list = Json::array();
    for (const Scenario& scenario : scenarios) {
        list.push_back(
            {{"name", scenario.name}, {"title", scenario.title}, {"what", scenario.what}});
    }
    return list;
}

Json list_conditions(const LabSection& section) {
    Json list = Json::array();
    for (const LatenessFigures& figures : section.lateness) {
        const Condition& condition = *figures.condition;
        list.push_back({{"name", condition.name},
                        {"title", condition.title},
                        {"what", condition.what},
                        {"reference", condition.reference},
                        {"recorded", condition.recorded},
                        {"display_hz", condition.display_hz},
                        {"tick_lateness_ms",
                         {{"p50", rounded(figures.p50_ms)},
                          {"p99", rounded(figures.p99_ms)},
                          {"max", rounded(figures.max_ms)}}}});
    }
    return list;
}

Json list_results(const LabSection& section) {
    Json list = Json::array();
    for (const LabResult& result : section.results) {
        Json row = {{"scenario", result.scenario->name},
                    {"condition", result.condition->name},
                    {"method", result.method->name}};
        row.update(to_json(result.worst));
        if (!result.problem.empty()) {
            row["problem"] = result.problem;
        }
        list.push_back(std::move(row));
    }
    return list;
}

Json make_strip(const LabPlot& plot) {
    Json methods = Json::array();
    std::size_t frame_count = 0;
    for (const MethodPlot& lines : plot.methods) {
        Json points = Json::array();
        for (const glm::dvec2& point : lines.strip) {
            points.push_back(std::isfinite(point.x) ? Json{rounded(point.x), rounded(point.y)}
                                                    : Json(nullptr));
        }
        frame_count = lines.strip.size();
        methods.push_back({{"name", lines.method->name}, {"xy", std::move(points)}});
    }
    return {{"frames", frame_count}, {"methods", std::move(methods)}};
}

Json list_plots(const LabSection& section) {
    Json list = Json::array();
    for (const LabPlot& plot : section.plots) {
        Json methods = Json::array();
        for (const MethodPlot& lines : plot.methods) {
            methods.push_back({{"name", lines.method->name},
                               {"value", rounded(lines.value)},
                               {"rate", rounded(lines.rate)},
                               {"sample_ms", rounded(lines.sample_ms)}});
        }
        list.push_back(
            {{"scenario", plot.scenario->name},
             {"condition", plot.condition->name},
             {"unit", plot.turns_only ? "deg" : "m"},
             {"present_ms", rounded(plot.present_ms)},
             {"truth", {{"ms", rounded(plot.present_ms)}, {"value", rounded(plot.truth)}}},
             {"methods", std::move(methods)},
             {"strip", make_strip(plot)}});
    }
    return list;
}

Json make_remote(const LabSection& section) {
    return {{"methods", list_remote_methods()},
            {"scenarios", list_scenarios(remote_scenarios())},
            {"conditions", list_conditions(section)},
            {"results", list_results(section)},
            {"plots", list_plots(section)}};
}

Json list_gate(std::uint64_t seed) {
    const auto figures = [](const GateFigure& figure) {
        return Json{{"held_percent", rounded(figure.held_percent)},
                    {"rate_rms", rounded(figure.rate_rms)},
                    {"lag_ms", rounded(figure.lag_ms)}};
    };
    Json list = Json::array();
    for (const GateRow& row : compute_gate_table(seed)) {
        list.push_back({{"frame_hz", row.frame_hz},
                        {"jitter_ms", row.jitter_ms},
                        {"literal", figures(row.literal)},
                        {"last_quantum", figures(row.last_quantum)},
                        {"stamped", figures(row.stamped)},
                        {"stamped_lag_ms", rounded(row.stamped.lag_ms)}});
    }
    return list;
}

} // namespace

Json to_json(const LabReport& report, const std::string& command) {
    return {{"glissade", std::string(linked_version())},
            {"seed", report.config.trace.seed},
            {"length_s", report.config.trace.length_s},
            {"command", command},
            {"warmup_s", report.config.score.warmup_s},
            {"methods", list_methods()},
            {"scenarios", list_scenarios(scenarios())},
            {"conditions", list_conditions(report)},
            {"results", list_results(report)},
            {"plots", list_plots(report)},
            {"remote", make_remote(report.remote)},
            {"gate_table", list_gate(report.config.trace.seed)}};
}

} // namespace glissade::lab
