// SPDX-License-Identifier: MIT
// Teleports: never drawn between their two sides, at any ratio of frames to ticks.
#include "glissade/stage/stage.h"

#include "support/stage_runner.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::at_x;
using testing::kFrameRates;
using testing::StageRunner;
using testing::tick_at;
using testing::to_s;

constexpr std::int64_t kPeriodNs = 20'000'000; // Of tick_at().
constexpr double kJumpM = 1000.0;

struct TrackCase {
    const char* name;
    TrackConfig track;
    std::int64_t extra_delay_ns;
};

// 40 ms more than the clock's own delay is 2.4 ticks of 60 Hz.
constexpr TrackCase kTrackCases[] = {
    {"at once", {.history = 2}, 0},
    {"at once, delayed", {.history = 8}, 40'000'000},
    {"at stamp", {.history = 2, .cuts = CutShows::AtStamp}, 0},
    {"at stamp, delayed", {.history = 8, .cuts = CutShows::AtStamp}, 40'000'000},
};

// Walks at 1 m/s for seven ticks, then teleports to the next multiple of 1000 m, and so on.
struct Walker {
    explicit Walker(const TrackCase& track_case) : runner({}, {.track = track_case.track}) {
        runner.extra_delay_ns = track_case.extra_delay_ns;
        id = runner.stage.add(at_x(0.0));
    }

    void on_tick(const Tick& tick) {
        if (tick.index % 7 == 0) {
            ++leg;
            leg_start_ns = tick.time_ns;
            EXPECT_EQ(runner.stage.cut(tick, id, at_x(kJumpM * leg)), StageStatus::Ok);
        } else {
            const double walked = to_s(tick.time_ns - leg_start_ns);
            EXPECT_EQ(runner.stage.move(tick, id, at_x(kJumpM * leg + walked)), StageStatus::Ok);
        }
    }

    StageRunner runner;
    Id id;
    int leg = 0;
    std::int64_t leg_start_ns = 0;
};

void expect_no_picture_between(const TrackCase& track_case, Rate frames) {
    Walker walker(track_case);
    const Stage& stage = walker.runner.stage;
    std::uint32_t last_cuts = 0;
    walker.runner.run(
        frames, 4 * frames.numerator, [&](const Tick& tick) { walker.on_tick(tick); },
        [&](const SampleTime&) {
            const double x = stage.visual(walker.id).position.x;
            const double leg = std::floor(x / kJumpM + 0.5);
            // A leg is walked for six ticks of 1/60 m.
            ASSERT_GE(x - leg * kJumpM, 0.0);
            ASSERT_LE(x - leg * kJumpM, 0.1 + 1e-8);
            // The counter and the picture tell the same story, and so does the
            // displacement of this frame.
            ASSERT_EQ(static_cast<double>(stage.shown_cuts(walker.id)), leg);
            const double step = x - stage.previous(walker.id).position.x;
            ASSERT_LE(std::abs(step), 0.11);
            if (stage.shown_cuts(walker.id) != last_cuts) {
                ASSERT_EQ(step, 0.0);
            }
            last_cuts = stage.shown_cuts(walker.id);
        });
    EXPECT_GT(last_cuts, 30U);
}

// Trap 19: a one-shot flag is consumed by the wrong frame or tick.
TEST(Cut, ATeleportIsNeverDrawnBetweenItsTwoSides) {
    for (const TrackCase& track_case : kTrackCases) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message() << track_case.name << ", " << frames.numerator);
            expect_no_picture_between(track_case, frames);
        }
    }
}

void expect_cuts_in_time(const TrackCase& track_case, Rate frames) {
    Walker walker(track_case);
    walker.runner.run(
        frames, 2 * frames.numerator, [&](const Tick& tick) { walker.on_tick(tick); },
        [&](const SampleTime& sample) {
            const double x = walker.runner.stage.visual(walker.id).position.x;
            int shown_leg = walker.leg;
            if (track_case.track.cuts == CutShows::AtStamp) {
                // Cuts are at the ticks 7, 14, ... of 60 Hz, stamped rounded up.
                shown_leg = static_cast<int>(std::floor(
                    to_s(std::max(sample.time_ns, std::int64_t{0})) * 60.0 / 7.0 + 1e-9));
            }
            ASSERT_EQ(std::floor(x / kJumpM + 0.5), shown_leg);
        });
}

// Decision 5: at once on tracks of this thread, at its stamp on delayed ones.
TEST(Cut, ShowsAtOnceOrAtItsStampAsTheTrackSays) {
    for (const TrackCase& track_case : kTrackCases) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message() << track_case.name << ", " << frames.numerator);
            expect_cuts_in_time(track_case, frames);
        }
    }
}

