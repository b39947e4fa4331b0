// SPDX-License-Identifier: MIT
#include "stage/due_queue.h"

namespace glissade {

void DueQueue::push(const Item& item) noexcept {
    std::size_t number = size_++;
    for (; number > 0 && items_[place(number - 1)].time_ns > item.time_ns; --number) {
        items_[place(number)] = items_[place(number - 1)];
    }
    items_[place(number)] = item;
}

const DueQueue::Item* DueQueue::find_due(std::int64_t now_ns) const noexcept {
    return size_ > 0 && items_[first_].time_ns <= now_ns ? &items_[first_] : nullptr;
}

void DueQueue::pop() noexcept {
    first_ = place(1);
    --size_;
}

} // namespace glissade
