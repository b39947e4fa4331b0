// SPDX-License-Identifier: MIT
// The vector kernels of a stage: blends, records and places whole blocks of rows.
//
// Each is written once against Google Highway and picks the machine's best target when it is first
// called; in WebAssembly the target is fixed. Positions and scales come out bit for bit as those of
// single poses on every target; rotations and matrices use fused multiply-add where the target has
// it, and differ in the last bits. What is near its parent is placed in float, see kShortArmM.
#pragma once

#include "glissade/stage/move_cursor.h"
#include "glissade/stage/stage_types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <glm/ext/vector_double3.hpp>

namespace glissade {

using detail::StagedPose;

/// Rows come in blocks of this many: one word of a mask, whole vectors of every target, whole cache
/// lines of every column. Columns are 64-byte aligned and padded to whole blocks of finite values.
inline constexpr std::size_t kBlockRows = detail::MoveCursor::kBlockRows;

/// Columns of poses that a kernel reads, row 0 first.
struct PoseSource {
    std::array<const double*, 3> position{};
    std::array<const float*, 4> rotation{}; // x, y, z, w
    std::array<const float*, 3> scale{};
};

/// Columns of poses that a kernel writes.
struct PoseTarget {
    std::array<double*, 3> position{};
    std::array<float*, 4> rotation{};
    std::array<float*, 3> scale{};
};

/// Columns of velocities that a kernel reads.
struct VelocitySource {
    std::array<const float*, 3> linear{};
    std::array<const float*, 3> angular{};
};

/// World placements by row: the 3x3 part row by row, and the translation in the world. In a rigid
/// family the first four columns are the rotation, x, y, z, w, and the others are not touched.
struct WorldTarget {
    std::array<float*, 9> basis{};
    std::array<double*, 3> translation{};
};

/// slerp as two polynomials in e = 1 - |dot|: the weights of `from` and `to` for one fraction of
/// the way, shared by a whole batch. Coefficients from the constant term up.
struct SlerpWeights {
    std::array<float, 9> from{};
    std::array<float, 9> to{};
};

/// Precondition: t in [0, 1]. Costs about as much as a handful of rows.
[[nodiscard]] SlerpWeights fit_slerp_weights(double t) noexcept;

/// What makes blends faster on one processor and slower on another. Changes no bit.
struct BlendTuning {
    /// Poses without matrices, where kernels have 32 registers: all columns in one pass instead of
    /// column by column.
    bool in_one_pass = false;
    /// Curves that go past the caches ask for what they read next.
    bool fetches_ahead = false;
};

/// Past the caches fewer rows than this go in one pass on any machine: to turn from one column to
/// the next costs more than its even flow gains.
inline constexpr std::size_t kLongStretchRows = 32768;

/// Everything that one blend of a track's rows depends on.
struct BlendBatch {
    PoseSource from{};
    PoseSource to{};
    VelocitySource from_velocity{}; ///< Read only in blocks with a bit in `hermite`.
    VelocitySource to_velocity{};
    PoseTarget out{};
    /// False: of rows that get matrices here `out` may be left as it is. No row has a parent then.
    bool has_pictures = true;
    double t = 0.0;          ///< 0 and 1 give the states bit for bit.
    double duration_s = 0.0; ///< Between the two states. > 0.
    SlerpWeights weights{};  ///< fit_slerp_weights(t).
    // Masks: one word a block, one bit a row.
    const std::uint64_t* scaled =
        nullptr; ///< Blocks without a bit have scale 1; theirs is not touched.
    const std::uint64_t* hermite = nullptr; ///< Rows that follow linear velocities; null: none.
    const std::uint64_t* spin = nullptr;    ///< Those of them that follow angular ones as well.
    /// Out: rows that need a closer look. Both states are equal; or the rotation is within rounding
    /// of half a turn, so that the way round is a matter of rule; or it is a Hermite row that turns
    /// too fast for the kernel. What `out` holds for the last two is finite, but not the answer.
    /// Padding counts as rows.
    std::uint64_t* look = nullptr;

    // World matrices of rows without a parent, while the pose is still in registers.
    float* matrices = nullptr; ///< 12 floats a row (3x4, row by row), row 0 first; null: none.
    std::size_t row_count = 0; ///< Matrices of rows from here on are not written.
    glm::dvec3 origin{0.0};    ///< What the matrices are relative to.
    /// Rows below a parent: a block of only such rows gets no matrices here.
    const std::uint64_t* below = nullptr;
    /// Rows with children: blocks with a bit store their placement in `world`.
    const std::uint64_t* above = nullptr;
    WorldTarget world{};
    bool is_rigid = false; ///< As in WorldBatch.

