// SPDX-License-Identifier: MIT
#include "trace/line_parser.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

// Streams and files are not for the library.
#define JSON_NO_IO // NOLINT(readability-identifier-naming): the name is nlohmann-json's.
#include <nlohmann/json.hpp>

namespace glissade::detail {
namespace {

constexpr int kNumberOverflow = 406; // nlohmann-json's exception of that number.

/// Where the parser stopped.
struct SyntaxError {
    bool found = false;
    bool overflow = false;
    std::size_t position = 0; // Characters read, the wrong one included.
    std::string token;        // The last one, control characters as <U+0001>.
    std::string message;
};

/// Hands the events on, and adds what only the parser's own types can say.
class SaxAdapter {
public:
    explicit SaxAdapter(LineEvents& events) : events_(&events) {}

    bool null() { return events_->null(); }
    bool boolean(bool value) { return events_->boolean(value); }
    bool number_integer(std::int64_t value) { return events_->number_integer(value); }
    bool number_unsigned(std::uint64_t value) { return events_->number_unsigned(value); }
    bool number_float(double value, const std::string& text) {
        return events_->number_float(value, text);
    }
    bool string(const std::string& value) { return events_->string(value); }
    bool binary(const nlohmann::json::binary_t& /*value*/) { return false; } // Not in text.
    bool start_object(std::size_t count) { return events_->start_object(count); }
    bool key(const std::string& name) { return events_->key(name); }
    bool end_object() { return events_->end_object(); }
    bool start_array(std::size_t count) { return events_->start_array(count); }
    bool end_array() { return events_->end_array(); }

    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::json::exception& exception) {
        error_ = {.found = true,
                  .overflow = exception.id == kNumberOverflow,
                  .position = position,
                  .token = token,
                  .message = exception.what()};
        return false;
    }

    [[nodiscard]] const SyntaxError& error() const noexcept { return error_; }

private:
    LineEvents* events_;
    SyntaxError error_;
};

/// Printable ASCII, shortened: a message must not carry half a binary file.
std::string printable(std::string_view text) {
    constexpr std::size_t kLongest = 160;
    std::string result(text.substr(0, kLongest));
    for (char& character : result) {
        if (character < ' ' || character > '~') {
            character = '?';
        }
    }
    return text.size() > kLongest ? result + "..." : result;
}

/// What the parser says, without its own prefix: "[json.exception...] parse error at line 1,
/// column 7: syntax error ...".
std::string reason_of(const SyntaxError& error) {
    const std::size_t colon = error.message.find(": ");
    const std::string_view message = error.message;
    return printable(colon == std::string::npos ? message : message.substr(colon + 2));
}

/// Whether the word that the parser could not read is NaN or an infinity, in any spelling.
bool is_not_a_number(std::string_view line, const SyntaxError& error) {
    if (error.position == 0 || error.position > line.size()) {
        return false;
    }
    std::size_t begin = error.position - 1;
    const auto is_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+';
    };
    while (begin > 0 && is_word(line[begin - 1])) {
        --begin;
    }
    const bool after_separator =
        begin > 0 && std::string_view(":,[ \t").find(line[begin - 1]) != std::string_view::npos;
    if (line[begin] == '-' || line[begin] == '+') {
        ++begin;
    }
    std::string word(line.substr(begin, 3));
    for (char& character : word) {
        character = static_cast<char>(static_cast<unsigned char>(character) | 0x20U);
    }
    return after_separator && (word == "nan" || word == "inf");
}

} // namespace

bool LineParser::refuse(TraceProblem problem, std::string cause) {
    fault_.problem = problem;
    fault_.cause = std::move(cause);
    return false;
}

bool LineParser::parse(std::string_view line, std::vector<TracePose>& poses,
                       std::vector<std::int64_t>& gone) {
    fault_.problem = TraceProblem::None;
    events_.begin(poses, gone);
    is_whole_ = run(line);
    return is_whole_ && find_kind() && check_kind() && check_ids(poses);
}

