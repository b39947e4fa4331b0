// SPDX-License-Identifier: MIT
#include "lab/scenario.h"

#include "lab/motion/motion.h"
#include "lab/timing.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace glissade::lab {
namespace {

constexpr std::int64_t kTruthStepNs = 2'000'000;
// The wheel turns 21 degrees in that time: less than a quarter turn, so its way round is clear.
constexpr std::int64_t kWheelTruthStepNs = 1'000'000;

struct Row {
    Scenario scenario;
    Timeline (*make_timeline)(double length_s);
    std::vector<MovingObject> (*make_objects)(const Timeline& timeline, std::uint64_t seed);
    std::int64_t truth_step_ns = kTruthStepNs;
};

constexpr Row kRows[] = {
    {{.name = "constant-speed",
      .title = "Constant speed",
      .what = "One body moves at 4 m/s, one turns in place: every unevenness comes from timing."},
     make_steady_timeline,
     make_constant_speed},
    {{.name = "ballistic",
      .title = "Bouncing ball",
      .what = "A thrown ball bounces between ticks: acceleration and sharp corners."},
     make_steady_timeline,
     make_ballistic},
    {{.name = "orbit",
      .title = "Orbit",
      .what = "Two bodies go round, one wide, one tight: chords cut corners, headings turn."},
     make_steady_timeline,
     make_orbit},
    {{.name = "sine",
      .title = "To and fro",
      .what = "A body swings along a line: the speed goes through zero and turns round."},
     make_steady_timeline,
     make_sine},
    {{.name = "random-walk",
      .title = "Random walk with stops",
      .what =
          "A walker turns, stops and starts at ticks: overshoot shows, and rest must be exact."},
     make_steady_timeline,
     make_random_walk},
    {{.name = "teleports",
      .title = "Teleports",
      .what = "Two bodies are cut to another place every 0.5 to 0.7 s: nothing may be drawn on the "
              "way."},
     make_steady_timeline,
     make_teleports},
    {{.name = "portals",
      .title = "Portals",
      .what = "A body walks through portals that displace and turn it: the motion goes on without "
              "a stop."},
     make_steady_timeline,
     make_portals},
    {{.name = "spawns",
      .title = "Spawn and despawn",
      .what = "Bodies appear in motion and end in motion: the first and the last moment count."},
     make_steady_timeline,
     make_spawns},
    {{.name = "wheel",
      .title = "Fast wheel",
      .what = "A wheel turns 350 degrees a tick: only the angular velocity tells the way round."},
     make_steady_timeline,
     make_wheel,
     kWheelTruthStepNs},
    {{.name = "slow-motion",
      .title = "Slow motion",
      .what = "Time runs at a quarter for a while: ticks keep their size and come less often."},
     make_slow_motion_timeline,
     make_line_and_orbit},
    {{.name = "rate-change",
      .title = "Change of tick rate",
      .what = "60, 15 and again 60 ticks a second in mid-flight: the motion must not show it."},
     make_rate_change_timeline,
     make_line_and_orbit},
    {{.name = "follow-camera",
      .title = "Follow camera",
      .what = "A camera trails a weaving body: the two must not move against each other."},
     make_steady_timeline,
     make_followed_body},
};

constexpr auto kScenarios = [] {
    std::array<Scenario, std::size(kRows)> scenarios{};
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        scenarios[i] = kRows[i].scenario;
    }
    return scenarios;
}();

const Row* find_row(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(kRows), std::end(kRows),
                     [name](const Row& row) { return name == row.scenario.name; });
    return found == std::end(kRows) ? nullptr : found;
}

bool lives_at(const MovingObject& object, std::int64_t time_ns) {
    return time_ns >= object.begin_ns && time_ns <= object.end_ns;
}

TracePose make_pose(const MovingObject& object, std::int64_t time_ns) {
    const MotionState state = object.at(time_ns);
    TracePose pose{.id = object.id, .position = state.position, .velocity = state.velocity};
    if (object.parts.rotation) {
        pose.rotation = state.rotation;
        pose.angular_velocity = state.angular_velocity;
    }
    if (object.parts.cut) {
        pose.cut = state.cut;
    }
    if (object.parts.shift) {
        pose.shift = state.shift;
    }
    pose.camera = object.parts.camera;
    return pose;
}

// An object's last tick has its last pose too: it moves until it ends.
void add_objects(const std::vector<MovingObject>& objects, TraceTick& tick) {
    for (const MovingObject& object : objects) {
        if (lives_at(object, tick.sim_ns)) {
            tick.poses.push_back(make_pose(object, tick.sim_ns));
        }
        if (object.end_ns == tick.sim_ns) {
            tick.gone.push_back(object.id);
        }
    }
}

