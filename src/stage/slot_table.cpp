// SPDX-License-Identifier: MIT
#include "stage/slot_table.h"

#include <algorithm>

namespace glissade {

SlotTable::SlotTable(std::uint32_t capacity, std::uint8_t tag, std::uint32_t channel_count)
    : capacity_(capacity),
      channel_count_(channel_count),
      tag_(tag),
      first_index1_((static_cast<std::uint32_t>(tag) << kIndexBits) + 1),
      keys_(capacity),
      slots_(capacity),
      channels_(static_cast<std::size_t>(capacity) * channel_count) {}

std::uint32_t SlotTable::take() noexcept {
    std::uint32_t index = free_;
    std::uint32_t generation = 1;
    bool touched = false; // Belongs to the stage's list, not to the object.
    if (index == Slot::kNone) {
        // Untouched memory is used in order, so that unused capacity never becomes resident.
        index = used_end_++;
    } else {
        free_ = slots_[index].next;
        generation = keys_[index].generation;
        touched = slots_[index].touched;
    }
    keys_[index] = {.generation = generation};
    slots_[index] = {};
    slots_[index].alive = true;
    slots_[index].touched = touched;
    std::fill(channels(index).begin(), channels(index).end(), 0.0F);
    ++size_;
    return index;
}

void SlotTable::release(std::uint32_t index) noexcept {
    SlotKey& key = keys_[index];
    slots_[index].alive = false;
    // 0 never names anything; after 2^32 - 1 owners a slot starts over.
    key.generation = key.generation == 0xFFFFFFFFU ? 1 : key.generation + 1;
    slots_[index].next = free_;
    free_ = index;
    --size_;
}

StageStatus SlotTable::check(Id id) const noexcept {
    if (id.is_null()) {
        return StageStatus::NullHandle;
    }
    const std::uint32_t index1 = id.index1 & kIndexMask;
    if ((id.index1 >> kIndexBits) != tag_ || index1 == 0 || index1 > used_end_) {
        return StageStatus::ForeignHandle;
    }
    const std::uint32_t index = index1 - 1;
    return keys_[index].generation == id.generation && slots_[index].alive
               ? StageStatus::Ok
               : StageStatus::StaleHandle;
}

void SlotTable::set_row(std::uint32_t index, std::uint32_t row) noexcept {
    SlotKey& key = keys_[index];
    key.place = (key.place & ~SlotKey::kRowMask) | (row & SlotKey::kRowMask);
}

void SlotTable::set_track(std::uint32_t index, TrackId track) noexcept {
    GLISSADE_ASSERT(row(index) == MoverTable::kNone);
    slots_[index].track = track;
    const std::uint32_t known = std::min(static_cast<std::uint32_t>(track), SlotKey::kLargeTrack);
    keys_[index].place = known << SlotKey::kRowBits | SlotKey::kRowMask;
}

void SlotTable::link(std::uint32_t child, std::uint32_t parent) noexcept {
    Slot& slot = slots_[child];
    slots_[child].parent = parent;
    if (parent == Slot::kNone) {
        return;
    }
    ++child_count_;
    slot.next = slots_[parent].first_child;
    slot.prior = Slot::kNone;
    if (slot.next != Slot::kNone) {
        slots_[slot.next].prior = child;
    }
    slots_[parent].first_child = child;
}

void SlotTable::unlink(std::uint32_t child) noexcept {
    Slot& slot = slots_[child];
    const std::uint32_t parent = slots_[child].parent;
    if (parent == Slot::kNone) {
        return;
    }
    --child_count_;
    if (slot.prior == Slot::kNone) {
        slots_[parent].first_child = slot.next;
    } else {
        slots_[slot.prior].next = slot.next;
    }
    if (slot.next != Slot::kNone) {
        slots_[slot.next].prior = slot.prior;
    }
    slots_[child].parent = slot.next = slot.prior = Slot::kNone;
}

std::uint32_t SlotTable::next_below(std::uint32_t root, std::uint32_t index) const noexcept {
    if (slots_[index].first_child != Slot::kNone) {
        return slots_[index].first_child;
    }
    while (index != root && slots_[index].next == Slot::kNone) {
        index = slots_[index].parent;
    }
    return index == root ? Slot::kNone : slots_[index].next;
}

int SlotTable::depth(std::uint32_t index) const noexcept {
    int depth = 0;
    for (; slots_[index].parent != Slot::kNone; index = slots_[index].parent) {
        ++depth;
    }
    return depth;
}

int SlotTable::height(std::uint32_t index) const noexcept {
    const int own_depth = depth(index);
    int height = 0;
    for (std::uint32_t below = next_below(index, index); below != Slot::kNone;
         below = next_below(index, below)) {
        height = std::max(height, depth(below) - own_depth);
    }
    return height;
}

bool SlotTable::is_below(std::uint32_t index, std::uint32_t ancestor) const noexcept {
    for (; index != Slot::kNone; index = slots_[index].parent) {
        if (index == ancestor) {
            return true;
        }
    }
    return false;
}

} // namespace glissade
