// SPDX-License-Identifier: MIT
#include "link/link_layout.h"

#include <cstring>
#include <span>

namespace glissade::detail {
namespace {

// Finds the place of one column after the other.
class ColumnCursor {
public:
    explicit ColumnCursor(const LinkConfig& config) noexcept : config_(config) {}

    // The offset of the next column, 0 if the link does not have it.
    std::uint64_t next(LinkColumns needed, std::size_t value_bytes) noexcept {
        if (needed != LinkColumns::None && !has(config_.columns, needed)) {
            return 0;
        }
        const std::uint64_t offset = end_;
        end_ += column_size_bytes(config_.capacity, value_bytes);
        return offset;
    }
    // The same for all channels, which lie in one piece.
    std::uint64_t next_channels() noexcept {
        const std::uint64_t offset = end_;
        end_ += config_.channel_count * column_size_bytes(config_.capacity, sizeof(float));
        return config_.channel_count > 0 ? offset : 0;
    }
    [[nodiscard]] std::uint64_t end() const noexcept { return end_; }

private:
    const LinkConfig& config_;
    std::uint64_t end_ = sizeof(SnapshotHeader);
};

template <bool Writable, class Byte>
BasicSnapshotColumns<Writable> make_columns(Byte* slot, const LinkConfig& config) noexcept {
    using Columns = BasicSnapshotColumns<Writable>;
    Columns columns;
    ColumnCursor cursor(config);
    visit_columns<Columns>([&](auto column, LinkColumns needed) {
        using Value = typename std::remove_reference_t<decltype(columns.*column)>::element_type;
        const std::uint64_t offset = cursor.next(needed, sizeof(Value));
        if (offset != 0) {
            columns.*column = {reinterpret_cast<Value*>(slot + offset), config.capacity};
        }
    });
    const std::uint64_t offset = cursor.next_channels();
    if (offset != 0) {
        using Value = typename decltype(columns.channels)::element_type;
        columns.channel_count = config.channel_count;
        columns.channel_stride = static_cast<std::size_t>(
            column_size_bytes(config.capacity, sizeof(float)) / sizeof(float));
        columns.channels = {reinterpret_cast<Value*>(slot + offset),
                            columns.channel_count * columns.channel_stride};
    }
    return columns;
}

} // namespace

bool is_valid(const LinkConfig& config) noexcept {
    return config.capacity >= 1 && config.capacity <= kMaxLinkCapacity &&
           config.slot_count >= kMinLinkSlotCount && config.slot_count <= kMaxLinkSlotCount &&
           static_cast<std::uint32_t>(config.columns) <=
               static_cast<std::uint32_t>(LinkColumns::All) &&
           config.channel_count <= kMaxLinkChannelCount;
}

LinkHeader compute_header(const LinkConfig& config) noexcept {
    LinkHeader header;
    header.header_size_bytes = sizeof(LinkRegion);
    header.capacity = config.capacity;
    header.slot_count = config.slot_count;
    header.columns = static_cast<std::uint32_t>(config.columns);
    header.channel_count = config.channel_count;
    header.column_count = kLinkColumnCount;

    ColumnCursor cursor(config);
    std::size_t number = 0;
    visit_columns<BasicSnapshotColumns<false>>([&](auto column, LinkColumns needed) {
        const BasicSnapshotColumns<false> none;
        using Value = typename std::remove_cvref_t<decltype(none.*column)>::element_type;
        header.column_offsets[number++] = cursor.next(needed, sizeof(Value));
    });
    header.column_offsets[number] = cursor.next_channels();

    header.slot_stride_bytes = cursor.end();
    header.first_slot_offset = sizeof(LinkRegion);
    header.total_size_bytes =
        header.first_slot_offset + (config.slot_count + 2) * header.slot_stride_bytes;
    header.checksum = compute_checksum(header);
    return header;
}

std::uint32_t compute_checksum(const LinkHeader& header) noexcept {
    std::array<std::uint8_t, sizeof header> bytes{};
    std::memcpy(bytes.data(), &header, sizeof header);
    std::uint32_t hash = 2'166'136'261U;
    for (const std::uint8_t byte : bytes) {
        hash = (hash ^ byte) * 16'777'619U;
    }
    return hash;
}

LinkRing::Place ring_place(std::byte* memory, std::uint32_t slot_count) noexcept {
    auto* region = reinterpret_cast<LinkRegion*>(memory);
    return {&region->ring, slot_count};
}

BasicSnapshotColumns<true> columns_at(std::byte* slot, const LinkConfig& config) noexcept {
    return make_columns<true>(slot, config);
}

BasicSnapshotColumns<false> columns_at(const std::byte* slot, const LinkConfig& config) noexcept {
    return make_columns<false>(slot, config);
}

} // namespace glissade::detail
