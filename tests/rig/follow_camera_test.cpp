// SPDX-License-Identifier: MIT
#include "glissade/rig/follow_camera.h"

#include "glissade/base/hooks.h"
#include "glissade/rig/local_body.h"
#include "glissade/time/fixed_step.h"
#include "glissade/time/quantum_gate.h"

#include "time/frame_series.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::frame_time_ns;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr auto kPi = std::numbers::pi_v<float>;

// The yaw goes through a float quaternion: 1.2e-7 rad of 6.4 m.
constexpr double kYawTolerance = 1e-6;
// Of a direction that was turned by a float quaternion.
constexpr double kTurnTolerance = 1e-6;
// What rounding adds to a path within 100 m of the origin.
constexpr double kRounding = 1e-9;

void expect_near(const glm::dvec3& actual, const glm::dvec3& expected, double tolerance) {
    EXPECT_NEAR(actual.x, expected.x, tolerance);
    EXPECT_NEAR(actual.y, expected.y, tolerance);
    EXPECT_NEAR(actual.z, expected.z, tolerance);
}

double norm(const glm::quat& rotation) {
    return std::sqrt(static_cast<double>(rotation.x) * rotation.x +
                     static_cast<double>(rotation.y) * rotation.y +
                     static_cast<double>(rotation.z) * rotation.z +
                     static_cast<double>(rotation.w) * rotation.w);
}

/// It is a rotation, looks from the eye to look_at, and `picture_up` points up in the picture.
void expect_looks(const CameraView& view, const glm::dvec3& picture_up) {
    EXPECT_NEAR(norm(view.rotation), 1.0, 1e-6);
    const glm::dvec3 sight = rotate(view.rotation, {0.0, 0.0, -1.0});
    expect_near(sight, glm::normalize(view.look_at - view.eye), kTurnTolerance);
    const glm::dvec3 right = rotate(view.rotation, {1.0, 0.0, 0.0});
    EXPECT_NEAR(glm::dot(right, picture_up), 0.0, kTurnTolerance);
    EXPECT_GT(glm::dot(rotate(view.rotation, {0.0, 1.0, 0.0}), picture_up), 0.0);
}

/// Where the camera looks at a common set of times, 30 a second, for a target that is a function
/// of the time in seconds.
template <class Target>
std::vector<glm::dvec3> follow(std::int64_t rate_hz, Target&& target) {
    FollowCamera camera({.look_at_offset = glm::dvec3(0.0)});
    std::vector<glm::dvec3> path;
    std::int64_t last_ns = 0;
    for (std::int64_t index = 0; index <= 3 * rate_hz; ++index) {
        const std::int64_t now_ns = frame_time_ns({rate_hz, 1}, index);
        const CameraView view = camera.update({.position = target(now_ns)}, now_ns - last_ns);
        last_ns = now_ns;
        if (index % (rate_hz / 30) == 0) {
            path.push_back(view.look_at);
        }
    }
    return path;
}

double largest_difference(const std::vector<glm::dvec3>& a, const std::vector<glm::dvec3>& b,
                          std::size_t from = 0) {
    EXPECT_EQ(a.size(), b.size());
    double largest = 0.0;
    for (std::size_t i = from; i < a.size(); ++i) {
        largest = std::max(largest, glm::distance(a[i], b[i]));
    }
    return largest;
}

constexpr double kSpeed = 4.0;                              // Metres per second.
constexpr double kRadius = 10.0;                            // Metres.
constexpr double kAcceleration = kSpeed * kSpeed / kRadius; // Towards the centre.

glm::dvec3 on_circle(double time_s) {
    const double angle = kSpeed / kRadius * time_s;
    return {kRadius * std::cos(angle), 0.0, kRadius * std::sin(angle)};
}

/// Walks on the circle, ticked.
struct CircleModel {
    struct Input {
        float yaw_rad = 0.0F;
    };
    static glm::dvec3 acceleration(const BodyState& /*state*/, const Input& /*input*/) {
        return glm::dvec3(0.0);
    }
    void integrate(BodyState& state, const glm::dvec3& /*acceleration*/, double step_s) {
        time_s += step_s;
        state.position = on_circle(time_s);
    }
    static Resolved resolve(const glm::dvec3& /*before*/, const glm::dvec3& after) {
        return {.position = after};
    }
    double time_s = 0.0;
};

