// SPDX-License-Identifier: MIT
// glissade lab: compares every method in every scenario, and writes the report.
#include "app/commands.h"
#include "app/console.h"
#include "app/files.h"
#include "lab/clock_table.h"
#include "lab/gate_table.h"
#include "lab/literal_table.h"
#include "lab/remote_scenario.h"
#include "lab/report_page.h"
#include "lab/run.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace glissade::app {

namespace {

struct LabOptions {
    std::string out = "glissade-report";
    lab::LabConfig config{};
    bool gate_table = false;
    bool clock_table = false;
    bool literal_table = false;
};

constexpr double kGoodRate = 0.02; // Below it hardly anybody sees a thing.
constexpr double kFairRate = 0.1;

Style style_of(double rate_rms) {
    if (rate_rms < kGoodRate) {
        return Style::Good;
    }
    return rate_rms < kFairRate ? Style::Fair : Style::Bad;
}

const lab::LabResult* find_result(const lab::LabSection& report, const lab::Scenario& scenario,
                                  const lab::MethodInfo& method) {
    const auto found = std::find_if(
        report.results.begin(), report.results.end(), [&](const lab::LabResult& result) {
            return result.scenario == &scenario && result.method == &method &&
                   result.condition->reference;
        });
    return found == report.results.end() ? nullptr : &*found;
}

double median(std::vector<double> values) {
    return compute_quantile(std::move(values), 0.5);
}

void print_method_row(const lab::LabReport& report, const lab::MethodInfo& method) {
    std::vector<double> lags;
    std::string cells;
    for (const lab::Scenario& scenario : lab::scenarios()) {
        const lab::LabResult* result = find_result(report, scenario, method);
        if (result == nullptr || !result->worst.rate) {
            cells += fmt::format("{:>7}", "-");
            continue;
        }
        const double rate_rms = result->worst.rate->rate_rms;
        cells += styled(style_of(rate_rms), fmt::format("{:>7.3f}", rate_rms));
        lags.push_back(result->worst.lag_ms_mean.value_or(0.0));
    }
    fmt::print("  {:<18}{}{:>8.1f}\n", method.name, cells, median(lags));
}

void print_table(const lab::LabReport& report) {
    fmt::print("{}\n", styled(Style::Bold, fmt::format("Rate error by scenario, condition {}",
                                                       report.conditions.front()->name)));
    fmt::print("  {:<18}", "");
    for (std::size_t i = 1; i <= lab::scenarios().size(); ++i) {
        fmt::print("{:>7}", i);
    }
    fmt::print("{:>8}\n", "lag ms");
    for (const lab::MethodInfo& method : lab::tick_methods()) {
        print_method_row(report, method);
    }
    fmt::print("\n");
    std::size_t number = 0;
    for (const lab::Scenario& scenario : lab::scenarios()) {
        fmt::print("  {:>2} {:<22}", ++number, scenario.name);
        fmt::print("{}", number % 4 == 0 ? "\n" : "");
    }
    fmt::print(
        "\n  0 is perfect, below 0.02 hardly anybody sees a thing. Lag: median of the "
        "scenarios.\n");
}

std::string rate_and_pops(const lab::ObjectScore& score) {
    if (!score.rate) {
        return fmt::format("{:>11}", "-");
    }
    const double rate_rms = score.rate->rate_rms;
    return styled(style_of(rate_rms), fmt::format("{:>7.3f}", rate_rms)) +
           fmt::format(" {:>3}", score.pop_count);
}

std::string position_error(const lab::ObjectScore& score) {
    return score.position_error_m_rms ? fmt::format("{:>11.3f}", *score.position_error_m_rms)
                                      : fmt::format("{:>11}", "-");
}

void print_remote_figures(const lab::LabSection& section, const char* title,
                          std::string (*cell)(const lab::ObjectScore&)) {
    fmt::print("\n{}\n", styled(Style::Bold, fmt::format("Remote entities: {}, condition {}", title,
                                                         section.conditions.front()->name)));
    fmt::print("  {:<18}", "");
    for (std::size_t i = 1; i <= lab::remote_scenarios().size(); ++i) {
        fmt::print("{:>11}", i);
    }
    fmt::print("\n");
    for (const lab::MethodInfo* method : lab::remote_methods()) {
        std::string cells;
        for (const lab::Scenario& scenario : lab::remote_scenarios()) {
            const lab::LabResult* const result = find_result(section, scenario, *method);
            cells += cell(result != nullptr ? result->worst : lab::ObjectScore{});
        }
        fmt::print("  {:<18}{}\n", method->name, cells);
    }
}

void print_remote_table(const lab::LabReport& report) {
    print_remote_figures(report.remote, "rate error and pops", rate_and_pops);
    print_remote_figures(report.remote, "position error after the best lag in m", position_error);
    std::size_t number = 0;
    for (const lab::Scenario& scenario : lab::remote_scenarios()) {
        fmt::print("{}  {:>2} {:<22}", number % 4 == 0 ? "\n" : "", number + 1, scenario.name);
        ++number;
    }
    fmt::print("\n");
}

void print_gate_table() {
    fmt::print("{}\n",
               styled(Style::Bold, "Quantum gate, a body at 4 m/s: held frames, rate error"));
    fmt::print("  {:>6} {:>9}   {:>18}   {:>18}   {:>28}\n", "Hz", "jitter", "MinQuantum",
               "LastQuantum", "Stamped");
    const auto figures = [](const lab::GateFigure& figure) {
        return fmt::format("{:>7.1f} %  {:>7.4f}", figure.held_percent, figure.rate_rms);
    };
    for (const lab::GateRow& row : lab::compute_gate_table()) {
        fmt::print("  {:>6g} {:>6.1f} ms   {:>18}   {:>18}   {:>18}, lag {:.0f} ms\n", row.frame_hz,
                   row.jitter_ms, figures(row.literal), figures(row.last_quantum),
                   figures(row.stamped), row.stamped.lag_ms);
    }
}

void print_clock_table() {
    const std::vector<lab::ClockRow> rows = lab::compute_clock_table();
    fmt::print("{}\n", styled(Style::Bold,
                              "Clocks of a free-running source: rate error, lag ms, underruns %"));
    fmt::print("  {:<20}", "");
    for (const lab::ClockFigure& figure : rows.front().figures) {
        fmt::print("  {:>22}", figure.recording);
    }
    for (const lab::ClockRow& row : rows) {
        fmt::print("\n  {:<20}", row.estimator);
        for (const lab::ClockFigure& figure : row.figures) {
            fmt::print("  {:>8.4f} {:>6.1f} {:>6.2f}", figure.rate_rms, figure.lag_ms,
                       figure.underrun_percent);
        }
    }
    fmt::print("\n");
}

void print_literal_table() {
    fmt::print("{}\n", styled(Style::Bold,
                              "Remote entities, one literal rule at a time: where it "
                              "changes the picture most, client -> literal"));
    fmt::print("  {:<26} {:>9}  {:<32} {:>18} {:>11} {:>16}\n", "rule", "changed", "case",
               "rate error", "pops", "angle error");
    const auto angle = [](const lab::ObjectScore& score) {
        return score.angle_error_deg_rms.value_or(0.0);
    };
    for (const lab::LiteralRow& row : lab::compute_literal_table()) {
        fmt::print("  {:<26} {:>3} of {:>2}", row.name, row.changed_count, row.case_count);
        if (row.scenario == nullptr) {
            fmt::print("  nothing\n");
            continue;
        }
        fmt::print("  {:<32} {:>7.3f} -> {:>7.3f} {:>4} -> {:>3} {:>6.2f} -> {:>6.2f}\n",
                   fmt::format("{}, {}", row.scenario->name, row.condition->name),
                   row.client.rate->rate_rms, row.variant.rate->rate_rms, row.client.pop_count,
                   row.variant.pop_count, angle(row.client), angle(row.variant));
    }
}

std::size_t print_problems(const lab::LabSection& report) {
    std::size_t count = 0;
    for (const lab::LabResult& result : report.results) {
        if (!result.problem.empty()) {
            print_error(fmt::format("{}, {}, {}: {}", result.scenario->name, result.condition->name,
                                    result.method->name, result.problem),
                        "");
            ++count;
        }
    }
    return count;
}

void run_lab_command(const LabOptions& options) {
    if (options.gate_table) {
        print_gate_table();
        return;
    }
    if (options.literal_table) {
        print_literal_table();
        return;
    }
    if (options.clock_table) {
        print_clock_table();
        return;
    }
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) {
        throw Failure(kExitFailed,
                      fmt::format("{}: cannot be created: {}", options.out, error.message()),
                      "Give another folder with --out.");
    }
    // Before the work: a folder that cannot be written to is no surprise for the end.
    const std::filesystem::path folder = options.out;
    OutputFile json_file((folder / "report.json").string());
    OutputFile page_file((folder / "report.html").string());
    lab::LabReport report;
    {
        ProgressLine progress("comparing methods");
        report = lab::run_lab(options.config, [&](std::size_t done, std::size_t total) {
            progress.show(done, total);
        });
    }
    const std::string command = fmt::format(
        "glissade lab{} --seed {} --length-s {}", options.config.quick ? " --quick" : "",
        options.config.trace.seed, options.config.trace.length_s);
    const std::string json = lab::to_json(report, command).dump();
    json_file.write(json + "\n");
    page_file.write(lab::make_report_page(json));
    json_file.commit();
    page_file.commit();
    print_table(report);
    print_remote_table(report);
    fmt::print("\n{} replays. The report, with pictures: {}\n",
               report.results.size() + report.remote.results.size(),
               (folder / "report.html").string());
    if (print_problems(report) + print_problems(report.remote) > 0) {
        throw Failure(kExitFailed, "some replays cannot be trusted", "");
    }
}

} // namespace

void add_lab(CLI::App& program) {
    auto options = std::make_shared<LabOptions>();
    CLI::App* command = program.add_subcommand(
        "lab",
        "Compare every method in every built-in scenario; writes report.html and report.json.");
    command->add_option("--out", options->out, "Folder of the report.")->capture_default_str();
    command->add_option("--seed", options->config.trace.seed, "Of all that is random.")
        ->capture_default_str()
        ->check(refuse_negative);
    command->add_option("--length-s", options->config.trace.length_s, "Of each scenario.")
        ->capture_default_str()
        ->check(CLI::Range(4.0, 600.0))
        ->check(refuse_nan);
    command->add_flag("--quick", options->config.quick, "The reference conditions only.");
    command->add_flag("--gate-table", options->gate_table,
                      "Print how smooth a quantum gate is at common display rates, and end.");
    command->add_flag("--literal-table", options->literal_table,
                      "Print what each literal rule does to remote entities, and end.");
    command->add_flag("--clock-table", options->clock_table,
                      "Print how well the clock of a free-running source is recovered, and end.");
    command->callback([options] { run_lab_command(*options); });
}

} // namespace glissade::app
