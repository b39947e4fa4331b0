// SPDX-License-Identifier: MIT
#include "glissade/time/playout.h"

#include "glissade/time/tick.h"

#include <algorithm>
#include <cmath>

namespace glissade {

namespace {

constexpr double kSmallDebtNs = 40e6;
constexpr double kLargeDebtNs = 250e6;
constexpr double kGentleRate = 0.04;
constexpr double kPayTimeNs = 1e9;
// Where all of the largest debt is paid in time; a constant rate cannot be higher.
constexpr double kMaxPayRate = 0.25;

double pay_rate_for(double debt_ns) noexcept {
    const double size = std::abs(debt_ns);
    return size <= kSmallDebtNs ? kGentleRate : std::min(size / kPayTimeNs, kMaxPayRate);
}

} // namespace

std::int64_t Playout::frame(const PlayoutFrame& frame) noexcept {
    ++stats_.frame_count;
    const std::int64_t limit = frame.newest_ns + std::min(frame.tick_ns, kMaxExtrapolationNs);
    if (!present_ns_) {
        present_ns_ = frame.present_ns;
        shown_ns_ = std::min(frame.wanted_ns, limit);
        behind_ns_ = static_cast<double>(frame.wanted_ns - shown_ns_);
        return shown_ns_;
    }
    const std::int64_t elapsed = frame.present_ns - *present_ns_;
    if (elapsed <= 0) {
        return shown_ns_;
    }
    present_ns_ = frame.present_ns;
    // A debt that is too large is forgiven as soon as there is something to show for it.
    if (behind_ns_ > kLargeDebtNs && frame.wanted_ns <= frame.newest_ns) {
        behind_ns_ = 0.0;
        ++stats_.jump_count;
    }
    pay(static_cast<double>(elapsed) * frame.rate);
    const std::int64_t next = frame.wanted_ns - std::llround(behind_ns_);
    const std::int64_t shown = std::max(shown_ns_, std::min(next, limit));
    if (next > limit) {
        stats_.held_count += shown == shown_ns_ ? 1 : 0;
    }
    if (shown != next) {
        behind_ns_ = static_cast<double>(frame.wanted_ns - shown);
        pay_rate_ = 0.0;
    }
    shown_ns_ = shown;
    stats_.underrun_count += shown > frame.newest_ns ? 1 : 0;
    return shown_ns_;
}

// A debt is paid at the rate that was right when paying began: constant, as long as it lasts.
void Playout::pay(double passed_ns) noexcept {
    if (behind_ns_ == 0.0) {
        pay_rate_ = 0.0;
        return;
    }
    pay_rate_ = std::max(pay_rate_, pay_rate_for(behind_ns_));
    const double most = passed_ns * pay_rate_;
    behind_ns_ -= std::clamp(behind_ns_, -most, most);
}

void Playout::absorb(std::int64_t step_ns) noexcept {
    constexpr auto kMax = static_cast<double>(kMaxTimeNs);
    behind_ns_ = std::clamp(behind_ns_ + static_cast<double>(step_ns), -kMax, kMax);
}

void Playout::restart() noexcept {
    present_ns_.reset();
    behind_ns_ = 0.0;
    pay_rate_ = 0.0;
}

std::int64_t Playout::debt_ns() const noexcept {
    return std::llround(behind_ns_);
}

} // namespace glissade
