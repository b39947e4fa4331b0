// SPDX-License-Identifier: MIT
// The well-known methods on traces small enough to compute by hand. Ticks are 20 ms long and object
// 1 moves along x; what is made with this library has files of its own.
#include "lab/method.h"
#include "lab/small_trace.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

namespace glissade::lab {
namespace {

using testing::find_pose;
using testing::kMs;
using testing::make_header;
using testing::make_pose;
using testing::make_tick;
using testing::make_tick_at;
using testing::Screen;

// Positions of a few metres through some operations in double, 2e-16 relative each.
constexpr double kRounding = 1e-13;
const glm::dvec3 kUp{0.0, 0.0, 1.0};

TracePose make_moving(double x, double velocity) {
    TracePose pose = make_pose(1, x);
    pose.velocity = glm::dvec3(velocity, 0.0, 0.0);
    return pose;
}

TracePose make_turned(double angle, double length = 1.0) {
    TracePose pose = make_pose(1, 0.0);
    pose.rotation = glm::angleAxis(angle, kUp) * length;
    return pose;
}

double turn_of(const DrawnFrame& frame) {
    const DrawnPose* const pose = find_pose(frame, 1);
    const glm::dquat rotation = pose->rotation.value_or(glm::dquat(0.0, 0.0, 0.0, 0.0));
    return 2.0 * std::atan2(rotation.z, rotation.w);
}

/// Those that are not made with this library.
std::vector<MethodInfo> well_known() {
    std::vector<MethodInfo> found;
    std::copy_if(methods().begin(), methods().end(), std::back_inserter(found),
                 [](const MethodInfo& method) { return !method.ours; });
    return found;
}

TEST(Methods, AreThoseOfTheTableWithPlayoutFirst) {
    const std::set<std::string> expected = {
        "playout",     "accumulator", "newest",      "chase-target", "constant-interval",
        "exponential", "hybrid",      "camera-only", "extrapolate",  "measured-interval",
        "predict",     "hermite",     "soft-snap",   "chase-add",    "chase"};
    std::set<std::string> names;
    for (const MethodInfo& method : methods()) {
        names.insert(method.name);
        const MethodInfo* const found = find_method(method.name);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->make, method.make);
        EXPECT_GT(std::string(method.line).size(), 20U) << method.name;
        EXPECT_EQ(std::string(method.line).find('\n'), std::string::npos);
        const std::string name = method.name;
        const bool is_chase = name == "chase" || name == "chase-add";
        EXPECT_EQ(method.ours, is_chase || name == "playout" || name == "accumulator") << name;
    }
    EXPECT_EQ(names, expected);
    EXPECT_EQ(methods().size(), expected.size());
    EXPECT_STREQ(methods().front().name, "playout");
    EXPECT_EQ(find_method("Newest"), nullptr);
    EXPECT_EQ(find_method(""), nullptr);
}

TEST(Methods, ThoseForSparseUpdatesAreNoTickMethods) {
    EXPECT_EQ(tick_methods().size(), 12U);
    for (const MethodInfo& method : tick_methods()) {
        const std::string_view name = method.name;
        EXPECT_TRUE(name != "chase" && name != "chase-add" && name != "soft-snap") << name;
        EXPECT_EQ(find_method(name), &method) << "results are told apart by it";
    }
}

TEST(Methods, BeforeTheFirstTickNothingIsDrawn) {
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        const DrawnFrame& frame = screen.draw(5 * kMs);
        EXPECT_EQ(frame.state, DrawnState::Empty);
        EXPECT_TRUE(frame.poses.empty());
        EXPECT_EQ(frame.sample_ns, 0); // Present, so that every line has the same keys.
        EXPECT_EQ(frame.delay_ns, 0);
    }
}

