// SPDX-License-Identifier: MIT
// Portals, lifts and floating origins: what displaces an object or a world and keeps it moving.
#include "glissade/pose/blend.h"
#include "glissade/stage/stage.h"

#include "pose/near.h"
#include "support/stage_runner.h"

#include <algorithm>
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
// What one tick and one frame cost in precision. Positions stay below 512 m, where a double has a
// last place of 2^-44; a quaternion of floats turns a vector of 100 m by up to 2^-23 too far, and
// both the test and the stage use the same one, so only the order of the sums differs.
constexpr double kToleranceM = 1e-11;

const Rigid kPortal{.translation = {100.0, -20.0, 7.0},
                    .rotation = quat_from_rotation_vector({0.0, 0.0, std::numbers::pi / 2.0})};

struct PathCase {
    Blend blend;
    TrackConfig track;
    std::int64_t extra_delay_ns;
};

// 40 ms more than the clock's own delay is 2.4 ticks of 60 Hz.
constexpr PathCase kPathCases[] = {
    {Blend::Linear, {.history = 2}, 0},
    {Blend::Hermite, {.history = 2}, 0},
    {Blend::Linear, {.history = 8, .cuts = CutShows::AtStamp}, 40'000'000},
    {Blend::Hermite, {.history = 8, .cuts = CutShows::AtStamp}, 40'000'000},
};

// The true path of the body before any shift: a parabola for Hermite, which draws it exactly, and a
// straight line for the linear blend, turning about z all the while.
Motion path_at(Blend blend, std::int64_t time_ns) {
    const double s = to_s(std::max(time_ns, std::int64_t{0}));
    const double acceleration = blend == Blend::Hermite ? 2.0 : 0.0;
    const bool moves = time_ns >= 0;
    Motion motion;
    motion.pose.position = {3.0 * s, 0.5 * acceleration * s * s, 1.0};
    motion.pose.rotation = quat_from_rotation_vector({0.0, 0.0, 0.25 * s});
    if (moves) {
        motion.velocity = {.linear = glm::vec3(glm::dvec3(3.0, acceleration * s, 0.0)),
                           .angular = {0.0F, 0.0F, 0.25F}};
    }
    return motion;
}

// Goes through the portal at every 11th tick.
class Traveller {
public:
    explicit Traveller(const PathCase& path_case)
        : runner({}, {.track = path_case.track}), path_case_(path_case) {
        runner.extra_delay_ns = path_case.extra_delay_ns;
        id = runner.stage.add(path_at(path_case.blend, 0).pose, {.blend = path_case.blend});
    }

    void on_tick(const Tick& tick) {
        if (tick.index % 11 == 0) {
            ASSERT_EQ(runner.stage.shift(tick, id, kPortal), StageStatus::Ok);
            total_ = compose(kPortal, total_);
            crossings_.push_back({.start_ns = tick.time_ns - tick.duration_ns, .total = total_});
        }
        const Motion motion = path_at(path_case_.blend, tick.time_ns);
        ASSERT_EQ(runner.stage.move(tick, id, apply(total_, motion.pose),
                                    {.velocity = apply(total_, motion.velocity)}),
                  StageStatus::Ok);
    }

    // What all shifts that the picture has gone through at `time_ns` add up to.
    [[nodiscard]] Rigid total_at(std::int64_t time_ns) const {
        Rigid total;
        for (const Crossing& crossing : crossings_) {
            total = crossing.start_ns < time_ns ? crossing.total : total;
        }
        return total;
    }

    // What the picture should be: the true path through the portals gone through so far. The linear
    // blend draws it exactly, Hermite within the float precision of its velocities.
    [[nodiscard]] Pose ideal_at(std::int64_t time_ns) const {
        return apply(total_at(time_ns), path_at(path_case_.blend, time_ns).pose);
    }

    StageRunner runner;
    Id id;

private:
    struct Crossing {
        std::int64_t start_ns;
        Rigid total;
    };

    PathCase path_case_;
    Rigid total_;
    std::vector<Crossing> crossings_;
};

