// SPDX-License-Identifier: MIT
#include "glissade/link/link.h"

#include "link/link_region.h"

#include <cstring>
#include <utility>

namespace glissade {

LinkReader::~LinkReader() {
    leave();
}

LinkReader::LinkReader(LinkReader&& other) noexcept
    : ring_(std::exchange(other.ring_, {})),
      slots_(other.slots_),
      stride_bytes_(other.stride_bytes_),
      config_(other.config_),
      view_(other.view_),
      stats_(other.stats_) {}

LinkReader& LinkReader::operator=(LinkReader&& other) noexcept {
    if (this != &other) {
        leave();
        ring_ = std::exchange(other.ring_, {});
        slots_ = other.slots_;
        stride_bytes_ = other.stride_bytes_;
        config_ = other.config_;
        view_ = other.view_;
        stats_ = other.stats_;
    }
    return *this;
}

LinkStatus LinkReader::join(std::span<std::byte> memory,
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
        const std::byte* first = slots_;
        view_ = {.columns = detail::columns_at(first, config_),
                 .bytes = {first + sizeof(SnapshotHeader), stride_bytes_ - sizeof(SnapshotHeader)}};
        stats_ = {};
    }
    return status;
}

void LinkReader::leave() noexcept {
    ring_.leave();
}

const SnapshotView* LinkReader::next() noexcept {
    if (!joined()) {
        return nullptr;
    }
    const std::uint64_t damaged_before = ring_.damaged_count();
    const auto taken = ring_.take();
    stats_.damaged_count += ring_.damaged_count() - damaged_before;
    if (!taken) {
        return nullptr;
    }
    const std::byte* slot = slots_ + taken->slot * stride_bytes_;
    std::memcpy(&view_.header, slot, sizeof view_.header);
    if (view_.header.sequence != taken->sequence || view_.header.object_count > config_.capacity) {
        ++stats_.damaged_count;
        return nullptr;
    }
    const std::byte* bytes = slot + sizeof(SnapshotHeader);
    if (bytes != view_.bytes.data()) {
        detail::move_columns(view_.columns, config_, bytes - view_.bytes.data());
        view_.bytes = {bytes, view_.bytes.size()};
    }
    ++stats_.snapshot_count;
    stats_.skipped_count += taken->skipped;
    return &view_;
}

} // namespace glissade
