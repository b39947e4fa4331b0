// SPDX-License-Identifier: MIT
// The families of conformance vectors: what a file's "family" stands for.
#pragma once

#include "conformance/fields.h"

#include <string_view>

namespace glissade::conformance {

/// Computes what `given` asks for and compares it with `expect`.
using CheckCase = void (*)(Fields& given, Fields& expect);

/// Null: no such family.
[[nodiscard]] CheckCase find_family(std::string_view name) noexcept;

// One per <name>_family.cpp.
void check_gate_case(Fields& given, Fields& expect);

} // namespace glissade::conformance
