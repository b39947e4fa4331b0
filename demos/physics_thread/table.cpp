// SPDX-License-Identifier: MIT
#include "table.h"

#include <cstdio>

#include <fmt/format.h>

namespace physics_thread {

namespace {

std::string milliseconds(std::int64_t time_ns) {
    return fmt::format("{:.1f}", static_cast<double>(time_ns) * 1e-6);
}

void print_row(const CellResult& cell, const Figures& figures, bool first) {
    const Condition& condition = cell.condition;
    const glissade::TimelineReport& timeline = cell.report.timeline;
    fmt::print("{:<7}{:>4} {:<9} {:<18}{:>10.4f}{:>8.1f}{:>7}{:>10}{:>9}{:>10}{:>6}{:>6}{:>6}\n",
               first ? (condition.loaded ? "loaded" : "idle") : "",
               first ? fmt::format("{:.0f}", condition.rate_hz) : "",
               first ? (condition.pacing == Pacing::Absolute ? "absolute" : "free") : "",
               figures.method, figures.rate_error, figures.lag_ms,
               first ? milliseconds(timeline.delay_ns) : "",
               first ? milliseconds(timeline.lateness_p995_ns) : "",
               first ? fmt::format("{}", timeline.relock_count) : "", figures.underrun_count,
               figures.hold_count, figures.jump_count, figures.backward_count);
}

} // namespace

void print_head() {
    fmt::print("{:<7}{:>4} {:<9} {:<18}{:>10}{:>8}{:>7}{:>10}{:>9}{:>10}{:>6}{:>6}{:>6}\n", "load",
               "Hz", "ticks", "drawn by", "rate err", "lag ms", "delay", "late 99.5", "relocks",
               "underruns", "holds", "jumps", "back");
}

void print_cell(const CellResult& cell) {
    bool first = true;
    for (const Figures& figures : cell.verdict.figures) {
        print_row(cell, figures, first);
        first = false;
    }
    if (!cell.verdict.problem.empty()) {
        fmt::print("{}: {}\n", name_of(cell.condition), cell.verdict.problem);
    }
    std::fflush(stdout);
}

void print_legend() {
    fmt::print(
        "\n"
        "rate err   unevenness of the character's motion, RMS; 0 is perfect, 0.1 is seen\n"
        "lag        behind the newest state, carried on to the frame; mean\n"
        "delay      what Glissade chose; late 99.5: 99.5 % of the ticks came at most that late "
        "(ms)\n"
        "relocks    times that the simulation lost time: the machine could not keep up\n"
        "underruns  frames that needed a tick that was not there yet\n"
        "holds, jumps, back   frames that stood, went 1.5 times too far, went back\n"
        "Rows below Glissade: other methods, drawn from the same recording.\n");
}

} // namespace physics_thread
