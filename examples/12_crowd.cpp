// SPDX-License-Identifier: MIT
// Twenty thousand movers: one call per tick, matrices straight into an instance buffer, two jobs.
#include "glissade/glissade.h"

#include "example_args.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kCount = 20'000;

/// What the simulation has anyway: its bodies as columns.
struct Crowd {
    std::vector<double> x = std::vector<double>(kCount);
    std::vector<double> y = std::vector<double>(kCount);
    std::vector<double> z = std::vector<double>(kCount);
    std::vector<float> qx = std::vector<float>(kCount);
    std::vector<float> qy = std::vector<float>(kCount);
    std::vector<float> qz = std::vector<float>(kCount);
    std::vector<float> qw = std::vector<float>(kCount);

    void step(double time_s) {
        for (std::size_t body = 0; body < kCount; ++body) {
            const double angle_rad = time_s + static_cast<double>(body) * 0.001;
            const double radius_m = 10.0 + static_cast<double>(body % 100);
            x[body] = radius_m * std::cos(angle_rad);
            const std::size_t level = body / 100;
            y[body] = static_cast<double>(level);
            z[body] = -radius_m * std::sin(angle_rad);
            qy[body] = static_cast<float>(std::sin(0.5 * angle_rad));
            qw[body] = static_cast<float>(std::cos(0.5 * angle_rad));
        }
    }

    [[nodiscard]] glissade::PoseColumns columns() const {
        return {.x = x, .y = y, .z = z, .qx = qx, .qy = qy, .qz = qz, .qw = qw};
    }
};

/// Stands for the job system of an engine: runs `job(0)` to `job(count - 1)` on two threads.
void run_jobs(std::size_t count, const std::function<void(std::size_t)>& job) {
    const auto run_every_second = [&](std::size_t first) {
        for (std::size_t number = first; number < count; number += 2) {
            job(number);
        }
    };
    std::thread other(run_every_second, 1);
    run_every_second(0);
    other.join();
}

} // namespace

int main(int argc, char** argv) {
    const example::Args args =
        example::parse_args(argc, argv, 12, "A crowd of twenty thousand, drawn by two jobs.");
    if (args.exit_code) {
        return *args.exit_code;
    }
    glissade::FixedStep step({.rate = {20, 1}});
    glissade::Stage stage({.capacity = kCount});
    std::vector<glissade::Id> ids;
    for (std::uint32_t body = 0; body < kCount; ++body) {
        ids.push_back(stage.add({}, {.user = body}));
    }
    Crowd crowd;
    std::vector<glm::mat3x4> instances(kCount); // Or mapped memory of your GPU.

    std::puts("frame   ranges   moving   first instance x, z");
    for (int frame = 0; frame < args.frames; ++frame) {
        // [frame]
        for (const glissade::Tick& tick : step.advance_to(frame * 1'000'000'000LL / 60)) {
            crowd.step(static_cast<double>(tick.index) * tick.step_s);
            stage.move(tick, ids, crowd.columns());
        }
        const glissade::TrackSample sample{.time = step.sample()};
        // Only instances are drawn here, so the poses themselves need not be kept.
        const glissade::MatrixTarget target{.matrices = instances, .poses = false};
        stage.begin_present({&sample, 1}, {&target, 1});
        const std::size_t ranges = stage.range_count();
        run_jobs(ranges, [&stage](std::size_t range) { stage.present_range(range); });
        stage.end_present();
        // instances[n] belongs to stage.moved().ids[n].
        // [/frame]
        const auto& first = instances[0];
        std::printf("%5d   %6zu   %6zu   %8.3f %8.3f\n", frame, ranges, stage.mover_count(),
                    static_cast<double>(first[0].w), static_cast<double>(first[2].w));
    }
    return 0;
}
