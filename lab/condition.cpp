// SPDX-License-Identifier: MIT
#include "lab/condition.h"

#include "lab/timing.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace glissade::lab {
namespace {

struct Row {
    Condition condition;
    TickSeries ticks;
    FrameSeries frames;
    const char* recording = "";
};

constexpr Row kRows[] = {
    {{.name = "recorded-heavy-abs-144",
      .title = "Recorded, heavy load, scheduled",
      .what = "144 Hz display; lateness of a web worker with 2 to 6 ms of work a tick, on an "
              "absolute schedule.",
      .display_hz = 144.0,
      .recorded = true,
      .reference = true},
     TickSeries::RecordedLate,
     FrameSeries::Recorded,
     "worker-heavy-abs-144"},
    {{.name = "recorded-heavy-free-144",
      .title = "Recorded, heavy load, free-running",
      .what = "144 Hz display; intervals of a free-running web worker with 2 to 6 ms of work a "
              "tick, 22 % too slow.",
      .display_hz = 144.0,
      .recorded = true},
     TickSeries::RecordedFree,
     FrameSeries::Recorded,
     "worker-heavy-free-144"},
    {{.name = "recorded-light-abs-144",
      .title = "Recorded, light load, scheduled",
      .what = "144 Hz display; lateness of a web worker with less than 1 ms of work a tick, on an "
              "absolute schedule.",
      .display_hz = 144.0,
      .recorded = true},
     TickSeries::RecordedLate,
     FrameSeries::Recorded,
     "worker-light-abs-144"},
    {{.name = "recorded-light-free-60",
      .title = "Recorded, light load, free-running",
      .what = "60 Hz display; intervals of a free-running web worker with less than 1 ms of work "
              "a tick, 2 % too slow.",
      .display_hz = 60.0,
      .recorded = true},
     TickSeries::RecordedFree,
     FrameSeries::Recorded,
     "worker-light-free-60"},
    {{.name = "recorded-two-threads-144",
      .title = "Recorded, two threads on busy cores",
      .what = "144 Hz display; lateness of a thread that sleeps until absolute times beside a busy "
              "core.",
      .display_hz = 144.0,
      .recorded = true},
     TickSeries::RecordedLate,
     FrameSeries::Recorded,
     "two-threads-until-busy1"},
    {{.name = "ideal-60",
      .title = "Ideal, 60 Hz",
      .what = "60 Hz display; ticks and frames exactly on time.",
      .display_hz = 60.0},
     TickSeries::Ideal,
     FrameSeries::Ideal},
    {{.name = "ideal-144",
      .title = "Ideal, 144 Hz",
      .what = "144 Hz display; ticks and frames exactly on time.",
      .display_hz = 144.0},
     TickSeries::Ideal,
     FrameSeries::Ideal},
    {{.name = "ideal-240",
      .title = "Ideal, 240 Hz",
      .what = "240 Hz display; ticks and frames exactly on time.",
      .display_hz = 240.0},
     TickSeries::Ideal,
     FrameSeries::Ideal},
    {{.name = "late-144",
      .title = "Late wake-ups",
      .what = "144 Hz display with frames on time; ticks arrive up to 8 ms after they are due.",
      .display_hz = 144.0},
     TickSeries::Late,
     FrameSeries::Ideal},
    {{.name = "jittered-144",
      .title = "Late frame callbacks",
      .what = "Steady 144 Hz display whose callbacks run up to 3 ms late; ticks on time.",
      .display_hz = 144.0},
     TickSeries::Ideal,
     FrameSeries::Jittered},
    {{.name = "missed-60",
      .title = "Missed refreshes",
      .what = "60 Hz display; about one frame in 20 takes two refreshes; ticks on time.",
      .display_hz = 60.0},
     TickSeries::Ideal,
     FrameSeries::Missed},
    {{.name = "variable",
      .title = "Variable refresh",
      .what = "The length of a frame wanders between 1/144 and 1/60 s; ticks on time.",
      .display_hz = 84.7},
     TickSeries::Ideal,
     FrameSeries::Variable},
    {{.name = "free-60",
      .title = "Free-running source",
      .what = "60 Hz display with frames on time; ticks run 1.6 % slow, with noise and hiccups of "
              "6 ms.",
      .display_hz = 60.0},
     TickSeries::Free,
     FrameSeries::Ideal},
};

constexpr auto kConditions = [] {
    std::array<Condition, std::size(kRows)> conditions{};
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        conditions[i] = kRows[i].condition;
    }
    return conditions;
}();

} // namespace

std::span<const Condition> conditions() noexcept {
    return kConditions;
}

const Condition* find_condition(std::string_view name) noexcept {
    const auto* const found =
        std::find_if(kConditions.begin(), kConditions.end(),
                     [name](const Condition& condition) { return name == condition.name; });
    return found == kConditions.end() ? nullptr : found;
}

TimingPlan make_plan(const Condition& condition, std::uint64_t seed) {
    TimingPlan plan{.display_hz = condition.display_hz, .seed = seed};
    const auto* const row =
        std::find_if(std::begin(kRows), std::end(kRows), [&condition](const Row& candidate) {
            return std::string_view(candidate.condition.name) == condition.name;
        });
    if (row != std::end(kRows)) {
        plan.ticks = row->ticks;
        plan.frames = row->frames;
        plan.recording = row->recording;
    }
    return plan;
}

} // namespace glissade::lab
