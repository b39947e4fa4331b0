// SPDX-License-Identifier: MIT
// Bodies that walk straight and are elsewhere all of a sudden, with another heading.
#include "lab/motion/legs.h"
#include "lab/random.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <glm/geometric.hpp>

namespace glissade::lab {
namespace {

constexpr std::uint64_t kStream = 12;
constexpr double kHalfWidthM = 15.0;
// A leg is about 2 m long: no point of a leg lies near the one before.
constexpr double kDistanceMinM = 8.0;
constexpr double kSpeed = 3.0;

glm::dvec3 make_place(const glm::dvec3& away_from, Random& random) {
    glm::dvec3 place = away_from;
    while (glm::distance(place, away_from) < kDistanceMinM) {
        place.x = random.between(-kHalfWidthM, kHalfWidthM);
        place.y = random.between(-kHalfWidthM, kHalfWidthM);
    }
    return place;
}

MovingObject make_jumper(std::int64_t id, const Timeline& timeline, std::size_t leg_ticks,
                         Random& random) {
    MovingObject jumper{.id = id, .parts = {.rotation = true, .cut = true}};
    std::vector<Leg> legs;
    for (std::size_t tick = 0; tick < timeline.sim_ns.size(); tick += leg_ticks) {
        Leg leg{.begin_ns = timeline.sim_ns[tick]};
        if (!legs.empty()) {
            leg.position = make_place(compute_position(legs.back(), leg.begin_ns), random);
            jumper.breaks_ns.push_back(leg.begin_ns);
        }
        const double heading_rad = random.between(-std::numbers::pi, std::numbers::pi);
        leg.velocity = kSpeed * make_direction(heading_rad);
        legs.push_back(leg);
    }
    jumper.at = [legs = std::move(legs)](std::int64_t time_ns) {
        const std::size_t index = find_leg(legs, time_ns);
        const Leg& leg = legs[index];
        return MotionState{.position = compute_position(leg, time_ns),
                           .velocity = leg.velocity,
                           .rotation = make_yaw(std::atan2(leg.velocity.y, leg.velocity.x)),
                           .cut = static_cast<std::int64_t>(index)};
    };
    return jumper;
}

} // namespace

std::vector<MovingObject> make_teleports(const Timeline& timeline, std::uint64_t seed) {
    // 0.7 s and about 0.5 s: seldom both at once.
    constexpr std::size_t kLegTicks[] = {42, 31};
    Random random(seed, kStream);
    std::vector<MovingObject> objects;
    for (const std::size_t leg_ticks : kLegTicks) {
        const auto id = static_cast<std::int64_t>(objects.size()) + 1;
        objects.push_back(make_jumper(id, timeline, leg_ticks, random));
    }
    return objects;
}

} // namespace glissade::lab
