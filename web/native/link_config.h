// SPDX-License-Identifier: MIT
// The settings of every link of the C interface, so that both sides and a relay agree on them.
#pragma once

#include "glissade/link/link.h"

#include <cstdint>

namespace glissade::web {

/// A quarter of a second at 120 Hz: a page that a busy moment kept from its frames misses nothing.
inline constexpr std::uint32_t kSlotCount = 32;

[[nodiscard]] inline LinkConfig link_config(std::uint32_t capacity) noexcept {
    return {
        .capacity = capacity,
        .slot_count = kSlotCount,
        .columns = LinkColumns::LinearVelocity | LinkColumns::AngularVelocity | LinkColumns::Shift};
}

} // namespace glissade::web
