// SPDX-License-Identifier: MIT
// Jumps: they rise, they land, and nothing climbs for ever.
#include "glissade/remote/remote_entity.h"

#include "remote/entity_runner.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr double kTolerance = 1e-9; // Sums of a few hundred products of numbers below 100.
constexpr MotionCommand kRun{.gait = Gait::RunForward, .forward_speed = 1.0};

// Level ground at z = 0.
Footing stand_on_ground(std::uint64_t, const glm::dvec3&, const glm::dvec3& to) {
    return {.position = {to.x, to.y, std::max(to.z, 0.0)},
            .ground = Ground{.walkable = to.z <= 0.0}};
}

TEST(RemoteJump, AnArcRisesAndLandsOnTheGroundThatTheSceneKnows) {
    EntityRunner runner;
    auto ground = stand_on_ground;
    runner.scene.resolve = ground;
    runner.settle();
    EXPECT_EQ(runner.leap({0.0, 4.0, 7.0}), Received::Ok);
    double highest = 0.0;
    int quantum_count = 0;
    QuantumReport report;
    while (!report.landed && quantum_count < 100) {
        report = runner.run(1);
        highest = std::max(highest, runner.body().position.z);
        ++quantum_count;
    }
    // v^2 / 2g = 2.5 m; sampling at 1/30 s misses at most g (q/2)^2 / 2 of it.
    EXPECT_NEAR(highest, 2.5, 9.8 * kThirtieth * kThirtieth / 8.0);
    // 2v / g = 1.43 s.
    EXPECT_EQ(quantum_count, static_cast<int>(std::ceil(2.0 * 7.0 / 9.8 / kThirtieth)));
    EXPECT_FALSE(report.cut);
    EXPECT_EQ(runner.body().position.z, 0.0);
    EXPECT_EQ(runner.body().velocity, glm::dvec3(0.0));
    EXPECT_TRUE(runner.body().ground.walkable);
}

TEST(RemoteJump, ARunningRemoteKeepsTheRiseOfItsVectorUpdate) {
    EntityRunner runner;
    auto ground = stand_on_ground;
    runner.scene.resolve = ground;
    runner.command(kRun);
    runner.settle();
    runner.leap({0.0, 4.0, 7.0});
    runner.run(5);
    EXPECT_GT(runner.body().position.z, 0.9);
    EXPECT_EQ(runner.body().velocity.y, 4.0);
}

TEST(RemoteJump, InTheAirRootMotionAndChaseRestAndPacketsWithoutContactChangeNothing) {
    EntityRunner runner;
    runner.command(kRun);
    runner.settle().send({0.0, 9.0, 0.0});
    const double begin = runner.body().position.y;
    runner.leap({0.0, 0.0, 5.0});
    EXPECT_EQ(runner.send({5.0, 5.0, 1.0}, 90.0, false), Routed::IgnoredAirborne);
    EXPECT_EQ(runner.run(1).chase, ChaseEvent::None);
    EXPECT_EQ(runner.body().position.y, begin);
    EXPECT_GT(runner.body().position.z, 0.0);
    EXPECT_EQ(runner.entity.chase().size(), 1U);
}

TEST(RemoteJump, AFallFromRestMovesOnlyInItsSecondQuantum) {
    EntityRunner runner;
    const auto nothing_below = [](std::uint64_t, const glm::dvec3&, const glm::dvec3& to) {
        return Footing{.position = to, .ground = Ground{.walkable = false}};
    };
    runner.scene.resolve = nothing_below;
    EXPECT_TRUE(runner.run(1).left_ground);
    runner.run(1);
    EXPECT_EQ(runner.body().position.z, 0.0);
    runner.run(1);
    EXPECT_LT(runner.body().position.z, 0.0);
}

TEST(RemoteJump, WalkingOffALedgeGoesOnAtTheSpeedOfTheAnimation) {
    EntityRunner runner;
    const auto ledge = [](std::uint64_t, const glm::dvec3&, const glm::dvec3& to) {
        return Footing{.position = to, .ground = Ground{.walkable = to.y < 1.0}};
    };
    runner.scene.resolve = ledge;
    runner.command(kRun);
    runner.run(8); // 8 x 4/30 m: just over the edge.
    EXPECT_FALSE(runner.body().ground.walkable);
    EXPECT_EQ(runner.body().velocity.y, 4.0);
    const double edge = runner.body().position.y;
    runner.run(15);
    EXPECT_NEAR(runner.body().position.y, edge + 2.0, kTolerance);
    EXPECT_LT(runner.body().position.z, -1.0);
}

