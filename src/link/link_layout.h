// SPDX-License-Identifier: MIT
// Where everything of a link lies, byte by byte; docs/link-layout.md says the same in a table.
#pragma once

#include "glissade/link/link.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace glissade::detail {

inline constexpr std::uint32_t kLinkVersion = 1;
/// "GLISLINK" in memory on a little-endian machine; the other byte order reads another number.
inline constexpr std::uint64_t kLinkMagic = 0x4B4E494C53494C47U;
inline constexpr std::size_t kLinkAlignmentBytes = 64;
inline constexpr std::uint32_t kMaxLinkCapacity = 1U << 24U;
inline constexpr std::uint32_t kMinLinkSlotCount = 4;
inline constexpr std::uint32_t kMaxLinkSlotCount = StdAtomics::kEntryRoom;
inline constexpr std::uint32_t kMaxLinkChannelCount = 8;
inline constexpr std::size_t kLinkColumnCount = 27;
inline constexpr std::size_t kLinkColumnRoom = 32;

using LinkRing = SlotRing<StdAtomics>;

/// The first bytes of a link, but for the mark. Written once, by format_link().
struct LinkHeader {
    std::uint32_t version = kLinkVersion;
    std::uint32_t header_size_bytes = 0;
    std::uint64_t total_size_bytes = 0;
    std::uint32_t capacity = 0;
    std::uint32_t slot_count = 0;
    std::uint32_t columns = 0;
    std::uint32_t channel_count = 0;
    std::uint64_t slot_stride_bytes = 0;
    std::uint64_t first_slot_offset = 0;
    std::uint32_t column_count = 0;
    /// compute_checksum() of this header with 0 here: settings that happen to need as many bytes
    /// are not mistaken for each other.
    std::uint32_t checksum = 0;
    /// From the start of a slot, in the order of visit_columns(); 0: the link does not have it.
    std::array<std::uint64_t, kLinkColumnRoom> column_offsets{};
};

/// The whole of what lies before the slots.
struct LinkRegion {
    StdAtomics::Word mark{}; ///< kLinkMagic, written last.
    LinkHeader header{};
    LinkRing::Head ring{};
};
static_assert(std::is_standard_layout_v<LinkRegion>);
// Headers are compared as bytes.
static_assert(std::has_unique_object_representations_v<LinkHeader>);
static_assert(sizeof(StdAtomics::Word) == 8 && sizeof(LinkRing::Side) == 64);
static_assert(offsetof(LinkRegion, mark) == 0);
static_assert(offsetof(LinkRegion, header) == 8);
static_assert(offsetof(LinkHeader, column_offsets) + 8 == 64);
static_assert(offsetof(LinkRegion, ring) == 320);
static_assert(offsetof(LinkRing::Head, reader) == 64);
static_assert(offsetof(LinkRing::Head, newest) == 128);
static_assert(offsetof(LinkRing::Head, entries) == 136);
static_assert(sizeof(LinkRegion) == 1024);

[[nodiscard]] bool is_valid(const LinkConfig& config) noexcept;

/// The header of a link with these settings. Precondition: is_valid(config).
[[nodiscard]] LinkHeader compute_header(const LinkConfig& config) noexcept;

/// FNV-1a (Fowler, Noll, Vo), 32 bits, over the bytes of the header.
[[nodiscard]] std::uint32_t compute_checksum(const LinkHeader& header) noexcept;

/// The ring of the link in `memory`, which is one.
[[nodiscard]] LinkRing::Place ring_place(std::byte* memory, std::uint32_t slot_count) noexcept;

/// Values of `value_bytes` for all objects, filled up to whole cache lines.
[[nodiscard]] constexpr std::uint64_t column_size_bytes(std::uint32_t capacity,
                                                        std::size_t value_bytes) noexcept {
    const std::uint64_t size_bytes = std::uint64_t{capacity} * value_bytes;
    return (size_bytes + kLinkAlignmentBytes - 1) / kLinkAlignmentBytes * kLinkAlignmentBytes;
}

/// Calls `visit(&Columns::member, needed)` for each column but the channels, in the order in which
/// they lie in a slot. `needed` is what a link must carry to have it.
template <class Columns, class Visit>
void visit_columns(Visit visit) noexcept {
    const auto visit_all = [&visit](LinkColumns needed, auto... columns) {
        (visit(columns, needed), ...);
    };
    using C = Columns;
    visit_all(LinkColumns::None, &C::ids, &C::x, &C::y, &C::z);
    visit_all(LinkColumns::None, &C::qx, &C::qy, &C::qz, &C::qw, &C::cuts);
    visit_all(LinkColumns::Scale, &C::scale_x, &C::scale_y, &C::scale_z);
    visit_all(LinkColumns::LinearVelocity, &C::velocity_x, &C::velocity_y, &C::velocity_z);
    visit_all(LinkColumns::AngularVelocity, &C::angular_velocity_x, &C::angular_velocity_y,
              &C::angular_velocity_z);
    visit_all(LinkColumns::Shift, &C::shifts, &C::shift_x, &C::shift_y, &C::shift_z);
    visit_all(LinkColumns::Shift, &C::shift_qx, &C::shift_qy, &C::shift_qz, &C::shift_qw);
}

/// The columns of the slot that starts at `slot`.
[[nodiscard]] BasicSnapshotColumns<true> columns_at(std::byte* slot,
                                                    const LinkConfig& config) noexcept;
[[nodiscard]] BasicSnapshotColumns<false> columns_at(const std::byte* slot,
                                                     const LinkConfig& config) noexcept;

/// Moves all columns by `distance_bytes`, to their places in another slot: cheaper than to compute
/// them anew for each snapshot.
template <bool Writable>
void move_columns(BasicSnapshotColumns<Writable>& columns, const LinkConfig& config,
                  std::ptrdiff_t distance_bytes) noexcept {
    using Byte = std::conditional_t<Writable, std::byte, const std::byte>;
    const auto move = [distance_bytes](auto& column) {
        auto* at = reinterpret_cast<Byte*>(column.data()) + distance_bytes;
        column = {reinterpret_cast<decltype(column.data())>(at), column.size()};
    };
    visit_columns<BasicSnapshotColumns<Writable>>([&](auto column, LinkColumns needed) {
        if (needed == LinkColumns::None || has(config.columns, needed)) {
            move(columns.*column);
        }
    });
    if (config.channel_count > 0) {
        move(columns.channels);
    }
}

} // namespace glissade::detail
