// SPDX-License-Identifier: MIT
#include "conformance/families.h"

namespace glissade::conformance {

namespace {

constexpr Family kFamilies[] = {
    {"fixed-step gate", check_gate_case},
    {"16-bit sequence compare", check_sequence_case},
    {"received-position routing", check_routing_case},
    {"InterpolateTo", check_enqueue_case, true},
    {"InterpolationManager.adjust_offset", check_adjust_case, true},
    {"InterpolationManager multi-tick", check_scenario_case},
    {"ConstraintManager and StickyManager", check_leash_sticky_case},
    {"MoveToManager helpers", check_move_to_case},
    {"speeds, integration, jump", check_physics_case},
};

} // namespace

const Family* find_family(std::string_view name) noexcept {
    for (const Family& family : kFamilies) {
        if (family.name == name) {
            return &family;
        }
    }
    return nullptr;
}

} // namespace glissade::conformance