TEST(RemoteJump, WithoutAContactTestTheFirstContactPacketNearbyLandsAndIsChased) {
    EntityRunner runner;
    runner.settle().leap({0.0, 4.0, 5.0});
    runner.run(20);
    const glm::dvec3 before = runner.body().position;
    EXPECT_EQ(runner.send({0.0, before.y, before.z - 0.8}), Routed::Queued);
    EXPECT_EQ(runner.body().velocity, glm::dvec3(0.0));
    EXPECT_EQ(runner.body().position, before);
    EXPECT_FALSE(runner.run(1).cut);
    runner.run(5);
    EXPECT_NEAR(runner.body().position.z, before.z - 0.8, kTolerance);
}

TEST(RemoteJump, ALandingPacketFartherAwaySnaps) {
    EntityRunner runner;
    runner.settle().leap({0.0, 4.0, 5.0});
    runner.run(10);
    EXPECT_EQ(runner.send({0.0, 9.0, 0.0}), Routed::Snapped);
    EXPECT_EQ(runner.body().position, glm::dvec3(0.0, 9.0, 0.0));
    EXPECT_EQ(runner.body().velocity, glm::dvec3(0.0));
    EXPECT_TRUE(runner.run(1).cut);
}

TEST(RemoteJump, TheLiteralTextAlwaysSnapsALanding) {
    EntityRunner runner({.key = 7, .place = RemotePlace{}}, RemoteTuning::literal());
    runner.settle().leap({0.0, 0.0, 5.0});
    runner.run(10);
    EXPECT_EQ(runner.send(runner.body().position), Routed::Snapped);
}

TEST(RemoteJump, WithAContactTestAContactPacketInTheAirIsChasedAfterTheLanding) {
    EntityRunner runner;
    auto ground = stand_on_ground;
    runner.scene.resolve = ground;
    runner.settle().leap({0.0, 0.0, 3.0});
    runner.run(2);
    EXPECT_EQ(runner.send({2.0, 0.0, 0.0}), Routed::Queued);
    EXPECT_GT(runner.body().velocity.z, 0.0);
    runner.run(40);
    EXPECT_EQ(runner.body().position, glm::dvec3(2.0, 0.0, 0.0));
}

TEST(RemoteJump, OmegaTurnsTheBodyThroughItsArcAndOnlyThere) {
    EntityRunner runner;
    auto ground = stand_on_ground;
    runner.scene.resolve = ground;
    runner.settle();
    // Clockwise from above is a negative turn about +Z.
    const double turn_deg_s = 90.0;
    runner.leap({0.0, 4.0, 7.0}, {0.0, 0.0, -turn_deg_s * M_PI / 180.0});
    for (int i = 1; i <= 30; ++i) {
        runner.run(1);
        // The rotation is in floats: 30 products of them lose a few 1e-7 rad each.
        EXPECT_NEAR(runner.body().heading_deg, i * turn_deg_s * kThirtieth, 1e-3);
    }
    while (!runner.run(1).landed) {
    }
    const double landed = runner.body().heading_deg;
    runner.run(30);
    EXPECT_EQ(runner.body().heading_deg, landed);
    EXPECT_EQ(runner.body().omega_rad_s, glm::dvec3(0.0));
}

TEST(RemoteJump, ATumblingBodyLandsUpright) {
    EntityRunner runner;
    auto ground = stand_on_ground;
    runner.scene.resolve = ground;
    runner.settle().leap({0.0, 0.0, 5.0}, {1.0, 0.0, 0.0});
    runner.run(10);
    EXPECT_GT(std::abs(runner.body().rotation.x), 0.1F);
    while (!runner.run(1).landed) {
    }
    EXPECT_EQ(runner.body().rotation, heading_to_rotation(runner.body().heading_deg));
}

TEST(RemoteJump, VelocityIsClampedAndGravityEndsEveryClimb) {
    EntityRunner runner;
    runner.settle().leap({0.0, 0.0, 1000.0});
    EXPECT_EQ(runner.body().velocity.z, 50.0);
    // v / g = 5.1 s of rise.
    runner.run(30 * 6);
    EXPECT_LT(runner.body().velocity.z, 0.0);
    runner.run(30 * 60);
    EXPECT_NEAR(runner.body().velocity.z, -50.0, kTolerance);
}

TEST(RemoteJump, ABodyTeleportedToTheGroundWhileItRisesLeavesItAgain) {
    EntityRunner runner;
    runner.settle().leap({0.0, 0.0, 5.0});
    runner.teleport({0.0, 0.0, 0.0});
    EXPECT_TRUE(runner.body().ground.walkable);
    EXPECT_TRUE(runner.run(1).left_ground);
    runner.run(30 * 3);
    EXPECT_LT(runner.body().velocity.z, 0.0);
}