TEST(Methods, FramesKeepTheirNumbersAndPosesAreById) {
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        screen.tick(make_tick(0, {make_pose(7, 0.0), make_pose(-2, 0.0), make_pose(3, 0.0)}));
        screen.draw(0);
        const DrawnFrame& frame = screen.draw(60 * kMs);
        EXPECT_EQ(frame.frame, 1);
        ASSERT_EQ(frame.poses.size(), 3U);
        EXPECT_EQ(frame.poses[0].id, -2);
        EXPECT_EQ(frame.poses[1].id, 3);
        EXPECT_EQ(frame.poses[2].id, 7);
        EXPECT_EQ(screen.problem(), "");
    }
}

TEST(Newest, DrawsTheNewestState) {
    Screen screen("newest");
    screen.tick_at(3.0);
    EXPECT_EQ(screen.draw_x(5), 3.0);
    screen.tick_at(4.0);
    EXPECT_EQ(screen.draw_x(20), 4.0);
    EXPECT_EQ(screen.draw_x(39), 4.0);
    EXPECT_EQ(screen.last().sample_ns, 20 * kMs);
    EXPECT_EQ(screen.last().delay_ns, 19 * kMs);
    EXPECT_EQ(screen.last().state, DrawnState::Hold);
}

TEST(ChaseTarget, GoesFromWhatWasDrawnWhenTheTickArrivedToTheTick) {
    Screen screen("chase-target");
    screen.tick_at(0.0);
    EXPECT_EQ(screen.draw_x(0), 0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(25), 0.25, kRounding);
    EXPECT_NEAR(screen.draw_x(30), 0.5, kRounding);
    EXPECT_EQ(screen.last().sample_ns, 10 * kMs);
    screen.tick_at(2.0);
    // From the 0.5 that was on the screen, not from the state 1.
    EXPECT_NEAR(screen.draw_x(45), 0.875, kRounding);
    EXPECT_EQ(screen.last().sample_ns, 17'500'000);
    EXPECT_NEAR(screen.draw_x(70), 2.0, kRounding);
}

TEST(ChaseTarget, AnObjectThatWasNotDrawnYetStandsAtItsState) {
    Screen screen("chase-target");
    screen.tick_at(0.0);
    screen.draw(0);
    screen.tick(make_tick(1, {make_pose(1, 1.0), make_pose(2, 8.0)}));
    EXPECT_EQ(find_pose(screen.draw(25 * kMs), 2)->position.x, 8.0);
}

TEST(ConstantInterval, AlphaIsTheTimeSinceTheArrivalOverTheTick) {
    Screen screen("constant-interval");
    screen.tick_at(0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(20), 0.0, kRounding);
    EXPECT_NEAR(screen.draw_x(25), 0.25, kRounding);
    EXPECT_EQ(screen.last().state, DrawnState::Interpolate);
    EXPECT_EQ(screen.last().sample_ns, 5 * kMs);
    EXPECT_EQ(screen.last().delay_ns, 20 * kMs);
    EXPECT_NEAR(screen.draw_x(39), 0.95, kRounding);
}

TEST(ConstantInterval, AlphaIsClampedAtBothEnds) {
    Screen screen("constant-interval");
    screen.tick_at(0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(47), 1.0, kRounding);
    EXPECT_EQ(screen.last().state, DrawnState::Hold);
    EXPECT_NEAR(screen.draw_x(12), 0.0, kRounding);
}

TEST(ConstantInterval, TheStampOfTheWriterCountsInsteadOfTheArrival) {
    Screen screen("constant-interval");
    screen.tick_at(0.0);
    TraceTick tick = make_tick_at(1, 1.0);
    tick.stamp_ns = 10 * kMs;
    screen.tick(tick);
    EXPECT_NEAR(screen.draw_x(25), 0.75, kRounding);
}

