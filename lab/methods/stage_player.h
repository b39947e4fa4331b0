// SPDX-License-Identifier: MIT
// Feeds the ticks of a trace to a Stage and draws from it: what the library's own methods share.
#pragma once

#include "glissade/feed/source_state.h"
#include "glissade/stage/stage.h"
#include "glissade/trace/trace.h"

#include "lab/method.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace glissade::lab {

/// A stage with one track, filled from a trace.
///
/// Cumulative cuts and shifts become cut() and shift(), an object that comes and goes is spawned
/// and despawned, and states with velocities are blended along them.
class StagePlayer {
public:
    StagePlayer(const MethodConfig& config, const TrackConfig& track);

    /// Takes the tick in; false if it is not newer than the newest one and was left out.
    bool tick(const TraceTick& tick);
    /// What the stage shows at `sample_ns` of `now_ns`, both on the source's timeline; `out.state`
    /// included.
    void draw(std::int64_t sample_ns, std::int64_t now_ns, DrawnFrame& out);

    [[nodiscard]] bool empty() const noexcept { return !newest_; }
    [[nodiscard]] const Tick& newest() const noexcept { return *newest_; }
    /// Why some of it could not be taken in; empty if all was.
    [[nodiscard]] std::string problem() const;

private:
    struct Object {
        SourceState state{};
        Follower follower{};
    };

    void take(const TracePose& pose);
    void add(const TracePose& pose);
    void note(StageStatus status, std::int64_t id);
    [[nodiscard]] DrawnState classify(std::int64_t sample_ns) const;

    Stage stage_;
    std::int64_t underrun_extrapolation_ns_;
    std::optional<Tick> newest_{};
    std::int64_t epoch_ = 0;
    std::map<std::int64_t, Object> objects_{};
    /// Objects that have ended but are on the screen until the picture gets there, too.
    std::multimap<std::int64_t, Id> drawn_{};
    std::string problem_{};
};

} // namespace glissade::lab
