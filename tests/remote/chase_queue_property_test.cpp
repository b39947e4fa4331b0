// SPDX-License-Identifier: MIT
#include "glissade/remote/chase_queue.h"
#include "glissade/remote/speeds.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

// Millimetres, so that reach, near and far are all hit.
double any_coordinate() {
    const int millimetres =
        *rc::gen::oneOf(rc::gen::inRange(-100, 100), rc::gen::inRange(-3'000, 3'000),
                        rc::gen::inRange(-300'000, 300'000));
    return 0.001 * millimetres;
}

glm::dvec3 any_place() {
    return {any_coordinate(), any_coordinate(), any_coordinate()};
}

double any_heading() {
    return *rc::gen::inRange(-720, 720);
}

bool is_finite(const glm::dvec3& vector) {
    return std::isfinite(vector.x) && std::isfinite(vector.y) && std::isfinite(vector.z);
}

// A body under random treatment, and what must hold after everything that happens to it.
class Session {
public:
    explicit Session(const RemoteTuning& tuning) : tuning_(tuning) {
        if (*rc::gen::arbitrary<bool>()) {
            body_.adjusted_max_speed = 0.01 * *rc::gen::inRange(0, 2'000);
        }
    }

    void enqueue() {
        const std::size_t before = queue_.size();
        const double far_gap = *rc::gen::element(20.0, 25.0, 100.0);
        const EnqueueResult result = queue_.enqueue(tuning_, body_, any_place(), any_heading(),
                                                    *rc::gen::arbitrary<bool>(), far_gap);
        if (result.branch == Enqueued::Appended) {
            RC_ASSERT(queue_.size() == before - result.pruned_count - result.dropped_count + 1);
            RC_ASSERT(queue_.size() <= tuning_.queue_cap);
        }
        body_.heading_deg = result.heading_deg.value_or(body_.heading_deg);
    }

    void adjust() {
        const double quantum_s = 0.001 * *rc::gen::inRange(1, 200);
        body_.contact = *rc::gen::inRange(0, 8) != 0;
        body_.stuck = *rc::gen::inRange(0, 8) == 0;
        const bool had_head = queue_.size() > 0;
        const glm::dvec3 head = had_head ? queue_.node(0).position : body_.position;
        const ChaseStep step = queue_.adjust(tuning_, body_, quantum_s);
        RC_ASSERT(is_finite(step.move) && std::isfinite(step.turn_deg));
        RC_ASSERT(step.turn_deg >= 0.0 && step.turn_deg < 360.0);
        RC_ASSERT(step.moves || step.move == glm::dvec3(0.0));
        RC_ASSERT(had_head || step.event == ChaseEvent::None);
        if (step.moves) {
            check_step(step, quantum_s, head);
        }
        // A world that lets it pass, or half, or not at all.
        body_.position += step.move * *rc::gen::element(0.0, 0.5, 1.0);
        body_.heading_deg += step.turn_deg;
    }

    void finish() {
        const auto place = queue_.finish(tuning_, body_);
        RC_ASSERT(!place || queue_.state().failure_count > 0);
        if (place && *rc::gen::arbitrary<bool>()) {
            body_.position = place->position;
            queue_.clear(tuning_);
            RC_ASSERT(queue_.finish(tuning_, body_) == std::nullopt);
        }
    }

    void check() const {
        RC_ASSERT(queue_.size() <= kChaseCapacity);
        RC_ASSERT(queue_.state().quantum_count < tuning_.stall_window);
        // Only far places exceed the cap, and they have failed; the literal rules may forgive them.
        RC_ASSERT(tuning_.progress_resets_failures || queue_.state().failure_count > 0 ||
                  queue_.size() <= tuning_.queue_cap);
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            RC_ASSERT(is_finite(queue_.node(i).position));
        }
    }

private:
    void check_step(const ChaseStep& step, double quantum_s, const glm::dvec3& head) const {
        // Lengths below 1000 m: a millionth of a millimetre is far above their rounding.
        constexpr double kRounding = 1e-9;
        const glm::dvec3 way = head - body_.position;
        RC_ASSERT(step.speed_m_s == compute_chase_speed(tuning_, body_.adjusted_max_speed));
        RC_ASSERT(glm::length(step.move) <= step.speed_m_s * quantum_s + kRounding);
        // On the straight line to the head and not past it.
        RC_ASSERT(glm::length(step.move) + glm::length(way - step.move) <=
                  glm::length(way) + kRounding);
    }

    RemoteTuning tuning_;
    ChaseBody body_{};
    ChaseQueue queue_{};
};

RC_GTEST_PROP(ChaseQueue, AnyTreatmentKeepsItBoundedAndNeverOvershoots, ()) {
    Session session(*rc::gen::arbitrary<bool>() ? RemoteTuning::client() : RemoteTuning::literal());
    const int action_count = *rc::gen::inRange(1, 200);
    for (int i = 0; i < action_count; ++i) {
        switch (*rc::gen::inRange(0, 5)) {
            case 0:
                session.enqueue();
                break;
            case 1:
                session.finish();
                break;
            default:
                session.adjust();
                break;
        }
        session.check();
    }
}

// Whatever the body does, a chase on which nothing new is put comes to an end.
RC_GTEST_PROP(ChaseQueue, ABlockedChaseEndsInASnapToItsTail, ()) {
    const RemoteTuning tuning;
    const int node_count = *rc::gen::inRange(1, 30);
    ChaseBody body{.adjusted_max_speed = 4.0};
    ChaseQueue queue;
    for (int i = 0; i < node_count; ++i) {
        queue.enqueue(tuning, body, {0.0, 5.0 + i, 0.0}, 0.0, false, 100.0);
    }
    const glm::dvec3 tail = queue.node(queue.size() - 1).position;
    const int limit = 5 + 5 * static_cast<int>(std::min<std::size_t>(queue.size(), 4));
    std::optional<ChaseNode> place;
    int quantum_count = 0;
    while (!place && quantum_count < limit) {
        static_cast<void>(queue.adjust(tuning, body, 1.0 / 30.0));
        place = queue.finish(tuning, body);
        ++quantum_count;
    }
    RC_ASSERT(place && place->position == tail);
    RC_ASSERT(quantum_count == limit);
}

} // namespace
} // namespace glissade
