// SPDX-License-Identifier: MIT
// camera-only: bodies at their newest state, seen from a camera that follows with 5 % a frame. The
// background glides, so it feels better at once; but what the player looks at, the bodies, steps
// exactly as with `newest`, now against a smooth background. Drawn poses are in the world, so
// bodies score as `newest`; a pose with the role of a camera is the one that is smoothed.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

namespace glissade::lab {

namespace {

constexpr double kCameraGain = 0.05; // Per frame, as commonly written.

class CameraOnly final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    double begin_frame(std::int64_t /*cpu_ns*/) override { return source_time(1.0); }
    BodyState draw(Body& body) override {
        const bool follows = body.camera && body.drawn;
        return follows ? blend(*body.drawn, body.current, kCameraGain) : body.current;
    }
};

} // namespace

std::unique_ptr<Method> make_camera_only(const TraceHeader& header,
                                         const MethodConfig& /*config*/) {
    return std::make_unique<CameraOnly>(header);
}

} // namespace glissade::lab
