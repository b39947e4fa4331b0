// SPDX-License-Identifier: MIT
// What each call of a stage does: the plain cases, blends, channels, counters.
#include "glissade/stage/stage.h"

#include "glissade/pose/blend.h"

#include "support/stage_runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::at_x;
using testing::kFrameRates;
using testing::StageRunner;
using testing::tick_at;
using testing::to_s;

constexpr std::int64_t kPeriodNs = 20'000'000; // Of tick_at().

const Pose kSomewhere{.position = {1.5, -0.1, 7.7},
                      .rotation = quat_from_rotation_vector({0.4, -0.2, 0.9}),
                      .scale = {2.0F, 3.0F, 0.5F}};

// Presents `tenths` tenths of a tick after the start of the grid.
void show_at(Stage& stage, std::int64_t tenths) {
    const std::int64_t time_ns = tenths * kPeriodNs / 10;
    ASSERT_EQ(stage.present({.time_ns = time_ns, .now_ns = time_ns + kPeriodNs}), StageStatus::Ok);
}

std::uint64_t refused(const Stage& stage, StageStatus why) {
    return stage.stats().refused_count[static_cast<std::size_t>(why)];
}

TEST(Stage, AnEmptyStageCanBePresented) {
    Stage stage;
    EXPECT_EQ(stage.size(), 0U);
    EXPECT_EQ(stage.capacity(), 1024U);
    EXPECT_EQ(stage.revision(), 0U);
    EXPECT_FALSE(stage.sample_time().has_value());
    EXPECT_FALSE(stage.newest().has_value());
    EXPECT_EQ(stage.present({.time_ns = 5, .now_ns = 5, .newest = tick_at(1)}), StageStatus::Ok);
    EXPECT_EQ(stage.revision(), 1U);
    EXPECT_EQ(stage.sample_time(), 5);
    EXPECT_EQ(stage.newest(), tick_at(1));
    EXPECT_TRUE(stage.changed().empty());
    EXPECT_TRUE(stage.moved().ids.empty());
}

TEST(Stage, AddPutsAnObjectAtRest) {
    Stage stage;
    const AddResult result = stage.add(kSomewhere, {.user = 77});
    ASSERT_EQ(result.status, StageStatus::Ok);
    const Id id = result;
    EXPECT_TRUE(stage.contains(id));
    EXPECT_EQ(stage.check(id), StageStatus::Ok);
    EXPECT_EQ(stage.visual(id), kSomewhere);
    EXPECT_EQ(stage.previous(id), kSomewhere);
    EXPECT_EQ(stage.logical(id), kSomewhere);
    EXPECT_TRUE(stage.visible(id));
    EXPECT_TRUE(stage.parent(id).is_null());
    EXPECT_EQ(stage.user(id), 77U);
    EXPECT_EQ(stage.shown_cuts(id), 0U);
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.size(), 1U);
}

TEST(Stage, RemoveTakesAnObjectAwayAtOnce) {
    Stage stage({.capacity = 1});
    const Id id = stage.add(kSomewhere);
    stage.move(tick_at(1), id, at_x(1.0));
    ASSERT_EQ(stage.remove(id), StageStatus::Ok);
    EXPECT_FALSE(stage.contains(id));
    EXPECT_EQ(stage.check(id), StageStatus::StaleHandle);
    EXPECT_EQ(stage.visual(id), Pose{});
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.remove(id), StageStatus::StaleHandle);
    const Id next = stage.add(at_x(3.0));
    EXPECT_NE(next, id);
    EXPECT_EQ(next.index1, id.index1);
    EXPECT_EQ(stage.visual(next), at_x(3.0));
}

TEST(Stage, MoveBlendsFromTheTickBefore) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    show_at(stage, 0);
    ASSERT_EQ(stage.move(tick_at(1), id, at_x(1.0)), StageStatus::Ok);
    EXPECT_EQ(stage.visual(id), at_x(0.0)); // Until the next frame.
    EXPECT_EQ(stage.logical(id), at_x(1.0));
    show_at(stage, 5);
    EXPECT_EQ(stage.visual(id), at_x(0.5));
    EXPECT_EQ(stage.previous(id), at_x(0.0));
    EXPECT_EQ(stage.logical(id), at_x(1.0));
    ASSERT_EQ(stage.moved().ids.size(), 1U);
    EXPECT_EQ(stage.moved().ids[0], id);
    EXPECT_EQ(stage.moved().visual.x[0], 0.5);
    EXPECT_EQ(stage.moved().previous.x[0], 0.0);
}

