// SPDX-License-Identifier: MIT
#include "glissade/stage/stage.h"

#include "stage/door_scene.h"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

// Every value that can enter a stage, bad, at every door: refused for the right reason, counted,
// and nothing else happens.

namespace glissade::testing {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinityF = std::numeric_limits<float>::infinity();
constexpr std::int64_t kTickNs = 20'000'000;
constexpr std::int64_t kAbsurdNs = kMaxTimeNs + 1;
constexpr TrackId kNoTrack{9};

template <class Value>
struct Door {
    const char* name;
    std::function<StageStatus(const Value&)> call;
};

template <class Value>
struct BadValue {
    const char* name;
    Value value;
    StageStatus status;
};

template <class Value>
void expect_all_refused(Scene& scene, const Door<Value>& door,
                        const std::vector<BadValue<Value>>& values) {
    for (const BadValue<Value>& bad : values) {
        SCOPED_TRACE(::testing::Message() << door.name << ": " << bad.name);
        expect_refused(scene, bad.status, [&] { return door.call(bad.value); });
    }
}

template <class Value>
void expect_all_refused(Scene& scene, const std::vector<Door<Value>>& doors,
                        const std::vector<BadValue<Value>>& values) {
    for (const Door<Value>& door : doors) {
        expect_all_refused(scene, door, values);
    }
}

StageStatus status_of(const AddResult& result) {
    EXPECT_EQ(result.status == StageStatus::Ok, !result.id.is_null());
    return result.status;
}

StageStatus status_of_columns(Scene& scene, const Pose& pose) {
    const PoseColumns columns{.x = {&pose.position.x, 1},
                              .y = {&pose.position.y, 1},
                              .z = {&pose.position.z, 1},
                              .qx = {&pose.rotation.x, 1},
                              .qy = {&pose.rotation.y, 1},
                              .qz = {&pose.rotation.z, 1},
                              .qw = {&pose.rotation.w, 1},
                              .scale_x = {&pose.scale.x, 1},
                              .scale_y = {&pose.scale.y, 1},
                              .scale_z = {&pose.scale.z, 1}};
    return scene.stage.move(scene.tick, {&scene.mover, 1}, columns).status;
}

std::vector<Door<Pose>> pose_doors(Scene& s) {
    return {
        {"add", [&](const Pose& pose) { return status_of(s.stage.add(pose)); }},
        {"spawn", [&](const Pose& pose) { return status_of(s.stage.spawn(s.tick, pose)); }},
        {"move", [&](const Pose& pose) { return s.stage.move(s.tick, s.mover, pose); }},
        {"move at rest", [&](const Pose& pose) { return s.stage.move(s.tick, s.resting, pose); }},
        {"move hidden", [&](const Pose& pose) { return s.stage.move(s.tick, s.hidden, pose); }},
        {"move span",
         [&](const Pose& pose) {
             return s.stage.move(s.tick, {&s.mover, 1}, std::span<const Pose>(&pose, 1)).status;
         }},
        {"move columns", [&](const Pose& pose) { return status_of_columns(s, pose); }},
        {"cut", [&](const Pose& pose) { return s.stage.cut(s.tick, s.mover, pose); }},
        {"cut now", [&](const Pose& pose) { return s.stage.cut(s.mover, pose); }},
        {"amend",
         [&](const Pose& pose) { return s.stage.amend(*s.stage.newest(), s.mover, pose); }},
        {"show", [&](const Pose& pose) { return s.stage.show(s.hidden, pose); }},
    };
}

glm::quat scaled(float length) {
    return quat_xyzw(0.6F * length, 0.0F, 0.0F, 0.8F * length);
}

TEST(StageDoors, ABadPoseIsRefusedAtEveryDoor) {
    Scene scene;
    using enum StageStatus;
    expect_all_refused<Pose>(
        scene, pose_doors(scene),
        {{"NaN x", {.position = {kNan, 0.0, 0.0}}, BadPosition},
         {"NaN y", {.position = {0.0, kNan, 0.0}}, BadPosition},
         {"infinite z", {.position = {0.0, 0.0, -kInfinity}}, BadPosition},
         {"huge x", {.position = {1.001 * kMaxPosition, 0.0, 0.0}}, BadPosition},
         {"huge -y", {.position = {0.0, -1.001 * kMaxPosition, 0.0}}, BadPosition},
         {"NaN qx", {.rotation = quat_xyzw(kNanF, 0.0F, 0.0F, 1.0F)}, BadRotation},
         {"NaN qw", {.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, kNanF)}, BadRotation},
         {"infinite qz", {.rotation = quat_xyzw(0.0F, 0.0F, kInfinityF, 1.0F)}, BadRotation},
         {"huge q", {.rotation = quat_xyzw(3e38F, 3e38F, 3e38F, 3e38F)}, BadRotation},
         {"too long", {.rotation = scaled(1.011F)}, BadRotation},
         {"too short", {.rotation = scaled(0.989F)}, BadRotation},
         {"zero", {.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F)}, ZeroRotation},
         {"NaN scale", {.scale = {1.0F, kNanF, 1.0F}}, BadScale},
         {"infinite scale", {.scale = {1.0F, 1.0F, kInfinityF}}, BadScale},
         {"huge scale", {.scale = {-1.001F * kMaxScale, 1.0F, 1.0F}}, BadScale}});
}

