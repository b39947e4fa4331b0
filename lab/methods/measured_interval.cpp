// SPDX-License-Identifier: MIT
// measured-interval: as constant-interval, but divided by the interval measured last. A past
// interval does not predict the next one: the divisor moves, and with it the speed, everywhere.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

#include <algorithm>

namespace glissade::lab {

namespace {

class MeasuredInterval final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    double begin_frame(std::int64_t cpu_ns) override {
        const auto measured = static_cast<double>(current_.stamp_ns - previous_.stamp_ns);
        const double interval = measured > 0.0 ? measured : step_ns();
        alpha_ = std::clamp(since_stamp_ns(cpu_ns) / interval, 0.0, 1.0);
        return source_time(alpha_);
    }
    BodyState draw(Body& body) override { return blend(body.previous, body.current, alpha_); }

    double alpha_ = 0.0;
};

} // namespace

std::unique_ptr<Method> make_measured_interval(const TraceHeader& header,
                                               const MethodConfig& /*config*/) {
    return std::make_unique<MeasuredInterval>(header);
}

} // namespace glissade::lab
