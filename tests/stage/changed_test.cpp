// SPDX-License-Identifier: MIT
// What changed() lists, held against a comparison of every object before and after the frame.
#include "glissade/stage/stage.h"

#include "stage/stage_scene.h"

#include <array>
#include <iterator>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

static_assert(std::forward_iterator<ChangedIds::Iterator>);

/// What is seen of an object.
struct Seen {
    Affine world{};
    bool is_visible = false;
    bool exists = false;
    Id parent{}; ///< Not seen itself.

    friend bool operator==(const Seen& a, const Seen& b) {
        return a.world.linear == b.world.linear && a.world.translation == b.world.translation &&
               a.is_visible == b.is_visible && a.exists == b.exists;
    }
};

/// A scene of families on two tracks that move, rest, are cut, hidden, given away and removed.
class Scene {
public:
    explicit Scene(std::uint64_t seed) : random_(seed) {
        for (std::size_t number = 0; number < 250; ++number) {
            add();
        }
    }

    void run_tick(const Tick& tick) {
        for (const Id id : ids) {
            // Whole stretches of objects rest for some ticks.
            const auto group = static_cast<std::int64_t>(id.index1 / 16);
            if ((group + tick.index / 6) % 3 != 0 && stage.contains(id)) {
                stage.move(tick, id, draw_scene_pose(random_));
            }
        }
        for (std::int64_t number = random_.between(0, 8); number > 0; --number) {
            disturb(tick);
        }
    }

    void show(std::int64_t time_ns) {
        moved_before_ = list_moved();
        const std::array<TrackSample, 2> samples = {
            {{.time = {.time_ns = time_ns, .now_ns = time_ns}},
             {.track = second, .time = {.time_ns = time_ns - 7'000'000, .now_ns = time_ns}}}};
        ASSERT_EQ(stage.present(samples), StageStatus::Ok);
    }

    /// Holds the list against what was seen after the frame before.
    void check() {
        const ChangedIds changed = stage.changed();
        const std::set<Id> listed(changed.begin(), changed.end());
        ASSERT_EQ(listed.size(), changed.size()) << "an object is listed twice";
        ASSERT_EQ(changed.empty(), listed.empty());
        const std::set<Id> moved = list_moved();
        note_orphans();
        for (std::size_t number = 0; number < ids.size(); ++number) {
            const Id id = ids[number];
            const Seen now{.world = stage.world(id),
                           .is_visible = stage.visible(id),
                           .exists = stage.contains(id),
                           .parent = stage.parent(id)};
            const bool differs = now.exists && !(now == seen_[number]);
            changed_count += differs ? 1U : 0U;
            listed_count += listed.count(id);
            ASSERT_TRUE(!differs || listed.count(id) == 1) << number << " is missing";
            // Nothing is listed for no reason: it or what it hangs on moves, or was touched.
            const bool may_differ = differs || !now.exists || touches(moved_before_, id) ||
                                    touches(moved, id) || touches(touched_, id);
            ASSERT_TRUE(may_differ || listed.count(id) == 0) << number << " is too much";
            const bool is_new = now.exists && stage.world_revision(id) == stage.revision();
            ASSERT_TRUE(!now.exists || is_new == (listed.count(id) == 1)) << number;
            seen_[number] = now;
        }
        touched_.clear();
    }

    Stage stage{{.capacity = 600, .track = {.history = 3}}};
    TrackId second = stage.make_track({.history = 3, .cuts = CutShows::AtStamp}).value();
    std::vector<Id> ids;
    std::size_t changed_count = 0;
    std::size_t listed_count = 0;

private:
    [[nodiscard]] Id draw() { return ids[draw_place(random_, ids.size())]; }

    /// The object or one of its parents is among them.
    [[nodiscard]] bool touches(const std::set<Id>& some, Id id) const {
        while (!id.is_null() && some.count(id) == 0) {
            id = stage.parent(id);
        }
        return !id.is_null();
    }

    [[nodiscard]] std::set<Id> list_moved() const {
        std::set<Id> all;
        for (const TrackId track : {kDefaultTrack, second}) {
            const std::span<const Id> rows = stage.moved(track).ids;
            all.insert(rows.begin(), rows.end());
        }
        return all;
    }

    /// What hangs on something else than before, or on nothing since its parent left.
    void note_orphans() {
        seen_.resize(ids.size());
        for (std::size_t number = 0; number < ids.size(); ++number) {
            if (!(stage.parent(ids[number]) == seen_[number].parent)) {
                touched_.insert(ids[number]);
            }
        }
    }

    void add() {
        const Id parent = ids.empty() || draw_chance(random_, 3) ? Id{} : draw();
        const TrackId track = draw_chance(random_, 4) ? second : kDefaultTrack;
        const Id id = stage.add(draw_scene_pose(random_), {.track = track, .parent = parent});
        if (!id.is_null()) {
            ids.push_back(id);
            touched_.insert(id);
        }
    }

