// SPDX-License-Identifier: MIT
// A stage with objects in motion, as the benchmarks need it, and the way to time it.
#pragma once

#include "glissade/stage/stage.h"

#include "base/column.h"
#include "tick_inputs.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

namespace glissade::bench {

enum class Shape : std::uint8_t {
    Flat,
    Tree,    ///< One root, two children, four grandchildren, all in motion and within metres.
    FarTree, ///< The same with most of a kilometre between them.
};

/// In which order the movers are told.
enum class Order : std::uint8_t {
    ById,
    Shuffled, ///< Any, the same in every tick.
    Changing, ///< Any, another one in every tick.
};

/// What is asked of a frame.
enum class Output : std::uint8_t { PosesAndMatrices, Matrices };

/// What kind of scene.
struct SceneConfig {
    std::size_t object_count = 0;
    std::size_t mover_stride = 1; ///< Every so many objects one moves; 0: none.
    Shape shape = Shape::Flat;
    bool scaled = false;
    Blend blend = Blend::Linear;
    Order order = Order::ById;
    Output output = Output::PosesAndMatrices; ///< Of present_matrices().

    friend auto operator<=>(const SceneConfig&, const SceneConfig&) = default;
};

/// A stage whose movers have two states, and the clock of its picture.
///
/// The picture goes forward by a thousandth of a tick each frame, so every present() blends and a
/// new tick is needed only now and then.
class StageScene {
public:
    explicit StageScene(const SceneConfig& config);

    [[nodiscard]] Stage& stage() noexcept { return stage_; }
    [[nodiscard]] std::size_t mover_count() const noexcept { return movers_.size(); }

    // One tick, told in one of the ways that there are.
    void record_columns();
    void record_poses();
    void record_objects();
    void record_with_writer();
    void record_velocities();

    /// The next frame shows the end of the newest tick or more: it needs a tick first.
    [[nodiscard]] bool needs_tick() const noexcept { return part_ns_ + kFrameNs >= kTickNs; }
    /// The time that the next frame shows.
    SampleTime advance() noexcept;

    void present() { note(stage_.present(advance())); }
    void present_matrices() { note(stage_.present(advance(), target())); }
    /// After present(): matrices in a pass of their own.
    void write_matrices() { note(stage_.write_matrices(movers_, matrices())); }
    /// The same for poses, object by object.
    void read_visuals();

    /// The first part of present_matrices(); the rest is for the caller to run.
    void begin_present() {
        sample_.time = advance();
        target_ = target();
        note(stage_.begin_present({&sample_, 1}, {&target_, 1}));
    }

    /// present(), one range after the other.
    void present_ranges();

    /// What is wrong with the picture or was refused since the beginning, or null: some movers are
    /// compared with glm, and some matrices with those of world().
    [[nodiscard]] const char* find_fault();

private:
    static constexpr std::int64_t kFrameNs = kTickNs / 1000;

    void add_flat();
    void add_tree();
    void find_other_places();
    [[nodiscard]] ObjectConfig object_config(Id parent) const noexcept;
    Tick next_tick() noexcept;
    /// Until the stage has found out in which order it is told.
    void run_in();
    [[nodiscard]] MatrixTarget target() noexcept {
        return {.matrices = matrices(), .poses = config_.output == Output::PosesAndMatrices};
    }
    [[nodiscard]] std::span<glm::mat3x4> matrices() noexcept {
        return {matrices_.data(), movers_.size()};
    }
    void note(StageStatus status) noexcept { refused_ = refused_ || status != StageStatus::Ok; }
    void note(const BatchResult& result) noexcept {
        note(result.status);
        refused_ = refused_ || result.accepted_count != movers_.size();
    }
    [[nodiscard]] bool is_right(std::size_t row) const;
    /// The matrix in this row is that of the object's place in the world.
    [[nodiscard]] bool is_placed(Id id, std::size_t row) const;
    [[nodiscard]] Pose expected_pose(std::size_t row) const;

    SceneConfig config_;
    Stage stage_;
    /// The movers in the order of the inputs of a tick.
    [[nodiscard]] const std::vector<Id>& movers_of(std::int64_t tick) const noexcept {
        return config_.order == Order::Changing && tick % 2 != 0 ? others_ : movers_;
    }
    /// The place in the inputs of a tick of what is at `row` of movers_.
    [[nodiscard]] std::size_t place_of(std::int64_t tick, std::size_t row) const noexcept {
        return config_.order == Order::Changing && tick % 2 != 0 ? other_places_[row] : row;
    }

    std::vector<Id> movers_;                ///< In the order in which they are told.
    std::vector<Id> others_;                ///< The same in every other tick, of Order::Changing.
    std::vector<std::size_t> other_places_; ///< By place in movers_: the place in others_.
    TickInputs* inputs_ = nullptr;
    Column<glm::mat3x4> matrices_;
    TrackSample sample_{};
    MatrixTarget target_{};
    std::int64_t tick_ = 0;
    std::int64_t part_ns_ = 0;
    bool refused_ = false;
};

/// One scene per kind, made when it is first needed and kept: its states would cost more time than
/// what is measured.
[[nodiscard]] StageScene& scene_of(const SceneConfig& config);

/// Checks a scene and marks the benchmark as failed if something is wrong.
[[nodiscard]] bool is_sound(benchmark::State& state, StageScene& scene);

/// How many objects one iteration works on; tools/bench_table.py divides by it.
void set_object_count(benchmark::State& state, std::size_t count);

/// Times frames. A tick comes in, untimed, when the picture has used up the last one.
template <class Frame>
void run_frames(benchmark::State& state, StageScene& scene, const Frame& frame) {
    if (!is_sound(state, scene)) {
        return;
    }
    for (auto _ : state) {
        if (scene.needs_tick()) {
            state.PauseTiming();
            scene.record_columns();
            state.ResumeTiming();
        }
        frame();
    }
    set_object_count(state, scene.mover_count());
    static_cast<void>(is_sound(state, scene));
}

/// Times frames that begin with a tick of their own, which `frame` records.
template <class Frame>
void run_ticks(benchmark::State& state, StageScene& scene, const Frame& frame) {
    if (!is_sound(state, scene)) {
        return;
    }
    // Makes the inputs that this way of recording needs.
    frame();
    for (auto _ : state) {
        frame();
    }
    set_object_count(state, scene.mover_count());
    static_cast<void>(is_sound(state, scene));
}

inline std::size_t size_argument(const benchmark::State& state) {
    return static_cast<std::size_t>(state.range(0));
}

inline constexpr std::int64_t kThousand = 1'000;
inline constexpr std::int64_t kMillion = 1'000'000;

/// 10^3 to 10^6 objects.
inline void all_sizes(benchmark::internal::Benchmark* benchmark) {
    benchmark->RangeMultiplier(10)->Range(kThousand, kMillion);
}

} // namespace glissade::bench
