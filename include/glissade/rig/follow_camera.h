// SPDX-License-Identifier: MIT
// A camera that follows what is drawn, with a damping that does not depend on the frame rate.
#pragma once

#include "glissade/pose/pose.h"

#include <cstdint>

namespace glissade {

/// Settings of a FollowCamera. Metres.
struct FollowCameraConfig {
    double distance = 6.0; ///< Behind the point it looks at. >= 0.
    double height = 2.0;   ///< Above the point it looks at.
    glm::dvec3 look_at_offset{0.0, 1.5,
                              0.0}; ///< From the target's position to the point it looks at.
    /// How fast it catches up, 1/s: after 1 / damping seconds 37 % of a distance is left. 0 or
    /// less: at once.
    double damping = 10.0;
    glm::dvec3 up{0.0, 1.0, 0.0};       ///< Unit.
    glm::dvec3 forward{0.0, 0.0, -1.0}; ///< Where yaw 0 looks. Unit, at a right angle to `up`.
};

/// What the camera follows in this frame: a *visual* place, never a logical one.
struct CameraTarget {
    glm::dvec3 position{0.0}; ///< Stage::visual() or world(), or BodyFrame::render_position.
    float yaw_rad = 0.0F;   ///< Of this frame's input; counter-clockwise about `up`, never damped.
    std::uint32_t cuts = 0; ///< Stage::shown_cuts(): the camera cuts when it changes.
};

/// Where the camera is in this frame.
struct CameraView {
    glm::dvec3 eye{0.0};
    glm::dvec3 look_at{0.0};
    glm::quat rotation{1.0F, 0.0F, 0.0F, 0.0F}; ///< Turns -Z to the view direction and +Y up.
    bool cut = false; ///< Jumped in this frame: reset motion vectors and temporal filters.
};

/// Follows a target at a distance, softly. The damping is exact for a target that moves straight
/// during a frame, so that 30 and 240 frames a second give the same path; it comes on top of
/// interpolation, never instead.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class FollowCamera {
public:
    explicit FollowCamera(const FollowCameraConfig& config = {}) noexcept;

    /// The view `elapsed_ns` of presented time after the last one. The first call, a changed `cuts`
    /// and cut() go there at once. A target that is not finite is ignored: the last view again.
    CameraView update(const CameraTarget& target, std::int64_t elapsed_ns) noexcept;

    /// The same with an obstacle test: `obstacle(look_at, eye)` returns where the eye may be
    /// instead.
    template <class Obstacle>
    CameraView update(const CameraTarget& target, std::int64_t elapsed_ns, Obstacle&& obstacle) {
        CameraView view = update(target, elapsed_ns);
        view.eye = obstacle(view.look_at, view.eye);
        view.rotation = compute_rotation(view);
        return view;
    }

    /// The next update() goes to its target at once.
    void cut() noexcept { started_ = false; }

private:
    [[nodiscard]] glm::quat compute_rotation(const CameraView& view) const noexcept;

    FollowCameraConfig config_;
    glm::dvec3 target_{0.0}; // Of the last frame.
    glm::dvec3 follow_{0.0}; // Where the damping has got to.
    CameraView view_;
    std::uint32_t cuts_ = 0;
    bool started_ = false;
};

} // namespace glissade
