// SPDX-License-Identifier: MIT
// The items of a batch, whichever way their poses come.
#pragma once

#include "glissade/stage/stage_types.h"

#include "stage/plain_pose.h"
#include "stage/slot_table.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace glissade {

/// Items of a batch that are rows in a row.
struct Run {
    MoverPlace place{}; ///< Of the first.
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t limit = 0; ///< No longer than this.
    StoreForm form{};
};

// By reference: GCC 12 copies a Pose by a string instruction, which takes longer than all the rest.
[[nodiscard]] inline const Pose& pose_at(std::span<const Pose> poses, std::size_t item) noexcept {
    return poses[item];
}

[[nodiscard]] inline Pose pose_at(const PoseColumns& poses, std::size_t item) noexcept {
    Pose pose{
        .position = {poses.x[item], poses.y[item], poses.z[item]},
        .rotation = quat_xyzw(poses.qx[item], poses.qy[item], poses.qz[item], poses.qw[item])};
    if (!poses.scale_x.empty()) {
        pose.scale = {poses.scale_x[item], poses.scale_y[item], poses.scale_z[item]};
    }
    return pose;
}

/// Whether kernels can store the items [first, first + count), see store_plain(). Precondition:
/// count is a multiple of 16.
[[nodiscard]] inline bool are_plain(const PoseColumns& poses, std::size_t first,
                                    std::size_t count) noexcept {
    return are_plain_columns(poses, first, count);
}

[[nodiscard]] inline bool are_plain(std::span<const Pose> poses, std::size_t first,
                                    std::size_t count) noexcept {
    const std::span<const Pose> some = poses.subspan(first, count);
    return std::all_of(some.begin(), some.end(), [](const Pose& pose) { return is_plain(pose); });
}

/// Adds one item's status to the answer of its batch.
inline void count(BatchResult& result, std::size_t item, StageStatus status) noexcept {
    if (status == StageStatus::Ok) {
        ++result.accepted_count;
    } else if (result.status == StageStatus::Ok) {
        result.status = status;
        result.first_refused = item;
    }
}

} // namespace glissade
