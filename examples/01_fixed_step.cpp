// SPDX-License-Identifier: MIT
// One box, 20 ticks a second, 144 frames a second: where is it drawn, and how evenly does it move?
#include "glissade/glissade.h"

#include "example_args.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using glissade::FixedStep;
using glissade::Id;
using glissade::Pose;
using glissade::Stage;
using glissade::Tick;

// Your simulation: knows nothing of frames.
struct World {
    double x = 0.0;
    void step(double seconds) { x += 3.0 * seconds; }
    [[nodiscard]] Pose box() const { return {.position = {x, 0.0, 0.0}}; }
};

// How uneven a series of drawn places is: the RMS of each frame's step against the mean step. 0 is
// perfect.
double rate_error(const std::vector<double>& drawn) {
    const auto first = static_cast<std::ptrdiff_t>(drawn.size() / 4); // Leave out the start.
    const std::vector<double> shown(drawn.begin() + first, drawn.end());
    if (shown.size() < 2 || shown.back() == shown.front()) {
        return 0.0;
    }
    const auto step_count = static_cast<double>(shown.size() - 1);
    const double mean = (shown.back() - shown.front()) / step_count;
    double sum = 0.0;
    for (std::size_t i = 1; i < shown.size(); ++i) {
        sum += std::pow((shown[i] - shown[i - 1]) / mean - 1.0, 2);
    }
    return std::sqrt(sum / step_count);
}

} // namespace

int main(int argc, char** argv) {
    const example::Args args = example::parse_args(
        argc, argv, 288, "One box at 20 ticks a second, drawn at 144 frames a second.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    World world;
    std::vector<double> newest;
    std::vector<double> smooth;

    // [loop]
    glissade::FixedStep step({.rate = {20, 1}});
    glissade::Stage stage({.capacity = 64});
    const glissade::Id box = stage.add(world.box());

    for (int frame = 0; frame < args.frames; ++frame) {
        const std::int64_t present_ns = frame * 1'000'000'000LL / 144; // From your display.
        for (const glissade::Tick& tick : step.advance_to(present_ns)) {
            world.step(tick.step_s);
            stage.move(tick, box, world.box());
        }
        stage.present(step.sample());
        smooth.push_back(stage.visual(box).position.x); // Draw it here.
        newest.push_back(world.x);                      // Not here.
    }
    // [/loop]

    std::puts("frame   tick    newest state   step      glissade       step");
    for (std::size_t i = 1; i < smooth.size() && i <= 24; ++i) {
        std::printf("%5zu %6.0f %12.4f m %7.4f %12.4f m %8.4f\n", i, std::round(newest[i] / 0.15),
                    newest[i], newest[i] - newest[i - 1], smooth[i], smooth[i] - smooth[i - 1]);
    }
    std::printf("\nrate error (0 is perfectly even): newest state %.3f, glissade %.6f\n",
                rate_error(newest), rate_error(smooth));
    std::printf("price: the picture is one tick (%.0f ms) behind the newest state\n",
                step.rate().period_s() * 1e3);
    return 0;
}
