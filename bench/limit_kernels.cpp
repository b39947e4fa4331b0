// SPDX-License-Identifier: MIT
// This file is compiled once for each target: foreach_target.h includes it again and again.
#undef HWY_TARGET_INCLUDE
// NOLINTNEXTLINE(readability-identifier-naming): the name is Highway's.
#define HWY_TARGET_INCLUDE "limit_kernels.cpp"
// clang-format off: foreach_target.h comes before highway.h.
#include <hwy/foreach_target.h>
// clang-format on
#include "limit_kernels.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace glissade::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `SourceCount` columns summed over `count` values, which are whole cache lines.
template <std::size_t SourceCount, bool Stream, class T>
void sum_values(const SumColumn<T>& column, std::size_t first, std::size_t count) {
    const hn::ScalableTag<T> tag;
    // Copies, so that the compiler knows that no store changes them.
    const std::array<T*, kMaxSources> sources = column.sources;
    T* HWY_RESTRICT const out = column.out;
    for (std::size_t at = first; at < first + count; at += hn::Lanes(tag)) {
        auto sum = hn::Set(tag, T{1});
        if constexpr (SourceCount > 0) {
            sum = hn::Load(tag, sources[0] + at);
        }
        for (std::size_t number = 1; number < SourceCount; ++number) {
            sum = hn::Add(sum, hn::Load(tag, sources[number] + at));
        }
        if constexpr (Stream) {
            hn::Stream(sum, tag, out + at);
        } else {
            hn::Store(sum, tag, out + at);
        }
    }
}

template <bool Stream, class T>
void sum_rows(const SumColumn<T>& column, std::size_t first_row, std::size_t row_count) {
    const std::size_t first = first_row * column.values_per_row;
    const std::size_t count = row_count * column.values_per_row;
    switch (column.source_count) {
        case 0:
            return sum_values<0, Stream>(column, first, count);
        case 1:
            return sum_values<1, Stream>(column, first, count);
        case 2:
            return sum_values<2, Stream>(column, first, count);
        default:
            return sum_values<kMaxSources, Stream>(column, first, count);
    }
}

template <bool Stream>
void sum_all(const SumJob& job, std::size_t block_rows) {
    for (std::size_t row = 0; row < job.row_count; row += block_rows) {
        for (const SumColumn<double>& column : job.doubles) {
            sum_rows<Stream>(column, row, block_rows);
        }
        for (const SumColumn<float>& column : job.floats) {
            sum_rows<Stream>(column, row, block_rows);
        }
    }
    if constexpr (Stream) {
        hwy::FlushStream();
    }
}

void run_sum(const SumJob& job, const SumForm& form) {
    constexpr std::size_t kBlockRows = 64;
    const std::size_t block_rows = form.by_block ? kBlockRows : job.row_count;
    if (form.stream) {
        sum_all<true>(job, block_rows);
    } else {
        sum_all<false>(job, block_rows);
    }
}

const char* sum_target() {
    return hwy::TargetName(HWY_TARGET);
}

} // namespace glissade::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glissade::bench {

HWY_EXPORT(run_sum);
HWY_EXPORT(sum_target);

void run_sum(const SumJob& job, const SumForm& form) noexcept {
    HWY_DYNAMIC_DISPATCH(run_sum)(job, form);
}

const char* sum_target() noexcept {
    return HWY_DYNAMIC_DISPATCH(sum_target)();
}

namespace {

constexpr std::size_t kPadRows = 64;

std::size_t padded(std::size_t row_count) {
    return (row_count + kPadRows - 1) / kPadRows * kPadRows;
}

} // namespace

SumMemory::SumMemory(const SumConfig& config, std::size_t row_count) {
    for (SumJob& job : jobs_) {
        job.row_count = padded(row_count);
    }
    for (std::size_t number = 0; number < config.double_column_count; ++number) {
        add_column(&SumJob::doubles, config, config.source_count);
    }
    for (std::size_t number = 0; number < config.float_column_count; ++number) {
        const bool wide = number < config.wide_column_count;
        add_column(&SumJob::floats, config, wide ? kMaxSources : config.source_count);
    }
}

template <class T>
void SumMemory::add_column(std::vector<SumColumn<T>> SumJob::*columns, const SumConfig& config,
                           std::size_t source_count) {
    const std::size_t value_count = jobs_[0].row_count * config.values_per_row;
    const auto add_sources = [&](SumColumn<T>& column) {
        for (std::size_t number = 0; number < source_count; ++number) {
            column.sources[number] = memory_.make_column(value_count, T{1});
        }
    };
    SumColumn<T> column{.source_count = source_count, .values_per_row = config.values_per_row};
    add_sources(column);
    column.out = memory_.make_column(value_count, T{0});
    (jobs_[0].*columns).push_back(column);
    if (config.has_two_sources) {
        add_sources(column);
    }
    if (config.has_two_outs) {
        column.out = memory_.make_column(value_count, T{0});
    }
    (jobs_[1].*columns).push_back(column);
}

bool take_result(const SumJob& job) noexcept {
    bool right = true;
    const auto take = [&](const auto& column) {
        // A constant is 1 as well; every source is 1.
        const std::size_t sum = column.source_count == 0 ? 1 : column.source_count;
        for (const std::size_t row : {std::size_t{0}, job.row_count / 2, job.row_count - 1}) {
            auto& value = column.out[row * column.values_per_row];
            right = right && static_cast<std::size_t>(value) == sum;
            value = 0;
        }
    };
    for (const SumColumn<double>& column : job.doubles) {
        take(column);
    }
    for (const SumColumn<float>& column : job.floats) {
        take(column);
    }
    return right;
}

} // namespace glissade::bench
#endif // HWY_ONCE
