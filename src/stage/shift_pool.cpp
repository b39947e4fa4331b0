// SPDX-License-Identifier: MIT
#include "stage/shift_pool.h"

namespace glissade {

ShiftPool::ShiftPool(std::uint32_t capacity) : records_(capacity) {
    for (std::uint32_t place = capacity; place > 0; --place) {
        records_[place - 1].next = free_;
        free_ = place - 1;
    }
}

void ShiftPool::push(std::uint32_t& head, std::uint64_t sequence, const Rigid& rigid) noexcept {
    const std::uint32_t place = free_;
    free_ = records_[place].next;
    records_[place] = {.sequence = sequence, .rigid = rigid, .shown = false, .next = head};
    head = place;
}

const ShiftRecord* ShiftPool::find(std::uint32_t head, std::uint64_t sequence) const noexcept {
    for (std::uint32_t place = head; place != kNone; place = records_[place].next) {
        if (records_[place].sequence == sequence) {
            return &records_[place];
        }
    }
    return nullptr;
}

ShiftRecord* ShiftPool::find(std::uint32_t head, std::uint64_t sequence) noexcept {
    return const_cast<ShiftRecord*>(static_cast<const ShiftPool*>(this)->find(head, sequence));
}

void ShiftPool::purge(std::uint32_t& head, std::uint64_t oldest) noexcept {
    std::uint32_t* link = &head;
    while (*link != kNone) {
        const std::uint32_t place = *link;
        if (records_[place].sequence >= oldest) {
            link = &records_[place].next;
            continue;
        }
        *link = records_[place].next;
        records_[place].next = free_;
        free_ = place;
    }
}

} // namespace glissade
