// SPDX-License-Identifier: MIT
// How nodes come and go, and the step of one quantum. Stalls and snaps: chase_stall_test.cpp.
#include "glissade/remote/chase_queue.h"

#include <array>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kQuantum = 0.05;
constexpr double kFarGap = 100.0;
// Sums of numbers up to 100: a few units in the last place.
constexpr double kExact = 1e-12;
const RemoteTuning kTuning;

glm::dvec3 north(double metres) {
    return {0.0, metres, 0.0};
}

ChaseBody runner_at(double y) {
    return {.position = north(y), .adjusted_max_speed = 4.0};
}

// A queue with nodes at these places to the north.
ChaseQueue queue_at(const std::vector<double>& places, const ChaseState& state = {}) {
    std::vector<ChaseNode> nodes;
    nodes.reserve(places.size());
    for (const double y : places) {
        nodes.push_back({.position = north(y)});
    }
    ChaseQueue queue;
    queue.restore(nodes, state);
    return queue;
}

std::vector<double> places_of(const ChaseQueue& queue) {
    std::vector<double> places;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        places.push_back(queue.node(i).position.y);
    }
    return places;
}

// Counters that are all different from those of a fresh queue.
ChaseState busy() {
    return {.keep_heading = true,
            .quantum_count = 3,
            .window_s = 0.15,
            .original_distance_m = 4.5,
            .failure_count = 2,
            .blip_node = ChaseNode{.position = north(7.0)}};
}

TEST(ChaseQueue, IsEmptyAtFirst) {
    const ChaseQueue queue;
    EXPECT_EQ(queue.size(), 0U);
    EXPECT_EQ(queue.state(), ChaseState{});
    EXPECT_EQ(queue.state().original_distance_m, kTuning.first_distance_m);
}

TEST(ChaseQueue, AddsAtTheTailAndLeavesTheCountersAlone) {
    ChaseQueue queue = queue_at({1.0}, busy());
    const EnqueueResult result =
        queue.enqueue(kTuning, runner_at(0.0), north(2.0), 30.0, true, kFarGap);
    EXPECT_EQ(result.branch, Enqueued::Appended);
    EXPECT_EQ(result.heading_deg, std::nullopt);
    EXPECT_EQ(places_of(queue), (std::vector{1.0, 2.0}));
    EXPECT_EQ(queue.state(), busy());
}

TEST(ChaseQueue, AddsEvenAPlaceJustOutsideOfReach) {
    ChaseQueue queue;
    queue.enqueue(kTuning, runner_at(0.0), north(0.0501), 0.0, false, kFarGap);
    EXPECT_EQ(queue.size(), 1U);
}

TEST(ChaseQueue, DropsTheOldestAtItsCap) {
    ChaseQueue queue;
    for (int i = 1; i <= 20; ++i) {
        const EnqueueResult result =
            queue.enqueue(kTuning, runner_at(0.0), north(i), 0.0, false, kFarGap);
        EXPECT_EQ(result.dropped_count, 0U);
    }
    EXPECT_EQ(
        queue.enqueue(kTuning, runner_at(0.0), north(21.0), 0.0, false, kFarGap).dropped_count, 1U);
    EXPECT_EQ(queue.size(), 20U);
    EXPECT_EQ(queue.node(0).position, north(2.0));
    EXPECT_EQ(queue.node(19).position, north(21.0));
}

TEST(ChaseQueue, ReplacesDuplicatesOfTheNewPlace) {
    ChaseQueue queue = queue_at({5.0, 9.0, 5.02, 4.99});
    const EnqueueResult result =
        queue.enqueue(kTuning, runner_at(0.0), north(5.01), 90.0, false, kFarGap);
    EXPECT_EQ(result.pruned_count, 2U);
    EXPECT_EQ(places_of(queue), (std::vector{5.0, 9.0, 5.01}));
    EXPECT_EQ(queue.node(2).heading_deg, 90.0);
}

