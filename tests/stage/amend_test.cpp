// SPDX-License-Identifier: MIT
// Rollback: stored states change, the picture does not jump.
#include "glissade/stage/stage.h"

#include "pose/near.h"
#include "support/stage_runner.h"

#include <algorithm>
#include <cmath>
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
constexpr double kHalfLifeNs = 50e6;
constexpr double kFloatStep = 1.0 / (1 << 24); // Half a last place of a float near 1.

double faded(std::int64_t elapsed_ns) {
    return std::exp2(-static_cast<double>(elapsed_ns) / kHalfLifeNs);
}

// Moves at 1 m/s; after `amended_frame` all states are corrected to a path 2 m to the side.
class Corrected {
public:
    explicit Corrected(Rate ticks = {60, 1}) : runner({.rate = ticks}, {.track = {.history = 4}}) {
        id = runner.stage.add(at_x(0.0));
    }

    void run(Rate frames, std::int64_t frame_count) {
        runner.run(
            frames, frame_count,
            [&](const Tick& tick) {
                ticks_.push_back(tick);
                ASSERT_EQ(runner.stage.move(tick, id, truth_at(tick.time_ns)), StageStatus::Ok);
            },
            [&](const SampleTime& sample) { check(sample.time_ns); });
    }

    // Corrects the last three ticks, as a rollback does.
    void roll_back() {
        side_ += 2.0;
        for (std::size_t number = ticks_.size() - 3; number < ticks_.size(); ++number) {
            ASSERT_EQ(runner.stage.amend(ticks_[number], id, truth_at(ticks_[number].time_ns)),
                      StageStatus::Ok);
        }
        const double left = offset_ * faded(*runner.stage.sample_time() - amended_ns_);
        offset_ = left - 2.0;
        amended_ns_ = *runner.stage.sample_time();
        frame_count_ = 0;
    }

    StageRunner runner;
    Id id;

private:
    [[nodiscard]] Pose truth_at(std::int64_t time_ns) const {
        return {.position = {to_s(std::max(time_ns, std::int64_t{0})), side_, 0.0}};
    }

    // Displayed = new + decaying offset. The offset is a float; each frame multiplies it by a float
    // factor and rounds: two half last places a frame, of an offset of at most 4 m.
    void check(std::int64_t time_ns) {
        ++frame_count_;
        const glm::dvec3 at = runner.stage.visual(id).position;
        const double ideal = side_ + offset_ * faded(time_ns - amended_ns_);
        ASSERT_NEAR(at.y, ideal, kNegligibleM + 8.0 * kFloatStep * frame_count_);
        ASSERT_NEAR(at.x, truth_at(time_ns).position.x, 1e-12);
    }

    static constexpr double kNegligibleM = 1e-6; // Dropped below this.

    std::vector<Tick> ticks_;
    double side_ = 0.0;
    double offset_ = 0.0;
    std::int64_t amended_ns_ = 0;
    int frame_count_ = 0;
};

// Trap 55: displayed = new + decaying offset, at every ratio of frames to ticks.
TEST(Amend, TheDifferenceFadesWithAHalfLifeOf50MsAtEveryFrameRate) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        Corrected corrected;
        corrected.run(frames, frames.numerator);
        corrected.roll_back();
        corrected.run(frames, frames.numerator / 9); // A second one while the first still fades.
        corrected.roll_back();
        corrected.run(frames, 3 * frames.numerator);
        EXPECT_EQ(corrected.runner.stage.stats().amend_count, 6U);
    }
}

