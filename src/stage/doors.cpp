// SPDX-License-Identifier: MIT
// What may enter a stage: every value is judged here before anything is written.
#include "stage/stage_data.h"

#include <cmath>

namespace glissade {

namespace {

StageStatus to_stage_status(PoseStatus status) noexcept {
    switch (status) {
        case PoseStatus::Ok:
            return StageStatus::Ok;
        case PoseStatus::BadPosition:
            return StageStatus::BadPosition;
        case PoseStatus::BadRotation:
            return StageStatus::BadRotation;
        case PoseStatus::ZeroRotation:
            return StageStatus::ZeroRotation;
        case PoseStatus::BadScale:
            return StageStatus::BadScale;
        case PoseStatus::BadVelocity:
            return StageStatus::BadVelocity;
    }
    return StageStatus::BadPosition;
}

/// Rotations that are unit to float precision keep their bits; others are brought to length 1.
glm::quat to_unit(const glm::quat& rotation) noexcept {
    return is_unit(rotation) ? rotation : normalised(rotation);
}

} // namespace

StageStatus StageData::check_state(Pose& pose, const Extra& extra) const noexcept {
    if (const StageStatus status = to_stage_status(glissade::check(pose));
        status != StageStatus::Ok) {
        return status;
    }
    if (const StageStatus status = to_stage_status(glissade::check(extra.velocity));
        status != StageStatus::Ok) {
        return status;
    }
    if (!extra.channels.empty() && extra.channels.size() != channel_rules.size()) {
        return StageStatus::BadChannel;
    }
    for (const float value : extra.channels) {
        if (!std::isfinite(value)) {
            return StageStatus::BadChannel;
        }
    }
    pose.rotation = to_unit(pose.rotation);
    return StageStatus::Ok;
}

StageStatus StageData::check_shift(Rigid& rigid) noexcept {
    const StageStatus status = to_stage_status(glissade::check(rigid));
    if (status == StageStatus::Ok) {
        rigid.rotation = to_unit(rigid.rotation);
    }
    return status;
}

StageStatus StageData::check_tick(const Track& track, const Tick& tick) noexcept {
    if (is_absurd(tick.index) || is_absurd(tick.time_ns) || tick.duration_ns <= 0 ||
        is_absurd(tick.duration_ns)) {
        return StageStatus::BadTick;
    }
    if (track.ring.empty()) {
        return StageStatus::Ok;
    }
    const Tick& newest = track.ring.newest_tick();
    const bool same = tick.index == newest.index && tick.time_ns == newest.time_ns;
    const bool newer = tick.index > newest.index && tick.time_ns > newest.time_ns;
    return same || newer ? StageStatus::Ok : StageStatus::StaleTick;
}

StageStatus StageData::check_sample(const TrackSample& sample) const noexcept {
    const Track* track = find_track(sample.track);
    if (track == nullptr) {
        return StageStatus::NoSuchTrack;
    }
    if (is_absurd(sample.time.time_ns) || is_absurd(sample.time.now_ns)) {
        return StageStatus::AbsurdTime;
    }
    if (track->shown && sample.time.time_ns < track->sample.time_ns) {
        return StageStatus::TimeWentBack;
    }
    // A tick that is merely old is no news; a malformed one is an error.
    const bool bad_tick =
        sample.time.newest && check_tick(*track, *sample.time.newest) == StageStatus::BadTick;
    return bad_tick ? StageStatus::BadTick : StageStatus::Ok;
}

void StageData::enter_tick(Track& track, const Tick& tick) noexcept {
    if (track.ring.empty() || tick.index != track.ring.newest_tick().index) {
        track.open(tick, shifts);
    }
}

StageStatus StageData::refuse(StageStatus status) noexcept {
    ++stats.refused_count[static_cast<std::size_t>(status)];
    return status;
}

} // namespace glissade
