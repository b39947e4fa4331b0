// SPDX-License-Identifier: MIT
#include "lab/score_json.h"

#include <nlohmann/json.hpp>

namespace glissade::lab {

namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

} // namespace

Json to_json(const ObjectScore& score) {
    const auto rate = [&](auto field) {
        return score.rate ? Json((*score.rate).*field) : Json(nullptr);
    };
    const auto count = [&](auto field) { return score.rate ? (*score.rate).*field : 0; };
    return {{"frames", score.frame_count},
            {"scored_frames", count(&RateMetrics::scored_count)},
            {"mean_rate", rate(&RateMetrics::mean_rate)},
            {"rate_rms", rate(&RateMetrics::rate_rms)},
            {"rate_p99", rate(&RateMetrics::rate_p99)},
            {"holds", count(&RateMetrics::hold_count)},
            {"jumps", count(&RateMetrics::jump_count)},
            {"backward", count(&RateMetrics::backward_count)},
            {"streaks", score.streak_count},
            {"pops", score.pop_count},
            {"off_path_m_max", score.off_path_m_max},
            {"underruns", or_null(score.underrun_count)},
            {"lag_ms_mean", or_null(score.lag_ms_mean)},
            {"lag_ms_p99", or_null(score.lag_ms_p99)},
            {"animation_error_ms_rms", rate(&RateMetrics::animation_error_rms_ms)},
            {"animation_error_ms_p99", rate(&RateMetrics::animation_error_p99_ms)},
            {"position_error_m_rms", or_null(score.position_error_m_rms)},
            {"angle_error_deg_rms", or_null(score.angle_error_deg_rms)},
            {"best_lag_ms", or_null(score.best_lag_ms)},
            {"velocity_error_ratio", or_null(score.velocity_error_ratio)}};
}

Json to_json(const Score& score) {
    Json json = score.worst ? to_json(score.objects[*score.worst]) : to_json(ObjectScore{});
    json["object"] = score.worst ? Json(score.objects[*score.worst].id) : Json(nullptr);
    json["objects"] = Json::object();
    for (const ObjectScore& object : score.objects) {
        json["objects"][std::to_string(object.id)] = to_json(object);
    }
    return json;
}

} // namespace glissade::lab
