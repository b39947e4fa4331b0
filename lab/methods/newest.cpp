// SPDX-License-Identifier: MIT
// newest: draws the newest state. The picture steps at the rate of the ticks: where frames and
// ticks do not go together evenly, some frames repeat and others jump.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

namespace glissade::lab {

namespace {

class Newest final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    double begin_frame(std::int64_t /*cpu_ns*/) override { return source_time(1.0); }
    BodyState draw(Body& body) override { return body.current; }
};

} // namespace

std::unique_ptr<Method> make_newest(const TraceHeader& header, const MethodConfig& /*config*/) {
    return std::make_unique<Newest>(header);
}

} // namespace glissade::lab
