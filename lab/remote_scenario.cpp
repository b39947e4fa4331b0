// SPDX-License-Identifier: MIT
#include "lab/remote_scenario.h"

#include "lab/remote/network.h"
#include "lab/remote/script.h"
#include "lab/timing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <utility>

namespace glissade::lab {
namespace {

constexpr std::int64_t kEntity = 1;
constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr double kDisplayHz = 60.0;
constexpr std::int64_t kTruthStepNs = 4'000'000;
// The local player stays this far from the entity, at its side.
constexpr glm::dvec3 kPlayerOffset{6.0, 0.0, 0.0};

using enum TraceGait;

constexpr Leg kStanding[] = {{.length_s = 10.0, .gait = Ready}};
constexpr Leg kWalking[] = {{.length_s = 10.0, .gait = Walk}};
constexpr Leg kRunning[] = {{.length_s = 10.0, .gait = Run}};
// Not there and back on one line: where a body was drawn must tell when it was there.
constexpr Leg kStrafing[] = {{.length_s = 2.3, .sidestep = 1.0},
                             {.length_s = 1.1, .gait = Walk},
                             {.length_s = 2.3, .sidestep = -1.0},
                             {.length_s = 1.1, .gait = Walk}};
constexpr Leg kBackward[] = {{.length_s = 10.0, .gait = Back}};
constexpr Leg kTurning[] = {{.length_s = 1.4, .gait = Run},
                            {.length_s = 2.0, .gait = Run, .turn_deg_s = 45.0},
                            {.length_s = 0.9, .gait = Run},
                            {.length_s = 1.5, .gait = Run, .turn_deg_s = -60.0}};
constexpr Leg kStopAndGo[] = {{.length_s = 1.7, .gait = Run},
                              {.length_s = 1.1},
                              {.length_s = 1.6, .gait = Walk},
                              {.length_s = 0.9}};
constexpr Leg kJumping[] = {{.length_s = 1.9, .gait = Run},  {.gait = Run, .jump_m_s = 5.0},
                            {.length_s = 1.3, .gait = Run},  {.length_s = 0.7},
                            {.length_s = 1.2, .gait = Walk}, {.gait = Walk, .jump_m_s = 4.0},
                            {.length_s = 0.6, .gait = Walk}};
constexpr Leg kJumpingBack[] = {{.length_s = 1.9, .gait = Back}, {.gait = Back, .jump_m_s = 4.5}};
constexpr Leg kTeleporting[] = {{.length_s = 2.1, .gait = Run},
                                {.length_s = 2.3, .gait = Run, .teleport = {-15.0, 6.0, 0.0}}};

/// Blocked from the first to the second time, in seconds of arrival.
struct Obstacle {
    double from_s = 0.0;
    double to_s = 0.0;
};
constexpr Obstacle kObstacles[] = {{4.0, 5.5}, {8.2, 8.6}};

struct ScenarioRow {
    Scenario scenario;
    std::span<const Leg> legs;
    std::span<const Obstacle> obstacles{};
};

constexpr ScenarioRow kScenarioRows[] = {
    {{.name = "remote-standing",
      .title = "Standing still",
      .what = "It stands: whatever moves is a fault."},
     kStanding},
    {{.name = "remote-walker",
      .title = "Walker",
      .what = "It walks straight at 3.12 m/s: the even case."},
     kWalking},
    {{.name = "remote-runner",
      .title = "Runner",
      .what = "It runs straight at 4 m/s: what differs between updates shows at once."},
     kRunning},
    {{.name = "remote-strafe",
      .title = "Strafe",
      .what =
          "It sidesteps at 1.25 m/s, right and left in turn, with a few steps ahead in between."},
     kStrafing},
    {{.name = "remote-backward",
      .title = "Backward walk",
      .what = "It walks backward at 2.03 m/s: the heading is not the way."},
     kBackward},
    {{.name = "remote-turn",
      .title = "Turn",
      .what = "It runs curves of 45 and 60 degrees a second between straight stretches."},
     kTurning},
    {{.name = "remote-stop-and-go",
      .title = "Stop and go",
      .what = "It runs, stops, walks, stops: every change comes between updates."},
     kStopAndGo},
    {{.name = "remote-jump",
      .title = "Jump",
      .what = "It jumps at 5 m/s running and at 4 m/s walking: it must rise and land."},
     kJumping},
    {{.name = "remote-backward-jump",
      .title = "Backward jump",
      .what = "It jumps at 4.5 m/s while it walks backward."},
     kJumpingBack},
    {{.name = "remote-teleport",
      .title = "Teleport",
      .what = "It runs and is put 16 m away every 4.4 s: nothing may be drawn on the way."},
     kTeleporting},
    {{.name = "remote-blocked",
      .title = "Blocked body",
      .what = "It runs, but the reader's own world stops it for 1.5 and for 0.4 s: it must catch "
              "up or give up."},
     kRunning,
     kObstacles},
};

struct ConditionRow {
    Condition condition;
    NetworkPlan plan;
};

constexpr ConditionRow kConditionRows[] = {
    {{.name = "1hz",
      .title = "1 Hz",
      .what = "One update a second, 80 ms late.",
      .display_hz = kDisplayHz,
      .reference = true},
     {.update_hz = 1.0}},
    {{.name = "5hz",
      .title = "5 Hz",
      .what = "5 updates a second, 80 ms late.",
      .display_hz = kDisplayHz},
     {.update_hz = 5.0}},
    {{.name = "5hz-loss",
      .title = "5 Hz with loss",
      .what = "5 updates a second, 80 ms late; 20 % are lost.",
      .display_hz = kDisplayHz},
     {.update_hz = 5.0, .loss = 0.2}},
    {{.name = "5hz-reordered",
      .title = "5 Hz out of order",
      .what = "5 updates a second, 80 ms late; 20 % come behind the next one.",
      .display_hz = kDisplayHz},
     {.update_hz = 5.0, .reordering = 0.2}},
    {{.name = "5hz-duplicates",
      .title = "5 Hz with duplicates",
      .what = "5 updates a second, 80 ms late; 30 % come again 40 ms later.",
      .display_hz = kDisplayHz},
     {.update_hz = 5.0, .duplication = 0.3}},
    {{.name = "5hz-jitter",
      .title = "5 Hz with jitter",
      .what = "5 updates a second, 80 to 280 ms late.",
      .display_hz = kDisplayHz},
     {.update_hz = 5.0, .jitter_ms = 200.0}},
    {{.name = "20hz-rough",
      .title = "20 Hz, rough",
      .what = "20 updates a second, 80 to 110 ms late; 10 % are lost, 10 % come behind the next "
              "one.",
      .display_hz = kDisplayHz},
     {.update_hz = 20.0, .jitter_ms = 30.0, .loss = 0.1, .reordering = 0.1}},
};

constexpr auto kScenarios = [] {
    std::array<Scenario, std::size(kScenarioRows)> scenarios{};
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        scenarios[i] = kScenarioRows[i].scenario;
    }
    return scenarios;
}();

constexpr auto kConditions = [] {
    std::array<Condition, std::size(kConditionRows)> conditions{};
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        conditions[i] = kConditionRows[i].condition;
    }
    return conditions;
}();

