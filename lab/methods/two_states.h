// SPDX-License-Identifier: MIT
// What the well-known methods know: the last two ticks, with two states of each object.
#pragma once

#include "lab/method.h"
#include "lab/methods/body_state.h"

#include <cstdint>
#include <map>
#include <utility>

namespace glissade::lab {

/// When a tick was, on the source's timeline and by its stamp.
struct TickTimes {
    std::int64_t sim_ns = 0;
    std::int64_t stamp_ns = 0; ///< `stamp`, else `arrive`.
};

/// Two states of an object, and what was drawn of it last, for methods that go on from there.
struct Body {
    BodyState previous{};
    BodyState current{};
    std::optional<BodyState> drawn{};
    bool camera = false;
};

/// The base of the well-known methods: keeps two states, leaves the drawing to them.
class TwoStates : public Method {
public:
    explicit TwoStates(TraceHeader header) : header_(std::move(header)) {}

    void tick(const TraceTick& tick) final;
    void frame(const TraceFrame& frame, DrawnFrame& out) final;

protected:
    /// What is drawn of one body; called once per body and frame, after begin_frame().
    [[nodiscard]] virtual BodyState draw(Body& body) = 0;
    /// Works out alpha and the like; returns the source time that the frame shows.
    [[nodiscard]] virtual double begin_frame(std::int64_t cpu_ns) = 0;
    /// A newer tick is there; what was drawn last is still in each Body.
    virtual void on_tick() {}

    /// Nominal length of a tick, > 0: of the header, else between the last two ticks.
    [[nodiscard]] double step_ns() const;
    /// Source time between the two states, 0 with only one tick.
    [[nodiscard]] double duration_ns() const;
    /// The source time at `alpha` between the two states.
    [[nodiscard]] double source_time(double alpha) const;
    /// Time since the newest stamp. Negative if the stamp is of another clock.
    [[nodiscard]] double since_stamp_ns(std::int64_t cpu_ns) const;
    /// (cpu - stamp) / step, clamped to [0, 1]: the alpha that everybody writes first.
    [[nodiscard]] double constant_alpha(std::int64_t cpu_ns) const;

    TraceHeader header_;
    TickTimes previous_{};
    TickTimes current_{};
    std::map<std::int64_t, Body> bodies_{};

private:
    bool any_tick_ = false;
    std::int64_t epoch_ = 0;
    std::int64_t newest_tick_ = 0;
};

} // namespace glissade::lab
