// SPDX-License-Identifier: MIT
#include "stage/shift_pool.h"

namespace glissade {

ShiftPool::ShiftPool(std::uint32_t capacity) : records_(capacity) {
    for (std::uint32_t place = capacity; place > 0; --place) {
        records_[place - 1].next = free_;
        free_ = place - 1;
    }
}

void ShiftPool::add(std::uint32_t& head, std::uint64_t sequence, const Rigid& rigid) noexcept {
    for (std::uint32_t place = head; place != kNone; place = records_[place].next) {
        ShiftRecord& record = records_[place];
        if (record.sequence == sequence) {
            record.rigid = compose(rigid, record.rigid);
            record.pending = record.shown ? rigid : compose(rigid, record.pending);
            record.shown = false;
            return;
        }
    }
    const std::uint32_t place = free_;
    free_ = records_[place].next;
    records_[place] = {.sequence = sequence, .rigid = rigid, .pending = rigid, .next = head};
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

void ShiftPool::rebase(std::uint32_t head, const glm::dvec3& offset) noexcept {
    for (std::uint32_t place = head; place != kNone; place = records_[place].next) {
        // x -> R x + t becomes x -> R (x - offset) + t + offset.
        for (Rigid* rigid : {&records_[place].rigid, &records_[place].pending}) {
            rigid->translation += offset - rotate(rigid->rotation, offset);
        }
    }
}

void ShiftPool::release(std::uint32_t* link) noexcept {
    const std::uint32_t place = *link;
    *link = records_[place].next;
    records_[place].next = free_;
    free_ = place;
}

void ShiftPool::forget(std::uint32_t& head, std::uint64_t sequence) noexcept {
    std::uint32_t* link = &head;
    while (*link != kNone && records_[*link].sequence != sequence) {
        link = &records_[*link].next;
    }
    if (*link != kNone) {
        release(link);
    }
}

void ShiftPool::retire(std::uint32_t& head, std::uint64_t oldest) noexcept {
    ShiftRecord* unseen = nullptr;
    std::uint32_t* link = &head;
    while (*link != kNone) {
        ShiftRecord& record = records_[*link];
        const bool old = record.sequence < oldest;
        if (old && !record.shown && unseen != nullptr) {
            // Chains run from new to old, so this one comes before what was kept.
            unseen->pending = compose(unseen->pending, record.pending);
        }
        if (old && (record.shown || unseen != nullptr)) {
            release(link);
            continue;
        }
        unseen = old ? &record : unseen;
        link = &record.next;
    }
}

ShiftRecord* ShiftPool::find_reached(std::uint32_t head, std::uint64_t sequence) noexcept {
    ShiftRecord* oldest = nullptr;
    for (std::uint32_t place = head; place != kNone; place = records_[place].next) {
        ShiftRecord& record = records_[place];
        const bool reached = !record.shown && record.sequence <= sequence;
        if (reached && (oldest == nullptr || record.sequence < oldest->sequence)) {
            oldest = &record;
        }
    }
    return oldest;
}

void ShiftPool::clear(std::uint32_t& head) noexcept {
    while (head != kNone) {
        release(&head);
    }
}

} // namespace glissade
