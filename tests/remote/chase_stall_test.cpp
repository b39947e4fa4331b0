// SPDX-License-Identifier: MIT
// What the chase does when the body does not get on: windows, failures, snaps.
#include "glissade/remote/chase_queue.h"

#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kQuantum = 1.0 / 30.0;
const RemoteTuning kTuning;

glm::dvec3 north(double metres) {
    return {0.0, metres, 0.0};
}

// A body that chases places to the north; the world lets it move by `allowed` of each step.
struct World {
    RemoteTuning tuning{};
    ChaseBody body{.adjusted_max_speed = 4.0};
    ChaseQueue queue{};
    int quantum_count = 0;

    explicit World(const std::vector<double>& places, const RemoteTuning& config = {})
        : tuning(config) {
        for (const double y : places) {
            queue.enqueue(tuning, body, north(y), 0.0, false, tuning.far_gap_outdoors_m);
        }
    }

    ChaseEvent adjust(double allowed) {
        ++quantum_count;
        const ChaseStep step = queue.adjust(tuning, body, kQuantum);
        body.position += step.move * allowed;
        return step.event;
    }
    // True: it snapped.
    bool finish(bool may_place = true) {
        const auto place = queue.finish(tuning, body);
        if (place && may_place) {
            body.position = place->position;
            queue.clear(tuning);
        }
        return place.has_value();
    }
    // The quantum in which it snaps; 0: it never does.
    int run_until_snap(double allowed) {
        while (quantum_count < 1000 && queue.size() > 0) {
            static_cast<void>(adjust(allowed));
            if (finish()) {
                return quantum_count;
            }
        }
        return 0;
    }
};

// The quanta with one of these events, while nothing snaps.
std::vector<int> quanta_of(World& world, ChaseEvent event, int quantum_count, double allowed) {
    std::vector<int> quanta;
    for (int i = 0; i < quantum_count; ++i) {
        if (world.adjust(allowed) == event) {
            quanta.push_back(world.quantum_count);
        }
    }
    return quanta;
}

TEST(ChaseStall, ProgressIsLookedAtEveryFiveQuanta) {
    World world({90.0});
    EXPECT_EQ(quanta_of(world, ChaseEvent::StepWindowPass, 22, 1.0), (std::vector{5, 10, 15, 20}));
    EXPECT_EQ(world.queue.state().failure_count, 0U);
}

TEST(ChaseStall, TheFirstWindowAlwaysPassesAndTheSecondFails) {
    World world({5.0, 6.0});
    EXPECT_EQ(quanta_of(world, ChaseEvent::StepWindowPass, 5, 0.0), (std::vector{5}));
    EXPECT_EQ(world.queue.state().original_distance_m, 5.0);
    EXPECT_EQ(quanta_of(world, ChaseEvent::StallFail, 5, 0.0), (std::vector{10}));
}

TEST(ChaseStall, AFailureDropsTheHeadAndDoesNotMove) {
    World world({5.0, 6.0});
    static_cast<void>(quanta_of(world, ChaseEvent::None, 9, 0.0));
    const ChaseStep step = world.queue.adjust(kTuning, world.body, kQuantum);
    EXPECT_EQ(step.event, ChaseEvent::StallFail);
    EXPECT_FALSE(step.moves);
    EXPECT_EQ(world.queue.size(), 1U);
    EXPECT_EQ(world.queue.state(), (ChaseState{.original_distance_m = 6.0, .failure_count = 1}));
    EXPECT_FALSE(world.finish());
}

TEST(ChaseStall, ASingleBlockedNodeIsSnappedToAtQuantum10) {
    World world({5.0});
    EXPECT_EQ(world.run_until_snap(0.0), 10);
    EXPECT_EQ(world.body.position, north(5.0));
    EXPECT_EQ(world.queue.state().failure_count, 0U);
    EXPECT_EQ(world.queue.state().blip_node, (ChaseNode{.position = north(5.0)}));
}

TEST(ChaseStall, TwoBlockedNodesFailAt10And15) {
    World world({5.0, 6.0});
    EXPECT_EQ(world.run_until_snap(0.0), 15);
    EXPECT_EQ(world.body.position, north(6.0));
}

TEST(ChaseStall, TheFourthFailureSnapsToTheTail) {
    World five({5.0, 6.0, 7.0, 8.0, 9.0});
    EXPECT_EQ(five.run_until_snap(0.0), 25);
    EXPECT_EQ(five.body.position, north(9.0));
    World seven({5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0});
    EXPECT_EQ(seven.run_until_snap(0.0), 25);
    EXPECT_EQ(seven.body.position, north(11.0));
}

TEST(ChaseStall, AFarGapSnapsInTheNextQuantumWithOrWithoutContact) {
    for (const bool contact : {false, true}) {
        World world({150.0});
        world.body.contact = contact;
        EXPECT_EQ(world.run_until_snap(1.0), 1);
        EXPECT_EQ(world.body.position, north(150.0));
    }
}

