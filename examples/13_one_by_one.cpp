// SPDX-License-Identifier: MIT
// Bodies that come one by one, as an entity system hands them out, told at nearly the price of a
// batch; and what becomes of one whose simulation has gone wrong.
#include "glissade/glissade.h"

#include "example_args.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

namespace {

/// A component of your engine, found by walking over entities.
struct Body {
    glissade::Id id{};
    double radius_m = 0.0;
    double angle_rad = 0.0;

    void step(double seconds) { angle_rad += seconds / radius_m; }
    [[nodiscard]] glissade::Pose pose() const {
        return {.position = {radius_m * std::cos(angle_rad), 0.0, radius_m * std::sin(angle_rad)}};
    }
};

// [tick]
/// One tick of your engine. Bodies that the stage refuses keep the state they had.
void step_all(const glissade::Tick& tick, std::vector<Body>& bodies, glissade::Stage& stage) {
    glissade::TickWriter moves(stage, tick);
    for (Body& body : bodies) {
        body.step(tick.step_s);
        moves.move(body.id, body.pose());
    }
    const glissade::BatchResult told = moves.finish();
    if (told.status != glissade::StageStatus::Ok) {
        std::printf("tick %lld, body %zu: %s\n", static_cast<long long>(tick.index),
                    told.first_refused, to_string(told.status));
    }
}
// [/tick]

} // namespace

int main(int argc, char** argv) {
    const example::Args args =
        example::parse_args(argc, argv, 12, "A thousand bodies, told one by one.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    glissade::FixedStep step({.rate = {20, 1}});
    glissade::Stage stage({.capacity = 1000});
    std::vector<Body> bodies(1000);
    for (std::size_t number = 0; number < bodies.size(); ++number) {
        Body& body = bodies[number];
        body.radius_m = 1.0 + 0.01 * static_cast<double>(number);
        body.id = stage.add(body.pose());
    }
    bodies[7].radius_m = std::numeric_limits<double>::quiet_NaN();

    std::puts("frame   moving   first body x, z");
    for (int frame = 0; frame < args.frames; ++frame) {
        for (const glissade::Tick& tick : step.advance_to(frame * 1'000'000'000LL / 60)) {
            step_all(tick, bodies, stage);
        }
        stage.present(step.sample());
        const glissade::Pose first = stage.visual(bodies[0].id);
        std::printf("%5d   %6zu   %8.3f %8.3f\n", frame, stage.mover_count(), first.position.x,
                    first.position.z);
    }
    return 0;
}
