// SPDX-License-Identifier: MIT
#include "lab/methods/stage_player.h"

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

namespace glissade::lab {

namespace {

glm::quat to_rotation(const std::optional<glm::dquat>& rotation) {
    if (!rotation || glm::length(*rotation) == 0.0) {
        return quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F);
    }
    return {glm::normalize(*rotation)};
}

Pose to_pose(const TracePose& pose) {
    return {.position = pose.position,
            .rotation = to_rotation(pose.rotation),
            .scale = glm::vec3(pose.scale.value_or(glm::dvec3{1.0}))};
}

Rigid to_rigid(const TraceShift& shift) {
    return {.translation = shift.translation, .rotation = to_rotation(shift.rotation)};
}

// A key that is absent has not changed since `before`.
SourceState to_state(const TracePose& pose, const SourceState& before) {
    SourceState state = before;
    state.pose = to_pose(pose);
    state.velocity = {.linear = glm::vec3(pose.velocity.value_or(glm::dvec3{0.0})),
                      .angular = glm::vec3(pose.angular_velocity.value_or(glm::dvec3{0.0}))};
    state.cut_count = static_cast<std::uint32_t>(pose.cut.value_or(before.cut_count));
    if (pose.shift) {
        state.shift_count = static_cast<std::uint32_t>(pose.shift->count);
        state.shift = to_rigid(*pose.shift);
    }
    return state;
}

StageConfig make_config(const MethodConfig& config, const TrackConfig& track) {
    return {.capacity = config.max_objects,
            .event_capacity = 1,
            .shift_capacity = 4096,
            .track = track};
}

} // namespace

StagePlayer::StagePlayer(const MethodConfig& config, const TrackConfig& track)
    : stage_(make_config(config, track)),
      underrun_extrapolation_ns_(track.underrun_extrapolation_ns) {}

bool StagePlayer::tick(const TraceTick& tick) {
    const std::int64_t epoch = tick.epoch.value_or(epoch_);
    if (newest_ && tick.sim_ns <= newest_->time_ns) {
        if (epoch == epoch_) {
            return false;
        }
        // The source began its time anew: nothing of the old one can be blended with it, and the
        // picture, behind by some delay, may be at any time before this tick.
        stage_.restart(kDefaultTrack, -kMaxTimeNs);
    }
    epoch_ = epoch;
    // Of the state before the first: any will do.
    constexpr std::int64_t kFirstDurationNs = 16'666'667;
    const std::int64_t index = newest_ ? newest_->index + 1 : 1;
    const std::int64_t since = newest_ ? tick.sim_ns - newest_->time_ns : kFirstDurationNs;
    const std::int64_t duration = since > 0 ? since : kFirstDurationNs;
    newest_ = Tick{index, tick.sim_ns, duration, static_cast<double>(duration) * 1e-9};
    for (const TracePose& pose : tick.poses) {
        take(pose);
    }
    for (const std::int64_t id : tick.gone) {
        const auto found = objects_.find(id);
        if (found != objects_.end()) {
            note(stage_.despawn(*newest_, found->second.follower.id()), id);
            objects_.erase(found);
        }
    }
    return true;
}

void StagePlayer::take(const TracePose& pose) {
    const auto found = objects_.find(pose.id);
    if (found == objects_.end()) {
        add(pose);
        return;
    }
    Object& object = found->second;
    object.state = to_state(pose, object.state);
    note(object.follower.follow(stage_, *newest_, object.state), pose.id);
}

void StagePlayer::add(const TracePose& pose) {
    const bool has_velocity = pose.velocity || pose.angular_velocity;
    const ObjectConfig config{.blend = has_velocity ? Blend::Hermite : Blend::Linear};
    const SourceState state = to_state(pose, {});
    const AddResult added =
        stage_.spawn(*newest_, state.pose, config, {.velocity = state.velocity});
    note(added.status, pose.id);
    if (added.status == StageStatus::Ok) {
        objects_[pose.id] = {state, Follower(added.id, state)};
        drawn_.emplace(pose.id, added.id);
    }
}

void StagePlayer::draw(std::int64_t sample_ns, std::int64_t now_ns, DrawnFrame& out) {
    out.poses.clear();
    note(stage_.present({.time_ns = sample_ns, .now_ns = now_ns, .newest = newest_}), 0);
    for (auto place = drawn_.begin(); place != drawn_.end();) {
        const auto [trace_id, id] = *place;
        if (!stage_.contains(id)) {
            place = drawn_.erase(place);
            continue;
        }
        if (stage_.visible(id)) {
            const Pose pose = stage_.visual(id);
            out.poses.push_back({trace_id, pose.position, glm::dquat(pose.rotation)});
        }
        ++place;
    }
    out.state = out.poses.empty() ? DrawnState::Empty : classify(sample_ns);
}

DrawnState StagePlayer::classify(std::int64_t sample_ns) const {
    const std::int64_t beyond = sample_ns - newest_->time_ns;
    if (beyond <= 0) {
        return DrawnState::Interpolate;
    }
    return beyond <= underrun_extrapolation_ns_ ? DrawnState::Extrapolate : DrawnState::Hold;
}

void StagePlayer::note(StageStatus status, std::int64_t id) {
    if (status == StageStatus::Ok || !problem_.empty()) {
        return;
    }
    problem_ = "the stage refused tick " + std::to_string(newest_ ? newest_->time_ns : 0) +
               " ns, object " + std::to_string(id) + ": " + to_string(status);
}

std::string StagePlayer::problem() const {
    return problem_;
}

} // namespace glissade::lab
