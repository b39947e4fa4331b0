// SPDX-License-Identifier: MIT
// A remote player who runs, leaps and turns in the air: one packet, and the arc is his own.
#include "glissade/glissade.h"

#include "example_args.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

} // namespace

int main(int argc, char** argv) {
    const example::Args args =
        example::parse_args(argc, argv, 432, "A remote runner who jumps, drawn at 144 Hz.");
    if (args.exit_code) {
        return *args.exit_code;
    }

    glissade::Stage stage({.capacity = 64, .track = glissade::RemoteWorld::track_config()});
    glissade::RemoteWorld world(stage);
    const glissade::Id runner = world.add({.key = 42, .place = glissade::RemotePlace{}});
    world.receive(runner, glissade::MotionPacket{.stamps = {.movement = 1},
                                                 .command = {.gait = glissade::Gait::RunForward}});

    // [ground]
    // Your collision: here level ground. With it a jump lands by itself; without it the next update
    // that says "contact" ends the flight.
    const auto resolve = [](std::uint64_t /*key*/, const glm::dvec3& /*from*/,
                            const glm::dvec3& to) {
        return glissade::Footing{.position = {to.x, to.y, std::max(to.z, 0.0)},
                                 .ground = glissade::Ground{.walkable = to.z <= 0.0}};
    };
    const glissade::RemoteScene scene{.resolve = resolve};
    // [/ground]

    double highest = 0.0;
    for (int frame = 0; frame < args.frames; ++frame) {
        if (frame == 144) {
            // [leap]
            world.receive(runner, glissade::VectorPacket{.stamp = 1,
                                                         .velocity = {0.0, 4.0, 6.0},
                                                         .omega_rad_s = {0.0, 0.0, -1.0}});
            // [/leap]
        }
        world.present(frame * kSecond / 144, scene);
        const glissade::Pose pose = stage.visual(runner);
        highest = std::max(highest, pose.position.z);
        if (frame % 18 == 0) {
            std::printf("%5.2f s: (%5.2f, %5.2f, %5.2f) %s\n", frame / 144.0, pose.position.x,
                        pose.position.y, pose.position.z,
                        pose.position.z > 0.0 ? "in the air" : "");
        }
    }
    const glissade::RemoteBody& body = world.find(runner)->body();
    std::printf("\nhighest point %.2f m, %s, landings %llu\n", highest,
                body.ground.walkable ? "on the ground" : "in the air",
                static_cast<unsigned long long>(world.report().landing_count));
    return 0;
}
