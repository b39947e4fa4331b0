// SPDX-License-Identifier: MIT
// The family "MoveToManager helpers": the rules of a server-controlled move.
#include "glissade/remote/move_to_rules.h"
#include "glissade/remote/target_watch.h"

#include "conformance/compare.h"
#include "conformance/families.h"

#include <iterator>

namespace glissade::conformance {

namespace {

constexpr Word<MoveCommand> kCommands[] = {
    {"WalkForward", MoveCommand::WalkForward},
    {"WalkBackwards", MoveCommand::WalkBackwards},
};
constexpr Word<bool> kHoldKeys[] = {{"Run", true}, {"None", false}};
constexpr Word<Turn> kTurns[] = {{"TurnRight", Turn::Right}, {"TurnLeft", Turn::Left}};
constexpr Word<Turn> kTurnsOfNodes[] = {
    {"TurnRight", Turn::Right}, {"TurnLeft", Turn::Left}, {"skip", Turn::None}};
constexpr Word<ArrivalTest> kArrivals[] = {
    {"arrived", ArrivalTest::Arrived},
    {"cancel_0x3D", ArrivalTest::TooFar},
    {"no_test_this_tick", ArrivalTest::NotTested},
    {"continue", ArrivalTest::UnderWay},
};
constexpr Word<bool> kKinds[] = {{"object", true}, {"position", false}};

std::optional<Cylinder> read_cylinder(Fields& given, const std::string& number) {
    const auto position = read_vector(given, "p" + number);
    const auto radius = given.number("r" + number);
    const auto height = given.number("h" + number);
    return position && radius && height ? std::optional(Cylinder{*position, *radius, *height})
                                        : std::nullopt;
}

void check_cylinders(Fields& given, Fields& expect) {
    const auto first = read_cylinder(given, "1");
    const auto second = read_cylinder(given, "2");
    if (first && second) {
        compare_number(expect, "cylinder_distance", compute_cylinder_distance(*first, *second));
    }
}

// What a leg and a plan are told.
struct Order {
    MoveToParams params{};
    double distance_m = 0.0;
};

std::optional<Order> read_order(Fields& given) {
    const auto flags = given.whole("flags", 0xFFFF'FFFF);
    const auto distance = read_distance(given, "distance");
    const auto wanted = read_distance(given, "distance_to_object");
    const auto least = read_distance(given, "min_distance");
    const auto threshold = read_distance(given, "walk_run_threshold");
    if (!flags || !distance || !wanted || !least || !threshold) {
        return std::nullopt;
    }
    Order order{make_move_to_params(*flags), *distance};
    order.params.distance_to_object_m = *wanted;
    order.params.min_distance_m = *least;
    order.params.walk_run_threshold_m = *threshold;
    return order;
}

void check_command(Fields& given, Fields& expect) {
    const auto order = read_order(given);
    if (!order) {
        return;
    }
    const LegChoice leg = choose_leg(RemoteTuning::client(), order->params, order->distance_m);
    const bool commands = leg.command != MoveCommand::None;
    compare_reported(expect, "command", commands ? std::optional(leg.command) : std::nullopt,
                     [](Fields& row, const std::string& name, MoveCommand actual) {
                         compare_word(row, name, kCommands, actual);
                     });
    compare_reported(expect, "moving_away",
                     commands ? std::optional(leg.moving_away) : std::nullopt, compare_flag);
    compare_word(expect, "hold_key", kHoldKeys, leg.run);
}

// `a` is wanted and `b` current for the difference, the other way round for having passed.
void check_headings(Fields& given, Fields& expect) {
    const auto a = given.number("a");
    const auto b = given.number("b");
    const auto turn = read_word(given, "turn", kTurns);
    if (!a || !b || !turn) {
        return;
    }
    const bool passed = expect.has("heading_greater");
    if (passed) {
        compare_flag(expect, "heading_greater", has_turned_past(*a, *b, *turn));
    }
    if (!passed || expect.has("heading_diff")) {
        compare_turn(expect, "heading_diff",
                     compute_remaining_turn_deg(RemoteTuning::client(), *a, *b, *turn));
    }
}

void check_turn_node(Fields& given, Fields& expect) {
    const auto wanted = given.number("node_heading");
    const auto current = given.number("current_heading");
    if (wanted && current) {
        const TurnChoice choice = choose_turn(RemoteTuning::client(), *wanted, *current);
        compare_turn(expect, "heading_diff", choice.difference_deg);
        compare_word(expect, "command", kTurnsOfNodes, choice.turn);
    }
}

void check_steering(Fields& given, Fields& expect) {
    const auto position = read_vector(given, "pos");
    const auto heading = given.number("heading");
    const auto target = read_vector(given, "target_pos");
    const auto command = read_word(given, "command", kCommands);
    const auto moving_away = given.flag("moving_away");
    const auto pending = given.flag("motions_pending");
    if (!position || !heading || !target || !command || !moving_away || !pending) {
        return;
    }
    const SteerChoice choice = choose_steering(
        RemoteTuning::client(), {*position, *heading, *target, *command, *moving_away, *pending});
    compare_turn(expect, "desired_heading", choice.wanted_deg);
    compare_turn(expect, "diff", choice.difference_deg);
    const auto turn = choice.turn == Turn::None ? std::nullopt : std::optional(choice.turn);
    compare_reported(expect, "aux_turn", turn,
                     [](Fields& row, const std::string& name, Turn actual) {
                         compare_word(row, name, kTurns, actual);
                     });
}

void check_progress_made(Fields& given, Fields& expect) {
    const auto since_sample = given.number("since_previous_sample");
    const auto sample = read_distance(given, "previous_distance");
    const auto since_start = given.number("since_start");
    const auto start = read_distance(given, "original_distance");
    const auto distance = read_distance(given, "current_distance");
    const auto moving_away = given.flag("moving_away");
    if (since_sample && sample && since_start && start && distance && moving_away) {
        const Progress progress =
            check_progress(RemoteTuning::client(),
                           {*since_sample, *sample, *since_start, *start, *distance, *moving_away});
        compare_flag(expect, "progress_made", progress.made);
    }
}

void compare_plan_node(Fields& row, const MoveToNode& actual) {
    const bool expects_turn = row.has("turn_to_heading");
    row.report().expect_match(row.path_of("turn_to_heading"), expects_turn == actual.is_turn,
                              actual.is_turn ? "got a turn" : "got a move");
    if (expects_turn) {
        compare_turn(row, "turn_to_heading", actual.heading_deg);
    } else {
        compare_flag(row, "move_to_position", true);
    }
}

void compare_plan(Fields& expect, const MoveToPlan& plan) {
    const Json* nodes = expect.array("nodes");
    if (nodes == nullptr) {
        return;
    }
    expect.report().expect_count("expect.nodes", nodes->size(), plan.size);
    for (std::size_t i = 0; i < nodes->size() && i < plan.size; ++i) {
        Fields row((*nodes)[i], element_path("expect.nodes", i), expect.report());
        compare_plan_node(row, plan.nodes[i]);
    }
    compare_flag(expect, "finished_immediately", plan.size == 0);
    compare_flag(expect, "sticks_when_done", plan.sticks_when_done);
}

void check_plan(Fields& given, Fields& expect) {
    const auto to_object = read_word(given, "kind", kKinds);
    auto order = read_order(given);
    const auto position = read_vector(given, "pos");
    const auto heading = given.number("heading"); // Of the body: no plan depends on it.
    const auto target = read_vector(given, "target_pos");
    const auto desired = given.number("desired_heading");
    if (!to_object || !order || !position || !heading || !target || !desired) {
        return;
    }
    order->params.desired_heading_deg = *desired;
    compare_plan(expect, make_move_to_plan(RemoteTuning::client(), order->params,
                                           {*to_object, *position, *target, order->distance_m}));
}

void check_arrival(Fields& given, Fields& expect) {
    const auto distance = read_distance(given, "distance");
    const auto wanted = read_distance(given, "distance_to_object");
    const auto least = read_distance(given, "min_distance");
    const auto fail = read_distance(given, "fail_distance");
    const auto moving_away = given.flag("moving_away");
    const auto start = read_vector(given, "start");
    const auto position = read_vector(given, "pos");
    const auto progress = given.flag("progress_made");
    if (!distance || !wanted || !least || !fail || !moving_away || !start || !position ||
        !progress) {
        return;
    }
    MoveToParams params;
    params.distance_to_object_m = *wanted;
    params.min_distance_m = *least;
    params.fail_distance_m = *fail;
    compare_word(expect, "result", kArrivals,
                 test_arrival(params, {*distance, *moving_away, *start, *position, *progress}));
}

void check_watch(Fields& given, Fields& expect) {
    const auto since_look = given.number("since_last_targeting_pass");
    const auto position = read_vector(given, "target_pos");
    const auto velocity = read_vector(given, "target_cached_velocity");
    const auto prediction = given.number("voyeur_quantum");
    const auto last_told = read_vector(given, "last_sent");
    const auto radius = given.number("radius");
    if (!since_look || !position || !velocity || !prediction || !last_told || !radius) {
        return;
    }
    const auto update = compute_target_update(
        RemoteTuning::client(),
        {*since_look, *position, *velocity, *prediction, *last_told, *radius});
    compare_flag(expect, "update_sent", update.has_value());
    compare_reported(expect, "interpolated_position",
                     update ? std::optional(update->predicted) : std::nullopt, compare_vector);
    compare_reported(expect, "target_position",
                     update ? std::optional(update->position) : std::nullopt, compare_vector);
}

// Which rule a case is about: the first that has the field.
struct Shape {
    const char* field;
    void (*check)(Fields& given, Fields& expect);
};
constexpr Shape kShapes[] = {
    {"p1", check_cylinders},
    {"r1", check_cylinders},
    {"node_heading", check_turn_node},
    {"current_heading", check_turn_node},
    {"turn", check_headings},
    {"a", check_headings},
    {"since_last_targeting_pass", check_watch},
    {"last_sent", check_watch},
    {"since_previous_sample", check_progress_made},
    {"since_start", check_progress_made},
    {"fail_distance", check_arrival},
    {"start", check_arrival},
    {"motions_pending", check_steering},
    {"command", check_steering},
    {"kind", check_plan},
    {"target_pos", check_plan},
};

} // namespace

void check_move_to_case(CaseFields& fields) {
    for (const Shape& shape : kShapes) {
        if (fields.given.has(shape.field)) {
            shape.check(fields.given, fields.expect);
            return;
        }
    }
    check_command(fields.given, fields.expect);
}

} // namespace glissade::conformance
