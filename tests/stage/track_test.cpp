// SPDX-License-Identifier: MIT
// Timelines of a stage: stamps, sample times, underruns, several clocks, restart.
#include "glissade/stage/stage.h"

#include "support/stage_runner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::at_x;
using testing::frame_time_ns;
using testing::kFrameRates;
using testing::Random;
using testing::StageRunner;
using testing::tick_at;
using testing::to_s;

constexpr std::int64_t kPeriodNs = 20'000'000; // Of tick_at().
constexpr std::int64_t kFarTimeNs = std::int64_t{1} << 62;

// A clock with one body at 1 m/s, on its own track of a shared stage.
struct Walker {
    Walker(Stage& owner, TrackId on_track, Rate rate)
        : stage(owner), track(on_track), clock({.rate = rate}) {
        body = stage.add(at_x(0.0), {.track = track});
    }

    TrackSample advance_to(std::int64_t present_ns) {
        for (const Tick& tick : clock.advance_to(present_ns)) {
            stage.move(tick, body, at_x(to_s(tick.time_ns)));
        }
        return {.track = track, .time = clock.sample()};
    }

    [[nodiscard]] double drawn() const { return stage.visual(body).position.x; }
    [[nodiscard]] double ideal() const {
        return to_s(std::max(clock.sample().time_ns, std::int64_t{0}));
    }

    Stage& stage;
    TrackId track;
    FixedStep clock;
    Id body;
};

// Two walkers with clocks of their own in front of one display.
class TwoClocks {
public:
    explicit TwoClocks(Rate frames) : frames_(frames) {}

    void run_frame() {
        const std::int64_t present_ns = frame_time_ns(frames_, frame_);
        ++frame_;
        const std::array<TrackSample, 2> samples = {people.advance_to(present_ns),
                                                    scenery.advance_to(present_ns)};
        ASSERT_EQ(stage.present(samples), StageStatus::Ok);
        // Rounding of x below 64 m is 2^-47.
        ASSERT_NEAR(people.drawn(), people.ideal(), 1e-12);
        ASSERT_NEAR(scenery.drawn(), scenery.ideal(), 1e-12);
    }

    Stage stage;
    Walker people{stage, kDefaultTrack, {60, 1}};
    Walker scenery{stage, stage.make_track({}).value_or(kDefaultTrack), {50, 1}};

private:
    Rate frames_;
    std::int64_t frame_ = 0;
};

void expect_partial_pause(TwoClocks& clocks, Walker& frozen, const Walker& other, Rate frames) {
    frozen.clock.pause();
    const Pose pose = clocks.stage.visual(frozen.body);
    for (std::int64_t frame = 0; frame < frames.numerator / 2; ++frame) {
        const double last = other.drawn();
        clocks.run_frame();
        ASSERT_EQ(clocks.stage.visual(frozen.body), pose);
        ASSERT_EQ(clocks.stage.previous(frozen.body), pose);
        ASSERT_GT(other.drawn(), last);
    }
    frozen.clock.resume();
}

void expect_partial_pauses(Rate frames, Random& random) {
    TwoClocks clocks(frames);
    for (int trial = 0; trial < 10; ++trial) {
        for (std::int64_t frame = random.between(10, 30); frame > 0; --frame) {
            clocks.run_frame();
        }
        if (trial % 2 == 0) {
            expect_partial_pause(clocks, clocks.people, clocks.scenery, frames);
        } else {
            expect_partial_pause(clocks, clocks.scenery, clocks.people, frames);
        }
    }
}

// Trap 13: partial pause. One group stands still in the middle of a tick, the other goes on.
TEST(Track, PausingOneClockMidTickLeavesTheOtherMoving) {
    Random random(13);
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        expect_partial_pauses(frames, random);
    }
}

TEST(Track, ATrackThatIsNotListedStaysWhereItIs) {
    Stage stage;
    const std::optional<TrackId> second = stage.make_track({});
    ASSERT_TRUE(second.has_value());
    const Id body = stage.add(at_x(0.0), {.track = *second});
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    EXPECT_FALSE(stage.sample_time(*second).has_value());
    EXPECT_EQ(stage.visual(body), at_x(0.0));
    const TrackSample half{.track = *second, .time = {.time_ns = kPeriodNs / 2}};
    ASSERT_EQ(stage.present({&half, 1}), StageStatus::Ok);
    EXPECT_EQ(stage.visual(body), at_x(0.5));
    EXPECT_EQ(stage.sample_time(*second), kPeriodNs / 2);
    EXPECT_EQ(stage.sample_time(), kPeriodNs);
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(0.5));
    EXPECT_EQ(stage.previous(body), at_x(0.5));
}

