// SPDX-License-Identifier: MIT
#include "remote/packet_doors.h"

#include "glissade/pose/pose.h"

#include <cmath>

namespace glissade {

namespace {

// False for NaN too.
bool is_within(double value, double limit) noexcept {
    return std::abs(value) <= limit;
}

bool is_within(const glm::dvec3& vector, double limit) noexcept {
    return is_within(vector.x, limit) && is_within(vector.y, limit) && is_within(vector.z, limit);
}

bool is_speed(double value) noexcept {
    return value >= 0.0 && value <= kMaxPacketSpeed;
}

bool is_size(double value) noexcept {
    return value >= 0.0 && value <= kMaxPosition;
}

// May be unlimited.
bool is_distance(double value) noexcept {
    return value >= 0.0;
}

bool is_sound(const MoveToParams& params) noexcept {
    return is_distance(params.distance_to_object_m) && is_distance(params.min_distance_m) &&
           is_distance(params.fail_distance_m) && is_speed(params.speed) &&
           is_distance(params.walk_run_threshold_m) &&
           is_within(params.desired_heading_deg, kMaxPacketAngle);
}

} // namespace

bool is_sound_position(const glm::dvec3& position) noexcept {
    return is_within(position, kMaxPosition);
}

bool is_sound(const PositionPacket& packet) noexcept {
    return is_sound_position(packet.position) && is_within(packet.heading_deg, kMaxPacketAngle);
}

bool is_sound(const MotionPacket& packet) noexcept {
    const MotionCommand& command = packet.command;
    return command.gait <= Gait::RunForward && is_speed(command.forward_speed) &&
           is_within(command.sidestep_speed, kMaxPacketSpeed) &&
           is_within(command.turn_deg_s, kMaxPacketAngle);
}

bool is_sound(const MoveToPacket& packet) noexcept {
    const MoveToOrder& order = packet.order;
    return order.kind <= MoveToKind::TurnToHeading && is_sound_position(order.position) &&
           is_speed(order.run_rate) && is_sound(order.params);
}

bool is_sound(const VectorPacket& packet) noexcept {
    return is_within(packet.velocity, kMaxVelocity) &&
           is_within(packet.omega_rad_s, kMaxPacketAngle);
}

bool is_sound(const RootVelocity& root) noexcept {
    return is_within(root.linear_m_s, kMaxPacketSpeed) &&
           is_within(root.turn_deg_s, kMaxPacketAngle);
}

bool is_sound(const RemoteEntityConfig& config) noexcept {
    const RemotePlace place = config.place.value_or(RemotePlace{});
    return is_sound_position(place.position) && is_within(place.heading_deg, kMaxPacketAngle) &&
           is_size(config.radius_m) && is_size(config.height_m) &&
           is_speed(config.run_skill.value_or(0.0));
}

bool is_sound(const TargetState& target) noexcept {
    return is_sound_position(target.position) && is_within(target.velocity, kMaxVelocity) &&
           is_size(target.radius_m) && is_size(target.height_m);
}

} // namespace glissade
