// SPDX-License-Identifier: MIT
// Rows follow the order in which they are told, and nobody sees it but in the order of moved().
#include "stage/telling_order.h"

#include "glissade/stage/tick_writer.h"

#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

// The class alone: slots and rows as numbers, what is told is what it is told of.

std::vector<std::uint32_t> take(TellingOrder& order) {
    const std::span<const std::uint32_t> told = order.take_repeated();
    return {told.begin(), told.end()};
}

void tell_tick(TellingOrder& order, const std::vector<std::uint32_t>& slots) {
    order.begin_tick();
    for (const std::uint32_t slot : slots) {
        order.note(slot, 0);
    }
}

std::vector<std::uint32_t> make_slots(std::uint32_t count) {
    std::vector<std::uint32_t> slots(count);
    std::iota(slots.rbegin(), slots.rend(), 0U);
    return slots;
}

TEST(TellingOrder, WhatIsToldTwiceInTheSameOrderIsRepeated) {
    TellingOrder order(256);
    const std::vector<std::uint32_t> slots = make_slots(200);
    tell_tick(order, slots);
    EXPECT_TRUE(take(order).empty());
    tell_tick(order, slots);
    EXPECT_EQ(take(order), slots);
    EXPECT_TRUE(take(order).empty()) << "once a tick";
    tell_tick(order, slots);
    EXPECT_EQ(take(order), slots);
}

TEST(TellingOrder, AnotherOrderIsNot) {
    TellingOrder order(256);
    std::vector<std::uint32_t> slots = make_slots(200);
    tell_tick(order, slots);
    std::reverse(slots.begin(), slots.end());
    tell_tick(order, slots);
    EXPECT_TRUE(take(order).empty());
}

TEST(TellingOrder, SomeMayComeAndGo) {
    TellingOrder order(1024);
    std::vector<std::uint32_t> slots = make_slots(800);
    tell_tick(order, slots);
    slots.erase(slots.begin() + 300, slots.begin() + 305);
    tell_tick(order, slots);
    EXPECT_EQ(take(order), slots);
    slots.insert(slots.begin() + 100, {900, 901, 902});
    tell_tick(order, slots);
    EXPECT_EQ(take(order), slots);
}

TEST(TellingOrder, AQuarterMayDiffer) {
    for (const std::uint32_t other : {50U, 51U}) {
        TellingOrder order(256);
        std::vector<std::uint32_t> slots = make_slots(200);
        tell_tick(order, slots);
        // At the end, where nothing comes after it that would have to be found again.
        std::iota(slots.end() - static_cast<std::ptrdiff_t>(other), slots.end(), 1000U);
        tell_tick(order, slots);
        EXPECT_EQ(take(order).empty(), other == 51U);
    }
}

TEST(TellingOrder, AFewAreNotWorthIt) {
    for (const std::uint32_t count : {15U, 16U}) {
        TellingOrder order(256);
        tell_tick(order, make_slots(count));
        tell_tick(order, make_slots(count));
        EXPECT_EQ(take(order).empty(), count == 15U);
    }
}

TEST(TellingOrder, MoreThanItHasRoomForAreLeftOut) {
    TellingOrder order(32);
    tell_tick(order, make_slots(40));
    tell_tick(order, make_slots(40));
    EXPECT_EQ(take(order).size(), 32U);
}

// On a stage.

enum class Way { Single, Velocities, Batch, Writer };

/// Moves everything, in order.
void tell(Stage& stage, const Tick& tick, std::span<const Id> ids, std::span<const Pose> poses,
          Way way) {
    const std::vector<Velocity> velocities(ids.size(), {.linear = {1.0F, 2.0F, 3.0F}});
    TickWriter writer(stage, tick);
    for (std::size_t i = 0; i < ids.size() && way == Way::Single; ++i) {
        ASSERT_EQ(stage.move(tick, ids[i], poses[i]), StageStatus::Ok);
    }
    for (std::size_t i = 0; i < ids.size() && way == Way::Writer; ++i) {
        writer.move(ids[i], poses[i]);
    }
    if (way == Way::Writer) {
        ASSERT_EQ(writer.finish().accepted_count, ids.size());
    }
    if (way == Way::Batch) {
        ASSERT_EQ(stage.move(tick, ids, poses).accepted_count, ids.size());
    }
    if (way == Way::Velocities) {
        ASSERT_EQ(stage.move(tick, ids, poses, velocities).accepted_count, ids.size());
    }
}

/// Objects that began to move in the order of their ids, and are told in another one.
class Crowd {
public:
    Crowd(std::size_t count, const StageConfig& config) : stage(config) {
        for (std::size_t number = 0; number < count; ++number) {
            ids.push_back(stage.add({}));
        }
        run_tick(Way::Single);
        told = ids;
        shuffle();
    }

