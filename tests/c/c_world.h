// SPDX-License-Identifier: MIT
// What the tests of the C interface share: objects that end by themselves, a body that moves
// evenly.
#pragma once

#include "web/native/glissade_lab.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace glissade::c_test {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kForever = std::numeric_limits<double>::infinity();
inline constexpr double kTickMs = 16.0;
inline constexpr double kFrameMs = 7.0;
inline constexpr double kSpeed = 2.0; // Metres per second.

template <class T, void (*DestroyObject)(T*)>
struct Destroy {
    void operator()(T* object) const { DestroyObject(object); }
};
template <class T, void (*DestroyObject)(T*)>
using Owned = std::unique_ptr<T, Destroy<T, DestroyObject>>;

using Writer = Owned<glissade_writer, glissade_writer_destroy>;
using Reader = Owned<glissade_reader, glissade_reader_destroy>;
using Relay = Owned<glissade_relay, glissade_relay_destroy>;
using Playout = Owned<glissade_playout, glissade_playout_destroy>;
using FixedStepClock = Owned<glissade_fixed_step, glissade_fixed_step_destroy>;
using Pacer = Owned<glissade_pacer, glissade_pacer_destroy>;
using Camera = Owned<glissade_camera, glissade_camera_destroy>;
using Method = Owned<glissade_method, glissade_method_destroy>;
using Recording = Owned<glissade_recording, glissade_recording_destroy>;
using Diagnosis = Owned<glissade_diagnosis, glissade_diagnosis_destroy>;
using TraceReplay = Owned<glissade_trace, glissade_trace_destroy>;

// Memory of the size and place that a link asks for, laid out.
class LinkMemory {
public:
    static constexpr std::size_t kAlignment = 64;

    explicit LinkMemory(std::uint32_t capacity)
        : bytes_(glissade_link_bytes(capacity)),
          memory_(std::aligned_alloc(kAlignment, bytes_), std::free) {
        EXPECT_EQ(glissade_link_format(data(), bytes(), capacity), 1) << glissade_problem();
    }
    [[nodiscard]] void* data() const { return memory_.get(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    [[nodiscard]] Writer make_writer() const {
        return Writer(glissade_writer_create(data(), bytes()));
    }
    [[nodiscard]] Reader make_reader() const {
        return Reader(glissade_reader_create(data(), bytes()));
    }
    [[nodiscard]] Relay make_relay() const { return Relay(glissade_relay_create(data(), bytes())); }
    [[nodiscard]] Playout make_playout(double fixed_delay_ms = kNone) const {
        return Playout(glissade_playout_create(data(), bytes(), fixed_delay_ms));
    }

private:
    std::size_t bytes_;
    std::unique_ptr<void, void (*)(void*)> memory_;
};

inline glissade_row row_at(double x, glissade_id id = 0.0) {
    return {.id = id,
            .position = {x, 0.0, 0.0},
            .rotation = {0.0, 0.0, 0.0, 1.0},
            .velocity = {kSpeed, 0.0, 0.0},
            .angular_velocity = {0.0, 0.0, 0.0}};
}

inline double position_at(double source_ms) {
    return kSpeed * source_ms * 1e-3;
}

// Of a tick on an absolute schedule that starts at 0, handed over `late_ms` after it was due.
inline glissade_times times_of(double tick, double late_ms = 0.0) {
    return {.tick = tick,
            .time_ms = tick * kTickMs,
            .duration_ms = kTickMs,
            .due_ms = tick * kTickMs,
            .published_ms = tick * kTickMs + late_ms,
            .time_scale = 1.0,
            .paused = 0.0,
            .epoch = 0.0};
}

// A writer with one body that moves along x at kSpeed, and ticks that it hands over.
class Source {
public:
    explicit Source(const LinkMemory& link)
        : writer(link.make_writer()), id(glissade_writer_add(writer.get(), add_row())) {
        EXPECT_GT(id, 0.0) << glissade_problem();
    }
    // Where the body is after the next tick.
    [[nodiscard]] double next_x() const { return position_at((tick + 1.0) * kTickMs); }
    // The next tick, `late_ms` after it was due; the test has moved the objects.
    void publish(double late_ms = 0.0) {
        tick += 1.0;
        const glissade_times times = times_of(tick, late_ms);
        EXPECT_EQ(glissade_writer_publish(writer.get(), &times), 1) << glissade_problem();
    }
    void move_and_publish(double late_ms = 0.0) {
        const glissade_row row = row_at(next_x(), id);
        EXPECT_EQ(glissade_writer_move(writer.get(), &row, 1), 1U) << glissade_problem();
        publish(late_ms);
    }

    Writer writer;
    glissade_id id;
    double tick = 0.0;

private:
    [[nodiscard]] const glissade_row* add_row() {
        first_ = row_at(0.0);
        return &first_;
    }
    glissade_row first_{};
};

inline glissade_times times_in(const glissade_tick* tick) {
    glissade_times times{};
    glissade_tick_times(tick, &times);
    return times;
}

inline std::vector<glissade_row> rows_in(const glissade_tick* tick) {
    std::vector<glissade_row> rows(glissade_tick_count(tick));
    glissade_tick_rows(tick, rows.data());
    return rows;
}

inline std::string trace_text(glissade_recording* recording) {
    std::size_t length = 0;
    const char* const text = glissade_recording_trace_text(recording, &length);
    return {text, length};
}

// The lines of a trace or a drawing, parsed.
inline std::vector<nlohmann::json> parse_lines(const std::string& text) {
    std::vector<nlohmann::json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

// Ticks and frames on one clock that the test moves; a tick can be read `late_ms` after its due
// time.
class FrameLoop {
public:
    explicit FrameLoop(const LinkMemory& link) : source(link), reader(link.make_reader()) {}

    // `on_tick(state)` for what arrived, then `on_frame(frame, now_ms)`.
    template <class OnTick, class OnFrame>
    void run(int frame_count, const OnTick& on_tick, const OnFrame& on_frame) {
        for (int i = 0; i < frame_count; ++i) {
            now_ms += kFrameMs;
            while ((source.tick + 1.0) * kTickMs + late_ms <= now_ms) {
                source.move_and_publish(late_ms);
                late_ms = static_cast<int>(source.tick) % 5 == 0 ? longest_late_ms : 0.0;
            }
            while (const glissade_tick* const state = glissade_reader_next(reader.get(), now_ms)) {
                on_tick(state);
            }
            on_frame(++frame, now_ms);
        }
    }

    Source source;
    Reader reader;
    double longest_late_ms = 0.0; // Of every fifth tick.
    double late_ms = 0.0;         // Of the next one.
    double now_ms = 0.0;
    double frame = 0.0;
};

// Why the last call failed, with the part of it that is expected.
inline auto says(const std::string& part) {
    return ::testing::HasSubstr(part);
}

} // namespace glissade::c_test
