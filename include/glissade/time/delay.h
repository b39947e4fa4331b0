// SPDX-License-Identifier: MIT
// How far behind its source a picture has to be, so that the next state is there when it is needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace glissade {

/// How a Delay behaves: by the kind of source.
struct DelayConfig {
    double quantile = 0.995;                ///< Of the states that are to be in time, (0, 1].
    std::int64_t window_ns = 8'000'000'000; ///< Of the past that counts; at most 512 states.
    /// 0: the lateness that came is covered by the quantile. Above 0: that many deviations of the
    /// lateness that the source clock expects.
    double deviations = 0.0;
    /// At most, of the time that passes. More than 40 ms too little are made up for in a second, at
    /// up to 25 %: then it is no longer a question of being seen.
    double growth = 0.02;
    double shrinking = 0.005; ///< At most, of the time that passes.
    /// Growth slows down where less is missing than it would gain in this time. > 0.
    std::int64_t ease_ns = 300'000'000;
    std::int64_t dead_band_ns = 1'500'000;  ///< Shrinks only if there is that much too much.
    std::optional<std::int64_t> fixed_ns{}; ///< This delay, whatever happens. >= 0.

    /// For a source that keeps a schedule: the rate stays within [0.98, 1.005], see `growth`.
    [[nodiscard]] static DelayConfig scheduled() noexcept { return {}; }
    /// For one that runs freely: [0.96, 1.01]. Its lateness is wander, which moves slowly; the
    /// worst of the last seconds says little of the next ones, the deviation does.
    [[nodiscard]] static DelayConfig free_running() noexcept;
};

/// One state, as a Delay sees it.
struct DelaySample {
    std::int64_t arrival_ns = 0;  ///< Reader's clock.
    std::int64_t lateness_ns = 0; ///< After its time, real time.
    /// Source time since the state before it, > 0. Above 1000 s it is left out: not motion.
    std::int64_t tick_ns = 0;
    double rate = 1.0;         ///< Source time per real time.
    double deviation_ns = 0.0; ///< Of the lateness, as expected; real time.
};

/// Chooses the delay of a picture from how late states come.
///
/// A state of length h that comes `lateness` after its time is in time for a picture that is
/// h + lateness behind. The delay covers a high quantile of that (or a number of deviations), plus
/// 0.5 ms, and moves so slowly that no eye sees a change of speed. It starts at the largest need of
/// the first half second, at least h + 4 ms. One late state alone never moves it, and a stall
/// (lateness above 100 ms or 6 ticks, and what is late in its wake, for half a second) does not
/// count: waiting once is cheaper than seconds of latency.
/// Thread safety: one thread at a time. Allocates: never. Cost: linear in the states of the window
/// for add(), constant for the rest.
class Delay {
public:
    explicit Delay(const DelayConfig& config = {}) noexcept;
    /// Another behaviour from now on; the delay itself goes on from where it is.
    void configure(const DelayConfig& config) noexcept;

    void add(const DelaySample& sample) noexcept;
    /// Lets `elapsed_ns` of real time pass at `rate`. Negative counts as 0.
    void advance_by(std::int64_t elapsed_ns, double rate) noexcept;

    /// How far behind the source's present to show, source time. 0 before the first state.
    [[nodiscard]] std::int64_t delay_ns() const noexcept;
    /// Where it is heading.
    [[nodiscard]] std::int64_t target_ns() const noexcept;
    /// The lateness (real time) that `fraction` of the states in the window do not exceed; 0 if
    /// there are none. Linear in their number.
    [[nodiscard]] std::int64_t lateness_quantile_ns(double fraction) const noexcept;
    /// Stalls so far.
    [[nodiscard]] std::uint64_t stall_count() const noexcept { return stall_count_; }

private:
    static constexpr std::size_t kCapacity = 512;
    struct Need {
        std::int64_t arrival_ns = 0;
        std::int64_t lateness_ns = 0;
        std::int64_t need_ns = 0; // Source time.
    };

    [[nodiscard]] bool is_stall(const DelaySample& sample) noexcept;
    [[nodiscard]] std::int64_t quantile(double fraction, std::int64_t Need::*field) const noexcept;
    void choose_target(const DelaySample& sample) noexcept;

    DelayConfig config_;
    std::array<Need, kCapacity> needs_{}; // A ring, oldest at first_.
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    std::optional<std::int64_t> started_ns_{};
    double delay_ns_ = 0.0;
    double target_ns_ = 0.0;
    bool shown_ = false;
    bool shrinking_ = false;
    std::optional<std::int64_t> stalled_ns_{}; // Since when.
    std::uint64_t stall_count_ = 0;
};

} // namespace glissade