TEST(ChaseStall, ARefusedSnapChangesNothingAndIsTriedAgain) {
    World world({5.0});
    static_cast<void>(quanta_of(world, ChaseEvent::None, 10, 0.0));
    const ChaseState failed = world.queue.state();
    EXPECT_TRUE(world.finish(false));
    EXPECT_EQ(world.queue.state(), failed);
    EXPECT_EQ(world.adjust(0.0), ChaseEvent::None);
    EXPECT_TRUE(world.finish());
    EXPECT_EQ(world.body.position, north(5.0));
    EXPECT_FALSE(world.finish());
}

TEST(ChaseStall, ThirtyPercentOfTheSpeedIsEnough) {
    World fast_enough({5.0});
    EXPECT_EQ(fast_enough.run_until_snap(0.31), 0);
    World too_slow({5.0});
    EXPECT_EQ(too_slow.run_until_snap(0.29), 10);
}

TEST(ChaseStall, TheWindowCountsTimeAndNotQuanta) {
    // 1 m in 0.2 s + 0.2 s at 8 m/s: 31 %.
    const std::vector<ChaseNode> nodes{{.position = north(10.0)}};
    const ChaseState state{.quantum_count = 4, .window_s = 0.2, .original_distance_m = 10.0};
    const ChaseBody body{.position = north(1.0), .adjusted_max_speed = 4.0};
    ChaseQueue queue;
    queue.restore(nodes, state);
    EXPECT_EQ(queue.adjust(kTuning, body, 0.2).event, ChaseEvent::StepWindowPass);
    queue.restore(nodes, state);
    EXPECT_EQ(queue.adjust(kTuning, body, 0.25).event, ChaseEvent::StallFail);
}

TEST(ChaseStall, ProgressBelowEpsilonIsNone) {
    ChaseQueue queue;
    const std::vector<ChaseNode> nodes{{.position = north(0.3)}};
    // Half of what a body this slow could do in the window.
    queue.restore(nodes, {.quantum_count = 4, .window_s = 0.2, .original_distance_m = 0.30015});
    const ChaseBody slow{.adjusted_max_speed = 0.0006};
    EXPECT_EQ(queue.adjust(kTuning, slow, 0.05).event, ChaseEvent::StallFail);
}

TEST(ChaseStall, AStalledNodeThatIsNearCountsAsReached) {
    for (const double distance : {0.199, 0.201}) {
        ChaseQueue queue;
        const std::vector<ChaseNode> nodes{{.position = north(distance)}};
        queue.restore(nodes, {.quantum_count = 4,
                              .window_s = 0.2,
                              .original_distance_m = distance,
                              .failure_count = 1});
        const bool near = distance < 0.2;
        const ChaseBody body{.adjusted_max_speed = 4.0};
        const ChaseStep step = queue.adjust(kTuning, body, 0.05);
        EXPECT_EQ(step.event, near ? ChaseEvent::StallNear : ChaseEvent::StallFail);
        EXPECT_FALSE(step.moves);
        EXPECT_EQ(queue.size(), 0U);
        EXPECT_EQ(queue.state().failure_count, near ? 0U : 2U);
        EXPECT_EQ(queue.finish(kTuning, body).has_value(), !near);
    }
}

TEST(ChaseStall, ANodeThatCountsAsReachedIsNoFailure) {
    ChaseQueue queue;
    const std::vector<ChaseNode> nodes{{.position = north(0.15)}, {.position = north(3.0)}};
    queue.restore(
        nodes,
        {.quantum_count = 4, .window_s = 0.2, .original_distance_m = 0.15, .failure_count = 1});
    EXPECT_EQ(queue.adjust(kTuning, {}, 0.05).event, ChaseEvent::StallNear);
    EXPECT_EQ(queue.state(), (ChaseState{.original_distance_m = 3.0, .failure_count = 1}));
}

TEST(ChaseStall, ABodyThatIsStuckToATargetNeverStalls) {
    World world({5.0});
    world.body.stuck = true;
    EXPECT_EQ(quanta_of(world, ChaseEvent::StepWindowPass, 20, 0.0), (std::vector{5, 10, 15, 20}));
}

TEST(ChaseStall, GoodProgressDoesNotForgiveUnlessLiterally) {
    for (const bool literal : {false, true}) {
        World world({5.0, 90.0}, literal ? RemoteTuning::literal() : RemoteTuning::client());
        EXPECT_EQ(quanta_of(world, ChaseEvent::StallFail, 10, 0.0), (std::vector{10}));
        EXPECT_EQ(quanta_of(world, ChaseEvent::StepWindowPass, 5, 1.0), (std::vector{15}));
        EXPECT_EQ(world.queue.state().failure_count, literal ? 0U : 1U);
    }
}

TEST(ChaseStall, ReachingANodeDoesNotForgiveWhileOthersAreLeft) {
    World world({5.0, 0.2, 8.0});
    EXPECT_EQ(quanta_of(world, ChaseEvent::StallFail, 10, 0.0), (std::vector{10}));
    EXPECT_EQ(quanta_of(world, ChaseEvent::Completed, 2, 1.0), (std::vector{12}));
    EXPECT_EQ(world.queue.state().failure_count, 1U);
}

TEST(ChaseStall, NothingSnapsWithoutAFailure) {
    World empty({});
    EXPECT_FALSE(empty.finish());
    World busy({1.0, 2.0});
    EXPECT_FALSE(busy.finish());
    EXPECT_EQ(busy.queue.size(), 2U);
}

} // namespace
} // namespace glissade
