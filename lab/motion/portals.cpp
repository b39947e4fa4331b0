// SPDX-License-Identifier: MIT
// A body that walks on through portals: each displaces and turns everything that follows.
#include "lab/motion/smooth.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glissade::lab {
namespace {

constexpr std::size_t kPortalTicks = 75;

// What the portal number `index` does. Two kinds in turn, about different axes, so that their order
// matters.
TraceShift make_portal(std::size_t index) {
    if (index % 2 == 0) {
        return {.count = 1, .translation = {20.0, -10.0, 0.0}, .rotation = {0.8, 0.0, 0.0, 0.6}};
    }
    return {.count = 1, .translation = {-12.0, 0.0, 8.0}, .rotation = {0.96, 0.28, 0.0, 0.0}};
}

// First `earlier`, then `later`.
TraceShift compose(const TraceShift& later, const TraceShift& earlier) {
    return {.count = earlier.count + later.count,
            .translation = later.rotation * earlier.translation + later.translation,
            .rotation = later.rotation * earlier.rotation};
}

} // namespace

std::vector<MovingObject> make_portals(const Timeline& timeline, std::uint64_t /*seed*/) {
    MovingObject body{.id = 1, .parts = {.rotation = true, .shift = true}};
    std::vector<TraceShift> shifts = {{}};
    for (std::size_t tick = kPortalTicks; tick < timeline.sim_ns.size(); tick += kPortalTicks) {
        body.breaks_ns.push_back(timeline.sim_ns[tick]);
        shifts.push_back(compose(make_portal(shifts.size() - 1), shifts.back()));
    }
    body.at = [shifts = std::move(shifts), times = body.breaks_ns](std::int64_t time_ns) {
        const auto next = std::upper_bound(times.begin(), times.end(), time_ns);
        MotionState state = compute_serpentine(to_seconds(time_ns));
        state.shift = shifts[static_cast<std::size_t>(next - times.begin())];
        state.position = state.shift.rotation * state.position + state.shift.translation;
        state.velocity = state.shift.rotation * state.velocity;
        state.rotation = state.shift.rotation * state.rotation;
        state.angular_velocity = state.shift.rotation * state.angular_velocity;
        return state;
    };
    return {body};
}

} // namespace glissade::lab