template <typename Rows>
const auto* find_named(const Rows& rows, std::string_view name) {
    const auto found = std::find_if(std::begin(rows), std::end(rows),
                                    [name](const auto& row) { return name == row.name; });
    return found == std::end(rows) ? nullptr : &*found;
}

/// Makes a trace, kind of line by kind of line.
class TraceMaker {
public:
    TraceMaker(const ScenarioRow& scenario, const ConditionRow& condition,
               const TraceConfig& config)
        : scenario_(scenario),
          plan_(condition.plan),
          end_ns_(std::llround(config.length_s * 1e9)),
          script_(scenario.legs, end_ns_),
          seed_(config.seed),
          network_(condition.plan, config.seed) {
        trace_.header = {
            .name = std::string(scenario.scenario.name) + " / " + condition.condition.name,
            .source = TraceSource::Network};
    }

    Trace make() {
        add_ticks();
        add_packets();
        add_truth();
        // Until what is sent last, and is not held up, has arrived.
        const std::int64_t last_ns = end_ns_ + std::llround(plan_.latency_ms * 1e6);
        trace_.frames = make_frames({.display_hz = kDisplayHz}, last_ns);
        link_frames(trace_);
        return std::move(trace_);
    }

private:
    [[nodiscard]] TraceTick make_update(std::int64_t number, std::int64_t time_ns) const {
        const EntityState state = script_.at(time_ns);
        TracePose pose{.id = kEntity, .position = state.position};
        pose.rotation = rotation_of(state.heading_deg);
        pose.velocity = state.velocity;
        pose.angular_velocity = glm::dvec3{0.0, 0.0, -state.turn_deg_s * std::numbers::pi / 180.0};
        pose.cut = state.cut;
        pose.contact = state.contact;
        return {.tick = number, .sim_ns = time_ns, .poses = {pose}};
    }

