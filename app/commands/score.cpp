// SPDX-License-Identifier: MIT
// glissade score: how smooth what was drawn is.
#include "lab/score.h"

#include "app/commands.h"
#include "app/console.h"
#include "app/files.h"
#include "lab/score_json.h"

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace glissade::app {

namespace {

struct ScoreOptions {
    std::string trace{};
    std::string drawn{};
    bool json = false;
    lab::ScoreConfig config{};
};

void print_row(const char* name, const std::string& value, const char* meaning) {
    fmt::print("  {:<22} {:>12}   {}\n", name, value, styled(Style::Dim, meaning));
}

std::string number(const std::optional<double>& value, const char* unit) {
    return value ? fmt::format("{:.4g}{}", *value, unit) : "-";
}

void print_object(const lab::ObjectScore& score) {
    const RateMetrics rate = score.rate.value_or(RateMetrics{});
    fmt::print("{}\n", styled(Style::Bold, fmt::format("object {}", score.id)));
    print_row("frames", fmt::format("{}", score.frame_count), "after the warm-up");
    print_row("scored frames", fmt::format("{}", rate.scored_count), "while it moved");
    if (score.rate) {
        print_row("rate error", fmt::format("{:.4f}", rate.rate_rms),
                  "RMS of rate - 1; 0 is perfect");
        print_row("  99 % below", fmt::format("{:.4f}", rate.rate_p99), "");
        print_row("mean rate", fmt::format("{:.5f}", rate.mean_rate), "source time per real time");
        print_row("holds", fmt::format("{}", rate.hold_count), "frames that stood while it moved");
        print_row("jumps", fmt::format("{}", rate.jump_count),
                  "frames that went 1.5 times too far");
        print_row("backward", fmt::format("{}", rate.backward_count), "frames that went back");
        print_row("animation error", fmt::format("{:.3f} ms", rate.animation_error_rms_ms),
                  "RMS of shown step - real step");
    }
    print_row("pops", fmt::format("{}", score.pop_count), "steps above three times the median");
    print_row("streaks", fmt::format("{}", score.streak_count), "drawn between the sides of a cut");
    print_row("off path", fmt::format("{:.4g} m", score.off_path_m_max), "at most");
    print_row("underruns", score.underrun_count ? fmt::format("{}", *score.underrun_count) : "-",
              "frames that needed a tick too early");
    print_row("lag", number(score.lag_ms_mean, " ms"), "behind the newest state, mean");
    print_row("  99 % below", number(score.lag_ms_p99, " ms"), "");
    if (score.best_lag_ms) {
        print_row("position error", number(score.position_error_m_rms, " m"),
                  "RMS against the truth after the best lag");
        print_row("angle error", number(score.angle_error_deg_rms, " deg"), "the same");
        print_row("velocity error", number(score.velocity_error_ratio, ""),
                  "RMS, as a part of the true velocity");
        print_row("best lag", number(score.best_lag_ms, " ms"), "");
    }
}

void run_score(const ScoreOptions& options) {
    const lab::Trace trace = load_trace(options.trace);
    const std::vector<DrawnFrame> drawn = load_drawn(options.drawn);
    const lab::Score score = lab::Scorer(trace, options.config).score(drawn);
    if (!score.problem.empty()) {
        throw Failure(kExitUsage, fmt::format("{}: {}", options.drawn, score.problem),
                      "Score what was drawn against the trace that it was drawn from.");
    }
    if (options.json) {
        fmt::print("{}\n", lab::to_json(score).dump(2));
        return;
    }
    if (!score.worst) {
        fmt::print("Nothing to judge: no object of the trace was drawn.\n");
        return;
    }
    print_object(score.objects[*score.worst]);
    if (score.objects.size() > 1) {
        fmt::print("\nThe worst of {} objects. --json has them all.\n", score.objects.size());
    }
}

} // namespace

void add_score(CLI::App& program) {
    auto options = std::make_shared<ScoreOptions>();
    CLI::App* command = program.add_subcommand(
        "score", "How smooth what was drawn is, judged from where the objects were drawn.");
    command->add_option("TRACE", options->trace, "The trace.")->required();
    command->add_option("DRAWN", options->drawn, "What `replay` wrote, or your own recording.")
        ->required();
    command->add_flag("--json", options->json, "For scripts.");
    command->add_option("--warmup-s", options->config.warmup_s, "Leave out the first seconds.")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6))
        ->check(refuse_nan);
    command->callback([options] { run_score(*options); });
}

} // namespace glissade::app
