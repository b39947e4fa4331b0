// SPDX-License-Identifier: MIT
// What a Timeline does when its source stalls, pauses, changes or lives by another clock.
#include "feed/timeline_world.h"

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::int64_t kRun = 12 * kSecond;
constexpr std::int64_t kWarm = 2 * kSecond;
constexpr double kRefreshHz = 144.0;

// A schedule with a little lateness, so that the delay has something to do.
std::vector<Arrival> make_steady() {
    return make_scheduled(kRun, kTick60Ns, uniform_lateness(3 * kMs, 1));
}

// 20.8 to 21.6 ms for a tick of 16.67: a source at 0.785 of real time whose phase wanders.
std::vector<Arrival> make_slow_source() {
    const Lateness more = uniform_lateness(800'000, 2);
    return make_free(kRun, kTick60Ns, [more](std::int64_t k) { return 20'830'000 + more(k); });
}
constexpr double kSlowRate = 16'666'667.0 / 21'230'000.0;

TEST(TimelineTrouble, AStallOf200MsIsHeldAndCaughtUpWithinASecond) {
    std::vector<Arrival> arrivals = make_steady();
    stall(arrivals, 5 * kSecond, 5 * kSecond + 200 * kMs);
    const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.needlessly_held_count(0, kRun), 0U);
    EXPECT_GT(picture.held_count(5 * kSecond, 5 * kSecond + 200 * kMs), 0U);
    // Beyond the newest state for at most a tick, then it stands.
    for (const Shown& shown : picture.frames) {
        EXPECT_LE(shown.sample_ns - shown.newest_ns, kTick60Ns);
    }
    // Debt below 250 ms: no jump; a rate of at most 1.25 of what the source does, which is 1.
    EXPECT_LE(picture.highest_rate(kWarm, kRun), 1.25 + 1e-6);
    EXPECT_EQ(picture.report.jump_count, 0U);
    // After a second and one frame it is back, and as even as before.
    const std::int64_t back = 6 * kSecond + 200 * kMs + 8 * kMs;
    EXPECT_LT(picture.rate_error(back, kRun), 0.005);
    EXPECT_NEAR(picture.mean_behind_ms(back, kRun), picture.mean_behind_ms(kWarm, 5 * kSecond),
                2.0);
    EXPECT_EQ(picture.report.stall_count, 1U);
}

TEST(TimelineTrouble, AStallOf300MsIsForgivenInOneJump) {
    std::vector<Arrival> arrivals = make_steady();
    stall(arrivals, 5 * kSecond, 5 * kSecond + 300 * kMs);
    const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.needlessly_held_count(0, kRun), 0U);
    EXPECT_EQ(picture.report.jump_count, 1U);
    EXPECT_LT(picture.rate_error(5 * kSecond + 350 * kMs, kRun), 0.005);
    // One stall does not cost latency afterwards.
    EXPECT_NEAR(picture.mean_behind_ms(6 * kSecond, kRun),
                picture.mean_behind_ms(kWarm, 5 * kSecond), 1.0);
}

TEST(TimelineTrouble, ASourceThatStaysBehindItsScheduleIsEvenAgainSoon) {
    const Lateness usual = uniform_lateness(3 * kMs, 1);
    const auto overloaded = [usual](std::int64_t k) {
        return usual(k) + (k * kTick60Ns > 5 * kSecond ? 150 * kMs : 0);
    };
    const Picture picture =
        play(make_scheduled(kRun, kTick60Ns, overloaded), make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.needlessly_held_count(0, kRun), 0U);
    // Half a second as a stall, then the delay makes up for it, the last 40 ms of it slowly.
    EXPECT_LE(picture.underrun_count(9 * kSecond, kRun), 1U) << "0.5 % of 180 states";
    EXPECT_LT(picture.rate_error(9 * kSecond, kRun), 0.01);
    EXPECT_GT(picture.report.delay_ns, 150 * kMs);
}

