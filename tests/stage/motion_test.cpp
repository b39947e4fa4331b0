// SPDX-License-Identifier: MIT
// Objects start to move, stop and sleep: the picture at each of these moments.
#include "glissade/stage/stage.h"

#include "support/stage_runner.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::at_x;
using testing::kFrameRates;
using testing::Random;
using testing::StageRunner;
using testing::tick_at;
using testing::to_s;

constexpr std::int64_t kPeriodNs = 20'000'000; // Of tick_at().
// Sums of doubles below 64 m, whose last place is 2^-47.
constexpr double kToleranceM = 1e-12;

const Pose kSomewhere{.position = {1234.5, -0.1, 7.7},
                      .rotation = quat_from_rotation_vector({0.4, -0.2, 0.9}),
                      .scale = {2.0F, 3.0F, 0.5F}};

// Moves for a few ticks out of rest, now and then.
class Stopper {
public:
    Stopper(Blend blend, std::int64_t extra_delay_ns)
        : runner({}, {.track = {.history = 8}}), blend_(blend) {
        runner.extra_delay_ns = extra_delay_ns;
        id = runner.stage.add(at_x(0.0), {.blend = blend});
    }

    void plan(Random& random) {
        move_count_ = random.between(1, 9);
        stop_index_ = runner.step.newest().index + random.between(1, 5) + move_count_;
    }

    void on_tick(const Tick& tick) {
        if (tick.index <= stop_index_ - move_count_ || tick.index > stop_index_) {
            return;
        }
        stop_ns_ = tick.time_ns;
        final_pose = {.position = {0.1 * static_cast<double>(tick.index), 0.3, 0.7},
                      .rotation = quat_from_rotation_vector({0.1, to_s(tick.time_ns), 0.2})};
        runner.stage.move(tick, id, final_pose, {.velocity = {.linear = {6.0F, 0.0F, 0.0F}}});
    }

    // The picture has reached the last state. What extrapolates learns of the stop in the tick
    // after it.
    [[nodiscard]] bool has_stopped(const SampleTime& sample) const {
        const std::int64_t known_index = stop_index_ + (blend_ == Blend::Extrapolate ? 1 : 0);
        return sample.newest->index >= known_index && sample.time_ns >= stop_ns_;
    }

    void check(const SampleTime& sample) const {
        const bool shows_final = runner.stage.visual(id) == final_pose;
        if (has_stopped(sample)) {
            ASSERT_TRUE(shows_final);
        } else if (blend_ == Blend::Linear && sample.newest->index >= stop_index_) {
            ASSERT_FALSE(shows_final); // Not before its time either.
        }
    }

    StageRunner runner;
    Id id;
    Pose final_pose = at_x(0.0);

private:
    Blend blend_;
    std::int64_t move_count_ = 0;
    std::int64_t stop_index_ = 0;
    std::int64_t stop_ns_ = 0;
};

void expect_exact_stops(Blend blend, std::int64_t extra_delay_ns, Rate frames) {
    Random random(45);
    Stopper stopper(blend, extra_delay_ns);
    const Stage& stage = stopper.runner.stage;
    for (int trial = 0; trial < 20; ++trial) {
        stopper.plan(random);
        stopper.runner.run(
            frames, frames.numerator / 2, [&](const Tick& tick) { stopper.on_tick(tick); },
            [&](const SampleTime& sample) { stopper.check(sample); });
        ASSERT_EQ(stage.visual(stopper.id), stopper.final_pose);
        ASSERT_EQ(stage.previous(stopper.id), stopper.final_pose);
        ASSERT_EQ(stage.mover_count(), 0U);
    }
    EXPECT_EQ(stage.stats().settle_count, 20U);
    EXPECT_EQ(stage.stats().wake_count, 20U);
}

// Trap 45: an object that stops gets its exact final pose within one delay, and leaves the table.
TEST(Motion, StoppingAtAnyPhaseEndsAtTheExactFinalPose) {
    for (const Blend blend :
         {Blend::Linear, Blend::Hermite, Blend::HermitePath, Blend::Hold, Blend::Extrapolate}) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message()
                         << static_cast<int>(blend) << ", " << frames.numerator);
            expect_exact_stops(blend, 0, frames);
            expect_exact_stops(blend, 40'000'000, frames);
        }
    }
}