    // Regular updates, and those that a teleport or a landing sends at once.
    void add_ticks() {
        std::vector<std::pair<std::int64_t, bool>> sends; // When, and whether reliably.
        const auto count =
            static_cast<std::int64_t>(static_cast<double>(end_ns_) / 1e9 * plan_.update_hz + 1e-9);
        for (std::int64_t i = 0; i <= count; ++i) {
            sends.emplace_back(std::llround(static_cast<double>(i) * 1e9 / plan_.update_hz), false);
        }
        for (const Script::Event& event : script_.events()) {
            const bool teleports = event.leg.teleport != glm::dvec3{0.0};
            if ((teleports || event.landed) && event.time_ns <= end_ns_) {
                sends.emplace_back(event.time_ns, true);
            }
        }
        std::sort(sends.begin(), sends.end());
        trace_.header.tick_ns =
            sends.size() == static_cast<std::size_t>(count) + 1
                ? std::optional(std::int64_t{std::llround(1e9 / plan_.update_hz)})
                : std::nullopt;
        std::int64_t number = 0;
        for (const auto& [time_ns, reliable] : sends) {
            add_arrivals(make_update(++number, time_ns), reliable);
        }
        std::stable_sort(
            trace_.ticks.begin(), trace_.ticks.end(),
            [](const TraceTick& a, const TraceTick& b) { return a.arrive_ns < b.arrive_ns; });
    }

    void add_arrivals(TraceTick tick, bool reliable) {
        // The first must arrive, or there would be nothing to draw.
        const bool surely = reliable || tick.tick == 1;
        const std::vector<std::int64_t> arrivals =
            surely ? std::vector{network_.send_reliably(tick.sim_ns)}
                   : network_.send_update(tick.sim_ns);
        for (const std::int64_t arrive_ns : arrivals) {
            tick.arrive_ns = arrive_ns;
            trace_.ticks.push_back(tick);
        }
    }

    void add_packets() {
        Network network(plan_, seed_ ^ kPacketStream);
        std::uint16_t motion = 0;
        std::uint16_t vector = 0;
        for (const Script::Event& event : script_.events()) {
            if (event.time_ns > end_ns_) {
                break;
            }
            const std::int64_t arrive_ns = network.send_reliably(event.time_ns);
            if (event.new_gait) {
                add(make_motion(event.leg, ++motion, arrive_ns));
            }
            if (event.leg.jump_m_s > 0.0) {
                add(TraceVector{.stamp = ++vector,
                                .id = kEntity,
                                .arrive_ns = arrive_ns,
                                .velocity = event.velocity});
            }
        }
        for (std::int64_t time_ns = 0; time_ns <= end_ns_; time_ns += kSecondNs) {
            add(TracePlayer{.arrive_ns = time_ns,
                            .position = script_.at(time_ns).position + kPlayerOffset});
        }
        for (const Obstacle& obstacle : scenario_.obstacles) {
            add_obstacle(true, obstacle.from_s);
            add_obstacle(false, obstacle.to_s);
        }
        std::stable_sort(trace_.packets.begin(), trace_.packets.end(),
                         [](const PacketLine& a, const PacketLine& b) {
                             return arrive_of(a.packet) < arrive_of(b.packet);
                         });
    }