TEST(TimelineTrouble, AFreeRunningSourceThatStallsGoesOnWhereItWas) {
    std::vector<Arrival> arrivals = make_slow_source();
    postpone(arrivals, 5 * kSecond, 300 * kMs); // It computes nothing meanwhile.
    const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.needlessly_held_count(0, kRun), 0U);
    EXPECT_EQ(picture.report.relock_count, 1U);
    EXPECT_EQ(picture.report.jump_count, 0U); // There is nothing to jump over.
    EXPECT_LT(picture.rate_error(6 * kSecond + 300 * kMs, kRun, kSlowRate), 0.02);
}

TEST(TimelineTrouble, ADeclaredPauseFreezesAndGoesOnWithoutATrace) {
    for (const bool scheduled : {true, false}) {
        std::vector<Arrival> arrivals = make_steady();
        // The state of 5 s declares the pause; 5 s later everything goes on.
        const auto paused_at = static_cast<std::size_t>(300 - 1);
        for (std::size_t i = paused_at + 1; i < arrivals.size(); ++i) {
            arrivals[i].arrival_ns += 5 * kSecond;
            *arrivals[i].due_ns += 5 * kSecond;
        }
        arrivals[paused_at].paused = true;
        if (!scheduled) {
            arrivals = without_due(arrivals);
        }
        const Picture picture = play(arrivals, make_frames(kRun + 5 * kSecond, kRefreshHz));

        EXPECT_EQ(picture.backward_count(), 0U);
        EXPECT_EQ(picture.highest_rate(5 * kSecond + 20 * kMs, 10 * kSecond), 0.0) << "frozen";
        EXPECT_EQ(picture.report.relock_count, 0U) << "a declared pause is not a stall";
        EXPECT_EQ(picture.report.stall_count, 0U);
        EXPECT_EQ(picture.report.jump_count, 0U);
        // What it owes after the pause is at most a tick and its lateness: at a rate of 1.04.
        EXPECT_LE(picture.highest_rate(10 * kSecond, kRun), 1.04 + 0.01);
        EXPECT_LT(picture.rate_error(11 * kSecond + 50 * kMs, 17 * kSecond), 0.005);
        EXPECT_NEAR(picture.mean_behind_ms(12 * kSecond, 16 * kSecond),
                    picture.mean_behind_ms(kWarm, 5 * kSecond), 1.5);
    }
}

TEST(TimelineTrouble, AnUndeclaredPauseIsARelock) {
    for (const bool scheduled : {true, false}) {
        std::vector<Arrival> arrivals = make_steady();
        postpone(arrivals, 5 * kSecond, 5 * kSecond);
        if (!scheduled) {
            arrivals = without_due(arrivals);
        }
        const Picture picture = play(arrivals, make_frames(kRun + 5 * kSecond, kRefreshHz));

        EXPECT_EQ(picture.backward_count(), 0U);
        EXPECT_EQ(picture.report.relock_count, 1U);
        EXPECT_EQ(picture.report.jump_count, 0U) << "no time was lost on the source's timeline";
        EXPECT_LE(picture.highest_rate(kWarm, 17 * kSecond), 1.04 + 0.01);
        EXPECT_EQ(picture.needlessly_held_count(0, 17 * kSecond), 0U);
        EXPECT_LT(picture.rate_error(11 * kSecond + 50 * kMs, 17 * kSecond), 0.005);
        EXPECT_NEAR(picture.mean_behind_ms(12 * kSecond, 16 * kSecond),
                    picture.mean_behind_ms(kWarm, 5 * kSecond), 1.5);
    }
}

// Every second tick from 5 s on.
std::vector<Arrival> make_halved() {
    std::vector<Arrival> arrivals = make_steady();
    std::erase_if(arrivals, [](const Arrival& arrival) {
        return arrival.source_ns >= 5 * kSecond && (arrival.source_ns / kTick60Ns) % 2 != 0;
    });
    return arrivals;
}

