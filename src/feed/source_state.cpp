// SPDX-License-Identifier: MIT
#include "glissade/feed/source_state.h"

namespace glissade {

Follower::Follower(Id id, const SourceState& state) noexcept
    : id_(id), cut_count_(state.cut_count), shift_count_(state.shift_count), shift_(state.shift) {}

StageStatus Follower::follow(Stage& stage, const Tick& tick, const SourceState& state,
                             std::span<const float> channels) noexcept {
    const Extra extra{.velocity = state.velocity, .channels = channels};
    StageStatus status = StageStatus::Ok;
    if (state.cut_count != cut_count_) {
        status = stage.cut(tick, id_, state.pose, extra);
    } else if (state.shift_count != shift_count_) {
        // States may have been missed: what was added since the last one that was seen counts.
        status = stage.shift(tick, id_, compose(state.shift, inverse(shift_)));
        if (status == StageStatus::Ok) {
            status = stage.move(tick, id_, state.pose, extra);
        }
    } else if (!channels.empty() || stage.logical(id_) != state.pose) {
        status = stage.move(tick, id_, state.pose, extra);
    }
    if (status == StageStatus::Ok) {
        *this = Follower(id_, state);
    }
    return status;
}

} // namespace glissade
