// SPDX-License-Identifier: MIT
#include "glissade/time/fixed_step.h"
#include "glissade/time/tick_pacer.h"

#include "web/native/border.h"

#include <algorithm>
#include <vector>

namespace web = glissade::web;

struct glissade_fixed_step { // NOLINT(readability-identifier-naming): of the C interface.
    explicit glissade_fixed_step(const glissade::FixedStepConfig& config) : clock(config) {
        steps.reserve(static_cast<std::size_t>(config.max_ticks));
    }
    glissade::FixedStep clock;
    std::vector<glissade_step> steps{};
};

struct glissade_pacer { // NOLINT(readability-identifier-naming): of the C interface.
    explicit glissade_pacer(const glissade::TickPacerConfig& config) : clock(config) {
        steps.reserve(static_cast<std::size_t>(config.max_ticks));
    }
    glissade::TickPacer clock;
    std::vector<glissade_step> steps{};
};

namespace {

constexpr std::uint32_t kMaxTicks = 1000;

glissade_step to_step(const glissade::Tick& tick, const std::optional<std::int64_t>& due_ns) {
    return {static_cast<double>(tick.index), web::to_ms(tick.time_ns), web::to_ms(tick.duration_ns),
            tick.step_s, web::to_ms(due_ns)};
}

// The rate of a clock, or a problem.
std::optional<glissade::Rate> checked_rate(const char* where, double rate_hz,
                                           std::uint32_t max_ticks) {
    const auto rate = web::to_rate(rate_hz);
    if (!rate || max_ticks < 1 || max_ticks > kMaxTicks) {
        web::fail(where, !rate ? "a rate that no clock can have" : "max_ticks must be 1 to 1000");
        return std::nullopt;
    }
    return rate;
}

int scale_answer(const char* where, bool taken) {
    return taken ? 1 : web::fail(where, "a time scale out of range");
}

} // namespace

glissade_fixed_step* glissade_fixed_step_create(double rate_hz, uint32_t max_ticks) {
    constexpr const char* kWhere = "glissade_fixed_step_create";
    const auto rate = checked_rate(kWhere, rate_hz, max_ticks);
    if (!rate) {
        return nullptr;
    }
    return web::make<glissade_fixed_step>(
        kWhere, glissade::FixedStepConfig{.rate = *rate, .max_ticks = static_cast<int>(max_ticks)});
}

void glissade_fixed_step_destroy(glissade_fixed_step* clock) {
    delete clock;
}

uint32_t glissade_fixed_step_advance(glissade_fixed_step* clock, double present_ms) {
    clock->steps.clear();
    const auto present_ns = web::to_ns(present_ms);
    if (!present_ns) {
        web::fail("glissade_fixed_step_advance", "a time that no clock shows");
        return 0;
    }
    for (const glissade::Tick& tick : clock->clock.advance_to(*present_ns)) {
        clock->steps.push_back(to_step(tick, std::nullopt));
    }
    return static_cast<uint32_t>(clock->steps.size());
}

const glissade_step* glissade_fixed_step_steps(const glissade_fixed_step* clock) {
    return clock->steps.data();
}

void glissade_fixed_step_sample(const glissade_fixed_step* clock, glissade_sample* out) {
    const glissade::SampleTime sample = clock->clock.sample();
    const glissade::Tick& newest = clock->clock.newest();
    const auto behind = static_cast<double>(newest.time_ns - sample.time_ns);
    const double alpha =
        newest.duration_ns > 0 ? 1.0 - behind / static_cast<double>(newest.duration_ns) : 1.0;
    out->time_ms = web::to_ms(sample.time_ns);
    out->alpha = std::clamp(alpha, 0.0, 1.0);
    out->newest_tick = static_cast<double>(newest.index);
}

int32_t glissade_fixed_step_set_time_scale(glissade_fixed_step* clock, double scale) {
    return scale_answer("glissade_fixed_step_set_time_scale", clock->clock.set_time_scale(scale));
}

void glissade_fixed_step_set_paused(glissade_fixed_step* clock, int32_t paused) {
    if (paused != 0) {
        clock->clock.pause();
    } else {
        clock->clock.resume();
    }
}

glissade_pacer* glissade_pacer_create(double rate_hz, uint32_t max_ticks, double start_ms) {
    constexpr const char* kWhere = "glissade_pacer_create";
    const auto rate = checked_rate(kWhere, rate_hz, max_ticks);
    const auto start_ns = web::to_ns(start_ms);
    if (!rate || !start_ns) {
        if (rate) {
            web::fail(kWhere, "a start that no clock shows");
        }
        return nullptr;
    }
    return web::make<glissade_pacer>(
        kWhere,
        glissade::TickPacerConfig{
            .rate = *rate, .max_ticks = static_cast<int>(max_ticks), .start_ns = *start_ns});
}

void glissade_pacer_destroy(glissade_pacer* pacer) {
    delete pacer;
}

uint32_t glissade_pacer_wake(glissade_pacer* pacer, double now_ms) {
    pacer->steps.clear();
    const auto now_ns = web::to_ns(now_ms);
    if (!now_ns) {
        web::fail("glissade_pacer_wake", "a time that no clock shows");
        return 0;
    }
    for (const glissade::Tick& tick : pacer->clock.wake(*now_ns)) {
        pacer->steps.push_back(to_step(tick, pacer->clock.due_ns()));
    }
    return static_cast<uint32_t>(pacer->steps.size());
}

const glissade_step* glissade_pacer_steps(const glissade_pacer* pacer) {
    return pacer->steps.data();
}

double glissade_pacer_next_due(const glissade_pacer* pacer) {
    return web::to_ms(pacer->clock.next_due_ns());
}

double glissade_pacer_epoch(const glissade_pacer* pacer) {
    return static_cast<double>(pacer->clock.epoch());
}

int32_t glissade_pacer_set_time_scale(glissade_pacer* pacer, double scale) {
    return scale_answer("glissade_pacer_set_time_scale", pacer->clock.set_time_scale(scale));
}

void glissade_pacer_set_paused(glissade_pacer* pacer, int32_t paused) {
    if (paused != 0) {
        pacer->clock.pause();
    } else {
        pacer->clock.resume();
    }
}
