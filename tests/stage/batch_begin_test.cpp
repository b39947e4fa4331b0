// SPDX-License-Identifier: MIT
// Batches that begin a tick, or not: as their items one by one.
#include "glissade/stage/stage.h"

#include "stage/column_store.h"
#include "stage/stage_digest.h"
#include "stage/stage_scene.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {
namespace {

constexpr std::size_t kHalf = 100; // Objects of each track, enough for runs.

/// Objects in motion, the second half of them perhaps on a track of their own. They have been shown
/// and nothing else is going on with them, so that their rows take runs.
struct Pack {
    Pack(const StageConfig& config, bool has_two_tracks) : stage(config) {
        second = has_two_tracks ? *stage.make_track({}) : kDefaultTrack;
        for (std::size_t number = 0; number < 2 * kHalf; ++number) {
            ids.push_back(stage.add({}, {.track = number < kHalf ? kDefaultTrack : second}));
        }
        for (std::int64_t index = 1; index <= 2; ++index) {
            for (const Id id : ids) {
                EXPECT_EQ(stage.move(tick_at(index), id, pose_at(id, index)), StageStatus::Ok);
            }
            show(tick_at(index));
        }
    }

    /// Three quarters of the way to a tick, on both tracks.
    void show(const Tick& tick) {
        const std::int64_t sample_ns = tick.time_ns - kSceneTickNs / 4;
        const SampleTime time{.time_ns = sample_ns, .now_ns = sample_ns};
        const std::array<TrackSample, 2> samples = {
            {{.time = time}, {.track = second, .time = time}}};
        EXPECT_EQ(stage.present(samples), StageStatus::Ok);
    }

    [[nodiscard]] static Pose pose_at(Id id, std::int64_t index) {
        return at_x(static_cast<double>(id.index1) + 0.1 * static_cast<double>(index));
    }
    [[nodiscard]] std::vector<Pose> poses_of(std::int64_t index) const {
        std::vector<Pose> poses;
        for (const Id id : ids) {
            poses.push_back(pose_at(id, index));
        }
        return poses;
    }

    Stage stage;
    TrackId second = kDefaultTrack;
    std::vector<Id> ids;
};

BatchResult move_one_by_one(Form form, Stage& stage, const Tick& tick, std::span<const Id> ids,
                            std::span<const Pose> poses) {
    BatchResult result;
    for (std::size_t item = 0; item < ids.size(); ++item) {
        const StageStatus status =
            form == Form::Velocities
                ? stage.move(tick, ids[item], poses[item], {.velocity = Velocity{}})
                : stage.move(tick, ids[item], poses[item]);
        result.accepted_count += status == StageStatus::Ok ? 1 : 0;
        if (status != StageStatus::Ok && result.status == StageStatus::Ok) {
            result.status = status;
            result.first_refused = item;
        }
    }
    return result;
}

/// One way to tell a batch, and where.
struct Case {
    Form form = Form::Poses;
    bool has_two_tracks = false;
    StageConfig config{};
};

/// `begin` happens to both before they are told. Returns what was said.
template <class Begin>
BatchResult expect_same(const Case& that, const Tick& tick, const Begin& begin) {
    Pack batch(that.config, that.has_two_tracks);
    Pack single(that.config, that.has_two_tracks);
    begin(batch);
    begin(single);
    const std::vector<Pose> poses = batch.poses_of(tick.index);
    const BatchResult result = move_as(that.form, batch.stage, tick, batch.ids, poses);
    const BatchResult expected = move_one_by_one(that.form, single.stage, tick, single.ids, poses);
    EXPECT_EQ(result.status, expected.status);
    EXPECT_EQ(result.accepted_count, expected.accepted_count);
    EXPECT_EQ(result.first_refused, expected.first_refused);
    EXPECT_EQ(batch.stage.stats().move_count, single.stage.stats().move_count);
    EXPECT_EQ(batch.stage.stats().refused_count, single.stage.stats().refused_count);
    batch.show(tick);
    single.show(tick);
    EXPECT_EQ(compute_digest(batch.stage, batch.ids), compute_digest(single.stage, single.ids));
    return result;
}

TEST(StageBatchBegin, ABatchBeginsATickAsItsFirstItemDoes) {
    for (const Form form : kAllForms) {
        const BatchResult result = expect_same({.form = form}, tick_at(3), [](Pack&) {});
        EXPECT_EQ(result.accepted_count, 2 * kHalf);
    }
}

TEST(StageBatchBegin, AStageWithChannelsKeepsTheirValues) {
    const Channel rules[] = {Channel::Linear};
    for (const Form form : kAllForms) {
        const Case that{.form = form, .config = {.channels = rules}};
        const BatchResult result = expect_same(that, tick_at(3), [](Pack& pack) {
            const float value = 5.0F;
            EXPECT_EQ(pack.stage.move(tick_at(2), pack.ids[7], Pack::pose_at(pack.ids[7], 2),
                                      {.channels = {&value, 1}}),
                      StageStatus::Ok);
        });
        EXPECT_EQ(result.accepted_count, 2 * kHalf);
    }
}

TEST(StageBatchBegin, ATickThatIsOpenTakesABatchOfAnotherDuration) {
    Tick tick = tick_at(3);
    tick.duration_ns -= 1;
    for (const Form form : kAllForms) {
        expect_same({.form = form}, tick, [](Pack& pack) {
            EXPECT_EQ(pack.stage.move(tick_at(3), pack.ids[3], Pack::pose_at(pack.ids[3], 3)),
                      StageStatus::Ok);
        });
    }
}

void expect_half(Form form, bool is_first_ahead) {
    const Case that{.form = form, .has_two_tracks = true};
    const BatchResult result = expect_same(that, tick_at(3), [is_first_ahead](Pack& pack) {
        const Id ahead = is_first_ahead ? pack.ids.front() : pack.ids.back();
        EXPECT_EQ(pack.stage.move(tick_at(4), ahead, Pack::pose_at(ahead, 4)), StageStatus::Ok);
    });
    EXPECT_EQ(result.status, StageStatus::StaleTick);
    EXPECT_EQ(result.accepted_count, kHalf);
    EXPECT_EQ(result.first_refused, is_first_ahead ? 0U : kHalf);
}

TEST(StageBatchBegin, OneTrackMayRefuseATickThatAnotherTakes) {
    for (const Form form : kAllForms) {
        expect_half(form, false);
        expect_half(form, true);
    }
}

} // namespace
} // namespace glissade::testing
