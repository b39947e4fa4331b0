// SPDX-License-Identifier: MIT
#include "glissade/time/refresh_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

// The estimator
//
// A frame of refresh k begins at edge + k * period + lateness. Lateness is never much below 0,
// usually small, and sometimes most of a period or more; k may jump. So the low side of the times
// carries the display, and the rest carries the scheduler.
//
// - Search (not locked). The usual interval is the median one. Around it, its half and its third
//   (for frames that leave refreshes out), the period is sought that makes the phases of the frames
//   point one way. It is accepted by Rayleigh's test of uniformity (Mardia and Jupp, Directional
//   Statistics, 6.3.1): where the phases of N frames are noise, the chance of a concentration R is
//   exp(-N * R^2). This needs no ordinals, so that missed refreshes cost nothing.
// - Line (locked). Of every block of frames only the least late one counts, as in NTP's clock
//   filter (RFC 5905, section 10). The line through those is Theil's and Sen's: the period is the
//   median of all slopes, the edge a median as well. Neither moves for less than 29 % spoilt
//   blocks.
// - Check. The same concentration over the latest frames: noise again, and the lock is given up.
//   Likewise if the frames wander: see wanders().

namespace glissade {

namespace {

// No display is faster, and a program that waits for none often is.
constexpr double kShortestPeriodNs = 500'000.0;

// Search. 25: 1.4e-11 by chance, and a search looks at 3 * 49 periods.
constexpr std::size_t kFewestFrames = 32;
constexpr double kLockEvidence = 25.0;
// Phases that depend on those before them (variable refresh) make the test too kind. Below 0.8
// there must be a sharp low edge as well, by which lateness differs from chance: the least late
// frames stray by less than 2 % of a period. 0.45 is a display of whose callbacks half are
// anywhere.
constexpr double kLeastConcentration = 0.45;
constexpr double kClearConcentration = 0.8;
constexpr double kSharpEarly = 0.16;
// The peak of a steady period is 1 / span wide: eight looks across it, three of its widths away on
// either side. The median interval is nearer than that.
constexpr double kGridPhase = 0.125;
constexpr std::size_t kGridHalfCount = 24;
// Every part of a period fits as well as the whole, and some late frames may even fit better. A
// part is taken only where it does very well and the whole does less than half as well: at least a
// quarter of the frames stand where the whole has none.
constexpr double kPartConcentration = 0.8;
constexpr double kWholeShare = 0.5;

// Line.
constexpr std::size_t kBlockFrameCount = 8;    // NTP's number,
constexpr std::int64_t kBlockNs = 125'000'000; // and long enough for a line of 4 s.
constexpr std::size_t kEdgeLowCount = 8;       // The edge follows the latest second.
// By how much of a period a frame may be early for the edge; see measure_early(). Recorded
// callbacks are late by up to 0.85 periods, so that there is no room for much more.
constexpr double kFirstEarly = 0.15;
constexpr double kLeastEarly = 0.06; // 1 ms at 60 Hz, 0.25 ms at 240 Hz.
constexpr double kMostEarly = 0.3;
constexpr double kEarlyPerStray = 5.0;

// Check.
constexpr std::size_t kCheckFrameCount = 64;
constexpr double kKeepEvidence = 4.0; // Noise falls below it in 98 of 100 checks.
// Of two phases' difference to their spread: 1.41 for lateness, 2.45 / sqrt(N) for a walk. At 32
// frames it varies by a quarter, at 64 by a sixth; to be refused a lock for a while costs less
// than to lose one.
constexpr double kLockWanderRatio = 0.8;
constexpr double kKeepWanderRatio = 0.6;
constexpr double kWalkStep = 0.01; // A walk in steps of 1 % of a period is even enough.
constexpr std::size_t kMostDoubt = 7;

// In place: the order of the values changes.
double quantile(double* values, std::size_t count, double share) noexcept {
    const auto index = static_cast<std::size_t>(share * static_cast<double>(count - 1));
    std::nth_element(values, values + index, values + count);
    return values[index];
}

double median(double* values, std::size_t count) noexcept {
    return quantile(values, count, 0.5);
}

// Not std::complex: its product looks for infinities, and takes twice the time.
struct Phasor {
    double x = 0.0;
    double y = 0.0;
};

Phasor phasor_of(double angle) noexcept {
    return {std::cos(angle), std::sin(angle)};
}

template <class Integer>
double to_double(Integer value) noexcept {
    return static_cast<double>(value);
}

} // namespace

std::int64_t RefreshFit::recent(std::size_t age) const noexcept {
    return recent_ns_[(frame_count_ - 1 - age) % kRecentCount];
}

void RefreshFit::clear() noexcept {
    *this = {};
}

void RefreshFit::drop() noexcept {
    locked_ = false;
    doubt_ = std::min(doubt_ + 1, kMostDoubt);
    drop_frame_ = frame_count_;
    concentration_ = 0.0;
    recent_count_ = std::min(recent_count_, kFewestFrames / 2);
}

void RefreshFit::add(std::int64_t cpu_ns) noexcept {
    recent_ns_[frame_count_ % kRecentCount] = cpu_ns;
    ++frame_count_;
    recent_count_ = std::min(recent_count_ + 1, kRecentCount);
    if (locked_) {
        follow(cpu_ns);
    } else {
        search();
    }
}

void RefreshFit::follow(std::int64_t cpu_ns) noexcept {
    take_into_block(cpu_ns);
    if (block_frame_count_ >= kBlockFrameCount && cpu_ns - block_start_ns_ >= kBlockNs) {
        close_block();
        block_start_ns_ = cpu_ns;
        fit_line();
        check_line();
    }
}

RefreshPoint RefreshFit::locate(std::int64_t cpu_ns) const noexcept {
    const double periods = (to_double(cpu_ns - base_ns_) - base_part_) / period_ns_;
    const double whole = std::floor(periods + early_);
    return {base_ordinal_ + static_cast<std::int64_t>(whole), periods - whole};
}

double RefreshFit::distance_ns(std::int64_t from_ns, std::int64_t ordinal) const noexcept {
    return to_double(base_ns_ - from_ns) + base_part_ +
           to_double(ordinal - base_ordinal_) * period_ns_;
}

// A quiet machine is recognised in few frames, a busy one in many. Each lock that did not last
// makes it wait twice as long, up to 4096 frames: a variable refresh looks steady now and then.
void RefreshFit::search() noexcept {
    const std::size_t wait = kFewestFrames << doubt_;
    if (frame_count_ - drop_frame_ < wait) {
        return;
    }
    for (std::size_t count = std::min(wait, kRecentCount); count <= recent_count_; count *= 2) {
        // The more frames, the more rarely, and no two numbers of them at the same frame.
        if (frame_count_ % (count / 4) == count / 8 && try_lock(find_period(count), count)) {
            return;
        }
    }
}

bool RefreshFit::try_lock(const Candidate& candidate, std::size_t frame_count) noexcept {
    const double least =
        std::max(kLeastConcentration, std::sqrt(kLockEvidence / to_double(frame_count)));
    if (candidate.concentration < least) {
        return false;
    }
    draw_line(candidate, frame_count);
    const bool has_edge = early_ <= kSharpEarly || candidate.concentration >= kClearConcentration;
    locked_ = has_edge && !wanders(frame_count, kLockWanderRatio);
    check_count_ = std::max(frame_count, kCheckFrameCount);
    lock_frame_ = frame_count_;
    lock_count_ += locked_ ? 1 : 0;
    return locked_;
}

// The longest period that fits, because each part of it fits as well: a part is taken only where
// the whole does not do.
RefreshFit::Candidate RefreshFit::find_period(std::size_t frame_count) const noexcept {
    const double usual_ns = usual_interval_ns(frame_count);
    if (usual_ns < kShortestPeriodNs) {
        return {};
    }
    Candidate best = best_near(usual_ns, frame_count, kGridHalfCount);
    for (int parts = 2; parts <= 3; ++parts) {
        const Candidate part = best_near(usual_ns / parts, frame_count, kGridHalfCount);
        if (part.period_ns >= kShortestPeriodNs && part.concentration >= kPartConcentration &&
            best.concentration < kWholeShare * part.concentration) {
            best = part;
        }
    }
    return best;
}

double RefreshFit::usual_interval_ns(std::size_t frame_count) const noexcept {
    std::array<double, kRecentCount> intervals{};
    for (std::size_t i = 0; i + 1 < frame_count; ++i) {
        intervals[i] = to_double(recent(i) - recent(i + 1));
    }
    return median(intervals.data(), frame_count - 1);
}

// All frequencies of the grid in one pass over the frames: each frame turns its phasor on by the
// same angle from one frequency to the next.
RefreshFit::Candidate RefreshFit::best_near(double period_ns, std::size_t frame_count,
                                            std::size_t half_count) const noexcept {
    const double span_ns = to_double(recent(0) - recent(frame_count - 1));
    const double step_hz = kGridPhase / span_ns; // Per nanosecond, to be exact.
    const double first_hz = 1.0 / period_ns - to_double(half_count) * step_hz;
    std::array<Phasor, 2 * kGridHalfCount + 1> sums{};
    const auto grid = std::span(sums).first(2 * half_count + 1);
    for (std::size_t i = 0; i < frame_count; ++i) {
        const double angle = 2.0 * std::numbers::pi * to_double(recent(i) - recent(0));
        const Phasor turn = phasor_of(angle * step_hz);
        Phasor phasor = phasor_of(angle * first_hz);
        for (Phasor& sum : grid) {
            sum.x += phasor.x;
            sum.y += phasor.y;
            phasor = {phasor.x * turn.x - phasor.y * turn.y, phasor.x * turn.y + phasor.y * turn.x};
        }
    }
    const auto best = std::max_element(grid.begin(), grid.end(), [](Phasor a, Phasor b) {
        return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y;
    });
    const auto index = static_cast<double>(best - grid.begin());
    return {.period_ns = 1.0 / (first_hz + index * step_hz),
            .concentration = std::hypot(best->x, best->y) / to_double(frame_count),
            .direction = std::atan2(best->y, best->x) / (2.0 * std::numbers::pi)};
}

// Draws a first line at the low side of the phases around their mean, then the real one through
// the least late frame of every eight.
void RefreshFit::draw_line(const Candidate& candidate, std::size_t frame_count) noexcept {
    period_ns_ = candidate.period_ns;
    base_ns_ = recent(0);
    base_part_ = candidate.direction * period_ns_;
    early_ = 0.5;
    std::array<double, kRecentCount> phases{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < frame_count; ++i) {
        const double phase = locate(recent(i)).phase;
        if (std::abs(phase) < 0.25) {
            phases[count] = phase;
            ++count;
        }
    }
    base_part_ += quantile(phases.data(), count, 0.1) * period_ns_;
    early_ = kFirstEarly;
    concentration_ = candidate.concentration;
    low_count_ = 0;
    low_next_ = 0;
    block_frame_count_ = 0;
    for (std::size_t i = frame_count; i-- > 0;) {
        take_into_block(recent(i));
        if (block_frame_count_ == kBlockFrameCount) {
            close_block();
        }
    }
    fit_line();
    block_start_ns_ = recent(0);
}

void RefreshFit::take_into_block(std::int64_t cpu_ns) noexcept {
    const RefreshPoint point = locate(cpu_ns);
    const double late_ns = point.phase * period_ns_;
    if (block_frame_count_ == 0 || late_ns < block_low_.late_ns) {
        block_low_ = {point.ordinal, cpu_ns, late_ns};
    }
    ++block_frame_count_;
}

void RefreshFit::close_block() noexcept {
    lows_[low_next_] = block_low_;
    low_next_ = (low_next_ + 1) % kLowCount;
    low_count_ = std::min(low_count_ + 1, kLowCount);
    block_frame_count_ = 0;
}

// The median slope of all pairs; 0 if there is none.
double RefreshFit::median_slope_ns() const noexcept {
    std::array<double, kLowCount*(kLowCount - 1) / 2> slopes{};
    std::size_t count = 0;
    for (std::size_t i = 1; i < low_count_; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            // Two blocks of a display that is faster than believed may share a refresh.
            const std::int64_t steps = lows_[i].ordinal - lows_[j].ordinal;
            const double span_ns = to_double(lows_[i].cpu_ns - lows_[j].cpu_ns);
            slopes[count] = steps != 0 ? span_ns / to_double(steps) : 0.0;
            count += steps != 0 ? 1 : 0;
        }
    }
    return count > 0 ? median(slopes.data(), count) : 0.0;
}

