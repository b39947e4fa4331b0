// SPDX-License-Identifier: MIT
// A stage and the feed that fills it from a link, in one call a frame.
#include "glissade/feed/link_feed.h"
#include "glissade/stage/stage.h"

#include "web/native/border.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <glm/ext/matrix_float4x4.hpp>

namespace web = glissade::web;

struct glissade_playout { // NOLINT(readability-identifier-naming): of the C interface.
    glissade_playout(std::uint32_t capacity, std::optional<std::int64_t> fixed_delay_ns)
        : stage({.capacity = capacity, .track = glissade::LinkFeed::track_config()}),
          feed(stage, {.fixed_delay_ns = fixed_delay_ns}) {
        ids.reserve(capacity);
        visible.reserve(capacity);
        poses.reserve(capacity);
        matrices.reserve(capacity);
        known.resize(capacity);
    }

    void find_new();
    void read_out();

    glissade::Stage stage;
    glissade::LinkFeed feed;
    std::vector<glissade::Id> ids{};     // All objects of the stage, in order of appearance,
    std::vector<glissade::Id> visible{}; // and those of them that are seen.
    std::vector<std::uint32_t> known{};  // By slot: the generation that `ids` has, 0 for none.
    std::vector<glissade_drawn> poses{};
    std::vector<glm::mat4> matrices{};
};

namespace {

constexpr std::uint32_t kSlotMask = 0xFFFFFF; // Of Id::index1; above it is the stage's tag.

std::size_t slot_of(glissade::Id id) {
    return (id.index1 & kSlotMask) - 1;
}

} // namespace

void glissade_playout::find_new() {
    for (const glissade::Id id : stage.changed()) {
        std::uint32_t& generation = known[slot_of(id)];
        if (generation != id.generation) {
            generation = id.generation;
            ids.push_back(id);
        }
    }
    ids.erase(std::remove_if(ids.begin(), ids.end(),
                             [&](glissade::Id id) { return !stage.contains(id); }),
              ids.end());
}

void glissade_playout::read_out() {
    visible.clear();
    poses.clear();
    for (const glissade::Id id : ids) {
        if (!stage.visible(id)) {
            continue;
        }
        const glissade::Pose pose = stage.visual(id);
        const double number = web::to_number(glissade::Id::from_bits(stage.user(id)));
        visible.push_back(id);
        poses.push_back(web::to_drawn(number, pose.position, glm::dquat(pose.rotation)));
    }
    matrices.resize(visible.size());
    stage.write_matrices(visible, matrices);
}

glissade_playout* glissade_playout_create(void* link, size_t bytes, double fixed_delay_ms) {
    constexpr const char* kWhere = "glissade_playout_create";
    const glissade::LinkInfo info = glissade::inspect_link(web::to_span(link, bytes));
    const auto fixed_delay_ns = web::to_ns(fixed_delay_ms);
    const bool delay_is_sound = std::isnan(fixed_delay_ms) || fixed_delay_ns.value_or(-1) >= 0;
    if (info.status != glissade::LinkStatus::Ok || !delay_is_sound) {
        web::fail(kWhere, info.status != glissade::LinkStatus::Ok
                              ? to_string(info.status)
                              : "a delay below 0 or beyond every clock");
        return nullptr;
    }
    auto* const playout = web::make<glissade_playout>(kWhere, info.config.capacity, fixed_delay_ns);
    if (playout == nullptr) {
        return nullptr;
    }
    const glissade::LinkStatus status = playout->feed.join(web::to_span(link, bytes));
    if (status != glissade::LinkStatus::Ok) {
        delete playout;
        web::fail(kWhere, to_string(status));
        return nullptr;
    }
    return playout;
}

void glissade_playout_destroy(glissade_playout* playout) {
    delete playout;
}

uint32_t glissade_playout_present(glissade_playout* playout, double cpu_ms, double stamp_ms) {
    const auto cpu_ns = web::to_ns(cpu_ms);
    if (!cpu_ns) {
        web::fail("glissade_playout_present", "a time that no clock shows");
        return static_cast<uint32_t>(playout->visible.size());
    }
    playout->feed.present(*cpu_ns, web::to_ns(stamp_ms));
    playout->find_new();
    playout->read_out();
    return static_cast<uint32_t>(playout->visible.size());
}

const glissade_drawn* glissade_playout_poses(const glissade_playout* playout) {
    return playout->poses.data();
}

const float* glissade_playout_matrices(const glissade_playout* playout) {
    return playout->matrices.empty() ? nullptr : &playout->matrices[0][0][0];
}

void glissade_playout_report(const glissade_playout* playout, glissade_report* out) {
    const glissade::TimelineReport report = playout->feed.report().timeline;
    out->delay_ms = web::to_ms(report.delay_ns);
    out->tick_ms = web::to_ms(report.tick_ns);
    out->lateness_p50_ms = web::to_ms(report.lateness_p50_ns);
    out->lateness_p995_ms = web::to_ms(report.lateness_p995_ns);
    out->rate = report.rate;
    out->scheduled = report.scheduled ? 1.0 : 0.0;
    out->states = static_cast<double>(report.state_count);
    out->frames = static_cast<double>(report.frame_count);
    out->underruns = static_cast<double>(report.underrun_count);
    out->held = static_cast<double>(report.held_count);
    out->relocks = static_cast<double>(report.relock_count);
    out->sample_ms = web::to_ms(playout->stage.sample_time());
}
