// SPDX-License-Identifier: MIT
#include "glissade/link/link.h"

#include "link/link_region.h"

#include <new>
#include <utility>

namespace glissade {
namespace {

SnapshotHeader* header_of(std::byte* slot) noexcept {
    return std::launder(reinterpret_cast<SnapshotHeader*>(slot));
}

} // namespace

LinkWriter::~LinkWriter() {
    leave();
}

LinkWriter::LinkWriter(LinkWriter&& other) noexcept
    : ring_(std::exchange(other.ring_, {})),
      slots_(other.slots_),
      stride_bytes_(other.stride_bytes_),
      config_(other.config_),
      stats_(other.stats_),
      begun_(std::exchange(other.begun_, false)) {}

LinkWriter& LinkWriter::operator=(LinkWriter&& other) noexcept {
    if (this != &other) {
        leave();
        ring_ = std::exchange(other.ring_, {});
        slots_ = other.slots_;
        stride_bytes_ = other.stride_bytes_;
        config_ = other.config_;
        stats_ = other.stats_;
        begun_ = std::exchange(other.begun_, false);
    }
    return *this;
}

LinkStatus LinkWriter::join(std::span<std::byte> memory,
                            const std::optional<LinkConfig>& expected) noexcept {
    leave();
    const detail::OpenRegion region = detail::open_region(memory, expected);
    if (region.status != LinkStatus::Ok) {
        return region.status;
    }
    const LinkStatus status = detail::to_status(ring_.join(region.ring));
    if (status == LinkStatus::Ok) {
        slots_ = region.slots;
        stride_bytes_ = region.stride_bytes;
        config_ = region.config;
        stats_ = {};
    }
    return status;
}

void LinkWriter::leave() noexcept {
    ring_.leave();
    begun_ = false;
}

LinkWriter::Begun LinkWriter::begin(std::size_t object_count) noexcept {
    begun_ = false;
    if (!joined()) {
        return {.status = LinkStatus::NotJoined};
    }
    if (object_count > config_.capacity) {
        ++stats_.full_count;
        return {.status = LinkStatus::Full};
    }
    ring_.choose_slot();
    std::byte* slot = slots_ + ring_.slot() * stride_bytes_;
    auto* header = new (slot) SnapshotHeader{};
    header->object_count = static_cast<std::uint32_t>(object_count);
    begun_ = true;
    return {
        .slot = {.header = header,
                 .columns = detail::columns_at(slot, config_),
                 .bytes = {slot + sizeof(SnapshotHeader), stride_bytes_ - sizeof(SnapshotHeader)}}};
}

LinkStatus LinkWriter::publish(std::int64_t published_ns) noexcept {
    if (!begun_) {
        return LinkStatus::NotBegun;
    }
    SnapshotHeader* header = header_of(slots_ + ring_.slot() * stride_bytes_);
    if (header->object_count > config_.capacity) {
        ++stats_.full_count;
        return LinkStatus::Full;
    }
    header->sequence = ring_.next_sequence();
    header->published_ns = published_ns;
    ring_.publish();
    begun_ = false;
    ++stats_.snapshot_count;
    return LinkStatus::Ok;
}

} // namespace glissade
