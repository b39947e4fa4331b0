// SPDX-License-Identifier: MIT
// chase-target: each tick starts a new blend from whatever is on the screen to the new state. Alpha
// restarts at every tick, from a start that is never the same: the speed changes with each tick,
// which is seen as vibration.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

#include <map>

namespace glissade::lab {

namespace {

class ChaseTarget final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    void on_tick() override {
        start_ns_ = shown_ns_.value_or(static_cast<double>(current_.sim_ns));
        starts_.clear();
        for (const auto& [id, body] : bodies_) {
            if (body.drawn) {
                starts_.emplace(&body, *body.drawn);
            }
        }
    }

    double begin_frame(std::int64_t cpu_ns) override {
        alpha_ = constant_alpha(cpu_ns);
        shown_ns_ = start_ns_ + alpha_ * (static_cast<double>(current_.sim_ns) - start_ns_);
        return *shown_ns_;
    }

    BodyState draw(Body& body) override {
        const auto start = starts_.find(&body);
        return start == starts_.end() ? body.current : blend(start->second, body.current, alpha_);
    }

    double alpha_ = 0.0;
    double start_ns_ = 0.0;
    std::optional<double> shown_ns_{};
    // By address: a body keeps its place in the map of bodies until it ends.
    std::map<const Body*, BodyState> starts_{};
};

} // namespace

std::unique_ptr<Method> make_chase_target(const TraceHeader& header,
                                          const MethodConfig& /*config*/) {
    return std::make_unique<ChaseTarget>(header);
}

} // namespace glissade::lab
