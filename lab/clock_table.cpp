// SPDX-License-Identifier: MIT
#include "lab/clock_table.h"

#include "glissade/feed/timeline.h"
#include "glissade/trace/metrics.h"

#include "lab/line_fit.h"
#include "lab/recording.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <numbers>

namespace glissade::lab {
namespace {

constexpr const char* kRecordings[] = {"worker-light-free-60", "worker-light-free-144",
                                       "worker-heavy-free-60", "worker-heavy-free-144"};
constexpr std::int64_t kWarmUpNs = 2'000'000'000;

/// Says where a source is at a time of the reader's clock. Virtual, so that the table is a list.
class Estimator {
public:
    Estimator() = default;
    virtual ~Estimator() = default;
    Estimator(const Estimator&) = delete;
    Estimator(Estimator&&) = delete;
    Estimator& operator=(const Estimator&) = delete;
    Estimator& operator=(Estimator&&) = delete;

    virtual void add(const TimePair& arrival) = 0;
    [[nodiscard]] virtual double source_at(std::int64_t time_ns) const = 0;
};

/// Where the newest state would be by now, at real time.
class NewestArrival final : public Estimator {
public:
    void add(const TimePair& arrival) override { newest_ = arrival; }
    [[nodiscard]] double source_at(std::int64_t time_ns) const override {
        return static_cast<double>(newest_.source_ns + time_ns - newest_.time_ns);
    }

private:
    TimePair newest_{};
};

/// The arrival that was least late, at real time.
class LeastLate final : public Estimator {
public:
    void add(const TimePair& arrival) override {
        points_.push_back(arrival);
        while (points_.front().time_ns < arrival.time_ns - kWindowNs) {
            points_.pop_front();
        }
    }
    [[nodiscard]] double source_at(std::int64_t time_ns) const override {
        std::int64_t most = points_.front().source_ns - points_.front().time_ns;
        for (const TimePair& point : points_) {
            most = std::max(most, point.source_ns - point.time_ns);
        }
        return static_cast<double>(time_ns + most);
    }

private:
    static constexpr std::int64_t kWindowNs = 4'000'000'000;
    std::deque<TimePair> points_{};
};

/// A straight line through the last arrivals.
class LeastSquares final : public Estimator {
public:
    void add(const TimePair& arrival) override {
        points_.push_back(arrival);
        while (points_.front().time_ns < arrival.time_ns - kWindowNs) {
            points_.pop_front();
        }
        fit_ = fit_line(points_);
    }
    [[nodiscard]] double source_at(std::int64_t time_ns) const override {
        return fit_.source_at(time_ns);
    }

private:
    static constexpr std::int64_t kWindowNs = 2'000'000'000;
    std::deque<TimePair> points_{};
    LineFit fit_{};
};

/// A delay-locked loop of second order: phase and rate follow every arrival.
class Loop final : public Estimator {
public:
    explicit Loop(double bandwidth_hz) : bandwidth_hz_(bandwidth_hz) {}

    void add(const TimePair& arrival) override {
        if (!started_) {
            started_ = true;
            newest_ = arrival;
            phase_ns_ = static_cast<double>(arrival.source_ns);
            return;
        }
        const auto passed = static_cast<double>(arrival.time_ns - newest_.time_ns);
        const double expected = phase_ns_ + rate_ * passed;
        const double error = static_cast<double>(arrival.source_ns) - expected;
        const double turn =
            2.0 * std::numbers::pi * std::max(bandwidth_hz_, wide_hz(arrival)) * passed * 1e-9;
        phase_ns_ = expected + std::min(std::numbers::sqrt2 * turn, 1.0) * error;
        rate_ += std::min(turn * turn, 1.0) * error / passed;
        newest_ = arrival;
    }
    [[nodiscard]] double source_at(std::int64_t time_ns) const override {
        return phase_ns_ + rate_ * static_cast<double>(time_ns - newest_.time_ns);
    }

private:
    // 2 Hz in the first second.
    [[nodiscard]] double wide_hz(const TimePair& arrival) {
        first_ns_ = first_ns_ == 0 ? arrival.time_ns : first_ns_;
        return arrival.time_ns - first_ns_ < 1'000'000'000 ? 2.0 : 0.0;
    }

