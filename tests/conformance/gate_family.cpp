// SPDX-License-Identifier: MIT
// The family "fixed-step gate": quanta, leftovers and drawn positions of QuantumGate.
#include "glissade/time/quantum_gate.h"
#include "glissade/time/rate.h"

#include "conformance/compare.h"
#include "conformance/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glissade::conformance {

namespace {

double to_seconds(std::int64_t ns) {
    return static_cast<double>(ns) / static_cast<double>(kNanosecondsPerSecond);
}

// Times of the vectors are rounded to whole nanoseconds, so that 0.033333333 s is the minimum.
std::int64_t to_ns(double seconds) {
    return std::llround(seconds * static_cast<double>(kNanosecondsPerSecond));
}

QuantumGateConfig literal(GateProfile profile) {
    QuantumGateConfig config =
        profile == GateProfile::Retail ? QuantumGateConfig::retail() : QuantumGateConfig{};
    config.profile = profile;
    config.alpha_basis = AlphaBasis::MinQuantum;
    return config;
}

// One profile, and the words of its rows.
struct ProfileWords {
    const char* name;
    GateProfile profile;
    std::int64_t more_than_min_ns; // `ace` wants strictly more than the minimum.
    const char* leftover;
    const char* opened; // Null: not in the rows.
    const char* alpha;

    [[nodiscard]] QuantumGateConfig config() const {
        QuantumGateConfig result = literal(profile);
        result.min_quantum_ns += more_than_min_ns;
        return result;
    }
};

constexpr ProfileWords kProfiles[] = {
    {"retail", GateProfile::Retail, 0, "object_lag", "world_pass", nullptr},
    {"ace", GateProfile::Player, 1, "residual", nullptr, nullptr},
    {"player", GateProfile::Player, 0, "residual", nullptr, nullptr},
    {"single", GateProfile::Single, 0, "accum", nullptr, "alpha"},
};

std::vector<double> run_frame(QuantumGate& gate, double dt_s) {
    std::vector<double> quanta_s;
    for (const Tick& tick : gate.advance_by(to_ns(dt_s))) {
        quanta_s.push_back(tick.step_s);
    }
    return quanta_s;
}

// The rows of a frame-by-frame expectation; null if their number is not that of the frames.
const Json* rows_for(Fields& expect, const char* name, std::size_t frame_count) {
    const Json* rows = expect.array(name);
    if (rows != nullptr && rows->size() != frame_count) {
        expect.report().fail(expect.path_of(name), "must have one row per frame");
        return nullptr;
    }
    return rows;
}

void check_frames(Fields& expect, const ProfileWords& words, const std::vector<double>& dts_s) {
    const Json* rows = rows_for(expect, words.name, dts_s.size());
    if (rows == nullptr) {
        return;
    }
    QuantumGate gate(words.config());
    for (std::size_t frame = 0; frame < dts_s.size(); ++frame) {
        Fields row((*rows)[frame], element_path(expect.path_of(words.name), frame),
                   expect.report());
        compare_numbers(row, "quanta", run_frame(gate, dts_s[frame]));
        compare_number(row, words.leftover, to_seconds(gate.leftover_ns()));
        if (words.alpha != nullptr) {
            compare_number(row, words.alpha, gate.alpha());
        }
        if (words.opened != nullptr) {
            compare_flag(row, words.opened, gate.opened());
        }
    }
}

// One pass of the object clock alone, without the world gate.
void check_object_clock(Fields& expect, const ProfileWords& words, std::int64_t update_time_ns,
                        std::int64_t now_ns) {
    const Json* object = expect.any(words.name);
    if (object == nullptr) {
        return;
    }
    const QuantumGateConfig config = words.config();
    const QuantumPlan plan = compute_quanta(config, now_ns - update_time_ns);
    std::vector<double> quanta_s(static_cast<std::size_t>(plan.slice_count),
                                 to_seconds(config.max_quantum_ns));
    if (plan.last_ns > 0) {
        quanta_s.push_back(to_seconds(plan.last_ns));
    }
    Fields row(*object, expect.path_of(words.name), expect.report());
    compare_numbers(row, "quanta", quanta_s);
    compare_number(row, "object_update_time_after", to_seconds(now_ns - plan.carried_ns));
}

using Position = std::array<double, 3>;

// A number is a place on the axis of motion, +Y.
std::optional<Position> position(Fields& fields, const std::string& name) {
    const Json* value = fields.any(name);
    if (value != nullptr && value->is_number()) {
        return Position{0.0, value->get<double>(), 0.0};
    }
    if (value != nullptr && value->is_array()) {
        const auto numbers = fields.numbers(name);
        if (numbers && numbers->size() == 3) {
            return Position{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
        }
    }
    if (value != nullptr) {
        fields.report().fail(fields.path_of(name), "must be a number or three");
    }
    return std::nullopt;
}

// A body that the gate moves along +Y, and where it is drawn.
struct Body {
    Position previous{};
    Position current{};
    double speed = 0.0;

    void integrate(const std::vector<double>& quanta_s) {
        for (const double quantum_s : quanta_s) {
            previous = current;
            current[1] += speed * quantum_s;
        }
    }
    [[nodiscard]] Position drawn(double alpha) const {
        Position result{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            result[axis] = previous[axis] + (current[axis] - previous[axis]) * alpha;
        }
        return result;
    }
};

void compare_position(Fields& row, const std::string& name, const Position& actual) {
    if (const auto expected = position(row, name)) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            row.report().expect_near(element_path(row.path_of(name), axis), (*expected)[axis],
                                     actual[axis]);
        }
    }
}

