// SPDX-License-Identifier: MIT
// The family "speeds, integration, jump".
#include "glissade/remote/flight.h"
#include "glissade/remote/speeds.h"

#include "conformance/compare.h"
#include "conformance/families.h"

namespace glissade::conformance {

namespace {

constexpr Word<Gait> kGaits[] = {
    {"Ready", Gait::Ready},
    {"WalkForward", Gait::WalkForward},
    {"WalkBackwards", Gait::WalkBackwards},
    {"RunForward", Gait::RunForward},
};

std::optional<RunRate> read_run_rate(Fields& given) {
    const bool has_skill = !given.is_null("inq_run_rate");
    const auto skill = has_skill ? given.number("inq_run_rate") : std::nullopt;
    const auto remembered = given.number("my_run_rate");
    if ((has_skill && !skill) || !remembered) {
        return std::nullopt;
    }
    return RunRate{skill, *remembered};
}

void check_speeds(Fields& given, Fields& expect) {
    const auto rate = read_run_rate(given);
    const auto gait = read_word(given, "forward_command", kGaits);
    const auto forward = given.number("forward_speed");
    const auto factor = given.number("current_speed_factor");
    if (factor && *factor != 1.0) {
        given.report().fail("given.current_speed_factor", "is always 1");
    }
    if (!rate || !gait || !forward || !factor) {
        return;
    }
    const RemoteTuning tuning;
    const MotionCommand command{.gait = *gait, .forward_speed = *forward};
    const double max_speed = compute_max_speed(tuning, *rate);
    const double adjusted = compute_adjusted_max_speed(tuning, command, *rate);
    compare_number(expect, "get_max_speed", max_speed);
    compare_number(expect, "get_adjusted_max_speed", adjusted);
    compare_number(expect, "interpolation_speed", compute_chase_speed(tuning, adjusted));
    compare_number(expect, "sticky_speed", compute_sticky_speed(tuning, max_speed));
}

struct Integration {
    FlightState state{};
    glm::dvec3 acceleration{0.0};
    Ground ground{};
    double quantum_s = 0.0;
    std::uint32_t step_count = 0;
    RemoteTuning tuning{};
};

std::optional<Integration> read_integration(Fields& given) {
    const auto position = read_vector(given, "pos");
    const auto velocity = read_vector(given, "vel");
    const auto acceleration = read_vector(given, "acc");
    const auto quantum = read_quantum(given, "quantum");
    const auto steps = given.whole("steps", 100'000);
    const auto walkable = given.flag("on_walkable");
    // In the air there may be no plane.
    const auto normal = given.is_null("plane_normal") ? std::optional(Ground{}.normal)
                                                      : read_vector(given, "plane_normal");
    const auto friction = given.number("friction");
    if (!position || !velocity || !acceleration || !quantum || !steps || !walkable || !normal ||
        !friction) {
        return std::nullopt;
    }
    Integration result{
        {*position, *velocity}, *acceleration, {*walkable, *normal}, *quantum, *steps};
    result.tuning.friction = *friction;
    return result;
}

void check_integration(Fields& given, Fields& expect) {
    auto run = read_integration(given);
    const Json* rows = expect.array("steps");
    if (!run || rows == nullptr) {
        return;
    }
    expect.report().expect_count("expect.steps", rows->size(), run->step_count);
    for (std::size_t i = 0; i < rows->size(); ++i) {
        run->state = integrate_flight(run->tuning, run->state, run->acceleration, run->ground,
                                      run->quantum_s);
        Fields row((*rows)[i], element_path("expect.steps", i), expect.report());
        compare_vector(row, "pos", run->state.position);
        compare_vector(row, "vel", run->state.velocity);
    }
}

void check_clamp(Fields& given, Fields& expect) {
    if (const auto velocity = read_vector(given, "vel")) {
        compare_vector(expect, "vel", clamp_velocity(RemoteTuning::client(), *velocity));
    }
}

void check_leap(Fields& given, Fields& expect) {
    const auto gait = read_word(given, "forward_command", kGaits);
    const auto forward = given.number("forward_speed");
    const auto sidestep = given.number("sidestep_speed");
    const auto jump = given.number("jump_vz");
    const auto before = read_vector(given, "world_velocity_before");
    const auto rate = given.number("run_rate");
    const auto heading = given.number("heading");
    if (!gait || !forward || !sidestep || !jump || !before || !rate || !heading) {
        return;
    }
    const Leap leap =
        compute_leap(RemoteTuning::client(),
                     {.gait = *gait, .forward_speed = *forward, .sidestep_speed = *sidestep},
                     {.remembered = *rate}, *jump, *before, *heading);
    compare_vector(expect, "local_velocity", leap.body_velocity);
    compare_vector(expect, "world_velocity_after", leap.world_velocity);
    compare_flag(expect, "kept_previous_velocity", leap.kept_velocity);
}

} // namespace

void check_physics_case(CaseFields& fields) {
    Fields& given = fields.given;
    if (given.has("jump_vz") || given.has("world_velocity_before")) {
        check_leap(given, fields.expect);
    } else if (given.has("forward_command") || given.has("my_run_rate")) {
        check_speeds(given, fields.expect);
    } else if (given.has("acc") || given.has("steps") || fields.expect.has("steps")) {
        check_integration(given, fields.expect);
    } else {
        check_clamp(given, fields.expect);
    }
}

} // namespace glissade::conformance