// Trap 4: a teleport between two ticks, in a frame that runs none.
TEST(Cut, ATeleportInAFrameWithoutATickShowsInThatFrame) {
    StageRunner runner({.rate = {20, 1}});
    const Id body = runner.stage.add(at_x(0.0));
    double offset = 0.0;
    int frame_count = 0;
    int idle_cut_count = 0;
    const auto on_tick = [&](const Tick& tick) {
        runner.stage.move(tick, body, at_x(offset + to_s(tick.time_ns)));
    };
    runner.run({1000, 1}, 1000, on_tick, [&](const SampleTime& sample) {
        if (++frame_count % 13 != 0) {
            return;
        }
        const std::int64_t before = runner.step.newest().index;
        offset += kJumpM;
        const Pose target = at_x(offset + to_s(runner.step.newest().time_ns));
        ASSERT_EQ(runner.stage.cut(body, target), StageStatus::Ok);
        // At once, even before the next frame.
        ASSERT_EQ(runner.stage.visual(body), target);
        // The frame that follows has no tick; its sample time is a millisecond later.
        SampleTime next = sample;
        ASSERT_EQ(runner.stage.present(next), StageStatus::Ok);
        ASSERT_EQ(runner.stage.visual(body), target);
        ASSERT_EQ(runner.stage.previous(body), target);
        idle_cut_count += runner.step.newest().index == before ? 1 : 0;
    });
    EXPECT_EQ(idle_cut_count, 76);
}

// Trap 20: A to B, teleport to C, C to D, all inside one frame.
TEST(Cut, ATeleportBetweenTwoTicksOfOneFrameShowsOnlyTheNewSide) {
    for (const TrackCase& track_case : kTrackCases) {
        for (std::int64_t phase = 0; phase <= 20; ++phase) {
            Stage stage({.track = track_case.track});
            const Id body = stage.add(at_x(0.0));
            stage.move(tick_at(1), body, at_x(1.0));
            stage.present({.time_ns = 0, .now_ns = kPeriodNs});
            stage.move(tick_at(2), body, at_x(2.0));
            stage.cut(tick_at(3), body, at_x(100.0));
            stage.move(tick_at(4), body, at_x(101.0));
            const std::int64_t time_ns = 3 * kPeriodNs + phase * kPeriodNs / 20;
            stage.present({.time_ns = time_ns, .now_ns = 4 * kPeriodNs});
            const double x = stage.visual(body).position.x;
            // One rounding of a number near 100, whose last place is 2^-46.
            EXPECT_NEAR(x, 100.0 + static_cast<double>(phase) / 20.0, 2e-14) << track_case.name;
            EXPECT_EQ(stage.previous(body), stage.visual(body)) << track_case.name;
            EXPECT_EQ(stage.shown_cuts(body), 1U) << track_case.name;
        }
    }
}

void expect_either_side(const TrackCase& track_case, bool cut_first) {
    Stage stage({.track = track_case.track});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = 0, .now_ns = kPeriodNs});
    if (cut_first) {
        stage.cut(tick_at(2), body, at_x(100.0));
        stage.move(tick_at(2), body, at_x(101.0));
    } else {
        stage.move(tick_at(2), body, at_x(2.0));
        stage.cut(tick_at(2), body, at_x(101.0));
    }
    for (std::int64_t time_ns = kPeriodNs; time_ns <= 2 * kPeriodNs; time_ns += kPeriodNs / 8) {
        stage.present({.time_ns = time_ns, .now_ns = 2 * kPeriodNs});
        const double x = stage.visual(body).position.x;
        ASSERT_TRUE((x >= 0.0 && x <= 2.0) || (x >= 100.0 && x <= 101.0)) << x;
    }
    EXPECT_EQ(stage.visual(body), at_x(101.0));
    EXPECT_EQ(stage.shown_cuts(body), 1U);
}

// Trap 22: there is no flag to set before or after a write. Both orders of the two writes of one
// tick mean something, and neither is drawn across.
TEST(Cut, ThePoseAfterACutIsOneWriteSoThereIsNoWrongOrder) {
    for (const TrackCase& track_case : kTrackCases) {
        for (const bool cut_first : {true, false}) {
            SCOPED_TRACE(::testing::Message() << track_case.name << ", " << cut_first);
            expect_either_side(track_case, cut_first);
        }
    }
}

