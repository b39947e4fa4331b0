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

// The three bodies: what the simulation knows of them, and their names on the stage.
struct Bodies {
    glissade::Stage& stage;
    Id teleporter = stage.add(at(0.0, 0.0));
    Id traveller = stage.add(at(0.0, 0.0));
    Id bullet{};
    double teleporter_x = 0.0;
    double traveller_x = 0.0;
    double traveller_y = 0.0;
    double bullet_x = 0.0;

    void step(const glissade::Tick& tick) {
        const double way = kSpeed * tick.step_s;
        teleporter_x += way;
        traveller_x += way;

        // A teleport: it was not on the way there, so nothing is drawn between the two places.
        if (tick.index == 4) {
            teleporter_x = 100.0;
            stage.cut(tick, teleporter, at(teleporter_x, 0.0));
        } else {
            stage.move(tick, teleporter, at(teleporter_x, 0.0));
        }

        // A portal that leads 50 m up: it keeps moving, so its drawn speed never changes.
        if (tick.index == 5) {
            traveller_y += 50.0;
            stage.shift(tick, traveller, {.translation = {0.0, 50.0, 0.0}});
        }
        stage.move(tick, traveller, at(traveller_x, traveller_y));

        // A bullet: shown from the moment the picture reaches its first tick, and in motion then.
        if (tick.index == 3) {
            bullet = stage.spawn(tick, at(0.0, 0.0));
        } else if (tick.index > 3) {
            bullet_x += 10.0 * way;
            stage.move(tick, bullet, at(bullet_x, 0.0));
        }
    }
};

} // namespace

int main(int argc, char** argv) {
    const example::Args args =
        example::parse_args(argc, argv, 36, "A teleport, a portal and a bullet.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    glissade::FixedStep step({.rate = {20, 1}});
    glissade::Stage stage({.capacity = 16});
    Bodies bodies{.stage = stage};

    std::puts("frame   teleporter       traveller (portal)     bullet");
    for (int frame = 0; frame < args.frames; ++frame) {
        for (const glissade::Tick& tick : step.advance_to(frame * 1'000'000'000LL / 60)) {
            bodies.step(tick);
        }
        stage.present(step.sample());

        const glm::dvec3 a = stage.visual(bodies.teleporter).position;
        const glm::dvec3 b = stage.visual(bodies.traveller).position;
        std::printf("%5d   x %8.3f   x %6.3f  y %6.3f   ", frame, a.x, b.x, b.y);
        if (stage.visible(bodies.bullet)) {
            std::printf("x %7.3f\n", stage.visual(bodies.bullet).position.x);
        } else {
            std::puts("-");
        }
    }
    return 0;
}
