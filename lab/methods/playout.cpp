// SPDX-License-Identifier: MIT
// playout: every state carries the time at which it is true, and the picture plays these times back
// a fixed delay behind the source. Lateness changes when a state can be read, not where it belongs:
// as long as the delay covers it, nothing of it is seen. The frame's time is the display's own
// stamp, so the callback's latency is not seen either. A tick that is later than the delay is
// bridged along the velocity.
#include "lab/methods/methods.h"
#include "lab/methods/source_fit.h"
#include "lab/methods/stage_player.h"

#include <algorithm>
#include <cmath>

namespace glissade::lab {

namespace {

// On top of one tick: covers what a loaded machine usually does to a thread's wake-up.
constexpr std::int64_t kSlackNs = 8'000'000;
constexpr std::int64_t kMaxExtrapolationNs = 50'000'000;
// How fast the delay follows a change of the tick's length: too slow to be seen as a change of
// speed.
constexpr double kDelayGrowth = 0.02;
constexpr std::int64_t kNominalTickNs = 16'666'667;

class PlayoutMethod final : public Method {
public:
    PlayoutMethod(const TraceHeader& header, const MethodConfig& config)
        : fixed_delay_ns_(config.delay_ns),
          tick_ns_(header.tick_ns),
          player_(config,
                  {.history = 64,
                   .cuts = CutShows::AtStamp,
                   .underrun_extrapolation_ns = std::min(
                       header.tick_ns.value_or(kMaxExtrapolationNs), kMaxExtrapolationNs)}) {
        delay_ns_ = static_cast<double>(config.delay_ns.value_or(target_delay_ns()));
    }

    void tick(const TraceTick& tick) override {
        const bool first = player_.empty();
        const std::int64_t last_ns = first ? tick.sim_ns : player_.newest().time_ns;
        if (!player_.tick(tick)) {
            return;
        }
        if (tick.sim_ns < last_ns) {
            last_sample_ns_.reset(); // The source began its time anew.
        }
        scale_ = tick.paused ? 0.0 : tick.scale.value_or(1.0);
        due_ns_ = tick.due_ns;
        if (first || tick.epoch.value_or(epoch_) != epoch_ || scale_ != fit_scale_) {
            fit_.clear();
        }
        epoch_ = tick.epoch.value_or(epoch_);
        fit_scale_ = scale_;
        fit_.add(tick.arrive_ns, tick.sim_ns);
    }

    void frame(const TraceFrame& frame, DrawnFrame& out) override {
        begin_drawing(frame, out);
        if (player_.empty()) {
            return;
        }
        const std::int64_t present_ns = frame.present_ns.value_or(frame.cpu_ns);
        move_delay(present_ns);
        const double now_ns = source_now(present_ns);
        const std::int64_t now = std::llround(now_ns);
        const std::int64_t wanted = std::llround(now_ns - delay_ns_);
        last_sample_ns_ = std::max(last_sample_ns_.value_or(wanted), wanted);
        player_.draw(*last_sample_ns_, std::max(*last_sample_ns_, now), out);
        out.sample_ns = last_sample_ns_;
        out.delay_ns = std::llround(delay_ns_);
    }

    [[nodiscard]] std::string problem() const override { return player_.problem(); }

private:
    [[nodiscard]] std::int64_t target_delay_ns() const {
        const std::int64_t last = player_.empty() ? kNominalTickNs : player_.newest().duration_ns;
        return tick_ns_.value_or(last) + kSlackNs;
    }

    // Only where the ticks have no fixed length does the delay have to follow them.
    void move_delay(std::int64_t present_ns) {
        const auto elapsed =
            static_cast<double>(present_ns - last_present_ns_.value_or(present_ns));
        last_present_ns_ = present_ns;
        if (fixed_delay_ns_) {
            return;
        }
        const auto target = static_cast<double>(target_delay_ns());
        const double most = std::max(elapsed, 0.0) * kDelayGrowth;
        delay_ns_ += std::clamp(target - delay_ns_, -most, most);
    }

    [[nodiscard]] double source_now(std::int64_t present_ns) const {
        const Tick& newest = player_.newest();
        if (due_ns_) {
            return static_cast<double>(newest.time_ns) +
                   scale_ * static_cast<double>(present_ns - *due_ns_);
        }
        return scale_ == 0.0 ? static_cast<double>(newest.time_ns) : fit_.source_at(present_ns);
    }

    std::optional<std::int64_t> fixed_delay_ns_;
    std::optional<std::int64_t> tick_ns_;
    StagePlayer player_;
    SourceFit fit_{};
    double delay_ns_ = 0.0;
    double scale_ = 1.0;
    double fit_scale_ = 1.0;
    std::int64_t epoch_ = 0;
    std::optional<std::int64_t> due_ns_{};
    std::optional<std::int64_t> last_present_ns_{};
    std::optional<std::int64_t> last_sample_ns_{};
};

} // namespace

std::unique_ptr<Method> make_playout(const TraceHeader& header, const MethodConfig& config) {
    return std::make_unique<PlayoutMethod>(header, config);
}

} // namespace glissade::lab