// A float velocity of up to 7 m/s is off by 2^-22 m/s, a tick of 1/60 s has 4/27 of that as the
// largest weight in the curve at each end: 1.2e-9 m. Rotating 500 m by a chain of 21 float
// quaternions, each off unit length by 2^-24 and normalised anew, is the same on both sides up to
// one product in another order: 500 m * 2^-24 = 3e-5 m.
constexpr double kChainM = 3e-5;
// The body starts out of rest, so the first tick of Hermite is not on the parabola.
constexpr std::int64_t kFirstTickNs = 16'666'667;
constexpr double kChainRad = 21 * kFloatAngleRad;

void expect_mapped_path(const PathCase& path_case, Rate frames) {
    Traveller traveller(path_case);
    traveller.runner.run(
        frames, 2 * frames.numerator, [&](const Tick& tick) { traveller.on_tick(tick); },
        [&](const SampleTime& sample) {
            if (sample.time_ns < kFirstTickNs) {
                return;
            }
            const Pose visual = traveller.runner.stage.visual(traveller.id);
            const Pose ideal = traveller.ideal_at(sample.time_ns);
            ASSERT_TRUE(is_near(visual.position, ideal.position, kChainM));
            ASSERT_TRUE(is_near(visual.rotation, ideal.rotation, kChainRad));
        });
    EXPECT_EQ(traveller.runner.stage.stats().shift_count, 10U);
    EXPECT_EQ(traveller.runner.stage.shown_cuts(traveller.id), 0U);
}

// Trap 24: before the sample passes the tick the old path, after it the old path mapped.
TEST(Shift, ThePathIsTheOldOneMapped) {
    for (const PathCase& path_case : kPathCases) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message()
                         << "blend " << static_cast<int>(path_case.blend) << ", history "
                         << path_case.track.history << ", " << frames.numerator << " Hz");
            expect_mapped_path(path_case, frames);
        }
    }
}

void expect_mapped_previous(const PathCase& path_case, Rate frames) {
    Traveller traveller(path_case);
    std::int64_t last_ns = 0;
    traveller.runner.run(
        frames, 2 * frames.numerator, [&](const Tick& tick) { traveller.on_tick(tick); },
        [&](const SampleTime& sample) {
            const Pose previous = traveller.runner.stage.previous(traveller.id);
            const Pose ideal =
                apply(traveller.total_at(sample.time_ns), path_at(path_case.blend, last_ns).pose);
            const bool under_way = last_ns >= kFirstTickNs;
            last_ns = sample.time_ns;
            if (under_way) {
                ASSERT_TRUE(is_near(previous.position, ideal.position, kChainM));
                ASSERT_TRUE(is_near(previous.rotation, ideal.rotation, kChainRad));
            }
        });
}

// Trap 24: the rate is 1 throughout, and the previous displayed pose has turned too, so that motion
// vectors do not span the portal.
TEST(Shift, ThePreviousPoseGoesThroughThePortalAtEveryFrameRate) {
    for (const PathCase& path_case : kPathCases) {
        for (const Rate frames : kFrameRates) {
            SCOPED_TRACE(::testing::Message()
                         << "blend " << static_cast<int>(path_case.blend) << ", history "
                         << path_case.track.history << ", " << frames.numerator << " Hz");
            expect_mapped_previous(path_case, frames);
        }
    }
}

void expect_even_lift(Rate frames) {
    StageRunner runner;
    const Id body = runner.stage.add(at_x(0.0));
    double height = 0.0;
    runner.run(
        frames, 2 * frames.numerator,
        [&](const Tick& tick) {
            if (tick.index % 5 == 0) {
                runner.stage.shift(tick, body, {.translation = {0.0, 3.0, 0.0}});
                height += 3.0;
            }
            Pose pose = at_x(to_s(tick.time_ns));
            pose.position.y = height;
            runner.stage.move(tick, body, pose);
        },
        [&](const SampleTime& sample) {
            const glm::dvec3 at = runner.stage.visual(body).position;
            ASSERT_NEAR(at.x, to_s(std::max(sample.time_ns, std::int64_t{0})), kToleranceM);
            ASSERT_EQ(std::remainder(at.y, 3.0), 0.0);
            ASSERT_EQ(runner.stage.previous(body).position.y, at.y);
        });
}

// Without a rotation the only error left is that of sums of doubles.
TEST(Shift, ALiftKeepsTheSpeedExactly) {
    for (const Rate frames : kFrameRates) {
        expect_even_lift(frames);
    }
}

