// SPDX-License-Identifier: MIT
#include "glissade/time/refresh_fit.h"

#include "time/display_series.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::DisplayFrame;
using testing::make_display;
using testing::make_variable_display;

void feed(RefreshFit& fit, const std::vector<DisplayFrame>& frames) {
    for (const DisplayFrame& frame : frames) {
        fit.add(frame.cpu_ns);
    }
}

TEST(RefreshFit, ExactFramesGiveTheExactLine) {
    RefreshFit fit;
    EXPECT_FALSE(fit.is_locked());
    EXPECT_EQ(fit.period_ns(), 0.0);
    for (std::int64_t i = 0; i < 300; ++i) {
        fit.add(1'000 + i * 10'000'000);
    }
    ASSERT_TRUE(fit.is_locked());
    EXPECT_EQ(fit.lock_count(), 1U);
    EXPECT_NEAR(fit.period_ns(), 10'000'000.0, 1e-3);
    EXPECT_NEAR(fit.concentration(), 1.0, 1e-9);
    const RefreshPoint point = fit.locate(1'000 + 300 * std::int64_t{10'000'000});
    EXPECT_NEAR(point.phase, 0.0, 1e-6);
    EXPECT_NEAR(fit.distance_ns(1'000 + 299 * std::int64_t{10'000'000}, point.ordinal),
                10'000'000.0, 1.0);
    EXPECT_NEAR(fit.distance_ns(0, point.ordinal - 300), 1'000.0, 1.0);
}

TEST(RefreshFit, AFrameBelongsToTheRefreshBeforeItButForALittle) {
    RefreshFit fit;
    for (std::int64_t i = 0; i < 300; ++i) {
        fit.add(i * 10'000'000);
    }
    const RefreshPoint point = fit.locate(3'000'000'000);
    EXPECT_EQ(fit.early(), 0.06); // Nothing strays.
    EXPECT_EQ(fit.locate(3'000'000'000 - 590'000).ordinal, point.ordinal);
    EXPECT_EQ(fit.locate(3'000'000'000 - 610'000).ordinal, point.ordinal - 1);
    EXPECT_EQ(fit.locate(3'000'000'000 + 9'390'000).ordinal, point.ordinal);
    EXPECT_EQ(fit.locate(3'000'000'000 + 9'410'000).ordinal, point.ordinal + 1);
}

TEST(RefreshFit, NoiseToBothSidesWidensWhatIsEarly) {
    RefreshFit fit;
    testing::Random random(2);
    for (std::int64_t i = 0; i < 600; ++i) {
        std::int64_t noise_ns = 0; // Of three even ones: deviation 1 ms, 0.06 periods.
        for (int part = 0; part < 3; ++part) {
            noise_ns += random.between(-1'000'000, 1'000'000);
        }
        fit.add(5'000'000 + i * 16'666'667 + noise_ns);
    }
    ASSERT_TRUE(fit.is_locked());
    // 0.06 + 5 * 0.4 * 0.06 = 0.18, within a third: the median of 32 blocks.
    EXPECT_NEAR(fit.early(), 0.18, 0.06);
}

TEST(RefreshFit, OrdinalsCountOnThroughRefits) {
    RefreshFit fit;
    const std::vector<DisplayFrame> frames =
        make_display({.frame_count = 2000, .late_percent = 20});
    std::int64_t previous = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        fit.add(frames[i].cpu_ns);
        const bool was_locked = i > 200;
        if (fit.is_locked()) {
            const std::int64_t ordinal = fit.locate(frames[i].cpu_ns).ordinal;
            EXPECT_TRUE(!was_locked || ordinal == previous + 1);
            previous = ordinal;
        }
    }
    EXPECT_EQ(fit.lock_count(), 1U);
}

TEST(RefreshFit, BlocksSpoiltByEarlyFramesDoNotMoveTheLine) {
    RefreshFit fit;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 1200, .late_percent = 0});
    for (std::size_t i = 100; i < frames.size(); i += 40) {
        frames[i].cpu_ns -= 900'000; // In one block of five.
    }
    feed(fit, frames);
    ASSERT_TRUE(fit.is_locked());
    const double late_ns = fit.locate(frames.back().present_ns + 337'500).phase * fit.period_ns();
    EXPECT_NEAR(late_ns, 0.0, 37'500.0); // Half of what callbacks usually differ by.
}

TEST(RefreshFit, DropGivesUpTheLockAndLooksAtNewFramesOnly) {
    RefreshFit fit;
    std::vector<DisplayFrame> frames = make_display({.frame_count = 300, .late_percent = 0});
    feed(fit, frames);
    ASSERT_TRUE(fit.is_locked());
    fit.drop();
    EXPECT_FALSE(fit.is_locked());
    frames = make_display({.rate_hz = 144.0,
                           .frame_count = 90,
                           .start_ns = frames.back().present_ns + 16'000'000,
                           .late_percent = 0});
    feed(fit, frames);
    ASSERT_TRUE(fit.is_locked());
    EXPECT_EQ(fit.lock_count(), 2U);
    EXPECT_NEAR(fit.period_ns(), 1e9 / 144.0, 1e3);
}

TEST(RefreshFit, EveryLockThatDoesNotLastMakesTheNextOneWait) {
    RefreshFit fit;
    std::int64_t cpu_ns = 0;
    std::int64_t previous_count = 0;
    for (int i = 0; i < 4; ++i) {
        std::int64_t frame_count = 0;
        while (!fit.is_locked()) {
            cpu_ns += 16'666'667;
            fit.add(cpu_ns);
            ++frame_count;
        }
        EXPECT_GT(frame_count, previous_count + previous_count / 2);
        previous_count = frame_count;
        fit.drop();
    }
}

TEST(RefreshFit, ALockThatLastsIsTrustedAgain) {
    RefreshFit fit;
    std::int64_t cpu_ns = 0;
    const auto frames_until_lock = [&] {
        std::int64_t frame_count = 0;
        for (; !fit.is_locked(); ++frame_count) {
            cpu_ns += 16'666'667;
            fit.add(cpu_ns);
        }
        return frame_count;
    };
    frames_until_lock();
    fit.drop();
    fit.drop();
    fit.drop();
    EXPECT_GE(frames_until_lock(), 256);
    for (int i = 0; i < 300; ++i) {
        cpu_ns += 16'666'667;
        fit.add(cpu_ns);
    }
    fit.drop();
    EXPECT_LE(frames_until_lock(), 80);
}

TEST(RefreshFit, ClearForgetsEverything) {
    RefreshFit fit;
    feed(fit, make_display({.frame_count = 300}));
    ASSERT_TRUE(fit.is_locked());
    fit.clear();
    EXPECT_FALSE(fit.is_locked());
    EXPECT_EQ(fit.period_ns(), 0.0);
    feed(fit, make_display({.frame_count = 31}));
    EXPECT_FALSE(fit.is_locked());
}

TEST(RefreshFit, AWalkIsNotTakenForLateness) {
    // 54 to 56 frames a second: the phases keep together for a while, and walk off.
    RefreshFit fit;
    std::int64_t locked_count = 0;
    for (const DisplayFrame& frame : make_variable_display(52, 58, 6000, 0, 1)) {
        fit.add(frame.cpu_ns);
        locked_count += fit.is_locked() ? 1 : 0;
    }
    EXPECT_LT(locked_count, 600);
}

} // namespace
} // namespace glissade
