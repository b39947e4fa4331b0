// SPDX-License-Identifier: MIT
#include "glissade/remote/remote_tuning.h"

#include "glissade/remote/chase_queue.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace glissade {
namespace {

TEST(RemoteTuning, BothPresetsAreValid) {
    EXPECT_TRUE(RemoteTuning::client().is_valid());
    EXPECT_TRUE(RemoteTuning::literal().is_valid());
}

TEST(RemoteTuning, TheLiteralTextDiffersInSixPlaces) {
    const RemoteTuning literal = RemoteTuning::literal();
    EXPECT_EQ(literal.root_motion, RootMotion::Add);
    EXPECT_EQ(literal.duplicate_tail, DuplicateTail::Drop);
    EXPECT_EQ(literal.far_test, FarTest::Update);
    EXPECT_TRUE(literal.progress_resets_failures);
    EXPECT_TRUE(literal.orientation_always_snaps);
    EXPECT_EQ(literal.landing_chase_m, 0.0);
}

TEST(RemoteTuning, NumbersOutOfRangeAreNotValid) {
    const std::function<void(RemoteTuning&)> breaks[] = {
        [](RemoteTuning& tuning) { tuning.friction = 1.5; },
        [](RemoteTuning& tuning) { tuning.friction = -0.1; },
        [](RemoteTuning& tuning) { tuning.reach_m = 0.0; },
        [](RemoteTuning& tuning) { tuning.max_velocity_m_s = 0.0; },
        [](RemoteTuning& tuning) { tuning.queue_cap = 0; },
        [](RemoteTuning& tuning) { tuning.queue_cap = kChaseCapacity + 1; },
        [](RemoteTuning& tuning) { tuning.stall_window = 0; },
        [](RemoteTuning& tuning) { tuning.blip_after = 0xFFFFFFFF; },
        [](RemoteTuning& tuning) { tuning.leash_start_outdoors_m = tuning.leash_max_outdoors_m; },
        [](RemoteTuning& tuning) { tuning.leash_max_indoors_m = std::nan(""); },
        [](RemoteTuning& tuning) { tuning.steer_dead_band_deg = 181.0; },
        [](RemoteTuning& tuning) { tuning.gravity_m_s2 = std::nan(""); },
        [](RemoteTuning& tuning) { tuning.epsilon = std::numeric_limits<double>::infinity(); },
    };
    for (const auto& apply : breaks) {
        RemoteTuning tuning;
        apply(tuning);
        EXPECT_FALSE(tuning.is_valid());
    }
}

} // namespace
} // namespace glissade
