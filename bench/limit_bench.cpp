// SPDX-License-Identifier: MIT
// The limits that the stage is measured against: its bytes at the speed of memory.
#include "limit_kernels.h"
#include "stage_scene.h"

#include <array>
#include <map>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

namespace glissade::bench {
namespace {

/// What is moved per row: 3 doubles and 4 floats are a position and a rotation.
enum class Limit : std::uint8_t {
    Blend,        ///< Two states in, a picture out.
    BlendScaled,  ///< With 3 floats of scale.
    BlendHermite, ///< With 6 floats of velocity in each of the two states, which are read only.
    BlendPath,    ///< With 3 of them.
    Copy,         ///< One state in, one out: what recording a tick moves.
    CopyScaled,
    Matrices, ///< 12 floats out.
};

/// A picture is written beside the one before it, and a tick's state beside that of the one before.
SumConfig blend_config(std::size_t float_column_count) {
    return {.double_column_count = 3,
            .float_column_count = float_column_count,
            .source_count = 2,
            .has_two_outs = true};
}

SumConfig copy_config(std::size_t float_column_count) {
    return {.double_column_count = 3,
            .float_column_count = float_column_count,
            .source_count = 1,
            .has_two_sources = true,
            .has_two_outs = true};
}

SumConfig config_of(Limit limit) {
    switch (limit) {
        case Limit::Blend:
            return blend_config(4);
        case Limit::BlendScaled:
            return blend_config(7);
        case Limit::BlendHermite:
        case Limit::BlendPath: {
            SumConfig config = blend_config(4);
            config.wide_column_count = limit == Limit::BlendHermite ? 4 : 2;
            return config;
        }
        case Limit::Copy:
            return copy_config(4);
        case Limit::CopyScaled:
            return copy_config(7);
        case Limit::Matrices:
            break;
    }
    return {.float_column_count = 1, .source_count = 0, .values_per_row = 12};
}

/// Shared by the forms of one limit.
SumMemory& memory_of(Limit limit, std::size_t row_count) {
    static std::map<std::pair<Limit, std::size_t>, std::unique_ptr<SumMemory>> all;
    std::unique_ptr<SumMemory>& memory = all[{limit, row_count}];
    if (!memory) {
        memory = std::make_unique<SumMemory>(config_of(limit), row_count);
    }
    return *memory;
}

void run_limit(benchmark::State& state, Limit limit, const SumForm& form) {
    const SumMemory& memory = memory_of(limit, size_argument(state));
    static_cast<void>(take_result(memory.job(0)));
    std::size_t turn = 0;
    for (auto _ : state) {
        run_sum(memory.job(turn++), form);
        benchmark::ClobberMemory();
    }
    set_object_count(state, size_argument(state));
    if (!take_result(memory.job(0))) {
        state.SkipWithError("a sum is wrong");
    }
}

/// Makes a copy write what a blend reads: the state of this turn's tick.
SumJob aim(SumJob copy, const SumJob& blend, std::size_t turn) {
    for (std::size_t i = 0; i < copy.doubles.size(); ++i) {
        copy.doubles[i].out = blend.doubles[i].sources[turn];
    }
    for (std::size_t i = 0; i < copy.floats.size(); ++i) {
        copy.floats[i].out = blend.floats[i].sources[turn];
    }
    return copy;
}

/// Which parts of a frame go past the caches.
struct FrameForm {
    bool by_block = true;
    bool stream_state = false;
    bool stream_picture = false;
    bool stream_matrices = false;
};

/// The three parts of a frame one after the other, in the memory of one frame.
void run_frame_limit(benchmark::State& state, const FrameForm& form) {
    const std::size_t count = size_argument(state);
    const SumMemory& copy = memory_of(Limit::Copy, count);
    const SumMemory& blend = memory_of(Limit::Blend, count);
    const SumJob& matrices = memory_of(Limit::Matrices, count).job(0);
    const std::array<SumJob, 2> copies{aim(copy.job(0), blend.job(0), 0),
                                       aim(copy.job(1), blend.job(1), 1)};
    const auto take_results = [&] {
        const bool is_right[] = {take_result(copies[0]), take_result(blend.job(0)),
                                 take_result(matrices)};
        return is_right[0] && is_right[1] && is_right[2];
    };
    static_cast<void>(take_results());
    std::size_t turn = 0;
    for (auto _ : state) {
        run_sum(copies[turn % 2], {form.by_block, form.stream_state});
        run_sum(blend.job(turn), {form.by_block, form.stream_picture});
        run_sum(matrices, {form.by_block, form.stream_matrices});
        benchmark::ClobberMemory();
        ++turn;
    }
    set_object_count(state, count);
    if (!take_results()) {
        state.SkipWithError("a sum is wrong");
    }
    // The states are those of the other limits, too.
    run_sum(copies[0], {form.by_block, form.stream_state});
}

template <class Run>
void register_form(const std::string& name, const Run& run) {
    benchmark::RegisterBenchmark(("limit/" + name).c_str(), run)->Apply(all_sizes);
}

void register_forms(const std::string& name, Limit limit) {
    const auto add = [&](const char* form_name, SumForm form) {
        register_form(name + "/" + form_name,
                      [=](benchmark::State& state) { run_limit(state, limit, form); });
    };
    add("blocks", {.by_block = true, .stream = false});
    add("blocks_streamed", {.by_block = true, .stream = true});
    add("columns", {.by_block = false, .stream = false});
    add("columns_streamed", {.by_block = false, .stream = true});
}

/// What is read back soonest is the last to be streamed: the state of a tick, in the same frame.
void register_frame_forms() {
    for (const bool by_block : {true, false}) {
        const auto add = [&](const char* form_name, FrameForm form) {
            form.by_block = by_block;
            register_form(std::string(by_block ? "frame/blocks" : "frame/columns") + form_name,
                          [=](benchmark::State& state) { run_frame_limit(state, form); });
        };
        add("", {});
        add("_matrices_streamed", {.stream_matrices = true});
        add("_pictures_streamed", {.stream_picture = true, .stream_matrices = true});
        add("_streamed", {.stream_state = true, .stream_picture = true, .stream_matrices = true});
    }
}

#ifdef __clang__
constexpr const char* kCompiler = __VERSION__;
#else
constexpr const char* kCompiler = "GCC " __VERSION__;
#endif

const bool kRegistered = [] {
    benchmark::AddCustomContext("vector_target", sum_target());
    benchmark::AddCustomContext("compiler", kCompiler);
    register_forms("blend", Limit::Blend);
    register_forms("blend_scaled", Limit::BlendScaled);
    register_forms("blend_hermite", Limit::BlendHermite);
    register_forms("blend_path", Limit::BlendPath);
    register_forms("copy", Limit::Copy);
    register_forms("copy_scaled", Limit::CopyScaled);
    register_forms("matrices", Limit::Matrices);
    register_frame_forms();
    return true;
}();

} // namespace
} // namespace glissade::bench
