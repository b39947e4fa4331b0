// SPDX-License-Identifier: MIT
#include "glissade/time/source_clock.h"

#include "glissade/time/tick.h"
#include "glissade/time/time_group.h"

#include "time/absurd.h"

#include <algorithm>
#include <cmath>

namespace glissade {

namespace {

// The loop closes an error with a time constant of 1/7 s. For a wandering source the rate error
// grows with the root of this number and the delay that covers the wander falls with it; 7 is
// where both are acceptable at once (docs/concepts/source-clock.md).
constexpr double kLoopPerNs = 7e-9;
// The slope is taken over 8 s: a wandering source needs all of them for a rate to 1 %.
constexpr std::int64_t kMarkSpacingNs = 125'000'000;
// Until a second has passed real time counts as if it had been seen for two ticks more.
constexpr double kPriorTicks = 2.0;
constexpr double kPriorEndsNs = 1e9;
constexpr double kLeastScale = 1e-6; // Less is standing still: a tick would take hours.
constexpr double kMinRate = 0.01;
constexpr double kMaxRate = 100.0;

// How long before an arrival the loop is followed back: a frame may be stamped before it.
constexpr double kLongestBackNs = 1e8;
constexpr std::int64_t kRelockGapNs = 250'000'000;
constexpr std::int64_t kRelockErrorNs = 100'000'000;
constexpr std::int64_t kRelockTicks = 6;
// A schedule is arithmetic; more than rounding apart and it is another schedule.
constexpr double kScheduleNs = 1e6;

bool is_good(const Arrival& arrival) noexcept {
    return !is_absurd(arrival.source_ns) && !is_absurd(arrival.arrival_ns) &&
           !is_absurd(arrival.due_ns.value_or(0)) && arrival.time_scale >= 0.0 &&
           arrival.time_scale <= TimeGroup::kMaxScale;
}

// Within what every clock takes, so that no difference of two can overflow.
std::int64_t round_to_time(double time_ns) noexcept {
    constexpr auto kMax = static_cast<double>(kMaxTimeNs);
    return std::llround(std::fmax(-kMax, std::fmin(kMax, time_ns)));
}

double scale_of(const Arrival& arrival) noexcept {
    return arrival.paused || arrival.time_scale < kLeastScale ? 0.0 : arrival.time_scale;
}

} // namespace

ArrivalResult SourceClock::add(const Arrival& arrival) noexcept {
    const ArrivalStatus status = classify(arrival);
    if (status == ArrivalStatus::Stale || status == ArrivalStatus::Absurd) {
        return {.status = status};
    }
    ArrivalResult result{.status = status};
    const std::int64_t before_ns = source_at(arrival.arrival_ns);
    if (newest_ && arrival.source_ns > newest_->source_ns) {
        tick_ns_ = arrival.source_ns - newest_->source_ns;
    }
    if (status == ArrivalStatus::Ok) {
        follow(arrival);
    } else {
        anchor(arrival);
    }
    newest_ = arrival;
    const std::int64_t after_ns = source_at(arrival.arrival_ns);
    if (status != ArrivalStatus::Ok && status != ArrivalStatus::Started) {
        result.step_ns = after_ns - before_ns;
    }
    if (status == ArrivalStatus::Relocked || status == ArrivalStatus::Restarted) {
        ++relock_count_;
    }
    if (status == ArrivalStatus::Ok) {
        result.lateness_ns =
            arrival.due_ns
                ? arrival.arrival_ns - *arrival.due_ns
                : round_to_time(static_cast<double>(before_ns - arrival.source_ns) / rate());
    }
    return result;
}

ArrivalStatus SourceClock::classify(const Arrival& arrival) const noexcept {
    if (!is_good(arrival)) {
        return ArrivalStatus::Absurd;
    }
    if (!newest_) {
        return ArrivalStatus::Started;
    }
    const bool declared = scale_of(arrival) != scale_of(*newest_);
    if (arrival.source_ns <= newest_->source_ns) {
        if (arrival.epoch != newest_->epoch) {
            return ArrivalStatus::Restarted;
        }
        // The same state again can only say that time stands. When it goes on, and at which scale,
        // is told by the first state that it brings, with its due time.
        const bool pauses = arrival.source_ns == newest_->source_ns && scale_of(arrival) == 0.0;
        return pauses && declared ? ArrivalStatus::Adjusted : ArrivalStatus::Stale;
    }
    if (arrival.epoch != newest_->epoch) {
        return ArrivalStatus::Relocked;
    }
    if (declared || scale_of(arrival) == 0.0 ||
        arrival.due_ns.has_value() != newest_->due_ns.has_value()) {
        return ArrivalStatus::Adjusted;
    }
    const bool lost = arrival.due_ns ? schedule_moved(arrival) : lost_track(arrival);
    return lost ? ArrivalStatus::Relocked : ArrivalStatus::Ok;
}

bool SourceClock::schedule_moved(const Arrival& arrival) const noexcept {
    const auto passed = static_cast<double>(*arrival.due_ns - *newest_->due_ns);
    const auto ran = static_cast<double>(arrival.source_ns - newest_->source_ns);
    return std::abs(ran - scale_of(arrival) * passed) > kScheduleNs;
}

bool SourceClock::lost_track(const Arrival& arrival) const noexcept {
    const auto tick = static_cast<double>(tick_ns_) / rate();
    const auto gap = static_cast<double>(arrival.arrival_ns - newest_->arrival_ns);
    const auto error =
        static_cast<double>(source_at(arrival.arrival_ns) - arrival.source_ns) / rate();
    return gap > std::max(static_cast<double>(kRelockGapNs), 3.0 * tick) ||
           std::abs(error) > std::max(static_cast<double>(kRelockErrorNs), kRelockTicks * tick);
}

// Source time since the newest state, `elapsed_ns` of real time after its arrival, at a scale of 1.
// Until the next state is due the belief runs on at the rate; a source that is overdue is known not
// to be there yet, so from then on the belief stands, as far as an arrival would be believed.
double SourceClock::free_since_newest(double elapsed_ns) const noexcept {
    const double tick = static_cast<double>(tick_ns_) / rate();
    const double expected = tick_ns_ > 0 ? std::min(elapsed_ns, tick) : elapsed_ns;
    const double overdue = elapsed_ns - expected;
    const double behind = ahead_ns_ * std::exp(-kLoopPerNs * std::max(expected, -kLongestBackNs));
    if (overdue <= 0.0) {
        return believed_ns_ + rate_ * expected - behind;
    }
    const double doubt = noise_.gain() * rate_;
    const double settled = doubt / kLoopPerNs; // Where the loop comes to rest, ahead of the belief.
    return believed_ns_ + rate_ * elapsed_ns - doubt * overdue + settled -
           (behind + settled) * std::exp(-kLoopPerNs * overdue);
}

void SourceClock::follow(const Arrival& arrival) noexcept {
    if (arrival.due_ns) {
        return;
    }
    const double scale = scale_of(arrival);
    const auto elapsed = static_cast<double>(arrival.arrival_ns - newest_->arrival_ns);
    const double ran = static_cast<double>(arrival.source_ns - newest_->source_ns) / scale;
    const double shown = free_since_newest(elapsed);
    const double expected = believed_ns_ + rate_ * elapsed;
    noise_.add(level_ns_ - believed_ns_ + ran, static_cast<double>(arrival.arrival_ns), rate_);
    const double believed = expected + noise_.gain() * (ran - expected);
    level_ns_ += believed - believed_ns_;
    ahead_ns_ = believed - shown;
    believed_ns_ = believed - ran;
    learn_rate(arrival.arrival_ns);
}

// The map begins anew at this state. What was learnt of rate and noise stays: the level goes on as
// if nothing had happened in the gap.
void SourceClock::anchor(const Arrival& arrival) noexcept {
    if (newest_) {
        level_ns_ += rate_ * static_cast<double>(arrival.arrival_ns - newest_->arrival_ns);
    }
    believed_ns_ = 0.0;
    ahead_ns_ = 0.0;
    noise_.break_off();
    if (mark_count_ == 0) {
        marks_[mark_count_++] = {arrival.arrival_ns, level_ns_};
    }
}

// The slope from the oldest mark to here: for a wandering source no other line through the points
// is better.
void SourceClock::learn_rate(std::int64_t arrival_ns) noexcept {
    const Mark& last = marks_[(mark_count_ - 1) % kMarkCount];
    if (arrival_ns - last.arrival_ns >= kMarkSpacingNs) {
        marks_[mark_count_++ % kMarkCount] = {arrival_ns, level_ns_};
    }
    const Mark& first = marks_[mark_count_ > kMarkCount ? mark_count_ % kMarkCount : 0];
    const auto elapsed = static_cast<double>(arrival_ns - first.arrival_ns);
    const double prior =
        kPriorTicks * static_cast<double>(tick_ns_) * std::max(0.0, 1.0 - elapsed / kPriorEndsNs);
    const double ran = level_ns_ - first.level_ns;
    rate_ = std::clamp((ran + prior) / (elapsed + prior), kMinRate, kMaxRate);
}

std::int64_t SourceClock::source_at(std::int64_t time_ns) const noexcept {
    if (!newest_) {
        return 0;
    }
    const double scale = scale_of(*newest_);
    if (scale == 0.0) {
        return newest_->source_ns;
    }
    const std::int64_t since = newest_->due_ns.value_or(newest_->arrival_ns);
    const auto elapsed = static_cast<double>(time_ns - since);
    const double ran = newest_->due_ns ? elapsed : free_since_newest(elapsed);
    const std::int64_t source_ns = newest_->source_ns + round_to_time(scale * ran);
    return std::clamp(source_ns, -kMaxTimeNs, kMaxTimeNs);
}

double SourceClock::lateness_deviation_ns() const noexcept {
    if (!newest_ || newest_->due_ns || tick_ns_ <= 0 || rate() == 0.0) {
        return 0.0;
    }
    // Wander pushes the loop off at every tick and the loop pulls it back: a first-order process.
    const double wander = noise_.wander_ns();
    const double jitter = noise_.jitter_ns();
    const double pull = 2.0 * kLoopPerNs * static_cast<double>(tick_ns_) / rate();
    return std::sqrt(wander * wander / pull + jitter * jitter) / rate_;
}

double SourceClock::rate() const noexcept {
    if (!newest_) {
        return 1.0;
    }
    return scale_of(*newest_) * (newest_->due_ns ? 1.0 : rate_);
}

const char* to_string(ArrivalStatus status) noexcept {
    switch (status) {
        case ArrivalStatus::Ok:
            return "ok";
        case ArrivalStatus::Started:
            return "started";
        case ArrivalStatus::Adjusted:
            return "adjusted";
        case ArrivalStatus::Relocked:
            return "relocked";
        case ArrivalStatus::Restarted:
            return "restarted";
        case ArrivalStatus::Stale:
            return "stale";
        case ArrivalStatus::Absurd:
            return "absurd";
    }
    return "unknown";
}

} // namespace glissade
