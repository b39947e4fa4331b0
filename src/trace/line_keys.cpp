// SPDX-License-Identifier: MIT
#include "trace/line_keys.h"

#include <bit>
#include <iterator>

namespace glissade::detail {
namespace {

constexpr KindSet only(LineKind kind) {
    return static_cast<KindSet>(1U << static_cast<unsigned>(kind));
}
constexpr KindSet both(KindSet a, KindSet b) {
    return static_cast<KindSet>(a | b);
}

constexpr KindSet kNever = 0;
constexpr KindSet kHeader = only(LineKind::Header);
constexpr KindSet kTick = only(LineKind::Tick);
constexpr KindSet kFrame = only(LineKind::Frame);
constexpr KindSet kTruth = only(LineKind::Truth);
constexpr KindSet kMotion = only(LineKind::Motion);
constexpr KindSet kVector = only(LineKind::Vector);
constexpr KindSet kMoveTo = only(LineKind::MoveTo);
constexpr KindSet kPlayer = only(LineKind::Player);
constexpr KindSet kBlocked = only(LineKind::Blocked);
/// What a server says of one object.
constexpr KindSet kOfObject = both(both(kMotion, kVector), both(kMoveTo, kBlocked));
constexpr KindSet kRequired = 1;
constexpr KindSet kOptional = 0;
constexpr bool kTells = true;

constexpr const char* kTraceKinds[] = {"a header",      "a tick",        "a frame",
                                       "a truth line",  "a motion line", "a vector line",
                                       "a moveto line", "a player line", "a blocked line"};
static_assert(std::size(kTraceKinds) == kMaxKinds);
constexpr std::size_t kElderKinds = static_cast<std::size_t>(LineKind::Truth) + 1;
constexpr const char* kDrawnKinds[] = {"a drawn frame"};

// In the order of TraceKey.
constexpr KeyRow kTraceRows[] = {
    {"trace", ValueType::Version, kHeader, kNever, kTells},
    {"name", ValueType::Text, kHeader},
    {"source", ValueType::Source, kHeader},
    {"tick_ns", ValueType::TickLength, kHeader},
    {"rate", ValueType::RateParts, kNever, kHeader},
    {"tick", ValueType::Integer, kTick, kNever, kTells},
    {"sim", ValueType::Time, kTick},
    {"arrive", ValueType::Time, both(kTick, kOfObject)},
    {"due", ValueType::Time, kNever, kTick},
    {"stamp", ValueType::Time, kNever, kTick},
    {"epoch", ValueType::Integer, kNever, kTick},
    {"scale", ValueType::Factor, kNever, kTick},
    {"paused", ValueType::Flag, kNever, kTick},
    {"poses", ValueType::Poses, kTick},
    {"gone", ValueType::Ids, kNever, kTick},
    {"frame", ValueType::Integer, kFrame, kNever, kTells},
    {"cpu", ValueType::Time, kFrame},
    {"present", ValueType::Time, kNever, kFrame},
    {"truth", ValueType::Time, kTruth, kNever, kTells},
    {"id", ValueType::Integer, both(kTruth, kOfObject)},
    {"p", ValueType::Vector, both(kTruth, kPlayer), kMoveTo},
    {"q", ValueType::Quaternion, kNever, kTruth},
    {"motion", ValueType::Stamp, kMotion, kNever, kTells},
    {"gait", ValueType::Gait, kMotion},
    {"speed", ValueType::Number, kNever, both(kMotion, kMoveTo)},
    {"sidestep", ValueType::Number, kNever, kMotion},
    {"turn", ValueType::Number, kNever, kMotion},
    {"vector", ValueType::Stamp, kVector, kNever, kTells},
    {"v", ValueType::Vector, kVector},
    {"w", ValueType::Vector, kNever, kVector},
    {"moveto", ValueType::Stamp, kMoveTo, kNever, kTells},
    {"kind", ValueType::MoveKind, kMoveTo},
    {"target", ValueType::Integer, kNever, kMoveTo},
    {"flags", ValueType::Flags, kNever, kMoveTo},
    {"distance", ValueType::Number, kNever, kMoveTo},
    {"min", ValueType::Number, kNever, kMoveTo},
    {"fail", ValueType::Number, kNever, kMoveTo},
    {"threshold", ValueType::Number, kNever, kMoveTo},
    {"heading", ValueType::Number, kNever, kMoveTo},
    {"run_rate", ValueType::Number, kNever, kMoveTo},
    {"player", ValueType::Time, kPlayer, kNever, kTells},
    {"blocked", ValueType::Flag, kBlocked, kNever, kTells},
};
static_assert(std::size(kTraceRows) == kMaxKeys);
static_assert(std::size(kTraceRows) == static_cast<std::size_t>(TraceKey::Blocked) + 1);

// In the order of DrawnKey.
constexpr KindSet kDrawn = 1;
constexpr KeyRow kDrawnRows[] = {
    {"frame", ValueType::Integer, kDrawn, kNever, kTells},
    {"sample", ValueType::Time, kNever, kDrawn},
    {"delay", ValueType::Time, kNever, kDrawn},
    {"state", ValueType::State, kNever, kDrawn},
    {"poses", ValueType::Poses, kDrawn},
};
static_assert(std::size(kDrawnRows) == static_cast<std::size_t>(DrawnKey::Poses) + 1);

// In the order of PoseKey. A drawn pose has the first three.
constexpr KeyRow kPoseRows[] = {
    {"id", ValueType::Integer, kRequired},   {"p", ValueType::Vector, kRequired},
    {"q", ValueType::Quaternion, kOptional}, {"s", ValueType::Vector, kOptional},
    {"v", ValueType::Vector, kOptional},     {"w", ValueType::Vector, kOptional},
    {"cut", ValueType::Count, kOptional},    {"shift", ValueType::Shift, kOptional},
    {"role", ValueType::Role, kOptional},    {"contact", ValueType::Flag, kOptional},
};
static_assert(std::size(kPoseRows) == static_cast<std::size_t>(PoseKey::Contact) + 1);
constexpr std::size_t kDrawnPoseKeys = 3;

// In the order of ShiftKey.
constexpr KeyRow kShiftRows[] = {
    {"n", ValueType::Count, kRequired},
    {"p", ValueType::Vector, kRequired},
    {"q", ValueType::Quaternion, kRequired},
};
static_assert(std::size(kShiftRows) == static_cast<std::size_t>(ShiftKey::Rotation) + 1);

constexpr LineSchema kTraceSchema{.line = kTraceRows,
                                  .pose = kPoseRows,
                                  .shift = kShiftRows,
                                  .kinds = kTraceKinds,
                                  .elder_count = kElderKinds};
constexpr LineSchema kDrawnSchema{.line = kDrawnRows,
                                  .pose = std::span(kPoseRows).first<kDrawnPoseKeys>(),
                                  .shift = {},
                                  .kinds = kDrawnKinds};

} // namespace

std::size_t KeyRow::first_kind() const noexcept {
    return static_cast<std::size_t>(std::countr_zero(both(required, optional)));
}

const char* wanted(ValueType type) noexcept {
    switch (type) {
        case ValueType::Version:
        case ValueType::Integer:
            return "an integer of 64 bits";
        case ValueType::Text:
            return "a string";
        case ValueType::Source:
            return R"("local", "thread" or "network")";
        case ValueType::State:
            return R"("interpolate", "extrapolate", "hold" or "empty")";
        case ValueType::Role:
            return R"("camera")";
        case ValueType::Gait:
            return R"("ready", "walk", "back" or "run")";
        case ValueType::MoveKind:
            return R"("object", "position", "turn-object" or "turn-heading")";
        case ValueType::TickLength:
            return "an integer of nanoseconds above 0, or null";
        case ValueType::Time:
            return "an integer of nanoseconds";
        case ValueType::Count:
            return "an integer that is not negative";
        case ValueType::Stamp:
            return "an integer from 0 to 65535";
        case ValueType::Flags:
            return "an integer from 0 to 4294967295";
        case ValueType::Factor:
            return "a number that is not negative";
        case ValueType::Number:
            return "a number";
        case ValueType::Flag:
            return "true or false";
        case ValueType::RateParts:
            return "two integers, numerator and denominator of a usable rate";
        case ValueType::Vector:
            return "an array of 3 numbers";
        case ValueType::Quaternion:
            return "an array of 4 numbers";
        case ValueType::Ids:
            return "an array of integers of 64 bits";
        case ValueType::Poses:
            return "an array of poses";
        case ValueType::Shift:
            return "an object";
    }
    return "something else";
}

const LineSchema& trace_schema() noexcept {
    return kTraceSchema;
}

const LineSchema& drawn_schema() noexcept {
    return kDrawnSchema;
}

} // namespace glissade::detail
