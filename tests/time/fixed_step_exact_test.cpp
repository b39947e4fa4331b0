// SPDX-License-Identifier: MIT
// FixedStep over long and awkward series of frames: counts, stamps and sample times to the
// nanosecond.
#include "glissade/time/fixed_step.h"

#include "time/frame_series.h"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;

constexpr std::array<Rate, 12> kFrameRates = {{{24, 1},
                                               {30, 1},
                                               {50, 1},
                                               {60000, 1001},
                                               {60, 1},
                                               {75, 1},
                                               {90, 1},
                                               {120, 1},
                                               {144, 1},
                                               {165, 1},
                                               {240, 1},
                                               {1000, 1}}};
constexpr std::array<Rate, 6> kTickRates = {
    {{10, 1}, {15, 1}, {20, 1}, {30, 1}, {60, 1}, {128, 1}}};

// floor(elapsed * rate); elapsed below 1e18 / numerator.
std::int64_t ticks_in(std::int64_t elapsed_ns, Rate rate) {
    return elapsed_ns * rate.numerator / (rate.denominator * kSecond);
}

#if defined(__has_feature)
#define GLISSADE_HAS_FEATURE(name) __has_feature(name)
#else
#define GLISSADE_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__) || \
    GLISSADE_HAS_FEATURE(address_sanitizer) || GLISSADE_HAS_FEATURE(thread_sanitizer)
constexpr bool kSlowBuild = true;
#else
constexpr bool kSlowBuild = false;
#endif

struct Newest {
    Tick previous;
    Tick current;
};

// Runs the due ticks and keeps the last two.
template <class Range>
void run(const Range& range, Newest& newest) {
    for (const Tick& tick : range) {
        newest.previous = newest.current;
        newest.current = tick;
    }
}

void check_exact(Rate tick_rate, Rate frame_rate) {
    FixedStep step({.rate = tick_rate, .max_ticks = 100});
    Newest newest{{.time_ns = -tick_rate.period_ns()}, step.newest()};
    for (std::int64_t frame = 0; frame < 3000; ++frame) {
        const std::int64_t elapsed_ns = testing::frame_time_ns(frame_rate, frame);
        run(step.advance_to(elapsed_ns), newest);
        const SampleTime sample = step.sample();
        ASSERT_EQ(sample.time_ns, elapsed_ns - tick_rate.period_ns());
        ASSERT_EQ(newest.current.index, ticks_in(elapsed_ns, tick_rate));
        ASSERT_LE(newest.previous.time_ns, sample.time_ns);
        ASSERT_GE(newest.current.time_ns, sample.time_ns);
        ASSERT_EQ(newest.current.duration_ns, newest.current.time_ns - newest.previous.time_ns);
    }
}

TEST(FixedStep, EveryFrameRateOverEveryTickRateIsExact) {
    for (const Rate tick_rate : kTickRates) {
        for (const Rate frame_rate : kFrameRates) {
            check_exact(tick_rate, frame_rate);
        }
    }
}

TEST(FixedStep, AheadShowsTheSamePictureOneTickEarlier) {
    for (const Rate frame_rate : kFrameRates) {
        FixedStep step({.rate = {30, 1}, .view = View::Ahead});
        Newest newest{{}, step.newest()};
        for (std::int64_t frame = 0; frame < 3000; ++frame) {
            const std::int64_t elapsed_ns = testing::frame_time_ns(frame_rate, frame);
            run(step.advance_to(elapsed_ns), newest);
            ASSERT_EQ(step.sample().time_ns, elapsed_ns);
            ASSERT_EQ(newest.current.index, ticks_in(elapsed_ns, {30, 1}) + 1);
            ASSERT_LE(newest.previous.time_ns, elapsed_ns);
            ASSERT_GT(newest.current.time_ns, elapsed_ns);
        }
    }
}

void check_stamps(Rate rate) {
    FixedStep step({.rate = rate, .start_ns = -kSecond});
    Newest newest{{}, step.newest()};
    for (std::int64_t frame = 0; frame < 5000; ++frame) {
        // Long enough for exactly one tick each, until the extra part of a nanosecond adds up.
        run(step.advance_by(rate.period_ns() + 1), newest);
        const std::int64_t scaled = newest.current.index * rate.denominator * kSecond;
        ASSERT_EQ(newest.current.time_ns + kSecond, (scaled + rate.numerator - 1) / rate.numerator);
        ASSERT_EQ(newest.current.step_s, rate.period_s());
    }
    EXPECT_GE(newest.current.index, 5000);
}

