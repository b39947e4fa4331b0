// SPDX-License-Identifier: MIT
#include "glissade/feed/publisher.h"

#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr LinkConfig kConfig{.capacity = 4, .columns = LinkColumns::All, .channel_count = 2};

Pose at(double x) {
    return {.position = {x, 0.0, 0.0}};
}

// Both ends of a link.
class PublisherTest : public ::testing::Test {
protected:
    PublisherTest() {
        EXPECT_EQ(publisher.join(link.memory()), LinkStatus::Ok);
        EXPECT_EQ(reader.join(link.memory()), LinkStatus::Ok);
    }

    SnapshotView publish(const PublishTimes& times = {}) {
        EXPECT_EQ(publisher.publish(times), LinkStatus::Ok);
        const SnapshotView* const view = reader.next();
        EXPECT_NE(view, nullptr);
        return view != nullptr ? *view : SnapshotView{};
    }

    Link link{kConfig};
    Publisher publisher;
    LinkReader reader;
};

TEST_F(PublisherTest, TheTimesOfATickArrive) {
    const PublishTimes times{.tick = {.index = 7, .time_ns = 70, .duration_ns = 10},
                             .published_ns = 75,
                             .due_ns = 72,
                             .time_scale = 0.5,
                             .paused = true,
                             .epoch = 3};
    const SnapshotHeader header = publish(times).header;
    EXPECT_EQ(header.tick, 7);
    EXPECT_EQ(header.time_ns, 70);
    EXPECT_EQ(header.duration_ns, 10);
    EXPECT_EQ(header.published_ns, 75);
    EXPECT_EQ(header.has_due, 1);
    EXPECT_EQ(header.due_ns, 72);
    EXPECT_EQ(header.time_scale, 0.5);
    EXPECT_EQ(header.paused, 1);
    EXPECT_EQ(header.epoch, 3U);
    EXPECT_EQ(publish().header.has_due, 0);
}

TEST_F(PublisherTest, TheTimesOfAPacerAreTaken) {
    TickPacer pacer({.rate = {100, 1}});
    pacer.set_time_scale(0.5);
    static_cast<void>(pacer.wake(1000).status());
    for ([[maybe_unused]] const Tick& tick : pacer.wake(pacer.next_due_ns() + 7)) {
        const SnapshotHeader header = publish(PublishTimes::of(pacer, 42)).header;
        EXPECT_EQ(header.time_ns, 10'000'000);
        EXPECT_EQ(header.due_ns, 20'001'000) << "a tick of 10 ms at half speed";
        EXPECT_EQ(header.time_scale, 0.5);
        EXPECT_EQ(header.published_ns, 42);
        EXPECT_EQ(header.paused, 0);
    }
    pacer.pause();
    EXPECT_EQ(publish(PublishTimes::of(pacer, 43)).header.paused, 1);
}

TEST_F(PublisherTest, ObjectsArriveWithAllTheyHave) {
    Pose pose = at(1.5);
    pose.rotation = quat_xyzw(1.0F, 0.0F, 0.0F, 0.0F);
    pose.scale = {2.0F, 3.0F, 4.0F};
    const Id id =
        publisher.add(pose, {.linear = {5.0F, 6.0F, 7.0F}, .angular = {8.0F, 9.0F, 1.0F}});
    EXPECT_EQ(publisher.set_channel(id, 1, 42.0F), PublishStatus::Ok);
    const SnapshotView view = publish();
    ASSERT_EQ(view.header.object_count, 1U);
    const auto& columns = view.columns;
    EXPECT_EQ(columns.ids[0], id.bits());
    EXPECT_EQ(columns.x[0], 1.5);
    EXPECT_EQ(columns.qx[0], 1.0F);
    EXPECT_EQ(columns.scale_y[0], 3.0F);
    EXPECT_EQ(columns.velocity_z[0], 7.0F);
    EXPECT_EQ(columns.angular_velocity_y[0], 9.0F);
    EXPECT_EQ(columns.channels[columns.channel_stride], 42.0F);
}

TEST_F(PublisherTest, CutsAndShiftsAddUp) {
    const Id id = publisher.add(at(0.0));
    publisher.cut(id, at(5.0));
    publisher.cut(id, at(9.0));
    publisher.shift(id, {.translation = {1.0, 0.0, 0.0}});
    // A half turn about z, then one step: what was shifted by (1, 0, 0) is now shifted by
    // (-1, 2, 0).
    publisher.shift(
        id, {.translation = {0.0, 2.0, 0.0}, .rotation = quat_xyzw(0.0F, 0.0F, 1.0F, 0.0F)});
    const SnapshotView view = publish();
    EXPECT_EQ(view.columns.cuts[0], 2U);
    EXPECT_EQ(view.columns.x[0], 9.0);
    EXPECT_EQ(view.columns.shifts[0], 2U);
    EXPECT_NEAR(view.columns.shift_x[0], -1.0, 1e-6);
    EXPECT_NEAR(view.columns.shift_y[0], 2.0, 1e-6);
    EXPECT_EQ(view.columns.shift_qz[0], 1.0F);
}

