// SPDX-License-Identifier: MIT
// Someone who walks about: straight for a while, another way, and stands still at times.
#include "lab/motion/legs.h"
#include "lab/random.h"

#include <utility>

namespace glissade::lab {
namespace {

constexpr std::uint64_t kStream = 11;
constexpr double kLegTicksMin = 18.0;
constexpr double kLegTicksMax = 72.0;
constexpr double kStopProbability = 0.3;
constexpr double kSpeedMin = 1.5;
constexpr double kSpeedMax = 5.0;
// Less than a quarter turn at a time: nobody walks back along the way just come.
constexpr double kTurnMaxRad = 1.2;

std::vector<Leg> make_walk(const Timeline& timeline, Random& random) {
    std::vector<Leg> legs;
    double heading_rad = 0.0;
    bool stands = true; // So that the first leg moves.
    std::size_t tick = 0;
    while (tick < timeline.sim_ns.size()) {
        Leg leg{.begin_ns = timeline.sim_ns[tick]};
        if (!legs.empty()) {
            leg.position = compute_position(legs.back(), leg.begin_ns);
        }
        heading_rad += random.between(-kTurnMaxRad, kTurnMaxRad);
        const double speed = random.between(kSpeedMin, kSpeedMax);
        stands = !stands && random.chance(kStopProbability);
        leg.velocity = stands ? glm::dvec3(0.0) : speed * make_direction(heading_rad);
        legs.push_back(leg);
        tick += static_cast<std::size_t>(random.between(kLegTicksMin, kLegTicksMax));
    }
    return legs;
}

} // namespace

std::vector<MovingObject> make_random_walk(const Timeline& timeline, std::uint64_t seed) {
    Random random(seed, kStream);
    std::vector<Leg> legs = make_walk(timeline, random);
    MovingObject walker{.id = 1};
    for (const Leg& leg : legs) {
        walker.kinks_ns.push_back(leg.begin_ns);
    }
    walker.at = [legs = std::move(legs)](std::int64_t time_ns) {
        const Leg& leg = legs[find_leg(legs, time_ns)];
        return MotionState{.position = compute_position(leg, time_ns), .velocity = leg.velocity};
    };
    return {walker};
}

} // namespace glissade::lab
