// SPDX-License-Identifier: MIT
// Events on the drawn timeline: they come out when the picture gets there.
#include "glissade/stage/stage.h"

#include "support/stage_runner.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

using testing::at_x;
using testing::kFrameRates;
using testing::Random;
using testing::StageRunner;

constexpr std::int64_t kPeriodNs = 20'000'000; // Of tick_at().

std::vector<std::uint64_t> values_of(const Stage& stage) {
    std::vector<std::uint64_t> values;
    for (const Event& event : stage.events()) {
        values.push_back(event.value);
    }
    return values;
}

using Values = std::vector<std::uint64_t>;

void expect_events_in_time(Rate frames) {
    StageRunner runner;
    Random random(1);
    std::vector<std::int64_t> times(200);
    for (std::size_t number = 0; number < times.size(); ++number) {
        times[number] = random.between(0, 2'000'000'000);
        ASSERT_EQ(runner.stage.post({.time_ns = times[number], .value = number}), StageStatus::Ok);
    }
    std::int64_t last_ns = -1'000'000'000;
    std::size_t out_count = 0;
    runner.run(
        frames, 2 * frames.numerator + frames.numerator / 10, [](const Tick&) {},
        [&](const SampleTime& sample) {
            std::int64_t last_event_ns = last_ns;
            for (const Event& event : runner.stage.events()) {
                ASSERT_EQ(event.time_ns, times[static_cast<std::size_t>(event.value)]);
                ASSERT_GT(event.time_ns, last_ns);
                ASSERT_LE(event.time_ns, sample.time_ns);
                ASSERT_GE(event.time_ns, last_event_ns);
                last_event_ns = event.time_ns;
                ++out_count;
            }
            last_ns = sample.time_ns;
        });
    EXPECT_EQ(out_count, times.size());
    EXPECT_EQ(runner.stage.stats().event_count, times.size());
}

TEST(Event, ComesOutInTheFrameWhosePictureReachesIt) {
    for (const Rate frames : kFrameRates) {
        SCOPED_TRACE(frames.numerator);
        expect_events_in_time(frames);
    }
}

TEST(Event, EqualTimesKeepTheOrderOfPosting) {
    Stage stage;
    for (std::uint64_t value = 0; value < 50; ++value) {
        const auto time_ns = static_cast<std::int64_t>(value % 3) * 10;
        ASSERT_EQ(stage.post({.time_ns = time_ns, .value = value}), StageStatus::Ok);
    }
    stage.present({.time_ns = 20});
    ASSERT_EQ(stage.events().size(), 50U);
    for (std::size_t number = 1; number < 50; ++number) {
        const Event& earlier = stage.events()[number - 1];
        const Event& later = stage.events()[number];
        EXPECT_TRUE(earlier.time_ns < later.time_ns ||
                    (earlier.time_ns == later.time_ns && earlier.value < later.value));
    }
}

TEST(Event, IsValidUntilTheNextFrameOnly) {
    Stage stage;
    stage.post({.time_ns = 5, .value = 1});
    EXPECT_TRUE(stage.events().empty());
    stage.present({.time_ns = 4});
    EXPECT_TRUE(stage.events().empty());
    stage.present({.time_ns = 5});
    EXPECT_EQ(values_of(stage), Values{1});
    stage.present({.time_ns = 5});
    EXPECT_TRUE(stage.events().empty());
}

TEST(Event, PostedLateComesOutInTheNextFrame) {
    Stage stage;
    stage.present({.time_ns = 100});
    stage.post({.time_ns = 100, .value = 2});
    stage.post({.time_ns = -50, .value = 1});
    EXPECT_TRUE(stage.events().empty());
    // Even if the picture stands still.
    stage.present({.time_ns = 100});
    EXPECT_EQ(values_of(stage), (Values{1, 2}));
}

TEST(Event, WaitsForItsOwnTrack) {
    Stage stage;
    const std::optional<TrackId> second = stage.make_track({});
    ASSERT_TRUE(second.has_value());
    stage.post({.track = *second, .time_ns = 5, .value = 2});
    stage.post({.time_ns = 10, .value = 1});
    stage.present({.time_ns = 10});
    EXPECT_EQ(values_of(stage), Values{1});
    const std::array<TrackSample, 2> samples = {
        TrackSample{.time = {.time_ns = 11}},
        TrackSample{.track = *second, .time = {.time_ns = 9}}};
    stage.present(samples);
    ASSERT_EQ(values_of(stage), Values{2});
    EXPECT_EQ(stage.events()[0].track, *second);
    EXPECT_EQ(stage.events()[0].time_ns, 5);
}

TEST(Event, AFullQueueRefusesAndHasRoomAgain) {
    Stage stage({.event_capacity = 3});
    const std::optional<TrackId> second = stage.make_track({});
    ASSERT_TRUE(second.has_value());
    for (std::uint64_t value = 0; value < 3; ++value) {
        EXPECT_EQ(stage.post({.time_ns = 10, .value = value}), StageStatus::Ok);
    }
    EXPECT_EQ(stage.post({.time_ns = 10, .value = 3}), StageStatus::Full);
    EXPECT_EQ(stage.post({.track = *second, .time_ns = 10, .value = 4}), StageStatus::Ok);
    stage.present({.time_ns = 10});
    EXPECT_EQ(values_of(stage), (Values{0, 1, 2}));
    EXPECT_EQ(stage.stats().refused_count[static_cast<std::size_t>(StageStatus::Full)], 1U);
    for (std::uint64_t value = 5; value < 8; ++value) {
        EXPECT_EQ(stage.post({.time_ns = 30 - static_cast<std::int64_t>(value), .value = value}),
                  StageStatus::Ok);
    }
    stage.present({.time_ns = 30});
    EXPECT_EQ(values_of(stage), (Values{7, 6, 5}));
}

TEST(Event, AQueueOfNoPlacesRefusesEverything) {
    Stage stage({.event_capacity = 0});
    EXPECT_EQ(stage.post({.time_ns = 10}), StageStatus::Full);
    stage.present({.time_ns = 10});
    EXPECT_TRUE(stage.events().empty());
}

TEST(Event, RefusesWhatIsNoTrackOrTime) {
    Stage stage;
    EXPECT_EQ(stage.post({.track = TrackId{1}}), StageStatus::NoSuchTrack);
    EXPECT_EQ(stage.post({.time_ns = std::int64_t{1} << 62}), StageStatus::AbsurdTime);
    stage.present({.time_ns = 100});
    EXPECT_TRUE(stage.events().empty());
}

TEST(Event, RestartDropsWhatWaitsAndCountsIt) {
    Stage stage;
    stage.post({.time_ns = 10, .value = 1});
    stage.post({.time_ns = 30, .value = 2});
    stage.post({.time_ns = 40, .value = 3});
    stage.present({.time_ns = 20});
    EXPECT_EQ(values_of(stage), Values{1});
    stage.restart(kDefaultTrack, 0);
    EXPECT_EQ(stage.stats().dropped_event_count, 2U);
    EXPECT_EQ(stage.stats().event_count, 1U);
    stage.present({.time_ns = 1000});
    EXPECT_TRUE(stage.events().empty());
}

void expect_event_with_spawn(Rate frames) {
    StageRunner runner;
    Id body;
    bool seen = false;
    runner.run(
        frames, frames.numerator,
        [&](const Tick& tick) {
            if (tick.index == 31) {
                body = runner.stage.spawn(tick, at_x(1.0));
                runner.stage.post({.time_ns = tick.time_ns, .value = 7});
            }
        },
        [&](const SampleTime&) {
            const bool appeared = runner.stage.visible(body);
            ASSERT_EQ(!runner.stage.events().empty(), appeared && !seen);
            seen = appeared;
        });
    EXPECT_TRUE(seen);
}

// A spawn posted as an event and one made by the stage come in the same frame.
TEST(Event, ComesInTheFrameInWhichASpawnOfItsTimeAppears) {
    for (const Rate frames : kFrameRates) {
        expect_event_with_spawn(frames);
    }
}

// How many events, and what they add up to.
struct Tally {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;

    void add(std::uint64_t value) {
        ++count;
        sum += value;
    }
    friend bool operator==(const Tally&, const Tally&) = default;
};

// The queue is a ring: posting and taking for long must not lose or mix anything.
TEST(Event, ManyFramesOfPostingLoseNothing) {
    Stage stage({.event_capacity = 16});
    Random random(3);
    Tally posted;
    Tally received;
    const auto post = [&](std::int64_t earliest_ns) {
        const Event event{.time_ns = earliest_ns + random.between(0, 5 * kPeriodNs),
                          .value = random.next() % 1000};
        if (stage.post(event) == StageStatus::Ok) {
            posted.add(event.value);
        }
    };
    for (std::int64_t frame = 0; frame < 10'000; ++frame) {
        for (std::int64_t number = random.between(0, 4); number > 0; --number) {
            post(frame * kPeriodNs);
        }
        stage.present({.time_ns = frame * kPeriodNs});
        for (const Event& event : stage.events()) {
            ASSERT_LE(event.time_ns, frame * kPeriodNs);
            ASSERT_GT(event.time_ns, (frame - 6) * kPeriodNs);
            received.add(event.value);
        }
    }
    stage.present({.time_ns = 20'000 * kPeriodNs});
    for (const Event& event : stage.events()) {
        received.add(event.value);
    }
    EXPECT_GT(posted.count, 15'000U);
    EXPECT_EQ(received, posted);
}

} // namespace
} // namespace glissade