TEST(Shift, OfARestingObjectDisplacesItWithoutAPathBetween) {
    for (const std::int64_t phase_ns : {std::int64_t{1}, kPeriodNs / 2, kPeriodNs}) {
        Stage stage;
        const Id body = stage.add(at_x(1.0));
        stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs, .newest = tick_at(2)});
        ASSERT_EQ(stage.shift(tick_at(3), body, {.translation = {5.0, 0.0, 0.0}}), StageStatus::Ok);
        stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 3 * kPeriodNs});
        EXPECT_EQ(stage.visual(body), at_x(1.0));
        stage.present({.time_ns = 2 * kPeriodNs + phase_ns, .now_ns = 3 * kPeriodNs});
        EXPECT_EQ(stage.visual(body), at_x(6.0));
        EXPECT_EQ(stage.previous(body), at_x(6.0));
        EXPECT_EQ(stage.logical(body), at_x(6.0));
        stage.present({.time_ns = 4 * kPeriodNs, .now_ns = 4 * kPeriodNs, .newest = tick_at(4)});
        stage.present({.time_ns = 5 * kPeriodNs, .now_ns = 5 * kPeriodNs, .newest = tick_at(5)});
        EXPECT_EQ(stage.visual(body), at_x(6.0));
        EXPECT_EQ(stage.mover_count(), 0U);
    }
}

TEST(Shift, AppliesToAMoveOfTheSameTickBeforeItAndNotToOneAfterIt) {
    for (const bool move_first : {true, false}) {
        Stage stage;
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(1.0));
        if (move_first) {
            stage.move(tick_at(2), body, at_x(2.0));
            stage.shift(tick_at(2), body, {.translation = {100.0, 0.0, 0.0}});
        } else {
            stage.shift(tick_at(2), body, {.translation = {100.0, 0.0, 0.0}});
            EXPECT_EQ(stage.logical(body), at_x(101.0));
            stage.move(tick_at(2), body, at_x(102.0));
        }
        EXPECT_EQ(stage.logical(body), at_x(102.0));
        stage.present({.time_ns = 3 * kPeriodNs / 2, .now_ns = 2 * kPeriodNs});
        EXPECT_EQ(stage.visual(body), at_x(101.5));
    }
}

// A parabola whose last state is written before the portal turns it: its tangents turn as well.
TEST(Shift, TurnsTheVelocityOfAMoveOfTheSameTickBeforeIt) {
    Stage stage;
    const auto path = [](double s) {
        return Motion{.pose = {.position = {3.0 * s, s * s, 0.0}},
                      .velocity = {.linear = glm::vec3(glm::dvec3(3.0, 2.0 * s, 0.0))}};
    };
    const Id body = stage.add({}, {.blend = Blend::Hermite});
    for (std::int64_t index = 1; index <= 2; ++index) {
        const Motion motion = path(to_s(index * kPeriodNs));
        stage.move(tick_at(index), body, motion.pose, {.velocity = motion.velocity});
    }
    stage.shift(tick_at(2), body, kPortal);
    stage.present({.time_ns = 3 * kPeriodNs / 2, .now_ns = 2 * kPeriodNs});
    const glm::dvec3 ideal = apply(kPortal, path(0.03).pose.position);
    // 1e-4 m is the whole curve of this tick; float velocities leave 1e-9 of it, the turn of 0.1 m
    // by a float quaternion 1e-8.
    EXPECT_TRUE(is_near(stage.visual(body).position, ideal, 2e-8));
}

TEST(Shift, TwoInOneTickAreOneAfterTheOther) {
    for (const bool shown_between : {false, true}) {
        SCOPED_TRACE(shown_between);
        Stage stage;
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(1.0));
        stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
        stage.move(tick_at(2), body, at_x(2.0));
        const Rigid turn{.rotation = quat_xyzw(0.0F, 0.0F, 1.0F, 0.0F)}; // Half a turn about z.
        const Rigid lift{.translation = {0.0, 10.0, 0.0}};
        stage.shift(tick_at(2), body, lift);
        if (shown_between) {
            stage.present({.time_ns = 3 * kPeriodNs / 2, .now_ns = 2 * kPeriodNs});
            EXPECT_TRUE(is_near(stage.visual(body).position, {1.5, 10.0, 0.0}, kToleranceM));
        }
        stage.shift(tick_at(2), body, turn);
        stage.present({.time_ns = 7 * kPeriodNs / 4, .now_ns = 2 * kPeriodNs});
        const double before = shown_between ? 1.5 : 1.0;
        EXPECT_TRUE(is_near(stage.visual(body).position, {-1.75, -10.0, 0.0}, kToleranceM));
        EXPECT_TRUE(is_near(stage.previous(body).position, {-before, -10.0, 0.0}, kToleranceM));
        EXPECT_EQ(stage.stats().shift_count, 2U);
    }
}