TEST(Track, OneBadSampleRefusesTheWholeFrame) {
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = kPeriodNs / 2, .now_ns = kPeriodNs});
    const SampleTime good{.time_ns = kPeriodNs, .now_ns = kPeriodNs};
    const auto refused = [&](const SampleTime& bad, TrackId track, StageStatus why) {
        const std::array<TrackSample, 2> samples = {TrackSample{.time = good},
                                                    TrackSample{.track = track, .time = bad}};
        EXPECT_EQ(stage.present(samples), why);
        EXPECT_EQ(stage.visual(body), at_x(0.5));
        EXPECT_EQ(stage.sample_time(), kPeriodNs / 2);
    };
    refused(good, TrackId{1}, StageStatus::NoSuchTrack);
    refused({.time_ns = kFarTimeNs}, kDefaultTrack, StageStatus::AbsurdTime);
    refused({.time_ns = kPeriodNs, .now_ns = -kFarTimeNs}, kDefaultTrack, StageStatus::AbsurdTime);
    refused({.time_ns = kPeriodNs / 2 - 1, .now_ns = kPeriodNs}, kDefaultTrack,
            StageStatus::TimeWentBack);
    refused({.time_ns = kPeriodNs, .newest = Tick{.index = 2, .time_ns = kPeriodNs + 1}},
            kDefaultTrack, StageStatus::BadTick);
    EXPECT_EQ(stage.stats().present_count, 1U);
    EXPECT_EQ(stage.revision(), 1U);
    // An old tick is no news and no error.
    EXPECT_EQ(stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs, .newest = tick_at(1)}),
              StageStatus::Ok);
}

void expect_exact_path_from(std::int64_t start_ns, Rate frames) {
    StageRunner runner({.rate = {50, 1}, .start_ns = start_ns});
    const Id body = runner.stage.add(at_x(to_s(start_ns)));
    runner.run(
        frames, 2 * frames.numerator,
        [&](const Tick& tick) { runner.stage.move(tick, body, at_x(to_s(tick.time_ns))); },
        [&](const SampleTime& sample) {
            const double ideal = to_s(std::max(sample.time_ns, start_ns));
            ASSERT_NEAR(runner.stage.visual(body).position.x, ideal, 1e-12);
        });
}

// Trap 15: 0 is a time like any other, and so are those before it.
TEST(Track, StampsOfZeroAndBelowAreOrdinary) {
    for (const std::int64_t start_ns : {-1'000'000'000, -20'000'000, -10'000'000, 0}) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message() << start_ns << ", " << frames.numerator);
            expect_exact_path_from(start_ns, frames);
        }
    }
}

TEST(Track, TheFirstTickMayBeStampedZero) {
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    const Tick first{.index = 0, .time_ns = 0, .duration_ns = kPeriodNs};
    ASSERT_EQ(stage.move(first, body, at_x(2.0)), StageStatus::Ok);
    EXPECT_EQ(stage.newest(), first);
    stage.present({.time_ns = -kPeriodNs / 2, .now_ns = 0});
    EXPECT_EQ(stage.visual(body), at_x(1.0));
    stage.present({.time_ns = 0, .now_ns = 0});
    EXPECT_EQ(stage.visual(body), at_x(2.0));
    EXPECT_EQ(stage.sample_time(), 0);
    EXPECT_EQ(stage.present({.time_ns = -1, .now_ns = 0}), StageStatus::TimeWentBack);
}

void expect_counted_underruns(Rate frames, Random& random) {
    StageRunner runner;
    const Id body = runner.stage.add(at_x(0.0));
    std::uint64_t expected = 0;
    for (int frame = 0; frame < 500; ++frame) {
        // A picture that runs ahead of the clock now and then.
        runner.extra_delay_ns -= random.between(0, 9) == 0 ? 1'000'000 : 0;
        const SampleTime sample =
            runner.frame_at(frame_time_ns(frames, frame),
                            [&](const Tick& tick) { runner.stage.move(tick, body, at_x(1.0)); });
        expected += sample.time_ns > sample.newest->time_ns ? 1U : 0U;
        ASSERT_EQ(runner.stage.track_stats().underrun_count, expected);
    }
    EXPECT_GT(expected, 10U);
    EXPECT_LT(expected, 500U);
}