void RefreshFit::fit_line() noexcept {
    period_ns_ = std::max(median_slope_ns(), kShortestPeriodNs);
    const std::size_t edge_count = std::min(low_count_, kEdgeLowCount);
    std::array<double, kEdgeLowCount> edges{};
    const Low& newest = lows_[(low_next_ + kLowCount - 1) % kLowCount];
    for (std::size_t i = 0; i < edge_count; ++i) {
        const Low& low = lows_[(low_next_ + kLowCount - 1 - i) % kLowCount];
        edges[i] = to_double(low.cpu_ns - newest.cpu_ns) -
                   to_double(low.ordinal - newest.ordinal) * period_ns_;
    }
    base_ordinal_ = newest.ordinal;
    base_ns_ = newest.cpu_ns;
    base_part_ = median(edges.data(), edge_count);
    measure_early();
}

// The edge is where the least late frame of a block usually is; how far these stray from it says
// how far below it a frame may come. For normal noise, in blocks of eight, the edge is 1.4 standard
// deviations below the mean, they stray from it by 0.4 (median), and 5 * 0.4 more lies below all
// but one frame in 3000. Noise that is only late strays little, however late it is.
void RefreshFit::measure_early() noexcept {
    std::array<double, kLowCount> strays{};
    for (std::size_t i = 0; i < low_count_; ++i) {
        strays[i] = std::abs(distance_ns(lows_[i].cpu_ns, lows_[i].ordinal)) / period_ns_;
    }
    early_ = std::clamp(kLeastEarly + kEarlyPerStray * median(strays.data(), low_count_),
                        kLeastEarly, kMostEarly);
}

