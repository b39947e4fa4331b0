// SPDX-License-Identifier: MIT
#include "trace/line_events.h"

#include "glissade/time/tick.h"
#include "glissade/trace/trace_packets.h"

#include <limits>

#include <fmt/format.h>

namespace glissade::detail {
namespace {

constexpr std::int64_t kVersion = 1;

constexpr int kLineDepth = 0;
constexpr int kPoseDepth = 1;
constexpr int kShiftDepth = 2;

struct Limits {
    std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    std::int64_t highest = std::numeric_limits<std::int64_t>::max();
};

Limits limits_of(ValueType type) noexcept {
    switch (type) {
        case ValueType::TickLength:
            return {.lowest = 1, .highest = kMaxTimeNs};
        case ValueType::Time:
            return {.lowest = -kMaxTimeNs, .highest = kMaxTimeNs};
        case ValueType::Count:
            return {.lowest = 0};
        case ValueType::Stamp:
            return {.lowest = 0, .highest = std::numeric_limits<std::uint16_t>::max()};
        case ValueType::Flags:
            return {.lowest = 0, .highest = std::numeric_limits<std::uint32_t>::max()};
        default:
            return {};
    }
}

/// How many elements an array of that type has; 0 for any number of them.
std::size_t element_count_of(ValueType type) noexcept {
    switch (type) {
        case ValueType::RateParts:
            return 2;
        case ValueType::Vector:
            return 3;
        case ValueType::Quaternion:
            return 4;
        default:
            return 0;
    }
}

bool is_array(ValueType type) noexcept {
    return element_count_of(type) != 0 || type == ValueType::Ids || type == ValueType::Poses;
}

/// The enumerator among the first `count` that is called `name`, or `count`.
template <class Enum>
std::int64_t find_named(std::string_view name, std::int64_t count) noexcept {
    for (std::int64_t i = 0; i < count; ++i) {
        if (name == to_string(static_cast<Enum>(i))) {
            return i;
        }
    }
    return count;
}

std::string shortened(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    if (text.size() <= kLongest) {
        return std::string(text);
    }
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end; // Not in the middle of a UTF-8 sequence.
    }
    return std::string(text.substr(0, end)) + "...";
}

} // namespace

glm::dvec3 vector_of(const Slot& slot) noexcept {
    return {slot.numbers[0], slot.numbers[1], slot.numbers[2]};
}

glm::dquat quaternion_of(const Slot& slot) noexcept {
    // The constructor takes w first, the file has it last.
    return {slot.numbers[3], slot.numbers[0], slot.numbers[1], slot.numbers[2]};
}

void LineEvents::begin(std::vector<TracePose>& poses, std::vector<std::int64_t>& gone) {
    poses_ = &poses;
    gone_ = &gone;
    poses.clear();
    gone.clear();
    depth_ = kOutside;
    skipped_depth_ = 0;
    not_object_ = false;
    for (LineFault& fault : faults_) {
        fault.problem = TraceProblem::None;
        fault.cause.clear();
    }
    unknown_key_.clear();
}

std::span<const KeyRow> LineEvents::rows() const noexcept {
    switch (depth_) {
        case kLineDepth:
            return schema_->line;
        case kPoseDepth:
            return schema_->pose;
        default:
            return schema_->shift;
    }
}

std::size_t LineEvents::row_index() noexcept {
    return static_cast<std::size_t>(level().row - rows().data());
}

// Messages

std::string LineEvents::owner(std::size_t kind) const {
    const std::size_t index = poses_->size();
    switch (depth_) {
        case kLineDepth:
            return schema_->kinds[kind];
        case kPoseDepth:
            return fmt::format("poses[{}]", index);
        default:
            return fmt::format("the shift of poses[{}]", index);
    }
}

// Of the kinds that have the last key: the one that the line tells so far, or the first.
std::size_t LineEvents::likely_kind() const noexcept {
    const KeyRow& last = *levels_[0].row;
    for (std::size_t i = 0; i < schema_->line.size(); ++i) {
        const KeyRow& row = schema_->line[i];
        if (row.tells && levels_[0].fields.has(i) && last.is_of(row.first_kind())) {
            return row.first_kind();
        }
    }
    return last.first_kind();
}

