// SPDX-License-Identifier: MIT
#include "lab/methods/source_fit.h"

#include <algorithm>

namespace glissade::lab {

namespace {

constexpr std::int64_t kWindowNs = 2'000'000'000;
// With fewer points lateness would pass for a rate.
constexpr std::size_t kMinPointsForRate = 20;
constexpr double kMinRate = 0.1;
constexpr double kMaxRate = 10.0;

} // namespace

void SourceFit::add(std::int64_t arrive_ns, std::int64_t sim_ns) {
    points_.push_back({arrive_ns, sim_ns});
    while (points_.size() > 2 && points_.front().arrive_ns < arrive_ns - kWindowNs) {
        points_.pop_front();
    }
}

double SourceFit::source_at(std::int64_t time_ns) const {
    // Relative to the newest point, so that doubles hold nanoseconds at any origin.
    const Point& newest = points_.back();
    const auto count = static_cast<double>(points_.size());
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (const Point& point : points_) {
        mean_x += static_cast<double>(point.arrive_ns - newest.arrive_ns) / count;
        mean_y += static_cast<double>(point.sim_ns - newest.sim_ns) / count;
    }
    double xx = 0.0;
    double xy = 0.0;
    for (const Point& point : points_) {
        const double x = static_cast<double>(point.arrive_ns - newest.arrive_ns) - mean_x;
        const double y = static_cast<double>(point.sim_ns - newest.sim_ns) - mean_y;
        xx += x * x;
        xy += x * y;
    }
    const bool enough = points_.size() >= kMinPointsForRate && xx > 0.0;
    const double rate = enough ? std::clamp(xy / xx, kMinRate, kMaxRate) : 1.0;
    const auto x = static_cast<double>(time_ns - newest.arrive_ns);
    return static_cast<double>(newest.sim_ns) + mean_y + rate * (x - mean_x);
}

} // namespace glissade::lab
