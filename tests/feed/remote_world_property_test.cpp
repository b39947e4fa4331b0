// SPDX-License-Identifier: MIT
#include "glissade/feed/remote_world.h"

#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

constexpr std::uint32_t kCapacity = 6;
constexpr std::int64_t kFrameNs = 16'666'667;

// A world under random orders, beside a map that says which keys it must have.
class RandomWorld {
public:
    void step() {
        switch (*rc::gen::inRange(0, 7)) {
            case 0:
                add();
                break;
            case 1:
                remove();
                break;
            case 2:
                send_position();
                break;
            case 3:
                send_movement();
                break;
            default:
                world_.present(now_ns_ += *rc::gen::inRange<std::int64_t>(0, 4) * kFrameNs);
                break;
        }
        check();
    }

private:
    void add() {
        const auto key = *rc::gen::inRange<std::uint64_t>(0, 10);
        RemoteEntityConfig config{.key = key};
        if (*rc::gen::arbitrary<bool>()) {
            config.place = RemotePlace{};
        }
        const RemoteAdded added = world_.add(config);
        if (expected_.contains(key)) {
            RC_ASSERT(added.status == RemoteAdd::DuplicateKey);
        } else if (expected_.size() == kCapacity) {
            RC_ASSERT(added.status == RemoteAdd::Full);
        } else {
            RC_ASSERT(added.status == RemoteAdd::Ok);
            expected_[key] = added.id;
            ids_.push_back(added.id);
        }
    }

    void remove() {
        const Id id = any_id();
        const bool there = world_.find(id) != nullptr;
        RC_ASSERT((world_.remove(id) == StageStatus::Ok) == there);
        std::erase_if(expected_, [&](const auto& entry) { return entry.second == id; });
    }

    void send_position() {
        const Id id = any_id();
        const bool there = world_.find(id) != nullptr;
        ++stamp_;
        const auto y = *rc::gen::inRange(-200, 200);
        const auto teleport = static_cast<std::uint16_t>(stamp_ / 20);
        const Routed routed =
            world_.receive(id, PositionPacket{.stamps = {.position = stamp_, .teleport = teleport},
                                              .position = {0.0, static_cast<double>(y), 0.0},
                                              .contact = *rc::gen::arbitrary<bool>()});
        RC_ASSERT((routed != Routed::NoSuchEntity) == there);
    }

    void send_movement() {
        const Id id = any_id();
        ++stamp_;
        const auto target = *rc::gen::inRange<std::uint64_t>(0, 10);
        const Received received =
            *rc::gen::arbitrary<bool>()
                ? world_.receive(id, MotionPacket{.stamps = {.movement = stamp_},
                                                  .command = {.gait = Gait::RunForward},
                                                  .stick_to = target})
                : world_.receive(
                      id, MoveToPacket{.stamps = {.movement = stamp_},
                                       .order = {.kind = MoveToKind::Object, .target = target}});
        RC_ASSERT((received == Received::NoSuchEntity) == (world_.find(id) == nullptr));
    }

    // Of one that is there, or was.
    Id any_id() {
        return ids_.empty() ? Id{} : ids_[*rc::gen::inRange<std::size_t>(0, ids_.size())];
    }

    void check() const {
        RC_ASSERT(world_.report().entity_count == expected_.size());
        RC_ASSERT(world_.report().refused_count == 0U);
        RC_ASSERT(stage_.size() == expected_.size());
        for (const auto& [key, id] : expected_) {
            RC_ASSERT(world_.find_key(key) == id);
            const RemoteEntity* const entity = world_.find(id);
            RC_ASSERT(entity != nullptr);
            RC_ASSERT(entity->config().key == key);
            RC_ASSERT(std::isfinite(stage_.visual(id).position.y));
        }
    }

    Stage stage_{{.capacity = kCapacity + 2, .track = RemoteWorld::track_config()}};
    RemoteWorld world_{stage_, {.capacity = kCapacity}};
    std::map<std::uint64_t, Id> expected_{};
    std::vector<Id> ids_{};
    std::uint16_t stamp_ = 0;
    std::int64_t now_ns_ = 0;
};

RC_GTEST_PROP(RemoteWorldProperty, EntitiesComeAndGoUnderTheirNamesAndNothingIsRefused, ()) {
    RandomWorld world;
    const int step_count = *rc::gen::inRange(1, 200);
    for (int i = 0; i < step_count; ++i) {
        world.step();
    }
}

} // namespace
} // namespace glissade