void RefreshFit::check_line() noexcept {
    const std::size_t count = std::min(recent_count_, kCheckFrameCount);
    Phasor sum;
    for (std::size_t i = 0; i < count; ++i) {
        const Phasor phasor = phasor_of(2.0 * std::numbers::pi * locate(recent(i)).phase);
        sum.x += phasor.x;
        sum.y += phasor.y;
    }
    const auto frame_count = to_double(count);
    const double length = std::hypot(sum.x, sum.y);
    concentration_ = length / frame_count;
    if (length * length < kKeepEvidence * frame_count ||
        wanders(std::min(recent_count_, check_count_), kKeepWanderRatio)) {
        if (doubt_ == 0 || !split(count)) {
            drop();
        }
    } else if (frame_count_ - lock_frame_ >= kRecentCount) {
        doubt_ = 0;
    }
}

// A program that draws every second refresh, and now and then the third: then a part of the period
// fits. Once is no proof of it, and may be another display with the same rate.
bool RefreshFit::split(std::size_t frame_count) noexcept {
    for (int parts = 2; parts <= 3; ++parts) {
        const Candidate part = best_near(period_ns_ / parts, frame_count, 0);
        if (part.period_ns >= kShortestPeriodNs && part.concentration >= kPartConcentration) {
            return try_lock(part, frame_count);
        }
    }
    return false;
}

// Whether the frames walk away from the grid and back instead of being late for it: variable
// refresh. Lateness is new in every frame, so that two phases in a row differ more from each other
// than from their middle; in a walk they differ less (von Neumann's ratio, with medians). A walk in
// N steps of deviation s spreads by 0.67 * s * sqrt(N / 6); a clock of whole milliseconds makes a
// saw that looks like one, but stays small while the allowance grows.
bool RefreshFit::wanders(std::size_t count, double ratio) const noexcept {
    std::array<double, kRecentCount> phases{};
    std::array<double, kRecentCount> values{};
    for (std::size_t i = 0; i < count; ++i) {
        phases[i] = locate(recent(i)).phase;
    }
    values = phases;
    const double middle = median(values.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = std::abs(phases[i] - middle);
    }
    const double spread = median(values.data(), count);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const double change = phases[i + 1] - phases[i];
        values[i] = std::abs(change - std::round(change));
    }
    const double allowed = 0.67 * kWalkStep * std::sqrt(to_double(count) / 6.0);
    return spread > allowed && median(values.data(), count - 1) < ratio * spread;
}

} // namespace glissade
