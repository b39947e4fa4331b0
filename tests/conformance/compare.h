// SPDX-License-Identifier: MIT
// What the families share: reads vectors and words, and compares fields with what was computed.
#pragma once

#include "conformance/fields.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <glm/ext/vector_double3.hpp>

namespace glissade::conformance {

/// Three numbers.
[[nodiscard]] std::optional<glm::dvec3> read_vector(Fields& fields, const std::string& name);
/// Seconds. 0.033333 stands for 1 / 30; not more than 0 is a failure.
[[nodiscard]] std::optional<double> read_quantum(Fields& fields, const std::string& name);
/// Metres. The largest float and more stand for infinity.
[[nodiscard]] std::optional<double> read_distance(Fields& fields, const std::string& name);

void compare_number(Fields& row, const std::string& name, double actual);
void compare_numbers(Fields& row, const std::string& name, const std::vector<double>& actual);
void compare_whole(Fields& row, const std::string& name, std::size_t actual);
void compare_flag(Fields& row, const std::string& name, bool actual);
void compare_vector(Fields& row, const std::string& name, const glm::dvec3& actual);
/// On the circle.
void compare_heading(Fields& row, const std::string& name, double actual_deg);
/// On the circle; what was computed must be in [0, 360).
void compare_turn(Fields& row, const std::string& name, double actual_deg);

/// A field that is `null` if and only if nothing was reported; else `compare` sees what was.
template <class T, class Compare>
void compare_reported(Fields& row, const std::string& name, const std::optional<T>& actual,
                      const Compare& compare) {
    if (row.is_null(name)) {
        row.report().expect_match(row.path_of(name), !actual, "expected null, got a value");
    } else if (actual) {
        compare(row, name, *actual);
    } else if (row.any(name) != nullptr) {
        row.report().expect_match(row.path_of(name), false, "expected a value, got null");
    }
}

/// A word of the vectors and what it stands for.
template <class T>
struct Word {
    const char* text;
    T value;
};

/// A word that is not in the table is a failure.
template <class T, std::size_t Size>
[[nodiscard]] std::optional<T> read_word(Fields& fields, const std::string& name,
                                         const Word<T> (&words)[Size]) {
    const auto text = fields.text(name);
    for (const Word<T>& word : words) {
        if (text && *text == word.text) {
            return word.value;
        }
    }
    if (text) {
        fields.report().fail(fields.path_of(name), "unknown word '" + *text + "'");
    }
    return std::nullopt;
}

template <class T, std::size_t Size>
void compare_word(Fields& row, const std::string& name, const Word<T> (&words)[Size], T actual) {
    const auto expected = read_word(row, name, words);
    if (!expected) {
        return;
    }
    std::string got = "something without a word";
    for (const Word<T>& word : words) {
        got = word.value == actual ? word.text : got;
    }
    row.report().expect_match(row.path_of(name), *expected == actual, "got " + got);
}

} // namespace glissade::conformance
