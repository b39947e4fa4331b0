// SPDX-License-Identifier: MIT
// playout: every state carries the time at which it is true, and the picture plays these times back
// behind the source, as far as the lateness of the states asks for. Lateness changes when a state
// can be read, not where it belongs: as long as the delay covers it, nothing of it is seen. All of
// it is the library's own Timeline and Stage.
#include "glissade/feed/timeline.h"

#include "lab/methods/methods.h"
#include "lab/methods/stage_player.h"

namespace glissade::lab {

namespace {

class PlayoutMethod final : public Method {
public:
    explicit PlayoutMethod(const MethodConfig& config)
        : timeline_({.fixed_delay_ns = config.delay_ns}),
          player_(config, {.history = 64,
                           .cuts = CutShows::AtStamp,
                           .underrun_extrapolation_ns = Playout::kMaxExtrapolationNs}) {}

    void tick(const TraceTick& tick) override {
        epoch_ = tick.epoch.value_or(epoch_);
        timeline_.add({.source_ns = tick.sim_ns,
                       .arrival_ns = tick.arrive_ns,
                       .due_ns = tick.due_ns,
                       .time_scale = tick.scale.value_or(1.0),
                       .paused = tick.paused,
                       .epoch = static_cast<std::uint32_t>(epoch_)});
        player_.tick(tick);
    }

    void frame(const TraceFrame& frame, DrawnFrame& out) override {
        begin_drawing(frame, out);
        const std::optional<SampleTime> sample = timeline_.frame(frame.cpu_ns, frame.present_ns);
        if (player_.empty() || !sample) {
            return;
        }
        player_.draw(sample->time_ns, sample->now_ns, out);
        out.sample_ns = sample->time_ns;
        out.delay_ns = timeline_.report().delay_ns;
    }

    [[nodiscard]] std::string problem() const override { return player_.problem(); }

private:
    Timeline timeline_;
    StagePlayer player_;
    std::int64_t epoch_ = 0;
};

} // namespace

std::unique_ptr<Method> make_playout(const TraceHeader& /*header*/, const MethodConfig& config) {
    return std::make_unique<PlayoutMethod>(config);
}

} // namespace glissade::lab
