// SPDX-License-Identifier: MIT
// Where the checks of conformance cases write what they compared and what failed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glissade::conformance {

/// The outcome of a folder of vectors. Every failure names file, case and field.
struct Report {
    std::vector<std::string> failures;
    std::size_t file_count = 0;
    std::size_t case_count = 0;
    std::size_t comparison_count = 0;
};

/// The place of one case in a report: adds file and case to whatever its check says.
///
/// Fields are paths such as `expect.ace[2].quanta[0]`.
class CaseReport {
public:
    CaseReport(Report& report, std::string file, std::string case_id, double tolerance);

    void fail(std::string_view field, std::string_view message);

    /// Compares within the tolerance of the file; NaN never passes.
    void expect_near(std::string_view field, double expected, double actual);
    /// Likewise for directions: 359.99999 is near 0.
    void expect_heading(std::string_view field, double expected_deg, double actual_deg);
    /// `matches` is the outcome of any other comparison; the message names both sides if it failed.
    void expect_match(std::string_view field, bool matches, std::string_view message);
    void expect_equal(std::string_view field, bool expected, bool actual);
    void expect_count(std::string_view field, std::size_t expected, std::size_t actual);

    /// Numbers, flags and counts compared so far in this case.
    [[nodiscard]] std::size_t comparison_count() const noexcept { return comparison_count_; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
    void count_comparison() noexcept;

    Report& report_;
    std::string prefix_;
    double tolerance_;
    std::size_t comparison_count_ = 0;
    bool failed_ = false;
};

} // namespace glissade::conformance
