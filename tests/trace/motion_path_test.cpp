// SPDX-License-Identifier: MIT
#include "glissade/trace/motion_path.h"

#include <cmath>
#include <numbers>

#include <glm/ext/quaternion_double.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kMs = 1'000'000;
// Positions below 200 m in double: 3e-14 each, and a few operations.
constexpr double kRounding = 1e-12;
const glm::dvec3 kUp{0.0, 0.0, 1.0};

PathPoint at_x(std::int64_t time_ms, double x) {
    return {time_ms * kMs, {x, 0.0, 0.0}};
}

PathPoint at_angle(std::int64_t time_ms, double angle) {
    return {time_ms * kMs, {3.0, 2.0, 1.0}, glm::angleAxis(angle, kUp)};
}

MotionPath make_path(const std::vector<PathPoint>& points) {
    MotionPath path;
    for (const PathPoint& point : points) {
        path.add(point);
    }
    path.finish();
    return path;
}

// 100 m/s along x for 50 ms.
MotionPath make_line() {
    return make_path(
        {at_x(0, 0.0), at_x(10, 1.0), at_x(20, 2.0), at_x(30, 3.0), at_x(40, 4.0), at_x(50, 5.0)});
}

// Out to 10 m within 100 ms and back again.
MotionPath make_return() {
    return make_path(
        {at_x(0, 0.0), at_x(50, 5.0), at_x(100, 10.0), at_x(150, 5.0), at_x(200, 0.0)});
}

// 1 m to and fro, cut by 100 m between 10 and 20 ms.
MotionPath make_cut() {
    MotionPath path;
    path.add(at_x(0, 0.0));
    path.add(at_x(10, 1.0));
    path.add_after_cut(at_x(20, 101.0));
    path.add(at_x(30, 102.0));
    path.finish();
    return path;
}

// 100 m/s along x, displaced by 100 m in y between 20 and 30 ms.
MotionPath make_shift(std::int64_t start_ms) {
    MotionPath path;
    path.add(at_x(0, 0.0));
    path.add(at_x(10, 1.0));
    path.add(at_x(20, 2.0));
    path.add_after_shift({30 * kMs, {3.0, 100.0, 0.0}}, {.translation = {0.0, 100.0, 0.0}},
                         start_ms * kMs);
    path.add({40 * kMs, {4.0, 100.0, 0.0}});
    path.finish();
    return path;
}

NearestPoint find(const MotionPath& path, const MotionPath::Question& question) {
    const std::optional<NearestPoint> nearest = path.find_nearest(question);
    EXPECT_TRUE(nearest);
    return nearest.value_or(NearestPoint{});
}

// Looks at all of the path.
NearestPoint find_at(const MotionPath& path, const glm::dvec3& position, double expected_ms = 0.0) {
    return find(path, {.position = position,
                       .window_ns = 1000 * kMs,
                       .expected_ns = std::llround(expected_ms * static_cast<double>(kMs))});
}

NearestPoint find_rotation(const MotionPath& path, const glm::dquat& rotation) {
    return find(path, {.position = {3.0, 2.0, 1.0}, .rotation = rotation, .window_ns = 1000 * kMs});
}

TEST(MotionPath, TheNearestPointOfALineHasTimeDistanceAndSpeed) {
    const NearestPoint on = find_at(make_line(), {1.25, 0.0, 0.0});
    EXPECT_EQ(on.time_ns, 12'500'000);
    EXPECT_NEAR(on.distance, 0.0, kRounding);
    EXPECT_NEAR(on.speed, 100.0, 1e-9);
    EXPECT_FALSE(on.streak);
    const NearestPoint beside = find_at(make_line(), {3.75, 0.3, 0.4});
    EXPECT_EQ(beside.time_ns, 37'500'000);
    EXPECT_NEAR(beside.distance, 0.5, kRounding);
    EXPECT_FALSE(beside.streak);
}

