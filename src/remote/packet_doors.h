// SPDX-License-Identifier: MIT
// Whether the numbers of a packet may enter: finite and in range, enumerators that exist.
#pragma once

#include "glissade/remote/remote_entity.h"
#include "glissade/remote/remote_packets.h"
#include "glissade/remote/root_motion.h"

namespace glissade {

[[nodiscard]] bool is_sound(const PositionPacket& packet) noexcept;
[[nodiscard]] bool is_sound(const MotionPacket& packet) noexcept;
[[nodiscard]] bool is_sound(const MoveToPacket& packet) noexcept;
[[nodiscard]] bool is_sound(const VectorPacket& packet) noexcept;
[[nodiscard]] bool is_sound(const RootVelocity& root) noexcept;
[[nodiscard]] bool is_sound(const RemoteEntityConfig& config) noexcept;
[[nodiscard]] bool is_sound(const TargetState& target) noexcept;
/// Finite and within +-kMaxPosition.
[[nodiscard]] bool is_sound_position(const glm::dvec3& position) noexcept;

} // namespace glissade
