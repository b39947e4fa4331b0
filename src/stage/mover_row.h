// SPDX-License-Identifier: MIT
// What a row of a mover table is beside its columns: states as values, what is going on with it.
#pragma once

#include "glissade/pose/blend.h"

#include "stage/shift_pool.h"

#include <cstddef>
#include <cstdint>

namespace glissade {

/// Marks of one state in a mover's history, as bits.
inline constexpr std::uint8_t kPlainState = 0;
inline constexpr std::uint8_t kCutState = 1;   ///< Never blended with the state before it.
inline constexpr std::uint8_t kShiftState = 2; ///< The state before it is mapped through a shift.

/// One state of one mover, as a value.
struct State {
    Pose pose{};
    Velocity velocity{};
    std::uint8_t marks = kPlainState;
};

/// What the picture adds to the blended pose while a correction fades (amend, new parent).
struct Offset {
    glm::vec3 position{0.0F};
    glm::quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
};

/// What a row is beside its columns. For rows without RowMask::Special it says nothing that a frame
/// or a move has to look at.
struct RowInfo {
    std::uint64_t written = 0;  ///< While resting: sequence of the last tick that wrote it.
    std::uint64_t revision = 0; ///< The present() in which its visual pose last changed.
    /// Sequence of the oldest cut that the picture has not reached. 0: none.
    std::uint64_t pending_cut = 0;
    std::int64_t appear_ns = 0; ///< When a waiting object becomes visible.
    std::uint32_t shifts = ShiftPool::kNone;
    Blend blend = Blend::Linear;
    bool resting : 1 = false;   ///< Not written in the newest closed tick.
    bool cut_shown : 1 = false; ///< A cut shows in the next frame: there is no previous picture.
    bool waiting : 1 = false;   ///< Spawned, and the picture has not reached it yet.
    bool settled : 1 = false; ///< Shown at its final pose; leaves the table in the next present().
    bool offset : 1 = false;  ///< Has an Offset that is not the identity.

    /// Kernels alone cannot show it.
    [[nodiscard]] bool is_special() const noexcept {
        return pending_cut != 0 || shifts != ShiftPool::kNone || resting || cut_shown || waiting ||
               settled || offset || blend == Blend::Hold || blend == Blend::Extrapolate;
    }
};

/// What is true of a row, a bit each.
enum class RowMask : std::uint8_t {
    Special,  ///< Its RowInfo counts: the picture takes the slow way. Set too often is only slow.
    Scaled,   ///< Has had a scale other than 1; the scale columns of other rows hold 1.
    Velocity, ///< Has had a velocity; the velocity columns of other rows hold 0.
    Hermite,  ///< Follows linear velocities: Blend::Hermite or HermitePath.
    Spin,     ///< Follows angular velocities: Blend::Hermite.
    Look,     ///< The kernel asks for a closer look at it in this frame.
    Changed,  ///< Listed by the last present().
    Below,    ///< Has a parent.
    Above,    ///< Has children.
    Resters,  ///< Has children that rest.
    Shown,    ///< Took the slow way in the last frame, so its picture is in its columns.
};
inline constexpr std::size_t kRowMaskCount = 11;

/// What a move asks of a block of rows and tells it: three words side by side, because every move
/// needs all of them.
struct BlockGate {
    std::uint64_t busy = 0;    ///< Rows that are special, scaled or have velocities: not plain.
    std::uint64_t written = 0; ///< Rows that have a state of their own in the open tick.
    std::uint64_t staged = 0;  ///< That state is in staged(), not in the columns yet.
};

} // namespace glissade
