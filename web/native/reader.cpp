// SPDX-License-Identifier: MIT
// Snapshots as lines of a trace: what methods and recordings take. A snapshot that travels as a
// message is its header, then its columns, as docs/link-layout.md has them.
#include "glissade/link/link.h"
#include "glissade/time/tick.h"

#include "web/native/border.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace web = glissade::web;

struct glissade_reader { // NOLINT(readability-identifier-naming): of the C interface.
    void take(const glissade::SnapshotView& snapshot);
    void take_times(const glissade::SnapshotHeader& header);
    void look(std::int64_t now_ns);
    void take_objects(const glissade::SnapshotView& snapshot);

    glissade::LinkReader link{};
    const glissade::SnapshotView* snapshot = nullptr;
    glissade::TraceTick line{};
    glissade_tick tick{};
    std::vector<std::int64_t> present{};  // Ids of the state, sorted.
    std::vector<std::int64_t> before{};   // Those of the state before.
    std::optional<std::int64_t> cpu_ns{}; // Of the last call, and of the one before it at another
    std::int64_t cpu_before_ns = 0;       // time: what came between the two is new.
};

struct glissade_relay { // NOLINT(readability-identifier-naming): of the C interface.
    glissade::LinkWriter link{};
};

namespace {

// Between two looks, whatever the other thread's clock said: a trace must be in order.
std::int64_t arrival(const glissade_reader& reader, std::int64_t published_ns) {
    return std::clamp(published_ns, reader.cpu_before_ns + 1, *reader.cpu_ns);
}

glissade::TracePose to_trace_pose(const glissade::BasicSnapshotColumns<false>& columns,
                                  std::size_t row) {
    const auto quaternion = [](float x, float y, float z, float w) {
        return glm::dquat(glissade::quat_xyzw(x, y, z, w));
    };
    glissade::TracePose pose{
        .id = std::llround(web::to_number(glissade::Id::from_bits(columns.ids[row]))),
        .position = {columns.x[row], columns.y[row], columns.z[row]},
        .rotation = quaternion(columns.qx[row], columns.qy[row], columns.qz[row], columns.qw[row]),
        .velocity =
            glm::dvec3{columns.velocity_x[row], columns.velocity_y[row], columns.velocity_z[row]},
        .angular_velocity =
            glm::dvec3{columns.angular_velocity_x[row], columns.angular_velocity_y[row],
                       columns.angular_velocity_z[row]},
        .cut = columns.cuts[row]};
    if (columns.shifts[row] > 0) {
        pose.shift = glissade::TraceShift{
            .count = columns.shifts[row],
            .translation = {columns.shift_x[row], columns.shift_y[row], columns.shift_z[row]},
            .rotation = quaternion(columns.shift_qx[row], columns.shift_qy[row],
                                   columns.shift_qz[row], columns.shift_qw[row])};
    }
    return pose;
}

// Whole columns travel, used or not: so the layout is the same everywhere.
std::size_t message_bytes(const glissade_reader& reader) {
    return reader.snapshot == nullptr
               ? 0
               : sizeof(glissade::SnapshotHeader) + reader.snapshot->bytes.size();
}

template <class T>
T* joined(T* side, const char* where, void* memory, std::size_t bytes) {
    if (side == nullptr) {
        return nullptr;
    }
    const glissade::LinkStatus status = side->link.join(web::to_span(memory, bytes));
    if (status != glissade::LinkStatus::Ok) {
        delete side;
        web::fail(where, to_string(status));
        return nullptr;
    }
    return side;
}

} // namespace

// Also one that finds nothing: what comes later was not there. A clock that runs back stands still.
void glissade_reader::look(std::int64_t now_ns) {
    if (!cpu_ns || now_ns > *cpu_ns) {
        cpu_before_ns = cpu_ns.value_or(now_ns - glissade::kNanosecondsPerSecond);
        cpu_ns = now_ns;
    }
}

void glissade_reader::take_times(const glissade::SnapshotHeader& header) {
    line.tick = header.tick;
    line.sim_ns = header.time_ns;
    line.arrive_ns = arrival(*this, header.published_ns);
    line.due_ns.reset();
    if (header.has_due != 0) {
        line.due_ns = header.due_ns;
    }
    line.stamp_ns = header.published_ns;
    line.epoch = header.epoch;
    line.scale = header.time_scale;
    line.paused = header.paused != 0;
}

void glissade_reader::take_objects(const glissade::SnapshotView& view) {
    line.poses.clear();
    before.swap(present);
    present.clear();
    for (std::size_t row = 0; row < view.header.object_count; ++row) {
        line.poses.push_back(to_trace_pose(view.columns, row));
        present.push_back(line.poses.back().id);
    }
    std::sort(present.begin(), present.end());
    line.gone.clear();
    std::set_difference(before.begin(), before.end(), present.begin(), present.end(),
                        std::back_inserter(line.gone));
}

