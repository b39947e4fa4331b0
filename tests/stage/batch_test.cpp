// SPDX-License-Identifier: MIT
// The same moves, told in any form and in any order, make the same stage bit for bit.
#include "glissade/stage/stage.h"
#include "glissade/stage/tick_writer.h"

#include "stage/column_store.h"
#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

/// The moves of one tick: which objects, and where to.
struct Moves {
    std::vector<std::size_t> numbers;
    std::vector<Pose> poses;
    std::vector<Velocity> velocities;
};

struct PlanConfig {
    std::uint64_t seed = 1;
    bool has_scales = false;
    bool has_velocities = false;
};

/// What happens in each tick, made once and then told in several ways.
class Plan {
public:
    static constexpr std::size_t kCount = 300;
    static constexpr std::size_t kTickCount = 25;

    explicit Plan(const PlanConfig& config) : config_(config), random_(config.seed) {
        for (Actor& actor : actors_) {
            actor.pose = draw_scene_pose(random_);
            starts.push_back(actor.pose);
        }
        for (std::size_t tick = 0; tick < kTickCount; ++tick) {
            ticks.push_back(draw_tick());
        }
    }

    std::vector<Pose> starts;
    std::vector<Moves> ticks;

private:
    enum class Phase { Moves, Stays, Rests };

    struct Actor {
        Pose pose{};
        Phase phase = Phase::Rests;
        std::int64_t left = 0; ///< Ticks until it does something else.
    };

    Moves draw_tick() {
        Moves moves;
        // Now and then everything at once, in the longest runs there are.
        const bool all = draw_chance(random_, 5);
        for (std::size_t number = 0; number < kCount; ++number) {
            Actor& actor = actors_[number];
            if (actor.left-- <= 0) {
                actor.phase = static_cast<Phase>(random_.between(0, 2));
                actor.left = random_.between(1, 7);
            }
            if (all || actor.phase == Phase::Moves) {
                actor.pose = draw();
            } else if (actor.phase == Phase::Rests) {
                continue;
            }
            moves.numbers.push_back(number);
            moves.poses.push_back(actor.pose);
            const bool has_velocity = config_.has_velocities && !draw_chance(random_, 4);
            moves.velocities.push_back(has_velocity ? draw_velocity(random_) : Velocity{});
        }
        return moves;
    }

    Pose draw() {
        Pose pose = config_.has_scales && draw_chance(random_, 8) ? draw_scaled_pose(random_)
                                                                  : draw_scene_pose(random_);
        // Not quite unit: by so little that it passes, by just so much that it does not, by more.
        const std::array<float, 4> lengths = {1.0F, 1.0F + 5e-7F, 1.0F - 5e-7F, 1.004F};
        pose.rotation = pose.rotation * lengths[draw_place(random_, lengths.size())];
        return pose;
    }

    PlanConfig config_;
    Random random_;
    std::array<Actor, kCount> actors_;
};

enum class Way {
    Poses,
    Writer,
    Columns,
    ScaledColumns,
    Velocities,
    Plain,
    InOrder,
    Reversed,
    Shuffled
};

/// A stage to which a plan is told in one of the ways.
class Told {
public:
    Told(const Plan& plan, Way way, std::uint32_t history)
        : stage({.capacity = 512, .track = {.history = history}}), way_(way) {
        for (std::size_t number = 0; number < plan.starts.size(); ++number) {
            // All blends, and a family here and there.
            const auto blend = number % 9 < 4 ? static_cast<Blend>(number % 9) : Blend::Linear;
            const Id parent = number % 50 == 7 ? ids.back() : Id{};
            ids.push_back(stage.add(plan.starts[number], {.parent = parent, .blend = blend}));
        }
    }