std::string LineEvents::place() const {
    if (depth_ == kOutside) {
        return "the line";
    }
    const KeyRow* const row = levels_[static_cast<std::size_t>(depth_)].row;
    if (row == nullptr) {
        return fmt::format("\"{}\"", shortened(unknown_key_));
    }
    return fmt::format("\"{}\" of {}", row->name, owner(likely_kind()));
}

std::string LineEvents::describe(const Scalar& scalar) {
    switch (scalar.kind) {
        case Scalar::Kind::Null:
            return "null";
        case Scalar::Kind::Boolean:
            return scalar.integer != 0 ? "true" : "false";
        case Scalar::Kind::Integer:
            return fmt::format("{}", scalar.integer);
        case Scalar::Kind::Real:
            return shortened(scalar.text);
        case Scalar::Kind::String:
            return fmt::format("a string (\"{}\")", shortened(scalar.text));
    }
    return "something else";
}

void LineEvents::fault(TraceProblem problem, std::string_view key, const std::string& what) {
    for (std::size_t kind = 0; kind < schema_->kinds.size(); ++kind) {
        LineFault& first = faults_[kind];
        // What another version makes of its other keys is no fault.
        const bool counts =
            first.problem == TraceProblem::None || problem == TraceProblem::BadVersion;
        // Inside a pose, the row of the line is that of "poses".
        if (counts && levels_[0].row->is_of(kind)) {
            first.problem = problem;
            first.cause = fmt::format("\"{}\" of {} {}", key, owner(kind), what);
        }
    }
}

void LineEvents::wrong(const std::string& found) {
    const char* const element = level().in_list ? " in it" : "";
    fault(TraceProblem::WrongType, level().row->name,
          fmt::format("must be {}, found {}{}", wanted(level().row->type), found, element));
}

// Values

bool LineEvents::take_integer(const Scalar& scalar, ValueType type, Slot& slot) {
    const Limits limits = limits_of(type);
    slot.integers[0] = scalar.integer;
    return scalar.kind == Scalar::Kind::Integer && scalar.integer >= limits.lowest &&
           scalar.integer <= limits.highest;
}

bool LineEvents::take_named(const Scalar& scalar, ValueType type, Slot& slot) {
    if (scalar.kind != Scalar::Kind::String) {
        return false;
    }
    switch (type) {
        case ValueType::Source:
            slot.integers[0] = find_named<TraceSource>(scalar.text, 3);
            return slot.integers[0] < 3;
        case ValueType::State:
            slot.integers[0] = find_named<DrawnState>(scalar.text, 4);
            return slot.integers[0] < 4;
        case ValueType::Role:
            return scalar.text == "camera";
        case ValueType::Gait:
            slot.integers[0] = find_named<TraceGait>(scalar.text, 4);
            return slot.integers[0] < 4;
        case ValueType::MoveKind:
            slot.integers[0] = find_named<TraceMoveKind>(scalar.text, 4);
            return slot.integers[0] < 4;
        default:
            text_ = scalar.text;
            return true;
    }
}

bool LineEvents::take_value(const Scalar& scalar, ValueType type, Slot& slot) {
    using Kind = Scalar::Kind;
    switch (type) {
        case ValueType::TickLength:
            slot.integers[0] = 0; // Null.
            return scalar.kind == Kind::Null || take_integer(scalar, type, slot);
        case ValueType::Version:
        case ValueType::Time:
        case ValueType::Integer:
        case ValueType::Count:
        case ValueType::Stamp:
        case ValueType::Flags:
            return take_integer(scalar, type, slot);
        case ValueType::Text:
        case ValueType::Source:
        case ValueType::State:
        case ValueType::Role:
        case ValueType::Gait:
        case ValueType::MoveKind:
            return take_named(scalar, type, slot);
        case ValueType::Factor:
        case ValueType::Number:
            slot.numbers[0] = scalar.real;
            return (scalar.kind == Kind::Integer || scalar.kind == Kind::Real) &&
                   (type == ValueType::Number || scalar.real >= 0.0);
        case ValueType::Flag:
            slot.integers[0] = scalar.integer;
            return scalar.kind == Kind::Boolean;
        default:
            return false; // Arrays and objects.
    }
}

