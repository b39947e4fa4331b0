// SPDX-License-Identifier: MIT
#include "stage/mover_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glissade {

namespace {

/// Five cache lines between the end of a column and the start of the next.
constexpr std::size_t kStaggerBytes = 5 * kColumnAlignmentBytes;
/// Half the angle by which padding turns from one place of a history to the next. Of 64 places no
/// two are half a turn apart.
constexpr float kPaddingHalfRad = 0.02F;

template <class T, std::size_t N>
std::array<const T*, N> to_const(const std::array<T*, N>& columns) noexcept {
    std::array<const T*, N> result{};
    std::copy(columns.begin(), columns.end(), result.begin());
    return result;
}

} // namespace

Pose load_pose(const PoseTarget& columns, std::size_t row) noexcept {
    const auto& [position, rotation, scale] = columns;
    return {.position = {position[0][row], position[1][row], position[2][row]},
            .rotation =
                quat_xyzw(rotation[0][row], rotation[1][row], rotation[2][row], rotation[3][row]),
            .scale = {scale[0][row], scale[1][row], scale[2][row]}};
}

Velocity load_velocity(const StateColumns& columns, std::size_t row) noexcept {
    return {.linear = {columns.linear[0][row], columns.linear[1][row], columns.linear[2][row]},
            .angular = {columns.angular[0][row], columns.angular[1][row], columns.angular[2][row]}};
}

PoseSource to_source(const PoseTarget& columns) noexcept {
    return {.position = to_const(columns.position),
            .rotation = to_const(columns.rotation),
            .scale = to_const(columns.scale)};
}

PoseColumns to_spans(const PoseTarget& columns, std::size_t size) noexcept {
    const auto& [position, rotation, scale] = columns;
    return {.x = {position[0], size},
            .y = {position[1], size},
            .z = {position[2], size},
            .qx = {rotation[0], size},
            .qy = {rotation[1], size},
            .qz = {rotation[2], size},
            .qw = {rotation[3], size},
            .scale_x = {scale[0], size},
            .scale_y = {scale[1], size},
            .scale_z = {scale[2], size}};
}

/// Hands out one column after the other. Without memory it only counts.
class MoverColumns::Cutter {
public:
    explicit Cutter(std::byte* memory) noexcept : memory_(memory) {}

    template <class T>
    void cut(T*& column, std::size_t rows) noexcept {
        column = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + size_bytes_);
        const std::uint64_t bytes = static_cast<std::uint64_t>(rows) * sizeof(T);
        size_bytes_ +=
            (bytes + kColumnAlignmentBytes - 1) / kColumnAlignmentBytes * kColumnAlignmentBytes +
            kStaggerBytes;
    }
    template <class T, std::size_t N>
    void cut(std::array<T*, N>& columns, std::size_t rows) noexcept {
        for (T*& column : columns) {
            cut(column, rows);
        }
    }
    void cut(PoseTarget& columns, std::size_t rows) noexcept {
        cut(columns.position, rows);
        cut(columns.rotation, rows);
        cut(columns.scale, rows);
    }
    [[nodiscard]] std::uint64_t size_bytes() const noexcept { return size_bytes_; }
    void rewind(std::uint64_t size_bytes) noexcept { size_bytes_ = size_bytes; }

private:
    std::byte* memory_;
    std::uint64_t size_bytes_ = 0; ///< Of a large stage more than 32 bits hold, WebAssembly's too.
};

void MoverColumns::cut(Cutter& cutter, std::size_t rows) noexcept {
    for (StateColumns& state : states_) {
        cutter.cut(state.pose, rows);
        cutter.cut(state.linear, rows);
        cutter.cut(state.angular, rows);
    }
    for (PoseTarget& visual : visuals_) {
        cutter.cut(visual, rows);
    }
    const std::uint64_t shared = cutter.size_bytes();
    cutter.cut(staged_, rows);
    const std::uint64_t staged_end = cutter.size_bytes();
    cutter.rewind(shared);
    cutter.cut(world_.translation, rows + kGuestRows);
    cutter.cut(world_.basis, rows + kGuestRows);
    cutter.rewind(std::max(staged_end, cutter.size_bytes()));
}

MoverColumns::MoverColumns(std::size_t row_capacity, std::size_t history) noexcept
    : states_(history) {
    const std::size_t rows = (row_capacity + kBlockRows - 1) / kBlockRows * kBlockRows;
    Cutter counter(nullptr);
    cut(counter, rows);
    if (counter.size_bytes() > std::numeric_limits<std::size_t>::max()) {
        detail::out_of_memory(std::numeric_limits<std::size_t>::max());
    }
    slab_ = Column<std::byte>(static_cast<std::size_t>(counter.size_bytes()));
    Cutter cutter(slab_.data());
    cut(cutter, rows);
}

void MoverColumns::clear_block(std::size_t block) const noexcept {
    const std::size_t first = block * kBlockRows;
    const auto clear = [first](const PoseTarget& columns, const Pose& pose) {
        for (std::size_t row = first; row < first + kBlockRows; ++row) {
            store_pose(columns, row, pose);
        }
    };
    for (std::size_t place = 0; place < states_.size(); ++place) {
        const float half_rad = kPaddingHalfRad * static_cast<float>(place);
        clear(states_[place].pose,
              {.rotation = quat_xyzw(std::sin(half_rad), 0.0F, 0.0F, std::cos(half_rad))});
        for (std::size_t row = first; row < first + kBlockRows; ++row) {
            store_velocity(states_[place], row, {});
        }
    }
    for (const PoseTarget& visual : visuals_) {
        clear(visual, {});
    }
}

void MoverColumns::copy_row(std::size_t from, std::size_t to) const noexcept {
    for_each([from, to](auto* column) { column[to] = column[from]; });
}

void MoverColumns::swap_rows(std::size_t a, std::size_t b, bool are_plain) const noexcept {
    const auto swap = [a, b](auto* column) { std::swap(column[a], column[b]); };
    if (!are_plain) {
        for_each(swap);
        return;
    }
    const auto swap_pose = [&swap](const PoseTarget& pose) {
        std::for_each(pose.position.begin(), pose.position.end(), swap);
        std::for_each(pose.rotation.begin(), pose.rotation.end(), swap);
    };
    for (const StateColumns& state : states_) {
        swap_pose(state.pose);
    }
    std::for_each(visuals_.begin(), visuals_.end(), swap_pose);
}

} // namespace glissade
