// SPDX-License-Identifier: MIT
#include "conformance/fields.h"

#include <cmath>
#include <iterator>
#include <utility>

namespace glissade::conformance {

namespace {

constexpr const char* kNeverCompared[] = {"title", "why", "note", "ace_value",
                                          "uniform_step_would_be"};

} // namespace

Fields::Fields(const Json& object, std::string path, CaseReport& report)
    : object_(object.is_object() ? object : nothing_), path_(std::move(path)), report_(report) {
    read_.insert(std::begin(kNeverCompared), std::end(kNeverCompared));
    if (!object.is_object()) {
        report_.fail(path_, "must be an object");
    }
}

// NOLINTNEXTLINE(bugprone-exception-escape): as in the header.
Fields::~Fields() {
    for (const std::string& name : unread()) {
        report_.fail(path_of(name), "unknown field");
    }
}

std::vector<std::string> Fields::unread() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : object_.items()) {
        if (!read_.contains(name) && !value.is_null()) {
            names.push_back(name);
        }
    }
    return names;
}

bool Fields::has(const std::string& name) const {
    const auto found = object_.find(name);
    return found != object_.end() && !found->is_null();
}

const Json* Fields::find(const std::string& name) {
    read_.insert(name);
    if (!has(name)) {
        report_.fail(path_of(name), "missing field");
        return nullptr;
    }
    return &*object_.find(name);
}

std::optional<double> Fields::number(const std::string& name) {
    const Json* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_number()) {
        report_.fail(path_of(name), "must be a number");
        return std::nullopt;
    }
    return value->get<double>();
}

bool Fields::is_null(const std::string& name) {
    const auto found = object_.find(name);
    const bool null = found != object_.end() && found->is_null();
    if (null) {
        read_.insert(name);
    }
    return null;
}

std::optional<std::uint32_t> Fields::whole(const std::string& name, std::uint32_t max) {
    const auto value = number(name);
    if (value && !(*value >= 0.0 && *value <= max && *value == std::floor(*value))) {
        report_.fail(path_of(name), "must be a whole number from 0 to " + std::to_string(max));
        return std::nullopt;
    }
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

std::optional<std::vector<double>> Fields::numbers(const std::string& name) {
    const Json* values = array(name);
    if (values == nullptr) {
        return std::nullopt;
    }
    std::vector<double> result;
    for (const Json& value : *values) {
        if (!value.is_number()) {
            report_.fail(element_path(path_of(name), result.size()), "must be a number");
            return std::nullopt;
        }
        result.push_back(value.get<double>());
    }
    return result;
}

std::optional<bool> Fields::flag(const std::string& name) {
    const Json* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_boolean()) {
        report_.fail(path_of(name), "must be true or false");
        return std::nullopt;
    }
    return value->get<bool>();
}

std::optional<std::string> Fields::text(const std::string& name) {
    const Json* value = find(name);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_string()) {
        report_.fail(path_of(name), "must be a text");
        return std::nullopt;
    }
    return value->get<std::string>();
}

const Json* Fields::array(const std::string& name) {
    const Json* value = find(name);
    if (value != nullptr && !value->is_array()) {
        report_.fail(path_of(name), "must be an array");
        return nullptr;
    }
    return value;
}

const Json* Fields::any(const std::string& name) {
    return find(name);
}

void Fields::ignore_text() {
    for (const auto& [name, value] : object_.items()) {
        if (value.is_string()) {
            read_.insert(name);
        }
    }
}

void Fields::ignore_rest() {
    for (const std::string& name : unread()) {
        read_.insert(name);
    }
}

std::string Fields::path_of(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
}

std::string element_path(std::string_view name, std::size_t index) {
    return std::string(name) + "[" + std::to_string(index) + "]";
}

} // namespace glissade::conformance
