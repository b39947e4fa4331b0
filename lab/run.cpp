// SPDX-License-Identifier: MIT
#include "lab/run.h"

#include "lab/lateness.h"
#include "lab/plot.h"
#include "lab/replay.h"

#include <utility>

namespace glissade::lab {

namespace {

LatenessFigures measure_lateness(const Trace& trace, const Condition& condition) {
    const std::vector<double> lateness_ms = collect_lateness_ms(trace);
    return {&condition, compute_quantile(lateness_ms, 0.5), compute_quantile(lateness_ms, 0.99),
            compute_quantile(lateness_ms, 1.0)};
}

class Lab {
public:
    Lab(const LabConfig& config, const Progress& progress) : progress_(progress) {
        report_.config = config;
        for (const Condition& condition : lab::conditions()) {
            if (condition.reference || !config.quick) {
                report_.conditions.push_back(&condition);
            }
        }
        total_ = scenarios().size() * report_.conditions.size() * methods().size();
    }

    LabReport run() {
        for (const Scenario& scenario : scenarios()) {
            for (const Condition* condition : report_.conditions) {
                run_trace(scenario, *condition);
            }
        }
        return std::move(report_);
    }

private:
    void run_trace(const Scenario& scenario, const Condition& condition) {
        const Trace trace = make_trace(scenario, condition, report_.config.trace);
        if (&scenario == &scenarios().front()) {
            report_.lateness.push_back(measure_lateness(trace, condition));
        }
        const Scorer scorer(trace, report_.config.score);
        LabPlot plot;
        if (condition.reference) {
            plot = make_plot(scorer, scenario, condition);
        }
        for (const MethodInfo& method : methods()) {
            progress_(report_.results.size(), total_);
            const Drawn drawn = replay(trace, method);
            report_.results.push_back(judge_replay(scorer, scenario, condition, method, drawn));
            if (condition.reference) {
                add_method(plot, scorer, method, drawn);
            }
        }
        if (condition.reference) {
            report_.plots.push_back(std::move(plot));
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

    const Progress& progress_;
    LabReport report_{};
    std::size_t total_ = 0;
};

} // namespace

LabReport run_lab(const LabConfig& config, const Progress& progress) {
    return Lab(config, progress).run();
}

} // namespace glissade::lab
