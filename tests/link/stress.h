// SPDX-License-Identifier: MIT
// Two threads at full speed over one link. Without GoogleTest, so that it also runs where every
// object must be built for threads (WebAssembly).
#pragma once

#include "glissade/link/link.h"

#include <cstdint>

namespace glissade::testing {

struct StressConfig {
    std::uint64_t publish_count = 1000;
    std::uint32_t slot_count = 4;
    std::uint32_t capacity = 8;
    /// The writer waits until the reader is at most this many behind; 0: never waits.
    std::uint64_t max_behind = 0;
    /// Every so many snapshots the reader keeps a view, yields, and checks it again; 0: never.
    std::uint64_t hold_every = 0;
    /// Every so many snapshots each side leaves and joins again; 0: never.
    std::uint64_t rejoin_every = 0;
};

/// What went wrong, as counts: all zero if nothing did.
struct StressResult {
    std::uint64_t read_count = 0;
    std::uint64_t skipped_count = 0;
    std::uint64_t torn_count = 0;     ///< Content that does not match its checksum or its number.
    std::uint64_t disorder_count = 0; ///< A sequence that does not follow.
    std::uint64_t miscount = 0;       ///< Skipped and read do not add up to the sequence.
    std::uint64_t refused_count = 0;  ///< A status other than Ok.
    std::uint64_t last_sequence = 0;  ///< The last one that the reader got.
    [[nodiscard]] bool sound() const noexcept {
        return torn_count + disorder_count + miscount + refused_count == 0;
    }
};

[[nodiscard]] StressResult run_stress(const StressConfig& config);

} // namespace glissade::testing
