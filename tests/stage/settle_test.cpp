// SPDX-License-Identifier: MIT
// Engines that report every body in every tick: what stands still comes to rest by itself, exactly
// where it is, and nothing else does.
#include "glissade/stage/stage.h"

#include "stage/stage_scene.h"

#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

struct SettleConfig {
    std::int64_t history = 2;
    std::int64_t phase_ns = 0; ///< Of the frames, behind the ticks.
    std::int64_t frame_ns = kSceneTickNs;
};

constexpr std::size_t kCount = 130;

/// Bodies of which all are told in every tick, in a batch; the picture is as far behind as it can
/// be.
class Crowd {
public:
    explicit Crowd(const SettleConfig& config)
        : stage({.track = {.history = static_cast<std::uint32_t>(config.history)}}),
          config_(config) {
        for (std::size_t number = 0; number < kCount; ++number) {
            poses.push_back(draw_scene_pose(random));
            ids.push_back(stage.add(poses.back()));
        }
        shown_ns_ = -config.history * kSceneTickNs + config.phase_ns;
    }

    /// One tick and the frames up to the next.
    template <class OnFrame>
    void run_tick(const OnFrame& on_frame) {
        ++newest;
        const BatchResult result = stage.move(tick_at(newest), ids, poses);
        ASSERT_EQ(result.accepted_count, kCount);
        const std::int64_t end_ns = (newest + 2 - config_.history) * kSceneTickNs;
        for (; shown_ns_ < end_ns; shown_ns_ += config_.frame_ns) {
            ASSERT_EQ(stage.present({.time_ns = shown_ns_, .now_ns = shown_ns_}), StageStatus::Ok);
            on_frame(shown_ns_);
        }
    }
    void run_tick() {
        run_tick([](std::int64_t) {});
    }

    void draw_all() {
        for (Pose& pose : poses) {
            pose = draw_scene_pose(random);
        }
    }

    Random random{8};
    Stage stage;
    std::vector<Id> ids;
    std::vector<Pose> poses;
    std::int64_t newest = 0;

private:
    SettleConfig config_;
    std::int64_t shown_ns_;
};

void expect_rest(const Crowd& crowd) {
    EXPECT_EQ(crowd.stage.mover_count(), 0U);
    for (std::size_t number = 0; number < kCount; ++number) {
        ASSERT_EQ(crowd.stage.visual(crowd.ids[number]), crowd.poses[number]);
        ASSERT_EQ(crowd.stage.previous(crowd.ids[number]), crowd.poses[number]);
        ASSERT_EQ(crowd.stage.logical(crowd.ids[number]), crowd.poses[number]);
    }
}

void settle_and_wake(const SettleConfig& config) {
    Crowd crowd(config);
    for (std::uint64_t round = 1; round <= 3; ++round) {
        for (int tick = 0; tick < 3; ++tick) {
            crowd.draw_all();
            crowd.run_tick();
            // Awake with the first tick.
            ASSERT_EQ(crowd.stage.mover_count(), kCount);
        }
        EXPECT_EQ(crowd.stage.stats().wake_count, round * kCount);
        // As many ticks as the picture is behind; in one more it sees them rest, in another one
        // they leave.
        for (std::int64_t tick = 0; tick < config.history + 1; ++tick) {
            crowd.run_tick();
        }
        expect_rest(crowd);
        EXPECT_EQ(crowd.stage.stats().settle_count, round * kCount);
        crowd.run_tick();
        EXPECT_TRUE(crowd.stage.changed().empty());
    }
    EXPECT_EQ(crowd.stage.stats().move_count, static_cast<std::uint64_t>(crowd.newest) * kCount);
}

TEST(StageSettle, WhatIsToldToStandStillComesToRestAndWakesAtOnce) {
    for (const std::int64_t history : {2, 3, 8}) {
        for (const std::int64_t phase_ns : {0, 1, 7'000'000}) {
            SCOPED_TRACE(::testing::Message() << history << " states, " << phase_ns);
            settle_and_wake({.history = history, .phase_ns = phase_ns, .frame_ns = 20'000'000});
            settle_and_wake({.history = history, .phase_ns = phase_ns, .frame_ns = 5'000'000});
            settle_and_wake({.history = history, .phase_ns = phase_ns, .frame_ns = 6'900'000});
        }
    }
}

