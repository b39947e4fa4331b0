// SPDX-License-Identifier: MIT
// Move-to and sticky as parts of an entity.
#include "glissade/remote/remote_entity.h"

#include "remote/entity_runner.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::uint64_t kTarget = 99;
constexpr double kTolerance = 1e-9;

// A target that the test moves about.
struct Quarry {
    std::optional<TargetState> state =
        TargetState{.position = {0.0, 10.0, 0.0}, .radius_m = 0.5, .height_m = 2.0};

    std::optional<TargetState> operator()(std::uint64_t key) const {
        return key == kTarget ? state : std::nullopt;
    }
};

RemoteEntityConfig creature() {
    return {.key = 7, .place = RemotePlace{}, .radius_m = 0.5, .height_m = 2.0};
}

TEST(RemoteMovement, AnOrderToAPositionTurnsExactlyAndArrives) {
    EntityRunner runner(creature());
    runner.settle();
    EXPECT_EQ(runner.order({.kind = MoveToKind::Position, .position = {10.0, 0.0, 0.0}}),
              Received::Ok);
    QuantumReport report;
    int quantum_count = 0;
    for (; report.move_to_end == MoveToEnd::None && quantum_count < 300; ++quantum_count) {
        report = runner.run(1);
        if (runner.body().position.x > 0.0) {
            EXPECT_NEAR(runner.body().heading_deg, 90.0, kTolerance);
        }
    }
    EXPECT_EQ(report.move_to_end, MoveToEnd::Arrived);
    EXPECT_NEAR(runner.body().position.y, 0.0, kTolerance);
    EXPECT_EQ(runner.entity.command(), MotionCommand{});
    EXPECT_FALSE(runner.entity.move_to().running());
}

TEST(RemoteMovement, AnOrderToAnObjectDoesNotMoveBeforeItsFirstTargetUpdate) {
    EntityRunner runner(creature());
    Quarry quarry;
    runner.scene.find_target = quarry;
    runner.settle();
    runner.order({.kind = MoveToKind::Object, .target = kTarget});
    EXPECT_EQ(runner.entity.command(), MotionCommand{});
    runner.run(1); // Sees the target at the end of this quantum.
    EXPECT_EQ(runner.body().position, glm::dvec3(0.0));
    runner.run(1);
    EXPECT_GT(runner.body().position.y, 0.0);
}

TEST(RemoteMovement, WhileAMoveToRunsUpdatesAreChasedWithTheHeadingKept) {
    EntityRunner runner(creature());
    runner.settle();
    runner.order({.kind = MoveToKind::Position, .position = {0.0, 50.0, 0.0}});
    runner.run(3);
    EXPECT_EQ(runner.send({1.0, 1.0, 0.0}, 200.0), Routed::Queued);
    EXPECT_TRUE(runner.entity.chase().state().keep_heading);
    runner.run(1);
    EXPECT_EQ(runner.body().heading_deg, 0.0);
    EXPECT_GT(runner.body().position.x, 0.0);
}

TEST(RemoteMovement, AMoveToTurnsOnWhileItsBodyChases) {
    EntityRunner runner(creature());
    runner.settle();
    runner.order({.kind = MoveToKind::Position, .position = {50.0, 0.0, 0.0}});
    runner.run(2);
    runner.send({0.0, 5.0, 0.0}, 200.0);
    const double before = runner.body().heading_deg;
    EXPECT_EQ(runner.run(1).chase, ChaseEvent::Step);
    EXPECT_NEAR(runner.body().heading_deg - before, 90.0 * kThirtieth, kTolerance);
}

TEST(RemoteMovement, ANewMovementPacketCancelsTheMoveToAndUnsticks) {
    EntityRunner runner(creature());
    Quarry quarry;
    runner.scene.find_target = quarry;
    runner.settle();
    runner.order({.kind = MoveToKind::Position, .position = {0.0, 50.0, 0.0}});
    runner.command({.gait = Gait::WalkForward}, kTarget);
    EXPECT_EQ(runner.run(1).move_to_end, MoveToEnd::Replaced);
    EXPECT_TRUE(runner.entity.sticky().target().has_value());
    runner.order({.kind = MoveToKind::Position, .position = {0.0, 50.0, 0.0}});
    EXPECT_FALSE(runner.entity.sticky().target().has_value());
    EXPECT_TRUE(runner.entity.move_to().running());
    runner.order({.kind = MoveToKind::Position, .position = {0.0, 60.0, 0.0}});
    EXPECT_EQ(runner.run(1).move_to_end, MoveToEnd::Replaced);
    EXPECT_TRUE(runner.entity.move_to().running());
}