TEST(StageDoors, ARotationWithinOnePercentOfUnitLengthIsNormalised) {
    for (const float length : {0.991F, 0.9999F, 1.0F, 1.0001F, 1.009F}) {
        Scene scene;
        const Id added = scene.stage.add({.rotation = scaled(length)});
        for (const Door<Pose>& door : pose_doors(scene)) {
            SCOPED_TRACE(door.name);
            EXPECT_EQ(door.call({.rotation = scaled(length)}), StageStatus::Ok);
        }
        for (const Id id : {added, scene.resting, scene.mover, scene.hidden}) {
            const glm::quat rotation = scene.stage.logical(id).rotation;
            // Each part of a unit quaternion is rounded to within 2^-25, the four together 2^-24.
            EXPECT_NEAR(rotation.x, 0.6F, 1e-7F) << length;
            EXPECT_NEAR(rotation.w, 0.8F, 1e-7F) << length;
        }
    }
}

TEST(StageDoors, TheEndsOfTheRangesAreAccepted) {
    Scene scene;
    for (const Door<Pose>& door : pose_doors(scene)) {
        SCOPED_TRACE(door.name);
        EXPECT_EQ(door.call({.position = {kMaxPosition, -kMaxPosition, 0.0},
                             .scale = {kMaxScale, 0.0F, -kMaxScale}}),
                  StageStatus::Ok);
    }
}

std::vector<Door<Extra>> extra_doors(Scene& s) {
    return {
        {"spawn", [&](const Extra& e) { return status_of(s.stage.spawn(s.tick, {}, {}, e)); }},
        {"move", [&](const Extra& e) { return s.stage.move(s.tick, s.mover, {}, e); }},
        {"move hidden", [&](const Extra& e) { return s.stage.move(s.tick, s.hidden, {}, e); }},
        {"cut", [&](const Extra& e) { return s.stage.cut(s.tick, s.mover, {}, e); }},
        {"cut now", [&](const Extra& e) { return s.stage.cut(s.resting, {}, e); }},
        {"amend", [&](const Extra& e) { return s.stage.amend(tick_at(3), s.mover, {}, e); }},
    };
}

TEST(StageDoors, ABadVelocityOrChannelIsRefusedAtEveryDoor) {
    Scene scene;
    using enum StageStatus;
    static constexpr std::array<float, 2> kWithNan = {1.0F, kNanF};
    static constexpr std::array<float, 2> kWithInfinity = {-kInfinityF, 1.0F};
    static constexpr std::array<float, 3> kThree = {1.0F, 2.0F, 3.0F};
    expect_all_refused<Extra>(
        scene, extra_doors(scene),
        {{"NaN", {.velocity = {.linear = {kNanF, 0.0F, 0.0F}}}, BadVelocity},
         {"huge", {.velocity = {.linear = {0.0F, 1.001F * kMaxVelocity, 0.0F}}}, BadVelocity},
         {"NaN turn", {.velocity = {.angular = {0.0F, 0.0F, kNanF}}}, BadVelocity},
         {"infinite turn", {.velocity = {.angular = {0.0F, kInfinityF, 0.0F}}}, BadVelocity},
         {"NaN channel", {.channels = kWithNan}, BadChannel},
         {"infinite channel", {.channels = kWithInfinity}, BadChannel},
         {"one channel", {.channels = std::span(kThree).first(1)}, BadChannel},
         {"three channels", {.channels = kThree}, BadChannel}});
}

