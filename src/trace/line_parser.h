// SPDX-License-Identifier: MIT
// One line of text to checked fields.
#pragma once

#include "trace/line_events.h"
#include "trace/line_keys.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace glissade::detail {

/// Parses lines of one language. Use one object for all lines: its memory is reused.
class LineParser {
public:
    explicit LineParser(const LineSchema& schema) : schema_(&schema), events_(schema) {}

    /// Whether `line`, without its line end, is right by itself. Poses and ids go into the two
    /// vectors; the rest is in kind(), fields() and text().
    [[nodiscard]] bool parse(std::string_view line, std::vector<TracePose>& poses,
                             std::vector<std::int64_t>& gone);

    /// Which of the schema's kinds the line is.
    [[nodiscard]] std::size_t kind() const noexcept { return kind_; }
    [[nodiscard]] const Fields& fields() const noexcept { return events_.fields(); }
    [[nodiscard]] const std::string& text() const noexcept { return events_.text(); }
    /// Whether the line is a JSON object, right or not: then fields().has() can be asked.
    [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }
    /// What was wrong, if it was.
    [[nodiscard]] const LineFault& fault() const noexcept { return fault_; }

private:
    [[nodiscard]] bool refuse(TraceProblem problem, std::string cause);
    [[nodiscard]] bool run(std::string_view line);
    [[nodiscard]] std::size_t count_kinds(bool elder);
    [[nodiscard]] bool find_kind();
    [[nodiscard]] bool refuse_kind(bool several);
    [[nodiscard]] bool check_kind();
    [[nodiscard]] bool check_ids(const std::vector<TracePose>& poses);

    const LineSchema* schema_;
    LineEvents events_;
    std::size_t kind_ = 0;
    bool is_whole_ = false;
    LineFault fault_;
    std::vector<std::int64_t> ids_; // Sorted, to find one that stands twice.
};

} // namespace glissade::detail
