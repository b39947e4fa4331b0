// SPDX-License-Identifier: MIT
#include "conformance/families.h"

namespace glissade::conformance {

namespace {

struct Family {
    std::string_view name;
    CheckCase check;
};

constexpr Family kFamilies[] = {
    {"fixed-step gate", check_gate_case},
};

} // namespace

CheckCase find_family(std::string_view name) noexcept {
    for (const Family& family : kFamilies) {
        if (family.name == name) {
            return family.check;
        }
    }
    return nullptr;
}

} // namespace glissade::conformance
