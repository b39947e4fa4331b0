// SPDX-License-Identifier: MIT
// One whole state of a simulation as it lies in a link: a header and columns, in shared memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace glissade {

/// When a snapshot is true and how its source's time runs.
///
/// Lies at the start of every slot, byte for byte as here (docs/link-layout.md). All times are
/// nanoseconds; those of the writer's clock may have another origin than the reader's.
struct SnapshotHeader {
    std::uint64_t sequence = 0;    ///< Set by publish(): 1, 2, 3 ... without gaps.
    std::int64_t tick = 0;         ///< The source's own number of the tick.
    std::int64_t time_ns = 0;      ///< When the state is true, on the source's timeline.
    std::int64_t duration_ns = 0;  ///< Since the state before, > 0.
    std::int64_t due_ns = 0;       ///< When the tick was scheduled, writer's clock; see has_due.
    std::int64_t published_ns = 0; ///< Set by publish(): the writer's clock.
    double time_scale = 1.0;       ///< Source time per real time, >= 0.
    std::uint32_t epoch = 0;       ///< Changes when the source discards time.
    std::uint32_t object_count = 0;
    std::uint8_t has_due = 0; ///< 1: the source keeps an absolute schedule, due_ns is part of it.
    std::uint8_t paused = 0;  ///< 1: source time stands still until further notice.
    std::uint8_t reserved[62] = {}; ///< Zero.
};
static_assert(sizeof(SnapshotHeader) == 128);
static_assert(std::is_trivially_copyable_v<SnapshotHeader>);

/// What a link carries for each object beside id, position, rotation and cut counter. Combine
/// with |.
enum class LinkColumns : std::uint32_t {
    None = 0,
    Scale = 1,
    LinearVelocity = 2,
    AngularVelocity = 4,
    Shift = 8,
    All = 15,
};
[[nodiscard]] constexpr LinkColumns operator|(LinkColumns a, LinkColumns b) noexcept {
    return static_cast<LinkColumns>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
[[nodiscard]] constexpr bool has(LinkColumns all, LinkColumns one) noexcept {
    return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(one)) != 0;
}

/// The columns of one snapshot, each as long as the link's capacity. Rows below object_count are
/// objects, in any order; an object without a row is not in the scene. Columns that the link does
/// not have are empty.
///
/// Readers skip snapshots, so cuts and shifts are *cumulative*: the counters only ever grow, and
/// the shift is all displacements so far, composed into one rigid transform (rotation, then
/// translation).
template <bool Writable>
struct BasicSnapshotColumns {
    template <class T>
    using Column = std::span<std::conditional_t<Writable, T, const T>>;

    Column<std::uint64_t> ids; ///< Any number that is never reused, such as Id::bits().
    Column<double> x, y, z;
    Column<float> qx, qy, qz, qw;
    Column<std::uint32_t> cuts;
    Column<float> scale_x, scale_y, scale_z;
    Column<float> velocity_x, velocity_y, velocity_z;                         ///< m/s.
    Column<float> angular_velocity_x, angular_velocity_y, angular_velocity_z; ///< rad/s.
    Column<std::uint32_t> shifts;
    Column<double> shift_x, shift_y, shift_z;
    Column<float> shift_qx, shift_qy, shift_qz, shift_qw;
    Column<float> channels; ///< Channel c of row r is at c * channel_stride + r.
    std::size_t channel_count = 0;
    std::size_t channel_stride = 0;
};

/// What a writer fills between begin() and publish(). The header is the slot's own.
struct SnapshotSlot {
    SnapshotHeader* header = nullptr;
    BasicSnapshotColumns<true> columns{};
    /// All columns in one piece, as docs/link-layout.md has them: for who keeps the same layout.
    std::span<std::byte> bytes{};
};

/// What a reader sees until it asks for the next one, whether there is one or not.
struct SnapshotView {
    SnapshotHeader header{};
    BasicSnapshotColumns<false> columns{};
    std::span<const std::byte> bytes{}; ///< As SnapshotSlot has them.
};

} // namespace glissade
