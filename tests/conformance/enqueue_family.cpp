// SPDX-License-Identifier: MIT
// The family "InterpolateTo": what a new place does to the queue of a chase.
#include "conformance/chase_fields.h"
#include "conformance/families.h"

namespace glissade::conformance {

namespace {

constexpr Word<Enqueued> kBranches[] = {
    {"near_append", Enqueued::Appended},
    {"far_append_arm_blip", Enqueued::FarAppended},
    {"already_close", Enqueued::AlreadyClose},
};

// What was pruned and dropped is reported of a near node; other branches may say that it is 0.
void compare_removed(Fields& expect, const EnqueueResult& result) {
    const bool near = result.branch == Enqueued::Appended;
    if (near || expect.has("pruned")) {
        compare_whole(expect, "pruned", result.pruned_count);
    }
    if (near || expect.has("dropped_head")) {
        compare_whole(expect, "dropped_head", result.dropped_count);
    }
}

} // namespace

void check_enqueue_case(CaseFields& fields) {
    const auto body = read_body(fields.given);
    const auto far_gap = read_distance(fields.given, "blip_distance");
    auto queue = read_queue(fields.given, "state");
    const auto target = read_vector(fields.when, "target_pos");
    const auto heading = fields.when.number("target_heading");
    const auto keep = fields.when.flag("keep_heading_arg");
    if (!body || !far_gap || !queue || !target || !heading || !keep) {
        return;
    }
    const EnqueueResult result =
        queue->enqueue(RemoteTuning::client(), *body, *target, *heading, *keep, *far_gap);
    compare_word(fields.expect, "branch", kBranches, result.branch);
    compare_reported(fields.expect, "set_heading", result.heading_deg, compare_heading);
    compare_removed(fields.expect, result);
    compare_queue(fields.expect, "state", *queue);
}

} // namespace glissade::conformance