TEST(FollowCamera, TheFirstUpdateGoesThereAtOnce) {
    FollowCamera camera;
    const CameraView view = camera.update({.position = {10.0, 0.0, 20.0}}, 0);
    EXPECT_TRUE(view.cut);
    EXPECT_EQ(view.look_at, glm::dvec3(10.0, 1.5, 20.0));
    EXPECT_EQ(view.eye, glm::dvec3(10.0, 3.5, 26.0)); // Yaw 0 looks along -Z.
    expect_looks(view, {0.0, 1.0, 0.0});
    EXPECT_FALSE(camera.update({.position = {10.0, 0.0, 20.0}}, kMillisecond).cut);
}

TEST(FollowCamera, AStepIsFollowedByOneMinusTheExponential) {
    FollowCamera camera({.look_at_offset = glm::dvec3(0.0), .damping = 10.0});
    camera.update({}, 0);
    camera.update({.position = {1.0, 0.0, 0.0}}, 0); // A step takes no time.
    const CameraView view = camera.update({.position = {1.0, 0.0, 0.0}}, 100 * kMillisecond);
    EXPECT_NEAR(view.look_at.x, 1.0 - std::exp(-1.0), kRounding);
}

TEST(FollowCamera, AStraightPathIsTheSameAt30And240) {
    // At rest, then straight, then back, turning at frames of both: the damping is exact, so that
    // only rounding is left.
    const auto target = [](std::int64_t now_ns) {
        const double time_s = static_cast<double>(now_ns) * 1e-9;
        const double x = kSpeed * std::max(time_s - 0.5, 0.0);
        const double back = 2.0 * kSpeed * std::max(time_s - 2.0, 0.0);
        return glm::dvec3(x - back, 0.5 * x, 0.0);
    };
    EXPECT_LT(largest_difference(follow(30, target), follow(240, target)), kRounding);
    EXPECT_LT(largest_difference(follow(60, target), follow(240, target)), kRounding);
}

TEST(FollowCamera, ACurvedPathIsTheSameAt30And240To1e3) {
    const auto target = [](std::int64_t now_ns) {
        return on_circle(static_cast<double>(now_ns) * 1e-9);
    };
    // The camera takes the chord of each frame, at most a h^2 / 8 away from the arc. A first-order
    // lag is a mean of the past, so it enlarges no difference between two targets.
    const double bound = kAcceleration / (8.0 * 30.0 * 30.0);
    ASSERT_LT(bound, 1e-3);
    EXPECT_LT(largest_difference(follow(30, target), follow(240, target)), bound + kRounding);
}

TEST(FollowCamera, ATickedAndInterpolatedTargetIsTheSameAt30And240To1e3) {
    constexpr std::int64_t kTickRateHz = 20;
    const auto follow_body = [](std::int64_t rate_hz) {
        LocalBody<FixedStep> body(FixedStep({.rate = {kTickRateHz, 1}}), on_circle(0.0));
        CircleModel model;
        return follow(rate_hz, [&](std::int64_t now_ns) {
            return body.update(now_ns, CircleModel::Input{}, model).render_position;
        });
    };
    // The drawn path is the same at any frame rate: a chain of chords, whose direction changes by
    // a H per tick. A frame of h that spans one such corner cuts it by at most a H h / 4. The
    // sudden start is a corner of all of the speed, v h / 4; after 1 s at a damping of 10 / s
    // e^-10 of that is left. Stamps are whole nanoseconds: 4 nm more.
    const double bound = kAcceleration / (4.0 * 30.0 * static_cast<double>(kTickRateHz)) +
                         kSpeed / (4.0 * 30.0) * std::exp(-10.0) + 4e-9;
    ASSERT_LT(bound, 1e-3);
    EXPECT_LT(largest_difference(follow_body(30), follow_body(240), 31), bound);
}

