// SPDX-License-Identifier: MIT
// Random lines for RapidCheck.
#pragma once

#include "glissade/trace/trace.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <rapidcheck.h>

namespace glissade::testing {

/// Any bit pattern but NaN and infinity; RapidCheck's integers are often small, so a factor spreads
/// them.
[[nodiscard]] inline double finite_double() {
    const std::uint64_t bits = *rc::gen::arbitrary<std::uint64_t>() * 0x9E3779B97F4A7C15U;
    double value = 0.0;
    std::memcpy(&value, &bits, sizeof value);
    return std::isfinite(value) ? value : -0.0;
}

/// True once in `count` times, never for 0; at full size, because small tests have small ranges.
[[nodiscard]] inline bool one_in(int count) {
    return count != 0 && *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, count)) == 0;
}

/// A number that is not finite once in about `bad_one_in` times.
[[nodiscard]] inline double number(int bad_one_in) {
    return one_in(bad_one_in) ? *rc::gen::element(std::nan(""), HUGE_VAL, -HUGE_VAL)
                              : finite_double();
}

/// Makes the parts of lines.
struct LineMaker {
    int bad_one_in = 0; ///< How rare values are that are refused; 0 for none.

    [[nodiscard]] glm::dvec3 vector() const {
        return {number(bad_one_in), number(bad_one_in), number(bad_one_in)};
    }
    [[nodiscard]] glm::dquat quaternion() const {
        return {number(bad_one_in), number(bad_one_in), number(bad_one_in), number(bad_one_in)};
    }
    template <class Make>
    [[nodiscard]] auto maybe(const Make& make) const -> std::optional<decltype(make())> {
        return *rc::gen::arbitrary<bool>() ? std::optional(make()) : std::nullopt;
    }
    [[nodiscard]] std::int64_t count() const {
        return *rc::gen::inRange<std::int64_t>(one_in(bad_one_in) ? -2 : 0, 9);
    }

    [[nodiscard]] TracePose pose(std::int64_t id) const {
        TracePose pose{.id = id, .position = vector()};
        pose.rotation = maybe([&] { return quaternion(); });
        pose.scale = maybe([&] { return vector(); });
        pose.velocity = maybe([&] { return vector(); });
        pose.angular_velocity = maybe([&] { return vector(); });
        pose.cut = maybe([&] { return count(); });
        pose.shift = maybe([&] {
            return TraceShift{.count = count(), .translation = vector(), .rotation = quaternion()};
        });
        pose.camera = *rc::gen::arbitrary<bool>();
        return pose;
    }
    [[nodiscard]] DrawnPose drawn_pose(std::int64_t id) const {
        return {.id = id, .position = vector(), .rotation = maybe([&] { return quaternion(); })};
    }
    /// Ids in any order; one stands twice only where bad values are wanted.
    [[nodiscard]] std::vector<std::int64_t> ids() const {
        auto ids = *rc::gen::unique<std::vector<std::int64_t>>(rc::gen::arbitrary<std::int64_t>());
        ids.resize(std::min(ids.size(), std::size_t{6}));
        if (!ids.empty() && one_in(bad_one_in)) {
            ids.push_back(ids.front());
        }
        return ids;
    }
};

} // namespace glissade::testing