void glissade_reader::take(const glissade::SnapshotView& view) {
    take_times(view.header);
    take_objects(view);
    tick = {&line, view.header.duration_ns};
}

glissade_reader* glissade_reader_create(void* link, size_t bytes) {
    constexpr const char* kWhere = "glissade_reader_create";
    return joined(web::make<glissade_reader>(kWhere), kWhere, link, bytes);
}

void glissade_reader_destroy(glissade_reader* reader) {
    delete reader;
}

const glissade_tick* glissade_reader_next(glissade_reader* reader, double cpu_ms) {
    const auto cpu_ns = web::to_ns(cpu_ms);
    if (!cpu_ns) {
        web::fail("glissade_reader_next", "a time that no clock shows");
        return nullptr;
    }
    reader->look(*cpu_ns);
    reader->snapshot = reader->link.next();
    if (reader->snapshot == nullptr) {
        return nullptr;
    }
    reader->take(*reader->snapshot);
    return &reader->tick;
}

double glissade_reader_skipped(const glissade_reader* reader) {
    return static_cast<double>(reader->link.stats().skipped_count);
}

void glissade_tick_times(const glissade_tick* tick, glissade_times* out) {
    const glissade::TraceTick& line = *tick->line;
    out->tick = static_cast<double>(line.tick);
    out->time_ms = web::to_ms(line.sim_ns);
    out->duration_ms = web::to_ms(tick->duration_ns);
    out->due_ms = web::to_ms(line.due_ns);
    out->published_ms = web::to_ms(line.stamp_ns.value_or(line.arrive_ns));
    out->time_scale = line.scale.value_or(1.0);
    out->paused = line.paused ? 1.0 : 0.0;
    out->epoch = static_cast<double>(line.epoch.value_or(0));
}

uint32_t glissade_tick_count(const glissade_tick* tick) {
    return static_cast<uint32_t>(tick->line->poses.size());
}

void glissade_tick_rows(const glissade_tick* tick, glissade_row* out) {
    for (const glissade::TracePose& pose : tick->line->poses) {
        const glm::dquat rotation = pose.rotation.value_or(glm::dquat{1.0, 0.0, 0.0, 0.0});
        const glm::dvec3 velocity = pose.velocity.value_or(glm::dvec3{0.0});
        const glm::dvec3 angular = pose.angular_velocity.value_or(glm::dvec3{0.0});
        *out++ = {static_cast<double>(pose.id),
                  {pose.position.x, pose.position.y, pose.position.z},
                  {rotation.x, rotation.y, rotation.z, rotation.w},
                  {velocity.x, velocity.y, velocity.z},
                  {angular.x, angular.y, angular.z}};
    }
}

size_t glissade_reader_message_bytes(const glissade_reader* reader) {
    return message_bytes(*reader);
}

int32_t glissade_reader_message(const glissade_reader* reader, void* out, size_t bytes) {
    if (reader->snapshot == nullptr || bytes < message_bytes(*reader)) {
        return web::fail("glissade_reader_message",
                         reader->snapshot == nullptr ? "no snapshot was taken" : "too little room");
    }
    const glissade::SnapshotView& snapshot = *reader->snapshot;
    std::memcpy(out, &snapshot.header, sizeof snapshot.header);
    std::memcpy(static_cast<std::byte*>(out) + sizeof snapshot.header, snapshot.bytes.data(),
                snapshot.bytes.size());
    return 1;
}

glissade_relay* glissade_relay_create(void* link, size_t bytes) {
    constexpr const char* kWhere = "glissade_relay_create";
    return joined(web::make<glissade_relay>(kWhere), kWhere, link, bytes);
}

void glissade_relay_destroy(glissade_relay* relay) {
    delete relay;
}

int32_t glissade_relay_post(glissade_relay* relay, const void* message, size_t bytes,
                            double received_ms) {
    constexpr const char* kWhere = "glissade_relay_post";
    const auto received_ns = web::to_ns(received_ms);
    glissade::SnapshotHeader header;
    if (!received_ns || bytes < sizeof header) {
        return web::fail(kWhere, "no snapshot, or a time that no clock shows");
    }
    std::memcpy(&header, message, sizeof header);
    const auto [status, slot] = relay->link.begin(header.object_count);
    if (status != glissade::LinkStatus::Ok) {
        return web::fail(kWhere, to_string(status));
    }
    if (slot.bytes.size() != bytes - sizeof header) {
        return web::fail(kWhere, "a snapshot of a link with another capacity");
    }
    *slot.header = header;
    std::memcpy(slot.bytes.data(), static_cast<const std::byte*>(message) + sizeof header,
                slot.bytes.size());
    const glissade::LinkStatus published = relay->link.publish(*received_ns);
    return published == glissade::LinkStatus::Ok ? 1 : web::fail(kWhere, to_string(published));
}
