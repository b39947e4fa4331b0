// SPDX-License-Identifier: MIT
#include "app/console.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace glissade::app {

namespace {

bool wants_colour(int descriptor) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the program reads its environment and never sets it.
    const char* no_colour = std::getenv("NO_COLOR");
    const bool refused = no_colour != nullptr && *no_colour != '\0';
    return !refused && isatty(descriptor) != 0;
}

const char* code_of(Style style) {
    switch (style) {
        case Style::Plain:
            return "";
        case Style::Bold:
            return "\x1b[1m";
        case Style::Dim:
            return "\x1b[2m";
        case Style::Good:
            return "\x1b[32m";
        case Style::Fair:
            return "\x1b[33m";
        case Style::Bad:
            return "\x1b[31m";
    }
    return "";
}

} // namespace

std::string styled(Style style, std::string_view text) {
    static const bool kColour = wants_colour(STDOUT_FILENO);
    if (!kColour || style == Style::Plain) {
        return std::string(text);
    }
    return fmt::format("{}{}\x1b[0m", code_of(style), text);
}

void print_error(std::string_view cause, std::string_view remedy) {
    const bool colour = wants_colour(STDERR_FILENO);
    fmt::print(stderr, "{}error:{} {}\n", colour ? "\x1b[31m" : "", colour ? "\x1b[0m" : "", cause);
    if (!remedy.empty()) {
        fmt::print(stderr, "  {}\n", remedy);
    }
}

ProgressLine::~ProgressLine() {
    if (isatty(STDERR_FILENO) != 0) {
        (void)std::fputs("\r\x1b[K", stderr); // fmt::print() may throw, a destructor must not.
    }
}

void ProgressLine::show(std::size_t done, std::size_t total) {
    const std::size_t percent = total > 0 ? done * 100 / total : 0;
    if (percent == last_percent_ || isatty(STDERR_FILENO) == 0) {
        return;
    }
    last_percent_ = percent;
    fmt::print(stderr, "\r{} {:3} %", what_, percent);
    (void)std::fflush(stderr);
}

} // namespace glissade::app
