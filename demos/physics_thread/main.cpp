// SPDX-License-Identifier: MIT
// glissade_physics_thread: Bullet on one thread, frames on another, and how smooth it is.
#include "cell.h"
#include "table.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using physics_thread::CellResult;
using physics_thread::Condition;
using physics_thread::Pacing;
using physics_thread::RunConfig;

constexpr const char* kAbout =
    "Tumbling boxes and a running character on a physics thread, drawn without a screen on another "
    "one. Prints how smooth the character is. Exit codes: 0 done, 1 a picture was wrong (mixed, "
    "misplaced, backward or none), 2 wrong use.";

constexpr Condition kConditions[] = {
    {false, 60.0, Pacing::Absolute},  {false, 60.0, Pacing::Free},
    {false, 144.0, Pacing::Absolute}, {false, 144.0, Pacing::Free},
    {true, 60.0, Pacing::Absolute},   {true, 60.0, Pacing::Free},
    {true, 144.0, Pacing::Absolute},  {true, 144.0, Pacing::Free},
};

// Returns the number of faults.
std::size_t run_all(const RunConfig& config) {
    std::size_t fault_count = 0;
    physics_thread::print_head();
    for (const Condition& condition : kConditions) {
        const CellResult cell = physics_thread::run_cell(condition, config);
        physics_thread::print_cell(cell);
        for (const std::string& fault : cell.faults) {
            fmt::print(stderr, "fault: {}: {}\n", name_of(condition), fault);
        }
        fault_count += cell.faults.size();
    }
    physics_thread::print_legend();
    return fault_count;
}

int run(int argument_count, char** arguments) {
    RunConfig config;
    config.load_thread_count = std::max(1U, std::thread::hardware_concurrency());
    CLI::App program(kAbout, "glissade_physics_thread");
    program.add_option("--seconds", config.seconds, "Of each run; there are eight.")
        ->capture_default_str()
        ->check(CLI::Range(0.1, 600.0));
    program.add_option("--boxes", config.box_count, "In the world.")
        ->capture_default_str()
        ->check(CLI::Range(3, 10000));
    program.add_option("--load-threads", config.load_thread_count, "That spin in loaded runs.")
        ->capture_default_str()
        ->check(CLI::Range(1, 256));
    program.add_option("--out", config.folder, "Keep the recordings for `glissade doctor` there.");
    try {
        program.parse(argument_count, arguments);
    } catch (const CLI::Success& done) {
        return program.exit(done);
    } catch (const CLI::ParseError& error) {
        (void)program.exit(error);
        return 2;
    }
    if (!config.folder.empty()) {
        std::filesystem::create_directories(config.folder);
    }
    return run_all(config) == 0 ? 0 : 1;
}

} // namespace

int main(int argument_count, char** arguments) {
    try {
        return run(argument_count, arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
