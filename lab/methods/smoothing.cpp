// SPDX-License-Identifier: MIT
// exponential and hybrid: the drawn pose goes a fixed part of the way to a target in each frame,
// the newest state or what constant-interval draws. A low-pass filter: it rounds steps off but
// keeps some of them, always lags, and lags differently at every frame rate, because it counts
// frames.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

namespace glissade::lab {

namespace {

constexpr double kExponentialGain = 0.25; // Per frame, as commonly written.
constexpr double kHybridGain = 0.8;

class Smoothing final : public TwoStates {
public:
    enum class Target : std::uint8_t { Newest, ConstantInterval };

    Smoothing(const TraceHeader& header, Target target, double gain)
        : TwoStates(header), target_(target), gain_(gain) {}

private:
    double begin_frame(std::int64_t cpu_ns) override {
        alpha_ = target_ == Target::Newest ? 1.0 : constant_alpha(cpu_ns);
        const double target_ns = source_time(alpha_);
        const double from_ns = shown_ns_.value_or(target_ns);
        shown_ns_ = from_ns + gain_ * (target_ns - from_ns);
        return *shown_ns_;
    }

    BodyState draw(Body& body) override {
        const BodyState target = blend(body.previous, body.current, alpha_);
        return body.drawn ? blend(*body.drawn, target, gain_) : target;
    }

    Target target_;
    double gain_;
    double alpha_ = 1.0;
    std::optional<double> shown_ns_{};
};

} // namespace

std::unique_ptr<Method> make_exponential(const TraceHeader& header,
                                         const MethodConfig& /*config*/) {
    return std::make_unique<Smoothing>(header, Smoothing::Target::Newest, kExponentialGain);
}

std::unique_ptr<Method> make_hybrid(const TraceHeader& header, const MethodConfig& /*config*/) {
    return std::make_unique<Smoothing>(header, Smoothing::Target::ConstantInterval, kHybridGain);
}

} // namespace glissade::lab