// Trap 18: a clamp at the newest state must not hide that data was missing.
TEST(Track, EveryFrameBeyondTheNewestTickIsCounted) {
    Random random(18);
    for (const Rate frames : kFrameRates) {
        expect_counted_underruns(frames, random);
    }
}

TEST(Track, AnUnderrunCarriesMotionOnUpToItsCapAndThenHolds) {
    for (const Blend blend : {Blend::Linear, Blend::Hermite, Blend::HermitePath}) {
        Stage stage({.track = {.history = 4, .underrun_extrapolation_ns = 30'000'000}});
        const Id body = stage.add({}, {.blend = blend});
        const auto pose_at = [](double s) {
            return Pose{.position = {s, 2.0 * s, 0.0},
                        .rotation = quat_from_rotation_vector({0.0, 0.0, s})};
        };
        const Extra extra{
            .velocity = {.linear = {1.0F, 2.0F, 0.0F}, .angular = {0.0F, 0.0F, 1.0F}}};
        for (std::int64_t index = 1; index <= 3; ++index) {
            stage.move(tick_at(index), body, pose_at(to_s(index * kPeriodNs)), extra);
        }
        for (std::int64_t beyond_ns = 0; beyond_ns <= 100'000'000; beyond_ns += 5'000'000) {
            const std::int64_t time_ns = 3 * kPeriodNs + beyond_ns;
            stage.present({.time_ns = time_ns, .now_ns = time_ns});
            const Pose ideal =
                pose_at(to_s(3 * kPeriodNs + std::min(beyond_ns, std::int64_t{30'000'000})));
            // The velocity is a float: 2^-23 of 30 ms of it, and the rotation a float quaternion.
            const Pose visual = stage.visual(body);
            ASSERT_NEAR(visual.position.x, ideal.position.x, 1e-8);
            ASSERT_NEAR(visual.position.y, ideal.position.y, 1e-8);
            ASSERT_LE(compute_angle_rad(visual.rotation, ideal.rotation), 5e-7);
        }
        EXPECT_EQ(stage.track_stats().underrun_count, 20U);
    }
}

TEST(Track, WhatAnUnderrunGuessedWrongIsRejoinedWithoutAPop) {
    for (const Blend blend : {Blend::Linear, Blend::Hermite, Blend::HermitePath}) {
        Stage stage({.track = {.history = 8, .underrun_extrapolation_ns = kPeriodNs}});
        const Id body = stage.add({}, {.blend = blend});
        // 1 m per tick to the right until tick 3, then back again.
        const auto x_at = [](std::int64_t index) {
            return static_cast<double>(index <= 3 ? index : 6 - index);
        };
        const auto move = [&](std::int64_t index) {
            const float speed = (index <= 3 ? 1.0F : -1.0F) / static_cast<float>(to_s(kPeriodNs));
            stage.move(tick_at(index), body, at_x(x_at(index)),
                       {.velocity = {.linear = {speed, 0.0F, 0.0F}}});
        };
        const auto show = [&](std::int64_t time_ns) {
            stage.present({.time_ns = time_ns, .now_ns = time_ns});
            return stage.visual(body).position.x;
        };
        for (std::int64_t index = 1; index <= 3; ++index) {
            move(index);
        }
        show(3 * kPeriodNs);
        const std::int64_t guessed_ns = 3 * kPeriodNs + kPeriodNs / 2;
        const double guessed = show(guessed_ns);
        EXPECT_NEAR(guessed, 3.5, 1e-6);
        for (std::int64_t index = 4; index <= 8; ++index) {
            move(index);
        }
        // A nanosecond later it is where it was, though the truth is a metre away by now.
        EXPECT_NEAR(show(guessed_ns + 1), guessed, 1e-6);
        // Half of the difference of 1 m is gone after 50 ms, at tick 6.
        EXPECT_NEAR(show(6 * kPeriodNs) - x_at(6), 0.5, 1e-5);
    }
}

