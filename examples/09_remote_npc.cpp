// SPDX-License-Identifier: MIT
// An NPC of which the server tells once a second, drawn at 60 frames a second.
#include "glissade/glissade.h"

#include "example_args.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kLatencyNs = 120'000'000;

// Stands for a server and a wire: an NPC that runs north at 4 m/s and is told of once a second.
class Server {
public:
    // What has arrived by now.
    bool take(std::int64_t now_ns, glissade::PositionPacket& packet) {
        for (; next_ns_ <= now_ns; next_ns_ += kSecond) {
            const double y = 4.0 * static_cast<double>(next_ns_) * 1e-9;
            wire_.push_back({next_ns_ + kLatencyNs, y});
        }
        if (wire_.empty() || wire_.front().arrive_ns > now_ns) {
            return false;
        }
        packet = {.stamps = {.position = ++stamp_}, .position = {0.0, wire_.front().y, 0.0}};
        wire_.pop_front();
        return true;
    }

private:
    struct Update {
        std::int64_t arrive_ns;
        double y;
    };
    std::int64_t next_ns_ = kSecond;
    std::uint16_t stamp_ = 0;
    std::deque<Update> wire_{};
};

// Stands for drawing: how long are the steps of the picture, after the first seconds?
struct Screen {
    double y = 0.0;
    double shortest = 1e9;
    double longest = 0.0;

    void draw(int frame, std::int64_t now_ns, const glissade::Pose& pose) {
        const double step = pose.position.y - y;
        y = pose.position.y;
        if (now_ns > 3 * kSecond) {
            shortest = std::min(shortest, step);
            longest = std::max(longest, step);
        }
        if (frame % 30 == 0) {
            std::printf("%5.2f s: drawn at y = %6.3f m, last step %5.1f mm\n",
                        static_cast<double>(now_ns) * 1e-9, y, step * 1e3);
        }
    }
};

} // namespace

int main(int argc, char** argv) {
    const example::Args args = example::parse_args(
        argc, argv, 600, "An NPC with one update a second, drawn at 60 frames a second.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    Server server;
    Screen screen;

    // [world]
    glissade::Stage stage({.capacity = 64, .track = glissade::RemoteWorld::track_config()});
    glissade::RemoteWorld world(stage);
    const glissade::Id npc = world.add({.key = 42, .place = glissade::RemotePlace{}});
    // It runs: between updates the animation moves the body.
    world.receive(npc, glissade::MotionPacket{.stamps = {.movement = 1},
                                              .command = {.gait = glissade::Gait::RunForward}});
    // [/world]

    for (int frame = 0; frame < args.frames; ++frame) {
        const std::int64_t now_ns = frame * kSecond / 60;
        // [frame]
        glissade::PositionPacket packet;
        while (server.take(now_ns, packet)) {
            world.receive(npc, packet); // Chased, not jumped to.
        }
        world.present(now_ns);
        screen.draw(frame, now_ns, stage.visual(npc));
        // [/frame]
    }

    const glissade::RemoteWorldReport report = world.report();
    std::printf("\nsteps of the picture after 3 s: %.1f to %.1f mm (even would be %.1f)\n",
                screen.shortest * 1e3, screen.longest * 1e3, 4000.0 / 60.0);
    std::printf("quanta %llu, snaps %llu, blips %llu, delay %.1f ms\n",
                static_cast<unsigned long long>(report.quantum_count),
                static_cast<unsigned long long>(report.snap_count),
                static_cast<unsigned long long>(report.blip_count),
                static_cast<double>(report.delay_ns) * 1e-6);
    return 0;
}