std::vector<TraceTick> make_ticks(const Timeline& timeline,
                                  const std::vector<MovingObject>& objects,
                                  const std::vector<TickTime>& times) {
    std::vector<TraceTick> ticks;
    ticks.reserve(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        TraceTick tick{.tick = static_cast<std::int64_t>(i),
                       .sim_ns = timeline.sim_ns[i],
                       .arrive_ns = times[i].arrive_ns,
                       .due_ns = times[i].due_ns};
        if (!timeline.scales.empty()) {
            tick.scale = timeline.scales[i];
        }
        add_objects(objects, tick);
        ticks.push_back(std::move(tick));
    }
    return ticks;
}

// An even grid, and every time at which the path has a corner or an end.
std::vector<std::int64_t> make_truth_times(const MovingObject& object, std::int64_t last_ns,
                                           std::int64_t step_ns) {
    std::vector<std::int64_t> times = object.kinks_ns;
    for (const std::int64_t break_ns : object.breaks_ns) {
        times.push_back(break_ns - 1);
        times.push_back(break_ns);
    }
    for (std::int64_t time_ns = 0; time_ns <= last_ns; time_ns += step_ns) {
        times.push_back(time_ns);
    }
    times.push_back(object.begin_ns);
    times.push_back(std::min(object.end_ns, last_ns));
    std::erase_if(times, [&object, last_ns](std::int64_t time_ns) {
        return time_ns < 0 || time_ns > last_ns || !lives_at(object, time_ns);
    });
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

void add_truths(const MovingObject& object, const std::vector<std::int64_t>& times,
                std::vector<TraceTruth>& truths) {
    for (const std::int64_t time_ns : times) {
        const MotionState state = object.at(time_ns);
        TraceTruth truth{.time_ns = time_ns, .id = object.id, .position = state.position};
        if (object.parts.rotation) {
            truth.rotation = state.rotation;
        }
        truths.push_back(truth);
    }
}

std::vector<TraceTruth> make_truths(const std::vector<MovingObject>& objects, std::int64_t last_ns,
                                    std::int64_t step_ns) {
    std::vector<TraceTruth> truths;
    for (const MovingObject& object : objects) {
        add_truths(object, make_truth_times(object, last_ns, step_ns), truths);
    }
    std::stable_sort(truths.begin(), truths.end(),
                     [](const TraceTruth& left, const TraceTruth& right) {
                         return left.time_ns < right.time_ns;
                     });
    return truths;
}

TraceHeader make_header(const Row& row, const Condition& condition, const TimingPlan& plan,
                        const Timeline& timeline) {
    const bool ideal = plan.ticks == TickSeries::Ideal && plan.frames == FrameSeries::Ideal;
    TraceHeader header{.name = std::string(row.scenario.name) + " / " + condition.name,
                       .source = ideal ? TraceSource::Local : TraceSource::Thread,
                       .tick_ns = timeline.tick_ns};
    if (timeline.tick_ns) {
        header.rate = kTickRate;
    }
    return header;
}

} // namespace

std::span<const Scenario> scenarios() noexcept {
    return kScenarios;
}

const Scenario* find_scenario(std::string_view name) noexcept {
    const auto* const found =
        std::find_if(kScenarios.begin(), kScenarios.end(),
                     [name](const Scenario& scenario) { return name == scenario.name; });
    return found == kScenarios.end() ? nullptr : found;
}

Trace make_trace(const Scenario& scenario, const Condition& condition, const TraceConfig& config) {
    Trace trace;
    const Row* const row = find_row(scenario.name);
    if (row == nullptr) {
        return trace; // Not one of scenarios().
    }
    const Timeline timeline = row->make_timeline(config.length_s);
    const std::vector<MovingObject> objects = row->make_objects(timeline, config.seed);
    const TimingPlan plan = make_plan(condition, config.seed);
    trace.header = make_header(*row, condition, plan, timeline);
    trace.ticks = make_ticks(timeline, objects, make_tick_times(plan, timeline.schedule_ns));
    // Beyond the last tick a picture could only stand still.
    trace.frames = make_frames(plan, trace.ticks.back().arrive_ns);
    trace.truths = make_truths(objects, timeline.sim_ns.back(), row->truth_step_ns);
    link_frames(trace);
    return trace;
}

} // namespace glissade::lab
