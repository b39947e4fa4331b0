// SPDX-License-Identifier: MIT
// The families of conformance vectors: what a file's "family" stands for.
#pragma once

#include "conformance/fields.h"

#include <string_view>

namespace glissade::conformance {

/// The parts of a case. Families without an event have an empty `when`.
struct CaseFields {
    Fields given;
    Fields when;
    Fields expect;
};

/// Computes what `given` and `when` ask for and compares it with `expect`.
using CheckCase = void (*)(CaseFields& fields);

struct Family {
    std::string_view name;
    CheckCase check = nullptr;
    bool has_when = false; ///< Its cases have a `when`.
};

/// Null: no such family.
[[nodiscard]] const Family* find_family(std::string_view name) noexcept;

// One per <name>_family.cpp.
void check_adjust_case(CaseFields& fields);
void check_enqueue_case(CaseFields& fields);
void check_gate_case(CaseFields& fields);
void check_leash_sticky_case(CaseFields& fields);
void check_move_to_case(CaseFields& fields);
void check_physics_case(CaseFields& fields);
void check_routing_case(CaseFields& fields);
void check_scenario_case(CaseFields& fields);
void check_sequence_case(CaseFields& fields);

} // namespace glissade::conformance
