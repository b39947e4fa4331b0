// SPDX-License-Identifier: MIT
#include "glissade/time/tick_pacer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

// A pacer under random treatment, and the invariants that hold after every wake-up.
class Session {
public:
    explicit Session(const TickPacerConfig& config) : config_(config), pacer_(config) {
        now_ns_ = *rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000);
        static_cast<void>(pacer_.wake(now_ns_));
        due_ns_ = now_ns_;
    }

    void act() {
        switch (*rc::gen::inRange(0, 12)) {
            case 0:
                pacer_.pause();
                break;
            case 1:
                pacer_.resume();
                break;
            case 2:
                RC_ASSERT(pacer_.set_time_scale(*rc::gen::element(0.0, 0.1, 0.3, 1.0, 3.7, 50.0)));
                break;
            case 3:
                wake(*rc::gen::inRange<std::int64_t>(0, 5'000'000'000));
                break;
            case 4:
            case 5:
            case 6:
                wake_when_due();
                break;
            default:
                wake(*rc::gen::inRange<std::int64_t>(0, 30'000'000));
                break;
        }
    }

private:
    [[nodiscard]] bool stands() const { return pacer_.paused() || pacer_.time_scale() == 0.0; }

    // To the nanosecond: none before, one at it. After a pause the schedule goes on from a wake-up.
    void wake_when_due() {
        wake(0);
        const std::int64_t due_ns = pacer_.next_due_ns();
        RC_ASSERT(due_ns > now_ns_);
        const std::int64_t before = pacer_.stats().tick_count;
        wake(due_ns - 1 - now_ns_);
        RC_ASSERT(pacer_.stats().tick_count == before);
        wake(1);
        RC_ASSERT(pacer_.stats().tick_count >= before + (stands() ? 0 : 1));
    }

    void wake(std::int64_t elapsed_ns) {
        now_ns_ += elapsed_ns;
        const std::uint32_t epoch = pacer_.epoch();
        const std::int64_t lost_ns = pacer_.stats().lost_ns;
        int tick_count = 0;
        for (const Tick& tick : pacer_.wake(now_ns_)) {
            ++tick_count;
            RC_ASSERT(tick.index == index_ + 1);
            RC_ASSERT(tick.time_ns == time_ns_ + tick.duration_ns);
            RC_ASSERT(tick.duration_ns == config_.rate.period_ns() ||
                      tick.duration_ns == config_.rate.period_ns() + 1);
            RC_ASSERT(pacer_.due_ns() >= due_ns_);
            RC_ASSERT(pacer_.due_ns() <= now_ns_);
            index_ = tick.index;
            time_ns_ = tick.time_ns;
            due_ns_ = pacer_.due_ns();
        }
        RC_ASSERT(tick_count <= config_.max_ticks);
        RC_ASSERT(!(stands() && tick_count > 0));
        RC_ASSERT(pacer_.next_due_ns() > now_ns_);
        // The epoch tells of every loss, and a loss leaves a full budget to run.
        RC_ASSERT((pacer_.epoch() != epoch) == (pacer_.stats().lost_ns != lost_ns));
        RC_ASSERT(pacer_.epoch() == epoch || tick_count == config_.max_ticks);
    }

    TickPacerConfig config_;
    TickPacer pacer_;
    std::int64_t now_ns_ = 0;
    std::int64_t index_ = 0;
    std::int64_t time_ns_ = 0;
    std::int64_t due_ns_ = 0;
};

RC_GTEST_PROP(TickPacerProperty, WhateverHappensTheScheduleHolds, ()) {
    Session session(
        {.rate = {*rc::gen::inRange<std::int64_t>(1, 500), *rc::gen::inRange<std::int64_t>(1, 20)},
         .max_ticks = *rc::gen::inRange(1, 12)});
    for (int i = 0; i < 100; ++i) {
        session.act();
    }
}

RC_GTEST_PROP(TickPacerProperty, TicksLossAndLagAreAllOfTheTime, ()) {
    TickPacer pacer({.rate = {*rc::gen::inRange<std::int64_t>(1, 500), 7},
                     .max_ticks = *rc::gen::inRange(1, 12)});
    std::int64_t now_ns = 0;
    static_cast<void>(pacer.wake(now_ns));
    for (int i = 0; i < 100; ++i) {
        now_ns += *rc::gen::inRange<std::int64_t>(0, 300'000'000);
        for (const Tick& tick : pacer.wake(now_ns)) {
            static_cast<void>(tick);
        }
        const std::int64_t lag_ns = now_ns - pacer.stats().lost_ns - pacer.newest().time_ns;
        RC_ASSERT(lag_ns >= 0);
        RC_ASSERT(pacer.next_due_ns() - now_ns + lag_ns <= pacer.newest().duration_ns + 1);
    }
}

} // namespace
} // namespace glissade