// Trap 49's neighbour: whoever looks on follows the visual pose, and a cut is a cut for it too.
TEST(FollowCamera, ACutOfTheTargetCutsTheCamera) {
    FollowCamera camera;
    camera.update({.cuts = 3}, 0);
    camera.update({.position = {0.1, 0.0, 0.0}, .cuts = 3}, 16 * kMillisecond);
    CameraView view = camera.update({.position = {500.0, 0.0, 0.0}, .cuts = 4}, 16 * kMillisecond);
    EXPECT_TRUE(view.cut);
    EXPECT_EQ(view.look_at, glm::dvec3(500.0, 1.5, 0.0));
    view = camera.update({.position = {500.1, 0.0, 0.0}, .cuts = 4}, 16 * kMillisecond);
    EXPECT_FALSE(view.cut);
    EXPECT_GT(view.look_at.x, 500.0);
    EXPECT_LT(view.look_at.x, 500.1);
}

TEST(FollowCamera, ATeleportOfALocalBodyCutsTheCamera) {
    LocalBody<FixedStep> body(FixedStep({.rate = {30, 1}}), on_circle(0.0));
    CircleModel model;
    FollowCamera camera;
    const auto show = [&](std::int64_t now_ms) {
        const BodyFrame frame = body.update(now_ms * kMillisecond, CircleModel::Input{}, model);
        return camera.update({frame.render_position, frame.yaw_rad, body.shown_cuts()},
                             10 * kMillisecond);
    };
    EXPECT_TRUE(show(0).cut);
    EXPECT_FALSE(show(10).cut);
    EXPECT_TRUE(body.set_position({70.0, 0.0, 0.0}));
    const CameraView view = show(20);
    EXPECT_TRUE(view.cut);
    EXPECT_EQ(view.look_at, glm::dvec3(70.0, 1.5, 0.0));
    EXPECT_FALSE(show(30).cut);
}

TEST(FollowCamera, CutGoesThereAtOnceInTheNextUpdate) {
    FollowCamera camera;
    camera.update({}, 0);
    camera.cut();
    const CameraView view = camera.update({.position = {9.0, 0.0, 0.0}}, kMillisecond);
    EXPECT_TRUE(view.cut);
    EXPECT_EQ(view.look_at.x, 9.0);
}

TEST(FollowCamera, YawIsNotDamped) {
    FollowCamera camera;
    camera.update({}, 0);
    // A quarter turn counter-clockwise about +Y takes -Z to -X.
    const CameraView view = camera.update({.yaw_rad = kPi / 2.0F}, kMillisecond);
    EXPECT_FALSE(view.cut);
    expect_near(view.eye, {6.0, 3.5, 0.0}, kYawTolerance);
    expect_looks(view, {0.0, 1.0, 0.0});
    // Many turns are as good as none.
    const CameraView again = camera.update({.yaw_rad = 8.0F * kPi}, kMillisecond);
    expect_near(again.eye, {0.0, 3.5, 6.0}, 1e-5); // A float of 25 is off by 1e-6 rad.
}

TEST(FollowCamera, DampingOfZeroOrLessFollowsAtOnce) {
    for (const double damping : {0.0, -1.0}) {
        FollowCamera camera({.damping = damping});
        camera.update({}, 0);
        for (const std::int64_t elapsed_ns : {std::int64_t{0}, kMillisecond}) {
            const CameraView view = camera.update({.position = {7.0, 0.0, 1.0}}, elapsed_ns);
            EXPECT_EQ(view.look_at, glm::dvec3(7.0, 1.5, 1.0));
            EXPECT_FALSE(view.cut);
        }
    }
}

