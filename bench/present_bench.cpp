// SPDX-License-Identifier: MIT
// What a frame costs: by how much moves, not by how much there is.
#include "glissade/stage/stage.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

namespace glissade {
namespace {

constexpr std::int64_t kTickNs = 20'000'000;

Tick tick_at(std::int64_t index) {
    return {.index = index, .time_ns = index * kTickNs, .duration_ns = kTickNs, .step_s = 0.02};
}

/// A stage of `object_count` objects of which every `object_count / mover_count`-th moves.
class Scene {
public:
    Scene(std::int64_t object_count, std::int64_t mover_count)
        : stage_({.capacity = static_cast<std::uint32_t>(object_count),
                  .track = {.mover_capacity = static_cast<std::uint32_t>(
                                std::max<std::int64_t>(mover_count, 1))}}) {
        const std::int64_t stride = mover_count > 0 ? object_count / mover_count : object_count + 1;
        for (std::int64_t number = 0; number < object_count; ++number) {
            const Id id = stage_.add({.position = {static_cast<double>(number), 0.0, 0.0}});
            if (number % stride == 0 && mover_count > 0) {
                movers_.push_back(id);
            }
        }
        poses_.resize(movers_.size());
        run_tick();
        run_tick();
        show(kTickNs);
    }

    /// A quarter of a turn over 16 ticks and some way for each mover.
    void run_tick() {
        const Tick tick = tick_at(++tick_);
        const glm::quat rotation =
            quat_from_rotation_vector({0.0, 0.0, 0.1 * static_cast<double>(tick_)});
        for (std::size_t number = 0; number < poses_.size(); ++number) {
            poses_[number] = {
                .position = {static_cast<double>(number), 0.1 * static_cast<double>(tick_), 0.0},
                .rotation = rotation};
        }
        benchmark::DoNotOptimize(stage_.move(tick, movers_, poses_).accepted_count);
    }

    void show(std::int64_t time_ns) {
        benchmark::DoNotOptimize(
            stage_.present({.time_ns = time_ns, .now_ns = time_ns, .newest = tick_at(tick_)}));
    }

    /// One frame; a tick comes in, untimed, when the picture has used up the last one.
    void run_frame(benchmark::State& state) {
        part_ns_ += kTickNs / 10;
        if (part_ns_ >= kTickNs) {
            part_ns_ = 0;
            state.PauseTiming();
            run_tick();
            state.ResumeTiming();
        }
        show((tick_ - 1) * kTickNs + part_ns_);
    }

private:
    Stage stage_;
    std::vector<Id> movers_;
    std::vector<Pose> poses_;
    std::int64_t tick_ = 0;
    std::int64_t part_ns_ = 0;
};

void run_present(benchmark::State& state, std::int64_t object_count, std::int64_t mover_count) {
    Scene scene(object_count, mover_count);
    for (auto _ : state) {
        scene.run_frame(state);
    }
    const auto rows = static_cast<double>(std::max<std::int64_t>(mover_count, 1));
    state.counters["per_mover"] = benchmark::Counter(
        rows, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Objects at rest: the picture's time goes on, ticks come in, nothing moves.
void present_at_rest(benchmark::State& state) {
    Scene scene(state.range(0), 0);
    std::int64_t time_ns = kTickNs;
    for (auto _ : state) {
        scene.show(++time_ns);
    }
}
BENCHMARK(present_at_rest)->RangeMultiplier(10)->Range(1'000, 1'000'000);

/// 1 % of a million, against a stage that holds only those.
void present_1_percent_of_1000000(benchmark::State& state) {
    run_present(state, 1'000'000, 10'000);
}
BENCHMARK(present_1_percent_of_1000000)->Unit(benchmark::kMicrosecond);

void present_all_of_10000(benchmark::State& state) {
    run_present(state, 10'000, 10'000);
}
BENCHMARK(present_all_of_10000)->Unit(benchmark::kMicrosecond);

/// What a tick costs: the batch of all movers.
void move_all_of_10000(benchmark::State& state) {
    Scene scene(10'000, 10'000);
    for (auto _ : state) {
        scene.run_tick();
    }
}
BENCHMARK(move_all_of_10000)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace glissade
