// SPDX-License-Identifier: MIT
// Three ways to be somewhere else: a teleport (cut), a portal (shift), and being fired from a gun
// (spawn).
#include "glissade/glissade.h"

#include "example_args.h"

#include <cstdio>

namespace {

using glissade::Id;
using glissade::Pose;

constexpr double kSpeed = 4.0; // Metres per second, along x for all three.

Pose at(double x, double y) {
    return {.position = {x, y, 0.0}};
}

// What the simulation knows of the three bodies.
struct World {
    double teleporter_x = 0.0;
    double traveller_x = 0.0;
    double traveller_y = 0.0;
    double bullet_x = 0.0;
};

} // namespace

int main(int argc, char** argv) {
    const example::Args args =
        example::parse_args(argc, argv, 36, "A teleport, a portal and a bullet.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    World world;
    glissade::FixedStep step({.rate = {20, 1}});
    glissade::Stage stage({.capacity = 16});
    const Id teleporter = stage.add(at(0.0, 0.0));
    const Id traveller = stage.add(at(0.0, 0.0));
    Id bullet;

    std::puts("frame   teleporter       traveller (portal)     bullet");
    for (int frame = 0; frame < args.frames; ++frame) {
        for (const glissade::Tick& tick : step.advance_to(frame * 1'000'000'000LL / 60)) {
            const double way = kSpeed * tick.step_s;

            // A teleport: it was not on the way there, so nothing is drawn between the two places.
            world.teleporter_x += way;
            if (tick.index == 4) {
                world.teleporter_x = 100.0;
                stage.cut(tick, teleporter, at(world.teleporter_x, 0.0));
            } else {
                stage.move(tick, teleporter, at(world.teleporter_x, 0.0));
            }

            // A portal that leads 50 m up: it keeps moving, so its drawn speed never changes.
            world.traveller_x += way;
            if (tick.index == 5) {
                world.traveller_y += 50.0;
                stage.shift(tick, traveller, {.translation = {0.0, 50.0, 0.0}});
            }
            stage.move(tick, traveller, at(world.traveller_x, world.traveller_y));

            // A bullet: shown from the moment the picture reaches its first tick, and in motion
            // then.
            if (tick.index == 3) {
                bullet = stage.spawn(tick, at(0.0, 0.0));
            } else if (tick.index > 3) {
                world.bullet_x += 10.0 * way;
                stage.move(tick, bullet, at(world.bullet_x, 0.0));
            }
        }
        stage.present(step.sample());

        const glm::dvec3 a = stage.visual(teleporter).position;
        const glm::dvec3 b = stage.visual(traveller).position;
        std::printf("%5d   x %8.3f   x %6.3f  y %6.3f   ", frame, a.x, b.x, b.y);
        if (stage.visible(bullet)) {
            std::printf("x %7.3f\n", stage.visual(bullet).position.x);
        } else {
            std::puts("-");
        }
    }
    return 0;
}
