// SPDX-License-Identifier: MIT
#include "glissade/remote/chase_queue.h"

#include "glissade/base/hooks.h"
#include "glissade/remote/heading.h"
#include "glissade/remote/speeds.h"

#include <algorithm>

#include <glm/geometric.hpp>

namespace glissade {

namespace {

// More than any number of failures that is still chased.
std::uint32_t failed_at_once(const RemoteTuning& tuning) noexcept {
    return tuning.blip_after + 1;
}

} // namespace

EnqueueResult ChaseQueue::enqueue(const RemoteTuning& tuning, const ChaseBody& body,
                                  const glm::dvec3& target, double heading_deg, bool keep,
                                  double far_gap_m) noexcept {
    const glm::dvec3& reference = has_place_at_tail() ? node(size_ - 1).position : body.position;
    if (glm::distance(reference, target) > far_gap_m) {
        push_back({target, state_.keep_heading ? body.heading_deg : heading_deg});
        state_.failure_count = failed_at_once(tuning);
        return {.branch = Enqueued::FarAppended};
    }
    if (glm::distance(body.position, target) <= tuning.reach_m) {
        clear(tuning);
        return {.branch = Enqueued::AlreadyClose,
                .heading_deg = keep ? std::nullopt : std::optional(heading_deg)};
    }
    return append_near(tuning, {target, keep ? body.heading_deg : heading_deg}, keep);
}

EnqueueResult ChaseQueue::append_near(const RemoteTuning& tuning, const ChaseNode& added,
                                      bool keep) noexcept {
    const auto repeats_tail = [&] {
        return has_place_at_tail() &&
               glm::distance(node(size_ - 1).position, added.position) < tuning.reach_m;
    };
    if (tuning.duplicate_tail == DuplicateTail::Drop && repeats_tail()) {
        return {.branch = Enqueued::Dropped};
    }
    EnqueueResult result;
    for (; repeats_tail(); --size_) {
        ++result.pruned_count;
    }
    for (; size_ > 0 && size_ >= tuning.queue_cap; pop_front()) {
        ++result.dropped_count;
    }
    state_.keep_heading = keep;
    push_back(added);
    return result;
}

ChaseStep ChaseQueue::adjust(const RemoteTuning& tuning, const ChaseBody& body,
                             double quantum_s) noexcept {
    if (size_ == 0 || node(0).kind != NodeKind::Position || !body.contact) {
        return {};
    }
    const ChaseNode head = node(0);
    const glm::dvec3 difference = head.position - body.position;
    const double distance = glm::length(difference);
    if (distance < tuning.reach_m) {
        complete(tuning, body, true);
        return {.event = ChaseEvent::Completed};
    }
    ChaseStep step{.event = ChaseEvent::Step,
                   .moves = true,
                   .speed_m_s = compute_chase_speed(tuning, body.adjusted_max_speed)};
    state_.window_s += quantum_s;
    if (++state_.quantum_count >= tuning.stall_window) {
        if (!progresses(tuning, body, distance, step.speed_m_s)) {
            return stall(tuning, body, distance);
        }
        begin_window(distance);
        state_.failure_count = tuning.progress_resets_failures ? 0 : state_.failure_count;
        step.event = ChaseEvent::StepWindowPass;
    }
    const double reach = step.speed_m_s * quantum_s;
    step.move = distance > reach ? difference * (reach / distance) : difference;
    step.turn_deg =
        state_.keep_heading ? 0.0 : compute_turn_deg(body.heading_deg, head.heading_deg);
    if (distance <= tuning.reach_m) {
        complete(tuning, body, true);
    }
    return step;
}

bool ChaseQueue::progresses(const RemoteTuning& tuning, const ChaseBody& body, double distance_m,
                            double speed_m_s) const noexcept {
    const double progress = state_.original_distance_m - distance_m;
    return body.stuck || (progress >= tuning.epsilon &&
                          progress / state_.window_s / speed_m_s >= tuning.progress_ratio);
}

ChaseStep ChaseQueue::stall(const RemoteTuning& tuning, const ChaseBody& body,
                            double distance_m) noexcept {
    const bool near = distance_m < tuning.near_m;
    state_.failure_count += near ? 0U : 1U;
    complete(tuning, body, near);
    return {.event = near ? ChaseEvent::StallNear : ChaseEvent::StallFail};
}

void ChaseQueue::complete(const RemoteTuning& tuning, const ChaseBody& body,
                          bool success) noexcept {
    const ChaseNode done = node(0);
    pop_front();
    if (size_ > 0) {
        begin_window(glm::distance(body.position, node(0).position));
        return;
    }
    begin_window(tuning.first_distance_m);
    if (success) {
        clear(tuning);
    } else {
        state_.blip_node = done;
    }
}

std::optional<ChaseNode> ChaseQueue::finish(const RemoteTuning& tuning,
                                            const ChaseBody& body) noexcept {
    if (size_ == 0) {
        return state_.failure_count > 0 ? state_.blip_node : std::nullopt;
    }
    if (state_.failure_count > tuning.blip_after) {
        return node(size_ - 1);
    }
    if (node(0).kind != NodeKind::Position) {
        complete(tuning, body, true);
    }
    return std::nullopt;
}

void ChaseQueue::clear(const RemoteTuning& tuning) noexcept {
    first_ = 0;
    size_ = 0;
    state_.failure_count = 0;
    begin_window(tuning.first_distance_m);
}

void ChaseQueue::begin_window(double distance_m) noexcept {
    state_.quantum_count = 0;
    state_.window_s = 0.0;
    state_.original_distance_m = distance_m;
}

bool ChaseQueue::has_place_at_tail() const noexcept {
    return size_ > 0 && node(size_ - 1).kind == NodeKind::Position;
}

const ChaseNode& ChaseQueue::node(std::size_t index) const noexcept {
    GLISSADE_ASSERT(index < size_);
    return nodes_[(first_ + index) % kChaseCapacity];
}

void ChaseQueue::restore(std::span<const ChaseNode> nodes, const ChaseState& state) noexcept {
    first_ = 0;
    size_ = 0;
    for (const ChaseNode& added : nodes) {
        push_back(added);
    }
    state_ = state;
}

void ChaseQueue::push_back(const ChaseNode& added) noexcept {
    // Far nodes ignore the cap; the newest place matters, so the oldest makes room.
    if (size_ == kChaseCapacity) {
        pop_front();
    }
    nodes_[(first_ + size_) % kChaseCapacity] = added;
    ++size_;
}

void ChaseQueue::pop_front() noexcept {
    first_ = (first_ + 1) % kChaseCapacity;
    --size_;
}

} // namespace glissade
