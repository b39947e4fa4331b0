// SPDX-License-Identifier: MIT
#include "feed/timeline_world.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace glissade::testing {

std::vector<double> Picture::rates(std::int64_t from_ns, std::int64_t to_ns) const {
    std::vector<double> result;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        const Shown& before = frames[i - 1];
        const Shown& shown = frames[i];
        if (shown.present_ns >= from_ns && shown.present_ns < to_ns &&
            shown.present_ns > before.present_ns) {
            result.push_back(static_cast<double>(shown.sample_ns - before.sample_ns) /
                             static_cast<double>(shown.present_ns - before.present_ns));
        }
    }
    return result;
}

double Picture::rate_error(std::int64_t from_ns, std::int64_t to_ns, double rate) const {
    const std::vector<double> all = rates(from_ns, to_ns);
    double square = 0.0;
    for (const double one : all) {
        square += (one / rate - 1.0) * (one / rate - 1.0);
    }
    return all.empty() ? INFINITY : std::sqrt(square / static_cast<double>(all.size()));
}

double Picture::lowest_rate(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::vector<double> all = rates(from_ns, to_ns);
    return all.empty() ? NAN : *std::min_element(all.begin(), all.end());
}

double Picture::highest_rate(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::vector<double> all = rates(from_ns, to_ns);
    return all.empty() ? NAN : *std::max_element(all.begin(), all.end());
}

std::size_t Picture::backward_count() const {
    std::size_t count = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        count += frames[i].sample_ns < frames[i - 1].sample_ns ? 1U : 0U;
    }
    return count;
}

std::size_t Picture::held_count(std::int64_t from_ns, std::int64_t to_ns) const {
    const std::vector<double> all = rates(from_ns, to_ns);
    return static_cast<std::size_t>(std::count(all.begin(), all.end(), 0.0));
}

std::size_t Picture::needlessly_held_count(std::int64_t from_ns, std::int64_t to_ns) const {
    std::size_t count = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        const Shown& shown = frames[i];
        const bool inside = shown.present_ns >= from_ns && shown.present_ns < to_ns;
        const bool held = shown.sample_ns == frames[i - 1].sample_ns;
        count += inside && held && shown.sample_ns < shown.newest_ns ? 1U : 0U;
    }
    return count;
}

std::size_t Picture::underrun_count(std::int64_t from_ns, std::int64_t to_ns) const {
    return static_cast<std::size_t>(
        std::count_if(frames.begin(), frames.end(), [&](const Shown& shown) {
            const bool inside = shown.present_ns >= from_ns && shown.present_ns < to_ns;
            return inside && shown.sample_ns > shown.newest_ns;
        }));
}

double Picture::mean_behind_ms(std::int64_t from_ns, std::int64_t to_ns) const {
    double sum = 0.0;
    double count = 0.0;
    for (const Shown& shown : frames) {
        if (shown.present_ns >= from_ns && shown.present_ns < to_ns) {
            sum += static_cast<double>(shown.newest_ns - shown.sample_ns) * 1e-6;
            count += 1.0;
        }
    }
    return sum / count;
}

Lateness on_time() {
    return [](std::int64_t) { return std::int64_t{0}; };
}

Lateness uniform_lateness(std::int64_t most_ns, std::uint64_t seed) {
    return [most_ns, seed](std::int64_t number) {
        std::mt19937_64 random(seed + static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15U);
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most_ns));
    };
}

std::vector<Arrival> make_scheduled(std::int64_t duration_ns, std::int64_t tick_ns,
                                    const Lateness& lateness, std::int64_t origin_ns) {
    std::vector<Arrival> arrivals;
    std::int64_t last_ns = origin_ns;
    for (std::int64_t k = 1; k * tick_ns <= duration_ns; ++k) {
        const std::int64_t due_ns = origin_ns + k * tick_ns;
        last_ns = std::max(last_ns, due_ns + lateness(k));
        arrivals.push_back({.source_ns = k * tick_ns, .arrival_ns = last_ns, .due_ns = due_ns});
    }
    return arrivals;
}

std::vector<Arrival> without_due(std::vector<Arrival> arrivals) {
    for (Arrival& arrival : arrivals) {
        arrival.due_ns.reset();
    }
    return arrivals;
}

std::vector<Arrival> make_free(std::int64_t duration_ns, std::int64_t tick_ns,
                               const Lateness& interval) {
    std::vector<Arrival> arrivals;
    std::int64_t time_ns = 0;
    for (std::int64_t k = 1; time_ns <= duration_ns; ++k) {
        time_ns += interval(k);
        arrivals.push_back({.source_ns = k * tick_ns, .arrival_ns = time_ns});
    }
    return arrivals;
}

void stall(std::vector<Arrival>& arrivals, std::int64_t from_ns, std::int64_t to_ns) {
    for (Arrival& arrival : arrivals) {
        if (arrival.arrival_ns > from_ns && arrival.arrival_ns <= to_ns) {
            arrival.arrival_ns = to_ns;
        }
    }
}

void postpone(std::vector<Arrival>& arrivals, std::int64_t from_ns, std::int64_t by_ns) {
    for (Arrival& arrival : arrivals) {
        const std::int64_t late_ns = arrival.arrival_ns > from_ns ? by_ns : 0;
        arrival.arrival_ns += late_ns;
        arrival.due_ns = arrival.due_ns ? std::optional(*arrival.due_ns + late_ns) : std::nullopt;
    }
}

std::vector<FrameTimes> make_frames(std::int64_t duration_ns, double refresh_hz,
                                    const Lateness& latency) {
    std::vector<FrameTimes> frames;
    for (std::int64_t k = 0;; ++k) {
        const std::int64_t refresh_ns = std::llround(static_cast<double>(k) * 1e9 / refresh_hz);
        if (refresh_ns > duration_ns) {
            return frames;
        }
        frames.push_back({refresh_ns + latency(k), refresh_ns});
    }
}

Picture play(const std::vector<Arrival>& arrivals, const std::vector<FrameTimes>& frames,
             const TimelineConfig& config, bool with_stamps) {
    Timeline timeline(config);
    Picture picture;
    std::size_t next = 0;
    bool running = false;
    for (const FrameTimes& frame : frames) {
        for (; next < arrivals.size() && arrivals[next].arrival_ns <= frame.cpu_ns; ++next) {
            timeline.add(arrivals[next]);
        }
        const std::optional<SampleTime> sample = timeline.frame(
            frame.cpu_ns, with_stamps ? std::optional(frame.present_ns) : std::nullopt);
        running = running || timeline.report().frame_count > 0;
        if (sample && running) {
            picture.frames.push_back({frame.present_ns, sample->time_ns,
                                      timeline.source_clock().newest()->source_ns,
                                      timeline.report().delay_ns});
        }
    }
    picture.report = timeline.report();
    return picture;
}

} // namespace glissade::testing
