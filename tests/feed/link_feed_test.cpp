// SPDX-License-Identifier: MIT
#include "glissade/feed/link_feed.h"

#include "glissade/feed/publisher.h"

#include <cmath>
#include <cstdlib>
#include <random>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1'000 * kMs;
constexpr std::int64_t kTickNs = 16 * kMs;
constexpr std::int64_t kFrameNs = 7 * kMs;
constexpr double kSpeed = 2.0; // Metres per second.
// A stage blends by a float of the time between two ticks, 2^-24 of 32 mm.
constexpr double kBlend = 1e-8;

double position_at(std::int64_t source_ns) {
    return kSpeed * static_cast<double>(source_ns) * 1e-9;
}

Pose at(double x) {
    return {.position = {x, 0.0, 0.0}};
}

// A writer and a reader of one link on one clock that the test moves.
class World {
public:
    explicit World(const LinkConfig& link_config = {.capacity = 8, .columns = LinkColumns::All},
                   const LinkFeedConfig& feed_config = {})
        : link(link_config), feed(stage, feed_config) {
        EXPECT_EQ(publisher.join(link.memory()), LinkStatus::Ok);
        EXPECT_EQ(feed.join(link.memory()), LinkStatus::Ok);
    }

    // The next tick at its due time; the test has moved the objects.
    void tick() {
        ++number;
        EXPECT_EQ(publisher.publish(
                      {.tick = {.index = number, .time_ns = source_ns(), .duration_ns = kTickNs},
                       .published_ns = source_ns() - writer_is_behind_ns,
                       .due_ns = source_ns() - writer_is_behind_ns,
                       .epoch = 0}),
                  LinkStatus::Ok);
    }
    void frame() {
        present_ns += kFrameNs;
        feed.present(present_ns, present_ns);
    }
    [[nodiscard]] std::int64_t source_ns() const { return number * kTickNs; }
    // Before the next frame looks.
    [[nodiscard]] bool tick_is_due() const {
        return (number + 1) * kTickNs <= present_ns + kFrameNs;
    }

    Link link;
    Stage stage{{.capacity = 64, .track = LinkFeed::track_config()}};
    Publisher publisher;
    LinkFeed feed;
    std::int64_t number = 0;
    std::int64_t present_ns = 0;
    std::int64_t writer_is_behind_ns = 0; // Its clock, against the reader's.
};

TEST(LinkFeed, DrawsWhereTheObjectIsAtTheSampleTime) {
    World world;
    const Id writer_id = world.publisher.add(at(0.0));
    for (int i = 0; i < 600; ++i) {
        while (world.tick_is_due()) {
            world.publisher.move(writer_id, at(position_at(world.source_ns() + kTickNs)));
            world.tick();
        }
        world.frame();
        const Id id = world.feed.find(writer_id);
        if (i > 20) {
            ASSERT_TRUE(world.stage.visible(id));
            EXPECT_NEAR(world.stage.visual(id).position.x, position_at(*world.stage.sample_time()),
                        kBlend);
            EXPECT_EQ(world.stage.user(id), writer_id.bits());
        }
    }
    const LinkFeedReport report = world.feed.report();
    EXPECT_EQ(report.refused_count, 0U);
    EXPECT_EQ(report.link.skipped_count, 0U);
    EXPECT_TRUE(report.timeline.scheduled);
    EXPECT_EQ(report.timeline.underrun_count, 0U);
    EXPECT_EQ(report.clock_offset_ns, 0);
}

TEST(LinkFeed, ObjectsComeAndGoWhenThePictureGetsThere) {
    World world;
    const Id always = world.publisher.add(at(0.0));
    Id late{};
    std::int64_t shown_from_ns = 0;
    std::int64_t shown_to_ns = 0;
    for (int i = 0; i < 300; ++i) {
        while (world.tick_is_due()) {
            if (world.number == 50) {
                late = world.publisher.add(at(100.0));
            }
            if (world.number == 80) {
                EXPECT_EQ(world.publisher.remove(late), PublishStatus::Ok);
            }
            world.tick();
        }
        world.frame();
        EXPECT_EQ(world.stage.visible(world.feed.find(always)), i >= 2) << i;
        for (const Id id : world.stage.changed()) {
            if (world.stage.user(id) == late.bits() && world.stage.visible(id)) {
                shown_from_ns = *world.stage.sample_time();
            }
        }
        if (world.stage.size() > 1) {
            shown_to_ns = *world.stage.sample_time();
        }
    }
    EXPECT_GE(shown_from_ns, 51 * kTickNs);
    EXPECT_LT(shown_from_ns, 51 * kTickNs + kFrameNs);
    EXPECT_LT(shown_to_ns, 81 * kTickNs);
    EXPECT_GT(shown_to_ns, 81 * kTickNs - kFrameNs - 1);
    EXPECT_TRUE(world.feed.find(late).is_null());
    EXPECT_EQ(world.stage.size(), 1U);
}

