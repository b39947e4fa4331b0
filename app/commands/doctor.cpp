// SPDX-License-Identifier: MIT
// glissade doctor: what is wrong with a recording, why, and what to change.
#include "lab/doctor.h"

#include "app/commands.h"
#include "app/console.h"
#include "app/files.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace glissade::app {

namespace {

struct DoctorOptions {
    std::string trace{};
    std::string drawn{};
    bool json = false;
};

// Breaks a text into lines that a terminal shows whole.
void print_wrapped(const char* label, const std::string& text) {
    constexpr std::size_t kWidth = 86;
    std::string line = label;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        const std::string_view word(text.data() + from, end - from);
        if (line.size() + word.size() + 1 > kWidth) {
            fmt::print("     {}\n", line);
            line.assign(std::string_view(label).size(), ' ');
        }
        line += ' ';
        line += word;
        from = end + 1;
    }
    fmt::print("     {}\n", line);
}

void print_diagnosis(const lab::Diagnosis& diagnosis) {
    if (diagnosis.healthy) {
        fmt::print("{} Nothing is wrong with this recording.\n", styled(Style::Good, "Healthy."));
    }
    std::size_t number = 0;
    for (const lab::Finding& finding : diagnosis.findings) {
        fmt::print("{:>2}. {}\n", ++number, styled(Style::Bold, to_string(finding.disease)));
        print_wrapped("What:", finding.what);
        print_wrapped("Seen:", finding.evidence);
        print_wrapped("Cure:", finding.cure);
        fmt::print("\n");
    }
    for (const std::string& note : diagnosis.notes) {
        fmt::print("{} {}\n", styled(Style::Dim, "Note:"), note);
    }
}

void run_doctor(const DoctorOptions& options) {
    const lab::Trace trace = load_trace(options.trace);
    std::vector<DrawnFrame> drawn;
    if (!options.drawn.empty()) {
        drawn = load_drawn(options.drawn);
    }
    const lab::Diagnosis diagnosis = lab::diagnose(trace, drawn);
    if (!diagnosis.problem.empty()) {
        throw Failure(kExitUsage, fmt::format("{}: {}", options.drawn, diagnosis.problem),
                      "Give what was drawn together with the trace that it was drawn from.");
    }
    if (options.json) {
        fmt::print("{}\n", lab::to_json(diagnosis).dump(2));
        return;
    }
    print_diagnosis(diagnosis);
}

} // namespace

void add_doctor(CLI::App& program) {
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command = program.add_subcommand(
        "doctor",
        "What is wrong with your recording, in plain words: evidence and cure, worst first.");
    command->add_option("TRACE", options->trace, "What your game recorded.")->required();
    command->add_option("DRAWN", options->drawn, "What it drew, if that was recorded too.");
    command->add_flag("--json", options->json, "For scripts.");
    command->callback([options] { run_doctor(*options); });
}

} // namespace glissade::app