TEST(ChaseQueue, ATailAtTheReachIsNoDuplicate) {
    RemoteTuning tuning;
    tuning.reach_m = 0.0625; // A number that doubles hold exactly.
    ChaseQueue queue = queue_at({0.5});
    queue.enqueue(tuning, runner_at(0.0), north(0.5625), 0.0, false, kFarGap);
    EXPECT_EQ(queue.size(), 2U);
    queue.enqueue(tuning, runner_at(0.0), north(0.6249), 0.0, false, kFarGap);
    EXPECT_EQ(places_of(queue), (std::vector{0.5, 0.6249}));
}

TEST(ChaseQueue, LiterallyADuplicateIsDropped) {
    ChaseQueue queue = queue_at({5.0});
    const EnqueueResult result =
        queue.enqueue(RemoteTuning::literal(), runner_at(0.0), north(5.03), 90.0, true, kFarGap);
    EXPECT_EQ(result.branch, Enqueued::Dropped);
    EXPECT_EQ(places_of(queue), (std::vector{5.0}));
    EXPECT_EQ(queue.node(0).heading_deg, 0.0);
    EXPECT_FALSE(queue.state().keep_heading);
    queue.enqueue(RemoteTuning::literal(), runner_at(0.0), north(5.06), 90.0, true, kFarGap);
    EXPECT_EQ(queue.size(), 2U);
}

TEST(ChaseQueue, ANodeTakesTheBodysHeadingIfThatIsKept) {
    ChaseBody body = runner_at(0.0);
    body.heading_deg = 80.0;
    ChaseQueue queue;
    queue.enqueue(kTuning, body, north(1.0), 10.0, true, kFarGap);
    EXPECT_EQ(queue.node(0).heading_deg, 80.0);
    EXPECT_TRUE(queue.state().keep_heading);
    queue.enqueue(kTuning, body, north(2.0), 10.0, false, kFarGap);
    EXPECT_EQ(queue.node(1).heading_deg, 10.0);
    EXPECT_FALSE(queue.state().keep_heading);
}

TEST(ChaseQueue, AFarPlaceFailsAtOnceAndIgnoresCapAndDuplicates) {
    for (const bool stored_keep : {false, true}) {
        ChaseQueue queue = queue_at(std::vector<double>(20, 1.0), {.keep_heading = stored_keep});
        ChaseBody body = runner_at(0.0);
        body.heading_deg = 270.0;
        // The argument is neither used nor stored.
        const EnqueueResult result =
            queue.enqueue(kTuning, body, north(101.001), 10.0, !stored_keep, kFarGap);
        EXPECT_EQ(result.branch, Enqueued::FarAppended);
        EXPECT_EQ(queue.size(), 21U);
        EXPECT_EQ(queue.node(20).heading_deg, stored_keep ? 270.0 : 10.0);
        EXPECT_EQ(queue.state().keep_heading, stored_keep);
        EXPECT_EQ(queue.state().failure_count, 4U);
    }
}

TEST(ChaseQueue, TheGapIsMeasuredFromTheTailOrTheBody) {
    ChaseQueue queue;
    EXPECT_EQ(queue.enqueue(kTuning, runner_at(0.0), north(100.0), 0.0, false, kFarGap).branch,
              Enqueued::Appended);
    EXPECT_EQ(queue.enqueue(kTuning, runner_at(0.0), north(199.0), 0.0, false, kFarGap).branch,
              Enqueued::Appended);
    EXPECT_EQ(queue.enqueue(kTuning, runner_at(0.0), north(20.0), 0.0, false, kFarGap).branch,
              Enqueued::FarAppended);
}

TEST(ChaseQueue, ANodeOfAnotherKindIsNoPlace) {
    const std::array<ChaseNode, 1> jump{
        ChaseNode{.position = north(400.0), .kind = NodeKind::Jump}};
    ChaseQueue queue;
    queue.restore(jump, {});
    EXPECT_EQ(queue.enqueue(kTuning, runner_at(0.0), north(50.0), 0.0, false, kFarGap).branch,
              Enqueued::Appended);
    queue.restore(jump, {});
    const EnqueueResult beside =
        queue.enqueue(kTuning, runner_at(390.0), north(400.0), 0.0, false, kFarGap);
    EXPECT_EQ(beside.pruned_count, 0U);
    EXPECT_EQ(queue.size(), 2U);
}

