// SPDX-License-Identifier: MIT
// What every part of the C interface needs: problems in words, times and names across the border.
#pragma once

#include "glissade/base/id.h"
#include "glissade/pose/pose.h"
#include "glissade/time/rate.h"
#include "glissade/trace/trace.h"

#include "web/native/glissade.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace glissade::web {

/// Keeps the reason for glissade_problem(), cut off where it is too long. Returns 0, the answer of
/// what fails.
int fail(const char* where, std::string_view why) noexcept;

/// A new T in memory of its own, or null with a problem.
template <class T, class... Arguments>
[[nodiscard]] T* make(const char* where, Arguments&&... arguments) {
    T* const made = new (std::nothrow) T(std::forward<Arguments>(arguments)...);
    if (made == nullptr) {
        fail(where, "out of memory");
    }
    return made;
}

/// Nothing for NaN, infinity and times beyond every clock.
[[nodiscard]] std::optional<std::int64_t> to_ns(double ms) noexcept;
[[nodiscard]] double to_ms(std::int64_t ns) noexcept;
/// NaN where there is none.
[[nodiscard]] double to_ms(const std::optional<std::int64_t>& ns) noexcept;
/// A rate to the nearest millihertz; nothing if no clock can have it.
[[nodiscard]] std::optional<Rate> to_rate(double hz) noexcept;

// A number names what an Id names: generation * 2^24 + index. It is exact in a double for 2^29
// reuses of a slot, and the same on both sides of a link.

[[nodiscard]] double to_number(Id id) noexcept;
/// Null for what is no such number.
[[nodiscard]] Id to_id(double number) noexcept;
/// The same for the ids of traces.
[[nodiscard]] std::int64_t to_trace_id(double number) noexcept;

[[nodiscard]] Pose to_pose(const glissade_row& row) noexcept;
[[nodiscard]] Velocity to_velocity(const glissade_row& row) noexcept;
[[nodiscard]] glissade_drawn to_drawn(double id, const glm::dvec3& position,
                                      const glm::dquat& rotation) noexcept;

[[nodiscard]] inline std::span<std::byte> to_span(void* memory, std::size_t bytes) noexcept {
    return {static_cast<std::byte*>(memory), bytes};
}

} // namespace glissade::web

/// A state that methods and recordings take.
struct glissade_tick { // NOLINT(readability-identifier-naming): of the C interface.
    const glissade::TraceTick* line = nullptr;
    /// Since the state before, where the source tells it.
    std::optional<std::int64_t> duration_ns{};
};
