// SPDX-License-Identifier: MIT
#include "lab/recorded_timing.h"

#include "embedded/recordings.h"

#include <charconv>
#include <system_error>
#include <utility>

namespace glissade::lab {
namespace {

// Takes everything up to `mark`, and the mark, from the front of `text`.
std::string_view take_until(std::string_view& text, char mark) {
    const std::size_t end = text.find(mark);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return part;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && last == end ? std::optional(value) : std::nullopt;
}

std::optional<TraceSource> parse_source(std::string_view text) {
    if (text == "local") {
        return TraceSource::Local;
    }
    return text == "thread" ? std::optional(TraceSource::Thread) : std::nullopt;
}

struct Numbers {
    std::int64_t first = 0;
    std::optional<std::int64_t> second{};
};

std::optional<Numbers> parse_numbers(std::string_view text) {
    const std::optional<std::int64_t> first = parse_integer(take_until(text, ' '));
    if (!first || text.empty()) {
        return first ? std::optional(Numbers{*first, {}}) : std::nullopt;
    }
    const std::optional<std::int64_t> second = parse_integer(text);
    return second ? std::optional(Numbers{*first, second}) : std::nullopt;
}

/// Puts a recording together, line by line.
class TimingParser {
public:
    bool add(std::string_view line) {
        const std::string_view kind = take_until(line, ' ');
        if (kind == "#") {
            return true;
        }
        if (kind == "name") {
            timing_.name = line;
            return true;
        }
        if (kind == "source") {
            const std::optional<TraceSource> source = parse_source(line);
            timing_.source = source.value_or(timing_.source);
            return source.has_value();
        }
        const std::optional<Numbers> numbers = parse_numbers(line);
        return numbers && add(kind, *numbers);
    }

    [[nodiscard]] bool complete() const { return timing_.rate.is_valid() && timing_.tick_ns > 0; }
    [[nodiscard]] RecordedTiming take() { return std::move(timing_); }

private:
    bool add(std::string_view kind, const Numbers& numbers) {
        if (kind == "t" || kind == "f") {
            kind == "t" ? add_tick(numbers) : add_frame(numbers);
            return timing_.tick_ns > 0;
        }
        if (!numbers.second) {
            return false;
        }
        if (kind == "rate") {
            timing_.rate = {numbers.first, *numbers.second};
            return timing_.rate.is_valid();
        }
        timing_.tick_ns = numbers.first;
        frame_ns_ = *numbers.second;
        return kind == "steps";
    }

    void add_tick(const Numbers& numbers) {
        tick_stamp_ns_ += timing_.tick_ns + numbers.first;
        TickTime tick{.arrive_ns = tick_stamp_ns_};
        if (numbers.second) {
            tick = {.arrive_ns = tick_stamp_ns_ + *numbers.second, .due_ns = tick_stamp_ns_};
        }
        timing_.ticks.push_back(tick);
    }

    void add_frame(const Numbers& numbers) {
        frame_stamp_ns_ += frame_ns_ + numbers.first;
        TraceFrame frame{.frame = static_cast<std::int64_t>(timing_.frames.size()),
                         .cpu_ns = frame_stamp_ns_ + numbers.second.value_or(0)};
        if (numbers.second) {
            frame.present_ns = frame_stamp_ns_;
        }
        timing_.frames.push_back(frame);
        timing_.ticks_before.push_back(timing_.ticks.size());
    }

    RecordedTiming timing_{};
    std::int64_t frame_ns_ = 0;
    std::int64_t tick_stamp_ns_ = 0;
    std::int64_t frame_stamp_ns_ = 0;
};

} // namespace

std::optional<RecordedTiming> parse_timing(std::string_view text) {
    TimingParser parser;
    while (!text.empty()) {
        if (!parser.add(take_until(text, '\n'))) {
            return std::nullopt;
        }
    }
    return parser.complete() ? std::optional(parser.take()) : std::nullopt;
}

std::optional<RecordedTiming> find_timing(std::string_view recording_name) {
    const std::string path = "data/" + std::string(recording_name) + ".timing";
    const std::string_view text = embedded::recordings(path);
    return text.empty() ? std::nullopt : parse_timing(text);
}

} // namespace glissade::lab
