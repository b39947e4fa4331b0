// SPDX-License-Identifier: MIT
// soft-snap: dead reckoning whose corrections fade in. When an update shows that the guess was
// wrong, the picture stays where it is, and the difference fades out with a half-life of 100 ms. No
// pop, but the body slides sideways and changes its speed after every wrong guess.
#include "lab/methods/methods.h"
#include "lab/methods/two_states.h"

#include <cmath>
#include <map>

namespace glissade::lab {

namespace {

constexpr double kHalfLifeNs = 100e6;

class SoftSnap final : public TwoStates {
public:
    using TwoStates::TwoStates;

private:
    // A guess: where the body goes from its newest state on, and what is left of the one before.
    struct Guess {
        BodyState previous{};
        BodyState current{};
        double duration_s = 0.0;
        std::int64_t stamp_ns = 0;
        glm::dvec3 residual{0.0};

        [[nodiscard]] BodyState at(double elapsed_ns) const {
            BodyState state = carry_on(previous, current, duration_s, elapsed_ns / kNsPerSecond);
            // Stamps of another clock may lie ahead: nothing has faded then.
            state.position += residual * std::exp2(-std::max(elapsed_ns, 0.0) / kHalfLifeNs);
            return state;
        }
    };

    void on_tick() override {
        by_body_.clear();
        std::erase_if(guesses_, [&](const auto& entry) { return !bodies_.contains(entry.first); });
        for (const auto& [id, body] : bodies_) {
            Guess next{body.previous, body.current, duration_ns() / kNsPerSecond,
                       current_.stamp_ns};
            const auto last = guesses_.find(id);
            if (last != guesses_.end()) {
                const auto elapsed = static_cast<double>(current_.stamp_ns - last->second.stamp_ns);
                next.residual = last->second.at(elapsed).position - next.at(0.0).position;
            }
            guesses_[id] = next;
            by_body_[&body] = id;
        }
    }

    double begin_frame(std::int64_t cpu_ns) override {
        beyond_ns_ = since_stamp_ns(cpu_ns);
        return source_time(1.0) + beyond_ns_;
    }

    // By address: a body keeps its place in the map of bodies until it ends.
    BodyState draw(Body& body) override { return guesses_.at(by_body_.at(&body)).at(beyond_ns_); }

    double beyond_ns_ = 0.0;
    std::map<std::int64_t, Guess> guesses_{};
    std::map<const Body*, std::int64_t> by_body_{};
};

} // namespace

std::unique_ptr<Method> make_soft_snap(const TraceHeader& header, const MethodConfig& /*config*/) {
    return std::make_unique<SoftSnap>(header);
}

} // namespace glissade::lab
