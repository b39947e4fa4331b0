// SPDX-License-Identifier: MIT
#include "glissade/time/arrival_noise.h"

#include <algorithm>
#include <cmath>

namespace glissade {

namespace {

// Ticks over which a mean square forgets: 4 s at 60 Hz, enough for the unevenness over kLag ticks
// to be known to a third.
constexpr std::size_t kMemory = 240;
// No source is free of wander: clocks drift. So small that the gain below it hardly changes.
constexpr double kLeastWander = 1e-6;

void average(double& mean, std::size_t& count, double value) noexcept {
    count = std::min(count + 1, kMemory);
    mean += (value - mean) / static_cast<double>(count);
}

} // namespace

void ArrivalNoise::add(double source_ns, double arrival_ns, double rate) noexcept {
    pairs_[count_ % pairs_.size()] = {source_ns, arrival_ns};
    ++count_;
    if (count_ > 1) {
        const double error = unevenness(1, rate);
        average(short_square_, short_count_, error * error);
    }
    if (count_ > kLag) {
        const double error = unevenness(kLag, rate);
        average(long_square_, long_count_, error * error);
    }
    learn();
}

// How far the source's time ran from where the rate would have it, over the last `distance` ticks.
double ArrivalNoise::unevenness(std::size_t distance, double rate) const noexcept {
    const Pair& newest = pairs_[(count_ - 1) % pairs_.size()];
    const Pair& before = pairs_[(count_ - 1 - distance) % pairs_.size()];
    return (newest.source_ns - before.source_ns) - rate * (newest.arrival_ns - before.arrival_ns);
}

// Over n ticks the mean square is n * wander^2 + 2 * jitter^2.
void ArrivalNoise::learn() noexcept {
    if (long_count_ < kLag) {
        wander_ns_ = std::sqrt(short_square_); // The careful guess: whoever follows is never lost.
        return;
    }
    const double per_tick = (long_square_ - short_square_) / static_cast<double>(kLag - 1);
    const double wander = std::clamp(per_tick, kLeastWander * short_square_, short_square_);
    const double jitter = (short_square_ - wander) / 2.0;
    wander_ns_ = std::sqrt(wander);
    jitter_ns_ = std::sqrt(jitter);
    // The steady state of a Kalman filter that tracks a level: its variance before an arrival.
    const double variance = (wander + std::sqrt(wander * wander + 4.0 * wander * jitter)) / 2.0;
    gain_ = variance > 0.0 ? variance / (variance + jitter) : 1.0;
}

} // namespace glissade
