// SPDX-License-Identifier: MIT
// How smooth a QuantumGate is at common display rates, for each way to compute alpha.
#pragma once

#include <cstdint>
#include <vector>

namespace glissade::lab {

/// One way to compute alpha at one display rate.
struct GateFigure {
    double held_percent = 0.0; ///< Frames that did not move although the body did.
    double rate_rms = 0.0;     ///< RMS of rate - 1.
    double lag_ms = 0.0;       ///< Mean of the present time minus the shown time.
};

struct GateRow {
    double frame_hz = 0.0;
    double jitter_ms = 0.0;    ///< Frame times are moved by up to this much, either way.
    GateFigure literal{};      ///< AlphaBasis::MinQuantum: leftover over a constant.
    GateFigure last_quantum{}; ///< AlphaBasis::LastQuantum.
    GateFigure stamped{};      ///< AlphaBasis::Stamped: playback of stamped quanta with a delay.
};

/// 50, 60, 75, 120, 144, 165 and 240 Hz, each without jitter and with 0.2 ms. Constant cost, about
/// 20 ms.
[[nodiscard]] std::vector<GateRow> compute_gate_table(std::uint64_t seed = 1);

} // namespace glissade::lab