TEST(Stage, OfTwoMovesInOneTickTheLastCounts) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    stage.move(tick_at(1), id, at_x(7.0));
    stage.move(tick_at(1), id, at_x(1.0));
    show_at(stage, 5);
    EXPECT_EQ(stage.visual(id), at_x(0.5));
    EXPECT_EQ(stage.stats().move_count, 2U);
    EXPECT_EQ(stage.stats().wake_count, 1U);
    EXPECT_EQ(stage.track_stats().tick_count, 1U);
}

TEST(Stage, AnOldTickIsRefusedAndThePoseStays) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    stage.move(tick_at(5), id, at_x(5.0));
    EXPECT_EQ(stage.move(tick_at(4), id, at_x(4.0)), StageStatus::StaleTick);
    // A newer index with an older time, and the reverse.
    EXPECT_EQ(stage.move({6, 4 * kPeriodNs, kPeriodNs}, id, at_x(6.0)), StageStatus::StaleTick);
    EXPECT_EQ(stage.move({5, 6 * kPeriodNs, kPeriodNs}, id, at_x(6.0)), StageStatus::StaleTick);
    EXPECT_EQ(stage.move({6, 6 * kPeriodNs, 0}, id, at_x(6.0)), StageStatus::BadTick);
    EXPECT_EQ(stage.logical(id), at_x(5.0));
    EXPECT_EQ(stage.newest(), tick_at(5));
    EXPECT_EQ(refused(stage, StageStatus::StaleTick), 3U);
    EXPECT_EQ(refused(stage, StageStatus::BadTick), 1U);
    EXPECT_EQ(stage.stats().move_count, 1U);
}

TEST(Stage, ABatchMovesEveryGoodItem) {
    Stage stage;
    const std::array<Id, 4> ids = {stage.add({}), Id{}, stage.add({}), stage.add({})};
    const std::array<Pose, 4> poses = {at_x(1.0), at_x(2.0), at_x(std::nan("")), at_x(4.0)};
    const BatchResult result = stage.move(tick_at(1), ids, poses);
    EXPECT_EQ(result.accepted_count, 2U);
    EXPECT_EQ(result.first_refused, 1U);
    EXPECT_EQ(result.status, StageStatus::NullHandle);
    EXPECT_EQ(stage.logical(ids[0]), at_x(1.0));
    EXPECT_EQ(stage.logical(ids[2]), Pose{});
    EXPECT_EQ(stage.logical(ids[3]), at_x(4.0));
    EXPECT_EQ(refused(stage, StageStatus::BadPosition), 1U);
    const BatchResult uneven = stage.move(tick_at(2), ids, std::span(poses).first(3));
    EXPECT_EQ(uneven.status, StageStatus::SizeMismatch);
    EXPECT_EQ(uneven.accepted_count, 0U);
    EXPECT_EQ(stage.newest(), tick_at(1));
}

TEST(Stage, ABatchOfColumnsIsTheSameAsOneOfPoses) {
    Stage stage;
    const std::array<Id, 2> ids = {stage.add({}), stage.add({})};
    const std::array<double, 2> x = {1.0, 2.0};
    const std::array<double, 2> y = {3.0, 4.0};
    const std::array<double, 2> z = {5.0, 6.0};
    const std::array<float, 2> zero = {0.0F, 0.0F};
    const std::array<float, 2> one = {1.0F, 1.0F};
    const std::array<float, 2> two = {2.0F, 3.0F};
    PoseColumns columns{.x = x, .y = y, .z = z, .qx = one, .qy = zero, .qz = zero, .qw = zero};
    EXPECT_EQ(stage.move(tick_at(1), ids, columns).accepted_count, 2U);
    const glm::quat half_turn = quat_xyzw(1.0F, 0.0F, 0.0F, 0.0F);
    EXPECT_EQ(stage.logical(ids[0]), (Pose{.position = {1.0, 3.0, 5.0}, .rotation = half_turn}));
    columns.scale_x = two;
    columns.scale_y = one;
    columns.scale_z = one;
    EXPECT_EQ(stage.move(tick_at(1), ids, columns).status, StageStatus::Ok);
    EXPECT_EQ(
        stage.logical(ids[1]),
        (Pose{.position = {2.0, 4.0, 6.0}, .rotation = half_turn, .scale = {3.0F, 1.0F, 1.0F}}));
    columns.scale_z = {};
    EXPECT_EQ(stage.move(tick_at(2), ids, columns).status, StageStatus::SizeMismatch);
    columns.scale_x = columns.scale_y = {};
    columns.qw = std::span(zero).first(1);
    EXPECT_EQ(stage.move(tick_at(2), ids, columns).status, StageStatus::SizeMismatch);
    EXPECT_EQ(stage.newest(), tick_at(1));
}

