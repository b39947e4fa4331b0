// SPDX-License-Identifier: MIT
// The short way of a single move does what the long way does, whatever happens between two moves.
#include "glissade/stage/stage.h"

#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::size_t kCount = 150; // Two blocks and a part of one.

/// The same calls to two stages: one takes the short way where it can. With an Extra there is none.
class Twins {
public:
    explicit Twins(std::uint64_t seed) : random(seed) {
        for (Stage* stage : {&fast, &slow}) {
            second_ = stage->make_track({}).value_or(kDefaultTrack);
        }
        for (std::size_t number = 0; number < kCount; ++number) {
            // Some on another track, some that take more than a pose.
            const ObjectConfig config{.track = number % 40 == 39 ? second_ : kDefaultTrack,
                                      .blend = number % 60 == 59 ? Blend::Hermite : Blend::Linear};
            ids.push_back(fast.add({}, config));
            EXPECT_EQ(slow.add({}, config).id, ids.back());
        }
    }

    void move(const Tick& tick, Id id, const Pose& pose) {
        const StageStatus due = slow.move(tick, id, pose, {});
        ASSERT_EQ(fast.move(tick, id, pose), due);
    }

    template <class Call>
    void both(const Call& call) {
        const auto due = call(slow);
        ASSERT_EQ(call(fast), due);
    }

    void expect_same() const {
        ASSERT_EQ(compute_digest(fast, ids), compute_digest(slow, ids));
        ASSERT_EQ(fast.stats().refused_count, slow.stats().refused_count);
    }

    void present(std::int64_t time_ns) {
        const TrackSample first{.time = {.time_ns = time_ns, .now_ns = time_ns}};
        const TrackSample other{.track = second_, .time = first.time};
        both([&](Stage& stage) { return stage.present(std::array{first, other}); });
    }

    Random random;
    Stage fast{{.capacity = 2 * kCount}};
    Stage slow{{.capacity = 2 * kCount}};
    std::vector<Id> ids;

private:
    TrackId second_{};
};

TEST(MoveCursor, MovesInOrderAreCountedAndReadAtOnce) {
    Twins twins(1);
    for (std::int64_t index = 1; index <= 4; ++index) {
        for (const Id id : twins.ids) {
            const Pose pose = draw_scene_pose(twins.random);
            twins.move(tick_at(index), id, pose);
            ASSERT_EQ(twins.fast.logical(id), pose);
            ASSERT_EQ(twins.fast.stats().move_count, twins.slow.stats().move_count);
        }
        // What has not been told in this tick is where it was.
        twins.expect_same();
        twins.present(index * kSceneTickNs - 5'000'000);
        twins.expect_same();
    }
}

TEST(MoveCursor, ATickThatIsHalfToldHoldsTheRest) {
    Twins twins(2);
    for (std::int64_t index = 1; index <= 6; ++index) {
        const std::size_t told = index >= 3 ? kCount / 2 : kCount;
        for (std::size_t number = 0; number < told; ++number) {
            twins.move(tick_at(index), twins.ids[number], draw_scene_pose(twins.random));
        }
        twins.expect_same();
        twins.present(index * kSceneTickNs - 5'000'000);
        twins.expect_same();
    }
    EXPECT_GT(twins.fast.stats().settle_count, 0U);
}

TEST(MoveCursor, WhatIsWrongIsRefusedInTheMiddleOfARun) {
    Twins twins(3);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Pose plain = at_x(1.0);
    std::vector<Pose> wrong(8, plain);
    wrong[0].position.y = kNan;
    wrong[1].position.z = -1e300;
    wrong[2].rotation.w = kInfinity;
    wrong[3].rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F);
    wrong[4].scale.y = kInfinity;
    wrong[5].scale = {2.0F, 1.0F, 1.0F};                   // Not wrong, but not plain.
    wrong[6].rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 2.0F); // The same.
    wrong[7].position.x = 0.9 * kMaxPosition;
    for (std::int64_t index = 1; index <= 3; ++index) {
        for (std::size_t number = 0; number < kCount; ++number) {
            const Tick tick = tick_at(index);
            const Id id = twins.ids[number];
            Tick other = tick;
            other.duration_ns = number % 2 == 0 ? 0 : tick.duration_ns + 1;
            twins.move(other, id, plain);
            other = tick;
            other.time_ns += number % 2 == 0 ? -1 : 1;
            twins.move(other, id, plain);
            twins.move(tick_at(index - 1), id, plain);
            twins.move(tick, Id{id.index1, id.generation + 1}, plain);
            twins.move(tick, {}, plain);
            twins.move(tick, id, wrong[number % wrong.size()]);
            twins.move(tick, id, draw_scene_pose(twins.random));
            twins.expect_same();
        }
        twins.present(index * kSceneTickNs - 5'000'000);
        twins.expect_same();
    }
}