TEST(ChaseQueue, FarPlacesBeyondTheCapacityPushTheOldestOut) {
    ChaseQueue queue;
    for (int i = 0; i < 40; ++i) {
        queue.enqueue(kTuning, runner_at(0.0), north(200.0 * (i + 1)), 0.0, false, kFarGap);
    }
    EXPECT_EQ(queue.size(), kChaseCapacity);
    EXPECT_EQ(queue.node(0).position, north(200.0 * 9));
    EXPECT_EQ(queue.node(kChaseCapacity - 1).position, north(200.0 * 40));
    // A near place brings it back under its cap.
    EXPECT_EQ(
        queue.enqueue(kTuning, runner_at(0.0), north(8001.0), 0.0, false, kFarGap).dropped_count,
        13U);
    EXPECT_EQ(queue.size(), 20U);
}

TEST(ChaseQueue, APlaceWithinReachOfTheBodyEndsTheChase) {
    for (const bool keep : {false, true}) {
        ChaseQueue queue = queue_at({5.0, 2.0}, busy());
        const EnqueueResult result =
            queue.enqueue(kTuning, runner_at(0.0), north(0.05), 120.0, keep, kFarGap);
        EXPECT_EQ(result.branch, Enqueued::AlreadyClose);
        EXPECT_EQ(result.heading_deg, keep ? std::nullopt : std::optional(120.0));
        EXPECT_EQ(queue.size(), 0U);
        EXPECT_EQ(queue.state(), (ChaseState{.keep_heading = true, .blip_node = busy().blip_node}));
    }
}

TEST(ChaseQueue, ClearingKeepsTheHeadingFlagAndTheBlipNode) {
    ChaseQueue queue = queue_at({5.0, 2.0}, busy());
    queue.clear(kTuning);
    EXPECT_EQ(queue.size(), 0U);
    EXPECT_EQ(queue.state(), (ChaseState{.keep_heading = true, .blip_node = busy().blip_node}));
}

TEST(ChaseQueue, RestoresWhatItWasTold) {
    const ChaseQueue queue = queue_at({1.0, 2.0, 3.0}, busy());
    EXPECT_EQ(places_of(queue), (std::vector{1.0, 2.0, 3.0}));
    EXPECT_EQ(queue.state(), busy());
    std::vector<double> many(kChaseCapacity + 2, 0.0);
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = static_cast<double>(i);
    }
    const ChaseQueue full = queue_at(many);
    EXPECT_EQ(full.size(), kChaseCapacity);
    EXPECT_EQ(full.node(0).position, north(2.0));
}

TEST(ChaseStep, AnEmptyQueueDoesNothing) {
    ChaseQueue queue;
    const ChaseStep step = queue.adjust(kTuning, runner_at(0.0), kQuantum);
    EXPECT_EQ(step.event, ChaseEvent::None);
    EXPECT_FALSE(step.moves);
    EXPECT_EQ(step.move, glm::dvec3(0.0));
    EXPECT_EQ(queue.state(), ChaseState{});
}

TEST(ChaseStep, RestsWithoutContactAndBehindOtherKinds) {
    ChaseBody flying = runner_at(0.0);
    flying.contact = false;
    ChaseQueue queue = queue_at({1.0}, busy());
    EXPECT_EQ(queue.adjust(kTuning, flying, kQuantum).event, ChaseEvent::None);
    EXPECT_EQ(queue.state(), busy());
    for (const NodeKind kind : {NodeKind::Jump, NodeKind::Velocity}) {
        const std::array nodes{ChaseNode{.position = north(1.0), .kind = kind},
                               ChaseNode{.position = north(2.0)}};
        queue.restore(nodes, {});
        EXPECT_EQ(queue.adjust(kTuning, runner_at(0.0), kQuantum).event, ChaseEvent::None);
        EXPECT_EQ(queue.size(), 2U);
        // The end of the quantum consumes it.
        EXPECT_EQ(queue.finish(kTuning, runner_at(0.0)), std::nullopt);
        EXPECT_EQ(places_of(queue), (std::vector{2.0}));
        EXPECT_EQ(queue.state().original_distance_m, 2.0);
    }
}