// Trap 55: no pop. The frame after the amend shows the very same place if no time has passed.
TEST(Amend, ThePictureDoesNotJump) {
    for (const Blend blend : {Blend::Linear, Blend::Hermite, Blend::HermitePath, Blend::Hold}) {
        SCOPED_TRACE(static_cast<int>(blend));
        Stage stage({.track = {.history = 4}});
        const Id body = stage.add(at_x(0.0), {.blend = blend});
        for (std::int64_t index = 1; index <= 4; ++index) {
            stage.move(tick_at(index), body, at_x(static_cast<double>(index)),
                       {.velocity = {.linear = {50.0F, 0.0F, 0.0F}}});
        }
        const SampleTime sample{.time_ns = 7 * kPeriodNs / 2, .now_ns = 4 * kPeriodNs};
        stage.present(sample);
        const Pose before = stage.visual(body);
        const Pose corrected{.position = {6.0, 2.0, -1.0},
                             .rotation = quat_from_rotation_vector({0.0, 0.0, 1.0})};
        for (std::int64_t index = 2; index <= 4; ++index) {
            ASSERT_EQ(stage.amend(tick_at(index), body, corrected), StageStatus::Ok);
        }
        EXPECT_EQ(stage.visual(body), before);
        EXPECT_EQ(stage.logical(body), corrected);
        stage.present(sample);
        // Three floats of up to 4 m, three times rounded; a chain of four float quaternions.
        EXPECT_TRUE(is_near(stage.visual(body).position, before.position, 4.0 * 6.0 * kFloatStep));
        EXPECT_TRUE(is_near(stage.visual(body).rotation, before.rotation, 8.0 * kFloatAngleRad));
        EXPECT_EQ(stage.previous(body), before);
    }
}

TEST(Amend, ARotationFadesAlongTheShorterArc) {
    Stage stage({.track = {.history = 4}});
    const Id body = stage.add({});
    stage.move(tick_at(1), body, {});
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs, .newest = tick_at(1)});
    const Pose turned{.rotation = quat_from_rotation_vector({0.0, 0.0, 1.5})};
    ASSERT_EQ(stage.amend(tick_at(1), body, turned), StageStatus::Ok);
    for (const std::int64_t elapsed_ns : {0, 25'000'000, 50'000'000, 100'000'000, 500'000'000}) {
        stage.present({.time_ns = kPeriodNs + elapsed_ns, .now_ns = kPeriodNs + elapsed_ns});
        const glm::quat ideal =
            quat_from_rotation_vector({0.0, 0.0, 1.5 - 1.5 * faded(elapsed_ns)});
        // Per frame a float quaternion for the offset and one for the picture.
        EXPECT_TRUE(is_near(stage.visual(body).rotation, ideal, 10.0 * kFloatAngleRad));
    }
}

// The decay is exact in elapsed time, so the frame rate does not change the path.
TEST(Amend, ThirtyAnd240FramesASecondFadeAlike) {
    Corrected slow({30, 1});
    Corrected fast({30, 1});
    slow.run({30, 1}, 31); // One second and the frame at 0.
    fast.run({240, 1}, 241);
    slow.roll_back();
    fast.roll_back();
    for (int frame = 1; frame <= 30; ++frame) {
        slow.run({30, 1}, 1);
        fast.run({240, 1}, 8);
        // Eight times the rounding of two half last places of 2 m, and the cut-off at 1e-6.
        EXPECT_NEAR(slow.runner.stage.visual(slow.id).position.y,
                    fast.runner.stage.visual(fast.id).position.y,
                    1e-6 + 4.0 * 8 * frame * kFloatStep);
    }
}

// A tick of a sine, every tenth one with a rollback of three. Where it ended.
Pose move_and_amend(Stage& stage, Id body, std::int64_t index) {
    const double x = std::sin(0.1 * static_cast<double>(index));
    stage.move(tick_at(index), body, at_x(x));
    if (index % 10 != 0) {
        return at_x(x);
    }
    stage.amend(tick_at(index - 2), body, at_x(x + 0.5));
    stage.amend(tick_at(index - 1), body, at_x(x + 0.25));
    stage.amend(tick_at(index), body, at_x(x + 0.125));
    return at_x(x + 0.125);
}

