// SPDX-License-Identifier: MIT
// glissade methods: lists what can be replayed.
#include "app/commands.h"
#include "app/console.h"
#include "lab/method.h"

#include <fmt/format.h>

namespace glissade::app {

namespace {

void list_methods() {
    for (const lab::MethodInfo& method : lab::methods()) {
        const std::string name = fmt::format("{:<18}", method.name);
        fmt::print("{} {}\n", styled(method.ours ? Style::Good : Style::Bold, name), method.line);
    }
}

} // namespace

void add_methods(CLI::App& program) {
    program.add_subcommand("methods", "List the methods that `replay` knows, with one line each.")
        ->callback(list_methods);
}

} // namespace glissade::app
