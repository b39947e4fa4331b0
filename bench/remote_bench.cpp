// SPDX-License-Identifier: MIT
// What a quantum of remote entities costs: at rest, running, chasing, and with the stage behind it.
#include "glissade/feed/remote_world.h"

#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

namespace glissade {
namespace {

constexpr double kQuantum = 1.0 / 30.0;
constexpr std::int64_t kQuantumNs = 33'333'334;
constexpr MotionCommand kRun{.gait = Gait::RunForward};

RemoteEntityConfig entity_number(std::int64_t number) {
    return {.key = static_cast<std::uint64_t>(number),
            .place = RemotePlace{.position = {static_cast<double>(number), 0.0, 0.0}}};
}

void count_entities(benchmark::State& state) {
    state.counters["per_entity"] = benchmark::Counter(
        static_cast<double>(state.range(0)),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Entities alone, as an array: the pipeline without a stage.
class Entities {
public:
    explicit Entities(std::int64_t count) {
        entities_.reserve(static_cast<std::size_t>(count));
        for (std::int64_t number = 0; number < count; ++number) {
            entities_.emplace_back(entity_number(number));
            entities_.back().advance(tuning_, kQuantum);
        }
    }
    void command(const MotionCommand& command) {
        ++movement_.movement;
        for (RemoteEntity& entity : entities_) {
            entity.receive(tuning_, MotionPacket{.stamps = movement_, .command = command});
        }
    }
    void update() {
        ++stamps_.position;
        for (RemoteEntity& entity : entities_) {
            const glm::dvec3 ahead = entity.body().position + glm::dvec3(0.0, 20.0, 0.0);
            entity.receive(tuning_, PositionPacket{.stamps = stamps_, .position = ahead});
        }
    }
    void advance() {
        for (RemoteEntity& entity : entities_) {
            benchmark::DoNotOptimize(entity.advance(tuning_, kQuantum));
        }
    }

private:
    RemoteTuning tuning_{};
    std::vector<RemoteEntity> entities_{};
    MovementStamps movement_{};
    UpdateStamps stamps_{};
};

void quantum_at_rest(benchmark::State& state) {
    Entities entities(state.range(0));
    for (auto _ : state) {
        entities.advance();
    }
    count_entities(state);
}
BENCHMARK(quantum_at_rest)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void quantum_running(benchmark::State& state) {
    Entities entities(state.range(0));
    entities.command(kRun);
    for (auto _ : state) {
        entities.advance();
    }
    count_entities(state);
}
BENCHMARK(quantum_running)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// Every entity has something to chase; updates come once a second and are not timed.
void quantum_chasing(benchmark::State& state) {
    Entities entities(state.range(0));
    int quantum = 0;
    for (auto _ : state) {
        if (quantum++ % 30 == 0) {
            state.PauseTiming();
            entities.update();
            state.ResumeTiming();
        }
        entities.advance();
    }
    count_entities(state);
}
BENCHMARK(quantum_chasing)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void receive_position(benchmark::State& state) {
    Entities entities(state.range(0));
    for (auto _ : state) {
        entities.update();
    }
    count_entities(state);
}
BENCHMARK(receive_position)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// The whole: one quantum of running entities and the picture of them on a stage.
void world_running(benchmark::State& state) {
    const auto count = static_cast<std::uint32_t>(state.range(0));
    Stage stage({.capacity = count, .track = RemoteWorld::track_config()});
    RemoteWorld world(stage, {.capacity = count});
    for (std::int64_t number = 0; number < state.range(0); ++number) {
        const Id id = world.add(entity_number(number));
        world.receive(id, MotionPacket{.stamps = {.movement = 1}, .command = kRun});
    }
    std::int64_t now_ns = 0;
    for (auto _ : state) {
        world.present(now_ns += kQuantumNs);
    }
    count_entities(state);
}
BENCHMARK(world_running)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace glissade
