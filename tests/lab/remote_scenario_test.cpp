// SPDX-License-Identifier: MIT
#include "lab/remote_scenario.h"

#include "lab/remote/network.h"
#include "lab/remote/script.h"
#include "lab/trace_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kLatencyNs = 80 * kMs;

Trace make(const char* scenario, const char* condition = "1hz", double length_s = 12.0,
           std::uint64_t seed = 1) {
    const Scenario* const found = find_remote_scenario(scenario);
    const Condition* const network = find_remote_condition(condition);
    EXPECT_NE(found, nullptr) << scenario;
    EXPECT_NE(network, nullptr) << condition;
    return make_remote_trace(*found, *network, {.seed = seed, .length_s = length_s});
}

template <typename Packet>
std::vector<Packet> packets_of(const Trace& trace) {
    std::vector<Packet> found;
    for (const PacketLine& line : trace.packets) {
        if (const auto* const packet = std::get_if<Packet>(&line.packet)) {
            found.push_back(*packet);
        }
    }
    return found;
}

double highest(const Trace& trace) {
    double height = 0.0;
    for (const TraceTruth& truth : trace.truths) {
        height = std::max(height, truth.position.z);
    }
    return height;
}

TEST(Script, GoesAtTheSpeedOfItsGait) {
    const auto speed = [](const Leg& leg) {
        const Script script({&leg, 1}, 1'000 * kMs);
        return glm::distance(script.at(500 * kMs).position, script.at(0).position) / 0.5;
    };
    EXPECT_NEAR(speed({.gait = TraceGait::Run}), 4.0, 1e-12);
    EXPECT_NEAR(speed({.gait = TraceGait::Walk}), 3.12, 1e-12);
    EXPECT_NEAR(speed({.gait = TraceGait::Back}), 3.12 * 0.65, 1e-12);
    EXPECT_NEAR(speed({.sidestep = 1.0}), 1.25, 1e-12);
    EXPECT_EQ(speed({}), 0.0);
}

TEST(Script, HeadingsAreThoseOfACompass) {
    const Leg legs[] = {{.length_s = 1.0, .gait = TraceGait::Run, .turn_deg_s = 90.0},
                        {.length_s = 1.0, .gait = TraceGait::Run}};
    const Script script(legs, 2'000 * kMs);
    EXPECT_EQ(script.at(0).velocity.y, 4.0); // North.
    // A quarter turn clockwise: east, after an arc whose radius is speed / rate.
    const EntityState turned = script.at(1'000 * kMs);
    const double radius = 4.0 / (std::acos(-1.0) / 2.0);
    EXPECT_NEAR(turned.position.x, radius, 1e-12);
    EXPECT_NEAR(turned.position.y, radius, 1e-12);
    EXPECT_NEAR(turned.velocity.x, 4.0, 1e-12);
    // Rotating (0, 1, 0) by the rotation of that heading gives east as well.
    const glm::dvec3 forward = rotation_of(90.0) * glm::dvec3(0.0, 1.0, 0.0);
    EXPECT_NEAR(forward.x, 1.0, 1e-12);
    EXPECT_NEAR(forward.y, 0.0, 1e-12);
}

TEST(Script, AJumpRisesAndLands) {
    const Leg legs[] = {{.length_s = 1.0, .gait = TraceGait::Run},
                        {.gait = TraceGait::Run, .jump_m_s = 4.9}};
    const Script script(legs, 4'000 * kMs);
    // 4.9 / 9.8 = 0.5 s up, 0.5 s down.
    EXPECT_FALSE(script.at(1'500 * kMs).contact);
    EXPECT_NEAR(script.at(1'500 * kMs).position.z, 4.9 * 4.9 / 9.8 / 2.0, 1e-12);
    EXPECT_TRUE(script.at(2'000 * kMs).contact);
    EXPECT_EQ(script.at(2'000 * kMs).position.z, 0.0);
    EXPECT_NEAR(script.at(2'000 * kMs).position.y, 8.0, 1e-12);
    ASSERT_GE(script.events().size(), 3U);
    EXPECT_EQ(script.events()[1].velocity, glm::dvec3(0.0, 4.0, 4.9));
    EXPECT_FALSE(script.events()[1].new_gait);
    EXPECT_TRUE(script.events()[2].landed);
}

TEST(Network, OfASteadyOneEverythingComesOnceAndInTime) {
    Network network({.update_hz = 5.0, .latency_ms = 80.0}, 1);
    for (std::int64_t time_ns = 0; time_ns < 1'000 * kMs; time_ns += 200 * kMs) {
        EXPECT_EQ(network.send_update(time_ns), std::vector{time_ns + kLatencyNs});
        EXPECT_EQ(network.send_reliably(time_ns), time_ns + kLatencyNs);
    }
}

TEST(Network, LosesDelaysAndRepeatsAboutAsOftenAsItSays) {
    Network network({.update_hz = 5.0, .loss = 0.2, .reordering = 0.2, .duplication = 0.3}, 1);
    int lost = 0;
    int late = 0;
    int twice = 0;
    for (int i = 0; i < 1000; ++i) {
        const std::vector<std::int64_t> arrivals = network.send_update(0);
        lost += arrivals.empty() ? 1 : 0;
        late += !arrivals.empty() && arrivals[0] == kLatencyNs + 300 * kMs ? 1 : 0;
        twice += arrivals.size() == 2 ? 1 : 0;
        EXPECT_TRUE(arrivals.size() < 2 || arrivals[1] == arrivals[0] + 40 * kMs);
    }
    // Means 200, 160 and 240 of 1000; standard deviations below 14, and four of them.
    EXPECT_NEAR(lost, 200, 56);
    EXPECT_NEAR(late, 160, 56);
    EXPECT_NEAR(twice, 240, 56);
}

TEST(Network, JitterStaysInItsRangeAndReliablePacketsInOrder) {
    Network network({.update_hz = 5.0, .latency_ms = 80.0, .jitter_ms = 200.0}, 1);
    std::int64_t last_ns = 0;
    std::set<std::int64_t> delays;
    for (std::int64_t time_ns = 0; time_ns < 10'000 * kMs; time_ns += 10 * kMs) {
        const std::vector<std::int64_t> arrivals = network.send_update(time_ns);
        ASSERT_EQ(arrivals.size(), 1U);
        const std::int64_t delay_ns = arrivals[0] - time_ns;
        EXPECT_TRUE(delay_ns >= kLatencyNs && delay_ns <= kLatencyNs + 200 * kMs) << delay_ns;
        delays.insert(delay_ns / (20 * kMs));
        const std::int64_t arrive_ns = network.send_reliably(time_ns);
        EXPECT_GE(arrive_ns, last_ns);
        last_ns = arrive_ns;
    }
    EXPECT_EQ(delays.size(), 10U); // All over the range.
}

TEST(RemoteScenario, TheListsHaveWhatTheReportPromises) {
    EXPECT_EQ(remote_scenarios().size(), 11U);
    EXPECT_EQ(remote_conditions().size(), 7U);
    EXPECT_STREQ(remote_conditions().front().name, "1hz");
    int references = 0;
    for (const Condition& condition : remote_conditions()) {
        references += condition.reference ? 1 : 0;
        EXPECT_EQ(condition.display_hz, 60.0);
    }
    EXPECT_EQ(references, 1);
    for (const Scenario& scenario : remote_scenarios()) {
        EXPECT_EQ(find_scenario(scenario.name), nullptr) << scenario.name;
        EXPECT_TRUE(std::string(scenario.name).starts_with("remote-"));
    }
    std::vector<std::string> names;
    for (const MethodInfo* const method : remote_methods()) {
        ASSERT_NE(method, nullptr);
        names.emplace_back(method->name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"newest", "predict", "soft-snap", "chase-add",
                                               "chase", "playout"}));
    EXPECT_EQ(find_remote_scenario("runner"), nullptr);
    EXPECT_EQ(find_remote_condition("60hz"), nullptr);
    EXPECT_TRUE(make_remote_trace({.name = "x"}, remote_conditions().front()).ticks.empty());
}

TEST(RemoteScenario, EveryTraceReadsBackAsItWasMade) {
    for (const Scenario& scenario : remote_scenarios()) {
        for (const Condition& condition : remote_conditions()) {
            SCOPED_TRACE(std::string(scenario.name) + " / " + condition.name);
            const Trace trace = make_remote_trace(scenario, condition, {.length_s = 5.0});
            EXPECT_EQ(trace.header.source, TraceSource::Network);
            EXPECT_FALSE(trace.ticks.empty());
            EXPECT_GT(trace.frames.size(), 290U);
            TraceLoader loader;
            ASSERT_TRUE(loader.push(to_text(trace)) && loader.finish()) << loader.error().cause;
            EXPECT_EQ(loader.trace().ticks, trace.ticks);
            EXPECT_EQ(loader.trace().packets.size(), trace.packets.size());
            EXPECT_EQ(to_text(loader.trace()), to_text(trace));
        }
    }
}

TEST(RemoteScenario, TheSeedDecides) {
    EXPECT_EQ(to_text(make("remote-runner", "20hz-rough", 5.0, 7)),
              to_text(make("remote-runner", "20hz-rough", 5.0, 7)));
    EXPECT_NE(to_text(make("remote-runner", "20hz-rough", 5.0, 7)),
              to_text(make("remote-runner", "20hz-rough", 5.0, 8)));
}

TEST(RemoteScenario, TheRunnerIsUpdatedOnceASecondAndSaysOnceThatItRuns) {
    const Trace trace = make("remote-runner");
    ASSERT_EQ(trace.ticks.size(), 13U);
    for (std::size_t i = 0; i < trace.ticks.size(); ++i) {
        EXPECT_EQ(trace.ticks[i].tick, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(trace.ticks[i].arrive_ns - trace.ticks[i].sim_ns, kLatencyNs);
        EXPECT_EQ(trace.ticks[i].poses.at(0).velocity, glm::dvec3(0.0, 4.0, 0.0));
        EXPECT_NEAR(trace.ticks[i].poses.at(0).position.y, 4.0 * static_cast<double>(i), 1e-9);
    }
    EXPECT_EQ(trace.header.tick_ns, 1'000 * kMs);
    const std::vector<TraceMotion> motions = packets_of<TraceMotion>(trace);
    ASSERT_EQ(motions.size(), 1U);
    EXPECT_EQ(motions[0].gait, TraceGait::Run);
    EXPECT_EQ(motions[0].arrive_ns, kLatencyNs);
    // The local player is never far.
    for (const TracePlayer& player : packets_of<TracePlayer>(trace)) {
        EXPECT_LT(std::abs(player.position.y - 4e-9 * static_cast<double>(player.arrive_ns)), 1.0);
    }
}

TEST(RemoteScenario, JumpsAreInTheAirUntilTheySayThatTheyLanded) {
    for (const char* const name : {"remote-jump", "remote-backward-jump"}) {
        const Trace trace = make(name, "5hz");
        EXPECT_GT(highest(trace), 0.8) << name;
        EXPECT_GE(packets_of<TraceVector>(trace).size(), 2U) << name;
        EXPECT_FALSE(trace.header.tick_ns) << name; // A landing comes between the others.
        std::size_t airborne = 0;
        for (const TraceTick& tick : trace.ticks) {
            const TracePose& pose = tick.poses.at(0);
            airborne += pose.contact ? 0U : 1U;
            EXPECT_EQ(pose.contact, std::abs(pose.velocity->z) < 1e-12) << tick.sim_ns;
            EXPECT_TRUE(!pose.contact || pose.position.z == 0.0) << tick.sim_ns;
        }
        EXPECT_GE(airborne, 8U) << name;
    }
}

TEST(RemoteScenario, ATeleportIsCountedAndSaidAtOnce) {
    const Trace trace = make("remote-teleport");
    std::map<std::int64_t, std::int64_t> first_ns; // By cut.
    for (const TraceTick& tick : trace.ticks) {
        first_ns.try_emplace(tick.poses.at(0).cut.value_or(-1), tick.sim_ns);
    }
    EXPECT_EQ(first_ns, (std::map<std::int64_t, std::int64_t>{
                            {0, 0}, {1, 2'100 * kMs}, {2, 6'500 * kMs}, {3, 10'900 * kMs}}));
}

TEST(RemoteScenario, TheBlockedBodyIsBlockedAndLetGo) {
    const std::vector<TraceBlocked> lines = packets_of<TraceBlocked>(make("remote-blocked"));
    ASSERT_EQ(lines.size(), 4U);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i].blocked, i % 2 == 0);
        EXPECT_EQ(lines[i].id, 1);
    }
    EXPECT_TRUE(packets_of<TraceBlocked>(make("remote-runner")).empty());
}

TEST(RemoteScenario, EachNetworkDoesWhatItSays) {
    const auto numbers = [](const char* condition) {
        std::vector<std::int64_t> found;
        for (const TraceTick& tick : make("remote-runner", condition).ticks) {
            found.push_back(tick.tick);
        }
        return found;
    };
    const auto is_unique = [](std::vector<std::int64_t> values) {
        std::sort(values.begin(), values.end());
        return std::adjacent_find(values.begin(), values.end()) == values.end();
    };
    const std::vector<std::int64_t> steady = numbers("5hz");
    EXPECT_EQ(steady.size(), 61U);
    EXPECT_TRUE(std::is_sorted(steady.begin(), steady.end()) && is_unique(steady));
    EXPECT_LT(numbers("5hz-loss").size(), 56U);
    const std::vector<std::int64_t> reordered = numbers("5hz-reordered");
    EXPECT_EQ(reordered.size(), 61U);
    EXPECT_FALSE(std::is_sorted(reordered.begin(), reordered.end()));
    EXPECT_FALSE(is_unique(numbers("5hz-duplicates")));
    const std::vector<std::int64_t> rough = numbers("20hz-rough");
    EXPECT_LT(rough.size(), 241U);
    EXPECT_FALSE(std::is_sorted(rough.begin(), rough.end()));
}

} // namespace
} // namespace glissade::lab
