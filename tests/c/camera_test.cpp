// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <array>
#include <cmath>

namespace glissade::c_test {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

constexpr double kDistance = 6.0;
constexpr double kHeight = 2.0;
constexpr double kDamping = 10.0;
constexpr double kLookAtHeight = 1.5; // Of the default of the library.
constexpr double kQuarterTurn = 1.5707963267948966;
// The yaw is a float: a quarter turn is off by 4e-8, 6 m away by 3e-7 m.
constexpr double kYaw = 1e-6;

Camera make_camera(double damping = kDamping) {
    return Camera(glissade_camera_create(kDistance, kHeight, damping));
}

glissade_view update(const Camera& camera, double x, double elapsed_ms, std::uint32_t cuts = 0,
                     double yaw = 0.0) {
    const std::array<double, 3> position{x, 0.0, 0.0};
    glissade_view view{};
    glissade_camera_update(camera.get(), position.data(), yaw, cuts, elapsed_ms, &view);
    return view;
}

TEST(CCamera, BeginsBehindAndAboveItsTarget) {
    const Camera camera = make_camera();
    const glissade_view view = update(camera, 3.0, kFrameMs);
    EXPECT_THAT(view.look_at, ElementsAre(3.0, kLookAtHeight, 0.0));
    EXPECT_THAT(view.eye, ElementsAre(3.0, kLookAtHeight + kHeight, kDistance));
}

TEST(CCamera, LooksWhereItLooksAt) {
    const Camera camera = make_camera();
    const glissade_view view = update(camera, 0.0, kFrameMs);
    const double pitch = -std::atan2(kHeight, kDistance);
    // Unit quaternions of floats: 1e-6.
    EXPECT_THAT(view.rotation,
                ElementsAre(DoubleNear(std::sin(pitch / 2.0), 1e-6), DoubleNear(0.0, 1e-6),
                            DoubleNear(0.0, 1e-6), DoubleNear(std::cos(pitch / 2.0), 1e-6)));
}

TEST(CCamera, TurnsWithTheYawAtOnce) {
    const Camera camera = make_camera();
    update(camera, 0.0, kFrameMs);
    const glissade_view view = update(camera, 0.0, 0.0, 0, kQuarterTurn);
    // Counter-clockwise from -Z is -X: the eye is on the other side.
    EXPECT_NEAR(view.eye[0], kDistance, kYaw);
    EXPECT_NEAR(view.eye[2], 0.0, kYaw);
}

TEST(CCamera, ThePathDoesNotDependOnTheFrameRate) {
    const Camera slow = make_camera();
    const Camera fast = make_camera();
    update(slow, 0.0, 0.0);
    update(fast, 0.0, 0.0);
    for (int i = 1; i <= 30; ++i) {
        const double slow_x = update(slow, i * 0.1, 32.0).look_at[0];
        double fast_x = 0.0;
        for (int part = 1; part <= 8; ++part) {
            fast_x = update(fast, (i - 1) * 0.1 + part * 0.0125, 4.0).look_at[0];
        }
        // Exact but for rounding: 8 times 30 steps of doubles up to 3 m.
        EXPECT_NEAR(slow_x, fast_x, 1e-12) << i;
    }
}

TEST(CCamera, StaysSpeedByDampingBehind) {
    const Camera camera = make_camera();
    update(camera, 0.0, 0.0);
    double x = 0.0;
    double followed = 0.0;
    for (int i = 0; i < 1000; ++i) {
        x += position_at(kFrameMs);
        followed = update(camera, x, kFrameMs).look_at[0];
    }
    // After 7 s, 70 time constants, nothing is left of the beginning.
    EXPECT_NEAR(x - followed, kSpeed / kDamping, 1e-9);
}

TEST(CCamera, AChangedCountOfCutsJumps) {
    const Camera camera = make_camera();
    update(camera, 0.0, 0.0);
    EXPECT_LT(update(camera, 100.0, kFrameMs).look_at[0], 99.0);
    EXPECT_EQ(update(camera, 200.0, kFrameMs, 1).look_at[0], 200.0);
}

TEST(CCamera, WithoutDampingItFollowsAtOnce) {
    const Camera camera = make_camera(0.0);
    update(camera, 0.0, 0.0);
    EXPECT_EQ(update(camera, 5.0, kFrameMs).look_at[0], 5.0);
}

TEST(CCamera, ATargetThatIsNoneKeepsTheLastView) {
    const Camera camera = make_camera(0.0);
    update(camera, 5.0, kFrameMs);
    EXPECT_EQ(update(camera, kNone, kFrameMs).look_at[0], 5.0);
    EXPECT_EQ(update(camera, 6.0, kFrameMs, 0, kNone).look_at[0], 5.0);
    EXPECT_EQ(update(camera, 7.0, kNone).look_at[0], 7.0) << "no time passed, but it follows";
}

TEST(CCamera, SettingsOutOfRangeAreRefusedWithAReason) {
    struct Settings {
        double distance, height, damping;
    };
    const std::array<Settings, 7> bad = {{{-1.0, 2.0, 10.0},
                                          {kNone, 2.0, 10.0},
                                          {kForever, 2.0, 10.0},
                                          {6.0, kNone, 10.0},
                                          {6.0, 2.0, kForever},
                                          {1e13, 2.0, 10.0},    // Beyond every position.
                                          {6.0, -1e13, 10.0}}}; // The same.
    for (const Settings& settings : bad) {
        EXPECT_EQ(glissade_camera_create(settings.distance, settings.height, settings.damping),
                  nullptr)
            << settings.distance << " " << settings.height << " " << settings.damping;
        EXPECT_THAT(glissade_problem(), says("glissade_camera_create: "));
    }
}

} // namespace
} // namespace glissade::c_test
