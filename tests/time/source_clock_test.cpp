// SPDX-License-Identifier: MIT
#include "glissade/time/source_clock.h"

#include "glissade/time/tick.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kTickNs = 16 * kMs;

Arrival make_due(std::int64_t number, std::int64_t lateness_ns = 0) {
    const std::int64_t due_ns = number * kTickNs;
    return {.source_ns = number * kTickNs, .arrival_ns = due_ns + lateness_ns, .due_ns = due_ns};
}

Arrival make_free(std::int64_t number, std::int64_t arrival_ns) {
    return {.source_ns = number * kTickNs, .arrival_ns = arrival_ns};
}

// Every `interval_ns` one state, until `clock` has settled.
std::int64_t run_free(SourceClock& clock, std::int64_t interval_ns, std::int64_t count) {
    for (std::int64_t k = 1; k <= count; ++k) {
        clock.add(make_free(k, k * interval_ns));
    }
    return count * interval_ns;
}

TEST(SourceClock, WithAScheduleTheMapIsExactHoweverLateStatesAre) {
    SourceClock clock;
    for (std::int64_t k = 1; k < 100; ++k) {
        const ArrivalResult result = clock.add(make_due(k, (k * 7 % 13) * kMs));
        EXPECT_EQ(result.status, k == 1 ? ArrivalStatus::Started : ArrivalStatus::Ok);
        EXPECT_EQ(result.step_ns, 0);
        EXPECT_EQ(clock.source_at(5'000'000'123), 5'000'000'123);
    }
    EXPECT_TRUE(clock.scheduled());
    EXPECT_EQ(clock.rate(), 1.0);
    EXPECT_EQ(clock.tick_ns(), kTickNs);
    EXPECT_EQ(clock.lateness_deviation_ns(), 0.0);
}

TEST(SourceClock, SaysHowLateAStateWas) {
    SourceClock clock;
    EXPECT_FALSE(clock.add(make_due(1, 3 * kMs)).lateness_ns) << "the first says nothing";
    EXPECT_EQ(clock.add(make_due(2, 5 * kMs)).lateness_ns, 5 * kMs);
}

TEST(SourceClock, WithoutAScheduleTheRateIsFound) {
    for (const std::int64_t interval_ns : {20'382'166, 16'000'000, 12'800'000}) {
        SourceClock clock;
        const std::int64_t now_ns = run_free(clock, interval_ns, 200);
        const double rate = static_cast<double>(kTickNs) / static_cast<double>(interval_ns);
        EXPECT_NEAR(clock.rate(), rate, 1e-6);
        // Half a tick later it is half a tick further.
        EXPECT_NEAR(static_cast<double>(clock.source_at(now_ns + interval_ns / 2)),
                    200.5 * static_cast<double>(kTickNs), 1e3);
    }
}

TEST(SourceClock, AnUnexpectedArrivalIsASpeedAndNotAStep) {
    SourceClock clock;
    const std::int64_t now_ns = run_free(clock, kTickNs, 30);
    const std::int64_t late_ns = now_ns + kTickNs + 10 * kMs;
    const std::int64_t before = clock.source_at(late_ns);
    const ArrivalResult result = clock.add(make_free(31, late_ns));
    EXPECT_EQ(result.status, ArrivalStatus::Ok);
    EXPECT_EQ(clock.source_at(late_ns), before);
    // What it was late by, less what the clock had given way while it was overdue: 10 ms, minus
    // 10 ms - (1 - exp(-0.07)) / 7 s = 0.34 ms. The rate changed by 2 % with this arrival.
    EXPECT_NEAR(static_cast<double>(*result.lateness_ns), 10e6 - 0.34e6, 0.02 * 10e6);
    // The error falls with a time constant of 1/7 s: after a tick by exp(-7 * 0.016).
    const auto error_at = [&](std::int64_t time_ns) {
        const std::int64_t truth = 31 * kTickNs + (time_ns - late_ns);
        return static_cast<double>(clock.source_at(time_ns) - truth);
    };
    EXPECT_NEAR(error_at(late_ns + kTickNs) / error_at(late_ns), std::exp(-7.0 * 0.016), 0.04);
}

TEST(SourceClock, JitterIsNotFollowedOnceItIsKnownAsSuch) {
    SourceClock clock;
    for (std::int64_t k = 1; k <= 400; ++k) {
        const std::int64_t jitter_ns = (k * 31 % 11 - 5) * kMs; // -5 to +5 ms, mixed.
        clock.add(make_free(k, k * kTickNs + jitter_ns));
    }
    EXPECT_LT(clock.noise().gain(), 0.1);
    EXPECT_NEAR(static_cast<double>(clock.source_at(401 * kTickNs)),
                static_cast<double>(401 * kTickNs), 1e6);
}

TEST(SourceClock, ADeclaredPauseStandsAtOnceAndIsNotARelock) {
    SourceClock clock;
    clock.add(make_due(1));
    clock.add(make_due(2));
    Arrival pause = make_due(3, 4 * kMs);
    pause.paused = true;
    const ArrivalResult result = clock.add(pause);
    EXPECT_EQ(result.status, ArrivalStatus::Adjusted);
    EXPECT_EQ(result.step_ns, -4 * kMs) << "it had run on while the state was under way";
    EXPECT_EQ(clock.source_at(1'000'000 * kMs), 3 * kTickNs);
    EXPECT_EQ(clock.rate(), 0.0);
    EXPECT_EQ(clock.relock_count(), 0U);

    Arrival resumed = make_due(4);
    *resumed.due_ns += 5'000 * kMs;
    resumed.arrival_ns += 5'000 * kMs;
    EXPECT_EQ(clock.add(resumed).status, ArrivalStatus::Adjusted);
    EXPECT_EQ(clock.source_at(*resumed.due_ns + 7), 4 * kTickNs + 7);
    EXPECT_EQ(clock.relock_count(), 0U);
}

TEST(SourceClock, APauseMayBeDeclaredByTheSameStateAgain) {
    SourceClock clock;
    clock.add(make_due(1));
    clock.add(make_due(2));
    Arrival pause = make_due(2, 5 * kMs);
    EXPECT_EQ(clock.add(pause).status, ArrivalStatus::Stale);
    pause.paused = true;
    EXPECT_EQ(clock.add(pause).status, ArrivalStatus::Adjusted);
    EXPECT_EQ(clock.rate(), 0.0);
    EXPECT_EQ(clock.add(pause).status, ArrivalStatus::Stale) << "nothing new";
    pause.paused = false;
    EXPECT_EQ(clock.add(pause).status, ArrivalStatus::Stale) << "its due time is long past";
    EXPECT_EQ(clock.rate(), 0.0);
}

TEST(SourceClock, ATimeScaleIsFollowedFromItsStateOn) {
    SourceClock clock;
    clock.add(make_due(1));
    clock.add(make_due(2));
    Arrival slow = make_due(3);
    slow.time_scale = 0.25;
    EXPECT_EQ(clock.add(slow).status, ArrivalStatus::Adjusted);
    EXPECT_EQ(clock.source_at(3 * kTickNs + 40 * kMs), 3 * kTickNs + 10 * kMs);
    Arrival next = make_due(4);
    next.due_ns = 7 * kTickNs;
    next.arrival_ns = 7 * kTickNs;
    next.time_scale = 0.25;
    EXPECT_EQ(clock.add(next).status, ArrivalStatus::Ok);
}

TEST(SourceClock, AScheduleThatMovedIsARelock) {
    SourceClock clock;
    clock.add(make_due(1));
    clock.add(make_due(2));
    Arrival moved = make_due(3);
    *moved.due_ns += 30 * kMs;
    moved.arrival_ns += 31 * kMs;
    const ArrivalResult result = clock.add(moved);
    EXPECT_EQ(result.status, ArrivalStatus::Relocked);
    EXPECT_EQ(result.step_ns, -30 * kMs);
    EXPECT_FALSE(result.lateness_ns) << "what a gap did is not lateness";
    EXPECT_EQ(clock.relock_count(), 1U);
}

TEST(SourceClock, AnEpochAloneIsARelockToo) {
    SourceClock clock;
    clock.add(make_due(1));
    Arrival next = make_due(2);
    next.epoch = 1;
    EXPECT_EQ(clock.add(next).status, ArrivalStatus::Relocked);
}

TEST(SourceClock, ANewEpochMayBeginEarlier) {
    SourceClock clock;
    clock.add(make_due(1000));
    Arrival again = make_due(1);
    again.arrival_ns = 1001 * kTickNs;
    again.due_ns = 1001 * kTickNs;
    EXPECT_EQ(clock.add(again).status, ArrivalStatus::Stale) << "of the same epoch it is only old";
    again.epoch = 1;
    EXPECT_EQ(clock.add(again).status, ArrivalStatus::Restarted);
    EXPECT_EQ(clock.source_at(1002 * kTickNs), 2 * kTickNs);
}

TEST(SourceClock, AGapWithoutAScheduleIsARelockThatKeepsTheRate) {
    SourceClock clock;
    constexpr std::int64_t kInterval = 20 * kMs;
    const std::int64_t now_ns = run_free(clock, kInterval, 200);
    const ArrivalResult result = clock.add(make_free(201, now_ns + 300 * kMs));
    EXPECT_EQ(result.status, ArrivalStatus::Relocked);
    EXPECT_FALSE(result.lateness_ns);
    EXPECT_NEAR(clock.rate(), 0.8, 1e-6);
    clock.add(make_free(202, now_ns + 320 * kMs));
    EXPECT_NEAR(clock.rate(), 0.8, 1e-3);
    EXPECT_NEAR(static_cast<double>(clock.source_at(now_ns + 340 * kMs)),
                static_cast<double>(203 * kTickNs), 1e5);
}

TEST(SourceClock, ASourceThatLeapsAheadIsARelock) {
    SourceClock clock;
    const std::int64_t now_ns = run_free(clock, kTickNs, 50);
    EXPECT_EQ(clock.add(make_free(70, now_ns + kTickNs)).status, ArrivalStatus::Relocked);
}

TEST(SourceClock, ASlowSourceIsNotAGap) {
    SourceClock clock; // One state a second.
    constexpr std::int64_t kSecond = 1'000 * kMs;
    for (std::int64_t k = 1; k <= 20; ++k) {
        clock.add({.source_ns = k * kSecond, .arrival_ns = k * kSecond});
    }
    EXPECT_LE(clock.relock_count(), 1U) << "the second state may be one: no tick is known yet";
    EXPECT_NEAR(clock.rate(), 1.0, 1e-6);
}

TEST(SourceClock, RefusesWhatIsNoTime) {
    SourceClock clock;
    EXPECT_EQ(clock.source_at(123), 0) << "nothing is known";
    EXPECT_EQ(clock.rate(), 1.0);
    Arrival bad = make_due(1);
    bad.source_ns = kMaxTimeNs + 1;
    EXPECT_EQ(clock.add(bad).status, ArrivalStatus::Absurd);
    bad = make_due(1);
    bad.arrival_ns = -kMaxTimeNs - 1;
    EXPECT_EQ(clock.add(bad).status, ArrivalStatus::Absurd);
    bad = make_due(1);
    bad.due_ns = kMaxTimeNs + 1;
    EXPECT_EQ(clock.add(bad).status, ArrivalStatus::Absurd);
    bad = make_due(1);
    bad.time_scale = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(clock.add(bad).status, ArrivalStatus::Absurd);
    EXPECT_FALSE(clock.newest());
}

TEST(SourceClock, StatusesHaveNames) {
    EXPECT_STREQ(to_string(ArrivalStatus::Relocked), "relocked");
    EXPECT_STREQ(to_string(static_cast<ArrivalStatus>(99)), "unknown");
}

} // namespace
} // namespace glissade
