// SPDX-License-Identifier: MIT
// One box, 20 ticks a second, 144 frames a second: where is it drawn, and how evenly does it move?
#include "glissade/glissade.h"

#include "example_args.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// Your simulation: knows nothing of frames.
struct World {
    double x = 0.0;
    void step(double seconds) { x += 3.0 * seconds; }
    [[nodiscard]] glissade::Pose box() const { return {.position = {x, 0.0, 0.0}}; }
};

// Your renderer: here it writes down what it was told to draw, at 144 Hz, and what most would draw.
struct Display {
    const World& world;
    int frame_count = 0;
    std::vector<double> drawn{};
    std::vector<double> newest{};

    [[nodiscard]] bool running() const { return std::ssize(drawn) < frame_count; }
    [[nodiscard]] std::int64_t present_ns() const {
        return std::ssize(drawn) * 1'000'000'000 / 144;
    }
    void draw(const glissade::Pose& pose) {
        drawn.push_back(pose.position.x);
        newest.push_back(world.x);
    }
};

// How uneven drawn motion is: the RMS of each frame's step against the mean step. 0 is perfect.
double rate_error(const std::vector<double>& drawn) {
    const std::size_t first = drawn.size() / 4; // Leave out the start.
    const auto step_count = static_cast<double>(drawn.size() - first - 1);
    const double mean = (drawn.back() - drawn[first]) / step_count;
    double sum = 0.0;
    for (std::size_t i = first + 1; i < drawn.size(); ++i) {
        sum += std::pow((drawn[i] - drawn[i - 1]) / mean - 1.0, 2);
    }
    return mean == 0.0 ? 0.0 : std::sqrt(sum / step_count);
}

void print_table(const std::vector<double>& newest, const std::vector<double>& smooth) {
    std::puts("         drawn at the newest state    drawn with glissade");
    std::puts("frame         x         step              x         step");
    for (std::size_t i = 9; i < smooth.size() && i < 33; ++i) {
        std::printf("%5zu %9.4f m %9.4f m     %9.4f m %9.4f m\n", i, newest[i],
                    newest[i] - newest[i - 1], smooth[i], smooth[i] - smooth[i - 1]);
    }
}

} // namespace

int main(int argc, char** argv) {
    const example::Args args = example::parse_args(
        argc, argv, 288, "One box at 20 ticks a second, drawn at 144 frames a second.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    World world;
    Display display{.world = world, .frame_count = args.frames};

    // [loop]
    glissade::FixedStep step({.rate = {20, 1}});
    glissade::Stage stage({.capacity = 64});
    const glissade::Id box = stage.add(world.box());

    while (display.running()) {
        for (const glissade::Tick& tick : step.advance_to(display.present_ns())) {
            world.step(tick.step_s);
            stage.move(tick, box, world.box());
        }
        stage.present(step.sample());
        display.draw(stage.visual(box)); // Not world.box(): that is where it stutters.
    }
    // [/loop]

    print_table(display.newest, display.drawn);
    std::printf("\nrate error (0 is perfectly even): newest state %.3f, glissade %.6f\n",
                rate_error(display.newest), rate_error(display.drawn));
    std::printf("price: the picture is one tick (%.0f ms) behind the newest state\n",
                step.rate().period_s() * 1e3);
    return 0;
}
