// SPDX-License-Identifier: MIT
// Maps the reader's clock to the timeline of a source that runs elsewhere.
#pragma once

#include "glissade/time/arrival_noise.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace glissade {

/// One state as it reached the reader. Nanoseconds.
struct Arrival {
    std::int64_t source_ns = 0;  ///< When the state is true, on the source's timeline.
    std::int64_t arrival_ns = 0; ///< When it could first be read, reader's clock.
    /// When its tick was scheduled, reader's clock, if the source keeps a schedule (TickPacer).
    std::optional<std::int64_t> due_ns{};
    /// Source time per real time from this state on, 0 to TimeGroup::kMaxScale. Below 1e-6 it
    /// stands.
    double time_scale = 1.0;
    /// Source time stands from this state on. May be told by the same state again; the end of a
    /// pause is told by the first state after it.
    bool paused = false;
    std::uint32_t epoch = 0; ///< Changes when the source lost or reset time.
};

/// What a SourceClock made of an arrival.
enum class ArrivalStatus : std::uint8_t {
    Ok,
    Started,   ///< The first one.
    Adjusted,  ///< The source declared a pause, its end or another time scale.
    Relocked,  ///< The source lost time: the map was made anew, counted.
    Restarted, ///< A new epoch that begins earlier: everything before it is void, counted.
    Stale,     ///< Refused: not newer than the newest one, of the same epoch.
    Absurd,    ///< Refused: a time beyond +-2^61 ns, a scale out of range.
};
[[nodiscard]] const char* to_string(ArrivalStatus status) noexcept;

/// The answer of SourceClock::add().
struct ArrivalResult {
    ArrivalStatus status = ArrivalStatus::Ok;
    /// How far source_at() jumped, which the picture must not: Playout::absorb() it. 0 if Ok.
    std::int64_t step_ns = 0;
    /// How much later than its time the state arrived, real time; negative: earlier. Empty where
    /// it says nothing: at the start, after a gap, in a pause.
    std::optional<std::int64_t> lateness_ns{};
};

/// Says where a source is on its timeline at any moment of the reader's clock.
///
/// With a schedule (`due_ns`) the map is exact: late arrivals do not touch it. Without one, rate
/// and phase are recovered: a Kalman gain tells lateness from wander (ArrivalNoise), and a
/// first-order loop with a time constant of 1/7 s turns what is believed into a speed, never into a
/// step. The rate is the slope over the last 8 s, so a source at 0.785 of real time comes out as
/// even motion at 0.785. A gap above 250 ms, an error above 100 ms (or 6 ticks) or a new epoch make
/// the map anew.
/// Thread safety: one thread at a time; const calls may run side by side. Allocates: never. Cost:
/// constant.
class SourceClock {
public:
    /// Takes an arrival in, in the order in which they came.
    ArrivalResult add(const Arrival& arrival) noexcept;

    /// The source's time at `time_ns` of the reader's clock; 0 before the first arrival. Meant for
    /// times from the newest arrival on, or shortly before it.
    [[nodiscard]] std::int64_t source_at(std::int64_t time_ns) const noexcept;
    /// Source time per real time at present: the declared scale times the recovered rate.
    [[nodiscard]] double rate() const noexcept;
    /// How much the lateness of a source without a schedule is expected to vary (standard
    /// deviation, real time), by what was learnt of it; 0 with a schedule.
    [[nodiscard]] double lateness_deviation_ns() const noexcept;
    /// True if the newest state had a due time.
    [[nodiscard]] bool scheduled() const noexcept { return newest_ && newest_->due_ns; }
    [[nodiscard]] const std::optional<Arrival>& newest() const noexcept { return newest_; }
    /// Source time between the last two states; 0 while unknown.
    [[nodiscard]] std::int64_t tick_ns() const noexcept { return tick_ns_; }
    /// How often the map was made anew: Relocked and Restarted.
    [[nodiscard]] std::uint64_t relock_count() const noexcept { return relock_count_; }
    /// What was learnt of the arrivals of a source without a schedule.
    [[nodiscard]] const ArrivalNoise& noise() const noexcept { return noise_; }

private:
    struct Mark {
        std::int64_t arrival_ns = 0;
        double level_ns = 0.0;
    };

    [[nodiscard]] ArrivalStatus classify(const Arrival& arrival) const noexcept;
    [[nodiscard]] bool schedule_moved(const Arrival& arrival) const noexcept;
    [[nodiscard]] bool lost_track(const Arrival& arrival) const noexcept;
    [[nodiscard]] double free_since_newest(double elapsed_ns) const noexcept;
    void follow(const Arrival& arrival) noexcept;
    void anchor(const Arrival& arrival) noexcept;
    void learn_rate(std::int64_t arrival_ns) noexcept;

    static constexpr std::size_t kMarkCount = 64;

    std::optional<Arrival> newest_{};
    std::int64_t tick_ns_ = 0; // Between the last two states, source time.
    // Without a schedule, at the newest arrival, as if the time scale were 1 throughout:
    double level_ns_ = 0.0;    // where the source is believed to be, since the first arrival;
    double believed_ns_ = 0.0; // how far that is beyond the newest state's own time;
    double ahead_ns_ = 0.0;    // how far it lies ahead of source_at().
    double rate_ = 1.0;
    ArrivalNoise noise_{};
    std::array<Mark, kMarkCount> marks_{}; // A ring of levels, for their slope.
    std::size_t mark_count_ = 0;
    std::uint64_t relock_count_ = 0;
};

} // namespace glissade