/// One of the calls that change what the short way relies on.
void disturb(Twins& twins, const Tick& tick, std::int64_t kind) {
    Random& random = twins.random;
    const Id id = twins.ids[draw_place(random, twins.ids.size())];
    const Id other = twins.ids[draw_place(random, twins.ids.size())];
    const Pose pose = draw_scene_pose(random);
    const Tick past = tick_at(tick.index - 1);
    const Rigid rigid{.translation = pose.position, .rotation = pose.rotation};
    const SampleTime sample{.time_ns = past.time_ns + 1'000'000, .now_ns = tick.time_ns};
    const auto both = [&twins](const auto& call) { twins.both(call); };
    switch (kind) {
        case 0:
            return both([&](Stage& stage) { return stage.cut(tick, id, pose); });
        case 1:
            return both([&](Stage& stage) { return stage.shift(tick, id, rigid); });
        case 2:
            return both([&](Stage& stage) { return stage.amend(past, id, pose); });
        case 3:
            return both([&](Stage& stage) { return stage.hide(id); });
        case 4:
            return both([&](Stage& stage) { return stage.show(id); });
        case 5:
            return both([&](Stage& stage) { return stage.set_parent(id, other); });
        case 6:
            return both([&](Stage& stage) { return stage.set_blend(id, Blend::Hermite); });
        case 7:
            return both([&](Stage& stage) { return stage.set_blend(id, Blend::Linear); });
        case 8:
            return both([&](Stage& stage) { return stage.despawn(tick, id); });
        case 9:
            return both([&](Stage& stage) { return stage.rebase(pose.position); });
        case 10:
            return both([&](Stage& stage) { return stage.present(sample); });
        case 11:
            return both([&](Stage& stage) { return stage.cut(id, pose); });
        case 12:
            return both([&](Stage& stage) {
                return stage.move(tick, id, pose, {.velocity = {.linear = {1.0F, 0.0F, 0.0F}}});
            });
        case 13:
            return both([&](Stage& stage) { return stage.remove(id); });
        case 14:
            return both([&](Stage& stage) {
                return stage.move(tick, std::span(twins.ids).first(20), std::vector<Pose>(20, pose))
                    .accepted_count;
            });
        case 15:
            return both([&](Stage& stage) { return stage.amend(tick, id, pose); });
        default:
            return twins.move(tick, other, pose);
    }
}

/// A tick in the order of the ids, with something else in between now and then.
void run_disturbed(Twins& twins, const Tick& tick) {
    constexpr std::int64_t kKindCount = 17;
    for (const Id id : twins.ids) {
        twins.move(tick, id, draw_scene_pose(twins.random));
        if (draw_chance(twins.random, 25)) {
            disturb(twins, tick, twins.random.between(0, kKindCount - 1));
        }
    }
}

/// What is gone comes back as another one, in the same slot and often in the same row.
void replace_gone(Twins& twins) {
    for (Id& id : twins.ids) {
        if (!twins.fast.contains(id)) {
            id = twins.fast.add({});
            ASSERT_EQ(twins.slow.add({}).id, id);
        }
    }
}

// Removed, hidden, cut, below another one, in another order: each of them in the middle of a run.
TEST(MoveCursor, WhateverHappensBetweenTwoMovesIsSeen) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Twins twins(seed);
        for (std::int64_t index = 2; index <= 24; ++index) {
            run_disturbed(twins, tick_at(index));
            twins.expect_same();
            twins.present(index * kSceneTickNs - 7'000'000);
            twins.expect_same();
            replace_gone(twins);
        }
    }
}

TEST(MoveCursor, ALastRowThatIsRemovedTakesNoMove) {
    Twins twins(7);
    for (std::int64_t index = 1; index <= 3; ++index) {
        for (const Id id : twins.ids) {
            twins.move(tick_at(index), id, draw_scene_pose(twins.random));
        }
        twins.present(index * kSceneTickNs - 5'000'000);
    }
    const std::span<const Id> rows = twins.fast.moved().ids;
    std::vector<Id> others(rows.begin(), rows.end());
    const Id last = others.back();
    others.pop_back();
    for (const Id id : others) {
        twins.move(tick_at(4), id, draw_scene_pose(twins.random));
    }
    twins.both([last](Stage& stage) { return stage.remove(last); });
    ASSERT_EQ(twins.fast.move(tick_at(4), last, {}), StageStatus::StaleHandle);
}

TEST(MoveCursor, AfterARestartNothingOfTheOldTickIsLeft) {
    Twins twins(5);
    for (std::int64_t index = 1; index <= 3; ++index) {
        for (const Id id : twins.ids) {
            twins.move(tick_at(index), id, draw_scene_pose(twins.random));
        }
        for (std::size_t number = 0; number < 10; ++number) {
            twins.move(tick_at(index + 1), twins.ids[number], draw_scene_pose(twins.random));
        }
        twins.both([](Stage& stage) { return stage.restart(kDefaultTrack, 0); });
        for (const Id id : twins.ids) {
            twins.move(tick_at(index + 1), id, draw_scene_pose(twins.random));
        }
        twins.expect_same();
    }
}

TEST(MoveCursor, AStageThatIsMovedTakesItAlong) {
    Twins twins(6);
    for (const Id id : twins.ids) {
        twins.move(tick_at(1), id, draw_scene_pose(twins.random));
    }
    for (std::size_t number = 0; number < 10; ++number) {
        twins.move(tick_at(2), twins.ids[number], draw_scene_pose(twins.random));
    }
    Stage moved = std::move(twins.fast);
    for (const Id id : twins.ids) {
        const Pose pose = draw_scene_pose(twins.random);
        ASSERT_EQ(twins.slow.move(tick_at(2), id, pose, {}), moved.move(tick_at(2), id, pose));
    }
    EXPECT_EQ(compute_digest(moved, twins.ids), compute_digest(twins.slow, twins.ids));
}

} // namespace
} // namespace glissade::testing