    void add_obstacle(bool blocked, double time_s) {
        const std::int64_t time_ns = std::llround(time_s * 1e9);
        if (time_ns <= end_ns_) {
            add(TraceBlocked{.blocked = blocked, .id = kEntity, .arrive_ns = time_ns});
        }
    }

    [[nodiscard]] static TraceMotion make_motion(const Leg& leg, std::uint16_t stamp,
                                                 std::int64_t arrive_ns) {
        TraceMotion motion{.stamp = stamp, .id = kEntity, .arrive_ns = arrive_ns, .gait = leg.gait};
        if (leg.sidestep != 0.0) {
            motion.sidestep = leg.sidestep;
        }
        if (leg.turn_deg_s != 0.0) {
            motion.turn_deg_s = leg.turn_deg_s;
        }
        return motion;
    }

    void add(const TracePacket& packet) { trace_.packets.push_back({.packet = packet}); }

    void add_truth() {
        std::vector<std::int64_t> times;
        for (std::int64_t time_ns = 0; time_ns <= end_ns_; time_ns += kTruthStepNs) {
            times.push_back(time_ns);
        }
        for (const Script::Event& event : script_.events()) {
            times.push_back(std::max(event.time_ns - 1, std::int64_t{0}));
            times.push_back(event.time_ns);
        }
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        for (const std::int64_t time_ns : times) {
            if (time_ns <= end_ns_) {
                const EntityState state = script_.at(time_ns);
                trace_.truths.push_back({.time_ns = time_ns,
                                         .id = kEntity,
                                         .position = state.position,
                                         .rotation = rotation_of(state.heading_deg)});
            }
        }
    }

    // Packets have their own random numbers: how many there are must not change which updates are
    // lost.
    static constexpr std::uint64_t kPacketStream = 0x9E3779B97F4A7C15;

    const ScenarioRow& scenario_;
    NetworkPlan plan_;
    std::int64_t end_ns_;
    Script script_;
    std::uint64_t seed_;
    Network network_;
    Trace trace_{};
};

} // namespace

std::span<const Scenario> remote_scenarios() noexcept {
    return kScenarios;
}

const Scenario* find_remote_scenario(std::string_view name) noexcept {
    return find_named(kScenarios, name);
}

std::span<const Condition> remote_conditions() noexcept {
    return kConditions;
}

const Condition* find_remote_condition(std::string_view name) noexcept {
    return find_named(kConditions, name);
}

std::vector<const MethodInfo*> remote_methods() {
    return {find_method("newest"),    find_method("predict"), find_method("soft-snap"),
            find_method("chase-add"), find_method("chase"),   find_method("playout")};
}

Trace make_remote_trace(const Scenario& scenario, const Condition& condition,
                        const TraceConfig& config) {
    const auto* const scenario_row = std::find_if(
        std::begin(kScenarioRows), std::end(kScenarioRows), [&](const ScenarioRow& row) {
            return std::string_view(row.scenario.name) == scenario.name;
        });
    const auto* const condition_row = std::find_if(
        std::begin(kConditionRows), std::end(kConditionRows), [&](const ConditionRow& row) {
            return std::string_view(row.condition.name) == condition.name;
        });
    if (scenario_row == std::end(kScenarioRows) || condition_row == std::end(kConditionRows)) {
        return {}; // Not of the lists.
    }
    return TraceMaker(*scenario_row, *condition_row, config).make();
}

} // namespace glissade::lab