TEST(MotionPath, BeyondItsEndsTheEndIsNearest) {
    EXPECT_EQ(find_at(make_line(), {-2.0, 0.0, 0.0}).time_ns, 0);
    EXPECT_NEAR(find_at(make_line(), {-2.0, 0.0, 0.0}).distance, 2.0, kRounding);
    EXPECT_EQ(find_at(make_line(), {7.0, 0.0, 0.0}).time_ns, 50 * kMs);
}

TEST(MotionPath, WithoutAStretchNothingIsFound) {
    MotionPath path;
    path.finish();
    EXPECT_TRUE(path.empty());
    EXPECT_FALSE(path.find_nearest({.window_ns = kMs}));
    EXPECT_EQ(path.median_speed(), 0.0);
    const MotionPath single = make_path({at_x(10, 1.0)});
    EXPECT_FALSE(single.empty());
    EXPECT_FALSE(single.find_nearest({.centre_ns = 10 * kMs, .window_ns = kMs}));
    EXPECT_EQ(single.at(7).position.x, 1.0);
}

TEST(MotionPath, OnlyTheWindowIsSearched) {
    const MotionPath path = make_line();
    EXPECT_FALSE(path.find_nearest({.centre_ns = 100 * kMs, .window_ns = 49 * kMs}));
    EXPECT_TRUE(path.find_nearest({.centre_ns = 100 * kMs, .window_ns = 50 * kMs}));
    EXPECT_FALSE(path.find_nearest({.centre_ns = -100 * kMs, .window_ns = 99 * kMs}));
    EXPECT_TRUE(path.find_nearest({.centre_ns = -100 * kMs, .window_ns = 100 * kMs}));
    // The second pass is at hand, the first one is not.
    const NearestPoint nearest = find(make_return(), {.position = {2.0, 0.0, 0.0},
                                                      .centre_ns = 170 * kMs,
                                                      .window_ns = 15 * kMs,
                                                      .expected_ns = 20 * kMs});
    EXPECT_EQ(nearest.time_ns, 180 * kMs);
}

TEST(MotionPath, OfTwoPassesTheOneNearerToTheTimeExpectedCounts) {
    const MotionPath path = make_return();
    EXPECT_EQ(find_at(path, {4.0, 0.0, 0.0}, 99.0).time_ns, 40 * kMs);
    EXPECT_EQ(find_at(path, {4.0, 0.0, 0.0}, 101.0).time_ns, 160 * kMs);
}

TEST(MotionPath, OfTwoPassesEquallyFarOffTheLaterOneCounts) {
    EXPECT_EQ(find_at(make_return(), {4.0, 0.0, 0.0}, 100.0).time_ns, 160 * kMs);
}

TEST(MotionPath, OfTwoPassesTheOneInTheDirectionOfTheStepCounts) {
    const auto time_at = [path = make_return()](double step, std::int64_t expected_ms) {
        return find(path, {.position = {4.0, 0.0, 0.0},
                           .window_ns = 1000 * kMs,
                           .expected_ns = expected_ms * kMs,
                           .step = {step, 0.0, 0.0}})
            .time_ns;
    };
    EXPECT_EQ(time_at(0.2, 90), 40 * kMs);
    EXPECT_EQ(time_at(-0.2, 90), 160 * kMs);
    EXPECT_EQ(time_at(0.2, 110), 40 * kMs);
    EXPECT_EQ(time_at(-0.2, 110), 160 * kMs);
}

TEST(MotionPath, ANearerPassWinsOverEveryExpectation) {
    const MotionPath path = make_path({at_x(0, 0.0),
                                       {100 * kMs, {10.0, 0.0, 0.0}},
                                       {110 * kMs, {10.0, 1.0, 0.0}},
                                       {210 * kMs, {0.0, 1.0, 0.0}}});
    const NearestPoint nearest = find(path, {.position = {4.0, 0.4, 0.0},
                                             .window_ns = 1000 * kMs,
                                             .expected_ns = 170 * kMs,
                                             .step = {-1.0, 0.0, 0.0}});
    EXPECT_EQ(nearest.time_ns, 40 * kMs);
    EXPECT_NEAR(nearest.distance, 0.4, kRounding);
}