TEST(RemoteJump, AVectorUpdateAlongTheGroundIsBraked) {
    EntityRunner runner;
    runner.settle().leap({4.0, 0.0, 0.0});
    EXPECT_TRUE(runner.body().ground.walkable);
    runner.run(30);
    // Friction leaves a twentieth after a second; it stops below 0.25 m/s, which is not far off.
    EXPECT_EQ(runner.body().velocity.x, 0.0);
    EXPECT_GT(runner.body().position.x, 1.0);
    runner.leap({8.0, 0.0, 0.0});
    runner.run(15);
    EXPECT_NEAR(runner.body().velocity.x, 8.0 * std::sqrt(0.05), kTolerance);
    runner.run(30);
    EXPECT_EQ(runner.body().velocity.x, 0.0);
}

TEST(RemoteJump, OmegaCurvesAnArc) {
    EntityRunner bent;
    EntityRunner straight;
    straight.tuning.omega_bends_flight = false;
    const double turn_rad_s = -M_PI / 2.0; // Clockwise, a quarter of a turn in a second.
    for (EntityRunner* runner : {&bent, &straight}) {
        runner->settle().leap({0.0, 4.0, 7.0}, {0.5, 0.0, turn_rad_s});
        runner->run(30);
    }
    // A quarter of a circle of radius v / omega. Each step goes along the velocity at its
    // beginning, which is half a quantum's turn behind: the radius is off by less than one step.
    const double radius = 4.0 / (M_PI / 2.0);
    EXPECT_NEAR(bent.body().position.x, radius, 4.0 * kThirtieth);
    EXPECT_NEAR(bent.body().position.y, radius, 4.0 * kThirtieth);
    EXPECT_NEAR(bent.body().velocity.x, 4.0, kTolerance);
    EXPECT_NEAR(bent.body().velocity.y, 0.0, kTolerance);
    EXPECT_NEAR(straight.body().position.x, 0.0, kTolerance);
    EXPECT_NEAR(straight.body().position.y, 4.0, kTolerance);
    // Only about +Z: the tumble about +X neither lifts nor sinks it.
    EXPECT_NEAR(bent.body().position.z, straight.body().position.z, kTolerance);
}

TEST(RemoteJump, OmegaReceivedOnTheGroundIsForgotten) {
    EntityRunner runner;
    bool ground_is_there = true;
    const auto ledge = [&](std::uint64_t, const glm::dvec3&, const glm::dvec3& to) {
        return Footing{.position = to, .ground = Ground{.walkable = ground_is_there}};
    };
    runner.scene.resolve = ledge;
    runner.settle().leap({0.0, 0.0, 0.0}, {0.0, 0.0, 3.0});
    runner.run(1);
    ground_is_there = false;
    runner.run(10);
    EXPECT_FALSE(runner.body().ground.walkable);
    EXPECT_EQ(runner.body().heading_deg, 0.0);
}

TEST(RemoteJump, APlayerInTheAirWithoutAContactTestLandsByAPacketToo) {
    EntityRunner player({.key = 7, .place = RemotePlace{}, .is_local_player = true});
    player.settle().leap({0.0, 0.0, 3.0});
    player.run(5);
    EXPECT_EQ(player.send({0.0, 0.0, 0.0}), Routed::PlayerLeashed);
    EXPECT_TRUE(player.body().ground.walkable);
    EXPECT_EQ(player.body().velocity, glm::dvec3(0.0));
    EXPECT_TRUE(player.run(1).landed);
}

TEST(RemoteJump, AJumpBeforeTheFirstQuantumIsNotLostToAContactPacket) {
    EntityRunner runner;
    auto ground = stand_on_ground;
    runner.scene.resolve = ground;
    runner.leap({0.0, 0.0, 5.0});
    runner.send({0.0, 0.0, 0.0});
    EXPECT_EQ(runner.body().velocity.z, 5.0);
    EXPECT_TRUE(runner.run(1).left_ground);
    EXPECT_GT(runner.body().position.z, 0.0);
}

TEST(RemoteJump, CollisionThatDoesNotTestContactLeavesLandingsToThePackets) {
    EntityRunner runner;
    const auto goes = [](std::uint64_t, const glm::dvec3&, const glm::dvec3& to) {
        return Footing{.position = to};
    };
    runner.scene.resolve = goes;
    runner.settle().leap({0.0, 0.0, 3.0});
    runner.run(10);
    EXPECT_FALSE(runner.body().ground.walkable);
    EXPECT_EQ(runner.send({0.0, 0.0, runner.body().position.z - 0.5}), Routed::Queued);
    EXPECT_TRUE(runner.body().ground.walkable);
}

} // namespace
} // namespace glissade