TEST(ConstantInterval, TheTimeIsThatOfTheProcessorNotOfTheDisplay) {
    Screen screen("constant-interval");
    screen.tick_at(0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(find_pose(screen.draw(30 * kMs, 22 * kMs), 1)->position.x, 0.5, kRounding);
}

TEST(ConstantInterval, TheExactRateCountsInsteadOfTheRoundedTick) {
    TraceHeader header = make_header();
    header.tick_ns = 16'666'667;
    header.rate = Rate{60, 1};
    Screen screen("constant-interval", header);
    screen.tick_at(0.0);
    screen.tick_at(1.0);
    // 16 of 1000 / 60 ms are 0.96; of the rounded tick they were 2e-8 less.
    EXPECT_NEAR(screen.draw_x(36), 0.96, kRounding);
}

TEST(ConstantInterval, WithoutATickLengthTheOneBetweenTheStatesCounts) {
    TraceHeader header = make_header();
    header.tick_ns.reset();
    Screen screen("constant-interval", header);
    screen.tick_at(0.0);
    EXPECT_EQ(screen.draw_x(5), 0.0);
    TraceTick tick = make_tick_at(2, 1.0); // After 40 ms.
    screen.tick(tick);
    EXPECT_NEAR(screen.draw_x(50), 0.25, kRounding);
}

TEST(ConstantInterval, TurnsByTheShorterWayWhateverTheSigns) {
    Screen screen("constant-interval");
    screen.tick(make_tick(0, {make_turned(0.2)}));
    screen.tick(make_tick(1, {make_turned(0.6, -1.0)}));
    EXPECT_NEAR(std::remainder(turn_of(screen.draw(25 * kMs)), 2.0 * std::numbers::pi), 0.3,
                kRounding);
}

TEST(MeasuredInterval, AlphaIsOverTheLastMeasuredInterval) {
    Screen screen("measured-interval");
    screen.tick_at(0.0);
    TraceTick late = make_tick_at(1, 1.0);
    late.arrive_ns = 25 * kMs;
    screen.tick(late);
    EXPECT_NEAR(screen.draw_x(30), 0.2, kRounding);
    EXPECT_NEAR(screen.draw_x(60), 1.0, kRounding);
    TraceTick early = make_tick_at(2, 2.0);
    early.arrive_ns = 35 * kMs;
    screen.tick(early);
    EXPECT_NEAR(screen.draw_x(40), 1.5, kRounding);
}

TEST(MeasuredInterval, TicksThatArriveTogetherAreOneTickApart) {
    Screen screen("measured-interval");
    screen.tick_at(0.0);
    TraceTick tick = make_tick_at(1, 1.0);
    tick.arrive_ns = 0;
    screen.tick(tick);
    EXPECT_NEAR(screen.draw_x(5), 0.25, kRounding);
}

TEST(Exponential, GoesAQuarterOfTheWayInEachFrame) {
    Screen screen("exponential");
    screen.tick_at(0.0);
    EXPECT_EQ(screen.draw_x(0), 0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(20), 0.25, kRounding);
    EXPECT_NEAR(screen.draw_x(21), 0.4375, kRounding);
    EXPECT_NEAR(screen.draw_x(39), 0.578125, kRounding);
    EXPECT_EQ(screen.last().sample_ns, 11'562'500);
}

TEST(Hybrid, GoesFourFifthsOfTheWayToConstantIntervalInEachFrame) {
    Screen screen("hybrid");
    screen.tick_at(0.0);
    EXPECT_EQ(screen.draw_x(0), 0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(30), 0.4, kRounding);  // Of 0.5.
    EXPECT_NEAR(screen.draw_x(40), 0.88, kRounding); // 0.4 + 0.8 * 0.6.
    EXPECT_EQ(screen.last().sample_ns, 17'600'000);
}

TEST(CameraOnly, BodiesStepAndTheCameraFollowsByATwentiethInEachFrame) {
    Screen screen("camera-only");
    TracePose camera = make_pose(2, 0.0);
    camera.camera = true;
    screen.tick(make_tick(0, {make_pose(1, 0.0), camera}));
    EXPECT_EQ(find_pose(screen.draw(0), 2)->position.x, 0.0);
    camera.position.x = 1.0;
    screen.tick(make_tick(1, {make_pose(1, 1.0), camera}));
    EXPECT_NEAR(find_pose(screen.draw(20 * kMs), 2)->position.x, 0.05, kRounding);
    EXPECT_EQ(find_pose(screen.last(), 1)->position.x, 1.0);
    EXPECT_NEAR(find_pose(screen.draw(30 * kMs), 2)->position.x, 0.0975, kRounding);
    EXPECT_EQ(find_pose(screen.last(), 1)->position.x, 1.0);
}

TEST(Extrapolate, IsConstantIntervalUntilAlphaIsOneAndThenGoesOnAlongTheVelocity) {
    Screen screen("extrapolate");
    screen.tick(make_tick(0, {make_moving(0.0, 100.0)}));
    screen.tick(make_tick(1, {make_moving(1.0, 100.0)}));
    EXPECT_NEAR(screen.draw_x(30), 0.5, kRounding);
    EXPECT_NEAR(screen.draw_x(40), 1.0, kRounding);
    // 1 + 100 m/s * 10 ms, twice the mean speed of the two states.
    EXPECT_NEAR(screen.draw_x(50), 2.0, kRounding);
    EXPECT_EQ(screen.last().state, DrawnState::Extrapolate);
    EXPECT_EQ(screen.last().sample_ns, 30 * kMs);
}

TEST(Extrapolate, WithoutAVelocityTheMeanOneCounts) {
    Screen screen("extrapolate");
    screen.tick_at(0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(50), 1.5, kRounding);
}

TEST(Extrapolate, TurnsOnAlongTheAngularVelocityOrTheMeanOne) {
    for (const bool given : {true, false}) {
        Screen screen("extrapolate");
        screen.tick(make_tick(0, {make_turned(0.1)}));
        TracePose pose = make_turned(0.3);
        if (given) {
            pose.angular_velocity = kUp * 4.0;
        }
        screen.tick(make_tick(1, {pose}));
        // 10 ms beyond: 4 rad/s as given, or 10 rad/s between the two states.
        EXPECT_NEAR(turn_of(screen.draw(50 * kMs)), given ? 0.34 : 0.4, kRounding);
    }
}

TEST(Predict, CarriesTheNewestStateOnSinceItsStamp) {
    Screen screen("predict");
    screen.tick(make_tick(0, {make_moving(0.0, 100.0)}));
    EXPECT_NEAR(screen.draw_x(5), 0.5, kRounding);
    screen.tick(make_tick(1, {make_moving(1.0, 100.0)}));
    EXPECT_NEAR(screen.draw_x(25), 1.5, kRounding);
    EXPECT_EQ(screen.last().state, DrawnState::Extrapolate);
    EXPECT_EQ(screen.last().sample_ns, 25 * kMs);
    EXPECT_EQ(screen.last().delay_ns, 0);
}

TEST(Predict, WithOneStateAndNoVelocityItStands) {
    Screen screen("predict");
    screen.tick_at(3.0);
    EXPECT_EQ(screen.draw_x(15), 3.0);
}

TEST(Hermite, FollowsTheCubicThroughBothVelocities) {
    Screen screen("hermite");
    screen.tick(make_tick(0, {make_moving(0.0, 100.0)}));
    screen.tick(make_tick(1, {make_moving(1.0, 0.0)}));
    // At alpha 1/4 the weights are 0.15625 of the way, 0.140625 of the start tangent, which is
    // 100 m/s * 20 ms, and -0.046875 of the end tangent.
    EXPECT_NEAR(screen.draw_x(25), 0.15625 + 2.0 * 0.140625, kRounding);
    screen.tick(make_tick(2, {make_moving(2.0, 100.0)}));
    EXPECT_NEAR(screen.draw_x(45), 1.0 + 0.15625 - 2.0 * 0.046875, kRounding);
}

TEST(Hermite, WithoutVelocitiesIsStraight) {
    Screen screen("hermite");
    screen.tick_at(0.0);
    screen.tick_at(1.0);
    EXPECT_NEAR(screen.draw_x(25), 0.25, kRounding);
}

TEST(WellKnownMethods, AnAbsentObjectStaysWhereItIs) {
    for (const MethodInfo& method : well_known()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        screen.tick(make_tick(0, {make_pose(1, 0.0), make_pose(2, 5.0)}));
        screen.draw(0);
        screen.tick(make_tick(1, {make_pose(1, 1.0)}));
        const DrawnPose* const pose = find_pose(screen.draw(30 * kMs), 2);
        ASSERT_NE(pose, nullptr);
        EXPECT_EQ(pose->position.x, 5.0);
    }
}

TEST(WellKnownMethods, AnObjectThatIsGoneIsNotDrawnAndMayComeBackElsewhere) {
    for (const MethodInfo& method : well_known()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        screen.tick_at(0.0);
        screen.draw(0);
        TraceTick tick = make_tick_at(1, 1.0);
        tick.gone = {1, 99};
        screen.tick(tick);
        EXPECT_TRUE(screen.draw(25 * kMs).poses.empty());
        screen.tick(make_tick_at(2, 70.0));
        EXPECT_EQ(screen.draw_x(40), 70.0);
    }
}

TEST(WellKnownMethods, ALatePacketDoesNotTurnTimeBack) {
    for (const MethodInfo& method : well_known()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        Screen undisturbed(method.name);
        for (Screen* each : {&screen, &undisturbed}) {
            each->tick(make_tick_at(0, 0.0));
            each->draw(0);
            each->tick(make_tick_at(2, 2.0));
        }
        TraceTick late = make_tick_at(1, 1.0);
        late.arrive_ns = 41 * kMs;
        screen.tick(late);
        EXPECT_EQ(screen.draw(45 * kMs), undisturbed.draw(45 * kMs));
    }
}

TEST(WellKnownMethods, ALatePacketOfTheSameEpochDoesNotEither) {
    for (const MethodInfo& method : well_known()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        for (const std::int64_t number : {0, 2, 1}) {
            TraceTick tick = make_tick_at(number, static_cast<double>(number));
            tick.epoch = 4;
            screen.tick(tick);
        }
        screen.draw(100 * kMs);
        EXPECT_GE(screen.last().sample_ns.value_or(0), 40 * kMs);
        EXPECT_GE(screen.draw_x(100), 2.0);
    }
}

TEST(WellKnownMethods, ANewEpochMayBeginEarlier) {
    Screen screen("newest");
    screen.tick(make_tick_at(50, 8.0));
    TraceTick restart = make_tick_at(0, 3.0);
    restart.arrive_ns = 1020 * kMs;
    restart.epoch = 1;
    screen.tick(restart);
    EXPECT_EQ(screen.draw_x(1030), 3.0);
}

TEST(Methods, AZeroRotationIsTheIdentityAndNeverNan) {
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        TracePose pose = make_pose(1, 0.0);
        pose.rotation = glm::dquat(0.0, 0.0, 0.0, 0.0);
        for (std::int64_t number = 0; number < 4; ++number) {
            screen.tick(make_tick(number, {pose}));
            screen.draw((number * 20 + 1) * kMs);
            screen.draw((number * 20 + 13) * kMs);
        }
        const DrawnPose* const drawn = find_pose(screen.last(), 1);
        ASSERT_NE(drawn, nullptr);
        EXPECT_EQ(drawn->rotation, glm::dquat(1.0, 0.0, 0.0, 0.0));
    }
}