TEST(Track, ACutThatEndsAnUnderrunIsACut) {
    Stage stage(
        {.track = {
             .history = 4, .cuts = CutShows::AtStamp, .underrun_extrapolation_ns = kPeriodNs}});
    const Id body = stage.add({});
    stage.move(tick_at(1), body, at_x(1.0));
    stage.move(tick_at(2), body, at_x(2.0));
    stage.present({.time_ns = 2 * kPeriodNs + kPeriodNs / 2, .now_ns = 3 * kPeriodNs});
    EXPECT_NEAR(stage.visual(body).position.x, 2.5, 1e-6);
    stage.cut(tick_at(3), body, at_x(500.0));
    stage.present({.time_ns = 3 * kPeriodNs, .now_ns = 3 * kPeriodNs});
    EXPECT_EQ(stage.visual(body).position.x, 500.0);
}

TEST(Track, AShiftThatEndsAnUnderrunKeepsTheSpeed) {
    Stage stage({.track = {.history = 4, .underrun_extrapolation_ns = kPeriodNs}});
    const Id body = stage.add({});
    stage.move(tick_at(1), body, at_x(1.0));
    stage.move(tick_at(2), body, at_x(2.0));
    stage.present({.time_ns = 2 * kPeriodNs + kPeriodNs / 2, .now_ns = 3 * kPeriodNs});
    stage.shift(tick_at(3), body, {.translation = {100.0, 0.0, 0.0}});
    stage.move(tick_at(3), body, at_x(103.0));
    const std::int64_t time_ns = 2 * kPeriodNs + 3 * kPeriodNs / 4;
    stage.present({.time_ns = time_ns, .now_ns = 3 * kPeriodNs});
    EXPECT_NEAR(stage.visual(body).position.x, 102.75, 1e-6);
}

TEST(Track, AnUnderrunHoldsAtOnceWithoutACapAndForWhatDoesNotMove) {
    Stage stage;
    const std::optional<TrackId> guessing =
        stage.make_track({.history = 4, .underrun_extrapolation_ns = 30'000'000});
    ASSERT_TRUE(guessing.has_value());
    const Id plain = stage.add(at_x(0.0));
    const Id held = stage.add(at_x(0.0), {.track = *guessing, .blend = Blend::Hold});
    const Id stopped = stage.add(at_x(0.0), {.track = *guessing});
    for (std::int64_t index = 1; index <= 3; ++index) {
        stage.move(tick_at(index), plain, at_x(static_cast<double>(index)));
        stage.move(tick_at(index), held, at_x(static_cast<double>(index)));
        stage.move(tick_at(index), stopped, at_x(std::min(static_cast<double>(index), 2.0)));
    }
    const SampleTime late{.time_ns = 4 * kPeriodNs, .now_ns = 4 * kPeriodNs};
    const std::array<TrackSample, 2> samples = {TrackSample{.time = late},
                                                TrackSample{.track = *guessing, .time = late}};
    stage.present(samples);
    EXPECT_EQ(stage.visual(plain), at_x(3.0));
    EXPECT_EQ(stage.visual(held), at_x(3.0));
    EXPECT_EQ(stage.visual(stopped), at_x(2.0));
}

TEST(Track, AnUnderrunAfterAPortalGoesOnInTheNewDirection) {
    Stage stage({.track = {.history = 4, .underrun_extrapolation_ns = 100'000'000}});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.move(tick_at(2), body, at_x(2.0));
    // Half a turn about z, and up.
    stage.shift(tick_at(2), body,
                {.translation = {0.0, 50.0, 0.0}, .rotation = quat_xyzw(0.0F, 0.0F, 1.0F, 0.0F)});
    stage.present({.time_ns = 5 * kPeriodNs / 2, .now_ns = 5 * kPeriodNs / 2});
    EXPECT_NEAR(stage.visual(body).position.x, -2.5, 1e-6); // A float velocity of 50 m/s for 10 ms.
    EXPECT_NEAR(stage.visual(body).position.y, 50.0, 1e-6);
    // After a cut there is no way that could go on.
    stage.cut(tick_at(3), body, at_x(7.0));
    stage.present({.time_ns = 7 * kPeriodNs / 2, .now_ns = 7 * kPeriodNs / 2});
    EXPECT_EQ(stage.visual(body), at_x(7.0));
}

