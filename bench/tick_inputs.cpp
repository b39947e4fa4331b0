// SPDX-License-Identifier: MIT
#include "tick_inputs.h"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <tuple>

#include <glm/geometric.hpp>

namespace glissade::bench {
namespace {

using Rng = std::mt19937;

float random_part(Rng& rng) {
    return std::uniform_real_distribution<float>(-1.0F, 1.0F)(rng);
}

/// Evenly over all directions.
glm::vec3 random_axis(Rng& rng) {
    for (;;) {
        const glm::vec3 point(random_part(rng), random_part(rng), random_part(rng));
        const float square = glm::dot(point, point);
        if (square > 0.01F && square < 1.0F) {
            return point / std::sqrt(square);
        }
    }
}

/// Evenly over all rotations.
glm::quat random_rotation(Rng& rng) {
    for (;;) {
        const glm::vec4 point(random_part(rng), random_part(rng), random_part(rng),
                              random_part(rng));
        const float square = glm::dot(point, point);
        if (square > 0.01F && square < 1.0F) {
            return normalised(quat_xyzw(point.x, point.y, point.z, point.w));
        }
    }
}

/// There and back, so that every step is one of 1.2 radians, the one from the last set to the first
/// included.
constexpr std::array<double, kTickSetCount> kAnglesRad{0.0, 1.2};
/// Metres beside the starting point.
constexpr std::array<double, kTickSetCount> kWays{0.0, 0.3};

void reserve(TickSet& set, std::size_t count) {
    for (Column<double>& column : set.position) {
        column = Column<double>(count);
    }
    for (Column<float>& column : set.rotation) {
        column = Column<float>(count);
    }
    for (Column<float>& column : set.scale) {
        column = Column<float>(count);
    }
}

void store(TickSet& set, std::size_t row, const Pose& pose) {
    for (int axis = 0; axis < 3; ++axis) {
        const auto number = static_cast<std::size_t>(axis);
        set.position[number][row] = pose.position[axis];
        set.scale[number][row] = pose.scale[axis];
    }
    set.rotation[0][row] = pose.rotation.x;
    set.rotation[1][row] = pose.rotation.y;
    set.rotation[2][row] = pose.rotation.z;
    set.rotation[3][row] = pose.rotation.w;
}

} // namespace

TickInputs::TickInputs(std::size_t count, Turns turns, Places places) : count_(count) {
    const std::size_t width = places == Places::Field ? 1000 : 10;
    const std::size_t line_count = places == Places::Field ? count : 10;
    Rng rng(1); // Every run measures the same.
    for (TickSet& set : sets_) {
        reserve(set, count);
    }
    for (std::size_t row = 0; row < count; ++row) {
        const std::size_t line = row / width % line_count;
        const glm::dvec3 start(static_cast<double>(row % width), 0.0, static_cast<double>(line));
        const glm::dvec3 axis(random_axis(rng));
        for (std::size_t number = 0; number < kTickSetCount; ++number) {
            const glm::quat turned = quat_from_rotation_vector(kAnglesRad[number] * axis);
            const float part = 0.05F * static_cast<float>(number);
            store(sets_[number], row,
                  {.position = start + kWays[number] * axis,
                   .rotation = row % 2 == 0 && turns == Turns::Any ? random_rotation(rng) : turned,
                   .scale = {0.8F + part, 1.0F + part, 1.2F + part}});
        }
    }
}

PoseColumns TickInputs::columns(std::int64_t tick, bool scaled) const noexcept {
    const TickSet& from = set(tick);
    const auto doubles = [this](const Column<double>& column) {
        return std::span<const double>(column.data(), count_);
    };
    const auto floats = [this](const Column<float>& column) {
        return std::span<const float>(column.data(), count_);
    };
    PoseColumns columns{.x = doubles(from.position[0]),
                        .y = doubles(from.position[1]),
                        .z = doubles(from.position[2]),
                        .qx = floats(from.rotation[0]),
                        .qy = floats(from.rotation[1]),
                        .qz = floats(from.rotation[2]),
                        .qw = floats(from.rotation[3])};
    if (scaled) {
        columns.scale_x = floats(from.scale[0]);
        columns.scale_y = floats(from.scale[1]);
        columns.scale_z = floats(from.scale[2]);
    }
    return columns;
}

Pose TickInputs::pose(std::int64_t tick, std::size_t row, bool scaled) const noexcept {
    const TickSet& from = set(tick);
    Pose pose{.position = {from.position[0][row], from.position[1][row], from.position[2][row]},
              .rotation = quat_xyzw(from.rotation[0][row], from.rotation[1][row],
                                    from.rotation[2][row], from.rotation[3][row])};
    if (scaled) {
        pose.scale = {from.scale[0][row], from.scale[1][row], from.scale[2][row]};
    }
    return pose;
}

Velocity TickInputs::velocity(std::int64_t tick, std::size_t row) const noexcept {
    const Pose from = pose(tick + static_cast<std::int64_t>(kTickSetCount) - 1, row, false);
    const Pose to = pose(tick, row, false);
    const glm::dvec3 turn = compute_rotation_vector(from.rotation, to.rotation);
    return {.linear = glm::vec3((to.position - from.position) / kTickS),
            .angular = glm::vec3(turn / kTickS)};
}

void TickInputs::make_poses() {
    if (!sets_[0].poses.empty()) {
        return;
    }
    for (std::size_t number = 0; number < kTickSetCount; ++number) {
        sets_[number].poses.reserve(count_);
        for (std::size_t row = 0; row < count_; ++row) {
            sets_[number].poses.push_back(pose(static_cast<std::int64_t>(number), row, false));
        }
    }
}

void TickInputs::make_velocities() {
    if (!sets_[0].velocities.empty()) {
        return;
    }
    for (std::size_t number = 0; number < kTickSetCount; ++number) {
        sets_[number].velocities.reserve(count_);
        for (std::size_t row = 0; row < count_; ++row) {
            sets_[number].velocities.push_back(velocity(static_cast<std::int64_t>(number), row));
        }
    }
}

TickInputs& inputs_of(std::size_t count, Turns turns, Places places) {
    static std::map<std::tuple<std::size_t, Turns, Places>, std::unique_ptr<TickInputs>> all;
    std::unique_ptr<TickInputs>& inputs = all[{count, turns, places}];
    if (!inputs) {
        inputs = std::make_unique<TickInputs>(count, turns, places);
    }
    return *inputs;
}

} // namespace glissade::bench
