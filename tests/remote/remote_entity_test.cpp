// SPDX-License-Identifier: MIT
#include "glissade/remote/remote_entity.h"

#include "glissade/pose/pose.h"

#include "remote/entity_runner.h"

#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

// Positions here are sums of a few dozen products of numbers below 100: 1e-12 is far above what
// doubles lose on them.
constexpr double kTolerance = 1e-12;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr MotionCommand kRun{.gait = Gait::RunForward, .forward_speed = 1.0};

TEST(RemoteEntity, TheFirstUpdateOfABodyWithoutAPlacePutsItThere) {
    EntityRunner runner({.key = 1});
    EXPECT_FALSE(runner.body().has_place);
    EXPECT_FALSE(runner.run(1).cut);
    EXPECT_EQ(runner.send({1.0, 2.0, 3.0}, 90.0), Routed::Teleported);
    EXPECT_EQ(runner.body().position, glm::dvec3(1.0, 2.0, 3.0));
    EXPECT_EQ(runner.body().heading_deg, 90.0);
    EXPECT_TRUE(runner.run(1).cut);
    EXPECT_FALSE(runner.run(1).cut);
}

TEST(RemoteEntity, BeforeItsFirstQuantumABodyIsTooFarToBeChased) {
    EntityRunner runner;
    EXPECT_EQ(runner.send({1.0, 0.0, 0.0}), Routed::Snapped);
    EXPECT_EQ(runner.body().position.x, 1.0);
    EXPECT_TRUE(runner.run(1).cut);
    EXPECT_EQ(runner.send({2.0, 0.0, 0.0}), Routed::Queued);
}

TEST(RemoteEntity, AnUpdateWithinThePhysicsDistanceIsChasedAndBeyondItSnaps) {
    EntityRunner runner;
    runner.scene.player_position = glm::dvec3(0.0, 95.9, 0.0);
    runner.settle();
    EXPECT_EQ(runner.send({0.0, 1.0, 0.0}), Routed::Queued);
    EXPECT_EQ(runner.body().position.y, 0.0);
    runner.run(5);
    EXPECT_EQ(runner.body().position.y, 1.0);

    runner.scene.player_position = glm::dvec3(0.0, 97.0, 0.0); // 96 from the body.
    runner.settle();
    EXPECT_EQ(runner.send({0.0, 3.0, 0.0}), Routed::Snapped);
    EXPECT_EQ(runner.body().position.y, 3.0);
    EXPECT_EQ(runner.entity.chase().size(), 0U);
}

TEST(RemoteEntity, TheLiteralTextMeasuresTheUpdateAndSnapsOnlyBeyond) {
    EntityRunner runner({.key = 7, .place = RemotePlace{}}, RemoteTuning::literal());
    runner.scene.player_position = glm::dvec3(0.0, 97.0, 0.0);
    runner.settle();
    EXPECT_EQ(runner.send({0.0, 1.0, 0.0}), Routed::Queued);
    EXPECT_EQ(runner.send({0.0, 0.9, 0.0}), Routed::Snapped);
}

TEST(RemoteEntity, TheLiteralTextTurnsTheBodyOnEveryUpdateEvenInTheAir) {
    EntityRunner literal({.key = 7, .place = RemotePlace{}}, RemoteTuning::literal());
    EntityRunner client;
    for (EntityRunner* runner : {&literal, &client}) {
        runner->settle();
        EXPECT_EQ(runner->send({0.0, 9.0, 0.0}, 40.0, false), Routed::IgnoredAirborne);
    }
    EXPECT_EQ(literal.body().heading_deg, 40.0);
    EXPECT_EQ(client.body().heading_deg, 0.0);
}

TEST(RemoteEntity, AStaleUpdateChangesNothing) {
    EntityRunner runner;
    runner.settle().send({0.0, 1.0, 0.0});
    --runner.stamps.position;
    EXPECT_EQ(runner.send({0.0, 9.0, 0.0}), Routed::IgnoredStale);
    EXPECT_EQ(runner.entity.chase().size(), 1U);
    EXPECT_EQ(runner.entity.chase().node(0).position.y, 1.0);
}

TEST(RemoteEntity, AnUpdateOfALaterInstanceIsHeldAndOfAnEarlierOneIgnored) {
    EntityRunner runner({.key = 7, .place = RemotePlace{}, .update_stamps = {.instance = 5}});
    runner.settle();
    runner.stamps.instance = 6;
    EXPECT_EQ(runner.send({0.0, 1.0, 0.0}), Routed::Held);
    runner.stamps.instance = 4;
    EXPECT_EQ(runner.send({0.0, 1.0, 0.0}), Routed::IgnoredInstance);
    EXPECT_EQ(runner.entity.update_stamps(), (UpdateStamps{.instance = 5}));
}

