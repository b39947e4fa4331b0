// SPDX-License-Identifier: MIT
#include "glissade/remote/routing.h"

#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr UpdateStamps kStored{.instance = 1, .position = 10, .teleport = 5, .force_position = 2};
constexpr UpdateStamps kNext{.instance = 1, .position = 11, .teleport = 5, .force_position = 2};
constexpr RouteQuery kNear{.player_distance_m = 20.0};
constexpr RouteQuery kPlayer{.is_local_player = true, .player_distance_m = 0.0};

// Routes one update and keeps what it did to the stamps.
struct Outcome {
    Route route{};
    UpdateStamps stored{};
};
Outcome route(const UpdateStamps& incoming, const RouteQuery& query = kNear,
              const RemoteTuning& tuning = {}) {
    Outcome outcome{.stored = kStored};
    outcome.route = route_update(outcome.stored, incoming, query, tuning);
    return outcome;
}

UpdateStamps next_with(std::uint16_t UpdateStamps::*stamp, std::uint16_t value) {
    UpdateStamps stamps = kNext;
    stamps.*stamp = value;
    return stamps;
}

TEST(Routing, AnOrdinaryUpdateIsQueuedAndLeashesTheBodyToItself) {
    const Outcome outcome = route(kNext);
    EXPECT_EQ(outcome.route.routed, Routed::Queued);
    EXPECT_EQ(outcome.route.leash, LeashTo::OwnPosition);
    EXPECT_EQ(outcome.route.keep_heading, false);
    EXPECT_FALSE(outcome.route.zero_velocity);
    EXPECT_EQ(outcome.stored, kNext);
}

TEST(Routing, AMoveToKeepsTheHeading) {
    RouteQuery query = kNear;
    query.is_moving_to = true;
    EXPECT_EQ(route(kNext, query).route.keep_heading, true);
}

TEST(Routing, ALaterInstanceIsHeldAndAnEarlierOneDropped) {
    for (const auto& [instance, routed] :
         {std::pair{2, Routed::Held}, {0, Routed::IgnoredInstance}}) {
        const Outcome outcome =
            route(next_with(&UpdateStamps::instance, static_cast<std::uint16_t>(instance)));
        EXPECT_EQ(outcome.route.routed, routed);
        EXPECT_EQ(outcome.route.leash, LeashTo::Nothing);
        EXPECT_EQ(outcome.stored, kStored);
    }
}

TEST(Routing, AStalePositionStampIsSkipped) {
    for (const std::uint16_t position : {std::uint16_t{10}, std::uint16_t{9}}) {
        const Outcome outcome = route(next_with(&UpdateStamps::position, position));
        EXPECT_EQ(outcome.route.routed, Routed::IgnoredStale);
        EXPECT_EQ(outcome.stored, kStored);
    }
}

TEST(Routing, AnUpdateFromBeforeTheLastTeleportGivesItsStampBack) {
    const Outcome outcome = route(next_with(&UpdateStamps::teleport, 4));
    EXPECT_EQ(outcome.route.routed, Routed::IgnoredTeleport);
    EXPECT_EQ(outcome.stored, kStored);
}

TEST(Routing, ANewerTeleportIsSetAtOnceWhateverTheContactAndDistance) {
    for (const bool contact : {false, true}) {
        const UpdateStamps incoming = next_with(&UpdateStamps::teleport, 6);
        const Outcome outcome = route(incoming, {.contact = contact, .player_distance_m = 500.0});
        EXPECT_EQ(outcome.route.routed, Routed::Teleported);
        EXPECT_EQ(outcome.route.leash, LeashTo::OwnPosition);
        EXPECT_FALSE(outcome.route.zero_velocity);
        EXPECT_EQ(outcome.stored, incoming);
    }
}

TEST(Routing, ABodyWithoutAPlaceIsSetAtOnce) {
    const Outcome outcome = route(kNext, {.has_place = false, .contact = false});
    EXPECT_EQ(outcome.route.routed, Routed::Teleported);
    EXPECT_EQ(outcome.stored, kNext);
}

TEST(Routing, AnUpdateWithoutContactDoesNothingButConsumesItsStamp) {
    const Outcome outcome = route(kNext, {.contact = false, .player_distance_m = 20.0});
    EXPECT_EQ(outcome.route.routed, Routed::IgnoredAirborne);
    EXPECT_EQ(outcome.route.leash, LeashTo::Nothing);
    EXPECT_EQ(outcome.stored, kNext);
}

TEST(Routing, WithinTheDistanceItQueuesAndFromThereOnItSnaps) {
    const auto routed_at = [](double distance) {
        return route(kNext, {.player_distance_m = distance}).route.routed;
    };
    EXPECT_EQ(routed_at(0.0), Routed::Queued);
    EXPECT_EQ(routed_at(95.999), Routed::Queued);
    EXPECT_EQ(routed_at(96.0), Routed::Snapped);
    EXPECT_EQ(routed_at(500.0), Routed::Snapped);
    EXPECT_EQ(routed_at(std::numeric_limits<double>::infinity()), Routed::Snapped);
    const Route snapped = route(kNext, {.player_distance_m = 96.0}).route;
    EXPECT_EQ(snapped.leash, LeashTo::OwnPosition);
    EXPECT_EQ(snapped.keep_heading, std::nullopt);
}

