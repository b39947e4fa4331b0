// SPDX-License-Identifier: MIT
// The fading difference between what was shown and what is true now.
#pragma once

#include "stage/mover_table.h"

namespace glissade {

/// Half of a correction is gone after this much sample time: fast enough to be true again soon,
/// slow enough that nobody sees a jump.
inline constexpr double kOffsetHalfLifeNs = 50e6;

/// What apply_offset() must add to `truth` to get `shown`.
[[nodiscard]] Offset compute_offset(const Pose& shown, const Pose& truth) noexcept;

[[nodiscard]] Pose apply_offset(const Offset& offset, const Pose& truth) noexcept;

/// What is left of it after `elapsed_ns`; exact for any series of frames.
[[nodiscard]] Offset fade(const Offset& offset, std::int64_t elapsed_ns) noexcept;

/// The same difference after the space it lives in was displaced.
[[nodiscard]] Offset map_offset(const Rigid& rigid, const Offset& offset) noexcept;

/// So small (a micrometre, a microradian) that dropping it cannot be seen.
[[nodiscard]] bool is_negligible(const Offset& offset) noexcept;

} // namespace glissade
