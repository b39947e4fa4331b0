// SPDX-License-Identifier: MIT
#include "trace/line_keys.h"

#include "glissade/trace/trace_reader.h"

namespace glissade::detail {
namespace {

constexpr auto kHeader = static_cast<std::uint8_t>(TraceLineKind::Header);
constexpr auto kTick = static_cast<std::uint8_t>(TraceLineKind::Tick);
constexpr auto kFrame = static_cast<std::uint8_t>(TraceLineKind::Frame);
constexpr auto kTruth = static_cast<std::uint8_t>(TraceLineKind::Truth);
constexpr bool kRequired = true;
constexpr bool kOptional = false;

constexpr const char* kTraceKinds[] = {"a header", "a tick", "a frame", "a truth line"};
constexpr const char* kDrawnKinds[] = {"a drawn frame"};

// In the order of TraceKey.
constexpr KeyRow kTraceRows[] = {
    {"trace", ValueType::Version, kRequired, kHeader},
    {"name", ValueType::Text, kRequired, kHeader},
    {"source", ValueType::Source, kRequired, kHeader},
    {"tick_ns", ValueType::TickLength, kRequired, kHeader},
    {"rate", ValueType::RateParts, kOptional, kHeader},
    {"tick", ValueType::Integer, kRequired, kTick},
    {"sim", ValueType::Time, kRequired, kTick},
    {"arrive", ValueType::Time, kRequired, kTick},
    {"due", ValueType::Time, kOptional, kTick},
    {"stamp", ValueType::Time, kOptional, kTick},
    {"epoch", ValueType::Integer, kOptional, kTick},
    {"scale", ValueType::Factor, kOptional, kTick},
    {"paused", ValueType::Flag, kOptional, kTick},
    {"poses", ValueType::Poses, kRequired, kTick},
    {"gone", ValueType::Ids, kOptional, kTick},
    {"frame", ValueType::Integer, kRequired, kFrame},
    {"cpu", ValueType::Time, kRequired, kFrame},
    {"present", ValueType::Time, kOptional, kFrame},
    {"truth", ValueType::Time, kRequired, kTruth},
    {"id", ValueType::Integer, kRequired, kTruth},
    {"p", ValueType::Vector, kRequired, kTruth},
    {"q", ValueType::Quaternion, kOptional, kTruth},
};
static_assert(std::size(kTraceRows) == kMaxKeys);
static_assert(std::size(kTraceRows) == static_cast<std::size_t>(TraceKey::Rotation) + 1);

// In the order of DrawnKey.
constexpr KeyRow kDrawnRows[] = {
    {"frame", ValueType::Integer, kRequired}, {"sample", ValueType::Time, kOptional},
    {"delay", ValueType::Time, kOptional},    {"state", ValueType::State, kOptional},
    {"poses", ValueType::Poses, kRequired},
};
static_assert(std::size(kDrawnRows) == static_cast<std::size_t>(DrawnKey::Poses) + 1);

// In the order of PoseKey. A drawn pose has the first three.
constexpr KeyRow kPoseRows[] = {
    {"id", ValueType::Integer, kRequired},   {"p", ValueType::Vector, kRequired},
    {"q", ValueType::Quaternion, kOptional}, {"s", ValueType::Vector, kOptional},
    {"v", ValueType::Vector, kOptional},     {"w", ValueType::Vector, kOptional},
    {"cut", ValueType::Count, kOptional},    {"shift", ValueType::Shift, kOptional},
    {"role", ValueType::Role, kOptional},
};
static_assert(std::size(kPoseRows) == static_cast<std::size_t>(PoseKey::Role) + 1);
constexpr std::size_t kDrawnPoseKeys = 3;

// In the order of ShiftKey.
constexpr KeyRow kShiftRows[] = {
    {"n", ValueType::Count, kRequired},
    {"p", ValueType::Vector, kRequired},
    {"q", ValueType::Quaternion, kRequired},
};
static_assert(std::size(kShiftRows) == static_cast<std::size_t>(ShiftKey::Rotation) + 1);

constexpr LineSchema kTraceSchema{
    .line = kTraceRows, .pose = kPoseRows, .shift = kShiftRows, .kinds = kTraceKinds};
constexpr LineSchema kDrawnSchema{.line = kDrawnRows,
                                  .pose = std::span(kPoseRows).first<kDrawnPoseKeys>(),
                                  .shift = {},
                                  .kinds = kDrawnKinds};

} // namespace

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
        case ValueType::TickLength:
            return "an integer of nanoseconds above 0, or null";
        case ValueType::Time:
            return "an integer of nanoseconds";
        case ValueType::Count:
            return "an integer that is not negative";
        case ValueType::Factor:
            return "a number that is not negative";
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
