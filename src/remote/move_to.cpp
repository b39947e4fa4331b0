// SPDX-License-Identifier: MIT
#include "glissade/remote/move_to.h"

#include "glissade/remote/heading.h"

#include <glm/geometric.hpp>

namespace glissade {

const char* to_string(MoveToEnd end) noexcept {
    switch (end) {
        case MoveToEnd::None:
            return "none";
        case MoveToEnd::Arrived:
            return "arrived";
        case MoveToEnd::Replaced:
            return "replaced";
        case MoveToEnd::TargetLost:
            return "target lost";
        case MoveToEnd::NeverSeen:
            return "target never seen";
        case MoveToEnd::Teleported:
            return "teleported";
        case MoveToEnd::TooFar:
            return "too far";
    }
    return "unknown";
}

void MoveTo::begin(const RemoteTuning& tuning, const MoveToOrder& order, const MoverState& body,
                   bool target_is_self) noexcept {
    *this = {};
    order_ = order;
    const bool has_target = needs_target();
    if (has_target && target_is_self) {
        return;
    }
    if (has_target && !body.target.has_value()) {
        order_.kind =
            order.kind == MoveToKind::Object ? MoveToKind::Position : MoveToKind::TurnToHeading;
    }
    running_ = true;
    start_ = body.position;
    if (order_.kind == MoveToKind::TurnToHeading) {
        plan_turn(order_.params.desired_heading_deg);
    } else if (order_.kind == MoveToKind::Position) {
        goal_ = {.position = order_.position};
        // Measured from centre to centre, whatever the order says; the leg measures anew.
        plan_move(tuning, body, goal_.position, glm::distance(body.position, goal_.position));
    }
}

MoveToEnd MoveTo::cancel(MoveToEnd end) noexcept {
    const bool ran = running_;
    running_ = false;
    return ran ? end : MoveToEnd::None;
}

std::optional<std::uint64_t> MoveTo::target() const noexcept {
    return running_ && needs_target() ? std::optional(order_.target) : std::nullopt;
}

MoveToStep MoveTo::advance(const RemoteTuning& tuning, const MoverState& body,
                           double quantum_s) noexcept {
    if (!running_) {
        return {};
    }
    const MoveToEnd lost = observe(tuning, body, quantum_s);
    if (lost != MoveToEnd::None) {
        return {.end = cancel(lost)};
    }
    if (!planned_) {
        return {};
    }
    if (!body.contact && head_ < plan_.size) {
        turn_ = Turn::None;
        was_airborne_ = true;
        return {};
    }
    MoveToStep step;
    while (head_ < plan_.size) {
        const ArrivalTest node = plan_.nodes[head_].is_turn
                                     ? advance_turn(tuning, body, step)
                                     : advance_leg(tuning, body, quantum_s, step);
        was_airborne_ = false;
        if (node == ArrivalTest::TooFar) {
            step.end = cancel(MoveToEnd::TooFar);
            return step;
        }
        if (node != ArrivalTest::Arrived) {
            return step;
        }
        ++head_;
    }
    step.stick = plan_.sticks_when_done;
    step.end = cancel(MoveToEnd::Arrived);
    return step;
}

bool MoveTo::needs_target() const noexcept {
    return order_.kind == MoveToKind::Object || order_.kind == MoveToKind::TurnToObject;
}

MoveToEnd MoveTo::observe(const RemoteTuning& tuning, const MoverState& body,
                          double quantum_s) noexcept {
    if (!needs_target()) {
        return MoveToEnd::None;
    }
    const std::optional<TargetUpdate> update = watch_.look(tuning, quantum_s, body.target);
    if (watch_.state() == WatchState::Lost) {
        return MoveToEnd::TargetLost;
    }
    if (watch_.state() == WatchState::TimedOut) {
        return MoveToEnd::NeverSeen;
    }
    if (update.has_value()) {
        retarget(tuning, body, *update);
    }
    return MoveToEnd::None;
}

void MoveTo::retarget(const RemoteTuning& tuning, const MoverState& body,
                      const TargetUpdate& update) noexcept {
    // Steering and distances follow where the target is, not where it will be: a mover would turn
    // round under a target that comes towards it.
    goal_ = {.position = update.position,
             .radius_m = body.target->radius_m,
             .height_m = body.target->height_m};
    if (planned_) {
        // Whatever the distance was before says nothing about the mover: any change passes.
        sample_distance_m_ = leg_.moving_away ? -kUnlimited : kUnlimited;
        start_distance_m_ = sample_distance_m_;
        return;
    }
    if (order_.kind == MoveToKind::TurnToObject) {
        plan_turn(compute_bearing_deg(body.position, update.predicted, tuning.epsilon));
        plan_.sticks_when_done = order_.params.sticky;
        return;
    }
    plan_move(tuning, body, update.predicted, compute_distance_m(body));
}

void MoveTo::plan_turn(double heading_deg) noexcept {
    plan_.nodes[0] = {.is_turn = true, .heading_deg = normalise_heading(heading_deg)};
    plan_.size = 1;
    planned_ = true;
}

void MoveTo::plan_move(const RemoteTuning& tuning, const MoverState& body,
                       const glm::dvec3& towards, double distance_m) noexcept {
    plan_ = make_move_to_plan(tuning, order_.params,
                              {.to_object = order_.kind == MoveToKind::Object,
                               .position = body.position,
                               .target_position = towards,
                               .distance_m = distance_m});
    planned_ = true;
}

double MoveTo::compute_distance_m(const MoverState& body) const noexcept {
    if (!order_.params.use_spheres) {
        return glm::distance(body.position, goal_.position);
    }
    return compute_cylinder_distance(
        {.position = body.position, .radius_m = body.radius_m, .height_m = body.height_m}, goal_);
}

ArrivalTest MoveTo::advance_turn(const RemoteTuning& tuning, const MoverState& body,
                                 MoveToStep& step) noexcept {
    const double wanted_deg = plan_.nodes[head_].heading_deg;
    const double current_deg = normalise_heading(step.heading_deg.value_or(body.heading_deg));
    if (turn_ == Turn::None) {
        // Only the beginning waits: the animation of the turn itself may be what is pending.
        if (body.motions_pending) {
            return ArrivalTest::NotTested;
        }
        turn_ = choose_turn(tuning, wanted_deg, current_deg).turn;
        if (turn_ == Turn::None) {
            return ArrivalTest::Arrived;
        }
    } else if (has_turned_past(current_deg, wanted_deg, turn_)) {
        turn_ = Turn::None;
        step.heading_deg = wanted_deg;
        return ArrivalTest::Arrived;
    }
    step.command.turn_deg_s = compute_turn_rate(tuning, turn_, false);
    return ArrivalTest::UnderWay;
}

ArrivalTest MoveTo::advance_leg(const RemoteTuning& tuning, const MoverState& body,
                                double quantum_s, MoveToStep& step) noexcept {
    const double distance_m = compute_distance_m(body);
    ArrivalTest test = ArrivalTest::UnderWay;
    if (leg_.command == MoveCommand::None) {
        leg_ = choose_leg(tuning, order_.params, distance_m);
        if (leg_.command == MoveCommand::None) {
            return ArrivalTest::Arrived;
        }
        restart_progress(distance_m);
    } else if (was_airborne_) {
        restart_progress(distance_m);
    } else {
        test = test_leg(tuning, body, quantum_s, distance_m);
    }
    if (test == ArrivalTest::Arrived || test == ArrivalTest::TooFar) {
        return test;
    }
    if (order_.kind == MoveToKind::Object) {
        watch_.predict_for(distance_m, body.speed_m_s);
    }
    const SteerChoice steering = choose_steering(
        tuning, {.position = body.position,
                 .heading_deg = normalise_heading(step.heading_deg.value_or(body.heading_deg)),
                 .target_position = goal_.position,
                 .command = leg_.command,
                 .moving_away = leg_.moving_away,
                 .motions_pending = body.motions_pending});
    step.command = make_command(tuning, steering.turn);
    return test;
}

void MoveTo::restart_progress(double distance_m) noexcept {
    sample_distance_m_ = distance_m;
    start_distance_m_ = distance_m;
    since_sample_s_ = 0.0;
    since_start_s_ = 0.0;
}

ArrivalTest MoveTo::test_leg(const RemoteTuning& tuning, const MoverState& body, double quantum_s,
                             double distance_m) noexcept {
    since_sample_s_ += quantum_s;
    since_start_s_ += quantum_s;
    const Progress progress = check_progress(tuning, {.since_sample_s = since_sample_s_,
                                                      .sample_distance_m = sample_distance_m_,
                                                      .since_start_s = since_start_s_,
                                                      .start_distance_m = start_distance_m_,
                                                      .distance_m = distance_m,
                                                      .moving_away = leg_.moving_away});
    if (progress.new_sample) {
        sample_distance_m_ = distance_m;
        since_sample_s_ = 0.0;
    }
    return test_arrival(order_.params, {.distance_m = distance_m,
                                        .moving_away = leg_.moving_away,
                                        .start = start_,
                                        .position = body.position,
                                        .progress_made = progress.made});
}

MotionCommand MoveTo::make_command(const RemoteTuning& tuning, Turn turn) const noexcept {
    MotionCommand command;
    command.gait = leg_.run ? Gait::RunForward : Gait::WalkForward;
    if (leg_.command == MoveCommand::WalkBackwards) {
        command.gait = Gait::WalkBackwards;
    }
    command.forward_speed = order_.params.speed * (leg_.run ? order_.run_rate : 1.0);
    command.turn_deg_s = compute_turn_rate(tuning, turn, leg_.run);
    return command;
}

double MoveTo::compute_turn_rate(const RemoteTuning& tuning, Turn turn,
                                 bool running) const noexcept {
    if (turn == Turn::None) {
        return 0.0;
    }
    const double rate_deg_s =
        tuning.turn_rate_deg_s * order_.params.speed * (running ? tuning.running_turn_factor : 1.0);
    return turn == Turn::Right ? rate_deg_s : -rate_deg_s;
}

} // namespace glissade
