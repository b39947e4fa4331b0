// SPDX-License-Identifier: MIT
// Objects that appear in motion, fly straight and end: two or three at a time.
#include "lab/motion/legs.h"
#include "lab/random.h"

#include <numbers>

namespace glissade::lab {
namespace {

constexpr std::uint64_t kStream = 13;
constexpr std::size_t kTicksBetween = 36;
constexpr std::size_t kLifeTicks = 90;
constexpr double kHalfWidthM = 10.0;
constexpr double kSpeed = 5.0;

} // namespace

std::vector<MovingObject> make_spawns(const Timeline& timeline, std::uint64_t seed) {
    Random random(seed, kStream);
    std::vector<MovingObject> objects;
    for (std::size_t tick = 0; tick + 1 < timeline.sim_ns.size(); tick += kTicksBetween) {
        Leg leg{.begin_ns = timeline.sim_ns[tick]};
        leg.position.x = random.between(-kHalfWidthM, kHalfWidthM);
        leg.position.y = random.between(-kHalfWidthM, kHalfWidthM);
        const double heading_rad = random.between(-std::numbers::pi, std::numbers::pi);
        leg.velocity = kSpeed * make_direction(heading_rad);
        MovingObject object{.id = static_cast<std::int64_t>(objects.size()) + 1};
        object.begin_ns = leg.begin_ns;
        if (tick + kLifeTicks < timeline.sim_ns.size()) {
            object.end_ns = timeline.sim_ns[tick + kLifeTicks];
        }
        object.at = [leg](std::int64_t time_ns) {
            return MotionState{.position = compute_position(leg, time_ns),
                               .velocity = leg.velocity};
        };
        objects.push_back(object);
    }
    return objects;
}

} // namespace glissade::lab