    void run_tick(Way way) {
        const std::vector<Id>& list = told.empty() ? ids : told;
        std::vector<Pose> poses(list.size());
        std::generate(poses.begin(), poses.end(), [this] { return draw_scene_pose(random); });
        tell(stage, tick_at(++index), list, poses, way);
    }
    void show(std::int64_t part_ns = 3'000'000) {
        const std::int64_t time_ns = (index - 1) * kSceneTickNs + part_ns;
        ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}), StageStatus::Ok);
    }
    void run(int frame_count, Way way) {
        for (int frame = 0; frame < frame_count; ++frame) {
            run_tick(way);
            show();
        }
    }
    void shuffle() {
        for (std::size_t left = told.size(); left > 1; --left) {
            std::swap(told[left - 1], told[draw_place(random, left)]);
        }
    }
    /// Those that are not in the row behind the one told before them.
    [[nodiscard]] std::size_t count_apart() const {
        const std::span<const Id> moved = stage.moved().ids;
        std::size_t apart = 0;
        auto row = moved.begin();
        for (const Id id : told) {
            const bool is_next = row != moved.end() && *row == id;
            apart += is_next ? 0U : 1U;
            row = is_next ? row + 1 : std::find(moved.begin(), moved.end(), id) + 1;
        }
        return apart;
    }
    [[nodiscard]] std::vector<Id> rows() const {
        const std::span<const Id> moved = stage.moved().ids;
        return {moved.begin(), moved.end()};
    }

    Random random{5};
    Stage stage;
    std::vector<Id> ids;
    std::vector<Id> told;
    std::int64_t index = 0;
};

class StageTellingOrder : public ::testing::TestWithParam<Way> {};

TEST_P(StageTellingOrder, RowsFollowAnOrderThatRepeatsItself) {
    Crowd crowd(2000, {.capacity = 2000});
    crowd.run(2, GetParam());
    EXPECT_GT(crowd.count_apart(), 1800U);
    for (int order = 0; order < 2; ++order) {
        // 64 of them in a frame at most. The last few are not worth it.
        crowd.run(80, GetParam());
        EXPECT_LT(crowd.count_apart(), 16U);
        crowd.shuffle();
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, StageTellingOrder,
                         ::testing::Values(Way::Single, Way::Velocities, Way::Batch, Way::Writer));

TEST(StageTellingOrder, SeveralFramesATickAreAsGoodAsOne) {
    Crowd crowd(2000, {.capacity = 2000});
    for (int tick = 0; tick < 80; ++tick) {
        crowd.run_tick(Way::Batch);
        crowd.show(3'000'000);
        crowd.show(9'000'000);
    }
    EXPECT_LT(crowd.count_apart(), 16U);
}

TEST(StageTellingOrder, AnotherOrderEveryTickLeavesTheRowsAlone) {
    Crowd crowd(2000, {.capacity = 2000});
    for (int frame = 0; frame < 10; ++frame) {
        crowd.run(1, Way::Batch);
        crowd.shuffle();
    }
    EXPECT_EQ(crowd.rows(), crowd.ids);
}

TEST(StageTellingOrder, OnlySomeRowsMoveInAFrame) {
    Crowd crowd(6400, {.capacity = 6400});
    crowd.run(2, Way::Batch);
    std::vector<Id> before = crowd.rows();
    for (int frame = 0; frame < 5; ++frame) {
        crowd.run(1, Way::Batch);
        const std::vector<Id> rows = crowd.rows();
        std::size_t moved = 0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            moved += rows[row] == before[row] ? 0U : 1U;
        }
        EXPECT_LE(moved, 2U * 6400U / 32U);
        before = rows;
    }
}

TEST(StageTellingOrder, FamiliesKeepTheirOwn) {
    Crowd crowd(300, {.capacity = 301});
    const Id child = crowd.stage.add({}, {.parent = crowd.ids[7]});
    crowd.run(6, Way::Single);
    EXPECT_EQ(crowd.rows(), crowd.ids);
    EXPECT_EQ(crowd.stage.remove(child), StageStatus::Ok);
}

/// The same life of two crowds. One is told in one order all the time, and its rows follow; the
/// other in another one every tick, and they do not.
class Lives {
public:
    static constexpr std::size_t kCount = 200;

    Lives() {
        for (Stage* stage : {&follows, &stays}) {
            second = stage->make_track({.history = 3}).value_or(kDefaultTrack);
        }
        for (std::size_t number = 0; number < kCount; ++number) {
            add({.track = number % 3 == 0 ? second : kDefaultTrack,
                 .blend = number % 20 == 9   ? Blend::Hermite
                          : number % 20 == 8 ? Blend::Hold
                                             : Blend::Linear,
                 .user = number});
        }
    }

