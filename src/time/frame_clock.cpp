// SPDX-License-Identifier: MIT
#include "glissade/time/frame_clock.h"

#include "glissade/time/rate.h"
#include "glissade/time/tick.h"

#include "time/absurd.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace glissade {

namespace {

// A hidden tab, a debugger: the display may be another one afterwards.
constexpr std::int64_t kGapNs = kNanosecondsPerSecond;
// Farther from the CPU time a stamp is on another clock.
constexpr std::int64_t kFarthestStampNs = kNanosecondsPerSecond;
// The shown time follows the fitted line by at most this much of the time that passes: far below
// what is seen, and ten times the drift of the worst quartz.
constexpr double kSlew = 1.0 / 512.0;
constexpr int kMostLateScore = 3; // So many of the other kind turn the bet; see next_ordinal().
// Frames that share a refresh with the one before, of the latest 16: a display does not do that, a
// faster one than believed does.
constexpr std::uint32_t kRepeatMask = 0xFFFFU;
constexpr int kMostRepeats = 5;

} // namespace

const char* to_string(FrameTiming timing) noexcept {
    switch (timing) {
        case FrameTiming::Display:
            return "Display";
        case FrameTiming::Fitted:
            return "Fitted";
        case FrameTiming::Measured:
            return "Measured";
    }
    return "unknown";
}

std::int64_t FrameClock::frame(std::int64_t cpu_ns, std::optional<std::int64_t> stamp_ns) noexcept {
    if (!accept_cpu(cpu_ns)) {
        return shown_ns_;
    }
    feed(cpu_ns);
    const bool has_stamp = stamp_ns && accept_stamp(cpu_ns, *stamp_ns);
    std::optional<std::int64_t> ordinal;
    if (fit_.is_locked()) { // With a stamp as well: the next frame may have none.
        ordinal = next_ordinal(fit_.locate(cpu_ns));
    }
    if (has_stamp) {
        show_time(FrameTiming::Display, *stamp_ns);
    } else if (ordinal) {
        show_refresh(*ordinal);
    } else {
        show_time(FrameTiming::Measured, cpu_ns);
    }
    ordinal_ = ordinal;
    return shown_ns_;
}

std::optional<double> FrameClock::period_ns() const noexcept {
    return fit_.is_locked() ? std::optional(fit_.period_ns()) : std::nullopt;
}

bool FrameClock::accept_cpu(std::int64_t cpu_ns) noexcept {
    if (is_absurd(cpu_ns) || (cpu_ns_ && cpu_ns < *cpu_ns_)) {
        ++stats_.refused_count;
        return false;
    }
    return true;
}

bool FrameClock::accept_stamp(std::int64_t cpu_ns, std::int64_t stamp_ns) noexcept {
    if (is_absurd(stamp_ns) || std::abs(stamp_ns - cpu_ns) > kFarthestStampNs ||
        (stamp_ns_ && stamp_ns < *stamp_ns_)) {
        ++stats_.refused_stamp_count;
        return false;
    }
    stamp_ns_ = stamp_ns;
    return true;
}

void FrameClock::feed(std::int64_t cpu_ns) noexcept {
    if (cpu_ns_ && cpu_ns - *cpu_ns_ > kGapNs) {
        ++stats_.gap_count;
        fit_.clear();
        ordinal_.reset(); // A gap is not a lock given up.
    }
    cpu_ns_ = cpu_ns;
    if (std::popcount(repeats_ & kRepeatMask) > kMostRepeats) {
        fit_.drop();
    }
    const bool was_locked = ordinal_.has_value();
    const std::uint32_t lock_count = fit_.lock_count();
    fit_.add(cpu_ns);
    const bool is_new = fit_.lock_count() != lock_count;
    if (is_new || !fit_.is_locked()) {
        stats_.locked_count += is_new ? 1 : 0;
        stats_.dropped_count += was_locked ? 1 : 0;
        ordinal_.reset();
        doubtful_.reset();
        repeats_ = 0;
    }
}

// A frame that is two refreshes on, and at an odd phase, either missed one, or it was late by more
// than a period and the next frame follows at its own time. Only the next frame can tell; but what
// was true before is likely true again.
std::int64_t FrameClock::next_ordinal(const RefreshPoint& point) noexcept {
    learn(point.ordinal);
    if (!ordinal_) {
        return point.ordinal;
    }
    const std::int64_t step = point.ordinal - *ordinal_;
    std::int64_t ordinal = std::max(point.ordinal, *ordinal_);
    if (step > 1 && point.phase > fit_.early()) {
        ++stats_.late_count;
        doubtful_ = point.ordinal;
        ordinal = late_score_ > 0 ? *ordinal_ + 1 : point.ordinal;
    }
    repeats_ = (repeats_ << 1U) | (ordinal == *ordinal_ ? 1U : 0U);
    return ordinal;
}

void FrameClock::learn(std::int64_t ordinal) noexcept {
    if (doubtful_) {
        const int sign = ordinal <= *doubtful_ ? 1 : -1;
        late_score_ = std::clamp(late_score_ + sign, -kMostLateScore, kMostLateScore);
        doubtful_.reset();
    }
}

// On by whole periods, and toward the line by a little. The first frame of a lock goes to the line
// at once: the frame before it was late by some chance amount, so that any step is as good.
void FrameClock::show_refresh(std::int64_t ordinal) noexcept {
    const double distance_ns = fit_.distance_ns(shown_ns_, ordinal) - shown_part_;
    double step_ns = distance_ns;
    if (ordinal_) {
        const auto refresh_count = static_cast<double>(ordinal - *ordinal_);
        const double whole_ns = refresh_count * fit_.period_ns();
        step_ns =
            whole_ns + std::clamp(distance_ns - whole_ns, -kSlew * whole_ns, kSlew * whole_ns);
        stats_.missed_count += std::max<std::int64_t>(ordinal - *ordinal_ - 1, 0);
        stats_.repeated_count += ordinal == *ordinal_ ? 1 : 0;
    }
    const double part = shown_part_ + std::max(step_ns, 0.0);
    const double whole = std::floor(part);
    shown_ns_ += static_cast<std::int64_t>(whole);
    shown_part_ = part - whole;
    timing_ = FrameTiming::Fitted;
    ++stats_.fitted_count;
}

void FrameClock::show_time(FrameTiming timing, std::int64_t time_ns) noexcept {
    const bool is_first = stats_.display_count + stats_.fitted_count + stats_.measured_count == 0;
    shown_ns_ = is_first ? time_ns : std::max(shown_ns_, time_ns);
    shown_part_ = 0.0;
    timing_ = timing;
    ++(timing == FrameTiming::Display ? stats_.display_count : stats_.measured_count);
}

} // namespace glissade