/// Bodies that are shown exactly where they are.
std::size_t count_arrived(const Crowd& crowd) {
    std::size_t count = 0;
    for (std::size_t number = 0; number < kCount; ++number) {
        count += crowd.stage.visual(crowd.ids[number]) == crowd.poses[number] ? 1U : 0U;
    }
    return count;
}

/// Stops where it is now, for some ticks; returns how many frames it was shown there.
std::size_t expect_stop(Crowd& crowd, std::int64_t tick_count) {
    const std::int64_t stop_ns = crowd.newest * kSceneTickNs;
    std::size_t frame_count = 0;
    for (std::int64_t tick = 0; tick < tick_count; ++tick) {
        crowd.run_tick([&](std::int64_t time_ns) {
            frame_count += time_ns >= stop_ns ? 1U : 0U;
            ASSERT_EQ(count_arrived(crowd), time_ns >= stop_ns ? kCount : 0U) << time_ns;
        });
    }
    return frame_count;
}

// Blending a rotation with itself must not change a bit of it on the way to rest.
TEST(StageSettle, FromTheFrameThatReachesItsPlaceOnItIsShownExactlyThere) {
    for (const std::int64_t history : {2, 8}) {
        Crowd crowd({.history = history, .phase_ns = 3'000'000, .frame_ns = 7'000'000});
        for (int tick = 0; tick < 4; ++tick) {
            crowd.draw_all();
            crowd.run_tick();
        }
        EXPECT_GT(expect_stop(crowd, history + 2), 3U);
    }
}

TEST(StageSettle, SomeMayRestWhileOthersGoOn) {
    Crowd crowd({.history = 3, .phase_ns = 4'000'000, .frame_ns = 9'000'000});
    for (int tick = 0; tick < 12; ++tick) {
        for (std::size_t number = 0; number < kCount; ++number) {
            const bool goes_on = number % 3 != 0 || tick < 3;
            crowd.poses[number] = goes_on ? draw_scene_pose(crowd.random) : crowd.poses[number];
        }
        crowd.run_tick();
    }
    EXPECT_EQ(crowd.stage.mover_count(), kCount - (kCount + 2) / 3);
    for (std::size_t number = 0; number < kCount; number += 3) {
        EXPECT_EQ(crowd.stage.visual(crowd.ids[number]), crowd.poses[number]);
    }
}

/// Where a body is that goes a metre a tick but in the ticks of `pause`, which are rare.
double way_at(double ticks, const std::vector<std::int64_t>& pauses) {
    double way = ticks;
    for (const std::int64_t pause : pauses) {
        way -= std::clamp(ticks - static_cast<double>(pause - 1), 0.0, 1.0);
    }
    return way;
}

void expect_way(const Crowd& crowd, std::int64_t time_ns, const std::vector<std::int64_t>& pauses) {
    // Until the first tick they come from where they were put.
    if (time_ns < kSceneTickNs) {
        return;
    }
    const double due = way_at(static_cast<double>(time_ns) / kSceneTickNs, pauses);
    // Doubles below 32 m: a last place is 2^-48, and the fraction of a tick rounds.
    EXPECT_NEAR(crowd.stage.visual(crowd.ids.front()).position.x, due, 0x1p-46) << time_ns;
    EXPECT_NEAR(crowd.stage.visual(crowd.ids.back()).position.x, due, 0x1p-46) << time_ns;
}

void expect_no_jump(const SettleConfig& config) {
    const std::vector<std::int64_t> pauses = {4, 6, 9, 10, 14, 15, 16};
    Crowd crowd(config);
    for (std::int64_t index = 1; index <= 24; ++index) {
        const Pose pose{.position = {way_at(static_cast<double>(index), pauses), 0.0, 0.25}};
        std::fill(crowd.poses.begin(), crowd.poses.end(), pose);
        crowd.run_tick([&](std::int64_t time_ns) { expect_way(crowd, time_ns, pauses); });
    }
}

