// SPDX-License-Identifier: MIT
#include "glissade/feed/link_feed.h"

#include "glissade/feed/publisher.h"

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
    // Frames with their ticks; `before_tick` moves the objects, `after_frame` looks at the stage.
    template <class BeforeTick, class AfterFrame>
    void run(int frame_count, const BeforeTick& before_tick, const AfterFrame& after_frame) {
        for (int i = 0; i < frame_count; ++i) {
            while (tick_is_due()) {
                before_tick();
                tick();
            }
            frame();
            after_frame(i);
        }
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
    const auto move = [&] {
        world.publisher.move(writer_id, at(position_at(world.source_ns() + kTickNs)));
    };
    const auto look = [&](int frame) {
        const Id id = world.feed.find(writer_id);
        ASSERT_EQ(world.stage.visible(id), frame >= 2) << frame;
        if (frame > 20) {
            EXPECT_NEAR(world.stage.visual(id).position.x, position_at(*world.stage.sample_time()),
                        kBlend);
            EXPECT_EQ(world.stage.user(id), writer_id.bits());
        }
    };
    world.run(600, move, look);
    const LinkFeedReport report = world.feed.report();
    EXPECT_EQ(report.refused_count, 0U);
    EXPECT_EQ(report.link.skipped_count, 0U);
    EXPECT_TRUE(report.timeline.scheduled);
    EXPECT_EQ(report.timeline.underrun_count, 0U);
    EXPECT_EQ(report.clock_offset_ns, 0);
}

TEST(LinkFeed, ObjectsComeAndGoWhenThePictureGetsThere) {
    World world;
    world.publisher.add(at(0.0));
    Id late{};
    const auto come_and_go = [&] {
        if (world.number == 50) {
            late = world.publisher.add(at(100.0));
        }
        if (world.number == 80) {
            EXPECT_EQ(world.publisher.remove(late), PublishStatus::Ok);
        }
    };
    std::int64_t shown_from_ns = 0;
    std::int64_t shown_to_ns = 0;
    const auto look = [&](int) {
        const std::int64_t now_ns = world.stage.sample_time().value_or(0);
        const bool seen = world.stage.visible(world.feed.find(late));
        shown_from_ns = seen && shown_from_ns == 0 ? now_ns : shown_from_ns;
        shown_to_ns = world.stage.size() > 1 ? now_ns : shown_to_ns;
    };
    world.run(300, come_and_go, look);
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

// A body that runs from one of two places, 1000 m apart, and teleports now and then.
class Teleporter {
public:
    explicit Teleporter(World& world) : world_(&world), id_(world.publisher.add(at(0.0))) {}

    void step() {
        if (random_() % 20 == 0) {
            side_ = 1000.0 - side_;
            world_->publisher.cut(id_, at(side_ + 0.5));
            ++cut_count_;
        } else {
            const double way = 0.001 * static_cast<double>(world_->number % 1000);
            world_->publisher.move(id_, at(side_ + way));
        }
    }
    [[nodiscard]] bool is_at_one_of_the_places() const {
        const double x = world_->stage.visual(world_->feed.find(id_)).position.x;
        return (x >= -0.01 && x <= 1.01) || (x >= 999.99 && x <= 1001.01);
    }
    [[nodiscard]] int cut_count() const { return cut_count_; }

private:
    World* world_;
    Id id_;
    std::mt19937 random_{5};
    double side_ = 0.0;
    int cut_count_ = 0;
};

// Trap: a teleport in a snapshot that was never read.
TEST(LinkFeed, ACutInASkippedSnapshotIsNeverBlendedAcross) {
    World world({.capacity = 1, .slot_count = 4});
    Teleporter teleporter(world);
    std::mt19937 random(7);
    for (int i = 0; i < 4000; ++i) {
        const bool looks = random() % 8 == 0; // The reader looks only now and then.
        world.run(
            looks ? 1 : 0, [&] { teleporter.step(); },
            [&](int) { EXPECT_TRUE(teleporter.is_at_one_of_the_places()); });
        world.present_ns += looks ? 0 : kFrameNs;
    }
    EXPECT_GT(teleporter.cut_count(), 50);
    EXPECT_GT(world.feed.report().link.skipped_count, 100U);
}

// Drawn steps of a body that goes through a portal of 500 m in tick 61, which the reader may miss.
void walk_through_a_portal(World& world, bool misses_it) {
    const Id writer_id = world.publisher.add(at(0.0));
    double displaced = 0.0;
    const auto move = [&] {
        if (world.number == 60) {
            world.publisher.shift(writer_id, {.translation = {500.0, 0.0, 0.0}});
            displaced = 500.0;
        }
        world.publisher.move(writer_id, at(displaced + position_at(world.source_ns() + kTickNs)));
    };
    double last_x = 0.0;
    const auto look = [&](int frame) {
        const double x = world.stage.visual(world.feed.find(writer_id)).position.x;
        const double step = x > 400.0 && last_x < 400.0 ? x - 500.0 - last_x : x - last_x;
        if (frame > 30) {
            EXPECT_NEAR(step, position_at(kFrameNs), 1e-4) << frame;
        }
        last_x = x;
    };
    world.run(misses_it ? 127 : 300, move, look);
    if (misses_it) {
        // Six ticks in which nobody looks, the portal among them.
        world.present_ns += 6 * kTickNs;
        world.run(2, move, [](int) {});
        last_x = world.stage.visual(world.feed.find(writer_id)).position.x;
        world.run(170, move, look);
    }
    EXPECT_GT(last_x, 500.0);
}

TEST(LinkFeed, APortalKeepsItsSpeedAlsoWhenItsSnapshotWasSkipped) {
    for (const bool misses_it : {false, true}) {
        World world({.capacity = 1, .slot_count = 4, .columns = LinkColumns::All});
        walk_through_a_portal(world, misses_it);
        EXPECT_EQ(world.feed.report().refused_count, 0U);
        EXPECT_EQ(world.feed.report().link.skipped_count > 0, misses_it);
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

void expect_one_timeline(std::int64_t apart_ns) {
    World world({.capacity = 1}, {.same_clock = false});
    world.publisher.add(at(0.0));
    // 100 ppm apart, growing.
    const auto drift = [&] { world.writer_is_behind_ns = apart_ns + world.source_ns() / 10'000; };
    std::int64_t last_ns = 0;
    const auto look = [&](int frame) {
        const std::int64_t sample_ns = world.stage.sample_time().value_or(0);
        const double rate = static_cast<double>(sample_ns - last_ns) / kFrameNs;
        if (world.present_ns > 2 * kSecond) {
            EXPECT_NEAR(rate, 1.0, 0.01) << frame;
        }
        last_ns = sample_ns;
    };
    world.run(2000, drift, look);
    const LinkFeedReport report = world.feed.report();
    EXPECT_EQ(report.timeline.relock_count, 0U);
    EXPECT_NEAR(static_cast<double>(report.clock_offset_ns), static_cast<double>(apart_ns), 10e6);
    EXPECT_LT(report.timeline.delay_ns, 25 * kMs);
}

// Trap: two clocks with different origins.
TEST(LinkFeed, TwoClocksWithDifferentOriginsAreOneTimeline) {
    expect_one_timeline(-50 * kMs);
    expect_one_timeline(50 * kMs);
    expect_one_timeline(3600 * kSecond);
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