    void add(const ObjectConfig& config) {
        const Pose pose = draw_scene_pose(random);
        ids.push_back(follows.add(pose, config));
        ASSERT_EQ(stays.add(pose, config).id, ids.back());
        const auto place = static_cast<std::ptrdiff_t>(draw_place(random, ids.size()));
        list.insert(list.begin() + place, ids.size() - 1);
    }
    template <class Call>
    void both(const Call& call) {
        const auto due = call(stays);
        ASSERT_EQ(call(follows), due);
    }
    /// Everything moves, most of it by a pose alone.
    void run_tick(const Tick& tick) {
        std::vector<std::size_t> order(ids.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::vector<std::pair<Pose, Extra>> states;
        for (std::size_t number = 0; number < ids.size(); ++number) {
            const Pose pose = number % 25 == 3 ? draw_scaled_pose(random) : draw_scene_pose(random);
            const Velocity velocity = number % 10 == 9 ? draw_velocity(random) : Velocity{};
            states.push_back({pose, {.velocity = velocity}});
        }
        const auto tell_one = [&](Stage& stage, std::size_t number) {
            const auto& [pose, extra] = states[number];
            static_cast<void>(stage.move(tick, ids[number], pose, extra));
        };
        for (const std::size_t number : list) {
            tell_one(follows, number);
        }
        for (std::size_t left = order.size(); left > 0; --left) {
            std::swap(order[left - 1], order[draw_place(random, left)]);
            tell_one(stays, order[left - 1]);
        }
    }
    void disturb(const Tick& tick) {
        const auto draw_id = [this] { return ids[draw_place(random, ids.size())]; };
        const Pose pose = draw_scene_pose(random);
        const Rigid way{.translation = draw_position(random), .rotation = draw_turn(random)};
        const std::array<Id, 4> some{draw_id(), draw_id(), draw_id(), draw_id()};
        both([&](Stage& stage) { return stage.cut(tick, some[0], pose); });
        both([&](Stage& stage) { return stage.shift(tick, some[1], way); });
        both([&](Stage& stage) { return stage.amend(tick, some[2], pose); });
        both([&](Stage& stage) { return stage.remove(some[3]); });
        add({}); // Gets the slot of the one that left.
    }
    void show(std::int64_t time_ns) {
        const TrackSample first{.time = {.time_ns = time_ns, .now_ns = time_ns}};
        const TrackSample other{.track = second, .time = first.time};
        both([&](Stage& stage) { return stage.present(std::array{first, other}); });
        for (const Id id : ids) {
            Digest due;
            add_object(due, stays, id);
            Digest found;
            add_object(found, follows, id);
            ASSERT_EQ(found.value(), due.value()) << "object " << stays.user(id);
        }
    }
    [[nodiscard]] std::size_t count_apart(TrackId track) const {
        const std::span<const Id> a = follows.moved(track).ids;
        const std::span<const Id> b = stays.moved(track).ids;
        std::size_t apart = 0;
        for (std::size_t row = 0; row < std::min(a.size(), b.size()); ++row) {
            apart += a[row] == b[row] ? 0U : 1U;
        }
        return apart;
    }

    Random random{99};
    Stage follows{{.capacity = 2 * kCount, .track = {.history = 4, .cuts = CutShows::AtStamp}}};
    Stage stays{{.capacity = 2 * kCount, .track = {.history = 4, .cuts = CutShows::AtStamp}}};
    std::vector<Id> ids;
    std::vector<std::size_t> list; ///< The order of the one: any, and the same in every tick.
    TrackId second = kDefaultTrack;
};

TEST(StageTellingOrder, NothingElseIsDifferent) {
    Lives lives;
    for (std::int64_t index = 1; index <= 40; ++index) {
        lives.run_tick(tick_at(index));
        if (index % 3 == 0) {
            lives.disturb(tick_at(index));
        }
        // Two ticks behind, so that cuts and shifts wait while rows change places.
        lives.show((index - 2) * kSceneTickNs);
        lives.show((index - 2) * kSceneTickNs + 11'000'000);
    }
    EXPECT_GT(lives.count_apart(kDefaultTrack), 50U);
    EXPECT_GT(lives.count_apart(lives.second), 25U);
}

TEST(StageTellingOrder, ChannelsGoWithTheirRows) {
    const std::array<Channel, 2> channels{Channel::Linear, Channel::Never};
    Stage stage({.capacity = 128, .channels = channels});
    std::vector<Id> ids(100);
    for (Id& id : ids) {
        id = stage.add({});
    }
    for (std::int64_t index = 1; index <= 6; ++index) {
        for (std::size_t place = 0; place < ids.size(); ++place) {
            const std::size_t number = index == 1 ? place : place * 37 % ids.size();
            const std::array<float, 2> values{static_cast<float>(number),
                                              static_cast<float>(number + 1000)};
            const Pose pose = at_x(static_cast<double>(number) + static_cast<double>(index));
            ASSERT_EQ(stage.move(tick_at(index), ids[number], pose, {.channels = values}),
                      StageStatus::Ok);
        }
        const std::int64_t time_ns = index * kSceneTickNs;
        ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}), StageStatus::Ok);
    }
    EXPECT_NE(stage.moved().ids[1], ids[1]) << "nothing has changed its place";
    for (std::size_t number = 0; number < ids.size(); ++number) {
        EXPECT_EQ(stage.channel(ids[number], 0), static_cast<float>(number));
        EXPECT_EQ(stage.channel(ids[number], 1), static_cast<float>(number + 1000));
    }
}

} // namespace
} // namespace glissade::testing
