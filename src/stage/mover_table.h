// SPDX-License-Identifier: MIT
// The packed columns of what moves on one track: N stamped states and two visual poses a row.
#pragma once

#include "glissade/stage/stage_types.h"

#include "base/column.h"
#include "stage/shift_pool.h"

#include <array>
#include <vector>

namespace glissade {

/// Marks of one state in a mover's history, as bits.
inline constexpr std::uint8_t kPlainState = 0;
inline constexpr std::uint8_t kCutState = 1;   ///< Never blended with the state before it.
inline constexpr std::uint8_t kShiftState = 2; ///< The state before it is mapped through a shift.

/// One state of one mover, as a value.
struct State {
    Pose pose{};
    Velocity velocity{};
    std::uint8_t marks = kPlainState;
};

/// What the picture adds to the blended pose while a correction fades (amend, new parent).
struct Offset {
    glm::vec3 position{0.0F};
    glm::quat rotation{1.0F, 0.0F, 0.0F, 0.0F};
};

/// What a row is beside its columns.
struct RowInfo {
    std::uint64_t written = 0;  ///< Sequence of the last tick that wrote it.
    std::uint64_t revision = 0; ///< The present() in which its visual pose last changed.
    /// Sequence of the oldest cut that the picture has not reached. 0: none.
    std::uint64_t pending_cut = 0;
    std::int64_t appear_ns = 0; ///< When a waiting object becomes visible.
    std::uint32_t shifts = ShiftPool::kNone;
    Blend blend = Blend::Linear;
    bool cut_shown = false; ///< A cut shows in the next frame: there is no previous picture.
    bool waiting = false;   ///< Spawned, and the picture has not reached it yet.
    bool settled = false;   ///< Shown at its final pose; leaves the table in the next present().
    bool offset = false;    ///< Has an Offset that is not the identity.
};

/// Rows are packed: removing one moves the last into its place. Columns, because a million rows are
/// read front to back every frame; kernels work on them directly.
class MoverTable {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    MoverTable(std::uint32_t capacity, std::uint32_t history, std::uint32_t channel_count);

    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] bool full() const noexcept { return size_ == capacity_; }

    /// A new row in which every state and both visual poses are `pose`. Precondition: not full.
    std::uint32_t push(Id id, const Pose& pose, std::span<const float> channels) noexcept;
    /// Takes a row out. The Id of the row that now has this number, or null if it was the last.
    Id remove(std::uint32_t row) noexcept;

    [[nodiscard]] Id id(std::uint32_t row) const noexcept { return ids_[row]; }
    [[nodiscard]] RowInfo& info(std::uint32_t row) noexcept { return info_[row]; }
    [[nodiscard]] const RowInfo& info(std::uint32_t row) const noexcept { return info_[row]; }
    [[nodiscard]] Offset& offset(std::uint32_t row) noexcept { return offsets_[row]; }
    [[nodiscard]] const Offset& offset(std::uint32_t row) const noexcept { return offsets_[row]; }

    /// `place` is the tick's place in the ring, below `history`.
    [[nodiscard]] State load(std::uint32_t row, std::size_t place) const noexcept;
    void store(std::uint32_t row, std::size_t place, const State& state) noexcept;
    [[nodiscard]] float load_channel(std::uint32_t row, std::size_t place,
                                     std::uint32_t number) const noexcept;
    void store_channels(std::uint32_t row, std::size_t place,
                        std::span<const float> values) noexcept;
    void copy_channels(std::uint32_t row, std::size_t from, std::size_t to) noexcept;

    [[nodiscard]] Pose visual(std::uint32_t row) const noexcept { return visual_[now_].load(row); }
    [[nodiscard]] Pose previous(std::uint32_t row) const noexcept {
        return visual_[1 - now_].load(row);
    }
    void set_visual(std::uint32_t row, const Pose& pose) noexcept {
        visual_[now_].store(row, pose);
    }
    void set_previous(std::uint32_t row, const Pose& pose) noexcept {
        visual_[1 - now_].store(row, pose);
    }
    [[nodiscard]] float visual_channel(std::uint32_t row, std::uint32_t number) const noexcept;
    void set_visual_channel(std::uint32_t row, std::uint32_t number, float value) noexcept;
    /// What was visual is previous from now on; every visual pose must then be set.
    void swap_visual() noexcept { now_ = 1 - now_; }

    /// `still`: the last frame showed the same, so that the previous poses are the visual ones.
    [[nodiscard]] MovedColumns columns(bool still) const noexcept;

private:
    struct PoseStore {
        explicit PoseStore(std::uint32_t capacity);
        [[nodiscard]] Pose load(std::uint32_t row) const noexcept;
        void store(std::uint32_t row, const Pose& pose) noexcept;
        void copy(std::uint32_t from, std::uint32_t to) noexcept;
        [[nodiscard]] PoseColumns view(std::uint32_t size) const noexcept;

        std::array<Column<double>, 3> position;
        std::array<Column<float>, 4> rotation; // x, y, z, w
        std::array<Column<float>, 3> scale;
    };
    struct StateStore {
        StateStore(std::uint32_t capacity, std::uint32_t channel_count);
        PoseStore pose;
        std::array<Column<float>, 3> linear;
        std::array<Column<float>, 3> angular;
        Column<float> channels; // channel_count values a row
        Column<std::uint8_t> marks;
    };

    void copy_row(std::uint32_t from, std::uint32_t to) noexcept;

    std::uint32_t capacity_;
    std::uint32_t channel_count_;
    std::uint32_t size_ = 0;
    std::size_t now_ = 0;
    std::vector<StateStore> states_;
    std::array<PoseStore, 2> visual_;
    Column<float> visual_channels_;
    Column<Id> ids_;
    Column<RowInfo> info_;
    Column<Offset> offsets_;
};

} // namespace glissade
