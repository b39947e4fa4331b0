// SPDX-License-Identifier: MIT
#include "lab/literal_table.h"

#include "glissade/remote/remote_tuning.h"

#include "lab/remote_scenario.h"
#include "lab/replay.h"

#include <cmath>

namespace glissade::lab {
namespace {

struct Variant {
    const char* name;
    void (*apply)(RemoteTuning& tuning, const RemoteTuning& literal);
};

constexpr Variant kVariants[] = {
    {"root_motion", [](RemoteTuning& tuning,
                       const RemoteTuning& literal) { tuning.root_motion = literal.root_motion; }},
    {"progress_resets_failures",
     [](RemoteTuning& tuning, const RemoteTuning& literal) {
         tuning.progress_resets_failures = literal.progress_resets_failures;
     }},
    {"duplicate_tail",
     [](RemoteTuning& tuning, const RemoteTuning& literal) {
         tuning.duplicate_tail = literal.duplicate_tail;
     }},
    {"far_test",
     [](RemoteTuning& tuning, const RemoteTuning& literal) { tuning.far_test = literal.far_test; }},
    {"orientation_always_snaps",
     [](RemoteTuning& tuning, const RemoteTuning& literal) {
         tuning.orientation_always_snaps = literal.orientation_always_snaps;
     }},
    {"landing_chase_m",
     [](RemoteTuning& tuning, const RemoteTuning& literal) {
         tuning.landing_chase_m = literal.landing_chase_m;
     }},
    {"literal()", [](RemoteTuning& tuning, const RemoteTuning& literal) { tuning = literal; }},
};

ObjectScore judge(const Scorer& scorer, const RemoteTuning& tuning) {
    const Drawn drawn = replay(scorer.trace(), *find_method("chase"), {.tuning = tuning});
    const Score score = scorer.score(drawn.frames);
    return score.worst ? score.objects[*score.worst] : ObjectScore{};
}

// How far two drawings of one case are apart: rate error, and a little for each degree.
double difference(const ObjectScore& a, const ObjectScore& b) {
    const double angle =
        std::abs(a.angle_error_deg_rms.value_or(0.0) - b.angle_error_deg_rms.value_or(0.0));
    return std::abs(a.rate->rate_rms - b.rate->rate_rms) + 1e-3 * angle;
}

void add_case(LiteralRow& row, const Scenario& scenario, const Condition& condition,
              const ObjectScore& client, const ObjectScore& variant) {
    constexpr double kSame = 1e-6; // Figures are printed with three digits.
    if (!client.rate || !variant.rate) {
        return; // It stands: there is no rate.
    }
    ++row.case_count;
    if (difference(client, variant) <= kSame) {
        return;
    }
    ++row.changed_count;
    if (row.scenario == nullptr ||
        difference(client, variant) > difference(row.client, row.variant)) {
        row.scenario = &scenario;
        row.condition = &condition;
        row.client = client;
        row.variant = variant;
    }
}

void run_case(const Scenario& scenario, const Condition& condition, std::vector<LiteralRow>& rows) {
    const Trace trace = make_remote_trace(scenario, condition);
    const Scorer scorer(trace);
    const ObjectScore client = judge(scorer, RemoteTuning::client());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RemoteTuning tuning = RemoteTuning::client();
        kVariants[i].apply(tuning, RemoteTuning::literal());
        add_case(rows[i], scenario, condition, client, judge(scorer, tuning));
    }
}

} // namespace

std::vector<LiteralRow> compute_literal_table() {
    std::vector<LiteralRow> rows;
    for (const Variant& variant : kVariants) {
        rows.push_back({.name = variant.name});
    }
    for (const Scenario& scenario : remote_scenarios()) {
        for (const Condition& condition : remote_conditions()) {
            run_case(scenario, condition, rows);
        }
    }
    return rows;
}

} // namespace glissade::lab