TEST(Shift, AfterACutOfTheSameTickDisplacesTheTargetOnly) {
    for (const CutShows cuts : {CutShows::AtOnce, CutShows::AtStamp}) {
        Stage stage({.track = {.history = 4, .cuts = cuts}});
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(1.0));
        stage.present({.time_ns = 0, .now_ns = kPeriodNs});
        stage.cut(tick_at(2), body, at_x(50.0));
        stage.shift(tick_at(2), body, {.translation = {100.0, 0.0, 0.0}});
        stage.present({.time_ns = 3 * kPeriodNs / 2, .now_ns = 2 * kPeriodNs});
        const double before = cuts == CutShows::AtOnce ? 150.0 : 1.0;
        EXPECT_EQ(stage.visual(body), at_x(before));
        stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
        EXPECT_EQ(stage.visual(body), at_x(150.0));
        EXPECT_EQ(stage.previous(body), at_x(150.0));
        EXPECT_EQ(stage.shown_cuts(body), 1U);
    }
}

// A cut undoes a shift of its own tick: there is no way left that could be mapped.
TEST(Shift, BeforeACutOfTheSameTickIsForgotten) {
    for (const CutShows cuts : {CutShows::AtOnce, CutShows::AtStamp}) {
        Stage stage({.track = {.history = 4, .cuts = cuts}});
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(1.0));
        stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
        stage.shift(tick_at(2), body, {.translation = {100.0, 0.0, 0.0}});
        stage.cut(tick_at(2), body, at_x(50.0));
        stage.present({.time_ns = 3 * kPeriodNs / 2, .now_ns = 2 * kPeriodNs});
        const double before = cuts == CutShows::AtOnce ? 50.0 : 1.0;
        EXPECT_EQ(stage.visual(body), at_x(before));
        EXPECT_EQ(stage.previous(body), at_x(before));
        stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
        EXPECT_EQ(stage.visual(body), at_x(50.0));
    }
}

// A correction that fades while its owner goes through a portal turns with it.
TEST(Shift, AFadingCorrectionTurnsWithTheObject) {
    Stage stage({.track = {.history = 4}});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    stage.amend(tick_at(1), body, at_x(0.0)); // Drawn at 1, so the offset is +1 along x.
    stage.shift(tick_at(2), body, kPortal);
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
    // 20 ms of a half-life of 50 ms later; floats of the size of the offset, turned by a float
    // quaternion: 2^-22.
    const double left = std::exp2(-20.0 / 50.0);
    EXPECT_TRUE(
        is_near(stage.visual(body).position, apply(kPortal, glm::dvec3(left, 0.0, 0.0)), 3e-7));
}

TEST(Shift, OfAHiddenObjectMovesWhereItWillBeShown) {
    Stage stage;
    const Id body = stage.add(at_x(1.0));
    stage.hide(body);
    EXPECT_EQ(stage.shift(tick_at(1), body, {.translation = {5.0, 0.0, 0.0}}), StageStatus::Ok);
    stage.show(body);
    EXPECT_EQ(stage.visual(body), at_x(6.0));
}