TEST(MotionPath, AtRestTheTimeExpectedIsTheTime) {
    const MotionPath path =
        make_path({at_x(0, 0.0), at_x(50, 5.0), at_x(150, 5.0), at_x(200, 9.0)});
    EXPECT_EQ(find_at(path, {5.0, 0.0, 0.0}, 77.0).time_ns, 77 * kMs);
    EXPECT_EQ(find_at(path, {5.0, 0.0, 0.0}, 77.0).speed, 0.0);
    EXPECT_EQ(find_at(path, {5.0, 0.0, 0.0}, 10.0).time_ns, 50 * kMs);
    EXPECT_EQ(find_at(path, {5.0, 0.0, 0.0}, 190.0).time_ns, 150 * kMs);
}

TEST(MotionPath, APointThatIsNotLaterIsIgnored) {
    MotionPath path;
    path.add(at_x(10, 1.0));
    path.add(at_x(20, 2.0));
    path.add(at_x(20, 50.0));
    path.add(at_x(15, 50.0));
    path.add_after_cut(at_x(20, 50.0));
    path.add_after_shift(at_x(5, 50.0), {.translation = {1.0, 0.0, 0.0}}, 0);
    path.finish();
    EXPECT_EQ(path.first_ns(), 10 * kMs);
    EXPECT_EQ(path.last_ns(), 20 * kMs);
    EXPECT_EQ(path.at(20 * kMs).position.x, 2.0);
    EXPECT_NEAR(find_at(path, {50.0, 0.0, 0.0}).distance, 48.0, kRounding);
    EXPECT_FALSE(path.is_broken(0, 100 * kMs));
}

TEST(MotionPath, TheFirstPointCannotBeBrokenOff) {
    MotionPath cut;
    cut.add_after_cut(at_x(10, 1.0));
    MotionPath shifted;
    shifted.add_after_shift(at_x(10, 1.0), {.translation = {9.0, 0.0, 0.0}}, 0);
    for (MotionPath* path : {&cut, &shifted}) {
        path->add(at_x(20, 2.0));
        path->finish();
        EXPECT_EQ(path->first_ns(), 10 * kMs);
        EXPECT_FALSE(path->is_broken(0, 100 * kMs));
        EXPECT_EQ(find_at(*path, {1.5, 0.0, 0.0}).time_ns, 15 * kMs);
    }
}

TEST(MotionPath, BetweenItsPointsItGoesStraightAndTurnsEvenly) {
    const MotionPath path = make_path({{0, {0.0, 0.0, 0.0}, glm::angleAxis(0.0, kUp)},
                                       {10 * kMs, {1.0, 4.0, 0.0}, glm::angleAxis(1.2, kUp)}});
    const PathPoint point = path.at(2'500'000);
    EXPECT_EQ(point.time_ns, 2'500'000);
    EXPECT_NEAR(glm::distance(point.position, {0.25, 1.0, 0.0}), 0.0, kRounding);
    EXPECT_NEAR(glm::distance(glm::axis(point.rotation), kUp), 0.0, kRounding);
    EXPECT_NEAR(glm::angle(point.rotation), 0.3, kRounding);
}

TEST(MotionPath, BeyondItsEndsItStands) {
    EXPECT_EQ(make_line().at(-1).position.x, 0.0);
    EXPECT_EQ(make_line().at(50 * kMs).position.x, 5.0);
    EXPECT_EQ(make_line().at(999 * kMs).position.x, 5.0);
}

TEST(MotionPath, RotationsAreTakenAtAnyLengthAndZeroIsTheIdentity) {
    const MotionPath path =
        make_path({{0, {0.0, 0.0, 0.0}, glm::dquat{0.0, 0.0, 0.0, 0.0}},
                   {10 * kMs, {1.0, 0.0, 0.0}, glm::dquat{0.0, 0.0, 0.0, 7.0}}});
    EXPECT_EQ(path.at(0).rotation, glm::dquat(1.0, 0.0, 0.0, 0.0));
    EXPECT_EQ(path.at(10 * kMs).rotation, glm::dquat(0.0, 0.0, 0.0, 1.0));
    EXPECT_NEAR(glm::angle(path.at(5 * kMs).rotation), std::numbers::pi / 2.0, kRounding);
}