TEST(StageDoors, BadFirstChannelsAreRefused) {
    Scene scene;
    using enum StageStatus;
    static constexpr std::array<float, 2> kWithNan = {kNanF, 0.0F};
    static constexpr std::array<float, 1> kOne = {1.0F};
    expect_all_refused<ObjectConfig>(
        scene,
        {{"add", [&](const ObjectConfig& c) { return status_of(scene.stage.add({}, c)); }},
         {"spawn",
          [&](const ObjectConfig& c) { return status_of(scene.stage.spawn(scene.tick, {}, c)); }}},
        {{"NaN", {.channels = kWithNan}, BadChannel}, {"one", {.channels = kOne}, BadChannel}});
}

TEST(StageDoors, ABadTransformIsRefused) {
    Scene scene;
    using enum StageStatus;
    const auto shift = [&](Id id) {
        return [&scene, id](const Rigid& r) { return scene.stage.shift(scene.tick, id, r); };
    };
    EXPECT_EQ(scene.stage.cut(scene.resting, at_x(kMaxPosition)), Ok);
    expect_all_refused<Rigid>(
        scene, {{"mover", shift(scene.mover)}, {"hidden", shift(scene.hidden)}},
        {{"NaN", {.translation = {0.0, kNan, 0.0}}, BadPosition},
         {"huge", {.translation = {0.0, 0.0, 1.001 * kMaxPosition}}, BadPosition},
         {"zero", {.rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 0.0F)}, ZeroRotation},
         {"NaN turn", {.rotation = quat_xyzw(0.0F, kNanF, 0.0F, 1.0F)}, BadRotation},
         {"too long", {.rotation = scaled(1.011F)}, BadRotation}});
    // Each is fine alone, the result is not.
    expect_refused(scene, BadPosition, [&] {
        return scene.stage.shift(scene.tick, scene.resting, {.translation = {1e9, 0.0, 0.0}});
    });
    expect_all_refused<glm::dvec3>(
        scene,
        {{"rebase", [&](const glm::dvec3& offset) { return scene.stage.rebase(offset); }},
         {"rebase track",
          [&](const glm::dvec3& offset) { return scene.stage.rebase(scene.track, offset); }}},
        {{"NaN", {0.0, 0.0, kNan}, BadPosition},
         {"infinite", {-kInfinity, 0.0, 0.0}, BadPosition},
         {"huge", {1.001 * kMaxPosition, 0.0, 0.0}, BadPosition}});
}

std::vector<Door<Id>> handle_doors(Scene& s) {
    return {
        {"remove", [&](const Id& id) { return s.stage.remove(id); }},
        {"despawn", [&](const Id& id) { return s.stage.despawn(s.tick, id); }},
        {"move", [&](const Id& id) { return s.stage.move(s.tick, id, {}); }},
        {"move span",
         [&](const Id& id) {
             const Pose pose;
             return s.stage.move(s.tick, {&id, 1}, std::span<const Pose>(&pose, 1)).status;
         }},
        {"cut", [&](const Id& id) { return s.stage.cut(s.tick, id, {}); }},
        {"cut now", [&](const Id& id) { return s.stage.cut(id, {}); }},
        {"shift", [&](const Id& id) { return s.stage.shift(s.tick, id, {}); }},
        {"amend", [&](const Id& id) { return s.stage.amend(tick_at(3), id, {}); }},
        {"hide", [&](const Id& id) { return s.stage.hide(id); }},
        {"show", [&](const Id& id) { return s.stage.show(id); }},
        {"show at", [&](const Id& id) { return s.stage.show(id, {}); }},
        {"set_parent", [&](const Id& id) { return s.stage.set_parent(id, s.mover); }},
        {"set_blend", [&](const Id& id) { return s.stage.set_blend(id, Blend::Hold); }},
        {"set_user", [&](const Id& id) { return s.stage.set_user(id, 1); }},
    };
}

