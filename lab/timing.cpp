// SPDX-License-Identifier: MIT
#include "lab/timing.h"

#include "lab/random.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glissade::lab {
namespace {

// Streams of one seed.
constexpr std::uint64_t kTickStream = 1;
constexpr std::uint64_t kFrameStream = 2;

constexpr double kWakeLatenessMaxNs = 8e6;
constexpr double kCallbackLatencyMaxNs = 3e6;
constexpr double kMissProbability = 1.0 / 20.0;
// A timer that is re-armed after each tick's work: 1.6 % long, with noise and, now and then, a
// hiccup.
constexpr double kFreeStretch = 1.016;
constexpr double kFreeNoise = 0.02;
constexpr double kHiccupProbability = 1.0 / 50.0;
constexpr double kHiccupNs = 6e6;
// A variable display: how far the length of a frame moves at a time.
constexpr double kShortestFrameNs = 1e9 / 144.0;
constexpr double kLongestFrameNs = 1e9 / 60.0;
constexpr double kFrameWalkNs = 1e6;

std::int64_t to_ns(double value_ns) {
    return static_cast<std::int64_t>(std::llround(value_ns));
}

bool is_scheduled(TickSeries series) {
    return series != TickSeries::Free && series != TickSeries::RecordedFree;
}

// What a recording says of its ticks, of each in turn.
std::vector<double> read_tick_series(const TimingPlan& plan) {
    std::vector<double> series;
    const std::optional<RecordedTiming> timing = find_timing(plan.recording);
    if (!timing) {
        return series;
    }
    if (plan.ticks == TickSeries::RecordedLate) {
        for (const TickTime& tick : timing->ticks) {
            const std::int64_t due_ns = tick.due_ns.value_or(tick.arrive_ns);
            series.push_back(static_cast<double>(tick.arrive_ns - due_ns));
        }
        return series;
    }
    const double nominal_ns = 1e9 * timing->rate.period_s();
    for (std::size_t i = 1; i < timing->ticks.size(); ++i) {
        const std::int64_t interval_ns =
            timing->ticks[i].arrive_ns - timing->ticks[i - 1].arrive_ns;
        series.push_back(static_cast<double>(interval_ns) / nominal_ns);
    }
    return series;
}

/// Draws, tick after tick, how late it comes or how long its interval is.
class TickSource {
public:
    explicit TickSource(const TimingPlan& plan)
        : series_(plan.ticks), random_(plan.seed, kTickStream), recorded_(read_tick_series(plan)) {}

    double take_lateness_ns() {
        switch (series_) {
            case TickSeries::Late:
                return random_.between(0.0, kWakeLatenessMaxNs);
            case TickSeries::RecordedLate:
                return take_recorded(0.0);
            default:
                return 0.0;
        }
    }

    double take_interval_ns(double nominal_ns) {
        if (series_ == TickSeries::RecordedFree) {
            return nominal_ns * take_recorded(1.0);
        }
        const double noise = random_.between(-kFreeNoise, kFreeNoise);
        const double hiccup_ns = random_.chance(kHiccupProbability) ? kHiccupNs : 0.0;
        return nominal_ns * (kFreeStretch + noise) + hiccup_ns;
    }

private:
    double take_recorded(double otherwise) {
        return recorded_.empty() ? otherwise : recorded_[next_++ % recorded_.size()];
    }

    TickSeries series_;
    Random random_;
    std::vector<double> recorded_;
    std::size_t next_ = 0;
};

/// Collects frames until a time.
class FrameList {
public:
    explicit FrameList(std::int64_t end_ns) : end_ns_(end_ns) {}

    /// False if that frame lies beyond the end.
    bool add(std::int64_t present_ns, std::int64_t latency_ns) {
        // The next frame's code cannot begin before this one's.
        const std::int64_t cpu_ns =
            frames_.empty() ? present_ns + latency_ns
                            : std::max(present_ns + latency_ns, frames_.back().cpu_ns + 1);
        if (cpu_ns > end_ns_) {
            return false;
        }
        frames_.push_back({.frame = static_cast<std::int64_t>(frames_.size()),
                           .cpu_ns = cpu_ns,
                           .present_ns = present_ns});
        return true;
    }