void expect_unit(const DrawnFrame& frame) {
    for (const DrawnPose& pose : frame.poses) {
        // Within the float rotations of a stage: 2^-23, four times.
        EXPECT_NEAR(glm::length(*pose.rotation), 1.0, 5e-7);
    }
}

TEST(Methods, AZeroRotationBeforeATurnIsNeverNanEither) {
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name);
        screen.tick(make_tick(0, {make_turned(0.0, 0.0)}));
        screen.draw(0);
        screen.tick(make_tick(1, {make_turned(1.0, 3.0)}));
        for (const std::int64_t time_ms : {20, 27, 35, 48, 70}) {
            expect_unit(screen.draw(time_ms * kMs));
        }
        EXPECT_EQ(screen.last().poses.size(), 1U);
    }
}

// How far apart the rotations of object 1 are: one minus the cosine of half of the angle.
double difference(const DrawnFrame& first, const DrawnFrame& second) {
    EXPECT_EQ(first.poses.size(), second.poses.size());
    const DrawnPose* const one = find_pose(first, 1);
    const DrawnPose* const other = find_pose(second, 1);
    return one == nullptr || other == nullptr
               ? 0.0
               : 1.0 - std::abs(glm::dot(*one->rotation, *other->rotation));
}

TEST(Methods, NegatedQuaternionsDrawTheSame) {
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        Screen plain(method.name);
        Screen negated(method.name);
        for (std::int64_t number = 0; number < 5; ++number) {
            const double angle = 0.3 * static_cast<double>(number);
            plain.tick(make_tick(number, {make_turned(angle)}));
            negated.tick(make_tick(number, {make_turned(angle, number % 2 == 0 ? 1.0 : -1.0)}));
            const std::int64_t time_ns = (number * 20 + 11) * kMs;
            // Float rotations have 6e-8.
            EXPECT_NEAR(difference(plain.draw(time_ns), negated.draw(time_ns)), 0.0, 2.5e-7);
        }
        EXPECT_EQ(plain.last().poses.size(), 1U);
    }
}

