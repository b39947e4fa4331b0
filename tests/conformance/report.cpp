// SPDX-License-Identifier: MIT
#include "conformance/report.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace glissade::conformance {

namespace {

std::string to_text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.9g", value);
    return buffer;
}

} // namespace

CaseReport::CaseReport(Report& report, std::string file, std::string case_id, double tolerance)
    : report_(report),
      prefix_(std::move(file) + ": " + std::move(case_id) + ": "),
      tolerance_(tolerance) {}

void CaseReport::fail(std::string_view field, std::string_view message) {
    failed_ = true;
    report_.failures.push_back(prefix_ + std::string(field) + ": " + std::string(message));
}

void CaseReport::count_comparison() noexcept {
    ++comparison_count_;
    ++report_.comparison_count;
}

void CaseReport::expect_near(std::string_view field, double expected, double actual) {
    count_comparison();
    if (!(std::abs(expected - actual) <= tolerance_)) {
        fail(field, "expected " + to_text(expected) + ", got " + to_text(actual) + " (tolerance " +
                        to_text(tolerance_) + ")");
    }
}

void CaseReport::expect_heading(std::string_view field, double expected_deg, double actual_deg) {
    expect_match(field, std::abs(std::remainder(expected_deg - actual_deg, 360.0)) <= tolerance_,
                 "expected heading " + to_text(expected_deg) + ", got " + to_text(actual_deg));
}

void CaseReport::expect_match(std::string_view field, bool matches, std::string_view message) {
    count_comparison();
    if (!matches) {
        fail(field, message);
    }
}

void CaseReport::expect_equal(std::string_view field, bool expected, bool actual) {
    count_comparison();
    if (expected != actual) {
        fail(field, expected ? "expected true, got false" : "expected false, got true");
    }
}

void CaseReport::expect_count(std::string_view field, std::size_t expected, std::size_t actual) {
    count_comparison();
    if (expected != actual) {
        fail(field,
             "expected " + std::to_string(expected) + " entries, got " + std::to_string(actual));
    }
}

} // namespace glissade::conformance