    [[nodiscard]] std::vector<TraceFrame> take() { return std::move(frames_); }

private:
    std::int64_t end_ns_;
    std::vector<TraceFrame> frames_;
};

void add_steady_frames(const TimingPlan& plan, Random& random, FrameList& list) {
    const double latency_max_ns =
        plan.frames == FrameSeries::Jittered ? kCallbackLatencyMaxNs : 0.0;
    const double miss_probability = plan.frames == FrameSeries::Missed ? kMissProbability : 0.0;
    std::int64_t refresh = 0;
    while (true) {
        const std::int64_t latency_ns = to_ns(random.between(0.0, latency_max_ns));
        if (!list.add(to_ns(static_cast<double>(refresh) * 1e9 / plan.display_hz), latency_ns)) {
            return;
        }
        refresh += random.chance(miss_probability) ? 2 : 1;
    }
}

void add_variable_frames(Random& random, FrameList& list) {
    double length_ns = (kShortestFrameNs + kLongestFrameNs) / 2.0;
    double present_ns = 0.0;
    while (list.add(to_ns(present_ns), 0)) {
        length_ns += random.between(-kFrameWalkNs, kFrameWalkNs);
        length_ns = std::clamp(length_ns, kShortestFrameNs, kLongestFrameNs);
        present_ns += length_ns;
    }
}

void add_recorded_frames(const TimingPlan& plan, FrameList& list) {
    const std::optional<RecordedTiming> timing = find_timing(plan.recording);
    if (!timing || timing->frames.size() < 2) {
        return;
    }
    const auto present_of = [](const TraceFrame& frame) {
        return frame.present_ns.value_or(frame.cpu_ns);
    };
    // The last frame of a round is as long as the one before it.
    const std::vector<TraceFrame>& frames = timing->frames;
    const std::int64_t last_ns = present_of(frames.back());
    const std::int64_t round_ns =
        2 * last_ns - present_of(frames[frames.size() - 2]) - present_of(frames.front());
    std::int64_t offset_ns = 0;
    for (std::size_t i = 0;; ++i) {
        const TraceFrame& frame = frames[i % frames.size()];
        offset_ns += i > 0 && i % frames.size() == 0 ? round_ns : 0;
        const std::int64_t present_ns = present_of(frame);
        if (!list.add(present_ns + offset_ns, frame.cpu_ns - present_ns)) {
            return;
        }
    }
}

} // namespace

std::vector<TickTime> make_tick_times(const TimingPlan& plan,
                                      std::span<const std::int64_t> schedule_ns) {
    TickSource source(plan);
    std::vector<TickTime> times;
    times.reserve(schedule_ns.size());
    double free_ns = 0.0; // Kept as a double, so that rounding does not add up.
    for (std::size_t i = 0; i < schedule_ns.size(); ++i) {
        const std::int64_t earliest_ns = i == 0 ? schedule_ns[0] : times.back().arrive_ns;
        if (is_scheduled(plan.ticks)) {
            const std::int64_t arrive_ns = schedule_ns[i] + to_ns(source.take_lateness_ns());
            times.push_back({std::max(arrive_ns, earliest_ns), schedule_ns[i]});
            continue;
        }
        free_ns +=
            i == 0
                ? static_cast<double>(schedule_ns[0])
                : source.take_interval_ns(static_cast<double>(schedule_ns[i] - schedule_ns[i - 1]));
        times.push_back({std::max(to_ns(free_ns), earliest_ns), std::nullopt});
    }
    return times;
}

std::vector<TraceFrame> make_frames(const TimingPlan& plan, std::int64_t end_ns) {
    FrameList list(end_ns);
    Random random(plan.seed, kFrameStream);
    switch (plan.frames) {
        case FrameSeries::Variable:
            add_variable_frames(random, list);
            break;
        case FrameSeries::Recorded:
            add_recorded_frames(plan, list);
            break;
        default:
            add_steady_frames(plan, random, list);
            break;
    }
    return list.take();
}

} // namespace glissade::lab