void LineEvents::element(const Scalar& scalar) {
    Level& top = level();
    const bool is_number =
        scalar.kind == Scalar::Kind::Integer || scalar.kind == Scalar::Kind::Real;
    const bool is_integer = scalar.kind == Scalar::Kind::Integer;
    Slot& slot = top.fields.at(row_index());
    const ValueType type = top.row->type;
    const bool in_room = top.element_count < element_count_of(type);
    const std::size_t index = top.element_count++;
    if (type == ValueType::Ids && is_integer) {
        gone_->push_back(scalar.integer);
    } else if (type == ValueType::RateParts && is_integer) {
        slot.integers[in_room ? index : 0] = scalar.integer;
    } else if ((type == ValueType::Vector || type == ValueType::Quaternion) && is_number) {
        slot.numbers[in_room ? index : 0] = scalar.real;
    } else {
        wrong(describe(scalar));
    }
}

bool LineEvents::scalar(const Scalar& scalar) {
    if (skipped_depth_ > 0) {
        return true;
    }
    if (depth_ == kOutside) {
        return leave_line();
    }
    Level& top = level();
    if (top.row == nullptr) {
        return true;
    }
    if (top.in_list) {
        element(scalar);
    } else if (!take_value(scalar, top.row->type, top.fields.at(row_index()))) {
        wrong(describe(scalar));
    } else if (top.row->type == ValueType::Version && scalar.integer != kVersion) {
        fault(TraceProblem::BadVersion, top.row->name,
              fmt::format("is {}, and this library reads {}", scalar.integer, kVersion));
    }
    return true;
}

bool LineEvents::leave_line() {
    not_object_ = true;
    return false;
}

bool LineEvents::null() {
    return scalar({.kind = Scalar::Kind::Null});
}

bool LineEvents::boolean(bool value) {
    return scalar({.kind = Scalar::Kind::Boolean, .integer = value ? 1 : 0});
}

bool LineEvents::number_integer(std::int64_t value) {
    // The parser calls this for numbers with a minus only: this 0 stands in the file as -0.
    const double real = value == 0 ? -0.0 : static_cast<double>(value);
    return scalar({.kind = Scalar::Kind::Integer, .integer = value, .real = real});
}

bool LineEvents::number_unsigned(std::uint64_t value) {
    const auto real = static_cast<double>(value);
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        const std::string text = fmt::format("{}", value);
        return scalar({.kind = Scalar::Kind::Real, .real = real, .text = text});
    }
    return scalar(
        {.kind = Scalar::Kind::Integer, .integer = static_cast<std::int64_t>(value), .real = real});
}

bool LineEvents::number_float(double value, const std::string& text) {
    return scalar({.kind = Scalar::Kind::Real, .real = value, .text = text});
}

bool LineEvents::string(const std::string& value) {
    return scalar({.kind = Scalar::Kind::String, .text = value});
}

// Objects and arrays

bool LineEvents::key(const std::string& name) {
    if (skipped_depth_ > 0) {
        return true;
    }
    Level& top = level();
    top.row = nullptr;
    for (const KeyRow& row : rows()) {
        if (row.name == name) {
            top.row = &row;
            break;
        }
    }
    if (top.row == nullptr) {
        unknown_key_ = name;
        return true;
    }
    const std::size_t index = row_index();
    if (top.fields.has(index)) {
        fault(TraceProblem::WrongType, name, "stands twice");
    }
    top.fields.mark(index);
    return true;
}

bool LineEvents::enter(int depth) {
    depth_ = depth;
    Level& top = level();
    top.fields.clear();
    top.row = nullptr;
    top.in_list = false;
    return true;
}