TEST(RemoteMovement, AStickyOrderStaysWithItsTargetForASecondAfterArriving) {
    EntityRunner runner(creature());
    Quarry quarry;
    runner.scene.find_target = quarry;
    runner.settle();
    MoveToParams params;
    params.sticky = true;
    runner.order({.kind = MoveToKind::Object, .target = kTarget, .params = params});
    QuantumReport report;
    for (int i = 0; i < 300 && report.move_to_end == MoveToEnd::None; ++i) {
        report = runner.run(1);
    }
    ASSERT_EQ(report.move_to_end, MoveToEnd::Arrived);
    ASSERT_EQ(runner.entity.sticky().target(), kTarget);
    quarry.state->position = {3.0, 10.0, 0.0};
    runner.run(20);
    const double gap = glm::distance(runner.body().position, quarry.state->position);
    EXPECT_NEAR(gap, 0.5 + 0.5 + 0.3, kTolerance);
    EXPECT_NEAR(runner.body().heading_deg,
                compute_bearing_deg(runner.body().position, quarry.state->position), kTolerance);
    runner.run(11); // 31 quanta in all: the second is over.
    EXPECT_FALSE(runner.entity.sticky().target().has_value());
}

TEST(RemoteMovement, StickingReplacesTheChaseAndNeverStalls) {
    EntityRunner runner(creature());
    Quarry quarry;
    quarry.state->position = {0.0, 1.3, 0.0}; // Exactly the gap that is kept.
    runner.scene.find_target = quarry;
    runner.settle();
    for (int second = 0; second < 3; ++second) {
        runner.command({}, kTarget);
        runner.send({0.0, -5.0, 0.0});
        for (int i = 0; i < 29; ++i) {
            const QuantumReport report = runner.run(1);
            EXPECT_NE(report.chase, ChaseEvent::StallFail);
            EXPECT_FALSE(report.blipped);
        }
    }
    EXPECT_NEAR(runner.body().position.y, 0.0, kTolerance);
}

TEST(RemoteMovement, ALostTargetUnsticksAndEndsTheMoveTo) {
    EntityRunner runner(creature());
    Quarry quarry;
    runner.scene.find_target = quarry;
    runner.settle();
    runner.order({.kind = MoveToKind::Object, .target = kTarget});
    runner.run(5);
    quarry.state.reset();
    QuantumReport report;
    for (int i = 0; i < 30 && report.move_to_end == MoveToEnd::None; ++i) {
        report = runner.run(1);
    }
    EXPECT_EQ(report.move_to_end, MoveToEnd::TargetLost);
    const glm::dvec3 stopped = runner.body().position;
    runner.run(10);
    EXPECT_EQ(runner.body().position, stopped);

    quarry.state = TargetState{};
    runner.command({}, kTarget);
    quarry.state.reset();
    runner.run(1);
    EXPECT_FALSE(runner.entity.sticky().target().has_value());
}

TEST(RemoteMovement, AnUnknownObjectFallsBackToItsPosition) {
    EntityRunner runner(creature());
    runner.settle();
    runner.order({.kind = MoveToKind::Object, .target = 1234, .position = {0.0, 5.0, 0.0}});
    runner.run(60);
    // Arrived at 0.6 m from its own surface, or up to one step of a walk closer.
    EXPECT_GE(runner.body().position.y, 5.0 - 0.5 - 0.6);
    EXPECT_LE(runner.body().position.y, 5.0 - 0.5 - 0.6 + 3.12 * kThirtieth);
}

TEST(RemoteMovement, ItselfAsTargetIsNothing) {
    EntityRunner runner(creature());
    runner.settle();
    runner.order({.kind = MoveToKind::Object, .target = 7, .position = {0.0, 5.0, 0.0}});
    EXPECT_FALSE(runner.entity.move_to().running());
}

TEST(RemoteMovement, AMoveToWaitsInTheAirAndGoesOnAfterTheLanding) {
    EntityRunner runner(creature());
    runner.settle();
    runner.order({.kind = MoveToKind::Position, .position = {0.0, 50.0, 0.0}});
    runner.run(10);
    runner.leap({0.0, 0.0, 2.0});
    runner.run(3);
    const double waiting = runner.body().position.y;
    runner.run(3);
    EXPECT_EQ(runner.body().position.y, waiting);
    runner.send(runner.body().position);
    runner.run(10);
    EXPECT_GT(runner.body().position.y, waiting + 0.5);
}