TEST(MotionPath, OneThatOnlyTurnsIsMeasuredByAngle) {
    const MotionPath path = make_path({at_angle(0, 0.0), at_angle(10, 0.1), at_angle(20, 0.2)});
    EXPECT_TRUE(path.turns_only());
    EXPECT_FALSE(make_line().turns_only());
    EXPECT_NEAR(path.median_speed(), 10.0, 1e-9);
    const NearestPoint on = find_rotation(path, glm::angleAxis(0.125, kUp));
    EXPECT_EQ(on.time_ns, 12'500'000);
    EXPECT_NEAR(on.distance, 0.0, kRounding);
    EXPECT_NEAR(on.speed, 10.0, 1e-9);
    // 0.3 rad about another axis on top: that far beside the path.
    const glm::dquat beside =
        glm::angleAxis(0.125, kUp) * glm::angleAxis(0.3, glm::dvec3(1.0, 0.0, 0.0));
    EXPECT_EQ(find_rotation(path, beside).time_ns, 12'500'000);
    EXPECT_NEAR(find_rotation(path, beside).distance, 0.3, kRounding);
    EXPECT_EQ(find_rotation(path, glm::angleAxis(0.5, kUp)).time_ns, 20 * kMs);
}

TEST(MotionPath, OppositeQuaternionsAreTheSameRotation) {
    PathPoint flipped = at_angle(10, 0.1);
    flipped.rotation = -flipped.rotation;
    const MotionPath path = make_path({at_angle(0, 0.0), flipped, at_angle(20, 0.2)});
    EXPECT_NEAR(path.median_speed(), 10.0, 1e-9);
    EXPECT_EQ(find_rotation(path, -glm::angleAxis(0.125, kUp)).time_ns, 12'500'000);
    EXPECT_NEAR(glm::angle(path.at(5 * kMs).rotation), 0.05, kRounding);
}

TEST(MotionPath, ADrawnRotationMayBeOfAnyLength) {
    const MotionPath path =
        make_path({at_angle(0, 0.0), at_angle(10, 0.1), at_angle(20, 0.2), at_angle(30, 0.3)});
    for (const double length : {0.01, 0.5, 3.0}) {
        const NearestPoint nearest = find_rotation(path, glm::angleAxis(0.25, kUp) * length);
        EXPECT_EQ(nearest.time_ns, 25 * kMs) << length;
        EXPECT_NEAR(nearest.distance, 0.0, kRounding) << length;
    }
}

TEST(MotionPath, TheMedianSpeedIsThatOfMostOfTheTimeInMotion) {
    std::vector<PathPoint> points = {at_x(0, 0.0), at_x(100, 1.0), at_x(900, 1.0)};
    for (std::int64_t i = 1; i <= 9; ++i) {
        points.push_back(at_x(900 + 10 * i, 1.0 + static_cast<double>(i)));
    }
    // 100 ms at 10 m/s against 90 ms at 100 m/s, and the rest does not count.
    EXPECT_NEAR(make_path(points).median_speed(), 10.0, 1e-9);
    EXPECT_EQ(make_path({at_x(0, 1.0), at_x(10, 1.0)}).median_speed(), 0.0);
}

TEST(MotionPath, BeforeACutItRests) {
    const MotionPath path = make_cut();
    EXPECT_EQ(path.at(15 * kMs).position.x, 1.0);
    EXPECT_EQ(path.at(20 * kMs - 1).position.x, 1.0);
    EXPECT_EQ(path.at(20 * kMs).position.x, 101.0);
    EXPECT_EQ(find_at(path, {1.0, 0.0, 0.0}, 17.0).time_ns, 17 * kMs);
    EXPECT_EQ(find_at(path, {1.0, 0.0, 0.0}, 17.0).speed, 0.0);
}

TEST(MotionPath, ACutHasNoSpeed) {
    EXPECT_NEAR(make_cut().median_speed(), 100.0, 1e-9);
}

