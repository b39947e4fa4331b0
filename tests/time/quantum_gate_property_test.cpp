// SPDX-License-Identifier: MIT
#include "glissade/time/quantum_gate.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

QuantumGateConfig any_config() {
    QuantumGateConfig config;
    config.profile =
        *rc::gen::element(GateProfile::Player, GateProfile::Single, GateProfile::Retail);
    config.alpha_basis =
        *rc::gen::element(AlphaBasis::LastQuantum, AlphaBasis::MinQuantum, AlphaBasis::Stamped);
    config.min_quantum_ns = *rc::gen::inRange<std::int64_t>(1, 50'000'000);
    config.max_quantum_ns = config.min_quantum_ns + *rc::gen::inRange<std::int64_t>(0, 200'000'000);
    config.huge_quantum_ns =
        config.max_quantum_ns + *rc::gen::inRange<std::int64_t>(0, 2'000'000'000);
    config.delay_ns = *rc::gen::inRange<std::int64_t>(0, 200'000'000);
    config.start_ns = *rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000);
    return config;
}

RC_GTEST_PROP(ComputeQuanta, EveryNanosecondIsRunCarriedOrDiscarded, ()) {
    const QuantumGateConfig config = any_config();
    const std::int64_t elapsed_ns = *rc::gen::inRange<std::int64_t>(0, 3'000'000'000);
    const QuantumPlan plan = compute_quanta(config, elapsed_ns);
    RC_ASSERT(plan.slice_count * config.max_quantum_ns + plan.last_ns + plan.carried_ns +
                  plan.discarded_ns ==
              elapsed_ns);
    RC_ASSERT(plan.slice_count >= 0 && plan.last_ns >= 0 && plan.carried_ns >= 0);
    RC_ASSERT(plan.last_ns <= config.max_quantum_ns);
    if (config.profile != GateProfile::Retail && plan.last_ns > 0) {
        RC_ASSERT(plan.last_ns >= config.min_quantum_ns);
    }
}

// A gate under random treatment, and the invariants that must hold after every frame.
class Session {
public:
    explicit Session(const QuantumGateConfig& config)
        : config_(config), gate_(config), shown_ns_(gate_.sample().time_ns) {}

    void run_frame() {
        const std::int64_t elapsed_ns =
            *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-10, 60'000'000),
                            rc::gen::inRange<std::int64_t>(0, 3'000'000'000));
        const auto range = gate_.advance_by(elapsed_ns);
        RC_ASSERT((range.status() == ClockStatus::TimeWentBack) == (elapsed_ns < 0));
        input_ns_ += elapsed_ns > 0 ? elapsed_ns : 0;
        const int stop_after = *rc::gen::element(1, 2, 1000);
        int quantum_count = 0;
        for (const Tick& tick : range) {
            RC_ASSERT(tick.index == ++index_);
            RC_ASSERT(tick.duration_ns > 0 && tick.duration_ns <= config_.max_quantum_ns);
            if (++quantum_count == stop_after) {
                break;
            }
        }
        if (*rc::gen::inRange(0, 10) == 0) {
            gate_.drop_leftover();
        }
    }

    void check() {
        const SampleTime sample = gate_.sample();
        const GateStats& stats = gate_.stats();
        RC_ASSERT(sample.time_ns >= shown_ns_);
        RC_ASSERT(sample.time_ns <= gate_.newest().time_ns);
        shown_ns_ = sample.time_ns;
        RC_ASSERT(gate_.alpha() >= 0.0 && gate_.alpha() <= 1.0);
        RC_ASSERT(sample.now_ns == config_.start_ns + stats.simulated_ns + gate_.leftover_ns());
        RC_ASSERT(stats.simulated_ns + stats.discarded_ns + gate_.leftover_ns() == input_ns_);
    }

private:
    QuantumGateConfig config_;
    QuantumGate gate_;
    std::int64_t input_ns_ = 0;
    std::int64_t index_ = 0;
    std::int64_t shown_ns_;
};

// Trap 14, for the gate: frames of any length, backwards too, and resets at any moment.
RC_GTEST_PROP(QuantumGate, AnyTreatmentGivesMonotoneTimeAndLosesNoneInSilence, ()) {
    Session session(any_config());
    const int frame_count = *rc::gen::inRange(1, 60);
    for (int frame = 0; frame < frame_count; ++frame) {
        session.run_frame();
        session.check();
    }
}

} // namespace
} // namespace glissade
