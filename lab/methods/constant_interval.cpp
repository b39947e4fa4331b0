// SPDX-License-Identifier: MIT
// constant-interval: previous to current state, alpha = time since the stamp / tick, clamped. Right
// as long as every tick comes exactly on time; a late one holds the picture at the clamp, and then
// it jumps. It also reads the CPU clock, so the callback's latency shakes every frame.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

namespace glissade::lab {

namespace {

class ConstantInterval final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    double begin_frame(std::int64_t cpu_ns) override {
        alpha_ = constant_alpha(cpu_ns);
        return source_time(alpha_);
    }
    BodyState draw(Body& body) override { return blend(body.previous, body.current, alpha_); }

    double alpha_ = 0.0;
};

} // namespace

std::unique_ptr<Method> make_constant_interval(const TraceHeader& header,
                                               const MethodConfig& /*config*/) {
    return std::make_unique<ConstantInterval>(header);
}

} // namespace glissade::lab