TEST(Publisher, WithoutAColumnForThemShiftsAreCuts) {
    Link link({.capacity = 1});
    Publisher publisher;
    LinkReader reader;
    publisher.join(link.memory());
    reader.join(link.memory());
    const Id id = publisher.add(at(0.0));
    EXPECT_EQ(publisher.shift(id, {.translation = {1.0, 0.0, 0.0}}), PublishStatus::Ok);
    publisher.publish({});
    EXPECT_EQ(reader.next()->columns.cuts[0], 1U);
}

TEST_F(PublisherTest, RemovedObjectsAreGoneAndTheirNamesNeverComeBack) {
    const Id first = publisher.add(at(1.0));
    const Id second = publisher.add(at(2.0));
    EXPECT_EQ(publisher.remove(first), PublishStatus::Ok);
    EXPECT_FALSE(publisher.contains(first));
    EXPECT_TRUE(publisher.contains(second));
    EXPECT_EQ(publisher.size(), 1U);
    const Id third = publisher.add(at(3.0));
    EXPECT_NE(third.bits(), first.bits());
    EXPECT_EQ(publisher.move(first, at(9.0)), PublishStatus::BadHandle);
    EXPECT_EQ(publisher.move(second, at(4.0)), PublishStatus::Ok);
    const SnapshotView view = publish();
    ASSERT_EQ(view.header.object_count, 2U);
    EXPECT_EQ(view.columns.ids[0], second.bits());
    EXPECT_EQ(view.columns.x[0], 4.0);
    EXPECT_EQ(view.columns.ids[1], third.bits());
}

TEST_F(PublisherTest, RefusesWithAReasonAndChangesNothing) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    Pose bad = at(0.0);
    bad.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F);
    EXPECT_EQ(publisher.add(bad).status, PublishStatus::BadValue);
    EXPECT_EQ(publisher.size(), 0U);
    const Id id = publisher.add(at(1.0));
    EXPECT_EQ(publisher.move(id, bad), PublishStatus::BadValue);
    EXPECT_EQ(publisher.cut(id, bad), PublishStatus::BadValue);
    EXPECT_EQ(publisher.move(id, at(2.0), {.linear = {kNan, 0.0F, 0.0F}}), PublishStatus::BadValue);
    EXPECT_EQ(publisher.shift(id, {.translation = {1e13, 0.0, 0.0}}), PublishStatus::BadValue);
    EXPECT_EQ(publisher.set_channel(id, 2, 0.0F), PublishStatus::BadValue);
    EXPECT_EQ(publisher.set_channel(id, 0, kNan), PublishStatus::BadValue);
    EXPECT_EQ(publisher.move({}, at(2.0)), PublishStatus::BadHandle);
    EXPECT_EQ(publisher.cut({}, at(2.0)), PublishStatus::BadHandle);
    EXPECT_EQ(publisher.shift({}, {}), PublishStatus::BadHandle);
    EXPECT_EQ(publisher.set_channel({}, 0, 1.0F), PublishStatus::BadHandle);
    EXPECT_EQ(publisher.remove({99, 1}), PublishStatus::BadHandle);
    const SnapshotView view = publish();
    EXPECT_EQ(view.columns.x[0], 1.0);
    EXPECT_EQ(view.columns.cuts[0], 0U);
    EXPECT_EQ(view.columns.shifts[0], 0U);
}

TEST_F(PublisherTest, HoldsAsManyObjectsAsTheLink) {
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(publisher.add(at(i * 1.0)).status, PublishStatus::Ok);
    }
    const PublishResult fifth = publisher.add(at(5.0));
    EXPECT_EQ(fifth.status, PublishStatus::Full);
    EXPECT_TRUE(fifth.id.is_null());
    EXPECT_EQ(publish().header.object_count, 4U);
}

TEST(Publisher, WithoutALinkNothingWorksAndItSaysSo) {
    Publisher publisher;
    EXPECT_EQ(publisher.add(at(0.0)).status, PublishStatus::NotJoined);
    EXPECT_EQ(publisher.publish({}), LinkStatus::NotJoined);
    EXPECT_EQ(publisher.join({}), LinkStatus::TooSmall);
    EXPECT_STREQ(to_string(PublishStatus::Full), "full");
    EXPECT_STREQ(to_string(static_cast<PublishStatus>(99)), "unknown");
}

} // namespace
} // namespace glissade