    void disturb(const Tick& tick) {
        const Id id = draw();
        touched_.insert(id);
        switch (random_.between(0, 7)) {
            case 0:
                stage.cut(tick, id, draw_scene_pose(random_));
                return;
            case 1:
                stage.hide(id);
                return;
            case 2:
                stage.show(id);
                return;
            case 3:
                stage.set_parent(id, draw_chance(random_, 3) ? Id{} : draw());
                return;
            case 4:
                stage.despawn(tick, id);
                return;
            case 5:
                ids.push_back(stage.spawn(tick, draw_scene_pose(random_)));
                return;
            case 6:
                stage.set_blend(id, static_cast<Blend>(random_.between(0, 3)));
                return;
            default:
                return add();
        }
    }

    Random random_;
    std::vector<Seen> seen_;
    std::set<Id> touched_;
    std::set<Id> moved_before_;
};

void run_and_check(Scene& scene, std::int64_t index) {
    scene.run_tick(tick_at(index));
    for (const std::int64_t part_ns : {0, 6'000'000, 13'000'000}) {
        scene.show((index - 1) * kSceneTickNs + part_ns);
        scene.check();
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "tick " << index;
    }
}

TEST(StageChanged, EverythingThatLooksDifferentIsListedOnce) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        SCOPED_TRACE(seed);
        Scene scene(seed);
        for (std::int64_t index = 1; index <= 50; ++index) {
            run_and_check(scene, index);
        }
        EXPECT_GT(scene.changed_count, 5000U);
        // What was touched without an effect is listed all the same: a few in a thousand.
        EXPECT_GE(scene.listed_count, scene.changed_count);
        EXPECT_LT(scene.listed_count - scene.changed_count, scene.changed_count / 200);
    }
}

/// Movers, objects at rest below them, and objects that have nothing to do with it.
struct Small {
    Small() {
        for (std::size_t number = 0; number < 200; ++number) {
            const Id parent = number % 4 == 1 ? ids.back() : Id{};
            ids.push_back(stage.add(at_x(1.0), {.parent = parent}));
        }
        show(0);
    }

    void move_some(std::int64_t index) {
        for (std::size_t number = 0; number < ids.size(); number += 4) {
            const Pose pose = at_x(static_cast<double>(index));
            ASSERT_EQ(stage.move(tick_at(index), ids[number], pose), StageStatus::Ok);
        }
    }
    void show(std::int64_t time_ns) {
        ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}), StageStatus::Ok);
    }

    Stage stage;
    std::vector<Id> ids;
};

TEST(StageChanged, AFrameThatHoldsTheNewestTickForTheSecondTimeListsNothing) {
    Small small;
    small.move_some(2);
    small.move_some(3);
    for (const std::int64_t time_ns : {45'000'000, 60'000'000}) {
        small.show(time_ns);
        EXPECT_EQ(small.stage.changed().size(), 100U);
    }
    for (const std::int64_t time_ns : {60'000'000, 61'000'000, 75'000'000, 75'000'000}) {
        small.show(time_ns);
        EXPECT_TRUE(small.stage.changed().empty()) << time_ns;
        EXPECT_EQ(small.stage.changed().begin(), small.stage.changed().end());
    }
    // They still count as movers: nobody has said that they stopped.
    EXPECT_EQ(small.stage.mover_count(), 50U);
}

TEST(StageChanged, TheListCanBeReadMoreThanOnce) {
    Small small;
    small.move_some(2);
    small.show(30'000'000);
    const ChangedIds changed = small.stage.changed();
    const std::vector<Id> first(changed.begin(), changed.end());
    const std::vector<Id> second(changed.begin(), changed.end());
    EXPECT_EQ(first.size(), 100U);
    EXPECT_EQ(first, second);
    EXPECT_EQ(std::distance(changed.begin(), changed.end()), 100);
    EXPECT_EQ(changed.size(), 100U);
    auto one = changed.begin();
    auto other = one;
    EXPECT_EQ(*one++, first[0]);
    EXPECT_EQ(*other, first[0]);
    EXPECT_NE(one, other);
    EXPECT_EQ(*++other, first[1]);
    EXPECT_EQ(one, other);
}

TEST(StageChanged, OnAStageThatWasNeverShownTheListIsEmpty) {
    Stage stage;
    stage.add({});
    EXPECT_TRUE(stage.changed().empty());
    EXPECT_EQ(stage.changed().begin(), stage.changed().end());
    const ChangedIds none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.begin(), none.end());
    EXPECT_EQ(ChangedIds::Iterator{}, ChangedIds::Iterator{});
}

} // namespace
} // namespace glissade::testing
