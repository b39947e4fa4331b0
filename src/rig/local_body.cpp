// SPDX-License-Identifier: MIT
#include "glissade/rig/local_body.h"

#include <optional>

namespace glissade {

namespace {

// AlphaBasis::Stamped looks back over the longest usual quantum, 55 ms by default. Four states are
// three quanta, and no quantum is shorter than min_quantum but Retail's first one after a
// set-position, before which all states are the same: they reach back 100 ms.
constexpr std::uint32_t kHistory = 4;

} // namespace

BodyPicture::BodyPicture() noexcept
    : stage_({.capacity = 1,
              .event_capacity = 0,
              .shift_capacity = 0,
              .track = {.history = kHistory}}),
      id_(stage_.add({})) {}

void BodyPicture::cut(const glm::dvec3& position) noexcept {
    static_cast<void>(stage_.cut(id_, {.position = position}));
}

void BodyPicture::move(const Tick& tick, const glm::dvec3& position) noexcept {
    static_cast<void>(stage_.move(tick, id_, {.position = position}));
}

glm::dvec3 BodyPicture::show(const SampleTime& sample) noexcept {
    static_cast<void>(stage_.present(sample));
    return shown_position();
}

glm::dvec3 BodyPicture::shown_position() const noexcept {
    return stage_.visual(id_).position;
}

glm::dvec3 BodyPicture::previous_position() const noexcept {
    const std::optional<Tick> newest = stage_.newest();
    return newest ? stage_.sample(id_, newest->time_ns - newest->duration_ns).position
                  : stage_.logical(id_).position;
}

std::uint32_t BodyPicture::shown_cuts() const noexcept {
    return stage_.shown_cuts(id_);
}

} // namespace glissade