TEST(Shift, AFullPoolRefusesAndHasRoomAgainWhenTheHistoryHasPassed) {
    Stage stage({.shift_capacity = 2});
    const Id bodies[] = {stage.add(at_x(0.0)), stage.add(at_x(0.0)), stage.add(at_x(0.0))};
    const Rigid lift{.translation = {0.0, 1.0, 0.0}};
    EXPECT_EQ(stage.shift(tick_at(1), bodies[0], lift), StageStatus::Ok);
    EXPECT_EQ(stage.shift(tick_at(1), bodies[1], lift), StageStatus::Ok);
    EXPECT_EQ(stage.shift(tick_at(1), bodies[2], lift), StageStatus::Full);
    EXPECT_EQ(stage.logical(bodies[2]), at_x(0.0));
    EXPECT_EQ(stage.stats().refused_count[static_cast<std::size_t>(StageStatus::Full)], 1U);
    EXPECT_EQ(stage.stats().shift_count, 2U);
    for (std::int64_t index = 2; index <= 5; ++index) {
        const std::int64_t time_ns = (index - 1) * kPeriodNs;
        stage.present({.time_ns = time_ns, .now_ns = time_ns, .newest = tick_at(index)});
    }
    EXPECT_EQ(stage.shift(tick_at(6), bodies[2], lift), StageStatus::Ok);
    EXPECT_EQ(stage.shift(tick_at(6), bodies[1], lift), StageStatus::Ok);
}

// However many shifts a frame spans, an object that is not drawn meanwhile keeps only those of its
// history and one more for all before them. Room is looked for before the new tick frees a record.
TEST(Shift, ManyShiftsInOneFrameDoNotFillThePool) {
    Stage stage({.shift_capacity = 5});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    for (std::int64_t index = 2; index <= 50; ++index) {
        ASSERT_EQ(stage.shift(tick_at(index), body, {.translation = {0.0, 1.0, 0.0}}),
                  StageStatus::Ok)
            << index;
    }
    stage.present({.time_ns = 50 * kPeriodNs, .now_ns = 50 * kPeriodNs});
    EXPECT_EQ(stage.visual(body).position, glm::dvec3(1.0, 49.0, 0.0));
    EXPECT_EQ(stage.previous(body).position, glm::dvec3(1.0, 49.0, 0.0));
}

TEST(Shift, RefusesWhatIsNoRigidTransform) {
    Stage stage;
    const Id body = stage.add(at_x(1.0));
    const double nan = std::nan("");
    EXPECT_EQ(stage.shift(tick_at(1), body, {.translation = {nan, 0.0, 0.0}}),
              StageStatus::BadPosition);
    EXPECT_EQ(stage.shift(tick_at(1), body, {.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F)}),
              StageStatus::ZeroRotation);
    EXPECT_EQ(stage.shift(tick_at(1), body, {.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 2.0F)}),
              StageStatus::BadRotation);
    stage.cut(body, at_x(kMaxPosition));
    EXPECT_EQ(stage.shift(tick_at(1), body, {.translation = {1.0, 0.0, 0.0}}),
              StageStatus::BadPosition);
    EXPECT_EQ(stage.shift(tick_at(1), Id{}, {}), StageStatus::NullHandle);
    EXPECT_EQ(stage.logical(body), at_x(kMaxPosition));
    EXPECT_FALSE(stage.newest().has_value());
}

// The same path twice, one of them rebased every 17 frames.
class RebasedPair {
public:
    explicit RebasedPair(Blend blend) {
        for (StageRunner* runner : {&plain, &rebased}) {
            body = runner->stage.add(at_x(0.0), {.blend = blend});
            resting = runner->stage.add(at_x(3.0));
        }
    }

    void run_frame(std::int64_t frame_ns) {
        for (StageRunner* runner : {&plain, &rebased}) {
            const glm::dvec3 moved_by = runner == &plain ? glm::dvec3(0.0) : origin;
            runner->frame_at(frame_ns, [&](const Tick& tick) {
                Pose pose = at_x(static_cast<double>(tick.index));
                pose.position += moved_by;
                runner->stage.move(tick, body, pose, {.velocity = {.linear = {50.0F, 0.0F, 0.0F}}});
            });
        }
    }

    void rebase(const glm::dvec3& offset) {
        ASSERT_EQ(rebased.stage.rebase(offset), StageStatus::Ok);
        origin += offset;
    }

    void expect_same_picture() const {
        for (const Id id : {body, resting}) {
            ASSERT_EQ(rebased.stage.visual(id).position, plain.stage.visual(id).position + origin);
            ASSERT_EQ(rebased.stage.previous(id).position,
                      plain.stage.previous(id).position + origin);
            ASSERT_EQ(rebased.stage.logical(id).position,
                      plain.stage.logical(id).position + origin);
        }
    }