TEST(Stage, TheUserValueRidesAlong) {
    Stage stage;
    const Id id = stage.add({}, {.user = 1});
    stage.move(tick_at(1), id, at_x(1.0));
    ASSERT_EQ(stage.set_user(id, 0xFFFFFFFFFFFFFFFFU), StageStatus::Ok);
    show_at(stage, 10);
    EXPECT_EQ(stage.user(id), 0xFFFFFFFFFFFFFFFFU);
    EXPECT_EQ(stage.user(Id{}), 0U);
    EXPECT_EQ(stage.set_user(Id{}, 5), StageStatus::NullHandle);
    stage.remove(id);
    EXPECT_EQ(stage.user(id), 0U);
    EXPECT_EQ(stage.user(stage.add({})), 0U);
}

TEST(Stage, PresentingNeverChangesALogicalPose) {
    Stage shown;
    Stage silent;
    const Id id = shown.add(kSomewhere);
    ASSERT_EQ(silent.add(kSomewhere).id, id);
    for (std::int64_t index = 1; index <= 200; ++index) {
        const Pose pose = at_x(std::sin(static_cast<double>(index)));
        for (Stage* stage : {&shown, &silent}) {
            index % 11 == 0 ? stage->cut(tick_at(index), id, pose)
                            : stage->move(tick_at(index), id, pose);
        }
        show_at(shown, 10 * index - index % 10);
        ASSERT_EQ(shown.logical(id), pose);
        ASSERT_EQ(silent.logical(id), pose);
    }
}

TEST(Stage, PositionRotationAndScaleBlendTogether) {
    Stage stage;
    const Pose from{.position = {1.0, 2.0, 3.0}, .scale = {1.0F, 2.0F, 4.0F}};
    const Pose to{.position = {3.0, 2.0, -1.0},
                  .rotation = quat_from_rotation_vector({0.0, 1.0, 0.0}),
                  .scale = {2.0F, 2.0F, 2.0F}};
    const Id id = stage.add(from);
    stage.move(tick_at(1), id, to);
    show_at(stage, 5);
    EXPECT_EQ(stage.visual(id), blend_linear(from, to, 0.5));
    EXPECT_EQ(stage.visual(id).scale, glm::vec3(1.5F, 2.0F, 3.0F));
}

TEST(Stage, EveryBlendIsTheOneOfThePoseLayer) {
    const Motion from{.pose = at_x(1.0), .velocity = {.linear = {50.0F, 20.0F, 0.0F}}};
    const Motion to{.pose = at_x(2.0), .velocity = {.linear = {50.0F, -20.0F, 0.0F}}};
    for (std::int64_t tenths = 10; tenths <= 20; ++tenths) {
        Stage stage;
        std::array<Id, 4> ids;
        for (std::size_t number = 0; number < ids.size(); ++number) {
            ids[number] = stage.add(at_x(0.0), {.blend = static_cast<Blend>(number)});
            stage.move(tick_at(1), ids[number], from.pose, {.velocity = from.velocity});
        }
        for (const Id id : ids) {
            stage.move(tick_at(2), id, to.pose, {.velocity = to.velocity});
        }
        show_at(stage, tenths); // And the present moment is one tick later.
        const double t = static_cast<double>(tenths - 10) / 10.0;
        EXPECT_EQ(stage.visual(ids[0]), blend_linear(from.pose, to.pose, t));
        EXPECT_EQ(stage.visual(ids[1]), blend_hermite(from, to, 0.02, t));
        EXPECT_EQ(stage.visual(ids[2]), tenths < 20 ? from.pose : to.pose);
        // Carried on from the newest state to the present moment.
        const std::int64_t ahead_ns = (tenths - 10) * kPeriodNs / 10;
        EXPECT_EQ(stage.visual(ids[3]), extrapolate(to, to_s(ahead_ns), 0.1));
    }
}

