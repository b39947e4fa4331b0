// SPDX-License-Identifier: MIT
// The subcommands. Each adds itself to the program; what it does runs when CLI11 has parsed.
#pragma once

#include <cmath>
#include <cstdlib>
#include <string>

#include <CLI/CLI.hpp>

namespace glissade::app {

/// For options that are numbers: CLI::Range takes NaN, which is neither below nor above.
inline std::string refuse_nan(const std::string& text) {
    return std::isnan(std::strtod(text.c_str(), nullptr)) ? text + " is not a number" : "";
}

/// For options without a sign: CLI11 takes -1 for the largest 64-bit number.
inline std::string refuse_negative(const std::string& text) {
    return text.find('-') != std::string::npos ? text + " is negative" : "";
}

void add_replay(CLI::App& program);
void add_score(CLI::App& program);
void add_methods(CLI::App& program);
void add_lab(CLI::App& program);
void add_doctor(CLI::App& program);
void add_sample(CLI::App& program);

} // namespace glissade::app