    void run_tick(const Tick& tick, const Moves& moves) {
        std::vector<Id> chosen;
        for (const std::size_t number : moves.numbers) {
            chosen.push_back(ids[number]);
        }
        if (way_ >= Way::Plain) {
            move_singly(tick, chosen, moves);
            return;
        }
        const BatchResult result = move_at_once(tick, chosen, moves);
        EXPECT_EQ(result.status, StageStatus::Ok);
        EXPECT_EQ(result.accepted_count, chosen.size());
    }

    void show(std::int64_t time_ns) {
        const SampleTime sample{.time_ns = time_ns, .now_ns = time_ns + kSceneTickNs};
        ASSERT_EQ(stage.present(sample), StageStatus::Ok);
    }

    /// All that does not depend on the order of rows, which is nobody's business.
    [[nodiscard]] std::uint64_t compute_picture() const {
        Digest digest;
        for (const Id id : ids) {
            add_object(digest, stage, id);
        }
        const std::set<Id> listed(stage.changed().begin(), stage.changed().end());
        for (const Id id : listed) {
            digest.add(id.bits());
        }
        const StageStats& stats = stage.stats();
        for (const std::uint64_t count : {stats.move_count, stats.wake_count, stats.settle_count,
                                          std::uint64_t{stage.mover_count()}}) {
            digest.add(count);
        }
        digest.add_all(std::span<const std::uint64_t>(stats.refused_count));
        digest.add(stage.newest().value_or(Tick{}));
        return digest.value();
    }

    Stage stage;
    std::vector<Id> ids;

private:
    BatchResult move_at_once(const Tick& tick, std::span<const Id> chosen, const Moves& moves) {
        const ColumnStore store(moves.poses);
        switch (way_) {
            case Way::Poses:
                return stage.move(tick, chosen, moves.poses);
            case Way::Writer:
                return write(tick, chosen, moves);
            case Way::Velocities:
                return stage.move(tick, chosen, moves.poses, moves.velocities);
            default:
                return stage.move(tick, chosen, store.columns(way_ == Way::ScaledColumns));
        }
    }

    BatchResult write(const Tick& tick, std::span<const Id> chosen, const Moves& moves) {
        TickWriter writer(stage, tick);
        for (std::size_t item = 0; item < chosen.size(); ++item) {
            writer.move(chosen[item], moves.poses[item]);
        }
        return writer.finish();
    }

    void move_singly(const Tick& tick, std::span<const Id> chosen, const Moves& moves) {
        std::vector<std::size_t> order;
        for (std::size_t item = 0; item < chosen.size(); ++item) {
            // A new one goes to a random place among those before it.
            const bool shuffled = way_ == Way::Shuffled;
            const std::size_t place = shuffled                ? draw_place(random_, item + 1)
                                      : way_ == Way::Reversed ? 0
                                                              : item;
            order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), item);
        }
        for (const std::size_t item : order) {
            const Pose& pose = moves.poses[item];
            EXPECT_EQ(way_ == Way::Plain ? stage.move(tick, chosen[item], pose)
                                         : stage.move(tick, chosen[item], pose,
                                                      {.velocity = moves.velocities[item]}),
                      StageStatus::Ok);
        }
    }

    Way way_;
    Random random_{4};
};

/// What each frame of a plan looks like. Frames lie on ticks and between them.
std::vector<std::uint64_t> tell(const Plan& plan, Way way, std::uint32_t history) {
    Told told(plan, way, history);
    std::vector<std::uint64_t> pictures;
    const std::int64_t delay_ns = (history - 1) * kSceneTickNs;
    for (std::size_t tick = 0; tick < plan.ticks.size(); ++tick) {
        const auto index = static_cast<std::int64_t>(tick) + 1;
        told.run_tick(tick_at(index), plan.ticks[tick]);
        // What is moved, but not shown yet, is logical already.
        pictures.push_back(told.compute_picture());
        told.show(index * kSceneTickNs - delay_ns);
        pictures.push_back(told.compute_picture());
        told.show(index * kSceneTickNs - delay_ns + 8'000'000);
        pictures.push_back(told.compute_picture());
    }
    EXPECT_GT(told.stage.stats().settle_count, 100U);
    EXPECT_GT(told.stage.stats().wake_count, 300U);
    return pictures;
}

