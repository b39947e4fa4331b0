// SPDX-License-Identifier: MIT
// accumulator: what a loop on the frames' own thread would draw. Frame time goes into a FixedStep,
// whole ticks come out, and the picture lags by the unconsumed rest. Exact when simulation and
// frames share one clock. Fed from another thread it has no notion of lateness: a tick that is not
// there yet holds the picture, and a source that runs at its own rate drifts away.
#include "glissade/time/fixed_step.h"

#include "lab/methods/methods.h"
#include "lab/methods/stage_player.h"

#include <algorithm>

namespace glissade::lab {

namespace {

// Drift that a loop would call lost time: it starts anew at the newest state.
constexpr std::int64_t kMaxDriftNs = 250'000'000;

class Accumulator final : public Method {
public:
    Accumulator(const TraceHeader& header, const MethodConfig& config)
        : rate_(header.rate.value_or(Rate{})), player_(config, {.history = 64}) {
        const Rate from_length{kNanosecondsPerSecond, header.tick_ns.value_or(0)};
        if (!header.rate && from_length.is_valid()) {
            rate_ = from_length;
        }
    }

    void tick(const TraceTick& tick) override {
        const std::int64_t last_ns = player_.empty() ? tick.sim_ns : player_.newest().time_ns;
        if (player_.tick(tick)) {
            // A source that began its time anew takes the picture back with it.
            last_sample_ns_ = tick.sim_ns < last_ns ? -kMaxTimeNs : last_sample_ns_;
            scale_ = tick.paused ? 0.0 : tick.scale.value_or(1.0);
        }
    }

    void frame(const TraceFrame& frame, DrawnFrame& out) override {
        begin_drawing(frame, out);
        if (player_.empty()) {
            return;
        }
        const std::int64_t newest = player_.newest().time_ns;
        if (!step_) {
            start(frame.cpu_ns, newest);
        }
        step_->set_time_scale(scale_);
        for (const Tick& tick : step_->advance_to(frame.cpu_ns)) {
            (void)tick; // The trace has the states; the clock says how far the picture is.
        }
        if (std::abs(step_->sample().time_ns - newest) > kMaxDriftNs) {
            start(frame.cpu_ns, newest);
        }
        last_sample_ns_ = std::max(last_sample_ns_, step_->sample().time_ns);
        player_.draw(last_sample_ns_, last_sample_ns_, out);
        out.sample_ns = last_sample_ns_;
        out.delay_ns = newest - last_sample_ns_;
    }

    [[nodiscard]] std::string problem() const override { return player_.problem(); }

private:
    void start(std::int64_t cpu_ns, std::int64_t source_ns) {
        step_.emplace(FixedStepConfig{.rate = rate_, .start_ns = source_ns});
        (void)step_->advance_to(cpu_ns);
    }

    Rate rate_;
    StagePlayer player_;
    std::optional<FixedStep> step_{};
    std::int64_t last_sample_ns_ = -kMaxTimeNs;
    double scale_ = 1.0;
};

} // namespace

std::unique_ptr<Method> make_accumulator(const TraceHeader& header, const MethodConfig& config) {
    return std::make_unique<Accumulator>(header, config);
}

} // namespace glissade::lab
