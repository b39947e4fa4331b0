// SPDX-License-Identifier: MIT
// The one test of whether a time can be a time.
#pragma once

#include "glissade/time/tick.h"

#include <cstdint>

namespace glissade {

/// Beyond +-kMaxTimeNs: refused at every door, so that no sum or difference of two times overflows.
[[nodiscard]] constexpr bool is_absurd(std::int64_t time_ns) noexcept {
    return time_ns > kMaxTimeNs || time_ns < -kMaxTimeNs;
}

} // namespace glissade
