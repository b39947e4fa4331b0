// SPDX-License-Identifier: MIT
#include "trace/packet_fields.h"

namespace glissade::detail {
namespace {

std::uint16_t take_stamp(const Fields& fields, TraceKey key) noexcept {
    return static_cast<std::uint16_t>(fields[key].integers[0]); // The parser knows the range.
}

std::optional<double> optional_number(const Fields& fields, TraceKey key) noexcept {
    return fields.has(key) ? std::optional(fields[key].numbers[0]) : std::nullopt;
}

std::optional<glm::dvec3> optional_vector(const Fields& fields, TraceKey key) noexcept {
    return fields.has(key) ? std::optional(vector_of(fields[key])) : std::nullopt;
}

TraceMotion take_motion(const Fields& fields) noexcept {
    return {.stamp = take_stamp(fields, TraceKey::Motion),
            .id = fields[TraceKey::Id].integers[0],
            .arrive_ns = fields[TraceKey::Arrive].integers[0],
            .gait = static_cast<TraceGait>(fields[TraceKey::Gait].integers[0]),
            .speed = optional_number(fields, TraceKey::Speed),
            .sidestep = optional_number(fields, TraceKey::Sidestep),
            .turn_deg_s = optional_number(fields, TraceKey::Turn)};
}

TraceVector take_vector(const Fields& fields) noexcept {
    return {.stamp = take_stamp(fields, TraceKey::Vector),
            .id = fields[TraceKey::Id].integers[0],
            .arrive_ns = fields[TraceKey::Arrive].integers[0],
            .velocity = vector_of(fields[TraceKey::Velocity]),
            .angular_velocity = optional_vector(fields, TraceKey::AngularVelocity)};
}

TraceMoveTo take_move_to(const Fields& fields) noexcept {
    TraceMoveTo line{.stamp = take_stamp(fields, TraceKey::MoveTo),
                     .id = fields[TraceKey::Id].integers[0],
                     .arrive_ns = fields[TraceKey::Arrive].integers[0],
                     .kind = static_cast<TraceMoveKind>(fields[TraceKey::Kind].integers[0]),
                     .position = optional_vector(fields, TraceKey::Position),
                     .distance_m = optional_number(fields, TraceKey::Distance),
                     .min_distance_m = optional_number(fields, TraceKey::MinDistance),
                     .fail_distance_m = optional_number(fields, TraceKey::FailDistance),
                     .speed = optional_number(fields, TraceKey::Speed),
                     .threshold_m = optional_number(fields, TraceKey::Threshold),
                     .heading_deg = optional_number(fields, TraceKey::Heading),
                     .run_rate = optional_number(fields, TraceKey::RunRate)};
    if (fields.has(TraceKey::Target)) {
        line.target = fields[TraceKey::Target].integers[0];
    }
    if (fields.has(TraceKey::Flags)) {
        line.flags = static_cast<std::uint32_t>(fields[TraceKey::Flags].integers[0]);
    }
    return line;
}

} // namespace

const char* missing_key(const TraceMoveTo& line) noexcept {
    switch (line.kind) {
        case TraceMoveKind::Position:
            return line.position ? nullptr : "p";
        case TraceMoveKind::TurnHeading:
            return line.heading_deg ? nullptr : "heading";
        default:
            return line.target ? nullptr : "target";
    }
}

TracePacket take_packet(LineKind kind, const Fields& fields) noexcept {
    switch (kind) {
        case LineKind::Motion:
            return take_motion(fields);
        case LineKind::Vector:
            return take_vector(fields);
        case LineKind::MoveTo:
            return take_move_to(fields);
        case LineKind::Player:
            return TracePlayer{.arrive_ns = fields[TraceKey::Player].integers[0],
                               .position = vector_of(fields[TraceKey::Position])};
        default:
            return TraceBlocked{.blocked = fields[TraceKey::Blocked].integers[0] != 0,
                                .id = fields[TraceKey::Id].integers[0],
                                .arrive_ns = fields[TraceKey::Arrive].integers[0]};
    }
}

} // namespace glissade::detail
