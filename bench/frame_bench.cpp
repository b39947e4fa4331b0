// SPDX-License-Identifier: MIT
// A whole frame: one tick is recorded, the picture made, the matrices written.
#include "stage_scene.h"

#include <benchmark/benchmark.h>

namespace glissade::bench {
namespace {

using Record = void (StageScene::*)();

void run_frame(benchmark::State& state, const SceneConfig& config, Record record) {
    StageScene& scene = scene_of(config);
    run_ticks(state, scene, [&] {
        (scene.*record)();
        scene.present_matrices();
    });
}

SceneConfig flat(const benchmark::State& state) {
    return {.object_count = size_argument(state)};
}

// The tick alone.

void run_record(benchmark::State& state, Record record) {
    StageScene& scene = scene_of(flat(state));
    run_ticks(state, scene, [&] { (scene.*record)(); });
}

void flat_record_columns(benchmark::State& state) {
    run_record(state, &StageScene::record_columns);
}
BENCHMARK(flat_record_columns)->Name("flat/record_columns")->Apply(all_sizes);

void flat_record_poses(benchmark::State& state) {
    run_record(state, &StageScene::record_poses);
}
BENCHMARK(flat_record_poses)->Name("flat/record_poses")->Apply(all_sizes);

void flat_record_objects(benchmark::State& state) {
    run_record(state, &StageScene::record_objects);
}
BENCHMARK(flat_record_objects)->Name("flat/record_objects")->Apply(all_sizes);

void flat_record_with_writer(benchmark::State& state) {
    run_record(state, &StageScene::record_with_writer);
}
BENCHMARK(flat_record_with_writer)->Name("flat/record_with_writer")->Apply(all_sizes);

// The whole of it.

void flat_frame_columns(benchmark::State& state) {
    run_frame(state, flat(state), &StageScene::record_columns);
}
BENCHMARK(flat_frame_columns)->Name("flat/frame_columns")->Apply(all_sizes);

void flat_frame_poses(benchmark::State& state) {
    run_frame(state, flat(state), &StageScene::record_poses);
}
BENCHMARK(flat_frame_poses)->Name("flat/frame_poses")->Apply(all_sizes);

/// One call per object, in the order of the ids.
void flat_frame_objects(benchmark::State& state) {
    run_frame(state, flat(state), &StageScene::record_objects);
}
BENCHMARK(flat_frame_objects)->Name("flat/frame_objects")->Apply(all_sizes);

void flat_frame_with_writer(benchmark::State& state) {
    run_frame(state, flat(state), &StageScene::record_with_writer);
}
BENCHMARK(flat_frame_with_writer)->Name("flat/frame_with_writer")->Apply(all_sizes);

// The same where matrices are all that is made of a frame.

SceneConfig alone(const benchmark::State& state) {
    return {.object_count = size_argument(state), .output = Output::Matrices};
}

void alone_frame_columns(benchmark::State& state) {
    run_frame(state, alone(state), &StageScene::record_columns);
}
BENCHMARK(alone_frame_columns)->Name("alone/frame_columns")->Apply(all_sizes);

void alone_frame_objects(benchmark::State& state) {
    run_frame(state, alone(state), &StageScene::record_objects);
}
BENCHMARK(alone_frame_objects)->Name("alone/frame_objects")->Apply(all_sizes);

void alone_frame_with_writer(benchmark::State& state) {
    run_frame(state, alone(state), &StageScene::record_with_writer);
}
BENCHMARK(alone_frame_with_writer)->Name("alone/frame_with_writer")->Apply(all_sizes);

// In an order that has nothing to do with the ids, the same in every tick or another one. Matrices
// alone.

SceneConfig shuffled(const benchmark::State& state) {
    return {
        .object_count = size_argument(state), .order = Order::Shuffled, .output = Output::Matrices};
}

SceneConfig changing(const benchmark::State& state) {
    return {
        .object_count = size_argument(state), .order = Order::Changing, .output = Output::Matrices};
}

void changing_frame_columns(benchmark::State& state) {
    run_frame(state, changing(state), &StageScene::record_columns);
}
BENCHMARK(changing_frame_columns)->Name("changing/frame_columns")->Apply(all_sizes);

void changing_frame_poses(benchmark::State& state) {
    run_frame(state, changing(state), &StageScene::record_poses);
}
BENCHMARK(changing_frame_poses)->Name("changing/frame_poses")->Apply(all_sizes);

void changing_frame_objects(benchmark::State& state) {
    run_frame(state, changing(state), &StageScene::record_objects);
}
BENCHMARK(changing_frame_objects)->Name("changing/frame_objects")->Apply(all_sizes);

void shuffled_frame_columns(benchmark::State& state) {
    run_frame(state, shuffled(state), &StageScene::record_columns);
}
BENCHMARK(shuffled_frame_columns)->Name("shuffled/frame_columns")->Apply(all_sizes);

void shuffled_frame_poses(benchmark::State& state) {
    run_frame(state, shuffled(state), &StageScene::record_poses);
}
BENCHMARK(shuffled_frame_poses)->Name("shuffled/frame_poses")->Apply(all_sizes);

void shuffled_frame_objects(benchmark::State& state) {
    run_frame(state, shuffled(state), &StageScene::record_objects);
}
BENCHMARK(shuffled_frame_objects)->Name("shuffled/frame_objects")->Apply(all_sizes);

void hermite_frame(benchmark::State& state) {
    run_frame(state, {.object_count = size_argument(state), .blend = Blend::Hermite},
              &StageScene::record_velocities);
}
BENCHMARK(hermite_frame)->Name("hermite/frame_poses")->Apply(all_sizes);

void tree_frame(benchmark::State& state) {
    run_frame(state, {.object_count = size_argument(state), .shape = Shape::Tree},
              &StageScene::record_columns);
}
BENCHMARK(tree_frame)->Name("tree/frame_columns")->Apply(all_sizes);

void scaled_flat_frame(benchmark::State& state) {
    run_frame(state, {.object_count = size_argument(state), .scaled = true},
              &StageScene::record_columns);
}
BENCHMARK(scaled_flat_frame)->Name("scaled_flat/frame_columns")->Apply(all_sizes);

void scaled_tree_frame(benchmark::State& state) {
    run_frame(state, {.object_count = size_argument(state), .shape = Shape::Tree, .scaled = true},
              &StageScene::record_columns);
}
BENCHMARK(scaled_tree_frame)->Name("scaled_tree/frame_columns")->Apply(all_sizes);

} // namespace
} // namespace glissade::bench
