// SPDX-License-Identifier: MIT
// Looks at a target now and then, and tells when it has moved enough to matter.
#pragma once

#include "glissade/remote/remote_tuning.h"

#include <cstdint>
#include <optional>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

/// A target as its world knows it.
struct TargetState {
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0}; ///< Metres per second.
    double radius_m = 0.0;
    double height_m = 0.0;
};

struct TargetUpdate {
    glm::dvec3 predicted{0.0}; ///< Where it will be when the mover gets there.
    glm::dvec3 position{0.0};
};

struct WatchQuery {
    double since_look_s = 0.0;
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0};
    double prediction_s = 0.0;
    glm::dvec3 last_told{0.0}; ///< The predicted point of the last update.
    double radius_m = 0.5;
};
/// The update that a look at the target gives, if any. Pure.
[[nodiscard]] std::optional<TargetUpdate> compute_target_update(const RemoteTuning& tuning,
                                                                const WatchQuery& query) noexcept;

enum class WatchState : std::uint8_t {
    Waiting, ///< The target was not seen yet.
    Watching,
    Lost,     ///< It was seen, and is no more.
    TimedOut, ///< It was not seen for too long.
};

/// Watches one target.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class TargetWatch {
public:
    /// Lets `quantum_s` pass and looks. `target`: none if its world does not know it. The first
    /// sight is told at once.
    [[nodiscard]] std::optional<TargetUpdate> look(
        const RemoteTuning& tuning, double quantum_s,
        const std::optional<TargetState>& target) noexcept;

    /// How long the mover still needs: `distance_m` / its speed, taken over if it differs by more
    /// than a second. Speeds of 0.1 m/s and less and unlimited distances do not count; a
    /// negative distance (overlap) is 0.
    void predict_for(double distance_m, double own_speed_m_s) noexcept;

    [[nodiscard]] WatchState state() const noexcept { return state_; }
    [[nodiscard]] double prediction_s() const noexcept { return prediction_s_; }

private:
    void miss(const RemoteTuning& tuning) noexcept;

    WatchState state_ = WatchState::Waiting;
    double since_look_s_ = 0.0; // While waiting: since the watch began.
    double prediction_s_ = 0.0;
    glm::dvec3 last_told_{0.0};
};

} // namespace glissade