TEST(TimelineTrouble, TicksOfHalfTheRateAreFollowedWithinASecond) {
    for (const bool scheduled : {true, false}) {
        const std::vector<Arrival> arrivals =
            scheduled ? make_halved() : without_due(make_halved());
        const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

        EXPECT_EQ(picture.backward_count(), 0U);
        EXPECT_EQ(picture.held_count(kWarm, kRun), 0U);
        EXPECT_GE(picture.lowest_rate(kWarm, kRun), 0.96 - 0.01);
        EXPECT_LE(picture.highest_rate(kWarm, kRun), 1.04 + 0.01);
        EXPECT_LT(picture.rate_error(6 * kSecond + 50 * kMs, kRun), 0.01);
        EXPECT_GE(picture.report.delay_ns, 2 * kTick60Ns);
        EXPECT_EQ(picture.report.relock_count, 0U);
    }
}

TEST(TimelineTrouble, SlowMotionIsShownAtItsSpeed) {
    for (const bool scheduled : {true, false}) {
        // From 5 s of source time on a tick takes four times as long.
        std::vector<Arrival> arrivals = make_steady();
        constexpr std::int64_t kFrom = 300 * kTick60Ns;
        for (Arrival& arrival : arrivals) {
            const std::int64_t longer = std::max<std::int64_t>(arrival.source_ns - kFrom, 0) * 3;
            arrival.arrival_ns += longer;
            *arrival.due_ns += longer;
            arrival.time_scale = arrival.source_ns >= kFrom ? 0.25 : 1.0;
        }
        if (!scheduled) {
            arrivals = without_due(arrivals);
        }
        const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

        EXPECT_EQ(picture.backward_count(), 0U);
        EXPECT_EQ(picture.held_count(kWarm, kRun), 0U);
        EXPECT_LT(picture.rate_error(kWarm, 5 * kSecond, 1.0), 0.005);
        EXPECT_LT(picture.rate_error(6 * kSecond, kRun, 0.25), 0.01);
        EXPECT_EQ(picture.report.relock_count, 0U);
        EXPECT_NEAR(picture.report.rate, 0.25, 0.001);
    }
}

TEST(TimelineTrouble, ASourceAt0785OfRealTimeIsEvenMotionAt0785) {
    const Picture picture = play(make_slow_source(), make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.held_count(kWarm, kRun), 0U);
    EXPECT_EQ(picture.report.relock_count, 0U);
    EXPECT_NEAR(picture.report.rate, kSlowRate, 0.005);
    EXPECT_LT(picture.rate_error(kWarm, kRun, kSlowRate), 0.01);
}

TEST(TimelineTrouble, AnOffsetOfAnHourChangesNothing) {
    constexpr std::int64_t kHour = 3600 * kSecond;
    for (const bool scheduled : {true, false}) {
        std::vector<Arrival> arrivals = make_steady();
        if (!scheduled) {
            arrivals = without_due(arrivals);
        }
        std::vector<FrameTimes> frames = make_frames(kRun, kRefreshHz);
        const Picture plain = play(arrivals, frames);
        for (Arrival& arrival : arrivals) {
            arrival.source_ns -= kHour; // The source's timeline has another origin.
        }
        const Picture moved = play(arrivals, frames);

        ASSERT_EQ(plain.frames.size(), moved.frames.size());
        for (std::size_t i = 0; i < plain.frames.size(); ++i) {
            EXPECT_EQ(plain.frames[i].sample_ns - kHour, moved.frames[i].sample_ns);
        }
    }
}

