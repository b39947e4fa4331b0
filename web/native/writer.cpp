// SPDX-License-Identifier: MIT
#include "glissade/feed/publisher.h"

#include "web/native/border.h"

namespace web = glissade::web;

struct glissade_writer { // NOLINT(readability-identifier-naming): of the C interface.
    glissade::Publisher publisher{};
};

namespace {

int answer(const char* where, glissade::PublishStatus status) {
    return status == glissade::PublishStatus::Ok ? 1 : web::fail(where, to_string(status));
}

constexpr double kMaxEpoch = 4294967295.0; // 2^32 - 1

std::optional<glissade::PublishTimes> to_times(const glissade_times& times) {
    const auto time_ns = web::to_ns(times.time_ms);
    const auto duration_ns = web::to_ns(times.duration_ms);
    const auto published_ns = web::to_ns(times.published_ms);
    const bool sound = time_ns && duration_ns && *duration_ns > 0 && published_ns &&
                       web::to_ns(times.tick) && times.time_scale >= 0.0 &&
                       std::isfinite(times.time_scale) && times.epoch >= 0.0 &&
                       times.epoch <= kMaxEpoch;
    if (!sound) {
        return std::nullopt;
    }
    const glissade::Tick tick{std::llround(times.tick), *time_ns, *duration_ns,
                              times.duration_ms * 1e-3};
    return glissade::PublishTimes{.tick = tick,
                                  .published_ns = *published_ns,
                                  .due_ns = web::to_ns(times.due_ms),
                                  .time_scale = times.time_scale,
                                  .paused = times.paused != 0.0,
                                  .epoch = static_cast<std::uint32_t>(times.epoch)};
}

} // namespace

glissade_writer* glissade_writer_create(void* link, size_t bytes) {
    auto* const writer = web::make<glissade_writer>("glissade_writer_create");
    if (writer == nullptr) {
        return nullptr;
    }
    const glissade::LinkStatus status = writer->publisher.join(web::to_span(link, bytes));
    if (status != glissade::LinkStatus::Ok) {
        delete writer;
        web::fail("glissade_writer_create", to_string(status));
        return nullptr;
    }
    return writer;
}

void glissade_writer_destroy(glissade_writer* writer) {
    delete writer;
}

glissade_id glissade_writer_add(glissade_writer* writer, const glissade_row* row) {
    const glissade::PublishResult added =
        writer->publisher.add(web::to_pose(*row), web::to_velocity(*row));
    answer("glissade_writer_add", added.status);
    return web::to_number(added.id);
}

int32_t glissade_writer_remove(glissade_writer* writer, glissade_id id) {
    return answer("glissade_writer_remove", writer->publisher.remove(web::to_id(id)));
}

uint32_t glissade_writer_move(glissade_writer* writer, const glissade_row* rows, uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
        const glissade::PublishStatus status = writer->publisher.move(
            web::to_id(rows[i].id), web::to_pose(rows[i]), web::to_velocity(rows[i]));
        if (answer("glissade_writer_move", status) == 0) {
            return i;
        }
    }
    return count;
}

int32_t glissade_writer_cut(glissade_writer* writer, const glissade_row* row) {
    return answer(
        "glissade_writer_cut",
        writer->publisher.cut(web::to_id(row->id), web::to_pose(*row), web::to_velocity(*row)));
}

int32_t glissade_writer_shift(glissade_writer* writer, glissade_id id, const double* rotation,
                              const double* translation) {
    const glissade::Rigid rigid{
        .translation = {translation[0], translation[1], translation[2]},
        .rotation =
            glissade::quat_xyzw(static_cast<float>(rotation[0]), static_cast<float>(rotation[1]),
                                static_cast<float>(rotation[2]), static_cast<float>(rotation[3]))};
    return answer("glissade_writer_shift", writer->publisher.shift(web::to_id(id), rigid));
}

int32_t glissade_writer_publish(glissade_writer* writer, const glissade_times* times) {
    const auto told = to_times(*times);
    if (!told) {
        return web::fail("glissade_writer_publish",
                         "a time that no clock shows, or a duration of 0");
    }
    const glissade::LinkStatus status = writer->publisher.publish(*told);
    return status == glissade::LinkStatus::Ok
               ? 1
               : web::fail("glissade_writer_publish", to_string(status));
}
