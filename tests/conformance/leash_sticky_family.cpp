// SPDX-License-Identifier: MIT
// The family "ConstraintManager and StickyManager": the leash and the sticky step.
#include "glissade/remote/heading.h"
#include "glissade/remote/leash.h"
#include "glissade/remote/sticky.h"

#include "conformance/compare.h"
#include "conformance/families.h"

namespace glissade::conformance {

namespace {

void check_leash(Fields& given, Fields& expect) {
    const auto start = read_distance(given, "start");
    const auto max = read_distance(given, "max");
    const auto used = given.number("accumulated");
    const auto step = read_vector(given, "offset_local");
    const auto contact = given.flag("contact");
    if (!start || !max || !used || !step || !contact) {
        return;
    }
    const LeashLimits limits{*start, *max};
    Leash leash;
    leash.arm(*used);
    compare_flag(expect, "fully_constrained_before", leash.fully_leashed(limits));
    compare_vector(expect, "offset_local", leash.apply(limits, *step, *contact));
    compare_number(expect, "accumulated_after", leash.used_m());
}

std::optional<StickyQuery> read_sticky(Fields& given) {
    const auto position = read_vector(given, "pos");
    const auto heading = given.number("heading");
    const auto radius = given.number("radius");
    const auto target = read_vector(given, "target_pos");
    const auto target_radius = given.number("target_radius");
    const bool has_speed = !given.is_null("max_speed");
    const auto speed = has_speed ? given.number("max_speed") : std::nullopt;
    const auto quantum = read_quantum(given, "quantum");
    if (!position || !heading || !radius || !target || !target_radius || (has_speed && !speed) ||
        !quantum) {
        return std::nullopt;
    }
    return StickyQuery{*position, *heading, *radius, *target, *target_radius, speed, *quantum};
}

void check_sticky(Fields& given, Fields& expect) {
    const auto query = read_sticky(given);
    if (!query) {
        return;
    }
    const StickyStep result = compute_sticky_step(RemoteTuning::client(), *query);
    compare_number(expect, "gap", result.gap_m);
    compare_number(expect, "speed", result.speed_m_s);
    compare_vector(expect, "offset_local", to_body(query->heading_deg, result.step.move));
    compare_turn(expect, "heading_offset", result.step.turn_deg);
    compare_vector(expect, "world_pos_after", query->position + result.step.move);
    compare_heading(expect, "heading_after", query->heading_deg + result.step.turn_deg);
}

} // namespace

void check_leash_sticky_case(CaseFields& fields) {
    if (fields.given.has("accumulated") || fields.given.has("start") || fields.given.has("max")) {
        check_leash(fields.given, fields.expect);
    } else {
        check_sticky(fields.given, fields.expect);
    }
}

} // namespace glissade::conformance
