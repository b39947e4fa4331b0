// SPDX-License-Identifier: MIT
// A stage at work, and the proof that a refused call does nothing to it.
#pragma once

#include "glissade/stage/stage.h"

#include "stage/stage_digest.h"
#include "support/stage_runner.h"

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace glissade::testing {

inline constexpr std::array<Channel, 2> kSceneChannels = {Channel::Linear, Channel::Step};

/// A stage in the middle of its work: objects at rest, moving, hidden, below a parent, on a second
/// track; ticks 1 to 3 are in, and the picture is between 2 and 3.
struct Scene {
    Scene() {
        resting = stage.add(at_x(1.0));
        mover = stage.add(at_x(2.0), {.blend = Blend::Hermite});
        child = stage.add(at_x(3.0), {.parent = mover});
        hidden = stage.add(at_x(4.0));
        other = stage.add(at_x(5.0), {.track = track});
        gone = stage.add(at_x(6.0));
        EXPECT_EQ(stage.remove(gone), StageStatus::Ok);
        EXPECT_EQ(stage.hide(hidden), StageStatus::Ok);
        for (std::int64_t index = 1; index <= 3; ++index) {
            EXPECT_EQ(stage.move(tick_at(index), mover, at_x(static_cast<double>(index))),
                      StageStatus::Ok);
            EXPECT_EQ(stage.move(tick_at(index), other, at_x(static_cast<double>(index))),
                      StageStatus::Ok);
        }
        const std::array<TrackSample, 2> samples = {
            {{.time = {.time_ns = 50'000'000, .now_ns = 60'000'000}},
             {.track = track, .time = {.time_ns = 45'000'000, .now_ns = 60'000'000}}}};
        EXPECT_EQ(stage.present(samples), StageStatus::Ok);
        ids = {resting, mover, child, hidden, other, gone};
    }

    [[nodiscard]] std::uint64_t digest() const { return compute_digest(stage, ids); }

    Stage stage{{.capacity = 16, .event_capacity = 4, .tag = 7, .channels = kSceneChannels}};
    TrackId track = stage.make_track({.history = 3, .cuts = CutShows::AtStamp}).value();
    Id resting, mover, child, hidden, other;
    Id gone; ///< Removed.
    std::vector<Id> ids;
    Tick tick = tick_at(4); ///< The next one.
};

[[nodiscard]] inline std::uint64_t count_refused(const Stage& stage) {
    const auto& counts = stage.stats().refused_count;
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

/// `call` is refused with `status`, counted there once, and leaves everything else as it was.
inline void expect_refused(Scene& scene, StageStatus status,
                           const std::function<StageStatus()>& call) {
    const std::uint64_t digest = scene.digest();
    const std::uint64_t all_count = count_refused(scene.stage);
    const auto number = static_cast<std::size_t>(status);
    const std::uint64_t own_count = scene.stage.stats().refused_count[number];
    const StageStatus given = call();
    EXPECT_EQ(given, status) << "given: " << to_string(given) << ", due: " << to_string(status);
    EXPECT_EQ(scene.stage.stats().refused_count[number], own_count + 1);
    EXPECT_EQ(count_refused(scene.stage), all_count + 1);
    EXPECT_EQ(scene.digest(), digest) << "the stage changed";
}

} // namespace glissade::testing
