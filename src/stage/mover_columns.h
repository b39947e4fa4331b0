// SPDX-License-Identifier: MIT
// The memory of a mover table: one slab, cut into columns that do not get in each other's way.
#pragma once

#include "base/column.h"
#include "stage/kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace glissade {

/// The columns of one state of every row.
struct StateColumns {
    PoseTarget pose{};
    std::array<float*, 3> linear{};
    std::array<float*, 3> angular{};
};

[[nodiscard]] Pose load_pose(const PoseTarget& columns, std::size_t row) noexcept;
// In the header, as store_velocity() is, because moves go through them.
inline void store_pose(const PoseTarget& columns, std::size_t row, const Pose& pose) noexcept {
    columns.position[0][row] = pose.position.x;
    columns.position[1][row] = pose.position.y;
    columns.position[2][row] = pose.position.z;
    columns.rotation[0][row] = pose.rotation.x;
    columns.rotation[1][row] = pose.rotation.y;
    columns.rotation[2][row] = pose.rotation.z;
    columns.rotation[3][row] = pose.rotation.w;
    columns.scale[0][row] = pose.scale.x;
    columns.scale[1][row] = pose.scale.y;
    columns.scale[2][row] = pose.scale.z;
}
[[nodiscard]] Velocity load_velocity(const StateColumns& columns, std::size_t row) noexcept;
inline void store_velocity(const StateColumns& columns, std::size_t row,
                           const Velocity& velocity) noexcept {
    columns.linear[0][row] = velocity.linear.x;
    columns.linear[1][row] = velocity.linear.y;
    columns.linear[2][row] = velocity.linear.z;
    columns.angular[0][row] = velocity.angular.x;
    columns.angular[1][row] = velocity.angular.y;
    columns.angular[2][row] = velocity.angular.z;
}
[[nodiscard]] PoseSource to_source(const PoseTarget& columns) noexcept;
[[nodiscard]] PoseColumns to_spans(const PoseTarget& columns, std::size_t size) noexcept;

/// All columns that kernels work on.
///
/// Columns start at different places of a 4 KiB page: those that start at the same one compete for
/// the same few lines of a cache, which costs 5 to 15 % at a million rows. Memory that is never
/// written costs no physical pages.
class MoverColumns {
public:
    MoverColumns(std::size_t row_capacity, std::size_t history) noexcept;

    [[nodiscard]] const StateColumns& state(std::size_t place) const noexcept {
        return states_[place];
    }
    [[nodiscard]] const PoseTarget& visual(std::size_t number) const noexcept {
        return visuals_[number];
    }
    /// Where moves wait that come in no order. Shares its memory with world().
    [[nodiscard]] StagedPose* staged() const noexcept { return staged_; }
    /// Placements while a frame's matrices are made, with room for kGuestRows more rows than the
    /// table has. Shares its memory with staged(): moves belong to an open tick, matrices to a
    /// frame, and a frame closes the tick first.
    [[nodiscard]] const WorldTarget& world() const noexcept { return world_; }
    static constexpr std::size_t kGuestRows = kBlockRows;

    /// Fills the rows of a block with poses at the origin and zero velocities. They turn from state
    /// to state: to a kernel, rotations that do not are unusual, see kUsualDot.
    void clear_block(std::size_t block) const noexcept;
    void copy_row(std::size_t from, std::size_t to) const noexcept;
    /// `are_plain`: neither of them has ever had a scale or a velocity, and those need not be
    /// looked at.
    void swap_rows(std::size_t a, std::size_t b, bool are_plain) const noexcept;
    /// Calls `visit(T* column)` for every column of states and visual poses.
    template <class Visit>
    void for_each(const Visit& visit) const;

private:
    class Cutter;
    void cut(Cutter& cutter, std::size_t rows) noexcept;

    Column<std::byte> slab_;
    std::vector<StateColumns> states_;
    std::array<PoseTarget, 2> visuals_{};
    StagedPose* staged_ = nullptr;
    WorldTarget world_{};
};

template <class Visit>
void MoverColumns::for_each(const Visit& visit) const {
    const auto visit_all = [&visit](const auto&... columns) {
        (std::for_each(columns.begin(), columns.end(), visit), ...);
    };
    for (const StateColumns& state : states_) {
        visit_all(state.pose.position, state.pose.rotation, state.pose.scale, state.linear,
                  state.angular);
    }
    for (const PoseTarget& visual : visuals_) {
        visit_all(visual.position, visual.rotation, visual.scale);
    }
}

} // namespace glissade
