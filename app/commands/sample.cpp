// SPDX-License-Identifier: MIT
// glissade sample: writes a built-in recording or scenario as a trace, to try the program with.
#include "app/commands.h"
#include "app/console.h"
#include "app/files.h"
#include "lab/recording.h"
#include "lab/scenario.h"
#include "lab/trace_text.h"

#include <memory>

#include <fmt/format.h>

namespace glissade::app {

namespace {

struct SampleOptions {
    std::string name{};
    std::string condition = "recorded-heavy-abs-144";
    std::string out{};
    lab::TraceConfig config{};
};

template <typename Rows>
void list(const char* title, const Rows& rows) {
    fmt::print("{}\n", styled(Style::Bold, title));
    for (const auto& row : rows) {
        fmt::print("  {:<30} {}\n", row.name, row.what);
    }
}

lab::Trace make_sample(const SampleOptions& options) {
    if (std::optional<lab::Trace> recorded = lab::make_recorded_trace(options.name)) {
        return std::move(*recorded);
    }
    const lab::Scenario* scenario = lab::find_scenario(options.name);
    const lab::Condition* condition = lab::find_condition(options.condition);
    if (scenario == nullptr || condition == nullptr) {
        throw Failure(kExitUsage,
                      scenario == nullptr
                          ? fmt::format("there is no recording or scenario '{}'", options.name)
                          : fmt::format("there is no condition '{}'", options.condition),
                      "`glissade sample` without a name lists them.");
    }
    return lab::make_trace(*scenario, *condition, options.config);
}

void run_sample(const SampleOptions& options) {
    if (options.name.empty()) {
        list("Recordings of real machines", lab::recordings());
        list("Scenarios, made under a condition (--condition)", lab::scenarios());
        list("Conditions", lab::conditions());
        return;
    }
    const std::string text = lab::to_text(make_sample(options));
    OutputFile out(options.out);
    out.write(text);
    out.commit();
}

} // namespace

void add_sample(CLI::App& program) {
    auto options = std::make_shared<SampleOptions>();
    CLI::App* command = program.add_subcommand(
        "sample", "Write a built-in recording or scenario as a trace; without a name, list them.");
    command->add_option("NAME", options->name, "A recording or a scenario.");
    command->add_option("--condition", options->condition, "When ticks arrive and frames are made.")
        ->capture_default_str();
    command->add_option("--seed", options->config.seed, "Of the scenario.")
        ->capture_default_str()
        ->check(refuse_negative);
    command->add_option("--length-s", options->config.length_s, "Of the scenario.")
        ->capture_default_str()
        ->check(CLI::Range(0.1, 3600.0))
        ->check(refuse_nan);
    command->add_option("--out", options->out, "Write here; the standard output if not given.");
    command->callback([options] { run_sample(*options); });
}

} // namespace glissade::app
