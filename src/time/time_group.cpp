// SPDX-License-Identifier: MIT
#include "glissade/time/time_group.h"

#include "glissade/time/tick.h"

#include <algorithm>
#include <cmath>

namespace glissade {

namespace {

constexpr unsigned kFractionBits = 32;
constexpr std::uint64_t kFractionMask = (std::uint64_t{1} << kFractionBits) - 1;
constexpr double kOneQ32 = 4294967296.0; // 2^32
constexpr std::int64_t kMaxGroupTimeNs = 2 * kMaxTimeNs;

// floor((whole * 2^32 + fraction) / divisor), at most kMaxTimeNs, by long division: the dividend
// has up to 96 bits. `fraction` below 2^32, `divisor` below 2^42.
std::int64_t divide_q32(std::uint64_t whole, std::uint64_t fraction,
                        std::uint64_t divisor) noexcept {
    constexpr unsigned kDigitBits = 16;
    constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kDigitBits) - 1;
    constexpr auto kMost = static_cast<std::uint64_t>(kMaxTimeNs);
    if (divisor == 0 || whole / divisor > kMost >> kFractionBits) {
        return kMaxTimeNs;
    }
    const std::uint64_t high = whole % divisor << kDigitBits | fraction >> kDigitBits;
    const std::uint64_t low = high % divisor << kDigitBits | (fraction & kDigitMask);
    const std::uint64_t quotient =
        (whole / divisor << kFractionBits) + (high / divisor << kDigitBits) + low / divisor;
    return static_cast<std::int64_t>(std::min(quotient, kMost));
}

} // namespace

std::int64_t TimeGroup::advance_by(std::int64_t elapsed_ns) noexcept {
    if (paused_ || elapsed_ns <= 0) {
        return 0;
    }
    const auto room = static_cast<std::uint64_t>(kMaxGroupTimeNs - now_ns_);
    const auto elapsed = static_cast<std::uint64_t>(elapsed_ns);
    const std::uint64_t scale_whole = scale_q32_ >> kFractionBits;
    const std::uint64_t scale_fraction = scale_q32_ & kFractionMask;

    // elapsed * scale would need 106 bits. By halves: whole * elapsed is bounded by the room test,
    // high * fraction is below 2^63, and low * fraction + remainder is at most 2^64 - 2^32.
    std::uint64_t scaled = room;
    if (scale_whole == 0 || elapsed <= room / scale_whole) {
        const std::uint64_t low = (elapsed & kFractionMask) * scale_fraction + remainder_q32_;
        scaled =
            std::min(room, scale_whole * elapsed + (elapsed >> kFractionBits) * scale_fraction +
                               (low >> kFractionBits));
        remainder_q32_ = low & kFractionMask;
    }
    now_ns_ += static_cast<std::int64_t>(scaled);
    return static_cast<std::int64_t>(scaled);
}

// The least e with e * scale + remainder >= group_ns. For x > 0, ceil(x / d) is
// floor((x - 1) / d) + 1, which takes the whole of one nanosecond into the fraction.
std::int64_t TimeGroup::outer_time_for(std::int64_t group_ns) const noexcept {
    if (group_ns > 0) {
        const std::int64_t floor_ns = divide_q32(static_cast<std::uint64_t>(group_ns) - 1,
                                                 kFractionMask - remainder_q32_, scale_q32_);
        return std::min(floor_ns + 1, kMaxTimeNs);
    }
    const std::uint64_t ago = std::uint64_t{0} - static_cast<std::uint64_t>(group_ns);
    return -divide_q32(ago, remainder_q32_, scale_q32_);
}

bool TimeGroup::set_scale(double scale) noexcept {
    if (!(scale >= 0.0 && scale <= kMaxScale)) {
        return false;
    }
    scale_q32_ = static_cast<std::uint64_t>(std::llround(scale * kOneQ32));
    return true;
}

double TimeGroup::scale() const noexcept {
    return static_cast<double>(scale_q32_) / kOneQ32;
}

} // namespace glissade
