// SPDX-License-Identifier: MIT
// The family "InterpolationManager.adjust_offset": one quantum of a chase.
#include "glissade/remote/heading.h"
#include "glissade/remote/root_motion.h"

#include "conformance/chase_fields.h"
#include "conformance/families.h"

namespace glissade::conformance {

namespace {

std::optional<ChaseBody> read_chaser(Fields& given) {
    auto body = read_body(given);
    const auto contact = given.flag("contact");
    const auto stuck = given.flag("sticky_target");
    if (!body || !contact || !stuck || !read_speed(given, "adjusted_max_speed", *body)) {
        return std::nullopt;
    }
    body->contact = *contact;
    body->stuck = *stuck;
    return body;
}

} // namespace

void check_adjust_case(CaseFields& fields) {
    const auto body = read_chaser(fields.given);
    const auto root = read_vector(fields.given, "root_motion_local");
    auto queue = read_queue(fields.given, "state");
    const auto quantum = read_quantum(fields.when, "quantum");
    if (!body || !root || !queue || !quantum) {
        return;
    }
    const ChaseStep chase = queue->adjust(RemoteTuning::client(), *body, *quantum);
    const auto chase_step =
        chase.moves ? std::optional(Displacement{chase.move, chase.turn_deg}) : std::nullopt;
    const Displacement step =
        combine_steps(RootMotion::Replace, {to_world(body->heading_deg, *root), 0.0}, chase_step);

    Fields& expect = fields.expect;
    compare_word(expect, "event", kChaseEvents, chase.event);
    compare_flag(expect, "offset_overwritten", chase.moves);
    if (chase.moves) {
        compare_number(expect, "speed", chase.speed_m_s);
        compare_number(expect, "step_cap", chase.speed_m_s * *quantum);
        compare_turn(expect, "heading_offset", chase.turn_deg);
    }
    compare_vector(expect, "offset_local", to_body(body->heading_deg, step.move));
    compare_vector(expect, "body_pos_after", body->position + step.move);
    compare_heading(expect, "body_heading_after", body->heading_deg + step.turn_deg);
    compare_queue(expect, "state", *queue);
}

} // namespace glissade::conformance
