// SPDX-License-Identifier: MIT
// Tells lateness from wander in the arrivals of a source that keeps no schedule.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace glissade {

/// Splits the unevenness of arrivals into jitter and wander, by how it grows.
///
/// Jitter belongs to one arrival: the next one is as likely early again, and a clock must ignore
/// it. Wander stays: a loop that starts its timer after the work is late for good, and a clock must
/// follow it. Over n ticks jitter adds up to a constant and wander to n times its variance, so the
/// unevenness over 1 tick and over 32 ticks gives both; a steady-state Kalman filter makes a gain
/// of their ratio.
/// Thread safety: one thread at a time. Allocates: never. Cost: constant.
class ArrivalNoise {
public:
    static constexpr std::size_t kLag = 32; ///< The longer of the two distances, in ticks.

    /// The arrival of a state: its own time and the reader's, both nanoseconds since any origin,
    /// and the rate (own time per reader's time) that is thought to be true.
    void add(double source_ns, double arrival_ns, double rate) noexcept;
    /// Forgets the arrivals but not what was learnt: after a gap.
    void break_off() noexcept { count_ = 0; }
    void reset() noexcept { *this = {}; }

    /// How much of an unexpected arrival to believe, 0 to 1. 1 until 2 * kLag arrivals were seen.
    [[nodiscard]] double gain() const noexcept { return gain_; }
    /// Wander in one tick, nanoseconds (standard deviation).
    [[nodiscard]] double wander_ns() const noexcept { return wander_ns_; }
    /// Jitter of one arrival, nanoseconds (standard deviation).
    [[nodiscard]] double jitter_ns() const noexcept { return jitter_ns_; }

private:
    struct Pair {
        double source_ns = 0.0;
        double arrival_ns = 0.0;
    };
    [[nodiscard]] double unevenness(std::size_t distance, double rate) const noexcept;
    void learn() noexcept;

    std::array<Pair, kLag + 1> pairs_{}; // A ring; the newest is at (count_ - 1) modulo its size.
    std::size_t count_ = 0;
    std::size_t short_count_ = 0;
    std::size_t long_count_ = 0;
    double short_square_ = 0.0; // Mean squares of the unevenness over 1 and over kLag ticks.
    double long_square_ = 0.0;
    double gain_ = 1.0;
    double wander_ns_ = 0.0;
    double jitter_ns_ = 0.0;
};

} // namespace glissade
