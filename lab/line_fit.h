// SPDX-License-Identifier: MIT
// A straight line through points in time, by least squares.
#pragma once

#include <cstdint>

namespace glissade::lab {

/// The time of an event by two clocks.
struct TimePair {
    std::int64_t time_ns = 0;   ///< Reader's clock.
    std::int64_t source_ns = 0; ///< Source's timeline.
};

/// The line through the centre of the points. Relative to one of them, so that doubles hold
/// nanoseconds at any origin.
struct LineFit {
    TimePair origin{};
    double centre_time_ns = 0.0;
    double centre_source_ns = 0.0;
    double rate = 1.0; ///< Source time per time; 1 if the points are all at one time.

    [[nodiscard]] double source_at(std::int64_t time_ns) const {
        const auto since = static_cast<double>(time_ns - origin.time_ns);
        return static_cast<double>(origin.source_ns) + centre_source_ns +
               rate * (since - centre_time_ns);
    }
};

/// At least one point is needed. Linear in their number.
template <typename Points>
[[nodiscard]] LineFit fit_line(const Points& points) {
    LineFit fit{.origin = points.back()};
    const auto count = static_cast<double>(points.size());
    const auto x_of = [&](const TimePair& point) {
        return static_cast<double>(point.time_ns - fit.origin.time_ns);
    };
    const auto y_of = [&](const TimePair& point) {
        return static_cast<double>(point.source_ns - fit.origin.source_ns);
    };
    for (const TimePair& point : points) {
        fit.centre_time_ns += x_of(point) / count;
        fit.centre_source_ns += y_of(point) / count;
    }
    double xx = 0.0;
    double xy = 0.0;
    for (const TimePair& point : points) {
        const double x = x_of(point) - fit.centre_time_ns;
        xx += x * x;
        xy += x * (y_of(point) - fit.centre_source_ns);
    }
    fit.rate = xx > 0.0 ? xy / xx : 1.0;
    return fit;
}

} // namespace glissade::lab
