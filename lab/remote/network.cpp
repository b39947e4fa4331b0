// SPDX-License-Identifier: MIT
#include "lab/remote/network.h"

#include <algorithm>
#include <cmath>

namespace glissade::lab {

namespace {

constexpr std::uint64_t kNetworkStream = 3; // Of the seed; timing.cpp has two others.
constexpr double kNsPerMs = 1e6;
constexpr double kNsPerSecond = 1e9;
// A late update is this many update intervals late: behind the next one, before the one after it.
constexpr double kReorderIntervals = 1.5;
constexpr std::int64_t kDuplicateNs = 40'000'000; // After the first copy.

} // namespace

Network::Network(const NetworkPlan& plan, std::uint64_t seed)
    : plan_(plan), random_(seed, kNetworkStream) {}

std::int64_t Network::take_delay_ns() {
    const double jitter_ms = random_.between(0.0, plan_.jitter_ms);
    return std::llround((plan_.latency_ms + jitter_ms) * kNsPerMs);
}

std::vector<std::int64_t> Network::send_update(std::int64_t time_ns) {
    std::int64_t arrive_ns = time_ns + take_delay_ns();
    // Each is drawn whether it is needed or not: a change of one share leaves the others alone.
    const bool lost = random_.chance(plan_.loss);
    const bool late = random_.chance(plan_.reordering);
    const bool twice = random_.chance(plan_.duplication);
    arrive_ns += late ? std::llround(kReorderIntervals * kNsPerSecond / plan_.update_hz) : 0;
    std::vector<std::int64_t> arrivals;
    if (!lost) {
        arrivals.push_back(arrive_ns);
    }
    if (!lost && twice) {
        arrivals.push_back(arrive_ns + kDuplicateNs);
    }
    return arrivals;
}

std::int64_t Network::send_reliably(std::int64_t time_ns) {
    last_reliable_ns_ = std::max(last_reliable_ns_, time_ns + take_delay_ns());
    return last_reliable_ns_;
}

} // namespace glissade::lab