TEST(MotionPath, BetweenTheSidesOfACutIsAStreak) {
    const MotionPath path = make_cut();
    EXPECT_TRUE(find_at(path, {50.0, 0.0, 0.0}).streak);
    EXPECT_TRUE(find_at(path, {3.0, 0.5, 0.0}).streak);
    EXPECT_FALSE(find_at(path, {1.0, 0.0, 0.0}).streak);
    EXPECT_FALSE(find_at(path, {101.0, 0.0, 0.0}).streak);
    // Within 1 % of the way of a side it is at that side.
    EXPECT_FALSE(find_at(path, {1.9, 0.0, 0.0}).streak);
    EXPECT_FALSE(find_at(path, {100.1, 0.0, 0.0}).streak);
    // Far off, but on no way between the two.
    EXPECT_FALSE(find_at(path, {0.5, 30.0, 0.0}).streak);
    EXPECT_FALSE(find_at(path, {130.0, 0.0, 0.0}).streak);
    // 5 m from the way between and 5.4 m from the path: no matter of the cut.
    EXPECT_FALSE(find_at(path, {3.0, 5.0, 0.0}).streak);
}

TEST(MotionPath, AStreakOfATurnIsOneAsWell) {
    MotionPath path;
    path.add(at_angle(0, 0.0));
    path.add(at_angle(10, 0.1));
    path.add_after_cut(at_angle(20, 2.1));
    path.add(at_angle(30, 2.2));
    path.finish();
    EXPECT_TRUE(find_rotation(path, glm::angleAxis(1.0, kUp)).streak);
    EXPECT_FALSE(find_rotation(path, glm::angleAxis(0.1, kUp)).streak);
    EXPECT_FALSE(find_rotation(path, glm::angleAxis(2.15, kUp)).streak);
}

TEST(MotionPath, BrokenIsAStepThatTouchesACutOrTheRestBeforeIt) {
    const MotionPath path = make_cut();
    EXPECT_FALSE(path.is_broken(0, 10 * kMs));
    EXPECT_TRUE(path.is_broken(0, 10 * kMs + 1));
    EXPECT_TRUE(path.is_broken(12 * kMs, 15 * kMs));
    EXPECT_TRUE(path.is_broken(20 * kMs - 1, 30 * kMs));
    EXPECT_FALSE(path.is_broken(20 * kMs, 30 * kMs));
}

TEST(MotionPath, AStretchWithAShiftExistsOnBothSides) {
    const MotionPath path = make_shift(20);
    for (const double y : {0.0, 100.0}) {
        const NearestPoint nearest = find_at(path, {2.5, y, 0.0});
        EXPECT_EQ(nearest.time_ns, 25 * kMs) << y;
        EXPECT_NEAR(nearest.distance, 0.0, kRounding) << y;
        EXPECT_NEAR(nearest.speed, 100.0, 1e-6) << y;
        EXPECT_FALSE(nearest.streak) << y;
    }
    EXPECT_TRUE(find_at(path, {2.5, 40.0, 0.0}).streak);
    EXPECT_NEAR(path.median_speed(), 100.0, 1e-6);
}

TEST(MotionPath, TheFarSideOfAShiftIsSeenSinceItsStart) {
    // 1.5 m on the far side is 0.5 m before the last state there, or on the path.
    EXPECT_NEAR(find_at(make_shift(20), {1.5, 100.0, 0.0}).distance, 0.5, kRounding);
    EXPECT_NEAR(find_at(make_shift(10), {1.5, 100.0, 0.0}).distance, 0.0, kRounding);
    EXPECT_EQ(find_at(make_shift(10), {1.5, 100.0, 0.0}).time_ns, 15 * kMs);
    EXPECT_NEAR(find_at(make_shift(10), {0.5, 100.0, 0.0}).distance, 0.5, kRounding);
    EXPECT_EQ(find_at(make_shift(0), {0.5, 100.0, 0.0}).time_ns, 5 * kMs);
    // In a narrow window as well.
    const NearestPoint narrow = find(
        make_shift(0), {.position = {0.5, 100.0, 0.0}, .centre_ns = 5 * kMs, .window_ns = kMs});
    EXPECT_NEAR(narrow.distance, 0.0, kRounding);
}