TEST(RemoteEntity, AnUpdateWithoutContactConsumesItsStampAndDoesNothing) {
    EntityRunner runner;
    runner.settle();
    EXPECT_EQ(runner.send({0.0, 5.0, 0.0}, 90.0, false), Routed::IgnoredAirborne);
    EXPECT_EQ(runner.entity.update_stamps().position, 1);
    EXPECT_EQ(runner.body().heading_deg, 0.0);
    EXPECT_EQ(runner.entity.chase().size(), 0U);
}

TEST(RemoteEntity, ATeleportIsACutThatDropsChaseStickyAndMoveToAndKeepsTheVelocity) {
    EntityRunner runner;
    const auto find_target = [](std::uint64_t) {
        return std::optional(TargetState{.position = {0.0, 5.0, 0.0}});
    };
    runner.scene.find_target = find_target;
    runner.settle().send({0.0, 9.0, 0.0});
    runner.command({}, 99);
    runner.leap({3.0, 0.0, 0.0});
    EXPECT_TRUE(runner.entity.sticky().target().has_value());
    EXPECT_EQ(runner.teleport({50.0, 0.0, 0.0}, 180.0, false), Routed::Teleported);
    EXPECT_EQ(runner.body().position, glm::dvec3(50.0, 0.0, 0.0));
    EXPECT_EQ(runner.body().heading_deg, 180.0);
    EXPECT_EQ(runner.body().velocity, glm::dvec3(3.0, 0.0, 0.0));
    EXPECT_FALSE(runner.entity.sticky().target().has_value());
    EXPECT_EQ(runner.entity.chase().size(), 0U);
    EXPECT_TRUE(runner.run(1).cut);

    runner.order({.kind = MoveToKind::Position, .position = {0.0, 20.0, 0.0}});
    EXPECT_TRUE(runner.entity.move_to().running());
    runner.teleport({0.0, 0.0, 0.0});
    EXPECT_FALSE(runner.entity.move_to().running());
    EXPECT_EQ(runner.run(1).move_to_end, MoveToEnd::Teleported);
}

TEST(RemoteEntity, ACommandMovesTheBodyByItsSpeedAlongItsHeading) {
    EntityRunner runner({.key = 7, .place = RemotePlace{.heading_deg = 90.0}});
    EXPECT_EQ(runner.command(kRun), Received::Ok);
    runner.run(30);
    EXPECT_NEAR(runner.body().position.x, 4.0, kTolerance);
    EXPECT_NEAR(runner.body().position.y, 0.0, kTolerance);
    EXPECT_EQ(runner.command({.gait = Gait::Ready, .turn_deg_s = 90.0}), Received::Ok);
    runner.run(30);
    EXPECT_NEAR(runner.body().position.x, 4.0, kTolerance);
    EXPECT_NEAR(runner.body().heading_deg, 180.0, 1e-9);
}

TEST(RemoteEntity, RootVelocityReplacesWhatTheCommandSays) {
    EntityRunner runner;
    runner.command(kRun);
    runner.entity.set_root_velocity(RootVelocity{.linear_m_s = {0.0, 1.5, 0.0}});
    runner.run(30);
    EXPECT_NEAR(runner.body().position.y, 1.5, kTolerance);
    runner.entity.set_root_velocity(RootVelocity{.linear_m_s = {0.0, kNan, 0.0}});
    runner.run(30);
    EXPECT_NEAR(runner.body().position.y, 3.0, kTolerance);
    runner.entity.set_root_velocity(std::nullopt);
    runner.run(30);
    EXPECT_NEAR(runner.body().position.y, 7.0, kTolerance);
}

TEST(RemoteEntity, ARunnerAheadOfItsSampleGoesBackAndRunsOnWithReplace) {
    EntityRunner runner({.key = 7, .place = RemotePlace{.position = {0.0, 4.0, 0.0}}});
    runner.settle().command(kRun);
    runner.send({0.0, 3.4, 0.0});
    runner.run(3); // 0.6 m at 8 m/s: three quanta.
    EXPECT_NEAR(runner.body().position.y, 3.4, kTolerance);
    runner.run(1);
    EXPECT_NEAR(runner.body().position.y, 3.4 + 4.0 * kThirtieth, kTolerance);
}