void expect_same(const PlanConfig& config, std::initializer_list<Way> ways) {
    const Plan plan(config);
    for (const std::uint32_t history : {2U, 4U}) {
        const std::vector<std::uint64_t> due = tell(plan, Way::InOrder, history);
        for (const Way way : ways) {
            SCOPED_TRACE(::testing::Message() << "way " << static_cast<int>(way));
            const std::vector<std::uint64_t> told = tell(plan, way, history);
            const auto differs = std::mismatch(told.begin(), told.end(), due.begin(), due.end());
            EXPECT_EQ(differs.first - told.begin(), std::ssize(told)) << "history " << history;
        }
    }
}

TEST(StageBatch, PosesInAnyFormAndOrderGiveTheSamePicture) {
    expect_same({.seed = 11}, {Way::Poses, Way::Writer, Way::Columns, Way::ScaledColumns,
                               Way::Velocities, Way::Plain, Way::Reversed, Way::Shuffled});
}

TEST(StageBatch, ScaledPosesInAnyFormAndOrderGiveTheSamePicture) {
    expect_same({.seed = 12, .has_scales = true},
                {Way::Poses, Way::Writer, Way::ScaledColumns, Way::Velocities, Way::Plain,
                 Way::Reversed, Way::Shuffled});
}

TEST(StageBatch, VelocitiesInABatchGiveThePictureOfSingleMoves) {
    expect_same({.seed = 13, .has_velocities = true},
                {Way::Velocities, Way::Reversed, Way::Shuffled});
}

// Rows, too, are the same if objects woke in the same order: nothing tells a batch from its items.
TEST(StageBatch, ABatchIsItsItemsOneByOneDownToTheRows) {
    const Plan plan({.seed = 14, .has_scales = true});
    Told batch(plan, Way::Poses, 3);
    Told single(plan, Way::InOrder, 3);
    for (std::size_t tick = 0; tick < plan.ticks.size(); ++tick) {
        const auto index = static_cast<std::int64_t>(tick) + 1;
        for (Told* told : {&batch, &single}) {
            told->run_tick(tick_at(index), plan.ticks[tick]);
            told->show(index * kSceneTickNs - 31'000'000);
        }
        ASSERT_EQ(compute_digest(batch.stage, batch.ids), compute_digest(single.stage, single.ids))
            << index;
    }
}

// The columns of a batch may be any spans; nothing is read beside them.
TEST(StageBatch, ColumnsMayStartAnywhere) {
    Random random(6);
    std::vector<Pose> poses;
    poses.reserve(101);
    for (int number = 0; number < 101; ++number) {
        poses.push_back(draw_scene_pose(random));
    }
    const ColumnStore store(poses);
    const PoseColumns all = store.columns(true);
    Stage stage;
    std::vector<Id> ids;
    ids.reserve(100);
    for (int number = 0; number < 100; ++number) {
        ids.push_back(stage.add({}));
    }
    const PoseColumns rest{.x = all.x.subspan(1),
                           .y = all.y.subspan(1),
                           .z = all.z.subspan(1),
                           .qx = all.qx.subspan(1),
                           .qy = all.qy.subspan(1),
                           .qz = all.qz.subspan(1),
                           .qw = all.qw.subspan(1)};
    for (std::int64_t index = 1; index <= 3; ++index) {
        ASSERT_EQ(stage.move(tick_at(index), ids, rest).accepted_count, 100U);
    }
    for (std::size_t number = 0; number < ids.size(); ++number) {
        EXPECT_EQ(stage.logical(ids[number]), poses[number + 1]);
    }
}

} // namespace
} // namespace glissade::testing