// A delayed source: five ticks behind, eight states.
TEST(Track, AHistoryOfEightDrawsADelayedSampleExactly) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        StageRunner runner({.rate = {50, 1}}, {.track = {.history = 8}});
        // 18 Hz frames have up to three ticks of 50 Hz: 5 + 3 are the eight states.
        runner.extra_delay_ns = 4 * kPeriodNs;
        const Id body = runner.stage.add(at_x(0.0));
        runner.run(
            frames, 4 * frames.numerator,
            [&](const Tick& tick) { runner.stage.move(tick, body, at_x(to_s(tick.time_ns))); },
            [&](const SampleTime& sample) {
                const double ideal = to_s(std::max(sample.time_ns, std::int64_t{0}));
                ASSERT_NEAR(runner.stage.visual(body).position.x, ideal, 1e-12);
                ASSERT_EQ(runner.stage.sample(body, sample.time_ns), runner.stage.visual(body));
            });
    }
}

TEST(Track, ASampleOlderThanTheHistoryShowsTheOldestState) {
    Stage stage({.track = {.history = 3}});
    const Id body = stage.add(at_x(0.0));
    for (std::int64_t index = 1; index <= 9; ++index) {
        stage.move(tick_at(index), body, at_x(static_cast<double>(index)));
    }
    stage.present({.time_ns = kPeriodNs, .now_ns = 9 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(7.0));
}

TEST(Track, SampleReadsAnotherTimeAndChangesNothing) {
    Stage stage({.track = {.history = 4}});
    const Id body = stage.add(at_x(0.0));
    const Id resting = stage.add(at_x(9.0));
    for (std::int64_t index = 1; index <= 3; ++index) {
        stage.move(tick_at(index), body, at_x(static_cast<double>(index)));
    }
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 3 * kPeriodNs});
    EXPECT_EQ(stage.sample(body, 5 * kPeriodNs / 2), at_x(2.5));
    EXPECT_EQ(stage.sample(body, kPeriodNs), at_x(1.0));
    EXPECT_EQ(stage.sample(body, -kPeriodNs), at_x(0.0));
    EXPECT_EQ(stage.sample(body, 9 * kPeriodNs), at_x(3.0));
    EXPECT_EQ(stage.sample(body, std::numeric_limits<std::int64_t>::max()), at_x(3.0));
    EXPECT_EQ(stage.sample(resting, kPeriodNs), at_x(9.0));
    EXPECT_EQ(stage.sample(Id{}, kPeriodNs), Pose{});
    EXPECT_EQ(stage.visual(body), at_x(2.0));
    EXPECT_EQ(stage.sample_time(), 2 * kPeriodNs);
    EXPECT_EQ(stage.revision(), 1U);
}

// A clock that left out an absurd gap says so with its epoch: no blend across it.
TEST(Track, DiscardedTimeSnapsTheHistoryToTheNewestState) {
    StageRunner runner({.rate = {50, 1}});
    const Id body = runner.stage.add(at_x(0.0));
    const auto on_tick = [&](const Tick& tick) {
        runner.stage.move(tick, body, at_x(to_s(tick.time_ns)));
    };
    runner.run({144, 1}, 100, on_tick, [](const SampleTime&) {});
    const Pose newest = runner.stage.logical(body);
    ASSERT_NE(runner.stage.visual(body), newest);
    const SampleTime discarded = runner.frame_at(runner.present_ns + 10'000'000'000, on_tick);
    EXPECT_EQ(discarded.epoch, 1U);
    EXPECT_EQ(runner.stage.visual(body), newest);
    EXPECT_EQ(runner.stage.track_stats().snap_count, 1U);
    // Then on from there, never backwards.
    double last = newest.position.x;
    runner.run({144, 1}, 100, on_tick, [&](const SampleTime&) {
        ASSERT_GE(runner.stage.visual(body).position.x, last);
        last = runner.stage.visual(body).position.x;
    });
    EXPECT_GT(last, newest.position.x + 0.5);
    EXPECT_EQ(runner.stage.track_stats().snap_count, 1U);
}

TEST(Track, RestartGoesBackInTimeAndStandsAtTheLogicalPoses) {
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(10), body, at_x(10.0));
    stage.present({.time_ns = 19 * kPeriodNs / 2, .now_ns = 10 * kPeriodNs});
    ASSERT_EQ(stage.visual(body), at_x(5.0));
    ASSERT_EQ(stage.restart(kDefaultTrack, -kPeriodNs), StageStatus::Ok);
    EXPECT_EQ(stage.visual(body), at_x(10.0));
    EXPECT_EQ(stage.previous(body), at_x(10.0));
    EXPECT_EQ(stage.shown_cuts(body), 1U);
    EXPECT_EQ(stage.sample_time(), -kPeriodNs);
    EXPECT_FALSE(stage.newest().has_value());
    EXPECT_EQ(stage.mover_count(), 0U);
    // Ticks and sample times of long ago are welcome again, and blend as ever.
    ASSERT_EQ(stage.move(tick_at(1), body, at_x(12.0)), StageStatus::Ok);
    ASSERT_EQ(stage.present({.time_ns = kPeriodNs / 2, .now_ns = kPeriodNs}), StageStatus::Ok);
    EXPECT_EQ(stage.visual(body), at_x(11.0));
    EXPECT_EQ(stage.amend(tick_at(1), body, at_x(13.0)), StageStatus::Ok);
    EXPECT_EQ(stage.logical(body), at_x(13.0));
}

