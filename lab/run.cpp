// SPDX-License-Identifier: MIT
#include "lab/run.h"

#include "lab/lateness.h"
#include "lab/plot.h"
#include "lab/remote_scenario.h"
#include "lab/replay.h"

#include <utility>

namespace glissade::lab {

namespace {

LatenessFigures measure_lateness(const Trace& trace, const Condition& condition) {
    const std::vector<double> lateness_ms = collect_lateness_ms(trace);
    return {&condition, compute_quantile(lateness_ms, 0.5), compute_quantile(lateness_ms, 0.99),
            compute_quantile(lateness_ms, 1.0)};
}

// One list of scenarios, and what it meets.
struct Plan {
    std::span<const Scenario> scenarios{};
    std::vector<const Condition*> conditions{};
    std::vector<const MethodInfo*> methods{};
    Trace (*make)(const Scenario&, const Condition&, const TraceConfig&) = nullptr;

    [[nodiscard]] std::size_t size() const {
        return scenarios.size() * conditions.size() * methods.size();
    }
};

std::vector<const Condition*> choose(std::span<const Condition> conditions, bool quick) {
    std::vector<const Condition*> chosen;
    for (const Condition& condition : conditions) {
        if (condition.reference || !quick) {
            chosen.push_back(&condition);
        }
    }
    return chosen;
}

Plan make_main_plan(bool quick) {
    Plan plan{scenarios(), choose(conditions(), quick), {}, make_trace};
    for (const MethodInfo& method : tick_methods()) {
        plan.methods.push_back(&method);
    }
    return plan;
}

Plan make_remote_plan(bool quick) {
    return {remote_scenarios(), choose(remote_conditions(), quick), remote_methods(),
            make_remote_trace};
}

class Lab {
public:
    Lab(const LabConfig& config, const Progress& progress) : config_(config), progress_(progress) {}

    LabReport run() {
        const Plan main = make_main_plan(config_.quick);
        const Plan remote = make_remote_plan(config_.quick);
        total_ = main.size() + remote.size();
        LabReport report;
        report.config = config_;
        run_plan(main, report);
        run_plan(remote, report.remote);
        return report;
    }

private:
    void run_plan(const Plan& plan, LabSection& section) {
        section.conditions = plan.conditions;
        for (const Scenario& scenario : plan.scenarios) {
            for (const Condition* condition : plan.conditions) {
                run_trace(plan, scenario, *condition, section);
            }
        }
    }

    void run_trace(const Plan& plan, const Scenario& scenario, const Condition& condition,
                   LabSection& section) {
        const Trace trace = plan.make(scenario, condition, config_.trace);
        if (&scenario == &plan.scenarios.front()) {
            section.lateness.push_back(measure_lateness(trace, condition));
        }
        const Scorer scorer(trace, config_.score);
        LabPlot plot;
        if (condition.reference) {
            plot = make_plot(scorer, scenario, condition);
        }
        for (const MethodInfo* method : plan.methods) {
            progress_(done_++, total_);
            // Scenarios have few objects, and room for many costs time in each of the replays.
            const Drawn drawn = replay(trace, *method, {.max_objects = 256});
            section.results.push_back(judge_replay(scorer, scenario, condition, *method, drawn));
            if (condition.reference) {
                add_method(plot, scorer, *method, drawn);
            }
        }
        if (condition.reference) {
            section.plots.push_back(std::move(plot));
        }
    }

    [[nodiscard]] static LabResult judge_replay(const Scorer& scorer, const Scenario& scenario,
                                                const Condition& condition,
                                                const MethodInfo& method, const Drawn& drawn) {
        const Score judged = scorer.score(drawn.frames);
        LabResult result{&scenario, &condition, &method, {}, drawn.problem + judged.problem};
        if (judged.worst) {
            result.worst = judged.objects[*judged.worst];
        }
        return result;
    }

    const LabConfig& config_;
    const Progress& progress_;
    std::size_t done_ = 0;
    std::size_t total_ = 0;
};

} // namespace

LabReport run_lab(const LabConfig& config, const Progress& progress) {
    return Lab(config, progress).run();
}

} // namespace glissade::lab
