// SPDX-License-Identifier: MIT
// The objects that a present() changed, as a range over the stage's own columns.
#pragma once

#include "glissade/base/id.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

namespace glissade {

/// A range of Ids, each object once, in no particular order.
///
/// It refers to the columns of a stage and copies nothing: listing a million movers costs only
/// those who read the list. Valid until the next call on the stage that is not const. Thread
/// safety: as a const call of the stage. Allocates: never.
class ChangedIds {
public:
    /// Some of a column of Ids.
    struct Part {
        std::span<const Id> ids{};
        const std::uint64_t* mask = nullptr; ///< Bit `n % 64` of word `n / 64`: `ids[n]` is in it.
    };

    class Iterator {
    public:
        // NOLINTBEGIN(readability-identifier-naming): the names that the standard asks for.
        using iterator_category = std::forward_iterator_tag;
        using value_type = Id;
        using difference_type = std::ptrdiff_t;
        using pointer = const Id*;
        using reference = Id;
        // NOLINTEND(readability-identifier-naming)

        Iterator() noexcept = default;
        [[nodiscard]] Id operator*() const noexcept { return part_->ids[item_]; }
        Iterator& operator++() noexcept {
            ++item_;
            find_next();
            return *this;
        }
        Iterator operator++(int) noexcept {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
            return a.part_ == b.part_ && a.item_ == b.item_;
        }

    private:
        friend class ChangedIds;
        Iterator(const Part* part, const Part* end) noexcept : part_(part), end_(end) {
            find_next();
        }
        /// Goes on to the next one that is in the range, from where it stands.
        void find_next() noexcept;
        /// The same inside of the part; false if there is none.
        [[nodiscard]] bool find_in_part() noexcept;

        const Part* part_ = nullptr;
        const Part* end_ = nullptr;
        std::size_t item_ = 0;
    };

    ChangedIds() noexcept = default;
    explicit ChangedIds(std::span<const Part> parts) noexcept : parts_(parts) {}

    [[nodiscard]] Iterator begin() const noexcept {
        return {parts_.data(), parts_.data() + parts_.size()};
    }
    [[nodiscard]] Iterator end() const noexcept {
        return {parts_.data() + parts_.size(), parts_.data() + parts_.size()};
    }
    /// Counts them: linear in the number of movers, 64 at a time.
    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool empty() const noexcept { return begin() == end(); }

private:
    std::span<const Part> parts_{};
};

} // namespace glissade