TEST(Routing, TheLiteralDistanceIsThatOfTheUpdateAndSnapsOnlyBeyond) {
    const auto routed_at = [](double distance) {
        return route(kNext, {.player_distance_m = 20.0, .update_to_player_m = distance},
                     RemoteTuning::literal())
            .route.routed;
    };
    EXPECT_EQ(routed_at(96.0), Routed::Queued);
    EXPECT_EQ(routed_at(96.001), Routed::Snapped);
}

TEST(Routing, ALandingIsChasedIfNearAndZeroesTheVelocity) {
    const auto landing = [](double distance, const RemoteTuning& tuning) {
        return route(kNext,
                     {.player_distance_m = 20.0,
                      .update_to_player_m = 20.0,
                      .lands = true,
                      .update_distance_m = distance},
                     tuning)
            .route;
    };
    const RemoteTuning client;
    EXPECT_EQ(landing(0.999, client).routed, Routed::Queued);
    EXPECT_TRUE(landing(0.999, client).zero_velocity);
    EXPECT_EQ(landing(1.0, client).routed, Routed::Snapped);
    EXPECT_TRUE(landing(1.0, client).zero_velocity);
    EXPECT_EQ(landing(0.0, RemoteTuning::literal()).routed, Routed::Snapped);
}

TEST(Routing, ANearLandingFarFromThePlayerSnaps) {
    const Route far = route(kNext, {.player_distance_m = 96.0, .lands = true}).route;
    EXPECT_EQ(far.routed, Routed::Snapped);
    EXPECT_TRUE(far.zero_velocity);
}

TEST(Routing, WithoutContactThereIsNoLanding) {
    const Route route_in_air =
        route(kNext, {.contact = false, .player_distance_m = 20.0, .lands = true}).route;
    EXPECT_EQ(route_in_air.routed, Routed::IgnoredAirborne);
    EXPECT_FALSE(route_in_air.zero_velocity);
}

TEST(Routing, RemoteBodiesIgnoreTheForcePositionStamp) {
    const Outcome outcome = route(next_with(&UpdateStamps::force_position, 9));
    EXPECT_EQ(outcome.route.routed, Routed::Queued);
    EXPECT_EQ(outcome.stored, kNext);
}

TEST(Routing, AForcedPlayerTakesEvenAnOldPositionStamp) {
    const UpdateStamps incoming{.instance = 1, .position = 9, .teleport = 6, .force_position = 3};
    const Outcome outcome = route(incoming, kPlayer);
    EXPECT_EQ(outcome.route.routed, Routed::PlayerForced);
    EXPECT_EQ(outcome.route.leash, LeashTo::Nothing);
    // The teleport is still to come.
    EXPECT_EQ(outcome.stored, (UpdateStamps{1, 9, 5, 3}));
}

TEST(Routing, AForceFromBeforeATeleportIsConsumedAndGoesOn) {
    const UpdateStamps incoming{.instance = 1, .position = 11, .teleport = 4, .force_position = 3};
    const Outcome outcome = route(incoming, kPlayer);
    EXPECT_EQ(outcome.route.routed, Routed::IgnoredTeleport);
    EXPECT_EQ(outcome.stored, (UpdateStamps{1, 10, 5, 3}));
}

TEST(Routing, APlayersTeleportLeashesToTheReceivedPlaceAndStopsIt) {
    RouteQuery query = kPlayer;
    query.contact = false;
    const Outcome outcome = route(next_with(&UpdateStamps::teleport, 6), query);
    EXPECT_EQ(outcome.route.routed, Routed::PlayerTeleported);
    EXPECT_EQ(outcome.route.leash, LeashTo::Received);
    EXPECT_TRUE(outcome.route.zero_velocity);
    EXPECT_EQ(outcome.stored.teleport, 6);
}

TEST(Routing, AnAutonomousPlayerIsOnlyLeashed) {
    for (const std::uint8_t autonomy : {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}}) {
        RouteQuery query = kPlayer;
        query.autonomy = autonomy;
        const Routed with_contact = autonomy == 2 ? Routed::PlayerLeashed : Routed::PlayerQueued;
        EXPECT_EQ(route(kNext, query).route.routed, with_contact);
        EXPECT_EQ(route(kNext, query).route.leash, LeashTo::Received);
        query.contact = false;
        EXPECT_EQ(route(kNext, query).route.routed, Routed::PlayerLeashed);
    }
}

TEST(Routing, EveryOutcomeHasItsOwnName) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < kRoutedCount; ++i) {
        names.insert(to_string(static_cast<Routed>(i)));
    }
    EXPECT_EQ(names.size(), kRoutedCount);
    EXPECT_FALSE(names.contains("unknown"));
    EXPECT_STREQ(to_string(static_cast<Routed>(kRoutedCount)), "unknown");
}

TEST(AcceptMovement, NeedsANewerMovementAndNoOlderControl) {
    constexpr MovementStamps kKept{.movement = 10, .server_control = 3};
    const auto accepts = [&](int movement, int control) {
        MovementStamps stored = kKept;
        const MovementStamps incoming{static_cast<std::uint16_t>(movement),
                                      static_cast<std::uint16_t>(control)};
        const bool accepted = accept_movement(stored, incoming);
        EXPECT_EQ(stored, accepted ? incoming : kKept);
        return accepted;
    };
    EXPECT_TRUE(accepts(11, 3));
    EXPECT_TRUE(accepts(11, 4));
    EXPECT_FALSE(accepts(11, 2));
    EXPECT_FALSE(accepts(10, 4));
    EXPECT_FALSE(accepts(9, 3));
}

} // namespace
} // namespace glissade