    bool stream = false; ///< Past the caches: right when nothing is read back soon.
    /// The placements as well, if `stream`; their columns begin cache lines. Children read them.
    bool stream_world = false;
    BlendTuning tuning{}; ///< find_tuning().
};

/// Blends the rows of blocks [first_block, first_block + block_count). Blocks do not depend on each
/// other, so ranges of them may run side by side.
void blend_blocks(const BlendBatch& batch, std::size_t first_block,
                  std::size_t block_count) noexcept;

/// The best on this machine, as far as its like were measured.
[[nodiscard]] BlendTuning find_tuning() noexcept;

/// Columns of `count` staged poses into rows from `first_row` on. Scale is not written. `stream`:
/// past the caches, see flush_streams().
void store_staged(const StagedPose* staged, std::size_t count, const PoseTarget& out,
                  std::size_t first_row, bool stream = false) noexcept;

/// Positions and rotations of the items from `first` on, each with its row, to a line of its own:
/// that of rows[i] to to[i]. `stream`: past the caches.
void scatter_lines(const PoseColumns& poses, std::size_t first, std::span<const std::uint32_t> rows,
                   StagedPose* const* to, bool stream) noexcept;
void scatter_lines(std::span<const Pose> poses, std::size_t first,
                   std::span<const std::uint32_t> rows, StagedPose* const* to,
                   bool stream) noexcept;

/// Each line to its row: that of row first_row + n to sorted[n]. The last one of a row counts. Sets
/// the bits of those rows, a word a block from first_row on.
void sort_lines(std::span<const StagedPose> lines, std::uint32_t first_row, StagedPose* sorted,
                std::uint64_t* written) noexcept;

/// By how much the square of a rotation's length may be off 1 to be kept bit for bit.
inline constexpr float kUnitTolerance = 1e-6F;

/// Two rotations of which |dot| is at least as far from 0 and from 1, rounding included, need no
/// second look: a unit rotation times itself is off 1 by less.
inline constexpr float kUsualDot = 3e-6F;

/// Whether a rotation is kept bit for bit. In float and in this order, as the kernels compute it,
/// so that every door decides alike.
[[nodiscard]] inline bool is_unit(const glm::quat& rotation) noexcept {
    const float square =
        ((rotation.x * rotation.x + rotation.y * rotation.y) + rotation.z * rotation.z) +
        rotation.w * rotation.w;
    const float deviation = square - 1.0F;
    return deviation <= kUnitTolerance && deviation >= -kUnitTolerance;
}

/// From this many bytes on a frame and a tick write past the caches: they are larger than what
/// those keep until somebody reads it, and reading lines only to overwrite them is a third of the
/// traffic.
inline constexpr std::size_t kStreamBytes = std::size_t{8} << 20U;
/// What a row has in each state and picture: a position and a rotation.
inline constexpr std::size_t kPoseBytes = 3 * sizeof(double) + 4 * sizeof(float);

/// Two poses in and one out, of every row, is more than the caches keep.
[[nodiscard]] constexpr bool is_streamed(std::size_t row_count) noexcept {
    return row_count * 3 * kPoseBytes > kStreamBytes;
}

/// What a row has as a placement at most: a basis and a translation.
inline constexpr std::size_t kPlacementBytes = 9 * sizeof(float) + 3 * sizeof(double);

/// Placements are read back by children once all rows are blended. A cache that all cores share
/// keeps them for so long up to some tens of MiB.
[[nodiscard]] constexpr bool is_world_streamed(std::size_t row_count) noexcept {
    return row_count * kPlacementBytes > 4 * kStreamBytes;
}

/// Lets other threads see what was streamed, once it is handed to them. Waits for the memory.
void flush_streams() noexcept;

/// How columns are stored.
struct StoreForm {
    bool stream = false; ///< Past the caches; see flush_streams().
    /// Rows of poses behind the first that is not plain stay as they are. Else they may be
    /// overwritten, which saves a look at all poses before they are stored.
    bool keeps_rest = true;
};

/// Stores leading poses that are plain: that check() accepts, whose rotation is_unit(), with a
/// scale of exactly 1. Scale is not written. Returns how many were stored; the one after them is
/// not plain, or it is the end. `stream`: past the caches, see flush_streams().
[[nodiscard]] std::size_t store_plain(std::span<const Pose> poses, const PoseTarget& out,
                                      std::size_t first_row, bool stream = false) noexcept;
/// The same for the items [first_item, first_item + count) of columns, all spans long enough.
[[nodiscard]] std::size_t store_plain(const PoseColumns& poses, std::size_t first_item,
                                      std::size_t count, const PoseTarget& out,
                                      std::size_t first_row, const StoreForm& form = {}) noexcept;

/// Whether the items [first_item, first_item + count) are plain, all spans long enough.
/// Precondition: count is a multiple of 16.
[[nodiscard]] bool are_plain_columns(const PoseColumns& poses, std::size_t first_item,
                                     std::size_t count) noexcept;

/// Rows that lie on each axis at most so far from their parents are placed in float, a vector of
/// them at a time. Their place in the parent, turned with it, is then off by 17 * 2^-24 of its
/// length, at most 0.11 mm and about as much as by the parent's own float rotation.
inline constexpr float kShortArmM = 64.0F;

/// Places rows below their parents.
struct WorldBatch {
    PoseSource local{};
    const std::uint64_t* scaled = nullptr;
    const std::uint64_t* above = nullptr;  ///< Rows with children; only theirs is put into `world`.
    const std::uint32_t* parent = nullptr; ///< By row: the row of the parent.
    WorldTarget world{};                   ///< Placements of parents in, of rows with children out.
    float* matrices = nullptr;             ///< As in BlendBatch; never null.
    glm::dvec3 origin{0.0};
    bool stream = false;       ///< The matrices past the caches.
    bool stream_world = false; ///< As in BlendBatch.
    /// No row with a parent and no parent has a scale: placements are rotations and translations, a
    /// third smaller, and nothing is farther from its parent in the world than in the parent.
    bool is_rigid = false;
};

/// Rows [first_row, first_row + count), all with parents that are placed already and not among
/// them. Fast where neighbours have neighbours as parents.
void place_rows(const WorldBatch& batch, std::size_t first_row, std::size_t count) noexcept;

/// The name of the target that the kernels run on, for reports.
[[nodiscard]] const char* kernel_target() noexcept;

} // namespace glissade
