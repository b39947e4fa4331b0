// SPDX-License-Identifier: MIT
// What is usually written instead of a stage: a loop with glm, and a look-up per object.
#include "stage_scene.h"
#include "tick_inputs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>

namespace glissade::bench {
namespace {

struct Body {
    glm::dvec3 position{0.0};
    glm::quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
};

Body blend(const Body& from, const Body& to, double t) {
    return {.position = glm::mix(from.position, to.position, t),
            .rotation = glm::slerp(from.rotation, to.rotation, static_cast<float>(t))};
}

glm::mat4 matrix_of(const Body& body) {
    glm::mat4 matrix = glm::mat4_cast(body.rotation);
    matrix[3] = glm::vec4(glm::vec3(body.position), 1.0F);
    return matrix;
}

/// The same ticks as a stage gets.
std::vector<Body> bodies_of(std::size_t count, std::int64_t tick) {
    const TickInputs& inputs = inputs_of(count, Turns::Any);
    std::vector<Body> bodies(count);
    for (std::size_t row = 0; row < count; ++row) {
        const Pose pose = inputs.pose(tick, row, false);
        bodies[row] = {.position = pose.position, .rotation = pose.rotation};
    }
    return bodies;
}

/// Arrays of structs: what two ticks hand over, the two states that are kept,
/// and the picture.
struct Arrays {
    explicit Arrays(std::size_t count)
        : ticks{bodies_of(count, 0), bodies_of(count, 1)}, shown(count) {}

    std::array<std::vector<Body>, 2> ticks;
    std::vector<Body> from;
    std::vector<Body> to;
    std::vector<Body> shown;
};

Arrays& arrays_of(std::size_t count) {
    static std::map<std::size_t, std::unique_ptr<Arrays>> all;
    std::unique_ptr<Arrays>& arrays = all[count];
    if (!arrays) {
        arrays = std::make_unique<Arrays>(count);
    }
    return *arrays;
}

/// The fraction of the tick, from frame to frame.
double next_t(double t) {
    return t < 0.99 ? t + 0.001 : 0.001;
}

void glm_present(benchmark::State& state) {
    Arrays& arrays = arrays_of(size_argument(state));
    double t = 0.0;
    for (auto _ : state) {
        t = next_t(t);
        for (std::size_t row = 0; row < arrays.shown.size(); ++row) {
            arrays.shown[row] = blend(arrays.ticks[0][row], arrays.ticks[1][row], t);
        }
        benchmark::ClobberMemory();
    }
    set_object_count(state, arrays.shown.size());
}
BENCHMARK(glm_present)->Name("naive/glm_present")->Apply(all_sizes);

/// The newest state becomes the one before, a new one is copied in, and matrices go out.
void glm_frame(benchmark::State& state) {
    Arrays& arrays = arrays_of(size_argument(state));
    std::vector<glm::mat4> matrices(arrays.shown.size());
    benchmark::DoNotOptimize(matrices.data());
    arrays.from = arrays.ticks[0];
    arrays.to = arrays.ticks[1];
    std::size_t tick = 1;
    double t = 0.0;
    for (auto _ : state) {
        t = next_t(t);
        tick = 1 - tick;
        arrays.from.swap(arrays.to);
        std::copy(arrays.ticks[tick].begin(), arrays.ticks[tick].end(), arrays.to.begin());
        for (std::size_t row = 0; row < arrays.shown.size(); ++row) {
            matrices[row] = matrix_of(blend(arrays.from[row], arrays.to[row], t));
        }
        benchmark::ClobberMemory();
    }
    set_object_count(state, arrays.shown.size());
}
BENCHMARK(glm_frame)->Name("naive/glm_frame")->Apply(all_sizes);

struct Entry {
    Body from;
    Body to;
    Body shown;
};
using Table = std::unordered_map<std::uint64_t, Entry>;

Table& table_of(std::size_t count) {
    static std::map<std::size_t, std::unique_ptr<Table>> all;
    std::unique_ptr<Table>& table = all[count];
    if (!table) {
        const std::vector<Body> from = bodies_of(count, 0);
        const std::vector<Body> to = bodies_of(count, 1);
        table = std::make_unique<Table>();
        for (std::size_t row = 0; row < count; ++row) {
            (*table)[row * 7919] = {.from = from[row], .to = to[row], .shown = {}};
        }
    }
    return *table;
}

/// Objects find their two states by their number, as in many engines.
void map_present(benchmark::State& state) {
    Table& table = table_of(size_argument(state));
    double t = 0.0;
    for (auto _ : state) {
        t = next_t(t);
        for (std::size_t row = 0; row < size_argument(state); ++row) {
            Entry& entry = table.find(row * 7919)->second;
            entry.shown = blend(entry.from, entry.to, t);
        }
        benchmark::ClobberMemory();
    }
    set_object_count(state, size_argument(state));
}
BENCHMARK(map_present)->Name("naive/map_present")->Apply(all_sizes);

} // namespace
} // namespace glissade::bench