// Trap 23: two teleports in one tick.
TEST(Cut, OfTwoTeleportsInOneTickOnlyTheLastIsSeen) {
    for (const TrackCase& track_case : kTrackCases) {
        SCOPED_TRACE(track_case.name);
        Stage stage({.track = track_case.track});
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(1.0));
        stage.cut(tick_at(2), body, at_x(500.0));
        stage.cut(tick_at(2), body, at_x(100.0));
        stage.move(tick_at(3), body, at_x(101.0));
        for (std::int64_t time_ns = 0; time_ns <= 3 * kPeriodNs; time_ns += kPeriodNs / 4) {
            stage.present({.time_ns = time_ns, .now_ns = 3 * kPeriodNs});
            const double x = stage.visual(body).position.x;
            ASSERT_TRUE((x >= 0.0 && x <= 1.0) || (x >= 100.0 && x <= 101.0)) << x;
        }
        EXPECT_EQ(stage.visual(body), at_x(101.0));
    }
}

void expect_rest_at_target(const TrackCase& track_case) {
    StageRunner runner({}, {.track = track_case.track});
    runner.extra_delay_ns = track_case.extra_delay_ns;
    const Id body = runner.stage.add(at_x(0.0));
    const Pose target{.position = {100.0, 0.1, -0.3},
                      .rotation = quat_from_rotation_vector({0.1, 0.2, 0.3})};
    runner.run(
        {144, 1}, 144,
        [&](const Tick& tick) {
            if (tick.index < 10) {
                runner.stage.move(tick, body, at_x(to_s(tick.time_ns)));
            } else if (tick.index == 10) {
                runner.stage.cut(tick, body, target);
            }
        },
        [](const SampleTime&) {});
    EXPECT_EQ(runner.stage.visual(body), target);
    EXPECT_EQ(runner.stage.previous(body), target);
    EXPECT_EQ(runner.stage.mover_count(), 0U);
    EXPECT_EQ(runner.stage.shown_cuts(body), 1U);
}

// Trap 23: teleport, then sleep.
TEST(Cut, AnObjectThatSleepsAfterATeleportRestsAtItsTarget) {
    for (const TrackCase& track_case : kTrackCases) {
        SCOPED_TRACE(track_case.name);
        expect_rest_at_target(track_case);
    }
}

// Trap 23: teleport to the same place. Cameras must cut although nothing is displaced.
TEST(Cut, ATeleportToTheSamePlaceCountsAndEndsTheBlend) {
    for (const TrackCase& track_case : kTrackCases) {
        SCOPED_TRACE(track_case.name);
        Stage stage({.track = track_case.track});
        const Id resting = stage.add(at_x(5.0));
        const Id moving = stage.add(at_x(0.0));
        stage.move(tick_at(1), moving, at_x(1.0));
        stage.present({.time_ns = 0, .now_ns = kPeriodNs});
        stage.cut(tick_at(2), resting, at_x(5.0));
        stage.cut(tick_at(2), moving, at_x(1.0));
        stage.move(tick_at(3), moving, at_x(2.0));
        stage.present({.time_ns = 5 * kPeriodNs / 2, .now_ns = 3 * kPeriodNs});
        EXPECT_EQ(stage.shown_cuts(resting), 1U);
        EXPECT_EQ(stage.visual(resting), at_x(5.0));
        EXPECT_EQ(stage.shown_cuts(moving), 1U);
        EXPECT_EQ(stage.visual(moving), at_x(1.5));
        EXPECT_EQ(stage.previous(moving), at_x(1.5));
    }
}

TEST(Cut, ThatLeavesTheHistoryUnseenStillCounts) {
    Stage stage({.track = {.history = 4, .cuts = CutShows::AtStamp}});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = 0, .now_ns = kPeriodNs});
    stage.cut(tick_at(2), body, at_x(100.0));
    for (std::int64_t index = 3; index <= 20; ++index) {
        stage.move(tick_at(index), body, at_x(100.0 + static_cast<double>(index)));
    }
    stage.present({.time_ns = 20 * kPeriodNs, .now_ns = 20 * kPeriodNs});
    EXPECT_EQ(stage.shown_cuts(body), 1U);
    EXPECT_EQ(stage.visual(body), at_x(120.0));
    EXPECT_EQ(stage.previous(body), at_x(120.0));
}

// A correction belongs to the side on which it was made.
TEST(Cut, AFadingCorrectionDoesNotGoThroughATeleport) {
    for (const TrackCase& track_case : kTrackCases) {
        SCOPED_TRACE(track_case.name);
        Stage stage({.track = track_case.track});
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(0.0));
        stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs, .newest = tick_at(1)});
        ASSERT_EQ(stage.amend(tick_at(1), body, at_x(8.0)), StageStatus::Ok);
        stage.cut(tick_at(2), body, at_x(100.0));
        stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
        EXPECT_EQ(stage.visual(body), at_x(100.0));
        EXPECT_EQ(stage.previous(body), at_x(100.0));
    }
}

