// SPDX-License-Identifier: MIT
#include "glissade/feed/publisher.h"

#include "glissade/stage/stage_types.h"

#include "base/column.h"
#include "feed/snapshot_rows.h"

#include <array>
#include <cmath>
#include <new>

namespace glissade {

PublishTimes PublishTimes::of(const TickPacer& pacer, std::int64_t published_ns) noexcept {
    return {.tick = pacer.newest(),
            .published_ns = published_ns,
            .due_ns = pacer.due_ns(),
            .time_scale = pacer.time_scale(),
            .paused = pacer.paused(),
            .epoch = pacer.epoch()};
}

/// Slots are named by Ids and point to rows; rows are packed, so that publish() writes them in
/// order.
struct Publisher::Data {
    struct Slot {
        std::uint32_t generation = 1;
        std::uint32_t row = 0;
        std::uint32_t next_free = 0; // Slot number plus one; 0 ends the list.
        bool alive = false;
    };
    struct Row {
        std::uint32_t slot = 0;
        SourceState state{};
        std::array<float, kMaxChannels> channels{};
    };

    LinkWriter writer{};
    Column<Slot> slots{};
    Column<Row> rows{};
    std::size_t size = 0;
    std::uint32_t used_slots = 0;
    std::uint32_t first_free = 0;

    void reset(std::uint32_t capacity) noexcept {
        slots = Column<Slot>(capacity);
        rows = Column<Row>(capacity);
        size = 0;
        used_slots = 0;
        first_free = 0;
    }

    [[nodiscard]] std::uint32_t take_slot() noexcept {
        if (first_free != 0) {
            const std::uint32_t slot = first_free - 1;
            first_free = slots[slot].next_free;
            return slot;
        }
        new (&slots[used_slots]) Slot{};
        return used_slots++;
    }