// Trap 55: the simulation's side of the stage is what was written, whatever is drawn.
TEST(Amend, LogicalPosesAreThoseOfAStageThatIsNeverPresented) {
    Stage shown({.track = {.history = 4}});
    Stage silent({.track = {.history = 4}});
    const Id body = shown.add(at_x(0.0));
    ASSERT_EQ(silent.add(at_x(0.0)).id, body);
    for (std::int64_t index = 1; index <= 100; ++index) {
        const Pose truth = move_and_amend(shown, body, index);
        move_and_amend(silent, body, index);
        shown.present({.time_ns = (index - 1) * kPeriodNs + 7, .now_ns = index * kPeriodNs});
        ASSERT_EQ(shown.logical(body), truth);
        ASSERT_EQ(silent.logical(body), truth);
    }
}

TEST(Amend, EndsAtTheExactCorrectedPose) {
    Stage stage({.track = {.history = 4}});
    const Id body = stage.add(at_x(0.0));
    const Pose corrected{.position = {0.1, 0.7, -0.3},
                         .rotation = quat_from_rotation_vector({0.3, 0.2, 0.1})};
    stage.move(tick_at(1), body, at_x(1.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    stage.amend(tick_at(1), body, corrected);
    // 1 m halves 20 times until it is a micrometre: one second, 50 ticks.
    for (std::int64_t index = 2; index <= 60; ++index) {
        const std::int64_t time_ns = index * kPeriodNs;
        stage.present({.time_ns = time_ns, .now_ns = time_ns, .newest = tick_at(index)});
    }
    EXPECT_EQ(stage.visual(body), corrected);
    EXPECT_EQ(stage.mover_count(), 0U);
    EXPECT_EQ(stage.stats().settle_count, 1U);
}

TEST(Amend, ACorrectionOfARestingObjectFadesIn) {
    Stage stage({.track = {.history = 4}});
    const Id body = stage.add(at_x(1.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs, .newest = tick_at(1)});
    ASSERT_EQ(stage.amend(tick_at(1), body, at_x(3.0)), StageStatus::Ok);
    EXPECT_EQ(stage.logical(body), at_x(3.0));
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    EXPECT_NEAR(stage.visual(body).position.x, 1.0, 4.0 * kFloatStep);
    stage.present({.time_ns = kPeriodNs + 50'000'000, .now_ns = kPeriodNs + 50'000'000});
    EXPECT_NEAR(stage.visual(body).position.x, 2.0, 4.0 * kFloatStep);
}

TEST(Amend, OfATickAheadOfThePictureOnlyChangesTheWayAhead) {
    Stage stage({.track = {.history = 8}});
    const Id body = stage.add(at_x(0.0));
    for (std::int64_t index = 1; index <= 4; ++index) {
        stage.move(tick_at(index), body, at_x(static_cast<double>(index)));
    }
    stage.present({.time_ns = kPeriodNs, .now_ns = 4 * kPeriodNs});
    ASSERT_EQ(stage.amend(tick_at(3), body, at_x(7.0)), StageStatus::Ok);
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 4 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(2.0));
    stage.present({.time_ns = 3 * kPeriodNs, .now_ns = 4 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(7.0));
    stage.present({.time_ns = 4 * kPeriodNs, .now_ns = 4 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(4.0));
}

TEST(Amend, BeforeTheFirstFrameThereIsNothingToFade) {
    Stage stage({.track = {.history = 4}});
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    ASSERT_EQ(stage.amend(tick_at(1), body, at_x(5.0)), StageStatus::Ok);
    stage.present({.time_ns = kPeriodNs, .now_ns = kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(5.0));
}

TEST(Amend, KeepsTheChannelsAndMarksOfTheState) {
    const Channel rules[] = {Channel::Step};
    Stage stage({.channels = rules, .track = {.history = 8, .cuts = CutShows::AtStamp}});
    const Id body = stage.add(at_x(0.0));
    const float one[] = {1.0F};
    const float two[] = {2.0F};
    stage.move(tick_at(1), body, at_x(1.0));
    stage.cut(tick_at(2), body, at_x(100.0), {.channels = one});
    stage.present({.time_ns = 0, .now_ns = 2 * kPeriodNs});
    ASSERT_EQ(stage.amend(tick_at(2), body, at_x(200.0)), StageStatus::Ok);
    stage.present({.time_ns = 2 * kPeriodNs - 1, .now_ns = 2 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(1.0)); // Still a cut.
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
    EXPECT_EQ(stage.visual(body), at_x(200.0));
    EXPECT_EQ(stage.channel(body, 0), 1.0F);
    ASSERT_EQ(stage.amend(tick_at(2), body, at_x(200.0), {.channels = two}), StageStatus::Ok);
    stage.present({.time_ns = 2 * kPeriodNs, .now_ns = 2 * kPeriodNs});
    EXPECT_EQ(stage.channel(body, 0), 2.0F);
}

TEST(Amend, OfAHiddenObjectCountsWhereItWillBeShown) {
    Stage stage;
    const Id body = stage.add(at_x(0.0));
    stage.move(tick_at(1), body, at_x(1.0));
    stage.hide(body);
    ASSERT_EQ(stage.amend(tick_at(1), body, at_x(5.0)), StageStatus::Ok);
    stage.show(body);
    EXPECT_EQ(stage.visual(body), at_x(5.0));
}

TEST(Amend, RefusesWhatTheHistoryDoesNotHold) {
    Stage stage({.track = {.history = 3}});
    const Id body = stage.add(at_x(0.0));
    EXPECT_EQ(stage.amend(tick_at(1), body, at_x(9.0)), StageStatus::BadTick);
    for (std::int64_t index = 1; index <= 6; ++index) {
        stage.move(tick_at(index), body, at_x(static_cast<double>(index)));
    }
    EXPECT_EQ(stage.amend(tick_at(3), body, at_x(9.0)), StageStatus::TooOld);
    EXPECT_EQ(stage.amend(tick_at(7), body, at_x(9.0)), StageStatus::BadTick);
    EXPECT_EQ(stage.amend(tick_at(5, kPeriodNs + 1), body, at_x(9.0)), StageStatus::BadTick);
    EXPECT_EQ(stage.amend(tick_at(6), Id{}, at_x(9.0)), StageStatus::NullHandle);
    EXPECT_EQ(stage.amend(tick_at(6), body, at_x(std::nan(""))), StageStatus::BadPosition);
    EXPECT_EQ(stage.logical(body), at_x(6.0));
    EXPECT_EQ(stage.stats().amend_count, 0U);
    EXPECT_EQ(stage.amend(tick_at(4), body, at_x(9.0)), StageStatus::Ok);
}

// A cut that shows at once has overwritten what was before it.
TEST(Amend, RefusesStatesBeforeACutThatShowsAtOnce) {
    for (const CutShows cuts : {CutShows::AtOnce, CutShows::AtStamp}) {
        Stage stage({.track = {.history = 8, .cuts = cuts}});
        const Id body = stage.add(at_x(0.0));
        stage.move(tick_at(1), body, at_x(1.0));
        stage.cut(tick_at(2), body, at_x(100.0));
        const StageStatus before = stage.amend(tick_at(1), body, at_x(2.0));
        EXPECT_EQ(before, cuts == CutShows::AtOnce ? StageStatus::TooOld : StageStatus::Ok);
        EXPECT_EQ(stage.amend(tick_at(2), body, at_x(101.0)), StageStatus::Ok);
        EXPECT_EQ(stage.logical(body), at_x(101.0));
    }
}

TEST(Amend, OfARestingObjectNeedsAMoverRow) {
    Stage stage({.track = {.mover_capacity = 1}});
    const Id moving = stage.add(at_x(0.0));
    const Id resting = stage.add(at_x(0.0));
    stage.move(tick_at(1), moving, at_x(1.0));
    EXPECT_EQ(stage.amend(tick_at(1), resting, at_x(2.0)), StageStatus::Full);
    EXPECT_EQ(stage.logical(resting), at_x(0.0));
}

} // namespace
} // namespace glissade