TEST(Stage, ABlendCanBeChosenWhileAnObjectMoves) {
    Stage stage;
    const Id id = stage.add(at_x(0.0));
    stage.move(tick_at(1), id, at_x(1.0));
    show_at(stage, 5);
    EXPECT_EQ(stage.visual(id), at_x(0.5));
    ASSERT_EQ(stage.set_blend(id, Blend::Hold), StageStatus::Ok);
    show_at(stage, 5); // Shows it although the time stands still.
    EXPECT_EQ(stage.visual(id), at_x(0.0));
    ASSERT_EQ(stage.set_blend(id, Blend::Linear), StageStatus::Ok);
    show_at(stage, 5);
    EXPECT_EQ(stage.visual(id), at_x(0.5));
    // A resting object keeps the choice for its next motion.
    const Id resting = stage.add(at_x(0.0));
    stage.set_blend(resting, Blend::Hold);
    stage.move(tick_at(2), resting, at_x(1.0));
    show_at(stage, 15);
    EXPECT_EQ(stage.visual(resting), at_x(0.0));
    EXPECT_EQ(stage.set_blend(Id{}, Blend::Hold), StageStatus::NullHandle);
}

TEST(Stage, ExtrapolationGoesNoFurtherThanItsCap) {
    Stage stage({.track = {.extrapolation_cap_ns = 30'000'000}});
    const Id id = stage.add(at_x(0.0), {.blend = Blend::Extrapolate});
    const Motion newest{.pose = at_x(1.0), .velocity = {.linear = {2.0F, 0.0F, 0.0F}}};
    stage.move(tick_at(1), id, newest.pose, {.velocity = newest.velocity});
    for (std::int64_t ahead_ns = 0; ahead_ns <= 90'000'000; ahead_ns += 10'000'000) {
        stage.present({.time_ns = ahead_ns, .now_ns = kPeriodNs + ahead_ns});
        const double s = to_s(std::min(ahead_ns, std::int64_t{30'000'000}));
        EXPECT_DOUBLE_EQ(stage.visual(id).position.x, 1.0 + 2.0 * s);
    }
}

// A state without a new velocity does not coast on.
TEST(Stage, AnExtrapolatedObjectThatIsNotMovedStops) {
    Stage stage;
    const Id id = stage.add(at_x(0.0), {.blend = Blend::Extrapolate});
    stage.move(tick_at(1), id, at_x(1.0), {.velocity = {.linear = {50.0F, 0.0F, 0.0F}}});
    stage.present({.time_ns = 10'000'000, .now_ns = 30'000'000, .newest = tick_at(1)});
    EXPECT_EQ(stage.visual(id), at_x(1.5));
    // Before and after the picture has reached its last state.
    stage.present({.time_ns = 15'000'000, .now_ns = 50'000'000, .newest = tick_at(2)});
    EXPECT_EQ(stage.visual(id), at_x(1.0));
    stage.present({.time_ns = 30'000'000, .now_ns = 50'000'000, .newest = tick_at(2)});
    EXPECT_EQ(stage.visual(id), at_x(1.0));
}

constexpr std::array<Channel, 4> kRules = {Channel::Linear, Channel::Angle, Channel::Step,
                                           Channel::Never};

TEST(Stage, EachChannelFollowsItsRule) {
    Stage stage({.channels = kRules});
    const auto pi = std::numbers::pi_v<float>;
    const std::array<float, 4> first = {1.0F, 0.9F * pi, 1.0F, 1.0F};
    const std::array<float, 4> second = {2.0F, -0.9F * pi, 2.0F, 2.0F};
    const Id id = stage.add(at_x(0.0), {.channels = first});
    EXPECT_EQ(stage.channel(id, 0), 1.0F);
    stage.move(tick_at(1), id, at_x(1.0), {.channels = second});
    show_at(stage, 5);
    EXPECT_EQ(stage.channel(id, 0), 1.5F);
    // The shorter way from 162 to -162 degrees crosses 180.
    EXPECT_NEAR(std::abs(stage.channel(id, 1)), pi, 1e-6);
    EXPECT_EQ(stage.channel(id, 2), 1.0F);
    EXPECT_EQ(stage.channel(id, 3), 2.0F);
    show_at(stage, 10);
    for (std::size_t number = 0; number < kRules.size(); ++number) {
        EXPECT_EQ(stage.channel(id, number), second[number]) << number;
    }
    EXPECT_EQ(stage.channel(id, 4), 0.0F);
    EXPECT_EQ(stage.channel(Id{}, 0), 0.0F);
}

TEST(Stage, ChannelsStayAsTheyWereUnlessGiven) {
    Stage stage({.channels = kRules});
    const std::array<float, 4> values = {1.0F, 2.0F, 3.0F, 4.0F};
    const Id id = stage.add(at_x(0.0), {.channels = values});
    for (std::int64_t index = 1; index <= 9; ++index) {
        index % 3 == 0 ? stage.cut(tick_at(index), id, at_x(100.0 * static_cast<double>(index)))
                       : stage.move(tick_at(index), id, at_x(static_cast<double>(index)));
        show_at(stage, 10 * index - 5);
        for (std::size_t number = 0; number < kRules.size(); ++number) {
            ASSERT_EQ(stage.channel(id, number), values[number]) << index;
        }
    }
    const std::array<float, 3> too_few = {1.0F, 2.0F, 3.0F};
    EXPECT_EQ(stage.move(tick_at(10), id, at_x(0.0), {.channels = too_few}),
              StageStatus::BadChannel);
}

