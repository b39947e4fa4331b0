// SPDX-License-Identifier: MIT
#include "lab/methods/source_fit.h"

#include <algorithm>
#include <cstddef>

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
    while (points_.size() > 2 && points_.front().time_ns < arrive_ns - kWindowNs) {
        points_.pop_front();
    }
}

double SourceFit::source_at(std::int64_t time_ns) const {
    LineFit fit = fit_line(points_);
    const bool enough = points_.size() >= kMinPointsForRate;
    fit.rate = enough ? std::clamp(fit.rate, kMinRate, kMaxRate) : 1.0;
    return fit.source_at(time_ns);
}

} // namespace glissade::lab
