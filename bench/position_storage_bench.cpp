// SPDX-License-Identifier: MIT
// How to store positions: the ways that were considered, two states in and one picture out.
//
// First positions alone, as plain loops over their columns; then the two that remain, with
// rotations and in the machine's widest vectors. docs/decisions/0002 reads the numbers.
#include "base/column.h"
#include "staggered_memory.h"
#include "storage_kernels.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <benchmark/benchmark.h>

namespace glissade {
namespace {

/// Loops over whole blocks of this constant length: the compiler then needs no remainder loop and
/// vectorises them at -O2 too.
constexpr std::size_t kBlock = 64;
constexpr std::size_t kAxes = 3;

template <class T>
using Columns = std::array<Column<T>, kAxes>;

template <class T>
Columns<T> make_columns(std::size_t count, double start) {
    Columns<T> columns;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        columns[axis] = Column<T>(count);
        for (std::size_t row = 0; row < count; ++row) {
            columns[axis][row] = static_cast<T>(start + static_cast<double>(row % 997));
        }
    }
    return columns;
}

std::size_t padded(const benchmark::State& state) {
    return (static_cast<std::size_t>(state.range(0)) + kBlock - 1) / kBlock * kBlock;
}

/// Runs `blend(axis, first row)` over all blocks, and reports the time for one row of three axes.
template <class Blend>
void run(benchmark::State& state, const Blend& blend) {
    const std::size_t count = padded(state);
    for (auto _ : state) {
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            for (std::size_t first = 0; first < count; first += kBlock) {
                blend(axis, first);
            }
        }
        benchmark::ClobberMemory();
    }
    state.counters["per_row"] = benchmark::Counter(
        static_cast<double>(count),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

constexpr double kT = 0.375;
constexpr float kFloatT = 0.375F;

// One block of one axis. Not inlined: inside another function GCC 12 forgets what __restrict says.

/// Two double states, a double picture.
[[gnu::noinline]] void blend_doubles(const double* __restrict from, const double* __restrict to,
                                     double* __restrict out) {
    for (std::size_t row = 0; row < kBlock; ++row) {
        out[row] = from[row] + kT * (to[row] - from[row]);
    }
}

/// Two double states, a float picture relative to an origin.
[[gnu::noinline]] void blend_doubles(const double* __restrict from, const double* __restrict to,
                                     double origin, float* __restrict out) {
    for (std::size_t row = 0; row < kBlock; ++row) {
        out[row] = static_cast<float>(from[row] - origin + kT * (to[row] - from[row]));
    }
}

/// Two float offsets from a double anchor, a double picture.
[[gnu::noinline]] void blend_offsets(const double* __restrict anchor, const float* __restrict from,
                                     const float* __restrict to, double* __restrict out) {
    for (std::size_t row = 0; row < kBlock; ++row) {
        out[row] = anchor[row] + static_cast<double>(from[row] + kFloatT * (to[row] - from[row]));
    }
}

/// Two float offsets from an anchor that is already relative to the origin, a float picture.
[[gnu::noinline]] void blend_offsets(const float* __restrict anchor, const float* __restrict from,
                                     const float* __restrict to, float* __restrict out) {
    for (std::size_t row = 0; row < kBlock; ++row) {
        out[row] = anchor[row] + (from[row] + kFloatT * (to[row] - from[row]));
    }
}

/// The newest state and the float step that led to it, a double picture.
[[gnu::noinline]] void blend_step(const double* __restrict newest, const float* __restrict step,
                                  double* __restrict out) {
    for (std::size_t row = 0; row < kBlock; ++row) {
        out[row] = newest[row] - (1.0 - kT) * static_cast<double>(step[row]);
    }
}

/// 72 bytes a row.
void double_columns(benchmark::State& state) {
    const Columns<double> a = make_columns<double>(padded(state), 1e5);
    const Columns<double> b = make_columns<double>(padded(state), 1e5 + 0.1);
    Columns<double> out = make_columns<double>(padded(state), 0.0);
    run(state, [&](std::size_t axis, std::size_t first) {
        blend_doubles(a[axis].data() + first, b[axis].data() + first, out[axis].data() + first);
    });
}

/// 60 bytes a row.
void double_columns_float_result(benchmark::State& state) {
    const Columns<double> a = make_columns<double>(padded(state), 1e5);
    const Columns<double> b = make_columns<double>(padded(state), 1e5 + 0.1);
    Columns<float> out = make_columns<float>(padded(state), 0.0);
    run(state, [&](std::size_t axis, std::size_t first) {
        blend_doubles(a[axis].data() + first, b[axis].data() + first, 1e5,
                      out[axis].data() + first);
    });
}

/// 72 bytes a row.
void float_offsets_double_result(benchmark::State& state) {
    const Columns<double> anchor = make_columns<double>(padded(state), 1e5);
    const Columns<float> a = make_columns<float>(padded(state), 0.0);
    const Columns<float> b = make_columns<float>(padded(state), 0.1);
    Columns<double> out = make_columns<double>(padded(state), 0.0);
    run(state, [&](std::size_t axis, std::size_t first) {
        blend_offsets(anchor[axis].data() + first, a[axis].data() + first, b[axis].data() + first,
                      out[axis].data() + first);
    });
}

/// 48 bytes a row; the column of anchors must be made anew whenever the origin moves.
void float_offsets_float_result(benchmark::State& state) {
    const Columns<float> anchor = make_columns<float>(padded(state), 100.0);
    const Columns<float> a = make_columns<float>(padded(state), 0.0);
    const Columns<float> b = make_columns<float>(padded(state), 0.1);
    Columns<float> out = make_columns<float>(padded(state), 0.0);
    run(state, [&](std::size_t axis, std::size_t first) {
        blend_offsets(anchor[axis].data() + first, a[axis].data() + first, b[axis].data() + first,
                      out[axis].data() + first);
    });
}

/// 60 bytes a row.
void newest_and_step(benchmark::State& state) {
    const Columns<double> newest = make_columns<double>(padded(state), 1e5);
    const Columns<float> step = make_columns<float>(padded(state), 0.1);
    Columns<double> out = make_columns<double>(padded(state), 0.0);
    run(state, [&](std::size_t axis, std::size_t first) {
        blend_step(newest[axis].data() + first, step[axis].data() + first,
                   out[axis].data() + first);
    });
}

/// Position and rotation, as vector code writes them.
template <class T>
class PoseRows {
public:
    explicit PoseRows(std::size_t count) {
        rows_.row_count = count;
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            rows_.from_position[axis] = memory_.make_column(count, T{100});
            rows_.to_position[axis] = memory_.make_column(count, T{104});
            rows_.position[axis] = memory_.make_column(count, T{0});
        }
        for (std::size_t part = 0; part < 4; ++part) {
            // The identity, and a quarter of a turn about +Y.
            rows_.from_rotation[part] = memory_.make_column(count, part == 3 ? 1.0F : 0.0F);
            rows_.to_rotation[part] =
                memory_.make_column(count, part % 2 == 1 ? 0.70710678F : 0.0F);
            rows_.rotation[part] = memory_.make_column(count, 0.0F);
        }
    }

    [[nodiscard]] const bench::StorageRows<T>& rows() const noexcept { return rows_; }

    /// Half way between the two: 102 metres, and an eighth of a turn.
    [[nodiscard]] bool is_half_way() const noexcept {
        const std::size_t last = rows_.row_count - 1;
        return rows_.position[2][last] == T{102} &&
               std::abs(rows_.rotation[1][last] - 0.38268343F) < 1e-6F &&
               std::abs(rows_.rotation[3][last] - 0.92387953F) < 1e-6F;
    }

private:
    bench::StaggeredMemory memory_;
    bench::StorageRows<T> rows_;
};

template <class T>
void run_poses(benchmark::State& state, bool stream) {
    const PoseRows<T> poses(padded(state));
    for (auto _ : state) {
        bench::blend_storage(poses.rows(), 0.5F, stream);
        benchmark::ClobberMemory();
    }
    if (!poses.is_half_way()) {
        state.SkipWithError("a blend is wrong");
    }
    state.counters["per_row"] = benchmark::Counter(
        static_cast<double>(poses.rows().row_count),
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// 120 bytes a row.
void double_poses(benchmark::State& state) {
    run_poses<double>(state, false);
}
void double_poses_streamed(benchmark::State& state) {
    run_poses<double>(state, true);
}
/// 84 bytes a row: states and picture are offsets from an anchor, which is not touched.
void float_offset_poses(benchmark::State& state) {
    run_poses<float>(state, false);
}
void float_offset_poses_streamed(benchmark::State& state) {
    run_poses<float>(state, true);
}

constexpr std::int64_t kFew = 10'000;
constexpr std::int64_t kMany = 1'000'000;
BENCHMARK(double_columns)->Arg(kFew)->Arg(kMany);
BENCHMARK(double_columns_float_result)->Arg(kFew)->Arg(kMany);
BENCHMARK(float_offsets_double_result)->Arg(kFew)->Arg(kMany);
BENCHMARK(float_offsets_float_result)->Arg(kFew)->Arg(kMany);
BENCHMARK(newest_and_step)->Arg(kFew)->Arg(kMany);
BENCHMARK(double_poses)->Arg(kFew)->Arg(kMany);
BENCHMARK(double_poses_streamed)->Arg(kFew)->Arg(kMany);
BENCHMARK(float_offset_poses)->Arg(kFew)->Arg(kMany);
BENCHMARK(float_offset_poses_streamed)->Arg(kFew)->Arg(kMany);

} // namespace
} // namespace glissade
