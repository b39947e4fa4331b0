// SPDX-License-Identifier: MIT
// A ball that is thrown, bounces lower and lower, and is thrown again.
#include "lab/motion/motion.h"

#include <array>
#include <cmath>

namespace glissade::lab {
namespace {

constexpr double kGravity = 9.81;
constexpr double kThrowSpeed = 6.0;
constexpr double kBounce = 0.8;
constexpr double kSpeedAhead = 2.0; // So that no flight retraces another.
constexpr std::size_t kFlightCount = 5;

struct Flight {
    double begin_s = 0.0;
    double speed = 0.0; // Upward, at its begin.
};

constexpr double flight_time_s(double speed) {
    return 2.0 * speed / kGravity;
}

constexpr std::array<Flight, kFlightCount> kFlights = [] {
    std::array<Flight, kFlightCount> flights{};
    Flight flight{.speed = kThrowSpeed};
    for (Flight& each : flights) {
        each = flight;
        flight = {flight.begin_s + flight_time_s(flight.speed), flight.speed * kBounce};
    }
    return flights;
}();
constexpr double kRoundS = kFlights.back().begin_s + flight_time_s(kFlights.back().speed);

MotionState compute_ball(double time_s) {
    const double in_round_s = time_s - std::floor(time_s / kRoundS) * kRoundS;
    Flight flight = kFlights.front();
    for (const Flight& candidate : kFlights) {
        flight = candidate.begin_s <= in_round_s ? candidate : flight;
    }
    const double in_flight_s = in_round_s - flight.begin_s;
    const double height_m = (flight.speed - kGravity / 2.0 * in_flight_s) * in_flight_s;
    return {.position = {kSpeedAhead * time_s, 0.0, height_m},
            .velocity = {kSpeedAhead, 0.0, flight.speed - kGravity * in_flight_s}};
}

} // namespace

std::vector<MovingObject> make_ballistic(const Timeline& timeline, std::uint64_t /*seed*/) {
    MovingObject ball{.id = 1,
                      .at = [](std::int64_t time_ns) { return compute_ball(to_seconds(time_ns)); }};
    const double length_s = to_seconds(timeline.sim_ns.back());
    for (int round = 0; round * kRoundS <= length_s; ++round) {
        for (const Flight& flight : kFlights) {
            const double bounce_s = round * kRoundS + flight.begin_s;
            ball.kinks_ns.push_back(static_cast<std::int64_t>(std::llround(bounce_s * 1e9)));
        }
    }
    return {ball};
}

} // namespace glissade::lab
