// SPDX-License-Identifier: MIT
// The order that the lines of a trace must have, for the reader and the Recorder alike.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace glissade::detail {

/// A time per id, in a hash table. Allocates: when it grows, which it does only if it may.
class IdTimes {
public:
    /// Room for `capacity` ids and no more, or for any number of them if it is 0.
    explicit IdTimes(std::size_t capacity);

    /// Null for an id without a time.
    [[nodiscard]] const std::int64_t* find(std::int64_t id) const noexcept;
    /// Whether one more id has room.
    [[nodiscard]] bool has_room() const noexcept { return capacity_ == 0 || count_ < capacity_; }
    /// Precondition: the id has a time, or has_room().
    void set(std::int64_t id, std::int64_t time_ns);

private:
    struct Entry {
        std::int64_t id = 0;
        std::int64_t time_ns = 0;
        bool used = false;
    };
    [[nodiscard]] std::size_t slot_of(std::int64_t id) const noexcept;
    void grow();

    std::size_t capacity_;
    std::size_t count_ = 0;
    std::vector<Entry> entries_; // A power of two, at most half of them used.
};

enum class OrderProblem : std::uint8_t {
    None,
    TimeRanBack,     ///< `arrive` or `cpu` before that of an earlier line.
    TickDidNotGrow,  ///< Within its epoch.
    SimRanBack,      ///< Within its epoch.
    FrameDidNotGrow, ///< A frame number.
    TruthDidNotGrow, ///< The time of an id.
    TooManyIds,      ///< No room for the truth of one more id.
    NotNetwork,      ///< Only a network has packets.
};

/// What is out of order, and the value that it must reach or pass.
struct OrderFault {
    OrderProblem problem = OrderProblem::None;
    std::int64_t found = 0;
    std::int64_t limit = 0;
};

/// Judges lines one after another: check() says whether a line may come next, accept() takes it.
/// Allocates: accept() of a truth line, unless the number of ids is fixed.
class LineOrder {
public:
    /// `truth_capacity`: as for IdTimes.
    explicit LineOrder(std::size_t truth_capacity = 0) : truth_(truth_capacity) {}

    /// The ticks of a network may repeat and come in any order; only a network has packets.
    void set_source(TraceSource source) noexcept { source_ = source; }

    [[nodiscard]] OrderFault check(const TraceTick& tick) const noexcept;
    [[nodiscard]] OrderFault check(const TraceFrame& frame) const noexcept;
    [[nodiscard]] OrderFault check(const TraceTruth& truth) const noexcept;
    [[nodiscard]] OrderFault check(const TracePacket& packet) const noexcept;
    void accept(const TraceTick& tick) noexcept;
    void accept(const TraceFrame& frame) noexcept;
    void accept(const TraceTruth& truth);
    void accept(const TracePacket& packet) noexcept;

private:
    struct NewestTick {
        std::int64_t tick = 0;
        std::int64_t sim_ns = 0;
        std::int64_t epoch = 0;
    };
    TraceSource source_ = TraceSource::Local;
    std::optional<std::int64_t> known_ns_; // When the reader knew the newest line.
    std::optional<std::int64_t> frame_;
    std::optional<NewestTick> newest_;
    IdTimes truth_;
};

} // namespace glissade::detail
