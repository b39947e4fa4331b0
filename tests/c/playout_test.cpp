// SPDX-License-Identifier: MIT
#include "tests/c/c_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace glissade::c_test {
namespace {

// A stage blends by a float of the time between two ticks, 2^-24 of 32 mm: 2e-9 m.
constexpr double kBlend = 1e-8;
constexpr double kFixedDelayMs = 40.0;
constexpr int kWarmup = 200; // Frames, until the picture runs.

// A source and the playout of its link, on one clock that the test moves.
class World {
public:
    explicit World(double fixed_delay_ms = kNone) : playout(link.make_playout(fixed_delay_ms)) {
        EXPECT_NE(playout, nullptr) << glissade_problem();
    }
    [[nodiscard]] bool tick_is_due() const {
        return (source.tick + 1.0) * kTickMs + late_ms <= now_ms + kFrameMs;
    }
    void frame() {
        now_ms += kFrameMs;
        count = glissade_playout_present(playout.get(), now_ms, now_ms);
    }
    // Frames with their ticks; `on_tick` moves the objects and publishes.
    template <class OnTick, class AfterFrame>
    void run(int frame_count, const OnTick& on_tick, const AfterFrame& after_frame) {
        for (int i = 0; i < frame_count; ++i) {
            while (tick_is_due()) {
                on_tick();
            }
            frame();
            after_frame(i);
        }
    }
    void run(int frame_count) {
        run(
            frame_count, [&] { source.move_and_publish(); }, [](int) {});
    }
    [[nodiscard]] std::span<const glissade_drawn> poses() const {
        return {glissade_playout_poses(playout.get()), count};
    }
    // Null if it is not visible.
    [[nodiscard]] const glissade_drawn* find(glissade_id id) const {
        const auto all = poses();
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const auto& pose) { return pose.id == id; });
        return found == all.end() ? nullptr : &*found;
    }
    [[nodiscard]] double x() const {
        const glissade_drawn* const pose = find(source.id);
        return pose != nullptr ? pose->position[0] : kNone;
    }
    [[nodiscard]] glissade_report report() const {
        glissade_report report{};
        glissade_playout_report(playout.get(), &report);
        return report;
    }

    LinkMemory link{8};
    Source source{link};
    Playout playout;
    double now_ms = 0.0;
    double late_ms = 0.0; // Of the next tick.
    std::uint32_t count = 0;
};

TEST(CPlayout, MotionAtAConstantSpeedIsDrawnInEqualSteps) {
    World world(kFixedDelayMs);
    world.run(kWarmup);
    double last_x = world.x();
    const auto look = [&](int frame) {
        // Each end of a step is off by kBlend at most, and by 1 ns of its time: 2e-9 m.
        EXPECT_NEAR(world.x() - last_x, position_at(kFrameMs), 3.0 * kBlend) << frame;
        last_x = world.x();
    };
    world.run(
        600, [&] { world.source.move_and_publish(); }, look);
    EXPECT_EQ(world.report().underruns, 0.0);
}

TEST(CPlayout, LateTicksAreDrawnInEqualStepsToo) {
    World world;
    const auto late = [&] {
        world.source.move_and_publish(world.late_ms);
        world.late_ms = world.late_ms == 0.0 ? 6.0 : 0.0;
    };
    world.run(kWarmup, late, [](int) {});
    double last_x = world.x();
    const auto look = [&](int frame) {
        // While the measured delay moves, the rate is within [0.98, 1.005].
        EXPECT_NEAR(world.x() - last_x, position_at(kFrameMs), 0.02 * position_at(kFrameMs))
            << frame;
        last_x = world.x();
    };
    world.run(1000, late, look);
    EXPECT_EQ(world.report().underruns, 0.0);
}

TEST(CPlayout, AnObjectIsWhereItWasAtTheTimeThatTheFrameShows) {
    World world;
    const auto look = [&](int frame) {
        if (frame >= 20) {
            EXPECT_NEAR(world.x(), position_at(world.report().sample_ms), kBlend) << frame;
        }
    };
    world.run(
        600, [&] { world.source.move_and_publish(); }, look);
}

