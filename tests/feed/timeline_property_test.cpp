// SPDX-License-Identifier: MIT
// Any stream of states and frames, hostile numbers included, makes a picture that is sound.
#include "glissade/feed/timeline.h"
#include "glissade/time/tick.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace glissade {
namespace {

rc::Gen<std::int64_t> any_time() {
    return rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-50'000'000, 2'000'000'000),
                          rc::gen::element<std::int64_t>(0, kMaxTimeNs, -kMaxTimeNs, kMaxTimeNs + 1,
                                                         std::numeric_limits<std::int64_t>::max(),
                                                         std::numeric_limits<std::int64_t>::min()));
}

rc::Gen<double> any_scale() {
    return rc::gen::element(0.0, 1.0, 1.0, 1.0, 0.25, 1e-300, 1000.0, 1e300, -1.0,
                            std::numeric_limits<double>::quiet_NaN());
}

Arrival make_arrival() {
    Arrival arrival{.source_ns = *any_time(), .arrival_ns = *any_time()};
    if (*rc::gen::arbitrary<bool>()) {
        arrival.due_ns = *any_time();
    }
    arrival.time_scale = *any_scale();
    arrival.paused = *rc::gen::inRange(0, 5) == 0;
    arrival.epoch = *rc::gen::inRange<std::uint32_t>(0, 3);
    return arrival;
}

// Goes back only when the source begins its time anew.
class Watch {
public:
    void state(ArrivalStatus status) {
        restarted_ = restarted_ || status == ArrivalStatus::Restarted;
    }
    void frame(const std::optional<SampleTime>& sample) {
        if (!sample) {
            return;
        }
        const bool forward = sample->time_ns >= last_ns_.value_or(sample->time_ns);
        RC_ASSERT(restarted_ || forward);
        RC_ASSERT(sample->now_ns >= sample->time_ns);
        last_ns_ = sample->time_ns;
        restarted_ = false;
    }

private:
    std::optional<std::int64_t> last_ns_{};
    bool restarted_ = false;
};

RC_GTEST_PROP(TimelineProperty, AnyStreamMakesAPictureThatNeverRunsBack, ()) {
    Timeline timeline;
    Watch watch;
    const int count = *rc::gen::inRange(0, 60);
    for (int i = 0; i < count; ++i) {
        watch.state(timeline.add(make_arrival()));
        const bool stamped = *rc::gen::arbitrary<bool>();
        const std::int64_t stamp_ns = *any_time();
        watch.frame(timeline.frame(*any_time(), stamped ? std::optional(stamp_ns) : std::nullopt));
    }
    const TimelineReport report = timeline.report();
    RC_ASSERT(report.delay_ns >= 0);
    RC_ASSERT(report.rate >= 0.0);
}

RC_GTEST_PROP(TimelineProperty, AnyLatenessOfASteadySourceIsShownInOrder, ()) {
    constexpr std::int64_t kTickNs = 16'666'667;
    Timeline timeline;
    Watch watch;
    std::int64_t arrival_ns = 0;
    const bool scheduled = *rc::gen::arbitrary<bool>();
    for (std::int64_t k = 1; k < 200; ++k) {
        const auto late = *rc::gen::inRange<std::int64_t>(0, 60'000'000);
        arrival_ns = std::max(arrival_ns, k * kTickNs + late);
        Arrival arrival{.source_ns = k * kTickNs, .arrival_ns = arrival_ns};
        arrival.due_ns = scheduled ? std::optional(k * kTickNs) : std::nullopt;
        watch.state(timeline.add(arrival));
        watch.frame(timeline.frame(arrival_ns, arrival_ns));
        RC_ASSERT(timeline.report().relock_count == 0U);
    }
}

} // namespace
} // namespace glissade