// Trap 14: no time, or time that runs backwards.
TEST(FollowCamera, ZeroAndNegativeTimeMoveNothing) {
    FollowCamera camera;
    camera.update({}, 0);
    for (const std::int64_t elapsed_ns :
         {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
        const CameraView view = camera.update({.position = {5.0, 0.0, 0.0}}, elapsed_ns);
        EXPECT_EQ(view.look_at, glm::dvec3(0.0, 1.5, 0.0));
        EXPECT_FALSE(view.cut);
    }
    const CameraView view =
        camera.update({.position = {5.0, 0.0, 0.0}}, std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(view.look_at, glm::dvec3(5.0, 1.5, 0.0));
}

TEST(FollowCamera, ABadTargetIsIgnoredAndItsTimeIsNotLost) {
    FollowCamera camera;
    FollowCamera undisturbed;
    camera.update({}, 0);
    undisturbed.update({}, 0);
    const CameraView before = camera.update({.position = {0.1, 0.0, 0.0}}, 25 * kMillisecond);
    undisturbed.update({.position = {0.1, 0.0, 0.0}}, 25 * kMillisecond);
    constexpr auto kNaNYaw = std::numeric_limits<float>::quiet_NaN();
    const std::array<CameraTarget, 4> bad = {{{.position = {kNaN, 0.0, 0.0}},
                                              {.position = {0.0, kInfinity, 0.0}},
                                              {.position = {0.0, 0.0, 2.0 * kMaxPosition}},
                                              {.yaw_rad = kNaNYaw}}};
    for (const CameraTarget& target : bad) {
        const CameraView view = camera.update(target, 25 * kMillisecond);
        EXPECT_EQ(view.eye, before.eye);
        EXPECT_EQ(view.look_at, before.look_at);
        EXPECT_FALSE(view.cut);
    }
    // Five frames of an even motion later it is where it would have been without the bad ones.
    for (int frame = 1; frame < 5; ++frame) {
        undisturbed.update({.position = {0.1 + 0.1 * frame, 0.0, 0.0}}, 25 * kMillisecond);
    }
    const CameraView view = camera.update({.position = {0.6, 0.0, 0.0}}, 25 * kMillisecond);
    const CameraView expected =
        undisturbed.update({.position = {0.6, 0.0, 0.0}}, 25 * kMillisecond);
    EXPECT_NEAR(view.look_at.x, expected.look_at.x, kRounding);
}

TEST(FollowCamera, ABadFirstTargetLeavesTheFirstUpdateToTheNext) {
    FollowCamera camera;
    EXPECT_FALSE(camera.update({.position = {kNaN, 0.0, 0.0}}, 0).cut);
    const CameraView view = camera.update({.position = {3.0, 0.0, 0.0}}, kMillisecond);
    EXPECT_TRUE(view.cut);
    EXPECT_EQ(view.look_at.x, 3.0);
}

TEST(FollowCamera, AnObstacleMovesTheEyeAndNothingElse) {
    FollowCamera camera;
    FollowCamera free_camera;
    const auto wall = [](const glm::dvec3& look_at, const glm::dvec3& eye) {
        EXPECT_EQ(look_at, glm::dvec3(0.0, 1.5, 0.0));
        EXPECT_EQ(eye, glm::dvec3(0.0, 3.5, 6.0));
        return glm::dvec3(1.0, 2.0, 3.0);
    };
    const CameraView view = camera.update({}, 0, wall);
    free_camera.update({}, 0);
    EXPECT_TRUE(view.cut);
    EXPECT_EQ(view.eye, glm::dvec3(1.0, 2.0, 3.0));
    EXPECT_EQ(view.look_at, glm::dvec3(0.0, 1.5, 0.0));
    expect_looks(view, {0.0, 1.0, 0.0});
    const CameraView after = camera.update({.position = {1.0, 0.0, 0.0}}, 20 * kMillisecond);
    const CameraView expected =
        free_camera.update({.position = {1.0, 0.0, 0.0}}, 20 * kMillisecond);
    EXPECT_EQ(after.eye, expected.eye);
    EXPECT_EQ(after.rotation, expected.rotation);
}

TEST(FollowCamera, AnEyeThatIsNotFiniteOrInTheTargetKeepsTheFreeRotation) {
    FollowCamera camera;
    const CameraView free_view = camera.update({}, 0);
    const auto nowhere = [](const glm::dvec3&, const glm::dvec3&) { return glm::dvec3(kNaN); };
    CameraView view = camera.update({}, 0, nowhere);
    EXPECT_EQ(view.eye, free_view.eye);
    EXPECT_EQ(view.rotation, free_view.rotation);
    const auto inside = [](const glm::dvec3& look_at, const glm::dvec3&) { return look_at; };
    view = camera.update({}, 0, inside);
    EXPECT_EQ(view.eye, free_view.look_at);
    EXPECT_EQ(view.rotation, free_view.rotation);
}

TEST(FollowCamera, StraightDownAndUpThePictureStaysInTheYaw) {
    for (const double height : {10.0, -10.0}) {
        // Straight, and 0.06 degrees off it.
        for (const double distance : {0.0, 0.01}) {
            FollowCamera camera({.distance = distance, .height = height});
            const double sign = height > 0.0 ? 1.0 : -1.0;
            CameraView view = camera.update({}, 0);
            expect_looks(view, {0.0, 0.0, -sign});
            view = camera.update({.yaw_rad = kPi / 2.0F}, kMillisecond);
            expect_looks(view, {-sign, 0.0, 0.0});
        }
    }
}

TEST(FollowCamera, AnEyeInTheTargetKeepsTheLastRotation) {
    FollowCamera camera({.distance = 0.0, .height = 0.0});
    EXPECT_EQ(camera.update({}, 0).rotation, quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F));
    const auto above = [](const glm::dvec3& look_at, const glm::dvec3&) {
        return look_at + glm::dvec3(0.0, 1.0, 0.0);
    };
    expect_looks(camera.update({}, 0, above), {0.0, 0.0, -1.0});
}

TEST(FollowCamera, OtherAxesWorkAlike) {
    FollowCamera camera(
        {.look_at_offset = {0.0, 0.0, 1.5}, .up = {0.0, 0.0, 1.0}, .forward = {1.0, 0.0, 0.0}});
    CameraView view = camera.update({}, 0);
    EXPECT_EQ(view.eye, glm::dvec3(-6.0, 0.0, 3.5));
    expect_looks(view, {0.0, 0.0, 1.0});
    view = camera.update({.yaw_rad = kPi / 2.0F}, kMillisecond); // Looks along +Y.
    expect_near(view.eye, {0.0, -6.0, 3.5}, kYawTolerance);
    expect_looks(view, {0.0, 0.0, 1.0});
}

TEST(FollowCamera, AtConstantSpeedItStaysSpeedByDampingBehindTheVisualPose) {
    struct Drifter : CircleModel {
        static void integrate(BodyState& state, const glm::dvec3& /*unused*/, double step_s) {
            state.position.x += kSpeed * step_s;
        }
    };
    LocalBody<QuantumGate> body;
    FollowCamera camera({.look_at_offset = glm::dvec3(0.0), .damping = 10.0});
    double last_eye_x = 0.0;
    std::int64_t last_ns = 0;
    for (std::int64_t index = 0; index < 720; ++index) {
        const std::int64_t now_ns = frame_time_ns({144, 1}, index);
        const BodyFrame frame = body.update(now_ns, CircleModel::Input{}, Drifter{});
        const std::int64_t elapsed_ns = now_ns - last_ns;
        const CameraView view = camera.update({.position = frame.render_position}, elapsed_ns);
        // After 3 s 4 e^-30 m of the start are left. A frame's step is even to 8 nm, and of such a
        // ripple the lag passes on no more than it gets; a logical pose would step by 0.14 m.
        if (index > 432) {
            EXPECT_NEAR(frame.render_position.x - view.look_at.x, kSpeed / 10.0, 1e-7);
            EXPECT_NEAR(view.eye.x - last_eye_x, kSpeed * static_cast<double>(elapsed_ns) * 1e-9,
                        1e-7);
        }
        last_eye_x = view.eye.x;
        last_ns = now_ns;
    }
}

TEST(FollowCamera, SettingsOutOfRangeBecomeTheDefaults) {
    set_assert_handler([](const char*, const char*, int) {}); // On, the assert goes on.
    const std::array<FollowCameraConfig, 9> bad = {{{.distance = -1.0},
                                                    {.distance = kNaN},
                                                    {.height = kInfinity},
                                                    {.look_at_offset = {kNaN, 0.0, 0.0}},
                                                    {.damping = kNaN},
                                                    {.damping = kInfinity},
                                                    {.up = {0.0, 2.0, 0.0}},
                                                    {.forward = {0.0, 0.0, 0.0}},
                                                    {.forward = {0.0, 0.6, 0.8}}}};
    for (const FollowCameraConfig& config : bad) {
        FollowCamera camera(config);
        EXPECT_EQ(camera.update({}, 0).eye, glm::dvec3(0.0, 3.5, 6.0));
    }
    set_assert_handler(nullptr);
}

} // namespace
} // namespace glissade
