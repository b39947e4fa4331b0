// SPDX-License-Identifier: MIT
// What memory allows: the same bytes in and out as a stage, with next to no arithmetic.
#pragma once

#include "staggered_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glissade::bench {

inline constexpr std::size_t kMaxSources = 5;

/// One column that is written, as the sum of those that it reads: none (a constant), one (a copy),
/// two (a blend), or five (a blend that reads velocities as well).
template <class T>
struct SumColumn {
    std::array<T*, kMaxSources> sources{}; // Read only, but perhaps written by another job.
    std::size_t source_count = 0;
    T* out = nullptr;
    std::size_t values_per_row = 1;
};

/// How the columns are walked and written.
struct SumForm {
    bool by_block = true; ///< 64 rows of each column in turn, or whole columns in turn.
    bool stream = false;  ///< Past the caches.
};

/// Rows are padded to whole blocks of 64.
struct SumJob {
    std::vector<SumColumn<double>> doubles;
    std::vector<SumColumn<float>> floats;
    std::size_t row_count = 0;
};

/// With the widest vectors that the machine has.
void run_sum(const SumJob& job, const SumForm& form) noexcept;

/// The name of the target that run_sum() uses.
[[nodiscard]] const char* sum_target() noexcept;

/// How much is read and written per row.
struct SumConfig {
    std::size_t double_column_count = 0;
    std::size_t float_column_count = 0;
    std::size_t source_count = 0;
    std::size_t values_per_row = 1;
    /// How many of the float columns read five sources instead.
    std::size_t wide_column_count = 0;
    /// Each run reads other memory than the one before it, as ticks do.
    bool has_two_sources = false;
    /// Each run writes other memory than the one before it, as pictures and states of ticks do.
    bool has_two_outs = false;
};

/// Two jobs, to be run in turn, with memory of their own.
class SumMemory {
public:
    SumMemory(const SumConfig& config, std::size_t row_count);

    [[nodiscard]] const SumJob& job(std::size_t turn) const noexcept { return jobs_[turn % 2]; }

private:
    template <class T>
    void add_column(std::vector<SumColumn<T>> SumJob::*columns, const SumConfig& config,
                    std::size_t source_count);

    StaggeredMemory memory_;
    std::array<SumJob, 2> jobs_;
};

/// Whether some rows that a job writes hold the sums they should; clears them.
[[nodiscard]] bool take_result(const SumJob& job) noexcept;

} // namespace glissade::bench