TEST(ChaseStep, AReachedHeadIsPoppedAndRootMotionMoves) {
    ChaseQueue queue = queue_at({1.04, 3.0}, busy());
    const ChaseStep step = queue.adjust(kTuning, runner_at(1.0), kQuantum);
    EXPECT_EQ(step.event, ChaseEvent::Completed);
    EXPECT_FALSE(step.moves);
    EXPECT_EQ(places_of(queue), (std::vector{3.0}));
    // A new window, measured to the next node; failures stay.
    EXPECT_EQ(queue.state().original_distance_m, 2.0);
    EXPECT_EQ(queue.state().quantum_count, 0U);
    EXPECT_EQ(queue.state().window_s, 0.0);
    EXPECT_EQ(queue.state().failure_count, 2U);
}

TEST(ChaseStep, TheLastReachedNodeClearsTheFailures) {
    ChaseQueue queue = queue_at({1.04}, busy());
    EXPECT_EQ(queue.adjust(kTuning, runner_at(1.0), kQuantum).event, ChaseEvent::Completed);
    EXPECT_EQ(queue.state(), (ChaseState{.keep_heading = true, .blip_node = busy().blip_node}));
}

TEST(ChaseStep, IsAsFastAsTheChaseSpeedAllows) {
    ChaseQueue queue = queue_at({10.0});
    const ChaseStep step = queue.adjust(kTuning, runner_at(0.0), kQuantum);
    EXPECT_EQ(step.event, ChaseEvent::Step);
    EXPECT_TRUE(step.moves);
    EXPECT_EQ(step.speed_m_s, 8.0);
    EXPECT_NEAR(step.move.y, 0.4, kExact);
    EXPECT_EQ(queue.state().quantum_count, 1U);
    EXPECT_EQ(queue.state().window_s, kQuantum);
}

TEST(ChaseStep, ABodyWithoutSpeedsHasTheFallback) {
    ChaseQueue queue = queue_at({10.0});
    const ChaseStep step = queue.adjust(kTuning, {}, kQuantum);
    EXPECT_EQ(step.speed_m_s, 7.5);
    EXPECT_NEAR(step.move.y, 0.375, kExact);
}

TEST(ChaseStep, NeverOvershoots) {
    ChaseQueue queue = queue_at({0.3});
    EXPECT_EQ(queue.adjust(kTuning, runner_at(0.0), kQuantum).move, north(0.3));
    EXPECT_EQ(queue.size(), 1U) << "arrival and pop are different quanta";
    EXPECT_EQ(queue.adjust(kTuning, runner_at(0.3), kQuantum).event, ChaseEvent::Completed);
}

TEST(ChaseStep, AtExactlyTheReachItMovesAndCompletes) {
    RemoteTuning tuning;
    tuning.reach_m = 0.0625; // A number that doubles hold exactly.
    ChaseQueue queue = queue_at({1.0625, 2.0});
    const ChaseStep step = queue.adjust(tuning, runner_at(1.0), kQuantum);
    EXPECT_EQ(step.event, ChaseEvent::Step);
    EXPECT_EQ(step.move, north(0.0625));
    EXPECT_EQ(places_of(queue), (std::vector{2.0}));
}

TEST(ChaseStep, TurnsToTheHeadingOfTheNodeUnlessItIsKept) {
    for (const bool keep : {false, true}) {
        const std::array nodes{ChaseNode{.position = north(5.0), .heading_deg = 10.0}};
        ChaseQueue queue;
        queue.restore(nodes, {.keep_heading = keep});
        ChaseBody body = runner_at(0.0);
        body.heading_deg = 350.0;
        EXPECT_EQ(queue.adjust(kTuning, body, kQuantum).turn_deg, keep ? 0.0 : 20.0);
    }
}

TEST(ChaseStep, GoesUpAndDownToo) {
    ChaseQueue queue;
    const std::array nodes{ChaseNode{.position = {3.0, 0.0, 4.0}}};
    queue.restore(nodes, {});
    const ChaseStep step = queue.adjust(kTuning, runner_at(0.0), kQuantum);
    EXPECT_NEAR(step.move.x, 0.24, kExact);
    EXPECT_NEAR(step.move.z, 0.32, kExact);
}

} // namespace
} // namespace glissade
