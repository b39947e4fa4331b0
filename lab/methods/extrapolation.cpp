// SPDX-License-Identifier: MIT
// extrapolate and predict: the newest state carried on along its velocity, from one tick after its
// stamp on, or from the stamp itself. No hold and little lag, but every change of velocity was
// guessed wrong: objects overshoot, sink into floors, and snap back when the truth arrives.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

#include <algorithm>

namespace glissade::lab {

namespace {

// constant-interval until alpha is 1, then on along the velocity.
class Extrapolate final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    double begin_frame(std::int64_t cpu_ns) override {
        alpha_ = constant_alpha(cpu_ns);
        beyond_ns_ = std::max(since_stamp_ns(cpu_ns) - step_ns(), 0.0);
        return source_time(alpha_) + beyond_ns_;
    }
    BodyState draw(Body& body) override {
        if (beyond_ns_ == 0.0) {
            return blend(body.previous, body.current, alpha_);
        }
        return carry_on(body.previous, body.current, duration_ns() / kNsPerSecond,
                        beyond_ns_ / kNsPerSecond);
    }

    double alpha_ = 0.0;
    double beyond_ns_ = 0.0;
};

class Predict final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    double begin_frame(std::int64_t cpu_ns) override {
        beyond_ns_ = since_stamp_ns(cpu_ns);
        return source_time(1.0) + beyond_ns_;
    }
    BodyState draw(Body& body) override {
        return carry_on(body.previous, body.current, duration_ns() / kNsPerSecond,
                        beyond_ns_ / kNsPerSecond);
    }

    double beyond_ns_ = 0.0;
};

} // namespace

std::unique_ptr<Method> make_extrapolate(const TraceHeader& header,
                                         const MethodConfig& /*config*/) {
    return std::make_unique<Extrapolate>(header);
}

std::unique_ptr<Method> make_predict(const TraceHeader& header, const MethodConfig& /*config*/) {
    return std::make_unique<Predict>(header);
}

} // namespace glissade::lab
