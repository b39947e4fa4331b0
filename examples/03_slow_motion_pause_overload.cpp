// SPDX-License-Identifier: MIT
// A clock that is slowed, paused, overloaded and interrupted, and tells what became of every
// nanosecond.
#include "glissade/glissade.h"

#include "example_args.h"

#include <cstdio>

namespace {

constexpr std::int64_t kFrameNs = 16'666'667;

struct Scene {
    glissade::FixedStep step{{.rate = {30, 1}, .max_ticks = 4}};
    glissade::Stage stage{{.capacity = 4}};
    glissade::Id box = stage.add({});
    double x = 0.0;
    std::int64_t now_ns = 0;

    // One frame of `frame_ns` real time: ticks, picture, a line of the table.
    void run_frame(const char* what, std::int64_t frame_ns) {
        now_ns += frame_ns;
        int tick_count = 0;
        const auto ticks = step.advance_to(now_ns);
        for (const glissade::Tick& tick : ticks) {
            x += 6.0 * tick.step_s;
            stage.move(tick, box, {.position = {x, 0.0, 0.0}});
            ++tick_count;
        }
        stage.present(step.sample());
        std::printf("%-16s %5.0f ms %5d %10.4f m   %s\n", what, double(frame_ns) * 1e-6, tick_count,
                    stage.visual(box).position.x, to_string(ticks.status()));
    }

    void run(const char* what, int frame_count, std::int64_t frame_ns = kFrameNs) {
        for (int frame = 0; frame < frame_count; ++frame) {
            run_frame(what, frame_ns);
        }
    }
};

} // namespace

int main(int argc, char** argv) {
    const example::Args args =
        example::parse_args(argc, argv, 24, "Slow motion, pause, overload and a long gap.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    const int part = args.frames < 6 ? 1 : args.frames / 6;
    Scene scene;
    std::puts("                 frame   ticks     drawn x   status");
    scene.run("normal", part);

    scene.step.set_time_scale(0.25); // Ticks keep their size, they only come less often.
    scene.run("slow motion x1/4", part);
    scene.step.set_time_scale(1.0);

    scene.step.pause(); // The picture stands exactly still, and goes on from there.
    scene.run("paused", part);
    scene.step.resume();
    scene.run("resumed", part);

    scene.run("overload", part, 400'000'000); // 12 ticks are due, 4 run, the rest is dropped.
    scene.run("debugger", 1, 30'000'000'000); // Half a minute: nobody wants 900 ticks now.
    scene.run("normal", part);

    const glissade::StepStats& stats = scene.step.stats();
    std::printf("\nsimulated %.3f s, dropped %.3f s in %lld frames, discarded %.3f s in %lld gap\n",
                double(stats.simulated_ns) * 1e-9, double(stats.dropped_ns) * 1e-9,
                static_cast<long long>(stats.dropped_count), double(stats.discarded_ns) * 1e-9,
                static_cast<long long>(stats.discarded_count));
    return 0;
}
