// SPDX-License-Identifier: MIT
#include "glissade/time/playout.h"

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kTickNs = 16 * kMs;
constexpr std::int64_t kFrameNs = 4 * kMs;

// A picture of which the wanted time runs with real time; the newest state is what the test says.
class PlayoutRun {
public:
    // The source time shown by the next frame.
    std::int64_t frame(double rate = 1.0) {
        present_ns += kFrameNs;
        wanted_ns += static_cast<std::int64_t>(rate * kFrameNs);
        return playout.frame({.present_ns = present_ns,
                              .wanted_ns = wanted_ns,
                              .newest_ns = newest_ns,
                              .tick_ns = kTickNs,
                              .rate = rate});
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) {
            frame();
        }
    }
    // The rate of the next frame.
    double rate() {
        const std::int64_t before = shown();
        return static_cast<double>(frame() - before) / kFrameNs;
    }
    [[nodiscard]] std::int64_t shown() const { return wanted_ns - playout.debt_ns(); }

    Playout playout;
    std::int64_t present_ns = 0;
    std::int64_t wanted_ns = 0;
    std::int64_t newest_ns = 1'000'000 * kMs;
};

TEST(Playout, ShowsWhatIsWantedAsLongAsThereAreStates) {
    PlayoutRun run;
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(run.frame(), run.wanted_ns);
    }
    EXPECT_EQ(run.playout.stats().underrun_count, 0U);
    EXPECT_EQ(run.playout.stats().frame_count, 100U);
}

TEST(Playout, GoesOnForATickBeyondTheNewestStateThenStands) {
    PlayoutRun run;
    run.frames(10);
    run.newest_ns = run.wanted_ns;
    for (int i = 1; i <= 4; ++i) {
        EXPECT_EQ(run.frame(), run.newest_ns + i * kFrameNs);
    }
    EXPECT_EQ(run.frame(), run.newest_ns + kTickNs);
    EXPECT_EQ(run.frame(), run.newest_ns + kTickNs);
    EXPECT_EQ(run.playout.stats().underrun_count, 6U);
    EXPECT_EQ(run.playout.stats().held_count, 2U);
    EXPECT_EQ(run.playout.debt_ns(), 2 * kFrameNs);
}

TEST(Playout, GoesBeyondALongTickFor50MsAtMost) {
    Playout playout;
    constexpr std::int64_t kLong = 200 * kMs;
    playout.frame({.present_ns = 0, .wanted_ns = 0, .newest_ns = 0, .tick_ns = kLong});
    EXPECT_EQ(
        playout.frame(
            {.present_ns = 90 * kMs, .wanted_ns = 90 * kMs, .newest_ns = 0, .tick_ns = kLong}),
        Playout::kMaxExtrapolationNs);
}

TEST(Playout, ASmallDebtIsPaidAt104) {
    PlayoutRun run;
    run.frames(10);
    run.playout.absorb(30 * kMs);
    run.wanted_ns += 30 * kMs;
    EXPECT_NEAR(run.rate(), 1.04, 1e-6);
    run.frames(187); // 0.16 ms of 30 ms each.
    EXPECT_EQ(run.playout.debt_ns(), 0);
    EXPECT_NEAR(run.rate(), 1.0, 1e-6);
}

TEST(Playout, ALargerDebtIsPaidInASecondAtAConstantRate) {
    PlayoutRun run;
    run.frames(10);
    run.playout.absorb(200 * kMs);
    run.wanted_ns += 200 * kMs;
    for (int i = 0; i < 250; ++i) {
        EXPECT_NEAR(run.rate(), 1.2, 1e-6) << i;
    }
    EXPECT_EQ(run.playout.debt_ns(), 0);
    EXPECT_NEAR(run.rate(), 1.0, 1e-6);
}

TEST(Playout, ADebtAbove250MsIsForgivenInOneJump) {
    PlayoutRun run;
    run.frames(10);
    run.playout.absorb(251 * kMs);
    run.wanted_ns += 251 * kMs;
    EXPECT_EQ(run.frame(), run.wanted_ns);
    EXPECT_EQ(run.playout.stats().jump_count, 1U);
}

TEST(Playout, NothingIsForgivenBeforeThereIsDataToShow) {
    PlayoutRun run;
    run.frames(10);
    run.newest_ns = run.wanted_ns;
    run.frames(100); // 400 ms without data.
    EXPECT_EQ(run.playout.stats().jump_count, 0U);
    EXPECT_EQ(run.shown(), run.newest_ns + kTickNs);
    run.newest_ns = run.wanted_ns + kTickNs;
    EXPECT_EQ(run.frame(), run.wanted_ns);
    EXPECT_EQ(run.playout.stats().jump_count, 1U);
}

TEST(Playout, APictureThatIsAheadSlowsDown) {
    PlayoutRun run;
    run.frames(10);
    run.playout.absorb(-30 * kMs);
    run.wanted_ns -= 30 * kMs;
    EXPECT_NEAR(run.rate(), 0.96, 1e-6);
    EXPECT_LT(run.playout.debt_ns(), 0);
}

TEST(Playout, NeverRunsBackwards) {
    PlayoutRun run;
    run.frames(10);
    const std::int64_t before = run.shown();
    run.wanted_ns -= 100 * kMs; // Nobody said so.
    EXPECT_EQ(run.frame(), before);
    EXPECT_NEAR(run.rate(), 1.0 - 0.096, 1e-6) << "96 ms within a second";
}

TEST(Playout, APauseFreezesItAndItsDebt) {
    PlayoutRun run;
    run.frames(10);
    run.playout.absorb(20 * kMs);
    run.wanted_ns += 20 * kMs;
    const std::int64_t before = run.shown();
    for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(run.frame(0.0), before);
    }
    EXPECT_EQ(run.playout.debt_ns(), 20 * kMs);
}

TEST(Playout, InSlowMotionADebtIsPaidAsSlowly) {
    PlayoutRun run;
    run.frames(10);
    run.playout.absorb(20 * kMs);
    run.wanted_ns += 20 * kMs;
    const std::int64_t before = run.shown();
    EXPECT_NEAR(static_cast<double>(run.frame(0.25) - before), 0.25 * 1.04 * kFrameNs, 1.0);
}

TEST(Playout, AFrameOfTheSameTimeShowsTheSame) {
    PlayoutRun run;
    run.frames(10);
    const std::int64_t before = run.shown();
    run.present_ns -= kFrameNs;
    EXPECT_EQ(run.frame(), before);
}

TEST(Playout, StartsOverWhereverIsWanted) {
    PlayoutRun run;
    run.frames(10);
    run.playout.absorb(20 * kMs);
    run.playout.restart();
    run.wanted_ns = -5000 * kMs;
    EXPECT_EQ(run.frame(), run.wanted_ns);
    EXPECT_EQ(run.playout.debt_ns(), 0);
}

} // namespace
} // namespace glissade
