// SPDX-License-Identifier: MIT
#include "stage/mover_table.h"

#include <algorithm>

namespace glissade {

namespace {

template <std::size_t N, class T>
std::array<Column<T>, N> make_columns(std::uint32_t capacity) {
    std::array<Column<T>, N> columns;
    for (Column<T>& column : columns) {
        column = Column<T>(capacity);
    }
    return columns;
}

template <std::size_t N, class T>
void copy_columns(std::array<Column<T>, N>& columns, std::uint32_t from,
                  std::uint32_t to) noexcept {
    for (Column<T>& column : columns) {
        column[to] = column[from];
    }
}

glm::vec3 load_vector(const std::array<Column<float>, 3>& columns, std::uint32_t row) noexcept {
    return {columns[0][row], columns[1][row], columns[2][row]};
}

void store_vector(std::array<Column<float>, 3>& columns, std::uint32_t row,
                  const glm::vec3& value) noexcept {
    columns[0][row] = value.x;
    columns[1][row] = value.y;
    columns[2][row] = value.z;
}

} // namespace

MoverTable::PoseStore::PoseStore(std::uint32_t capacity)
    : position(make_columns<3, double>(capacity)),
      rotation(make_columns<4, float>(capacity)),
      scale(make_columns<3, float>(capacity)) {}

Pose MoverTable::PoseStore::load(std::uint32_t row) const noexcept {
    return {.position = {position[0][row], position[1][row], position[2][row]},
            .rotation =
                quat_xyzw(rotation[0][row], rotation[1][row], rotation[2][row], rotation[3][row]),
            .scale = load_vector(scale, row)};
}

void MoverTable::PoseStore::store(std::uint32_t row, const Pose& pose) noexcept {
    position[0][row] = pose.position.x;
    position[1][row] = pose.position.y;
    position[2][row] = pose.position.z;
    rotation[0][row] = pose.rotation.x;
    rotation[1][row] = pose.rotation.y;
    rotation[2][row] = pose.rotation.z;
    rotation[3][row] = pose.rotation.w;
    store_vector(scale, row, pose.scale);
}

void MoverTable::PoseStore::copy(std::uint32_t from, std::uint32_t to) noexcept {
    copy_columns(position, from, to);
    copy_columns(rotation, from, to);
    copy_columns(scale, from, to);
}

PoseColumns MoverTable::PoseStore::view(std::uint32_t size) const noexcept {
    return {.x = {position[0].data(), size},
            .y = {position[1].data(), size},
            .z = {position[2].data(), size},
            .qx = {rotation[0].data(), size},
            .qy = {rotation[1].data(), size},
            .qz = {rotation[2].data(), size},
            .qw = {rotation[3].data(), size},
            .scale_x = {scale[0].data(), size},
            .scale_y = {scale[1].data(), size},
            .scale_z = {scale[2].data(), size}};
}

MoverTable::StateStore::StateStore(std::uint32_t capacity, std::uint32_t channel_count)
    : pose(capacity),
      linear(make_columns<3, float>(capacity)),
      angular(make_columns<3, float>(capacity)),
      channels(static_cast<std::size_t>(capacity) * channel_count),
      marks(capacity) {}

MoverTable::MoverTable(std::uint32_t capacity, std::uint32_t history, std::uint32_t channel_count)
    : capacity_(capacity),
      channel_count_(channel_count),
      visual_{PoseStore(capacity), PoseStore(capacity)},
      visual_channels_(static_cast<std::size_t>(capacity) * channel_count),
      ids_(capacity),
      info_(capacity),
      offsets_(capacity) {
    states_.reserve(history);
    for (std::uint32_t place = 0; place < history; ++place) {
        states_.emplace_back(capacity, channel_count);
    }
}

std::uint32_t MoverTable::push(Id id, const Pose& pose, std::span<const float> channels) noexcept {
    const std::uint32_t row = size_++;
    ids_[row] = id;
    info_[row] = {};
    offsets_[row] = {};
    for (std::size_t place = 0; place < states_.size(); ++place) {
        store(row, place, {.pose = pose});
        store_channels(row, place, channels);
    }
    for (PoseStore& visual : visual_) {
        visual.store(row, pose);
    }
    std::copy(channels.begin(), channels.end(),
              visual_channels_.data() + static_cast<std::size_t>(row) * channel_count_);
    return row;
}

Id MoverTable::remove(std::uint32_t row) noexcept {
    --size_;
    if (row == size_) {
        return {};
    }
    copy_row(size_, row);
    return ids_[row];
}

void MoverTable::copy_row(std::uint32_t from, std::uint32_t to) noexcept {
    for (StateStore& state : states_) {
        state.pose.copy(from, to);
        copy_columns(state.linear, from, to);
        copy_columns(state.angular, from, to);
        state.marks[to] = state.marks[from];
        std::copy_n(state.channels.data() + static_cast<std::size_t>(from) * channel_count_,
                    channel_count_,
                    state.channels.data() + static_cast<std::size_t>(to) * channel_count_);
    }
    for (PoseStore& visual : visual_) {
        visual.copy(from, to);
    }
    std::copy_n(visual_channels_.data() + static_cast<std::size_t>(from) * channel_count_,
                channel_count_,
                visual_channels_.data() + static_cast<std::size_t>(to) * channel_count_);
    ids_[to] = ids_[from];
    info_[to] = info_[from];
    offsets_[to] = offsets_[from];
}

State MoverTable::load(std::uint32_t row, std::size_t place) const noexcept {
    const StateStore& state = states_[place];
    return {.pose = state.pose.load(row),
            .velocity = {.linear = load_vector(state.linear, row),
                         .angular = load_vector(state.angular, row)},
            .marks = state.marks[row]};
}

void MoverTable::store(std::uint32_t row, std::size_t place, const State& state) noexcept {
    StateStore& target = states_[place];
    target.pose.store(row, state.pose);
    store_vector(target.linear, row, state.velocity.linear);
    store_vector(target.angular, row, state.velocity.angular);
    target.marks[row] = state.marks;
}

float MoverTable::load_channel(std::uint32_t row, std::size_t place,
                               std::uint32_t number) const noexcept {
    return states_[place].channels[static_cast<std::size_t>(row) * channel_count_ + number];
}

void MoverTable::store_channels(std::uint32_t row, std::size_t place,
                                std::span<const float> values) noexcept {
    std::copy(values.begin(), values.end(),
              states_[place].channels.data() + static_cast<std::size_t>(row) * channel_count_);
}

void MoverTable::copy_channels(std::uint32_t row, std::size_t from, std::size_t to) noexcept {
    const std::size_t first = static_cast<std::size_t>(row) * channel_count_;
    std::copy_n(states_[from].channels.data() + first, channel_count_,
                states_[to].channels.data() + first);
}

float MoverTable::visual_channel(std::uint32_t row, std::uint32_t number) const noexcept {
    return visual_channels_[static_cast<std::size_t>(row) * channel_count_ + number];
}

void MoverTable::set_visual_channel(std::uint32_t row, std::uint32_t number, float value) noexcept {
    visual_channels_[static_cast<std::size_t>(row) * channel_count_ + number] = value;
}

MovedColumns MoverTable::columns(bool still) const noexcept {
    return {.ids = {ids_.data(), size_},
            .visual = visual_[now_].view(size_),
            .previous = visual_[still ? now_ : 1 - now_].view(size_)};
}

} // namespace glissade
