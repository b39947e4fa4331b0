// SPDX-License-Identifier: MIT
#include "feed/snapshot_rows.h"

namespace glissade {

void write_row(const BasicSnapshotColumns<true>& columns, std::size_t row,
               const SourceState& state) noexcept {
    const Pose& pose = state.pose;
    columns.x[row] = pose.position.x;
    columns.y[row] = pose.position.y;
    columns.z[row] = pose.position.z;
    columns.qx[row] = pose.rotation.x;
    columns.qy[row] = pose.rotation.y;
    columns.qz[row] = pose.rotation.z;
    columns.qw[row] = pose.rotation.w;
    columns.cuts[row] = state.cut_count;
    if (!columns.scale_x.empty()) {
        columns.scale_x[row] = pose.scale.x;
        columns.scale_y[row] = pose.scale.y;
        columns.scale_z[row] = pose.scale.z;
    }
    if (!columns.velocity_x.empty()) {
        columns.velocity_x[row] = state.velocity.linear.x;
        columns.velocity_y[row] = state.velocity.linear.y;
        columns.velocity_z[row] = state.velocity.linear.z;
    }
    if (!columns.angular_velocity_x.empty()) {
        columns.angular_velocity_x[row] = state.velocity.angular.x;
        columns.angular_velocity_y[row] = state.velocity.angular.y;
        columns.angular_velocity_z[row] = state.velocity.angular.z;
    }
    if (!columns.shifts.empty()) {
        columns.shifts[row] = state.shift_count;
        columns.shift_x[row] = state.shift.translation.x;
        columns.shift_y[row] = state.shift.translation.y;
        columns.shift_z[row] = state.shift.translation.z;
        columns.shift_qx[row] = state.shift.rotation.x;
        columns.shift_qy[row] = state.shift.rotation.y;
        columns.shift_qz[row] = state.shift.rotation.z;
        columns.shift_qw[row] = state.shift.rotation.w;
    }
}

void write_channels(const BasicSnapshotColumns<true>& columns, std::size_t row,
                    std::span<const float> values) noexcept {
    for (std::size_t c = 0; c < columns.channel_count; ++c) {
        columns.channels[c * columns.channel_stride + row] = values[c];
    }
}

SourceState read_row(const BasicSnapshotColumns<false>& columns, std::size_t row) noexcept {
    SourceState state{};
    state.pose.position = {columns.x[row], columns.y[row], columns.z[row]};
    state.pose.rotation =
        quat_xyzw(columns.qx[row], columns.qy[row], columns.qz[row], columns.qw[row]);
    state.cut_count = columns.cuts[row];
    if (!columns.scale_x.empty()) {
        state.pose.scale = {columns.scale_x[row], columns.scale_y[row], columns.scale_z[row]};
    }
    if (!columns.velocity_x.empty()) {
        state.velocity.linear = {columns.velocity_x[row], columns.velocity_y[row],
                                 columns.velocity_z[row]};
    }
    if (!columns.angular_velocity_x.empty()) {
        state.velocity.angular = {columns.angular_velocity_x[row], columns.angular_velocity_y[row],
                                  columns.angular_velocity_z[row]};
    }
    if (!columns.shifts.empty()) {
        state.shift_count = columns.shifts[row];
        state.shift.translation = {columns.shift_x[row], columns.shift_y[row],
                                   columns.shift_z[row]};
        state.shift.rotation = quat_xyzw(columns.shift_qx[row], columns.shift_qy[row],
                                         columns.shift_qz[row], columns.shift_qw[row]);
    }
    return state;
}

std::span<const float> read_channels(const BasicSnapshotColumns<false>& columns, std::size_t row,
                                     std::span<float> values) noexcept {
    for (std::size_t c = 0; c < columns.channel_count; ++c) {
        values[c] = columns.channels[c * columns.channel_stride + row];
    }
    return values.first(columns.channel_count);
}

} // namespace glissade