    [[nodiscard]] Row* find(Id id) noexcept {
        const std::uint32_t slot = id.index1 - 1; // Wraps for null, and is refused.
        if (slot >= used_slots || !slots[slot].alive || slots[slot].generation != id.generation) {
            return nullptr;
        }
        return &rows[slots[slot].row];
    }
};

Publisher::Publisher() noexcept : data_(new (std::nothrow) Data) {
    if (!data_) {
        detail::out_of_memory(sizeof(Data));
    }
}
Publisher::~Publisher() = default;
Publisher::Publisher(Publisher&&) noexcept = default;
Publisher& Publisher::operator=(Publisher&&) noexcept = default;

LinkStatus Publisher::join(std::span<std::byte> memory) noexcept {
    const LinkStatus status = data_->writer.join(memory);
    data_->reset(status == LinkStatus::Ok ? data_->writer.config().capacity : 0);
    return status;
}

PublishResult Publisher::add(const Pose& pose, const Velocity& velocity) noexcept {
    Data& data = *data_;
    if (!data.writer.joined()) {
        return {.status = PublishStatus::NotJoined};
    }
    if (check(pose) != PoseStatus::Ok || check(velocity) != PoseStatus::Ok) {
        return {.status = PublishStatus::BadValue};
    }
    if (data.size == data.rows.capacity()) {
        return {.status = PublishStatus::Full};
    }
    const std::uint32_t slot = data.take_slot();
    data.slots[slot].alive = true;
    data.slots[slot].row = static_cast<std::uint32_t>(data.size);
    new (&data.rows[data.size])
        Data::Row{.slot = slot, .state = {.pose = pose, .velocity = velocity}};
    ++data.size;
    return {.id = {slot + 1, data.slots[slot].generation}};
}

PublishStatus Publisher::remove(Id id) noexcept {
    Data& data = *data_;
    Data::Row* const row = data.find(id);
    if (row == nullptr) {
        return PublishStatus::BadHandle;
    }
    Data::Slot& slot = data.slots[row->slot];
    slot.alive = false;
    ++slot.generation;
    slot.next_free = data.first_free;
    data.first_free = row->slot + 1;
    const std::uint32_t place = slot.row;
    --data.size;
    if (place != data.size) {
        data.rows[place] = data.rows[data.size];
        data.slots[data.rows[place].slot].row = place;
    }
    return PublishStatus::Ok;
}

PublishStatus Publisher::move(Id id, const Pose& pose, const Velocity& velocity) noexcept {
    Data::Row* const row = data_->find(id);
    if (row == nullptr) {
        return PublishStatus::BadHandle;
    }
    if (check(pose) != PoseStatus::Ok || check(velocity) != PoseStatus::Ok) {
        return PublishStatus::BadValue;
    }
    row->state.pose = pose;
    row->state.velocity = velocity;
    return PublishStatus::Ok;
}

PublishStatus Publisher::cut(Id id, const Pose& pose, const Velocity& velocity) noexcept {
    const PublishStatus status = move(id, pose, velocity);
    if (status == PublishStatus::Ok) {
        ++data_->find(id)->state.cut_count;
    }
    return status;
}

PublishStatus Publisher::shift(Id id, const Rigid& rigid) noexcept {
    Data::Row* const row = data_->find(id);
    if (row == nullptr) {
        return PublishStatus::BadHandle;
    }
    const Rigid composed = compose(rigid, row->state.shift);
    if (check(rigid) != PoseStatus::Ok || check(composed) != PoseStatus::Ok) {
        return PublishStatus::BadValue;
    }
    if (!has(data_->writer.config().columns, LinkColumns::Shift)) {
        ++row->state.cut_count;
        return PublishStatus::Ok;
    }
    row->state.shift = composed;
    ++row->state.shift_count;
    return PublishStatus::Ok;
}

PublishStatus Publisher::set_channel(Id id, std::size_t number, float value) noexcept {
    Data::Row* const row = data_->find(id);
    if (row == nullptr) {
        return PublishStatus::BadHandle;
    }
    if (number >= data_->writer.config().channel_count || !std::isfinite(value)) {
        return PublishStatus::BadValue;
    }
    row->channels[number] = value;
    return PublishStatus::Ok;
}

LinkStatus Publisher::publish(const PublishTimes& times) noexcept {
    Data& data = *data_;
    const LinkWriter::Begun begun = data.writer.begin(data.size);
    if (begun.status != LinkStatus::Ok) {
        return begun.status;
    }
    SnapshotHeader& header = *begun.slot.header;
    header.tick = times.tick.index;
    header.time_ns = times.tick.time_ns;
    header.duration_ns = times.tick.duration_ns;
    header.due_ns = times.due_ns.value_or(0);
    header.has_due = times.due_ns ? 1 : 0;
    header.time_scale = times.time_scale;
    header.paused = times.paused ? 1 : 0;
    header.epoch = times.epoch;
    for (std::size_t i = 0; i < data.size; ++i) {
        const Data::Row& row = data.rows[i];
        const Id id{row.slot + 1, data.slots[row.slot].generation};
        begun.slot.columns.ids[i] = id.bits();
        write_row(begun.slot.columns, i, row.state);
        write_channels(begun.slot.columns, i, row.channels);
    }
    return data.writer.publish(times.published_ns);
}

std::size_t Publisher::size() const noexcept {
    return data_->size;
}

bool Publisher::contains(Id id) const noexcept {
    return data_->find(id) != nullptr;
}

const LinkStats& Publisher::stats() const noexcept {
    return data_->writer.stats();
}

const char* to_string(PublishStatus status) noexcept {
    switch (status) {
        case PublishStatus::Ok:
            return "ok";
        case PublishStatus::BadHandle:
            return "bad handle";
        case PublishStatus::BadValue:
            return "bad value";
        case PublishStatus::Full:
            return "full";
        case PublishStatus::NotJoined:
            return "not joined";
    }
    return "unknown";
}

} // namespace glissade