TEST(CPlayout, AFixedDelayIsKept) {
    World world(kFixedDelayMs);
    world.run(kWarmup);
    // Times are whole nanoseconds.
    EXPECT_NEAR(world.now_ms - world.report().sample_ms, kFixedDelayMs, 1e-6);
    EXPECT_NEAR(world.report().delay_ms, kFixedDelayMs, 1e-6);
}

TEST(CPlayout, ATeleportIsNeverDrawnOnItsWay) {
    constexpr double kFar = 1000.0;
    World world;
    bool there = false;
    const auto step = [&] {
        there = there || world.source.tick >= 100.0;
        const glissade_row row =
            row_at((there ? kFar : 0.0) + world.source.next_x(), world.source.id);
        if (world.source.tick == 100.0) {
            EXPECT_EQ(glissade_writer_cut(world.source.writer.get(), &row), 1);
        } else {
            EXPECT_EQ(glissade_writer_move(world.source.writer.get(), &row, 1), 1U);
        }
        world.source.publish();
    };
    int jumps = 0;
    double last_x = 0.0;
    const auto look = [&](int frame) {
        const double x = world.find(world.source.id) != nullptr ? world.x() : 0.0;
        // Of 600 frames in which it runs at 2 m/s: 8.4 m on either side.
        EXPECT_TRUE(x < 9.0 || (x >= kFar && x < kFar + 9.0)) << frame << ": " << x;
        jumps += x - last_x > 1.0 ? 1 : 0;
        last_x = x;
    };
    world.run(600, step, look);
    EXPECT_EQ(jumps, 1);
}

TEST(CPlayout, ThroughAPortalTheSpeedIsKept) {
    constexpr std::array<double, 4> kTurn{0.0, 0.0, 0.0, 1.0};
    constexpr std::array<double, 3> kWay{500.0, 0.0, 0.0};
    World world(kFixedDelayMs);
    double displaced = 0.0;
    const auto step = [&] {
        if (world.source.tick == 150.0) {
            EXPECT_EQ(glissade_writer_shift(world.source.writer.get(), world.source.id,
                                            kTurn.data(), kWay.data()),
                      1);
            displaced = kWay[0];
        }
        const glissade_row row = row_at(displaced + world.source.next_x(), world.source.id);
        EXPECT_EQ(glissade_writer_move(world.source.writer.get(), &row, 1), 1U);
        world.source.publish();
    };
    world.run(kWarmup, step, [](int) {});
    double last_x = world.x();
    int portals = 0;
    const auto look = [&](int frame) {
        const bool portal = world.x() - last_x > 400.0;
        portals += portal ? 1 : 0;
        const double step_m = world.x() - last_x - (portal ? kWay[0] : 0.0);
        // As for equal steps; the far side's 500 m are exact in a double to 1e-13 m.
        EXPECT_NEAR(step_m, position_at(kFrameMs), 3.0 * kBlend) << frame;
        last_x = world.x();
    };
    world.run(300, step, look);
    EXPECT_EQ(portals, 1);
}

TEST(CPlayout, ARemovedObjectIsNotDrawnAnyMoreAndTheOthersAre) {
    World world;
    const glissade_row row = row_at(50.0);
    const glissade_id second = glissade_writer_add(world.source.writer.get(), &row);
    world.run(kWarmup);
    ASSERT_NE(world.find(second), nullptr);
    EXPECT_EQ(world.count, 2U);
    ASSERT_EQ(glissade_writer_remove(world.source.writer.get(), second), 1);
    world.run(60);
    EXPECT_EQ(world.find(second), nullptr);
    EXPECT_NE(world.find(world.source.id), nullptr);
    EXPECT_EQ(world.count, 1U);
}

