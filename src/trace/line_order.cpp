// SPDX-License-Identifier: MIT
#include "trace/line_order.h"

#include "glissade/base/hooks.h"

#include <utility>

namespace glissade::detail {
namespace {

constexpr std::size_t kFirstEntries = 16;

// The finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", 2014): ids are often multiples of something.
std::uint64_t hash_of(std::int64_t id) noexcept {
    auto bits = static_cast<std::uint64_t>(id);
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31U);
}

} // namespace

IdTimes::IdTimes(std::size_t capacity) : capacity_(capacity) {
    std::size_t size = kFirstEntries;
    while (size / 2 < capacity) {
        size *= 2;
    }
    entries_.resize(size);
}

// Of the id, or where it would stand. There is always a free entry.
std::size_t IdTimes::slot_of(std::int64_t id) const noexcept {
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(hash_of(id)) & mask;
    while (entries_[slot].used && entries_[slot].id != id) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

const std::int64_t* IdTimes::find(std::int64_t id) const noexcept {
    const Entry& entry = entries_[slot_of(id)];
    return entry.used ? &entry.time_ns : nullptr;
}

void IdTimes::set(std::int64_t id, std::int64_t time_ns) {
    std::size_t slot = slot_of(id);
    if (!entries_[slot].used && count_ >= entries_.size() / 2) {
        GLISSADE_ASSERT(capacity_ == 0);
        grow();
        slot = slot_of(id);
    }
    count_ += entries_[slot].used ? 0U : 1U;
    entries_[slot] = {.id = id, .time_ns = time_ns, .used = true};
}

void IdTimes::grow() {
    std::vector<Entry> old(entries_.size() * 2);
    std::swap(old, entries_);
    for (const Entry& entry : old) {
        if (entry.used) {
            entries_[slot_of(entry.id)] = entry;
        }
    }
}

OrderFault LineOrder::check(const TraceTick& tick) const noexcept {
    if (known_ns_ && tick.arrive_ns < *known_ns_) {
        return {OrderProblem::TimeRanBack, tick.arrive_ns, *known_ns_};
    }
    if (source_ == TraceSource::Network || !newest_ || tick.epoch.value_or(0) != newest_->epoch) {
        return {};
    }
    if (tick.tick <= newest_->tick) {
        return {OrderProblem::TickDidNotGrow, tick.tick, newest_->tick};
    }
    if (tick.sim_ns < newest_->sim_ns) {
        return {OrderProblem::SimRanBack, tick.sim_ns, newest_->sim_ns};
    }
    return {};
}

OrderFault LineOrder::check(const TraceFrame& frame) const noexcept {
    if (known_ns_ && frame.cpu_ns < *known_ns_) {
        return {OrderProblem::TimeRanBack, frame.cpu_ns, *known_ns_};
    }
    if (frame_ && frame.frame <= *frame_) {
        return {OrderProblem::FrameDidNotGrow, frame.frame, *frame_};
    }
    return {};
}

OrderFault LineOrder::check(const TraceTruth& truth) const noexcept {
    const std::int64_t* const newest_ns = truth_.find(truth.id);
    if (newest_ns == nullptr) {
        return {truth_.has_room() ? OrderProblem::None : OrderProblem::TooManyIds};
    }
    if (truth.time_ns <= *newest_ns) {
        return {OrderProblem::TruthDidNotGrow, truth.time_ns, *newest_ns};
    }
    return {};
}

OrderFault LineOrder::check(const TracePacket& packet) const noexcept {
    if (source_ != TraceSource::Network) {
        return {OrderProblem::NotNetwork};
    }
    const std::int64_t arrive_ns = arrive_of(packet);
    if (known_ns_ && arrive_ns < *known_ns_) {
        return {OrderProblem::TimeRanBack, arrive_ns, *known_ns_};
    }
    return {};
}

void LineOrder::accept(const TraceTick& tick) noexcept {
    known_ns_ = tick.arrive_ns;
    newest_ = {.tick = tick.tick, .sim_ns = tick.sim_ns, .epoch = tick.epoch.value_or(0)};
}

void LineOrder::accept(const TraceFrame& frame) noexcept {
    known_ns_ = frame.cpu_ns;
    frame_ = frame.frame;
}

void LineOrder::accept(const TraceTruth& truth) {
    truth_.set(truth.id, truth.time_ns);
}

void LineOrder::accept(const TracePacket& packet) noexcept {
    known_ns_ = arrive_of(packet);
}

} // namespace glissade::detail