bool LineParser::run(std::string_view line) {
    // The parser takes a zero byte for the end of its text and would not see what follows.
    if (std::memchr(line.data(), 0, line.size()) != nullptr) {
        return refuse(TraceProblem::NotJson, "a zero byte: this is a binary file, not a trace");
    }
    SaxAdapter adapter(events_);
    if (nlohmann::json::sax_parse(line.data(), line.data() + line.size(), &adapter)) {
        return true;
    }
    const SyntaxError& error = adapter.error();
    if (!error.found) {
        return refuse(TraceProblem::NotJson, "the line is not a JSON object");
    }
    if (error.overflow) {
        return refuse(TraceProblem::NotFinite,
                      fmt::format("{}: {} is too large for a double", events_.place(),
                                  printable(error.token)));
    }
    if (is_not_a_number(line, error)) {
        return refuse(TraceProblem::NotFinite,
                      events_.place() + ": NaN and infinity are not allowed");
    }
    return refuse(TraceProblem::NotJson,
                  fmt::format("column {}: {}", error.position, reason_of(error)));
}

// How many of the elder or of the younger kinds the line says it is; the last of them is kind_.
std::size_t LineParser::count_kinds(bool elder) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < schema_->line.size(); ++i) {
        const KeyRow& row = schema_->line[i];
        const bool is_elder = row.first_kind() < schema_->elder_count;
        if (row.tells && is_elder == elder && events_.fields().has(i)) {
            ++count;
            kind_ = row.first_kind();
        }
    }
    return count;
}

bool LineParser::find_kind() {
    const std::size_t elder_count = count_kinds(true);
    const std::size_t count = elder_count > 0 ? elder_count : count_kinds(false);
    return count == 1 || refuse_kind(count > 1);
}

bool LineParser::refuse_kind(bool several) {
    std::string names;
    for (std::size_t i = 0; i < schema_->line.size(); ++i) {
        const KeyRow& row = schema_->line[i];
        if (row.tells && events_.fields().has(i) == several) {
            names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", row.name);
        }
    }
    return refuse(TraceProblem::UnknownKind,
                  several ? fmt::format("{} stand in one line, and each is a kind of line", names)
                          : fmt::format("none of the keys that tell a kind of line: {}", names));
}

bool LineParser::check_kind() {
    const LineFault& first = events_.fault(kind_);
    if (first.problem != TraceProblem::None) {
        return refuse(first.problem, first.cause);
    }
    for (std::size_t i = 0; i < schema_->line.size(); ++i) {
        const KeyRow& row = schema_->line[i];
        const bool required = (row.required >> kind_ & 1U) != 0;
        if (required && !events_.fields().has(i)) {
            return refuse(TraceProblem::MissingKey,
                          fmt::format("\"{}\" of {} is missing", row.name, schema_->kinds[kind_]));
        }
    }
    return true;
}

bool LineParser::check_ids(const std::vector<TracePose>& poses) {
    const auto holds_poses = [&](const KeyRow& row) {
        return row.type == ValueType::Poses && row.is_of(kind_);
    };
    if (std::none_of(schema_->line.begin(), schema_->line.end(), holds_poses)) {
        return true;
    }
    const auto not_growing = [](const TracePose& a, const TracePose& b) { return a.id >= b.id; };
    if (std::adjacent_find(poses.begin(), poses.end(), not_growing) == poses.end()) {
        return true; // Most writers sort them.
    }
    ids_.clear();
    for (const TracePose& pose : poses) {
        ids_.push_back(pose.id);
    }
    std::sort(ids_.begin(), ids_.end());
    const auto twice = std::adjacent_find(ids_.begin(), ids_.end());
    if (twice == ids_.end()) {
        return true;
    }
    return refuse(TraceProblem::WrongType, fmt::format("\"poses\" of {} has the id {} twice",
                                                       schema_->kinds[kind_], *twice));
}

} // namespace glissade::detail