// `body_speed`, `frame_dts`, `prev`, `curr`: what `single` draws in every frame.
void check_drawn_frames(Fields& given, Fields& expect, const std::vector<double>& dts_s) {
    const auto speed = given.number("body_speed");
    const auto previous = position(given, "prev");
    const auto current = position(given, "curr");
    const Json* rows = rows_for(expect, "single_frames", dts_s.size());
    if (!speed || !previous || !current || rows == nullptr) {
        return;
    }
    Body body{*previous, *current, *speed};
    QuantumGate gate(literal(GateProfile::Single));
    for (std::size_t frame = 0; frame < dts_s.size(); ++frame) {
        Fields row((*rows)[frame], element_path("expect.single_frames", frame), expect.report());
        const std::vector<double> quanta_s = run_frame(gate, dts_s[frame]);
        body.integrate(quanta_s);
        compare_numbers(row, "quanta", quanta_s);
        compare_number(row, "accum", to_seconds(gate.leftover_ns()));
        compare_number(row, "alpha", gate.alpha());
        compare_position(row, "render", body.drawn(gate.alpha()));
        if (row.has("prev")) {
            compare_position(row, "prev", body.previous);
        }
        if (row.has("curr")) {
            compare_position(row, "curr", body.current);
        }
    }
}

// How far the drawn body moves in each of `frame_count` frames of `single`.
std::vector<double> draw_steps(AlphaBasis basis, double speed, double rate_hz,
                               std::size_t frame_count) {
    QuantumGateConfig config = literal(GateProfile::Single);
    config.alpha_basis = basis;
    QuantumGate gate(config);
    Body body{.speed = speed};
    std::vector<double> steps;
    double last = 0.0;
    double last_time_s = 0.0;
    for (std::size_t frame = 1; frame <= frame_count; ++frame) {
        // From whole times: lengths rounded one by one would make 4 / 120 s less than 1 / 30 s.
        const double time_s = to_seconds(to_ns(static_cast<double>(frame) / rate_hz));
        body.integrate(run_frame(gate, time_s - last_time_s));
        last_time_s = time_s;
        const double drawn = body.drawn(gate.alpha())[1];
        steps.push_back(drawn - last);
        last = drawn;
    }
    return steps;
}

// "62.5 Hz" or a number. Parsed as JSON, which knows no locale.
std::optional<double> frame_rate_hz(Fields& run) {
    const Json* value = run.any("frame_rate");
    if (value == nullptr) {
        return std::nullopt;
    }
    Json rate = *value;
    if (rate.is_string()) {
        const auto text = rate.get<std::string>();
        const std::size_t unit = text.find("Hz");
        rate =
            unit == std::string::npos ? Json() : Json::parse(text.substr(0, unit), nullptr, false);
    }
    if (!rate.is_number() || !(rate.get<double>() > 0.0)) {
        run.report().fail(run.path_of("frame_rate"), "must be a rate such as '62.5 Hz'");
        return std::nullopt;
    }
    return rate.get<double>();
}

// What `last_six_render_steps_alpha_over_MinQuantum` asks for.
struct StepsWord {
    std::size_t count;
    AlphaBasis basis;
};