TEST(StageSettle, ABodyThatPausesAndGoesOnNeverJumps) {
    for (const std::int64_t history : {2, 3, 8}) {
        for (const std::int64_t frame_ns : {20'000'000, 4'000'000, 33'000'000, 7'300'000}) {
            SCOPED_TRACE(::testing::Message() << history << " states, " << frame_ns);
            expect_no_jump({.history = history, .phase_ns = 0, .frame_ns = frame_ns});
            expect_no_jump({.history = history, .phase_ns = 2'500'000, .frame_ns = frame_ns});
        }
    }
}

/// One body that is told the same place in every tick, and something else that may change.
template <class Tell>
void run_in_place(Stage& stage, std::int64_t first, std::int64_t last, const Tell& tell) {
    for (std::int64_t index = first; index <= last; ++index) {
        ASSERT_EQ(tell(index), StageStatus::Ok);
        for (const std::int64_t part_ns : {0, 9'000'000}) {
            const std::int64_t time_ns = (index - 1) * kSceneTickNs + part_ns;
            ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns}), StageStatus::Ok);
        }
    }
}

TEST(StageSettle, WhatChangesOnlyInAChannelDoesNotRest) {
    const std::array<Channel, 1> rules = {Channel::Linear};
    Stage stage({.channels = rules});
    const Id id = stage.add(at_x(3.0));
    run_in_place(stage, 1, 10, [&](std::int64_t index) {
        const std::array<float, 1> value = {static_cast<float>(index)};
        return stage.move(tick_at(index), id, at_x(3.0), {.channels = value});
    });
    EXPECT_EQ(stage.mover_count(), 1U);
    EXPECT_EQ(stage.stats().settle_count, 0U);
    // From 9 to 10 in nine of twenty milliseconds; floats below 16 are 2^-20 apart.
    EXPECT_NEAR(stage.channel(id, 0), 9.45F, 0x1p-20F);
    EXPECT_TRUE(!stage.changed().empty());
    const std::array<float, 1> last = {10.0F};
    run_in_place(stage, 11, 15, [&](std::int64_t index) {
        return stage.move(tick_at(index), id, at_x(3.0), {.channels = last});
    });
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.channel(id, 0), 10.0F);
}

TEST(StageSettle, WhatChangesOnlyInItsScaleOrTurnDoesNotRest) {
    Stage stage;
    const Id id = stage.add({});
    const Id spins = stage.add({});
    run_in_place(stage, 1, 10, [&](std::int64_t index) {
        const Pose turned{
            .rotation = quat_from_rotation_vector({0.0, 0.1 * static_cast<double>(index), 0.0})};
        const StageStatus status = stage.move(tick_at(index), spins, turned);
        const Pose grown{.scale = glm::vec3(1.0F, 1.0F, static_cast<float>(index))};
        return status == StageStatus::Ok ? stage.move(tick_at(index), id, grown) : status;
    });
    EXPECT_EQ(stage.mover_count(), 2U);
    EXPECT_EQ(stage.stats().settle_count, 0U);
}

// Its states are all the same, and each of them says that it moves.
TEST(StageSettle, WhatHasAVelocityDoesNotRest) {
    Stage stage;
    const Id id = stage.add(at_x(1.0), {.blend = Blend::Hermite});
    const Velocity velocity{.linear = {10.0F, 0.0F, 0.0F}};
    run_in_place(stage, 1, 8, [&](std::int64_t index) {
        return stage.move(tick_at(index), id, {}, {.velocity = velocity});
    });
    EXPECT_EQ(stage.mover_count(), 1U);
    EXPECT_EQ(stage.stats().settle_count, 0U);
    run_in_place(stage, 9, 14,
                 [&](std::int64_t index) { return stage.move(tick_at(index), id, {}); });
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.visual(id), Pose{});
}

} // namespace
} // namespace glissade::testing
