// SPDX-License-Identifier: MIT
// An object as a delayed source tells of it, and how a stage follows that through missed states.
#pragma once

#include "glissade/base/id.h"
#include "glissade/pose/pose.h"
#include "glissade/stage/stage.h"
#include "glissade/time/tick.h"

#include <cstdint>
#include <span>

namespace glissade {

/// One state of one object. Cuts and shifts are cumulative, because states get lost.
struct SourceState {
    Pose pose{};
    Velocity velocity{};
    std::uint32_t cut_count = 0;   ///< Since the object's first state.
    std::uint32_t shift_count = 0; ///< Since the object's first state.
    Rigid shift{};                 ///< All shifts so far, composed.
};

/// One object of a source on a stage: turns cumulative counters into cut() and shift().
///
/// Thread safety: that of the stage. Allocates: never. Cost: constant.
class Follower {
public:
    Follower() = default;
    /// An object that is on the stage already, in the given state.
    Follower(Id id, const SourceState& state) noexcept;

    [[nodiscard]] Id id() const noexcept { return id_; }
    /// Brings the object to `state` at `tick`: by a cut if its counter changed, else through what
    /// was added to its shift, else by a move. A pose that did not change is rest, unless there are
    /// channels. What the stage refuses is its answer, and changes nothing here.
    StageStatus follow(Stage& stage, const Tick& tick, const SourceState& state,
                       std::span<const float> channels = {}) noexcept;

private:
    Id id_{};
    std::uint32_t cut_count_ = 0;
    std::uint32_t shift_count_ = 0;
    Rigid shift_{};
};

} // namespace glissade
