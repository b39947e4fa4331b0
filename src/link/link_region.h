// SPDX-License-Identifier: MIT
// A link in memory that came from outside, checked.
#pragma once

#include "link/link_layout.h"

#include <cstddef>
#include <optional>
#include <span>

namespace glissade::detail {

/// What a side needs of a link. Copied and checked once: what changes in the header afterwards
/// cannot lead it astray.
struct OpenRegion {
    LinkStatus status = LinkStatus::Ok;
    LinkConfig config{};
    LinkRing::Place ring{};
    std::byte* slots = nullptr;
    std::size_t stride_bytes = 0;
};

/// Opens the link in `memory`; WrongCapacity unless it has the settings `expected`, if any.
[[nodiscard]] OpenRegion open_region(std::span<std::byte> memory,
                                     const std::optional<LinkConfig>& expected) noexcept;

[[nodiscard]] LinkStatus to_status(LinkRing::Join result) noexcept;

} // namespace glissade::detail
