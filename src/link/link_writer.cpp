// SPDX-License-Identifier: MIT
#include "glissade/link/link.h"

#include "link/link_region.h"

#include <new>
#include <utility>

namespace glissade {
namespace {

constexpr SnapshotSlot kNoSlot{};

} // namespace

LinkWriter::~LinkWriter() {
    leave();
}

LinkWriter::LinkWriter(LinkWriter&& other) noexcept
    : ring_(std::exchange(other.ring_, {})),
      slots_(other.slots_),
      stride_bytes_(other.stride_bytes_),
      config_(other.config_),
      slot_(other.slot_),
      stats_(other.stats_),
      begun_(std::exchange(other.begun_, false)) {}

LinkWriter& LinkWriter::operator=(LinkWriter&& other) noexcept {
    if (this != &other) {
        leave();
        ring_ = std::exchange(other.ring_, {});
        slots_ = other.slots_;
        stride_bytes_ = other.stride_bytes_;
        config_ = other.config_;
        slot_ = other.slot_;
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
        slot_ = {
            .columns = detail::columns_at(slots_, config_),
            .bytes = {slots_ + sizeof(SnapshotHeader), stride_bytes_ - sizeof(SnapshotHeader)}};
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
        return {.status = LinkStatus::NotJoined, .slot = kNoSlot};
    }
    if (object_count > config_.capacity) {
        ++stats_.full_count;
        return {.status = LinkStatus::Full, .slot = kNoSlot};
    }
    ring_.choose_slot();
    std::byte* slot = slots_ + ring_.slot() * stride_bytes_;
    std::byte* bytes = slot + sizeof(SnapshotHeader);
    if (bytes != slot_.bytes.data()) {
        detail::move_columns(slot_.columns, config_, bytes - slot_.bytes.data());
        slot_.bytes = {bytes, slot_.bytes.size()};
    }
    slot_.header = new (slot) SnapshotHeader{};
    slot_.header->object_count = static_cast<std::uint32_t>(object_count);
    begun_ = true;
    return {.slot = slot_};
}

LinkStatus LinkWriter::publish(std::int64_t published_ns) noexcept {
    if (!begun_) {
        return LinkStatus::NotBegun;
    }
    SnapshotHeader* header = slot_.header;
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
