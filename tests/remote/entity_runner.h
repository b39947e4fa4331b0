// SPDX-License-Identifier: MIT
// An entity on level ground that is sent packets with growing stamps and stepped by 1/30 s.
#pragma once

#include "glissade/remote/remote_entity.h"

#include <cstdint>
#include <optional>

namespace glissade {

inline constexpr double kThirtieth = 1.0 / 30.0;

struct EntityRunner {
    explicit EntityRunner(const RemoteEntityConfig& config = {.key = 7, .place = RemotePlace{}},
                          const RemoteTuning& the_tuning = {})
        : tuning(the_tuning), entity(config) {}

    /// One quantum without packets, after which the distance to the player is known: updates are
    /// chased from now on.
    EntityRunner& settle() {
        run(1);
        return *this;
    }

    QuantumReport run(int quantum_count) {
        QuantumReport report;
        for (int i = 0; i < quantum_count; ++i) {
            report = entity.advance(tuning, kThirtieth, scene);
        }
        return report;
    }

    Routed send(const glm::dvec3& position, double heading_deg = 0.0, bool contact = true) {
        ++stamps.position;
        return entity.receive(tuning,
                              PositionPacket{.stamps = stamps,
                                             .position = position,
                                             .heading_deg = heading_deg,
                                             .contact = contact},
                              scene);
    }

    Routed teleport(const glm::dvec3& position, double heading_deg = 0.0, bool contact = true) {
        ++stamps.teleport;
        return send(position, heading_deg, contact);
    }

    Received command(const MotionCommand& what, std::optional<std::uint64_t> stick_to = {}) {
        ++movement.movement;
        return entity.receive(
            tuning, MotionPacket{.stamps = movement, .command = what, .stick_to = stick_to});
    }

    Received order(const MoveToOrder& what) {
        ++movement.movement;
        return entity.receive(tuning, MoveToPacket{movement, what}, scene);
    }

    Received leap(const glm::dvec3& velocity, const glm::dvec3& omega_rad_s = glm::dvec3(0.0)) {
        ++vector_stamp;
        return entity.receive(tuning, VectorPacket{vector_stamp, velocity, omega_rad_s});
    }

    [[nodiscard]] const RemoteBody& body() const { return entity.body(); }

    RemoteTuning tuning;
    RemoteEntity entity;
    RemoteScene scene{};
    UpdateStamps stamps{};
    MovementStamps movement{};
    std::uint16_t vector_stamp = 0;
};

} // namespace glissade
