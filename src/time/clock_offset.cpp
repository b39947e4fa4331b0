// SPDX-License-Identifier: MIT
#include "glissade/time/clock_offset.h"

#include "glissade/time/rate.h"
#include "glissade/time/tick.h"

#include "time/absurd.h"

#include <algorithm>

namespace glissade {

namespace {

constexpr std::int64_t kSlewDivisor = 500; // 0.2 %: below what any eye sees as speed.
// Further off than any wait of a living reader: the clock was set, and is believed at once.
constexpr std::int64_t kJumpNs = kNanosecondsPerSecond;

} // namespace

void ClockOffset::add(std::int64_t writer_ns, std::int64_t reader_ns) noexcept {
    if (is_absurd(writer_ns) || is_absurd(reader_ns)) {
        return;
    }
    const std::int64_t difference = reader_ns - writer_ns;
    const bool clock_was_set =
        difference > offset_ns_ + kJumpNs || difference < offset_ns_ - kJumpNs;
    if (!started_ || clock_was_set) {
        *this = {};
        started_ = true;
        origin_ns_ = reader_ns;
        last_ns_ = reader_ns;
        offset_ns_ = difference;
    }
    const std::int64_t elapsed_ns = std::max<std::int64_t>(reader_ns - last_ns_, 0);
    last_ns_ = std::max(reader_ns, last_ns_);
    const std::int64_t second = (last_ns_ - origin_ns_) / kNanosecondsPerSecond;
    Bucket& bucket = buckets_[static_cast<std::size_t>(second) % kBucketCount];
    if (bucket.second != second) {
        bucket = {second, difference};
    }
    bucket.least_ns = std::min(bucket.least_ns, difference);
    const std::int64_t most = elapsed_ns / kSlewDivisor;
    offset_ns_ += std::clamp(least() - offset_ns_, -most, most);
}

std::int64_t ClockOffset::least() const noexcept {
    const std::int64_t newest = (last_ns_ - origin_ns_) / kNanosecondsPerSecond;
    std::int64_t least_ns = kMaxTimeNs * 2;
    for (const Bucket& bucket : buckets_) {
        const bool recent =
            bucket.second >= 0 && newest - bucket.second < static_cast<std::int64_t>(kBucketCount);
        least_ns = recent ? std::min(least_ns, bucket.least_ns) : least_ns;
    }
    return least_ns;
}

std::int64_t ClockOffset::to_reader(std::int64_t writer_ns) const noexcept {
    return is_absurd(writer_ns) ? writer_ns : writer_ns + offset_ns_;
}

} // namespace glissade