TEST(RemoteEntity, TheSameRunnerStandsStillShortOfItsSampleWithAdd) {
    EntityRunner runner({.key = 7, .place = RemotePlace{.position = {0.0, 4.0, 0.0}}});
    runner.tuning.root_motion = RootMotion::Add;
    runner.settle().command(kRun);
    runner.send({0.0, 3.4, 0.0});
    runner.run(4);
    const double stuck = runner.body().position.y;
    EXPECT_NEAR(stuck, 3.4 + 4.0 * kThirtieth, kTolerance);
    runner.run(5);
    EXPECT_NEAR(runner.body().position.y, stuck, kTolerance);
    runner.run(1); // The near rule frees it.
    EXPECT_NEAR(runner.body().position.y, stuck + 4.0 * kThirtieth, kTolerance);
}

TEST(RemoteEntity, AStepOfTheChaseTurnsTheBodyAtOnce) {
    EntityRunner runner;
    runner.settle().send({0.0, 5.0, 0.0}, 135.0);
    runner.run(1);
    EXPECT_EQ(runner.body().heading_deg, 135.0);
}

TEST(RemoteEntity, AnUpdateWithinReachOnlyTurnsTheBody) {
    EntityRunner runner;
    runner.settle();
    EXPECT_EQ(runner.send({0.0, 0.04, 0.0}, 30.0), Routed::Queued);
    EXPECT_EQ(runner.body().heading_deg, 30.0);
    EXPECT_EQ(runner.entity.chase().size(), 0U);
}

TEST(RemoteEntity, ABlockedBodyBlipsToItsOnlyNodeInTheTenthQuantum) {
    EntityRunner runner;
    const auto stays = [](std::uint64_t key, const glm::dvec3& from, const glm::dvec3&) {
        EXPECT_EQ(key, 7U);
        return Footing{.position = from};
    };
    runner.scene.resolve = stays;
    runner.settle().send({0.0, 5.0, 0.0}, 45.0);
    EXPECT_FALSE(runner.run(9).blipped);
    EXPECT_EQ(runner.body().position.y, 0.0);
    const QuantumReport tenth = runner.run(1);
    EXPECT_EQ(tenth.chase, ChaseEvent::StallFail);
    EXPECT_TRUE(tenth.blipped);
    EXPECT_TRUE(tenth.cut);
    EXPECT_EQ(runner.body().position.y, 5.0);
    EXPECT_EQ(runner.body().heading_deg, 45.0);
}

TEST(RemoteEntity, ABlipThatThePlacementRefusesIsTriedAgain) {
    EntityRunner runner;
    const auto stays = [](std::uint64_t, const glm::dvec3& from, const glm::dvec3&) {
        return Footing{.position = from};
    };
    bool free = false;
    const auto can_place = [&](std::uint64_t key, const glm::dvec3& place) {
        EXPECT_EQ(key, 7U);
        EXPECT_EQ(place.y, 5.0);
        return free;
    };
    runner.scene.resolve = stays;
    runner.scene.can_place = can_place;
    runner.settle().send({0.0, 5.0, 0.0});
    const QuantumReport refused = runner.run(10);
    EXPECT_TRUE(refused.blip_refused);
    EXPECT_FALSE(refused.cut);
    EXPECT_EQ(runner.body().position.y, 0.0);
    free = true;
    EXPECT_TRUE(runner.run(1).blipped);
    EXPECT_EQ(runner.body().position.y, 5.0);
}

TEST(RemoteEntity, TheFarGapIsShorterIndoors) {
    const auto indoors = [](const glm::dvec3&) { return true; };
    EntityRunner runner;
    runner.settle().send({0.0, 30.0, 0.0});
    EXPECT_FALSE(runner.run(1).blipped);

    EntityRunner inside;
    inside.scene.is_indoors = indoors;
    inside.settle().send({0.0, 20.5, 0.0});
    EXPECT_TRUE(inside.run(1).blipped);

    EntityRunner player({.key = 7, .place = RemotePlace{}, .is_local_player = true});
    player.scene.is_indoors = indoors;
    player.settle();
    player.entity.receive(player.tuning, MotionPacket{.stamps = {.movement = 1}, .autonomy = 1});
    EXPECT_EQ(player.send({0.0, 20.5, 0.0}), Routed::PlayerQueued);
    EXPECT_FALSE(player.run(1).blipped);
}

TEST(RemoteEntity, ASilentServerLeashesARunningBody) {
    EntityRunner runner;
    runner.settle().send({0.0, 0.04, 0.0}); // Arms the leash.
    runner.command(kRun);
    runner.run(30 * 60);
    // The budget of 50 m is approached, never used up: what is left shrinks in each quantum.
    EXPECT_GT(runner.body().position.y, 45.0);
    EXPECT_LT(runner.body().position.y, 50.0);
    EXPECT_TRUE(runner.entity.leash().fully_leashed({}));
    runner.send(runner.body().position);
    EXPECT_EQ(runner.entity.leash().used_m(), 0.0);
}

