// SPDX-License-Identifier: MIT
#include "conformance/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glissade::conformance {

namespace {

constexpr double kFrame = 1.0 / 30.0;

// The vectors round to a millionth.
constexpr double kRounding = 1e-6;

} // namespace

std::optional<glm::dvec3> read_vector(Fields& fields, const std::string& name) {
    const auto numbers = fields.numbers(name);
    if (numbers && numbers->size() != 3) {
        fields.report().fail(fields.path_of(name), "must be three numbers");
        return std::nullopt;
    }
    return numbers ? std::optional(glm::dvec3((*numbers)[0], (*numbers)[1], (*numbers)[2]))
                   : std::nullopt;
}

std::optional<double> read_quantum(Fields& fields, const std::string& name) {
    const auto quantum_s = fields.number(name);
    if (quantum_s && !(*quantum_s > 0.0)) {
        fields.report().fail(fields.path_of(name), "must be more than 0");
        return std::nullopt;
    }
    return quantum_s && std::abs(*quantum_s - kFrame) < kRounding ? kFrame : quantum_s;
}

std::optional<double> read_distance(Fields& fields, const std::string& name) {
    const auto distance_m = fields.number(name);
    return distance_m && *distance_m >= std::numeric_limits<float>::max()
               ? std::numeric_limits<double>::infinity()
               : distance_m;
}

void compare_number(Fields& row, const std::string& name, double actual) {
    if (const auto expected = row.number(name)) {
        row.report().expect_near(row.path_of(name), *expected, actual);
    }
}

void compare_numbers(Fields& row, const std::string& name, const std::vector<double>& actual) {
    const auto expected = row.numbers(name);
    if (!expected) {
        return;
    }
    const std::string path = row.path_of(name);
    row.report().expect_count(path, expected->size(), actual.size());
    for (std::size_t i = 0; i < std::min(expected->size(), actual.size()); ++i) {
        row.report().expect_near(element_path(path, i), (*expected)[i], actual[i]);
    }
}

void compare_whole(Fields& row, const std::string& name, std::size_t actual) {
    if (const auto expected = row.whole(name)) {
        row.report().expect_match(
            row.path_of(name), *expected == actual,
            "expected " + std::to_string(*expected) + ", got " + std::to_string(actual));
    }
}

void compare_flag(Fields& row, const std::string& name, bool actual) {
    if (const auto expected = row.flag(name)) {
        row.report().expect_equal(row.path_of(name), *expected, actual);
    }
}

void compare_vector(Fields& row, const std::string& name, const glm::dvec3& actual) {
    if (const auto expected = read_vector(row, name)) {
        compare_numbers(row, name, {actual.x, actual.y, actual.z});
    }
}

void compare_heading(Fields& row, const std::string& name, double actual_deg) {
    if (const auto expected = row.number(name)) {
        row.report().expect_heading(row.path_of(name), *expected, actual_deg);
    }
}

void compare_turn(Fields& row, const std::string& name, double actual_deg) {
    compare_heading(row, name, actual_deg);
    row.report().expect_match(row.path_of(name), actual_deg >= 0.0 && actual_deg < 360.0,
                              "what was computed is not in [0, 360)");
}

} // namespace glissade::conformance