// Sources that know a speed, but no spin: whatever stands in the angular velocity does not count.
TEST(Motion, AHermitePathFollowsSpeedsAndTurnsEvenly) {
    Stage stage({.capacity = 200});
    std::vector<Id> ids(200);
    for (Id& id : ids) {
        id = stage.add({}, {.blend = Blend::HermitePath});
    }
    // A fall of 10 m/s^2 that turns by 3 radians a second.
    const auto pose_at = [](double s) {
        return Pose{.position = {0.0, -5.0 * s * s, s},
                    .rotation = quat_from_rotation_vector({0.0, 3.0 * s, 0.0})};
    };
    for (std::int64_t index = 1; index <= 10; ++index) {
        const double s = to_s(index * kPeriodNs);
        for (const Id id : ids) {
            const Velocity velocity{.linear = {0.0F, static_cast<float>(-10.0 * s), 1.0F},
                                    .angular = {5.0F, -20.0F, 9.0F}};
            ASSERT_EQ(stage.move(tick_at(index), id, pose_at(s), {.velocity = velocity}),
                      StageStatus::Ok);
        }
        const std::int64_t time_ns = index * kPeriodNs - kPeriodNs / 3;
        ASSERT_EQ(stage.present({.time_ns = time_ns}), StageStatus::Ok);
        // They start out of rest, so the first tick is not on the parabola.
        for (std::size_t number = 0; number < ids.size() && index > 1; ++number) {
            const Pose due = pose_at(to_s(time_ns));
            const Pose visual = stage.visual(ids[number]);
            // Speeds are floats up to 2 m/s, off by 2^-24, for 20 ms of which a curve takes 4/27.
            ASSERT_NEAR(visual.position.y, due.position.y, 1e-9);
            ASSERT_NEAR(visual.position.z, due.position.z, 1e-9);
            ASSERT_LE(compute_angle_rad(visual.rotation, due.rotation), 1e-6);
        }
    }
}

// Engines that report every body in every tick: what stands still must come to rest all the same.
TEST(Motion, AnObjectThatIsMovedToWhereItIsComesToRest) {
    const Channel rules[] = {Channel::Linear};
    Stage stage({.channels = rules});
    const Id body = stage.add(at_x(0.0));
    const float one[] = {1.0F};
    stage.move(tick_at(1), body, at_x(1.0), {.channels = one});
    for (std::int64_t index = 2; index <= 5; ++index) {
        stage.move(tick_at(index), body, at_x(1.0), {.channels = one});
        stage.present({.time_ns = (index - 1) * kPeriodNs, .now_ns = index * kPeriodNs});
        ASSERT_EQ(stage.visual(body), at_x(1.0));
    }
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.stats().settle_count, 1U);
    EXPECT_EQ(stage.channel(body, 0), 1.0F);
    // A channel is motion too.
    const float two[] = {2.0F};
    stage.move(tick_at(6), body, at_x(1.0), {.channels = two});
    EXPECT_EQ(stage.mover_count(), 1U);
}

TEST(Motion, MovingARestingObjectToItsPoseDoesNotWakeIt) {
    Stage stage;
    const Id body = stage.add(kSomewhere);
    for (std::int64_t index = 1; index <= 5; ++index) {
        ASSERT_EQ(stage.move(tick_at(index), body, kSomewhere), StageStatus::Ok);
    }
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.stats().wake_count, 0U);
    EXPECT_EQ(stage.stats().move_count, 5U);
    EXPECT_EQ(stage.newest(), tick_at(5));
}

constexpr std::int64_t kFirstNs = 500'000'000;    // Tick 30 of 60 Hz.
constexpr std::int64_t kStopNs = 1'000'000'000;   // Tick 60.
constexpr std::int64_t kAgainNs = 11'000'000'000; // Tick 660, ten seconds later.

// Two spells of motion at 1 m/s.
double spells_at(std::int64_t time_ns) {
    return to_s(std::clamp(time_ns, kFirstNs, kStopNs) - kFirstNs) +
           to_s(std::max(time_ns, kAgainNs) - kAgainNs);
}

void expect_exact_spells(Rate frames) {
    StageRunner runner;
    const Id body = runner.stage.add(at_x(0.0));
    runner.run(
        frames, 12 * frames.numerator,
        [&](const Tick& tick) {
            const bool first_spell = tick.time_ns > kFirstNs && tick.time_ns <= kStopNs;
            if (first_spell || tick.time_ns > kAgainNs) {
                runner.stage.move(tick, body, at_x(spells_at(tick.time_ns)));
            }
        },
        [&](const SampleTime& sample) {
            ASSERT_NEAR(runner.stage.visual(body).position.x, spells_at(sample.time_ns),
                        kToleranceM);
        });
    EXPECT_EQ(runner.stage.stats().wake_count, 2U);
    EXPECT_EQ(runner.stage.stats().settle_count, 1U);
}

// Trap 47: after a long sleep the first interval starts at the tick before the motion.
TEST(Motion, MotionAfterALongSleepStartsAtTheTickBeforeIt) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        expect_exact_spells(frames);
    }
}

