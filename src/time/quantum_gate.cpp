// SPDX-License-Identifier: MIT
#include "glissade/time/quantum_gate.h"

#include "glissade/base/hooks.h"
#include "glissade/time/rate.h"

#include "time/present_step.h"

#include <algorithm>

namespace glissade {

namespace {

constexpr std::int64_t kRetailMaxQuantumNs = 200'000'000;
constexpr std::int64_t kRetailSliverNs = 200'000; // At most this much is not worth a quantum.

bool in_range(const QuantumGateConfig& config) noexcept {
    return config.min_quantum_ns > 0 && config.max_quantum_ns >= config.min_quantum_ns &&
           config.huge_quantum_ns >= config.max_quantum_ns &&
           config.huge_quantum_ns <= kMaxTimeNs && config.delay_ns >= 0 &&
           config.delay_ns <= kMaxTimeNs && config.start_ns >= -kMaxTimeNs &&
           config.start_ns <= kMaxTimeNs;
}

QuantumGateConfig checked(const QuantumGateConfig& config) noexcept {
    GLISSADE_ASSERT(in_range(config));
    if (in_range(config)) {
        return config;
    }
    QuantumGateConfig usable =
        config.profile == GateProfile::Retail ? QuantumGateConfig::retail() : QuantumGateConfig{};
    usable.profile = config.profile;
    usable.alpha_basis = config.alpha_basis;
    return usable;
}

QuantumPlan plan_player(const QuantumGateConfig& config, std::int64_t elapsed_ns) noexcept {
    QuantumPlan plan{.slice_count = elapsed_ns / config.max_quantum_ns};
    const std::int64_t left_ns = elapsed_ns % config.max_quantum_ns;
    (left_ns >= config.min_quantum_ns ? plan.last_ns : plan.carried_ns) = left_ns;
    return plan;
}

QuantumPlan plan_single(const QuantumGateConfig& config, std::int64_t elapsed_ns) noexcept {
    if (elapsed_ns < config.min_quantum_ns) {
        return {.carried_ns = elapsed_ns};
    }
    const std::int64_t quantum_ns = std::min(elapsed_ns, config.max_quantum_ns);
    return {.last_ns = quantum_ns, .carried_ns = elapsed_ns - quantum_ns};
}

QuantumPlan plan_retail(const QuantumGateConfig& config, std::int64_t elapsed_ns) noexcept {
    if (elapsed_ns <= kRetailSliverNs) {
        return {.discarded_ns = elapsed_ns};
    }
    if (elapsed_ns <= config.max_quantum_ns) {
        return {.last_ns = elapsed_ns};
    }
    // Exactly max left is not sliced off: it is the remainder.
    QuantumPlan plan{.slice_count = (elapsed_ns - 1) / config.max_quantum_ns};
    const std::int64_t left_ns = elapsed_ns - plan.slice_count * config.max_quantum_ns;
    (left_ns > config.min_quantum_ns ? plan.last_ns : plan.carried_ns) = left_ns;
    return plan;
}

} // namespace

QuantumGateConfig QuantumGateConfig::even() noexcept {
    QuantumGateConfig config;
    config.max_quantum_ns = config.min_quantum_ns;
    return config;
}

QuantumGateConfig QuantumGateConfig::retail() noexcept {
    return {.profile = GateProfile::Retail, .max_quantum_ns = kRetailMaxQuantumNs};
}

QuantumPlan compute_quanta(const QuantumGateConfig& config, std::int64_t elapsed_ns) noexcept {
    elapsed_ns = std::max(elapsed_ns, std::int64_t{0});
    if (elapsed_ns > config.huge_quantum_ns) {
        return {.discarded_ns = elapsed_ns};
    }
    switch (config.profile) {
        case GateProfile::Single:
            return plan_single(config, elapsed_ns);
        case GateProfile::Retail:
            return plan_retail(config, elapsed_ns);
        case GateProfile::Player:
            break;
    }
    return plan_player(config, elapsed_ns);
}

QuantumGate::QuantumGate(const QuantumGateConfig& config) noexcept : config_(checked(config)) {
    newest_ = {.index = 0,
               .time_ns = config_.start_ns,
               .duration_ns = config_.min_quantum_ns,
               .step_s = static_cast<double>(config_.min_quantum_ns) /
                         static_cast<double>(kNanosecondsPerSecond)};
    floor_ns_ = config_.start_ns;
    if (config_.alpha_basis == AlphaBasis::Stamped) {
        floor_ns_ -= config_.delay_ns;
    }
}

TickRange<QuantumGate> QuantumGate::advance_to(std::int64_t present_ns) noexcept {
    return advance(detail::step_to(present_ns_, present_ns));
}

TickRange<QuantumGate> QuantumGate::advance_by(std::int64_t elapsed_ns) noexcept {
    return advance(detail::step_by(present_ns_, elapsed_ns));
}

TickRange<QuantumGate> QuantumGate::advance(const detail::PresentStep& step) noexcept {
    const std::int64_t room_ns =
        2 * kMaxTimeNs - stats_.simulated_ns - stats_.discarded_ns - leftover_ns_;
    if (step.is_refused() || step.elapsed_ns > room_ns) {
        ++stats_.refused_count;
        return {nullptr, step.is_refused() ? step.status : ClockStatus::AbsurdTime};
    }
    present_ns_ = step.present_ns;
    floor_ns_ = shown_ns();
    leftover_ns_ += step.elapsed_ns;
    plan_ = {};
    opened_ = open(step.elapsed_ns);
    if (!opened_) {
        return {this, step.status};
    }
    plan_ = compute_quanta(config_, leftover_ns_);
    leftover_ns_ -= plan_.discarded_ns;
    stats_.discarded_ns += plan_.discarded_ns;
    if (plan_.discarded_ns > config_.huge_quantum_ns) {
        ++stats_.discarded_count;
        ++epoch_;
        return {nullptr, ClockStatus::Discarded};
    }
    return {this, step.status};
}

bool QuantumGate::open(std::int64_t elapsed_ns) noexcept {
    if (config_.profile != GateProfile::Retail) {
        return leftover_ns_ >= config_.min_quantum_ns;
    }
    since_pass_ns_ += elapsed_ns;
    if (since_pass_ns_ < config_.min_quantum_ns) {
        return false;
    }
    since_pass_ns_ = 0; // The excess is not carried.
    return true;
}

std::optional<Tick> QuantumGate::take() noexcept {
    std::int64_t quantum_ns = 0;
    if (plan_.slice_count > 0) {
        --plan_.slice_count;
        quantum_ns = config_.max_quantum_ns;
    } else if (plan_.last_ns > 0) {
        quantum_ns = plan_.last_ns;
        plan_.last_ns = 0;
    } else {
        return std::nullopt;
    }
    leftover_ns_ -= quantum_ns;
    newest_ = {
        .index = newest_.index + 1,
        .time_ns = newest_.time_ns + quantum_ns,
        .duration_ns = quantum_ns,
        .step_s = static_cast<double>(quantum_ns) / static_cast<double>(kNanosecondsPerSecond)};
    ++stats_.quantum_count;
    stats_.simulated_ns += quantum_ns;
    return newest_;
}

void QuantumGate::drop_leftover() noexcept {
    floor_ns_ = shown_ns();
    stats_.discarded_ns += leftover_ns_;
    leftover_ns_ = 0;
    plan_ = {};
}

double QuantumGate::alpha() const noexcept {
    // The duration of the start state is min_quantum.
    const std::int64_t basis_ns = config_.alpha_basis == AlphaBasis::MinQuantum
                                      ? config_.min_quantum_ns
                                      : newest_.duration_ns;
    return std::min(static_cast<double>(leftover_ns_) / static_cast<double>(basis_ns), 1.0);
}

SampleTime QuantumGate::sample() const noexcept {
    return {.time_ns = shown_ns(),
            .now_ns = newest_.time_ns + leftover_ns_,
            .newest = newest_,
            .epoch = epoch_};
}

// Without the floor a leftover that is discarded or dropped would take the picture back.
std::int64_t QuantumGate::shown_ns() const noexcept {
    return std::max(floor_ns_, std::min(sought_ns(), newest_.time_ns));
}

std::int64_t QuantumGate::sought_ns() const noexcept {
    if (config_.alpha_basis == AlphaBasis::Stamped) {
        return newest_.time_ns + leftover_ns_ - config_.delay_ns;
    }
    const std::int64_t previous_ns = newest_.time_ns - newest_.duration_ns;
    if (config_.alpha_basis == AlphaBasis::MinQuantum) {
        return previous_ns +
               static_cast<std::int64_t>(alpha() * static_cast<double>(newest_.duration_ns));
    }
    return previous_ns + std::min(leftover_ns_, newest_.duration_ns);
}

} // namespace glissade