TEST(CPlayout, ObjectsThatComeAndGoKeepTheNamesThatTheWriterGave) {
    World world;
    glissade_id visitor = 0.0;
    const auto come_and_go = [&] {
        if (visitor != 0.0) {
            EXPECT_EQ(glissade_writer_remove(world.source.writer.get(), visitor), 1);
        }
        const glissade_row row = row_at(100.0 + world.source.tick);
        visitor = glissade_writer_add(world.source.writer.get(), &row);
        EXPECT_GT(visitor, 0.0) << glissade_problem();
    };
    for (int round = 0; round < 50; ++round) {
        come_and_go();
        const double x = 100.0 + world.source.tick;
        world.run(30); // 210 ms: longer than the delay.
        const glissade_drawn* const pose = world.find(visitor);
        ASSERT_NE(pose, nullptr) << round;
        EXPECT_EQ(pose->position[0], x);
        EXPECT_EQ(world.count, 2U) << round;
    }
}

TEST(CPlayout, MatricesAgreeWithPoses) {
    World world;
    glissade_row turned = row_at(3.0);
    turned.rotation[1] = turned.rotation[3] = std::sqrt(0.5); // A quarter turn about y.
    const glissade_id second = glissade_writer_add(world.source.writer.get(), &turned);
    world.run(kWarmup);
    ASSERT_EQ(world.count, 2U);
    const auto row = static_cast<std::size_t>(world.find(second) - world.poses().data());
    const std::span<const float> matrix(glissade_playout_matrices(world.playout.get()) + 16 * row,
                                        16);
    // By columns: x goes to -z, y stays, z goes to x. A rounded sqrt(0.5) is off by 2^-25.
    constexpr std::array<float, 16> kExpected{0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1};
    for (std::size_t i = 0; i < kExpected.size(); ++i) {
        EXPECT_NEAR(matrix[i], kExpected[i], 2e-7F) << i;
    }
    const std::size_t mover = 1 - row;
    EXPECT_EQ(glissade_playout_matrices(world.playout.get())[16 * mover + 12],
              static_cast<float>(world.x()));
}

TEST(CPlayout, BeforeTheFirstStateNothingIsDrawnAndThereIsNoTime) {
    const LinkMemory link(4);
    const Playout playout = link.make_playout();
    EXPECT_EQ(glissade_playout_present(playout.get(), 10.0, kNone), 0U);
    EXPECT_EQ(glissade_playout_matrices(playout.get()), nullptr);
    glissade_report report{};
    glissade_playout_report(playout.get(), &report);
    EXPECT_TRUE(std::isnan(report.sample_ms));
    EXPECT_EQ(report.states, 0.0);
}

TEST(CPlayout, TheReportTellsOfTheSource) {
    World world;
    world.run(kWarmup);
    const glissade_report report = world.report();
    EXPECT_EQ(report.states, world.source.tick);
    EXPECT_EQ(report.tick_ms, kTickMs);
    EXPECT_EQ(report.scheduled, 1.0);
    EXPECT_EQ(report.relocks, 0.0);
    EXPECT_EQ(report.held, 0.0);
    // Its drift is told apart from 0 to 1e-3 after 1.4 s of even frames.
    EXPECT_NEAR(report.rate, 1.0, 1e-3);
    EXPECT_GT(report.frames, 0.0);
    EXPECT_LE(report.frames, kWarmup);
}

TEST(CPlayout, ATimeThatNoClockShowsChangesNothing) {
    World world;
    world.run(kWarmup);
    const double x = world.x();
    const double frames = world.report().frames;
    EXPECT_EQ(glissade_playout_present(world.playout.get(), kNone, kNone), world.count);
    EXPECT_THAT(glissade_problem(), says("glissade_playout_present: a time that no clock shows"));
    EXPECT_EQ(world.x(), x);
    EXPECT_EQ(world.report().frames, frames);
}

TEST(CPlayout, ADelayThatCannotBeIsRefusedWithAReason) {
    const LinkMemory link(4);
    EXPECT_EQ(link.make_playout(-1.0), nullptr);
    EXPECT_THAT(glissade_problem(), says("glissade_playout_create: a delay below 0"));
    EXPECT_EQ(link.make_playout(kForever), nullptr) << "it is not the measured one";
    EXPECT_NE(link.make_playout(0.0), nullptr) << "nobody has joined so far";
}

} // namespace
} // namespace glissade::c_test
