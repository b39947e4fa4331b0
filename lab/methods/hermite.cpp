// SPDX-License-Identifier: MIT
// hermite: constant-interval with a cubic through both velocities. Rounder paths between the ticks,
// but the same alpha, so the same holds and jumps; and without a limiter it overshoots at bounces.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

namespace glissade::lab {

namespace {

class Hermite final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    double begin_frame(std::int64_t cpu_ns) override {
        alpha_ = constant_alpha(cpu_ns);
        return source_time(alpha_);
    }
    BodyState draw(Body& body) override {
        return blend_cubic(body.previous, body.current, duration_ns() / kNsPerSecond, alpha_);
    }

    double alpha_ = 0.0;
};

} // namespace

std::unique_ptr<Method> make_hermite(const TraceHeader& header, const MethodConfig& /*config*/) {
    return std::make_unique<Hermite>(header);
}

} // namespace glissade::lab
