// SPDX-License-Identifier: MIT
// An executable of its own, with support/counting_allocator.cpp.
#include "glissade/feed/remote_world.h"

#include "support/counting_allocator.h"

#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::int64_t kFrameNs = 16'666'667;

TEST(RemoteWorld, AllocatesInItsConstructorOnly) {
    Stage stage({.capacity = 100, .track = RemoteWorld::track_config()});
    const std::size_t before_count = allocation_count();
    RemoteWorld world(stage, {.capacity = 100});
    const std::size_t made_count = allocation_count();
    std::vector<Id> ids(100);
    const std::size_t ready_count = allocation_count();

    for (std::uint64_t key = 0; key < ids.size(); ++key) {
        ids[static_cast<std::size_t>(key)] = world.add({.key = key, .place = RemotePlace{}});
        world.receive(ids[static_cast<std::size_t>(key)],
                      MotionPacket{{.movement = 1}, {.gait = Gait::RunForward}});
    }
    for (int frame = 1; frame <= 600; ++frame) {
        const auto stamp = static_cast<std::uint16_t>(frame);
        const Id id = ids[static_cast<std::size_t>(frame) % ids.size()];
        const glm::dvec3 place(0.0, 0.05 * frame, 0.0);
        world.receive(id, PositionPacket{.stamps = {.position = stamp}, .position = place});
        world.receive(id, VectorPacket{.stamp = stamp, .velocity = {0.0, 0.0, 3.0}});
        if (frame % 50 == 0) {
            world.receive(id, MoveToPacket{{.movement = stamp}, {.position = {5.0, 5.0, 0.0}}});
        }
        if (frame % 40 == 0) {
            world.remove(ids[0]);
            ids[0] = world.add({.key = 0, .place = RemotePlace{}});
        }
        world.present(frame * kFrameNs);
    }
    EXPECT_GT(made_count, before_count);
    EXPECT_EQ(allocation_count(), ready_count);
    EXPECT_EQ(world.report().refused_count, 0U);
    EXPECT_GT(stage.mover_count(), 0U);
}

} // namespace
} // namespace glissade::testing
