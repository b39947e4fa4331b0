// SPDX-License-Identifier: MIT
// How far behind a gate of variable quanta the picture must be: the longest recent quantum.
#pragma once

#include "glissade/time/tick.h"

#include <cstdint>

namespace glissade {

/// Follows the longest quantum of about the last second, slowly enough that nobody sees it.
///
/// With that delay the next quantum is there before the picture needs it. Thread safety: one thread
/// at a time. Allocates: never. Cost: constant.
class QuantumDelay {
public:
    /// A quantum ran.
    void add(const Tick& tick) noexcept;
    /// Time passed: moves the delay by at most a twenty-fifth of it.
    void advance(std::int64_t elapsed_ns) noexcept;
    /// 0 before the first quantum.
    [[nodiscard]] std::int64_t delay_ns() const noexcept { return delay_ns_; }

private:
    std::int64_t delay_ns_ = 0;
    std::int64_t longest_ns_ = 0;        // In this half-second,
    std::int64_t longest_before_ns_ = 0; // and in the one before it.
    std::int64_t period_begin_ns_ = 0;
};

} // namespace glissade