std::vector<Door<Id>> parent_doors(Scene& s) {
    return {
        {"below", [&](const Id& id) { return s.stage.set_parent(s.resting, id); }},
        {"add below", [&](const Id& id) { return status_of(s.stage.add({}, {.parent = id})); }},
        {"spawn below",
         [&](const Id& id) { return status_of(s.stage.spawn(s.tick, {}, {.parent = id})); }},
    };
}

std::vector<BadValue<Id>> bad_handles(const Scene& scene) {
    using enum StageStatus;
    const Id good = scene.mover;
    constexpr std::uint32_t kTagBit = 1U << 24U;
    return {{"stale", scene.gone, StaleHandle},
            {"of the future", {good.index1, good.generation + 1}, StaleHandle},
            {"generation 0", {good.index1, 0}, StaleHandle},
            {"other tag", {good.index1 ^ kTagBit, good.generation}, ForeignHandle},
            {"no tag", {good.index1 & (kTagBit - 1), good.generation}, ForeignHandle},
            {"slot never used", {scene.gone.index1 + 1, 1}, ForeignHandle},
            {"slot out of range", {(7U << 24U) | 0xFFFFFFU, 1}, ForeignHandle},
            {"tag alone", {7U << 24U, 1}, ForeignHandle},
            {"garbage", Id::from_bits(0xDEADBEEFDEADBEEFU), ForeignHandle}};
}

TEST(StageDoors, ABadHandleIsRefusedAtEveryDoor) {
    Scene scene;
    std::vector<BadValue<Id>> handles = bad_handles(scene);
    // A null parent is the world, so only the other doors refuse it.
    expect_all_refused(scene, parent_doors(scene), handles);
    handles.push_back({"null", {}, StageStatus::NullHandle});
    handles.push_back({"null with generation", {0, 5}, StageStatus::NullHandle});
    expect_all_refused(scene, handle_doors(scene), handles);
}

TEST(StageDoors, EveryReaderGivesADefaultForABadHandle) {
    Scene scene;
    std::vector<BadValue<Id>> handles = bad_handles(scene);
    handles.push_back({"null", {}, StageStatus::NullHandle});
    const Stage& stage = scene.stage;
    for (const BadValue<Id>& bad : handles) {
        SCOPED_TRACE(bad.name);
        const Id id = bad.value;
        EXPECT_EQ(stage.check(id), bad.status);
        EXPECT_FALSE(stage.contains(id));
        EXPECT_FALSE(stage.visible(id));
        for (const Pose& pose : {stage.visual(id), stage.previous(id), stage.logical(id),
                                 stage.sample(id, 50'000'000)}) {
            EXPECT_EQ(pose, Pose{});
        }
        EXPECT_EQ(stage.world(id).translation, glm::dvec3(0.0));
        EXPECT_EQ(stage.previous_world(id).linear, glm::mat3(1.0F));
        EXPECT_EQ(stage.channel(id, 0), 0.0F);
        EXPECT_EQ(stage.world_revision(id), 0U);
        EXPECT_EQ(stage.shown_cuts(id), 0U);
        EXPECT_TRUE(stage.parent(id).is_null());
        EXPECT_EQ(stage.user(id), 0U);
    }
    EXPECT_EQ(stage.channel(scene.mover, 2), 0.0F);
    EXPECT_EQ(count_refused(stage), 0U);
}

std::vector<Door<Tick>> tick_doors(Scene& s) {
    return {
        {"spawn", [&](const Tick& tick) { return status_of(s.stage.spawn(tick, {})); }},
        {"despawn", [&](const Tick& tick) { return s.stage.despawn(tick, s.mover); }},
        {"move", [&](const Tick& tick) { return s.stage.move(tick, s.mover, {}); }},
        {"move at rest",
         [&](const Tick& tick) { return s.stage.move(tick, s.resting, at_x(1.0)); }},
        {"move span",
         [&](const Tick& tick) {
             const Pose pose;
             return s.stage.move(tick, {&s.mover, 1}, std::span<const Pose>(&pose, 1)).status;
         }},
        {"cut", [&](const Tick& tick) { return s.stage.cut(tick, s.mover, {}); }},
        {"shift", [&](const Tick& tick) { return s.stage.shift(tick, s.mover, {}); }},
    };
}

