// SPDX-License-Identifier: MIT
#include "glissade/remote/target_watch.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace glissade {

namespace {

constexpr double kMinOwnSpeed = 0.1;        // Metres per second: slower, nobody gets there.
constexpr double kMinPredictionChange = 1.; // Seconds: smaller changes are not worth it.

} // namespace

std::optional<TargetUpdate> compute_target_update(const RemoteTuning& tuning,
                                                  const WatchQuery& query) noexcept {
    if (query.since_look_s < tuning.watch_period_s) {
        return std::nullopt;
    }
    const glm::dvec3 predicted = query.position + query.velocity * query.prediction_s;
    if (glm::distance(predicted, query.last_told) <= query.radius_m) {
        return std::nullopt;
    }
    return TargetUpdate{.predicted = predicted, .position = query.position};
}

std::optional<TargetUpdate> TargetWatch::look(const RemoteTuning& tuning, double quantum_s,
                                              const std::optional<TargetState>& target) noexcept {
    if (state_ == WatchState::Lost || state_ == WatchState::TimedOut) {
        return std::nullopt;
    }
    since_look_s_ += quantum_s;
    if (!target.has_value()) {
        miss(tuning);
        return std::nullopt;
    }
    std::optional<TargetUpdate> update;
    if (state_ == WatchState::Waiting) {
        state_ = WatchState::Watching;
        update = TargetUpdate{.predicted = target->position + target->velocity * prediction_s_,
                              .position = target->position};
    } else if (since_look_s_ < tuning.watch_period_s) {
        return std::nullopt;
    } else {
        update = compute_target_update(tuning, {.since_look_s = since_look_s_,
                                                .position = target->position,
                                                .velocity = target->velocity,
                                                .prediction_s = prediction_s_,
                                                .last_told = last_told_,
                                                .radius_m = tuning.watch_radius_m});
    }
    since_look_s_ = 0.0;
    last_told_ = update.has_value() ? update->predicted : last_told_;
    return update;
}

void TargetWatch::miss(const RemoteTuning& tuning) noexcept {
    if (state_ == WatchState::Watching) {
        state_ = WatchState::Lost;
    } else if (since_look_s_ >= tuning.watch_timeout_s) {
        state_ = WatchState::TimedOut;
    }
}

void TargetWatch::predict_for(double distance_m, double own_speed_m_s) noexcept {
    if (!std::isfinite(distance_m) || !(own_speed_m_s > kMinOwnSpeed)) {
        return;
    }
    // Overlapping bodies have a negative distance; nobody looks for a target in the past.
    const double needed_s = std::max(distance_m, 0.0) / own_speed_m_s;
    if (std::abs(needed_s - prediction_s_) > kMinPredictionChange) {
        prediction_s_ = needed_s;
    }
}

} // namespace glissade
