// SPDX-License-Identifier: MIT
// Finds the steady refresh of a display in the times at which frames began.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace glissade {

/// A time on the grid of a RefreshFit.
struct RefreshPoint {
    std::int64_t ordinal = 0; ///< Which refresh. Counts on through refits, not through locks.
    double phase = 0.0;       ///< How late the frame is for it, in periods. From -early() upwards.
};

/// Fits `time = edge + period * ordinal` to frames that begin late by varying amounts, and that
/// may leave refreshes out: the estimator inside a FrameClock.
///
/// Thread safety: one thread at a time. Allocates: never. Cost: about 1 microsecond a frame while
/// locked, 10 while not; all of it in some of the frames, which pay 15 and 200.
class RefreshFit {
public:
    /// The next frame. May lock, correct the line, or give it up. `cpu_ns` must not run backwards
    /// and must lie within +-kMaxTimeNs.
    void add(std::int64_t cpu_ns) noexcept;

    /// Forgets every frame, and the lock.
    void clear() noexcept;

    /// Gives up the lock and starts the search in the latest frames alone: what was true of the
    /// display before is no longer.
    void drop() noexcept;

    [[nodiscard]] bool is_locked() const noexcept { return locked_; }
    /// Counts the locks: a new one has new ordinals.
    [[nodiscard]] std::uint32_t lock_count() const noexcept { return lock_count_; }
    [[nodiscard]] double period_ns() const noexcept { return period_ns_; } ///< 0 if never locked.
    /// How much of the phases points one way: 1 is a display without any noise, 0 none at all.
    [[nodiscard]] double concentration() const noexcept { return concentration_; }

    /// The refresh that a frame at `cpu_ns` belongs to. Only while locked.
    [[nodiscard]] RefreshPoint locate(std::int64_t cpu_ns) const noexcept;
    /// From `from_ns` to the time of the refresh `ordinal`. Only while locked.
    [[nodiscard]] double distance_ns(std::int64_t from_ns, std::int64_t ordinal) const noexcept;
    /// By how much of a period a frame may come before the edge of its refresh.
    [[nodiscard]] double early() const noexcept { return early_; }

private:
    static constexpr std::size_t kRecentCount = 256;
    static constexpr std::size_t kLowCount = 32;

    // The frame of a block that was least late.
    struct Low {
        std::int64_t ordinal = 0;
        std::int64_t cpu_ns = 0;
        double late_ns = 0.0;
    };
    // How a period fits a stretch of frames.
    struct Candidate {
        double period_ns = 0.0;
        double concentration = 0.0;
        double direction = 0.0; // Of the phases' mean, in periods from the newest frame.
    };

    [[nodiscard]] std::int64_t recent(std::size_t age) const noexcept;
    void follow(std::int64_t cpu_ns) noexcept;
    void search() noexcept;
    [[nodiscard]] bool try_lock(const Candidate& candidate, std::size_t frame_count) noexcept;
    [[nodiscard]] Candidate find_period(std::size_t frame_count) const noexcept;
    [[nodiscard]] double usual_interval_ns(std::size_t frame_count) const noexcept;
    [[nodiscard]] Candidate best_near(double period_ns, std::size_t frame_count,
                                      std::size_t half_count) const noexcept;
    [[nodiscard]] bool split(std::size_t frame_count) noexcept;
    void draw_line(const Candidate& candidate, std::size_t frame_count) noexcept;
    void take_into_block(std::int64_t cpu_ns) noexcept;
    void close_block() noexcept;
    [[nodiscard]] double median_slope_ns() const noexcept;
    void fit_line() noexcept;
    void measure_early() noexcept;
    void check_line() noexcept;
    [[nodiscard]] bool wanders(std::size_t count, double ratio) const noexcept;

    std::array<std::int64_t, kRecentCount> recent_ns_{}; // A ring.
    std::size_t recent_count_ = 0;
    std::uint64_t frame_count_ = 0;

    bool locked_ = false;
    std::size_t doubt_ = 0;        // Locks given up since one lasted,
    std::uint64_t drop_frame_ = 0; // the last of them after so many frames.
    // The line: refresh base_ordinal_ is at base_ns_ + base_part_.
    double period_ns_ = 0.0;
    std::int64_t base_ordinal_ = 0;
    std::int64_t base_ns_ = 0;
    double base_part_ = 0.0;
    double early_ = 0.0;
    double concentration_ = 0.0;
    std::uint32_t lock_count_ = 0;
    std::uint64_t lock_frame_ = 0;
    std::size_t check_count_ = 0; // Of frames that a check for wandering looks at.

    std::array<Low, kLowCount> lows_{}; // A ring.
    std::size_t low_count_ = 0;
    std::size_t low_next_ = 0;
    Low block_low_;
    std::int64_t block_start_ns_ = 0;
    std::size_t block_frame_count_ = 0;
};

} // namespace glissade
