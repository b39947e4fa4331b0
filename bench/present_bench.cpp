// SPDX-License-Identifier: MIT
// What a frame costs when the ticks are there already: by how much moves, not by how much there is.
#include "stage_scene.h"

#include <benchmark/benchmark.h>

namespace glissade::bench {
namespace {

void run_present(benchmark::State& state, const SceneConfig& config) {
    StageScene& scene = scene_of(config);
    run_frames(state, scene, [&] { scene.present(); });
}

void run_present_matrices(benchmark::State& state, const SceneConfig& config) {
    StageScene& scene = scene_of(config);
    run_frames(state, scene, [&] { scene.present_matrices(); });
}

void flat_present(benchmark::State& state) {
    run_present(state, {.object_count = size_argument(state)});
}
BENCHMARK(flat_present)->Name("flat/present")->Apply(all_sizes);

/// As jobs would take it, but on this thread.
void flat_present_ranges(benchmark::State& state) {
    StageScene& scene = scene_of({.object_count = size_argument(state)});
    run_frames(state, scene, [&] { scene.present_ranges(); });
}
BENCHMARK(flat_present_ranges)->Name("flat/present_ranges")->Apply(all_sizes);

void flat_present_matrices(benchmark::State& state) {
    run_present_matrices(state, {.object_count = size_argument(state)});
}
BENCHMARK(flat_present_matrices)->Name("flat/present_matrices")->Apply(all_sizes);

void alone_present_matrices(benchmark::State& state) {
    run_present_matrices(state, {.object_count = size_argument(state), .output = Output::Matrices});
}
BENCHMARK(alone_present_matrices)->Name("alone/present_matrices")->Apply(all_sizes);

/// Matrices in a pass of their own, by handle.
void flat_write_matrices(benchmark::State& state) {
    StageScene& scene = scene_of({.object_count = size_argument(state)});
    run_frames(state, scene, [&] {
        scene.present();
        scene.write_matrices();
    });
}
BENCHMARK(flat_write_matrices)->Name("flat/present_then_matrices")->Apply(all_sizes);

/// The same in an order that has nothing to do with that of the rows.
void changing_write_matrices(benchmark::State& state) {
    StageScene& scene = scene_of({.object_count = size_argument(state), .order = Order::Changing});
    run_frames(state, scene, [&] {
        scene.present();
        scene.write_matrices();
    });
}
BENCHMARK(changing_write_matrices)->Name("changing/present_then_matrices")->Apply(all_sizes);

/// One call per object for its pose.
void flat_read_visuals(benchmark::State& state) {
    StageScene& scene = scene_of({.object_count = size_argument(state)});
    run_frames(state, scene, [&] {
        scene.present();
        scene.read_visuals();
    });
}
BENCHMARK(flat_read_visuals)->Name("flat/present_then_visuals")->Apply(all_sizes);

void hermite_present(benchmark::State& state) {
    run_present(state, {.object_count = size_argument(state), .blend = Blend::Hermite});
}
BENCHMARK(hermite_present)->Name("hermite/present")->Apply(all_sizes);

/// With linear velocities only.
void path_present(benchmark::State& state) {
    run_present(state, {.object_count = size_argument(state), .blend = Blend::HermitePath});
}
BENCHMARK(path_present)->Name("path/present")->Apply(all_sizes);

/// Objects at rest: the picture's time goes on, ticks come in, nothing moves. Per call.
void rest_present(benchmark::State& state) {
    run_present(state, {.object_count = size_argument(state), .mover_stride = 0});
}
BENCHMARK(rest_present)->Name("rest/present")->Apply(all_sizes);

/// The second argument: how many per cent of the objects move. Per mover.
SceneConfig partly_moving(const benchmark::State& state) {
    return {.object_count = size_argument(state),
            .mover_stride = 100 / static_cast<std::size_t>(state.range(1))};
}

void part_present(benchmark::State& state) {
    run_present(state, partly_moving(state));
}
BENCHMARK(part_present)->Name("part/present")->ArgsProduct({{10'000, 100'000, 1'000'000}, {1, 10}});

void part_frame(benchmark::State& state) {
    StageScene& scene = scene_of(partly_moving(state));
    run_ticks(state, scene, [&] {
        scene.record_columns();
        scene.present_matrices();
    });
}
BENCHMARK(part_frame)
    ->Name("part/frame_columns")
    ->ArgsProduct({{10'000, 100'000, 1'000'000}, {1, 10}});

// Depth 3 against flat, without and with scale.

void tree_present_matrices(benchmark::State& state) {
    run_present_matrices(state, {.object_count = size_argument(state), .shape = Shape::Tree});
}
BENCHMARK(tree_present_matrices)->Name("tree/present_matrices")->Apply(all_sizes);

void far_tree_present_matrices(benchmark::State& state) {
    run_present_matrices(state, {.object_count = size_argument(state), .shape = Shape::FarTree});
}
BENCHMARK(far_tree_present_matrices)->Name("far_tree/present_matrices")->Apply(all_sizes);

void scaled_flat_present_matrices(benchmark::State& state) {
    run_present_matrices(state, {.object_count = size_argument(state), .scaled = true});
}
BENCHMARK(scaled_flat_present_matrices)->Name("scaled_flat/present_matrices")->Apply(all_sizes);

void scaled_tree_present_matrices(benchmark::State& state) {
    run_present_matrices(
        state, {.object_count = size_argument(state), .shape = Shape::Tree, .scaled = true});
}
BENCHMARK(scaled_tree_present_matrices)->Name("scaled_tree/present_matrices")->Apply(all_sizes);

} // namespace
} // namespace glissade::bench
