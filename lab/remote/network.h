// SPDX-License-Identifier: MIT
// What a network does to a server's updates: latency, jitter, loss, reordering, duplicates.
#pragma once

#include "lab/random.h"

#include <cstdint>
#include <vector>

namespace glissade::lab {

/// One network. Shares are probabilities per update.
struct NetworkPlan {
    double update_hz = 1.0; ///< Position updates per second, > 0.
    double latency_ms = 80.0;
    double jitter_ms = 0.0; ///< Up to this much on top, evenly spread.
    double loss = 0.0;
    double reordering = 0.0; ///< Share that comes behind the next one.
    double duplication = 0.0;
};

/// Sends one thing after the other. Seeded.
class Network {
public:
    Network(const NetworkPlan& plan, std::uint64_t seed);

    /// When an update that is sent now arrives: once, twice or never.
    [[nodiscard]] std::vector<std::int64_t> send_update(std::int64_t time_ns);
    /// The same for what is sent again until it arrives, and handed over in order.
    [[nodiscard]] std::int64_t send_reliably(std::int64_t time_ns);

private:
    [[nodiscard]] std::int64_t take_delay_ns();

    NetworkPlan plan_;
    Random random_;
    std::int64_t last_reliable_ns_ = 0;
};

} // namespace glissade::lab
