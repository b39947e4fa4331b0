// SPDX-License-Identifier: MIT
#include "lab/run.h"

#include "lab/remote_scenario.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace glissade::lab {
namespace {

using Json = nlohmann::ordered_json;

// Plots begin at 3 s, so that a run has to be a little longer.
constexpr LabConfig kConfig{
    .trace = {.seed = 3, .length_s = 3.25}, .score = {.warmup_s = 1.0}, .quick = true};

struct ProgressCall {
    std::size_t done = 0;
    std::size_t total = 0;
};

struct Run {
    std::vector<ProgressCall> calls{};
    LabReport report{};
};

Run run(const LabConfig& config = kConfig) {
    Run result;
    result.report = run_lab(config, [&result](std::size_t done, std::size_t total) {
        result.calls.push_back({done, total});
    });
    return result;
}

// Of all tests that only look at it: a run takes about a second.
const Run& shared_run() {
    static const Run kRun = run();
    return kRun;
}

const LabReport& shared_report() {
    return shared_run().report;
}

const Json& shared_json() {
    static const Json kJson = to_json(shared_report(), "glissade lab --quick");
    return kJson;
}

std::string describe(const LabResult& result) {
    return std::string(result.scenario->name) + " / " + result.condition->name + " / " +
           result.method->name;
}

bool is(const LabResult& result, const char* scenario, const char* method) {
    return result.scenario == find_scenario(scenario) && result.method == find_method(method);
}

double rate_error(const char* scenario, const char* method) {
    const std::vector<LabResult>& results = shared_report().results;
    const auto found = std::find_if(results.begin(), results.end(), [&](const LabResult& result) {
        return is(result, scenario, method);
    });
    return found == results.end() ? -1.0 : found->worst.rate.value_or(RateMetrics{}).rate_rms;
}

TEST(RunLab, QuickIsTheReferenceConditionOnly) {
    ASSERT_EQ(shared_report().conditions.size(), 1U);
    EXPECT_TRUE(shared_report().conditions[0]->reference);
    ASSERT_EQ(shared_report().lateness.size(), 1U);
    EXPECT_EQ(shared_report().lateness[0].condition, shared_report().conditions[0]);
}

TEST(RunLab, EveryScenarioMeetsEveryMethodInOrder) {
    const LabReport& report = shared_report();
    ASSERT_EQ(report.results.size(), scenarios().size() * tick_methods().size());
    std::size_t next = 0;
    for (const Scenario& scenario : scenarios()) {
        for (const MethodInfo& method : tick_methods()) {
            EXPECT_EQ(report.results[next].scenario, &scenario);
            EXPECT_EQ(report.results[next].method, &method);
            ++next;
        }
    }
}

TEST(RunLab, RemoteScenariosMeetTheirMethodsInOrder) {
    const LabSection& section = shared_report().remote;
    ASSERT_EQ(section.conditions.size(), 1U); // Quick.
    EXPECT_EQ(section.lateness.size(), 1U);
    EXPECT_EQ(section.plots.size(), remote_scenarios().size());
    ASSERT_EQ(section.results.size(), remote_scenarios().size() * remote_methods().size());
    std::size_t next = 0;
    for (const Scenario& scenario : remote_scenarios()) {
        for (const MethodInfo* const method : remote_methods()) {
            const LabResult& result = section.results[next];
            EXPECT_EQ(result.scenario, &scenario);
            EXPECT_EQ(result.method, method);
            EXPECT_EQ(result.problem, "");
            // What stands has no rate.
            EXPECT_EQ(result.worst.rate.has_value(), &scenario != &remote_scenarios().front());
            ++next;
        }
    }
}

TEST(LabJson, HasARemoteSectionOfTheSameForm) {
    const Json& remote = shared_json().at("remote");
    ASSERT_EQ(remote.at("methods").size(), remote_methods().size());
    EXPECT_EQ(remote.at("methods").at(0).at("name"), "newest");
    ASSERT_EQ(remote.at("scenarios").size(), remote_scenarios().size());
    ASSERT_EQ(remote.at("conditions").size(), 1U);
    EXPECT_EQ(remote.at("conditions").at(0).at("name"), "1hz");
    ASSERT_EQ(remote.at("results").size(), shared_report().remote.results.size());
    EXPECT_TRUE(remote.at("results").at(0).contains("pops"));
    ASSERT_EQ(remote.at("plots").size(), remote_scenarios().size());
    EXPECT_EQ(remote.at("plots").at(2).at("scenario"), "remote-runner");
}

TEST(RunLab, EveryResultIsSoundAndJudged) {
    for (const LabResult& result : shared_report().results) {
        SCOPED_TRACE(describe(result));
        EXPECT_EQ(result.problem, "");
        EXPECT_GT(result.worst.frame_count, 0U);
        ASSERT_TRUE(result.worst.rate);
        EXPECT_GT(result.worst.rate->scored_count, 30U);
        // What runs back on the whole, as the wheel does with most methods, has no lag.
        EXPECT_EQ(result.worst.best_lag_ms.has_value(), result.worst.rate->mean_rate > 0.0);
    }
}

TEST(RunLab, ProgressCountsEachReplayFromZero) {
    const std::vector<ProgressCall>& calls = shared_run().calls;
    ASSERT_EQ(calls.size(), shared_report().results.size() + shared_report().remote.results.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        EXPECT_EQ(calls[i].done, i);
        EXPECT_EQ(calls[i].total, calls.size());
    }
}

TEST(RunLab, PlayoutIsTheMostEvenAtConstantSpeed) {
    const double playout = rate_error("constant-speed", "playout");
    EXPECT_GE(playout, 0.0);
    for (const MethodInfo& method : tick_methods()) {
        if (!method.ours) {
            EXPECT_LT(playout, rate_error("constant-speed", method.name)) << method.name;
        }
    }
}

TEST(RunLab, PlayoutNeverDrawsAcrossACutNorRunsBack) {
    for (const LabResult& result : shared_report().results) {
        if (result.method == find_method("playout")) {
            SCOPED_TRACE(describe(result));
            EXPECT_EQ(result.worst.streak_count, 0U);
            EXPECT_EQ(result.worst.rate.value_or(RateMetrics{}).backward_count, 0U);
        }
    }
}

TEST(RunLab, MethodsThatKnowNoCutsDrawAcrossThem) {
    const std::vector<LabResult>& results = shared_report().results;
    const auto found = std::find_if(results.begin(), results.end(), [](const LabResult& result) {
        return is(result, "teleports", "constant-interval");
    });
    ASSERT_NE(found, results.end());
    EXPECT_GT(found->worst.streak_count, 3U);
}

TEST(RunLab, TheLatenessOfTheConditionIsMeasured) {
    const LatenessFigures& figures = shared_report().lateness.at(0);
    EXPECT_GT(figures.p50_ms, 0.0);
    EXPECT_GE(figures.p99_ms, figures.p50_ms);
    EXPECT_GE(figures.max_ms, figures.p99_ms);
    EXPECT_LT(figures.max_ms, 100.0);
}

TEST(RunLab, EveryScenarioHasAPlotWithEveryMethod) {
    ASSERT_EQ(shared_report().plots.size(), scenarios().size());
    for (const LabPlot& plot : shared_report().plots) {
        SCOPED_TRACE(plot.scenario->name);
        const std::size_t count = plot.present_ms.size();
        EXPECT_GT(count, 20U);
        EXPECT_EQ(plot.truth.size(), count);
        ASSERT_EQ(plot.methods.size(), tick_methods().size());
        for (const MethodPlot& lines : plot.methods) {
            EXPECT_EQ(lines.value.size(), count);
            EXPECT_EQ(lines.rate.size(), count);
            EXPECT_EQ(lines.sample_ms.size(), count);
        }
    }
}

TEST(Lab, ARunUnderEveryConditionThatIsTooShortForThePlotsIsPlottedWhole) {
    LabConfig config = kConfig;
    config.trace.length_s = 0.2;
    config.quick = false;
    const LabReport report = run(config).report;
    EXPECT_EQ(report.results.size(),
              scenarios().size() * conditions().size() * tick_methods().size());
    EXPECT_EQ(report.remote.results.size(),
              remote_scenarios().size() * remote_conditions().size() * remote_methods().size());
    ASSERT_EQ(report.plots.size(), scenarios().size());
    for (const LabPlot& plot : report.plots) {
        EXPECT_GT(plot.present_ms.size(), 10U) << plot.scenario->name; // The recording begins late.
    }
}

TEST(Lab, EveryStripOfOurMethodsShowsTheObject) {
    LabConfig config = kConfig;
    config.trace.length_s = 8.0; // The whole window: an object may appear late in it.
    for (const LabPlot& plot : run(config).report.plots) {
        const std::vector<glm::dvec2>& strip = plot.methods.front().strip;
        const auto shown = std::count_if(strip.begin(), strip.end(), [](const glm::dvec2& point) {
            return std::isfinite(point.x) && std::isfinite(point.y);
        });
        EXPECT_EQ(shown, 48) << plot.scenario->name;
    }
}

TEST(LabJson, StatesItsInputs) {
    const Json& json = shared_json();
    EXPECT_EQ(json.at("seed"), 3);
    EXPECT_EQ(json.at("length_s"), 3.25);
    EXPECT_EQ(json.at("warmup_s"), 1.0);
    EXPECT_EQ(json.at("command"), "glissade lab --quick");
    EXPECT_FALSE(json.at("glissade").get<std::string>().empty());
}

TEST(LabJson, ListsWhatWasCompared) {
    const Json& json = shared_json();
    ASSERT_EQ(json.at("methods").size(), tick_methods().size());
    EXPECT_EQ(json["methods"][0].at("name"), "playout");
    EXPECT_EQ(json["methods"][0].at("ours"), true);
    EXPECT_EQ(json["methods"][2].at("ours"), false);
    EXPECT_TRUE(json["methods"][0].contains("line"));
    ASSERT_EQ(json.at("scenarios").size(), scenarios().size());
    EXPECT_EQ(json["scenarios"][0].at("name"), scenarios()[0].name);
    EXPECT_TRUE(json["scenarios"][0].contains("title"));
    EXPECT_TRUE(json["scenarios"][0].contains("what"));
    ASSERT_EQ(json.at("conditions").size(), 1U);
    const Json& condition = json["conditions"][0];
    EXPECT_EQ(condition.at("reference"), true);
    for (const char* const key : {"name", "title", "what", "recorded", "display_hz"}) {
        EXPECT_TRUE(condition.contains(key)) << key;
    }
    for (const char* const key : {"p50", "p99", "max"}) {
        EXPECT_TRUE(condition.at("tick_lateness_ms").at(key).is_number()) << key;
    }
}

TEST(LabJson, EachResultHasItsNamesAndTheFiguresOfAScore) {
    const Json& results = shared_json().at("results");
    ASSERT_EQ(results.size(), shared_report().results.size());
    for (const Json& row : results) {
        for (const char* const key : {"scenario",
                                      "condition",
                                      "method",
                                      "frames",
                                      "scored_frames",
                                      "mean_rate",
                                      "rate_rms",
                                      "rate_p99",
                                      "holds",
                                      "jumps",
                                      "backward",
                                      "streaks",
                                      "pops",
                                      "off_path_m_max",
                                      "underruns",
                                      "lag_ms_mean",
                                      "lag_ms_p99",
                                      "animation_error_ms_rms",
                                      "animation_error_ms_p99",
                                      "position_error_m_rms",
                                      "angle_error_deg_rms",
                                      "best_lag_ms",
                                      "velocity_error_ratio"}) {
            ASSERT_TRUE(row.contains(key)) << key;
        }
        EXPECT_FALSE(row.contains("problem"));
    }
}

TEST(LabJson, AProblemIsSaid) {
    LabReport report = shared_report();
    report.plots.clear();
    report.results.resize(1);
    report.results[0].problem = "the stage refused";
    EXPECT_EQ(to_json(report, "").at("results").at(0).at("problem"), "the stage refused");
}

TEST(LabJson, PlotsHaveOneValueAFrame) {
    const Json& plots = shared_json().at("plots");
    ASSERT_EQ(plots.size(), scenarios().size());
    for (const Json& plot : plots) {
        SCOPED_TRACE(plot.at("scenario").get<std::string>());
        const std::size_t count = plot.at("present_ms").size();
        EXPECT_EQ(plot.at("truth").at("value").size(), count);
        EXPECT_EQ(plot.at("truth").at("ms").size(), count);
        ASSERT_EQ(plot.at("methods").size(), tick_methods().size());
        for (const Json& lines : plot["methods"]) {
            EXPECT_EQ(lines.at("value").size(), count);
            EXPECT_EQ(lines.at("rate").size(), count);
            EXPECT_EQ(lines.at("sample_ms").size(), count);
        }
        EXPECT_EQ(plot.at("strip").at("methods").size(), tick_methods().size());
        const bool turns = plot.at("scenario") == "wheel";
        EXPECT_EQ(plot.at("unit"), turns ? "deg" : "m");
    }
}

TEST(LabJson, TheTableOfTheGateIsThere) {
    const Json& rows = shared_json().at("gate_table");
    EXPECT_EQ(rows.size(), 14U);
    for (const char* const key : {"literal", "last_quantum", "stamped"}) {
        EXPECT_TRUE(rows[0].at(key).contains("rate_rms")) << key;
        EXPECT_TRUE(rows[0].at(key).contains("held_percent")) << key;
    }
}

TEST(LabJson, TheSameSeedGivesTheSameBytes) {
    EXPECT_EQ(to_json(run().report, "glissade lab --quick").dump(), shared_json().dump());
}

TEST(LabJson, AnotherSeedGivesOtherFigures) {
    LabConfig config = kConfig;
    config.trace.seed = 4;
    EXPECT_NE(to_json(run(config).report, "").at("results"), shared_json().at("results"));
}

} // namespace
} // namespace glissade::lab
