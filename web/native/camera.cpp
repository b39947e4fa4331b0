// SPDX-License-Identifier: MIT
#include "glissade/rig/follow_camera.h"

#include "web/native/border.h"

namespace web = glissade::web;

struct glissade_camera { // NOLINT(readability-identifier-naming): of the C interface.
    explicit glissade_camera(const glissade::FollowCameraConfig& config) : camera(config) {}
    glissade::FollowCamera camera;
};

glissade_camera* glissade_camera_create(double distance, double height, double damping) {
    constexpr const char* kWhere = "glissade_camera_create";
    if (!(distance >= 0.0 && distance <= glissade::kMaxPosition) ||
        !(std::abs(height) <= glissade::kMaxPosition) || !std::isfinite(damping)) {
        web::fail(kWhere, "distance, height and damping must be finite, the distance not below 0");
        return nullptr;
    }
    return web::make<glissade_camera>(
        kWhere,
        glissade::FollowCameraConfig{.distance = distance, .height = height, .damping = damping});
}

void glissade_camera_destroy(glissade_camera* camera) {
    delete camera;
}

void glissade_camera_update(glissade_camera* camera, const double* position, double yaw_rad,
                            uint32_t cuts, double elapsed_ms, glissade_view* out) {
    const glissade::CameraView view =
        camera->camera.update({.position = {position[0], position[1], position[2]},
                               .yaw_rad = static_cast<float>(yaw_rad),
                               .cuts = cuts},
                              web::to_ns(elapsed_ms).value_or(0));
    *out = {{view.eye.x, view.eye.y, view.eye.z},
            {view.look_at.x, view.look_at.y, view.look_at.z},
            {view.rotation.x, view.rotation.y, view.rotation.z, view.rotation.w}};
}
