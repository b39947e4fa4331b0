// SPDX-License-Identifier: MIT
// Poses as columns, for calls that take them so, and batches in every form that there is.
#pragma once

#include "glissade/stage/stage.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace glissade::testing {

/// Keeps the columns alive.
class ColumnStore {
public:
    ColumnStore() = default;
    explicit ColumnStore(std::span<const Pose> poses) {
        for (const Pose& pose : poses) {
            add(pose);
        }
    }

    void add(const Pose& pose) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            position_[axis].push_back(pose.position[static_cast<glm::length_t>(axis)]);
            scale_[axis].push_back(pose.scale[static_cast<glm::length_t>(axis)]);
        }
        rotation_[0].push_back(pose.rotation.x);
        rotation_[1].push_back(pose.rotation.y);
        rotation_[2].push_back(pose.rotation.z);
        rotation_[3].push_back(pose.rotation.w);
    }

    /// Valid until the next add().
    [[nodiscard]] PoseColumns columns(bool has_scale) const {
        PoseColumns all{.x = position_[0],
                        .y = position_[1],
                        .z = position_[2],
                        .qx = rotation_[0],
                        .qy = rotation_[1],
                        .qz = rotation_[2],
                        .qw = rotation_[3]};
        if (has_scale) {
            all.scale_x = scale_[0];
            all.scale_y = scale_[1];
            all.scale_z = scale_[2];
        }
        return all;
    }

private:
    std::array<std::vector<double>, 3> position_;
    std::array<std::vector<float>, 4> rotation_;
    std::array<std::vector<float>, 3> scale_;
};

/// In which form a batch is told.
enum class Form { Poses, Columns, Velocities };
inline constexpr std::array kAllForms = {Form::Poses, Form::Columns, Form::Velocities};

/// Velocities are zero.
inline BatchResult move_as(Form form, Stage& stage, const Tick& tick, std::span<const Id> ids,
                           std::span<const Pose> poses) {
    switch (form) {
        case Form::Poses:
            return stage.move(tick, ids, poses);
        case Form::Columns:
            return stage.move(tick, ids, ColumnStore(poses).columns(true));
        case Form::Velocities:
            break;
    }
    return stage.move(tick, ids, poses, std::vector<Velocity>(ids.size()));
}

} // namespace glissade::testing
