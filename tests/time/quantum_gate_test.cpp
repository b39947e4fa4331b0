// SPDX-License-Identifier: MIT
#include "glissade/time/quantum_gate.h"

#include "glissade/base/hooks.h"
#include "glissade/time/rate.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kMin = 33'333'333;

using Quanta = std::vector<std::int64_t>;

template <class Range>
Quanta run(const Range& range) {
    Quanta quanta;
    for (const Tick& tick : range) {
        quanta.push_back(tick.duration_ns);
    }
    return quanta;
}

QuantumGateConfig with(GateProfile profile) {
    return profile == GateProfile::Retail ? QuantumGateConfig::retail()
                                          : QuantumGateConfig{.profile = profile};
}

TEST(ComputeQuanta, PlayerRunsAllDownToTheMinimum) {
    const QuantumGateConfig config;
    EXPECT_EQ(compute_quanta(config, 0), (QuantumPlan{0, 0, 0, 0}));
    EXPECT_EQ(compute_quanta(config, kMin - 1), (QuantumPlan{0, 0, kMin - 1, 0}));
    EXPECT_EQ(compute_quanta(config, kMin), (QuantumPlan{0, kMin, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 99'999'999), (QuantumPlan{0, 99'999'999, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 100 * kMillisecond), (QuantumPlan{1, 0, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 100 * kMillisecond + kMin - 1),
              (QuantumPlan{1, 0, kMin - 1, 0}));
    EXPECT_EQ(compute_quanta(config, 250 * kMillisecond),
              (QuantumPlan{2, 50 * kMillisecond, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 2 * kSecond), (QuantumPlan{20, 0, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 2 * kSecond + 1), (QuantumPlan{0, 0, 0, 2 * kSecond + 1}));
}

TEST(ComputeQuanta, SingleRunsOneQuantum) {
    const QuantumGateConfig config = with(GateProfile::Single);
    EXPECT_EQ(compute_quanta(config, kMin - 1), (QuantumPlan{0, 0, kMin - 1, 0}));
    EXPECT_EQ(compute_quanta(config, kMin), (QuantumPlan{0, kMin, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 250 * kMillisecond),
              (QuantumPlan{0, 100 * kMillisecond, 150 * kMillisecond, 0}));
    EXPECT_EQ(compute_quanta(config, 2 * kSecond + 1), (QuantumPlan{0, 0, 0, 2 * kSecond + 1}));
}

TEST(ComputeQuanta, RetailRunsBelowTheMinimumButSkipsSliversAndSmallRemainders) {
    const QuantumGateConfig config = QuantumGateConfig::retail();
    EXPECT_EQ(compute_quanta(config, 200'000), (QuantumPlan{0, 0, 0, 200'000}));
    EXPECT_EQ(compute_quanta(config, 200'001), (QuantumPlan{0, 200'001, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 200 * kMillisecond),
              (QuantumPlan{0, 200 * kMillisecond, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 200 * kMillisecond + 1), (QuantumPlan{1, 0, 1, 0}));
    EXPECT_EQ(compute_quanta(config, 200 * kMillisecond + kMin), (QuantumPlan{1, 0, kMin, 0}));
    EXPECT_EQ(compute_quanta(config, 200 * kMillisecond + kMin + 1),
              (QuantumPlan{1, kMin + 1, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 400 * kMillisecond),
              (QuantumPlan{1, 200 * kMillisecond, 0, 0}));
    EXPECT_EQ(compute_quanta(config, 2 * kSecond + 1), (QuantumPlan{0, 0, 0, 2 * kSecond + 1}));
}

TEST(ComputeQuanta, NegativeTimeCountsAsNone) {
    for (const GateProfile profile :
         {GateProfile::Player, GateProfile::Single, GateProfile::Retail}) {
        EXPECT_EQ(compute_quanta(with(profile), -1), QuantumPlan{});
    }
}

TEST(QuantumGate, GathersUntilTheMinimumThenRunsItAllAtOnce) {
    for (const GateProfile profile :
         {GateProfile::Player, GateProfile::Single, GateProfile::Retail}) {
        QuantumGate gate(with(profile));
        EXPECT_EQ(gate.advance_to(7 * kSecond).status(), ClockStatus::Started);
        for (const std::int64_t ms : {16, 32}) {
            const auto range = gate.advance_to(7 * kSecond + ms * kMillisecond);
            EXPECT_EQ(range.status(), ClockStatus::Ok);
            EXPECT_TRUE(run(range).empty());
            EXPECT_FALSE(gate.opened());
            EXPECT_EQ(gate.leftover_ns(), ms * kMillisecond);
        }
        EXPECT_EQ(run(gate.advance_to(7 * kSecond + 48 * kMillisecond)), Quanta{48 * kMillisecond});
        EXPECT_TRUE(gate.opened());
        EXPECT_EQ(gate.leftover_ns(), 0);
        EXPECT_EQ(gate.newest(), (Tick{1, 48 * kMillisecond, 48 * kMillisecond, 0.048}));
    }
}

TEST(QuantumGate, ALongFrameIsSlicedByItsProfile) {
    QuantumGate player;
    EXPECT_EQ(run(player.advance_by(230 * kMillisecond)),
              (Quanta{100 * kMillisecond, 100 * kMillisecond}));
    EXPECT_EQ(player.leftover_ns(), 30 * kMillisecond);

    QuantumGate single(with(GateProfile::Single));
    EXPECT_EQ(run(single.advance_by(230 * kMillisecond)), Quanta{100 * kMillisecond});
    EXPECT_EQ(single.leftover_ns(), 130 * kMillisecond);
    EXPECT_EQ(run(single.advance_by(0)), Quanta{100 * kMillisecond});

    QuantumGate retail(QuantumGateConfig::retail());
    EXPECT_EQ(run(retail.advance_by(230 * kMillisecond)), Quanta{200 * kMillisecond});
    EXPECT_EQ(retail.leftover_ns(), 30 * kMillisecond);
    EXPECT_TRUE(run(retail.advance_by(16 * kMillisecond)).empty()); // 46 ms, but no world pass.
    EXPECT_EQ(run(retail.advance_by(20 * kMillisecond)), Quanta{66 * kMillisecond});
}

TEST(QuantumGate, TheWorldGateDoesNotCarryItsExcess) {
    QuantumGate gate(QuantumGateConfig::retail());
    EXPECT_EQ(run(gate.advance_by(60 * kMillisecond)), Quanta{60 * kMillisecond});
    EXPECT_TRUE(run(gate.advance_by(kMin - 1)).empty());
    EXPECT_EQ(run(gate.advance_by(1)), Quanta{kMin});
}

TEST(QuantumGate, AGapIsDiscardedWithWhatHadGathered) {
    for (const GateProfile profile :
         {GateProfile::Player, GateProfile::Single, GateProfile::Retail}) {
        QuantumGate gate(with(profile));
        EXPECT_TRUE(run(gate.advance_by(10 * kMillisecond)).empty());
        const auto range = gate.advance_by(2 * kSecond - 10 * kMillisecond + 1);
        EXPECT_EQ(range.status(), ClockStatus::Discarded);
        EXPECT_TRUE(run(range).empty());
        EXPECT_EQ(gate.leftover_ns(), 0);
        EXPECT_EQ(gate.sample().epoch, 1U);
        EXPECT_EQ(gate.stats().discarded_ns, 2 * kSecond + 1);
        EXPECT_EQ(gate.stats().discarded_count, 1);
        EXPECT_EQ(run(gate.advance_by(40 * kMillisecond)), Quanta{40 * kMillisecond});
    }
}

TEST(QuantumGate, ARetailSliverIsCountedButNoGap) {
    QuantumGate gate(QuantumGateConfig::retail());
    EXPECT_TRUE(run(gate.advance_by(kMin - 1)).empty());
    gate.drop_leftover();
    const auto range = gate.advance_by(1); // The world gate opens on an object that is 1 ns late.
    EXPECT_EQ(range.status(), ClockStatus::Ok);
    EXPECT_TRUE(run(range).empty());
    EXPECT_TRUE(gate.opened());
    EXPECT_EQ(gate.leftover_ns(), 0);
    EXPECT_EQ(gate.stats().discarded_ns, kMin);
    EXPECT_EQ(gate.stats().discarded_count, 0);
    EXPECT_EQ(gate.sample().epoch, 0U);
}

TEST(QuantumGate, TimesThatGoBackOrAreAbsurdAreRefusedEvenIfQuantaAreLeft) {
    QuantumGate gate;
    EXPECT_EQ(gate.advance_to(0).status(), ClockStatus::Started);
    EXPECT_EQ(gate.advance_to(500 * kMillisecond).begin()->index, 1); // Leaves four quanta.
    const SampleTime before = gate.sample();
    for (const auto& range : {gate.advance_to(-1), gate.advance_by(-1)}) {
        EXPECT_EQ(range.status(), ClockStatus::TimeWentBack);
        EXPECT_TRUE(run(range).empty());
    }
    for (const auto& range : {gate.advance_to(kMaxTimeNs + 1), gate.advance_to(-kMaxTimeNs - 1),
                              gate.advance_by(std::numeric_limits<std::int64_t>::max()),
                              gate.advance_to(std::numeric_limits<std::int64_t>::min())}) {
        EXPECT_EQ(range.status(), ClockStatus::AbsurdTime);
        EXPECT_TRUE(run(range).empty());
    }
    EXPECT_EQ(gate.stats().refused_count, 6);
    EXPECT_EQ(gate.sample().time_ns, before.time_ns);
    EXPECT_EQ(gate.leftover_ns(), 400 * kMillisecond);
    EXPECT_EQ(run(gate.advance_to(500 * kMillisecond)), Quanta(4, 100 * kMillisecond));
}

TEST(QuantumGate, TimeEndsInsteadOfOverflowing) {
    QuantumGate gate({.start_ns = kMaxTimeNs});
    EXPECT_EQ(gate.advance_by(kMaxTimeNs).status(), ClockStatus::Discarded);
    EXPECT_EQ(gate.advance_by(kMaxTimeNs).status(), ClockStatus::Discarded);
    EXPECT_EQ(gate.advance_by(1).status(), ClockStatus::AbsurdTime);
    EXPECT_EQ(gate.advance_by(0).status(), ClockStatus::Ok);
}

TEST(QuantumGate, DeltasAndAbsoluteTimesMix) {
    QuantumGate gate;
    EXPECT_TRUE(run(gate.advance_by(10 * kMillisecond)).empty()); // Sets no origin.
    EXPECT_EQ(gate.advance_to(0).status(), ClockStatus::Started);
    EXPECT_TRUE(run(gate.advance_by(10 * kMillisecond)).empty());
    EXPECT_EQ(run(gate.advance_to(30 * kMillisecond)), Quanta{40 * kMillisecond});
}

TEST(QuantumGate, LeavingTheLoopEarlyLeavesTheRestOnTheClock) {
    QuantumGate gate;
    EXPECT_EQ(gate.advance_by(250 * kMillisecond).begin()->index, 1);
    EXPECT_EQ(gate.leftover_ns(), 150 * kMillisecond);
    EXPECT_EQ(gate.sample().time_ns, 100 * kMillisecond); // Waits at the newest.
    EXPECT_EQ(run(gate.advance_by(10 * kMillisecond)),
              (Quanta{100 * kMillisecond, 60 * kMillisecond}));
}

TEST(QuantumGate, DropLeftoverForgetsGatheredTimeAndTheRestOfTheLoop) {
    QuantumGate gate;
    Quanta quanta;
    for (const Tick& tick : gate.advance_by(250 * kMillisecond)) {
        quanta.push_back(tick.duration_ns);
        gate.drop_leftover();
    }
    EXPECT_EQ(quanta, Quanta{100 * kMillisecond});
    EXPECT_EQ(gate.leftover_ns(), 0);
    EXPECT_EQ(gate.stats().discarded_ns, 150 * kMillisecond);
    EXPECT_EQ(gate.stats().discarded_count, 0);
    EXPECT_EQ(gate.sample().epoch, 0U);
}

TEST(QuantumGate, AlphaDividesByItsBasisAndIsClamped) {
    QuantumGate last;
    QuantumGate literal({.alpha_basis = AlphaBasis::MinQuantum});
    for (QuantumGate* gate : {&last, &literal}) {
        EXPECT_EQ(gate->alpha(), 0.0);
        EXPECT_TRUE(run(gate->advance_by(16 * kMillisecond)).empty());
        // Before the first quantum both divide by the minimum; 1e-8 for its missing third of 1 ns.
        EXPECT_NEAR(gate->alpha(), 0.48, 1e-8);
        EXPECT_EQ(run(gate->advance_by(64 * kMillisecond)), Quanta{80 * kMillisecond});
        EXPECT_EQ(gate->alpha(), 0.0);
        EXPECT_TRUE(run(gate->advance_by(20 * kMillisecond)).empty());
    }
    EXPECT_EQ(last.alpha(), 0.25);
    EXPECT_NEAR(literal.alpha(), 0.6, 1e-8);

    QuantumGate single({.profile = GateProfile::Single});
    EXPECT_EQ(run(single.advance_by(kSecond)), Quanta{100 * kMillisecond});
    EXPECT_EQ(single.alpha(), 1.0);
}

TEST(QuantumGate, TheSampleLiesBetweenTheLastTwoStates) {
    QuantumGate last({.start_ns = kSecond});
    QuantumGate literal({.alpha_basis = AlphaBasis::MinQuantum, .start_ns = kSecond});
    for (QuantumGate* gate : {&last, &literal}) {
        EXPECT_EQ(gate->sample().time_ns, kSecond);
        EXPECT_TRUE(run(gate->advance_by(16 * kMillisecond)).empty());
        EXPECT_EQ(gate->sample().time_ns, kSecond); // Nothing is known to move yet.
        EXPECT_EQ(gate->sample().now_ns, kSecond + 16 * kMillisecond);
        EXPECT_EQ(run(gate->advance_by(24 * kMillisecond)), Quanta{40 * kMillisecond});
        EXPECT_EQ(gate->sample().time_ns, kSecond);
        EXPECT_TRUE(run(gate->advance_by(20 * kMillisecond)).empty());
        EXPECT_EQ(gate->sample().newest, gate->newest());
    }
    EXPECT_EQ(last.sample().time_ns, kSecond + 20 * kMillisecond);
    EXPECT_EQ(literal.sample().time_ns, kSecond + 24 * kMillisecond); // 20 / 33.3 of 40 ms.
}

TEST(QuantumGate, StampedPlaysBackAtItsDelayAndWaitsAtTheNewestState) {
    QuantumGate gate({.profile = GateProfile::Single, .alpha_basis = AlphaBasis::Stamped});
    EXPECT_EQ(gate.sample().time_ns, -55 * kMillisecond);
    EXPECT_EQ(run(gate.advance_by(40 * kMillisecond)), Quanta{40 * kMillisecond});
    EXPECT_EQ(gate.sample().time_ns, -15 * kMillisecond);
    EXPECT_TRUE(run(gate.advance_by(30 * kMillisecond)).empty());
    EXPECT_EQ(gate.sample().time_ns, 15 * kMillisecond);
    EXPECT_EQ(gate.alpha(), 0.75);
    EXPECT_EQ(run(gate.advance_by(500 * kMillisecond)), Quanta{100 * kMillisecond});
    EXPECT_EQ(gate.sample().time_ns, 140 * kMillisecond);
    EXPECT_EQ(gate.sample().now_ns, 570 * kMillisecond);
}

TEST(QuantumGate, ThePictureNeverRunsBackWhenTimeIsDroppedOrDiscarded) {
    for (const AlphaBasis basis :
         {AlphaBasis::LastQuantum, AlphaBasis::MinQuantum, AlphaBasis::Stamped}) {
        QuantumGate gate({.alpha_basis = basis});
        EXPECT_EQ(run(gate.advance_by(50 * kMillisecond)), Quanta{50 * kMillisecond});
        EXPECT_TRUE(run(gate.advance_by(30 * kMillisecond)).empty());
        const std::int64_t shown_ns = gate.sample().time_ns;
        gate.drop_leftover();
        EXPECT_EQ(gate.sample().time_ns, shown_ns);
        EXPECT_TRUE(run(gate.advance_by(32 * kMillisecond)).empty());
        const std::int64_t later_ns = gate.sample().time_ns;
        EXPECT_GT(later_ns, shown_ns);
        EXPECT_EQ(gate.advance_by(3 * kSecond).status(), ClockStatus::Discarded);
        EXPECT_EQ(gate.sample().time_ns, later_ns);
    }
}

TEST(QuantumGate, BrokenLimitsTakeTheDefaultsOfTheProfile) {
    set_assert_handler([](const char*, const char*, int) {});
    const std::vector<QuantumGateConfig> broken = {
        {.min_quantum_ns = 0},
        {.max_quantum_ns = kMin - 1},
        {.huge_quantum_ns = 100 * kMillisecond - 1},
        {.huge_quantum_ns = kMaxTimeNs + 1},
        {.delay_ns = -1},
        {.delay_ns = kMaxTimeNs + 1},
        {.start_ns = kMaxTimeNs + 1},
        {.start_ns = -kMaxTimeNs - 1},
    };
    for (const QuantumGateConfig& config : broken) {
        QuantumGate gate(config);
        EXPECT_EQ(run(gate.advance_by(230 * kMillisecond)),
                  (Quanta{100 * kMillisecond, 100 * kMillisecond}));
        EXPECT_EQ(gate.newest().time_ns, 200 * kMillisecond);
    }
    QuantumGate retail({.profile = GateProfile::Retail, .min_quantum_ns = -5});
    EXPECT_EQ(run(retail.advance_by(230 * kMillisecond)), Quanta{200 * kMillisecond});
    set_assert_handler(nullptr);
}

TEST(QuantumGate, TheTightestLimitsWork) {
    QuantumGate gate({.min_quantum_ns = 1, .max_quantum_ns = 1, .huge_quantum_ns = 3});
    EXPECT_EQ(run(gate.advance_by(3)), (Quanta{1, 1, 1}));
    EXPECT_EQ(gate.advance_by(4).status(), ClockStatus::Discarded);
}

// The quanta of one second of frames.
std::vector<std::int64_t> even_quanta(std::int64_t frames_per_s) {
    std::vector<std::int64_t> quanta_ns;
    QuantumGate gate(QuantumGateConfig::even());
    for (std::int64_t frame = 0; frame <= frames_per_s; ++frame) {
        for (const Tick& tick : gate.advance_to(frame * 1'000'000'000 / frames_per_s)) {
            quanta_ns.push_back(tick.duration_ns);
        }
    }
    return quanta_ns;
}

TEST(QuantumGate, EvenQuantaAreAllOfTheMinimumAtAnyFrameRate) {
    const std::vector<std::int64_t> expected(30, 33'333'333);
    for (const std::int64_t frames_per_s : {24, 60, 144, 240}) {
        EXPECT_EQ(even_quanta(frames_per_s), expected);
    }
}

} // namespace
} // namespace glissade
