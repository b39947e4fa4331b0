// SPDX-License-Identifier: MIT
// A source, a display and a Timeline between them, for tests: what was shown when.
#pragma once

#include "glissade/feed/timeline.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace glissade::testing {

inline constexpr std::int64_t kMs = 1'000'000;
inline constexpr std::int64_t kSecond = 1'000 * kMs;
inline constexpr std::int64_t kTick60Ns = 16'666'667;

/// One frame: what the display and the program's clock say.
struct FrameTimes {
    std::int64_t cpu_ns = 0;
    std::int64_t present_ns = 0;
};

/// What was shown of it.
struct Shown {
    std::int64_t present_ns = 0;
    std::int64_t sample_ns = 0;
    std::int64_t newest_ns = 0; ///< The newest state that could be read.
    std::int64_t delay_ns = 0;
};

/// A run of frames.
struct Picture {
    std::vector<Shown> frames{};
    TimelineReport report{};

    /// Source time per present time of every step that ends in [from_ns, to_ns) of present time.
    [[nodiscard]] std::vector<double> rates(std::int64_t from_ns, std::int64_t to_ns) const;
    /// RMS of rate / `rate` - 1 over the same steps.
    [[nodiscard]] double rate_error(std::int64_t from_ns, std::int64_t to_ns,
                                    double rate = 1.0) const;
    [[nodiscard]] double lowest_rate(std::int64_t from_ns, std::int64_t to_ns) const;
    [[nodiscard]] double highest_rate(std::int64_t from_ns, std::int64_t to_ns) const;
    /// Steps back in the whole run.
    [[nodiscard]] std::size_t backward_count() const;
    /// Frames that showed what the one before showed.
    [[nodiscard]] std::size_t held_count(std::int64_t from_ns, std::int64_t to_ns) const;
    /// Of them, those in which a later state was there to be shown.
    [[nodiscard]] std::size_t needlessly_held_count(std::int64_t from_ns, std::int64_t to_ns) const;
    /// Frames that showed a time after the newest state.
    [[nodiscard]] std::size_t underrun_count(std::int64_t from_ns, std::int64_t to_ns) const;
    /// How far behind the newest state it is, mean.
    [[nodiscard]] double mean_behind_ms(std::int64_t from_ns, std::int64_t to_ns) const;
};

/// Lateness of the state with the given number, nanoseconds.
using Lateness = std::function<std::int64_t(std::int64_t)>;
[[nodiscard]] Lateness on_time();
/// Evenly spread over [0, most_ns), always the same for the same seed.
[[nodiscard]] Lateness uniform_lateness(std::int64_t most_ns, std::uint64_t seed);

/// A source on a schedule: state k is true at k * tick_ns, due then (plus `origin_ns` on the
/// reader's clock) and late by `lateness`. Arrivals keep their order.
[[nodiscard]] std::vector<Arrival> make_scheduled(std::int64_t duration_ns, std::int64_t tick_ns,
                                                  const Lateness& lateness,
                                                  std::int64_t origin_ns = 0);
/// The same states without their due times.
[[nodiscard]] std::vector<Arrival> without_due(std::vector<Arrival> arrivals);
/// A source that starts its timer after its work: state k arrives `interval(k)` after the one
/// before.
[[nodiscard]] std::vector<Arrival> make_free(std::int64_t duration_ns, std::int64_t tick_ns,
                                             const Lateness& interval);
/// What would arrive in (from_ns, to_ns] of the reader's clock arrives at its end.
void stall(std::vector<Arrival>& arrivals, std::int64_t from_ns, std::int64_t to_ns);
/// Everything after `from_ns` of the reader's clock happens that much later.
void postpone(std::vector<Arrival>& arrivals, std::int64_t from_ns, std::int64_t by_ns);

/// Frames of a steady display, `latency(k)` after each refresh in their code.
[[nodiscard]] std::vector<FrameTimes> make_frames(std::int64_t duration_ns, double refresh_hz,
                                                  const Lateness& latency = on_time());

/// Plays the arrivals to the frames. Without stamps the frames have their CPU times only.
[[nodiscard]] Picture play(const std::vector<Arrival>& arrivals,
                           const std::vector<FrameTimes>& frames, const TimelineConfig& config = {},
                           bool with_stamps = true);

} // namespace glissade::testing
