// SPDX-License-Identifier: MIT
// A camera that follows what is drawn, with a damping that does not depend on the frame rate.
#pragma once

#include "glissade/pose/pose.h"

#include <cstdint>

namespace glissade {

/// Settings of a FollowCamera. Metres, all finite.
struct FollowCameraConfig {
    double distance = 6.0; ///< Behind the point it looks at. >= 0; 0 looks straight down.
    double height = 2.0;   ///< Above the point it looks at; negative: below.
    /// From the target's position to the point it looks at; does not turn with the yaw.
    glm::dvec3 look_at_offset{0.0, 1.5, 0.0};
    /// How fast it catches up, 1/s: after 1 / damping seconds 37 % of a distance is left, and at a
    /// constant speed it stays speed / damping behind. 0 or less: at once.
    double damping = 10.0;
    glm::dvec3 up{0.0, 1.0, 0.0};       ///< Unit.
    glm::dvec3 forward{0.0, 0.0, -1.0}; ///< Where yaw 0 looks. Unit, at a right angle to `up`.
};

/// What the camera follows in this frame: a *visual* place, never a logical one.
struct CameraTarget {
    glm::dvec3 position{0.0}; ///< Stage::visual() or world(), or BodyFrame::render_position.
    float yaw_rad = 0.0F;     ///< Of this frame's input; counter-clockwise about `up`, not damped.
    /// Stage::shown_cuts() or LocalBody::shown_cuts(): the camera cuts when it changes.
    std::uint32_t cuts = 0;
};

/// Where the camera is in this frame.
struct CameraView {
    glm::dvec3 eye{0.0};
    glm::dvec3 look_at{0.0};
    glm::quat rotation = quat_xyzw(0.0F, 0.0F, 0.0F, 1.0F); ///< Turns -Z to look_at and +Y up.
    bool cut = false; ///< Jumped in this frame: reset motion vectors and temporal filters.
};

/// Follows a target at a distance, softly. The damping is exact for a target that moves straight
/// during a frame, so that 30 and 240 frames a second give the same path; it comes on top of
/// interpolation, never instead.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class FollowCamera {
public:
    /// A setting outside its range is a broken precondition; without asserts all settings take
    /// their defaults.
    explicit FollowCamera(const FollowCameraConfig& config = {}) noexcept;

    /// The view `elapsed_ns` of presented time after the last one; negative counts as 0. The first
    /// call, a changed `cuts` and cut() go there at once. A target that is not finite is ignored:
    /// the last view again, and its time counts for the next one.
    CameraView update(const CameraTarget& target, std::int64_t elapsed_ns) noexcept;

    /// The same with an obstacle test: `obstacle(look_at, eye)` returns where the eye may be
    /// instead. It is not damped and changes nothing of the path; a place that is not finite is
    /// ignored.
    template <class Obstacle>
    CameraView update(const CameraTarget& target, std::int64_t elapsed_ns, Obstacle&& obstacle) {
        CameraView view = update(target, elapsed_ns);
        move_eye(view, obstacle(view.look_at, view.eye));
        return view;
    }

    /// The next update() goes to its target at once.
    void cut() noexcept { started_ = false; }

private:
    void move_eye(CameraView& view, const glm::dvec3& eye) const noexcept;
    [[nodiscard]] glm::quat compute_rotation(const CameraView& view) const noexcept;

    FollowCameraConfig config_;
    glm::dvec3 target_{0.0}; // Of the last frame.
    glm::dvec3 follow_{0.0}; // Where the damping has got to.
    glm::dvec3 right_{0.0};  // Of the yaw of the last frame.
    std::int64_t ignored_ns_ = 0;
    CameraView view_;
    std::uint32_t cuts_ = 0;
    bool started_ = false;
};

} // namespace glissade
