// SPDX-License-Identifier: MIT
#include "web/native/method.h"

namespace web = glissade::web;
namespace lab = glissade::lab;

namespace glissade::web {

TraceHeader make_header(const char* name, double tick_ms) {
    TraceHeader header{.name = name, .source = TraceSource::Thread};
    const auto tick_ns = to_ns(tick_ms);
    if (tick_ns && *tick_ns > 0) {
        header.tick_ns = tick_ns;
    }
    return header;
}

std::optional<TraceFrame> make_frame(const char* where, double frame, double cpu_ms,
                                     double present_ms) {
    const auto cpu_ns = to_ns(cpu_ms);
    if (!cpu_ns || !to_ns(frame)) {
        fail(where, "a time that no clock shows");
        return std::nullopt;
    }
    return TraceFrame{
        .frame = std::llround(frame), .cpu_ns = *cpu_ns, .present_ns = to_ns(present_ms)};
}

} // namespace glissade::web

namespace {

constexpr std::uint32_t kMaxObjects = (1U << 24U) - 2; // Of a stage.

} // namespace

uint32_t glissade_method_count(void) {
    return static_cast<uint32_t>(lab::tick_methods().size());
}

const char* glissade_method_name(uint32_t number) {
    return number < lab::tick_methods().size() ? lab::tick_methods()[number].name : nullptr;
}

const char* glissade_method_line(uint32_t number) {
    return number < lab::tick_methods().size() ? lab::tick_methods()[number].line : nullptr;
}

int32_t glissade_method_is_ours(uint32_t number) {
    return number < lab::tick_methods().size() && lab::tick_methods()[number].ours ? 1 : 0;
}

glissade_method* glissade_method_create(const char* name, double tick_ms, uint32_t max_objects) {
    constexpr const char* kWhere = "glissade_method_create";
    const lab::MethodInfo* const info = lab::find_method(lab::tick_methods(), name);
    if (info == nullptr || max_objects < 1 || max_objects > kMaxObjects) {
        web::fail(kWhere, info == nullptr ? "there is no method of that name"
                                          : "max_objects must be 1 to 16777214");
        return nullptr;
    }
    auto* const method = web::make<glissade_method>(kWhere);
    if (method != nullptr) {
        method->method = info->make(web::make_header("", tick_ms), {.max_objects = max_objects});
    }
    return method;
}

void glissade_method_destroy(glissade_method* method) {
    delete method;
}

void glissade_method_tick(glissade_method* method, const glissade_tick* tick) {
    method->method->tick(*tick->line);
}

uint32_t glissade_method_frame(glissade_method* method, double frame, double cpu_ms,
                               double present_ms) {
    const auto line = web::make_frame("glissade_method_frame", frame, cpu_ms, present_ms);
    if (line) {
        method->method->frame(*line, method->drawn);
        method->poses.clear();
        for (const glissade::DrawnPose& pose : method->drawn.poses) {
            method->poses.push_back(
                web::to_drawn(static_cast<double>(pose.id), pose.position,
                              pose.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0})));
        }
    }
    return static_cast<uint32_t>(method->poses.size());
}

const glissade_drawn* glissade_method_poses(const glissade_method* method) {
    return method->poses.data();
}

double glissade_method_sample(const glissade_method* method) {
    return web::to_ms(method->drawn.sample_ns);
}

double glissade_method_delay(const glissade_method* method) {
    return web::to_ms(method->drawn.delay_ns);
}
