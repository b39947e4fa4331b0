// SPDX-License-Identifier: MIT
// A small bounded queue of things that wait for a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glissade {

/// Sorted by time, equal times in the order of push(). Pushing in order of time is constant, else
/// linear in what waits for a later time. Never allocates after construction.
class DueQueue {
public:
    struct Item {
        std::int64_t time_ns = 0;
        std::uint64_t value = 0;
    };

    explicit DueQueue(std::size_t capacity) : items_(capacity) {}

    [[nodiscard]] bool full() const noexcept { return size_ == items_.size(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Precondition: not full.
    void push(const Item& item) noexcept;
    /// The earliest item if its time is not after `now_ns`, else null. Pop it before asking again.
    [[nodiscard]] const Item* find_due(std::int64_t now_ns) const noexcept;
    /// Precondition: not empty.
    void pop() noexcept;
    void clear() noexcept { size_ = 0; }

private:
    [[nodiscard]] std::size_t place(std::size_t number) const noexcept {
        return (first_ + number) % items_.size();
    }

    std::vector<Item> items_; // A ring.
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

} // namespace glissade
