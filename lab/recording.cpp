// SPDX-License-Identifier: MIT
#include "lab/recording.h"

#include "embedded/recordings.h"
#include "lab/recorded_timing.h"

#include <cmath>
#include <string>
#include <utility>

namespace glissade::lab {
namespace {

// The texts of the list, which has to point at strings that end in zero.
struct RecordingTexts {
    std::string name;
    std::string what;
};

std::vector<RecordingTexts> read_texts() {
    std::vector<RecordingTexts> texts;
    for (const std::string_view path : embedded::recordings_paths()) {
        const std::size_t begin = path.find('/') + 1;
        const std::string_view name = path.substr(begin, path.rfind('.') - begin);
        // The first line is a comment that says what the recording is.
        constexpr std::size_t kCommentMark = 2;
        const std::string_view text = embedded::recordings(path);
        const std::string_view what = text.substr(kCommentMark, text.find('\n') - kCommentMark);
        texts.push_back({std::string(name), std::string(what)});
    }
    return texts;
}

std::vector<Recording> make_list(const std::vector<RecordingTexts>& texts) {
    std::vector<Recording> list;
    list.reserve(texts.size());
    for (const RecordingTexts& text : texts) {
        list.push_back({.name = text.name.c_str(), .what = text.what.c_str()});
    }
    return list;
}

std::int64_t compute_sim_ns(std::int64_t tick, Rate rate) {
    // To the nearest; no recording is long enough for this to overflow.
    return (2 * tick * rate.denominator * kNanosecondsPerSecond + rate.numerator) /
           (2 * rate.numerator);
}

TraceTick make_tick(std::int64_t number, const RecordedTiming& timing) {
    const TickTime& time = timing.ticks[static_cast<std::size_t>(number)];
    // By way of milliseconds, as the recording programs computed it: the last bit is theirs.
    const double period_ms = 1000.0 * static_cast<double>(timing.rate.denominator) /
                             static_cast<double>(timing.rate.numerator);
    const double sim_s = static_cast<double>(number) * period_ms / 1000.0;
    TraceTick tick{.tick = number,
                   .sim_ns = compute_sim_ns(number, timing.rate),
                   .arrive_ns = time.arrive_ns,
                   .due_ns = time.due_ns};
    tick.poses = {{.id = 1,
                   .position = {sim_s, 0.0, 0.0},
                   .rotation = glm::dquat(1.0, 0.0, 0.0, 0.0),
                   .velocity = glm::dvec3(1.0, 0.0, 0.0)},
                  {.id = 2,
                   .position = {0.0, 1.0, 0.0},
                   .rotation = glm::dquat(std::cos(sim_s / 2.0), 0.0, 0.0, std::sin(sim_s / 2.0)),
                   .angular_velocity = glm::dvec3(0.0, 0.0, 1.0)}};
    return tick;
}

} // namespace

std::span<const Recording> recordings() noexcept {
    static const std::vector<RecordingTexts> kTexts = read_texts();
    static const std::vector<Recording> kList = make_list(kTexts);
    return kList;
}

std::optional<Trace> make_recorded_trace(std::string_view name) {
    std::optional<RecordedTiming> timing = find_timing(name);
    if (!timing) {
        return std::nullopt;
    }
    Trace trace;
    trace.header = {.name = timing->name, .source = timing->source, .tick_ns = timing->tick_ns};
    trace.ticks.reserve(timing->ticks.size());
    for (std::size_t i = 0; i < timing->ticks.size(); ++i) {
        trace.ticks.push_back(make_tick(static_cast<std::int64_t>(i), *timing));
    }
    trace.frames = std::move(timing->frames);
    trace.ticks_before = std::move(timing->ticks_before);
    return trace;
}

} // namespace glissade::lab