TEST(FixedStep, StampsAreTheExactGridRoundedUp) {
    for (const Rate rate : {Rate{60, 1}, Rate{30000, 1001}, Rate{7, 3}, Rate{999'983, 7919}}) {
        check_stamps(rate);
    }
}

// Trap 8: threshold beating, with ticks of two frames.
TEST(FixedStep, FramesThatBeatAgainstTheTickNeverHold) {
    for (const Rate frame_rate : {Rate{5994, 100}, Rate{60, 1}, Rate{6006, 100}}) {
        FixedStep step({.rate = {30, 1}});
        testing::Random random(8);
        Newest newest{{}, step.newest()};
        std::int64_t last_present_ns = 0;
        std::int64_t last_shown_ns = -step.rate().period_ns();
        run(step.advance_to(0), newest);
        for (std::int64_t frame = 1; frame < 36'000; ++frame) {
            const std::int64_t present_ns =
                testing::frame_time_ns(frame_rate, frame) + random.between(-200'000, 200'000);
            run(step.advance_to(present_ns), newest);
            const std::int64_t shown_ns = step.sample().time_ns;
            ASSERT_EQ(shown_ns - last_shown_ns, present_ns - last_present_ns);
            last_present_ns = present_ns;
            last_shown_ns = shown_ns;
        }
    }
}

// Trap 9: accumulator drift. 155 million ticks take half a minute with a sanitizer: one day there.
TEST(FixedStep, AMonthOfFramesDriftsByZeroTicks) {
    constexpr std::int64_t kDays = kSlowBuild ? 1 : 30;
    FixedStep step({.rate = {60, 1}, .max_ticks = 20});
    testing::Random random(9);
    std::int64_t elapsed_ns = 0;
    std::int64_t tick_count = 0;
    std::int64_t wrong_count = 0;
    while (elapsed_ns < kDays * 86'400 * kSecond) {
        const std::int64_t frame_ns = random.between(1'000'000, 260'000'000);
        elapsed_ns += frame_ns;
        for (const Tick& tick : step.advance_by(frame_ns)) {
            tick_count = tick.index;
        }
        wrong_count += tick_count != ticks_in(elapsed_ns, {60, 1}) ? 1 : 0;
    }
    EXPECT_EQ(wrong_count, 0);
    EXPECT_EQ(step.sample().time_ns, elapsed_ns - step.rate().period_ns());
    EXPECT_EQ(step.stats().dropped_ns, 0);
}

// A body at constant speed, drawn from a history of two states.
class Mover {
public:
    explicit Mover(const FixedStep& step)
        : last_ns_(step.sample().time_ns),
          newest_{{.time_ns = step.newest().time_ns - step.newest().duration_ns}, step.newest()} {}

    // Draws the frame and checks it; returns source time shown per time passed.
    template <class Range>
    double draw(const FixedStep& step, const Range& range, std::int64_t elapsed_ns) {
        run(range, newest_);
        const std::int64_t shown_ns = step.sample().time_ns;
        EXPECT_LE(newest_.previous.time_ns, shown_ns);
        EXPECT_GE(newest_.current.time_ns, shown_ns);
        const double alpha = static_cast<double>(shown_ns - newest_.previous.time_ns) /
                             static_cast<double>(newest_.current.duration_ns);
        const double from = position(newest_.previous.time_ns);
        const double drawn = from + (position(newest_.current.time_ns) - from) * alpha;
        EXPECT_NEAR(drawn, position(shown_ns), 1e-9); // Doubles of some 100 m.
        const double rate =
            static_cast<double>(shown_ns - last_ns_) / static_cast<double>(elapsed_ns);
        last_ns_ = shown_ns;
        return rate;
    }

private:
    static double position(std::int64_t time_ns) {
        return 4.0 * static_cast<double>(time_ns) * 1e-9;
    }

    std::int64_t last_ns_;
    Newest newest_;
};

// Some seconds at 60 Hz, then 15 Hz, then 60 Hz again, in frames of 7 ms on average.
void check_rate_change(View view) {
    constexpr double kSlew = 1.0 / 128.0;
    constexpr double kNanosecond = 1.0 / 3e6; // A frame of at least 3 ms, off by 1 ns.
    FixedStep step({.rate = {60, 1}, .view = view});
    Mover mover(step);
    testing::Random random(6);
    for (int frame = 0; frame < 4500; ++frame) {
        if (frame == 500 || frame == 2500) {
            ASSERT_TRUE(step.set_rate(frame == 500 ? Rate{15, 1} : Rate{60, 1}));
        }
        const std::int64_t elapsed_ns = random.between(3'000'000, 11'000'000);
        const double rate = mover.draw(step, step.advance_by(elapsed_ns), elapsed_ns);
        // 50 ms of lag take 6.4 s, some 914 frames.
        const bool settled = frame < 500 || (frame > 1600 && frame < 2500) || frame > 3600;
        ASSERT_NEAR(rate, 1.0, settled ? 0.0 : kSlew + kNanosecond);
    }
    const std::int64_t lag_ns = view == View::Behind ? 16'666'666 : 0;
    EXPECT_EQ(step.sample().now_ns - step.sample().time_ns, lag_ns);
}

// Trap 6: tick-rate change in mid-flight.
TEST(FixedStep, ARateChangeKeepsTheMotionContinuousAndItsSpeed) {
    check_rate_change(View::Behind);
    check_rate_change(View::Ahead);
}

TEST(FixedStep, TheLagMovesAsFastInTinyFramesAsInLongOnes) {
    FixedStep step({.rate = {1'000'000, 1}, .max_ticks = 100});
    ASSERT_TRUE(step.set_rate({10'000, 1}));
    Newest newest{{}, step.newest()};
    constexpr std::int64_t kSettled = std::int64_t{128} * 99'000;
    for (std::int64_t elapsed_ns = 0; elapsed_ns < kSettled;
         elapsed_ns += 100) { // Less than one 128th each.
        ASSERT_EQ(step.sample().now_ns - step.sample().time_ns, 1000 + elapsed_ns / 128);
        run(step.advance_by(100), newest);
    }
    EXPECT_EQ(step.sample().now_ns - step.sample().time_ns, 100'000);
}

TEST(FixedStep, TheRateMayChangeInsideTheLoopAtAnyTick) {
    constexpr std::array<Rate, 5> kRates = {{{60, 1}, {15, 1}, {128, 1}, {30000, 1001}, {59, 1}}};
    FixedStep step({.rate = {60, 1}, .max_ticks = 1000});
    testing::Random random(66);
    Newest newest{{.time_ns = -step.newest().duration_ns}, step.newest()};
    std::int64_t last_ns = step.sample().time_ns;
    std::int64_t gap_count = 0;
    std::int64_t refused_count = 0;
    for (int frame = 0; frame < 20'000; ++frame) {
        for (const Tick& tick : step.advance_by(random.between(0, 40'000'000))) {
            gap_count += tick.time_ns - tick.duration_ns != newest.current.time_ns ? 1 : 0;
            newest = {newest.current, tick};
            const bool change = random.between(0, 20) == 0;
            const Rate rate = kRates[random.next() % kRates.size()];
            refused_count += step.set_rate(change ? rate : step.rate()) ? 0 : 1;
        }
        const std::int64_t shown_ns = step.sample().time_ns;
        ASSERT_GE(shown_ns, last_ns);
        ASSERT_LE(newest.previous.time_ns, shown_ns);
        ASSERT_GE(newest.current.time_ns, shown_ns);
        last_ns = shown_ns;
    }
    EXPECT_EQ(gap_count, 0);
    EXPECT_EQ(refused_count, 0);
    EXPECT_EQ(step.stats().dropped_ns, 0);
}

// The same number on every compiler and platform: the trajectory has no floating point in it.
TEST(FixedStep, TheTickTrajectoryOfAFixedSeedHasItsGoldenHash) {
    FixedStep step({.rate = {60000, 1001}, .max_ticks = 4, .start_ns = -123'456'789});
    testing::Random random(2024);
    std::uint64_t hash = 14695981039346656037U; // FNV-1a, a word at a time.
    const auto add = [&hash](std::int64_t value) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211U;
    };
    for (int frame = 0; frame < 50'000; ++frame) {
        if (frame % 997 == 0) {
            ASSERT_TRUE(step.set_time_scale(static_cast<double>(random.between(0, 40)) / 8.0));
        }
        if (frame % 1499 == 0) {
            ASSERT_TRUE(step.set_rate({random.between(10, 200), random.between(1, 3)}));
        }
        for (const Tick& tick : step.advance_by(random.between(0, 30'000'000))) {
            add(tick.index);
            add(tick.time_ns);
            add(tick.duration_ns);
        }
        add(step.sample().time_ns);
    }
    EXPECT_EQ(hash, 11376134631755705719U);
}

} // namespace
} // namespace glissade
