// SPDX-License-Identifier: MIT
// A turret on a turning tank, a shell that leaves it: local poses in, world matrices out.
#include "glissade/glissade.h"

#include "example_args.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace {

using glissade::Id;
using glissade::Pose;

// Turned by `angle_rad` about the vertical axis.
Pose turned(const glm::dvec3& position, double angle_rad) {
    return {.position = position,
            .rotation = glissade::quat_from_rotation_vector({0.0, angle_rad, 0.0})};
}

struct Tank {
    glissade::Stage& stage;
    Id hull = stage.add(turned({0.0, 0.0, 0.0}, 0.0));
    Id turret = stage.add(turned({0.0, 2.0, 0.0}, 0.0), {.parent = hull});
    Id muzzle = stage.add({.position = {0.0, 0.0, -3.0}}, {.parent = turret});
    Id shell = stage.add({}, {.parent = muzzle});
    glm::dvec3 shell_position{0.0};

    void step(const glissade::Tick& tick) {
        const double t = static_cast<double>(tick.index) * tick.step_s;
        // Each pose is local to its parent; the muzzle and the shell inside it need no call.
        stage.move(tick, hull, turned({2.0 * t, 0.0, 0.0}, 0.3 * t));
        stage.move(tick, turret, turned({0.0, 2.0, 0.0}, -2.0 * t));
        if (tick.index == 4) {
            // Out of the barrel: its path in the world goes on unbroken.
            stage.set_parent(shell, {});
            shell_position = stage.logical(shell).position;
        }
        if (tick.index >= 4) {
            shell_position.z -= 20.0 * tick.step_s;
            stage.move(tick, shell, {.position = shell_position});
        }
    }
};

} // namespace

int main(int argc, char** argv) {
    const example::Args args =
        example::parse_args(argc, argv, 36, "A tank, its turret and a shell.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    glissade::FixedStep step({.rate = {10, 1}});
    glissade::Stage stage({.capacity = 16});
    Tank tank{.stage = stage};

    std::puts(
        "frame     muzzle x, y, z (world)       3 m from the turret?   shell x, y, z (world)");
    for (int frame = 0; frame < args.frames; ++frame) {
        for (const glissade::Tick& tick : step.advance_to(frame * 1'000'000'000LL / 60)) {
            tank.step(tick);
        }
        stage.present(step.sample());

        // Three rows of four floats each, relative to the camera: straight into an instance buffer.
        const glm::dvec3 camera{0.0, 5.0, 10.0};
        const std::array<Id, 3> drawn = {tank.turret, tank.muzzle, tank.shell};
        std::array<glm::mat3x4, 3> matrices{};
        stage.write_matrices(drawn, matrices, camera);
        const auto place = [&](std::size_t i) {
            return glm::dvec3(matrices[i][0].w, matrices[i][1].w, matrices[i][2].w) + camera;
        };
        const glm::dvec3 m = place(1);
        const glm::dvec3 s = place(2);
        const glm::dvec3 arm = m - place(0);
        std::printf("%5d   %8.3f %8.3f %8.3f   %10.5f m        %8.3f %8.3f %8.3f\n", frame, m.x,
                    m.y, m.z, std::sqrt(arm.x * arm.x + arm.y * arm.y + arm.z * arm.z), s.x, s.y,
                    s.z);
    }
    std::printf("\n%zu objects, %zu of them moving; the resting ones cost nothing\n", stage.size(),
                stage.mover_count());
    return 0;
}
