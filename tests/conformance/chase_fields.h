// SPDX-License-Identifier: MIT
// The body and the queue of a chase, as the vectors write them.
#pragma once

#include "glissade/remote/chase_queue.h"

#include "conformance/compare.h"

#include <string>

namespace glissade::conformance {

/// `body_pos` and `body_heading`.
[[nodiscard]] std::optional<ChaseBody> read_body(Fields& given);
/// A speed that is `null` is that of a body without any. Says whether it could be read.
[[nodiscard]] bool read_speed(Fields& given, const std::string& name, ChaseBody& body);

/// A queue: its nodes one by one (`queue`), or `queue_len` nodes one metre apart (`queue_rule`),
/// whose counters are those of a fresh one unless they say otherwise.
[[nodiscard]] std::optional<ChaseQueue> read_queue(Fields& given, const std::string& name);
/// The same two shapes, and a third: `queue_len` with `head` and `tail`.
void compare_queue(Fields& expect, const std::string& name, const ChaseQueue& actual);

inline constexpr Word<ChaseEvent> kChaseEvents[] = {
    {"none", ChaseEvent::None},
    {"completed", ChaseEvent::Completed},
    {"step", ChaseEvent::Step},
    {"step_window_pass", ChaseEvent::StepWindowPass},
    {"stall_near_complete", ChaseEvent::StallNear},
    {"stall_fail", ChaseEvent::StallFail},
};

} // namespace glissade::conformance
