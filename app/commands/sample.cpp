// SPDX-License-Identifier: MIT
// glissade sample: writes a built-in recording or scenario as a trace, to try the program with.
#include "app/commands.h"
#include "app/console.h"
#include "app/files.h"
#include "lab/recording.h"
#include "lab/remote_scenario.h"
#include "lab/scenario.h"
#include "lab/trace_text.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace glissade::app {

namespace {

struct SampleOptions {
    std::string name{};
    std::optional<std::string> condition{};
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
    const lab::Scenario* remote = lab::find_remote_scenario(options.name);
    const lab::Scenario* scenario = remote != nullptr ? remote : lab::find_scenario(options.name);
    const std::span<const lab::Condition> known =
        remote != nullptr ? lab::remote_conditions() : lab::conditions();
    const std::string wanted = options.condition.value_or(known.front().name);
    const auto condition =
        std::find_if(known.begin(), known.end(),
                     [&](const lab::Condition& candidate) { return wanted == candidate.name; });
    if (scenario == nullptr || condition == known.end()) {
        throw Failure(kExitUsage,
                      scenario == nullptr
                          ? fmt::format("there is no recording or scenario '{}'", options.name)
                          : fmt::format("there is no condition '{}' for it", wanted),
                      "`glissade sample` without a name lists them.");
    }
    return remote != nullptr ? lab::make_remote_trace(*scenario, *condition, options.config)
                             : lab::make_trace(*scenario, *condition, options.config);
}

void run_sample(const SampleOptions& options) {
    if (options.name.empty()) {
        list("Recordings of real machines", lab::recordings());
        list("Scenarios, made under a condition (--condition)", lab::scenarios());
        list("Conditions", lab::conditions());
        list("Remote entities, made under a condition of theirs", lab::remote_scenarios());
        list("Networks, their conditions", lab::remote_conditions());
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
    command->add_option("--condition", options->condition,
                        "When ticks arrive and frames are made; the first of its list if not "
                        "given.");
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
