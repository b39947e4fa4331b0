// SPDX-License-Identifier: MIT
// Reads a JSON object so that neither a missing nor a misspelt field goes unnoticed.
#pragma once

#include "conformance/report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace glissade::conformance {

using Json = nlohmann::json;

/// One JSON object of a case. A field that is missing or of another kind than asked for is a
/// failure of the case and reads as unset; a field that nobody has asked for by the end of the
/// object's life is a failure too. `null` counts as not there, unless is_null() asked for it. The
/// fields that describe (title, why, note, ...) are neither asked for nor missed.
class Fields {
public:
    /// `path` is the object's own place in the case. Anything but an object is a failure.
    Fields(const Json& object, std::string path, CaseReport& report);
    // NOLINTNEXTLINE(bugprone-exception-escape): out of memory ends a test in any case.
    ~Fields();
    Fields(const Fields&) = delete;
    Fields& operator=(const Fields&) = delete;
    Fields(Fields&&) = delete;
    Fields& operator=(Fields&&) = delete;

    [[nodiscard]] bool has(const std::string& name) const;
    /// Whether it is there and `null`, which stands for "not set" or "not reported".
    [[nodiscard]] bool is_null(const std::string& name);
    [[nodiscard]] std::optional<double> number(const std::string& name);
    /// From 0 to `max`.
    [[nodiscard]] std::optional<std::uint32_t> whole(const std::string& name,
                                                     std::uint32_t max = 1'000'000);
    [[nodiscard]] std::optional<std::vector<double>> numbers(const std::string& name);
    [[nodiscard]] std::optional<bool> flag(const std::string& name);
    [[nodiscard]] std::optional<std::string> text(const std::string& name);
    /// Null unless it is an array; likewise for `any`, which takes every kind.
    [[nodiscard]] const Json* array(const std::string& name);
    [[nodiscard]] const Json* any(const std::string& name);

    /// Fields of text describe, they do not ask for anything to be checked.
    void ignore_text();
    /// Asks for nothing more.
    void ignore_rest();

    /// Names that nobody has asked for yet.
    [[nodiscard]] std::vector<std::string> unread() const;
    [[nodiscard]] std::string path_of(std::string_view name) const;
    [[nodiscard]] CaseReport& report() noexcept { return report_; }

private:
    [[nodiscard]] const Json* find(const std::string& name);

    Json nothing_ = Json::object();
    const Json& object_;
    std::string path_;
    CaseReport& report_;
    std::set<std::string> read_;
};

/// `name[index]`.
[[nodiscard]] std::string element_path(std::string_view name, std::size_t index);

} // namespace glissade::conformance