// Clocks may discard time while a cut waits for its stamp; cameras must still hear of it.
TEST(Cut, ACutThatWaitsWhenTimeIsDiscardedIsShownWithTheSnap) {
    Stage stage({.track = {.history = 8, .cuts = CutShows::AtStamp}});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = 0, .now_ns = kPeriodNs, .epoch = 0});
    stage.cut(tick_at(2), body, at_x(100.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = 2 * kPeriodNs, .epoch = 1});
    EXPECT_EQ(stage.visual(body), at_x(100.0));
    EXPECT_EQ(stage.previous(body), at_x(100.0));
    EXPECT_EQ(stage.shown_cuts(body), 1U);
}

TEST(Cut, ChannelsAreNotBlendedAcrossATeleport) {
    constexpr std::array<Channel, 1> kRules = {Channel::Linear};
    const std::array<float, 1> five = {5.0F};
    for (const TrackCase& track_case : kTrackCases) {
        Stage stage({.channels = kRules, .track = track_case.track});
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(1.0));
        stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
        stage.cut(tick_at(2), body, at_x(100.0), {.channels = five});
        stage.present({.time_ns = 3 * kPeriodNs / 2, .now_ns = 2 * kPeriodNs});
        const bool at_once = track_case.track.cuts == CutShows::AtOnce;
        EXPECT_EQ(stage.channel(body, 0), at_once ? 5.0F : 0.0F) << track_case.name;
        stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
        EXPECT_EQ(stage.channel(body, 0), 5.0F) << track_case.name;
    }
}

TEST(Cut, WithoutATickIsMadeAtTheNewestOne) {
    Stage stage({.track = {.history = 4, .cuts = CutShows::AtStamp}});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = 0, .now_ns = kPeriodNs});
    ASSERT_EQ(stage.cut(body, at_x(100.0)), StageStatus::Ok);
    EXPECT_EQ(stage.logical(body), at_x(100.0));
    stage.present({.time_ns = kPeriodNs - 1, .now_ns = kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(0.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(100.0));
}

TEST(Cut, BeforeTheFirstTickIsSeenAtOnceOnEveryTrack) {
    for (const TrackCase& track_case : kTrackCases) {
        Stage stage({.track = track_case.track});
        const Id body = stage.add(at_x(0.0));
        ASSERT_EQ(stage.cut(body, at_x(7.0)), StageStatus::Ok);
        EXPECT_EQ(stage.visual(body), at_x(7.0));
        EXPECT_EQ(stage.shown_cuts(body), 1U);
    }
}

// A resting object that teleports at once needs no mover row, so a full table is no reason to
// refuse.
TEST(Cut, OfARestingObjectNeedsNoMoverRow) {
    Stage stage({.track = {.mover_capacity = 1}});
    const Id moving = stage.add(at_x(0.0));
    const Id resting = stage.add(at_x(0.0));
    stage.move(tick_at(1), moving, at_x(1.0));
    EXPECT_EQ(stage.cut(tick_at(1), resting, at_x(5.0)), StageStatus::Ok);
    EXPECT_EQ(stage.visual(resting), at_x(5.0));
    EXPECT_EQ(stage.cut(resting, at_x(6.0)), StageStatus::Ok);
    EXPECT_EQ(stage.visual(resting), at_x(6.0));
    EXPECT_EQ(stage.move(tick_at(1), resting, at_x(7.0)), StageStatus::Full);
}

// Trap 31: nothing is guessed from speed.
TEST(Cut, ARocketStartIsNotTakenForATeleport) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        StageRunner runner;
        const Id rocket = runner.stage.add(at_x(0.0));
        constexpr double kSpeed = 200.0;
        runner.run(
            frames, frames.numerator,
            [&](const Tick& tick) {
                // 200 m/s from one tick to the next, out of rest.
                const double s = to_s(std::max(tick.time_ns - 500'000'000, std::int64_t{0}));
                runner.stage.move(tick, rocket, at_x(kSpeed * s));
            },
            [&](const SampleTime& sample) {
                const double s = to_s(std::max(sample.time_ns - 500'000'000, std::int64_t{0}));
                // Tick 30 is stamped at 0.5 s exactly; rounding of x below 128 m is 2^-46.
                ASSERT_NEAR(runner.stage.visual(rocket).position.x, kSpeed * s, 1e-12);
            });
        EXPECT_EQ(runner.stage.shown_cuts(rocket), 0U);
        EXPECT_GT(runner.stage.visual(rocket).position.x, 80.0);
    }
}

} // namespace
} // namespace glissade