TEST(LinkFeed, ASlotWithANewOwnerIsAnotherObject) {
    World world;
    const Id first = world.publisher.add(at(0.0));
    world.tick();
    world.frame();
    world.publisher.remove(first);
    const Id second = world.publisher.add(at(50.0));
    ASSERT_EQ(first.index1, second.index1) << "the slot is used again";
    for (int i = 0; i < 60; ++i) {
        while (world.tick_is_due()) {
            world.tick();
        }
        world.frame();
    }
    EXPECT_TRUE(world.feed.find(first).is_null());
    EXPECT_EQ(world.stage.visual(world.feed.find(second)).position.x, 50.0);
    EXPECT_EQ(world.stage.size(), 1U);
}

// Trap: a teleport in a snapshot that was never read.
TEST(LinkFeed, ACutInASkippedSnapshotIsNeverBlendedAcross) {
    World world({.capacity = 1, .slot_count = 4});
    const Id writer_id = world.publisher.add(at(0.0));
    std::mt19937 random(5);
    double side = 0.0; // The body runs 0 to 1 m from one of two places, 1000 m apart.
    int cut_count = 0;
    for (int i = 0; i < 4000; ++i) {
        while (world.tick_is_due()) {
            const double x = side + 0.001 * static_cast<double>(world.number % 1000);
            if (random() % 20 == 0) {
                side = 1000.0 - side;
                world.publisher.cut(writer_id, at(side + 0.5));
                ++cut_count;
            } else {
                world.publisher.move(writer_id, at(x));
            }
            world.tick();
        }
        if (random() % 8 != 0) {
            world.present_ns += kFrameNs; // The reader looks only now and then.
            continue;
        }
        world.frame();
        const double x = world.stage.visual(world.feed.find(writer_id)).position.x;
        const bool on_a_side = (x >= -0.01 && x <= 1.01) || (x >= 999.99 && x <= 1001.01);
        EXPECT_TRUE(on_a_side) << x;
    }
    EXPECT_GT(cut_count, 50);
    EXPECT_GT(world.feed.report().link.skipped_count, 100U);
}

TEST(LinkFeed, APortalKeepsItsSpeedAlsoWhenItsSnapshotWasSkipped) {
    for (const bool skip : {false, true}) {
        World world;
        const Id writer_id = world.publisher.add(at(0.0));
        double displaced = 0.0;
        double last_x = NAN;
        for (int i = 0; i < 300; ++i) {
            while (world.tick_is_due()) {
                if (world.number == 60) {
                    world.publisher.shift(writer_id, {.translation = {500.0, 0.0, 0.0}});
                    displaced = 500.0;
                }
                world.publisher.move(writer_id,
                                     at(displaced + position_at(world.source_ns() + kTickNs)));
                world.tick();
            }
            const bool around_the_portal = world.number > 57 && world.number < 63;
            if (skip && around_the_portal) {
                world.present_ns += kFrameNs;
                last_x = NAN;
                continue;
            }
            world.frame();
            const double x = world.stage.visual(world.feed.find(writer_id)).position.x;
            const double step = x > 400.0 && last_x < 400.0 ? x - 500.0 - last_x : x - last_x;
            if (i > 30 && !std::isnan(last_x)) {
                EXPECT_NEAR(step, position_at(kFrameNs), 1e-4) << i;
            }
            last_x = x;
        }
        EXPECT_GT(last_x, 500.0);
        EXPECT_EQ(world.feed.report().refused_count, 0U);
    }
}

TEST(LinkFeed, WhatDoesNotMoveRests) {
    World world;
    world.publisher.add(at(1.0));
    const Id mover = world.publisher.add(at(2.0));
    for (int i = 0; i < 200; ++i) {
        while (world.tick_is_due()) {
            world.publisher.move(mover, at(position_at(world.source_ns())));
            world.tick();
        }
        world.frame();
    }
    EXPECT_EQ(world.stage.size(), 2U);
    EXPECT_EQ(world.stage.mover_count(), 1U);
}

// Trap: two clocks with different origins.
TEST(LinkFeed, TwoClocksWithDifferentOriginsAreOneTimeline) {
    for (const std::int64_t apart_ns : {-50 * kMs, 50 * kMs, 3600 * kSecond}) {
        World world({.capacity = 1}, {.same_clock = false});
        world.publisher.add(at(0.0));
        std::int64_t last_ns = 0;
        for (int i = 0; i < 2000; ++i) {
            while (world.tick_is_due()) {
                // 100 ppm apart, growing.
                world.writer_is_behind_ns = apart_ns + world.source_ns() / 10'000;
                world.tick();
            }
            world.frame();
            const std::int64_t sample_ns = world.stage.sample_time().value_or(0);
            if (world.present_ns > 2 * kSecond) {
                const double rate = static_cast<double>(sample_ns - last_ns) / kFrameNs;
                EXPECT_NEAR(rate, 1.0, 0.01) << i;
            }
            last_ns = sample_ns;
        }
        const LinkFeedReport report = world.feed.report();
        EXPECT_EQ(report.timeline.relock_count, 0U);
        EXPECT_NEAR(static_cast<double>(report.clock_offset_ns), static_cast<double>(apart_ns),
                    10e6);
        EXPECT_LT(report.timeline.delay_ns, 25 * kMs);
    }
}