    double bandwidth_hz_;
    bool started_ = false;
    TimePair newest_{};
    std::int64_t first_ns_ = 0;
    double phase_ns_ = 0.0;
    double rate_ = 1.0;
};

/// The library's.
class Ours final : public Estimator {
public:
    void add(const TimePair& arrival) override {
        clock_.add({.source_ns = arrival.source_ns, .arrival_ns = arrival.time_ns});
    }
    [[nodiscard]] double source_at(std::int64_t time_ns) const override {
        return static_cast<double>(clock_.source_at(time_ns));
    }

private:
    SourceClock clock_{};
};

/// The sample time of each frame, by whatever made them.
using Samples = std::vector<std::optional<std::int64_t>>;

DelayConfig quantile_delay() {
    DelayConfig config = DelayConfig::free_running();
    config.deviations = 0.0;
    config.window_ns = 4'000'000'000;
    return config;
}

// Tells the tick to both: how late it is by what was known before it.
void take(const Trace& trace, std::size_t number, Estimator& estimator, Delay& delay) {
    const TraceTick& tick = trace.ticks[number];
    if (number > 0) {
        const double late = estimator.source_at(tick.arrive_ns) - static_cast<double>(tick.sim_ns);
        delay.add({.arrival_ns = tick.arrive_ns,
                   .lateness_ns = std::llround(late),
                   .tick_ns = tick.sim_ns - trace.ticks[number - 1].sim_ns});
    }
    estimator.add({tick.arrive_ns, tick.sim_ns});
}

Samples play(const Trace& trace, Estimator& estimator) {
    Delay delay(quantile_delay());
    Samples samples(trace.frames.size());
    std::size_t next = 0;
    std::optional<std::int64_t> last_present_ns;
    std::optional<std::int64_t> last_sample_ns;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        for (; next < trace.ticks_before[i]; ++next) {
            take(trace, next, estimator, delay);
        }
        if (next < 2) {
            continue;
        }
        const std::int64_t present_ns = *trace.frames[i].present_ns;
        delay.advance_by(present_ns - last_present_ns.value_or(present_ns), 1.0);
        last_present_ns = present_ns;
        const std::int64_t wanted =
            std::llround(estimator.source_at(present_ns)) - delay.delay_ns();
        last_sample_ns = std::max(wanted, last_sample_ns.value_or(wanted));
        samples[i] = last_sample_ns;
    }
    return samples;
}

Samples play_timeline(const Trace& trace) {
    Timeline timeline;
    Samples samples;
    std::size_t next = 0;
    for (std::size_t i = 0; i < trace.frames.size(); ++i) {
        for (; next < trace.ticks_before[i]; ++next) {
            timeline.add(
                {.source_ns = trace.ticks[next].sim_ns, .arrival_ns = trace.ticks[next].arrive_ns});
        }
        const TraceFrame& frame = trace.frames[i];
        const std::optional<SampleTime> sample = timeline.frame(frame.cpu_ns, frame.present_ns);
        samples.emplace_back(sample ? std::optional(sample->time_ns) : std::nullopt);
    }
    return samples;
}

ClockFigure judge(const Trace& trace, const Samples& samples, const std::string& recording) {
    std::vector<TimePair> arrivals;
    for (const TraceTick& tick : trace.ticks) {
        arrivals.push_back({tick.arrive_ns, tick.sim_ns});
    }
    const double mean_rate = fit_line(arrivals).rate;
    std::vector<ShownFrame> shown;
    double lag_ms = 0.0;
    double underruns = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const TraceFrame& frame = trace.frames[i];
        if (!samples[i] || frame.cpu_ns < trace.frames.front().cpu_ns + kWarmUpNs) {
            continue;
        }
        const TimePair& newest = arrivals[trace.ticks_before[i] - 1];
        const auto since = static_cast<double>(frame.cpu_ns - newest.time_ns);
        shown.push_back({.present_ns = *frame.present_ns, .shown_ns = *samples[i]});
        lag_ms += 1e-6 * (static_cast<double>(newest.source_ns - *samples[i]) + mean_rate * since);
        underruns += *samples[i] > newest.source_ns ? 1.0 : 0.0;
    }
    const auto count = static_cast<double>(shown.size());
    return {.recording = recording,
            .rate_rms = compute_rate_metrics(shown).rate_rms,
            .lag_ms = lag_ms / count,
            .underrun_percent = 100.0 * underruns / count};
}

struct Candidate {
    const char* name;
    std::function<std::unique_ptr<Estimator>()> make;
};

std::vector<Candidate> candidates() {
    return {{"newest arrival", [] { return std::make_unique<NewestArrival>(); }},
            {"least late of 4 s", [] { return std::make_unique<LeastLate>(); }},
            {"least squares, 2 s", [] { return std::make_unique<LeastSquares>(); }},
            {"loop of 0.5 Hz", [] { return std::make_unique<Loop>(0.5); }},
            {"loop of 1 Hz", [] { return std::make_unique<Loop>(1.0); }},
            {"loop of 2 Hz", [] { return std::make_unique<Loop>(2.0); }},
            {"SourceClock, 99.5 %", [] { return std::make_unique<Ours>(); }}};
}

} // namespace

std::vector<ClockRow> compute_clock_table() {
    std::vector<ClockRow> rows;
    for (const Candidate& candidate : candidates()) {
        rows.push_back({candidate.name, {}});
    }
    rows.push_back({"playout", {}});
    for (const char* const name : kRecordings) {
        const Trace trace = make_recorded_trace(name).value_or(Trace{});
        std::size_t row = 0;
        for (const Candidate& candidate : candidates()) {
            const std::unique_ptr<Estimator> estimator = candidate.make();
            rows[row++].figures.push_back(judge(trace, play(trace, *estimator), name));
        }
        rows[row].figures.push_back(judge(trace, play_timeline(trace), name));
    }
    return rows;
}

} // namespace glissade::lab