TEST(RemoteEntity, TheLeashIsShorterIndoors) {
    const auto indoors = [](const glm::dvec3&) { return true; };
    EntityRunner runner;
    runner.scene.is_indoors = indoors;
    runner.settle().send({0.0, 0.04, 0.0});
    runner.command(kRun);
    runner.run(30 * 60);
    EXPECT_GT(runner.body().position.y, 18.0);
    EXPECT_LT(runner.body().position.y, 20.0);
}

TEST(RemoteEntity, TheLocalPlayerIsForcedTeleportedLeashedAndQueued) {
    EntityRunner player(
        {.key = 7, .place = RemotePlace{.heading_deg = 10.0}, .is_local_player = true});
    player.settle();
    EXPECT_EQ(player.send({3.0, 4.0, 0.0}, 90.0), Routed::PlayerLeashed);
    EXPECT_EQ(player.body().position, glm::dvec3(0.0));
    EXPECT_NEAR(player.entity.leash().used_m(), 5.0, kTolerance);

    ++player.stamps.force_position;
    EXPECT_EQ(player.send({1.0, 0.0, 0.0}, 90.0), Routed::PlayerForced);
    EXPECT_EQ(player.body().position.x, 1.0);
    EXPECT_EQ(player.body().heading_deg, 10.0);
    EXPECT_NEAR(player.entity.leash().used_m(), 5.0, kTolerance);

    player.leap({1.0, 0.0, 0.0});
    EXPECT_EQ(player.teleport({9.0, 0.0, 0.0}, 90.0), Routed::PlayerTeleported);
    EXPECT_EQ(player.body().heading_deg, 90.0);
    EXPECT_EQ(player.body().velocity, glm::dvec3(0.0));
    EXPECT_EQ(player.entity.leash().used_m(), 0.0);
}

TEST(RemoteEntity, BadNumbersAreRefusedAtEveryDoorAndChangeNothing) {
    EntityRunner runner;
    runner.settle();
    for (const double bad : {kNan, kInfinity, -kInfinity, 2.0 * kMaxPosition}) {
        EXPECT_EQ(runner.send({0.0, bad, 0.0}), Routed::BadNumber);
        EXPECT_EQ(runner.send({0.0, 0.0, 0.0}, bad), Routed::BadNumber);
        EXPECT_EQ(runner.leap({0.0, 0.0, bad}), Received::BadNumber);
        EXPECT_EQ(runner.leap({0.0, 0.0, 0.0}, {bad, 0.0, 0.0}), Received::BadNumber);
        EXPECT_EQ(runner.command({.forward_speed = bad}), Received::BadNumber);
        EXPECT_EQ(runner.command({.sidestep_speed = bad}), Received::BadNumber);
        EXPECT_EQ(runner.command({.turn_deg_s = bad}), Received::BadNumber);
        EXPECT_EQ(runner.order({.position = {bad, 0.0, 0.0}}), Received::BadNumber);
        EXPECT_EQ(runner.order({.run_rate = bad}), Received::BadNumber);
        EXPECT_EQ(runner.order({.params = {.speed = bad}}), Received::BadNumber);
        EXPECT_EQ(runner.order({.params = {.desired_heading_deg = bad}}), Received::BadNumber);
    }
    EXPECT_EQ(runner.command({.forward_speed = -1.0}), Received::BadNumber);
    EXPECT_EQ(runner.command({.gait = static_cast<Gait>(9)}), Received::BadNumber);
    EXPECT_EQ(runner.order({.kind = static_cast<MoveToKind>(9)}), Received::BadNumber);
    EXPECT_EQ(runner.order({.params = {.distance_to_object_m = kNan}}), Received::BadNumber);
    EXPECT_EQ(runner.order({.params = {.min_distance_m = -1.0}}), Received::BadNumber);
    EXPECT_EQ(runner.order({.params = {.fail_distance_m = kNan}}), Received::BadNumber);
    EXPECT_EQ(runner.order({.params = {.walk_run_threshold_m = kNan}}), Received::BadNumber);
    EXPECT_EQ(runner.entity.update_stamps(), UpdateStamps{});
    EXPECT_EQ(runner.body().position, glm::dvec3(0.0));
    EXPECT_EQ(runner.entity.command(), MotionCommand{});
}