TEST(LinkFeed, ASourceThatStartsOverIsFollowed) {
    World world;
    const Id writer_id = world.publisher.add(at(0.0));
    for (std::int64_t k = 1; k < 100; ++k) {
        const bool again = k > 60;
        const std::int64_t time_ns = (again ? k - 60 : k) * kTickNs;
        world.publisher.move(writer_id, at(position_at(time_ns)));
        world.publisher.publish({.tick = {.index = k, .time_ns = time_ns, .duration_ns = kTickNs},
                                 .published_ns = k * kTickNs,
                                 .due_ns = k * kTickNs,
                                 .epoch = again ? 1U : 0U});
        world.feed.present(k * kTickNs, k * kTickNs);
    }
    EXPECT_NEAR(world.stage.visual(world.feed.find(writer_id)).position.x,
                position_at(*world.stage.sample_time()), kBlend);
    EXPECT_LT(*world.stage.sample_time(), 40 * kTickNs);
    EXPECT_EQ(world.feed.report().timeline.relock_count, 1U);
}

TEST(LinkFeed, WhatTheStageRefusesIsCountedAndTheRestGoesOn) {
    Link link({.capacity = 8});
    Stage stage({.capacity = 1, .track = LinkFeed::track_config()});
    Publisher publisher;
    LinkFeed feed(stage);
    ASSERT_EQ(publisher.join(link.memory()), LinkStatus::Ok);
    ASSERT_EQ(feed.join(link.memory()), LinkStatus::Ok);
    const Id first = publisher.add(at(1.0));
    publisher.add(at(2.0));
    publisher.publish({.tick = {.index = 1, .time_ns = kTickNs, .duration_ns = kTickNs}});
    feed.present(kTickNs);
    EXPECT_EQ(feed.report().refused_count, 1U);
    EXPECT_EQ(feed.report().last_refusal, StageStatus::Full);
    EXPECT_EQ(stage.visual(feed.find(first)).position.x, 1.0);
}

TEST(LinkFeed, AnIdBeyondTheCapacityIsForeign) {
    Link link({.capacity = 4});
    Stage stage({.capacity = 4, .track = LinkFeed::track_config()});
    LinkWriter writer;
    LinkFeed feed(stage);
    ASSERT_EQ(writer.join(link.memory()), LinkStatus::Ok);
    ASSERT_EQ(feed.join(link.memory()), LinkStatus::Ok);
    const LinkWriter::Begun begun = writer.begin(2);
    begun.slot.columns.ids[0] = Id{5, 1}.bits();
    begun.slot.columns.ids[1] = 0; // Nobody.
    writer.publish(0);
    feed.present(kMs);
    EXPECT_EQ(feed.report().refused_count, 2U);
    EXPECT_EQ(feed.report().last_refusal, StageStatus::ForeignHandle);
    EXPECT_TRUE(feed.find(Id{5, 1}).is_null());
    EXPECT_TRUE(feed.find(Id{}).is_null());
    EXPECT_EQ(stage.size(), 0U);
}

TEST(LinkFeed, JoiningAnotherLinkRemovesWhatCameFromTheFirst) {
    World world;
    world.publisher.add(at(0.0));
    world.tick();
    world.frame();
    EXPECT_EQ(world.stage.size(), 1U);
    Link other({.capacity = 2});
    EXPECT_EQ(world.feed.join(other.memory()), LinkStatus::Ok);
    EXPECT_EQ(world.stage.size(), 0U);
    EXPECT_EQ(world.feed.join({}), LinkStatus::TooSmall);
    world.frame();
}

TEST(LinkFeed, ChannelsRideAlong) {
    constexpr Channel kFade{};
    Link link({.capacity = 1, .channel_count = 1});
    Stage stage({.capacity = 1, .channels = {&kFade, 1}, .track = LinkFeed::track_config()});
    Publisher publisher;
    LinkFeed feed(stage);
    publisher.join(link.memory());
    feed.join(link.memory());
    const Id writer_id = publisher.add(at(0.0));
    for (std::int64_t k = 1; k < 40; ++k) {
        publisher.set_channel(writer_id, 0, static_cast<float>(k * kTickNs) * 1e-9F);
        publisher.publish({.tick = {.index = k, .time_ns = k * kTickNs, .duration_ns = kTickNs},
                           .published_ns = k * kTickNs,
                           .due_ns = k * kTickNs});
        feed.present(k * kTickNs + kMs, k * kTickNs + kMs);
    }
    EXPECT_EQ(feed.report().refused_count, 0U);
    EXPECT_NEAR(stage.channel(feed.find(writer_id), 0),
                static_cast<float>(*stage.sample_time()) * 1e-9F, 1e-5F);
}

} // namespace
} // namespace glissade
