// SPDX-License-Identifier: MIT
#include "glissade/remote/remote_tuning.h"

#include "glissade/remote/chase_queue.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace glissade {

bool RemoteTuning::is_valid() const noexcept {
    constexpr std::uint32_t kMostFailures = 1'000'000;
    const double not_negative[] = {physics_distance_m,
                                   far_gap_outdoors_m,
                                   far_gap_indoors_m,
                                   far_gap_local_player_m,
                                   catch_up_factor,
                                   fallback_speed_m_s,
                                   near_m,
                                   progress_ratio,
                                   first_distance_m,
                                   leash_start_outdoors_m,
                                   leash_start_indoors_m,
                                   sticky_gap_m,
                                   sticky_factor,
                                   sticky_fallback_speed_m_s,
                                   sticky_timeout_s,
                                   run_speed_m_s,
                                   walk_speed_m_s,
                                   backward_factor,
                                   sidestep_speed_m_s,
                                   max_running_sidestep,
                                   turn_rate_deg_s,
                                   running_turn_factor,
                                   friction,
                                   stop_speed_m_s,
                                   landing_chase_m,
                                   watch_period_s,
                                   watch_radius_m,
                                   watch_timeout_s,
                                   steer_dead_band_deg,
                                   min_progress_m_s,
                                   progress_period_s,
                                   epsilon};
    const double positive[] = {reach_m, max_velocity_m_s,
                               leash_max_outdoors_m - leash_start_outdoors_m,
                               leash_max_indoors_m - leash_start_indoors_m};
    return std::all_of(std::begin(not_negative), std::end(not_negative),
                       [](double value) { return value >= 0.0 && std::isfinite(value); }) &&
           std::all_of(std::begin(positive), std::end(positive),
                       [](double value) { return value > 0.0 && std::isfinite(value); }) &&
           std::isfinite(gravity_m_s2) && friction <= 1.0 && steer_dead_band_deg <= 180.0 &&
           queue_cap >= 1 && queue_cap <= kChaseCapacity && stall_window >= 1 &&
           blip_after <= kMostFailures;
}

RemoteTuning RemoteTuning::literal() noexcept {
    RemoteTuning tuning;
    tuning.far_test = FarTest::Update;
    tuning.root_motion = RootMotion::Add;
    tuning.duplicate_tail = DuplicateTail::Drop;
    tuning.progress_resets_failures = true;
    tuning.orientation_always_snaps = true;
    tuning.landing_chase_m = 0.0;
    return tuning;
}

} // namespace glissade