// Trap 30: the wrap of an animation loop is not drawn backwards through all its frames.
TEST(Stage, AStepChannelNeverShowsAnIntermediateValue) {
    constexpr std::array<Channel, 1> kStep = {Channel::Step};
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        StageRunner runner({.rate = {50, 1}}, {.channels = kStep});
        const Id id = runner.stage.add(at_x(0.0));
        runner.run(
            frames, 2 * frames.numerator,
            [&](const Tick& tick) {
                const std::array<float, 1> frame = {static_cast<float>(tick.index % 10)};
                runner.stage.move(tick, id, at_x(to_s(tick.time_ns)), {.channels = frame});
            },
            [&](const SampleTime& sample) {
                const std::int64_t shown = std::max(sample.time_ns, std::int64_t{0}) / kPeriodNs;
                ASSERT_EQ(runner.stage.channel(id, 0), static_cast<float>(shown % 10));
            });
    }
}

// Trap 30: the same for an object that jumps from place to place.
TEST(Stage, AHeldObjectIsNeverDrawnOnTheWay) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        StageRunner runner({.rate = {50, 1}});
        const Id id = runner.stage.add(at_x(0.0), {.blend = Blend::Hold});
        runner.run(
            frames, 2 * frames.numerator,
            [&](const Tick& tick) {
                runner.stage.move(tick, id, at_x(static_cast<double>(tick.index % 10)));
            },
            [&](const SampleTime& sample) {
                const std::int64_t shown = std::max(sample.time_ns, std::int64_t{0}) / kPeriodNs;
                ASSERT_EQ(runner.stage.visual(id), at_x(static_cast<double>(shown % 10)));
            });
    }
}

TEST(Stage, CountsWhatItDid) {
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    const Id gone = stage.add(at_x(0.0));
    stage.spawn(tick_at(1), at_x(9.0));
    stage.remove(gone);
    stage.move(tick_at(1), body, at_x(1.0));
    stage.cut(tick_at(2), body, at_x(5.0));
    stage.shift(tick_at(3), body, {.translation = {1.0, 0.0, 0.0}});
    stage.amend(tick_at(3), body, at_x(6.5));
    stage.post({.time_ns = 0, .value = 1});
    EXPECT_EQ(stage.move(tick_at(3), gone, at_x(1.0)), StageStatus::StaleHandle);
    stage.present({.time_ns = 0, .now_ns = 0});
    stage.present({.time_ns = 4 * kPeriodNs, .now_ns = 4 * kPeriodNs, .newest = tick_at(4)});
    stage.present({.time_ns = 6 * kPeriodNs, .now_ns = 6 * kPeriodNs, .newest = tick_at(5)});
    const StageStats& stats = stage.stats();
    EXPECT_EQ(stats.present_count, 3U);
    EXPECT_EQ(stats.add_count, 3U);
    EXPECT_EQ(stats.remove_count, 1U);
    EXPECT_EQ(stats.move_count, 1U);
    EXPECT_EQ(stats.cut_count, 1U);
    EXPECT_EQ(stats.shift_count, 1U);
    EXPECT_EQ(stats.amend_count, 1U);
    EXPECT_EQ(stats.wake_count, 2U);
    EXPECT_EQ(stats.settle_count, 2U);
    EXPECT_EQ(stats.event_count, 1U);
    EXPECT_EQ(refused(stage, StageStatus::StaleHandle), 1U);
    EXPECT_EQ(refused(stage, StageStatus::Ok), 0U);
    EXPECT_EQ(stage.track_stats().tick_count, 5U);
    EXPECT_EQ(stage.track_stats().underrun_count, 1U);
    EXPECT_EQ(stage.track_stats().snap_count, 0U);
}

TEST(Stage, CanBeMovedAsAValue) {
    Stage first;
    const Id id = first.add(kSomewhere);
    Stage second = std::move(first);
    EXPECT_EQ(second.visual(id), kSomewhere);
    Stage third;
    third = std::move(second);
    EXPECT_EQ(third.visual(id), kSomewhere);
    EXPECT_EQ(third.move(tick_at(1), id, at_x(1.0)), StageStatus::Ok);
}

} // namespace
} // namespace glissade