TEST(MotionPath, BrokenIsAStepThatTouchesAShiftFromItsStartOn) {
    const MotionPath path = make_shift(10);
    EXPECT_FALSE(path.is_broken(0, 10 * kMs));
    EXPECT_TRUE(path.is_broken(11 * kMs, 12 * kMs));
    EXPECT_FALSE(path.is_broken(30 * kMs, 40 * kMs));
}

TEST(MotionPath, BeforeTheStretchWithAShiftItMovesOn) {
    // The far side may be seen since 0 ms, but the object is there only after 20 ms.
    EXPECT_NEAR(make_shift(0).at(15 * kMs).position.x, 1.5, kRounding);
    EXPECT_EQ(make_shift(0).at(15 * kMs).position.y, 0.0);
    EXPECT_EQ(make_shift(0).at(30 * kMs).position.y, 100.0);
}

TEST(MotionPath, AShiftTurnsAndThenMoves) {
    MotionPath path;
    path.add(at_x(0, 0.0));
    path.add(at_x(10, 1.0));
    // A quarter turn: on along y. Twice its length, which does not matter.
    const PathShift shift{.translation = {50.0, 0.0, 0.0},
                          .rotation = glm::angleAxis(std::numbers::pi / 2.0, kUp) * 2.0};
    path.add_after_shift({20 * kMs, {50.0, 2.0, 0.0}}, shift, 10 * kMs);
    path.finish();
    EXPECT_EQ(find_at(path, {50.0, 1.25, 0.0}).time_ns, 12'500'000);
    EXPECT_NEAR(find_at(path, {50.0, 1.25, 0.0}).distance, 0.0, kRounding);
    EXPECT_EQ(find_at(path, {1.75, 0.0, 0.0}).time_ns, 17'500'000);
    EXPECT_NEAR(find_at(path, {1.75, 0.0, 0.0}).distance, 0.0, kRounding);
}

TEST(MotionPath, AShiftWithoutARotationOnlyMoves) {
    MotionPath path;
    path.add(at_x(0, 0.0));
    path.add_after_shift(at_x(10, 101.0),
                         {.translation = {100.0, 0.0, 0.0}, .rotation = {0.0, 0.0, 0.0, 0.0}}, 0);
    path.finish();
    EXPECT_EQ(find_at(path, {100.5, 0.0, 0.0}).time_ns, 5 * kMs);
    EXPECT_EQ(find_at(path, {0.5, 0.0, 0.0}).time_ns, 5 * kMs);
}

TEST(MotionPath, ShiftsInARowKeepEverySide) {
    MotionPath path;
    path.add(at_x(0, 0.0));
    path.add_after_shift({10 * kMs, {1.0, 100.0, 0.0}}, {.translation = {0.0, 100.0, 0.0}}, 0);
    path.add_after_shift({20 * kMs, {2.0, 200.0, 0.0}}, {.translation = {0.0, 100.0, 0.0}}, 0);
    path.add({30 * kMs, {3.0, 200.0, 0.0}});
    path.finish();
    EXPECT_EQ(find_at(path, {0.5, 0.0, 0.0}).time_ns, 5 * kMs);
    EXPECT_EQ(find_at(path, {0.5, 100.0, 0.0}).time_ns, 5 * kMs);
    EXPECT_EQ(find_at(path, {1.5, 100.0, 0.0}).time_ns, 15 * kMs);
    EXPECT_EQ(find_at(path, {0.5, 200.0, 0.0}).time_ns, 5 * kMs);
    EXPECT_EQ(find_at(path, {1.5, 200.0, 0.0}).time_ns, 15 * kMs);
    // The search relies on the order of times: a window must not lose any of them.
    for (const double y : {100.0, 200.0}) {
        const NearestPoint nearest =
            find(path, {.position = {1.5, y, 0.0}, .centre_ns = 15 * kMs, .window_ns = kMs});
        EXPECT_NEAR(nearest.distance, 0.0, kRounding) << y;
    }
}

} // namespace
} // namespace glissade