TEST(RemoteMovement, AMoveToSetsTheRunRate) {
    EntityRunner runner(creature());
    runner.settle();
    MoveToParams params;
    params.can_charge = true;
    runner.order({.kind = MoveToKind::Position,
                  .position = {0.0, 50.0, 0.0},
                  .params = params,
                  .run_rate = 2.0});
    runner.run(2);
    const double before = runner.body().position.y;
    runner.run(30);
    EXPECT_NEAR(runner.body().position.y - before, 8.0, kTolerance);
}

TEST(RemoteMovement, PendingMotionsHoldTheTurnsOfAMoveToBack) {
    EntityRunner runner(creature());
    runner.settle();
    runner.entity.set_motions_pending(true);
    runner.order({.kind = MoveToKind::Position, .position = {10.0, 0.0, 0.0}});
    runner.run(10);
    EXPECT_EQ(runner.body().heading_deg, 0.0);
    runner.entity.set_motions_pending(false);
    runner.run(10);
    EXPECT_GT(runner.body().heading_deg, 0.0);
}

TEST(RemoteMovement, ATargetIsSeenWithTheVelocityThatItReallyHad) {
    EntityRunner runner(creature());
    runner.command({.gait = Gait::RunForward});
    runner.run(2);
    EXPECT_NEAR(runner.entity.as_target().velocity.y, 4.0, kTolerance);
    EXPECT_EQ(runner.entity.as_target().radius_m, 0.5);
    runner.teleport({100.0, 0.0, 0.0});
    runner.run(1);
    EXPECT_NEAR(runner.entity.as_target().velocity.x, 0.0, kTolerance);
}

TEST(RemoteMovement, ATargetWithNumbersThatAreNoneIsUnknown) {
    for (const int part : {0, 1, 2, 3}) {
        EntityRunner runner(creature());
        Quarry quarry;
        double* const fields[] = {&quarry.state->position.x, &quarry.state->velocity.y,
                                  &quarry.state->radius_m, &quarry.state->height_m};
        *fields[part] = std::nan("");
        runner.scene.find_target = quarry;
        runner.settle();
        runner.command({}, kTarget);
        runner.run(1);
        EXPECT_FALSE(runner.entity.sticky().target().has_value());
        EXPECT_EQ(runner.body().position, glm::dvec3(0.0));
        runner.order({.kind = MoveToKind::Object, .target = kTarget, .position = {0.0, 5.0, 0.0}});
        EXPECT_EQ(runner.entity.move_to().order().kind, MoveToKind::Position);
    }
}

TEST(RemoteMovement, NobodySticksToItself) {
    EntityRunner runner({.key = 7, .place = RemotePlace{.heading_deg = 90.0}});
    const auto find_target = [](std::uint64_t) { return std::optional(TargetState{}); };
    runner.scene.find_target = find_target;
    runner.command({}, 7);
    EXPECT_FALSE(runner.entity.sticky().target().has_value());
    runner.run(1);
    EXPECT_EQ(runner.body().heading_deg, 90.0);
}

TEST(RemoteMovement, StickingRestsInTheAir) {
    EntityRunner runner(creature());
    Quarry quarry;
    runner.scene.find_target = quarry;
    runner.settle();
    runner.command({}, kTarget);
    runner.leap({0.0, 0.0, 5.0});
    runner.run(5);
    EXPECT_EQ(runner.body().position.y, 0.0);
    EXPECT_TRUE(runner.entity.sticky().target().has_value());
}

TEST(RemoteMovement, TheLastEndIsRemembered) {
    EntityRunner runner(creature());
    runner.settle();
    EXPECT_EQ(runner.entity.last_move_to_end(), MoveToEnd::None);
    runner.order({.kind = MoveToKind::Position, .position = {0.0, 2.0, 0.0}});
    runner.run(60);
    EXPECT_EQ(runner.entity.last_move_to_end(), MoveToEnd::Arrived);
    runner.order({.kind = MoveToKind::Position, .position = {0.0, 50.0, 0.0}});
    EXPECT_EQ(runner.entity.last_move_to_end(), MoveToEnd::None);
    runner.command({});
    EXPECT_EQ(runner.entity.last_move_to_end(), MoveToEnd::Replaced);
}

TEST(RemoteMovement, AnOrderedPlayerChasesItsEcho) {
    EntityRunner player({.key = 7, .place = RemotePlace{}, .is_local_player = true});
    player.settle();
    EXPECT_EQ(player.send({0.0, 1.0, 0.0}), Routed::PlayerLeashed);
    player.order({.kind = MoveToKind::Position, .position = {0.0, 50.0, 0.0}});
    EXPECT_EQ(player.send({0.0, 1.0, 0.0}), Routed::PlayerQueued);
}

} // namespace
} // namespace glissade
