// SPDX-License-Identifier: MIT
// The one clock of the demo: all threads read the same one.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace physics_thread {

using Clock = std::chrono::steady_clock;

inline std::int64_t now_ns() noexcept {
    return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

inline void sleep_until(std::int64_t time_ns) {
    std::this_thread::sleep_until(Clock::time_point(std::chrono::nanoseconds(time_ns)));
}

} // namespace physics_thread
