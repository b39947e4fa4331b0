// SPDX-License-Identifier: MIT
// Random lines for RapidCheck.
#pragma once

#include "glissade/trace/trace.h"
#include "glissade/trace/trace_packets.h"

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
        pose.contact = *rc::gen::arbitrary<bool>();
        return pose;
    }
    [[nodiscard]] DrawnPose drawn_pose(std::int64_t id) const {
        return {.id = id, .position = vector(), .rotation = maybe([&] { return quaternion(); })};
    }
    [[nodiscard]] TraceMoveTo move_to(std::int64_t arrive_ns) const {
        TraceMoveTo order{.stamp = *rc::gen::arbitrary<std::uint16_t>(),
                          .id = *rc::gen::arbitrary<std::int64_t>(),
                          .arrive_ns = arrive_ns};
        order.kind = static_cast<TraceMoveKind>(*rc::gen::inRange(0, 4));
        order.target = maybe([] { return *rc::gen::arbitrary<std::int64_t>(); });
        order.position = maybe([&] { return vector(); });
        order.flags = maybe([] { return *rc::gen::arbitrary<std::uint32_t>(); });
        for (std::optional<double>* const value :
             {&order.distance_m, &order.min_distance_m, &order.fail_distance_m, &order.speed,
              &order.threshold_m, &order.heading_deg, &order.run_rate}) {
            *value = maybe([&] { return number(bad_one_in); });
        }
        // What its kind needs.
        order.target = order.target.value_or(1);
        order.position = order.position.value_or(vector());
        order.heading_deg = order.heading_deg.value_or(number(bad_one_in));
        return order;
    }
    /// Any packet.
    [[nodiscard]] TracePacket packet(std::int64_t arrive_ns) const {
        const auto id = *rc::gen::arbitrary<std::int64_t>();
        const auto stamp = *rc::gen::arbitrary<std::uint16_t>();
        switch (*rc::gen::inRange(0, 5)) {
            case 0:
                return TraceMotion{.stamp = stamp,
                                   .id = id,
                                   .arrive_ns = arrive_ns,
                                   .gait = static_cast<TraceGait>(*rc::gen::inRange(0, 4)),
                                   .speed = maybe([&] { return number(bad_one_in); }),
                                   .sidestep = maybe([&] { return number(bad_one_in); }),
                                   .turn_deg_s = maybe([&] { return number(bad_one_in); })};
            case 1:
                return TraceVector{.stamp = stamp,
                                   .id = id,
                                   .arrive_ns = arrive_ns,
                                   .velocity = vector(),
                                   .angular_velocity = maybe([&] { return vector(); })};
            case 2:
                return move_to(arrive_ns);
            case 3:
                return TracePlayer{.arrive_ns = arrive_ns, .position = vector()};
            default:
                return TraceBlocked{
                    .blocked = *rc::gen::arbitrary<bool>(), .id = id, .arrive_ns = arrive_ns};
        }
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
