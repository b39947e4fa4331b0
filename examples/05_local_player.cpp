// SPDX-License-Identifier: MIT
// The local player: physics behind a gate of 1/30 s, drawn at 144 frames a second, followed by a
// camera. What goes to the server and what goes to the screen are two different positions.
#include "glissade/glissade.h"

#include "example_args.h"

#include <cstdio>

#include <glm/geometric.hpp>

namespace {

constexpr double kGravity = 9.8;   // Metres per second squared.
constexpr double kGrip = 8.0;      // How fast the feet reach the wanted speed, 1/s.
constexpr double kJumpSpeed = 4.0; // Metres per second.

// What the player's hands do in one frame. The body needs `yaw_rad`; the rest is yours.
struct Input {
    float yaw_rad = 0.0F;
    glm::dvec3 walk{0.0}; // Metres per second.
    bool jump = false;
};

// Your physics. The body calls the first three in this order for every tick, then ticked().
struct Character {
    glm::dvec3 acceleration(const glissade::BodyState& state, const Input& input) {
        jumps = input.jump && state.grounded;
        const glm::dvec3 drive = (input.walk - state.velocity) * kGrip;
        return state.grounded ? glm::dvec3(drive.x, -kGravity, drive.z)
                              : glm::dvec3(0.0, -kGravity, 0.0);
    }

    void integrate(glissade::BodyState& state, const glm::dvec3& acceleration,
                   double step_s) const {
        state.velocity += acceleration * step_s;
        if (jumps) {
            state.velocity.y = kJumpSpeed;
        }
        state.position += state.velocity * step_s;
    }

    // The whole world: a floor. A game sweeps its capsule from `before` to `after` here.
    static glissade::Resolved resolve(const glm::dvec3& /*before*/, const glm::dvec3& after) {
        if (after.y > 0.0) {
            return {.position = after};
        }
        return {.position = {after.x, 0.0, after.z}, .normal = {0.0, 1.0, 0.0}, .walkable = true};
    }

    // After every tick: the place to tell the server. What is drawn never leaves this machine.
    void ticked(const glissade::Tick& /*tick*/, const glissade::BodyState& /*state*/) {
        ++sent_count;
    }

    bool jumps = false;
    int sent_count = 0;
};

// Walks forward (yaw 0 looks along -Z), looks around, and jumps once a second.
Input read_input(int frame) {
    const double turn = frame < 72 ? 0.0 : 0.005 * (frame - 72);
    return {
        .yaw_rad = static_cast<float>(turn), .walk = {0.0, 0.0, -4.0}, .jump = frame % 144 > 100};
}

} // namespace

int main(int argc, char** argv) {
    const example::Args args = example::parse_args(
        argc, argv, 240, "A local player behind a gate of 1/30 s, and the camera that follows it.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    Character character;
    glissade::FollowCamera camera;

    // FixedStep works as well, and gives the same ticks at every frame rate. The gate is the clock
    // of a client whose collisions depend on it; see AlphaBasis for what to do on a 60 Hz screen.
    glissade::LocalBody<glissade::QuantumGate> body;

    std::puts("frame  tick   true z    drawn z     step    drawn y   camera to body    yaw");
    glm::dvec3 last(0.0);
    std::int64_t last_ns = 0;
    for (int frame = 0; frame < args.frames; ++frame) {
        const std::int64_t present_ns = frame * 1'000'000'000LL / 144; // From your display.

        // A teleport, a respawn or a word of the server: set_position(), and nothing is blended.
        if (frame == 200) {
            body.set_position({0.0, 0.0, 0.0});
        }
        const glissade::BodyFrame drawn = body.update(present_ns, read_input(frame), character);

        // The camera follows what is drawn. Following drawn.state.position would shake the world.
        const glissade::CameraView view = camera.update(
            {drawn.render_position, drawn.yaw_rad, body.shown_cuts()}, present_ns - last_ns);

        if (frame % 6 == 0 || view.cut) {
            const glm::dvec3& place = drawn.render_position;
            std::printf("%5d %5s %8.3f %10.3f %8.4f %10.3f %14.3f m %6.2f%s\n", frame,
                        drawn.tick_count > 0 ? "tick" : "", drawn.state.position.z, place.z,
                        glm::distance(place, last), place.y, glm::distance(view.eye, place),
                        static_cast<double>(drawn.yaw_rad), view.cut ? "  cut" : "");
        }
        last = drawn.render_position;
        last_ns = present_ns;
    }
    std::printf("\n%d frames drawn, %d ticks sent\n", args.frames, character.sent_count);
    return 0;
}