    StageRunner plain{{.rate = {50, 1}}};
    StageRunner rebased{{.rate = {50, 1}}};
    Id body;
    Id resting;
    glm::dvec3 origin{0.0};
};

void expect_rebased_path(Blend blend, Rate frames) {
    RebasedPair pair(blend);
    for (std::int64_t frame = 0; frame < 200; ++frame) {
        pair.run_frame(testing::frame_time_ns(frames, frame));
        pair.expect_same_picture();
        if (frame % 17 == 16) {
            pair.rebase({-4096.0, 512.0, 64.0});
            pair.expect_same_picture();
        }
    }
}

// Trap 24: rebase between two frames. Whole metres and quarters of ticks keep every sum of this
// test exact, so "the old path moved" is a comparison of bits.
TEST(Rebase, MovesHistoryAndPictureExactlyAndAtOnce) {
    for (const Blend blend : {Blend::Linear, Blend::Hermite, Blend::Hold}) {
        for (const Rate frames : {Rate{25, 1}, Rate{50, 1}, Rate{200, 1}}) {
            expect_rebased_path(blend, frames);
        }
    }
}

// A portal that turns is part of the history: it must still lead to the same place.
TEST(Rebase, MovesTheShiftsInTheHistoryToo) {
    const glm::dvec3 offset(1000.0, 2000.0, 3000.0);
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = 3 * kPeriodNs / 4, .now_ns = kPeriodNs});
    stage.move(tick_at(2), body, at_x(2.0));
    stage.shift(tick_at(2), body, kPortal);
    stage.rebase(offset);
    // A rotation of 3742 m by the same float quaternion in another order of sums: 2^-24 of it.
    constexpr double kTurnedM = 3e-4;
    for (const double t : {0.25, 0.5, 0.75}) {
        const auto time_ns = static_cast<std::int64_t>((1.0 + t) * static_cast<double>(kPeriodNs));
        stage.present({.time_ns = time_ns, .now_ns = 2 * kPeriodNs});
        const glm::dvec3 ideal = apply(kPortal, glm::dvec3(1.0 + t, 0.0, 0.0)) + offset;
        EXPECT_TRUE(is_near(stage.visual(body).position, ideal, kTurnedM));
        const glm::dvec3 before =
            apply(kPortal, glm::dvec3(t + 0.75 - (t > 0.25 ? 0.0 : 0.25), 0.0, 0.0)) + offset;
        EXPECT_TRUE(is_near(stage.previous(body).position, before, kTurnedM));
    }
}

TEST(Rebase, OfOneTrackLeavesTheOthersAndChildrenAlone) {
    Stage stage;
    const std::optional<TrackId> other = stage.make_track({});
    ASSERT_TRUE(other.has_value());
    const Id root = stage.add(at_x(1.0));
    const Id child = stage.add(at_x(2.0), {.parent = root});
    const Id elsewhere = stage.add(at_x(3.0), {.track = *other});
    ASSERT_EQ(stage.rebase(kDefaultTrack, {10.0, 0.0, 0.0}), StageStatus::Ok);
    EXPECT_EQ(stage.visual(root), at_x(11.0));
    EXPECT_EQ(stage.visual(child), at_x(2.0));
    EXPECT_EQ(stage.world(child).translation, glm::dvec3(13.0, 0.0, 0.0));
    EXPECT_EQ(stage.visual(elsewhere), at_x(3.0));
    ASSERT_EQ(stage.rebase(*other, {10.0, 0.0, 0.0}), StageStatus::Ok);
    EXPECT_EQ(stage.visual(elsewhere), at_x(13.0));
    EXPECT_EQ(stage.visual(root), at_x(11.0));
}

TEST(Rebase, RefusesAnOffsetThatIsNoPlace) {
    Stage stage;
    const Id body = stage.add(at_x(1.0));
    EXPECT_EQ(stage.rebase({std::nan(""), 0.0, 0.0}), StageStatus::BadPosition);
    EXPECT_EQ(stage.rebase(TrackId{9}, {1.0, 0.0, 0.0}), StageStatus::NoSuchTrack);
    EXPECT_EQ(stage.visual(body), at_x(1.0));
}

} // namespace
} // namespace glissade
