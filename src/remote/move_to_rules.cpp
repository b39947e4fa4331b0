// SPDX-License-Identifier: MIT
#include "glissade/remote/move_to_rules.h"

#include "glissade/remote/heading.h"

#include <cmath>

#include <glm/geometric.hpp>

namespace glissade {

namespace {

constexpr double kFullTurnDeg = 360.0;
constexpr double kHalfTurnDeg = 180.0;

// a - b, where unlimited less unlimited is nothing and not NaN.
double subtract(double a, double b) noexcept {
    return a == b ? 0.0 : a - b;
}

bool has_flag(std::uint32_t flags, std::uint32_t bit) noexcept {
    return (flags & bit) != 0;
}

// Whether the distance changed too slowly since a reference. Multiplies, because no time at all
// may have passed.
bool is_too_slow(const RemoteTuning& tuning, const ProgressQuery& query, double reference_m,
                 double since_s) noexcept {
    const double gained_m = query.moving_away ? subtract(query.distance_m, reference_m)
                                              : subtract(reference_m, query.distance_m);
    return gained_m < tuning.min_progress_m_s * since_s;
}

void append(MoveToPlan& plan, const MoveToNode& node) noexcept {
    plan.nodes[plan.size] = node;
    ++plan.size;
}

} // namespace

double compute_cylinder_distance(const Cylinder& a, const Cylinder& b) noexcept {
    const bool b_is_upper = b.position.z >= a.position.z;
    const Cylinder& upper = b_is_upper ? b : a;
    const Cylinder& lower = b_is_upper ? a : b;
    const double across_m = glm::distance(a.position, b.position) - (a.radius_m + b.radius_m);
    const double above_m = upper.position.z - (lower.position.z + lower.height_m);
    if (above_m > 0.0) {
        return across_m > 0.0 ? std::hypot(above_m, across_m) : above_m;
    }
    return across_m > 0.0 ? across_m : -std::hypot(above_m, across_m);
}

MoveToParams make_move_to_params(std::uint32_t flags) noexcept {
    return {.can_walk = has_flag(flags, 0x1),
            .can_run = has_flag(flags, 0x2),
            .can_sidestep = has_flag(flags, 0x4),
            .can_walk_backwards = has_flag(flags, 0x8),
            .can_charge = has_flag(flags, 0x10),
            .use_final_heading = has_flag(flags, 0x40),
            .sticky = has_flag(flags, 0x80),
            .move_away = has_flag(flags, 0x100),
            .move_towards = has_flag(flags, 0x200),
            .use_spheres = has_flag(flags, 0x400)};
}

LegChoice choose_leg(const RemoteTuning& tuning, const MoveToParams& params,
                     double distance_m) noexcept {
    const double left_m = subtract(distance_m, params.distance_to_object_m);
    LegChoice choice;
    choice.run = params.can_charge ||
                 (params.can_run && (!params.can_walk || left_m > params.walk_run_threshold_m));
    if (params.move_away && !params.move_towards) {
        choice.moving_away = distance_m < params.min_distance_m;
        choice.command = choice.moving_away ? MoveCommand::WalkForward : MoveCommand::None;
        return choice;
    }
    if (distance_m > params.distance_to_object_m) {
        choice.command = MoveCommand::WalkForward;
        return choice;
    }
    if (params.move_away && subtract(distance_m, params.min_distance_m) < tuning.epsilon) {
        choice.command = MoveCommand::WalkBackwards;
        choice.moving_away = true;
    }
    return choice;
}

MoveToPlan make_move_to_plan(const RemoteTuning& tuning, const MoveToParams& params,
                             const PlanQuery& query) noexcept {
    const double bearing_deg =
        compute_bearing_deg(query.position, query.target_position, tuning.epsilon);
    MoveToPlan plan;
    plan.sticks_when_done = query.to_object && params.sticky;
    if (choose_leg(tuning, params, query.distance_m).command != MoveCommand::None) {
        append(plan, {.is_turn = true, .heading_deg = bearing_deg});
        append(plan, {.is_turn = false});
    }
    if (params.use_final_heading) {
        const double base_deg = query.to_object ? bearing_deg : 0.0;
        append(plan, {.is_turn = true,
                      .heading_deg = normalise_heading(base_deg + params.desired_heading_deg)});
    }
    return plan;
}

TurnChoice choose_turn(const RemoteTuning& tuning, double wanted_deg, double current_deg) noexcept {
    const double difference_deg = compute_turn_deg(current_deg, wanted_deg);
    if (difference_deg < tuning.epsilon || kFullTurnDeg - difference_deg < tuning.epsilon) {
        return {};
    }
    TurnChoice choice{.turn = Turn::None, .difference_deg = difference_deg};
    if (difference_deg > kHalfTurnDeg) {
        choice.turn = difference_deg + tuning.epsilon < kFullTurnDeg ? Turn::Left : Turn::None;
    } else {
        choice.turn = difference_deg > tuning.epsilon ? Turn::Right : Turn::None;
    }
    return choice;
}

double compute_remaining_turn_deg(const RemoteTuning& tuning, double wanted_deg, double current_deg,
                                  Turn turn) noexcept {
    const double difference_deg = choose_turn(tuning, wanted_deg, current_deg).difference_deg;
    if (turn == Turn::None || difference_deg == 0.0) {
        return 0.0;
    }
    return turn == Turn::Right ? difference_deg : kFullTurnDeg - difference_deg;
}

bool has_turned_past(double current_deg, double wanted_deg, Turn turn) noexcept {
    if (turn == Turn::None) {
        return true;
    }
    // More than half a turn apart means that north lies between the two.
    const bool across_north = std::abs(current_deg - wanted_deg) > kHalfTurnDeg;
    const bool past_right = across_north ? wanted_deg > current_deg : current_deg > wanted_deg;
    return turn == Turn::Right ? past_right : !past_right;
}

SteerChoice choose_steering(const RemoteTuning& tuning, const SteerQuery& query) noexcept {
    const bool faces_away = (query.command == MoveCommand::WalkForward && query.moving_away) ||
                            (query.command == MoveCommand::WalkBackwards && !query.moving_away);
    const double bearing_deg =
        compute_bearing_deg(query.position, query.target_position, tuning.epsilon);
    SteerChoice choice;
    choice.wanted_deg = normalise_heading(bearing_deg + (faces_away ? kHalfTurnDeg : 0.0));
    choice.difference_deg = compute_turn_deg(query.heading_deg, choice.wanted_deg);
    const bool in_dead_band = choice.difference_deg <= tuning.steer_dead_band_deg ||
                              choice.difference_deg >= kFullTurnDeg - tuning.steer_dead_band_deg;
    if (!query.motions_pending && !in_dead_band) {
        choice.turn = choice.difference_deg >= kHalfTurnDeg ? Turn::Left : Turn::Right;
    }
    return choice;
}

Progress check_progress(const RemoteTuning& tuning, const ProgressQuery& query) noexcept {
    if (query.since_sample_s <= tuning.progress_period_s) {
        return {.made = true, .new_sample = false};
    }
    if (is_too_slow(tuning, query, query.sample_distance_m, query.since_sample_s)) {
        return {.made = false, .new_sample = false};
    }
    const bool slow_overall =
        is_too_slow(tuning, query, query.start_distance_m, query.since_start_s);
    return {.made = !slow_overall, .new_sample = true};
}

ArrivalTest test_arrival(const MoveToParams& params, const ArrivalQuery& query) noexcept {
    if (!query.progress_made) {
        return ArrivalTest::NotTested;
    }
    const bool arrived = query.moving_away ? query.distance_m >= params.min_distance_m
                                           : query.distance_m <= params.distance_to_object_m;
    if (arrived) {
        return ArrivalTest::Arrived;
    }
    return glm::distance(query.start, query.position) > params.fail_distance_m
               ? ArrivalTest::TooFar
               : ArrivalTest::UnderWay;
}

} // namespace glissade