Tick with_duration(Tick tick, std::int64_t duration_ns) {
    tick.duration_ns = duration_ns;
    return tick;
}

constexpr Tick make_tick(std::int64_t index, std::int64_t time_ns) {
    return {.index = index, .time_ns = time_ns, .duration_ns = kTickNs};
}

TEST(StageDoors, ABadOrStaleTickIsRefusedAtEveryDoor) {
    Scene scene;
    using enum StageStatus;
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    const std::vector<BadValue<Tick>> bad = {
        {"no duration", with_duration(scene.tick, 0), BadTick},
        {"negative duration", with_duration(scene.tick, -1), BadTick},
        {"absurd duration", with_duration(scene.tick, kAbsurdNs), BadTick},
        {"absurd time", make_tick(4, kAbsurdNs), BadTick},
        {"absurd past", make_tick(4, kMin), BadTick},
        {"absurd index", make_tick(kMax, 80'000'000), BadTick},
        {"absurd negative index", make_tick(kMin, 80'000'000), BadTick}};
    expect_all_refused(scene, tick_doors(scene), bad);
    expect_all_refused(scene, tick_doors(scene),
                       {{"older", tick_at(2), StaleTick},
                        {"same index, other time", make_tick(3, 61'000'000), StaleTick},
                        {"same time, newer index", make_tick(4, 60'000'000), StaleTick},
                        {"newer index, older time", make_tick(5, 50'000'000), StaleTick},
                        {"older index, newer time", make_tick(2, 80'000'000), StaleTick}});
    expect_all_refused<Tick>(
        scene,
        {{"present",
          [&](const Tick& tick) {
              return scene.stage.present({.time_ns = 60'000'000, .newest = tick});
          }}},
        bad);
}

TEST(StageDoors, ATickThatCannotBeAmendedIsRefused) {
    Scene scene;
    using enum StageStatus;
    const Door<Tick> amend = {
        "amend", [&](const Tick& tick) { return scene.stage.amend(tick, scene.mover, {}); }};
    expect_all_refused<Tick>(scene, {amend},
                             {{"not in yet", tick_at(4), BadTick},
                              {"between", make_tick(3, 59'000'000), BadTick},
                              {"other index", make_tick(7, 60'000'000), BadTick},
                              {"forgotten", tick_at(1), TooOld}});
    EXPECT_EQ(scene.stage.cut(tick_at(3), scene.mover, at_x(9.0)), Ok);
    expect_all_refused<Tick>(scene, {amend}, {{"before a cut", tick_at(2), TooOld}});
}

TEST(StageDoors, ABadSampleTimeIsRefusedAndTheWholeFrameWithIt) {
    Scene scene;
    using enum StageStatus;
    const TrackSample good = {.track = scene.track, .time = {.time_ns = 50'000'000}};
    const auto first = [&](const TrackSample& sample) {
        return scene.stage.present(std::array{sample, good});
    };
    const auto last = [&](const TrackSample& sample) {
        return scene.stage.present(std::array{good, sample});
    };
    expect_all_refused<TrackSample>(
        scene, {{"first of two", first}, {"last of two", last}},
        {{"back", {.time = {.time_ns = 49'999'999}}, TimeWentBack},
         {"absurd", {.time = {.time_ns = kAbsurdNs}}, AbsurdTime},
         {"absurd past", {.time = {.time_ns = -kAbsurdNs}}, AbsurdTime},
         {"absurd now", {.time = {.time_ns = 60'000'000, .now_ns = kAbsurdNs}}, AbsurdTime},
         {"no track", {.track = kNoTrack, .time = {.time_ns = 60'000'000}}, NoSuchTrack}});
    expect_refused(scene, TimeWentBack, [&] { return scene.stage.present({.time_ns = 0}); });
}