TEST(Methods, ARepeatedPacketChangesNothing) {
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        Screen once(method.name);
        Screen twice(method.name);
        for (Screen* screen : {&once, &twice}) {
            screen->tick(make_tick_at(0, 0.0));
            (void)screen->draw(5 * kMs);
            screen->tick(make_tick_at(1, 1.0));
        }
        TraceTick repeated = make_tick_at(1, 1.0);
        repeated.arrive_ns += 2 * kMs;
        twice.tick(repeated);
        EXPECT_EQ(once.draw(30 * kMs), twice.draw(30 * kMs));
    }
}

TEST(Methods, TicksOfNoFixedLengthAreDrawn) {
    TraceHeader header = make_header();
    header.tick_ns.reset();
    for (const MethodInfo& method : methods()) {
        SCOPED_TRACE(method.name);
        Screen screen(method.name, header);
        double last_x = -1.0;
        // Motion at 50 m/s in uneven ticks; all but the slowest smoothing get beyond 1.5 m.
        for (const std::int64_t number : {0, 1, 3, 4, 7}) {
            screen.tick(make_tick_at(number, static_cast<double>(number)));
            const DrawnPose* const pose = find_pose(screen.draw((number * 20 + 5) * kMs), 1);
            const double x = pose == nullptr ? last_x : pose->position.x;
            EXPECT_TRUE(std::isfinite(x));
            // A server's entity that ran ahead of an update walks back to it, by what it does in a
            // quantum of 1/30 s at most; its fallback speed is 7.5 m/s.
            const bool chases = std::string_view(method.name).starts_with("chase");
            EXPECT_GE(
                x,
                last_x - (chases && std::string_view(method.name) != "chase-target" ? 0.25 : 0.0));
            last_x = x;
        }
        EXPECT_GT(last_x, 1.5);
        EXPECT_EQ(screen.problem(), "");
    }
}

} // namespace
} // namespace glissade::lab