// Trap 47: the same for a source that says nothing while nothing moves.
TEST(Motion, TicksThatNobodyReportedArePartOfTheSleep) {
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    stage.move(tick_at(500), body, at_x(2.0));
    EXPECT_EQ(stage.track_stats().tick_count, 2U);
    for (const std::int64_t time_ns : {2 * kPeriodNs, 250 * kPeriodNs, 499 * kPeriodNs}) {
        stage.present({.time_ns = time_ns, .now_ns = time_ns});
        EXPECT_EQ(stage.visual(body), at_x(1.0));
    }
    stage.present({.time_ns = 499 * kPeriodNs + kPeriodNs / 2, .now_ns = 500 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(1.5));
}

// One object pauses while another keeps the ticks coming.
TEST(Motion, MotionThatSkipsATickRestsInIt) {
    Stage stage({.track = {.history = 8}});
    const Id body = stage.add(at_x(0.0));
    const Id other = stage.add(at_x(0.0));
    for (std::int64_t index = 1; index <= 6; ++index) {
        stage.move(tick_at(index), other, at_x(static_cast<double>(index)));
        if (index <= 2 || index >= 5) {
            stage.move(tick_at(index), body, at_x(static_cast<double>(index)));
        }
    }
    const auto shown_at = [&](std::int64_t tenths) {
        stage.present({.time_ns = tenths * kPeriodNs / 10, .now_ns = 6 * kPeriodNs});
        return stage.visual(body).position.x;
    };
    EXPECT_DOUBLE_EQ(shown_at(15), 1.5);
    EXPECT_EQ(shown_at(20), 2.0);
    EXPECT_EQ(shown_at(35), 2.0);
    EXPECT_EQ(shown_at(40), 2.0);
    EXPECT_DOUBLE_EQ(shown_at(45), 3.5); // From 2 to 5 within tick 5.
    EXPECT_DOUBLE_EQ(shown_at(55), 5.5);
}

// Starts and stops at random ticks, and knows where it should be drawn.
class Stroller {
public:
    explicit Stroller(std::uint64_t seed) : random_(seed) { id = runner.stage.add(at_x(0.0)); }

    void on_tick(const Tick& tick) {
        if (tick.index == next_change_) {
            moves_ = !moves_;
            next_change_ += random_.between(2, 15);
        }
        older_ = {.time_ns = tick.time_ns - tick.duration_ns, .x = newest_.x};
        newest_ = {.time_ns = tick.time_ns,
                   .x = older_.x + (moves_ ? to_s(tick.duration_ns) : 0.0)};
        if (moves_) {
            runner.stage.move(tick, id, at_x(newest_.x));
        }
    }

    // On the way between the last two ticks, whether or not anybody moved in them.
    [[nodiscard]] double ideal_at(std::int64_t time_ns) const {
        const std::int64_t span_ns = newest_.time_ns - older_.time_ns;
        if (span_ns == 0) {
            return newest_.x;
        }
        const double t =
            static_cast<double>(time_ns - older_.time_ns) / static_cast<double>(span_ns);
        return older_.x + (newest_.x - older_.x) * t;
    }

    StageRunner runner;
    Id id;

private:
    struct Place {
        std::int64_t time_ns = 0;
        double x = 0.0;
    };

    Random random_;
    std::int64_t next_change_ = 5;
    bool moves_ = false;
    Place older_;
    Place newest_;
};

void expect_even_starts(Rate frames) {
    Stroller stroller(48);
    double last = 0.0;
    std::int64_t last_ns = 0;
    stroller.runner.run(
        frames, 12 * frames.numerator, [&](const Tick& tick) { stroller.on_tick(tick); },
        [&](const SampleTime& sample) {
            const double drawn = stroller.runner.stage.visual(stroller.id).position.x;
            ASSERT_NEAR(drawn, stroller.ideal_at(sample.time_ns), kToleranceM);
            if (sample.time_ns > last_ns) {
                const double rate = (drawn - last) / to_s(sample.time_ns - last_ns);
                ASSERT_GE(rate, 0.0);
                ASSERT_LE(rate, 1.0 + 1e-9);
            }
            last = drawn;
            last_ns = sample.time_ns;
        });
    EXPECT_GT(stroller.runner.stage.stats().wake_count, 30U);
}

// Trap 48: the start of a motion is not drawn faster than the motion, nor before it.
TEST(Motion, TheFirstFramesOfAMotionAreNeverFasterThanItIs) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        expect_even_starts(frames);
    }
}

void expect_last_displayed(CutShows cuts, Rate frames) {
    Random random(49);
    StageRunner runner({}, {.track = {.history = 8, .cuts = cuts}});
    const Id body = runner.stage.add(at_x(0.0));
    Pose last = runner.stage.visual(body);
    std::uint32_t last_cuts = 0;
    double x = 0.0;
    runner.run(
        frames, 8 * frames.numerator,
        [&](const Tick& tick) {
            const std::int64_t dice = random.between(0, 29);
            x += dice == 0 ? 1000.0 : 1.0;
            if (dice == 0) {
                runner.stage.cut(tick, body, at_x(x));
            } else if (dice < 20) {
                runner.stage.move(tick, body, at_x(x));
            }
        },
        [&](const SampleTime&) {
            const Pose visual = runner.stage.visual(body);
            const bool cut = runner.stage.shown_cuts(body) != last_cuts;
            ASSERT_EQ(runner.stage.previous(body), cut ? visual : last);
            last = visual;
            last_cuts = runner.stage.shown_cuts(body);
        });
    EXPECT_GT(last_cuts, 5U);
}

// Trap 49: what motion vectors get is the last displayed pose, whatever the object did.
TEST(Motion, ThePreviousPoseIsTheLastDisplayedOne) {
    for (const CutShows cuts : {CutShows::AtOnce, CutShows::AtStamp}) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message()
                         << static_cast<int>(cuts) << ", " << frames.numerator);
            expect_last_displayed(cuts, frames);
        }
    }
}

} // namespace
} // namespace glissade
