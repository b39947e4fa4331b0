// SPDX-License-Identifier: MIT
#include "lab/score_json.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace glissade::lab {
namespace {

using Json = nlohmann::ordered_json;

ObjectScore make_score(std::int64_t id, double rate_rms) {
    return {.id = id,
            .frame_count = 100,
            .rate = RateMetrics{.scored_count = 90,
                                .mean_rate = 0.75,
                                .rate_rms = rate_rms,
                                .rate_p99 = 0.5,
                                .hold_count = 3,
                                .jump_count = 4,
                                .backward_count = 5,
                                .animation_error_rms_ms = 1.5,
                                .animation_error_p99_ms = 2.5},
            .streak_count = 6,
            .pop_count = 8,
            .off_path_m_max = 0.125,
            .underrun_count = 7,
            .lag_ms_mean = 30.5,
            .lag_ms_p99 = 31.5,
            .best_lag_ms = 29.5,
            .position_error_m_rms = 0.0625,
            .angle_error_deg_rms = 8.5,
            .velocity_error_ratio = 0.25};
}

TEST(ScoreJson, AnObjectHasEveryFigureUnderItsPromisedKey) {
    const Json expected = {{"frames", 100},
                           {"scored_frames", 90},
                           {"mean_rate", 0.75},
                           {"rate_rms", 0.375},
                           {"rate_p99", 0.5},
                           {"holds", 3},
                           {"jumps", 4},
                           {"backward", 5},
                           {"streaks", 6},
                           {"pops", 8},
                           {"off_path_m_max", 0.125},
                           {"underruns", 7},
                           {"lag_ms_mean", 30.5},
                           {"lag_ms_p99", 31.5},
                           {"animation_error_ms_rms", 1.5},
                           {"animation_error_ms_p99", 2.5},
                           {"position_error_m_rms", 0.0625},
                           {"angle_error_deg_rms", 8.5},
                           {"best_lag_ms", 29.5},
                           {"velocity_error_ratio", 0.25}};
    EXPECT_EQ(to_json(make_score(1, 0.375)), expected);
}

TEST(ScoreJson, WhatIsNotKnownIsNullAndWhatWasNotSeenIsZero) {
    const Json json = to_json(ObjectScore{.id = 1});
    for (const char* const key :
         {"mean_rate", "rate_rms", "rate_p99", "underruns", "lag_ms_mean", "lag_ms_p99",
          "animation_error_ms_rms", "animation_error_ms_p99", "position_error_m_rms",
          "angle_error_deg_rms", "best_lag_ms", "velocity_error_ratio"}) {
        EXPECT_TRUE(json.at(key).is_null()) << key;
    }
    for (const char* const key :
         {"frames", "scored_frames", "holds", "jumps", "backward", "streaks", "pops"}) {
        EXPECT_EQ(json.at(key), 0) << key;
    }
}

TEST(ScoreJson, TheWorstObjectStandsAtTheTopAndAllOfThemBelow) {
    const Score score{.objects = {make_score(-3, 0.125), make_score(12, 0.5)}, .worst = 1};
    const Json json = to_json(score);
    EXPECT_EQ(json.at("rate_rms"), 0.5);
    EXPECT_EQ(json.at("object"), 12);
    EXPECT_EQ(json.at("frames"), 100);
    ASSERT_EQ(json.at("objects").size(), 2U);
    EXPECT_EQ(json.at("objects").at("-3"), to_json(score.objects[0]));
    EXPECT_EQ(json.at("objects").at("12"), to_json(score.objects[1]));
}

TEST(ScoreJson, WithoutObjectsTheKeysAreThereAllTheSame) {
    const Json json = to_json(Score{});
    EXPECT_EQ(json.at("frames"), 0);
    EXPECT_TRUE(json.at("rate_rms").is_null());
    EXPECT_TRUE(json.at("object").is_null());
    EXPECT_TRUE(json.at("objects").is_object());
    EXPECT_TRUE(json.at("objects").empty());
}

} // namespace
} // namespace glissade::lab
