// SPDX-License-Identifier: MIT
#include "lab/run.h"

#include "lab/plot.h"
#include "lab/replay.h"
#include "lab/truth_error.h"

#include <algorithm>

namespace glissade::lab {

namespace {

constexpr double kNsPerMs = 1e6;

// Against the schedule where there is one, else against the straight line through all arrivals, the
// earliest counting as in time.
LatenessFigures measure_lateness(const Trace& trace, const Condition& condition) {
    const SourceMap map(trace);
    std::vector<double> lateness_ms;
    for (const TraceTick& tick : trace.ticks) {
        const double late_ns =
            tick.due_ns ? static_cast<double>(tick.arrive_ns - *tick.due_ns)
                        : map.source_at(tick.arrive_ns) - static_cast<double>(tick.sim_ns);
        lateness_ms.push_back(late_ns / kNsPerMs);
    }
    const bool has_schedule = !trace.ticks.empty() && trace.ticks.front().due_ns;
    const double earliest =
        has_schedule ? 0.0 : *std::min_element(lateness_ms.begin(), lateness_ms.end());
    return {&condition, compute_quantile(lateness_ms, 0.5) - earliest,
            compute_quantile(lateness_ms, 0.99) - earliest,
            compute_quantile(lateness_ms, 1.0) - earliest};
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