// The value of an unknown key, or one of the wrong type: `found`.
bool LineEvents::skip(const char* found) {
    if (level().row != nullptr) {
        wrong(found);
    }
    skipped_depth_ = 1;
    return true;
}

bool LineEvents::start_object(std::size_t /*count*/) {
    if (skipped_depth_ > 0) {
        ++skipped_depth_;
        return true;
    }
    if (depth_ == kOutside) {
        return enter(kLineDepth);
    }
    const Level& top = level();
    if (top.row != nullptr && top.in_list && top.row->type == ValueType::Poses) {
        return enter(kPoseDepth);
    }
    if (top.row != nullptr && !top.in_list && top.row->type == ValueType::Shift) {
        return enter(kShiftDepth);
    }
    return skip("an object");
}

bool LineEvents::end_object() {
    if (skipped_depth_ > 0) {
        --skipped_depth_;
        return true;
    }
    if (depth_ == kShiftDepth) {
        check_required(schema_->shift);
    } else if (depth_ == kPoseDepth) {
        check_required(schema_->pose);
        close_pose();
    }
    --depth_;
    return true;
}

bool LineEvents::start_array(std::size_t /*count*/) {
    if (skipped_depth_ > 0) {
        ++skipped_depth_;
        return true;
    }
    if (depth_ == kOutside) {
        return leave_line();
    }
    Level& top = level();
    if (top.row == nullptr || top.in_list || !is_array(top.row->type)) {
        return skip("an array");
    }
    top.in_list = true;
    top.element_count = 0;
    return true;
}

bool LineEvents::end_array() {
    if (skipped_depth_ > 0) {
        --skipped_depth_;
        return true;
    }
    close_list();
    return true;
}

void LineEvents::close_list() {
    Level& top = level();
    top.in_list = false;
    const std::size_t count = element_count_of(top.row->type);
    if (count != 0 && top.element_count != count) {
        wrong(fmt::format("{} elements", top.element_count));
        return;
    }
    if (top.row->type != ValueType::RateParts) {
        return;
    }
    const auto& parts = top.fields.at(row_index()).integers;
    if (!Rate{parts[0], parts[1]}.is_valid()) {
        wrong(fmt::format("[{},{}]", parts[0], parts[1]));
    }
}

void LineEvents::check_required(std::span<const KeyRow> rows) {
    std::size_t index = 0;
    for (const KeyRow& row : rows) {
        if (row.required != 0 && !level().fields.has(index)) {
            fault(TraceProblem::MissingKey, row.name, "is missing");
        }
        ++index;
    }
}

void LineEvents::close_pose() {
    const Fields& fields = levels_[kPoseDepth].fields;
    const auto vector = [&](PoseKey key) -> std::optional<glm::dvec3> {
        return fields.has(key) ? std::optional(vector_of(fields[key])) : std::nullopt;
    };
    TracePose& pose = poses_->emplace_back();
    pose.id = fields[PoseKey::Id].integers[0];
    pose.position = vector_of(fields[PoseKey::Position]);
    if (fields.has(PoseKey::Rotation)) {
        pose.rotation = quaternion_of(fields[PoseKey::Rotation]);
    }
    pose.scale = vector(PoseKey::Scale);
    pose.velocity = vector(PoseKey::Velocity);
    pose.angular_velocity = vector(PoseKey::AngularVelocity);
    if (fields.has(PoseKey::Cut)) {
        pose.cut = fields[PoseKey::Cut].integers[0];
    }
    if (fields.has(PoseKey::Shift)) {
        const Fields& shift = levels_[kShiftDepth].fields;
        pose.shift = TraceShift{.count = shift[ShiftKey::Count].integers[0],
                                .translation = vector_of(shift[ShiftKey::Translation]),
                                .rotation = quaternion_of(shift[ShiftKey::Rotation])};
    }
    pose.camera = fields.has(PoseKey::Role);
    pose.contact = !fields.has(PoseKey::Contact) || fields[PoseKey::Contact].integers[0] != 0;
}

} // namespace glissade::detail
