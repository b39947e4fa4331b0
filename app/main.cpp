// SPDX-License-Identifier: MIT
// The program `glissade`: replays, scores and explains recordings of motion.
#include "glissade/version.h"

#include "app/commands.h"
#include "app/console.h"
#include "app/files.h"

#include <exception>
#include <system_error>

#include <fmt/format.h>

namespace {

constexpr const char* kDescription =
    "Is your motion smooth? Replays, scores and explains recordings of a simulation and its "
    "frames.";
constexpr const char* kFooter =
    "\nTry it:\n"
    "  glissade sample worker-heavy-free-60 --out game.ndjson     a recording of a real machine\n"
    "  glissade doctor game.ndjson                                what is wrong with it\n"
    "  glissade replay game.ndjson --out drawn.ndjson             draw it smoothly\n"
    "  glissade score game.ndjson drawn.ndjson                    how smooth is that?\n"
    "  glissade lab                                               compare all methods, with "
    "pictures\n";
constexpr const char* kExitCodes =
    "\nExit codes: 0 done, 1 the run failed, 2 wrong use or bad input.";

// CLI11 says "a subcommand is required" and keeps to itself what it took for none.
void print_usage_error(const CLI::App& program, const CLI::ParseError& error) {
    const std::vector<std::string> unknown = program.remaining();
    if (program.get_subcommands().empty() && !unknown.empty()) {
        glissade::app::print_error(fmt::format("there is no command '{}'", unknown.front()),
                                   "`glissade --help` lists them.");
        return;
    }
    (void)program.exit(error);
}

int run(int argument_count, char** arguments) {
    CLI::App program(kDescription, "glissade");
    program.footer(std::string(kFooter) + kExitCodes);
    program.set_version_flag("--version", std::string(glissade::linked_version()));
    program.require_subcommand(1);
    program.get_formatter()->column_width(36);
    glissade::app::add_replay(program);
    glissade::app::add_score(program);
    glissade::app::add_doctor(program);
    glissade::app::add_lab(program);
    glissade::app::add_methods(program);
    glissade::app::add_sample(program);
    for (CLI::App* command : program.get_subcommands([](CLI::App* /*any*/) { return true; })) {
        command->footer(kExitCodes); // Not all of the program's.
    }
    try {
        try {
            program.parse(argument_count, arguments);
        } catch (const CLI::Success& done) { // --help, --version
            (void)program.exit(done);
        }
        glissade::app::OutputFile("").commit(); // A full disk may show only now.
    } catch (const CLI::ParseError& error) {
        print_usage_error(program, error);
        return glissade::app::kExitUsage;
    } catch (const std::system_error& error) { // Of fmt::print().
        glissade::app::print_error(
            fmt::format("standard output: cannot be written: {}", error.code().message()),
            "Is there room?");
        return glissade::app::kExitFailed;
    } catch (const glissade::app::Failure& failure) {
        glissade::app::print_error(failure.what(), failure.remedy());
        return failure.exit_code();
    }
    return glissade::app::kExitDone;
}

} // namespace

int main(int argument_count, char** arguments) {
    try {
        return run(argument_count, arguments);
    } catch (const std::exception& error) {
        glissade::app::print_error(error.what(),
                                   "This is a fault of the program; please report it.");
        return glissade::app::kExitFailed;
    }
}
