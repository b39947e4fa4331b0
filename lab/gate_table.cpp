// SPDX-License-Identifier: MIT
#include "lab/gate_table.h"

#include "glissade/time/quantum_gate.h"

#include "lab/random.h"

#include <cmath>

namespace glissade::lab {
namespace {

constexpr double kFrameRatesHz[] = {50.0, 60.0, 75.0, 120.0, 144.0, 165.0, 240.0};
constexpr double kJittersMs[] = {0.0, 0.2};
constexpr double kWarmUpS = 2.0;
constexpr double kLengthS = 20.0;
constexpr double kHeldRate = 0.05; // Slower than this a frame counts as held.

/// What one frame did to the sample time. Of a body at constant speed the drawn steps are that
/// times the speed, so the speed itself is in no figure.
struct FrameStep {
    std::int64_t present_ns = 0;
    std::int64_t shown_ns = 0;
};

/// Adds up what the frames after the warm-up did.
class GateMeter {
public:
    void add(const FrameStep& frame, const FrameStep& previous) {
        const auto length_ns = static_cast<double>(frame.present_ns - previous.present_ns);
        const auto advance_ns = static_cast<double>(frame.shown_ns - previous.shown_ns);
        const double rate = advance_ns / length_ns;
        held_count_ += rate < kHeldRate ? 1.0 : 0.0;
        square_sum_ += (rate - 1.0) * (rate - 1.0);
        lag_sum_ns_ += static_cast<double>(frame.present_ns - frame.shown_ns);
        frame_count_ += 1.0;
    }

    [[nodiscard]] GateFigure compute() const {
        return {.held_percent = 100.0 * held_count_ / frame_count_,
                .rate_rms = std::sqrt(square_sum_ / frame_count_),
                .lag_ms = 1e-6 * lag_sum_ns_ / frame_count_};
    }

private:
    double frame_count_ = 0.0;
    double held_count_ = 0.0;
    double square_sum_ = 0.0;
    double lag_sum_ns_ = 0.0;
};

GateFigure measure(AlphaBasis basis, double frame_hz, double jitter_ms, std::uint64_t seed) {
    QuantumGate gate({.alpha_basis = basis});
    GateMeter meter;
    Random random(seed); // The same frames for each basis.
    const auto warm_up_count = static_cast<std::int64_t>(kWarmUpS * frame_hz);
    const auto frame_count = static_cast<std::int64_t>((kWarmUpS + kLengthS) * frame_hz);
    FrameStep previous;
    for (std::int64_t i = 0; i < frame_count; ++i) {
        // The gate's timeline begins at its first frame: moved, that one would shift the lag.
        const double jitter_ns = i == 0 ? 0.0 : 1e6 * random.between(-jitter_ms, jitter_ms);
        // Rounded down: the nearest could make two 60 Hz frames a nanosecond less than the minimum.
        const double even_ns = std::floor(static_cast<double>(i) * 1e9 / frame_hz);
        FrameStep frame{.present_ns = static_cast<std::int64_t>(even_ns + std::round(jitter_ns))};
        for ([[maybe_unused]] const Tick& quantum : gate.advance_to(frame.present_ns)) {
        }
        frame.shown_ns = gate.sample().time_ns;
        if (i >= warm_up_count) {
            meter.add(frame, previous);
        }
        previous = frame;
    }
    return meter.compute();
}

} // namespace

std::vector<GateRow> compute_gate_table(std::uint64_t seed) {
    std::vector<GateRow> rows;
    for (const double jitter_ms : kJittersMs) {
        for (const double frame_hz : kFrameRatesHz) {
            rows.push_back(
                {.frame_hz = frame_hz,
                 .jitter_ms = jitter_ms,
                 .literal = measure(AlphaBasis::MinQuantum, frame_hz, jitter_ms, seed),
                 .last_quantum = measure(AlphaBasis::LastQuantum, frame_hz, jitter_ms, seed),
                 .stamped = measure(AlphaBasis::Stamped, frame_hz, jitter_ms, seed)});
        }
    }
    return rows;
}

} // namespace glissade::lab
