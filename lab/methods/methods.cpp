// SPDX-License-Identifier: MIT
#include "lab/methods/methods.h"

#include <algorithm>
#include <array>

namespace glissade::lab {

namespace {

constexpr std::array<MethodInfo, 12> kTickMethods = {{
    {"playout", "stamped states played back behind a delay, by the display's time", true,
     make_playout},
    {"accumulator",
     "what a loop on the same thread would draw: fixed steps and the rest of the time", true,
     make_accumulator},
    {"newest", "the newest state: steps", false, make_newest},
    {"chase-target",
     "from what is drawn to the newest state, alpha restarts at each tick: vibrates", false,
     make_chase_target},
    {"constant-interval", "previous to current by time since the stamp, clamped: holds, then jumps",
     false, make_constant_interval},
    {"measured-interval", "the same over the last measured interval: wobbles everywhere", false,
     make_measured_interval},
    {"exponential", "25 % of the way to the newest state in each frame: lags, and still steps",
     false, make_exponential},
    {"hybrid", "80 % of the way to constant-interval in each frame: rounds its jumps off", false,
     make_hybrid},
    {"camera-only", "the newest state, seen from a smoothed camera: the body still steps", false,
     make_camera_only},
    {"extrapolate", "constant-interval, then on along the velocity: no hold, but it guesses", false,
     make_extrapolate},
    {"predict", "the newest state carried on along its velocity: no lag, but snaps at every turn",
     false, make_predict},
    {"hermite", "constant-interval along a cubic: rounder paths, the same holds and jumps", false,
     make_hermite},
}};
constexpr std::array<MethodInfo, 3> kServerMethods = {{
    {"soft-snap",
     "predict, with corrections that fade in, half of each in 100 ms: no snap, but the body slides",
     false, make_soft_snap},
    {"chase-add",
     "chase with the steps of chase and animation added: stands before every update ahead of it",
     true, make_chase_add},
    {"chase", "a server's entity walked by its animation, and walked to what updates correct", true,
     make_chase},
}};

// A table of its own, so that a program that asks for the first ones alone is not linked with the
// code of servers.
constexpr auto kMethods = [] {
    std::array<MethodInfo, kTickMethods.size() + kServerMethods.size()> all{};
    std::copy(kTickMethods.begin(), kTickMethods.end(), all.begin());
    std::copy(kServerMethods.begin(), kServerMethods.end(), all.begin() + kTickMethods.size());
    return all;
}();

} // namespace

void begin_drawing(const TraceFrame& frame, DrawnFrame& out) {
    out.frame = frame.frame;
    out.sample_ns = 0;
    out.delay_ns = 0;
    out.state = DrawnState::Empty;
    out.poses.clear();
}

std::span<const MethodInfo> methods() noexcept {
    return kMethods;
}

std::span<const MethodInfo> tick_methods() noexcept {
    return kTickMethods;
}

const MethodInfo* find_method(std::string_view name) noexcept {
    // One address for one method, whoever asks: not that of the copy in the list of all.
    const MethodInfo* const found = find_method(kTickMethods, name);
    return found != nullptr ? found : find_method(kServerMethods, name);
}

const MethodInfo* find_method(std::span<const MethodInfo> among, std::string_view name) noexcept {
    const auto found = std::find_if(among.begin(), among.end(),
                                    [&](const MethodInfo& method) { return name == method.name; });
    return found == among.end() ? nullptr : &*found;
}

} // namespace glissade::lab