TEST(RemoteEntity, StaleMovementAndVectorPacketsChangeNothing) {
    EntityRunner runner;
    runner.command(kRun);
    --runner.movement.movement;
    EXPECT_EQ(runner.command({}), Received::Stale);
    --runner.movement.movement;
    EXPECT_EQ(runner.order({.position = {0.0, 9.0, 0.0}}), Received::Stale);
    EXPECT_EQ(runner.entity.command(), kRun);
    runner.leap({1.0, 0.0, 0.0});
    --runner.vector_stamp;
    EXPECT_EQ(runner.leap({9.0, 0.0, 0.0}), Received::Stale);
    EXPECT_EQ(runner.body().velocity.x, 1.0);
}

TEST(RemoteEntity, AQuantumOutOfRangeDoesNothing) {
    EntityRunner runner;
    runner.command(kRun);
    for (const double bad : {0.0, -1.0, 1.5, kNan, kInfinity}) {
        runner.entity.advance(runner.tuning, bad);
    }
    EXPECT_EQ(runner.body().position, glm::dvec3(0.0));
}

TEST(RemoteEntity, ACollisionThatAnswersNonsenseIsNotFollowed) {
    EntityRunner runner;
    const auto nonsense = [](std::uint64_t, const glm::dvec3&, const glm::dvec3&) {
        return Footing{.position = {kNan, 0.0, 0.0}, .ground = Ground{.normal = {kNan, 0.0, 0.0}}};
    };
    runner.scene.resolve = nonsense;
    runner.command(kRun);
    runner.run(3);
    EXPECT_NEAR(runner.body().position.y, 3 * 4.0 * kThirtieth, kTolerance);
    const auto bad_normal = [](std::uint64_t, const glm::dvec3&, const glm::dvec3& to) {
        return Footing{.position = to, .ground = Ground{.normal = {kNan, 0.0, 0.0}}};
    };
    runner.scene.resolve = bad_normal;
    runner.run(1);
    EXPECT_EQ(runner.body().ground.normal, glm::dvec3(0.0, 0.0, 1.0));
}

TEST(RemoteEntity, ChasingItsEchoTurnsThePlayerUnlessToldOtherwise) {
    for (const bool keeps : {false, true}) {
        EntityRunner player({.key = 7,
                             .place = RemotePlace{},
                             .is_local_player = true,
                             .echo_keeps_heading = keeps});
        player.settle();
        player.entity.receive(player.tuning,
                              MotionPacket{.stamps = {.movement = 1}, .autonomy = 0});
        player.send({0.0, 2.0, 0.0}, 120.0);
        player.run(1);
        EXPECT_EQ(player.body().heading_deg, keeps ? 0.0 : 120.0);
    }
}

TEST(RemoteEntity, RunSkillAndMissingSpeedsDecideHowFastItChases) {
    const auto first_step = [](const RemoteEntityConfig& config) {
        EntityRunner runner(config);
        runner.settle();
        runner.entity.receive(runner.tuning,
                              MotionPacket{.stamps = {.movement = 1}, .autonomy = 0});
        runner.send({0.0, 5.0, 0.0});
        runner.run(1);
        return runner.body().position.y / kThirtieth;
    };
    const RemotePlace place{};
    EXPECT_NEAR(first_step({.place = place}), 8.0, kTolerance);
    EXPECT_NEAR(first_step({.place = place, .has_speeds = false}), 7.5, kTolerance);
    EXPECT_NEAR(first_step({.place = place, .is_local_player = true, .run_skill = 3.0}), 24.0,
                kTolerance);
    EXPECT_NEAR(first_step({.place = place, .run_skill = 3.0}), 8.0, kTolerance);
}

TEST(RemoteEntity, ABodyAtTheEdgeOfTheWorldStaysInside) {
    EntityRunner runner({.key = 7, .place = RemotePlace{.position = {0.0, kMaxPosition, 0.0}}});
    runner.command(kRun);
    runner.run(10);
    EXPECT_EQ(runner.body().position.y, kMaxPosition);
}

TEST(RemoteEntity, FarUpdatesWithoutAPlaceToGoFillTheQueueAndNoMore) {
    EntityRunner runner;
    const auto nowhere = [](std::uint64_t, const glm::dvec3&) { return false; };
    runner.scene.can_place = nowhere;
    runner.settle();
    for (int i = 1; i <= 100; ++i) {
        runner.send({0.0, i % 2 == 0 ? 0.5 : 500.0, 0.0});
        runner.run(1);
        EXPECT_LE(runner.entity.chase().size(), kChaseCapacity);
    }
    EXPECT_GT(runner.entity.chase().size(), runner.tuning.queue_cap);
}

} // namespace
} // namespace glissade
