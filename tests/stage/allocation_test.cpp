// SPDX-License-Identifier: MIT
// An executable of its own, with support/counting_allocator.cpp.
#include "glissade/stage/stage.h"
#include "glissade/stage/tick_writer.h"
#include "glissade/time/fixed_step.h"

#include "support/counting_allocator.h"
#include "support/stage_runner.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::size_t kObjectCount = 48;
constexpr std::array<Channel, 2> kChannels = {Channel::Linear, Channel::Step};

/// Everything that a stage can be asked to do in a tick and in a frame, on two tracks.
struct Work {
    Work() {
        for (std::size_t number = 0; number < kObjectCount; ++number) {
            ids[number] = stage.add(at_x(static_cast<double>(number)),
                                    {.track = number % 2 == 0 ? kDefaultTrack : remote});
            poses[number] = at_x(0.0);
        }
    }

    void count(StageStatus status) { ok_count += status == StageStatus::Ok ? 1 : 0; }

    void run_tick(const Tick& tick) {
        const auto number = static_cast<std::size_t>(tick.index);
        const auto x = static_cast<double>(tick.index);
        const std::array<float, 2> values = {static_cast<float>(x), 1.0F};
        const Id id = ids[number % kObjectCount];
        const Id other = ids[(number * 7 + 3) % kObjectCount];
        for (std::size_t place = 0; place < 16; ++place) {
            poses[place].position.x = x;
        }
        count(stage.move(tick, std::span(ids).first(16), std::span(poses).first(16)).status);
        TickWriter writer(stage, tick);
        writer.move(id, at_x(x));
        count(writer.finish().status);
        count(stage.move(tick, id, at_x(x), {.channels = values}));
        count(stage.cut(tick, other, at_x(-x), {.channels = values}));
        count(stage.shift(tick, id, {.translation = {0.0, 1.0, 0.0}}));
        count(stage.amend(tick, id, at_x(x + 1.0)));
        count(stage.set_parent(id, number % 3 == 0 ? Id{} : other));
        count(number % 2 == 0 ? stage.hide(other) : stage.show(other));
        count(stage.post({.time_ns = tick.time_ns, .value = 1}));
        count(stage.set_blend(id, number % 5 == 0 ? Blend::Hermite : Blend::Linear));
        count(stage.move(tick, Id{}, {}));
        const Id spawned = stage.spawn(tick, at_x(x), {.parent = other, .channels = values});
        count(stage.despawn(tick, spawned));
        const Id added = stage.add(at_x(x), {.parent = id});
        count(stage.remove(added));
    }

    void run_frame(const SampleTime& sample) {
        const std::array<TrackSample, 2> samples = {
            {{.time = sample}, {.track = remote, .time = sample}}};
        count(stage.present(samples));
        count(stage.write_matrices(ids, matrices));
        for (const Id id : ids) {
            sum += stage.world(id).translation.x + stage.previous_world(id).translation.x +
                   stage.sample(id, sample.time_ns).position.x;
        }
        sum += static_cast<double>(stage.changed().size() + stage.moved(remote).ids.size());
    }

    Stage stage{{.capacity = 64, .channels = kChannels, .track = {.history = 4}}};
    TrackId remote = *stage.make_track({.history = 6, .cuts = CutShows::AtStamp});
    std::array<Id, kObjectCount> ids;
    std::array<Pose, kObjectCount> poses;
    std::array<glm::mat3x4, kObjectCount> matrices;
    std::size_t ok_count = 0;
    double sum = 0.0;
};

/// Frames `first` to `last` of a display of 144 Hz.
void run(Work& work, FixedStep& step, std::int64_t first, std::int64_t last) {
    for (std::int64_t frame = first; frame < last; ++frame) {
        for (const Tick& tick : step.advance_to(frame_time_ns({144, 1}, frame))) {
            work.run_tick(tick);
        }
        work.run_frame(step.sample());
    }
}

TEST(StageAllocation, TheCounterCounts) {
    const std::size_t before = allocation_count();
    const Stage stage;
    EXPECT_GT(allocation_count(), before + 10);
    const std::vector<int> values(3);
    EXPECT_GT(allocation_count(), before + 11);
}

TEST(StageAllocation, NeitherTicksNorFramesAllocate) {
    Work work;
    FixedStep step;
    run(work, step, 0, 100);
    const std::size_t before = allocation_count();
    run(work, step, 100, 1500);
    EXPECT_EQ(allocation_count(), before);
    // It did work: 583 ticks with most of their 13 calls accepted, and nothing piled up.
    EXPECT_GT(work.ok_count, 6000U);
    EXPECT_LE(work.stage.size(), 64U);
    EXPECT_GT(work.stage.stats().settle_count, 100U);
    EXPECT_GT(work.stage.stats().event_count, 500U);
    EXPECT_GT(work.stage.stats().remove_count, 1000U);
}

TEST(StageAllocation, NorDoWorstCasesAllocate) {
    Work work;
    work.run_tick(tick_at(1));
    work.run_frame({.time_ns = 0});
    const std::size_t before = allocation_count();
    for (std::int64_t index = 2; index < 50; ++index) {
        work.run_tick(tick_at(index));
        // Everything at once: all touched, all removed and added again, all events due.
        work.count(work.stage.rebase({1.0, 0.0, 0.0}));
        for (Id& id : work.ids) {
            work.count(work.stage.cut(id, {}));
            work.count(work.stage.despawn(tick_at(index), id));
        }
        while (work.stage.post({.time_ns = 0}) == StageStatus::Ok) {
        }
        work.run_frame({.time_ns = index * 20'000'000});
        for (Id& id : work.ids) {
            id = work.stage.contains(id) ? id : work.stage.add({}).id;
        }
        work.count(work.stage.restart(work.remote, index * 20'000'000));
    }
    EXPECT_EQ(allocation_count(), before);
    EXPECT_GT(work.stage.stats().remove_count, 1000U);
}

} // namespace
} // namespace glissade::testing