TEST(TimelineTrouble, ADriftOf500PpmIsFollowed) {
    std::vector<Arrival> arrivals = without_due(make_steady());
    for (Arrival& arrival : arrivals) {
        arrival.source_ns += arrival.source_ns / 2000;
    }
    const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.report.relock_count, 0U);
    EXPECT_LT(picture.rate_error(kWarm, kRun, 1.0005), 0.01);
    // Between the two spans 500 ppm come to 4 ms.
    EXPECT_NEAR(picture.mean_behind_ms(10 * kSecond, kRun),
                picture.mean_behind_ms(kWarm, 4 * kSecond), 2.0);
}

TEST(TimelineTrouble, AReaderThatSkipsFramesGoesOnInTime) {
    std::vector<FrameTimes> frames;
    for (const FrameTimes& frame : make_frames(kRun, kRefreshHz)) {
        const std::int64_t place = frame.present_ns % kSecond;
        if (place > 400 * kMs || frame.present_ns < kWarm) { // 400 ms of every second are missing.
            frames.push_back(frame);
        }
    }
    const Picture picture = play(make_steady(), frames);

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.held_count(kWarm, kRun), 0U);
    EXPECT_EQ(picture.report.jump_count, 0U);
    EXPECT_LT(picture.rate_error(kWarm, kRun), 0.005);
}

TEST(TimelineTrouble, ANewEpochThatBeginsEarlierStartsOver) {
    std::vector<Arrival> arrivals = make_steady();
    for (Arrival& arrival : arrivals) {
        if (arrival.source_ns > 5 * kSecond) {
            arrival.source_ns -= 5 * kSecond; // A level was loaded again.
            arrival.epoch = 1;
        }
    }
    const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 1U);
    EXPECT_EQ(picture.report.relock_count, 1U);
    EXPECT_LT(picture.rate_error(5 * kSecond + 100 * kMs, kRun), 0.005);
}

TEST(TimelineTrouble, LostTimeWithANewEpochIsPaidWithoutAStep) {
    // The pacer gave 30 ms up: what follows is due later by that much.
    std::vector<Arrival> arrivals = make_steady();
    for (Arrival& arrival : arrivals) {
        if (arrival.source_ns > 5 * kSecond) {
            arrival.arrival_ns += 30 * kMs;
            *arrival.due_ns += 30 * kMs;
            arrival.epoch = 1;
        }
    }
    const Picture picture = play(arrivals, make_frames(kRun, kRefreshHz));

    EXPECT_EQ(picture.backward_count(), 0U);
    EXPECT_EQ(picture.report.relock_count, 1U);
    EXPECT_EQ(picture.needlessly_held_count(0, kRun), 0U);
    // As soon as there are states again, 50 ms later at most, it runs on.
    EXPECT_GE(picture.lowest_rate(5 * kSecond + 60 * kMs, kRun), 0.96 - 0.005);
    EXPECT_LT(picture.rate_error(6 * kSecond + 50 * kMs, kRun), 0.005);
}

TEST(TimelineTrouble, WhatIsStaleOrAbsurdIsLeftOutAndCounted) {
    Timeline timeline;
    EXPECT_FALSE(timeline.frame(0)) << "nothing is known yet";
    EXPECT_EQ(timeline.add({.source_ns = 10, .arrival_ns = 0}), ArrivalStatus::Started);
    EXPECT_EQ(timeline.add({.source_ns = 10, .arrival_ns = 1}), ArrivalStatus::Stale);
    EXPECT_EQ(timeline.add({.source_ns = 9, .arrival_ns = 2}), ArrivalStatus::Stale);
    EXPECT_EQ(timeline.add({.source_ns = kMaxTimeNs + 1, .arrival_ns = 3}), ArrivalStatus::Absurd);
    EXPECT_EQ(timeline.add({.source_ns = 20, .arrival_ns = 4, .time_scale = -1.0}),
              ArrivalStatus::Absurd);
    const TimelineReport report = timeline.report();
    EXPECT_EQ(report.state_count, 1U);
    EXPECT_EQ(report.stale_count, 2U);
    EXPECT_EQ(report.absurd_count, 2U);
}

} // namespace
} // namespace glissade::testing
