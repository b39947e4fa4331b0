// SPDX-License-Identifier: MIT
// Where one row is at one time: the only place that blends.
#include "stage/offset.h"
#include "stage/stage_data.h"

namespace glissade {

namespace {

constexpr double kNsToS = 1e-9;

Motion motion_of(const State& state) noexcept {
    return {.pose = state.pose, .velocity = state.velocity};
}

} // namespace

Pose StageData::evaluate(const Track& track, std::uint32_t row, const Bracket& bracket,
                         std::int64_t now_ns) const noexcept {
    const Blend blend = track.movers.info(row).blend;
    if (blend == Blend::Extrapolate) {
        const std::int64_t ahead_ns = now_ns - track.ring.newest_tick().time_ns;
        return extrapolate(motion_of(track.newest_state(row)),
                           static_cast<double>(ahead_ns) * kNsToS,
                           static_cast<double>(track.config.extrapolation_cap_ns) * kNsToS);
    }
    if (bracket.a == bracket.b) {
        const bool guess = bracket.beyond_ns > 0 && track.config.underrun_extrapolation_ns > 0;
        return guess && blend != Blend::Hold ? evaluate_underrun(track, row, bracket.beyond_ns)
                                             : track.state(row, bracket.a).pose;
    }
    State from = track.state(row, bracket.a);
    const State to = track.state(row, bracket.b);
    if (blend == Blend::Hold || (to.marks & kCutState) != 0) {
        return from.pose;
    }
    if ((to.marks & kShiftState) != 0) {
        map_through_shift(track, row, bracket.b, from);
    }
    const double duration_s = static_cast<double>(bracket.duration_ns) * kNsToS;
    if (blend == Blend::Hermite) {
        return blend_hermite(motion_of(from), motion_of(to), duration_s, bracket.t);
    }
    if (blend == Blend::HermitePath) {
        return blend_hermite_path(motion_of(from), motion_of(to), duration_s, bracket.t);
    }
    // Equal states come back bit for bit; a blend of equal rotations would be normalised anew.
    return from.pose == to.pose ? to.pose : blend_linear(from.pose, to.pose, bracket.t);
}

void StageData::map_through_shift(const Track& track, std::uint32_t row, std::uint64_t sequence,
                                  State& state) const noexcept {
    if (const ShiftRecord* record = shifts.find(track.movers.info(row).shifts, sequence)) {
        state.pose = apply(record->rigid, state.pose);
        state.velocity = apply(record->rigid, state.velocity);
    }
}

Velocity StageData::compute_way(const Track& track, std::uint32_t row) const noexcept {
    const std::uint64_t newest = track.ring.newest();
    const State to = track.state(row, newest);
    if (newest == track.ring.oldest() || (to.marks & kCutState) != 0) {
        return {};
    }
    State from = track.state(row, newest - 1);
    if ((to.marks & kShiftState) != 0) {
        map_through_shift(track, row, newest, from);
    }
    const std::int64_t duration_ns = track.ring[newest].time_ns - track.ring[newest - 1].time_ns;
    const double per_second = 1.0 / (static_cast<double>(duration_ns) * kNsToS);
    return {.linear = glm::vec3((to.pose.position - from.pose.position) * per_second),
            .angular = glm::vec3(compute_rotation_vector(from.pose.rotation, to.pose.rotation) *
                                 per_second)};
}

Pose StageData::evaluate_underrun(const Track& track, std::uint32_t row,
                                  std::int64_t beyond_ns) const noexcept {
    Motion motion = motion_of(track.newest_state(row));
    const Blend blend = track.movers.info(row).blend;
    // Where nobody gave a velocity, the way of the last tick stands for it.
    if (blend == Blend::HermitePath) {
        motion.velocity.angular = compute_way(track, row).angular;
    } else if (blend != Blend::Hermite) {
        motion.velocity = compute_way(track, row);
    }
    return extrapolate(motion, static_cast<double>(beyond_ns) * kNsToS,
                       static_cast<double>(track.config.underrun_extrapolation_ns) * kNsToS);
}

Pose StageData::evaluate_shown(const Track& track, std::uint32_t row) const noexcept {
    return evaluate(track, row, track.ring.resolve(track.sample.time_ns), track.sample.now_ns);
}

void StageData::keep_picture(Track& track, std::uint32_t row, const Pose& shown) const noexcept {
    if (!track.shown) {
        return;
    }
    track.movers.offset(row) = compute_offset(shown, evaluate_shown(track, row));
    track.movers.edit(row).offset = true;
}

void StageData::rejoin(Track& track) const noexcept {
    if (track.guessed == 0 || track.guessed == track.ring.newest()) {
        return;
    }
    for (std::uint32_t row = 0; row < track.movers.size(); ++row) {
        const RowInfo& info = track.movers.info(row);
        const bool guessed = info.blend != Blend::Hold && info.blend != Blend::Extrapolate;
        // A shift brings the picture to another place, and cross_shifts() takes it there.
        if (guessed && !info.waiting && !info.settled && info.shifts == ShiftPool::kNone) {
            keep_picture(track, row, track.movers.visual(row));
        }
    }
}

} // namespace glissade
