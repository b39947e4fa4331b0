// SPDX-License-Identifier: MIT
#include "glissade/time/fixed_step.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

constexpr std::int64_t kSecond = kNanosecondsPerSecond;

rc::Gen<Rate> any_rate() {
    return rc::gen::construct<Rate>(rc::gen::inRange<std::int64_t>(1, 500),
                                    rc::gen::inRange<std::int64_t>(1, 20));
}

FixedStepConfig any_config() {
    FixedStepConfig config;
    config.rate = *any_rate();
    config.view = *rc::gen::element(View::Behind, View::Ahead);
    config.overload = *rc::gen::element(Overload::Drop, Overload::Widen, Overload::Slow);
    config.max_ticks = *rc::gen::inRange(1, 12);
    config.start_ns = *rc::gen::inRange<std::int64_t>(-10 * kSecond, 10 * kSecond);
    return config;
}

// A clock under random treatment, the invariants that must hold after every frame, and a second
// account of the time that went in.
class Session {
public:
    explicit Session(const FixedStepConfig& config)
        : config_(config),
          step_(config),
          previous_ns_(config.start_ns - config.rate.period_ns()),
          shown_ns_(step_.sample().time_ns) {}

    void act() {
        switch (*rc::gen::inRange(0, 16)) {
            case 0:
                step_.pause();
                break;
            case 1:
                step_.resume();
                break;
            case 2:
                set_scale(*rc::gen::element(0.0, 1e-12, 1e-6, 0.25, 1.0, 4.0, 1000.0, -1.0,
                                            std::numeric_limits<double>::quiet_NaN()));
                break;
            case 3:
                RC_ASSERT(step_.set_rate(*any_rate()));
                break;
            case 4:
                frame(*rc::gen::arbitrary<std::int64_t>());
                break;
            case 5:
                frame(0);
                break;
            case 6:
                frame(-1);
                break;
            default:
                frame(*rc::gen::inRange<std::int64_t>(0, 200'000'000));
                break;
        }
        check();
    }

private:
    void set_scale(double scale) {
        const bool taken = step_.set_time_scale(scale);
        RC_ASSERT(taken == (scale >= 0.0 && scale <= TimeGroup::kMaxScale));
        RC_ASSERT(group_.set_scale(scale) == taken);
    }

    void frame(std::int64_t elapsed_ns) {
        const auto range = step_.advance_by(elapsed_ns);
        if (range.status() == ClockStatus::Ok || range.status() == ClockStatus::Discarded) {
            if (!step_.paused()) {
                group_.advance_by(elapsed_ns);
            }
        } else {
            RC_ASSERT(elapsed_ns < 0 || elapsed_ns > kMaxTimeNs);
        }
        int tick_count = 0;
        const int stop_after = *rc::gen::element(1, 3, 1000, 1000, 1000, 1000);
        for (const Tick& tick : range) {
            RC_ASSERT(range.status() == ClockStatus::Ok);
            RC_ASSERT(tick.index == ++index_);
            RC_ASSERT(tick.duration_ns > 0);
            RC_ASSERT(tick.step_s == step_.rate().period_s());
            previous_ns_ = tick.time_ns - tick.duration_ns;
            step_.report_cost(*rc::gen::inRange<std::int64_t>(0, 60'000'000));
            if (++tick_count == stop_after) {
                break;
            }
        }
        RC_ASSERT(tick_count <= config_.max_ticks);
    }

    void check() {
        const SampleTime sample = step_.sample();
        RC_ASSERT(sample.time_ns >= shown_ns_);
        shown_ns_ = sample.time_ns;
        RC_ASSERT(sample.newest.has_value());
        RC_ASSERT(sample.newest->index == index_);
        RC_ASSERT(previous_ns_ <= sample.time_ns);
        RC_ASSERT(sample.time_ns <= sample.newest->time_ns);
        const StepStats& stats = step_.stats();
        RC_ASSERT(stats.tick_count == index_);
        RC_ASSERT(stats.simulated_ns == sample.now_ns - config_.start_ns);
        RC_ASSERT(stats.simulated_ns + stats.dropped_ns + stats.stretched_ns + stats.discarded_ns ==
                  group_.now_ns());
        RC_ASSERT(stats.dropped_ns >= 0 && stats.stretched_ns >= 0 && stats.discarded_ns >= 0);
    }

    FixedStepConfig config_;
    FixedStep step_;
    TimeGroup group_;
    std::int64_t index_ = 0;
    std::int64_t previous_ns_;
    std::int64_t shown_ns_;
};

// Trap 14: time scale 0 and tiny, negative and zero frames, clocks that go backwards.
RC_GTEST_PROP(FixedStep, AnyTreatmentGivesMonotoneBracketedTimeAndLosesNoneInSilence, ()) {
    Session session(any_config());
    const int act_count = *rc::gen::inRange(1, 60);
    for (int i = 0; i < act_count; ++i) {
        session.act();
    }
}

RC_GTEST_PROP(FixedStep, AbsoluteTimesInAnyOrderCountEveryTickOnce, ()) {
    const Rate rate = *any_rate();
    const auto offsets_ns = *rc::gen::container<std::vector<std::int64_t>>(
        rc::gen::inRange<std::int64_t>(0, 2 * kSecond));
    const std::int64_t origin_ns = *rc::gen::inRange<std::int64_t>(-kSecond, kSecond);
    FixedStep step({.rate = rate, .max_ticks = 100'000});
    RC_ASSERT(step.advance_to(origin_ns).status() == ClockStatus::Started);
    std::int64_t latest_ns = 0;
    for (const std::int64_t offset_ns : offsets_ns) {
        const auto range = step.advance_to(origin_ns + offset_ns);
        RC_ASSERT(range.status() ==
                  (offset_ns < latest_ns ? ClockStatus::TimeWentBack : ClockStatus::Ok));
        latest_ns = std::max(latest_ns, offset_ns);
        std::int64_t index = step.newest().index;
        for (const Tick& tick : range) {
            RC_ASSERT(tick.index == ++index);
        }
        RC_ASSERT(index == latest_ns * rate.numerator / (rate.denominator * kSecond));
        RC_ASSERT(step.sample().time_ns == latest_ns - rate.period_ns());
    }
}

} // namespace
} // namespace glissade