// "six" and "6" alike; 0 for anything else.
std::size_t parse_count(std::string_view word) {
    constexpr std::string_view kNumbers[] = {"zero", "one",    "two",   "three", "four",
                                             "five", "six",    "seven", "eight", "nine",
                                             "ten",  "eleven", "twelve"};
    for (std::size_t count = 1; count < 100; ++count) {
        if (word == std::to_string(count) ||
            (count < std::size(kNumbers) && word == kNumbers[count])) {
            return count;
        }
    }
    return 0;
}

std::optional<StepsWord> parse_steps_word(std::string_view name) {
    constexpr std::string_view kStart = "last_";
    constexpr std::string_view kMiddle = "_render_steps_alpha_over_";
    const std::size_t middle = name.find(kMiddle);
    if (!name.starts_with(kStart) || middle == std::string_view::npos || middle < kStart.size()) {
        return std::nullopt;
    }
    const std::size_t count = parse_count(name.substr(kStart.size(), middle - kStart.size()));
    const std::string_view basis = name.substr(middle + kMiddle.size());
    if (count == 0 || (basis != "MinQuantum" && basis != "last_tick")) {
        return std::nullopt;
    }
    return StepsWord{count,
                     basis == "MinQuantum" ? AlphaBasis::MinQuantum : AlphaBasis::LastQuantum};
}

void check_run(Fields& run, double speed, std::size_t frame_count) {
    const auto rate_hz = frame_rate_hz(run);
    if (!rate_hz) {
        return;
    }
    const std::size_t before = run.report().comparison_count();
    for (const std::string& name : run.unread()) {
        const auto word = parse_steps_word(name);
        if (!word) {
            continue; // Reported as unknown when the run ends.
        }
        if (word->count > frame_count) {
            run.report().fail(run.path_of(name), "asks for more steps than frames");
        }
        std::vector<double> steps = draw_steps(word->basis, speed, *rate_hz, frame_count);
        if (steps.size() > word->count) {
            steps.erase(steps.begin(), steps.end() - static_cast<std::ptrdiff_t>(word->count));
        }
        compare_numbers(run, name, steps);
    }
    if (run.report().comparison_count() == before) {
        run.report().fail(run.path_of("last_..._render_steps_..."), "missing field");
    }
}

// `body_speed`, `frames`: how evenly `single` draws at each run's rate.
void check_runs(Fields& given, Fields& expect) {
    const auto speed = given.number("body_speed");
    const auto frames = given.number("frames");
    const Json* runs = expect.array("runs");
    if (!speed || !frames || runs == nullptr) {
        return;
    }
    if (!(*frames >= 1.0 && *frames <= 1e6 && *frames == std::floor(*frames))) {
        given.report().fail("given.frames", "must be a whole number from 1 on");
        return;
    }
    for (std::size_t i = 0; i < runs->size(); ++i) {
        Fields run((*runs)[i], element_path("expect.runs", i), expect.report());
        check_run(run, *speed, static_cast<std::size_t>(*frames));
    }
}

void check_profiles_of_object(Fields& given, Fields& expect) {
    const auto update_time_s = given.number("object_update_time");
    const auto now_s = given.number("now");
    if (!update_time_s || !now_s) {
        return;
    }
    for (const ProfileWords& words : kProfiles) {
        if (expect.has(words.name)) {
            check_object_clock(expect, words, to_ns(*update_time_s), to_ns(*now_s));
        }
    }
}

} // namespace

void check_gate_case(CaseFields& fields) {
    Fields& given = fields.given;
    Fields& expect = fields.expect;
    if (given.has("object_update_time") || given.has("now")) {
        check_profiles_of_object(given, expect);
        return;
    }
    if (given.has("frames") || expect.has("runs")) {
        check_runs(given, expect);
        return;
    }
    if (given.has("clock_starts_at") && !given.number("clock_starts_at")) {
        return; // Its value does not matter: only differences count.
    }
    const auto dts_s = given.numbers("frame_dts");
    if (!dts_s) {
        return;
    }
    if (given.has("body_speed") || expect.has("single_frames")) {
        check_drawn_frames(given, expect, *dts_s);
    }
    for (const ProfileWords& words : kProfiles) {
        if (expect.has(words.name)) {
            check_frames(expect, words, *dts_s);
        }
    }
}

} // namespace glissade::conformance