TEST(Track, RestartRefusesWhatIsNoTrackOrTime) {
    Stage stage;
    EXPECT_EQ(stage.restart(TrackId{1}, 0), StageStatus::NoSuchTrack);
    EXPECT_EQ(stage.restart(kDefaultTrack, kFarTimeNs), StageStatus::AbsurdTime);
    EXPECT_FALSE(stage.sample_time().has_value());
}

TEST(Track, MakeTrackRefusesSettingsOutOfRange) {
    Stage stage;
    EXPECT_FALSE(stage.make_track({.history = 1}).has_value());
    EXPECT_FALSE(stage.make_track({.history = 65}).has_value());
    EXPECT_FALSE(stage.make_track({.underrun_extrapolation_ns = -1}).has_value());
    EXPECT_FALSE(stage.make_track({.extrapolation_cap_ns = -1}).has_value());
    EXPECT_EQ(stage.make_track({.history = 2}), TrackId{1});
    EXPECT_EQ(stage.make_track({.history = 64}), TrackId{2});
    EXPECT_EQ(stage.add({}, {.track = TrackId{3}}).status, StageStatus::NoSuchTrack);
    EXPECT_FALSE(stage.sample_time(TrackId{3}).has_value());
    EXPECT_FALSE(stage.newest(TrackId{3}).has_value());
    EXPECT_EQ(stage.mover_count(TrackId{3}), 0U);
    EXPECT_EQ(stage.track_stats(TrackId{3}).tick_count, 0U);
}

TEST(Track, AFullMoverTableRefusesAndHasRoomAgain) {
    Stage stage({.capacity = 4, .track = {.mover_capacity = 2}});
    const Id first = stage.add(at_x(0.0));
    const Id second = stage.add(at_x(0.0));
    const Id third = stage.add(at_x(0.0));
    EXPECT_EQ(stage.move(tick_at(1), first, at_x(1.0)), StageStatus::Ok);
    EXPECT_EQ(stage.move(tick_at(1), second, at_x(1.0)), StageStatus::Ok);
    EXPECT_EQ(stage.move(tick_at(1), third, at_x(1.0)), StageStatus::Full);
    EXPECT_EQ(stage.shift(tick_at(1), third, {.translation = {1.0, 0.0, 0.0}}), StageStatus::Full);
    EXPECT_EQ(stage.spawn(tick_at(1), at_x(0.0)).status, StageStatus::Full);
    EXPECT_EQ(stage.size(), 3U);
    // Standing still needs no row, and what moves already has one.
    EXPECT_EQ(stage.move(tick_at(1), third, at_x(0.0)), StageStatus::Ok);
    EXPECT_EQ(stage.move(tick_at(2), first, at_x(2.0)), StageStatus::Ok);
    EXPECT_EQ(stage.logical(third), at_x(0.0));
    // The second one has stopped: its row is free once the picture has shown its end.
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
    EXPECT_EQ(stage.move(tick_at(3), third, at_x(1.0)), StageStatus::Ok);
    EXPECT_EQ(stage.stats().refused_count[static_cast<std::size_t>(StageStatus::Full)], 3U);
}

} // namespace
} // namespace glissade
