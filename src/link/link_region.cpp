// SPDX-License-Identifier: MIT
#include "link/link_region.h"

#include "glissade/base/hooks.h"

#include <cstring>
#include <limits>
#include <new>

namespace glissade {
namespace detail {
namespace {

bool is_aligned(const std::byte* memory) noexcept {
    return reinterpret_cast<std::uintptr_t>(memory) % kLinkAlignmentBytes == 0;
}

// A copy, so that it is the same for every check.
LinkHeader read_header(const LinkRegion& region) noexcept {
    LinkHeader header;
    std::memcpy(&header, &region.header, sizeof header);
    return header;
}

LinkConfig config_of(const LinkHeader& header) noexcept {
    return {.capacity = header.capacity,
            .slot_count = header.slot_count,
            .columns = static_cast<LinkColumns>(header.columns),
            .channel_count = header.channel_count};
}

} // namespace

OpenRegion open_region(std::span<std::byte> memory,
                       const std::optional<LinkConfig>& expected) noexcept {
    const LinkInfo info = inspect_link(memory);
    OpenRegion region{.status = info.status, .config = info.config};
    if (region.status != LinkStatus::Ok) {
        return region;
    }
    if (expected && *expected != info.config) {
        region.status = LinkStatus::WrongCapacity;
        return region;
    }
    const LinkHeader header = compute_header(info.config);
    region.ring = ring_place(memory.data(), info.config.slot_count);
    region.slots = memory.data() + header.first_slot_offset;
    region.stride_bytes = static_cast<std::size_t>(header.slot_stride_bytes);
    return region;
}

LinkStatus to_status(LinkRing::Join result) noexcept {
    switch (result) {
        case LinkRing::Join::Taken:
            return LinkStatus::Taken;
        case LinkRing::Join::Damaged:
            return LinkStatus::Damaged;
        case LinkRing::Join::Ok:
            break;
    }
    return LinkStatus::Ok;
}

} // namespace detail

std::size_t link_size_bytes(const LinkConfig& config) noexcept {
    if (!detail::is_valid(config)) {
        return 0;
    }
    const std::uint64_t size_bytes = detail::compute_header(config).total_size_bytes;
    // Half of it: nothing larger can be one array.
    constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::size_t>::max() / 2;
    return size_bytes <= kMaxBytes ? static_cast<std::size_t>(size_bytes) : 0;
}

LinkStatus format_link(std::span<std::byte> memory, const LinkConfig& config) noexcept {
    const std::size_t size_bytes = link_size_bytes(config);
    if (size_bytes == 0) {
        return LinkStatus::BadConfig;
    }
    if (!detail::is_aligned(memory.data())) {
        return LinkStatus::Misaligned;
    }
    if (memory.size() < size_bytes) {
        return LinkStatus::TooSmall;
    }
    auto* region = reinterpret_cast<detail::LinkRegion*>(memory.data());
    set_mark<StdAtomics>(region->mark, 0);
    const detail::LinkHeader header = detail::compute_header(config);
    std::memcpy(&region->header, &header, sizeof header);
    detail::LinkRing::format(detail::ring_place(memory.data(), config.slot_count));
    set_mark<StdAtomics>(region->mark, detail::kLinkMagic);
    return LinkStatus::Ok;
}

LinkInfo inspect_link(std::span<const std::byte> memory) noexcept {
    if (!detail::is_aligned(memory.data())) {
        return {.status = LinkStatus::Misaligned};
    }
    if (memory.size() < sizeof(detail::LinkRegion)) {
        return {.status = LinkStatus::TooSmall};
    }
    const auto* region = reinterpret_cast<const detail::LinkRegion*>(memory.data());
    if (get_mark<StdAtomics>(region->mark) != detail::kLinkMagic) {
        return {.status = LinkStatus::WrongMagic};
    }
    const detail::LinkHeader header = detail::read_header(*region);
    if (header.version != detail::kLinkVersion) {
        return {.status = LinkStatus::WrongVersion};
    }
    const LinkConfig config = detail::config_of(header);
    const std::size_t size_bytes = link_size_bytes(config);
    if (size_bytes == 0) {
        return {.status = LinkStatus::WrongSize};
    }
    const detail::LinkHeader expected = detail::compute_header(config);
    if (std::memcmp(&header, &expected, sizeof header) != 0) {
        return {.status = LinkStatus::WrongSize};
    }
    if (memory.size() < size_bytes) {
        return {.status = LinkStatus::TooSmall};
    }
    return {.status = LinkStatus::Ok, .config = config};
}

Link::Link(const LinkConfig& config) noexcept {
    GLISSADE_ASSERT(link_size_bytes(config) > 0);
    const LinkConfig used = link_size_bytes(config) > 0 ? config : LinkConfig{};
    size_bytes_ = link_size_bytes(used);
    data_ = static_cast<std::byte*>(
        ::operator new (size_bytes_, std::align_val_t{detail::kLinkAlignmentBytes}, std::nothrow));
    if (data_ == nullptr) {
        detail::out_of_memory(size_bytes_);
    }
    format_link(memory(), used);
}

Link::~Link() {
    ::operator delete (data_, std::align_val_t{detail::kLinkAlignmentBytes});
}

const char* to_string(LinkStatus status) noexcept {
    switch (status) {
        case LinkStatus::Ok:
            return "ok";
        case LinkStatus::BadConfig:
            return "bad config";
        case LinkStatus::TooSmall:
            return "too small";
        case LinkStatus::Misaligned:
            return "misaligned";
        case LinkStatus::WrongMagic:
            return "wrong magic";
        case LinkStatus::WrongVersion:
            return "wrong version";
        case LinkStatus::WrongSize:
            return "wrong size";
        case LinkStatus::WrongCapacity:
            return "wrong capacity";
        case LinkStatus::Taken:
            return "taken";
        case LinkStatus::Full:
            return "full";
        case LinkStatus::NotJoined:
            return "not joined";
        case LinkStatus::NotBegun:
            return "not begun";
        case LinkStatus::Damaged:
            return "damaged";
    }
    return "unknown";
}

} // namespace glissade