TEST(StageDoors, AnUnknownTrackOrAbsurdTimeIsRefused) {
    Scene scene;
    using enum StageStatus;
    expect_all_refused<TrackId>(
        scene,
        {{"add",
          [&](const TrackId& track) { return status_of(scene.stage.add({}, {.track = track})); }},
         {"spawn",
          [&](const TrackId& track) {
              return status_of(scene.stage.spawn(scene.tick, {}, {.track = track}));
          }},
         {"rebase", [&](const TrackId& track) { return scene.stage.rebase(track, {}); }},
         {"restart", [&](const TrackId& track) { return scene.stage.restart(track, 0); }},
         {"post", [&](const TrackId& track) { return scene.stage.post({.track = track}); }}},
        {{"next", TrackId{2}, NoSuchTrack}, {"far", TrackId{0xFFFF}, NoSuchTrack}});
    expect_all_refused<std::int64_t>(
        scene,
        {{"restart", [&](std::int64_t time_ns) { return scene.stage.restart({}, time_ns); }},
         {"post", [&](std::int64_t time_ns) { return scene.stage.post({.time_ns = time_ns}); }}},
        {{"future", kAbsurdNs, AbsurdTime},
         {"past", std::numeric_limits<std::int64_t>::min(), AbsurdTime}});
    EXPECT_TRUE(scene.stage.moved(kNoTrack).ids.empty());
    EXPECT_FALSE(scene.stage.sample_time(kNoTrack).has_value());
    EXPECT_FALSE(scene.stage.newest(kNoTrack).has_value());
    EXPECT_EQ(scene.stage.mover_count(kNoTrack), 0U);
    EXPECT_EQ(scene.stage.track_stats(kNoTrack).tick_count, 0U);
}

TEST(StageDoors, AnAbsurdTimeReadsTheEndOfTheHistory) {
    Scene scene;
    const Stage& stage = scene.stage;
    EXPECT_EQ(stage.sample(scene.mover, std::numeric_limits<std::int64_t>::max()), at_x(3.0));
    EXPECT_EQ(stage.sample(scene.mover, std::numeric_limits<std::int64_t>::min()), at_x(2.0));
    EXPECT_EQ(scene.stage.set_blend(scene.mover, Blend::Extrapolate), StageStatus::Ok);
    EXPECT_EQ(stage.sample(scene.mover, std::numeric_limits<std::int64_t>::max()), at_x(3.0));
}

TEST(StageDoors, ATrackWithSettingsOutOfRangeIsNotMade) {
    Scene scene;
    const std::uint64_t digest = scene.digest();
    for (const TrackConfig& config :
         {TrackConfig{.history = 0}, TrackConfig{.history = 1}, TrackConfig{.history = 65},
          TrackConfig{.underrun_extrapolation_ns = -1}, TrackConfig{.extrapolation_cap_ns = -1},
          TrackConfig{.underrun_extrapolation_ns = kAbsurdNs},
          TrackConfig{.extrapolation_cap_ns = kAbsurdNs}}) {
        EXPECT_FALSE(scene.stage.make_track(config).has_value());
    }
    EXPECT_EQ(scene.digest(), digest);
    EXPECT_EQ(scene.stage.make_track({.history = 64}), TrackId{2});
}

// Traps 19 to 28 begin with a call that was half accepted: the frames after a refusal must be those
// of a stage that never saw it.
TEST(StageDoors, RefusedCallsLeaveNoTraceInTheFramesAfterThem) {
    Scene seen;
    Scene spared;
    for (std::int64_t index = 4; index < 24; ++index) {
        seen.tick = spared.tick = tick_at(index);
        for (const Door<Pose>& door : pose_doors(seen)) {
            EXPECT_EQ(door.call({.scale = glm::vec3(kNanF)}), StageStatus::BadScale);
        }
        for (const Door<Tick>& door : tick_doors(seen)) {
            EXPECT_EQ(door.call(tick_at(1)), StageStatus::StaleTick);
        }
        for (Scene* scene : {&seen, &spared}) {
            const Pose pose = at_x(static_cast<double>(index * index));
            EXPECT_EQ(scene->stage.move(scene->tick, scene->mover, pose), StageStatus::Ok);
            EXPECT_EQ(scene->stage.present({.time_ns = (index - 1) * kTickNs + index}),
                      StageStatus::Ok);
        }
        ASSERT_EQ(seen.digest(), spared.digest()) << "tick " << index;
    }
}

} // namespace
} // namespace glissade::testing
