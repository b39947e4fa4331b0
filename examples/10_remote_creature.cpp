// SPDX-License-Identifier: MIT
// A creature that the server tells only "go to the player and stay with him".
#include "glissade/glissade.h"

#include "example_args.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>

#include <glm/geometric.hpp>

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kPlayer = 1;

// The local player is not an entity of the remote world: the scene tells where he is. He strolls
// off to the east after four seconds.
glissade::TargetState player_at(std::int64_t now_ns) {
    const double walked_s = std::fmax(0.0, static_cast<double>(now_ns) * 1e-9 - 4.0);
    return {.position = {1.5 * walked_s, 12.0, 0.0},
            .velocity = {walked_s > 0.0 ? 1.5 : 0.0, 0.0, 0.0},
            .radius_m = 0.4,
            .height_m = 1.8};
}

} // namespace

int main(int argc, char** argv) {
    const example::Args args = example::parse_args(
        argc, argv, 1440, "A creature that runs to the player and sticks to him, at 144 Hz.");
    if (args.exit_code) {
        return *args.exit_code;
    }

    glissade::Stage stage({.capacity = 64, .track = glissade::RemoteWorld::track_config()});
    glissade::RemoteWorld world(stage);
    const glissade::Id creature =
        world.add({.key = 7, .place = glissade::RemotePlace{}, .radius_m = 0.6, .height_m = 1.2});
    std::int64_t now_ns = 0;
    // [scene]
    const auto find_target = [&](std::uint64_t key) -> std::optional<glissade::TargetState> {
        return key == kPlayer ? std::optional(player_at(now_ns)) : std::nullopt;
    };
    glissade::RemoteScene scene{.find_target = find_target};
    // [/scene]

    // [order]
    glissade::MoveToParams params;
    params.can_charge = true; // Runs, however near.
    params.sticky = true;     // And stays with him.
    world.receive(
        creature,
        glissade::MoveToPacket{
            .stamps = {.movement = 1},
            .order = {.kind = glissade::MoveToKind::Object, .target = kPlayer, .params = params}},
        scene);
    // [/order]

    std::uint16_t movement = 1;
    for (int frame = 0; frame < args.frames; ++frame) {
        now_ns = frame * kSecond / 144;
        scene.player_position = player_at(now_ns).position;
        // The server renews its wish twice a second once the creature is there.
        const bool arrived = frame > 0 && !world.find(creature)->move_to().running();
        if (arrived && frame % 72 == 0) {
            world.receive(creature, glissade::MotionPacket{.stamps = {.movement = ++movement},
                                                           .stick_to = kPlayer});
        }
        world.present(now_ns, scene);
        if (frame % 144 == 0) {
            const glissade::Pose pose = stage.visual(creature);
            const double gap = glm::distance(pose.position, player_at(now_ns).position) - 0.4 - 0.6;
            std::printf("%4.1f s: creature at (%5.2f, %5.2f), %5.2f m from the player, %s\n",
                        static_cast<double>(now_ns) * 1e-9, pose.position.x, pose.position.y, gap,
                        arrived ? "stays with him" : "on its way");
        }
    }
    return 0;
}
